; AES in Galois/counter mode (SP 800-38D) in vectors of four blocks, with masks.
; SPDX-License-Identifier: BSD-3-Clause
;
; Every lane of a vector has its own block and its own power of H. The lanes of the sum are reduced
; separately and then added.

%include "crypto/aes/gcm.inc"

RODATA
loop_counters:                          ; in the last byte: 2 to 33, modulo 32
    %assign i 2
    %rep 32
    db      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, i & 31
        %assign i i + 1
    %endrep
thirty_two:
    dd      32, 0, 0, 0
after_first_block:                      ; mask of a vector's bytes without the first block
    dq      -0x10000
    times 40 db 0                       ; aligns the second entry of `steps`, 48 bytes on, to 64
GCM_CONSTANTS

; Registers. x0 to x3 and pw are scratch for the products.
%macro VECTOR_REGISTERS 0
    %xdefine %$key v5
    %xdefine %$base v6                  ; next counter - 2, in every lane
    %xdefine %$first v7                 ; base, with the tag's counter in the first lane
    %xdefine %$aad v8                   ; one block of additional data at most, reversed
    %xdefine %$low v12
    %xdefine %$mid v13
    %xdefine %$high v14                 ; also the hash so far
    %xdefine %$tag_key xmm15            ; encrypted first counter
    %xdefine %$mask v20                 ; shuffle that reverses blocks
    %xdefine %$reduction v21
    %xdefine %$base16 xmm6              ; first lanes of the above
    %xdefine %$key16 xmm5
    %xdefine %$first16 xmm7
    %xdefine %$aad16 xmm8
    %xdefine %$hash xmm14
    %xdefine %$low16 xmm12
    %xdefine %$low32 ymm12
    %xdefine %$high32 ymm14
    %xdefine %$mask16 xmm20
%endmacro
%macro SHORT_SCRATCH 0
    %xdefine %$x0 v9
    %xdefine %$x1 v10
    %xdefine %$x2 v11
    %xdefine %$x3 v7
    %xdefine %$pw v5
    %xdefine %$x xmm9                   ; as gcm.inc's macros call them
    %xdefine %$y xmm10
    %xdefine %$z xmm11
    %xdefine %$pw16 xmm5
%endmacro
%macro LONG_SCRATCH 0
    %xdefine %$x0 v4
    %xdefine %$x1 v16
    %xdefine %$x2 v17
    %xdefine %$x3 v7
    %xdefine %$pw v18
%endmacro

; d = a ^ b if new is 1, else d ^= a ^ b
%macro ACCUMULATE 4                     ; d, a, b, new
    %if %4
    vpxorq  %1, %2, %3
    %else
    vpternlogq %1, %2, %3, XOR3
    %endif
%endmacro

; Adds the products of h and the powers at an address to the sum, or starts the sum if new is 1. In
; two steps: the middle products, which load pw; and the low and high ones, which the vectors of a
; pair add together. place: 0 first of a pair, 1 second of a pair, 2 no pair.
%macro PRODUCTS_MID 3                   ; h, address, new
    vmovdqu64 %$pw, [%2]
    vpclmulqdq %$x2, %1, %$pw, HIGH_LOW
    vpclmulqdq %$x3, %1, %$pw, LOW_HIGH
    ACCUMULATE %$mid, %$x2, %$x3, %3
%endmacro
%macro PRODUCTS_ENDS 3                  ; h, place, new
    %if %2 == 0
    vpclmulqdq %$x0, %1, %$pw, LOW_LOW
    vpclmulqdq %$x1, %1, %$pw, HIGH_HIGH
    %elif %2 == 1
    vpclmulqdq %$x2, %1, %$pw, LOW_LOW
    vpclmulqdq %$x3, %1, %$pw, HIGH_HIGH
    ACCUMULATE %$low, %$x0, %$x2, %3
    ACCUMULATE %$high, %$x1, %$x3, %3
    %elif %3
    vpclmulqdq %$low, %1, %$pw, LOW_LOW
    vpclmulqdq %$high, %1, %$pw, HIGH_HIGH
    %else
    vpclmulqdq %$x2, %1, %$pw, LOW_LOW
    vpclmulqdq %$x3, %1, %$pw, HIGH_HIGH
    vpxorq  %$low, %$low, %$x2
    vpxorq  %$high, %$high, %$x3
    %endif
