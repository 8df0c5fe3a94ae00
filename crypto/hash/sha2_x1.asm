; SHA-256 and SHA-512 of one message.
; SPDX-License-Identifier: BSD-3-Clause

%include "crypto/hash/sha_x1.inc"
%include "crypto/hash/sha2_rounds.inc"

%macro SHA2_X1_SHAPE 1                  ; bytes in a word
    SHA2_SHAPE %1
    %assign GROUPS 16 / ROWS            ; vectors that hold 16 words
%endmacro

; u0 = (x >>> n1) ^ (x >>> n2) ^ (x >>> n3); u1 is scratch
%macro SHA2_X1_SIGMA 4
    rorx    u0, %1, %2
    rorx    u1, %1, %3
    xor     u0, u1
    rorx    u1, %1, %4
    xor     u0, u1
%endmacro

; v8 = (x >>> n1) ^ (x >>> n2) ^ (x >> n3), vectors; v9, v10 are scratch
%macro SHA2_X1_SMALL_SIGMA 4
    %if HAS_EVEX
        wrol    v8, %1, WORD * 8 - (%2), none
        wrol    v9, %1, WORD * 8 - (%3), none
        wsrl    v10, %1, %4
        vxor3_keep   v8, v9, v10
    %else
        wsrl    v8, %1, %4
        wsrl    v9, %1, %2
        wsll    v10, %1, WORD * 8 - (%2)
        vxor    v8, v8, v9
        vxor    v8, v8, v10
        wsrl    v9, %1, %3
        wsll    v10, %1, WORD * 8 - (%3)
        vxor    v8, v8, v9
        vxor    v8, v8, v10
    %endif
%endmacro

; Round i of the 16 whose words are at wk.
; a ^ b is the next round's b ^ c: u2 and u3 alternate. With the sigma before the majority, and the
; two terms of the choice added separately, it is 3 % slower (Golden Cove).
%macro SHA2_X1_ROUND 1                  ; i
    HASH_ROTATE %1, 8, work
    HASH_NAMES 8
    add     h, [wk + %1 / ROWS * 32 + %1 % ROWS * WORD]
    mov     u0, f
    xor     u0, g
    and     u0, e
    xor     u0, g
    add     h, u0
    SHA2_X1_SIGMA e, SHA2_S1
    add     h, u0
    add     d, h
    %if %1 % 2
        %xdefine %%ab u2
        %xdefine %%bc u3
    %else
        %xdefine %%ab u3
        %xdefine %%bc u2
    %endif
    mov     %%ab, a
    xor     %%ab, b
    and     %%bc, %%ab
    xor     %%bc, b
    add     h, %%bc
    SHA2_X1_SIGMA a, SHA2_S0
    add     h, u0
%endmacro

; A vector += s1(x) moved to the half of the vector that needs it: by vpsrldq, vpslldq or none.
%macro SHA2_X1_ADD_S1 3                 ; register number, x, move
    SHA2_X1_SMALL_SIGMA %2, SHA2_s1
    %ifnidn %3, none
        %3      v8, v8, 8
    %endif
    wadd    v%1, v%1, v8
%endmacro

; Part 0 to ROWS - 1 of the work on vector g of the next 16 words, which replaces the preceding 16:
; w[t] = w[t-16] + s0(w[t-15]) + w[t-7] + s1(w[t-2]).
%macro SHA2_X1_SCHEDULE 2               ; g, part
    %if %2 == 0
        SHA2_X1_ADD_EARLIER %1
    %else
        SHA2_X1_ADD_LATE_%[ROWS] %1, %2
    %endif
    %if %2 == ROWS - 1
        SHA2_X1_STORE %1, [kp + %1 * 16], GROUPS + %1
    %endif
%endmacro

; w[t-16] + s0(w[t-15]) + w[t-7]
%macro SHA2_X1_ADD_EARLIER 1            ; g
    %assign %%i1 (%1 + 1) % GROUPS
    %assign %%i7 (%1 + 9 / ROWS) % GROUPS
    %assign %%i8 (%1 + 9 / ROWS + 1) % GROUPS
    vpalignr v11, v%[%%i1], v%1, WORD
    vpalignr v8, v%[%%i8], v%[%%i7], WORD
    wadd    v%1, v%1, v8
    SHA2_X1_SMALL_SIGMA v11, SHA2_s0
    wadd    v%1, v%1, v8
%endmacro

