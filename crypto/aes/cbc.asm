; AES in cipher block chaining mode (SP 800-38A, section 6.2).
; SPDX-License-Identifier: BSD-3-Clause

%include "crypto/aes/aes.inc"

; void isalk_aes_cbc_enc_<bits>_<tier>(const uint8_t *in, const uint8_t *iv, const uint8_t *keys,
;                                      uint8_t *out, size_t len)
;
; C_i = E(P_i ^ C_(i-1)), C_(-1) = iv, for len bytes, a multiple of 16. Any alignment; out may be
; in.
;
; Every block waits for the one before, so the chain of rounds is all that counts. The addition of
; the next block of text is kept off it: with w = P_(i+1) ^ K_0, the last round takes K_last ^ w for
; its key, which makes C_i ^ w, what the next block's first round starts from. C_i follows aside.
; Main loop: 4 cycles a round, 40, 48 or 56 for a block.
;
; Registers: in and out point behind the text, len counts up to 0. Of the middle round keys `held`
; are in registers, the rest in memory.
%macro CBC_ENC 1                        ; bits
KERNEL aes_cbc_enc_%1, in, iv, keys, out, len
    %push
    %assign %$rounds AES_ROUNDS(%1)
    %assign %$held %$rounds - 1
    %if %$held > 11
        %assign %$held 11
    %endif
    SECRET  0, 4 + %$held
    %xdefine %$state v0
    %xdefine %$w v1
    %xdefine %$first v2
    %xdefine %$last v3
    %xdefine %$x v4
    test    len, len
    jz      .done
    add     in, len
    add     out, len
    neg     len
    vload   %$first, [keys]
    vload   %$last, [keys + 16 * %$rounds]
    %assign %$r 1
    %rep %$held
        %assign %$k %$r + 4
    vload   v%[%$k], [keys + 16 * %$r]
        %assign %$r %$r + 1
    %endrep
    vload   %$state, [iv]
    vload   %$w, [in + len]
    vxor    %$w, %$w, %$first
    vxor    %$state, %$state, %$w
.block:                                 ; state = P_i ^ C_(i-1) ^ K_0, where P_i is at in + len
    %assign %$r 1
    %rep %$rounds - 1
        %if %$r <= %$held
            %assign %$k %$r + 4
        venc    %$state, v%[%$k]
        %else
        vround_mem venc, %$state, [keys + 16 * %$r], %$x
        %endif
        %assign %$r %$r + 1
    %endrep
    add     len, 16
    jz      .last
    vload   %$w, [in + len]
    vxor    %$w, %$w, %$first
    vxor    %$x, %$w, %$last
    venclast %$state, %$x
    vxor    %$x, %$state, %$w
    vstore  [out + len - 16], %$x
    jmp     .block
.last:
    venclast %$state, %$last
    vstore  [out - 16], %$state
.done:
    %pop
ENDKERNEL
%endmacro

; void isalk_aes_cbc_mb_<bits>_<tier>(struct aes_cbc_lanes *lanes, const uint8_t *keys,
;                                     size_t blocks)
;
; The same for eight messages of `blocks` >= 1 blocks under one key; in, out and iv of the lanes are
; brought up to date. Lanes may be identical: each step loads all text before it stores any.
;
; Registers: v0-v7 are the lanes' states, `at` counts bytes up to `end`.
; Main loop: 10, 12 or 14 cycles for each lane's block, bound by the port of AES.
LANES_OUT equ 64                        ; offsets in struct aes_cbc_lanes
LANES_IV  equ 128
%macro CBC_MB 1                         ; bits
KERNEL aes_cbc_mb_%1, lanes, keys, end
    LOCALS  at, p, q
    SECRET  0, 10
    %push
    %xdefine %$key v8
    %xdefine %$first v9
    %xdefine %$last v10
    %assign %$rounds AES_ROUNDS(%1)
    shl     end, 4
    xor     at_d, at_d
    vload   %$first, [keys]
    vload   %$last, [keys + 16 * %$rounds]
    %assign %$j 0
    %rep 8
    vload   v%[%$j], [lanes + LANES_IV + 16 * %$j]
        %assign %$j %$j + 1
    %endrep
.step:                                  ; the states are the ciphertexts of the step before
    %assign %$j 0
    %rep 8
    mov     p, [lanes + 8 * %$j]
    vload   %$key, [p + at]
    vxor    %$key, %$key, %$first
    vxor    v%[%$j], v%[%$j], %$key
        %assign %$j %$j + 1
    %endrep
    MIDDLE_ROUNDS venc, 8, keys, %$rounds, %$key
    %assign %$j 0
    %rep 8
    mov     q, [lanes + LANES_OUT + 8 * %$j]
    venclast v%[%$j], %$last
    vstore  [q + at], v%[%$j]
        %assign %$j %$j + 1
    %endrep
    add     at, 16
    cmp     at, end
    jb      .step
    %assign %$j 0
    %rep 8
    vstore  [lanes + LANES_IV + 16 * %$j], v%[%$j]
    add     [lanes + 8 * %$j], end
    add     [lanes + LANES_OUT + 8 * %$j], end
        %assign %$j %$j + 1
    %endrep
    %pop
