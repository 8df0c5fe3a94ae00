; CRCs of any polynomial by folding with carry-less multiplication.
; SPDX-License-Identifier: BSD-3-Clause
;
; Source of folding: Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ
; Instruction", Intel 2009. crc.inc describes blocks, constants and the reduction.

%include "asm/kernel.inc"
%include "crc/crc.inc"
%include "crc/crc_short.inc"
%include "crc/crc_iscsi_rows.inc"

extern isalk_crc32_iscsi_k

RODATA
; Reverses the bytes of blocks, for normal order.
align 64
crc_swap:
%rep 4
        db      15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
%endrep
SLIDE_TABLE
; The 16 bytes at crc_mask + r keep the last r bytes of a vector.
crc_mask:
        times 16 db 0
        times 16 db 0xff

; Normal order: from this length on, 32-byte vectors are used. Shorter calls avoid them: a core that
; has not used the upper halves recently takes 10 microseconds and more to power them up.
FOLD_WIDE_SWAP equ 512

%define FOLD_SWAPS_WIDE (crc_norm && VL > 16 && HAS_VCLMUL == 0)

; The longest messages of CRC-32C that use only the crc32 instruction, in bytes: multiples of 8, and
; other lengths. At 64, folding gains a third when calls wait for each other, but loses a tenth or
; more when they do not.
FOLD_MAX_ISCSI equ 64
FOLD_MAX_PARTIAL_ISCSI equ 56
; The same for copies, which need two more instructions for each quadword, but only one for each
; block.
FOLD_MAX_ISCSI_COPY equ 95

; Prefetch distance of the long loops in bytes. From memory: 12.1 GB/s instead of 10.9, where a
; plain read loop has 12.0; in the caches there is no difference.
FOLD_AHEAD equ 2048

%macro STORE_NON_TEMPORAL 2             ; mem, vector
    %if HAS_VEX
        vmovntdq %1, %2
    %else
        movntdq %1, %2
    %endif
%endmacro

; The vector at buf + offset as blocks; a copying kernel writes it to the destination.
%macro LOAD_BLOCK 2-3 swap              ; vector, offset, register with crc_swap
    vload   %1, [buf + %2]
    %if crc_copy == NON_TEMPORAL
        STORE_NON_TEMPORAL [buf + dst + %2], %1
    %elif crc_copy
        vstore  [buf + dst + %2], %1
    %endif
    IF crc_norm, vshufb  %1, %1, %3
%endmacro

; Messages of 17 to 64 bytes. The first one to three blocks, and the last 1 to 16 bytes with zeros
; before them, each move to the end by a product of their own. The product also multiplies by x^64,
; as the state requires. The state passes three levels of products, and no shuffle but the byte
; swap. Overwrites v0 and v1.
%macro FOLD_FEW 1                       ; order
    lea     t_d, [len - 1]
    lea     u, [crc_mask + 1]
    and     t_d, 15
    vload   x1, [buf + len - 16]
    vload   x0, [u + t]
    IF crc_copy, lea     u, [buf + len]
    IF crc_copy, vstore  [u + dst - 16], x1
    mov     t_d, len_d
    vand    x1, x1, x0
    shl     t_d, 4
    IF crc_norm, vshufb  x1, x1, swap
    add     t, k                        ; the row for len bytes
    vclmul_mem v1, x1, [k + crc_constants.move], HIGH_HIGH, x0
    vclmul_mem x1, x1, [k + crc_constants.move], LOW_LOW, x0
    vxor    v1, v1, x1
    cmp     len_d, 32
    jbe     .few_first
    cmp     len_d, 48
    jbe     .few_second
    FOLD_FEW_BLOCK 2
.few_second:
    FOLD_FEW_BLOCK 1
.few_first:
    FOLD_FEW_BLOCK 0
    CRC_REDUCE_16 %1, result, v1, k, x0, x1, v0
    CRC_FINISH %1, result, k, len, len_d
    RETURN_NARROW
%endmacro

; v1 ^= a block, moved to the end.
%macro FOLD_FEW_BLOCK 1                 ; its number
    LOAD_BLOCK v0, %1 * 16
    IF %1 == 0, vxor    v0, v0, pending
    vclmul_mem x1, v0, [t + crc_constants.move - 256 * (%1 + 1)], HIGH_HIGH, x0
    vclmul_mem v0, v0, [t + crc_constants.move - 256 * (%1 + 1)], LOW_LOW, x0
    vxor3   v1, x1, v0
%endmacro

