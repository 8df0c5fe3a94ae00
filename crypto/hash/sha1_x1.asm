; SHA-1 of one message.
; SPDX-License-Identifier: BSD-3-Clause

%include "crypto/hash/sha_x1.inc"

extern isalk_sha1_k

SWAP_WORDS_4 SHA1_SWAP

; Round i of 80: e += (a <<< 5) + f + w[i], b <<<= 30. wk points to the 20 words of this quarter, 64
; bytes in, so that offsets are short.
; f is a choice, a sum, a majority or a sum; of choice and majority the two halves have no bit in
; common and are added one by one. b is the latest of the three and enters last.
%macro SHA1_X1_ROUND 1
    HASH_ROTATE %1, 5, work
    HASH_NAMES 5
    add     e, [wk + %1 % 20 / 4 * 32 + %1 % 4 * 4 - 64]
    %if %1 / 20 == 0
        andn    u1, b, d
        mov     u0, b
        and     u0, c
        add     e, u1
        add     e, u0
    %elif %1 / 20 == 2
        mov     u0, c
        and     u0, d
        mov     u1, c
        xor     u1, d
        add     e, u0
        and     u1, b
        add     e, u1
    %else
        mov     u0, c
        xor     u0, d
        xor     u0, b
        add     e, u0
    %endif
    rorx    b, b, 2
    rorx    u0, a, 27
    add     e, u0
%endmacro

; Words 4 g .. 4 g + 3 plus their constant to the stack
%macro SHA1_X1_PUT 1                    ; g
    %assign %%v %1 % 8
    %if %1 % 5 == 0
        vpbroadcastd v12, [kp + %1 / 5 * 4]
    %endif
    vpaddd  v8, v12, v%[%%v]
    vmovdqa [rsp + 32 * %1], v8
%endmacro

; A part of the work on words 4 g .. 4 g + 3, which go to v(g % 8).
; Below 32: w[t] = (w[t-3] ^ w[t-8] ^ w[t-14] ^ w[t-16]) <<< 1. w[t-3] of the last word is the first
; of the four: its share, rotated once more, is added afterwards. From 32 on the same, twice over:
; w[t] = (w[t-6] ^ w[t-16] ^ w[t-28] ^ w[t-32]) <<< 2.
%macro SHA1_X1_SCHEDULE 2               ; g, part
    %assign %%v %1 % 8
    %assign %%i1 (%1 + 7) % 8           ; v%[%%in] is n vectors back
    %assign %%i2 (%1 + 6) % 8
    %assign %%i3 (%1 + 5) % 8
    %assign %%i4 (%1 + 4) % 8
    %assign %%i7 (%1 + 1) % 8
    %if %2 == 3
        SHA1_X1_PUT %1
    %elif %1 >= 8
        %if %2 == 0
            vpalignr v8, v%[%%i1], v%[%%i2], 8
            vxor    v%[%%v], v%[%%v], v%[%%i7]
            vxor3_keep   v%[%%v], v8, v%[%%i4]
        %elif %2 == 1
            wrol_in_place v%[%%v], 2, v10
        %endif
    %elif %2 == 0
        vpalignr v8, v%[%%i3], v%[%%i4], 8
        vpsrldq v9, v%[%%i1], 4
        vxor    v%[%%v], v%[%%i4], v%[%%i2]
        vxor3_keep   v%[%%v], v8, v9
    %elif %2 == 1
        vpslldq v9, v%[%%v], 12         ; the first word, in the last place
        wrol_in_place v%[%%v], 1, v10
    %else
        wrol    v8, v9, 2, v10
        vxor    v%[%%v], v%[%%v], v8
    %endif
%endmacro

; 20 rounds of quarter %1; beside those of the first three, if %2, all of the schedule.
%macro SHA1_X1_QUARTER 2
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
; Registers: s0 to s4 the working variables, v0 to v7 32 words of the schedule of two blocks, t0, t1
; and v8 to v10 scratch, v12 a quarter's constant, kp the constants, wk the words of a quarter.
; Main loop: 8 to 11 uops a round and, for two blocks, 6 or 10 (with vpternlog; 8 or 14 without) for
; four words of the schedule: about 2.5 cycles a round at four uops a cycle. The chain from a to the
; next is two cycles. The quarters that need no schedule share code, or the loop would not fit the
; uop cache.
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
.two_blocks:                            ; blocks > 0 of them are left
    X1_NEXT_BLOCK 64
    %assign %%g 0
    %rep 4
        X1_LOAD %%g, 16 * %%g
        SHA1_X1_PUT %%g
        %assign %%g %%g + 1
    %endrep
    lea     wk, [rsp + 64]
    SHA1_X1_QUARTER 0, 1
    SHA1_X1_QUARTER 1, 1
    SHA1_X1_QUARTER 2, 1
.sum_rounds:                            ; quarter 3, or quarter 1 of the second block
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
    jmp     .sum_rounds
.second_block_majority:
    SHA1_X1_QUARTER 2, 0
    jmp     .sum_rounds
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
