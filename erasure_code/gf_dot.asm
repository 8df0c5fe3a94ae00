; Dot products over GF(2^8)/0x11d: out_r = XOR_j c[r][j] * src_j for R rows at once.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "erasure_code/gf_mul.inc"

; The macros below share these parameters:
;     R, C      rows and columns of vectors
;     ones      number of leading rows whose coefficients are all one: 0 or 1
;     kind      how vectors are read and written: full, masked (the last column under k1) or piece
;               (C = 1, end < 16 bytes)

; One pass: rows 0..R-1 over C vectors at pos, all k sources. In: registers as GF_SETUP leaves them.
; Overwrites i and ptr.
%macro DOT_PASS 4                       ; R, C, ones, kind
    mov     i, k
    %if dot_pairs
        test    k_d, 4
        jz      %%even
        DOT_SOURCE %1, %2, %3, %4, 1
        add     i, 4
        jnz     %%pair
        jmp     %%summed
%%even:
        DOT_ZERO %1, %2
%%pair:                                 ; acc = sum over the sources before k + i / 4
        DOT_TWO_SOURCES %1, %2, %3, %4
        BRANCH_PAIR 10
        add     i, 8
        jnz     %%pair
%%summed:
    %else
        DOT_ZERO %1, %2
%%source:                               ; acc = sum over the sources before k + i / 4
        DOT_SOURCE %1, %2, %3, %4, 0
        BRANCH_PAIR 10
        add     i, 4
        jnz     %%source
    %endif
    %assign %%r 0
    %rep %1
        mov     ptr, [dst + %%r * 8]
        %assign %%c 0
        %rep %2
            DOT_STORE acc_%[%%r]_%[%%c], %%c, %2, %4
            %assign %%c %%c + 1
        %endrep
        %assign %%r %%r + 1
    %endrep
%endmacro

%macro DOT_ZERO 2                       ; R, C
    %assign %%r 0
    %rep %1
        %assign %%c 0
        %rep %2
            vzero   acc_%[%%r]_%[%%c]
            %assign %%c %%c + 1
        %endrep
        %assign %%r %%r + 1
    %endrep
%endmacro

; acc ^= the products of source i. `first`: acc = the products.
%macro DOT_SOURCE 5                     ; R, C, ones, kind, first
    DOT_PREFETCH %2, %4
    mov     ptr, [src + i * 2]
    DOT_PREFETCH_LINE %4
    IF dot_tables_first, DOT_TABLES %1, %3
    %assign %%c 0
    %rep %2
        DOT_COLUMN %1, %2, %3, %4, %5, %%c
        %assign %%c %%c + 1
    %endrep
    IF !dot_tables_first, DOT_ROWS %1, %2, %3, %5
%endmacro

; The tables of rows `ones` to R - 1 for source i, in table r.
%macro DOT_TABLES 2                     ; R, ones
    %assign %%r %2
    %rep %1 - %2
        GF_TABLE %%r, %%r
        %assign %%r %%r + 1
    %endrep
%endmacro

; Loads a column and adds it to a row of ones. If the tables of all rows are in registers, also adds
; the products.
%macro DOT_COLUMN 6                     ; R, C, ones, kind, first, column
    %assign %%d %6 % dot_data
    %if %1 == %3 && (%5 || HAS_VEX)
        DOT_ADD_COLUMN %2, %4, %5, %6, %%d
    %else
        DOT_LOAD hi_%[%%d], %6, %2, %4
        IF %3 && %5, vmove   acc_0_%[%6], hi_%[%%d]
        IF %3 && !%5, vxor    acc_0_%[%6], acc_0_%[%6], hi_%[%%d]
        IF %1 > %3, GF_SPLIT %%d
    %endif
    %if dot_tables_first
        %assign %%r %3
        %rep %1 - %3
            DOT_PRODUCT %%r, %6, %%d, %%r, %6 + 1 == %2, %5
            %assign %%r %%r + 1
        %endrep
    %endif
%endmacro

