; AES in Galois/counter mode (SP 800-38D), block by block or in pairs.
; SPDX-License-Identifier: BSD-3-Clause
;
; gcm_vector.asm has the kernels for 64-byte vectors.

%include "crypto/aes/gcm.inc"

EIGHT       equ POWERS_END - 8 * 16     ; H^8

RODATA
GCM_CONSTANTS
first_counter:                          ; a counter of 1, following an IV
    db      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1
low_bits:                               ; in the last byte: 0 to 7
    %assign i 0
    %rep 8
    db      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, i
    %assign i i + 1
    %endrep
AES_BYTE_TABLES

; Adds the blocks at p to the sum, with the powers from `power` to `end`. left counts the bytes,
; which may end within the last block. t is a scratch register.
%macro HASH_BLOCKS 0
    jmp     %%check
%%block:
    cmp     left, 16
    jb      %%partial
    vload   %$data, [p]
    add     p, 16
    sub     left, 16
    jmp     %%loaded
%%partial:
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

; high = GHASH of high and the `left` bytes at p, with a reduction for every 16 blocks. Uses the
; registers of HASH_BLOCKS.
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
; hash = GHASH of hash and len bytes, the last block padded with zeros. Any alignment.
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
; Writes to key, from its schedule, H^33 / x ... H / x, then three blocks of zeros.
;
; Each of six steps doubles the number of powers made: it multiplies them by the highest of them.
%macro GCM_POWERS_OF 1                  ; bits
KERNEL aes_gcm_powers_%1, key
    SECRET  0, 0, 9, 12, 14, 14
    %push
    HASH_REGISTERS
    %xdefine %$h v0
    HASH_KEY %1, %$h, key
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

; The same with two powers a vector: H^16 / x ... H / x, as many as the kernels without 64-byte
; vectors read.
;
; Registers: v0-v7 the powers 2 and 1, 4 and 3, ... 16 and 15, the higher in the first lane; factor:
; the highest power made, in both lanes. Each of three steps multiplies all vectors by it.
; Chain: five products with their reductions, 20 cycles each on Zen 3.
%macro GCM_POWER_PAIRS_OF 1             ; bits
KERNEL aes_gcm_powers_%1, key
    SECRET  0, 15
    %push
    VWIDTH  16
    HASH_REGISTERS
    HASH_KEY %1, v0, key
    vclmul  %$low, v0, v0, LOW_LOW
    vclmul  %$high, v0, v0, HIGH_HIGH
    vzero   %$mid                       ; two equal products
    REDUCE
    VWIDTH  VL
    HASH_REGISTERS
    %xdefine %$factor v8
    %xdefine %$reduction v15
    vbcast16 %$reduction, [reduction]
    vinserti128 v0, %$high, xmm0, 1
    vstore  [key + POWERS_END - VL], v0
    vperm2i128 %$factor, %$high, %$high, 0
    %assign %$made 1
    %rep 3
        %assign %$i 0
        %rep %$made
            %assign %$j %$made + %$i
    %xdefine %$data v%[%$i]
    %xdefine %$high v%[%$j]
    MULTIPLY_FIRST %$factor
    REDUCE
    vstore  [key + POWERS_END - VL * (%$j + 1)], %$high
            %assign %$i %$i + 1
        %endrep
        %assign %$made 2 * %$made
        %if %$made < 8
    vperm2i128 %$factor, %$high, %$high, 0
        %endif
    %endrep
    vzero   %$x
    vstore  [key + POWERS_END], %$x
    VWIDTH  16
    vstore  [key + POWERS_END + VL], v13
    %pop
ENDKERNEL
%endmacro

%macro ENC_STATES 2                     ; one round of v(a) .. v(b-1)
    %assign %%j %1
    %rep %2 - %1
    venc    v%[%%j], %$key
        %assign %%j %%j + 1
    %endrep
%endmacro

; Adds one of the four products of block i of eight to a part of the sum, or starts it if new is 1.
%macro PRODUCT 4                        ; part, halves, i, new
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

; The states of the next eight blocks. With VEX there is a base, a multiple of 8, and the counters
; are base + 2 to base + 9. Six of them need no carry; the other two are the next base plus 0 and 1.
; The bases include the first round key. That saves 14 of 224 uops of the main loop.
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
        vop_const paddd, %$counter, %$counter, [steps + 16 * 8]
        vload   %$key, [key]
        %assign %%j 0
        %rep 8
        vxor    v%[%%j], v%[%%j], %$key
            %assign %%j %%j + 1
        %endrep
    %endif
%endmacro

; next_base = the base for the counter x, which is stored on the stack
%macro NEXT_BASE 0
    vstore  [rsp], %$x
    REVERSE %$next_base, %$x
    vxor    %$next_base, %$next_base, [key]
