; CRCs of any polynomial by folding vectors of 64 bytes, with VPCLMULQDQ.
; SPDX-License-Identifier: BSD-3-Clause
;
; Sources as in crc_fold.asm. Wide products allow what would not pay with those of 16 bytes: each
; of up to seven vectors, and each lane of them, goes to the end by a product of its own, so that a
; message is summed up at one level. The loop for long messages in normal order works in reflected
; order: the bits of each byte are reversed, by another port than the one of products, where a byte
; swap would take the same. That has a latency which short ones would notice.
;
; 17 to 64 bytes are a first half, whose blocks go to the end by products for any distance in bytes,
; and the rest with zeros in front. So the state meets two levels of products and no shuffle.

%include "asm/kernel.inc"
%include "crc/crc.inc"
%include "crc/crc_short.inc"

extern isalk_crc32_iscsi_k

RODATA
align 64
wide_swap:                              ; bytes of blocks in reverse: between memory and normal order
        %rep 4
        db      15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
        %endrep
wide_reverse:                           ; vgf2p8affineqb: the bits of each byte in reverse
        dq      0x8040201008040201
; From byte r on, for vpermb: a vector rotated, byte 0 to byte -r modulo its length.
align 64
wide_rotate:
        %assign i 0
        %rep 128
        db      i & 63
        %assign i i + 1
        %endrep
; From byte r - 64 on: the bytes that come after the zeros in front.
wide_mask:
        times 64 db 0
wide_message:
        times 64 db 0xff

; Up to how many bytes CRC-32C is not folded. 48 and 56 bytes would take 15 to 25 % more; from 57 to
; 63 bytes folding is up to 1.3 times as fast.
WIDE_MOST_ISCSI equ 56

; Normal order: from how many bytes on the long loop reverses bits instead of bytes. When each call
; waits for the one before, 512 to 1024 bytes are 30 % faster with bytes; else 640 to 1024 are 3 to
; 14 % slower.
WIDE_FROM_REVERSED equ 1152

; Constants for the last vector of a message.
CRC_WIDE_LAST equ crc_constants.wide + (CRC_WIDE_VECTORS - 1) * 64

; How far ahead the long loop fetches; crc_fold.asm says why.
WIDE_AHEAD equ 2048

XOR_AND equ 0x78                        ; vpternlog truth table of a ^ (b & c)

; The vector at src, plus `add`; a copying kernel writes it to dst.
%macro WIDE_LOAD 3-4                    ; vector, src, dst, add
    %if %0 == 4 && fold_copy == 0
    vpxorq  %1, %4, [%2]
    %else
    vmovdqu64 %1, [%2]
        %if fold_copy
    vmovdqu64 [%3], %1
        %endif
        %if %0 == 4
    vpxorq  %1, %1, %4
        %endif
    %endif
%endmacro

%macro WIDE_SWAP 1-*                    ; vectors, from memory to normal order
    %if fold_norm
        %rep %0
    vpshufb %1, %1, swap
        %rotate 1
        %endrep
    %endif
%endmacro

%macro WIDE_REVERSE 1-*                 ; vectors, from memory to reflected order
    %if fold_norm
        %rep %0
    vgf2p8affineqb %1, %1, reversal, 0
        %rotate 1
        %endrep
    %endif
%endmacro

; x1 = the state, in the order of memory.
%macro WIDE_STATE 0
    %if fold_norm
    bswap   state
    %endif
    STATE_TO_VECTOR xmm8
%endmacro

; From the vector that `len` bytes follow at buf to the last one, from where `len` counts then.
%macro WIDE_TO_LAST 0
    add     buf, len
    neg     len
    %if fold_copy
    lea     t, [buf + dst]
    %endif
%endmacro

; sum = the vector, `at` bytes from where len points, moved to the end. Overwrites the vector.
%macro WIDE_FIRST 2                     ; vector, at
    vmovdqu64 x0, [k + len + CRC_WIDE_LAST + %2]
    vpclmulqdq sum, %1, x0, HIGH_HIGH
    vpclmulqdq %1, %1, x0, LOW_LOW
    vpxorq  sum, sum, %1
%endmacro

; sum ^= the same.
%macro WIDE_ADD 2                       ; vector, at
    vmovdqu64 x0, [k + len + CRC_WIDE_LAST + %2]
    vpclmulqdq x1, %1, x0, HIGH_HIGH
    vpclmulqdq %1, %1, x0, LOW_LOW
    vpternlogq sum, x1, %1, XOR3
%endmacro

