; AES in cipher block chaining mode (SP 800-38A, section 6.2).
; SPDX-License-Identifier: BSD-3-Clause

%include "crypto/aes/aes.inc"
%include "asm/offsets.inc"

; void isalk_aes_cbc_enc_<bits>_<tier>(const uint8_t *in, const uint8_t *iv, const uint8_t *keys,
;                                      uint8_t *out, size_t len)
;
; C_i = E(P_i ^ C_(i-1)), C_(-1) = iv, for len bytes, a multiple of 16. Any alignment; out may be
; in.
;
; Every block waits for the preceding one, so only the chain of rounds counts. The XOR with the next
; block of text is not part of the chain: with w = P_(i+1) ^ K_0, the key of the last round is
; K_last ^ w. The result is C_i ^ w, the state of the next block's first round. C_i is computed
; beside the chain.
; Main loop: 4 cycles a round, 40, 48 or 56 for a block.
;
; Registers: in and out point past the text, len counts up to 0. `held` of the middle round keys are
; in registers, the others in memory.
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
; The same for eight messages of `blocks` >= 1 blocks under one key; advances in, out and iv of the
; lanes. Lanes may be identical: each step loads all text before it stores any.
;
; Registers: v0-v7 the lanes' states; at: byte offset, up to end; p, q scratch.
; Main loop: 10, 12 or 14 cycles for each lane's block, bound by the port of AES.
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
    %rep AES_LANES
    vload   v%[%$j], [lanes + aes_cbc_lanes.iv + 16 * %$j]
        %assign %$j %$j + 1
    %endrep
.step:                                  ; the states are the ciphertexts of the preceding step
    %assign %$j 0
    %rep AES_LANES
    mov     p, [lanes + aes_cbc_lanes.in + 8 * %$j]
    vload   %$key, [p + at]
    vxor    %$key, %$key, %$first
    vxor    v%[%$j], v%[%$j], %$key
        %assign %$j %$j + 1
    %endrep
    MIDDLE_ROUNDS venc, AES_LANES, keys, %$rounds, %$key
    %assign %$j 0
    %rep AES_LANES
    mov     q, [lanes + aes_cbc_lanes.out + 8 * %$j]
    venclast v%[%$j], %$last
    vstore  [q + at], v%[%$j]
        %assign %$j %$j + 1
    %endrep
    add     at, 16
    cmp     at, end
    jb      .step
    %assign %$j 0
    %rep AES_LANES
    vstore  [lanes + aes_cbc_lanes.iv + 16 * %$j], v%[%$j]
    add     [lanes + aes_cbc_lanes.in + 8 * %$j], end
    add     [lanes + aes_cbc_lanes.out + 8 * %$j], end
        %assign %$j %$j + 1
    %endrep
    %pop
ENDKERNEL
%endmacro

; void isalk_aes_cbc_mb_keys_<bits>_<tier>(struct aes_cbc_lanes *lanes, const uint8_t *table,
;                                          size_t blocks)
;
; The same for AES_KEYED_LANES messages, each under its own key: round key r of lane i is at table +
; 16 (AES_KEYED_LANES r + i). lanes and table are aligned to 64 bytes.
;
; Registers: one vector for every VL bytes of the lanes' states, which is all 16 with 16-byte
; vectors. The states are in memory between steps, because the next text is loaded to their
; registers. The keys are operands in memory.
; Main loop: 160, 192 or 224 rounds with 16-byte vectors, half as many with 32-byte vectors, a
; quarter with 64-byte vectors. They are bound by the port of AES, or by the two loads a cycle that
; bring the keys.
%macro CBC_MB_KEYS 1                    ; bits
KERNEL aes_cbc_mb_keys_%1, lanes, table, end
    LOCALS  at, p
    %push cbc
    %assign %$rounds AES_ROUNDS(%1)
    %assign %$vectors AES_KEYED_LANES * 16 / VL
    %assign %$last_vector %$vectors - 1
  %if HAS_EVEX
    %assign %$last_vector 23
  %endif
    SECRET  0, %$last_vector
    shl     end, 4
    xor     at_d, at_d
  %if HAS_EVEX
    KEYED_LINES .steps
  %endif
