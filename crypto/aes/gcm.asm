; AES in Galois/counter mode (SP 800-38D), block by block or in pairs.
; SPDX-License-Identifier: BSD-3-Clause
;
; gcm_vector.asm has the kernels for vectors of 64 bytes.

%include "crypto/aes/gcm.inc"

EIGHT       equ POWERS_END - 8 * 16     ; H^8

RODATA
GCM_CONSTANTS
first_counter:                          ; a counter of 1 behind a vector
    db      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1
low_bits:                               ; 0 to 7 in the last byte
    %assign i 0
    %rep 8
    db      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, i
    %assign i i + 1
    %endrep
AES_BYTE_TABLES

; Adds the blocks at p to the sum, with the powers from `power` up to `end`; `left` counts bytes,
; which may end within the last block. t is scratch.
%macro HASH_BLOCKS 0
    jmp     %%check
%%block:
    cmp     left, 16
    jb      %%part
    vload   %$data, [p]
    add     p, 16
    sub     left, 16
    jmp     %%loaded
%%part:
    vload_bytes %$data, p, left, %$x, %$y, t
    xor     left_d, left_d
%%loaded:
    REVERSE %$data, %$data
    MULTIPLY power, 0
    add     power, 16
%%check:
    cmp     power, end
    jb      %%block
%endmacro

; high = GHASH of high and the `left` bytes at p, up to 16 blocks for each reduction.
%macro HASH_BUFFER 0
    jmp     %%check
%%chunk:
    lea     power, [left + 15]
    shr     power, 4
    mov     end_d, 16
    cmp     power, end
    cmova   power, end
    lea     end, [key + POWERS_END]
    shl     power, 4
    sub     power, end
    neg     power
    vmove   %$data, %$high
    MULTIPLY power, 1
    HASH_BLOCKS
    REDUCE
%%check:
    test    left, left
    jnz     %%chunk
%endmacro

; void isalk_aes_ghash_<tier>(const struct isal_gcm_key_data *key, uint8_t *hash,
;                             const uint8_t *data, size_t len)
;
; hash = GHASH of hash and len bytes, the last block filled up with zeros. Any alignment.
%macro GHASH 0
KERNEL aes_ghash, key, hash, p, left
    LOCALS  power, end, t
    SECRET  9, 14
    %push
    HASH_REGISTERS
    vload   %$high, [hash]
    REVERSE %$high, %$high
    HASH_BUFFER
    REVERSE %$high, %$high
    vstore  [hash], %$high
    %pop
ENDKERNEL
%endmacro

; void isalk_aes_gcm_powers_<bits>_<tier>(struct isal_gcm_key_data *key)
;
; From the schedule in key: H^33 / x ... H / x, then three blocks of zeros.
;
; Registers: step is the power that takes those made so far to the next ones: H, H^2, H^4 ... H^32.
%macro GCM_POWERS_OF 1                  ; bits
KERNEL aes_gcm_powers_%1, key
    SECRET  0, 0, 9, 12, 14, 14
    %push
    HASH_REGISTERS
    %xdefine %$h v0
    HASH_KEY %1, %$h
    vstore  [key + POWERS_END - 16], %$h
    %assign %$made 1
    %rep 6
        %assign %$i 1
        %rep %$made
            %if %$made + %$i <= GCM_POWERS
    vload   %$data, [key + POWERS_END - 16 * %$i]
    MULTIPLY key + POWERS_END - 16 * %$made, 1
    REDUCE
    vstore  [key + POWERS_END - 16 * (%$made + %$i)], %$high
            %endif
            %assign %$i %$i + 1
        %endrep
        %assign %$made 2 * %$made
    %endrep
    vzero   %$x
    %assign %$i 0
    %rep 3
    vstore  [key + POWERS_END + 16 * %$i], %$x
        %assign %$i %$i + 1
    %endrep
    %pop
ENDKERNEL
%endmacro

%macro ENC 2                            ; the round for v(a) .. v(b-1)
    %assign %%j %1
    %rep %2 - %1
    venc    v%[%%j], %$key
        %assign %%j %%j + 1
    %endrep
%endmacro

; One of the four products of block i of eight, into one of the sums, which it begins if `new` is 1.
%macro PRODUCT 4                        ; sum, halves, i, new
    %if HAS_VEX
        %define %%power [key + EIGHT + 16 * (%3)]
    %else
        %xdefine %%power %$y
        movdqu  %$y, [key + EIGHT + 16 * (%3)]
    %endif
    %if %4
    vclmul  %1, %$data, %%power, %2
    %else
    vclmul  %$x, %$data, %%power, %2
    vxor    %1, %1, %$x
    %endif