%endmacro
%macro PRODUCTS 4                       ; h, address, place, new
    PRODUCTS_MID %1, %2, %4 && %3 != 1
    PRODUCTS_ENDS %1, %3, %4
%endmacro

; high = the sum, with its lanes reduced and added; the upper lanes become 0.
%macro REDUCE_LANES 0
    vpclmulqdq %$x0, %$low, %$reduction, LOW_LOW
    vpshufd %$low, %$low, SWAP_HALVES
    vpternlogq %$mid, %$low, %$x0, XOR3
    vpclmulqdq %$x0, %$mid, %$reduction, LOW_LOW
    vpshufd %$mid, %$mid, SWAP_HALVES
    vpternlogq %$high, %$mid, %$x0, XOR3
    ADD_LANES
%endmacro
%macro ADD_LANES 0
    vextracti64x4 %$low32, %$high, 1
    vpxorq  %$high32, %$high32, %$low32
    vextracti32x4 %$low16, %$high32, 1
    vpxorq  %$hash, %$hash, %$low16
%endmacro

; k1 = the first n bytes of a vector, n <= 64; t is a scratch register
%macro BYTE_MASK 2                      ; n, t
    mov     %2, -1
    bzhi    %2, %2, %1
    kmovq   k1, %2
%endmacro

; Adds the `left` >= 1 bytes at p to the sum, with the powers from `power` on. aad holds the hash so
; far, or zero, and becomes zero. t and n are scratch registers.
%macro HASH_VECTORS 0
%%vector:
    mov     t, 64
    cmp     left, t
    cmovb   t, left
    mov     n, t
    BYTE_MASK n, t
    vmovdqu8 %$x0{k1}{z}, [p]
    vpshufb %$x0, %$x0, %$mask
    vpxorq  %$x0, %$x0, %$aad
    vpxorq  %$aad, %$aad, %$aad
    PRODUCTS %$x0, power, 2, 0
    add     p, 64
    add     power, 64
    sub     left, n
    jnz     %%vector
%endmacro

%macro ZERO_SUM 0
    vpxorq  %$low, %$low, %$low
    vpxorq  %$mid, %$mid, %$mid
    vpxorq  %$high, %$high, %$high
%endmacro

; high = GHASH of high and the `total` bytes at p, with a reduction for every 32 blocks. Uses the
; registers of HASH_VECTORS.
%macro HASH_BUFFER 1                    ; total
    jmp     %%check
%%chunk:
    mov     left_d, 32 * 16
    cmp     %1, left
    cmovb   left, %1
    sub     %1, left
    lea     t, [left + 15]
    and     t, -16
    lea     power, [key + POWERS_END]
    sub     power, t
    vmovdqa64 %$aad, %$high
    ZERO_SUM
    HASH_VECTORS
    REDUCE_LANES
%%check:
    test    %1, %1
    jnz     %%chunk
%endmacro

; void isalk_aes_ghash_<tier>(const struct isal_gcm_key_data *key, uint8_t *hash,
;                             const uint8_t *data, size_t len)
;
; hash = GHASH of hash and len bytes, the last block padded with zeros. Any alignment.
%macro GHASH 0
KERNEL aes_ghash, key, hash, p, len
    LOCALS  power, left, t, n
    SECRET  5, 5, 7, 7, 9, 9, 11, 14, 20, 21
    %push
    VECTOR_REGISTERS
    SHORT_SCRATCH
    vbroadcasti32x4 %$mask, [reversed]
    vbroadcasti32x4 %$reduction, [reduction]
    vmovdqu %$hash, [hash]
    REVERSE %$hash, %$hash
    HASH_BUFFER len
    REVERSE %$hash, %$hash
    vmovdqu [hash], %$hash
    %pop
