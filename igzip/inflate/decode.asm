; Decodes the symbols of a DEFLATE block.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "asm/offsets.inc"

RODATA
; Shuffles that fill 16 bytes with repetitions of the first d bytes, d = 1 to 15.
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
; How many of those 16 bytes are complete repetitions, for d = 0 to 15.
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
; A table of second literals that has none.
no_second:
    times 1 << DISTANCE_BITS dd 0

; Macros that follow use the registers of the kernel by name; t0 and t1 are scratch.

; Fills `bits` with at least 56 bits. It may hold more bits of the word that was read; reading them
; again does not change them. Only the low six bits of `count` matter.
%macro REFILL 0
    shlx    t0, [in], count
    rorx    t1_d, count_d, 3
    or      bits, t0
    andn    t1, t1, [seven]             ; (63 - count) / 8
    or      count_d, 56
    add     in, t1
%endmacro

%macro CONSUME 1
    shrx    bits, bits, %1
%endmacro

; Loads the entry of the next bits; its index stays in `index`.
%macro LITLEN_ENTRY 1                   ; 32-bit name
    mov     index_d, [run + inflate_run.litlen_mask]
    and     index_d, bits_d
    mov     %1, [litlen + index * 4]
%endmacro

; Emits the literals, if any, of an entry that is not special; 4 bytes are written.
%macro EMIT_LITERALS 2                  ; 32-bit and 8-bit names
    rorx    t0_d, %1, 8
    movzx   t1_d, %2
    mov     [out], t0_d
    shr     t1_d, 6
    add     out, t1
%endmacro

; Decodes an entry without a length, and loads the next entry.
%macro LITERALS 0
    mov     length_d, entry_d
    CONSUME entry
    LITLEN_ENTRY entry_d
    sub     count_d, length_d
    EMIT_LITERALS length_d, length_b
%endmacro

; Sets %1 and run->limit to the address before which symbols may begin.
%macro LIMIT 1
    mov     %1, [run + inflate_run.out_end]
    sub     %1, INFLATE_OUT_MARGIN
    cmp     %1, [run + inflate_run.stop]
    cmova   %1, [run + inflate_run.stop]
    mov     [run + inflate_run.limit], %1
%endmacro

; Begins a piece of t0 bytes, or less up to the limit in t1.
%macro PIECE 0
    add     t0, out
    mov     [run + inflate_run.piece_in], in
    mov     [run + inflate_run.piece_out], out
    cmp     t1, t0
    cmova   t1, t0
    mov     [run + inflate_run.limit], t1
    mov     t0, [run + inflate_run.second]
    mov     [run + inflate_run.no_length], t0
%endmacro

; Continues with the next entry if there is input and room, else leaves the loop.
%macro NEXT 1                           ; head of the loop
    cmp     in, in_last
    ja      .done
    cmp     out, [run + inflate_run.limit]
    jb      %1
    jmp     %{1}_full
%endmacro

; Decodes a distance and copies the match. On entry: dist is the entry of the distance and `from`
; its bits 16-31; `bits`, but not `count`, has already consumed `entry`. If the distance is invalid
; or the match does not fit, .undo reverts the whole entry.
%macro MATCH 2                          ; head of the loop, whether length may be 0
    test    dist_d, dist_d
    js      %%long_code
%%have_code:
    bzhi    t0, bits, dist
    CONSUME dist
    LITLEN_ENTRY next_d
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
    cmp     from, [run + inflate_run.window]
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
    NEXT   %1
%%long_code:
    cmp     dist_d, DISTANCE_SPECIAL    ; invalid code
    je      .undo
    rorx    t0_d, dist_d, 8
    and     t0_d, 15
    mov     t1, bits
    shr     t1, DISTANCE_BITS
    bzhi    t1, t1, t0
    shr     dist_d, 16
    and     dist_d, 0x7fff
    add     t1_d, dist_d
    mov     t0, [run + inflate_run.distance]
    mov     dist_d, [t0 + t1 * 4]
    movzx   from_d, word [t0 + t1 * 4 + 2]
    test    dist_d, dist_d
    js      .undo
    jmp     %%have_code