; Adds a column to the only row, a row of ones; where possible, as an operand in memory.
%macro DOT_ADD_COLUMN 5                 ; C, kind, first, column, data
    %if %3
        DOT_LOAD acc_0_%[%4], %4, %1, %2
    %elifidn %2, full
        vxor    acc_0_%[%4], acc_0_%[%4], [ptr + pos + %4 * VW]
    %else
        DOT_LOAD hi_%[%5], %4, %1, %2
        vxor    acc_0_%[%4], acc_0_%[%4], hi_%[%5]
    %endif
%endmacro

; Adds the products of all columns, which are in registers, row by row.
%macro DOT_ROWS 4                       ; R, C, ones, first
    %assign %%r %3
    %rep %1 - %3
        GF_TABLE %%r, 0
        %assign %%c 0
        %rep %2
            DOT_PRODUCT %%r, %%c, %%c, 0, %%c + 1 == %2, %4
            %assign %%c %%c + 1
        %endrep
        %assign %%r %%r + 1
    %endrep
%endmacro

%macro DOT_PRODUCT 6                    ; row, column, data, table, last use of the table, first
    %if %6
        vaffine acc_%[%1]_%[%2], hi_%[%3], tl_%[%4]
    %else
        GF_MADD acc_%[%1]_%[%2], %3, %4, %5
    %endif
%endmacro

; acc ^= the products of source i and the next one. One vpternlog adds both. Port 5, which cannot
; run affine products, then has room for uops that the core sends there although other ports could
; run them.
%macro DOT_TWO_SOURCES 4                ; R, C, ones, kind
    DOT_PREFETCH %2, %4
    DOT_PREFETCH %2, %4
    mov     ptr, [src + i * 2]
    %if dot_tables_first
        %assign %%r %3
        %rep %1 - %3
            %assign %%t %%r + %1
            GF_TABLE %%r, %%r, 0
            GF_TABLE %%r, %%t, 1
            %assign %%r %%r + 1
        %endrep
        mov     ptr1, [src + i * 2 + 8]
        DOT_PREFETCH_WIDE %2, %4, ptr
        DOT_PREFETCH_WIDE %2, %4, ptr1
        %assign %%c 0
        %rep %2
            DOT_LOAD hi_0, %%c, %2, %4
            DOT_SECOND_COLUMN %1, %2, %3, %4, %%c
            %assign %%r %3
            %rep %1 - %3
                DOT_TWO_PRODUCTS %%r, %%c, 0, 1, %%r, %%r + %1
                %assign %%r %%r + 1
            %endrep
            %assign %%c %%c + 1
        %endrep
    %else
        DOT_TWO_COLUMNS %1, %2, %3, %4
        %assign %%r %3
        %rep %1 - %3
            GF_TABLE %%r, 0, 0
            GF_TABLE %%r, 1, 1
            %assign %%c 0
            %rep %2
                DOT_TWO_PRODUCTS %%r, %%c, %%c, %2 + %%c, 0, 1
                %assign %%c %%c + 1
            %endrep
            %assign %%r %%r + 1
        %endrep
    %endif
%endmacro

; Loads a column of the second source, at ptr1, and adds it and hi_0 to a row of ones.
%macro DOT_SECOND_COLUMN 5              ; R, C, ones, kind, column
    %assign %%in_memory 0
    %ifidn %4, full
        %assign %%in_memory %1 == %3
    %endif
    %if %%in_memory
        vxor3   acc_0_%[%5], hi_0, [ptr1 + pos + %5 * VW]
    %else
        DOT_LOAD hi_1, %5, %2, %4, ptr1
        IF %3, vxor3   acc_0_%[%5], hi_0, hi_1
    %endif
%endmacro

; Loads all columns of both sources and adds them to a row of ones.
%macro DOT_TWO_COLUMNS 4                ; R, C, ones, kind
    %assign %%c 0
    %rep %2
        DOT_LOAD hi_%[%%c], %%c, %2, %4
        %assign %%c %%c + 1
    %endrep
    DOT_PREFETCH_WIDE %2, %4, ptr
    mov     ptr, [src + i * 2 + 8]
    DOT_PREFETCH_WIDE %2, %4, ptr
    %assign %%c 0
    %rep %2
        %assign %%d %2 + %%c
        DOT_LOAD hi_%[%%d], %%c, %2, %4
        IF %3, vxor3   acc_0_%[%%c], hi_%[%%c], hi_%[%%d]
        %assign %%c %%c + 1
    %endrep
