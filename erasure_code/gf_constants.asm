; Constants of the erasure code kernels.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "erasure_code/gf_tables.inc"

RODATA
DATA isalk_gf_nibble                    ; low nibble of each byte
    times 64 db 0x0f
DATA isalk_gf_tail_mask                 ; slid along to clear the front of a vector of up to 32 bytes
    times 32 db 0
    times 32 db 0xff
DATA isalk_gf_affine                    ; bit matrices by coefficient
    GF_AFFINE_TABLE
