; AES in XTS mode (IEEE 1619, section 5).
; SPDX-License-Identifier: BSD-3-Clause

%include "crypto/aes/aes.inc"

RODATA
tweak_polynomial:                       ; x^128, and the carry between the halves
    dd      0x87, 0, 1, 0
    align   64
lane_powers:                            ; x^0 to x^7
    %assign i 0
    %rep 8
    dq      1 << i, 0
        %assign i i + 1
    %endrep
AES_BYTE_TABLES

; t = t x, where t is a little-endian integer: both halves double, and their top bits, spread over
; dwords 0 and 2, select the carries. x is scratch.
%macro NEXT_TWEAK 3                     ; t, x, polynomial
    vshufd  %2, %1, 0x13
    vaddq   %1, %1, %1
    vshift  psrad, %2, %2, 31
    vand    %2, %2, %3
    vxor    %1, %1, %2
%endmacro

; All rounds but the last of n blocks, whose tweaks go to the stack: the first of them is %$tweak,
; which becomes the one after the last.
%macro XTS_START 2                      ; cipher (enc or dec), n
    vload   %$key, [k1]
    %assign %%j 0
    %rep %2
    vload   v%[%%j], [in + 16 * %%j]
    vstore  [rsp + 16 * %%j], %$tweak
    vxor    v%[%%j], v%[%%j], %$key
    vxor    v%[%%j], v%[%%j], %$tweak
    NEXT_TWEAK %$tweak, %$x, %$polynomial
        %assign %%j %%j + 1
    %endrep
    MIDDLE_ROUNDS v%1, %2, k1, %$rounds, %$key
%endmacro

; The last round takes K_last ^ T for its key.
%macro XTS_FINISH 2                     ; cipher, n
    %assign %%j 0
    %rep %2
    vxor    %$x, %$last, [rsp + 16 * %%j]
    v%1last v%[%%j], %$x
    vstore  [out + 16 * %%j], v%[%%j]
        %assign %%j %%j + 1
    %endrep
%endmacro

; v0 = the cipher of v0 with a tweak
%macro XTS_BLOCK 2                      ; cipher, tweak
    vload   %$key, [k1]
    vxor    v0, v0, %$key
    vxor    v0, v0, %2
    MIDDLE_ROUNDS v%1, 1, k1, %$rounds, %$key
    vxor    %$x, %$last, %2
    v%1last v0, %$x
%endmacro

; Registers of the width in force.
%macro XTS_REGISTERS 0
    %xdefine %$key v8
    %xdefine %$last v9
    %xdefine %$tweak v10
    %xdefine %$polynomial v11
    %xdefine %$x v12
    %xdefine %$y v13
    %xdefine %$z v2                     ; a state, free when the last two blocks are worked on
%endmacro

; d = s x^(8 n), where s is a vector of tweaks: n bytes up, and those shifted out times the
; polynomial. d may be s.
%macro STEP_BYTES 3                     ; d, s, n
    vpsrldq %$x, %2, 16 - %3
    vpslldq %1, %2, %3
    vpclmulqdq %$x, %$x, %$polynomial, 0x00
    vxor    %1, %1, %$x
%endmacro

; d = s x^i for i = first, first + 1, ... in the lanes. Products, not shifts: those would wait at
; the port of AES for the sector before, which made consecutive sectors 1.2 times slower.
%macro LANE_POWERS 3                    ; d, s, first
    vload   %$y, [lane_powers + 16 * (%3)]
    vpclmulqdq %1, %2, %$y, 0x00
    vpclmulqdq %$x, %2, %$y, 0x01       ; 64 bits up, and those that are shifted out come back
    vpclmulqdq %$y, %$x, %$polynomial, 0x01
    vpslldq %$x, %$x, 8
    vxor3   %1, %$x, %$y
%endmacro

; Where the tweaks of vector j are: in memory, or in a register if there are enough.
%macro TWEAK_PLACES 0
    %assign %%j 0
    %rep 8
        %if HAS_EVEX
            %assign %%register 16 + %%j
            %xdefine %$tweaks%[%%j] v%[%%register]
        %else
            %xdefine %$tweaks%[%%j] [rsp + VL * %%j]
        %endif
        %assign %%j %%j + 1
    %endrep
%endmacro

; Sets or gets the tweaks of a vector, which are or are put in a register of their own.
%macro MAKE_TWEAKS 2                    ; from, up to vector
    %assign %%lanes VL / 16
    %assign %%j %1
    %rep %2 - %1
        %assign %%i %%j - 8 / %%lanes
        %if HAS_EVEX
            %xdefine %%d %$tweaks%[%%j]
        %else
            %xdefine %%d v%[%%j]
        %endif
        %if %%i < 0
    LANE_POWERS %%d, %$tweak, %%lanes * %%j
        %elif HAS_EVEX
    STEP_BYTES %%d, %$tweaks%[%%i], 1
        %else
    STEP_BYTES %%d, v%[%%i], 1
        %endif
        %if HAS_EVEX == 0
    vstore  %$tweaks%[%%j], %%d
        %endif
        %assign %%j %%j + 1
    %endrep
