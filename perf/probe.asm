; Loops that measure the throughput of the ports and of the memory.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"

PROBE_REGISTERS equ 12                  ; independent chains: enough for every latency and rate
PROBE_LENGTH    equ 24                  ; instructions an iteration; as in perf/probes.h

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
        %assign %%r 1 + %%i % PROBE_REGISTERS
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
%macro PROBE_ADD 2
    vaddd   %1, %1, v15
%endmacro
%macro PROBE_SHIFT 2                    ; a rotation where vectors have it
    %if HAS_EVEX
        vprold  %1, %1, 7
    %else
        vsrlw   %1, %1, 7
    %endif
%endmacro
%macro PROBE_SAD 2
    vsad    %1, %1, v15
%endmacro
%macro PROBE_SHUFFLE 2
    vshufb  %1, %1, v15
%endmacro
%macro PROBE_AFFINE 2
    vaffine %1, %1, v15
%endmacro
%macro PRODUCT 2                        ; register, the other factor
    %if HAS_VEX
        vpclmulqdq %1, %1, %2, 0
    %else
        pclmulqdq %1, %2, 0
    %endif
%endmacro
%macro PROBE_CLMUL 2
    PRODUCT %1, v15
%endmacro
%macro PROBE_AES 2
    %if HAS_VEX
        vaesenc %1, %1, v15
    %else
        aesenc  %1, v15
    %endif
%endmacro
%macro PROBE_LOAD 2
    vload   %1, [p + VL * (%2 % (256 / VL))]
%endmacro
%macro PROBE_STORE 2
    vstore  [p + VL * (%2 % (256 / VL))], %1
%endmacro

; One vector of folding in normal order: two products for each 16 bytes, and a shuffle. On some
; cores the shuffle competes with the products for a port.
%macro PROBE_FOLD 2
    %assign %%r %2
    %rep VL / 8
        PRODUCT xmm%[%%r], xmm15
        %assign %%r 1 + (%%r + 1) % PROBE_REGISTERS
    %endrep
    vshufb  v%[%%r], v%[%%r], v15
%endmacro

; sha1rnds4 and sha256rnds2 have no VEX form. sha256rnds2 also reads xmm0, which no probe writes.
%macro PROBE_SHA1 2
    sha1rnds4 %1, xmm15, 1
%endmacro
%macro PROBE_SHA256 2
    sha256rnds2 %1, xmm15
%endmacro

; void isalk_perf_<name>_chain_<tier>(void *p, size_t n)
;
; Runs n times PROBE_LENGTH instructions that each wait for the one before. n >= 1.
;   %1 name  %2 macro that makes the instruction; it writes the first of its two registers
; The registers alternate, as in the rounds of a hash.
%macro CHAIN 2
KERNEL perf_%1_chain, p, n
%%again:
    %rep PROBE_LENGTH / 2
        %2      xmm1, xmm2
        %2      xmm2, xmm1
    %endrep
    dec     n
    jnz     %%again
ENDKERNEL
%endmacro
%macro CHAIN_AES 2
    aesenc  %1, %2
%endmacro
%macro CHAIN_SHA1 2
    sha1rnds4 %1, %2, 1
%endmacro
%macro CHAIN_SHA256 2
    sha256rnds2 %1, %2
%endmacro

; void isalk_perf_crc32_sse(void *p, size_t n)
; void isalk_perf_issue_sse(void *p, size_t n)
;
; crc32: the crc32 instruction on 8 bytes. issue: zeroing idioms, which need no port; only the issue
; width limits them. Both run as PROBE; the loop of issue has PROBE_LENGTH + 1 instructions.
%macro PROBE_SCALAR 0
KERNEL perf_crc32, p, n
LOCALS a, b, c, d, e, f
%%eight_bytes:
    %rep PROBE_LENGTH / 6
        crc32   a, p
        crc32   b, p
        crc32   c, p
        crc32   d, p
        crc32   e, p
        crc32   f, p
    %endrep
    dec     n
    jnz     %%eight_bytes
ENDKERNEL

KERNEL perf_issue, p, n
LOCALS a, b, c, d
%%again:
    %rep PROBE_LENGTH / 4
        xor     a_d, a_d
        xor     b_d, b_d
        xor     c_d, c_d
        xor     d_d, d_d
    %endrep
    dec     n
    jnz     %%again
ENDKERNEL
%endmacro

; void isalk_perf_read_<tier>(void *p, size_t len)      reads len bytes
; void isalk_perf_read8_<tier>(void *p, size_t len)     reads as eight streams, faster in DRAM
; void isalk_perf_write_<tier>(void *p, size_t len)     writes len bytes
; void isalk_perf_stream_<tier>(void *p, size_t len)    writes len bytes with non-temporal stores
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

KERNEL perf_read8, p, len
LOCALS e1, e3, e5, e7
    shr     len, 3
    mov     e1, len
    lea     e3, [e1 + e1 * 2]
    lea     e5, [e1 + e1 * 4]
    lea     e7, [e3 + e1 * 4]
%%line:                                 ; e1 - len bytes of each stream have been read
    %assign %%i 0
    %rep 64 / VL
        vload   v0, [p + %%i]
        vload   v1, [p + e1 + %%i]
        vload   v2, [p + e1 * 2 + %%i]
        vload   v3, [p + e3 + %%i]
        vload   v4, [p + e1 * 4 + %%i]
        vload   v5, [p + e5 + %%i]
        vload   v6, [p + e3 * 2 + %%i]
        vload   v7, [p + e7 + %%i]
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
    PROBE add, PROBE_ADD
    PROBE shift, PROBE_SHIFT
    PROBE shuffle, PROBE_SHUFFLE
    PROBE sad, PROBE_SAD
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
PROBE fold, PROBE_FOLD
PROBE sha1, PROBE_SHA1
PROBE sha256, PROBE_SHA256
CHAIN aes, CHAIN_AES
CHAIN sha1, CHAIN_SHA1
CHAIN sha256, CHAIN_SHA256
PROBE_SCALAR
TIER avx2
PROBES
PROBE fold, PROBE_FOLD
TIER avx512
PROBES
TIER avx2_v
PROBE affine, PROBE_AFFINE
PROBES_CRYPTO
TIER avx512_v
PROBE affine, PROBE_AFFINE
PROBES_CRYPTO
