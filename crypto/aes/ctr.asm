; AES in counter mode (SP 800-38A, section 6.5).
; SPDX-License-Identifier: BSD-3-Clause

%include "crypto/aes/aes.inc"

RODATA
ctr_steps:                              ; 0 to 32, to add to the lower halves of counters
    %assign i 0
    %rep 33
    dq      i, 0
        %assign i i + 1
    %endrep
ctr_reversed:
    db      15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
AES_BYTE_TABLES

; Registers of the width in force. The lanes of counter all hold that of the next block, its bytes
; reversed.
%macro CTR_REGISTERS 0
    %xdefine %$key v8
    %xdefine %$counter v9
    %xdefine %$mask v10
    %xdefine %$x v11
    %xdefine %$y v1                     ; states, free when the last block is worked on
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

; The last round of the first `full` of n vectors takes K_last ^ text for its key; the last vector
; is under the mask k7 if `masked` is 1.
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

; Eight vectors at a time, as long as len lasts.
%macro CTR_LOOP 0
    sub     len, 8 * VW
    jb      %%done
%%eight:                                ; len + 8 VW bytes are left
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

; void isalk_aes_ctr_<bits>_<tier>(const uint8_t *in, const uint8_t *counter, const uint8_t *keys,
;                                  uint8_t *out, size_t len)
;
; C_i = P_i ^ E(counter + i) for len bytes; the counter is a big-endian integer, of which the lower
; 64 bits must not wrap before the last block. Any alignment; out may be in.
;
; Eight blocks or vectors at a time, the rest of 64-byte vectors under a mask.
; Main loop: 10, 12 or 14 cycles for a block or vector, bound by the port of AES.
;
; Registers: v0-v7 states, and see CTR_REGISTERS.
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
    test    len, len
    jz      .done
    LAST_MASK len, counter, t           ; counter has been used: scratch
    DISPATCH_8 counter, .masked_
    jmp     .done
    %assign %$n 8
    %rep 8
.masked_%[%$n]:
    CTR_START %$n
    CTR_FINISH %$n, %$n, 1
        %if %$n > 1
    jmp     .done
        %endif
        %assign %$n %$n - 1
    %endrep
  %else
    VWIDTH  16
    CTR_REGISTERS
    CTR_LOOP
    lea     counter, [len + 15]
    shr     counter, 4
    jz      .done
    DISPATCH_8 counter, .blocks_
    jmp     .done
    %assign %$n 8
    %rep 8
.blocks_%[%$n]:
    CTR_START %$n
    %assign %$i %$n - 1
    CTR_FINISH %$i, %$n, 0
        %if %$n > 1
    vmove   v0, v%[%$i]
    add     in, 16 * %$i
    add     out, 16 * %$i
    sub     len, 16 * %$i
    jmp     .last_block
        %endif
        %assign %$n %$n - 1
    %endrep
.last_block:                            ; v0: its state, len: its 1 to 16 bytes
    venclast v0, %$key
    cmp     len, 16
    jb      .part
    vload   %$x, [in]
    vxor    v0, v0, %$x
    vstore  [out], v0
    jmp     .done
.part:
    vload_bytes %$x, in, len, %$y, %$z, t
    vxor    v0, v0, %$x
    vstore_bytes out, len, v0, %$y, %$z, t
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
