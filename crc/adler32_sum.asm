; Adler-32.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"

; Calls below this many bytes stay in 16-byte registers: wider ones run at a third of their speed
; for 10 us after a spell without them (Skylake-SP).
ADLER_SMALL      equ 128

; From here on dot products take 64-byte vectors, which lower the clock.
ADLER_WIDE       equ 1024

; Bytes between two horizontal sums, a power of two. Of the sums only the signed one, M, has 32
; bits: it grows by at most 4 * 128 * 255 for each vector. b stays below 2^36, as ADLER_REDUCE
; needs.
ADLER_CHUNK      equ 16384

RODATA
; Weights of the bytes, less a bias so that they fit in a signed byte. The last byte of a vector or
; block weighs 1, the one before 2, and so on. A vector that begins where k bytes remain takes its
; weights k bytes before the end of the table; what it reads behind that is multiplied by 0.
ADLER_DOT_BIAS   equ 129
adler_dot_weights:
%assign i 256
%rep 256
    db      i - ADLER_DOT_BIAS
    %assign i i - 1
%endrep
adler_dot_weights_end:
    times 64 db 0
; Here 4 pairs of products must fit in 16 bits: 4 * (16 + 15) * 255 < 2^15.
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
; k bytes before the middle: a mask of the first k bytes of a vector.
    times 32 db 0xff
adler_mask_middle:
    times 32 db 0
adler_ones8:
    times 32 db 1
adler_ones16:
    times 16 dw 1
adler_sign32:
    times 16 dd 0x80000000

; x = the r (1 to 15) bytes at buf, r in rcx, followed by zeros. Spoils rcx, h and t.
%macro ADLER_PIECE 0
    cmp     r_d, 8
    jb      %%below_8
    mov     h, [buf]
    mov     t, [buf + r - 8]
    neg     r_d
    lea     r_d, [r * 8 + 120]          ; bits that both words have, less 8
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
%%below_4:                              ; first, middle and last byte, of which some are the same
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
    %if HAS_VEX
        vmovq   x, h
        vpinsrq x, x, t, 1
    %else
        movq    x, h
        pinsrq  x, t, 1
    %endif
%endmacro

; One vector of a block, number i of U. S: sums of bytes, in 64-bit lanes; P: sums of S, one for
; each vector (madd) or block (dot) that follows; M: products of bytes and weights, in 32-bit lanes.
;
; dot: C chains of M, whose additions take 5 cycles. madd: M sums up in 16 bits over the block.
%macro ADLER_VECTOR 4                   ; i, W, C, kind
    vload   x, [buf + %1 * %2]
    %ifidn %4, dot
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

; a += the sum of bytes, b += the weighted sum 2^shift P + (2^bias + 1) S + M, of which M is signed.
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
    %if HAS_VEX
        vmovq   t, x
        vpextrq h, x, 1
    %else
        movq    t, x
        pextrq  h, x, 1
    %endif
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
    %ifidn %1, dot
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

; a and b of all len bytes, in one vector of W bytes, or two.
%macro ADLER_ALONE 3                    ; W, vectors, dot or madd
    VWIDTH  %1
    ADLER_NAMES %3
    mov     n_d, a_d
    imul    n_d, len_d
    add     b_d, n_d
    %ifidn %3, dot
        lea     t, [adler_weights_end]
        mov     r_d, len_d
        %if %2 == 2
        sub     r_d, 32
        %endif
        lea     n, [adler_first_bits]
        %if %1 == 16
        kmovw   k1, [n + r * 4]
        %else
        kmovd   k1, [n + r * 4]
        %endif
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
        ADLER_NAMES %3
        vpaddd  S, S, x
        vpaddd  M_0, M_0, y
        %endif
    %else
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
    %endif
    vhaddd  x, S, M_0
    vsrlq   y, x, 32
    vaddd   x, x, y
    %if HAS_VEX
        vmovd   h_d, x
        vpextrd t_d, x, 2
    %else
        movd    h_d, x
        pextrd  t_d, x, 2
    %endif
    add     a_d, h_d
    add     b_d, t_d
    cmp     b_d, 65521                  ; then a, which is not more than b, needs no division either
    jae     .reduce
    shl     b_d, 16
    or      a_d, b_d
    %if %1 == 16
        RETURN_NARROW
    %else
        jmp     .done
    %endif
%endmacro

; Adds the sum over len bytes at buf, len >= W, to a and b, in chunks that are reduced modulo 65521.
%macro ADLER_SUM 4                      ; W, U vectors in a block, C chains, dot or madd
    VWIDTH  %1
    ADLER_NAMES %4
    vzero   zero
    %ifidn %4, dot
        %assign %%i 0
        %rep %2
            vload   weights_%[%%i], [adler_dot_weights + %%i * %1]
            %assign %%i %%i + 1
        %endrep
    %else
        vload   weights, [adler_madd_weights_end - %1]
    %endif