ENDKERNEL
%endmacro

; d = a b / x, where a and b are kept divided by x too
%macro POWER 3                          ; d, a, b
    vpclmulqdq %$low, %2, %3, LOW_LOW
    vpclmulqdq %$mid, %2, %3, HIGH_LOW
    vpclmulqdq %$x2, %2, %3, LOW_HIGH
    vpclmulqdq %1, %2, %3, HIGH_HIGH
    vpxorq  %$mid, %$mid, %$x2
    vpclmulqdq %$x0, %$low, %$reduction, LOW_LOW
    vpshufd %$low, %$low, SWAP_HALVES
    vpternlogq %$mid, %$low, %$x0, XOR3
    vpclmulqdq %$x0, %$mid, %$reduction, LOW_LOW
    vpshufd %$mid, %$mid, SWAP_HALVES
    vpternlogq %1, %$mid, %$x0, XOR3
%endmacro

; void isalk_aes_gcm_powers_<bits>_<tier>(struct isal_gcm_key_data *key)
;
; Writes to key, from its schedule, H^33 / x ... H / x, then three blocks of zeros.
;
; Registers: v0-v3 the powers 4 to 1, 8 to 5, 12 to 9 and 16 to 13, the highest in the first lane;
; factor: the power that multiplies them to make higher ones, in every lane.
%macro GCM_POWERS_OF 1                  ; bits
KERNEL aes_gcm_powers_%1, key
    SECRET  0, 0, 2, 5, 9, 13, 21, 21
    %push
    VECTOR_REGISTERS
    SHORT_SCRATCH
    %xdefine %$factor v4
    vbroadcasti32x4 %$reduction, [reduction]
    HASH_KEY %1, xmm0, key
    POWER   v1, v0, v0
    vinserti32x4 ymm0, ymm1, xmm0, 1    ; 2, 1
    vshufi32x4 %$factor, v1, v1, 0
    POWER   v1, v0, %$factor            ; 4, 3
    vinserti64x4 v0, v1, ymm0, 1
    vmovdqu64 [key + POWERS_END - 64], v0
    vshufi32x4 %$factor, v1, v1, 0
    POWER   v1, v0, %$factor
    vmovdqu64 [key + POWERS_END - 2 * 64], v1
    vshufi32x4 %$factor, v1, v1, 0
    POWER   v2, v0, %$factor
    POWER   v3, v1, %$factor
    vmovdqu64 [key + POWERS_END - 3 * 64], v2
    vmovdqu64 [key + POWERS_END - 4 * 64], v3
    vshufi32x4 %$factor, v3, v3, 0
    %assign %$i 0
    %rep 4
    POWER   %$key, v%[%$i], %$factor
    vmovdqu64 [key + POWERS_END - (5 + %$i) * 64], %$key
        %assign %$i %$i + 1
    %endrep
    vextracti32x4 xmm0, v0, 3           ; H
    POWER   v1, %$key, v0
    vmovdqu [key + POWERS_END - GCM_POWERS * 16], xmm1
    vpxor   xmm1, xmm1, xmm1
    vmovdqu [key + POWERS_END], ymm1
    vmovdqu [key + POWERS_END + 32], xmm1
    %pop
ENDKERNEL
%endmacro

; The states of 16 blocks, from `base` for any counter.
%macro ANY_COUNTERS 0
    vbroadcasti32x4 %$key, [key]
    %assign %%j 0
    %rep 4
    vpaddd  v%[%%j], %$base, [steps + 16 * (2 + 4 * %%j)]
    vpshufb v%[%%j], v%[%%j], %$mask
    vpxorq  v%[%%j], v%[%%j], %$key
        %assign %%j %%j + 1
    %endrep
%endmacro