.step:                                  ; iv has the ciphertexts of the preceding step
    %assign %$j 0
    %rep %$vectors
    GATHER_TEXT %$j
    vop_vector pxor, v%[%$j], [lanes + aes_cbc_lanes.iv + VL * %$j]
        %assign %$j %$j + 1
    %endrep
    KEYED_ROUNDS 0, 1
    %assign %$j 0
    %rep %$vectors
    vstore  [lanes + aes_cbc_lanes.iv + VL * %$j], v%[%$j]
    SCATTER_TEXT %$j
        %assign %$j %$j + 1
    %endrep
    add     at, 16
.steps:
    cmp     at, end
    jb      .step
    %assign %$j 0
    %rep AES_KEYED_LANES
    add     [lanes + aes_cbc_lanes.in + 8 * %$j], end
    add     [lanes + aes_cbc_lanes.out + 8 * %$j], end
        %assign %$j %$j + 1
    %endrep
    %pop
ENDKERNEL
%endmacro

; Encrypts the states v<first>, v<first + stride>, ... of all lanes.
%macro KEYED_ROUNDS 2                   ; first, stride
    %assign %%r 0
    %rep %$rounds + 1
        %assign %%j 0
        %rep %$vectors
            %assign %%state (%1) + (%2) * %%j
            %xdefine %%key [table + 16 * AES_KEYED_LANES * %%r + VL * %%j]
            %if %%r == 0
    vop_vector pxor, v%[%%state], %%key
            %elif %%r < %$rounds
    venc    v%[%%state], %%key
            %else
    venclast v%[%%state], %%key
            %endif
            %assign %%j %%j + 1
        %endrep
        %assign %%r %%r + 1
    %endrep
%endmacro

; Four steps at a time, 64 bytes of each lane, so that each cache line is loaded and stored once.
; Messages at the same offset in their pages share a set of the L1 cache, which has fewer ways than
; there are lanes. For messages 4 KB apart, a step takes 22 ns, and 76 without this (Emerald
; Rapids). Continues at `steps` with the remaining steps and the ciphertexts in iv.
;
; v<4g + i>: lane 4g + i, or step i of lanes 4g .. 4g + 3. v<16 + g>: their last ciphertexts.
%macro KEYED_LINES 1                    ; steps
    lea     p, [at + 64]
    cmp     p, end
    ja      %1
    %assign %%g 0
    %rep 4
        %assign %%state 16 + %%g
    vload   v%[%%state], [lanes + aes_cbc_lanes.iv + VL * %%g]
        %assign %%g %%g + 1
    %endrep
%%line:
    KEYED_LINE vload, in
    %assign %%i 0
    %rep 4
        %assign %%g 0
        %rep 4
            %assign %%state 4 * %%g + %%i
            %assign %%last %%state - 1
            %if %%i == 0
                %assign %%last 16 + %%g
            %endif
    vxor    v%[%%state], v%[%%state], v%[%%last]
            %assign %%g %%g + 1
        %endrep
    KEYED_ROUNDS %%i, 4
        %assign %%i %%i + 1
    %endrep
    %assign %%g 0
    %rep 4
        %assign %%state 16 + %%g
        %assign %%last 4 * %%g + 3
    vmove   v%[%%state], v%[%%last]
        %assign %%g %%g + 1
    %endrep
    KEYED_LINE vstore, out
    add     at, 64
    lea     p, [at + 64]
    cmp     p, end
    jbe     %%line
    %assign %%g 0
    %rep 4
        %assign %%state 16 + %%g
    vstore  [lanes + aes_cbc_lanes.iv + VL * %%g], v%[%%state]
        %assign %%g %%g + 1
    %endrep
    jmp     %1
%endmacro

