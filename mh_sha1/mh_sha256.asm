; Block function of mh_sha256.
; SPDX-License-Identifier: BSD-3-Clause

%include "crypto/hash/sha2_rounds.inc"
%include "mh_sha1/mh_lanes.inc"

; void isalk_mh_sha256_block_<tier>(const uint8_t *data, size_t blocks, void *states, void *murmur)
;
; states[i][s]: word i of segment s. Segment s absorbs from each block the 64 bytes made of the
; 4-byte groups s, s + 16, s + 32, ... (FIPS 180-4 section 6.2). murmur is not used. blocks >= 1. No
; alignment is required.
;
; Registers: v0 to v7 working variables; x0 to x5 scratch; the message: see hash_lanes.inc; pass
; counts down; count: groups of 16 rounds, counts down.
; Main loop, vector uops: with vpternlog 17 a round, 11 a word of the schedule, 2 a word of the
; message; 1648 for 1024 bytes, two a cycle.
%macro MH_SHA256 0
    SHA2_SHAPE 4
MH_KERNEL mh_sha256_block, 24, count
    %xdefine x0 v8
    %xdefine x1 v9
    %xdefine x2 v10
    %xdefine x3 v11
    %xdefine x4 v12
    %xdefine x5 v13
    vload   v15, [SHA2_SWAP]
    MH_LOOP 8
    MH_MESSAGE v15
    lea     k, [SHA2_K]
    %if !HAS_EVEX
        vxor    x5, v1, v2
    %endif
    SHA2_ROUNDS MH_PREFETCH
    MH_ENDLOOP 8
MH_ENDKERNEL
%endmacro

%define MSG_ON_STACK 0
TIER sse
MH_SHA256
TIER avx
MH_SHA256
TIER avx2
MH_SHA256
TIER avx512
MH_SHA256