; CRC-32C of medium lengths: products and the crc32 instruction share the work, on two ports. The
; first blocks move to the end, each by a product of its own; the CRC of the remainder is added. The
; state passes one level of products, whatever the length, and there is no loop. The remainder
; begins with 1 to 8 bytes, with zeros before them. Not for copies.
%macro JOIN_ISCSI 3                     ; blocks, least and most whole quadwords after them
    lea     k, [crc_iscsi_rows]
    lea     t, [2 * len]
    lea     k, [k + 8 * t]              ; the row for len bytes
    STATE_TO_VECTOR xp
    %assign %%i %1
    %rep %1
        %assign %%i %%i - 1
        JOIN_BLOCK %%i, %%i == 0, %%i == %1 - 1
    %endrep
    mov     u, [buf + %1 * 16]
    lea     t_d, [len - 1 - %1 * 16]
    add     buf, len
    shl     len_d, 3
    neg     len_d
    SHIFT   shl, u, len                 ; shifts are modulo 64
    xor     result_d, result_d
    crc32   result, u
    ISCSI_QUADWORDS joined_%1, t_d, %2, %3
    vmoveq  t, sum
    vextract u, q, sum, 1
    xor     len_d, len_d
    crc32   len, t
    crc32   len, u
    xor     result, len
    RETURN_NARROW
%endmacro

; Adds a block, moved to the end, to `sum`, or sets `sum` to it. The first block of the message also
; gets the state, in xp.
%macro JOIN_BLOCK 3                     ; number, first of the message?, first to be added?
    LOAD_BLOCK v0, (%1) * 16
    IF %2, vxor    v0, v0, xp
    %if %3
    vclmul_mem sum, v0, [k - 256 * (%1 + 1)], HIGH_HIGH, x0
    vclmul_mem v0, v0, [k - 256 * (%1 + 1)], LOW_LOW, x0
    vxor    sum, sum, v0
    %else
    vclmul_mem x1, v0, [k - 256 * (%1 + 1)], HIGH_HIGH, x0
    vclmul_mem v0, v0, [k - 256 * (%1 + 1)], LOW_LOW, x0
    vxor3   sum, x1, v0
    %endif
%endmacro

; CRC-32C: returns for lengths without a loop; for others, sets k and continues.
%macro FOLD_LENGTHS_ISCSI 0
    %if crc_copy
    FOLD_SHORT_ISCSI FOLD_MAX_ISCSI_COPY, FOLD_MAX_ISCSI_COPY, .long_enough
.long_enough:
    %else
    FOLD_SHORT_ISCSI FOLD_MAX_ISCSI, FOLD_MAX_PARTIAL_ISCSI, .long_enough
.long_enough:
    cmp     len, 96                     ; in this order the shortest take the fewest jumps
    ja      .more_than_96
    JOIN_ISCSI 2, 3, 7
.more_than_96:
    cmp     len, 152
    ja      .more_than_152
    JOIN_ISCSI 4, 4, 10
.more_than_152:
    cmp     len, 336
    ja      .more_than_336
    JOIN_ISCSI 8, 3, 25
.more_than_336:
    lea     k, [isalk_crc32_iscsi_k]
    %endif
%endmacro

; sum = C blocks at buf, moved to the last of them and added. The first group also adds
; `pending`; the others fold the sum so far into theirs.
%macro FOLD_GROUP 2                     ; C, first / next
    %assign %%last %1 - 1
    %assign %%i 0
    %rep %1
        LOAD_BLOCK v%[%%i], %%i * 16
        %assign %%i %%i + 1
    %endrep
    %ifidn %2, next
        CRC_ADD_FOLDED v%[%%last], sum, [k + CRC_ROW_OF(%1 * 16)], x0, x1
    %else
        vxor    v0, v0, pending
    %endif
    CRC_ADD_BLOCKS %%last, k, x0, x1
    vmove   sum, v%[%%last]
    add     buf, %1 * 16
%endmacro

; result = what the kernel returns for the block `sum`.
%macro FOLD_REDUCE 1                    ; order
    %if crc_iscsi
    vmoveq  t, sum
    vextract u, q, sum, 1
    xor     result_d, result_d
    crc32   result, t                   ; multiplies by x^32 and reduces
    crc32   result, u
    %else
    vload   xq, [k + crc_constants.quotient]
    vload   xp, [k + crc_constants.divisor]
    CRC_REDUCE %1, result, sum, xq, xp, k, x0, x1
    CRC_FINISH %1, result, k, len, len_d
    %endif
%endmacro