; The same where base is a multiple of 32, with one operation for a state instead of three. `bases`
; is base in the cipher's byte order with the first round key added. half 0: the counters base + 2
; to base + 17; half 1: base + 18 to base + 33, and base advances.
%macro LOOP_COUNTERS 1                  ; half
    %assign %%j 0
    %rep 4 - %1
    vpxorq  v%[%%j], %$bases, [loop_counters + 16 * (16 * %1 + 4 * %%j)]
        %assign %%j %%j + 1
    %endrep
    %if %1
    vbroadcasti32x4 %$key, [key]
    vbroadcasti32x4 %$x0, [thirty_two]
    vpaddd  %$base, %$base, %$x0
    vpshufb %$x0, %$base, %$mask
    vpxorq  %$x0, %$x0, %$key
    vshufi64x2 v3, %$bases, %$x0, 0x44  ; the last two counters belong to the next base
    vpxorq  v3, v3, [loop_counters + 16 * 28]
    vmovdqa64 %$bases, %$x0
    %endif
%endmacro

; v8-v11 = 16 blocks of text at p, reversed
%macro LOAD_SIXTEEN 1                   ; p
    %assign %%j 0
    %rep 4
        %assign %%h 8 + %%j
    vmovdqu64 v%[%%h], [%1 + 64 * %%j]
    vpshufb v%[%%h], v%[%%h], %$mask
        %assign %%j %%j + 1
    %endrep
%endmacro

; Runs in round r of SIXTEEN_BLOCKS: half of the products of one vector of v8-v11.
%macro SIXTEEN_PRODUCTS 3               ; round, powers or none, new
    %ifidn %2, none
    %elif %1 <= 8
        %assign %%i (%1 - 1) / 2
        %assign %%h 8 + %%i
        %if %1 % 2
    PRODUCTS_MID v%[%%h], %2 + 64 * %%i, %3 && %%i == 0
        %else
    PRODUCTS_ENDS v%[%%h], %%i % 2, %3 && %%i < 2
        %endif
    %endif
%endmacro

; 16 blocks of text, and meanwhile the products of 16 blocks of ciphertext with the powers from an
; address on, or none. Encryption hashes the preceding 16 blocks, reversed in v8-v11, which its own
; blocks replace at the end. Decryption hashes the text itself.
%macro SIXTEEN_BLOCKS 4                 ; enc or dec, counters, powers or none, new
    %2
    %ifidn %1, dec
    LOAD_SIXTEEN in
    %endif
    %if %4
    vpxorq  v8, v8, %$high
    %endif
    %assign %%r 1
    %rep %$rounds - 1
    vbroadcasti32x4 %$key, [key + 16 * %%r]
    vaesenc v0, v0, %$key
    vaesenc v1, v1, %$key
    SIXTEEN_PRODUCTS %%r, %3, %4
    vaesenc v2, v2, %$key
    vaesenc v3, v3, %$key
        %assign %%r %%r + 1
    %endrep
    vbroadcasti32x4 %$key, [key + 16 * %$rounds]
    %assign %%j 0
    %rep 4
        %assign %%h 8 + %%j
    vpxorq  %$pw, %$key, [in + 64 * %%j]
    vaesenclast v%[%%j], v%[%%j], %$pw
    %$store [out + 64 * %%j], v%[%%j]
        %ifidn %1, enc
    vpshufb v%[%%h], v%[%%j], %$mask
        %endif
        %assign %%j %%j + 1
    %endrep
    add     in, 256
    add     out, 256
%endmacro

; Sets bases from base, before the loop.
%macro FIRST_BASES 0
    vpshufb %$bases, %$base, %$mask
    vbroadcasti32x4 %$key, [key]
    vpxorq  %$bases, %$bases, %$key
%endmacro

; t = the bytes that the last sum covers: `left` + extra bytes of text in whole blocks, and the
; block of lengths if there is a message. power = the power of the first block. p is scratch.
%macro LAST_POWER 1                     ; extra
    lea     t, [left + %1 + 15]
    and     t, -16
    lea     p, [t + 16]
    test    m, m
    cmovnz  t, p
    lea     power, [key + POWERS_END]
    sub     power, t
