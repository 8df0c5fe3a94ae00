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
round_constant_9:                       ; x^8 and on need the reduction: 1 << 8 is not it
    times 4 dd 0x1b

; s = words a, a ^ b, a ^ b ^ c, a ^ b ^ c ^ d of the words a, b, c, d of s; x is scratch
%macro PREFIX_XOR 2                     ; s, x
    vshift  pslldq, %2, %1, 4
    vxor    %1, %1, %2
    vshift  pslldq, %2, %1, 8
    vxor    %1, %1, %2
%endmacro

; x = the S-box of the word that the mask selects, plus the constant. The last round of AES does it:
; its ShiftRows does nothing to four equal words (Gueron, "Intel Advanced Encryption Standard (AES)
; New Instructions Set", 2010, has the faster form of AESKEYGENASSIST).
%macro SUB_WORD 4                       ; x, s, mask in memory, constant
    vshufb_const %1, %2, %3
    venclast %1, %4
%endmacro

; void isalk_aes_keyexp_<bits>_<tier>(const uint8_t *key, uint8_t *enc, uint8_t *dec)
;
; enc = the encryption schedule of key; dec = the decryption schedule of the equivalent inverse
; cipher, unless dec is NULL. Any alignment.
;
; Registers: low and high hold the last words made, constant the round constant in every word.
; Chain: 7 cycles a round, one shuffle, the last round of AES and an addition; the prefix sums run
; beside it.
%macro KEYEXP 1                         ; bits
KERNEL aes_keyexp_%1, key, enc, dec
    SECRET  0, 4
    %push
    %xdefine %$low v0
    %xdefine %$high v1
    %xdefine %$sub v2
    %xdefine %$constant v3
    %xdefine %$x v4
    %assign %$rounds AES_ROUNDS(%1)
    vload   %$constant, [round_constant]
    vload   %$low, [key]
    vstore  [enc], %$low
  %if %1 == 128
    %assign %$r 1
    %rep 10
        %if %$r == 9
        vload   %$constant, [round_constant_9]
        %endif
    SUB_WORD %$sub, %$low, [rot_last], %$constant
    PREFIX_XOR %$low, %$x
    vxor    %$low, %$low, %$sub
    vstore  [enc + 16 * %$r], %$low
    vaddd   %$constant, %$constant, %$constant
        %assign %$r %$r + 1
    %endrep
  %elif %1 == 192
    ; six words a step: low has four of them, the low half of high the other two
    vzero   %$high
    vinsert_low %$high, [key + 16]
    vstore_low [enc + 16], %$high
    %assign %$r 1
    %rep 8
    SUB_WORD %$sub, %$high, [rot_second], %$constant
    PREFIX_XOR %$low, %$x
    vxor    %$low, %$low, %$sub
    vstore  [enc + 24 * %$r], %$low
        %if %$r < 8
    vshift  pslldq, %$x, %$high, 4
    vxor    %$high, %$high, %$x
    vshufd  %$x, %$low, 0xff
    vxor    %$high, %$high, %$x
    vstore_low [enc + 24 * %$r + 16], %$high
    vaddd   %$constant, %$constant, %$constant
        %endif
        %assign %$r %$r + 1
    %endrep
  %else
    vload   %$high, [key + 16]
    vstore  [enc + 16], %$high
    %assign %$r 2
    %rep 13
        %if %$r % 2 == 0
    SUB_WORD %$sub, %$high, [rot_last], %$constant
    PREFIX_XOR %$low, %$x
    vxor    %$low, %$low, %$sub
    vstore  [enc + 16 * %$r], %$low
    vaddd   %$constant, %$constant, %$constant
        %else
    vzero   %$x
    SUB_WORD %$sub, %$low, [copy_last], %$x
    PREFIX_XOR %$high, %$x
    vxor    %$high, %$high, %$sub
    vstore  [enc + 16 * %$r], %$high
        %endif
        %assign %$r %$r + 1
    %endrep
  %endif

    test    dec, dec
    jz      .done
    vload   %$low, [enc]
    vstore  [dec + 16 * %$rounds], %$low
    vload   %$low, [enc + 16 * %$rounds]
    vstore  [dec], %$low
    %assign %$r 1
    %rep %$rounds - 1
    %assign %$i %$r - %$r / 5 * 5
    %xdefine %$k v%[%$i]
    vload   %$k, [enc + 16 * %$r]
    vimc    %$k
    vstore  [dec + 16 * (%$rounds - %$r)], %$k
        %assign %$r %$r + 1
    %endrep
.done:
    %pop
ENDKERNEL
%endmacro

%macro vimc 1
    %if HAS_VEX
        vaesimc %1, %1
    %else
        aesimc  %1, %1
    %endif
%endmacro

; The low 8 bytes of a register.
%macro vinsert_low 2
    %if HAS_VEX
        vmovq   %1, %2
    %else
        movq    %1, %2
    %endif
%endmacro
%macro vstore_low 2
    vinsert_low %1, %2
%endmacro

%macro KEYEXP_TIER 1
TIER %1
KEYEXP 128
KEYEXP 192
KEYEXP 256
%endmacro

KEYEXP_TIER sse
KEYEXP_TIER avx
