; AES in XTS mode (IEEE 1619, section 5).
; SPDX-License-Identifier: BSD-3-Clause

%include "crypto/aes/aes.inc"

RODATA
tweak_polynomial:                       ; x^128 reduced, and the carry between the halves
    dd      0x87, 0, 1, 0
    align   64
lane_powers:                            ; x^0 to x^7
    %assign i 0
    %rep 8
    dq      1 << i, 0
        %assign i i + 1
    %endrep
AES_BYTE_TABLES

TOP_DWORDS equ 0x13                     ; vpshufd: dword 3 to 0, dword 1 to 2

; t = t x, where t is a little-endian integer: both halves double. Their top bits, spread over
; dwords 0 and 2, select the carries. x is scratch.
%macro NEXT_TWEAK 3                     ; t, x, polynomial
    vshufd  %2, %1, TOP_DWORDS
    vaddq   %1, %1, %1
    vsrad   %2, %2, 31
    vand    %2, %2, %3
    vxor    %1, %1, %2
%endmacro

; All rounds but the last of n blocks. Their tweaks begin with %$tweak and go to the stack; %$tweak
; becomes the tweak of the next block.
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

; The last round: its key is K_last ^ T.
%macro XTS_FINISH 2                     ; cipher, n
    %assign %%j 0
    %rep %2
    vxor    %$x, %$last, [rsp + 16 * %%j]
    v%1last v%[%%j], %$x
    vstore  [out + 16 * %%j], v%[%%j]
        %assign %%j %%j + 1
    %endrep
%endmacro

; Encrypts or decrypts v0 with a tweak.
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
    %xdefine %$z v2                     ; a state, unused by the last two blocks
%endmacro

; d = s x^(8 n), where s is a vector of tweaks: shifts up by n bytes and adds the product of the
; bytes shifted out with the polynomial. d may be s.
%macro STEP_BYTES 3                     ; d, s, n
    vpsrldq %$x, %2, 16 - %3
    vpslldq %1, %2, %3
    vpclmulqdq %$x, %$x, %$polynomial, 0x00
    vxor    %1, %1, %$x
%endmacro

; d = s x^i for i = first, first + 1, ... in the lanes. Products instead of shifts, which would wait
; at the port of AES for the preceding sector: that made consecutive sectors 1.2 times slower.
%macro LANE_POWERS 3                    ; d, s, first
    vload   %$y, [lane_powers + 16 * (%3)]
    vpclmulqdq %1, %2, %$y, 0x00
    vpclmulqdq %$x, %2, %$y, 0x01       ; of the upper half: belongs 64 bits up, then reduced
    vpclmulqdq %$y, %$x, %$polynomial, 0x01
    vpslldq %$x, %$x, 8
    vxor3   %1, %$x, %$y
%endmacro

; %$tweaks<j>: place of the tweaks of vector j, a register if there are enough, else memory.
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

; Makes the tweaks of the vectors from .. to - 1; the tweaks of those before exist.
%macro MAKE_TWEAKS 2                    ; from, to
    %assign %%j %1
    %rep %2 - %1
        %if HAS_EVEX
    MAKE_VECTOR_TWEAKS %%j, %$tweaks
        %else
    MAKE_VECTOR_TWEAKS %%j, v
    vstore  %$tweaks%[%%j], v%[%%j]
        %endif
        %assign %%j %%j + 1
    %endrep
%endmacro

; <prefix><j> = the tweaks of vector j: from %$tweak for the first 8 blocks, then from the vector 8
; blocks before.
%macro MAKE_VECTOR_TWEAKS 2             ; j, prefix
    %assign %%first %1 * VL / 16        ; block
    %if %%first < 8
    LANE_POWERS %2%[%1], %$tweak, %%first
    %else
        %assign %%i %1 - 8 * 16 / VL
    STEP_BYTES %2%[%1], %2%[%%i], 1
    %endif
%endmacro

; Encrypts or decrypts n vectors, the last one under the mask k7 if masked is 1.
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

; Eight vectors at a time while their blocks and `keep` more remain. The next tweaks of each vector
; are x^(8 VL / 16) times the current ones: they advance by whole bytes, without the port of AES.
%macro XTS_LOOP 2                       ; cipher, keep
    sub     blocks, 8 * VL / 16 + %2
    jb      .no_vectors
    %if HAS_EVEX
    MAKE_TWEAKS 8 * 16 / VL, 8
    %else
    MAKE_TWEAKS 0, 8
    %endif
.vectors:                               ; blocks + 8 VL / 16 + keep remain
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

; All blocks in 64-byte vectors, the last vector under a mask. Jumps to `done` if there is no
; partial block, else tweak becomes that of the next block.
%macro XTS_MASKED 2                     ; cipher, done
    vlanes  %$tweak
    MAKE_TWEAKS 0, 2
    XTS_LOOP %1, 1                      ; the last eight vectors need no further tweaks
    test    blocks, blocks
    jz      %%no_blocks
    shl     blocks, 4
    LAST_MASK blocks, tweak, t          ; the register `tweak` is free now
    DISPATCH_8 tweak, .masked_
    CASES   .masked_, 8, .masked_done, XTS_MASKED_CASE, %1
