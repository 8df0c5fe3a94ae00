; Match finder of compression.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"

; struct deflate_find, checked in deflate_kernels.c.
FIND_NEXT       equ 0
FIND_LIMIT      equ 8
FIND_END        equ 16
FIND_BASE       equ 24
FIND_TOKEN      equ 32
FIND_TOKEN_END  equ 40
FIND_HEAD       equ 48
FIND_MULTIPLIER equ 56
FIND_HASH_BITS  equ 64
FIND_WINDOW     equ 68
FIND_FEW        equ 72
; deflate_kernels.h
BATCH           equ 256
STEP            equ 32
BEHIND          equ 32
TOKEN_SIZE      equ 4
SECOND_SHIFT    equ 9
LITERALS        equ 32
; The fields of a match of length 0 and distance symbol 0.
MATCH           equ 256 - 3 + (1 << SECOND_SHIFT)
LONGEST         equ 258
AT_ONCE         equ 8                   ; bytes that are compared when a position is looked up
LEAST           equ 4
TOGETHER        equ 8                   ; positions that are looked up for each run and match

; What a position has in the table: bits 0 to 15 its offset, 16 to 23 the bits that are the same, 64
; at most; then 128 at most: see LENGTHEN.
FOUND_SIZE      equ 4
SAME_SHIFT      equ 16

; The stack: two batches, of which one is looked up while tokens are made of the other.
FOUND           equ 0
FOUND_SPAN      equ BATCH * FOUND_SIZE + 64
MATCHES         equ 2 * FOUND_SPAN      ; bit i: position i of the batch has a match; then ones
MATCHES_SPAN    equ 2 * (BATCH / 8 + 32)
SHORTER         equ MATCHES_SPAN / 2    ; in those: the next position has a longer one
STATE           equ MATCHES + 2 * MATCHES_SPAN
LAST            equ STATE + 8           ; the last offset that a batch may end at
TOKENS_END      equ STATE + 16          ; end of the batch that tokens are made of
START           equ STATE + 24          ; of the batch that is looked up, and its end
STOP            equ STATE + 32
WAITING         equ STATE + 40          ; memory for a register
THIS_FOUND      equ STATE + 48          ; memory of the batch that tokens are made of
THIS_MATCHES    equ STATE + 56
OTHER_FOUND     equ STATE + 64          ; and of the other one
OTHER_MATCHES   equ STATE + 72
THIRD           equ STATE + 80          ; offset of the third batch
TOKEN_BEFORE    equ STATE + 88          ; where tokens of the batch before begin
FRAME           equ STATE + 96

RODATA
; Of the doublewords of four vectors, packed, the order of the positions.
packed_order:
    dd      0, 4, 1, 5, 2, 6, 3, 7
lanes:
    dd      0, 1, 2, 3, 4, 5, 6, 7
eight:
    times 8 dd 8
; What was found where a match is too short, at most.
least_found:
    dd      ((LEAST * 8) << SAME_SHIFT) - 1
; OR-ed to what was found: the most that has as many bytes that are the same.
bits_of_byte:
    dd      (8 << SAME_SHIFT) - 1
offset_bits:
    dd      (1 << SAME_SHIFT) - 1
; What is the same, and the next offset where all is, less than which does not do, shifted.
most_of_all:
    dd      ((AT_ONCE * 8) << SAME_SHIFT) - 1
all_further:
    dd      AT_ONCE << SAME_SHIFT
high_byte:
    dd      0xff00
literal_second:
    dd      LITERALS << SECOND_SHIFT

; A register with a bit for each doubleword of four vectors of masks. Packing keeps halves of
; vectors apart, and the permutation brings them together.
%macro MASK_BITS 1
    vpackssdw v0, v0, v1
    vpackssdw v2, v2, v3
    vpacksswb v0, v0, v2
    vpermd  v0, order, v0
    vpmovmskb %1, v0
%endmacro

