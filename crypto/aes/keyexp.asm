; AES key expansion (FIPS 197, section 5.2), of one key or of both keys of XTS.
; SPDX-License-Identifier: BSD-3-Clause

%include "crypto/aes/aes.inc"

RODATA
rot_last:                               ; RotWord of the last word, four times
    times 8 db 13, 14, 15, 12
rot_second:                             ; RotWord of the second word, four times
    times 4 db 5, 6, 7, 4
copy_last:                              ; the last word, four times
    times 8 db 12, 13, 14, 15
rot_last_even:                          ; ShiftRows makes it RotWord of the last word, 0, and again
    times 4 db 13, -1, 15, -1, -1, 14, -1, 12
round_constant:
    times 8 dd 1
SBOX_0 equ 0x63636363
next_sum:                               ; c ^ d and d ^ SBOX_0 by turns, where c and d are the round
    %assign i 1                         ; constants of r and r + 1, for r = 1 .. 9
    %rep 9
        %assign j (i << 1) ^ (i >> 7) * 0x11b
    times 4 dd i ^ j, j ^ SBOX_0
        %assign i j
    %endrep

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

; A chain is the expansion of a key in the registers from v<chain> on. Round key r of AES-128 is in
; the first of them, that of AES-256 in the one that r modulo 3 selects.
%define KEY_REGISTER(bits, chain, r) ((chain) + (r) % 3 * ((bits) == 256))

; AES-128: k_(r+1) = P(k_r) + t. P makes prefix sums of the four words. Every word of t is the S-box
; of a word of k_r plus a constant. The last round of AES computes this sum if its key is P(k_r) +
; constant. A second round makes P(k_(r+1)) = P(P(k_r)) + P(t) beside the first, with
;
;     P(P(a, b, c, d)) = (a, b, a + c, b + d)  and  P(t, t, t, t) = (t, 0, t, 0)
;
; So the chain is one shuffle and one round.
;
; Registers: k_r in v<chain>; P(k_(r-1)) + constant in v<chain + 1 + r % 2>.
%macro STEP_128 2                       ; chain, r
    %assign %%sum %1 + 1 + %2 % 2
    %assign %%next_sum %1 + 2 - %2 % 2
    %if %2 < 10
    vslldq  %$x, v%1, 8
    vxor    %$x, %$x, v%1
    vop_const pxor, %$x, %$x, [next_sum + 32 * (%2 - 1)]
    SUB_WORD v%[%%next_sum], v%1, [rot_last_even], %$x
    %endif
    %if %2 == 1
    SUB_WORD v%[%%sum], v%1, [rot_last], %$constant
    PREFIX_XOR v%1, %$x
    vxor    v%1, v%1, v%[%%sum]
    %else
    SUB_WORD v%1, v%1, [rot_last], v%[%%sum]
    %endif
%endmacro

; Makes four words of low and of high in turn. The prefix sums of one are made beside the S-box of
; the other, and are the round key of that AES round. So the chain is one shuffle and one round.
%macro STEP_256 2                       ; chain, r >= 2
    %assign %%low KEY_REGISTER(256, %1, %2 - 2)
    %assign %%high KEY_REGISTER(256, %1, %2 - 1)
    %assign %%made KEY_REGISTER(256, %1, %2)
    PREFIX_XOR v%[%%low], %$x
    %if %2 % 2 == 0
    vxor    v%[%%low], v%[%%low], %$constant
    SUB_WORD v%[%%made], v%[%%high], [rot_last], v%[%%low]
    %else
    SUB_WORD v%[%%made], v%[%%high], [copy_last], v%[%%low]
    %endif
%endmacro

; After round key r of all chains.
%macro NEXT_CONSTANT_128 1
%endmacro
%macro NEXT_CONSTANT_256 1
    %if %1 % 2 == 0
    vaddd   %$constant, %$constant, %$constant
    %endif
%endmacro

; The round keys after the first 16 or 32 bytes.
%macro KEYEXP_STEPS 1                   ; bits
    %assign %%r %1 / 128
    %rep AES_ROUNDS(%1) - %%r + 1
    STEP_%1 0, %%r
        %assign %%made KEY_REGISTER(%1, 0, %%r)
    vstore  [enc + 16 * %%r], v%[%%made]
    NEXT_CONSTANT_%1 %%r
        %assign %%r %%r + 1
    %endrep
%endmacro

%macro KEYEXP_128 0
    KEYEXP_STEPS 128
%endmacro

%macro KEYEXP_256 0
    vload   v1, [key + 16]
    vstore  [enc + 16], v1
    KEYEXP_STEPS 256
%endmacro

; Six words a step: four in low, two in the lower half of high.
%macro KEYEXP_192 0
    %define %$low v0
    %define %$high v1
    vzero   %$high
    vmoveq  %$high, [key + 16]
    vmoveq  [enc + 16], %$high
    %assign %%r 1
    %rep 8
    SUB_WORD v2, %$high, [rot_second], %$constant
    PREFIX_XOR %$low, %$x
    vxor    %$low, %$low, v2
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
    vimc    v%[%%n], v%[%%n]
    vstore  [dec + 16 * (%1 - %%r)], v%[%%n]
        %assign %%r %%r + 1
    %endrep
%endmacro

