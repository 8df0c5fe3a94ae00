; XOR parity of n sources, generated or checked.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "asm/offsets.inc"
%include "raid/raid.inc"

; A call with few sources keeps their pointers in registers and works on XOR_FEW_C columns. Its data
; must fit in the first-level cache, and be long enough to make up for saving the caller's
; registers. GB/s on Skylake-SP with AVX-512 and ten sources:
;
;                                 2 KB a source   4 KB   second-level cache
;     few sources, four columns   305             175     97
;     few sources, eight columns                  143
;     one column after another                            88
;     general passes              227             129    101: few long runs beat many short ones
;
; On Sapphire Rapids the general passes are faster by 1.05x to 1.25x up to 6 KB of data, and slower
; by as much from 10 KB.
XOR_FEW          equ 11                 ; registers for pointers, parity included
XOR_FEW_C        equ 4
XOR_FEW_MIN_DATA equ 6 << 10            ; at least XOR_FEW * XOR_FEW_C vectors
XOR_FEW_MAX_DATA equ 56 << 10

; acc_c is the sum of column c.
%macro XOR_REGISTERS 1                  ; C
    %assign %%c 0
    %rep %1
        %xdefine acc_%[%%c] v%[%%c]
        %assign %%c %%c + 1
    %endrep
    %xdefine x0 v%[%%c]
    %assign %%c %%c + 1
    %xdefine x1 v%[%%c]
%endmacro

; acc = the source at %1
%macro XOR_FIRST 3                      ; pointer, C, kind
    %assign %%c 0
    %rep %2
        RAID_LOAD acc_%[%%c], %1, %%c, %3
        %assign %%c %%c + 1
    %endrep
%endmacro

; acc ^= the source at %1
%macro XOR_ONE 3                        ; pointer, C, kind
    %assign %%c 0
    %rep %2
        RAID_XOR acc_%[%%c], %1, %%c, %3, x0
        %assign %%c %%c + 1
    %endrep
%endmacro

; acc ^= the sources at %1 and %2: one operation with vpternlog
%macro XOR_PAIR 4                       ; pointer, pointer, C, kind
    %if HAS_EVEX
        %assign %%c 0
        %rep %3
            RAID_LOAD x0, %1, %%c, %4
            %ifidn %4, full
                vxor3   acc_%[%%c], x0, [%2 + pos + %%c * VW]
            %else
                RAID_LOAD x1, %2, %%c, %4
                vxor3   acc_%[%%c], x0, x1
            %endif
            %assign %%c %%c + 1
        %endrep
    %else
        XOR_ONE %1, %3, %4
        XOR_ONE %2, %3, %4
    %endif
%endmacro

; One pass over C columns of any number of sources: first one or two, so that an even number
; remains, then pairs. In: array is the end of the source pointers, n is -(number of sources).
%macro XOR_PASS 2                       ; C, kind
    XOR_REGISTERS %1
    RAID_SOURCE ptr, n * 8, %1
    XOR_FIRST ptr, %1, %2
    lea     i, [n + 1]
    test    n_d, 1
    jnz     %%even
    RAID_SOURCE ptr, n * 8 + 8, %1
    XOR_ONE ptr, %1, %2
    inc     i
%%even:
    test    i, i
    jz      %%summed
%%pair:                                 ; acc = sum of the sources before i
    RAID_SOURCE ptr, i * 8, %1
    RAID_SOURCE ptr1, i * 8 + 8, %1
    XOR_PAIR ptr, ptr1, %1, %2
    add     i, 2
    jnz     %%pair
%%summed:
    %if xor_checks
        RAID_TEST %1
    %else
        mov     ptr, [array]
        %assign %%c 0
        %rep %1
            RAID_STORE ptr, %%c, acc_%[%%c], %2
            %assign %%c %%c + 1
        %endrep
    %endif
%endmacro

; All passes over XOR_FEW_C columns of %1 sources.
%macro XOR_FEW_PASSES 1
    %assign %%b 0
    %rep %1 + !xor_checks
        mov     p%[%%b], [array + (n + %%b) * 8]
        %assign %%b %%b + 1
    %endrep
    XOR_REGISTERS XOR_FEW_C
