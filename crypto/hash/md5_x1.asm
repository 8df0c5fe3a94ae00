; MD5 of one message.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "crypto/hash/md5_schedule.inc"

extern isalk_md5_k

; Step i of 64: a = b + ((a + f + w + k) <<< s); the variables move down one. b is the latest of the
; three that f takes and enters last; of the second round's choice the halves have no bit in common
; and are added one by one.
%macro MD5_X1_STEP 1
    MD5_SCHEDULE %1
    %assign %%i (256 - %1) % 4
    %xdefine a s%[%%i]_d
    %assign %%i (257 - %1) % 4
    %xdefine b s%[%%i]_d
    %assign %%i (258 - %1) % 4
    %xdefine c s%[%%i]_d
    %assign %%i (259 - %1) % 4
    %xdefine d s%[%%i]_d
    add     a, [k + 4 * %1]
    add     a, [data + 4 * md5_word]
    %if %1 < 16
        mov     t0_d, c
        xor     t0_d, d
        and     t0_d, b
        xor     t0_d, d
    %elif %1 < 32
        mov     t0_d, d
        not     t0_d
        and     t0_d, c
        add     a, t0_d
        mov     t0_d, d
        and     t0_d, b
    %elif %1 < 48
        mov     t0_d, c
        xor     t0_d, d
        xor     t0_d, b
    %else
        mov     t0_d, d
        not     t0_d
        or      t0_d, b
        xor     t0_d, c
    %endif
    add     a, t0_d
    rol     a, md5_shift
    add     a, b
%endmacro

; void isalk_md5_x1_sse(void *state, const uint8_t *data, size_t blocks)
;
; RFC 1321 section 3.4. Pointers need no alignment; blocks may be 0.
;
; Main loop: each step waits for the one before it, 4 or 5 cycles, 288 a block.
TIER sse
KERNEL md5_x1, state, data, blocks, k, t0, s0
    LOCALS  s1, s2, s3
    test    blocks, blocks
    jz      .done
    lea     k, [isalk_md5_k]
    %assign i 0
    %rep 4
        mov     s%[i]_d, [state + 4 * i]
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
        add     s%[i]_d, [state + 4 * i]
        mov     [state + 4 * i], s%[i]_d
        %assign i i + 1
    %endrep
    add     data, 64
    dec     blocks
    jnz     .block
.done:
    %undef a
    %undef b
    %undef c
    %undef d
ENDKERNEL
%undef i