.masked_done:                           ; y has the tweak of the last block
    test    len_d, len_d
    jz      %2
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
    jmp     %%next
%%no_blocks:
    vmovdqa64 %$tweak, xmm16
%%next:
%endmacro

%macro XTS_MASKED_CASE 2                ; n, cipher
    %if %1 > 2
    MAKE_TWEAKS 2, %1
    %endif
    XTS_VECTORS %2, %1, 1
    %assign %%last %1 - 1
    vmovdqa64 %$y, %$tweaks%[%%last]
%endmacro

; All blocks: in 32-byte vectors if the tier has them, then eight at a time, then the remainder,
; with a jump to `done`.
%macro XTS_UNMASKED 2                   ; cipher, done
  %if VL > 16
    cmp     blocks, 8 * VL / 16
    jb      %%blocks
    vinserti128 %$tweak, %$tweak, %$tweak16, 1
    XTS_LOOP %1, 0
    VWIDTH  16
    XTS_REGISTERS
    vload   %$tweak, [rsp]
  %endif
%%blocks:
    VWIDTH  16
    XTS_REGISTERS
    sub     blocks, 8
    jb      %%fewer_than_eight
%%eight:                                ; blocks + 8 remain
    XTS_BLOCKS 8, %1
    sub     blocks, 8
    jae     %%eight
%%fewer_than_eight:
    add     blocks, 8
    DISPATCH_7 blocks, .blocks_
    jmp     %2
    CASES   .blocks_, 7, %2, XTS_BLOCKS, %1
%endmacro

%macro XTS_BLOCKS 2                     ; n, cipher
    XTS_START %2, %1
    XTS_FINISH %2, %1
    add     in, 16 * %1
    add     out, 16 * %1
%endmacro

; The partial block of len bytes: ciphertext stealing with the last whole block.
%macro XTS_STEAL 1                      ; cipher
  %ifidn %1, enc
    ; The partial block P_m takes the missing bytes from the end of C_(m-1), which is at out - 16.
    ; The beginning of C_(m-1) becomes C_m.
    vload   v1, [out - 16]
  %else
    ; C_(m-1) is decrypted with the tweak of the partial block.
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
%endmacro

; T_0 = %$tweak, encrypted with the schedule at k2 unless that is NULL.
%macro XTS_FIRST_TWEAK 0
    vload   %$tweak, [tweak]
    test    k2, k2
    jz      %%encrypted
    vload   %$x, [k2]
    vxor    %$tweak, %$tweak, %$x
    %assign %%r 1
    %rep %$rounds - 1
    vround_mem venc, %$tweak, [k2 + 16 * %%r], %$x
        %assign %%r %%r + 1
    %endrep
    vround_mem venclast, %$tweak, [k2 + 16 * %$rounds], %$x
%%encrypted:
%endmacro

; void isalk_aes_xts_<enc|dec>_<bits>_<tier>(const uint8_t *k2, const uint8_t *k1,
;                                            const uint8_t *tweak, size_t len, const uint8_t *in,
;                                            uint8_t *out)
;
; C_i = E_k1(P_i ^ T_i) ^ T_i. T_0 = E_k2(tweak), or tweak itself if k2 is NULL; T_(i+1) = T_i x
; modulo x^128 + x^7 + x^2 + x + 1. len >= 16 bytes; unless len is a multiple of 16, the last 16 to
; 31 bytes use ciphertext stealing. For decryption k1 is a decryption schedule. Any alignment; out
; may be in.
;
; Registers: v0-v7 states; %$tweak: tweak of the next block; the others: see XTS_REGISTERS; blocks:
; whole blocks that remain; t scratch.
; Main loop: 10 or 14 cycles for a block, bound by the port of AES; 9 vector uops a block for the
; other two ports, 6 in 64-byte vectors.
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
    %assign %$rounds AES_ROUNDS(%2)
    VWIDTH  16
    XTS_REGISTERS
    XTS_FIRST_TWEAK
    mov     blocks, len
    shr     blocks, 4
    and     len_d, 15
  %ifidn %1, dec
    cmp     len_d, 1                    ; XTS_STEAL decrypts the block before a partial one
    adc     blocks, -1
  %endif
    %xdefine %$tweak16 %$tweak
    VWIDTH  VL
    TWEAK_PLACES
    XTS_REGISTERS
    vbcast16 %$polynomial, [tweak_polynomial]
    vbcast16 %$last, [k1 + 16 * %$rounds]
  %if HAS_EVEX
    XTS_MASKED %1, .done
  %else
    XTS_UNMASKED %1, .stealing
  %endif
    VWIDTH  16
    XTS_REGISTERS
.stealing:
    test    len_d, len_d
    jz      .done
    XTS_STEAL %1
.done:
    %pop
ENDKERNEL
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
