; SM3 of as many messages as a vector has words.
; SPDX-License-Identifier: BSD-3-Clause

%include "crypto/hash/hash_lanes.inc"

extern isalk_sm3_k

SWAP_WORDS_4 SM3_SWAP
SM3_ROTATE_8:                           ; 32-bit words left by one byte
    %rep 4
    db      3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14
    %endrep

; d ^= (d <<< n) ^ (d <<< n + 8), which is d ^ ((d ^ (d <<< 8)) <<< n); t, u are scratch
%macro SM3_P 4                          ; d, n, t, u
    %if HAS_EVEX
        wrol    %3, %1, %2, none
        wrol    %4, %1, %2 + 8, none
        vxor3_keep   %1, %3, %4
    %else
        vshufb  %3, %1, rotate8
        vxor    %3, %3, %1
        wsrl    %4, %3, 32 - %2
        wsll    %3, %3, %2
        vxor    %1, %1, %4
        vxor    %1, %1, %3
    %endif
%endmacro

; x0 = ff(p, q, r): parity or majority
%macro SM3_FF 4                         ; 1 in the first 16 rounds, p, q, r
    %if HAS_EVEX
        vmove   x0, %2
        %if %1
            vpternlogd x0, %3, %4, XOR3
        %else
            vpternlogd x0, %3, %4, MAJORITY3
        %endif
    %elif %1
        vxor    x0, %2, %3
        vxor    x0, x0, %4
    %else
        vor     x0, %2, %3
        vand    x1, %2, %3
        vand    x0, x0, %4
        vor     x0, x0, x1
    %endif
%endmacro

; x0 = gg(p, q, r): parity or choice
%macro SM3_GG 4                         ; the same arguments
    %if %1
        SM3_FF %1, %2, %3, %4
    %elif HAS_EVEX
        vmove   x0, %2
        vpternlogd x0, %3, %4, SELECT3
    %else
        vxor    x0, %3, %4
        vand    x0, x0, %2
        vxor    x0, x0, %4
    %endif
%endmacro

; Round i of 16; k points to their constants. The round uses message words i and i + 4.
%macro SM3_ROUND 2                      ; i, 1 in the first 16 rounds
    HASH_ROTATE %1, 4, v
    HASH_ROTATE %1, 4, v, 4, 4
    HASH_NAMES 8
    %assign %%i4 (%1 + 4) % 16
    wrol    x2, a, 12, x1
    wadd    x3, x2, e
    wadd_bcast x3, [k + 4 * %1], x0
    wrol_in_place x3, 7, x1             ; ss1
    vxor    x2, x2, x3                  ; ss2
    SM3_FF %2, a, b, c
    wadd    d, d, x0
    wadd    d, d, x2
    SM3_GG %2, e, f, g
    wadd    h, h, x0
    wadd    h, h, x3
    %if HAS_EVEX
        wadd    h, h, msg%1
        vxor    x0, msg%1, msg%[%%i4]
    %else
        vload   x0, msg%1
        wadd    h, h, x0
        vxor_mem x0, msg%[%%i4], x1
    %endif
    wadd    d, d, x0                    ; tt1
    wrol_in_place b, 9, x1
    wrol_in_place f, 19, x1
    SM3_P h, 9, x0, x1                  ; p0(tt2)
%endmacro

; Word i of the 16 becomes word i + 16 of the schedule:
; p1(w[i] ^ w[i+7] ^ (w[i+13] <<< 15)) ^ (w[i+3] <<< 7) ^ w[i+10]
%macro SM3_SCHEDULE 1                   ; i
    %assign %%i3 (%1 + 3) % 16
    %assign %%i7 (%1 + 7) % 16
    %assign %%i10 (%1 + 10) % 16
    %assign %%i13 (%1 + 13) % 16
    %if HAS_EVEX
        wrol    x0, msg%[%%i13], 15, none
        vxor3_keep   msg%1, msg%[%%i7], x0
        SM3_P msg%1, 15, x0, x1
        wrol    x0, msg%[%%i3], 7, none
        vxor3_keep   msg%1, msg%[%%i10], x0
    %else
        vload   x3, msg%[%%i13]
        wrol    x0, x3, 15, x1
        vxor_mem x0, msg%1, x1
        vxor_mem x0, msg%[%%i7], x1
        SM3_P x0, 15, x1, x2
        vload   x3, msg%[%%i3]
        wrol    x1, x3, 7, x2
        vxor    x0, x0, x1
        vxor_mem x0, msg%[%%i10], x1
        vstore  msg%1, x0
    %endif
%endmacro

; void isalk_sm3_x<lanes>_<tier>(void *const *states, const uint8_t *const *data, size_t blocks)
;
; GB/T 32905-2016 section 5.3, blocks >= 1, lane by lane. Pointers need no alignment.
;
; Registers: v0 to v7 working variables; x0 to x3 scratch; the message: see hash_lanes.inc; pos:
; offset of the block; k: constants. The stack keeps the state across a block.
; Main loop, vector uops: with vpternlog 19 a round and 7 a word of the schedule; without, 38 or 40
; and 21. Additions and logic run on every vector port, so these counts are the limit.
%macro SM3_LANES 1                      ; name
    HASH_WORD 4
    %define MSG_ON_STACK 0
LANES_KERNEL %1, 24
    MSG_NAMES 8
    %xdefine x0 v9
    %xdefine x1 v10
    %xdefine x2 v11
    %xdefine x3 v12
    %xdefine rotate8 v13
    STATE_LOAD_ALL 8
.block:                                 ; the state is in v0 to v7 and on the stack
    vload   v15, [SM3_SWAP]
    %if !HAS_EVEX
        vload   rotate8, [SM3_ROTATE_8]
    %endif
    lea     k, [isalk_sm3_k]
    %assign %%i 0
    %rep 16
        MSG_LOAD_BEFORE %%i, v15
        %if %%i >= 12
            %assign %%w %%i - 12
            SM3_SCHEDULE %%w
        %endif
        SM3_ROUND %%i, 1
        %assign %%i %%i + 1
    %endrep
    mov     count_d, 3
.sixteen_rounds:                        ; message words 4 to 15 are ready for these rounds
    add     k, 64
    %assign %%i 0
    %rep 16
        %assign %%w (%%i + 4) % 16
        SM3_SCHEDULE %%w
        SM3_ROUND %%i, 0
        %assign %%i %%i + 1
    %endrep
    dec     count_d
    jnz     .sixteen_rounds
    %assign %%i 0
    %rep 8
        vxor_mem v%[%%i], [rsp + %%i * VW], x0
        vstore  [rsp + %%i * VW], v%[%%i]
        %assign %%i %%i + 1
    %endrep
    add     pos, 64
    dec     blocks
    jnz     .block
    STATE_STORE_ALL 8
    %undef rotate8
LANES_ENDKERNEL
%endmacro

TIER sse
SM3_LANES sm3_x4
TIER avx
SM3_LANES sm3_x4
TIER avx2
SM3_LANES sm3_x8
TIER avx512
VWIDTH 32
SM3_LANES sm3_x8
VWIDTH 64
SM3_LANES sm3_x16