; s1(w[t-2]) with two words a vector: both words are in the preceding vector.
%macro SHA2_X1_ADD_LATE_2 2             ; g, part 1
    %assign %%before (%1 + GROUPS - 1) % GROUPS
    SHA2_X1_ADD_S1 %1, v%[%%before], none
%endmacro

; With four words a vector: two words need the preceding vector, the other two the vector itself.
%macro SHA2_X1_ADD_LATE_4 2             ; g, part 1 to 3
    %assign %%before (%1 + GROUPS - 1) % GROUPS
    %if %2 == 1
        SHA2_X1_ADD_S1 %1, v%[%%before], vpsrldq
    %elif %2 == 2
        SHA2_X1_ADD_S1 %1, v%1, vpslldq
    %endif
%endmacro

; Stores words plus their constants as vector n from wk on.
%macro SHA2_X1_STORE 3                  ; register number, constants, n
    vbroadcasti128 v8, %2
    wadd    v8, v8, v%1
    vmovdqa [wk + 32 * (%3)], v8
%endmacro

; void isalk_<hash>_x1_<tier>(void *state, const uint8_t *data, size_t blocks)
;
; FIPS 180-4 section 6.2 (SHA-256) or 6.4 (SHA-512). Pointers need no alignment; blocks may be 0.
;
; Registers: s0 to s7 the working variables; from v0 on 16 words of the schedule of two blocks; u0
; to u3 and v8 to v11 scratch; v15 the shuffle of bytes; wk: words of 16 rounds; kp: constants of
; the next 16. The stack has blocks and state, whose registers are used for wk and u3.
; Main loop: 22 uops and two moves a round, 6 cycles at four uops a cycle. Four words of the
; schedule of two blocks take 22 uops with vpternlog, 37 without (SHA-512: two words, 15 and 25).
%macro SHA2_X1 2                        ; name, bytes in a word
    SHA2_X1_SHAPE %2
X1_KERNEL %1, SHA2_PASSES * GROUPS * 32
    X1_WORKING 8, WORD
    %define left [rsp + x1_frame + 8]
    %define saved_state [rsp + x1_frame + 16]
    %if WORD == 4                       ; the register of `state`, which is saved
        %define u3 state_d
    %else
        %define u3 state
    %endif
    test    blocks, blocks
    jz      .done
    mov     left, blocks
    mov     saved_state, state
    vload   v15, [SHA2_SWAP]
    X1_LOAD_STATE 8, WORD
.two_blocks:                            ; left > 0 blocks remain
    %undef wk
    mov     blocks, left
    X1_NEXT_BLOCK 16 * WORD
    lea     kp, [SHA2_K]
    %define wk blocks
    %define wk_b blocks_b
    mov     wk, rsp
    %assign %%g 0
    %rep GROUPS
        X1_LOAD %%g, 16 * %%g
        SHA2_X1_STORE %%g, [kp + 16 * %%g], %%g
        %assign %%g %%g + 1
    %endrep
    mov     u2, work1
    xor     u2, work2
.scheduled_rounds:
    add     kp, 16 * WORD
    %assign %%i 0
    %rep 16
        %assign %%g %%i / ROWS
        %assign %%part %%i % ROWS
        SHA2_X1_SCHEDULE %%g, %%part
        SHA2_X1_ROUND %%i
        %assign %%i %%i + 1
    %endrep
    add     wk, 32 * GROUPS
    lea     t0, [SHA2_K + (SHA2_PASSES - 1) * 16 * WORD]
    cmp     kp, t0
    jne     .scheduled_rounds
    lea     kp, [wk + 32 * GROUPS]
.plain_rounds:                          ; from wk to kp, of either block
    %assign %%i 0
    %rep 8
        SHA2_X1_ROUND %%i
        %assign %%i %%i + 1
    %endrep
    add     wk, 16 * GROUPS
    cmp     wk, kp
    jne     .plain_rounds
    mov     state, saved_state
    X1_ADD_STATE 8, WORD
    add     data, 16 * WORD
    dec     qword left
    jz      .done
    test    wk_b, 16
    jnz     .two_blocks
    lea     wk, [rsp + 16]              ; the second block's words
    add     kp, 16
    mov     u2, work1
    xor     u2, work2
    jmp     .plain_rounds
    %undef wk
    %undef wk_b
.done:
    %undef left
    %undef saved_state
    %undef u3
X1_ENDKERNEL
%endmacro

TIER avx2
SHA2_X1 sha256_x1, 4
SHA2_X1 sha512_x1, 8
TIER avx512
VWIDTH 32
SHA2_X1 sha256_x1, 4
VWIDTH 32
SHA2_X1 sha512_x1, 8