%endmacro

; Starts the sum with the product of the block of lengths. text is the length of the text. Shifting
; the vector takes two uops less than shifting both lengths.
%macro START_WITH_LENGTHS 1             ; text
    vmoveq  %$y, %1
    vmoveq  %$x, [m + gcm_message.aad_len]
    vpunpcklqdq %$y, %$y, %$x
    vpsllq  %$y, %$y, 3
    LENGTHS_MID 1
    vpclmulqdq %$low16, %$y, %$pw16, LOW_LOW
    vpclmulqdq %$hash, %$y, %$pw16, HIGH_HIGH
%endmacro

; Adds the same product to the sum. Shifts the lengths before they enter a vector: after text, a
; vector shift would wait for the port of AES, which takes 5 % of a message of 256 bytes. Overwrites
; text and t.
%macro ADD_LENGTHS 1                    ; text
    LENGTHS_BLOCK %$y, m, %1, t
    LENGTHS_MID 0
    vpclmulqdq %$x, %$y, %$pw16, LOW_LOW
    vpclmulqdq %$y, %$y, %$pw16, HIGH_HIGH
    vpxorq  %$low, %$low, %$x0
    vpxorq  %$high, %$high, %$x1
%endmacro

%macro LENGTHS_MID 1                    ; new
    vmovdqu %$pw16, [key + POWERS_END - 16]
    vpclmulqdq %$x, %$y, %$pw16, HIGH_LOW
    vpclmulqdq %$z, %$y, %$pw16, LOW_HIGH
    ACCUMULATE %$mid, %$x0, %$x2, %1
%endmacro

%macro ADD_16 0
    vbroadcasti32x4 %$x0, [steps + 16 * 16]
    vpaddd  %$base, %$base, %$x0
%endmacro

; The last 16 + left bytes, in n vectors. They begin one block before the text. That block has the
; counter of the tag in the states, and `aad` in what is hashed. k1: valid bytes of the last vector;
; k2: bytes of the first vector after its first block. power: the power of the block before the
; text.
%macro FINISH 2                         ; enc or dec, n
    %if %2 == 1
    kandq   k2, k2, k1
    %endif
    FINISH_STATES %2
    %ifidn %1, dec
        %assign %%j 0
        %rep %2
    LOAD_TEXT v15, %%j, %2
    HASH_TEXT v15, %%j, %2
            %assign %%j %%j + 1
        %endrep
    %endif
    MIDDLE_ROUNDS venc, %2, key, %$rounds, %$key
    vbroadcasti32x4 %$key, [key + 16 * %$rounds]
    %assign %%j 0
    %rep %2
    LOAD_TEXT %$x0, %%j, %2
    vpxorq  %$x0, %$x0, %$key
    vaesenclast v%[%%j], v%[%%j], %$x0
    STORE_TEXT %%j, %2
        %assign %%j %%j + 1
    %endrep
    %ifidn %1, enc
        %assign %%j 0
        %rep %2
    CLEAR_INVALID %%j, %2
    HASH_TEXT v%[%%j], %%j, %2
            %assign %%j %%j + 1
        %endrep
    %endif
%endmacro

; The states of n vectors of counters.
%macro FINISH_STATES 1                  ; n
    vbroadcasti32x4 %$key, [key]
    vpaddd  v0, %$first, [steps + 16]
    %assign %%j 1
    %rep %1 - 1
    vpaddd  v%[%%j], %$base, [steps + 16 * (1 + 4 * %%j)]
        %assign %%j %%j + 1
    %endrep
    %assign %%j 0
    %rep %1
    vpshufb v%[%%j], v%[%%j], %$mask
    vpxorq  v%[%%j], v%[%%j], %$key
        %assign %%j %%j + 1
    %endrep
%endmacro