; With VPCLMULQDQ: the loop on vectors of several blocks, four at a time, for at least eight
; vectors. The sum becomes `pending` for the remainder. Jumps to %1 with the remainder, to %2 if
; there is none.
%macro FOLD_WIDE 2
    %if HAS_VCLMUL
    VWIDTH  VL
    IF crc_norm, vload   v9, [crc_swap] ; `swap`, and the same in the other lanes
    LOAD_BLOCK v0, 0, v9
    LOAD_BLOCK v1, VL, v9
    LOAD_BLOCK v2, 2 * VL, v9
    LOAD_BLOCK v3, 3 * VL, v9
    vxor    v0, v0, v8                  ; `pending`, which is 0 in the other lanes
    vbcast16 v10, [k + CRC_ROW_OF(4 * VL)]
    sub     len, 8 * VL
%%next:                                 ; len + 4 vectors follow, from buf + 4 vectors on
    add     buf, 4 * VL
    %assign %%i 0
    %rep 4
        prefetcht0 [buf + FOLD_AHEAD + %%i * VL]
        LOAD_BLOCK v13, %%i * VL, v9
        CRC_FOLD v%[%%i], v10, v13, v14
        %assign %%i %%i + 1
    %endrep
    sub     len, 4 * VL
    jae     %%next
    add     buf, 4 * VL
    CRC_ADD_FOLDED v3, v0, [k + CRC_ROW_OF(3 * VL)], v13, v14
    CRC_ADD_FOLDED v3, v1, [k + CRC_ROW_OF(2 * VL)], v13, v14
    CRC_ADD_FOLDED v3, v2, [k + CRC_ROW_OF(VL)], v13, v14
    vextracti128 xmm8, ymm3, 1
    VWIDTH  16
    CRC_ADD_FOLDED sum, v3, [k + CRC_ROW_OF(16)], x0, x1
    vzeroupper
    add     len, 4 * VL
    jz      %2
    vload   row, [k + CRC_ROW_OF(16)]
    vzero   x0
    CRC_FOLD pending, row, x0, x1
    jmp     %1
    %endif
%endmacro

; With VPCLMULQDQ: messages of less than eight vectors. Each lane moves to the end by a product of
; its own, as in crc_wide.asm, so that the state passes one level of products, whatever the length.
; An odd number of blocks begins with one by itself. On Emerald Rapids, 128 bytes are 1.2 times as
; fast as with products of 16 bytes, 192 to 240 bytes 1.4 times.
FOLD_LANES_END equ crc_constants.wide + CRC_WIDE_VECTORS * 64

; v1 += v0, moved to the end by the constants of its lanes. Overwrites v0 and v13.
%macro FOLD_LANES_ADD 1                 ; rows, less FOLD_LANES_END
    vpclmulqdq v13, v0, [%1 + FOLD_LANES_END], HIGH_HIGH
    vpclmulqdq v0, v0, [%1 + FOLD_LANES_END], LOW_LOW
    vxor    v1, v1, v13
    vxor    v1, v1, v0
%endmacro

%macro FOLD_LANES 1                     ; order
    mov     t, k
    vzero   v1
    sub     t, len                      ; the row of the next block is at t + FOLD_LANES_END
    test    len_d, 16
    jz      %%pairs
    LOAD_BLOCK v0, 0
    vxor    v0, v0, pending
    vzero   pending
    FOLD_LANES_ADD t
    add     buf, 16
    add     t, 16
    sub     len, 16
    jz      %%summed
%%pairs:                                ; len is a multiple of 32
    VWIDTH  VL
    IF crc_norm, vload   v9, [crc_swap] ; `swap`, and the same in the upper half
    LOAD_BLOCK v0, 0, v9
    vxor    v0, v0, v8                  ; `pending`
    FOLD_LANES_ADD t
    add     buf, len
    %assign %%i 1
    %rep 7 - 1                          ; unrolled: a loop would take twice as many instructions
    cmp     len_d, %%i * VL
    je      %%added
    LOAD_BLOCK v0, -%%i * VL, v9
    FOLD_LANES_ADD k - %%i * VL
        %assign %%i %%i + 1
    %endrep
%%added:
    vextracti128 xmm0, ymm1, 1
    VWIDTH  16
    vxor    v1, v1, v0
    vzeroupper
%%summed:
    CRC_REDUCE_16 %1, result, v1, k, x0, x1, v0
    CRC_FINISH %1, result, k, len, len_d
    RETURN_NARROW
%endmacro

