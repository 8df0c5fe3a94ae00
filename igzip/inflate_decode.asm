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
; inflate_kernels.h
DISTANCE_BITS   equ 8
IN_MARGIN       equ 8
OUT_MARGIN      equ 36
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
; The distance table for what has no match: distance 0 in 0 bits.
no_distance:
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

; The entry of the next bits.
%macro LOOK_UP 2                        ; 64-bit and 32-bit names
    mov     %2, [run + RUN_MASK]
    and     %2, bits_d
    mov     %2, [litlen + %1 * 4]
%endmacro

; The literals of an entry of the first form, if it has any; 4 bytes are written.
%macro PUT_LITERALS 2                   ; 32-bit and 8-bit names
    rorx    t0_d, %1, 8
    movzx   t1_d, %2
    mov     [out], t0_d
    shr     t1_d, 6
    add     out, t1
%endmacro

; On to the next entry, if there is input and room.
%macro AGAIN 1
    cmp     in, in_last
    ja      .done
    cmp     out, stop
    jb      %1
    jmp     .done
%endmacro

; A match: its length and the entry of its distance are known, the bits of its own entry are taken
; from `bits` and not yet from `count`. What is undone if it must be is all of the entry.
%macro MATCH 1
    test    dist_d, dist_d
    js      %%long_code
%%have_code:
    mov     t0, bits
    TAKE    dist
    LOOK_UP next, next_d
    bzhi    t0, t0, dist
    rorx    t1_d, dist_d, 8
    shrx    t0, t0, t1                  ; extra bits
    mov     t1_d, dist_d
    shr     t1_d, 16
    add     t0_d, t1_d                  ; the distance
    mov     from, out
    sub     from, t0
    cmp     from, [run + RUN_WINDOW]
    jb      .undo
    test    length_d, length_d
    cmovz   from, litlen
    vmovdqu xmm0, [from]
    cmp     length_d, 32
    ja      %%long_match
    cmp     t0_d, length_d
    jb      %%long_match
    sub     count_d, entry_d
    vmovdqu xmm1, [from + 16]
    mov     entry_d, next_d
    vmovdqu [out], xmm0
    sub     count_d, dist_d
    vmovdqu [out + 16], xmm1
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
    test    dist_d, dist_d
    js      .undo
    jmp     %%have_code
%%long_match:                           ; or one that repeats itself
    mov     t1, [run + RUN_OUT_END]
    sub     t1, out
    sub     t1, 32
    cmp     t1, length
    jb      .undo
    sub     count_d, entry_d
    mov     entry_d, next_d
    sub     count_d, dist_d
    mov     dist, out
    add     out, length
    cmp     t0_d, 16
    jb      %%repeat
    vmovdqu xmm1, [from + 16]
    cmp     t0_d, 32
    jb      %%period
    vmovdqu [dist], xmm0
%%copy:                                 ; from where `dist` + 16 is on
    vmovdqu xmm0, [from + 16]
    vmovdqu [dist + 16], xmm0
    vmovdqu xmm1, [from + 32]
    vmovdqu [dist + 32], xmm1
    add     from, 32
    add     dist, 32
    lea     t1, [dist + 16]
    cmp     t1, out
    jb      %%copy
    AGAIN   %1
%%period:                               ; a load would wait for the two stores that it spans
    vmovdqu [dist], xmm0
    vmovdqu [dist + 16], xmm1
    add     dist, t0
    cmp     dist, out
    jb      %%period
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
    jmp     %2
%%literal:
    rorx    t0_d, entry_d, 12
    mov     [out], t0_b
    inc     out
    TAKE    entry
    sub     count_d, entry_d
    LOOK_UP entry, entry_d
    AGAIN   %1
%endmacro

; int isalk_inflate_<tier>(struct inflate_run *run)
;
; As inflate_kernels.h says. Two loops, of which run->matches chooses one. Where nearly everything
; is literals, a branch on whether an entry is for literals alone is predicted well. Elsewhere it
; is not, and a miss costs more than a distance that is looked up in vain: there every entry is
; taken for literals and a match, of length 0 maybe, whose distance comes from a table of zeros.
;
; Registers: bits and count as in struct inflate_run, but for the bits of `bits` above `count`,
; which are those of the input or 0; entry is of the next bits.
; Cost: the loop of literals, 7 cycles for an entry (shift, mask, load); the other one 14, two
; lookups that wait for each other; neither fills the ports.
; Bytes of bits, length, entry and t0.
%define bits_b   sil
%define length_b bl
%define entry_b  al
%define t0_b     r14b
%macro INFLATE 0
KERNEL inflate, run, bits, count, in, litlen, out
LOCALS entry, stop, in_last, length, dist, from, next, t0, t1
    mov     bits, [run + RUN_BITS]
    mov     count, [run + RUN_COUNT]
    mov     in, [run + RUN_IN]
    mov     out, [run + RUN_OUT]
    mov     stop, [run + RUN_STOP]
    mov     litlen, [run + RUN_LITLEN]
    mov     in_last, [run + RUN_IN_END]
    mov     t0, in_last
    sub     t0, in
    cmp     t0, IN_MARGIN
    jb      .done
    sub     in_last, IN_MARGIN
    mov     t0, [run + RUN_OUT_END]
    mov     t1, t0
    sub     t1, out
    cmp     t1, OUT_MARGIN
    jb      .done
    sub     t0, OUT_MARGIN
    cmp     stop, t0
    cmova   stop, t0
    cmp     out, stop
    jae     .done
    REFILL
    LOOK_UP entry, entry_d
    cmp     qword [run + RUN_MATCHES], MATCHES_FEW
    jb      .literals_filled
    jmp     .mixed_filled

    align   32
.mixed:
    REFILL
.mixed_filled:
    mov     [run + RUN_BITS], bits
    test    entry_d, entry_d
    js      .mixed_special
    mov     length_d, entry_d
    TAKE    entry
    lea     next, [no_distance]
    shr     length_d, 24
    cmovnz  next, [run + RUN_DISTANCE]
    movzx   t0_d, bits_b
    mov     dist_d, [next + t0 * 4]
    PUT_LITERALS entry_d, entry_b
.mixed_match:
    MATCH   .mixed
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
    LOOK_UP entry, entry_d
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
    mov     [run + RUN_BITS], bits
    test    entry_d, entry_d
    js      .literals_special
    mov     length_d, entry_d
    TAKE    entry
    mov     next, [run + RUN_DISTANCE]
    movzx   t0_d, bits_b
    mov     dist_d, [next + t0 * 4]
    shr     length_d, 24
    PUT_LITERALS entry_d, entry_b
.literals_match:
    MATCH   .literals
.literals_special:
    SPECIAL .literals, .literals_match

.undo:
    rorx    t1_d, entry_d, 6
    and     t1_d, 3
    sub     out, t1
.undo_bits:
    mov     bits, [run + RUN_BITS]
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
ENDKERNEL
%endmacro

TIER avx2
INFLATE
%undef bits_b
%undef length_b
%undef entry_b
%undef t0_b