%endmacro

%macro DOT_TWO_PRODUCTS 6               ; row, column, data and tables of both sources
    %assign %%d %4
    %assign %%t %6
    vaffine p0, hi_%[%3], tl_%[%5]
    vaffine p1, hi_%[%%d], tl_%[%%t]
    vxor3   acc_%[%1]_%[%2], p0, p1
%endmacro

; Names the registers for R rows by C columns. If the tables of all rows fit in registers, they are
; loaded before the columns (one register remains for the nibble mask). Uops for port 5 then mix
; better with those for port 0 or 5, which gains 1 to 5 % on AVX-512.
%macro DOT_REGISTERS 2                  ; R, C
    %if dot_pairs
        %assign dot_tables_first %1 * %2 + 2 * %1 + 4 <= VREGS
        %if dot_tables_first
            %assign dot_data 2
            GF_REGISTERS %1, %2, 2, 2 * %1
        %else
            %assign dot_data 2 * %2
            GF_REGISTERS %1, %2, 2 * %2, 2
        %endif
    %else
        %assign %%products 1 + (HAS_EVEX && !HAS_GFNI)
        %assign dot_tables_first %1 * %2 + (2 - HAS_GFNI) * (%1 + %2) + %%products < VREGS
        %assign dot_data %2
        %if dot_tables_first
            GF_REGISTERS %1, %2, %2, %1
        %else
            GF_REGISTERS %1, %2, %2, 1
        %endif
    %endif
%endmacro

; Prefetch distance in steps of the loop, across the end of this pass into the next one. Three are
; enough for the L2 cache. Lines of page-aligned sources share eight places in the L1 cache; with
; three steps they are used before they are evicted. 10+4 and 20+4 in L2 gain 1.2x over prefetching
; the whole next pass, which gains 1.2x over no prefetch. With two or three rows the narrow tiers
; have no issue slots left for this. They prefetch the next line instead: 1.15x to 1.2x on AVX2 and
; 1.04x on SSE in L2. With one row neither gains.
DOT_AHEAD equ 3

; Prefetch distance in bytes within each source, for the GFNI kernels of five and six rows, which
; have no registers for DOT_AHEAD. On Sapphire Rapids, beyond the L2 cache, it gains 1.2x to 1.5x
; with 24+12 and 32+10, 1.1x with 20+20, and loses 1.08x with 10+5; 256 and 1024 bytes gain less. In
; L2 it changes nothing. If many sources are multiples of 256 KB apart, their lines evict each
; other: 32+10 then loses 1.6x. Moving end and dst to memory, to free registers for DOT_AHEAD,
; gained less in L3 and lost up to 1.2x in L1 and L2.
DOT_WIDE_AHEAD equ 512

; Prefetch distance in bytes for sources larger than twice the L2 cache: k times the end of this
; tile exceeds DOT_FAR_DATA. 10+4 of cold 1 MB shards gains 1.05x, 20+4 1.09x; 256 and 512 gain
; less, 2048 the same. Smaller sources may be in L2 or L3, where it loses up to 1.15x.
DOT_FAR_DATA equ 2 << 20
DOT_FAR equ 1024

%macro DOT_PREFETCH_LOCALS 2            ; R, C
    %assign dot_prefetches %1 > 3 - 2 * HAS_EVEX && %2 * VL >= 64
    %if %1 + 9 + 2 * HAS_GFNI > ABI_REGISTERS
        %assign dot_prefetches 0
    %endif
    %assign dot_next_line %1 > 1 && %1 < 4 && !HAS_EVEX
    %assign dot_wide HAS_EVEX && %1 > 4 && !dot_prefetches
    %if dot_prefetches
        LOCALS  ahead, ahead_pos
    %endif
%endmacro

%macro DOT_PREFETCH_STEP 1              ; C
    lea     ptr, [ahead_pos + %1 * VL]
    add     ahead, 4
    cmovz   ahead_pos, ptr
    cmovz   ahead, k
