; CRCs of any polynomial by folding vectors of 64 bytes, with VPCLMULQDQ.
; SPDX-License-Identifier: BSD-3-Clause
;
; Source of folding: as in crc_fold.asm. Wide products make two things worthwhile that products of
; 16 bytes do not. First, each lane of up to seven vectors moves to the end of the message by a
; product of its own, so that a message is summed at one level. Second, the loop for long messages
; in normal order works in reflected order. It reverses the bits of each byte, on a port that the
; products leave free, whereas a byte swap would compete with them. Short messages swap bytes,
; because the reversal takes longer.
;
; A message of 17 to 64 bytes has two parts. The blocks of the first half move to the end, by
; products for any distance in bytes. The remaining bytes get zeros before them. The state passes
; two levels of products and no shuffle.

%include "asm/kernel.inc"
%include "crc/crc.inc"
%include "crc/crc_short.inc"

extern isalk_crc32_iscsi_k

RODATA
align 64
wide_swap:                              ; reverses the bytes of blocks, for normal order
        %rep 4
        db      15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
        %endrep
wide_reverse:                           ; for vgf2p8affineqb: reverses the bits of each byte
        dq      0x8040201008040201
; The 64 bytes at wide_rotate + r, for vpermb, rotate a vector down by r bytes.
align 64
wide_rotate:
        %assign i 0
        %rep 128
        db      i & 63
        %assign i i + 1
        %endrep
; The 64 bytes at wide_mask_ones - r keep the last 64 - r bytes of a vector.
wide_mask:
        times 64 db 0
wide_mask_ones:
        times 64 db 0xff

; The longest message of CRC-32C that is not folded, in bytes. Folding 48 or 56 bytes would take 15
; to 25 % longer; from 57 to 63 bytes it is up to 1.3 times as fast.
WIDE_MAX_ISCSI equ 56

; Normal order: from this length on, the long loop reverses bits instead of bytes. With bytes, 512
; to 1024 bytes are 30 % faster when each call waits for the one before, but 640 to 1024 bytes are 3
; to 14 % slower when calls overlap.
WIDE_MIN_REVERSED equ 1152

; Constants for the last vector of a message.
CRC_WIDE_LAST equ crc_constants.wide + (CRC_WIDE_VECTORS - 1) * 64

; Prefetch distance of the long loop in bytes, as FOLD_AHEAD in crc_fold.asm.
WIDE_AHEAD equ 2048

; The vector at src, XOR `add`; a copying kernel writes the vector at src to dst.
%macro WIDE_LOAD 3-4                    ; vector, src, dst, add
    %if %0 == 4 && !crc_copy
    vpxorq  %1, %4, [%2]
    %else
    vmovdqu64 %1, [%2]
    IF crc_copy, vmovdqu64 [%3], %1
        %if %0 == 4
    vpxorq  %1, %1, %4
        %endif
    %endif
%endmacro

%macro WIDE_SWAP 1-*                    ; vectors, from memory to normal order
    %rep %0
    IF crc_norm, vpshufb %1, %1, swap
        %rotate 1
    %endrep
%endmacro

%macro WIDE_REVERSE 1-*                 ; vectors, from memory to reflected order
    %rep %0
    IF crc_norm, vgf2p8affineqb %1, %1, reversal, 0
        %rotate 1
    %endrep
%endmacro

; Before: `len` bytes follow the vector at buf. After: this vector is at buf + len, buf is the last
; vector and t its destination.
%macro WIDE_TO_LAST 0
    add     buf, len
    neg     len
    IF crc_copy, lea     t, [buf + dst]
%endmacro

; sum = the vector from buf + len + at, moved to the end. Overwrites the vector.
%macro WIDE_FIRST 2                     ; vector, at
    vmovdqu64 x0, [k + len + CRC_WIDE_LAST + %2]
    vpclmulqdq sum, %1, x0, HIGH_HIGH
    vpclmulqdq %1, %1, x0, LOW_LOW
    vpxorq  sum, sum, %1
%endmacro

; sum ^= the vector from buf + len + at, moved to the end. Overwrites the vector.
%macro WIDE_ADD 2                       ; vector, at
    vmovdqu64 x0, [k + len + CRC_WIDE_LAST + %2]
    vpclmulqdq x1, %1, x0, HIGH_HIGH
    vpclmulqdq %1, %1, x0, LOW_LOW
    vpternlogq sum, x1, %1, XOR3
%endmacro

