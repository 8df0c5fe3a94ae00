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
;                                  uint32_t n)
;
; The last HASHED positions are inserted separately, some of them a second time: in the same order,
; which changes nothing.
;
; Main loop: 47 uops for HASHED positions, 8 cycles; bound by stores on a core with one store a
; cycle.
%macro INSERT 0
KERNEL deflate_insert, head, hash_bits, base, n
LOCALS t0, t1, t2, t3, t4
VECTORS 15
STACK FRAME
    HASH_SETUP hash_bits_d
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

TIER avx2
INSERT
