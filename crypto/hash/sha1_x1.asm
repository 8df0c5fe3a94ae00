; SHA-1 of one message.
; SPDX-License-Identifier: BSD-3-Clause

%include "crypto/hash/sha_x1.inc"

extern isalk_sha1_k

SWAP_WORDS_4 SHA1_SWAP

; e += the function of quarter 0 to 3 of b, c, d: choice, parity, majority, parity. The terms of
; choice and majority have no bits in common and are added separately. b is known last and enters
; last.
%macro SHA1_X1_ADD_F_0 0
    andn    u1, b, d
    mov     u0, b
    and     u0, c
    add     e, u1
    add     e, u0
%endmacro
%macro SHA1_X1_ADD_F_1 0
    mov     u0, c
    xor     u0, d
    xor     u0, b
    add     e, u0
%endmacro
%macro SHA1_X1_ADD_F_2 0
    mov     u0, c
    and     u0, d
    mov     u1, c
    xor     u1, d
    add     e, u0
    and     u1, b
    add     e, u1
%endmacro
%macro SHA1_X1_ADD_F_3 0
    SHA1_X1_ADD_F_1
%endmacro

; Round i of 80: e += (a <<< 5) + f + w[i], b <<<= 30. wk points to the 20 words of this quarter, 64
; bytes in, so that offsets are short.
%macro SHA1_X1_ROUND 1                  ; i
    HASH_ROTATE %1, 5, work
    HASH_NAMES 5
    %assign %%quarter %1 / 20
    add     e, [wk + %1 % 20 / 4 * 32 + %1 % 4 * 4 - 64]
    SHA1_X1_ADD_F_%[%%quarter]
    rorx    b, b, 2
    rorx    u0, a, 27
    add     e, u0
%endmacro

; Stores words 4 g .. 4 g + 3 plus their constant on the stack.
%macro SHA1_X1_STORE 1                  ; g
    %assign %%v %1 % 8
    %if %1 % 5 == 0
        vpbroadcastd v12, [kp + %1 / 5 * 4]
    %endif
    vpaddd  v8, v12, v%[%%v]
    vmovdqa [rsp + 32 * %1], v8
%endmacro

; Part 0 to 3 of the work on words 4 g .. 4 g + 3, which go to v(g % 8).
%macro SHA1_X1_SCHEDULE 2               ; g, part
    %if %2 == 3
        SHA1_X1_STORE %1
    %elif %1 < 8
        SHA1_X1_EARLY %1, %2
    %else
        SHA1_X1_LATE %1, %2
    %endif
%endmacro

; Below word 32: w[t] = (w[t-3] ^ w[t-8] ^ w[t-14] ^ w[t-16]) <<< 1. For the last of the four words,
; w[t-3] is the first of them: its share, rotated once more, is added afterwards.
%macro SHA1_X1_EARLY 2                  ; g, part
    %assign %%v %1 % 8
    %assign %%back1 (%1 + 7) % 8        ; v%[%%back<n>] is n vectors back
    %assign %%back2 (%1 + 6) % 8
    %assign %%back3 (%1 + 5) % 8
    %assign %%back4 (%1 + 4) % 8
    %if %2 == 0
        vpalignr v8, v%[%%back3], v%[%%back4], 8
        vpsrldq v9, v%[%%back1], 4
        vxor    v%[%%v], v%[%%back4], v%[%%back2]
        vxor3_keep v%[%%v], v8, v9
    %elif %2 == 1
        vpslldq v9, v%[%%v], 12         ; the first word, in the last place
        wrol_in_place v%[%%v], 1, v10
    %else
        wrol    v8, v9, 2, v10
        vxor    v%[%%v], v%[%%v], v8
    %endif
%endmacro

