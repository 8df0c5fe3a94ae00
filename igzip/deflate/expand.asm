; Expands a program's Huffman tables to codes that are indexed by token field.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "asm/offsets.inc"

CODE_SIZE       equ 8
FIRST           equ deflate_codes.first
SECOND_LITERALS equ deflate_codes.second + TOKEN_LITERALS * CODE_SIZE
FIRST_LENGTHS   equ deflate_codes.first + TOKEN_LENGTHS * CODE_SIZE
SECOND_DISTANCES equ deflate_codes.second + TOKEN_DISTANCES * CODE_SIZE
SYMBOLS         equ DEFLATE_DISTANCE_SYMBOLS

RODATA
all_bits:
    dq      64
length_size:
    dq      (1 << HUFFTABLE_SIZE_BITS) - 1
distance_extra:                         ; bits
    db      0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11
    db      12, 12, 13, 13

; Stores entries from %1 on: the codes v0, moved to the top, and their numbers of bits, v1. A code
; of no bits is shifted by 64, to zero.
%macro ENTRIES 1-2                      ; destination, second destination
    vpsubq  v2, top, v1
    vpsllvq v0, v0, v2
    vor     v0, v0, v1
    vstore  [to + %1], v0
    %if %0 > 1
    vstore  [to + %2], v0
    %endif
%endmacro

; void isalk_deflate_expand_<tier>(const struct isal_hufftables *from, struct deflate_codes *to)
;
; As isalk_deflate_expand_base(). Reads no byte after the tables.
;
; Main loop: 15 uops and 3 stores for VL / 8 literals and as many lengths: 200 cycles in all with
; AVX2 on a core with two stores a cycle, half with AVX-512.
%macro EXPAND 0
KERNEL deflate_expand, from, to
LOCALS i
%xdefine top v4
%xdefine length_mask v5
    vpbroadcastq top, [all_bits]
    vpbroadcastq length_mask, [length_size]
    xor     i_d, i_d
.group:
    vpmovzxwq v0, [from + isal_hufftables.lit_table + 2 * i]
    vpmovzxbq v1, [from + isal_hufftables.lit_table_sizes + i]
    ENTRIES FIRST + CODE_SIZE * i, SECOND_LITERALS + CODE_SIZE * i
    vpmovzxdq v0, [from + isal_hufftables.len_table + 4 * i]
    vand    v1, v0, length_mask
    vpsrlq  v0, v0, HUFFTABLE_SIZE_BITS
    ENTRIES FIRST_LENGTHS + CODE_SIZE * i
    add     i_d, VL / CODE_SIZE
    cmp     i_d, 256
    jb      .group
%assign j 0
%rep (SYMBOLS + VL / CODE_SIZE - 1) / (VL / CODE_SIZE)
    %if j > SYMBOLS - VL / CODE_SIZE
    %assign j SYMBOLS - VL / CODE_SIZE
    %endif
    vpmovzxwq v0, [from + isal_hufftables.dcodes + 2 * j]
    vpmovzxbq v1, [from + isal_hufftables.dcodes_sizes + j]
    vpmovzxbq v3, [distance_extra + j]
    vpaddq  v1, v1, v3
    ENTRIES SECOND_DISTANCES + CODE_SIZE * j
    %assign j j + VL / CODE_SIZE
%endrep
ENDKERNEL
%endmacro

TIER avx2
EXPAND
TIER avx512
EXPAND