%endmacro

; The states of the next eight blocks. With VEX the counters are a multiple of 8, plus 2 to 9: six
; of them are one base plus 2 to 7 without a carry, the others are the next base plus 0 and 1, and
; the first round key is in the bases already. That takes 14 uops of 224 out of the main loop.
%macro EIGHT_COUNTERS 0
    %assign %%j 0
    %if HAS_VEX
        %rep 6
        vxor    v%[%%j], %$base, [low_bits + 16 * (%%j + 2)]
            %assign %%j %%j + 1
        %endrep
        vmove   v6, %$next_base
        vxor    v7, %$next_base, [low_bits + 16]
        vmove   %$base, %$next_base
        vload   %$x, [rsp]
        vaddd   %$x, %$x, [steps + 16 * 8]
        NEXT_BASE
    %else
        %rep 8
        vaddd   v%[%%j], %$counter, [steps + 16 * %%j]
        REVERSE v%[%%j], v%[%%j]
            %assign %%j %%j + 1
        %endrep
        vconst  paddd, %$counter, [steps + 16 * 8]
        vload   %$key, [key]
        %assign %%j 0
        %rep 8
        vxor    v%[%%j], v%[%%j], %$key
            %assign %%j %%j + 1
        %endrep
    %endif
%endmacro

; next_base of the counter x, which goes to the stack
%macro NEXT_BASE 0
    vstore  [rsp], %$x
    REVERSE %$next_base, %$x
    vxor    %$next_base, %$next_base, [key]
%endmacro

; The bases from the counter, before the first eight blocks; and back, after the last.
%macro FIRST_BASES 0
    %if HAS_VEX
        vaddd   %$x, %$counter, [steps_back + 16 * 2]
        REVERSE %$base, %$x
        vxor    %$base, %$base, [key]
        vaddd   %$x, %$x, [steps + 16 * 8]
        NEXT_BASE
    %endif
%endmacro
%macro COUNTER_BACK 0
    %if HAS_VEX
        vload   %$counter, [rsp]
        vaddd   %$counter, %$counter, [steps_back + 16 * 6]
    %endif
%endmacro

; Eight blocks of text, and in the shadow of their rounds the products of eight blocks of
; ciphertext: of the text itself, or of the eight blocks before. hash: where they are, or `none`.
%macro EIGHT_BLOCKS 1                   ; hash
    EIGHT_COUNTERS
    %assign %%r 1
    %rep %$rounds - 1
        %assign %%i %%r - 1
    vload   %$key, [key + 16 * %%r]
    ENC     0, 2
        %ifnidn %1, none
            %if %%r <= 8
    vload   %$data, [%1 + 16 * %%i]
    REVERSE %$data, %$data
                %if %%r == 1
    vxor    %$data, %$data, %$high
                %endif
    PRODUCT %$low, 0x00, %%i, %%i == 0
    ENC     2, 4
    PRODUCT %$mid, 0x01, %%i, %%i == 0
    ENC     4, 5
    PRODUCT %$mid, 0x10, %%i, 0
    ENC     5, 7
    PRODUCT %$high, 0x11, %%i, %%i == 0
    ENC     7, 8
            %else
                %if %%r == 9
    REDUCE_LOW
    REDUCE_MID
                %endif
    ENC     2, 8
            %endif
        %else
    ENC     2, 8
        %endif
        %assign %%r %%r + 1
    %endrep
    vload   %$key, [key + 16 * %$rounds]
    %assign %%j 0
    %rep 8
    %if HAS_VEX
    vxor    %$data, %$key, [in + 16 * %%j]
    %else
    vload   %$data, [in + 16 * %%j]
    vxor    %$data, %$data, %$key
    %endif
    venclast v%[%%j], %$data
    vstore  [out + 16 * %%j], v%[%%j]
        %assign %%j %%j + 1
    %endrep
    add     in, 8 * 16
    add     out, 8 * 16
%endmacro

