; Counts of what tokens of compression have in their fields.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"

; struct deflate_counts, checked in deflate_kernels.c.
FIRST           equ 0
SECOND          equ 512 * 4
COUNT_SIZE      equ 4
; deflate_kernels.h
TOKEN_SIZE      equ 4
SECOND_SHIFT    equ 9
FIELD           equ (1 << SECOND_SHIFT) - 1
AT_ONCE         equ 4                   ; tokens

; void isalk_deflate_count_<tier>(struct deflate_counts *counts, const uint32_t *token,
;                                 const uint32_t *token_end)
;
; The second field is loaded from a byte on, twice as large as it is: so the last token is not counted
; in the main loop, which would read a byte behind it.
;
; Main loop: 12 uops a token, 2.2 cycles; its two stores take 2 where a core stores once a cycle.
%macro COUNT 0
KERNEL deflate_count, counts, token, token_end
LOCALS field, second_field, first, second
    mov     field_d, SECOND_SHIFT
    mov     second_field_d, FIELD << (SECOND_SHIFT - 8)
    sub     token_end, (AT_ONCE + 1) * TOKEN_SIZE
    jmp     .more
    align   16
.some:
%assign at 0
%rep AT_ONCE
    bzhi    first_d, [token + at], field_d
    mov     second_d, second_field_d
    and     second_d, [token + at + 1]
    inc     dword [counts + first * COUNT_SIZE + FIRST]
    inc     dword [counts + second * (COUNT_SIZE >> (SECOND_SHIFT - 8)) + SECOND]
    %assign at at + TOKEN_SIZE
%endrep
    add     token, AT_ONCE * TOKEN_SIZE
.more:
    cmp     token, token_end
    jbe     .some
    add     token_end, (AT_ONCE + 1) * TOKEN_SIZE
    jmp     .last
.one:
    mov     second_d, [token]
    bzhi    first_d, second_d, field_d
    shr     second_d, SECOND_SHIFT
    and     second_d, FIELD
    inc     dword [counts + first * COUNT_SIZE + FIRST]
    inc     dword [counts + second * COUNT_SIZE + SECOND]
    add     token, TOKEN_SIZE
.last:
    cmp     token, token_end
    jb      .one
ENDKERNEL
%endmacro

TIER avx2
COUNT
