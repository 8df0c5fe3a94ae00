; The Huffman tables that programs make for level 0 of compression, by token field.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"

; struct isal_hufftables and struct deflate_codes, checked in deflate_kernels.c.
LENGTHS         equ 344                 ; 4 bytes each
LITERALS        equ 1368                ; 2 bytes each
LITERAL_SIZES   equ 1882                ; 1 byte each
DISTANCES       equ 2140                ; 2 bytes each
DISTANCE_SIZES  equ 2200                ; 1 byte each
FIRST           equ 0
SECOND          equ 513 * 8
; deflate_kernels.h
CODE_SIZE       equ 8
SECOND_LITERALS equ SECOND + 32 * CODE_SIZE
FIRST_LENGTHS   equ FIRST + 256 * CODE_SIZE
SECOND_DISTANCES equ SECOND + CODE_SIZE
SYMBOLS         equ 30                  ; of distances
LENGTH_SHIFT    equ 5                   ; of a length's code, above its number of bits

RODATA
all_bits:
    dq      64
length_size:
    dq      (1 << LENGTH_SHIFT) - 1
distance_extra:                         ; bits
    db      0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11
    db      12, 12, 13, 13

; Stores entries %1 on: the codes v0, moved to the top, and their numbers of bits, v1. A code of no bits
; is shifted by 64, which leaves zero.
%macro ENTRIES 1-2                      ; where, and where again
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
; As isalk_deflate_expand_base() in hufftables.c. No byte behind the tables is read.
;
; Main loop: 15 uops and 3 stores for VL / 8 literals and as many lengths: 200 cycles in all with AVX2
; where a core stores twice a cycle, half with AVX-512.
%macro EXPAND 0
KERNEL deflate_expand, from, to
LOCALS i
%xdefine top v4
%xdefine length_mask v5
    vpbroadcastq top, [all_bits]
    vpbroadcastq length_mask, [length_size]
    xor     i_d, i_d
.some:
    vpmovzxwq v0, [from + LITERALS + 2 * i]
    vpmovzxbq v1, [from + LITERAL_SIZES + i]
    ENTRIES FIRST + CODE_SIZE * i, SECOND_LITERALS + CODE_SIZE * i
    vpmovzxdq v0, [from + LENGTHS + 4 * i]
    vand    v1, v0, length_mask
    vpsrlq  v0, v0, LENGTH_SHIFT
    ENTRIES FIRST_LENGTHS + CODE_SIZE * i
    add     i_d, VL / CODE_SIZE
    cmp     i_d, 256
    jb      .some
%assign j 0
%rep (SYMBOLS + VL / CODE_SIZE - 1) / (VL / CODE_SIZE)
    %if j > SYMBOLS - VL / CODE_SIZE
    %assign j SYMBOLS - VL / CODE_SIZE
    %endif
    vpmovzxwq v0, [from + DISTANCES + 2 * j]
    vpmovzxbq v1, [from + DISTANCE_SIZES + j]
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
