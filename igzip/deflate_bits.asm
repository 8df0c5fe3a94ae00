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
AT_ONCE         equ 4                   ; tokens
ROOM            equ 2 * 8               ; for their bytes

; The bits of the token at [token + %5], at the top of %1. %3 gets their number in its low byte. 4 bytes
; before the token are read, so that its extra bits are at the top at once.
%macro CODE_OF 5                        ; two registers, each with its 32-bit name; offset
    bzhi    %2, [token + %5], field_d
    rorx    second_d, [token + %5], SECOND_SHIFT
    and     second_d, FIELD
    andn    %3, not_extra, [token + %5 - TOKEN_SIZE]
    mov     %1, [codes + %1 * 8 + FIRST]
    mov     second, [codes + second * 8 + SECOND]
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
; Registers: out_last and token_last are where four tokens have room and are left.
; Main loop: 37 uops a pair, 6.2 cycles; the chain through `waiting` takes 2.
%macro ENCODE 0
KERNEL deflate_encode, e, token, token_last, out, out_last, codes
LOCALS size, t0, code, next, second, waiting, count, field, not_extra
%define size_b al
    mov     token, [e + ENCODE_TOKEN]
    mov     token_last, [e + ENCODE_END]
    mov     out, [e + ENCODE_OUT]
    mov     out_last, [e + ENCODE_OUT_LAST]
    mov     codes, [e + ENCODE_CODES]
    mov     waiting, [e + ENCODE_BITS]
    mov     count_d, [e + ENCODE_COUNT]
    sub     token_last, AT_ONCE * TOKEN_SIZE
    sub     out_last, ROOM
    mov     field_d, SECOND_SHIFT
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
    movzx   size_d, size_b
    add     count_d, size_d
    APPEND
    add     token, TOKEN_SIZE
    jmp     .on

.four:
%assign at 0
%rep AT_ONCE / 2
    CODE_OF code, code_d, size, size_d, at
    CODE_OF next, next_d, t0, t0_d, at + TOKEN_SIZE
    add     size_d, t0_d
    shrx    code, code, t0
    movzx   size_d, size_b
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
    cmp     out, out_last
    jbe     .four
    jmp     .one
.long_8:
    add     token, 2 * TOKEN_SIZE
.long_0:
    sub     count_d, size_d
    jmp     .one
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
%undef size_b
ENDKERNEL
%endmacro

TIER avx2
ENCODE
