; CRCs without multiplication, by sparse multiples of the polynomial.
; SPDX-License-Identifier: BSD-3-Clause
;
; The CRC of a message of vectors w[0], w[1], .. does not change when w[i] is removed and added to
; w[i + t] for each distance t, a tap, of a set (crc_taps.py says why). Doing so to all vectors but
; the last D, in order, is the recurrence
;
;     out[i] = w[i] + sum of out[i - t]
;
; The last D vectors, to which only vectors before them are added, remain to be folded. This works
; on whole vectors, in any bit order, without multiplication or shuffle.
;
; Source: Russell, "Chorba: A novel CRC32 implementation", arXiv 2412.16398, with vectors in place
; of bits.

%include "asm/kernel.inc"
%include "crc/crc_taps.inc"

; size_t isalk_<kernel>_<tier>(uint64_t seed, const uint8_t *buf, size_t len, uint8_t *rest)
; size_t isalk_<kernel>_<tier>(uint64_t seed, const uint8_t *buf, size_t len, uint8_t *rest,
;                              uint8_t *dst)
;
; Consumes bytes at buf and writes D vectors to rest. As a message, these have the CRC of the bytes
; consumed, with seed XORed to the first 8. Returns the number of bytes consumed. The copying kernel
; also copies them, without seed, to dst. len >= 2 D vectors. No alignment is required of buf and
; dst; rest is aligned to 64 bytes.
;
; REGISTER_TAPS keeps the last D vectors of out[] in registers: v<i> is the one whose index is i
; modulo D.
; Registers: buf is the next vector; start the first one; v31 the vector that was read last.
; Main loop: a load and three XORs of three operands for a vector. Bound by ports 0 and 5 of
; Skylake, 1.5 cycles: 43 bytes a cycle with 64-byte vectors and 21 with 32-byte ones.
%macro REGISTER_TAPS 9                  ; kernel, bytes in a vector, copy 0 / 1, six distances
    %assign %%d %9
    %define taps_copy %3
    %if taps_copy
KERNEL %1, seed, buf, len, rest, dst
    LOCALS result, start
    sub     dst, buf                    ; so that one pointer advances for both
    %else
KERNEL %1, seed, buf, len, rest
    LOCALS result, start
    %endif
    VECTORS %9
    VWIDTH %2
    %assign %%i 1
    %rep %%d - 1
        vzero   v%[%%i]
        %assign %%i %%i + 1
    %endrep
    vmovq   xmm0, seed                  ; as if it were out[-D], which is added to w[0] alone
    mov     start, buf
    sub     len, 2 * %%d * VW
.revolution:                            ; len bytes and 2 D vectors remain, from buf on
    %assign %%i 0
    %rep %%d
        TAPS_LOAD v31, %%i
        %assign %%far (%%i + %%d - %8) % %%d
        vxor3   v%[%%i], v31, v%[%%far]
        TAPS_ADD %%i, %%d, %7, %6
        TAPS_ADD %%i, %%d, %5, %4       ; the nearest last, because they are the latest results
        %assign %%i %%i + 1
    %endrep
    add     buf, %%d * VW
    sub     len, %%d * VW
    jae     .revolution
    %assign %%i 0
    %rep %%d                            ; the last D, with taps to vectors before them only
        TAPS_LOAD v31, %%i
        vxor    v%[%%i], v%[%%i], v31
        TAPS_ADD_BEFORE %%i, %%d, %4, %5, %6, %7, %8
        vstore  [rest + %%i * VW], v%[%%i]
        %assign %%i %%i + 1
    %endrep
    lea     result, [buf + %%d * VW]
    sub     result, start
ENDKERNEL
%endmacro

%macro TAPS_LOAD 2                      ; vector, its number from buf on
    vload   %1, [buf + %2 * VW]
    %if taps_copy
    vstore  [buf + dst + %2 * VW], %1
    %endif
%endmacro

%macro TAPS_ADD 4                       ; i, D, distance, distance
    %assign %%a (%1 + %2 - %3) % %2
    %assign %%b (%1 + %2 - %4) % %2
    vxor3   v%[%1], v%[%%a], v%[%%b]
%endmacro

%macro TAPS_ADD_BEFORE 3-*              ; i, D, distances
    %assign %%i %1
    %assign %%d %2
    %rotate 2
    %rep %0 - 2
        %assign %%a %%i + %%d - %1
        %if %1 > %%i
        vxor    v%[%%i], v%[%%i], v%[%%a]
        %endif
        %rotate 1
    %endrep
%endmacro

