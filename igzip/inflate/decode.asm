; Decoding of the symbols of a DEFLATE block.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"

; struct inflate_run, checked in inflate_kernels.c.
RUN_IN          equ 0
RUN_IN_END      equ 8
RUN_OUT         equ 16
RUN_STOP        equ 24
RUN_OUT_END     equ 32
RUN_WINDOW      equ 40
RUN_BITS        equ 48
RUN_COUNT       equ 56
RUN_LITLEN      equ 64
RUN_DISTANCE    equ 72
RUN_MASK        equ 80
RUN_MATCHES     equ 88
RUN_SECOND      equ 96
RUN_NO_LENGTH   equ 104
RUN_LIMIT       equ 112
; inflate_kernels.h
DISTANCE_BITS   equ 8
IN_MARGIN       equ 8
OUT_MARGIN      equ 68
KIND_LITERAL    equ 1
KIND_END        equ 2
KIND_SUBTABLE   equ 3
MATCHES_FEW     equ 11500

RODATA
; Shuffles that repeat the first d bytes, d = 1 to 15.
repeat_bytes:
%assign d 1
%rep 15
    %assign i 0
    %rep 16
        db  i % d
        %assign i i + 1
    %endrep
    %assign d d + 1
%endrep
; How many of the 16 bytes are whole repetitions of d.
repeat_step:
    db      0
%assign d 1
%rep 15
        db  16 - 16 % d
    %assign d d + 1
%endrep
seven:
    dq      7
    align   64
; The table of second literals where none is taken.
no_second:
    times 1 << DISTANCE_BITS dd 0


; At least 56 bits, and what the word that is read holds besides: reading those bits again changes
; nothing. Only the low six bits of `count` matter.
%macro REFILL 0
    shlx    t0, [in], count
    rorx    t1_d, count_d, 3
    or      bits, t0
    andn    t1, t1, [seven]             ; (63 - count) / 8
    or      count_d, 56
    add     in, t1
%endmacro

%macro TAKE 1
    shrx    bits, bits, %1
%endmacro

; The entry of the next bits, and its number.
%macro LOOK_UP 1                        ; 32-bit name
    mov     at_d, [run + RUN_MASK]
    and     at_d, bits_d
    mov     %1, [litlen + at * 4]
%endmacro

; The literals of an entry of the first form, if it has any; 4 bytes are written.
%macro PUT_LITERALS 2                   ; 32-bit and 8-bit names
    rorx    t0_d, %1, 8
    movzx   t1_d, %2
    mov     [out], t0_d
    shr     t1_d, 6
    add     out, t1
%endmacro

; The place before which entries are looked up, also to memory.
%macro LIMIT 1
    mov     %1, [run + RUN_OUT_END]
    sub     %1, OUT_MARGIN
    cmp     %1, [run + RUN_STOP]
    cmova   %1, [run + RUN_STOP]
    mov     [run + RUN_LIMIT], %1
%endmacro

; On to the next entry, if there is input and room.
%macro AGAIN 1
    cmp     in, in_last
    ja      .done
    cmp     out, [run + RUN_LIMIT]
    jb      %1
    jmp     %{1}_full
%endmacro

; A match: its length and the entry of its distance are known, bits 16-31 of that in `from`; the
; bits of its own entry are taken from `bits` and not yet from `count`. What is undone if it must be
; is all of the entry.
%macro MATCH 2                          ; head of the loop, whether length may be 0
    test    dist_d, dist_d
    js      %%long_code
%%have_code:
    bzhi    t0, bits, dist
    TAKE    dist
    LOOK_UP next_d
    rorx    t1_d, dist_d, 8
    shrx    t0, t0, t1                  ; extra bits
    %if %2                              ; a second literal, or scratch
    mov     [out], from_b
    rorx    t1_d, dist_d, 14
    and     t1_d, 1
    %endif
    add     t0_d, from_d                ; the distance
    mov     from, out
    sub     from, t0
    cmp     from, [run + RUN_WINDOW]
    jb      .undo
    %if %2
    add     out, t1
    test    length_d, length_d
    cmovz   from, litlen
    %endif
    vmovdqu ymm0, [from]
    cmp     length_d, 64
    ja      %%long_match
    cmp     t0_d, length_d
    jb      %%long_match
    sub     count_d, entry_d
    vmovdqu ymm1, [from + 32]
    mov     entry_d, next_d
    vmovdqu [out], ymm0
    sub     count_d, dist_d
    vmovdqu [out + 32], ymm1
    add     out, length
    AGAIN   %1
