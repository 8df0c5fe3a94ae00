; The compressor of tiny inputs.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "asm/offsets.inc"

ENTRY_SIZE      equ 4
SYMBOL_SIZE     equ 2                   ; of lit_table and dcodes
LENGTH_SIZE     equ 4                   ; of len_table
PAIR_BYTES      equ 4                   ; whole bytes that two literals append, at most
LENGTHS         equ isal_hufftables.len_table - DEFLATE_MIN_MATCH * LENGTH_SIZE

; Hashes the position at offset i + %1, whose four bytes are in t%2: t4 = its index, t%2 = its
; entry. Overwrites t5.
%macro ENTRY 2
    imul    t%2_d, t%2_d, HASH_MULTIPLIER_LOW
    lea     t5_d, [i + %1]
    shrx    t4_d, t%2_d, shift_d
    shl     t%2_d, HASH_TAG_SHIFT
    mov     t%2_w, t5_w
%endmacro

; Inserts the position at offset i + %1: t%2 = the distance of its candidate, if that is not greater
; than the window, t%3 = its byte. Overwrites t4 and t5.
%macro PROBE 3
    mov     t%2_d, [base + i + %1]
    movzx   t%3_d, t%2_b
    ENTRY   %1, %2
    mov     t5_d, [head + t4 * ENTRY_SIZE]
    mov     [head + t4 * ENTRY_SIZE], t%2_d
    sub     t%2_d, t5_d
%endmacro

; Jumps to %3 unless four bytes at offset i + %1 are the same at distance t%2.
; Overwrites t4 and t5.
%macro VERIFY 3
    lea     t4_d, [t%2 - 1]
    cmp     t4_d, [t + deflate_tiny.window]
    jae     %3
    lea     t5, [base + i + %1]
    mov     t4_d, [t5]
    sub     t5, t%2
    cmp     t4_d, [t5]
    jne     %3
%endmacro

; Inserts the position at offset i + %1. Overwrites t2 to t5.
%macro INSERT 1
    mov     t2_d, [base + i + %1]
    ENTRY   %1, 2
    mov     [head + t4 * ENTRY_SIZE], t2_d
%endmacro

; Appends t%2 bits, the value of t%1. Overwrites t4 and t5.
%macro APPEND 2
    shlx    t4, t%1, count
    or      bits, t4
    add     count_d, t%2_d
    mov     [out], bits
    mov     t5_d, count_d
    and     t5_d, -8
    shrx    bits, bits, t5
    shr     t5_d, 3
    add     out, t5
    and     count_d, 7
%endmacro

; t%1 = the code of the literal t%2, then t%2 = its bits.
%macro LITERAL 2
    movzx   t%1_d, word [tables + t%2 * SYMBOL_SIZE + isal_hufftables.lit_table]
    movzx   t%2_d, byte [tables + t%2 + isal_hufftables.lit_table_sizes]
%endmacro

; void isalk_deflate_tiny_<tier>(struct deflate_tiny *t)
;
; As isalk_deflate_tiny_base() in tiny_base.c. Two positions are probed together, since most bytes
; of a tiny input are literals, and written together if both are.
;
; Registers: i: offset of the next byte from base.
; Cost: 46 uops for two literals, 75 and more for a match.
%macro TINY 0
KERNEL deflate_tiny, t, t0, t1, t2, t3, t4
LOCALS t5, i, shift, base, head, tables, out, bits, count
    mov     base, [t + deflate_tiny.bytes]
    mov     head, [t + deflate_tiny.head]
    mov     tables, [t + deflate_tiny.tables]
    mov     out, [t + deflate_tiny.out]
    mov     bits, [t + deflate_tiny.bits]
    mov     count_d, [t + deflate_tiny.count]
    mov     shift_d, 32
    sub     shift_d, [t + deflate_tiny.hash_bits]
    mov     i_d, [t + deflate_tiny.start]
    jmp     .more

    align   32
.pair:
    PROBE   0, 0, 1
    PROBE   1, 2, 3
    lea     t4_d, [t0 - 1]
    cmp     t4_d, [t + deflate_tiny.window]
    jb      .first