; d = the valid bytes of vector j of n, zeros elsewhere
%macro LOAD_TEXT 3                      ; d, j, n
    %if %2 == 0
    vmovdqu8 %1{k2}{z}, [in - 16]
    %elif %2 == %3 - 1
    vmovdqu8 %1{k1}{z}, [in - 16 + 64 * %2]
    %else
    vmovdqu64 %1, [in - 16 + 64 * %2]
    %endif
%endmacro

; Stores the valid bytes of v(j), vector j of n; keeps the encrypted first counter, which is in the
; first one.
%macro STORE_TEXT 2                     ; j, n
    %if %1 == 0
    vmovdqa %$tag_key, xmm0
    vmovdqu8 [out - 16]{k2}, v0
    %elif %1 == %2 - 1
    vmovdqu8 [out - 16 + 64 * %1]{k1}, v%1
    %else
    vmovdqu64 [out - 16 + 64 * %1], v%1
    %endif
%endmacro

; Clears what is not text in v(j), vector j of n.
%macro CLEAR_INVALID 2                  ; j, n
    %if %1 == 0
    vmovdqu8 v0{k2}{z}, v0
    %elif %1 == %2 - 1
    vmovdqu8 v%1{k1}{z}, v%1
    %endif
%endmacro

; Adds vector j of n to the sum; h holds it and is overwritten.
%macro HASH_TEXT 3                      ; h, j, n
    vpshufb %1, %1, %$mask
    %if %2 == 0
    vpxorq  %1, %1, %$aad
    %endif
    %if %2 % 2 == 0 && %2 == %3 - 1
    PRODUCTS %1, power + 64 * %2, 2, 0
    %else
    PRODUCTS %1, power + 64 * %2, %2 % 2, 0
    %endif
%endmacro

; void isalk_aes_gcm_<enc|dec>_<bits>_<tier>(const struct isal_gcm_key_data *key,
;                                            struct isal_gcm_context_data *context, uint8_t *out,
;                                            const uint8_t *in, size_t len,
;                                            const struct gcm_message *m)
;
; A message, or whole blocks of one: see aes_kernels.h. Any alignment; out may be in.
;
; Texts of 32 blocks or more go through a loop of twice 16 blocks, with one reduction for both.
; Encryption hashes the preceding 16 blocks. The remainder is at most 31 blocks of text and 16
; blocks still to be hashed. It ends in one to five vectors, which begin one block early. In that
; block's place, the rounds of the text also encrypt the counter of the tag, and the products of the
; text also hash up to a block of additional data. A message of up to 31 blocks in all has one
; reduction.
;
; Kernels with _nt use non-temporal stores, except in the last vectors: out must be aligned to 64
; bytes, and should not equal in.
;
; Registers: see VECTOR_REGISTERS; v0-v4 states, v8-v11 reversed blocks in the loop. left: bytes of
; text without those of the current step; power: address of the next power; n: bytes of the last
; blocks; p, t scratch.
; Main loop, 32 blocks: 80 or 112 rounds on port 0, 42 uops on port 5, 45 on either.
%macro GCM 2-3                          ; enc or dec, bits [, _nt]
KERNEL aes_gcm_%1_%2%3, key, context, out, in, len, m
    LOCALS  power, left, t, p, n
    SECRET  0, 21
    %push gcm
    VECTOR_REGISTERS
    SHORT_SCRATCH
    %xdefine %$bases v19                ; LOOP_COUNTERS; long messages only
    %xdefine %$tag_base xmm15
    %ifidn %3, _nt
        %define %$store vmovntdq
    %else
        %define %$store vmovdqu64
    %endif
    %assign %$rounds AES_ROUNDS(%2)
    vbroadcasti32x4 %$mask, [reversed]
    vbroadcasti32x4 %$reduction, [reduction]
    test    m, m
    jz      .piece

    mov     p, [m + gcm_message.iv]
    LOAD_IV %$base16, p
    vpshufb %$base16, %$base16, %$mask16
    vshufi32x4 %$base, %$base, %$base, 0
    mov     p, [m + gcm_message.aad]
    mov     left, [m + gcm_message.aad_len]
    vmovdqa64 %$first, %$base
    lea     n, [len + 15]
    and     n, -16
    vpxor   %$aad16, %$aad16, %$aad16
    vpxor   %$hash, %$hash, %$hash
    cmp     left, 16
    ja      .several_aad
    test    left, left
    jz      .no_aad
    BYTE_MASK left, t
    vmovdqu8 %$aad16{k1}{z}, [p]
    vpshufb %$aad16, %$aad16, %$mask16
    cmp     len, 256
    jb      .short_message
    vmovdqu %$y, [key + POWERS_END - 16]
    POWER   %$high, %$aad, %$x1
    jmp     .aad_hashed
