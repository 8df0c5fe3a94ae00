; CRCs of any polynomial by folding with carry-less multiplication.
; SPDX-License-Identifier: BSD-3-Clause
;
; Sources: Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction",
; Intel 2009, for folding. Blocks, constants and the reduction are in crc.inc.

%include "asm/kernel.inc"
%include "crc/crc.inc"
%include "crc/crc_short.inc"
%include "crc/crc_iscsi_rows.inc"

extern isalk_crc32_iscsi_k

RODATA
; Bytes in reverse: between memory and blocks in normal order.
align 64
crc_swap:
%rep 4
        db      15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
%endrep
; Shuffles that move a vector by r bytes and shift in zeros: at slide_table + r up by 16 - r, at
; slide_table + 16 + r down by r.
SLIDE_TABLE
; From byte r on: the last r bytes of a vector.
crc_mask:
        times 16 db 0
        times 16 db 0xff

; Normal order: from how many bytes on 32-byte vectors are used. Short calls do without: a core that
; has not used the upper halves of late takes 10 microseconds and more to power them up.
FOLD_WIDE_SWAP equ 512

%define FOLD_SWAPS_WIDE (fold_norm && VL > 16 && HAS_VCLMUL == 0)


; Up to how many bytes CRC-32C is not folded, and if they are no multiple of 8. At 64, folding gains
; a third when calls wait for each other, but loses a tenth or more when not.
FOLD_MOST_ISCSI equ 64
FOLD_MOST_PARTIAL_ISCSI equ 56
; Copies move quadwords by two instructions more each, blocks by one.
FOLD_MOST_ISCSI_COPY equ 95

; How far ahead the long loops fetch. From memory: 12.1 GB/s instead of 10.9, where a plain read
; loop has 12.0; in the caches there is no difference.
FOLD_AHEAD equ 2048

NON_TEMPORAL equ 2                      ; how a kernel copies, if not 0 or 1

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
    %if fold_copy == NON_TEMPORAL
        STORE_NON_TEMPORAL [buf + dst + %2], %1
    %elif fold_copy
        vstore  [buf + dst + %2], %1
    %endif
    %if fold_norm
        vshufb  %1, %1, %3
    %endif
%endmacro

; Sums C blocks at buf in the last of them, and moves that to `sum`. Each of the others moves by its
; own distance: that is independent work, where folding one into the next would be a chain. The
; first group is given `pending`; the next ones take the sum so far along.
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

; The state after the block `sum`.
%macro FOLD_REDUCE 1                    ; order
    %if fold_iscsi
    vmoveq  t, sum
    vextract u, q, sum, 1
    xor     result_d, result_d
    crc32   result, t                   ; it multiplies by x^32 and reduces
    crc32   result, u
    %else
    vload   xq, [k + crc_constants.quotient]
    vload   xp, [k + crc_constants.divisor]
    CRC_REDUCE %1, result, sum, xq, xp, x0, x1
    %endif
%endmacro

; uint64_t isalk_crc_fold_<order>_<tier>(uint64_t state, const uint8_t *buf,
;                                        const struct crc_constants *k, size_t len)
; uint64_t isalk_crc_copy_<order>_<tier>(uint64_t state, const uint8_t *buf,
;                                        const struct crc_constants *k, size_t len, uint8_t *dst)
;
; Returns the state after len bytes at buf, of which the copying kernel makes a copy at dst. Any
; length and alignment; dst may be buf.
;
; The message grows zeros in front until its length is a multiple of 16, which changes no CRC. Then
; eight sums of blocks 128 bytes apart, added up at one level; groups of 4, 2 and 1 block; and the
; reduction.
;
; isalk_crc_copy_nt_<order>_<tier> copies with non-temporal stores. It wants a multiple of 128
; bytes, at least that, and dst aligned to 16.
;
; Registers: buf is the next block; len the bytes from there; `pending` what is still to be added to
; the block there, at first the state; sum the blocks before, once there are any.
; Main loop: 128 bytes for 16 products, port 5 of Skylake: 8 bytes a cycle. In normal order the byte
; swaps share that port: 5.3 bytes a cycle with 16-byte shuffles, 6.4 with 32-byte ones. With
; VPCLMULQDQ products are of two or four blocks.
%macro FOLD 2                           ; order: norm / refl / iscsi, copy: 0, 1 or NON_TEMPORAL
    %define fold_norm 0
    %define fold_iscsi 0
    %ifidn %1, norm
        %define fold_norm 1
    %elifidn %1, iscsi
        %define fold_iscsi 1
    %endif
    %define fold_copy %2
    %if fold_copy == NON_TEMPORAL
