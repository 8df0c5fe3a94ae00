; SM3 of one message.
; SPDX-License-Identifier: BSD-3-Clause

%include "crypto/hash/sha_x1.inc"

extern isalk_sm3_k

; Word i + 16 from wk on = p1(w[i] ^ w[i+7] ^ (w[i+13] <<< 15)) ^ (w[i+3] <<< 7) ^ w[i+10], where
; p1(x) = x ^ (x <<< 15) ^ (x <<< 23).
%macro SM3_X1_EXPAND 1                  ; i
    rorx    u0, [wk + 4 * (%1 + 13)], 17
    xor     u0, [wk + 4 * (%1)]
    xor     u0, [wk + 4 * (%1 + 7)]
    rorx    u1, u0, 17
    rorx    u2, u0, 9
    xor     u0, u1
    xor     u0, u2
    rorx    u1, [wk + 4 * (%1 + 3)], 25
    xor     u0, [wk + 4 * (%1 + 10)]
    xor     u0, u1
    mov     [wk + 4 * (%1 + 16)], u0
%endmacro

; Round i of the 16 whose words are at wk and constants at kp.
%macro SM3_X1_ROUND 2                   ; i, 1 in the first 16 rounds
    HASH_ROTATE %1, 4, work
    HASH_ROTATE %1, 4, work, 4, 4
    HASH_NAMES 8
    mov     u2, [wk + 4 * %1]
    add     h, u2
    xor     u2, [wk + 4 * (%1 + 4)]
    add     d, u2                       ; w'
    %if %2
        mov     u0, b
        mov     u1, f
        xor     u0, c
        xor     u1, g
        xor     u0, a
        xor     u1, e
        add     d, u0
        add     h, u1
    %else                               ; the terms of the majority have no bits in common
        mov     u0, b
        mov     u2, b
        and     u0, c
        xor     u2, c
        add     d, u0
        and     u2, a
        add     d, u2
        mov     u0, f
        xor     u0, g
        and     u0, e
        xor     u0, g
        add     h, u0
    %endif
    mov     u1, [kp + 4 * %1]           ; the longest chain begins here
    rorx    u0, a, 20
    add     u1, u0
    add     u1, e                       ; e is ready later than a
    rorx    u1, u1, 25                  ; ss1
    xor     u0, u1                      ; ss2
    add     h, u1                       ; tt2
    add     d, u0                       ; tt1
    rorx    b, b, 23
    rorx    f, f, 13
    rorx    u0, h, 23                   ; p0
    rorx    u1, h, 15
    xor     h, u0
    xor     h, u1
%endmacro

; 16 rounds. If expand is 1, the words of 20 rounds later are expanded beside them.
%macro SM3_X1_ROUNDS 2                  ; 1 in the first 16 rounds, expand
    %assign %%i 0
    %rep 16
        SM3_X1_ROUND %%i, %1
        %if %2
            SM3_X1_EXPAND %%i + 4
        %endif
        %assign %%i %%i + 1
    %endrep
    add     wk, 64
    add     kp, 64
%endmacro

; void isalk_sm3_x1_avx2(void *state, const uint8_t *data, size_t blocks)
;
; GB/T 32905-2016 section 5.3. Pointers need no alignment; blocks may be 0.
;
; Registers: s0 to s7 the working variables; t0 to t2 scratch; wk: words of 16 rounds; kp: their
; constants. The stack has blocks and the 68 words of the message; w' is computed in the round.
; Main loop: 25 or 29 uops a round and 13 a word; the chain from e to the next e is seven cycles.
; Words are expanded 20 rounds early, when they do not wait for one another.
%macro SM3_X1 0
X1_KERNEL sm3_x1, 320, 6
    X1_WORKING 8, 4
    %define left [rsp + x1_frame + 8]
    test    blocks, blocks
    jz      .done
    X1_LOAD_STATE 8, 4
.block:                                 ; blocks > 0 remain
    mov     left, blocks
    %define wk blocks
    %assign %%i 0
    %rep 16
        mov     u0, [data + 4 * %%i]
        bswap   u0
        mov     [rsp + 4 * %%i], u0
        %assign %%i %%i + 1
    %endrep
    mov     wk, rsp
    lea     kp, [isalk_sm3_k]
    %assign %%i 0
    %rep 4
        SM3_X1_EXPAND %%i
        %assign %%i %%i + 1
    %endrep
    SM3_X1_ROUNDS 1, 1
.sixteen_rounds:
    SM3_X1_ROUNDS 0, 1
    lea     t0, [rsp + 3 * 64]
    cmp     wk, t0
    jne     .sixteen_rounds
    SM3_X1_ROUNDS 0, 0
    %undef wk
    %assign %%i 0
    %rep 8
        xor     work%[%%i], [state + 4 * %%i]
        mov     [state + 4 * %%i], work%[%%i]
        %assign %%i %%i + 1
    %endrep
    add     data, 64
    mov     blocks, left
    dec     blocks
    jnz     .block
.done:
    %undef left
X1_ENDKERNEL
%endmacro

TIER avx2
SM3_X1