%endmacro

; n vectors of blocks, the last one under the mask k7 if `masked` is 1.
%macro XTS_VECTORS 3                    ; cipher, n, masked
    vbcast16 %$key, [k1]
    %assign %%j 0
    %rep %2
    vload_of v%[%%j], in, %%j, %2, %3
        %if HAS_EVEX
    vpternlogq v%[%%j], %$key, %$tweaks%[%%j], XOR3
        %else
    vxor    v%[%%j], v%[%%j], %$key
    vxor    v%[%%j], v%[%%j], %$tweaks%[%%j]
        %endif
        %assign %%j %%j + 1
    %endrep
    MIDDLE_ROUNDS v%1, %2, k1, %$rounds, %$key
    %assign %%j 0
    %rep %2
    vxor    %$y, %$last, %$tweaks%[%%j]
    v%1last v%[%%j], %$y
    vstore_of out, %%j, %2, %3, v%[%%j]
        %assign %%j %%j + 1
    %endrep
%endmacro

; Eight vectors at a time, as long as there are so many blocks and `keep` more. The tweaks of each
; are x^(8 VL / 16) times what they were before: they advance by whole bytes, which takes no time
; from the port of AES.
%macro XTS_LOOP 2                       ; cipher, keep
    sub     blocks, 8 * VL / 16 + %2
    jb      .no_vectors
    %if HAS_EVEX
    MAKE_TWEAKS 8 * 16 / VL, 8
    %else
    MAKE_TWEAKS 0, 8
    %endif
.vectors:                               ; blocks + 8 VL / 16 + keep are left
    XTS_VECTORS %1, 8, 0
    %assign %%j 0
    %rep 8
        %if HAS_EVEX
    STEP_BYTES %$tweaks%[%%j], %$tweaks%[%%j], VL / 16
        %else
    vload   %$tweak, %$tweaks%[%%j]
    STEP_BYTES %$y, %$tweak, VL / 16
    vstore  %$tweaks%[%%j], %$y
        %endif
        %assign %%j %%j + 1
    %endrep
    add     in, 8 * VL
    add     out, 8 * VL
    sub     blocks, 8 * VL / 16
    jae     .vectors
.no_vectors:
    add     blocks, 8 * VL / 16 + %2
%endmacro

; All blocks in vectors of four, the last of them under a mask; tweak becomes that of the next block
; if there is a partial one.
%macro XTS_MASKED 1                     ; cipher
    vshufi32x4 %$tweak, %$tweak, %$tweak, 0
    MAKE_TWEAKS 0, 2
    XTS_LOOP %1, 1                      ; the last eight vectors have no next tweaks to make
    test    blocks, blocks
    jz      .no_blocks
    shl     blocks, 4
    LAST_MASK blocks, tweak, t          ; tweak has been used: scratch
    DISPATCH_8 tweak, .masked_
    %assign %%n 8
    %rep 8
.masked_%[%%n]:
        %if %%n > 2
    MAKE_TWEAKS 2, %%n
        %endif
    XTS_VECTORS %1, %%n, 1
        %assign %%i %%n - 1
    vmovdqa64 %$y, %$tweaks%[%%i]
        %if %%n > 1
    jmp     .masked_done
        %endif
        %assign %%n %%n - 1
    %endrep
.masked_done:                           ; y has the tweak of the last block
    test    len_d, len_d
    jz      .done
    lea     t_d, [blocks - 16]
    shr     t_d, 3
    and     t_d, 6
    mov     tweak_d, 3
    shlx    tweak_d, tweak_d, t_d
    kmovd   k7, tweak_d
    vpcompressq %$tweak{k7}{z}, %$y
    add     in, blocks
    add     out, blocks
    VWIDTH  16
    XTS_REGISTERS
    NEXT_TWEAK %$tweak, %$x, %$polynomial
    jmp     .stealing
.no_blocks:
    vmovdqa64 %$tweak, xmm16
%endmacro