KERNEL crc_copy_nt_%1, state, buf, k, len, dst
    %elif fold_copy
KERNEL crc_copy_%1, state, buf, k, len, dst
    %elif fold_iscsi
KERNEL_ISCSI
    %else
KERNEL crc_fold_%1, state, buf, k, len
    %endif
    LOCALS result, t, u
    VECTORS 16 - fold_iscsi
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
    %if fold_copy
    sub     dst, buf                    ; so that one pointer does for both
    %endif
    %if fold_iscsi
        %if fold_copy
    FOLD_SHORT_ISCSI FOLD_MOST_ISCSI_COPY, FOLD_MOST_ISCSI_COPY
        %else
    FOLD_SHORT_ISCSI FOLD_MOST_ISCSI, FOLD_MOST_PARTIAL_ISCSI
    cmp     len, 96                     ; in a row, so that the short ones have the fewest jumps
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
    ISCSI_CONSTANTS
        %endif
    %else
    cmp     len, 16
    jb      .less_than_a_block
    %endif
    %if fold_norm
    vload   swap, [crc_swap]
    %endif
    STATE_TO_VECTOR pending
    %if fold_norm
    vslldq  pending, pending, 8
    %endif
    %if fold_iscsi == 0 && fold_copy != NON_TEMPORAL
    cmp     len, 64
    ja      .more_than_four
    cmp     len_d, 16
    je      .one_block
    FOLD_FEW %1
    %else
    test    len_d, 15
    jnz     .partial_block
    %endif
.blocks:                                ; len is a multiple of 16, not 0
    cmp     len, 128
    jae     .eight_blocks
.less_than_eight:
    test    len_d, 64
    jnz     .first_four
    test    len_d, 32
    jnz     .first_two
.one_block:
    LOAD_BLOCK v0, 0
    vxor    sum, pending, v0
.reduce:
    FOLD_REDUCE %1
    %if fold_iscsi == 0
    CRC_FINISH %1, result
    %endif
    %if fold_copy == NON_TEMPORAL
    sfence
    %endif
    RETURN_NARROW                       ; wide vectors have been cleared where they were used

.first_four:
    FOLD_GROUP 4, first
    test    len_d, 32 + 16
    jz      .reduce
    jmp     .less_than_four
.first_two:
    FOLD_GROUP 2, first
    jmp     .less_than_two

    %if fold_iscsi == 0 && fold_copy != NON_TEMPORAL
.more_than_four:
    test    len_d, 15
    jnz     .partial_block
    cmp     len, 128
    jb      .less_than_eight
    %endif
.eight_blocks:
    %if HAS_VCLMUL
    cmp     len, 8 * VL
    jae     .wide
    %endif
    %assign %%i 0
    %rep 8
        LOAD_BLOCK v%[%%i], %%i * 16
        %if %%i == 0
        vxor    v0, v0, pending
        %endif
        %assign %%i %%i + 1
    %endrep
    vload   row, [k + CRC_ROW_OF(128)]
    sub     len, 256
    jb      .sum_eight
    %if FOLD_SWAPS_WIDE
    cmp     len, FOLD_WIDE_SWAP - 256
    jae     .wide_swap
    %endif
.next_eight:                            ; len + 128 bytes from buf + 128 on
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
    test    len_d, 64 + 32 + 16         ; len is 128 too low, which these bits do not show
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

    %if HAS_VCLMUL
