; Block functions of mh_sha1, alone and with MurmurHash3.
; SPDX-License-Identifier: BSD-3-Clause

%include "crypto/hash/sha1_rounds.inc"
%include "mh_sha1/mh_lanes.inc"

MURMUR_ADD_1 equ 0x52dce729
MURMUR_ADD_2 equ 0x38495ab5

; %1 = its half h of 16 bytes' work: h = ((h ^ k) rotated by %5, + the other half) * 5 + %6, where k
; is 8 bytes at murmur_data + %7, times one constant, rotated by %4, times the other.
%macro MURMUR_HALF 8                    ; h, other h, constant, two rotations, sum, offset, constant
    mov     mixed, [murmur_data + %7]
    imul    mixed, %3
    rol     mixed, %4
    imul    mixed, %8
    xor     %1, mixed
    rol     %1, %5
    add     %1, %2
    lea     %1, [%1 + %1 * 4 + %6]      ; later than lea and add, but one uop less: 10 % faster
%endmacro

; The 16 bytes number %1 of a pass.
%macro MURMUR_STEP 1
    MURMUR_HALF h1, h2, c1, 31, 27, MURMUR_ADD_1, 16 * %1, c2
    MURMUR_HALF h2, h1, c2, 33, 31, MURMUR_ADD_2, 16 * %1 + 8, c1
%endmacro

; After round %1 of a pass: its share of Murmur's steps.
%macro MURMUR_SHARE 1
    %assign %%steps MH_BLOCK / 16 / MH_PASSES
    %assign %%from %1 * %%steps / 80
    %assign %%to (%1 + 1) * %%steps / 80
    %rep %%to - %%from
        MURMUR_STEP %%from
        %assign %%from %%from + 1
    %endrep
%endmacro

; void isalk_mh_sha1_block_<tier>(const uint8_t *data, size_t blocks, void *states, void *murmur)
; void isalk_mh_sha1_murmur3_block_<tier>(the same)
;
; states[i][s]: word i of segment s. For each block, segment s takes in the 64 bytes made of the
; 4-byte groups number s, s + 16, s + 32 ... of it (FIPS 180-4 section 6.1). With Murmur, also
; murmur[0 .. 1] = h1 and h2 after the same bytes (Appleby, MurmurHash3_x64_128). blocks >= 1. No
; alignment is required.
;
; Registers: v0 to v4 working variables, x0, x1, x3 scratch, the message as hash_lanes.inc says;
; pass counts down. Main loop, vector uops for each 16 bytes of lanes: as sha1_lanes.asm, without the
; transposition: with vpternlog 7 a round, 3 a word of the schedule, 2 a word of the message: 784
; for 1024 bytes, two in a cycle. Murmur takes 16 scalar uops for 16 bytes, spread among the rounds:
; it uses the ports that 512-bit vectors leave alone.
%macro MH_SHA1 2                        ; name, with Murmur
    %if %2
MH_KERNEL %1, 24, h1, h2, c1, c2, mixed, murmur_data
        mov     h1, [murmur]
        mov     h2, [murmur + 8]
        mov     c1, 0x87c37b91114253d5
        mov     c2, 0x4cf5ad432745937f
        mov     murmur_data, data
    %else
MH_KERNEL %1, 24
    %endif
    %xdefine x0 v9
    %xdefine x1 v10
    %xdefine x3 v11
    lea     k, [isalk_sha1_k]
    vload   v15, [SHA1_SWAP]
    MH_LOOP 5
    MH_MESSAGE v15
    %assign %%i 0
    %rep 80
        SHA1_ROUND %%i
        %if %%i % 5 == 0
            MH_FETCH_AHEAD %%i / 5
        %endif
        %if %%i < 64
            SHA1_SCHEDULE %%i
        %endif
        %if %2
            MURMUR_SHARE %%i
        %endif
        %assign %%i %%i + 1
    %endrep
    %if %2
        add     murmur_data, MH_BLOCK / MH_PASSES
    %endif
    MH_ENDLOOP 5
    %if %2
        mov     [murmur], h1
        mov     [murmur + 8], h2
    %endif
