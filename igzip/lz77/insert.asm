; Inserts positions in a hash table without probing it, for dictionaries.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "igzip/lz77/tokens.inc"

; The stack: entries of positions and their indices in the table.
ENTRIES         equ 0
INDICES         equ ENTRIES + HASHED * ENTRY_SIZE
FRAME           equ INDICES + HASHED * ENTRY_SIZE

RODATA
HASH_CONSTANTS
    align   64
sixteen_lanes:
    dd      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
sixteen:
    dd      2 * HASHED

; Inserts HASHED positions from base + t1 on, in order.
%macro INSERT_GROUP 0
    HASH_GROUP base + t1
    vmovdqu [rsp + INDICES], v1
    vmovdqu [rsp + ENTRIES], v0
    %assign k 0
    %rep HASHED / 2
    mov     t2, [rsp + INDICES + k * ENTRY_SIZE]
    mov     t3, [rsp + ENTRIES + k * ENTRY_SIZE]
    mov     t4_d, t2_d
    shr     t2, 32
    mov     [head + t4 * ENTRY_SIZE], t3_d
    shr     t3, 32
    mov     [head + t2 * ENTRY_SIZE], t3_d
    %assign k k + 2
    %endrep
%endmacro

; void isalk_deflate_insert_<tier>(deflate_entry *head, uint32_t hash_bits, const uint8_t *base,
;                                  uint32_t n, uint32_t hash_multiplier)
;
; The last HASHED positions are inserted separately, some of them a second time: in the same order,
; which changes nothing.
;
; Main loop: 47 uops for HASHED positions, 8 cycles; bound by stores on a core with one store a
; cycle.
%macro INSERT 0
KERNEL deflate_insert, head, hash_bits, base, n, hash_multiplier
LOCALS t0, t1, t2, t3, t4
VECTORS 15
STACK FRAME
    HASH_SETUP hash_bits_d
    vmovd   xmm0, hash_multiplier_d
    vpbroadcastd times_high, xmm0
    vmovdqa offsets, [lanes]
    xor     t1_d, t1_d
    sub     n_d, HASHED                 ; where the last ones begin
.group:
    INSERT_GROUP
    add     t1_d, HASHED
    cmp     t1_d, n_d
    jb      .group
    mov     t1_d, n_d
    vmovd   xmm0, n_d
    vpbroadcastd offsets, xmm0
    vpaddd  offsets, offsets, [lanes]
    INSERT_GROUP
ENDKERNEL
%endmacro

; Inserts the positions from base + t1 on, in order: eight in ymm, 16 in zmm (%1: y or z). Moves
; the offsets on to the next positions.
%macro SCATTER_GROUP 1
    vbroadcasti128 ymm0, [base + t1]
    %ifidn %1, z
    vbroadcasti128 ymm1, [base + t1 + HASHED]
    vinserti64x4 zmm0, zmm0, ymm1, 1
    %endif
    vpshufb %1mm1, %1mm0, %1mm14
    vpshufb %1mm0, %1mm0, %1mm13
    vpmulld %1mm1, %1mm1, %1mm12
    vpmulld %1mm0, %1mm0, %1mm11
    vpaddd  %1mm0, %1mm0, %1mm1
    vpsrld  %1mm1, %1mm0, scatter_shift
    vpslld  %1mm0, %1mm0, HASH_TAG_SHIFT
    vmovdqu16 %1mm0{low_halves}, %1mm8
    vpaddd  %1mm8, %1mm8, %1mm9
    kxnorw  k1, k1, k1
    vpscatterdd [head + %1mm1 * ENTRY_SIZE]{k1}, %1mm0
%endmacro

; The same by scatters, whose elements are stored in order. They begin once more with the last
; positions, as above.
;
; Main loop: a scatter for 16 positions. A core that stores them at one a cycle reaches its limit.
%macro INSERT_SCATTER 0
%define scatter_shift xmm10
%define low_halves k2
KERNEL deflate_insert, head, hash_bits, base, n, hash_multiplier
LOCALS t0, t1
VECTORS 15
    mov     t0_d, 32
    sub     t0_d, hash_bits_d
    vmovd   scatter_shift, t0_d
    vbroadcasti64x4 zmm14, [four_bytes]
    vpbroadcastb zmm13, [one]
    vpaddb  zmm13, zmm13, zmm14
    vpbroadcastd zmm12, [multiplier_low]
    vpbroadcastd zmm11, hash_multiplier_d
    vmovdqa32 zmm8, [sixteen_lanes]
    mov     t0_d, 0x55555555
    kmovd   low_halves, t0_d
    xor     t1_d, t1_d
    cmp     n_d, 2 * HASHED
    jb      .few
    vpbroadcastd zmm9, [sixteen]
    sub     n_d, 2 * HASHED             ; where the last ones begin
.group:
    SCATTER_GROUP z
    add     t1_d, 2 * HASHED
    cmp     t1_d, n_d
    jb      .group
    mov     t1_d, n_d
    vpbroadcastd zmm8, n_d
    vpaddd  zmm8, zmm8, [sixteen_lanes]
    SCATTER_GROUP z
    jmp     .done
.few:
    SCATTER_GROUP y
    sub     n_d, HASHED
    mov     t1_d, n_d
    vpbroadcastd zmm8, n_d
    vpaddd  zmm8, zmm8, [sixteen_lanes]
    SCATTER_GROUP y
.done:
ENDKERNEL
%endmacro

TIER avx2
INSERT
TIER avx512
INSERT_SCATTER