; Loads the lanes and transposes blocks to steps, or the reverse.
%macro KEYED_LINE 2                     ; vload or vstore, member of the pointers
    %assign %%g 0
    %rep 4
        %ifidn %1, vstore
    TRANSPOSE_BLOCKS 4 * %%g
        %endif
        %assign %%i 4 * %%g
        %rep 4
    mov     p, [lanes + aes_cbc_lanes.%2 + 8 * %%i]
            %ifidn %1, vstore
    vstore  [p + at], v%[%%i]
            %else
    vload   v%[%%i], [p + at]
            %endif
            %assign %%i %%i + 1
        %endrep
        %ifidn %1, vload
    TRANSPOSE_BLOCKS 4 * %%g
        %endif
        %assign %%g %%g + 1
    %endrep
%endmacro

; Transposes the 4 x 4 blocks of v<first> .. v<first + 3>. Overwrites v20 .. v23.
%macro TRANSPOSE_BLOCKS 1               ; first
    %assign %%a %1
    %assign %%b %1 + 1
    %assign %%c %1 + 2
    %assign %%d %1 + 3
    vshufi64x2 v20, v%[%%a], v%[%%b], LOWER_BLOCKS
    vshufi64x2 v21, v%[%%a], v%[%%b], UPPER_BLOCKS
    vshufi64x2 v22, v%[%%c], v%[%%d], LOWER_BLOCKS
    vshufi64x2 v23, v%[%%c], v%[%%d], UPPER_BLOCKS
    vshufi64x2 v%[%%a], v20, v22, EVEN_BLOCKS
    vshufi64x2 v%[%%b], v20, v22, ODD_BLOCKS
    vshufi64x2 v%[%%c], v21, v23, EVEN_BLOCKS
    vshufi64x2 v%[%%d], v21, v23, ODD_BLOCKS
%endmacro
LOWER_BLOCKS equ 0x44                   ; blocks 0 and 1 of both sources
UPPER_BLOCKS equ 0xee                   ; 2 and 3
EVEN_BLOCKS equ 0x88                    ; 0 and 2
ODD_BLOCKS equ 0xdd                     ; 1 and 3

; v<j> = the text of its lanes at byte offset `at`.
%macro GATHER_TEXT 1                    ; j
    %assign %%i 0
    %rep VL / 16
    mov     p, [lanes + aes_cbc_lanes.in + 8 * (VL / 16 * (%1) + %%i)]
        %if %%i == 0 && HAS_VEX
    vmovdqu xmm%[%1], [p + at]
        %elif %%i == 0
    movdqu  xmm%[%1], [p + at]
        %elif VL == 32
    vinserti128 v%[%1], v%[%1], [p + at], %%i
        %else
    vinserti32x4 v%[%1], v%[%1], [p + at], %%i
        %endif
        %assign %%i %%i + 1
    %endrep
%endmacro

; Stores the ciphertexts in v<j> to its lanes at byte offset `at`.
%macro SCATTER_TEXT 1                   ; j
    %assign %%i 0
    %rep VL / 16
    mov     p, [lanes + aes_cbc_lanes.out + 8 * (VL / 16 * (%1) + %%i)]
        %if %%i == 0 && HAS_VEX
    vmovdqu [p + at], xmm%[%1]
        %elif %%i == 0
    movdqu  [p + at], xmm%[%1]
        %elif VL == 32
    vextracti128 [p + at], v%[%1], %%i
        %else
    vextracti32x4 [p + at], v%[%1], %%i
        %endif
        %assign %%i %%i + 1
    %endrep
%endmacro

; void isalk_aes_cbc_dec_<bits>_<tier>(const uint8_t *in, const uint8_t *iv, const uint8_t *keys,
;                                      uint8_t *out, size_t len)
;
; P_i = D(C_i) ^ C_(i-1), C_(-1) = iv, with a decryption schedule, for len bytes, a multiple of 16.
; Any alignment; out may be in.
;
; Eight blocks or vectors at a time; the remainder of 64-byte vectors under a mask. The key of the
; last round is K_last ^ C_(i-1). In place, the text of a block replaces ciphertext that the next
; block needs, which is therefore loaded first.
; Main loop: 10, 12 or 14 cycles for a block, bound by the port of AES.
;
; Registers: v0-v7 states; the others: see CBC_REGISTERS.
%macro CBC_DEC 1                        ; bits
KERNEL aes_cbc_dec_%1, in, iv, keys, out, len
    LOCALS  t
    SECRET  0, 12
    %push cbc
    %assign %$rounds AES_ROUNDS(%1)
  %if HAS_EVEX
    CBC_DEC_MASKED .done
  %else
    CBC_DEC_UNMASKED .done
  %endif
