; MD5 of one message.
; SPDX-License-Identifier: BSD-3-Clause

%include "crypto/hash/hash_lanes.inc"
%include "crypto/hash/md5_schedule.inc"

extern isalk_md5_k

; t0 = the function of round 0 to 3 of b, c, d. b is known last and enters last. The two terms of
; round 1 have no bits in common: one is added to a, the other is t0.
%macro MD5_X1_FUNCTION_0 0
    mov     t0_d, c
    xor     t0_d, d
    and     t0_d, b
    xor     t0_d, d
%endmacro
%macro MD5_X1_FUNCTION_1 0
    mov     t0_d, d
    not     t0_d
    and     t0_d, c
    add     a, t0_d
    mov     t0_d, d
    and     t0_d, b
%endmacro
%macro MD5_X1_FUNCTION_2 0
    mov     t0_d, c
    xor     t0_d, d
    xor     t0_d, b
%endmacro
%macro MD5_X1_FUNCTION_3 0
    mov     t0_d, d
    not     t0_d
    or      t0_d, b
    xor     t0_d, c
%endmacro

; Step i of 64: a = b + ((a + f + w + k) <<< s)
%macro MD5_X1_STEP 1                    ; i
    MD5_SCHEDULE %1
    HASH_ROTATE %1, 4, work
    HASH_NAMES 4
    %assign %%round %1 / 16
    add     a, [k + 4 * %1]
    add     a, [data + 4 * md5_word]
    MD5_X1_FUNCTION_%[%%round]
    add     a, t0_d
    rol     a, md5_shift
    add     a, b
%endmacro

; void isalk_md5_x1_sse(void *state, const uint8_t *data, size_t blocks)
;
; RFC 1321 section 3.4. Pointers need no alignment; blocks may be 0.
;
; Main loop: each step waits for the preceding one, 4 or 5 cycles, 288 a block.
TIER sse
KERNEL md5_x1, state, data, blocks, k, t0, s0
    LOCALS  s1, s2, s3
    test    blocks, blocks
    jz      .done
    lea     k, [isalk_md5_k]
    %assign i 0
    %rep 4
        %xdefine work%[i] s%[i]_d
        mov     work%[i], [state + 4 * i]
        %assign i i + 1
    %endrep
.block:
    %assign i 0
    %rep 64
        MD5_X1_STEP i
        %assign i i + 1
    %endrep
    %assign i 0
    %rep 4
        add     work%[i], [state + 4 * i]
        mov     [state + 4 * i], work%[i]
        %assign i i + 1
    %endrep
    add     data, 64
    dec     blocks
    jnz     .block
.done:
    HASH_UNDEFINE
ENDKERNEL
%undef i