; If FOLD_SWAPS_WIDE: the loop on eight blocks with byte swaps of 32 bytes, through memory. One
; shuffle for 32 bytes instead of two lets port 5 reach 6.4 bytes a cycle. Each load reads part of
; one store, which is forwarded to it. Registers are as for the loop that it replaces. Jumps to %1
; after it.
%macro FOLD_SWAPPED 1
    %if FOLD_SWAPS_WIDE
    STACK_KEPT_IN t
    sub     rsp, 128 + 32
    and     rsp, -32
    VWIDTH  32
    vload   v9, [crc_swap]              ; `swap`, and the same in the upper half
%%next:
    sub     buf, -128
    prefetcht0 [buf + FOLD_AHEAD]
    prefetcht0 [buf + FOLD_AHEAD + 64]
    IF crc_copy, prefetcht0 [buf + dst + 512] ; in the L2 cache: 17.8 becomes 19.6 GB/s
    IF crc_copy, prefetcht0 [buf + dst + 576]
    %assign %%i 0
    %rep 4
        LOAD_BLOCK v13, %%i * 32, v9
        vmovdqa [rsp + %%i * 32], v13
        %assign %%i %%i + 1
    %endrep
    VWIDTH  16
    %assign %%i 0
    %rep 8
        CRC_FOLD v%[%%i], row, [rsp + %%i * 16], x1
        %assign %%i %%i + 1
    %endrep
    sub     len, 128
    jae     %%next
    RESTORE_STACK
    vzeroupper
    jmp     %1
    %endif
%endmacro

; The first len % 16 bytes are a block of their own, with zeros before them. It becomes `pending`.
%macro FOLD_PARTIAL 0
    mov     t_d, len_d
    and     t_d, 15
    lea     u, [slide_table]
    vload   v0, [buf]
    IF crc_copy, vstore  [buf + dst], v0 ; later stores write the same bytes after the block
    IF crc_norm, vshufb  pending, pending, swap ; to the order of memory
    vxor    v0, v0, pending
    vload   x0, [u + t]
    vload   x1, [u + t + 16]
    vshufb  v0, v0, x0
    vshufb  pending, pending, x1        ; the state's bytes after the block
    IF crc_norm, vshufb  v0, v0, swap
    IF crc_norm, vshufb  pending, pending, swap
    CRC_ADD_FOLDED pending, v0, [k + CRC_ROW_OF(16)], x0, x1
    add     buf, t
    sub     len, t
%endmacro

; Without VPCLMULQDQ: groups of 4, 2 and 1 blocks, after eight sums of blocks 128 bytes apart.
%macro FOLD_BLOCKS 0
.first_four:
    FOLD_GROUP 4, first
    test    len_d, 32 + 16
    jz      .reduce
    jmp     .less_than_four
.first_two:
    FOLD_GROUP 2, first
    jmp     .less_than_two

    %if !crc_iscsi && crc_copy != NON_TEMPORAL
.more_than_four:
    test    len_d, 15
    jnz     .partial_block
    cmp     len, 128
    jb      .less_than_eight
    %endif
.eight_blocks:
    %assign %%i 0
    %rep 8
        LOAD_BLOCK v%[%%i], %%i * 16
        IF %%i == 0, vxor    v0, v0, pending
        %assign %%i %%i + 1
    %endrep
    vload   row, [k + CRC_ROW_OF(128)]
    sub     len, 256
    jb      .sum_eight
    IF FOLD_SWAPS_WIDE, cmp     len, FOLD_WIDE_SWAP - 256
    IF FOLD_SWAPS_WIDE, jae     .wide_swap
.next_eight:                            ; len + 128 bytes follow, from buf + 128 on
    sub     buf, -128                   ; a shorter instruction than adding 128
    prefetcht0 [buf + FOLD_AHEAD]
    prefetcht0 [buf + FOLD_AHEAD + 64]
    %assign %%i 0
    %rep 8
        LOAD_BLOCK x0, %%i * 16
        CRC_FOLD v%[%%i], row, x0, x1
        %assign %%i %%i + 1
    %endrep
    sub     len, 128
    jae     .next_eight
.sum_eight:
    sub     buf, -128
    CRC_ADD_BLOCKS 7, k, x0, x1
    vmove   sum, v7
    test    len_d, 64 + 32 + 16         ; len is 128 too low, which does not change these bits
    jz      .reduce
    test    len_d, 64
    jz      .less_than_four
    FOLD_GROUP 4, next
.less_than_four:
    test    len_d, 32
    jz      .less_than_two
    FOLD_GROUP 2, next
.less_than_two:
    test    len_d, 16
    jz      .reduce
    FOLD_GROUP 1, next
    jmp     .reduce
%endmacro

