; Counts of the fields of tokens.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "asm/offsets.inc"

COUNT_SIZE      equ 4
SECOND          equ deflate_counts.second
TOKEN_SIZE      equ 4
AT_ONCE         equ 4                   ; tokens

; void isalk_deflate_count_<tier>(struct deflate_counts *counts, const uint32_t *token,
;                                 const uint32_t *token_end)
;
; The main loop loads the second field from the byte in which it begins, which gives twice its
; value. That load reads a byte after the token, so the last token is counted separately.
;
; Main loop: 12 uops a token, 2.2 cycles; its two stores take 2 on a core with one store a cycle.
%macro COUNT 0
KERNEL deflate_count, counts, token, token_end
LOCALS field, second_field, first, second
    mov     field_d, TOKEN_SECOND_SHIFT
    mov     second_field_d, TOKEN_MASK << (TOKEN_SECOND_SHIFT - 8)
    sub     token_end, (AT_ONCE + 1) * TOKEN_SIZE
    jmp     .more
    align   16
.group:
%assign at 0
%rep AT_ONCE
    bzhi    first_d, [token + at], field_d
    mov     second_d, second_field_d
    and     second_d, [token + at + 1]
    inc     dword [counts + first * COUNT_SIZE + deflate_counts.first]
    inc     dword [counts + second * (COUNT_SIZE >> (TOKEN_SECOND_SHIFT - 8)) + SECOND]
    %assign at at + TOKEN_SIZE
%endrep
    add     token, AT_ONCE * TOKEN_SIZE
.more:
    cmp     token, token_end
    jbe     .group
    add     token_end, (AT_ONCE + 1) * TOKEN_SIZE
    jmp     .last
.one:
    mov     second_d, [token]
    bzhi    first_d, second_d, field_d
    shr     second_d, TOKEN_SECOND_SHIFT
    and     second_d, TOKEN_MASK
    inc     dword [counts + first * COUNT_SIZE + deflate_counts.first]
    inc     dword [counts + second * COUNT_SIZE + SECOND]
    add     token, TOKEN_SIZE
.last:
    cmp     token, token_end
    jb      .one
ENDKERNEL
%endmacro

TIER avx2
COUNT
