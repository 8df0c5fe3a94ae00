; The match finder for long matches.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "igzip/lz77/tokens.inc"

RODATA
TOKEN_CONSTANTS

; From hash t%1: t%2 = index, t%1 = the entry of offset t%3.
%macro ENTRY 3
    shrx    t%2_d, t%1_d, shift_d
    shl     t%1_d, HASH_TAG_SHIFT
    mov     t%1_w, t%3_w
%endmacro

; void isalk_deflate_find_long_<tier>(struct deflate_find *f)
;
; As isalk_deflate_find_long_base() in find_long_base.c.
;
; A position and the next one are probed together, without a branch between them; the one branch
; that is hard to predict is whether either has a match. From a position to the end of its match is
; a chain of 37 cycles. Its loads (bytes, entry, candidate) and the multiplication take 20 of them;
; it does not wait for the check of the hash tag. A match that repeats the last distance does not
; use the table and takes 29 cycles; records of one size consist of such matches.
;
; Cost: 116 operations for a literal run and a match, 79 if it repeats the distance, 37 for two
; literals.
%define t0_w ax
%define t2_w r11w
%define t3_w dx
%define t4_w r8w
%define t5_w cx
%define t6_w si
%macro FIND_LONG 0
KERNEL deflate_find_long, f, t6, t3, t5, t4, base
LOCALS t0, t1, t2, head, p, start, token, limit, shift
VECTORS 8
    mov     base, [f + deflate_find.base]
    mov     head, [f + deflate_find.head]
    mov     p, [f + deflate_find.next]
    mov     limit, [f + deflate_find.limit]
    mov     token, [f + deflate_find.token]
    mov     shift_d, 32
    sub     shift_d, [f + deflate_find.hash_bits]
    mov     dword [f + deflate_find.run], 0
    mov     start, p
    LITERAL_FIELDS v6, v7
    mov     t3_d, [f + deflate_find.matched]
    mov     t4, p
    sub     t4, t3
    test    t3_d, t3_d
    jz      .more
    jmp     .matched

    align   32
.pair:
    mov     t3, [p]
    mov     t6, p
    mov     t1_d, [f + deflate_find.hash_shift]
    mov     t5, t3
    shr     t5, 8
    shrx    t2, t3, t1
    shrx    t1, t5, t1
    imul    t3_d, t3_d, HASH_MULTIPLIER_LOW
    imul    t2_d, [f + deflate_find.hash_multiplier]
    imul    t5_d, t5_d, HASH_MULTIPLIER_LOW
    imul    t1_d, [f + deflate_find.hash_multiplier]
    sub     t6, base
    lea     t4_d, [t6 + 1]
    add     t3_d, t2_d
    add     t5_d, t1_d
    ENTRY   3, 0, 6
    ENTRY   5, 1, 4
    mov     t2_d, [head + t0 * ENTRY_SIZE]
    mov     [head + t0 * ENTRY_SIZE], t3_d
    mov     t0_d, [head + t1 * ENTRY_SIZE]
    mov     [head + t1 * ENTRY_SIZE], t5_d
    sub     t3_d, t2_d                  ; distances, if not greater than the window
    sub     t5_d, t0_d
    movzx   t2_d, t2_w
    movzx   t4_d, t0_w
    mov     t1_d, t3_d
    cmp     t5_d, t3_d
    cmovb   t1_d, t5_d
    cmp     t1_d, [f + deflate_find.window]
    ja      .two_literals
    vmovdqu v0, [base + t2]
    vmovdqu v1, [base + t4]
    vpcmpeqb v0, v0, [p]
    vpcmpeqb v1, v1, [p + 1]
    FIRST_LENGTHS
    cmp     t3_d, [f + deflate_find.window]
    cmova   t0_d, [f + deflate_find.run]        ; 0
    cmp     t5_d, [f + deflate_find.window]
    cmova   t4_d, [f + deflate_find.run]
    cmp     t0_d, t4_d
    cmovb   t0_d, t4_d
    cmovb   t3_d, t5_d
    adc     p, 0
    lea     t2_d, [t0 - FIND_MIN_MATCH]
    mov     t1_d, p_d
    sub     t1_d, start_d
    EMIT_LITERALS start, 0
    cmp     t2_d, FIND_COMPARED - FIND_MIN_MATCH
    jae     .unusual_length
.length:
    cmp     t1_d, RUN
    ja      .many_literals
