; Multiply-accumulate over GF(2^8)/0x11d: dst_r ^= c_r * src for R rows at once, and dst = c * src.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "erasure_code/gf_mul.inc"

; Names the vector registers of a kernel of R rows by C columns, as gf_mul.inc does, and
;     tl_r th_r    low and high table, or the matrix, of row r, in registers throughout
;     res_r_c      sums: one register each if mad_registers suffices (mad_stores_last); else all
;                  in p0, each stored at once
%macro MAD_REGISTERS 2
    %assign %%n 0
    %assign %%r 0
    %rep %1
        %xdefine tl_%[%%r] v%[%%n]
        %assign %%n %%n + 1
        %if !HAS_GFNI
            %xdefine th_%[%%r] v%[%%n]
            %assign %%n %%n + 1
        %endif
        %assign %%r %%r + 1
    %endrep
    %assign %%c 0
    %rep %2
        %xdefine hi_%[%%c] v%[%%n]
        %assign %%n %%n + 1
        %if !HAS_GFNI
            %xdefine lo_%[%%c] v%[%%n]
            %assign %%n %%n + 1
        %endif
        %assign %%c %%c + 1
    %endrep
    %xdefine p0 v%[%%n]
    %assign %%n %%n + 1
    %xdefine p1 v%[%%n]
    %assign %%n %%n + 1
    %assign mad_stores_last %%n + %1 * %2 <= mad_registers
    %assign %%r 0
    %rep %1
        %assign %%c 0
        %rep %2
            %if mad_stores_last
                %xdefine res_%[%%r]_%[%%c] v%[%%n]
                %assign %%n %%n + 1
            %else
                %xdefine res_%[%%r]_%[%%c] p0
            %endif
            %assign %%c %%c + 1
        %endrep
        %assign %%r %%r + 1
    %endrep
    %assign gf_registers_used %%n
%endmacro

; The macros below share these parameters:
;     R, C          rows and columns of vectors
;     accumulate    1: dst ^= product; 0: dst = product
;     kind          how vectors are read and written; C = 1 except for full:
;                   full      whole vectors at the width in force
;                   masked    under k1
;                   piece     end < 16 bytes
;                   overlap   the vector that ends at `end`. Its bytes before pos are finished; they
;                             are cleared in the source, so that they add nothing.

; One pass over C vectors at pos.
%macro MAD_PASS 4                       ; R, C, accumulate, kind
    %ifidn %4, overlap
        lea     ptr, [isalk_gf_tail_mask + 32]
        sub     ptr, pos
        lea     i, [end - VW]
        vload   p0, [ptr + i]           ; VW - n bytes of 0, then n of 0xff, n = end - pos
        mov     pos, i
    %endif
    %assign %%c 0
    %rep %2
        MAD_LOAD hi_%[%%c], src, %%c, %4
        %ifidn %4, overlap
            vand    hi_%[%%c], hi_%[%%c], p0
        %endif
        GF_SPLIT %%c
        %assign %%c %%c + 1
    %endrep
    %assign %%r 0
    %rep %1
        %assign %%c 0
        %rep %2
            MAD_SUM %%r, %%c, %3, %4
            IF !mad_stores_last, MAD_STORE res_%[%%r]_%[%%c], d%[%%r], %%c, %4
            %assign %%c %%c + 1
        %endrep
        %assign %%r %%r + 1
    %endrep
    IF mad_stores_last, MAD_STORE_ALL %1, %2, %4
%endmacro

; Every load comes before the first store. Otherwise, with destinations at the same offset in their
; pages, a load would wait for the store before it, because the low 12 bits of their addresses are
; equal.
%macro MAD_STORE_ALL 3                  ; R, C, kind
    %assign %%r 0
    %rep %1
        %assign %%c 0
        %rep %2
            MAD_STORE res_%[%%r]_%[%%c], d%[%%r], %%c, %3
            %assign %%c %%c + 1
        %endrep
        %assign %%r %%r + 1
    %endrep
%endmacro