.done:
    %pop
ENDKERNEL
%endmacro

; Registers of the width in force. previous: its last block is the ciphertext before the next block.
%macro CBC_REGISTERS 0
    %xdefine %$key v8
    %xdefine %$last v9
    %xdefine %$previous v10
    %xdefine %$next v11
    %xdefine %$x v12
%endmacro

; Names the registers; loads the IV and the last round key.
%macro CBC_VECTORS_START 0
    CBC_REGISTERS
    vinsert_last %$previous, [iv]
    vbcast16 %$last, [keys + 16 * %$rounds]
%endmacro

; Decrypts n vectors, the last one under the mask k7 if masked is 1.
%macro CBC_BLOCKS 2                     ; n, masked
    vbcast16 %$key, [keys]
    %assign %%j 0
    %rep %1
    vload_of v%[%%j], in, %%j, %1, %2
    vxor    v%[%%j], v%[%%j], %$key
        %assign %%j %%j + 1
    %endrep
    MIDDLE_ROUNDS vdec, %1, keys, %$rounds, %$key
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

; Eight vectors at a time. Before and after, len is the remaining length less 8 VW; afterwards it is
; negative.
%macro CBC_LOOP 0
%%eight:                                ; len + 8 VW bytes remain
    CBC_BLOCKS 8, 0
    add     in, 8 * VW
    add     out, 8 * VW
    sub     len, 8 * VW
    jae     %%eight
%endmacro

; All blocks in 64-byte vectors, the last vector under a mask.
%macro CBC_DEC_MASKED 1                 ; done
    sub     len, 8 * VL
    jb      %%no_loop
    CBC_VECTORS_START
    CBC_LOOP
    add     len, 8 * VL
    jmp     %%masked
%%no_loop:
    add     len, 8 * VL
    CBC_VECTORS_START
%%masked:
    test    len, len
    jz      %1
    LAST_MASK len, iv, t                ; iv is free now
    DISPATCH_8 iv, .masked_
    jmp     %1
    CASES   .masked_, 8, %1, CBC_BLOCKS, 1
%endmacro

; All blocks: eight 32-byte vectors at a time if there are any, then eight blocks at a time, then
; the remainder.
%macro CBC_DEC_UNMASKED 1               ; done
  %if VL > 16
    sub     len, 8 * VL
    jb      %%no_vectors
    CBC_VECTORS_START
    CBC_LOOP
    add     len, 8 * VL
    %xdefine %%vector %$previous
    VWIDTH  16
    CBC_REGISTERS
    vextracti128 %$previous, %%vector, 1
    vload   %$last, [keys + 16 * %$rounds]
    jmp     %%blocks
%%no_vectors:
    add     len, 8 * VL
  %endif
    VWIDTH  16
    CBC_REGISTERS
    vload   %$last, [keys + 16 * %$rounds]
    vload   %$previous, [iv]
%%blocks:
    sub     len, 8 * 16
    jb      %%fewer_than_eight
    CBC_LOOP
%%fewer_than_eight:
    add     len, 8 * 16
    shr     len, 4
    DISPATCH_7 len, .blocks_
    jmp     %1
    CASES   .blocks_, 7, %1, CBC_BLOCKS, 0
%endmacro

; One message, or eight under one key, cannot use wider vectors.
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
CBC_MB_KEYS 128
CBC_MB_KEYS 192
CBC_MB_KEYS 256
CBC_DEC 128
CBC_DEC 192
CBC_DEC 256
%endmacro

CBC_TIER sse
CBC_TIER avx
CBC_TIER avx2_v
CBC_TIER avx512_v