.few_literals:
    END_LITERALS p
    add     p, t0
    mov     t4, p
    sub     t4, t3                      ; what a repeat would copy
    EMIT_MATCH
    mov     start, p
    ; The last position of the match.
    mov     t3, [p - 1]
    lea     t6, [p - 1]
    mov     t1_d, [f + deflate_find.hash_shift]
    shrx    t1, t3, t1
    sub     t6, base
    imul    t3_d, t3_d, HASH_MULTIPLIER_LOW
    imul    t1_d, [f + deflate_find.hash_multiplier]
    add     t3_d, t1_d
    ENTRY   3, 1, 6
    mov     [head + t1 * ENTRY_SIZE], t3_d
.matched:
    cmp     p, limit
    jae     .done
    vmovdqu v0, [t4]
    vpcmpeqb v0, v0, [p]
    vpmovmskb t0_d, v0
    mov     t1_d, t0_d
    %assign bytes 1
    %rep 4
    rorx    t2_d, t1_d, bytes           ; only the lowest bits are right; only they are used
    and     t1_d, t2_d
    %assign bytes 2 * bytes
    %endrep
    and     t1_d, (2 << LONG_SKIP) - 1
    jz      .pair

    mov     t3, [p]
    mov     t6, p
    mov     t5_d, [f + deflate_find.hash_shift]
    shrx    t5, t3, t5
    sub     t6, base
    imul    t3_d, t3_d, HASH_MULTIPLIER_LOW
    imul    t5_d, [f + deflate_find.hash_multiplier]
    add     t3_d, t5_d
    ENTRY   3, 5, 6
    mov     [head + t5 * ENTRY_SIZE], t3_d
    mov     t3, p
    sub     t3, t4
    tzcnt   t1_d, t1_d
    not     t0_d
    EMIT_LITERALS start, 0
    add     p, t1
    shrx    t0_d, t0_d, t1_d
    tzcnt   t0_d, t0_d
    jnc     .few_literals
    mov     t0_d, LONG_REPEAT
    jmp     .longer
.more:
    cmp     p, limit
    jb      .pair
    jmp     .done

.two_literals:
    add     p, 2
    cmp     p, limit
    jb      .pair
    jmp     .done

.many_literals:
    add     start, RUN
    add     token, RUN / 2 * TOKEN_SIZE
    sub     t1_d, RUN
    EMIT_LITERALS start, 0
    cmp     t1_d, RUN
    ja      .many_literals
    jmp     .few_literals

.unusual_length:
    cmp     t0_d, FIND_MIN_MATCH
    jb      .too_short
.longer:
    mov     t4, p
    sub     t4, t3                      ; what is repeated
.compare:                               ; t0 bytes are the same
    vmovdqu v0, [p + t0]
    vpcmpeqb v0, v0, [t4 + t0]
    vpmovmskb t2_d, v0
    xor     t2_d, -1
    jnz     .differ
    add     t0_d, VL
    cmp     t0_d, DEFLATE_MAX_MATCH
    jb      .compare
.differ:                                ; first in byte t0 + the lowest bit of t2
    tzcnt   t2_d, t2_d
    add     t0_d, t2_d
    cmp     t0_d, DEFLATE_MAX_MATCH
    jb      .length
    mov     t0_d, DEFLATE_MAX_MATCH
    mov     [f + deflate_find.run], t3_d
    xor     limit_d, limit_d
    jmp     .length

.too_short:                             ; other bytes have the same hash
    lea     p, [base + t6 + 2]
    jmp     .more

.done:
    xor     t3_d, t3_d
    mov     t2, p
    sub     t2, t4
    mov     t1_d, p_d
    sub     t1_d, start_d
    cmovz   t3_d, t2_d
    mov     [f + deflate_find.matched], t3_d
.last_literals:
    EMIT_LITERALS start, 0
    cmp     t1_d, 16
    jbe     .literals_end
    add     start, 16
    add     token, 8 * TOKEN_SIZE
    sub     t1_d, 16
    jmp     .last_literals
.literals_end:
    END_LITERALS p
    vzero   v0
    vmovdqu [token], v0                 ; FIND_TOKENS_CLEARED
    vmovdqu [token + VL], v0
    mov     [f + deflate_find.next], p
    mov     [f + deflate_find.token], token
ENDKERNEL
%endmacro

TIER avx2
FIND_LONG
%undef t0_w
%undef t2_w
%undef t3_w
%undef t4_w
%undef t5_w
%undef t6_w