; res = the product, XOR dst if accumulating
%macro MAD_SUM 4                        ; row, column, accumulate, kind
    %assign mad_dst_added 0
    %if HAS_GFNI
        vaffine res_%[%1]_%[%2], hi_%[%2], tl_%[%1]
    %else
        vshufb  res_%[%1]_%[%2], tl_%[%1], lo_%[%2]
        vshufb  p1, th_%[%1], hi_%[%2]
        MAD_ADD_PRODUCT %1, %2, %3, %4
    %endif
    %if %3 && !mad_dst_added
        MAD_ADD_DST %1, %2, %4
    %endif
%endmacro

; res ^= p1. mad_dst_added: one vpternlog has added dst too.
%macro MAD_ADD_PRODUCT 4                ; row, column, accumulate, kind
    %ifidn %4, full
        %assign mad_dst_added HAS_EVEX && %3
    %endif
    %if mad_dst_added
        vpternlogq res_%[%1]_%[%2], p1, [d%[%1] + pos + %2 * VW], XOR3
    %else
        vxor    res_%[%1]_%[%2], res_%[%1]_%[%2], p1
    %endif
%endmacro

; res ^= dst
%macro MAD_ADD_DST 3                    ; row, column, kind
    %assign %%in_memory 0
    %ifidn %3, full                     ; other loads stop at the end of the buffer
        %assign %%in_memory HAS_VEX
    %endif
    %if %%in_memory
        vxor    res_%[%1]_%[%2], res_%[%1]_%[%2], [d%[%1] + pos + %2 * VW]
    %else
        MAD_LOAD p1, d%[%1], %2, %3
        vxor    res_%[%1]_%[%2], res_%[%1]_%[%2], p1
    %endif
%endmacro

%macro MAD_LOAD 4                       ; register, pointer, column, kind
    %ifidn %4, masked
        vloadm  %1, k1, [%2 + pos]
    %elifidn %4, piece
        vload_piece %1, %2, end
    %else
        vload   %1, [%2 + pos + %3 * VW]
    %endif
%endmacro

%macro MAD_STORE 4                      ; register, pointer, column, kind
    %ifidn %4, masked
        vstorem [%2 + pos], k1, %1
    %elifidn %4, piece
        vstore_piece %2, end, %1
    %else
        vstore  [%2 + pos + %3 * VW], %1
    %endif
%endmacro

; Processes the bytes from pos to end, one vector at a time, at the width in force. Preconditions:
; pos < end, end >= VW. Jumps to the label if the last vector is whole.
%macro MAD_VECTORS 3                    ; R, accumulate, label
    MAD_REGISTERS %1, 1
%%vector:
    lea     i, [pos + VW]
    cmp     i, end
    ja      %%overlap
    MAD_PASS %1, 1, %2, full
    add     pos, VW
    cmp     pos, end
    jb      %%vector
    jmp     %3
%%overlap:
    MAD_PASS %1, 1, %2, overlap
%endmacro

; Loads the tables of all rows, and pointers to their destinations.
%macro MAD_ROWS 1                       ; R
    shl     k, 5
    IF HAS_GFNI, lea     ptr, [isalk_gf_affine]
    %assign %%r 0
    %rep %1
        %if HAS_GFNI
            movzx   i_d, byte [t + 1]
            vbcastq tl_%[%%r], [ptr + i * 8]
        %else
            vbcast16 tl_%[%%r], [t]
            vbcast16 th_%[%%r], [t + 16]
        %endif
        add     t, k
        mov     d%[%%r], [dst + %%r * 8]
        %assign %%r %%r + 1
    %endrep
%endmacro

; Processes the bytes from pos to end, less than C vectors. A masked store is not forwarded to a
; later load, and the next call may load what this one stores. Therefore only the last, partial
; vector has an opmask. Jumps to the label if there is no partial vector.
%macro MAD_TAIL_MASKED 3                ; R, accumulate, label
    MAD_REGISTERS %1, 1
    lea     i, [pos + VL]
    cmp     i, end
    ja      %%less_than_a_vector
%%vector:
    MAD_PASS %1, 1, %2, full
    add     pos, VL
    lea     i, [pos + VL]
    cmp     i, end
    jbe     %%vector
%%less_than_a_vector:
    mov     i, end
    sub     i, pos
    jbe     %3
    or      ptr, -1
    bzhi    ptr, ptr, i
    kmovq   k1, ptr
    MAD_PASS %1, 1, %2, masked
