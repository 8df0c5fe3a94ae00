; The encoder: tokens to bits.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "asm/offsets.inc"

TOKEN_SIZE      equ 4
EXTRA_SHIFT     equ 19                  ; lowest bit of TOKEN_EXTRA_MASK
MAX_PENDING     equ 64 - 5              ; the low bits hold sizes of codes, less than 32
AT_ONCE         equ 8                   ; tokens
ROOM            equ AT_ONCE / 2 * 8     ; for their bytes

; %1 = the bits of the token at [token + %5], at the top, %3 = their number. Loads the second field
; from the byte that it begins in, and the extra bits directly at the top: reads a byte after the
; token and 4 before it.
%macro CODE_OF 5                        ; two registers, each with its 32-bit name; offset
    bzhi    %2, [token + %5], field_d
    andn    second_d, not_second_d, [token + %5 + 1]
    andn    %3, not_extra, [token + %5 - TOKEN_SIZE]
    mov     %1, [codes + %1 * 8 + deflate_codes.first]
    mov     second, [codes + second * (8 >> (TOKEN_SECOND_SHIFT - 8)) + deflate_codes.second]
    or      second, %3
    lea     %4, [%1 + second]
    shrx    %1, %1, second
    or      %1, second
%endmacro

; Appends `size` bits at the top of `code`, already added to `count`, and writes whole bytes.
%macro APPEND 0
    shrx    pending, pending, size
    or      pending, code
    mov     t0_d, count_d
    neg     t0_d
    shrx    t0, pending, t0
    mov     [out], t0
    mov     t0_d, count_d
    shr     t0_d, 3
    add     out, t0
    and     count_d, 7
%endmacro

; void isalk_deflate_encode_<tier>(struct deflate_encode *e)
;
; See struct deflate_encode. Pending bits are at the top of `pending`, above bits that are already
; written. Appending a code is a right shift by its length and an OR: what an entry has below its
; code lands among the written bits.
;
; Two tokens nearly always fit in one store, so the branch on that is predicted. At levels 0 to 3,
; with the Calgary and Canterbury corpora, 99.99 % of pairs of tokens fit, 98 % of groups of three
; and 70 % of groups of four.
;
; Registers: token_last is the last address from which AT_ONCE tokens and one more remain.
; Main loop: 35 uops a pair, 5.8 cycles; the chain through `pending` takes 2.
%macro ENCODE 0
KERNEL deflate_encode, e, token, token_last, out, not_second, codes
LOCALS size, t0, code, next, second, pending, count, field, not_extra
    mov     token, [e + deflate_encode.token]
    mov     token_last, [e + deflate_encode.token_end]
    mov     out, [e + deflate_encode.out]
    mov     codes, [e + deflate_encode.codes]
    mov     pending, [e + deflate_encode.bits]
    mov     count_d, [e + deflate_encode.count]
    sub     token_last, (AT_ONCE + 1) * TOKEN_SIZE
    mov     field_d, TOKEN_SECOND_SHIFT
    mov     not_second_d, ~(TOKEN_MASK << (TOKEN_SECOND_SHIFT - 8)) & 0xffffffff
    mov     not_extra, -1 >> (64 - 32 - EXTRA_SHIFT)
    ror     pending, 8                  ; count is less than 8
    mov     t0_d, 8
    sub     t0_d, count_d
    shlx    pending, pending, t0
.one:
    cmp     token, [e + deflate_encode.token_end]
    jae     .done
    cmp     out, [e + deflate_encode.out_last]
    ja      .done
    mov     t0_d, [token]
    bzhi    code_d, t0_d, field_d
    rorx    second_d, t0_d, TOKEN_SECOND_SHIFT
    and     second_d, TOKEN_MASK
    shl     t0, 32
    andn    t0, not_extra, t0
    mov     code, [codes + code * 8 + deflate_codes.first]
    mov     second, [codes + second * 8 + deflate_codes.second]
    or      t0, second
    lea     size_d, [code + second]
    shrx    code, code, second
    or      code, t0
    add     count_d, size_d
    APPEND
    add     token, TOKEN_SIZE
    jmp     .choose

.many:
%assign at 0
%rep AT_ONCE / 2
    CODE_OF code, code_d, size, size_d, at
    CODE_OF next, next_d, t0, t0_d, at + TOKEN_SIZE
    add     size_d, t0_d
    shrx    code, code, t0
    or      code, next
    add     count_d, size_d
    cmp     count_d, MAX_PENDING
    ja      .long_%[at]
    APPEND
    %assign at at + 2 * TOKEN_SIZE
%endrep
    add     token, AT_ONCE * TOKEN_SIZE
.choose:
    cmp     token, token_last
    ja      .one
    lea     t0, [out + ROOM]
    cmp     t0, [e + deflate_encode.out_last]
    jbe     .many
    jmp     .one
%assign at 0
%rep AT_ONCE / 2
.long_%[at]:                            ; the tokens before it are written
    add     token, at
    sub     count_d, size_d
    jmp     .one
    %assign at at + 2 * TOKEN_SIZE
%endrep
.done:
    mov     [e + deflate_encode.token], token
    mov     [e + deflate_encode.out], out
    shr     pending, 1
    mov     t0_d, 63
    sub     t0_d, count_d
    shrx    pending, pending, t0        ; by 64 in all if there are no bits
    mov     [e + deflate_encode.bits], pending
    mov     [e + deflate_encode.count], count_d
    cmp     out, [e + deflate_encode.out_last]
    ja      .full
    mov     [out], pending
.full:
ENDKERNEL
%endmacro

TIER avx2
ENCODE
