; Search for the first group of 8 bytes in which 16 bits of the rolling hash have a given value.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "asm/offsets.inc"

; The algorithm. One vpermb reads a table of 64 bytes at 64 indices. Four of them, under masks, read
; one byte of T (rolling_scan.asm) for 64 bytes of data. All eight bytes of T take half a cycle for
; a byte of data. Such vectors, each of one byte of the hash, add up to the hash of a window:
;
; A block of 512 bytes is 64 groups of 8. Vector l of its 8 has byte l of each group, so that lane k
; is group k. P(l), the sum (XOR) of ror(T[byte i], i) over the bytes i <= l of a group, is the
; group's term in the window that ends at its byte l, rotated right by l bits. For a window of n
; groups, this is the window's hash, H(l, k), rotated right by l bits:
;
;     P(l, k) ^ rol(P(7, k - 1), 8) ^ ... ^ rol(P(7, k - n), 8 n) ^ rol(P(l, k - n), 8 n)
;
; These rotations are by whole bytes, so they select vectors. The tables contain the other
; rotations. Two bytes of H are computed, from n + 2 bytes of T and P, numbered from the highest:
; byte d of H depends on bytes d, d + 1, ... d + n of P. The terms of group k - m are loaded from m
; bytes before those of group k. Therefore the 8 bytes before a stored vector hold the end of the
; previous block's vector.

BLOCK            equ ROLLING_FILTER_BLOCK
GROUPS           equ 64
WINDOW           equ ROLLING_MAX_WINDOW ; bytes before the first tested one
TABLE            equ 256
TABLES_MIDDLE    equ 32 * TABLE         ; for displacements of one byte

; The stack frame: byte d of P(l) for d = 0 and 1, for d = n and n + 1, and of P(7) for all d.
ROW              equ 128
FRAME_HEAD       equ 0                  ; [l][d], 64 bytes each
FRAME_LAST       equ FRAME_HEAD + 8 * ROW
FRAME_WHOLE      equ FRAME_LAST + 16 * ROW
FRAME_SIZE       equ FRAME_WHOLE + 6 * ROW

%define head(l, d) rsp + FRAME_HEAD + (l) * ROW + (d) * 64
%define last(l, d) rsp + FRAME_LAST + ((l) * 2 + (d)) * ROW + 64
%define whole(d)   rsp + FRAME_WHOLE + (d) * ROW + 64

ANY_DIFFERENCE   equ 0x28               ; vpternlog truth table of (a ^ b) & c

RODATA
; byte 8 l + k = byte 8 k + l
transpose_8x8:
%assign i 0
%rep 64
    db      i % 8 * 8 + i / 8
    %assign i i + 1
%endrep

; whole_row = the address of byte %1 of P(7), for a window of %2 groups.
%macro WHOLE_ROW 2
    %if %1 >= %2
        %define whole_row last(7, %1 - %2)
    %else
        %define whole_row whole(%1)
    %endif
%endmacro

; byte0 .. byte7 = byte l of the 64 groups of the block at data
%macro LOAD_TRANSPOSED 0
    %assign %%i 0
    %rep 8
        vpermb  t%[%%i], transpose, [data + 64 * %%i]   ; 8 bytes of each l from 8 groups
        %assign %%i %%i + 1
    %endrep
    %assign %%i 0
    %rep 4                              ; 8 bytes of each l from two vectors: 16 bytes
        %assign %%j %%i + 1
        vpunpcklqdq byte%[%%i], t%[%%i], t%[%%j]
        vpunpckhqdq byte%[%%j], t%[%%i], t%[%%j]
        %assign %%i %%i + 2
    %endrep
    %assign %%odd 0
    %rep 2                              ; transposes 16-byte lanes: even l, then odd l
        %assign %%a %%odd
        %assign %%b %%odd + 2
        %assign %%c %%odd + 4
        %assign %%d %%odd + 6
        vshufi64x2 t0, byte%[%%a], byte%[%%b], 0x88
        vshufi64x2 t1, byte%[%%a], byte%[%%b], 0xdd
        vshufi64x2 t2, byte%[%%c], byte%[%%d], 0x88
        vshufi64x2 t3, byte%[%%c], byte%[%%d], 0xdd
        vshufi64x2 byte%[%%a], t0, t2, 0x88
        vshufi64x2 byte%[%%b], t1, t3, 0x88
        vshufi64x2 byte%[%%c], t0, t2, 0xdd
        vshufi64x2 byte%[%%d], t1, t3, 0xdd
        %assign %%odd %%odd + 1
    %endrep