.no_aad:
    cmp     len, 256
    jae     .aad_hashed
.short_message:
    mov     left, len
    START_WITH_LENGTHS len
    lea     power, [key + POWERS_END - 2 * 16]
    sub     power, n
    jmp     .finish

.several_aad:                           ; part of the single sum if there are enough powers
    cmp     len, 256
    jae     .hash_aad
    lea     t, [left + n + 31]
    and     t, -16
    cmp     t, GCM_POWERS * 16
    ja      .hash_aad
    lea     power, [key + POWERS_END]
    sub     power, t
    ZERO_SUM
    HASH_VECTORS
    vmovdqa64 %$first, %$base
    lea     n, [len + 15]
    and     n, -16
    lea     power, [key + POWERS_END - 2 * 16]
    sub     power, n
    mov     left, len
    jmp     .lengths

.hash_aad:
    mov     context, left               ; unused by a whole message
    HASH_BUFFER context
.aad_hashed:
    vmovdqa64 %$tag_base, %$base16
    jmp     .text

.piece:
    vmovdqu %$base16, [context + isal_gcm_context_data.current_counter]
    REVERSE %$base16, %$base16
    vpaddd  %$base16, %$base16, [steps_back + 16 * 2]
    vshufi32x4 %$base, %$base, %$base, 0
    vmovdqu %$hash, [context + isal_gcm_context_data.aad_hash]
    REVERSE %$hash, %$hash

.text:                                  ; the counter of the next block is base + 2
    LONG_SCRATCH
    mov     left, len
  %ifidn %1, enc
    sub     left, 256
    jb      .none_pending
    SIXTEEN_BLOCKS %1, ANY_COUNTERS, none, 0
    sub     left, 512
    jb      .loop_done
    FIRST_BASES
.loop:                                  ; left + 512 bytes of text remain, 256 to be hashed
    SIXTEEN_BLOCKS %1, {LOOP_COUNTERS 1}, key + POWERS_END - 32 * 16, 1
    SIXTEEN_BLOCKS %1, {LOOP_COUNTERS 0}, key + POWERS_END - 16 * 16, 0
    REDUCE_LANES
    sub     left, 512
    jae     .loop
.loop_done:
    ADD_16
    add     left, 256
    jnc     .pending
    SIXTEEN_BLOCKS %1, ANY_COUNTERS, key + POWERS_END - 16 * 16, 1
    REDUCE_LANES
    ADD_16
    sub     left, 256
.pending:                               ; left + 256 bytes of text remain, 256 to be hashed
    add     left, 256
    LAST_POWER 256
    vpxorq  v8, v8, %$high
    PRODUCTS v8, power, 0, 1
    PRODUCTS v9, power + 64, 1, 1
    PRODUCTS v10, power + 2 * 64, 0, 0
    PRODUCTS v11, power + 3 * 64, 1, 0
    add     power, 256 - 16
    jmp     .summed
.none_pending:
    add     left, 256
  %else
    sub     left, 512
    jb      .loop_done
    FIRST_BASES
.loop:                                  ; left + 512 bytes of text remain
    SIXTEEN_BLOCKS %1, {LOOP_COUNTERS 0}, key + POWERS_END - 32 * 16, 1
    SIXTEEN_BLOCKS %1, {LOOP_COUNTERS 1}, key + POWERS_END - 16 * 16, 0
    REDUCE_LANES
    sub     left, 512
    jae     .loop