%endmacro

; Sets the bases from the counter before the first eight blocks, and the counter from the bases
; after the last.
%macro FIRST_BASES 0
    %if HAS_VEX
        vaddd   %$x, %$counter, [steps_back + 16 * 2]
        REVERSE %$base, %$x
        vxor    %$base, %$base, [key]
        vaddd   %$x, %$x, [steps + 16 * 8]
        NEXT_BASE
    %endif
%endmacro
%macro LAST_COUNTER 0
    %if HAS_VEX
        vload   %$counter, [rsp]
        vaddd   %$counter, %$counter, [steps_back + 16 * 6]
    %endif
%endmacro

; Eight blocks of text, and meanwhile the products of eight blocks of ciphertext: the text itself or
; the preceding eight blocks. hash: their address, or none.
%macro EIGHT_BLOCKS 1                   ; hash
    EIGHT_COUNTERS
    %assign %%r 1
    %rep %$rounds - 1
    vload   %$key, [key + 16 * %%r]
        %ifidn %1, none
    ENC_STATES 0, 8
        %elif %%r <= 8
    EIGHT_ROUND %%r - 1, %1
        %else
    ENC_STATES 0, 2
            %if %%r == 9
    REDUCE
            %endif
    ENC_STATES 2, 8
        %endif
        %assign %%r %%r + 1
    %endrep
    vload   %$key, [key + 16 * %$rounds]
    %assign %%j 0
    %rep 8
    vload_xor %$data, %$key, [in + 16 * %%j]
    venclast v%[%%j], %$data
    vstore  [out + 16 * %%j], v%[%%j]
        %assign %%j %%j + 1
    %endrep
    add     in, 8 * 16
    add     out, 8 * 16
%endmacro

; A round of eight blocks, and the products of block i.
%macro EIGHT_ROUND 2                    ; i, blocks
    ENC_STATES 0, 2
    vload   %$data, [%2 + 16 * (%1)]
    REVERSE %$data, %$data
    %if %1 == 0
    vxor    %$data, %$data, %$high
    %endif
    PRODUCT %$low, LOW_LOW, %1, %1 == 0
    ENC_STATES 2, 4
    PRODUCT %$mid, HIGH_LOW, %1, %1 == 0
    ENC_STATES 4, 5
    PRODUCT %$mid, LOW_HIGH, %1, 0
    ENC_STATES 5, 7
    PRODUCT %$high, HIGH_HIGH, %1, %1 == 0
    ENC_STATES 7, 8
%endmacro

; d = s ^ the vector at mem
%macro vload_xor 3                      ; d, s, mem
    %if HAS_VEX
        vxor    %1, %2, %3
    %else
        vload   %1, %3
        vxor    %1, %1, %2
    %endif
%endmacro

; v(n-1) .. v0 = the key stream of the last n = 0 .. 8 blocks; %$tag_key = the encrypted first
; counter.
%macro LAST_KEYS 1                      ; n
    %assign %%j %1
    %rep %1
        %assign %%j %%j - 1
    vaddd   v%[%%j], %$counter, [steps + 16 * (%1 - 1 - %%j)]
    REVERSE v%[%%j], v%[%%j]
    %endrep
    FIRST_COUNTER v%1, p
    vload   %$tag_key, [key]
    %assign %%n %1 + 1
    %assign %%j 0
    %rep %%n
    vxor    v%[%%j], v%[%%j], %$tag_key
        %assign %%j %%j + 1
    %endrep
    MIDDLE_ROUNDS venc, %%n, key, %$rounds, %$tag_key
    vload   %$tag_key, [key + 16 * %$rounds]
    %assign %%j 0
    %rep %1
    venclast v%[%%j], %$tag_key
        %assign %%j %%j + 1
    %endrep
    venclast v%1, %$tag_key
    vmove   %$tag_key, v%1
%endmacro

; d = the IV at p and a counter of 1
%macro FIRST_COUNTER 2                  ; d, p
    LOAD_IV %1, %2
    vop_const por, %1, %1, [first_counter]
%endmacro

; Encrypts or decrypts block j from the end with its key stream v(j-1), and hashes it.
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
    %xdefine %$tag_key v15
    %xdefine %$next_base v14
    %xdefine %$mask v14
%endmacro

; 16 blocks of text in vectors of VL bytes, and meanwhile the products of 16 blocks of ciphertext,
; as in EIGHT_BLOCKS. The lanes of counter are the counters of the first vector.
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
    ENC_STATES 0, %%n
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

