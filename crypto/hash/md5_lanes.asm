; MD5 of as many messages as one or two vectors have words.
; SPDX-License-Identifier: BSD-3-Clause

%include "crypto/hash/hash_lanes.inc"
%include "crypto/hash/md5_schedule.inc"

extern isalk_md5_k

; vpternlog truth tables of b, c, d: b ? c : d, d ? b : c, b ^ c ^ d, c ^ (b | ~d)
MD5_F equ 0xca
MD5_G equ 0xe4
MD5_I equ 0x39

; x0 = f(b, c, d) of the round
%macro MD5_FUNCTION 1
    %if HAS_EVEX
        vmove   x0, b
        %if %1 == 0
            vpternlogd x0, c, d, MD5_F
        %elif %1 == 1
            vpternlogd x0, c, d, MD5_G
        %elif %1 == 2
            vpternlogd x0, c, d, XOR3
        %else
            vpternlogd x0, c, d, MD5_I
        %endif
    %elif %1 == 0
        vxor    x0, c, d
        vand    x0, x0, b
        vxor    x0, x0, d
    %elif %1 == 1
        vxor    x0, b, c
        vand    x0, x0, d
        vxor    x0, x0, c
    %elif %1 == 2
        vxor    x0, c, d
        vxor    x0, x0, b
    %else
        vxor    x0, d, ones
        vor     x0, x0, b
        vxor    x0, x0, c
    %endif
%endmacro

; Step i of 64 of group g: a = b + ((a + f + w + k) <<< s); the variables move down one.
%macro MD5_STEP 2                       ; step, group
    MD5_SCHEDULE %1
    %assign %%a 4 * %2 + (256 - %1) % 4
    %assign %%b 4 * %2 + (257 - %1) % 4
    %assign %%c 4 * %2 + (258 - %1) % 4
    %assign %%d 4 * %2 + (259 - %1) % 4
    %xdefine a v%[%%a]
    %xdefine b v%[%%b]
    %xdefine c v%[%%c]
    %xdefine d v%[%%d]
    %assign %%x 8 + 2 * %2
    %xdefine x0 v%[%%x]
    %assign %%x 9 + 2 * %2
    %xdefine x1 v%[%%x]
    %if HAS_EVEX
        hadd_word a, [k + 4 * %1], none
    %else
        %if %2 == 0
            hbcast  constant, [k + 4 * %1]
        %endif
        hadd    a, a, constant
    %endif
    hadd_mem a, [rsp + (8 + 16 * %2 + md5_word) * VW]
    MD5_FUNCTION %1 / 16
    hadd    a, a, x0
    hrol_in_place a, md5_shift, x1
    hadd    a, a, b
%endmacro

; void isalk_md5_x<lanes>_<tier>(void *const *states, const uint8_t *const *data, size_t blocks)
;
; RFC 1321 section 3.4, blocks >= 1, lane by lane. Pointers need no alignment.
;
; A step waits for the one before it, four to six cycles; two groups of lanes fill the gaps. Group g
; has the working variables v(4 g) to v(4 g + 3) and scratch x0, x1; the stack has the states and
; the messages; pos is the offset of the block, k the constants.
; Main loop, vector uops a step and group: 6 with vpternlog, else 9 or 10, which bind with two
; groups. The variables return to their places every four steps.
%macro MD5_LANES 2                      ; name, groups
    HASH_WORD 4
    %define MSG_ON_STACK 1
LANES_KERNEL %1, 8 + 16 * %2, 14
    %xdefine constant v12
    %xdefine ones v13
    lea     k, [isalk_md5_k]
    %assign %%g 0
    %rep %2
        %assign lane_first LANES * %%g
        STATE_LOAD 0
        %assign %%i 0
        %rep 4
            %assign %%v 4 * %%g + %%i
            vmove   v%[%%v], v%[tr_%[%%i]]
            vstore  [rsp + %%v * VW], v%[%%v]
            %assign %%i %%i + 1
        %endrep
        %assign %%g %%g + 1
    %endrep
.block:                                 ; v0 to v7 and the stack have the states
    %assign %%g 0
    %rep %2
        %assign lane_first LANES * %%g
        MSG_NAMES 8 + 16 * %%g
        MSG_LOAD none
        %assign %%g %%g + 1
    %endrep
    %if !HAS_EVEX
        %if HAS_VEX
            vpcmpeqd ones, ones, ones
        %else
            pcmpeqd ones, ones
        %endif
    %endif
    %assign %%i 0
    %rep 64
        %assign %%g 0
        %rep %2
            MD5_STEP %%i, %%g
            %assign %%g %%g + 1
        %endrep
        %assign %%i %%i + 1
    %endrep
    STATE_ADD_ALL 4 * %2
    add     pos, 64
    dec     blocks
    jnz     .block
    %assign %%g 0
    %rep %2
        %assign lane_first LANES * %%g
        STATE_STORE 0, 4 * %%g
        %assign %%g %%g + 1
    %endrep
    %undef constant
    %undef ones
LANES_ENDKERNEL
%endmacro

TIER sse
MD5_LANES md5_x8, 2
TIER avx
MD5_LANES md5_x8, 2
TIER avx2
MD5_LANES md5_x8, 1
MD5_LANES md5_x16, 2
TIER avx512
VWIDTH 32
MD5_LANES md5_x8, 1
VWIDTH 64
MD5_LANES md5_x16, 1
VWIDTH 64
MD5_LANES md5_x32, 2
