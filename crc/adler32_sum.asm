; Adler-32.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"

; From this length on, 32-byte vectors are used. They run at a third of their speed for 10 us after
; a period without them (Skylake-SP).
ADLER_MIN_32     equ 128

; From this length on, dot products use 64-byte vectors, which lower the clock.
ADLER_MIN_64     equ 1024

; Bytes between two horizontal sums, a power of two. It keeps the signed sum M within 32 bits: M
; grows by at most 4 * 128 * 255 for each vector. It also keeps b below 2^36, for ADLER_REDUCE.
ADLER_CHUNK      equ 16384

RODATA
; Weights of the bytes, less a bias that makes them fit in a signed byte. The last byte of a vector
; or block weighs 1, the one before 2, and so on. The weights of a vector that begins where k bytes
; remain are k bytes before the end of the table; those after the end are multiplied by 0.
ADLER_DOT_BIAS   equ 129
adler_dot_weights:
%assign i 256
%rep 256
    db      i - ADLER_DOT_BIAS
    %assign i i - 1
%endrep
adler_dot_weights_end:
    times 64 db 0
; For madd: 4 pairs of products must fit in 16 bits: 4 * (16 + 15) * 255 < 2^15.
ADLER_MADD_BIAS  equ 17
adler_madd_weights:
%assign i 32
%rep 32
    db      i - ADLER_MADD_BIAS
    %assign i i - 1
%endrep
adler_madd_weights_end:
    times 32 db 0
adler_weights:                          ; without bias, for buffers of at most two vectors
%assign i 64
%rep 64
    db      i
    %assign i i - 1
%endrep
adler_weights_end:
    times 32 db 0
adler_first_bits:                       ; the lowest i bits
%assign i 0
%rep 33
    dd      (1 << i) - 1
    %assign i i + 1
%endrep
    align   32
; At adler_mask_middle - k: a mask of the first k bytes of a vector.
    times 32 db 0xff
adler_mask_middle:
    times 32 db 0
adler_ones8:
    times 32 db 1
adler_ones16:
    times 16 dw 1
adler_sign32:
    times 16 dd 0x80000000

; x = the r bytes at buf, 1 to 15, then zeros. r is rcx. Overwrites r, h and t.
%macro ADLER_PIECE 0
    cmp     r_d, 8
    jb      %%below_8
    mov     h, [buf]
    mov     t, [buf + r - 8]
    neg     r_d
    lea     r_d, [r * 8 + 120]          ; bits that both quadwords have, less 8
    shr     t, cl
    shr     t, 8
    jmp     %%both
%%below_8:
    cmp     r_d, 4
    jb      %%below_4
    mov     h_d, [buf]
    mov     t_d, [buf + r - 4]
    shl     r_d, 3
    sub     r_d, 32
    shl     t, cl
    jmp     %%one
%%below_4:                              ; the first, second and last byte; some are the same
    movzx   h_d, byte [buf]
    movzx   t_d, byte [buf + r - 1]
    cmp     r_d, 2
    jb      %%one
    je      %%second
    movzx   r_d, byte [buf + 1]
    shl     r_d, 8
    shl     t_d, 8
    or      h_d, r_d
%%second:
    shl     t_d, 8
%%one:
    or      h, t
    xor     t_d, t_d
%%both:
    vmoveq  x, h
    vinsert x, q, t, 1
%endmacro

; Vector i of the U in a block. S: sums of bytes, in 64-bit lanes. P: sum of the values that S had
; before each vector (madd) or block (dot). M: products of bytes and weights, in 32-bit lanes.
;
; dot: M is C chains, because vpdpbusd takes 5 cycles. madd: within a block, m sums products in 16
; bits.
%macro ADLER_VECTOR 4                   ; i, W, C, kind
    vload   x, [buf + %1 * %2]
    %ifidn %4, DOT
        %assign %%c %1 % %3
        %if %1 == 0
        vaddq   P, P, S
        %endif
        vsad    y, x, zero
        vpdpbusd M_%[%%c], x, weights_%1
        vaddq   S, S, y
    %else
        vaddq   P, P, S
        vsad    y, x, zero
        vaddq   S, S, y
        vmaddub x, x, weights
        %if %1 == 0
        vmove   m, x
        %else
        vaddw   m, m, x
        %endif
    %endif
%endmacro

