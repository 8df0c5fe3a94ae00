; P+Q parity (RAID 6) of n sources: generated, checked, or used to rebuild two lost members.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "asm/offsets.inc"
%include "raid/raid.inc"

; Without GFNI a step of Horner's rule computes q = 2 q ^ d ^ 0x1d. Doubling must add 0x1d where bit
; 7 of q is set. A register of 0x1d, shuffled by q, is 0x1d where bit 7 is clear and 0 where it is
; set: the opposite, but cheaper than a comparison and a mask. Whatever the data, a step turns an
; error e in q into 2 e ^ 0x1d, so the error depends only on the number of steps. error[m] is the
; error after m steps; the end of a pass removes it. Its period is 255, as that of the powers of 2.
RODATA
reduce:     times 64 db 0x1d            ; x^8 mod x^8+x^4+x^3+x^2+1 in every byte
error:
%assign e 0
%rep 256
            db e
    %assign e ((e << 1) & 0xff) ^ ((e >> 7) * 0x1d) ^ 0x1d
%endrep
            align 64, db 0
nibble:     times 64 db 0x0f
times_2:    dq 0x8001828488102040       ; matrices for vgf2p8affineqb
times_4:    dq 0x408041c2c4881020

; Names the vector registers of a pass of C = %1 columns; %2 is the largest C of the kernel.
%macro PQ_REGISTERS 2
    %assign %%n 0
    %assign %%c 0
    %rep %1
        %xdefine p_%[%%c] v%[%%n]
        %assign %%n %%n + 1
        %xdefine q_%[%%c] v%[%%n]
        %assign %%n %%n + 1
        %assign %%c %%c + 1
    %endrep
    %assign %%n 2 * %2
    %xdefine x0 v%[%%n]
    %assign %%n %%n + 1
    %xdefine x1 v%[%%n]
    %assign %%n %%n + 1
    %xdefine x2 v%[%%n]
    %assign %%n %%n + 1
    %xdefine con0 v%[%%n]               ; 0x1d in every byte; GFNI: the matrix of 2
    %assign %%n %%n + 1
    %xdefine x3 v%[%%n]
    %assign %%n %%n + 1
    %xdefine con1 v%[%%n]               ; error[n - 1] in every byte; GFNI: the matrix of 4
%endmacro

; q = 2 s ^ x. Keeps x, and s if it is not q.
%macro PQ_STEP 3                        ; q, s, x
    %if HAS_GFNI
        vaffine %1, %2, con0
        vxor    %1, %1, %3
    %else
        vshufb  x2, con0, %2
        vaddb   %1, %2, %2
        vxor3   %1, x2, %3
    %endif
%endmacro

; q = 4 q ^ 2 x ^ y. Keeps x and y. With GFNI the second product does not wait for the first.
%macro PQ_PAIR 3                        ; q, x, y
    %if HAS_GFNI
        vaffine %1, %1, con1
        vaffine x2, %2, con0
        vxor3   %1, x2, %3
    %else
        PQ_STEP %1, %1, %2
        PQ_STEP %1, %1, %3
    %endif
%endmacro

; One pass: C columns of all the sources, from the last to the first.
%macro PQ_PASS 2                        ; C, kind
    PQ_REGISTERS %1, pq_columns
    RAID_SOURCE ptr, n * 8 - 8, %1
    lea     i, [n - 1]
    BRANCH_PAIR 11
    test    i_d, 1
    jz      %%odd
    RAID_SOURCE ptr1, n * 8 - 16, %1
    %assign %%c 0
    %rep %1
        RAID_LOAD p_%[%%c], ptr, %%c, %2
        RAID_LOAD x0, ptr1, %%c, %2
        PQ_STEP q_%[%%c], p_%[%%c], x0
        vxor    p_%[%%c], p_%[%%c], x0
        %assign %%c %%c + 1
    %endrep
    BRANCH_PAIR 9
    dec     i
    jnz     %%pair
    jmp     %%summed
%%odd:
    %assign %%c 0
    %rep %1
        RAID_LOAD p_%[%%c], ptr, %%c, %2
        vmove   q_%[%%c], p_%[%%c]
        %assign %%c %%c + 1
    %endrep
    BRANCH_PAIR 9
    test    i, i
    jz      %%summed
%%pair:                                 ; p and q include the sources from i up; q has the error
    RAID_SOURCE ptr, i * 8 - 8, %1
    RAID_SOURCE ptr1, i * 8 - 16, %1
    %assign %%c 0
    %rep %1
        RAID_LOAD x0, ptr, %%c, %2
        RAID_LOAD x1, ptr1, %%c, %2
        PQ_PAIR q_%[%%c], x0, x1
        vxor3   p_%[%%c], x0, x1
        %assign %%c %%c + 1
    %endrep
    BRANCH_PAIR 10
    sub     i, 2
    jnz     %%pair
%%summed:
    %if !HAS_GFNI
        %assign %%c 0
        %rep %1
            vxor    q_%[%%c], q_%[%%c], con1
            %assign %%c %%c + 1
        %endrep
    %endif
    pq_finish %1, %2
%endmacro

%macro PQ_STORE 2                       ; C, kind
    mov     ptr, [array + n * 8]
    mov     ptr1, [array + n * 8 + 8]
    %assign %%c 0
    %rep %1
        RAID_STORE ptr, %%c, p_%[%%c], %2
        RAID_STORE ptr1, %%c, q_%[%%c], %2
        %assign %%c %%c + 1
    %endrep
%endmacro

