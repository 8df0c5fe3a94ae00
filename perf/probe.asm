; Loops that find what the ports and the memory of this machine can do.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"

PROBE_REGISTERS equ 12                  ; independent chains: more than any latency times rate here
PROBE_LENGTH    equ 24                  ; instructions an iteration; perf/machine.c knows it

; void isalk_perf_<name>_<tier>(void *p, size_t n)
;
; Runs n times PROBE_LENGTH instructions of one kind that do not wait for each other. load and store
; use the 256 bytes at p. n >= 1.
;   %1 name  %2 macro that makes the instruction from its register and that register's number
%macro PROBE 2
KERNEL perf_%1, p, n
%%again:
    %assign %%i 0
    %rep PROBE_LENGTH
        %assign %%r %%i % PROBE_REGISTERS
        %2 v%[%%r], %%r
        %assign %%i %%i + 1
    %endrep
    dec     n
    jnz     %%again
ENDKERNEL
%endmacro

%macro PROBE_LOGIC 2
    vxor    %1, %1, v15
%endmacro
%macro PROBE_SHUFFLE 2
    vshufb  %1, %1, v15
%endmacro
%macro PROBE_AFFINE 2
    vaffine %1, %1, v15
%endmacro
%macro PROBE_CLMUL 2
    %if HAS_VEX
        vpclmulqdq %1, %1, v15, 0
    %else
        pclmulqdq %1, v15, 0
    %endif
%endmacro
%macro PROBE_AES 2
    %if HAS_VEX
        vaesenc %1, %1, v15
    %else
        aesenc  %1, v15
    %endif
%endmacro
%macro PROBE_LOAD 2
    vload   %1, [p + 64 * (%2 % 4)]
%endmacro
%macro PROBE_STORE 2
    vstore  [p + 64 * (%2 % 4)], %1
%endmacro

; void isalk_perf_read_<tier>(void *p, size_t len)      reads len bytes
; void isalk_perf_read4_<tier>(void *p, size_t len)     the same as four streams: faster in DRAM
; void isalk_perf_write_<tier>(void *p, size_t len)     writes len bytes
; void isalk_perf_stream_<tier>(void *p, size_t len)    the same past the caches
;
; p is aligned to 64 bytes, len a multiple of 4096, not 0.
%macro READ 0
KERNEL perf_read, p, len
%%lines:
    %assign %%i 0
    %rep 256 / VL
        vload   v0, [p + %%i]
        %assign %%i %%i + VL
    %endrep
    add     p, 256
    sub     len, 256
    jnz     %%lines
ENDKERNEL

KERNEL perf_read4, p, len
LOCALS quarter, third
    shr     len, 2
    mov     quarter, len
    lea     third, [quarter + quarter * 2]
%%line:                                 ; quarter - len bytes of each stream have been read
    %assign %%i 0
    %rep 64 / VL
        vload   v0, [p + %%i]
        vload   v1, [p + quarter + %%i]
        vload   v2, [p + quarter * 2 + %%i]
        vload   v3, [p + third + %%i]
        %assign %%i %%i + VL
    %endrep
    add     p, 64
    sub     len, 64
    jnz     %%line
ENDKERNEL
%endmacro

%macro WRITE 2                          ; name, store instruction
KERNEL perf_%1, p, len
    vzero   v0
%%lines:
    %assign %%i 0
    %rep 256 / VL
        %2      [p + %%i], v0
        %assign %%i %%i + VL
    %endrep
    add     p, 256
    sub     len, 256
    jnz     %%lines
    sfence
ENDKERNEL
%endmacro

%macro STREAM 2
    %if HAS_VEX
        vmovntdq %1, %2
    %else
        movntdq %1, %2
    %endif
%endmacro

%macro PROBES 0
    PROBE logic, PROBE_LOGIC
    PROBE shuffle, PROBE_SHUFFLE
    PROBE load, PROBE_LOAD
    PROBE store, PROBE_STORE
    READ
    WRITE write, vstore
    WRITE stream, STREAM
%endmacro

%macro PROBES_CRYPTO 0
    PROBE clmul, PROBE_CLMUL
    PROBE aes, PROBE_AES
%endmacro

TIER sse
PROBES
PROBES_CRYPTO
TIER avx2
PROBES
TIER avx512
PROBES
TIER avx2_v
PROBE affine, PROBE_AFFINE
PROBES_CRYPTO
TIER avx512_v
PROBE affine, PROBE_AFFINE
PROBES_CRYPTO
