; Block functions of mh_sha1, without and with MurmurHash3.
; SPDX-License-Identifier: BSD-3-Clause

%include "crypto/hash/sha1_rounds.inc"
%include "mh_sha1/mh_lanes.inc"

MURMUR_ADD_1 equ 0x52dce729
MURMUR_ADD_2 equ 0x38495ab5

MURMUR_C1    equ 0x87c37b91114253d5
MURMUR_C2    equ 0x4cf5ad432745937f

; Updates h, one half of the state of Murmur: k = 8 bytes at murmur_data + offset; h ^= rotate(k *
; c, r) * c'; h = (rotate(h, s) + other half) * 5 + addend.
%macro MURMUR_HALF 8                    ; h, other half, offset, c, r, c', s, addend
    mov     mixed, [murmur_data + %3]
    imul    mixed, %4
    rol     mixed, %5
    imul    mixed, %6
    xor     %1, mixed
    rol     %1, %7
    add     %1, %2
    lea     %1, [%1 + %1 * 4 + %8]      ; slower than lea and add, but one uop less: 10 % faster
%endmacro

; Bytes 16 n .. 16 n + 15 at murmur_data.
%macro MURMUR_STEP 1                    ; n
    MURMUR_HALF h1, h2, 16 * %1, c1, 31, c2, 27, MURMUR_ADD_1
    MURMUR_HALF h2, h1, 16 * %1 + 8, c2, 33, c1, 31, MURMUR_ADD_2
%endmacro

%macro MURMUR_BEGIN 0
    mov     h1, [murmur]
    mov     h2, [murmur + 8]
    mov     c1, MURMUR_C1
    mov     c2, MURMUR_C2
    mov     murmur_data, data
%endmacro

%macro MURMUR_END 0
    mov     [murmur], h1
    mov     [murmur + 8], h2
%endmacro

; The steps of Murmur that run beside round i of a pass, if with_murmur is 1.
%macro MURMUR_SHARE 2                   ; i, with_murmur
    %if %2
        %assign %%steps MH_BLOCK / 16 / MH_PASSES
        %assign %%from %1 * %%steps / 80
        %assign %%to (%1 + 1) * %%steps / 80
        %rep %%to - %%from
            MURMUR_STEP %%from
            %assign %%from %%from + 1
        %endrep
    %endif
%endmacro

; Names and constants of the rounds.
%macro MH_SHA1_BEGIN 0
    %xdefine x0 v9
    %xdefine x1 v10
    %xdefine x3 v11
    lea     k, [isalk_sha1_k]
    vload   v15, [SHA1_SWAP]
%endmacro

; The rounds of a pass.
%macro MH_SHA1_ROUNDS 1                 ; with_murmur
    %assign %%i 0
    %rep 80
        SHA1_ROUND %%i
        %if %%i % 5 == 0
            MH_PREFETCH %%i / 5
        %endif
        %if %%i < 64
            SHA1_SCHEDULE %%i
        %endif
        MURMUR_SHARE %%i, %1
        %assign %%i %%i + 1
    %endrep
%endmacro

; void isalk_mh_sha1_block_<tier>(const uint8_t *data, size_t blocks, void *states, void *murmur)
; void isalk_mh_sha1_murmur3_block_<tier>(the same)
;
; states[i][s]: word i of segment s. Segment s absorbs from each block the 64 bytes made of the
; 4-byte groups s, s + 16, s + 32, ... (FIPS 180-4 section 6.1). With Murmur, murmur[0 .. 1] = h1
; and h2 after the same bytes (Appleby, MurmurHash3_x64_128). blocks >= 1. No alignment is required.
;
; Registers: v0 to v4 working variables; x0, x1 scratch; x3: constant of a quarter; the message: see
; hash_lanes.inc; pass counts down.
; Main loop, vector uops with vpternlog: 7 a round, 3 a word of the schedule, as in sha1_lanes.asm,
; and 2 a word of the message, which is not transposed. These are 784 for 1024 bytes, at two a
; cycle. Murmur takes 16 scalar uops for 16 bytes, spread among the rounds, on the ports that
; 512-bit vectors do not use.
%macro MH_SHA1 0
MH_KERNEL mh_sha1_block, 24
    MH_SHA1_BEGIN
    MH_LOOP 5
    MH_MESSAGE v15
    MH_SHA1_ROUNDS 0
    MH_ENDLOOP 5
MH_ENDKERNEL
%endmacro

%macro MH_SHA1_MURMUR 0
MH_KERNEL mh_sha1_murmur3_block, 24, h1, h2, c1, c2, mixed, murmur_data
    MURMUR_BEGIN
    MH_SHA1_BEGIN
    MH_LOOP 5
    MH_MESSAGE v15
    MH_SHA1_ROUNDS 1
    add     murmur_data, MH_BLOCK / MH_PASSES
    MH_ENDLOOP 5
    MURMUR_END
MH_ENDKERNEL
%endmacro

; The same for one pass a block. Unrolled as above, rounds and Murmur are 2100 uops, more than the
; 1536 of Skylake's uop cache. Then the decoders read their 11 KB of code at 16 bytes a cycle, which
; takes 0.63 cycles a byte. Here the schedule first goes to memory, at one more store a word, so
; that the schedule and the rounds are short loops. Measured: 0.55 cycles a byte; 2044 uops at four
; a cycle would take 0.50.
WIDE_MESSAGE     equ 8                  ; vectors on the stack before the 80 words of the message
WIDE_STEP        equ 10                 ; rounds in the body of a loop

; Names the message words of WIDE_STEP rounds from round i on.
%macro WIDE_WINDOW 1                    ; i
    %assign %%i 0
    %rep WIDE_STEP
        %assign %%word (%1 + %%i) % 16
        %xdefine msg%[%%word] [word + VW * %%i]
        %assign %%i %%i + 1
    %endrep
%endmacro

; The steps of Murmur that run beside part i of n of a loop's body, which has `steps` of them.
%macro WIDE_MURMUR 3                    ; i, n, steps
    %assign %%from %1 * %3 / %2
    %rep (%1 + 1) * %3 / %2 - %%from
        MURMUR_STEP %%from
    %endrep
%endmacro

%macro MH_SHA1_WIDE_MURMUR 0
MH_KERNEL mh_sha1_murmur3_block, WIDE_MESSAGE + 80, h1, h2, c1, c2, mixed, murmur_data, word, count
    MURMUR_BEGIN
    MH_SHA1_BEGIN
    MH_LOAD_STATES 5
.block:
    MH_MESSAGE v15
    lea     word, [rsp + WIDE_MESSAGE * VW]
    %assign %%i 0
    %rep 16
        vstore  [word + VW * %%i], msg%[%%i]
        MH_PREFETCH %%i
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
    MURMUR_END
MH_ENDKERNEL
%endmacro

%define MSG_ON_STACK 0
TIER sse
MH_SHA1
MH_SHA1_MURMUR
TIER avx
MH_SHA1
MH_SHA1_MURMUR
TIER avx2
MH_SHA1
MH_SHA1_MURMUR
TIER avx512
MH_SHA1
MH_SHA1_WIDE_MURMUR