; p and q ^= the stored parity.
%macro PQ_DIFFERENCE 2                  ; C, kind
    mov     ptr, [array + n * 8]
    mov     ptr1, [array + n * 8 + 8]
    %assign %%c 0
    %rep %1
        RAID_XOR p_%[%%c], ptr, %%c, %2, x0
        RAID_XOR q_%[%%c], ptr1, %%c, %2, x0
        %assign %%c %%c + 1
    %endrep
%endmacro

%macro PQ_TEST 2                        ; C, kind
    PQ_DIFFERENCE %1, %2
    RAID_TEST 2 * %1
%endmacro

; Solves for two lost members. Let p and q be the values that PQ_DIFFERENCE computes. Buffer n + 2
; becomes r = c0 * p + c1 * q, buffer n + 3 becomes p ^ (mask & r). Buffer n + 4 holds the tables of
; c0 and c1, of 32 bytes each, and the mask. A table is 16 products of low nibbles, then 16 of high
; ones.
%macro PQ_SOLVE 2                       ; C, kind
    PQ_DIFFERENCE %1, %2
    mov     i, [array + (n + 4) * 8]
    mov     ptr, [array + (n + 2) * 8]
    mov     ptr1, [array + (n + 3) * 8]
    %assign %%c 0
    %rep %1
        PQ_PRODUCT x2, p_%[%%c], 0, 0
        PQ_PRODUCT x2, q_%[%%c], 32, 1
        vbcast16 x0, [i + 64]
        RAID_STORE ptr, %%c, x2, %2
        vand    x0, x0, x2
        vxor    p_%[%%c], p_%[%%c], x0
        RAID_STORE ptr1, %%c, p_%[%%c], %2
        %assign %%c %%c + 1
    %endrep
%endmacro

; d = s times the coefficient whose table is at i + %3; d ^= that if `add`. Overwrites x0, x1 and
; x3.
%macro PQ_PRODUCT 4                     ; d, s, table, add
    vand    x1, %2, [nibble]
    vbcast16 x0, [i + %3]
    vshufb  x0, x0, x1
    vsrlw   x1, %2, 4
    vand    x3, x1, [nibble]
    vbcast16 x1, [i + %3 + 16]
    vshufb  x1, x1, x3
    %if %4
        vxor3   %1, x0, x1
    %else
        vxor    %1, x0, x1
    %endif
%endmacro

; int isalk_pq_gen_<tier>(size_t n, size_t len, void *const *array)
; int isalk_pq_gen_nt_<tier>(size_t n, size_t len, void *const *array)
; int isalk_pq_check_<tier>(size_t n, size_t len, void *const *array)
; int isalk_pq_solve_<tier>(size_t n, size_t len, void *const *array)
;
; For b < len, with P = XOR over j < n of array[j][b] and Q = XOR over j < n of 2^j * array[j][b]:
; gen sets array[n][b] = P and array[n + 1][b] = Q and returns 0; gen_nt does so with prefetches and
; non-temporal stores. check returns 0 if they have these values, else 1, at the end of the first
; pass with a difference. raid_kernels.h defines solve. n >= 1. No alignment is required, except of
; the parity of gen_nt to 64 bytes. No byte outside [0, len) of a buffer is read or written.
;
; Registers: pos offset of the pass in the buffers; ptr, ptr1 buffers; i sources remaining; vectors
; above.
; Main loop, a source on AVX-512: 3.5 uops on ports 0 and 5 for 64 bytes, 1.75 cycles, the
; bottleneck; AVX2: 5 uops on three ports for 32 bytes; with GFNI 2 uops for 64 bytes. The branches
; are kept off 32-byte boundaries: 3 or 4 sources gain up to 1.4x on Skylake-SP.
; Source: Anvin, "The mathematics of RAID-6".
%macro PQ 4                             ; name, C, finish, far: 1 if data may be far, 0, or nt
    %assign pq_columns %2
    %define pq_finish %3
KERNEL %1, n, len, array, ptr, ptr1     ; ptr, ptr1: unused argument registers
    LOCALS  i, pos
    VECTORS 6 + 2 * %2
    PQ_REGISTERS 1, %2
    %if HAS_GFNI
        vbcastq con0, [times_2]
        vbcastq con1, [times_4]
    %else
        vload   con0, [reduce]
        lea     i, [n - 1]
.reduce:                                ; i modulo 255, or 255: as 256 is 1, adds the bytes of i
        mov     ptr, i
        and     i_d, 255
        shr     ptr, 8
        add     i, ptr
        cmp     i, 255
        ja      .reduce
        lea     ptr, [error]
        vbcastb con1, [ptr + i], x0
    %endif
    mov     i, n
    imul    i, len
    xor     pos_d, pos_d
    %ifidn %4, nt
        RAID_NT_PASSES PQ_PASS, %2
    %else
        RAID_PASSES PQ_PASS, %2, %4
    %endif
    %ifidn %3, PQ_TEST
        RAID_VERDICT
    %else
        xor     i_d, i_d
    %endif
ENDKERNEL
%endmacro

%macro PQS 1                            ; C
    PQ pq_gen, %1, PQ_STORE, 1
    PQ pq_check, %1, PQ_TEST, 1
    PQ pq_solve, %1, PQ_SOLVE, 0
%endmacro

TIER sse
PQS 4
TIER avx
PQS 4
TIER avx2
PQS 4
PQ pq_gen_nt, 4, PQ_STORE, nt
TIER avx2_v
PQS 4
TIER avx512
PQS 4
TIER avx512_v
PQS 4
PQ pq_gen_nt, 2, PQ_STORE, nt