; Adds the products of vector i of 16 blocks to the sum. The first vector includes the hash so far.
%macro VECTOR_PRODUCT 2                 ; blocks, i
    vload   %$data, [%1 + VL * (%2)]
    vshufb  %$data, %$data, %$mask
    %if %2 == 0
    vxor    %$data, %$data, %$high
    %endif
    MULTIPLY key + POWERS_END - 16 * 16 + VL * (%2), %2 == 0
%endmacro

; high = the sum with its lanes added and reduced; the upper lane becomes 0
%macro FOLD_VECTORS 0
    %xdefine %%low %$low
    %xdefine %%mid %$mid
    %xdefine %%high %$high
    VWIDTH  16
    HASH_REGISTERS
    FOLD    %$low, %%low
    FOLD    %$mid, %%mid
    FOLD    %$high, %%high
    REDUCE
    VWIDTH  VL
    HASH_REGISTERS
%endmacro

%macro FOLD 2                           ; xmm and ymm name of a register: adds its lanes
    vextracti128 %$x, %2, 1
    vxor    %1, %1, %$x
%endmacro

; All multiples of 16 blocks in the `left` bytes of text, in vectors. left becomes the remainder.
%macro GCM_VECTORS 1                    ; enc or dec
    sub     left, 16 * 16
    jb      %%none
    %xdefine %%counter16 %$counter
    VWIDTH  VL
    GCM_REGISTERS
    vinserti128 %$counter, %$counter, %%counter16, 1
    vaddd   %$counter, %$counter, [steps]
    vbcast16 %$mask, [reversed]
  %ifidn %1, enc
    SIXTEEN_BLOCKS none
    sub     left, 16 * 16
    jb      %%done
%%vectors:                              ; left + 256 bytes of text remain, 256 to be hashed
    SIXTEEN_BLOCKS out - 16 * 16
    sub     left, 16 * 16
    jae     %%vectors
%%done:
    %assign %%i 0
    %rep 16 * 16 / VL
    VECTOR_PRODUCT out - 16 * 16, %%i
        %assign %%i %%i + 1
    %endrep
    FOLD_VECTORS
  %else
%%vectors:                              ; left + 256 bytes of text remain
    SIXTEEN_BLOCKS in
    sub     left, 16 * 16
    jae     %%vectors
  %endif
    VWIDTH  16
    GCM_REGISTERS
%%none:
    add     left, 16 * 16
%endmacro

; All multiples of eight blocks in the `left` bytes of text. left becomes the remainder, t the
; blocks of ciphertext still to be hashed.
%macro GCM_EIGHTS 1                     ; enc or dec
    xor     t_d, t_d
    sub     left, 8 * 16
    jb      %%done
    FIRST_BASES
  %ifidn %1, enc
    mov     t_d, 8
    EIGHT_BLOCKS none
    sub     left, 8 * 16
    jb      %%last
%%eight:                                ; left + 128 bytes of text remain, 128 to be hashed
    EIGHT_BLOCKS out - 8 * 16
  %else
%%eight:                                ; left + 128 bytes of text remain
    EIGHT_BLOCKS in
  %endif
    sub     left, 8 * 16
    jae     %%eight
%%last:
    LAST_COUNTER
%%done:
    add     left, 8 * 16
%endmacro

; Hashes the t = 0 or 8 pending blocks of ciphertext. If the last sum, of `end` blocks, can include
; them, starts it with them and jumps to `begun`. Otherwise they get a sum of their own.
%macro SUM_PENDING 1                    ; begun
    test    t, t
    jz      %%none
    add     end, t
    cmp     end, 16
    jbe     %%fits
    lea     power, [key + EIGHT]        ; 17 blocks need two sums
    vmove   %$data, %$high
    MULTIPLY power, 1
    HASH_PENDING
    REDUCE
    mov     end, blocks
    cmp     m, 1
    sbb     end, -1
    jmp     %%none
%%fits:
    shl     end, 4
    lea     power, [key + POWERS_END]
    sub     power, end
    vmove   %$data, %$high
    MULTIPLY power, 1
    HASH_PENDING
    jmp     %1
%%none:
%endmacro

; Adds the last eight blocks of ciphertext to the sum, with the powers from `power` on.
%macro HASH_PENDING 0
    %assign %%j 8
    %rep 8
    vload   %$data, [out - 16 * %%j]
    REVERSE %$data, %$data
    MULTIPLY power + 16 * (8 - %%j), 0
        %assign %%j %%j - 1
    %endrep
    add     power, 8 * 16
%endmacro

