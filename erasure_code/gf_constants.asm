; Constants of the erasure code kernels.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "erasure_code/gf_tables.inc"

RODATA
DATA isalk_gf_nibble                    ; low nibble of each byte
    times 64 db 0x0f
DATA isalk_gf_tail_mask                 ; at 32 - n: n bytes of 0, then 0xff
    times 32 db 0
    times 32 db 0xff
DATA isalk_gf_affine                    ; bit matrix of each coefficient
    GF_AFFINE_TABLE
DATA isalk_gf_expand_low                ; 32-byte tables of coefficients below 16
    GF_EXPAND_LOW_TABLE
DATA isalk_gf_expand_high               ; 32-byte tables of multiples of 16
    GF_EXPAND_HIGH_TABLE
DATA isalk_gf_inverse                   ; 1 / c for each coefficient c
    GF_INVERSE_TABLE
DATA isalk_gf_unit                      ; at 256 - p: a row with 1 in column p, else 0
    times 256 db 0
    db      1
    times 256 db 0
