; Entries of CRC kernels that are written in C, for callers of CRCs of 16 and 32 bits.
; SPDX-License-Identifier: BSD-3-Clause
;
; A kernel returns 64 bits in rax. The public function of a shorter CRC jumps to its kernel, which
; returns to the caller: the CRC is in ax or eax. Only an assembly function can do this for
; several return types: a C function has one.

%include "asm/kernel.inc"
%include "asm/offsets.inc"

; ENTRY entry, function [, length, short]: isalk_<entry> continues in the C function
; isalk_<function>, with messages shorter than `length` in isalk_<short>.
%if ABI_WIN64
%define FOURTH_ARGUMENT r9
%else
%define FOURTH_ARGUMENT rcx
%endif
%macro ENTRY 2-4
    extern  isalk_%2
    CODE
    align   16
    FUNCTION isalk_%1
isalk_%1:
    endbr64
    %if %0 > 2
    extern  isalk_%4
    cmp     FOURTH_ARGUMENT, %3      ; len
    jb      isalk_%4
    %endif
    jmp     isalk_%2
isalk_%1.end:
%endmacro

; ENTRY_C kernel, ...: the entry of a C function that ends in _c.
%macro ENTRY_C 1-3
    %if %0 > 1
    ENTRY   %1, %1_c, %2, %3
    %else
    ENTRY   %1, %1_c
    %endif
%endmacro

ENTRY crc_fold_norm_base_entry, crc_fold_norm_base
ENTRY crc_fold_refl_base_entry, crc_fold_refl_base
ENTRY crc_copy_norm_base_entry, crc_copy_norm_base
ENTRY crc_copy_refl_base_entry, crc_copy_refl_base
ENTRY_C crc_nt_norm_sse
ENTRY_C crc_nt_norm_avx
ENTRY_C crc_nt_refl_sse
ENTRY_C crc_nt_refl_avx
ENTRY_C crc16_t10dif_avx2
ENTRY_C crc16_t10dif_avx512
ENTRY_C crc16_t10dif_avx512_v
ENTRY_C crc16_t10dif_copy_avx512, CRC_TAPS_COPY_MIN, crc_copy_norm_avx512
ENTRY_C crc32_ieee_avx2
ENTRY_C crc32_ieee_avx512
ENTRY_C crc32_gzip_refl_avx2
ENTRY_C crc32_gzip_refl_avx512
ENTRY_C crc32_iscsi_copy_sse, CRC_DEDICATED_MIN_ISCSI, crc_copy_iscsi_sse
ENTRY_C crc32_iscsi_copy_avx, CRC_DEDICATED_MIN_ISCSI, crc_copy_iscsi_avx
ENTRY_C crc32_iscsi_copy_avx512, CRC_DEDICATED_MIN_ISCSI, crc_copy_iscsi_avx512