%endmacro

%macro DOT_PREFETCH_START 1             ; C
    %if dot_prefetches
        mov     ahead_pos, pos
        mov     ahead, k
        mov     ptr, end
        imul    ptr, k
        lea     i, [pos + DOT_FAR]
        cmp     ptr, -4 * DOT_FAR_DATA
        cmovl   ahead_pos, i
        %rep DOT_AHEAD
            DOT_PREFETCH_STEP %1
        %endrep
    %endif
%endmacro

%macro DOT_PREFETCH 2                   ; C, kind
    %assign %%prefetch 0
    %ifidn %2, full
        %assign %%prefetch dot_prefetches
    %endif
    %if %%prefetch
        mov     ptr, [src + ahead * 2]
        %assign %%c 0
        %rep %1 * VL / 64
            prefetcht0 [ptr + ahead_pos + %%c * 64]
            %assign %%c %%c + 1
        %endrep
        DOT_PREFETCH_STEP %1
    %endif
%endmacro

%macro DOT_PREFETCH_LINE 1              ; kind
    %ifidn %1, full
        IF dot_next_line, prefetcht0 [ptr + pos + 64]
    %endif
%endmacro

%macro DOT_PREFETCH_WIDE 3              ; C, kind, pointer
    %ifidn %2, full
        %if dot_wide
            %assign %%c 0
            %rep %1
                prefetcht0 [%3 + pos + DOT_WIDE_AHEAD + %%c * 64]
                %assign %%c %%c + 1
            %endrep
        %endif
    %endif
%endmacro

%macro DOT_LOAD 4-5 ptr                 ; register, column, C, kind, pointer
    %assign %%masked 0
    %ifidn %4, masked
        %assign %%masked %2 + 1 == %3
    %endif
    %ifidn %4, piece
        vload_piece %1, %5, end
    %elif %%masked
        vloadm  %1, k1, [%5 + pos + %2 * VW]
    %else
        vload   %1, [%5 + pos + %2 * VW]
    %endif
%endmacro

%macro DOT_STORE 4                      ; register, column, C, kind
    %assign %%masked 0
    %ifidn %4, masked
        %assign %%masked %2 + 1 == %3
    %endif
    %ifidn %4, piece
        vstore_piece ptr, end, %1
    %elif %%masked
        vstorem [ptr + pos + %2 * VW], k1, %1
    %else
        vstore  [ptr + pos + %2 * VW], %1
    %endif
%endmacro

; One masked pass over C vectors, of which i bytes remain, (C - 1) * VL < i.
%macro DOT_MASKED 3                     ; R, C, ones
    DOT_REGISTERS %1, %2
    IF %2 > 1, sub     i, (%2 - 1) * VL
    or      ptr, -1
    bzhi    ptr, ptr, i                 ; all ones when the last vector is whole
    kmovq   k1, ptr
    DOT_PASS %1, %2, %3, masked
    add     pos, %2 * VL
%endmacro

; Processes the bytes from pos to end, one vector at a time, at the width in force; the last vector
; overlaps the one before it. Preconditions: pos < end, end >= VW.
%macro DOT_OVERLAPPED 2                 ; R, ones
    DOT_REGISTERS %1, 1
%%vector:
    lea     i, [end - VW]
    cmp     pos, i
    cmova   pos, i
    DOT_PASS %1, 1, %2, full
    add     pos, VW
    cmp     pos, end
    jb      %%vector
%endmacro

; Processes the bytes from pos to end with opmasks: at least one byte, less than C vectors. May jump
; to %3 at the end.
%macro DOT_TAIL_MASKED 3                ; R, ones, label
%%remaining:
    mov     i, end
    sub     i, pos
    cmp     i, VL
    jbe     %%last_vector
    DOT_MASKED %1, 2, %2
    cmp     pos, end
    jb      %%remaining
    jmp     %3
%%last_vector:
    DOT_MASKED %1, 1, %2
%endmacro