%%chunk:                                ; the first takes what is not a whole number of chunks
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
    lea     n, [n + %1 * %2]            ; this one counts as whole too
    sub     n, r
    mov     h_d, r_d
    and     h_d, %1 - 1
    jz      %%partial_block
    ; The first vector of the chunk, and of its first block, is partial. (S is not added to P in the
    ; block that it belongs to.)
    %ifidn %4, dot
        bzhi    t, ptr, h
        kmovq   k1, t
        vmovdqu8 x{k1}{z}, [buf]
        lea     t, [adler_dot_weights_end]
        sub     t, r
        vsad    S, x, zero
        vpdpbusd M_0, x, [t]
        add     buf, h
    %else
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
    %endif
    sub     r_d, h_d
    %ifidn %4, madd
    jmp     %%partial_begun
    %endif
%%partial_block:
    %ifidn %4, madd
        vzero   m
%%partial_begun:
    %endif
    lea     buf, [buf + r - %1 * %2]
    %if %1 == 64
    shr     r_d, 6
    %elif %1 == 32
    shr     r_d, 5
    %else
    shr     r_d, 4
    %endif
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
    %ifidn %4, madd
        vload   y, [adler_ones16]
        vmaddw  m, m, y
        vaddd   M_0, M_0, m
    %endif
    add     buf, %1 * %2
    sub     n, %1 * %2
    jnz     %%block
    %ifidn %4, dot
        vpaddd  M_0, M_0, M_1
        vpaddd  M_2, M_2, M_3
        vpaddd  M_0, M_0, M_2
        ADLER_TOTAL %1, 8, 7, dot
    %elif %1 == 32
        ADLER_TOTAL %1, 5, 4, madd
    %else
        ADLER_TOTAL %1, 4, 4, madd
    %endif
    VWIDTH  %1
    ADLER_NAMES %4
    ADLER_REDUCE
    test    len, len
    jnz     %%chunk
%endmacro

; a and b modulo 65521 = 2^16 - 15. a < 2^32, b < 2^44, which b = 15 (b >> 16) + (b & 0xffff) takes
; below 2^32. There q = floor(v / 65521) = v * 0x80078071 >> 47.
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
; (len - i) * byte i) mod 65521; returns b << 16 | a. Any alignment; nothing outside the buffer is
; read. A partial vector comes first, so that only its weights are special.
;
; Registers: a, b; n bytes of the chunk that remain; r of the first block; h of the first vector.
; Main loop for each vector, dot: load, vpsadbw (port 5 of Skylake), vpdpbusd (port 0) and 1.25
; additions, 1.6 cycles for 64 bytes. Measured with data in L1 on Cascade Lake: 96 GB/s; with two
; vpdpbusd, of which one takes the place of vpsadbw, 53; in 32-byte vectors 43 and 46. madd: load,
; vpsadbw, vpmaddubsw, three additions and a quarter of vpmaddwd and of an addition, 22 uops on
; three ports for four vectors. The scheme of byte sums, products and sums of sums is that of many
; Adler-32s; the weights of a whole block that fit in signed bytes, and the partial vector in front,
; are this one's.
%macro ADLER32 2                        ; dot or madd, vector registers
KERNEL adler32, b, buf, len, r, n, h
    LOCALS  a, t, ptr
    VECTORS %2
    %ifidn %1, dot
        %define ADLER_ALONE_MAX 64
    %else
        %define ADLER_ALONE_MAX 16
    %endif
    movzx   a_d, b_w
    shr     b_d, 16
    lea     r, [len - 1]
    cmp     r, ADLER_ALONE_MAX
    jae     .vectors                    ; also if there are none
    %ifidn %1, dot
        cmp     len_d, 16
        ja      .above_16
    %endif
    ADLER_ALONE 16, 1, %1
    %ifidn %1, dot
.above_16:
        cmp     len_d, 32
        ja      .above_32
        ADLER_ALONE 32, 1, dot
.above_32:
        ADLER_ALONE 32, 2, dot
    %endif
.vectors:
    test    len, len
    jz      .reduce
    %ifidn %1, dot
        or      ptr, -1                 ; for opmasks
        cmp     len, ADLER_WIDE
        jae     .wide
        ADLER_SUM 32, 8, 4, dot
        jmp     .reduced
.wide:
        ADLER_SUM 64, 4, 4, dot
    %elif VL > 16
        cmp     len, ADLER_SMALL
        jae     .wide
        ADLER_SUM 16, 4, 1, madd
        jmp     .reduced
.wide:
        ADLER_SUM 32, 4, 1, madd
    %else
        ADLER_SUM 16, 4, 1, madd
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
ADLER32 madd, 8
TIER avx2
ADLER32 madd, 8
TIER avx512
ADLER32 dot, 6
