; Product of two polynomials modulo that of a CRC.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "crc/crc.inc"

; uint64_t isalk_crc_multiply_norm_sse(uint64_t a, uint64_t b, const struct crc_constants *k)
; uint64_t isalk_crc_multiply_refl_sse(uint64_t a, uint64_t b, const struct crc_constants *k)
;
; Returns a b mod P', bits in normal or reflected order. With H x^64 + L = a b and Q = floor(x^192 /
; P'), the quotient q = floor(H x^64 / P') = floor(H floor(Q / x^64) / x^64) is exact, because the
; degrees of H and q are below 64. The result is L + the low half of q P'.
;
; Cost: three dependent multiplications, 7 cycles each on Skylake.
; Source: Barrett's reduction, which is exact for polynomials.

; Bit i is x^i. quotient[1] is floor(Q / x^64) without its leading x^64.
%macro CRC_MULTIPLY_NORM 0
KERNEL crc_multiply_norm, a, b, k
    LOCALS  product
    movq    xmm0, a
    movq    xmm1, b
    pclmulqdq xmm0, xmm1, LOW_LOW       ; H : L
    movdqu  xmm2, [k + crc_constants.quotient]
    movq    xmm3, [k + crc_constants.divisor]
    pclmulqdq xmm2, xmm0, HIGH_HIGH     ; H quotient[1]
    pxor    xmm2, xmm0                  ; its high half + H = q
    pclmulqdq xmm2, xmm3, HIGH_LOW
    pxor    xmm0, xmm2
    movq    product, xmm0
ENDKERNEL
%endmacro

; Bit 63 - i is x^i, so the product has x^i in bit 126 - i. quotient[0], the reversed upper half of
; Q, has x^(64 - i) in bit i, so that no shift is needed. divisor[0] has bits 1 to 64 of P' in the
; same order, and divisor[1] represents bit 0.
%macro CRC_MULTIPLY_REFL 0
KERNEL crc_multiply_refl, a, b, k
    LOCALS  product
    movq    xmm0, a
    movq    xmm1, b
    pclmulqdq xmm0, xmm1, LOW_LOW
    movdqa  xmm1, xmm0
    psrlq   xmm1, 63
    pslldq  xmm1, 8
    paddq   xmm0, xmm0
    por     xmm0, xmm1                  ; L : H, both reversed
    movq    xmm2, [k + crc_constants.quotient]
    movdqu  xmm3, [k + crc_constants.divisor]
    pclmulqdq xmm2, xmm0, LOW_LOW       ; its low half is q
    movdqa  xmm1, xmm2
    pclmulqdq xmm1, xmm3, LOW_LOW       ; its high half is that of q (P' - bit 0)
    pslldq  xmm2, 8
    pand    xmm2, xmm3                  ; q bit 0
    pxor    xmm0, xmm1
    pxor    xmm0, xmm2
    pextrq  product, xmm0, 1
ENDKERNEL
%endmacro

TIER sse
CRC_MULTIPLY_NORM
CRC_MULTIPLY_REFL
