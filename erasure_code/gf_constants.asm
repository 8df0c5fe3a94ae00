; Constants of the erasure code kernels.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "erasure_code/gf_tables.inc"

RODATA
DATA isalk_gf_nibble                    ; low nibble of each byte
    times 64 db 0x0f
DATA isalk_gf_tail_mask                 ; slid along to clear the front of a vector
    times 32 db 0
    times 32 db 0xff
DATA isalk_gf_affine                    ; bit matrices by coefficient
    GF_AFFINE_TABLE
DATA isalk_gf_expand_low                ; 32-byte tables of coefficients below 16
    GF_EXPAND_LOW_TABLE
DATA isalk_gf_expand_high               ; and of multiples of 16
    GF_EXPAND_HIGH_TABLE
DATA isalk_gf_inverse
    GF_INVERSE_TABLE
DATA isalk_gf_unit                      ; e_p, which is 1 at p alone, starts at 256 - p
    times 256 db 0
    db      1
    times 256 db 0