; void isalk_aes_xts_<enc|dec>_<bits>_<tier>(const uint8_t *k2, const uint8_t *k1,
;                                            const uint8_t *tweak, size_t len, const uint8_t *in,
;                                            uint8_t *out)
;
; C_i = E_k1(P_i ^ T_i) ^ T_i with T_0 = E_k2(tweak), or tweak itself if k2 is NULL, and T_(i+1) =
; T_i x modulo x^128 + x^7 + x^2 + x + 1; len >= 16 bytes, the last 16 to 31 with ciphertext
; stealing if len is no multiple of 16. For decryption k1 is a decryption schedule. Any alignment;
; out may be in.
;
; Registers: v0-v7 states; tweak_v is the tweak of the next block; blocks counts whole ones.
; Main loop: 10 or 14 cycles for a block, bound by the port of AES; beside it 9 vector uops on the
; other two ports, in vectors of 64 bytes 6.
%macro XTS 2                            ; enc or dec, bits
KERNEL aes_xts_%1_%2, k2, k1, tweak, len, in, out
    LOCALS  blocks, t
    %if HAS_EVEX
    SECRET  0, 13, 16, 23
    %else
    SECRET  0, 13
    STACK   8 * VL, secret
    %endif
    %push xts
    VWIDTH  16
    XTS_REGISTERS
    %assign %$rounds AES_ROUNDS(%2)
    vload   %$tweak, [tweak]
    test    k2, k2
    jz      .encrypted
    vload   %$x, [k2]
    vxor    %$tweak, %$tweak, %$x
    %assign %$r 1
    %rep %$rounds - 1
    vround_mem venc, %$tweak, [k2 + 16 * %$r], %$x
        %assign %$r %$r + 1
    %endrep
    vround_mem venclast, %$tweak, [k2 + 16 * %$rounds], %$x
.encrypted:
    mov     blocks, len
    shr     blocks, 4
    and     len_d, 15
  %ifidn %1, dec
    cmp     len_d, 1                    ; the block before a partial one comes later
    adc     blocks, -1
  %endif
  %if VL > 16
    VWIDTH  VL
    TWEAK_PLACES
    XTS_REGISTERS
    vbcast16 %$polynomial, [tweak_polynomial]
    vbcast16 %$last, [k1 + 16 * %$rounds]
  %else
    vload   %$polynomial, [tweak_polynomial]
    vload   %$last, [k1 + 16 * %$rounds]
  %endif
  %if HAS_EVEX
    XTS_MASKED %1
  %else
    XTS_UNMASKED %1
  %endif
    VWIDTH  16
    XTS_REGISTERS
.stealing:
    test    len_d, len_d
    jz      .done
  %ifidn %1, enc
    ; The partial block P_m takes the missing bytes from the end of C_(m-1), which is at out - 16
    ; and keeps the rest as C_m.
    vload   v1, [out - 16]
  %else
    ; C_(m-1) is decrypted with the tweak that belongs to the partial block.
    vmove   %$z, %$tweak
    NEXT_TWEAK %$z, %$x, %$polynomial
    vload   v0, [in]
    XTS_BLOCK %1, %$z
    vmove   v1, v0
    add     in, 16
    add     out, 16
  %endif
    vload_bytes v0, in, len, %$x, %$y, t
    lea     t, [aes_mask + 16]
    sub     t, len
    vload   %$x, [t]
    vstore_bytes out, len, v1, %$y, %$key, t
    vandn   %$x, %$x, v1
    vor     v0, v0, %$x
    XTS_BLOCK %1, %$tweak
    vstore  [out - 16], v0
.done:
    %pop
ENDKERNEL
%endmacro

; All blocks: in the widest vectors, then eight at once, then the rest.
%macro XTS_UNMASKED 1                   ; cipher
  %if VL > 16
    cmp     blocks, 8 * VL / 16
    jb      .eights
    vinserti128 %$tweak, %$tweak, xmm10, 1
    XTS_LOOP %1, 0
    VWIDTH  16
    XTS_REGISTERS
    vload   %$tweak, [rsp]
  %endif
.eights:
    VWIDTH  16
    XTS_REGISTERS
    sub     blocks, 8
    jb      .fewer_than_eight
.eight:                                 ; blocks + 8 are left
    XTS_START %1, 8
    XTS_FINISH %1, 8
    add     in, 8 * 16
    add     out, 8 * 16
    sub     blocks, 8
    jae     .eight
.fewer_than_eight:
    add     blocks, 8
    DISPATCH_7 blocks, .start_
    jmp     .stealing
    %assign %%n 7
    %rep 7
.start_%[%%n]:
    XTS_START %1, %%n
    XTS_FINISH %1, %%n
    add     in, 16 * %%n
    add     out, 16 * %%n
        %if %%n > 1
    jmp     .stealing
        %endif
        %assign %%n %%n - 1
    %endrep
%endmacro

%macro XTS_TIER 1
TIER %1
XTS enc, 128
XTS enc, 256
XTS dec, 128
XTS dec, 256
%endmacro

XTS_TIER sse
XTS_TIER avx
XTS_TIER avx2_v
XTS_TIER avx512_v