MH_ENDKERNEL
%endmacro

; The same with Murmur for one pass a block. Unrolled as above, rounds and Murmur together are 2100
; uops, more than the 1536 of Skylake's uop cache, and 11 KB of code, of which the decoders take in
; 16 bytes a cycle: 0.63 cycles a byte. Here the schedule goes to memory first, so that both it and
; the rounds are short loops, at the price of a store for each word: measured 0.55, where 2044 uops,
; four in a cycle, make 0.50.
WIDE_MESSAGE     equ 8                  ; vectors on the stack before the message's 80 words
WIDE_STEP        equ 10                 ; rounds in a loop's body

; Names the message words of WIDE_STEP rounds from round %1 on.
%macro WIDE_WINDOW 1
    %assign %%i 0
    %rep WIDE_STEP
        %assign %%word (%1 + %%i) % 16
        %xdefine msg%[%%word] [word + VW * %%i]
        %assign %%i %%i + 1
    %endrep
%endmacro

; Murmur's share of step %1 of %2 in a loop's body, where the body has %3 of its steps.
%macro WIDE_MURMUR 3
    %assign %%from %1 * %3 / %2
    %rep (%1 + 1) * %3 / %2 - %%from
        MURMUR_STEP %%from
    %endrep
%endmacro

%macro MH_SHA1_WIDE_MURMUR 0
MH_KERNEL mh_sha1_murmur3_block, WIDE_MESSAGE + 80, h1, h2, c1, c2, mixed, murmur_data, word, count
    mov     h1, [murmur]
    mov     h2, [murmur + 8]
    mov     c1, 0x87c37b91114253d5
    mov     c2, 0x4cf5ad432745937f
    mov     murmur_data, data
    %xdefine x0 v9
    %xdefine x1 v10
    %xdefine x3 v11
    lea     k, [isalk_sha1_k]
    vload   v15, [SHA1_SWAP]
    MH_LOAD_STATES 5
.block:
    MH_MESSAGE v15
    lea     word, [rsp + WIDE_MESSAGE * VW]
    %assign %%i 0
    %rep 16
        vstore  [word + VW * %%i], msg%[%%i]
        MH_FETCH_AHEAD %%i
        %assign %%i %%i + 1
    %endrep
    mov     count_d, 4
.sixteen_words:
    add     word, 16 * VW
    %assign %%i 0
    %rep 16
        SHA1_SCHEDULE %%i
        vstore  [word + VW * %%i], msg%[%%i]
        WIDE_MURMUR %%i, 16, 6
        %assign %%i %%i + 1
    %endrep
    add     murmur_data, 6 * 16
    dec     count_d
    jnz     .sixteen_words
    lea     word, [rsp + WIDE_MESSAGE * VW]
    %assign %%quarter 0
    %rep 4
        mov     count_d, 20 / WIDE_STEP
.quarter_%[%%quarter]:
        WIDE_WINDOW 20 * %%quarter
        %assign %%i 0
        %rep WIDE_STEP
            %assign %%round 20 * %%quarter + %%i
            SHA1_ROUND %%round
            WIDE_MURMUR %%i, WIDE_STEP, 5
            %assign %%i %%i + 1
        %endrep
        add     word, WIDE_STEP * VW
        add     murmur_data, 5 * 16
        dec     count_d
        jnz     .quarter_%[%%quarter]
        %assign %%quarter %%quarter + 1
    %endrep
    MH_ENDLOOP 5
    mov     [murmur], h1
    mov     [murmur + 8], h2
MH_ENDKERNEL
%endmacro

%define MSG_ON_STACK 0
TIER sse
MH_SHA1 mh_sha1_block, 0
MH_SHA1 mh_sha1_murmur3_block, 1
TIER avx
MH_SHA1 mh_sha1_block, 0
MH_SHA1 mh_sha1_murmur3_block, 1
TIER avx2
MH_SHA1 mh_sha1_block, 0
MH_SHA1 mh_sha1_murmur3_block, 1
TIER avx512
MH_SHA1 mh_sha1_block, 0
MH_SHA1_WIDE_MURMUR