.not_first:
    lea     t4_d, [t2 - 1]
    cmp     t4_d, [t + deflate_tiny.window]
    jb      .second
.two_literals:
    LITERAL 4, 1
    LITERAL 5, 3
    shlx    t5, t5, t1
    add     t1_d, t3_d
    or      t5, t4
    APPEND  5, 1
    add     i, 2
.more:
    lea     t4, [out + PAIR_BYTES]
    cmp     t4, [t + deflate_tiny.out_limit]
    ja      .single
    lea     t4_d, [i + 1]
    cmp     t4_d, [t + deflate_tiny.probed]
    jb      .pair
.single:
    cmp     i_d, [t + deflate_tiny.probed]
    jae     .last_literals
    cmp     out, [t + deflate_tiny.out_limit]
    ja      .done
    PROBE   0, 0, 1
    VERIFY  0, 0, .literal
    jmp     .match
.literal:
    LITERAL 0, 1
    APPEND  0, 1
    inc     i
    cmp     i_d, [t + deflate_tiny.probed]
    jb      .more
.last_literals:
    cmp     i_d, [t + deflate_tiny.size]
    jae     .done
    movzx   t1_d, byte [base + i]
    jmp     .literal

.first:
    VERIFY  0, 0, .not_first
    jmp     .match
.second:
    VERIFY  1, 2, .two_literals
    LITERAL 0, 1
    APPEND  0, 1
    inc     i
    mov     t0_d, t2_d

.match:                                 ; at distance t0
    lea     t2, [base + i]
    mov     t5, t2
    sub     t5, t0
    mov     t4_d, [t + deflate_tiny.size]
    sub     t4_d, i_d
    mov     t1_d, DEFLATE_MAX_MATCH
    cmp     t4_d, t1_d
    cmova   t4_d, t1_d
    mov     t1_d, FIND_MIN_MATCH
.compare:                               ; t1 of at most t4 bytes are the same
    lea     t3_d, [t1 + 8]
    cmp     t3_d, t4_d
    ja      .compare_bytes
    mov     t3, [t2 + t1]
    xor     t3, [t5 + t1]
    jnz     .differ
    add     t1_d, 8
    jmp     .compare
.differ:
    tzcnt   t3, t3
    shr     t3_d, 3
    add     t1_d, t3_d
    jmp     .length
.compare_bytes:
    cmp     t1_d, t4_d
    jae     .length
    movzx   t3_d, byte [t2 + t1]
    cmp     [t5 + t1], t3_b
    jne     .length
    inc     t1_d
    jmp     .compare_bytes

.length:
    dec     t0_d
    mov     t4_d, t0_d
    or      t4_d, 2
    bsr     t4_d, t4_d
    dec     t4_d                        ; extra bits
    shrx    t5_d, t0_d, t4_d
    lea     t5_d, [t5 + 2 * t4]         ; symbol
    bzhi    t0_d, t0_d, t4_d
    movzx   t2_d, byte [tables + t5 + isal_hufftables.dcodes_sizes]
    movzx   t5_d, word [tables + t5 * SYMBOL_SIZE + isal_hufftables.dcodes]
    shlx    t0, t0, t2
    or      t0, t5
    add     t2_d, t4_d
    mov     t3_d, [tables + t1 * LENGTH_SIZE + LENGTHS]
    mov     t4_d, t3_d
    shr     t3_d, HUFFTABLE_SIZE_BITS
    and     t4_d, HUFFTABLE_SIZE_MASK
    shlx    t0, t0, t4
    or      t0, t3
    add     t2_d, t4_d
    APPEND  0, 2
    INSERT  1
    add     i, t1
    cmp     i_d, [t + deflate_tiny.probed]
    ja      .last_literals
    INSERT  -1
    jmp     .more

.done:
    mov     [t + deflate_tiny.out], out
    mov     [t + deflate_tiny.bits], bits
    mov     [t + deflate_tiny.count], count_d
ENDKERNEL
%endmacro

TIER avx2
TINY
