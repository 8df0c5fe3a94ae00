; SHA-1 of as many messages as a vector has words.
; SPDX-License-Identifier: BSD-3-Clause

%include "crypto/hash/sha1_rounds.inc"

; void isalk_sha1_x<lanes>_<tier>(void *const *states, const uint8_t *const *data, size_t blocks)
;
; FIPS 180-4 section 6.1, blocks >= 1, lane by lane. Pointers need no alignment.
;
; Registers: v0 to v4 working variables; x0, x1 scratch; x3: constant of a quarter; the message: see
; hash_lanes.inc; pos: offset of the block; k: constants. The stack keeps the state across a block.
; The fifth word of a state is loaded and stored with the three before it.
; Main loop, vector uops: with vpternlog 7 a round and 3 a word of the schedule; without, 12 or 14
; and 6. Additions and logic run on every vector port, so these counts are the limit.
%macro SHA1_LANES 1                     ; name
    HASH_WORD 4
    %define MSG_ON_STACK 0
LANES_KERNEL %1, 24
    MSG_NAMES 8
    %xdefine x0 v9
    %xdefine x1 v10
    %xdefine x3 v11
    lea     k, [isalk_sha1_k]
    STATE_LOAD_ALL 4
    STATE_LOAD 1
    vmove   v4, v%[tr_3]
    vstore  [rsp + 4 * VW], v4
.block:                                 ; the state is in v0 to v4 and on the stack
    vload   v15, [SHA1_SWAP]
    %assign %%i 0
    %rep 80
        %if %%i < 16
            MSG_LOAD_BEFORE %%i, v15
        %endif
        SHA1_ROUND %%i
        %if %%i == 2                    ; now the whole message is loaded
            SHA1_SCHEDULE 0
            SHA1_SCHEDULE 1
        %endif
        %if %%i >= 2 && %%i < 64
            SHA1_SCHEDULE %%i
        %endif
        %assign %%i %%i + 1
    %endrep
    STATE_ADD_ALL 5
    add     pos, 64
    dec     blocks
    jnz     .block
    vmove   v12, v1
    vmove   v13, v2
    vmove   v14, v3
    vmove   v15, v4
    STATE_STORE_ALL 4
    STATE_STORE 1, 12
LANES_ENDKERNEL
%endmacro

TIER sse
SHA1_LANES sha1_x4
TIER avx
SHA1_LANES sha1_x4
TIER avx2
SHA1_LANES sha1_x8
TIER avx512
VWIDTH 32
SHA1_LANES sha1_x8
VWIDTH 64
SHA1_LANES sha1_x16