; Looks up and enters the next TOGETHER positions.
%macro LOOK_UP 0
    %assign k 0
    %rep TOGETHER
    mov     t0, [base + at + k]
    mov     t1, multiplier
    imul    t1, t0
    lea     t3_d, [at + k]
    shrx    t1, t1, shift
    movzx   t2_d, word [head + 2 * t1]
    mov     [head + 2 * t1], t3_w
    xor     t0, [base + t2]
    tzcnt   t0, t0
    shl     t0_d, SAME_SHIFT
    or      t0_d, t2_d
    mov     [looked + at * FOUND_SIZE + k * FOUND_SIZE], t0_d
    %assign k k + 1
    %endrep
    add     at, TOGETHER
%endmacro

; What is the same at a position where all is that was compared, and at the position behind that, if
; it is at the same distance, is the same at once.
;
; Of the 32 positions from t0 on: those with a match.
%macro SELECT_MATCHES 1                 ; 32-bit register
    %assign j 0
    %rep 4
    vmovdqu v4, [looked + t0 * FOUND_SIZE + j * VL]
    vmovdqu v5, [looked + t0 * FOUND_SIZE + j * VL + AT_ONCE * FOUND_SIZE]
    vpsubw  v6, v5, v4
    vpslld  v6, v6, SAME_SHIFT
    vpcmpeqd v6, v6, next_offset
    vpcmpgtd v7, v4, less_than_all
    vpandn  v5, offset_mask, v5
    vpand   v6, v6, v7
    vpand   v5, v5, v6
    vpaddd  v4, v4, v5
    vmovdqu [looked + t0 * FOUND_SIZE + j * VL], v4
    vpand   v5, v4, offset_mask
    vpcmpgtd v5, v5, too_far
    vpcmpgtd v%[j], v4, too_short
    vpaddd  too_far, too_far, [eight]
    vpand   v%[j], v%[j], v5
    %assign j j + 1
    %endrep
    MASK_BITS %1
%endmacro

; Of the same: those where fewer bytes are the same than at the next.
%macro SELECT_SHORTER 1                 ; 32-bit register
    vpbroadcastd v5, [bits_of_byte]
    %assign j 0
    %rep 4
    vpor    v4, v5, [looked + t0 * FOUND_SIZE + j * VL]
    vmovdqu v%[j], [looked + t0 * FOUND_SIZE + j * VL + FOUND_SIZE]
    vpcmpgtd v%[j], v%[j], v4
    %assign j j + 1
    %endrep
    MASK_BITS %1
%endmacro

; 32 bytes at t1 + %1 as 16 tokens of two literals.
%macro PUT_LITERALS 1
    vpmovzxwd v0, [t1 + %1]
    vpmovzxwd v2, [t1 + %1 + 16]
    vpand   v1, v0, second_byte
    vpand   v3, v2, second_byte
    vpaddd  v0, v0, second_literal
    vpaddd  v2, v2, second_literal
    vpaddd  v0, v0, v1
    vpaddd  v2, v2, v3
    vmovdqu [token + %1 / 2 * TOKEN_SIZE], v0
    vmovdqu [token + %1 / 2 * TOKEN_SIZE + VL], v2
%endmacro

; The end of a run of t0 <= 32 literals at t1, of which pairs are stored: the last one, if it is
; alone. If it is not, the next token overwrites what is stored here.
%macro END_LITERALS 0
    movzx   t1_d, byte [t1 + t0 - 1]
    mov     t2_d, t0_d
    shr     t2_d, 1
    inc     t0_d
    shr     t0_d, 1
    mov     [token + t2 * TOKEN_SIZE], t1_d
    lea     token, [token + t0 * TOKEN_SIZE]
%endmacro

; The literals before the next match of the batch, and the match. On to .%{1}_end where the next match
; is in another batch. What is rare is in TOKENS_RARE.
%macro MAKE_TOKENS 1
    mov     t0_d, i_d
    mov     t1_d, i_d
    shr     t0_d, 3
    and     t1_d, 7
    mov     t0, [matches + t0]
    shrx    t0, t0, t1
    lea     t1, [base + i]
    tzcnt   t0, t0
    jc      .%{1}_no_match
    add     i, t0
    cmp     i, [rsp + TOKENS_END]
    jae     .%{1}_end
    PUT_LITERALS 0
    cmp     t0_d, 32
    ja      .%{1}_many_literals