; Four vectors of several blocks, as far as they go; the sum moves on to what is left.
.wide:
    VWIDTH  VL
    %if fold_norm
    vload   v9, [crc_swap]              ; `swap`, and the same in the other lanes
    %endif
    LOAD_BLOCK v0, 0, v9
    LOAD_BLOCK v1, VL, v9
    LOAD_BLOCK v2, 2 * VL, v9
    LOAD_BLOCK v3, 3 * VL, v9
    vxor    v0, v0, v8                  ; `pending`, which is 0 in the other lanes
    vbcast16 v10, [k + CRC_ROW_OF(4 * VL)]
    sub     len, 8 * VL
.next_wide:                             ; len + 4 vectors from buf + 4 vectors on
    add     buf, 4 * VL
    %assign %%i 0
    %rep 4
        prefetcht0 [buf + FOLD_AHEAD + %%i * VL]
        LOAD_BLOCK v13, %%i * VL, v9
        CRC_FOLD v%[%%i], v10, v13, v14
        %assign %%i %%i + 1
    %endrep
    sub     len, 4 * VL
    jae     .next_wide
    add     buf, 4 * VL
    CRC_ADD_FOLDED v3, v0, [k + CRC_ROW_OF(3 * VL)], v13, v14
    CRC_ADD_FOLDED v3, v1, [k + CRC_ROW_OF(2 * VL)], v13, v14
    CRC_ADD_FOLDED v3, v2, [k + CRC_ROW_OF(VL)], v13, v14
    vextracti128 xmm8, ymm3, 1
    VWIDTH  16
    CRC_ADD_FOLDED sum, v3, [k + CRC_ROW_OF(16)], x0, x1
    vzeroupper
    add     len, 4 * VL
    jz      .reduce
    vload   row, [k + CRC_ROW_OF(16)]
    vzero   x0
    CRC_FOLD pending, row, x0, x1
    jmp     .blocks
    %endif

    %if FOLD_SWAPS_WIDE
; The same loop with byte swaps 32 bytes at a time, by way of memory: one shuffle for 32 bytes in
; place of two leaves port 5 at 6.4 bytes a cycle. Stores forward to the loads that they contain.
.wide_swap:
    mov     t, rsp
    sub     rsp, 128 + 32
    and     rsp, -32
    VWIDTH  32
    vload   v9, [crc_swap]              ; `swap`, and the same in the upper half
.next_swapped:
    sub     buf, -128
    prefetcht0 [buf + FOLD_AHEAD]
    prefetcht0 [buf + FOLD_AHEAD + 64]
    %if fold_copy                       ; in the L2 cache: 17.8 becomes 19.6 GB/s
    prefetcht0 [buf + dst + 512]
    prefetcht0 [buf + dst + 576]
    %endif
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
    jae     .next_swapped
    mov     rsp, t
    vzeroupper
    jmp     .sum_eight
    %endif

; len % 16 bytes are a block of their own, in front of which there are zeros.
.partial_block:
    mov     t_d, len_d
    and     t_d, 15
    lea     u, [slide_table]
    vload   v0, [buf]
    %if fold_copy
    vstore  [buf + dst], v0             ; what is too much will be written again, and is the same
    %endif
    %if fold_norm
    vshufb  pending, pending, swap      ; to the order of memory
    %endif
    vxor    v0, v0, pending
    vload   x0, [u + t]
    vload   x1, [u + t + 16]
    vshufb  v0, v0, x0
    vshufb  pending, pending, x1        ; the state's bytes beyond the block
    %if fold_norm
    vshufb  v0, v0, swap
    vshufb  pending, pending, swap
    %endif
    CRC_ADD_FOLDED pending, v0, [k + CRC_ROW_OF(16)], x0, x1
    add     buf, t
    sub     len, t
    jmp     .blocks

    %if fold_iscsi == 0
.less_than_a_block:
    FOLD_SHORT %1
    %endif
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