; v0 = a message of h + 1 to 2h bytes as one vector of h bytes, moved to the end: v0, its first h
; bytes, and v8, the rest with zeros in front. Overwrites v5 to v7.
%macro WIDE_HALVES 1                    ; h: 16 / 32
    STATE_TO_VECTOR xmm6
    %if fold_norm
    vpslldq xmm6, xmm6, 8
    %endif
    VWIDTH %1
    vmovdqu v8, [buf + len - %1]        ; again with what v0 has
    %if fold_copy
    vmovdqu v0, [buf]
    vmovdqu [buf + dst], v0
    add     dst, len
    vmovdqu [buf + dst - %1], v8
    %endif
    lea     u, [wide_mask]
    vpand   v8, v8, [u + len + 64 - 2 * %1]
    shl     len_d, 4                    ; row of `move`
    vmovdqu xmm7, [k + len + crc_constants.move - 16 * %1 + 16 * (%1 - 16)]
    %if %1 == 32
    vinserti128 ymm7, ymm7, [k + len + crc_constants.move - 16 * %1], 1
    %endif
    %if fold_norm
        %if fold_copy == 0
    vmovdqu v0, [buf]
        %endif
    vpshufb v0, v0, [wide_swap]
    vpshufb v8, v8, [wide_swap]
    vpxor   v0, v0, v6
    %elif fold_copy
    vpxor   v0, v0, v6
    %else
    vpxor   v0, v6, [buf]
    %endif
    vpclmulqdq v6, v0, v7, HIGH_HIGH
    vpclmulqdq v0, v0, v7, LOW_LOW
    vmovdqu v7, [k + CRC_WIDE_LAST + 64 - %1]
    vpclmulqdq v5, v8, v7, HIGH_HIGH
    vpclmulqdq v8, v8, v7, LOW_LOW
    vpternlogq v0, v5, v6, XOR3
    vpxor   v0, v0, v8
    VWIDTH 64
%endmacro

; The loop for many vectors: len + 256 bytes follow the four at buf. Leaves buf at the last four,
; len below 0.
%macro WIDE_LONG 2                      ; label, macro that changes the order
.%1:
    add     buf, 256
    %assign %%i 0
    %rep 4
        prefetcht0 [buf + WIDE_AHEAD + %%i * 64]
        vpclmulqdq x0, acc%[%%i], step, HIGH_HIGH
        vpclmulqdq acc%[%%i], acc%[%%i], step, LOW_LOW
        %if fold_norm || fold_copy
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

; Returns from the kernel with the state after the block xmm0, as CRC_FINISH would make it.
;
; Block H x^64 + L, state = block mod P': L - low(q P'), q = floor(H Q' / x^64), where
; Q' = floor(x^128 / P'). In reflected order H is the low quadword.
%macro WIDE_RETURN 0
    %if fold_iscsi
    vmovq   t, xmm0
    vpextrq result, xmm0, 1
    xor     u_d, u_d
    crc32   u, t                        ; it multiplies by x^32 and reduces
    xor     result, u
    %elif fold_norm
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

; uint64_t isalk_crc_fold_<order>_<tier>(uint64_t state, const uint8_t *buf,
;                                        const struct crc_constants *k, size_t len)
; uint64_t isalk_crc_copy_<order>_<tier>(uint64_t state, const uint8_t *buf,
;                                        const struct crc_constants *k, size_t len, uint8_t *dst)
;
; The same as those of crc_fold.asm. The message grows zeros in front until its length is a multiple
; of 64: the first vector is loaded under a mask, and its first byte may be anywhere in it.
;
; Registers: buf is the next vector and len the bytes from behind it on; from WIDE_TO_LAST on, buf
; is the last vector, and len, below or equal to 0, leads from there to the first that is added.
; Main loop: 256 bytes for 8 products on port 5 of Golden Cove, 32 bytes a cycle; in normal order
; also 4 reversals on port 0, which are what the 4 XORs leave of it.
%macro WIDE 2                           ; order: norm / refl / iscsi, copy: 0 or 1
    %define fold_norm 0
    %define fold_iscsi 0
    %ifidn %1, norm
        %define fold_norm 1
    %elifidn %1, iscsi
        %define fold_iscsi 1
    %endif
    %define fold_copy %2
    %if fold_copy
KERNEL crc_copy_%1, state, buf, k, len, dst
    %elif fold_iscsi
KERNEL_ISCSI
    %else
KERNEL crc_fold_%1, state, buf, k, len
    %endif
    LOCALS result, t, u
    VECTORS 9 + 2 * fold_norm
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
    %if fold_copy
    sub     dst, buf                    ; so that one pointer does for both
    %endif
    %if fold_iscsi
    FOLD_SHORT_ISCSI WIDE_MOST_ISCSI, WIDE_MOST_ISCSI
        %if fold_copy == 0
    ISCSI_CONSTANTS
        %endif
    %else
    cmp     len, 16
    jbe     .short
    %endif
    cmp     len, 64
    jbe     .up_to_a_vector
    %if fold_norm
    vmovdqa64 swap, [wide_swap]
    %endif
    vzero   pending
    mov     t_d, len_d
    and     t_d, 63
    jnz     .partial_vector
    STATE_TO_VECTOR xmm8                ; x1
    %if fold_norm
    vpslldq xmm8, xmm8, 8
    WIDE_LOAD acc0, buf, buf + dst
    WIDE_SWAP acc0
    vpxorq  acc0, acc0, x1
    %else
    WIDE_LOAD acc0, buf, buf + dst, x1
    %endif
    sub     len, 64