.%{1}_few_literals:
    END_LITERALS
    movzx   t2_d, word [found + i * FOUND_SIZE]
    movzx   t0_d, byte [found + i * FOUND_SIZE + SAME_SHIFT / 8]
    lea     t1_d, [i - 1]
    sub     t1_d, t2_d                  ; distance - 1
    shr     t0_d, 3
    test    t0_d, AT_ONCE - 1           ; it is 4 or more
    jz      .%{1}_long_match
.%{1}_length:
    mov     t2_d, t1_d
    or      t2_d, 2
    mov     t3_d, 33
    bsr     t2_d, t2_d
    add     i, t0
    sub     t3_d, t2_d
    dec     t2_d                        ; extra bits
    shlx    t3, t1, t3
    shrx    t1_d, t1_d, t2_d
    lea     t1_d, [t1 + 2 * t2]         ; symbol
    shl     t1_d, SECOND_SHIFT
    add     t0_d, t3_d
    lea     t1_d, [t1 + t0 + MATCH]
    mov     [token], t1_d
    add     token, TOKEN_SIZE
.%{1}_made:
%endmacro

%macro TOKENS_RARE 1
.%{1}_many_literals:
    add     t1, 32
    add     token, 16 * TOKEN_SIZE
    sub     t0_d, 32
    PUT_LITERALS 0
    jmp     .%{1}_few_literals

.%{1}_no_match:                           ; in the 57 positions or more that have bits
    lea     t2, [i + 56]
    cmp     t2, [rsp + TOKENS_END]
    ja      .%{1}_end_literals
    mov     i, t2
    PUT_LITERALS 0
    PUT_LITERALS 32
    add     token, 28 * TOKEN_SIZE
    jmp     .%{1}_made

.%{1}_long_match:
    add     i, base
    mov     t3, i
    mov     t2, [rsp + STATE]
    mov     t2, [t2 + FIND_END]
    sub     t3, t1                      ; what is repeated, and 1
    sub     t2, i
    cmp     t2, LONGEST + VL
    jb      .%{1}_near_end
.%{1}_compare:                            ; t0 bytes are the same
    vmovdqu v0, [i + t0]
    vpcmpeqb v0, v0, [t3 + t0 - 1]
    vpmovmskb t2_d, v0
    xor     t2_d, -1
    jnz     .%{1}_differ
    add     t0_d, VL
    cmp     t0_d, LONGEST
    jb      .%{1}_compare
.%{1}_differ:                             ; in byte t0 + the lowest bit of t2, if not in LONGEST
    tzcnt   t2_d, t2_d
    add     t0_d, t2_d
    mov     t2_d, LONGEST
    cmp     t0_d, t2_d
    cmova   t0_d, t2_d
    sub     i, base
    jmp     .%{1}_length
.%{1}_near_end:                           ; t2 bytes are left
    mov     [rsp + WAITING], t1
    mov     t1_d, LONGEST
    cmp     t2, t1
    cmova   t2, t1
.%{1}_compare_bytes:
    cmp     t0, t2
    jae     .%{1}_end_reached
    movzx   t1_d, byte [t3 + t0 - 1]
    cmp     [i + t0], t1_b
    jne     .%{1}_end_reached
    inc     t0
    jmp     .%{1}_compare_bytes
.%{1}_end_reached:
    mov     t1, [rsp + WAITING]
    sub     i, base
    jmp     .%{1}_length

.%{1}_end:                                ; t0 literals lead there, or more, or none
    sub     i, t0
.%{1}_end_literals:
    mov     t0, [rsp + TOKENS_END]
    sub     t0, i
    jbe     .%{1}_done
    add     i, t0