; a += the sum of bytes, b += the weighted sum 2^shift P + (2^bias + 1) S + M. M is signed.
%macro ADLER_TOTAL 4                    ; W, shift, bias, kind
    vsllq   P, P, %2
    vaddq   P, P, S
    vsllq   x, S, %3
    vaddq   P, P, x
    vxor_mem M_0, [adler_sign32], y     ; + 2^31
    vsrlq   x, M_0, 32
    vaddq   P, P, x
    vsllq   M_0, M_0, 32
    vsrlq   M_0, M_0, 32
    vaddq   P, P, M_0
    vunpacklq x, S, P
    vunpackhq S, S, P
    vaddq   x, x, S
    %if %1 > 32
    vextracti64x4 ymm1, x, 1
    VWIDTH  32
    ADLER_NAMES %4
    vaddq   x, x, y
    %endif
    %if %1 > 16
    vextracti128 xmm1, x, 1
    VWIDTH  16
    ADLER_NAMES %4
    vaddq   x, x, y
    %endif
    vmoveq  t, x
    vextract h, q, x, 1
    mov     r, -(%1 / 4) << 31          ; 2^31 for each lane of M
    add     a, t
    add     b, r
    add     b, h
%endmacro

%macro ADLER_NAMES 1                    ; kind
    %xdefine x v0
    %xdefine y v1
    %xdefine P v2
    %xdefine S v3
    %xdefine M_0 v4
    %xdefine zero v5
    %ifidn %1, DOT
        %assign %%i 1
        %rep 3
            %assign %%m 15 + %%i
            %xdefine M_%[%%i] v%[%%m]
            %assign %%i %%i + 1
        %endrep
        %assign %%i 0
        %rep 8
            %assign %%w 24 + %%i
            %xdefine weights_%[%%i] v%[%%w]
            %assign %%i %%i + 1
        %endrep
    %else
        %xdefine weights v6
        %xdefine m v7
    %endif
%endmacro

; S, M_0 = the sum of bytes and the weighted sum of all len bytes, in one or two vectors of W bytes.
%macro ADLER_SHORT_DOT 2                ; W, vectors
    lea     t, [adler_weights_end]
    mov     r_d, len_d
    IF %2 == 2, sub     r_d, 32
    lea     n, [adler_first_bits]
    IF %1 == 16, kmovw   k1, [n + r * 4]
    IF %1 == 32, kmovd   k1, [n + r * 4]
    sub     t, len
    vzero   S
    vzero   M_0
    %if %2 == 2
        vload   x, [buf]
        vmovdqu8 y{k1}{z}, [buf + 32]
        vpdpbusd S, x, [adler_ones8]
        vpdpbusd M_0, x, [t]
        vpdpbusd S, y, [adler_ones8]
        vpdpbusd M_0, y, [t + 32]
    %else
        vmovdqu8 x{k1}{z}, [buf]
        vpdpbusd S, x, [adler_ones8]
        vpdpbusd M_0, x, [t]
    %endif
    %if %1 == 32
        vextracti128 xmm0, S, 1
        vextracti128 xmm1, M_0, 1
        VWIDTH  16
        ADLER_NAMES DOT
        vpaddd  S, S, x
        vpaddd  M_0, M_0, y
    %endif
%endmacro

%macro ADLER_SHORT_MADD 2               ; W = 16, vectors = 1
    cmp     len_d, 16
    je      %%whole
    mov     r_d, len_d
    ADLER_PIECE
    jmp     %%loaded
%%whole:
    vload   x, [buf]
%%loaded:
    lea     t, [adler_weights_end]
    sub     t, len
    vload   M_0, [t]
    vload   y, [adler_ones16]
    vzero   zero
    vsad    S, x, zero
    vmaddub x, x, M_0
    vmaddw  M_0, x, y
%endmacro

; a and b of all len bytes, in one or two vectors of W bytes. If they need no reduction, returns or
; jumps to `done`; else jumps to `reduce`.
%macro ADLER_SHORT 5                    ; W, vectors, DOT or MADD, done, reduce
    VWIDTH  %1
    ADLER_NAMES %3
    mov     n_d, a_d
    imul    n_d, len_d
    add     b_d, n_d
    ADLER_SHORT_%3 %1, %2
    vhaddd  x, S, M_0
    vsrlq   y, x, 32
    vaddd   x, x, y
    vmoved  h_d, x
    vextract t_d, d, x, 2
    add     a_d, h_d
    add     b_d, t_d
    cmp     b_d, 65521                  ; a is at most b
    jae     %5
    shl     b_d, 16
    or      a_d, b_d
    %if %1 == 16
        RETURN_NARROW
    %else
        jmp     %4
    %endif