; The same without opmasks.
%macro DOT_TAIL 3                       ; R, ones, label
    cmp     end, VL
    jb      %%less_than_a_vector
    DOT_OVERLAPPED %1, %2
    jmp     %3
%%less_than_a_vector:                   ; pos is 0
    VWIDTH 16
    %if VL > 16
        cmp     end, 16
        jb      %%piece
        DOT_OVERLAPPED %1, %2
        jmp     %3
%%piece:
    %endif
    DOT_REGISTERS %1, 1
    DOT_PASS %1, 1, %2, piece
%endmacro

; void isalk_gf_dot<R>_<tier>(size_t pos, size_t end, size_t k, const uint8_t *tbls,
;                             uint8_t *const *src, uint8_t *const *dst)
; void isalk_gf_dot<R>_ones_<tier>(...)     the same where all coefficients of row 0 are one
;
; For r < R and pos <= b < end: dst[r][b] = XOR over j < k of c[r][j] * src[j][b], where the 32-byte
; table of c[r][j] is at tbls + 32 * (r * k + j). k >= 1. pos is 0 or a multiple of 64; end is any
; number. No alignment is required; no byte outside [0, end) is read or written. The bytes before
; pos must be finished: the last vector may overlap them and write them again. dst must not overlap
; src.
;
; Registers: t0 .. t(R-1) tables of the rows, i source index, ptr scratch; vectors in gf_mul.inc.
; Main loop: R rows x C vectors for each source. 64 bytes of source on AVX-512 cost 2 R shuffles on
; port 5 and R + 3 other vector uops. Port 5 is the bottleneck from R = 3 up: R/32 cycles a byte.
; With GFNI they cost R affine products on port 0 and R / 2 additions: R/64 cycles a byte.
; Source of the nibble-table product: Anvin, "The mathematics of RAID-6"; Plank, Greenan and Miller,
; "Screaming fast Galois field arithmetic using Intel SIMD instructions", FAST 2013.
%macro GF_DOT 4                         ; kernel, R, C, ones
KERNEL %1, pos, end, k, t0, src, dst
    LOCALS  i, ptr
    GF_ROW_POINTERS %2
    %assign dot_pairs HAS_EVEX && (HAS_GFNI || %2 == %4)
    %if HAS_GFNI
        %define ptr1 coef
    %elif dot_pairs
        LOCALS  ptr1
    %endif
    DOT_PREFETCH_LOCALS %2, %3
    DOT_REGISTERS %2, %3
    GF_VECTORS %2 == %4 ? %3 + HAS_EVEX : gf_registers_used
    GF_SETUP %2
    lea     i, [pos + %3 * VL]
    cmp     i, end
    ja      .columns_done
    DOT_PREFETCH_START %3
.columns:
    DOT_PASS %2, %3, %4, full
    add     pos, %3 * VL
    lea     i, [pos + %3 * VL]
    cmp     i, end
    jbe     .columns
.columns_done:                          ; less than C vectors remain: nothing to prefetch
    %assign dot_prefetches 0
    cmp     pos, end
    jae     .done
    %if HAS_EVEX
        DOT_TAIL_MASKED %2, %4, .done
    %else
        DOT_TAIL %2, %4, .done
    %endif
.done:
ENDKERNEL
%endmacro

; The kernels of a tier. More columns amortize table loads and loop control; the vector registers
; limit R * C.
%macro GF_DOTS 1-*                      ; C for R = 1, 2, ...
    %assign %%r 1
    %rep %0
        GF_DOT gf_dot%[%%r], %%r, %1, 0
        GF_DOT gf_dot%[%%r]_ones, %%r, %1, 1
        %assign %%r %%r + 1
        %rotate 1
    %endrep
%endmacro

TIER sse
GF_DOTS 2, 2, 2, 2, 1, 1
TIER avx
GF_DOTS 4, 2, 2, 2, 1, 1
TIER avx2
GF_DOTS 4, 2, 2, 2, 1, 1
TIER avx2_v
GF_DOTS 4, 4, 2, 2, 2, 1
TIER avx512
GF_DOTS 4, 4, 4, 2, 2, 2
TIER avx512_v
GF_DOTS 4, 4, 4, 4, 4, 2