.%{1}_more_literals:
    PUT_LITERALS 0
    cmp     t0_d, 32
    jbe     .%{1}_last_literals
    add     t1, 32
    add     token, 16 * TOKEN_SIZE
    sub     t0_d, 32
    jmp     .%{1}_more_literals
.%{1}_last_literals:
    END_LITERALS
.%{1}_done:
%endmacro

; void isalk_deflate_find_<kind>_<tier>(struct deflate_find *f)
;
; As deflate_kernels.h says, and as find() in deflate_find.c. Up to BEHIND bytes behind a batch are
; read.
;
; A token needs the bits of where matches are, a count of zeros to find the next, and its length: 18
; cycles, in which the other batch's lookups run. No branch is hard to predict, but for
; matches longer than AT_ONCE and the end of a batch.
;
; Registers: offsets from base: `at` of the position to look up, i of the first byte without a token.
; looked and found are what is found for each offset, by a batch that is looked up and by one that
; tokens are made of, whose positions with a match are the bits of `matches`.
; Cost: 12 operations to look up a position, of which the multiplication and the count of bits bind
; port 1, and 1 to select (2 with a look ahead); 42 for a run of literals and a match.
%define t3_w    r8w
%define t1_b    dl
%macro FIND 2                           ; kind, whether it looks at the next position
KERNEL deflate_find_%1, found, t0, t1, t2, t3, matches
LOCALS base, at, head, multiplier, shift, looked, i, token
STACK FRAME
%xdefine order v15
%xdefine too_short v14
%xdefine offset_mask v13
%xdefine second_byte v11
%xdefine second_literal v10
%xdefine next_offset v12
%xdefine less_than_all v9
%xdefine too_far v8
    mov     [rsp + STATE], found        ; it is f until here
    mov     base, [found + FIND_BASE]
    mov     i, [found + FIND_NEXT]
    mov     t0, [found + FIND_LIMIT]
    mov     t1, [found + FIND_END]
    sub     t1, BEHIND
    cmp     t0, t1
    cmova   t0, t1
    sub     t0, base
    mov     [rsp + LAST], t0
    mov     token, [found + FIND_TOKEN]
    mov     head, [found + FIND_HEAD]
    mov     multiplier, [found + FIND_MULTIPLIER]
    mov     shift_d, 64
    sub     shift_d, [found + FIND_HASH_BITS]
    vmovdqa order, [packed_order]
    vpbroadcastd too_short, [least_found]
    vpbroadcastd offset_mask, [offset_bits]
    vpbroadcastd second_byte, [high_byte]
    vpbroadcastd second_literal, [literal_second]
    vpbroadcastd next_offset, [all_further]
    vpbroadcastd less_than_all, [most_of_all]
    sub     i, base
    mov     at, i
    and     at, -8                      ; bits of matches are in whole bytes
    lea     t0, [at + 2 * BATCH]
    mov     [rsp + THIRD], t0
    mov     qword [rsp + TOKENS_END], 0
    lea     t0, [rsp + FOUND]
    lea     t1, [rsp + MATCHES]
    mov     [rsp + OTHER_FOUND], t0
    mov     [rsp + OTHER_MATCHES], t1
    add     t0, FOUND_SPAN
    add     t1, MATCHES_SPAN
    mov     [rsp + THIS_FOUND], t0
    mov     [rsp + THIS_MATCHES], t1
    ; Behind a match that ends in a later batch, bits are read that decide nothing. Memory checkers do
    ; not see that.
    vzero   v0
    %assign j 0
    %rep 2 * MATCHES_SPAN / VL
    vmovdqu [rsp + MATCHES + j], v0
    %assign j j + VL
    %endrep