; The key stream of the last n = 0..8 blocks in v(n-1) .. v0, and the cipher of the first counter in
; v15.
%macro LAST_KEYS 1                      ; n
    %assign %%j %1
    %rep %1
        %assign %%j %%j - 1
    vaddd   v%[%%j], %$counter, [steps + 16 * (%1 - 1 - %%j)]
    REVERSE v%[%%j], v%[%%j]
    %endrep
    FIRST_COUNTER v%1
    vload   v15, [key]
    %assign %%n %1 + 1
    %assign %%j 0
    %rep %%n
    vxor    v%[%%j], v%[%%j], v15
        %assign %%j %%j + 1
    %endrep
    MIDDLE_ROUNDS venc, %%n, key, %$rounds, v15
    vload   v15, [key + 16 * %$rounds]
    %assign %%j 0
    %rep %1
    venclast v%[%%j], v15
        %assign %%j %%j + 1
    %endrep
    venclast v%1, v15
    vmove   v15, v%1
%endmacro

; d = the vector at p and a counter of 1
%macro FIRST_COUNTER 1
    MESSAGE_VECTOR %1
    vconst  por, %1, [first_counter]
%endmacro

; The text of block j from the end, whose key stream is v(j-1): writes it, hashes it.
%macro LAST_TEXT 2                      ; enc or dec, j
    %assign %%j %2 - 1
    vload   %$data, [in - 16 * %2]
    vxor    v%[%%j], v%[%%j], %$data
    vstore  [out - 16 * %2], v%[%%j]
    %ifidn %1, enc
    REVERSE %$data, v%[%%j]
    %else
    REVERSE %$data, %$data
    %endif
    MULTIPLY power - 16 * %2, 0
%endmacro

; Registers of the width in force.
%macro GCM_REGISTERS 0
    HASH_REGISTERS
    %xdefine %$key v8
    %xdefine %$counter v15
    %xdefine %$base v15
    %xdefine %$next_base v14
    %xdefine %$mask v14
%endmacro

; 16 blocks of text in vectors of VL bytes, and in the shadow of their rounds the products of 16
; blocks of ciphertext, as EIGHT_BLOCKS does. The lanes of counter are those of the first vector.
%macro SIXTEEN_BLOCKS 1                 ; hash
    %assign %%n 16 * 16 / VL
    vbcast16 %$key, [key]
    %assign %%j 0
    %rep %%n
    vbcast16 %$x, [steps + %%j * VL]
    vaddd   v%[%%j], %$counter, %$x
    vshufb  v%[%%j], v%[%%j], %$mask
    vxor    v%[%%j], v%[%%j], %$key
        %assign %%j %%j + 1
    %endrep
    vbcast16 %$x, [steps + 16 * 16]
    vaddd   %$counter, %$counter, %$x
    %assign %%r 1
    %rep %$rounds - 1
    vbcast16 %$key, [key + 16 * %%r]
    ENC     0, %%n
        %ifnidn %1, none
            %if %%r <= %%n
                %assign %%i %%r - 1
    VECTOR_PRODUCT %1, %%i
            %endif
        %endif
        %assign %%r %%r + 1
    %endrep
    vbcast16 %$key, [key + 16 * %$rounds]
    %assign %%j 0
    %rep %%n
    vxor    %$data, %$key, [in + VL * %%j]
    venclast v%[%%j], %$data
    vstore  [out + VL * %%j], v%[%%j]
        %assign %%j %%j + 1
    %endrep
    %ifnidn %1, none
    FOLD_VECTORS
    %endif
    add     in, 16 * 16
    add     out, 16 * 16
%endmacro

; The products of vector i of 16 blocks; the first takes the hash so far.
%macro VECTOR_PRODUCT 2                 ; blocks, i
    vload   %$data, [%1 + VL * (%2)]
    vshufb  %$data, %$data, %$mask
    %if %2 == 0
    vxor    %$data, %$data, %$high
    %endif
    MULTIPLY key + POWERS_END - 16 * 16 + VL * (%2), %2 == 0
%endmacro

; high = the sum of the lanes, reduced; its other lanes are 0
%macro FOLD_VECTORS 0
    FOLD    9                           ; low, mid, high
    FOLD    10
    FOLD    11
    VWIDTH  16
    HASH_REGISTERS
    REDUCE
    VWIDTH  VL
    HASH_REGISTERS
%endmacro

; The sum of a vector's blocks in its first one.
%macro FOLD 1                           ; number of the register
    vextracti128 xmm13, ymm%1, 1
    vpxor   xmm%1, xmm%1, xmm13
%endmacro