%macro vimc 2
    %if HAS_VEX
        vaesimc %1, %2
    %else
        aesimc  %1, %2
    %endif
%endmacro

; void isalk_aes_keyexp_<bits>_<tier>(const uint8_t *key, uint8_t *enc, uint8_t *dec)
;
; enc = the encryption schedule of key; dec = the decryption schedule of the equivalent inverse
; cipher, unless dec is NULL. Any alignment.
;
; Registers: v0-v2: the chain; constant: the round constant in every word; x scratch.
; Chain: one shuffle, the last round of AES and an addition a step, 5 cycles on Golden Cove; AES-256
; needs no addition. The prefix sums run beside it.
%macro KEYEXP 1                         ; bits
KERNEL aes_keyexp_%1, key, enc, dec
    SECRET  0, 4
    %push
    %xdefine %$constant v3
    %xdefine %$x v4
    vload   %$constant, [round_constant]
    vload   v0, [key]
    vstore  [enc], v0
    KEYEXP_%1
    test    dec, dec
    jz      .done
    INVERT_SCHEDULE AES_ROUNDS(%1)
.done:
    %pop
ENDKERNEL
%endmacro

; Loads the first or second 16 bytes of both keys of XTS. A vector of 32 bytes has k1 in its lower
; half and k2 in its upper half: one chain. Else chain 0 is k2, and chain 3 is k1.
%macro XTS_LOAD 1                       ; r = 0 or 1
    %if VL == 32
    vload   xmm%1, [k1 + 16 * %1]
    vinserti128 v%1, v%1, [k2 + 16 * %1], 1
    %else
    %assign %%data %1 + 3
    vload   v%1, [k2 + 16 * %1]
    vload   v%[%%data], [k1 + 16 * %1]
    %endif
%endmacro

; Round key r of k1 goes to its place in the schedule of the cipher.
%macro XTS_STORE 3                      ; enc or dec, bits, r
    %assign %%made KEY_REGISTER(%2, 3 * (VL == 16), %3)
  %ifidn %1, enc
    vstore  [keys + 16 * %3], xmm%[%%made]
  %else
    %assign %%place AES_ROUNDS(%2) - %3
    %if %3 == 0 || %%place == 0
    vstore  [keys + 16 * %%place], xmm%[%%made]
    %else
    vimc    xmm9, xmm%[%%made]
    vstore  [keys + 16 * %%place], xmm9
    %endif
  %endif
%endmacro

; void isalk_aes_xts_keys_<enc|dec>_<bits>_<tier>(const uint8_t *k2, const uint8_t *k1,
;                                                 const uint8_t *tweak, uint8_t *keys,
;                                                 uint8_t *first)
;
; keys = the encryption or decryption schedule of k1; first = E_k2(tweak), the tweak of the first
; block of XTS. Any alignment.
;
; Registers: v0-v2, v3-v5: the chains; state: the tweak being encrypted, in vectors of 32 bytes in
; the upper half; constant: the round constant in every word; x scratch.
; The chains run side by side, and the tweak uses each round key of k2 as it appears. The schedule
; of k2 stays in registers. Cost: 70 to 85 vector uops with vectors of 32 bytes, else 150 to 175,
; and the stores.
%macro XTS_KEYS 2                       ; enc or dec, bits
KERNEL aes_xts_keys_%1_%2, k2, k1, tweak, keys, first
    %ifidn %1, enc
        %assign %%last 8
    %else
        %assign %%last 9
    %endif
    %if VL == 32
    SECRET  0, 2, 6, %%last
    %else
    SECRET  0, %%last
    %endif
    %push
    %xdefine %$constant v6
    %xdefine %$x v7
    %xdefine %$state v8
    vload   %$constant, [round_constant]
    XTS_LOAD 0
    vbcast16 %$state, [tweak]
    vxor    %$state, %$state, v0
    XTS_STORE %1, %2, 0
    %if %2 == 256
    XTS_LOAD 1
    venc    %$state, v1
    XTS_STORE %1, %2, 1
    %endif
    %assign %%r %2 / 128
    %rep AES_ROUNDS(%2) - %%r + 1
    STEP_%2 0, %%r
        %if VL == 16
    STEP_%2 3, %%r
        %endif
        %assign %%tweak_key KEY_REGISTER(%2, 0, %%r)
        %if %%r < AES_ROUNDS(%2)
    venc    %$state, v%[%%tweak_key]
    NEXT_CONSTANT_%2 %%r
        %else
    venclast %$state, v%[%%tweak_key]
        %endif
    XTS_STORE %1, %2, %%r
        %assign %%r %%r + 1
    %endrep
    %if VL == 32
    vextracti128 [first], %$state, 1
    %else
    vstore  [first], %$state
    %endif
    %pop
ENDKERNEL
%endmacro

%macro XTS_KEYS_TIER 1
TIER %1
XTS_KEYS enc, 128
XTS_KEYS enc, 256
XTS_KEYS dec, 128
XTS_KEYS dec, 256
%endmacro

%macro KEYEXP_TIER 1
TIER %1
KEYEXP 128
KEYEXP 192
KEYEXP 256
%endmacro

KEYEXP_TIER sse
KEYEXP_TIER avx
XTS_KEYS_TIER sse
XTS_KEYS_TIER avx
XTS_KEYS_TIER avx2_v