%endmacro

; Loads the constants of ADLER_SUM into registers.
%macro ADLER_CONSTANTS_DOT 2            ; W, U
    %assign %%i 0
    %rep %2
        vload   weights_%[%%i], [adler_dot_weights + %%i * %1]
        %assign %%i %%i + 1
    %endrep
%endmacro

%macro ADLER_CONSTANTS_MADD 2
    vload   weights, [adler_madd_weights_end - %1]
%endmacro

; The first vector of a chunk, which is partial: the first h of the r bytes in the chunk's first
; block. Nothing is added to P, because S was 0 before.
%macro ADLER_FIRST_DOT 0
    bzhi    t, ptr, h
    kmovq   k1, t
    vmovdqu8 x{k1}{z}, [buf]
    lea     t, [adler_dot_weights_end]
    sub     t, r
    vsad    S, x, zero
    vpdpbusd M_0, x, [t]
    add     buf, h
%endmacro

%macro ADLER_FIRST_MADD 0
    lea     t, [adler_mask_middle]
    sub     t, h
    vload   x, [t]
    vload   y, [buf]
    vand    x, x, y
    lea     t, [adler_madd_weights_end]
    sub     t, h
    vsad    S, x, zero
    vload   y, [t]
    vmaddub m, x, y
    add     buf, h
%endmacro

; Adds the 16-bit sums of a block, if it has any, to M.
%macro ADLER_ADD_BLOCK_DOT 0
%endmacro

%macro ADLER_ADD_BLOCK_MADD 0
    vload   y, [adler_ones16]
    vmaddw  m, m, y
    vaddd   M_0, M_0, m
%endmacro

; Adds the sums of a chunk to a and b.
%macro ADLER_TOTALS_DOT 1               ; W
    vpaddd  M_0, M_0, M_1
    vpaddd  M_2, M_2, M_3
    vpaddd  M_0, M_0, M_2
    ADLER_TOTAL %1, 8, 7, DOT
%endmacro

%macro ADLER_TOTALS_MADD 1
    %if %1 == 32
        ADLER_TOTAL %1, 5, 4, MADD
    %else
        ADLER_TOTAL %1, 4, 4, MADD
    %endif
%endmacro

; Adds the sums over len bytes at buf, len >= W, to a and b, in chunks that are reduced modulo
; 65521.
%macro ADLER_SUM 4                      ; W, U vectors in a block, C chains, DOT or MADD
    VWIDTH  %1
    ADLER_NAMES %4
    vzero   zero
    ADLER_CONSTANTS_%4 %1, %2
%%chunk:                                ; the first one may be partial, the others are whole
    lea     n_d, [len - 1]
    and     n_d, ADLER_CHUNK - 1
    inc     n_d
    sub     len, n
    mov     t_d, n_d
    imul    t, a
    add     b, t
    vzero   P
    vzero   S
    vzero   M_0
    %assign %%i 1
    %rep %3 - 1
        vzero   M_%[%%i]
        %assign %%i %%i + 1
    %endrep
    mov     r_d, n_d
    and     r_d, %1 * %2 - 1
    jz      %%block                     ; whole blocks
    lea     n, [n + %1 * %2]            ; count this one as whole
    sub     n, r
    mov     h_d, r_d
    and     h_d, %1 - 1
    jz      %%partial_block
    ADLER_FIRST_%4
    sub     r_d, h_d
    %ifidn %4, MADD
    jmp     %%partial_begun
%%partial_block:
        vzero   m
%%partial_begun:
    %else
%%partial_block:
    %endif
    lea     buf, [buf + r - %1 * %2]
    IF %1 == 64, shr     r_d, 6
    IF %1 == 32, shr     r_d, 5
    IF %1 == 16, shr     r_d, 4
    lea     t, [%%entries]
    movsxd  r, [t + r * 4]
    add     t, r
    JUMP_INSIDE t
    RODATA
    align   4
%%entries:                              ; for 0, 1, ... vectors that remain in the block
    dd      %%block_end - %%entries
    %assign %%i %2 - 1
    %rep %2 - 1
        dd      %%vector_%[%%i] - %%entries
        %assign %%i %%i - 1
    %endrep
    CODE
    align   32
%%block:                                ; n bytes of whole blocks are at buf
    %assign %%i 0
    %rep %2
%%vector_%[%%i]:
        ADLER_VECTOR %%i, %1, %3, %4
        %assign %%i %%i + 1
    %endrep
