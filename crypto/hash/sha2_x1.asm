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
; a ^ b is the next round's b ^ c: u2 and u3 take turns. The order counts: with the sigma before the
; majority, and the two halves of the choice added one by one, 3 % slower (Golden Cove).
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

; v%1 += s1(%2) shifted by half a vector, %3, which is where the sum wants it
%macro SHA2_X1_ADD_S1 3
    SHA2_X1_SMALL_SIGMA %2, SHA2_s1
    %ifnidn %3, none
        %3      v8, v8, 8
    %endif
    wadd    v%1, v%1, v8
%endmacro

; Part %2 of ROWS of the work on vector g of the next 16 words, which takes the place of the 16
; before it: w[t] = w[t-16] + s0(w[t-15]) + w[t-7] + s1(w[t-2]). Words t-2 are the two before the
; vector and, if it has four, its own first two.
%macro SHA2_X1_SCHEDULE 2               ; g, part
    %assign %%i1 (%1 + 1) % GROUPS
    %assign %%i7 (%1 + 9 / ROWS) % GROUPS
    %assign %%i8 (%1 + 9 / ROWS + 1) % GROUPS
    %assign %%i2 (%1 + GROUPS - 1) % GROUPS
    %if %2 == 0
        vpalignr v11, v%[%%i1], v%1, WORD
        vpalignr v8, v%[%%i8], v%[%%i7], WORD
        wadd    v%1, v%1, v8
        SHA2_X1_SMALL_SIGMA v11, SHA2_s0
        wadd    v%1, v%1, v8
    %endif
    %if ROWS == 4 && %2 == 1
        SHA2_X1_ADD_S1 %1, v%[%%i2], vpsrldq
    %elif ROWS == 4 && %2 == 2
        SHA2_X1_ADD_S1 %1, v%1, vpslldq
    %elif ROWS == 2 && %2 == 1
        SHA2_X1_ADD_S1 %1, v%[%%i2], none
    %endif
    %if %2 == ROWS - 1
        SHA2_X1_PUT %1, [kp + %1 * 16], GROUPS + %1
    %endif
%endmacro

; Words of v%1 plus the constants at %2 to vector %3 at wk
%macro SHA2_X1_PUT 3
    vbroadcasti128 v8, %2
    wadd    v8, v8, v%1
    vmovdqa [wk + 32 * (%3)], v8
%endmacro

; void isalk_<hash>_x1_<tier>(void *state, const uint8_t *data, size_t blocks)
;
; FIPS 180-4 section 6.2 (SHA-256) or 6.4 (SHA-512). Pointers need no alignment; blocks may be 0.
;
; Registers: s0 to s7 the working variables, v0 .. 16 words of the schedule of two blocks, u0 to u3
; and v8 to v11 scratch, wk the words of 16 rounds, kp the constants of the next 16. The stack has
; blocks and state.
; Main loop: 22 uops and two moves a round, 6 cycles at four a cycle, and of the schedule, for two
; blocks, with vpternlog 22 for four words (SHA-512: 15 for two), without 37 (25).
%macro SHA2_X1 2                        ; name, bytes in a word
    SHA2_X1_SHAPE %2
X1_KERNEL %1, SHA2_PASSES * GROUPS * 32
    X1_WORKING 8, WORD
    %define left [rsp + x1_frame + 8]
    %define saved_state [rsp + x1_frame + 16]
    %if WORD == 4                       ; the register of `state`, but where it is used
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
.two_blocks:                            ; blocks > 0 of them are left
    %undef wk
    mov     blocks, left
    X1_NEXT_BLOCK 16 * WORD
    lea     kp, [SHA2_K]
    %define wk blocks
    %define wk_b dl                     ; its low byte
    mov     wk, rsp
    %assign %%g 0
    %rep GROUPS
        X1_LOAD %%g, 16 * %%g
        SHA2_X1_PUT %%g, [kp + 16 * %%g], %%g
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
    lea     wk, [rsp + 16]              ; now the second block's words
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