%%long_code:
    cmp     dist_d, 1 << 31             ; of no symbol
    je      .undo
    rorx    t0_d, dist_d, 8
    and     t0_d, 15
    mov     t1, bits
    shr     t1, DISTANCE_BITS
    bzhi    t1, t1, t0
    shr     dist_d, 16
    and     dist_d, 0x7fff
    add     t1_d, dist_d
    mov     t0, [run + RUN_DISTANCE]
    mov     dist_d, [t0 + t1 * 4]
    movzx   from_d, word [t0 + t1 * 4 + 2]
    test    dist_d, dist_d
    js      .undo
    jmp     %%have_code
%%long_match:                           ; or one that repeats itself
    mov     t1, [run + RUN_OUT_END]
    sub     t1, out
    sub     t1, 64
    cmp     t1, length
    jb      .undo
    sub     count_d, entry_d
    mov     entry_d, next_d
    sub     count_d, dist_d
    mov     dist, out
    add     out, length
    cmp     t0_d, 16
    jb      %%repeat
    cmp     t0_d, 32
    jb      %%period
%%copy:                                 ; ymm0 is of `from`
    vmovdqu [dist], ymm0
    vmovdqu ymm1, [from + 32]
    vmovdqu [dist + 32], ymm1
    vmovdqu ymm0, [from + 64]
    add     from, 64
    add     dist, 64
    cmp     dist, out
    jb      %%copy
    AGAIN   %1
%%period:                               ; a load would wait for the two stores that it spans
    vmovdqu xmm1, [from + 16]
%%periods:
    vmovdqu [dist], xmm0
    vmovdqu [dist + 16], xmm1
    add     dist, t0
    cmp     dist, out
    jb      %%periods
    AGAIN   %1
%%repeat:
    lea     t1, [repeat_step]
    movzx   next_d, byte [t1 + t0]
    shl     t0_d, 4
    lea     t1, [repeat_bytes - 16]
    vpshufb xmm0, xmm0, [t1 + t0]
%%again:
    vmovdqu [dist], xmm0
    add     dist, next
    cmp     dist, out
    jb      %%again
    AGAIN   %1
%endmacro

; An entry of the second form. On to the match for a length.
%macro SPECIAL 2                        ; head of the loop, its match
    rorx    t0_d, entry_d, 28
    and     t0_d, 7
    cmp     t0_d, KIND_SUBTABLE
    jne     %%alone
    rorx    t0_d, entry_d, 8
    and     t0_d, 15
    shrx    t1, bits, entry
    bzhi    t1, t1, t0
    shr     entry_d, 12
    and     entry_d, 0x1fff
    add     t1_d, entry_d
    mov     entry_d, [litlen + t1 * 4]
    rorx    t0_d, entry_d, 28
    and     t0_d, 7
%%alone:
    cmp     t0_d, KIND_LITERAL
    je      %%literal
    ja      .end_or_invalid
    bzhi    length, bits, entry
    rorx    t0_d, entry_d, 8
    and     t0_d, 15
    shrx    length, length, t0
    rorx    t0_d, entry_d, 12
    and     t0_d, 0x1ff
    add     length_d, t0_d
    TAKE    entry
    mov     next, [run + RUN_DISTANCE]
    movzx   t0_d, bits_b
    mov     dist_d, [next + t0 * 4]
    movzx   from_d, word [next + t0 * 4 + 2]
    jmp     %2
%%literal:
    rorx    t0_d, entry_d, 12
    mov     [out], t0_b
    inc     out
    TAKE    entry
    sub     count_d, entry_d
    LOOK_UP entry_d
    AGAIN   %1
%endmacro

; int isalk_inflate_<tier>(struct inflate_run *run)
;
; As inflate_kernels.h says. Two loops, of which run->matches chooses one. Where nearly everything
; is literals, a branch on whether an entry is for literals alone is predicted well. Elsewhere it
; is not, and a miss costs more than a second lookup: there every entry is taken for literals and a
; match, of length 0 maybe, and then the second lookup is not for a distance but for one literal
; more, in a table of the same shape. What it finds is also taken for a distance, of less than 256
; bytes, so that none is looked up before byte 256 of the window.
;
; Registers: bits and count as in struct inflate_run, but for the bits of `bits` above `count`,
; which are those of the input or 0; entry is of the next bits, and number `at` of its table.
; Cost: the loop of literals, 7 cycles for an entry (shift, mask, load); the other one 14, two
; lookups that wait for each other. It has shifts and jumps for 9 of them, on two ports: fields of
; whole bytes are loaded again instead of shifted out.
; Parts of registers.
%define bits_b   sil
%define length_b bl
%define entry_b  al
%define t0_b     r14b
%define t0_w     r14w
%define from_b   r12b
%define t1_b     r15b
%macro INFLATE 0
KERNEL inflate, run, bits, count, in, litlen, out
LOCALS entry, at, in_last, length, dist, from, next, t0, t1
    mov     bits, [run + RUN_BITS]
    mov     count, [run + RUN_COUNT]
    mov     in, [run + RUN_IN]
    mov     out, [run + RUN_OUT]
    mov     litlen, [run + RUN_LITLEN]
    mov     in_last, [run + RUN_IN_END]
    mov     t0, in_last
    sub     t0, in
    cmp     t0, IN_MARGIN
    jb      .done
    sub     in_last, IN_MARGIN
    mov     t0, [run + RUN_OUT_END]
    sub     t0, out
    cmp     t0, OUT_MARGIN
    jb      .done
    LIMIT   t1
    cmp     out, t1
    jae     .done
    REFILL
    LOOK_UP entry_d
    mov     t1, [run + RUN_LIMIT]
    cmp     qword [run + RUN_MATCHES], MATCHES_FEW
    jb      .literals_filled
    mov     t0, [run + RUN_SECOND]
    mov     [run + RUN_NO_LENGTH], t0
    mov     t0, [run + RUN_WINDOW]
    add     t0, 256
    cmp     out, t0
    jae     .mixed_filled
    cmp     t1, t0                      ; a literal is less than 256 bytes back
    cmova   t1, t0
    mov     [run + RUN_LIMIT], t1
    lea     t0, [no_second]
    mov     [run + RUN_NO_LENGTH], t0
    jmp     .mixed_filled