ENDKERNEL
%endmacro

; void isalk_aes_cbc_dec_<bits>_<tier>(const uint8_t *in, const uint8_t *iv, const uint8_t *keys,
;                                      uint8_t *out, size_t len)
;
; P_i = D(C_i) ^ C_(i-1), C_(-1) = iv, with a decryption schedule, for len bytes, a multiple of 16.
; Any alignment; out may be in.
;
; Eight blocks or vectors at a time, the rest of 64-byte vectors under a mask. The last round takes
; K_last ^ C_(i-1) for its key. In place, the text of a block replaces ciphertext that the next one
; needs, which is therefore loaded first.
; Main loop: 10, 12 or 14 cycles for a block, bound by the port of AES.
;
; Registers: v0-v7 states, and see CBC_REGISTERS.
%macro CBC_DEC 1                        ; bits
KERNEL aes_cbc_dec_%1, in, iv, keys, out, len
    LOCALS  t
    SECRET  0, 12
    %push cbc
    %assign %$rounds AES_ROUNDS(%1)
  %if VL > 16
    ; Whole vectors, with the same registers.
    sub     len, 8 * VL
    jb      .no_vectors
    vinsert_last v10, [iv]
    CBC_REGISTERS
    vbcast16 %$last, [keys + 16 * %$rounds]
.vectors:                               ; len + 8 VL are left
    CBC_START 8, 0
    CBC_FINISH 8, 0
    add     in, 8 * VL
    add     out, 8 * VL
    sub     len, 8 * VL
    jae     .vectors
    add     len, 8 * VL
  %if HAS_EVEX
    jmp     .masked
.no_vectors:
    add     len, 8 * VL
    vinsert_last v10, [iv]
    CBC_REGISTERS
    vbcast16 %$last, [keys + 16 * %$rounds]
.masked:
    test    len, len
    jz      .done
    LAST_MASK len, iv, t                ; iv has been used: scratch
    DISPATCH_8 iv, .masked_
    jmp     .done
    %assign %$n 8
    %rep 8
.masked_%[%$n]:
    CBC_START %$n, 1
    CBC_FINISH %$n, 1
        %if %$n > 1
    jmp     .done
        %endif
        %assign %$n %$n - 1
    %endrep
  %else
    vextract_last xmm10, %$previous
    VWIDTH  16
    CBC_REGISTERS
    vload   %$last, [keys + 16 * %$rounds]
    jmp     .blocks
.no_vectors:
    add     len, 8 * VL
  %endif
  %endif
  %if HAS_EVEX == 0
    VWIDTH  16
    CBC_REGISTERS
    vload   %$last, [keys + 16 * %$rounds]
    vload   %$previous, [iv]
.blocks:
    sub     len, 8 * 16
    jb      .fewer_than_eight
.eight:                                 ; len + 8 blocks are left
    CBC_START 8, 0
    CBC_FINISH 8, 0
    add     in, 8 * 16
    add     out, 8 * 16
    sub     len, 8 * 16
    jae     .eight
.fewer_than_eight:
    add     len, 8 * 16
    shr     len, 4
    DISPATCH_7 len, .start_
    jmp     .done
    %assign %$n 7
    %rep 7
.start_%[%$n]:
    CBC_START %$n, 0
    CBC_FINISH %$n, 0
        %if %$n > 1
    jmp     .done
        %endif
        %assign %$n %$n - 1
    %endrep
  %endif
.done:
    %pop
ENDKERNEL
%endmacro

; Registers of the width in force. previous: its last block is the ciphertext before the next one.
%macro CBC_REGISTERS 0
    %xdefine %$key v8
    %xdefine %$last v9
    %xdefine %$previous v10
    %xdefine %$next v11
    %xdefine %$x v12
%endmacro

; All rounds but the last of n vectors, the last one under the mask k7 if `masked` is 1.
%macro CBC_START 2                      ; n, masked
    vbcast16 %$key, [keys]
    %assign %%j 0
    %rep %1
    vload_of v%[%%j], in, %%j, %1, %2
    vxor    v%[%%j], v%[%%j], %$key
        %assign %%j %%j + 1
    %endrep
    MIDDLE_ROUNDS vdec, %1, keys, %$rounds, %$key
%endmacro

%macro CBC_FINISH 2
    %assign %%j 0
    %rep %1
    vload_of %$next, in, %%j, %1, %2
    %if VW > 16
    vblocks_before %$x, %$next, %$previous
    vxor    %$x, %$x, %$last
    %else
    vxor    %$x, %$previous, %$last
    %endif
    vmove   %$previous, %$next
    vdeclast v%[%%j], %$x
    vstore_of out, %%j, %1, %2, v%[%%j]
        %assign %%j %%j + 1
    %endrep
%endmacro

; Encryption has no use for wider vectors.
%macro CBC_TIER 1
TIER %1
    %if VL == 16
CBC_ENC 128
CBC_ENC 192
CBC_ENC 256
CBC_MB 128
CBC_MB 192
CBC_MB 256
    %endif
CBC_DEC 128
CBC_DEC 192
CBC_DEC 256
%endmacro

CBC_TIER sse
CBC_TIER avx
CBC_TIER avx2_v
CBC_TIER avx512_v