%%long_match:                           ; longer than 64 bytes or than its distance
    mov     t1, [run + inflate_run.out_end]
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
%%copy:                                 ; ymm0 has the bytes at `from`
    vmovdqu [dist], ymm0
    vmovdqu ymm1, [from + 32]
    vmovdqu [dist + 32], ymm1
    vmovdqu ymm0, [from + 64]
    add     from, 64
    add     dist, 64
    cmp     dist, out
    jb      %%copy
    NEXT   %1
%%period:                               ; a load would wait for two stores that it spans
    vmovdqu xmm1, [from + 16]
%%periods:
    vmovdqu [dist], xmm0
    vmovdqu [dist + 16], xmm1
    add     dist, t0
    cmp     dist, out
    jb      %%periods
    NEXT   %1
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
    NEXT   %1
%endmacro

; Decodes a special entry: a literal, a length (then jumps to the match), or the end of the block.
%macro SPECIAL 2                        ; head of the loop, its match
    rorx    t0_d, entry_d, 28
    and     t0_d, 7
    cmp     t0_d, LITLEN_SUBTABLE
    jne     %%no_subtable
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
%%no_subtable:
    cmp     t0_d, LITLEN_LITERAL
    je      %%literal
    ja      .end_or_invalid
    bzhi    length, bits, entry
    rorx    t0_d, entry_d, 8
    and     t0_d, 15
    shrx    length, length, t0
    rorx    t0_d, entry_d, 12
    and     t0_d, 0x1ff
    add     length_d, t0_d
    CONSUME entry
    mov     next, [run + inflate_run.distance]
    movzx   t0_d, bits_b
    mov     dist_d, [next + t0 * 4]
    movzx   from_d, word [next + t0 * 4 + 2]
    jmp     %2
%%literal:
    rorx    t0_d, entry_d, 12
    mov     [out], t0_b
    inc     out
    CONSUME entry
    sub     count_d, entry_d
    LITLEN_ENTRY entry_d
    NEXT   %1
%endmacro

; int isalk_inflate_<tier>(struct inflate_run *run)
;
; inflate_kernels.h describes it. run->match_share chooses one of two loops. In the loop for few
; matches, the branch on whether an entry has a length is predicted well. With more matches it would
; not be, and a misprediction costs more than a second lookup. Therefore the mixed loop decodes
; every entry as literals and a match, perhaps of length 0. After an entry without a length, the
; second lookup finds one more literal instead of a distance, in a table of the same form. It then
; also uses that literal, which is below 256, as a distance. Therefore it looks for no second
; literals before byte 256 of the window.
;
; A code that expects matches may have been made for other data (compression level 0). Therefore the
; mixed loop divides the output into pieces. After a piece in which a byte has more than 6.25 bits,
; the next piece is decoded by the loop for few matches.
;
; Registers: bits and count as in struct inflate_run, except that `bits` may have bits of the input
; above `count`. The entry of the next bits is `entry`, at `index` of its table.
; Cost: 7 cycles an entry in the loop of literals (shift, mask, load), 14 in the mixed loop, for two
; dependent lookups. In the mixed loop, shifts and jumps take 9 cycles on two ports; fields that are
; whole bytes are therefore loaded again instead of shifted out.
%macro INFLATE 0
KERNEL inflate, run, bits, count, in, litlen, out
LOCALS entry, index, in_last, length, dist, from, next, t0, t1
    mov     bits, [run + inflate_run.bits]
    mov     count, [run + inflate_run.bit_count]
    mov     in, [run + inflate_run.in]
    mov     out, [run + inflate_run.out]
    mov     litlen, [run + inflate_run.litlen]
    mov     in_last, [run + inflate_run.in_end]
    mov     t0, in_last
    sub     t0, in
    cmp     t0, INFLATE_IN_MARGIN
    jb      .done
    sub     in_last, INFLATE_IN_MARGIN
    mov     t0, [run + inflate_run.out_end]
    sub     t0, out
    cmp     t0, INFLATE_OUT_MARGIN
    jb      .done
    LIMIT   t1
    cmp     out, t1
    jae     .done
    REFILL
    LITLEN_ENTRY entry_d
    cmp     qword [run + inflate_run.match_share], INFLATE_FEW_MATCHES
    jb      .literals_filled
    mov     t1, [run + inflate_run.limit]
    mov     t0_d, INFLATE_FIRST_PIECE
    PIECE
    mov     t0, [run + inflate_run.window]
    add     t0, 256
    cmp     out, t0
    jae     .mixed_filled
    cmp     t1, t0                      ; no second literals before byte 256
    cmova   t1, t0
    mov     [run + inflate_run.limit], t1
    lea     t0, [no_second]
    mov     [run + inflate_run.no_length], t0
    jmp     .mixed_filled