; v0 = the sum of a message of h + 1 to 2h bytes, moved to the end. The message is v0, its first h
; bytes, and v8, the remaining bytes with zeros before them. Overwrites v5 to v7.
%macro WIDE_HALVES 1                    ; h: 16 / 32
    STATE_TO_VECTOR xmm6
    IF crc_norm, vpslldq xmm6, xmm6, 8
    VWIDTH %1
    vmovdqu v8, [buf + len - %1]        ; the last h bytes, some of which v0 has too
    IF crc_copy, vmovdqu v0, [buf]
    IF crc_copy, vmovdqu [buf + dst], v0
    IF crc_copy, add     dst, len
    IF crc_copy, vmovdqu [buf + dst - %1], v8
    lea     u, [wide_mask]
    vpand   v8, v8, [u + len + 64 - 2 * %1]
    shl     len_d, 4                    ; row of `move`
    vmovdqu xmm7, [k + len + crc_constants.move - 16 * %1 + 16 * (%1 - 16)]
    IF %1 == 32, vinserti128 ymm7, ymm7, [k + len + crc_constants.move - 16 * %1], 1
    WIDE_ADD_STATE
    IF crc_norm, vpshufb v8, v8, [wide_swap]
    IF crc_norm, vpxor   v0, v0, v6
    vpclmulqdq v6, v0, v7, HIGH_HIGH
    vpclmulqdq v0, v0, v7, LOW_LOW
    vmovdqu v7, [k + CRC_WIDE_LAST + 64 - %1]
    vpclmulqdq v5, v8, v7, HIGH_HIGH
    vpclmulqdq v8, v8, v7, LOW_LOW
    vpternlogq v0, v5, v6, XOR3
    vpxor   v0, v0, v8
    VWIDTH 64
%endmacro

; v0 = the first half of the message, which a copying kernel has loaded; in reflected order, plus
; the state, v6.
%macro WIDE_ADD_STATE 0
    %if crc_norm
    IF !crc_copy, vmovdqu v0, [buf]
    vpshufb v0, v0, [wide_swap]
    %elif crc_copy
    vpxor   v0, v0, v6
    %else
    vpxor   v0, v6, [buf]
    %endif
%endmacro

; The loop for many vectors: len + 256 bytes follow the four vectors at buf. At the end, buf points
; to the last four, and len is below 0.
%macro WIDE_LONG 2                      ; label, macro that changes the order
.%1:
    add     buf, 256
    %assign %%i 0
    %rep 4
        prefetcht0 [buf + WIDE_AHEAD + %%i * 64]
        vpclmulqdq x0, acc%[%%i], step, HIGH_HIGH
        vpclmulqdq acc%[%%i], acc%[%%i], step, LOW_LOW
        %if crc_norm || crc_copy
        WIDE_LOAD x1, buf + %%i * 64, buf + dst + %%i * 64
        %2 x1
        vpternlogq acc%[%%i], x0, x1, XOR3
        %else
        vpternlogq acc%[%%i], x0, [buf + %%i * 64], XOR3
        %endif
        %assign %%i %%i + 1
    %endrep
    sub     len, 256
    jae     .%1
%endmacro

; Returns from the kernel with the CRC after the block xmm0: CRC_REDUCE_16 and CRC_FINISH with
; three-operand instructions and vpternlog.
%macro WIDE_RETURN 0
    %if crc_iscsi
    vmovq   t, xmm0
    vpextrq result, xmm0, 1
    xor     u_d, u_d
    crc32   u, t                        ; multiplies by x^32 and reduces
    xor     result, u
    %elif crc_norm
    vpclmulqdq xmm1, xmm0, [k + crc_constants.quotient], HIGH_HIGH
    vpxor   xmm1, xmm1, xmm0
    vpclmulqdq xmm1, xmm1, [k + crc_constants.divisor], HIGH_LOW
    mov     len_d, [k + crc_constants.shift]
    vpternlogq xmm0, xmm1, [k + crc_constants.complement], XOR3
    vmovq   result, xmm0
    shrx    result, result, len
    %else
    vpclmulqdq xmm1, xmm0, [k + crc_constants.quotient], LOW_LOW
    vpunpcklqdq xmm2, xmm1, xmm1
    vpclmulqdq xmm1, xmm1, [k + crc_constants.divisor], LOW_LOW
    vpternlogq xmm0, xmm2, [k + crc_constants.divisor], XOR_AND
    vpternlogq xmm0, xmm1, [k + crc_constants.complement], XOR3
    vpunpckhqdq xmm0, xmm0, xmm0
    vmovq   result, xmm0
    %endif
    RETURN_NARROW
%endmacro

