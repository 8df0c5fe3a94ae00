; SHA-256 and SHA-512 of as many messages as a vector has words.
; SPDX-License-Identifier: BSD-3-Clause

%include "crypto/hash/sha2_rounds.inc"

; void isalk_<hash>_x<lanes>_<tier>(void *const *states, const uint8_t *const *data, size_t blocks)
;
; FIPS 180-4 section 6.2 (SHA-256) or 6.4 (SHA-512), blocks >= 1, lane by lane. Pointers need no
; alignment.
;
; Registers: v0 to v7 working variables; x0 to x5 scratch; the message: see hash_lanes.inc; pos:
; offset of the block; k: constants. The stack keeps the state across a block.
; Main loop, vector uops: with vpternlog 17 a round and 11 a word of the schedule; without, 35 and
; 22 or 23. Additions and logic run on every vector port, so these counts are the limit.
%macro SHA2_LANES 2                     ; name, bytes in a word
    SHA2_SHAPE %2
LANES_KERNEL %1, 24
    MSG_NAMES 8
    %xdefine x0 v14
    %xdefine x1 v9
    %xdefine x2 v10
    %xdefine x3 v11
    %xdefine x4 v12
    %xdefine x5 v13
    STATE_LOAD_ALL 8
.block:                                 ; the state is in v0 to v7 and on the stack
    vload   v15, [SHA2_SWAP]
    lea     k, [SHA2_K]
    %if !HAS_EVEX
        vxor    x5, v1, v2
    %endif
    MSG_LOAD v15
    SHA2_ROUNDS
    STATE_ADD_ALL 8
    add     pos, 16 * WORD
    dec     blocks
    jnz     .block
    STATE_STORE_ALL 8
LANES_ENDKERNEL
%endmacro

TIER sse
SHA2_LANES sha256_x4, 4
SHA2_LANES sha512_x2, 8
TIER avx
SHA2_LANES sha256_x4, 4
SHA2_LANES sha512_x2, 8
TIER avx2
SHA2_LANES sha256_x8, 4
SHA2_LANES sha512_x4, 8
TIER avx512
VWIDTH 32
SHA2_LANES sha256_x8, 4
VWIDTH 32
SHA2_LANES sha512_x4, 8
VWIDTH 64
SHA2_LANES sha256_x16, 4
SHA2_LANES sha512_x8, 8