.first_vector:                          ; acc0; `pending` is to be added to the one behind it
    cmp     len, CRC_WIDE_LAST
    ja      .long
    WIDE_TO_LAST
    WIDE_FIRST acc0, 0
    %assign %%i 1
    %rep CRC_WIDE_LAST / 64             ; in a row: a loop's jumps would bind
        %if %%i == 4
.after_four:
        %endif
    cmp     len, -64 * (%%i - 1)
    je      .sum_up
        %if %%i == 1
    WIDE_LOAD acc0, buf + len + 64, t + len + 64, pending
        %else
    WIDE_LOAD acc0, buf + len + 64 * %%i, t + len + 64 * %%i
        %endif
    WIDE_SWAP acc0
    WIDE_ADD acc0, 64 * %%i
        %assign %%i %%i + 1
    %endrep
.sum_up:                                ; the lanes, which all are at the end of the message
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
    %if fold_norm
    cmp     len, WIDE_FROM_REVERSED - (4 + 4) * 64
    jb      .swap
    vpbroadcastq reversal, [wide_reverse]
    WIDE_SWAP acc0                      ; back to that of memory
    WIDE_REVERSE acc0, acc1, acc2, acc3
    vbroadcasti32x4 step, [k + crc_constants.wide_step]
    WIDE_LONG next_reversed, WIDE_REVERSE
    WIDE_REVERSE acc0, acc1, acc2, acc3
    WIDE_SWAP acc0, acc1, acc2, acc3
    jmp     .add_four
.swap:
    WIDE_SWAP acc1, acc2, acc3
    %endif
    vbroadcasti32x4 step, [k + crc_constants.wide_step + 16]
    WIDE_LONG next_four, WIDE_SWAP
.add_four:
    add     len, (4 + 3) * 64
    WIDE_TO_LAST
    WIDE_FIRST acc0, 0
    WIDE_ADD acc1, 64
    WIDE_ADD acc2, 128
    WIDE_ADD acc3, 192
    jmp     .after_four

; The first vector has t bytes of the message, 1 to 63, and zeros in front. It is loaded from where
; the message begins, so that nothing else is read (masked loads that touch a page without memory
; take 18 ns), and rotated with the state in it.
.partial_vector:
    lea     u, [wide_rotate]
    vmovdqu64 x0, [u + t]
    WIDE_STATE
        %if fold_copy
    vmovdqu64 acc0, [buf]
    vmovdqu64 [buf + dst], acc0
    vpxorq  acc0, acc0, x1
        %else
    vpxorq  acc0, x1, [buf]
        %endif
    vpermb  acc0, x0, acc0
    vpandq  acc0, acc0, [u + t + wide_message - wide_rotate - 64]
    WIDE_SWAP acc0
    lea     buf, [buf + t - 64]
    sub     len, t
    cmp     t_d, 8
    jae     .first_vector
    vpermb  x1, x0, x1                  ; the rest of the state comes out at the beginning
    vmovq   xmm6, xmm8                  ; pending
    jmp     .first_vector

.up_to_a_vector:
    %if fold_iscsi == 0
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

    %undef x0
    %undef x1
    %undef sum
    VWIDTH 16
    %xdefine sum v0
    %xdefine xq v2
    %xdefine xp v3
    %xdefine x0 v4
    %xdefine x1 v5
    %xdefine x2 v6
    %if fold_iscsi == 0
align 64                                ; elsewhere 16 bytes took 0.3 ns more, of 4.5, 4 bytes 0.8
.short:
    jb      .less_than_a_block
    vmovq   sum, state
        %if fold_copy
    vmovdqu x0, [buf]
    vmovdqu [buf + dst], x0
        %endif
        %if fold_norm
            %if fold_copy == 0
    vmovdqu x0, [buf]
            %endif
    vpshufb x0, x0, [wide_swap]
    vpslldq sum, sum, 8
    vpxor   sum, sum, x0
        %elif fold_copy
    vpxor   sum, sum, x0
        %else
    vpxor   sum, sum, [buf]
        %endif
.reduce:
    vmovdqu xq, [k + crc_constants.quotient]
    vmovdqu xp, [k + crc_constants.divisor]
    CRC_REDUCE %1, result, sum, xq, xp, x0, x1
    CRC_FINISH %1, result
    RETURN_NARROW
.less_than_a_block:
    FOLD_SHORT %1
    %endif
ENDKERNEL
    %undef acc0
    %undef acc1
    %undef acc2
    %undef acc3
    %undef step
    %undef pending
    %undef reversal
    %undef swap
    %undef sum
    %undef xq
    %undef xp
    %undef x0
    %undef x1
    %undef x2
%endmacro

TIER avx512_v
WIDE norm, 0
WIDE refl, 0
WIDE iscsi, 0
WIDE norm, 1
WIDE refl, 1
WIDE iscsi, 1
