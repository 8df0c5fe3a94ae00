; Moves the base of a hash table up.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"

AT_ONCE         equ 4                   ; vectors

; void isalk_deflate_rebase_<tier>(deflate_entry *head, uint32_t hash_bits, uint32_t delta)
;
; Subtracts delta <= 65535 from the low half of each entry, clamped to 0.
;
; Cost: a load, a subtraction and a store for each vector: with one store a cycle, 32 cycles a KiB
; with AVX2, 16 with AVX-512.
%macro REBASE 0
KERNEL deflate_rebase, head, hash_bits, delta
LOCALS size
    vmovd   xmm0, delta_d
    vpbroadcastd v0, xmm0
    mov     size_d, 4                   ; of an entry
    shlx    size, size, hash_bits
    add     head, size
    neg     size
.group:
    %assign i 1
    %rep AT_ONCE
    vload   v%[i], [head + size + (i - 1) * VL]
    vpsubusw v%[i], v%[i], v0
    vstore  [head + size + (i - 1) * VL], v%[i]
    %assign i i + 1
    %endrep
    add     size, AT_ONCE * VL
    jnz     .group
ENDKERNEL
%endmacro

TIER avx2
REBASE
TIER avx512
REBASE