.loop_done:
    add     left, 512
    cmp     left, 256
    jb      .fewer_than_sixteen
    LAST_POWER 0
    SIXTEEN_BLOCKS %1, ANY_COUNTERS, power, 1
    ADD_16
    sub     left, 256
    add     power, 256 - 16
    jmp     .summed
.fewer_than_sixteen:
  %endif
    ; The sum is empty: the hash so far starts it, unless nothing remains.
    LAST_POWER 0
    xor     n_d, n_d
    test    t, t
    jz      .store
    vbroadcasti32x4 %$pw, [power]
    vpclmulqdq %$low, %$high, %$pw, LOW_LOW
    vpclmulqdq %$mid, %$high, %$pw, HIGH_LOW
    vpclmulqdq %$x2, %$high, %$pw, LOW_HIGH
    vpclmulqdq %$high, %$high, %$pw, HIGH_HIGH
    vpxorq  %$mid, %$mid, %$x2
    sub     power, 16

.summed:                                ; power: that of the block before the text
    SHORT_SCRATCH
    vpxor   %$aad16, %$aad16, %$aad16
    vinserti32x4 %$first, %$base, %$tag_base, 0
    lea     n, [left + 15]
    and     n, -16
    test    m, m
    jnz     .lengths
    test    left, left
    jz      .piece_done
    jmp     .finish

.lengths:
    ADD_LENGTHS len
    test    left, left
    jz      .only_tag
.finish:                                ; left < 256 bytes
    add     left, 16
    mov     t, left
    neg     t
    mov     p, -1
    shrx    p, p, t
    kmovq   k1, p
    kmovq   k2, [after_first_block]
    cmp     left, 2 * 64
    jbe     .one_or_two
    cmp     left, 4 * 64
    ja      .five
    cmp     left, 3 * 64
    jbe     .three
    FINISH  %1, 4
    jmp     .finished
.one_or_two:
    cmp     left, 64
    jbe     .one
    FINISH  %1, 2
    jmp     .finished
.one:
    FINISH  %1, 1
    jmp     .finished
.three:
    FINISH  %1, 3
    jmp     .finished
.five:
    FINISH  %1, 5
    jmp     .finished

.only_tag:
    vpaddd  xmm0, %$first16, [steps + 16]
    vpshufb xmm0, xmm0, %$mask16
    vpxor   xmm0, xmm0, [key]
    VWIDTH  16
    MIDDLE_ROUNDS venc, 1, key, %$rounds, %$key16
    VWIDTH  VL
    vaesenclast %$tag_key, xmm0, [key + 16 * %$rounds]

.finished:
    test    m, m
    jz      .piece_done
    REDUCE_LANES
    vpshufb %$hash, %$hash, %$mask16
    vpxor   %$hash, %$hash, %$tag_key
    STORE_TAG %$hash, m, p, t
    jmp     .done
.piece_done:                            ; n: bytes of the blocks after base + 1
    REDUCE_LANES
.store:
    shr     n_d, 4
    vmovd   %$x, n_d
    vpaddd  %$base16, %$base16, %$x
    vpaddd  %$base16, %$base16, [steps + 16 * 2]
    vpshufb %$base16, %$base16, %$mask16
    vmovdqu [context + isal_gcm_context_data.current_counter], %$base16
    vpshufb %$hash, %$hash, %$mask16
    vmovdqu [context + isal_gcm_context_data.aad_hash], %$hash
.done:
    %ifidn %3, _nt
    sfence
    %endif
    %pop
ENDKERNEL
%endmacro

TIER avx512_v
GHASH
GCM_POWERS_OF 128
GCM_POWERS_OF 256
GCM enc, 128
GCM enc, 256
GCM dec, 128
GCM dec, 256
GCM enc, 128, _nt
GCM enc, 256, _nt
GCM dec, 128, _nt
GCM dec, 256, _nt