%endmacro

; The same without opmasks.
%macro MAD_TAIL 3                       ; R, accumulate, label
    cmp     pos, end
    jae     %3
    cmp     end, VL
    jb      %%less_than_a_vector
    MAD_VECTORS %1, %2, %3
    jmp     %3
%%less_than_a_vector:                   ; pos is 0
    VWIDTH 16
    %if VL > 16
        cmp     end, 16
        jb      %%piece
        MAD_VECTORS %1, %2, %3
        jmp     %3
%%piece:
    %endif
    MAD_REGISTERS %1, 1
    MAD_PASS %1, 1, %2, piece
%endmacro

; void isalk_gf_mad<R>_<tier>(size_t pos, size_t end, size_t k, const uint8_t *tbls,
;                             const uint8_t *src, uint8_t *const *dst)
; void isalk_gf_mul_<tier>(...)       dst[0] = c * src; R = 1, and dst[0] may be src
;
; For r < R and pos <= b < end: dst[r][b] ^= c[r] * src[b], where the 32-byte table of c[r] is at
; tbls + 32 * r * k. pos is 0 or a multiple of 64; end is any number (gf_mul without AVX-512: a
; multiple of the vector length). No alignment is required; no byte outside [0, end) is read or
; written. The last vector may overlap bytes before pos and write them back unchanged. dst must not
; overlap src.
;
; Registers: d0-d5 destinations; i, ptr scratch; vectors above.
; Main loop, 64 bytes of source on AVX-512: 2 R shuffles on port 5, R + 3 other vector uops, R
; stores. R = 1 has 6 uops for ports 0 and 5, 3 cycles; from R = 3 up port 5 is the bottleneck, with
; 2 R cycles. With GFNI a row takes a product, an addition, a load and a store. The L1 cache is the
; bottleneck: 1.7 cycles on Sapphire Rapids for R = 1, 1.35 a row for R = 4, with any C and any
; order of the instructions.
; Source: as in gf_dot.asm.
%macro GF_MAD 4                         ; kernel, R, C, accumulate
KERNEL %1, pos, end, k, t, src, dst
    LOCALS  i, ptr
    %assign %%r 0
    %rep %2
        LOCALS  d%[%%r]
        %assign %%r %%r + 1
    %endrep
    %assign mad_registers VREGS
    MAD_REGISTERS %2, 1
    %assign mad_vectors gf_registers_used
    MAD_REGISTERS %2, %3
    GF_VECTORS mad_vectors < gf_registers_used ? gf_registers_used : mad_vectors
    MAD_ROWS %2
    GF_NIBBLE_MASK
    %if !HAS_GFNI
        %assign mad_registers VREGS - !nib_in_memory
    %endif
    lea     i, [pos + %3 * VL]
    cmp     i, end
    ja      .columns_done
.columns:
    MAD_PASS %2, %3, %4, full
    add     pos, %3 * VL
    lea     i, [pos + %3 * VL]
    BRANCH_PAIR 9
    cmp     i, end
    jbe     .columns
.columns_done:                          ; less than C vectors remain
    %if HAS_EVEX
        MAD_TAIL_MASKED %2, %4, .done
    %else
        MAD_TAIL %2, %4, .done
    %endif
.done:
ENDKERNEL
%endmacro

%macro GF_MADS 1-*                      ; C for R = 1, 2, ...
    GF_MAD gf_mul, 1, %1, 0
    %assign %%r 1
    %rep %0
        GF_MAD gf_mad%[%%r], %%r, %1, 1
        %assign %%r %%r + 1
        %rotate 1
    %endrep
%endmacro

TIER sse
GF_MADS 1, 1, 1, 1, 1, 1
TIER avx
GF_MADS 2, 2, 2, 2, 1, 1
TIER avx2
GF_MADS 2, 2, 2, 2, 1, 1
TIER avx2_v
GF_MADS 2, 2, 2, 2, 2, 2
TIER avx512
GF_MADS 2, 2, 2, 2, 2, 2
TIER avx512_v
GF_MADS 2, 2, 2, 2, 2, 2