; The counter of each block of a vector, from that of the first.
%macro vector_counters 0
    vinserti128 ymm15, ymm15, xmm15, 1
    vpaddd  ymm15, ymm15, [steps]
%endmacro

; void isalk_aes_gcm_<enc|dec>_<bits>_<tier>(const struct isal_gcm_key_data *key,
;                                            struct isal_gcm_context_data *context, uint8_t *out,
;                                            const uint8_t *in, size_t len,
;                                            const struct gcm_message *m)
;
; A message, or whole blocks of one: see aes_kernels.h. Any alignment; out may be in.
;
; Eight blocks at a time; encryption hashes the eight before. What is left is at most eight blocks
; of text, the last of them perhaps partial: their key stream comes from one batch with the cipher
; of the first counter, and their products, those of the blocks still to be hashed and that of the
; lengths, with powers up to H^16, share one reduction. A message of up to eight blocks of text and
; 16 of all kinds has no other.
;
; Registers: v0-v8 states; counter: that of the next block, reversed; the sum, high also being the
; hash so far; power: that of the next block to be hashed; left: bytes of text to come, then in the
; last block.
; Main loop: 10 or 14 cycles for a block, bound by the port of AES; 5.5 uops on that of products.
%macro GCM 2                            ; enc or dec, bits
KERNEL aes_gcm_%1_%2, key, context, out, in, len, m
    LOCALS  power, blocks, p, left, end, t
    SECRET  0, 15
    STACK   64                          ; a counter: no secret where there are eight blocks
    %push gcm
    VWIDTH  16
    GCM_REGISTERS
    %assign %$rounds AES_ROUNDS(%2)
    test    m, m
    jz      .piece

    mov     p, [m + MESSAGE_IV]
    FIRST_COUNTER %$counter
    REVERSE %$counter, %$counter
    vconst  paddd, %$counter, [steps + 16]
    mov     p, [m + MESSAGE_AAD]
    mov     left, [m + MESSAGE_AAD_LEN]
    vzero   %$high
    cmp     len, 8 * 16
    jae     .hash_aad
    cmp     left, 15 * 16
    ja      .hash_aad
    lea     end, [left + 15]
    shr     end, 4                      ; blocks of additional data
    lea     blocks, [len + 15]
    shr     blocks, 4                   ; of text
    lea     t, [end + blocks + 1]
    cmp     t, 16
    ja      .hash_aad
    vzero   %$low                       ; everything goes into one sum
    vzero   %$mid
    shl     t, 4
    lea     power, [key + POWERS_END]
    sub     power, t
    shl     end, 4
    add     end, power
    HASH_BLOCKS
    mov     left, len
    jmp     .rest

.hash_aad:
    HASH_BUFFER
    jmp     .eights
.piece:
    vload   %$counter, [context + CONTEXT_COUNTER]
    REVERSE %$counter, %$counter
    vload   %$high, [context]
    REVERSE %$high, %$high
.eights:
    mov     left, len
  %if VL > 16
    sub     left, 16 * 16
    jb      .no_vectors
    VWIDTH  VL
    GCM_REGISTERS
    vector_counters
    vbcast16 %$mask, [reversed]
    %ifidn %1, enc
    SIXTEEN_BLOCKS none
    sub     left, 16 * 16
    jb      .vectors_done
    %endif
.vectors:                               ; left + 256 bytes to come
    %ifidn %1, enc
    SIXTEEN_BLOCKS out - 16 * 16
    %else
    SIXTEEN_BLOCKS in
    %endif
    sub     left, 16 * 16
    jae     .vectors
.vectors_done:
    %ifidn %1, enc
        %assign %$i 0
        %rep 16 * 16 / VL
    VECTOR_PRODUCT out - 16 * 16, %$i
            %assign %$i %$i + 1
        %endrep
    FOLD_VECTORS
    %endif
    VWIDTH  16
    GCM_REGISTERS
.no_vectors:
    add     left, 16 * 16
  %endif
    xor     t_d, t_d                    ; blocks of ciphertext that are not hashed yet
    sub     left, 8 * 16
    jb      .eights_done
    FIRST_BASES
  %ifidn %1, enc
    mov     t_d, 8
    EIGHT_BLOCKS none
    sub     left, 8 * 16
    jb      .counter_back
  %endif
.eight:                                 ; left + 128 bytes to come
  %ifidn %1, enc
    EIGHT_BLOCKS out - 8 * 16
  %else
    EIGHT_BLOCKS in
  %endif
    sub     left, 8 * 16
    jae     .eight