.batch:                                 ; that starts at `at`, after the one of found
    mov     t0, [rsp + LAST]
    sub     t0, at
    jle     .last_tokens
    mov     t1_d, BATCH
    cmp     t0, t1
    cmova   t0, t1
    and     t0, -STEP
    jz      .last_tokens
    mov     t1, token                   ; with what the batch before the last has
    sub     t1, [rsp + TOKEN_BEFORE]
    mov     [rsp + TOKEN_BEFORE], token
    cmp     at, [rsp + THIRD]
    jb      .dense
    mov     t2, [rsp + STATE]
    shr     t1, 2
    cmp     t1_d, [t2 + FIND_FEW]
    jb      .last_tokens
.dense:
    mov     [rsp + START], at
    add     t0, at
    mov     [rsp + STOP], t0
    mov     t0, at
    shl     t0, 2
    mov     looked, [rsp + OTHER_FOUND]
    sub     looked, t0
    cmp     i, [rsp + TOKENS_END]
    jae     .look_up

    align   32
.both:
    LOOK_UP
    MAKE_TOKENS both
    cmp     at, [rsp + STOP]
    jb      .both

.tokens:
    MAKE_TOKENS tokens
    jmp     .tokens
    TOKENS_RARE tokens
    jmp     .select
    TOKENS_RARE both
    cmp     at, [rsp + STOP]
    jae     .select
.look_up:
    LOOK_UP
    cmp     at, [rsp + STOP]
    jb      .look_up

.select:
    mov     t0, [rsp + START]
    mov     matches, [rsp + OTHER_MATCHES]
    mov     t3, [rsp + STATE]
    lea     t1_d, [t0 - 1]              ; offsets above this are near enough for the first position
    sub     t1_d, [t3 + FIND_WINDOW]
    vmovd   xmm0, t1_d
    vpbroadcastd too_far, xmm0
    vpaddd  too_far, too_far, [lanes]
    mov     t1, t0
    shr     t1, 3
    sub     matches, t1
    vzero   v0
    vmovdqu [looked + at * FOUND_SIZE], v0
.select_more:
    mov     t1, t0
    shr     t1, 3
    SELECT_MATCHES t2_d
    mov     [matches + t1], t2_d
    add     t0, 32
    cmp     t0, at
    jb      .select_more
    mov     qword [matches + t1 + 4], -1
%if %2
    mov     t0, [rsp + START]
.select_shorter:
    mov     t1, t0
    shr     t1, 3
    SELECT_SHORTER t2_d
    mov     [matches + t1 + SHORTER], t2_d
    add     t0, 32
    cmp     t0, at
    jb      .select_shorter
    mov     t0, [rsp + START]
    shr     t0, 3
.pass_over:                             ; what is shorter than a match at the next position
    mov     t2, [matches + t0]
    mov     t3, t2
    shr     t3, 1
    and     t3_d, [matches + t0 + SHORTER]
    andn    t2_d, t3_d, t2_d
    mov     [matches + t0], t2_d
    add     t0, 4
    cmp     t0, t1
    jbe     .pass_over
%endif

    ; The other memory is free when its tokens are made.
    mov     found, looked
    mov     [rsp + TOKENS_END], at
    mov     t0, [rsp + OTHER_FOUND]
    mov     t1, [rsp + THIS_FOUND]
    mov     [rsp + THIS_FOUND], t0
    mov     [rsp + OTHER_FOUND], t1
    mov     t0, [rsp + OTHER_MATCHES]
    mov     t1, [rsp + THIS_MATCHES]
    mov     [rsp + THIS_MATCHES], t0
    mov     [rsp + OTHER_MATCHES], t1
    jmp     .batch

.last_tokens:
    cmp     i, [rsp + TOKENS_END]
    jae     .done
.last:
    MAKE_TOKENS last
    jmp     .last
    TOKENS_RARE last
.done:
    mov     t0, [rsp + STATE]
    add     i, base
    vzero   v0
    vmovdqu [token], v0                 ; FIND_TOKENS_BEHIND
    vmovdqu [token + VL], v0
    mov     [t0 + FIND_NEXT], i
    mov     [t0 + FIND_TOKEN], token
ENDKERNEL
%endmacro

TIER avx2
FIND fast, 0
FIND look, 1
%undef t3_w
%undef t1_b