; acc0 = the first vector, if it is whole, plus the state.
%macro WIDE_FIRST_VECTOR 0
    STATE_TO_VECTOR xmm8                ; x1
    %if crc_norm
    vpslldq xmm8, xmm8, 8
    WIDE_LOAD acc0, buf, buf + dst
    WIDE_SWAP acc0
    vpxorq  acc0, acc0, x1
    %else
    WIDE_LOAD acc0, buf, buf + dst, x1
    %endif
%endmacro

; acc0 = the first vector, plus the state: t bytes of the message, 1 to 63, and zeros before them.
; If t < 8, the other bytes of the state become `pending`.
;
; The vector is loaded from where the message begins, so that nothing else is read (a masked load
; that touches a page without memory takes 18 ns), and rotated with the state in it. Jumps to %1.
%macro WIDE_PARTIAL_VECTOR 1
    lea     u, [wide_rotate]
    vmovdqu64 x0, [u + t]
    IF crc_norm, bswap   state          ; to the order of memory
    STATE_TO_VECTOR xmm8                ; x1
    IF crc_copy, vmovdqu64 acc0, [buf]
    IF crc_copy, vmovdqu64 [buf + dst], acc0
    IF crc_copy, vpxorq  acc0, acc0, x1
    IF !crc_copy, vpxorq  acc0, x1, [buf]
    vpermb  acc0, x0, acc0
    vpandq  acc0, acc0, [u + t + wide_mask_ones - wide_rotate - 64]
    WIDE_SWAP acc0
    lea     buf, [buf + t - 64]
    sub     len, t
    cmp     t_d, 8
    jae     %1
    vpermb  x1, x0, x1                  ; the state's remainder is at the beginning
    vmovq   xmm6, xmm8                  ; pending
    jmp     %1
%endmacro

; Normal order: for long messages, runs the loop in reflected order and jumps to %1. Others jump to
; %2, to swap bytes.
%macro WIDE_LONG_REVERSED 2
    %if crc_norm
    cmp     len, WIDE_MIN_REVERSED - (4 + 4) * 64
    jb      %2
    vpbroadcastq reversal, [wide_reverse]
    WIDE_SWAP acc0                      ; back to the order of memory
    WIDE_REVERSE acc0, acc1, acc2, acc3
    vbroadcasti32x4 step, [k + crc_constants.wide_step]
    WIDE_LONG next_reversed, WIDE_REVERSE
    WIDE_REVERSE acc0, acc1, acc2, acc3
    WIDE_SWAP acc0, acc1, acc2, acc3
    jmp     %1
    %endif
%endmacro

; sum = the block of a message of 16 bytes, plus the state.
%macro WIDE_ONE_BLOCK 0
    vmovq   sum, state
    IF crc_copy, vmovdqu x0, [buf]
    IF crc_copy, vmovdqu [buf + dst], x0
    %if crc_norm
    IF !crc_copy, vmovdqu x0, [buf]
    vpshufb x0, x0, [wide_swap]
    vpslldq sum, sum, 8
    %endif
    IF crc_norm || crc_copy, vpxor   sum, sum, x0
    IF !crc_norm && !crc_copy, vpxor   sum, sum, [buf]
%endmacro

; Names for messages of up to 16 bytes.
%macro WIDE_NAMES_16 0
    VWIDTH 16
    %xdefine sum v0
    %xdefine xq v2
    %xdefine xp v3
    %xdefine x0 v4
    %xdefine x1 v5
    %xdefine x2 v6
%endmacro

; uint64_t isalk_crc_fold_<order>_<tier>(uint64_t state, const uint8_t *buf,
;                                        const struct crc_constants *k, size_t len)
; uint64_t isalk_crc_copy_<order>_<tier>(uint64_t state, const uint8_t *buf,
;                                        const struct crc_constants *k, size_t len, uint8_t *dst)
; uint32_t isalk_crc_fold_iscsi_<tier>(const uint8_t *buf, size_t len, uint32_t crc)
;
; Compute what the kernels of these names in crc_fold.asm compute, with the same requirements. Zeros
; before the message make its length a multiple of 64: the message may begin anywhere in the first
; vector.
;
; Registers: buf is the next vector and len the bytes after it. After WIDE_TO_LAST, buf is the last
; vector, and buf + len, len <= 0, the first one that is to be added.
; Main loop: 256 bytes for 8 products on port 5 of Golden Cove, 32 bytes a cycle; in normal order
; also 4 reversals on port 0, which has room for them beside 4 XORs.
%macro WIDE 2                           ; order: norm / refl / iscsi, copy: 0 or 1
    CRC_KERNEL %1, %2
    VECTORS 9 + 2 * crc_norm
    %xdefine acc0 v0
    %xdefine acc1 v1
    %xdefine acc2 v2
    %xdefine acc3 v3
    %xdefine sum v4
    %xdefine step v5
    %xdefine pending v6
    %xdefine x0 v7
    %xdefine x1 v8
    %xdefine swap v9
    %xdefine reversal v10
    %if crc_iscsi
    FOLD_SHORT_ISCSI WIDE_MAX_ISCSI, WIDE_MAX_ISCSI, .long_enough