.counter_back:
    COUNTER_BACK
.eights_done:
    add     left, 8 * 16

    ; The last sum: `end` blocks in all, which are perhaps eight of ciphertext, the rest of the text
    ; and the lengths.
    lea     blocks, [left + 15]
    shr     blocks, 4
    mov     end, blocks
    cmp     m, 1
    sbb     end, -1
  %ifidn %1, enc
    test    t, t
    jz      .none_pending
    add     end, t
    cmp     end, 16
    jbe     .pending_fits
    lea     power, [key + EIGHT]        ; 17 blocks: two sums
    vmove   %$data, %$high
    MULTIPLY power, 1
    PENDING
    REDUCE
    mov     end, blocks
    cmp     m, 1
    sbb     end, -1
    jmp     .none_pending
.pending_fits:
    shl     end, 4
    lea     power, [key + POWERS_END]
    sub     power, end
    vmove   %$data, %$high
    MULTIPLY power, 1
    PENDING
    jmp     .rest
.none_pending:
  %endif
    test    end, end
    jz      .piece_done
    shl     end, 4
    lea     power, [key + POWERS_END]
    sub     power, end
    vmove   %$data, %$high
    MULTIPLY power, 1

.rest:                                  ; left bytes in `blocks` blocks, hashed from power on
    mov     t, blocks
    shl     t, 4
    add     power, t
    add     in, t
    add     out, t
    mov     p, context                  ; 12 bytes there; what they give is not used
    test    m, m
    jnz     .whole
    lea     p, [steps]
    vload   %$data, [p + t]
    vaddd   %$data, %$data, %$counter
    REVERSE %$data, %$data
    vstore  [context + CONTEXT_COUNTER], %$data
    jmp     .keys
.whole:
    mov     p, [m + MESSAGE_IV]
.keys:
    sub     left, t
    add     left, 16                    ; in the last block
    cmp     blocks, 8
    je      .keys_8
    DISPATCH_7 blocks, .keys_
    LAST_KEYS 0
    jmp     .lengths
    %assign %$n 1
    %rep 8
.keys_%[%$n]:
    LAST_KEYS %$n
    jmp     .text_%[%$n]
        %assign %$n %$n + 1
    %endrep
    %assign %$n 8
    %rep 7
.text_%[%$n]:
    LAST_TEXT %1, %$n
        %assign %$n %$n - 1
    %endrep
.text_1:
    cmp     left, 16
    jb      .part
    LAST_TEXT %1, 1
    jmp     .lengths
.part:
    vload_bytes %$data, in - 16, left, %$x, %$y, t
    vxor    v0, v0, %$data
    vstore_bytes out - 16, left, v0, %$x, %$y, t
  %ifidn %1, enc
    lea     t, [aes_mask + 16]
    sub     t, left
    vload   %$data, [t]
    vand    %$data, %$data, v0
  %endif
    REVERSE %$data, %$data
    MULTIPLY power - 16, 0

.lengths:
    test    m, m
    jz      .reduce
    LENGTHS_BLOCK %$data, len, t
    MULTIPLY key + POWERS_END - 16, 0
    REDUCE
    REVERSE %$high, %$high
    vxor    %$high, %$high, v15
    STORE_TAG %$high
    jmp     .done

.reduce:
    REDUCE
.store_hash:
    REVERSE %$high, %$high
    vstore  [context], %$high
    jmp     .done
.piece_done:                            ; of a multiple of eight blocks, all of them hashed
    REVERSE %$counter, %$counter
    vstore  [context + CONTEXT_COUNTER], %$counter
    jmp     .store_hash
.done:
    %pop
ENDKERNEL
%endmacro

; Adds the last eight blocks of ciphertext to the sum.
%macro PENDING 0
    %assign %%j 8
    %rep 8
    vload   %$data, [out - 16 * %%j]
    REVERSE %$data, %$data
    MULTIPLY power + 16 * (8 - %%j), 0
        %assign %%j %%j - 1
    %endrep
    add     power, 8 * 16
%endmacro

%macro GCM_TIER 1
TIER %1
    %if VL == 16
GHASH
GCM_POWERS_OF 128
GCM_POWERS_OF 256
    %endif
GCM enc, 128
GCM enc, 256
GCM dec, 128
GCM dec, 256
%endmacro

GCM_TIER sse
GCM_TIER avx
GCM_TIER avx2_v
