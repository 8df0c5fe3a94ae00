; Zero detection.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"

ZERO_BLOCK equ 8                        ; vectors with one test

; Sets the zero flag if s is all zero. vptest, for 16 and 32 bytes, needs no opmask.
%macro ZERO_TEST 1
    %if VW < 64 && HAS_VEX
        vptest  %1, %1
    %else
        vtest   %1
    %endif
%endmacro

; v0 |= the vector at %1
%macro ZERO_OR 1
    %if HAS_VEX
        vor     v0, v0, %1
    %else
        vload   v1, %1
        vor     v0, v0, v1
    %endif
%endmacro

; v0 = OR of %2 vectors (1, 2, 4 or 8) of the width in force at %1. With vpternlog every second
; vector is a separate load; both forms are bound by loads, two a cycle.
%macro ZERO_SUM 2
    vload   v0, [%1]
    %assign %%i 1
    %if HAS_EVEX
        %rep (%2 - 1) / 2
            vload   v1, [%1 + %%i * VW]
            vpternlogq v0, v1, [%1 + %%i * VW + VW], OR3
            %assign %%i %%i + 2
        %endrep
    %endif
    %rep %2 - %%i
        ZERO_OR [%1 + %%i * VW]
        %assign %%i %%i + 1
    %endrep
%endmacro

; Sets the zero flag if a buffer of k to 2 k bytes is all zero, k = %1 vectors of %2 bytes: tests
; the first k bytes and the last k.
%macro ZERO_BOTH_ENDS 2
    VWIDTH  %2
    ZERO_SUM mem, %1
    vmove   v2, v0
    ZERO_SUM end - %1 * VW, %1
    vor     v0, v0, v2
    ZERO_TEST v0
    VWIDTH  VL
%endmacro

; Buffers of 65 bytes to eight vectors. The result is in `found`.
%macro ZERO_FEW 1                       ; label to jump to with the result
    cmp     len, 128
    ja      .above_128
    %if VL == 16
    ZERO_BOTH_ENDS 4, 16
    %else
    ZERO_BOTH_ENDS 2, 32
    %endif
    setnz   found_b
    jmp     %1
.above_128:
    %if VL == 32
    ZERO_FEW_VECTORS 4, 32, %1
    %elif VL == 64
    ZERO_FEW_VECTORS 2, 64, %1
    ZERO_FEW_VECTORS 4, 64, %1
    %endif
%endmacro

%macro ZERO_FEW_VECTORS 3               ; vectors, their bytes, label
    cmp     len, 2 * %1 * %2
    ja      %%longer
    ZERO_BOTH_ENDS %1, %2
    setnz   found_b
    jmp     %3
%%longer:
%endmacro

; int isalk_zero_detect_<tier>(const void *mem, size_t len)
;
; 0 if all len bytes at mem are 0, else 1. Any alignment; nothing outside [mem, mem + len) is read.
;
; Registers: end = mem + len; pos is aligned to a vector.
; Main loop: bound by ZERO_BLOCK aligned loads, two a cycle. Each block has a test and a branch, so
; that the loop stops within ZERO_BLOCK vectors of the first byte that is not zero. The first vector
; is tested separately, because most data that are not zero differ there.
%macro ZERO_DETECT 0
KERNEL zero_detect, mem, len, end, pos
    LOCALS  found
    lea     end, [mem + len]
    cmp     len, 64
    ja      .above_64
    cmp     len, 32
    ja      .above_32
    cmp     len, 16
    jb      .below_16
    xor     found_d, found_d
    ZERO_BOTH_ENDS 1, 16
    setnz   found_b
    RETURN_NARROW
.above_32:
    xor     found_d, found_d
    ZERO_BOTH_ENDS 2, 16
    setnz   found_b
    RETURN_NARROW
.above_64:
    xor     found_d, found_d
    ZERO_FEW .done
    vload   v0, [mem]
    ZERO_TEST v0
    jnz     .found
    lea     pos, [mem + VL - 1]
    and     pos, -VL
    sub     end, ZERO_BLOCK * VL        ; the last position where a block fits
    cmp     pos, end
    ja      .blocks_done
    align   32
.block:                                 ; the bytes before pos are zero
    ZERO_SUM pos, ZERO_BLOCK
    ZERO_TEST v0
    jnz     .found
    add     pos, ZERO_BLOCK * VL
    cmp     pos, end
    jbe     .block
.blocks_done:                           ; less than a block remains; there was at least one
    lea     len, [end + ZERO_BLOCK / 2 * VL]
    cmp     pos, len
    jae     .half_block
    ZERO_SUM end, ZERO_BLOCK
    ZERO_TEST v0
    setnz   found_b
    jmp     .done
.half_block:
    ZERO_SUM len, ZERO_BLOCK / 2
    ZERO_TEST v0
    setnz   found_b
    jmp     .done
.found:
    mov     found_d, 1
    jmp     .done
.below_16:                              ; the first and last 8, 4, 2 or 1 bytes
    xor     pos_d, pos_d
    cmp     len, 8
    jae     .eight
    cmp     len, 4
    jae     .four
    mov     found, len
    test    len, len
    jz      .done
    movzx   pos_d, byte [mem]
    shr     len, 1
    or      pos_b, [mem + len]
    or      pos_b, [end - 1]
    jmp     .word
.eight:
    mov     pos, [mem]
    or      pos, [end - 8]
    jmp     .word
.four:
    mov     pos_d, [mem]
    or      pos_d, [end - 4]
.word:
    xor     found_d, found_d
    test    pos, pos
    setnz   found_b
.done:
ENDKERNEL
%endmacro

TIER sse
ZERO_DETECT
TIER avx2
ZERO_DETECT
TIER avx512
ZERO_DETECT