%%columns:
    XOR_FIRST p0, XOR_FEW_C, full
    %assign %%b 1
    %if %1 % 2 == 0
        XOR_ONE p1, XOR_FEW_C, full
        %assign %%b 2
    %endif
    %rep (%1 - 1) / 2
        %assign %%d %%b + 1
        XOR_PAIR p%[%%b], p%[%%d], XOR_FEW_C, full
        %assign %%b %%b + 2
    %endrep
    %if xor_checks
        RAID_TEST XOR_FEW_C
    %else
        %assign %%c 0                   ; a store without an index has an address port of its own
        %rep XOR_FEW_C
            vstore  [p%[%1] + %%c * VL], acc_%[%%c]
            %assign %%c %%c + 1
        %endrep
        add     p%[%1], XOR_FEW_C * VL
    %endif
    add     pos, XOR_FEW_C * VL
    cmp     pos, len
    jle     %%columns
    jmp     .few_done
%endmacro

; int isalk_xor_gen_<tier>(size_t n, size_t len, void *const *array)
; int isalk_xor_check_<tier>(size_t n, size_t len, void *const *array)
;
; For b < len: gen sets array[n][b] = XOR over j < n of array[j][b] and returns 0. check returns 0
; if every byte of array[n] has that value, else 1, at the end of the first pass with a difference.
; n >= 1. No alignment is required; no byte outside [0, len) of a buffer is read or written.
;
; Registers: array end of the source pointers; n minus the number of sources (check: including
; parity); pos offset of the pass in the buffers; ptr, ptr1 or p0 .. p10 buffers.
; Main loop: bound by loads, two a cycle. A pair of sources costs 2 C loads of data and, in general
; passes, 2 of pointers. The stores and C to 3 C other uops run in parallel.
; Source: the definition.
%macro XOR 2                            ; C, check
    %assign xor_checks %2
    %if %2
        %define xor_name xor_check
    %else
        %define xor_name xor_gen
    %endif
KERNEL xor_name, n, len, array, p0, p1, p2      ; p0, p1, p2: unused argument registers
    LOCALS  i, pos
    VECTORS 8 + (HAS_EVEX || !HAS_VEX)
    %define ptr p0
    %define ptr1 p1
    %if %2
        inc     n
    %endif
    xor     pos_d, pos_d
    lea     array, [array + n * 8]
    mov     i, n
    imul    i, len
    neg     n
    lea     ptr, [i - XOR_FEW_MIN_DATA]
    cmp     ptr, XOR_FEW_MAX_DATA - XOR_FEW_MIN_DATA
    ja      .general
    cmp     n, -(XOR_FEW - !%2)
    jge     .few
.general:
    RAID_PASSES XOR_PASS, %1
    XOR_RESULT %2
    %if VL > 16
        vzeroupper
    %endif
    RETURN_NARROW

.few:
    MORE_LOCALS
    LOCALS  p3, p4, p5, p6, p7, p8, p9
    %define p10 i
    %define raid_differ .few_differ
    sub     len, XOR_FEW_C * VL         ; the last position where XOR_FEW_C vectors fit
    lea     i, [.few_passes]
    lea     ptr, [.few_offsets]
    movsxd  ptr, [ptr + n * 4]
    add     i, ptr
    JUMP_INSIDE i
    RODATA
    align   4
    %assign %%n XOR_FEW - !%2
    %rep XOR_FEW - !%2
        dd      .few_%[%%n] - .few_passes
        %assign %%n %%n - 1
    %endrep
.few_offsets:                           ; the entry for n sources is the n-th before this
    CODE
.few_passes:
    %assign %%n 1
    %rep XOR_FEW - !%2
.few_%[%%n]:
        XOR_FEW_PASSES %%n
        %assign %%n %%n + 1
    %endrep
.few_done:
    add     len, XOR_FEW_C * VL
    RAID_REST XOR_PASS, XOR_FEW_C
    XOR_RESULT %2
    %define raid_differ .differ
ENDKERNEL
%endmacro

; int isalk_xor_gen_nt_<tier>(size_t n, size_t len, void *const *array)
;
; xor_gen with prefetches and non-temporal stores. array[n] is aligned to 64 bytes.
%macro XOR_NT 1                         ; C
    %assign xor_checks 0
KERNEL xor_gen_nt, n, len, array, ptr, ptr1     ; ptr, ptr1: unused argument registers
    LOCALS  i, pos
    lea     array, [array + n * 8]
    neg     n
    xor     pos_d, pos_d
    RAID_NT_PASSES XOR_PASS, %1
    xor     i_d, i_d
ENDKERNEL
%endmacro

%macro XOR_RESULT 1                     ; check
    %if %1
        RAID_VERDICT
    %else
        xor     i_d, i_d
    %endif
%endmacro

%macro XORS 1                           ; C
    XOR %1, 0
    XOR %1, 1
%endmacro

TIER sse
XORS 8
TIER avx
XORS 8
TIER avx2
XORS 8
XOR_NT 4
TIER avx512
XORS 8
XOR_NT 4