%endmacro

; P(%1) from P(%1 - 1).
%macro ADD_BYTE 2                       ; l, n
    vpmovb2m k2, byte%1
    vpaddb  t0, byte%1, byte%1
    vpmovb2m k1, t0
    kandq   k3, k1, k2
    %assign %%quarter 0
    %rep 4
        %assign %%d 0
        %rep %2 + 2
            %if %1 == 0
                %xdefine %%to p%[%%d]
            %else
                %xdefine %%to t%[%%d]
            %endif
            %define %%at bytes + (8 * (7 - %%d) + %1) * TABLE - TABLES_MIDDLE + 64 * %%quarter
            %if %%quarter == 0
                vpermb  %%to, byte%1, [%%at]
            %else
                vpermb  %%to{k%[%%quarter]}, byte%1, [%%at]
            %endif
            %assign %%d %%d + 1
        %endrep
        %assign %%quarter %%quarter + 1
    %endrep
    %if %1 > 0
        %assign %%d 0
        %rep %2 + 2
            vpxorq  p%[%%d], p%[%%d], t%[%%d]
            %assign %%d %%d + 1
        %endrep
    %endif
%endmacro

; Stores a register to a row, and before it the end of the row that it replaces.
%macro STORE_ROW 2                      ; row, register
    mov     any, [%1 + GROUPS - 8]
    mov     [%1 - 8], any
    vmovdqa64 [%1], %2
%endmacro

; Stores P(%1). The values that it overwrites have been tested.
%macro STORE_BYTE 2                     ; l, n
    %assign %%d 0
    %rep 2
        %assign %%e %2 + %%d
        vmovdqa64 [head(%1, %%d)], p%[%%d]
        STORE_ROW last(%1, %%d), p%[%%e]
        %assign %%d %%d + 1
    %endrep
%endmacro

; sum%1 = the sum of P(7, k - m) over m = 1 .. n, byte %1 + m
%macro SUM_WHOLE 2                      ; d, n
    WHOLE_ROW %1 + 1, %2
    vmovdqu64 sum%1, [whole_row - 1]
    %assign %%m 2
    %rep %2 / 2 - 1
        WHOLE_ROW %1 + %%m, %2
        vmovdqu64 t0, [whole_row - %%m]
        %assign %%m %%m + 1
        WHOLE_ROW %1 + %%m, %2
        vpternlogq sum%1, t0, [whole_row - %%m], XOR3
        %assign %%m %%m + 1
    %endrep
    WHOLE_ROW %1 + %2, %2
    vpxorq  sum%1, sum%1, [whole_row - %2]
%endmacro

; Tests H(%1, k) of the block on the stack: a lane of `least` becomes 0 where the tested bits match.
%macro TEST_BYTE 2                      ; l, n
    %assign %%mask rolling_plan.filter_mask + 8 * %1
    %assign %%trigger rolling_plan.filter_trigger + 8 * %1
    %assign %%d 0
    %rep 2
        vmovdqa64 t%[%%d], [head(%1, %%d)]
        vpternlogq t%[%%d], sum%[%%d], [last(%1, %%d) - %2], XOR3
        vpbroadcastd t2, [plan + %%trigger + 4 * %%d]
        vpternlogd t%[%%d], t2, [plan + %%mask + 4 * %%d]{1to16}, ANY_DIFFERENCE
        %assign %%d %%d + 1
    %endrep
    %if %1 == 0
        vporq   least, t0, t1
    %else
        vporq   t0, t0, t1
        vpminub least, least, t0
    %endif
