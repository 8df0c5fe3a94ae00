; XOR parity of n sources, generated or checked.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "raid/raid.inc"

; One pass: C columns of all the sources. In: array one past the last source pointer, -(number of
; sources) in n. acc_c is the sum of column c; odd numbers of sources start with one, even ones with
; two, and pairs follow: with vpternlog a pair is one operation.
%macro XOR_PASS 2                       ; C, kind
    %assign %%c 0
    %rep %1
        %xdefine acc_%[%%c] v%[%%c]
        %assign %%c %%c + 1
    %endrep
    %xdefine x0 v%[%%c]
    %assign %%c %%c + 1
    %xdefine x1 v%[%%c]

    RAID_POINTER ptr, n * 8
    %assign %%c 0
    %rep %1
        RAID_LOAD acc_%[%%c], ptr, %%c, %2
        %assign %%c %%c + 1
    %endrep
    lea     i, [n + 1]
    test    n_d, 1
    jnz     %%paired
    RAID_POINTER ptr, n * 8 + 8
    %assign %%c 0
    %rep %1
        RAID_XOR acc_%[%%c], ptr, %%c, %2, x0
        %assign %%c %%c + 1
    %endrep
    inc     i
%%paired:
    test    i, i
    jz      %%summed
%%pair:                                 ; acc = sum of the sources before i
    RAID_POINTER ptr, i * 8
    RAID_POINTER ptr1, i * 8 + 8
    %assign %%c 0
    %rep %1
        XOR_PAIR acc_%[%%c], %%c, %2
        %assign %%c %%c + 1
    %endrep
    add     i, 2
    jnz     %%pair
%%summed:
    xor_finish %1, %2
%endmacro

%macro XOR_PAIR 3                       ; acc, c, kind
    %if HAS_EVEX
        RAID_LOAD x0, ptr, %2, %3
        %ifidn %3, full
            vxor3   %1, x0, [ptr1 + %2 * VW]
        %else
            RAID_LOAD x1, ptr1, %2, %3
            vxor3   %1, x0, x1
        %endif
    %else
        RAID_XOR %1, ptr, %2, %3, x0
        RAID_XOR %1, ptr1, %2, %3, x0
    %endif
%endmacro

%macro XOR_STORE 2                      ; C, kind
    RAID_POINTER ptr, 0
    %assign %%c 0
    %rep %1
        RAID_STORE ptr, %%c, acc_%[%%c], %2
        %assign %%c %%c + 1
    %endrep
%endmacro

%macro XOR_TEST 2                       ; C, kind
    RAID_TEST %1
%endmacro

; void isalk_xor_gen_<tier>(size_t n, size_t len, void *const *array)
; int isalk_xor_check_<tier>(size_t n, size_t len, void *const *array)
;
; For b < len, gen: array[n][b] = XOR over j < n of array[j][b]. check: 0 if every byte of array[n]
; is that already, else 1, as soon as a pass finds out. n >= 1, len >= 1; no alignment is required;
; no byte outside [0, len) of a buffer is read or written.
;
; Registers: array one past the last source pointer, n minus the number of sources (check: parity is
; one of them), pos of the pass in the buffers, i source, ptr and ptr1 its bytes and the next's.
; Main loop, two sources: 2 C loads and 2 of pointers, so C vectors cost C + 1 cycles on machines
; with two load ports; other uops C + 5.
%macro XOR 2                            ; C, check
    %if %2
        %define xor_finish XOR_TEST
        %define xor_name xor_check
    %else
        %define xor_finish XOR_STORE
        %define xor_name xor_gen
    %endif
KERNEL xor_name, n, len, array
    LOCALS  i, pos, ptr, ptr1
    %if %2
        inc     n
    %endif
    lea     array, [array + n * 8]
    neg     n
    RAID_PASSES XOR_PASS, %1
    %if %2
        RAID_VERDICT
    %endif
ENDKERNEL
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
TIER avx512
XORS 8