.mixed_full:
.literals_full:                         ; at the end of a piece, or at the limit
    LIMIT   t1
    cmp     out, t1
    jae     .done
    mov     t0, out
    mov     next, in
    sub     t0, [run + inflate_run.piece_out]
    sub     next, [run + inflate_run.piece_in]
    imul    length, t0, 25
    shl     next, 5
    add     t0, t0                      ; each piece is twice as long as the last one
    PIECE
    cmp     next, length                ; bits > 6.25 * bytes
    ja      .literals

    align   64
.mixed:
    REFILL
.mixed_filled:
    test    entry_d, entry_d
    js      .mixed_special
    movzx   length_d, byte [litlen + index * 4 + 3]
    CONSUME entry
    mov     next, [run + inflate_run.no_length]
    cmp     entry_d, LITLEN_HAS_LENGTH
    cmovae  next, [run + inflate_run.distance]
    movzx   t0_d, bits_b
    mov     dist_d, [next + t0 * 4]
    movzx   from_d, word [next + t0 * 4 + 2]
    movzx   t0_d, word [litlen + index * 4 + 1]
    movzx   t1_d, entry_b
    mov     [out], t0_w
    shr     t1_d, 6
    add     out, t1
.mixed_match:
    MATCH   .mixed, 1
.mixed_special:
    SPECIAL .mixed, .mixed_match

    align   64
.literals:
    REFILL
.literals_filled:
    cmp     entry_d, LITLEN_HAS_LENGTH
    jae     .literals_end
    LITERALS                            ; four have at most 48 bits, and leave enough for an index
    cmp     entry_d, LITLEN_HAS_LENGTH
    jae     .literals_early_end         ; 52 bits are left, enough for a match and an index
    LITERALS
    cmp     entry_d, LITLEN_HAS_LENGTH
    jae     .literals_refill
    LITERALS
    cmp     entry_d, LITLEN_HAS_LENGTH
    jae     .literals_refill
    LITERALS
.literals_refill:
    NEXT    .literals
.literals_early_end:
    test    entry_d, entry_d
    js      .literals_refill
.literals_end:
    test    entry_d, entry_d
    js      .literals_special
    mov     length_d, entry_d
    CONSUME entry
    mov     next, [run + inflate_run.distance]
    movzx   t0_d, bits_b
    mov     dist_d, [next + t0 * 4]
    movzx   from_d, word [next + t0 * 4 + 2]
    shr     length_d, 24
    EMIT_LITERALS entry_d, entry_b
.literals_match:
    MATCH   .literals, 0
.literals_special:
    SPECIAL .literals, .literals_match

.undo:                                  ; restores `bits` from the bytes before `in`
    rorx    t1_d, entry_d, 6
    and     t1_d, 3
    sub     out, t1
    mov     t0, in
    sub     t0, [run + inflate_run.in]
    xor     eax, eax
    cmp     t0, 8
    jb      .nothing                    ; the bits are still those of *run
    mov     t0_d, count_d
    neg     t0_d
    shrx    bits, [in - 8], t0
.done:
    xor     eax, eax
    jmp     .store
.end_or_invalid:
    cmp     t0_d, LITLEN_END
    jne     .done
    CONSUME entry
    sub     count_d, entry_d
    mov     eax, 1
.store:
    and     count_d, 63
    bzhi    bits, bits, count
    mov     [run + inflate_run.in], in
    mov     [run + inflate_run.out], out
    mov     [run + inflate_run.bits], bits
    mov     [run + inflate_run.bit_count], count
.nothing:
ENDKERNEL
%endmacro

TIER avx2
INFLATE
