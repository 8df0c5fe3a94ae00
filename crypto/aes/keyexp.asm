; AES key expansion (FIPS 197, section 5.2).
; SPDX-License-Identifier: BSD-3-Clause

%include "crypto/aes/aes.inc"

RODATA
rot_last:                               ; RotWord of the last word, four times
    times 4 db 13, 14, 15, 12
rot_second:                             ; RotWord of the second word, four times
    times 4 db 5, 6, 7, 4
copy_last:                              ; the last word, four times
    times 4 db 12, 13, 14, 15
round_constant:
    times 4 dd 1
round_constant_9:                       ; x^8, reduced
    times 4 dd 0x1b

; From the words a, b, c, d of s: s = a, a ^ b, a ^ b ^ c, a ^ b ^ c ^ d. x is scratch.
%macro PREFIX_XOR 2                     ; s, x
    vslldq  %2, %1, 4
    vxor    %1, %1, %2
    vslldq  %2, %1, 8
    vxor    %1, %1, %2
%endmacro

; x = the S-box of the word that the mask selects, plus the constant. The last round of AES computes
; it: ShiftRows does not change four equal words. (Faster than AESKEYGENASSIST: Gueron, "Intel
; Advanced Encryption Standard (AES) New Instructions Set", 2010.)
%macro SUB_WORD 4                       ; x, s, mask in memory, constant
    vop_const pshufb, %1, %2, %3
    venclast %1, %4
%endmacro

; The last four words of the schedule, in low, become the next four. `last` holds the preceding
; word.
%macro NEXT_LOW 2                       ; last, mask of RotWord
    SUB_WORD %$sub, %1, %2, %$constant
    PREFIX_XOR %$low, %$x
    vxor    %$low, %$low, %$sub
%endmacro

%macro KEYEXP_128 0
    %assign %%r 1
    %rep 10
        %if %%r == 9
    vload   %$constant, [round_constant_9]
        %endif
    NEXT_LOW %$low, [rot_last]
    vstore  [enc + 16 * %%r], %$low
    vaddd   %$constant, %$constant, %$constant
        %assign %%r %%r + 1
    %endrep
%endmacro

; Six words a step: four in low, two in the lower half of high.
%macro KEYEXP_192 0
    vzero   %$high
    vmoveq  %$high, [key + 16]
    vmoveq  [enc + 16], %$high
    %assign %%r 1
    %rep 8
    NEXT_LOW %$high, [rot_second]
    vstore  [enc + 24 * %%r], %$low
        %if %%r < 8
    vslldq  %$x, %$high, 4
    vxor    %$high, %$high, %$x
    vshufd  %$x, %$low, 0xff            ; the last word in all places
    vxor    %$high, %$high, %$x
    vmoveq  [enc + 24 * %%r + 16], %$high
    vaddd   %$constant, %$constant, %$constant
        %endif
        %assign %%r %%r + 1
    %endrep
%endmacro

; Makes four words of low and of high in turn. The prefix sums of one are made beside the S-box of
; the other, and are the round key of that AES round. So the chain is one shuffle and one round.
%macro KEYEXP_256 0
    vload   %$high, [key + 16]
    vstore  [enc + 16], %$high
    %assign %%r 2
    %rep 13
    PREFIX_XOR %$low, %$x
        %if %%r % 2 == 0
    vxor    %$low, %$low, %$constant
    vaddd   %$constant, %$constant, %$constant
    SUB_WORD %$sub, %$high, [rot_last], %$low
        %else
    SUB_WORD %$sub, %$high, [copy_last], %$low
        %endif
    vstore  [enc + 16 * %%r], %$sub
        %xdefine %%made %$sub
        %xdefine %$sub %$low            ; free now
        %xdefine %$low %$high
        %xdefine %$high %%made
        %assign %%r %%r + 1
    %endrep
%endmacro

; dec = the encryption schedule backwards, with InvMixColumns of all round keys but the first and
; the last.
%macro INVERT_SCHEDULE 1                ; rounds
    vload   v0, [enc]
    vstore  [dec + 16 * %1], v0
    vload   v0, [enc + 16 * %1]
    vstore  [dec], v0
    %assign %%r 1
    %rep %1 - 1
    %assign %%n %%r % 5
    vload   v%[%%n], [enc + 16 * %%r]
    vimc    v%[%%n]
    vstore  [dec + 16 * (%1 - %%r)], v%[%%n]
        %assign %%r %%r + 1
    %endrep
%endmacro

%macro vimc 1
    %if HAS_VEX
        vaesimc %1, %1
    %else
        aesimc  %1, %1
    %endif
%endmacro

; void isalk_aes_keyexp_<bits>_<tier>(const uint8_t *key, uint8_t *enc, uint8_t *dec)
;
; enc = the encryption schedule of key; dec = the decryption schedule of the equivalent inverse
; cipher, unless dec is NULL. Any alignment.
;
; Registers: low, high: the last words made; constant: the round constant in every word; sub, x
; scratch.
; Chain: one shuffle, the last round of AES and an addition a step, 5 cycles on Golden Cove; AES-256
; needs no addition. The prefix sums run beside it.
%macro KEYEXP 1                         ; bits
KERNEL aes_keyexp_%1, key, enc, dec
    SECRET  0, 4
    %push
    %xdefine %$low v0
    %xdefine %$high v1
    %xdefine %$sub v2
    %xdefine %$constant v3
    %xdefine %$x v4
    vload   %$constant, [round_constant]
    vload   %$low, [key]
    vstore  [enc], %$low
    KEYEXP_%1
    test    dec, dec
    jz      .done
    INVERT_SCHEDULE AES_ROUNDS(%1)
.done:
    %pop
ENDKERNEL
%endmacro

%macro KEYEXP_TIER 1
TIER %1
KEYEXP 128
KEYEXP 192
KEYEXP 256
%endmacro

KEYEXP_TIER sse
KEYEXP_TIER avx