; void isalk_aes_gcm_<enc|dec>_<bits>_<tier>(const struct isal_gcm_key_data *key,
;                                            struct isal_gcm_context_data *context, uint8_t *out,
;                                            const uint8_t *in, size_t len,
;                                            const struct gcm_message *m)
;
; A message, or whole blocks of one: see aes_kernels.h. Any alignment; out may be in.
;
; Eight blocks at a time; encryption hashes the preceding eight. The remainder is at most eight
; blocks of text, the last of them possibly partial. One batch makes their key stream and the
; encrypted first counter. One reduction serves the products of the remainder, of the blocks still
; to be hashed and of the lengths, with powers up to H^16. A message of up to eight blocks of text
; and 16 blocks in all has no other reduction.
;
; Registers: v0-v8 states; counter: of the next block, reversed; low, mid, high: the sum, where high
; is also the hash so far; power: address of the next power; left: bytes of text without those of
; the current step, then bytes of the last block; blocks: remaining blocks of text; end: address of
; the last power of HASH_BLOCKS, or blocks to hash; p, t scratch.
; Main loop: 10 or 14 cycles for a block, bound by the port of AES; 5.5 uops on that of products.
%macro GCM 2                            ; enc or dec, bits
KERNEL aes_gcm_%1_%2, key, context, out, in, len, m
    LOCALS  power, blocks, p, left, end, t
    SECRET  0, 15
    STACK   64                          ; a counter; not secret: see whole_blocks() in aes_gcm.c
    %push gcm
    VWIDTH  16
    GCM_REGISTERS
    %assign %$rounds AES_ROUNDS(%2)
    test    m, m
    jz      .piece

    mov     p, [m + gcm_message.iv]
    FIRST_COUNTER %$counter, p
    REVERSE %$counter, %$counter
    vop_const paddd, %$counter, %$counter, [steps + 16]
    mov     p, [m + gcm_message.aad]
    mov     left, [m + gcm_message.aad_len]
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
    vzero   %$low                       ; a single sum
    vzero   %$mid
    shl     t, 4
    lea     power, [key + POWERS_END]
    sub     power, t
    shl     end, 4
    add     end, power
    HASH_BLOCKS
    mov     left, len
    jmp     .remainder

.hash_aad:
    HASH_BUFFER
    jmp     .eights
.piece:
    vload   %$counter, [context + isal_gcm_context_data.current_counter]
    REVERSE %$counter, %$counter
    vload   %$high, [context + isal_gcm_context_data.aad_hash]
    REVERSE %$high, %$high
.eights:
    mov     left, len
  %if VL > 16
    GCM_VECTORS %1
  %endif
    GCM_EIGHTS %1

    ; The last sum has `end` blocks: possibly eight of ciphertext, the remainder of the text, and
    ; the lengths.
    lea     blocks, [left + 15]
    shr     blocks, 4
    mov     end, blocks
    cmp     m, 1
    sbb     end, -1
  %ifidn %1, enc
    SUM_PENDING .remainder
  %endif
    test    end, end
    jz      .piece_done
    shl     end, 4
    lea     power, [key + POWERS_END]
    sub     power, end
    vmove   %$data, %$high
    MULTIPLY power, 1

.remainder:                             ; left bytes in `blocks` blocks remain, hashed from power on
    mov     t, blocks
    shl     t, 4
    add     power, t
    add     in, t
    add     out, t
    mov     p, context                  ; 12 readable bytes, whose result is not used
    test    m, m
    jnz     .whole
    lea     p, [steps]
    vload   %$data, [p + t]
    vaddd   %$data, %$data, %$counter
    REVERSE %$data, %$data
    vstore  [context + isal_gcm_context_data.current_counter], %$data
    jmp     .keys
.whole:
    mov     p, [m + gcm_message.iv]
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
    jb      .partial
    LAST_TEXT %1, 1
    jmp     .lengths
.partial:
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
    LENGTHS_BLOCK %$data, m, len, t
    MULTIPLY key + POWERS_END - 16, 0
    REDUCE
    REVERSE %$high, %$high
    vxor    %$high, %$high, %$tag_key
    STORE_TAG %$high, m, p, t
    jmp     .done

.reduce:
    REDUCE
.store_hash:
    REVERSE %$high, %$high
    vstore  [context + isal_gcm_context_data.aad_hash], %$high
    jmp     .done
.piece_done:                            ; a multiple of eight blocks, all of them hashed
    REVERSE %$counter, %$counter
    vstore  [context + isal_gcm_context_data.current_counter], %$counter
    jmp     .store_hash
.done:
    %pop
ENDKERNEL
%endmacro

%macro GCM_TIER 1
TIER %1
    %if VL == 16
GHASH
GCM_POWERS_OF 128
GCM_POWERS_OF 256
    %else
GCM_POWER_PAIRS_OF 128
GCM_POWER_PAIRS_OF 256
    %endif
GCM enc, 128
GCM enc, 256
GCM dec, 128
GCM dec, 256
%endmacro

GCM_TIER sse
GCM_TIER avx
GCM_TIER avx2_v