.long_enough:
    IF !crc_copy, lea     k, [isalk_crc32_iscsi_k]
    %else
    cmp     len, 16
    jbe     .short
    %endif
    cmp     len, 64
    jbe     .up_to_a_vector
    IF crc_norm, vmovdqa64 swap, [wide_swap]
    vzero   pending
    mov     t_d, len_d
    and     t_d, 63
    jnz     .partial_vector
    WIDE_FIRST_VECTOR
    sub     len, 64
.first_vector:                          ; acc0; `pending` is to be added to the one after it
    cmp     len, CRC_WIDE_LAST
    ja      .long
    WIDE_TO_LAST
    WIDE_FIRST acc0, 0
    cmp     len, 0
    je      .sum_up
    WIDE_LOAD acc0, buf + len + 64, t + len + 64, pending
    WIDE_SWAP acc0
    WIDE_ADD acc0, 64
    %assign %%i 2
    %rep CRC_WIDE_LAST / 64 - 1         ; unrolled: jumps would be the bottleneck
.after_%[%%i]:
    cmp     len, -64 * (%%i - 1)
    je      .sum_up
    WIDE_LOAD acc0, buf + len + 64 * %%i, t + len + 64 * %%i
    WIDE_SWAP acc0
    WIDE_ADD acc0, 64 * %%i
        %assign %%i %%i + 1
    %endrep
.sum_up:                                ; all lanes are at the end of the message
    vextracti64x4 ymm0, sum, 1
    vpxor   ymm0, ymm0, ymm4            ; sum
    vextracti128 xmm1, ymm0, 1
    vpxor   xmm0, xmm0, xmm1
    vzeroupper
    WIDE_RETURN

; More vectors than there are constants for: four sums of vectors 256 bytes apart.
.long:
    WIDE_LOAD acc1, buf + 64, buf + dst + 64, pending
    WIDE_LOAD acc2, buf + 128, buf + dst + 128
    WIDE_LOAD acc3, buf + 192, buf + dst + 192
    sub     len, (3 + 4) * 64
    WIDE_LONG_REVERSED .add_four, .swap
.swap:
    WIDE_SWAP acc1, acc2, acc3
    vbroadcasti32x4 step, [k + crc_constants.wide_step + 16]
    WIDE_LONG next_four, WIDE_SWAP
.add_four:
    add     len, (4 + 3) * 64
    WIDE_TO_LAST
    WIDE_FIRST acc0, 0
    WIDE_ADD acc1, 64
    WIDE_ADD acc2, 128
    WIDE_ADD acc3, 192
    jmp     .after_4

.partial_vector:
    WIDE_PARTIAL_VECTOR .first_vector

.up_to_a_vector:
    %if !crc_iscsi
    cmp     len, 32
    ja      .more_than_two_blocks
    WIDE_HALVES 16
    WIDE_RETURN
.more_than_two_blocks:
    %endif
    WIDE_HALVES 32
    vextracti128 xmm5, ymm0, 1
    vpxor   xmm0, xmm0, xmm5
    vzeroupper
    WIDE_RETURN

    WIDE_NAMES_16
    %if !crc_iscsi
align 64                                ; unaligned, 16 bytes take 0.3 ns (of 4.5) more, 4 bytes 0.8
.short:
    jb      .less_than_a_block
    WIDE_ONE_BLOCK
.reduce:
    vmovdqu xq, [k + crc_constants.quotient]
    vmovdqu xp, [k + crc_constants.divisor]
    CRC_REDUCE %1, result, sum, xq, xp, k, x0, x1
    CRC_FINISH %1, result, k, len, len_d
    RETURN_NARROW
.less_than_a_block:
    FOLD_SHORT %1, .reduce
    %endif
ENDKERNEL
%endmacro

TIER avx512_v
WIDE norm, 0
WIDE refl, 0
WIDE iscsi, 0
WIDE norm, 1
WIDE refl, 1
WIDE iscsi, 1