; From word 32 on the same recurrence applied twice: w[t] = (w[t-6] ^ w[t-16] ^ w[t-28] ^ w[t-32])
; <<< 2.
%macro SHA1_X1_LATE 2                   ; g, part
    %assign %%v %1 % 8
    %assign %%back1 (%1 + 7) % 8
    %assign %%back2 (%1 + 6) % 8
    %assign %%back4 (%1 + 4) % 8
    %assign %%back7 (%1 + 1) % 8
    %if %2 == 0
        vpalignr v8, v%[%%back1], v%[%%back2], 8
        vxor    v%[%%v], v%[%%v], v%[%%back7]
        vxor3_keep v%[%%v], v8, v%[%%back4]
    %elif %2 == 1
        wrol_in_place v%[%%v], 2, v10
    %endif
%endmacro

; The 20 rounds of a quarter; if with_schedule is 1, beside them a third of the schedule.
%macro SHA1_X1_QUARTER 2                ; quarter, with_schedule
    %assign %%i 20 * %1
    %rep 20
        %if %2
            %assign %%p %%i * 64 / 60
            %rep (%%i + 1) * 64 / 60 - %%i * 64 / 60
                %assign %%g %%p / 4 + 4
                %assign %%part %%p % 4
                SHA1_X1_SCHEDULE %%g, %%part
                %assign %%p %%p + 1
            %endrep
        %endif
        SHA1_X1_ROUND %%i
        %assign %%i %%i + 1
    %endrep
    add     wk, 160
%endmacro

; void isalk_sha1_x1_<tier>(void *state, const uint8_t *data, size_t blocks)
;
; FIPS 180-4 section 6.1. Pointers need no alignment; blocks may be 0.
;
; Registers: s0 to s4 the working variables; v0 to v7 32 words of the schedule of two blocks; t0, t1
; and v8 to v10 scratch; v12 the constant of a quarter, v15 SHA1_SWAP; kp: constants; wk: words of a
; quarter.
; Main loop: 8 to 11 uops a round. Four words of the schedule of two blocks take 6 or 10 uops with
; vpternlog, 8 or 14 without. In all about 2.5 cycles a round at four uops a cycle. The chain from a
; to the next a is two cycles. The quarters without schedule share code, so that the loop fits in
; the uop cache.
%macro SHA1_X1 0
    HASH_WORD 4
X1_KERNEL sha1_x1, 20 * 32
    X1_WORKING 5, 4
    %define wk t2
    test    blocks, blocks
    jz      .done
    vload   v15, [SHA1_SWAP]
    lea     kp, [isalk_sha1_k]
    X1_LOAD_STATE 5, 4
.two_blocks:                            ; blocks > 0 remain
    X1_NEXT_BLOCK 64
    %assign %%g 0
    %rep 4
        X1_LOAD %%g, 16 * %%g
        SHA1_X1_STORE %%g
        %assign %%g %%g + 1
    %endrep
    lea     wk, [rsp + 64]
    SHA1_X1_QUARTER 0, 1
    SHA1_X1_QUARTER 1, 1
    SHA1_X1_QUARTER 2, 1
.parity_rounds:                         ; quarter 3, or quarter 1 of the second block
    SHA1_X1_QUARTER 3, 0
    lea     t0, [rsp + 4 * 160 + 64]
    cmp     wk, t0
    jb      .second_block_majority
    X1_ADD_STATE 5, 4
    add     data, 64
    dec     blocks
    lea     t0, [rsp + 4 * 160 + 64]
    cmp     wk, t0
    jne     .second_block_done
    test    blocks, blocks
    jz      .done
    lea     wk, [rsp + 64 + 16]
    SHA1_X1_QUARTER 0, 0
    jmp     .parity_rounds
.second_block_majority:
    SHA1_X1_QUARTER 2, 0
    jmp     .parity_rounds
.second_block_done:
    test    blocks, blocks
    jnz     .two_blocks
.done:
    %undef wk
X1_ENDKERNEL
%endmacro

TIER avx2
SHA1_X1
TIER avx512
VWIDTH 32
SHA1_X1
