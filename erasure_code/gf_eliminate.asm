; One step of Gauss-Jordan elimination over GF(2^8)/0x11d on a small matrix.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "erasure_code/gf_mul.inc"

; tl_0, th_0 = the table of the coefficient c_d: the sum of the tables of its two nibbles.
%macro GF_EXPAND 0
    mov     h_d, c_d
    and     c_d, 0x0f
    shl     c_d, 5
    and     h_d, 0xf0
    add     h_d, h_d                    ; h / 16 tables of 32 bytes
    vbcast16 tl_0, [low + c]
    vbcast16 lo_0, [high + h]
    vbcast16 th_0, [low + c + 16]
    vbcast16 hi_0, [high + h + 16]
    vxor    tl_0, tl_0, lo_0
    vxor    th_0, th_0, hi_0
%endmacro

; void isalk_gf_eliminate_<tier>(uint8_t *a, size_t stride, size_t n, size_t p, uint8_t *pivot)
;
; Step p of an inversion in place. With s = 1 / a[p][p]: row_p becomes s * row_p, then every other
; row_r becomes row_r ^ a[r][p] * row_p, and column p becomes that of the inverse: s in row p, s *
; a[r][p] elsewhere. Row r is at a + r * stride. a[p][p] is not 0; n >= 1; stride is a multiple of
; 32 up to 256; p < stride; pivot is scratch memory of `stride` bytes. No alignment is required.
;
; Let e_p be 1 in column p and 0 elsewhere. With q = s * (row_p ^ e_p), which differs from s * row_p
; only in column p, the step is row_r ^= a[r][p] * q for r != p, and row_p = q ^ e_p. No single byte
; is written, so no load waits for a narrower store.
;
; Registers: c, h coefficient and its high half, then table offsets; col column; unit e_p; row
; address of a row; left rows remaining.
; Cost: 20 uops, 5 cycles, for a row of one vector; rows are independent.
; Source: Gauss-Jordan as in Press et al., "Numerical Recipes", section 2.1; products as in
; gf_dot.asm.
%macro GF_ELIMINATE 0
KERNEL gf_eliminate, a, stride, n, p, pivot
    LOCALS  c, h, col, low, high, unit, row, left
    GF_REGISTERS 1, 1, 1, 1
    GF_VECTORS
    lea     low, [isalk_gf_expand_low]
    lea     high, [isalk_gf_expand_high]
    lea     unit, [isalk_gf_unit + 256]
    sub     unit, p
    GF_NIBBLE_MASK

    mov     row, p
    imul    row, stride
    add     row, a                      ; row_p
    movzx   c_d, byte [row + p]
    lea     col, [isalk_gf_inverse]
    movzx   c_d, byte [col + c]
    GF_EXPAND
    xor     col_d, col_d
.scale:
    vload   hi_0, [row + col]
    vload   p0, [unit + col]
    vxor    hi_0, hi_0, p0
    GF_SPLIT 0
    vzero   acc_0_0
    GF_MADD acc_0_0, 0, 0, 0
    vstore  [pivot + col], acc_0_0
    add     col, VL
    cmp     col, stride
    jb      .scale

    mov     left, n
.row:                                   ; all rows; row_p is replaced below
    movzx   c_d, byte [a + p]
    GF_EXPAND
    xor     col_d, col_d
.vector:
    vload   hi_0, [pivot + col]
    GF_SPLIT 0
    vload   acc_0_0, [a + col]
    GF_MADD acc_0_0, 0, 0, 0
    vstore  [a + col], acc_0_0
    add     col, VL
    cmp     col, stride
    jb      .vector
    add     a, stride
    dec     left
    jnz     .row

    xor     col_d, col_d
.pivot_row:
    vload   acc_0_0, [pivot + col]
    vload   p0, [unit + col]
    vxor    acc_0_0, acc_0_0, p0
    vstore  [row + col], acc_0_0
    add     col, VL
    cmp     col, stride
    jb      .pivot_row
ENDKERNEL
%endmacro

TIER sse
GF_ELIMINATE
TIER avx2
GF_ELIMINATE