; uint64_t isalk_crc_fold_<order>_<tier>(uint64_t state, const uint8_t *buf,
;                                        const struct crc_constants *k, size_t len)
; uint64_t isalk_crc_copy_<order>_<tier>(uint64_t state, const uint8_t *buf,
;                                        const struct crc_constants *k, size_t len, uint8_t *dst)
; uint32_t isalk_crc_fold_iscsi_<tier>(const uint8_t *buf, size_t len, uint32_t crc)
;
; Return the CRC after len bytes at buf; the constants say how it follows from the state
; (crc_kernels.h). The copying kernels also copy the bytes to dst. Any length and alignment; dst may
; be buf.
;
; isalk_crc_copy_nt_<order>_<tier> copies with non-temporal stores. It requires a multiple of 128
; bytes, not 0, and dst aligned to 16.
;
; Zeros before the message, which change no CRC, make its length a multiple of 16. Then come eight
; sums of blocks 128 bytes apart, which are added at one level; groups of 4, 2 and 1 blocks; and the
; reduction. With VPCLMULQDQ, four sums of vectors come first, then all lanes of the remainder.
;
; Registers: buf is the next block, len the bytes from there on. `pending` is still to be added to
; the block at buf: at first the state. `sum`, in the same register, is the sum of the blocks
; before.
; Main loop: 128 bytes for 16 products on port 5 of Skylake: 8 bytes a cycle. In normal order the
; byte swaps share that port: 5.3 bytes a cycle with 16-byte shuffles, 6.4 with 32-byte ones. With
; VPCLMULQDQ a product is of two or four blocks.
%macro FOLD 2                           ; order: norm / refl / iscsi, copy: 0, 1 or NON_TEMPORAL
    CRC_KERNEL %1, %2
    VECTORS 16 - crc_iscsi
    VWIDTH 16
    %xdefine pending v8
    %xdefine sum v8
    %xdefine swap v9
    %xdefine row v10
    %xdefine xq v11
    %xdefine xp v12
    %xdefine x0 v13
    %xdefine x1 v14
    %xdefine x2 v15
    %if crc_iscsi
    FOLD_LENGTHS_ISCSI
    %else
    cmp     len, 16
    jb      .less_than_a_block
    %endif
    IF crc_norm, vload   swap, [crc_swap]
    STATE_TO_VECTOR pending
    IF crc_norm, vslldq  pending, pending, 8
    %if !crc_iscsi && crc_copy != NON_TEMPORAL
    cmp     len, 64
    ja      .more_than_four
    cmp     len_d, 16
    je      .one_block
    FOLD_FEW %1
    %endif
    %if HAS_VCLMUL
.more_than_four:
    %endif
    %if HAS_VCLMUL || crc_iscsi || crc_copy == NON_TEMPORAL
    test    len_d, 15
    jnz     .partial_block
    %endif
.blocks:                                ; len is a multiple of 16, not 0
    %if HAS_VCLMUL
    cmp     len, 8 * VL
    jae     .wide
    FOLD_LANES %1
    %else
    cmp     len, 128
    jae     .eight_blocks
.less_than_eight:
    test    len_d, 64
    jnz     .first_four
    test    len_d, 32
    jnz     .first_two
    %endif
.one_block:
    LOAD_BLOCK v0, 0
    vxor    sum, pending, v0
.reduce:
    FOLD_REDUCE %1
    IF crc_copy == NON_TEMPORAL, sfence
    RETURN_NARROW                       ; wide paths have cleared the upper halves
    %if !HAS_VCLMUL
    FOLD_BLOCKS
    %endif

.wide:
    FOLD_WIDE .blocks, .reduce
.wide_swap:
    FOLD_SWAPPED .sum_eight
.partial_block:
    FOLD_PARTIAL
    jmp     .blocks
.less_than_a_block:
    FOLD_SHORT %1, .reduce
ENDKERNEL
    %undef pending
    %undef sum
    %undef swap
    %undef row
    %undef xq
    %undef xp
    %undef x0
    %undef x1
    %undef x2
%endmacro

%macro FOLDS 0
FOLD norm, 0
FOLD refl, 0
FOLD norm, 1
FOLD refl, 1
%endmacro

TIER sse
FOLDS
FOLD iscsi, 0
FOLD iscsi, 1
FOLD norm, NON_TEMPORAL
FOLD refl, NON_TEMPORAL
TIER avx
FOLDS
FOLD norm, NON_TEMPORAL
FOLD refl, NON_TEMPORAL
FOLD iscsi, 0
FOLD iscsi, 1
TIER avx2
FOLD norm, 0
FOLD norm, 1
TIER avx2_v
FOLDS
TIER avx512
FOLDS
FOLD iscsi, 0
FOLD iscsi, 1
