; AES in counter mode (SP 800-38A, section 6.5).
; SPDX-License-Identifier: BSD-3-Clause

%include "crypto/aes/aes.inc"

RODATA
ctr_steps:                              ; 0 to 32, added to the lower halves of counters
    %assign i 0
    %rep 33
    dq      i, 0
        %assign i i + 1
    %endrep
ctr_reversed:
    db      15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
AES_BYTE_TABLES

; Registers of the width in force. Every lane of counter holds the counter of the next block, its
; bytes reversed.
%macro CTR_REGISTERS 0
    %xdefine %$key v8
    %xdefine %$counter v9
    %xdefine %$mask v10
    %xdefine %$x v11
    %xdefine %$y v1                     ; states, unused while the last block is processed
    %xdefine %$z v2
%endmacro

; All rounds but the last of the next n vectors of counters.
%macro CTR_START 1                      ; n
    vbcast16 %$key, [keys]
    %assign %%j 0
    %rep %1
    vaddq   v%[%%j], %$counter, [ctr_steps + VW * %%j]
    vshufb  v%[%%j], v%[%%j], %$mask
    vxor    v%[%%j], v%[%%j], %$key
        %assign %%j %%j + 1
    %endrep
    MIDDLE_ROUNDS venc, %1, keys, %$rounds, %$key
    vbcast16 %$key, [keys + 16 * %$rounds]
%endmacro

; The last round of the first `full` of n vectors: its key is K_last ^ text. The last of the n
; vectors is under the mask k7 if masked is 1.
%macro CTR_FINISH 3                     ; full, n, masked
    %assign %%j 0
    %rep %1
    vload_of %$x, in, %%j, %2, %3
    vxor    %$x, %$x, %$key
    venclast v%[%%j], %$x
    vstore_of out, %%j, %2, %3, v%[%%j]
        %assign %%j %%j + 1
    %endrep
%endmacro

; Eight vectors at a time; leaves the remainder in len.
%macro CTR_LOOP 0
    sub     len, 8 * VW
    jb      %%done
%%eight:                                ; len + 8 VW bytes remain
    CTR_START 8
    CTR_FINISH 8, 8, 0
    vbcast16 %$x, [ctr_steps + 8 * VW]
    vaddq   %$counter, %$counter, %$x
    add     in, 8 * VW
    add     out, 8 * VW
    sub     len, 8 * VW
    jae     %%eight
%%done:
    add     len, 8 * VW
%endmacro

; The remainder in 64-byte vectors, the last one under a mask.
%macro CTR_MASKED 1                     ; done
    test    len, len
    jz      %1
    LAST_MASK len, counter, t           ; the register `counter` is free now
    DISPATCH_8 counter, .masked_
    jmp     %1
    CASES   .masked_, 8, %1, CTR_CASE, 1
%endmacro

; The remainder in blocks, the last of which may be partial.
%macro CTR_BLOCKS 1                     ; done
    VWIDTH  16
    CTR_REGISTERS
    CTR_LOOP
    lea     counter, [len + 15]
    shr     counter, 4
    jz      %1
    DISPATCH_8 counter, .blocks_
    jmp     %1
    CASES   .blocks_, 8, .last_block, CTR_CASE, 0
.last_block:                            ; v0: its state, len: its 1 to 16 bytes
    venclast v0, %$key
    cmp     len, 16
    jb      %%partial
    vload   %$x, [in]
    vxor    v0, v0, %$x
    vstore  [out], v0
    jmp     %1
%%partial:
    vload_bytes %$x, in, len, %$y, %$z, t
    vxor    v0, v0, %$x
    vstore_bytes out, len, v0, %$y, %$z, t
%endmacro

; The last n vectors: all of them if masked is 1, else all but the last block, whose state goes to
; v0.
%macro CTR_CASE 2                       ; n, masked
    CTR_START %1
    %if %2
    CTR_FINISH %1, %1, 1
    %else
        %assign %%whole %1 - 1
    CTR_FINISH %%whole, %%whole, 0
        %if %%whole
    vmove   v0, v%[%%whole]
    add     in, 16 * %%whole
    add     out, 16 * %%whole
    sub     len, 16 * %%whole
        %endif
    %endif
%endmacro

; void isalk_aes_ctr_<bits>_<tier>(const uint8_t *in, const uint8_t *counter, const uint8_t *keys,
;                                  uint8_t *out, size_t len)
;
; C_i = P_i ^ E(counter + i) for len bytes. The counter is a big-endian integer whose lower 64 bits
; must not wrap before the last block. Any alignment; out may be in.
;
; Eight blocks or vectors at a time; the remainder of 64-byte vectors under a mask.
; Main loop: 10, 12 or 14 cycles for a block or vector, bound by the port of AES.
;
; Registers: v0-v7 states; the others: see CTR_REGISTERS; t scratch.
%macro CTR 1                            ; bits
KERNEL aes_ctr_%1, in, counter, keys, out, len
    LOCALS  t
    SECRET  0, 11
    %push ctr
    %assign %$rounds AES_ROUNDS(%1)
    VWIDTH  16
    CTR_REGISTERS
    vload   %$mask, [ctr_reversed]
    vload   %$counter, [counter]
    vshufb  %$counter, %$counter, %$mask
  %if VL > 16
    VWIDTH  VL
    CTR_REGISTERS
    vbcast16 %$mask, [ctr_reversed]
    vlanes  %$counter
    CTR_LOOP
  %endif
  %if HAS_EVEX
    CTR_MASKED .done
  %else
    CTR_BLOCKS .done
  %endif
.done:
    %pop
ENDKERNEL
%endmacro

%macro CTR_TIER 1
TIER %1
CTR 128
CTR 192
CTR 256
%endmacro

CTR_TIER sse
CTR_TIER avx
CTR_TIER avx2_v
CTR_TIER avx512_v