%endmacro

; The loop for windows of %1 groups, an even number up to 6. Tests run one block late, so that they
; load from the cache and not from stores on their way there. Measured on Sapphire Rapids, for 4 and
; 6 groups: 226 and 294 cycles a block, 288 and 350 with the tests at the end of their block. At
; each match this costs most of the time of a block.
%macro BLOCKS 1                         ; n
.block_%1:                              ; the blocks before the last one have been searched
    LOAD_TRANSPOSED
    %assign %%l 0
    %rep 8
        ADD_BYTE %%l, %1
        %if %%l == 0
            SUM_WHOLE 0, %1
            SUM_WHOLE 1, %1
        %endif
        TEST_BYTE %%l, %1
        STORE_BYTE %%l, %1
        %assign %%l %%l + 1
    %endrep
    %assign %%d 1
    %rep %1 - 1
        STORE_ROW whole(%%d), p%[%%d]
        %assign %%d %%d + 1
    %endrep
    vptestnmb k1, least, least
    kmovq   found, k1
    and     found, valid
    jnz     .found
    mov     valid, next_valid
    mov     next_valid, -1
    add     data, BLOCK
    dec     blocks
    jnz     .block_%1
    SUM_WHOLE 0, %1
    SUM_WHOLE 1, %1
    %assign %%l 0
    %rep 8
        TEST_BYTE %%l, %1
        %assign %%l %%l + 1
    %endrep
    jmp     .last_tested
%endmacro

; size_t isalk_rolling_filter_<tier>(const uint8_t *data, size_t blocks,
;                                    const struct rolling_plan *plan)
;
; Returns the offset of the first group of 8 bytes, from byte 48 on, in which the tested bits of
; some position match; 512 * blocks if there is none. blocks >= 1. No alignment is required.
;
; Registers: byte0 .. byte7 the block, transposed; p0 .. p7 P(l) so far, by d; t0 .. t7 terms to
; add, and scratch.
; Main loop, for 512 bytes: 32 (n + 2) vpermb and 32 uops of the transposition on port 5: 288 cycles
; for n = 6, 224 for n = 4; 0.56 and 0.44 cycles a byte. All uops: 570.
; Source: the algorithm above.
%macro ROLLING_FILTER 0
    %assign %%n 0
    %rep 8
        %xdefine byte%[%%n] v%[%%n]
        %assign %%n %%n + 1
    %endrep
    %assign %%i 0
    %rep 8
        %xdefine p%[%%i] v%[%%n]
        %assign %%n %%n + 1
        %assign %%i %%i + 1
    %endrep
    %assign %%i 0
    %rep 8
        %xdefine t%[%%i] v%[%%n]
        %assign %%n %%n + 1
        %assign %%i %%i + 1
    %endrep
    %xdefine sum0 v24
    %xdefine sum1 v25
    %xdefine least v26
    %xdefine transpose v27
KERNEL rolling_filter, data, blocks, plan, bytes, found, valid
    LOCALS  any, start, next_valid
    VECTORS 16
    STACK   FRAME_SIZE
    mov     start, data
    mov     bytes, [plan + rolling_plan.bytes]
    add     bytes, TABLES_MIDDLE
    vmovdqa64 transpose, [transpose_8x8]
    xor     valid_d, valid_d            ; there is no block before the first
    mov     next_valid, -1 << WINDOW / 8
    cmp     qword [plan + rolling_plan.groups], 4
    je      .block_4
    BLOCKS 6
    BLOCKS 4
.last_tested:
    vptestnmb k1, least, least
    kmovq   found, k1
    and     found, valid
    jz      .none
.found:                                 ; in the block before data
    bsf     found, found
    lea     data, [data + found * 8 - BLOCK]
.none:
    mov     any, data                   ; the result
    sub     any, start
ENDKERNEL
%endmacro

TIER avx512_v
ROLLING_FILTER
