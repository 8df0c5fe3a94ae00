; Encoder of compression: the bits of tokens.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"

; struct deflate_encode, checked in deflate_kernels.c.
ENCODE_TOKEN    equ 0
ENCODE_END      equ 8
ENCODE_OUT      equ 16
ENCODE_OUT_LAST equ 24
ENCODE_BITS     equ 32
ENCODE_COUNT    equ 40
ENCODE_CODES    equ 48
; deflate_kernels.h
FIRST           equ 0                   ; struct deflate_codes
SECOND          equ 513 * 8
TOKEN_SIZE      equ 4
SECOND_SHIFT    equ 9
FIELD           equ (1 << SECOND_SHIFT) - 1
EXTRA_SHIFT     equ 19

MOST_WAITING    equ 64 - 5              ; below are the sizes of codes, which are less than 32
AT_ONCE         equ 8                   ; tokens
ROOM            equ AT_ONCE / 2 * 8     ; for their bytes

; The bits of the token at [token + %5], at the top of %1, and their number in %3. The second field is
; loaded from a byte on, and the extra bits at the top at once: a byte behind the token and 4 before it
; are read.
%macro CODE_OF 5                        ; two registers, each with its 32-bit name; offset
    bzhi    %2, [token + %5], field_d
    andn    second_d, not_second_d, [token + %5 + 1]
    andn    %3, not_extra, [token + %5 - TOKEN_SIZE]
    mov     %1, [codes + %1 * 8 + FIRST]
    mov     second, [codes + second * (8 >> (SECOND_SHIFT - 8)) + SECOND]
    or      second, %3
    lea     %4, [%1 + second]
    shrx    %1, %1, second
    or      %1, second
%endmacro

; Appends `size` bits at the top of `code`, which `count` has already, and writes whole bytes.
%macro APPEND 0
    shrx    waiting, waiting, size
    or      waiting, code
    mov     t0_d, count_d
    neg     t0_d
    shrx    t0, waiting, t0
    mov     [out], t0
    mov     t0_d, count_d
    shr     t0_d, 3
    add     out, t0
    and     count_d, 7
%endmacro

; void isalk_deflate_encode_<tier>(struct deflate_encode *e)
;
; See struct deflate_encode. The bits that wait for output are at the top of `waiting`; below them is
; what came before. To append a code is to shift by its length and to OR it: what it has below its
; bits falls among the old ones.
;
; Two tokens nearly always fit in one store (99.99 % of pairs of the Calgary and Canterbury corpora at
; levels 0 to 3, 98 % of threes, 70 % of fours), so that the branch on it is predicted.
;
; Registers: up to token_last, AT_ONCE tokens and one behind them are left.
; Main loop: 35 uops a pair, 5.8 cycles; the chain through `waiting` takes 2.
%macro ENCODE 0
KERNEL deflate_encode, e, token, token_last, out, not_second, codes
LOCALS size, t0, code, next, second, waiting, count, field, not_extra
    mov     token, [e + ENCODE_TOKEN]
    mov     token_last, [e + ENCODE_END]
    mov     out, [e + ENCODE_OUT]
    mov     codes, [e + ENCODE_CODES]
    mov     waiting, [e + ENCODE_BITS]
    mov     count_d, [e + ENCODE_COUNT]
    sub     token_last, (AT_ONCE + 1) * TOKEN_SIZE
    mov     field_d, SECOND_SHIFT
    mov     not_second_d, ~(FIELD << (SECOND_SHIFT - 8)) & 0xffffffff
    mov     not_extra, -1 >> (64 - 32 - EXTRA_SHIFT)
    ror     waiting, 8                  ; count is less than 8
    mov     t0_d, 8
    sub     t0_d, count_d
    shlx    waiting, waiting, t0
.one:
    cmp     token, [e + ENCODE_END]
    jae     .done
    cmp     out, [e + ENCODE_OUT_LAST]
    ja      .done
    mov     t0_d, [token]
    bzhi    code_d, t0_d, field_d
    rorx    second_d, t0_d, SECOND_SHIFT
    and     second_d, FIELD
    shl     t0, 32
    andn    t0, not_extra, t0
    mov     code, [codes + code * 8 + FIRST]
    mov     second, [codes + second * 8 + SECOND]
    or      t0, second
    lea     size_d, [code + second]
    shrx    code, code, second
    or      code, t0
    add     count_d, size_d
    APPEND
    add     token, TOKEN_SIZE
    jmp     .on

.many:
%assign at 0
%rep AT_ONCE / 2
    CODE_OF code, code_d, size, size_d, at
    CODE_OF next, next_d, t0, t0_d, at + TOKEN_SIZE
    add     size_d, t0_d
    shrx    code, code, t0
    or      code, next
    add     count_d, size_d
    cmp     count_d, MOST_WAITING
    ja      .long_%[at]
    APPEND
    %assign at at + 2 * TOKEN_SIZE
%endrep
    add     token, AT_ONCE * TOKEN_SIZE
.on:
    cmp     token, token_last
    ja      .one
    lea     t0, [out + ROOM]
    cmp     t0, [e + ENCODE_OUT_LAST]
    jbe     .many
    jmp     .one
%assign at 0
%rep AT_ONCE / 2
.long_%[at]:                            ; the tokens before are written
    add     token, at
    sub     count_d, size_d
    jmp     .one
    %assign at at + 2 * TOKEN_SIZE
%endrep
.done:
    mov     [e + ENCODE_TOKEN], token
    mov     [e + ENCODE_OUT], out
    shr     waiting, 1
    mov     t0_d, 63
    sub     t0_d, count_d
    shrx    waiting, waiting, t0        ; by 64 in all for no bits
    mov     [e + ENCODE_BITS], waiting
    mov     [e + ENCODE_COUNT], count_d
    cmp     out, [e + ENCODE_OUT_LAST]
    ja      .full
    mov     [out], waiting
.full:
ENDKERNEL
%endmacro

TIER avx2
ENCODE