; RING_TAPS keeps the last D vectors of out[] in rest, a ring that the first-level cache holds. The
; distances divide a revolution into segments. Within a segment every tap is at a fixed offset from
; the vector: lower, or higher where the ring still holds vectors of the revolution before.
; Registers: buf is the next vector, ring its place in rest, end the end of a segment's loop.
; Main loop with four taps: five loads, two XORs of three operands (or four of two) and a store for
; a vector; bound by loads, 2.5 cycles.
%macro RING_TAPS 2-*                    ; kernel, distances
KERNEL %1, seed, buf, len, rest
    LOCALS result, start, ring, end
    %xdefine ring_distances %{2:-1}
    %assign ring_d %{-1:-1}
    mov     start, buf
    RING_REVOLUTION first, %{2:-1}
    sub     len, 3 * ring_d * VL
    jb      .last
.revolution:                            ; len bytes and 2 D vectors remain, from buf on
    RING_REVOLUTION middle, %{2:-1}
    sub     len, ring_d * VL
    jae     .revolution
.last:
    RING_REVOLUTION last, %{2:-1}
    mov     result, buf
    sub     result, start
ENDKERNEL
%endmacro

; One revolution of the ring. The first has no vectors before it. In the last, only vectors of the
; revolutions before are added.
%macro RING_REVOLUTION 2-*              ; first / middle / last, distances
    %ifidn %1, first
        %define ring_first 1
    %else
        %define ring_first 0
    %endif
    %ifidn %1, last
        %define ring_last 1
    %else
        %define ring_last 0
    %endif
    mov     ring, rest
    %assign %%lo 0
    %rep %0 - 1
        %rotate 1
        RING_SEGMENT %%lo, %1
        %if ring_first && %%lo == 0
    xor     [rest], seed                ; before it is added to any other
        %endif
        %assign %%lo %1
    %endrep
%endmacro

RING_UNROLL equ 4

%macro RING_SEGMENT 2                   ; vectors lo to hi - 1 of the revolution
    %assign %%count %2 - %1
    %if %%count >= 2 * RING_UNROLL
    lea     end, [ring + %%count / RING_UNROLL * RING_UNROLL * VL]
%%vectors:
    RING_VECTORS RING_UNROLL, %1
    cmp     ring, end
    jb      %%vectors
    %assign %%count %%count % RING_UNROLL
    %endif
    %if %%count
    RING_VECTORS %%count, %1
    %endif
%endmacro

%macro RING_VECTORS 2                   ; count, lo
    %assign %%j 0
    %rep %1
        vload   v0, [buf + %%j * VL]
        %assign ring_waiting 0
        RING_ADD_ALL %2, %%j, ring_distances
        %if ring_waiting
        vxor    v0, v0, [ring + ring_offset]
        %endif
        vstore  [ring + %%j * VL], v0
        %assign %%j %%j + 1
    %endrep
    add     buf, %1 * VL
    add     ring, %1 * VL
%endmacro

%macro RING_ADD_ALL 3-*                 ; lo, j, distances
    %assign %%lo %1
    %assign %%j %2
    %rotate 2
    %rep %0 - 2
        RING_ADD %%lo, %%j, %1
        %rotate 1
    %endrep
%endmacro

; One tap, if it applies to this revolution. A three-operand XOR adds two taps, so the first of them
; waits in ring_offset.
%macro RING_ADD 3                       ; lo, j, distance
    %assign %%lower %3 <= %1
    %assign %%offset (%2 - %3 + (%%lower == 0) * ring_d) * VL
    %if (ring_first && %%lower == 0) || (ring_last && %%lower)
    %elif HAS_EVEX == 0
        vxor    v0, v0, [ring + %%offset]
    %elif ring_waiting
        vload   v1, [ring + ring_offset]
        vpternlogq v0, v1, [ring + %%offset], XOR3
        %assign ring_waiting 0
    %else
        %assign ring_waiting 1
        %assign ring_offset %%offset
    %endif
%endmacro

TIER avx2
RING_TAPS crc16_t10dif_ring, TAPS_crc16_t10dif_ring
RING_TAPS crc32_ring, TAPS_crc32
RING_TAPS crc64_iso_ring, TAPS_crc64_iso

TIER avx512
REGISTER_TAPS crc16_t10dif_taps32, 32, 0, TAPS_crc16_t10dif
REGISTER_TAPS crc16_t10dif_taps64, 64, 0, TAPS_crc16_t10dif
REGISTER_TAPS crc16_t10dif_copy32, 32, 1, TAPS_crc16_t10dif
REGISTER_TAPS crc16_t10dif_copy64, 64, 1, TAPS_crc16_t10dif
RING_TAPS crc32_short_ring, TAPS_crc32_short
RING_TAPS crc32_ring, TAPS_crc32
RING_TAPS crc64_iso_ring, TAPS_crc64_iso