.mixed_full:                            ; or at the 256th byte
    LIMIT   t1
    cmp     out, t1
    jae     .done
    mov     t0, [run + RUN_SECOND]
    mov     [run + RUN_NO_LENGTH], t0

    align   32
.mixed:
    REFILL
.mixed_filled:
    test    entry_d, entry_d
    js      .mixed_special
    movzx   length_d, byte [litlen + at * 4 + 3]
    TAKE    entry
    mov     next, [run + RUN_NO_LENGTH]
    cmp     entry_d, 1 << 24
    cmovae  next, [run + RUN_DISTANCE]
    movzx   t0_d, bits_b
    mov     dist_d, [next + t0 * 4]
    movzx   from_d, word [next + t0 * 4 + 2]
    movzx   t0_d, word [litlen + at * 4 + 1]
    movzx   t1_d, entry_b
    mov     [out], t0_w
    shr     t1_d, 6
    add     out, t1
.mixed_match:
    MATCH   .mixed, 1
.mixed_special:
    SPECIAL .mixed, .mixed_match

    align   32
.literals:
    REFILL
.literals_filled:
    cmp     entry_d, 1 << 24
    jae     .literals_end
%assign i 1
%rep 4                                  ; which take up to 48 bits, and leave enough for an index
    mov     length_d, entry_d
    TAKE    entry
    LOOK_UP entry_d
    sub     count_d, length_d
    PUT_LITERALS length_d, length_b
    %if i < 4
    cmp     entry_d, 1 << 24
    %endif
    %if i < 2                           ; 52 bits are left, as a match and an index take
    jae     .literals_early_end
    %elif i < 4
    jae     .literals_refill
    %endif
    %assign i i + 1
%endrep
.literals_refill:
    AGAIN   .literals
.literals_early_end:
    test    entry_d, entry_d
    js      .literals_refill
.literals_end:
    test    entry_d, entry_d
    js      .literals_special
    mov     length_d, entry_d
    TAKE    entry
    mov     next, [run + RUN_DISTANCE]
    movzx   t0_d, bits_b
    mov     dist_d, [next + t0 * 4]
    movzx   from_d, word [next + t0 * 4 + 2]
    shr     length_d, 24
    PUT_LITERALS entry_d, entry_b
.literals_match:
    MATCH   .literals, 0
.literals_special:
    SPECIAL .literals, .literals_match

.undo:                                  ; its bits are those before `in`, if read in this call
    rorx    t1_d, entry_d, 6
    and     t1_d, 3
    sub     out, t1
    mov     t0, in
    sub     t0, [run + RUN_IN]
    xor     eax, eax
    cmp     t0, 8
    jb      .nothing
    mov     t0_d, count_d
    neg     t0_d
    shrx    bits, [in - 8], t0
.literals_full:
.done:
    xor     eax, eax
    jmp     .store
.end_or_invalid:
    cmp     t0_d, KIND_END
    jne     .done
    TAKE    entry
    sub     count_d, entry_d
    mov     eax, 1
.store:
    and     count_d, 63
    bzhi    bits, bits, count
    mov     [run + RUN_IN], in
    mov     [run + RUN_OUT], out
    mov     [run + RUN_BITS], bits
    mov     [run + RUN_COUNT], count
.nothing:
ENDKERNEL
%endmacro

TIER avx2
INFLATE
%undef bits_b
%undef length_b
%undef entry_b
%undef t0_b
%undef t0_w
%undef from_b
%undef t1_b