%%block_end:
    ADLER_ADD_BLOCK_%4
    add     buf, %1 * %2
    sub     n, %1 * %2
    jnz     %%block
    ADLER_TOTALS_%4 %1
    VWIDTH  %1
    ADLER_NAMES %4
    ADLER_REDUCE
    test    len, len
    jnz     %%chunk
%endmacro

; a and b modulo 65521 = 2^16 - 15, for a < 2^32 and b < 2^44. First b = 15 (b >> 16) + (b &
; 0xffff), which is below 2^32; there floor(v / 65521) = v * 0x80078071 >> 47.
%macro ADLER_REDUCE 0
    mov     t, b
    movzx   b_d, b_w
    shr     t, 16
    imul    t, t, 15
    mov     r_d, 0x80078071
    add     b, t
    mov     h, a
    imul    h, r
    imul    r, b
    shr     h, 47
    shr     r, 47
    imul    h_d, h_d, 65521
    imul    r_d, r_d, 65521
    sub     a_d, h_d
    sub     b_d, r_d
%endmacro

; uint32_t isalk_adler32_<tier>(uint32_t init, const uint8_t *buf, uint64_t len)
;
; a = (low half of init + sum of bytes) mod 65521, b = (high half + len * low half + sum over i of
; (len - i) * byte i) mod 65521; returns b << 16 | a. Any alignment; no byte outside the buffer is
; read. The first vector is the partial one, so that only its weights are special.
;
; Registers: a, b sums; n bytes remaining of the chunk; r bytes of the first block; h bytes of the
; first vector.
; Main loop for each vector, dot: load, vpsadbw (port 5 of Skylake), vpdpbusd (port 0) and 1.25
; additions, 1.6 cycles for 64 bytes. Measured with data in L1 on Cascade Lake: 96 GB/s. With a
; second vpdpbusd instead of vpsadbw: 53. With 32-byte vectors: 43, and 46 with a second vpdpbusd.
; madd: load, vpsadbw, vpmaddubsw, three additions and a quarter of vpmaddwd and of an addition, 22
; uops on three ports for four vectors.
; Source: sums of bytes, products and sums of sums are a widely used scheme for Adler-32. Weights of
; a whole block that fit in signed bytes, and the partial vector at the front, are original.
%macro ADLER32_DOT 0
KERNEL adler32, b, buf, len, r, n, h
    LOCALS  a, t, ptr
    movzx   a_d, b_w
    shr     b_d, 16
    lea     r, [len - 1]
    cmp     r, 64
    jae     .vectors                    ; also if len is 0
    cmp     len_d, 16
    ja      .above_16
    ADLER_SHORT 16, 1, DOT, .done, .reduce
.above_16:
    cmp     len_d, 32
    ja      .above_32
    ADLER_SHORT 32, 1, DOT, .done, .reduce
.above_32:
    ADLER_SHORT 32, 2, DOT, .done, .reduce
.vectors:
    test    len, len
    jz      .reduce
    or      ptr, -1                     ; for opmasks
    cmp     len, ADLER_MIN_64
    jae     .wide
    ADLER_SUM 32, 8, 4, DOT
    jmp     .reduced
.wide:
    ADLER_SUM 64, 4, 4, DOT
    jmp     .reduced
.reduce:
    ADLER_REDUCE
.reduced:
    shl     b_d, 16
    or      a_d, b_d
.done:
ENDKERNEL
%endmacro

%macro ADLER32_MADD 0
KERNEL adler32, b, buf, len, r, n, h
    LOCALS  a, t, ptr
    VECTORS 8
    movzx   a_d, b_w
    shr     b_d, 16
    lea     r, [len - 1]
    cmp     r, 16
    jae     .vectors                    ; also if len is 0
    ADLER_SHORT 16, 1, MADD, .done, .reduce
.vectors:
    test    len, len
    jz      .reduce
    %if VL > 16
        cmp     len, ADLER_MIN_32
        jae     .wide
    %endif
    ADLER_SUM 16, 4, 1, MADD
    %if VL > 16
    jmp     .reduced
.wide:
        ADLER_SUM 32, 4, 1, MADD
    %endif
    jmp     .reduced
.reduce:
    ADLER_REDUCE
.reduced:
    shl     b_d, 16
    or      a_d, b_d
.done:
ENDKERNEL
%endmacro

TIER sse
ADLER32_MADD
TIER avx2
ADLER32_MADD
TIER avx512
ADLER32_DOT
