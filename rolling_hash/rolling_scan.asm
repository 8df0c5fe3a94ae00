; Search for the first byte at which the rolling hash has a given value.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "asm/offsets.inc"

; The algorithm. H, the hash of a window of w bytes, is the difference of two hashes of all bytes so
; far: H(i) = S(i) ^ rol(S(i - w), w) with S(i) = rol(S(i - 1), 1) ^ T[b(i)]. S may start anywhere
; before the first window, because its initial value cancels. So one table lookup a byte suffices,
; and two vector loads from a buffer of S give H of several bytes.
;
; To remove the rotation by 1 from the dependency chain, the buffer holds V(i) = ror(S(i), i % 8).
; Where i % 8 = 0, V(i) = rol(V(i - 1), 8) ^ T[b(i)]; elsewhere V(i) = V(i - 1) ^ ror(T[b(i)], i %
; 8), from one of eight tables. In this form rol(S(i - w), w) becomes a rotation by whole bytes,
; which is a shuffle. The mask and the trigger are rotated instead of H (struct rolling_plan in
; rolling_kernels.h).
;
; The main loop writes V for one block of 64 bytes while it tests the block before. A vector load
; soon after the narrow stores that wrote its bytes would wait until they leave the store buffer;
; 64 stores later they have left it.

BLOCK            equ 64                 ; bytes
SLOT             equ BLOCK * 8          ; bytes of V for a block
SLOTS            equ 4
WINDOW           equ ROLLING_MAX_WINDOW * 8 ; V of the longest window

; The stack frame.
FRAME_RSP        equ 0                  ; rsp on entry
FRAME_START      equ 8                  ; start of the data
FRAME_W          equ 16                 ; 8 w
FRAME_SLOT       equ 24                 ; slot, start and length of the last, partial block
FRAME_DATA       equ 32
FRAME_TAIL       equ 40
FRAME_WINDOW     equ 64                 ; V of the bytes before slot 0
FRAME_RING       equ FRAME_WINDOW + WINDOW ; the slots
FRAME_END        equ FRAME_RING + SLOTS * SLOT
FRAME_SIZE       equ FRAME_END + 64     ; 64 for the alignment

TABLE            equ 2048               ; bytes of each of the eight tables

; idx = byte %1 of the 8 bytes at data + %2. With pext one load serves all eight. pext is slow on
; some AMD CPUs. The other tiers extract the first four from a register and load the others, which
; balances the load ports and the front end.
%macro BYTE_OF 2                        ; byte, offset
    %if HAS_EVEX
        BYTE_OF_8 %1, %2
    %else
        BYTE_OF_4 %1, %2
    %endif
%endmacro

%macro BYTE_OF_8 2
    %if %1 < 2
        IF %1 == 0, mov     word, [data + %2]
        BYTE_OF_WORD %1
    %elif %1 < 7
        pext    any, word, byte%1
        %define idx any
    %else
        shr     word, 56
        %define idx word
    %endif
%endmacro

%macro BYTE_OF_4 2
    %if %1 < 4
        IF %1 == 0, mov     word_d, [data + %2]
        IF %1 == 2, shr     word_d, 16
        BYTE_OF_WORD %1 % 2
    %else
        movzx   any_d, byte [data + %2 + %1]
        %define idx any
    %endif
%endmacro

%macro BYTE_OF_WORD 1                   ; 0: lowest, 1: the next one
    IF (%1) == 0, movzx   low_d, word_b
    IF (%1) == 1, movzx   low_d, word_h
    %define idx low
%endmacro

; slot[8 * %1 ..] = V of the 8 bytes at data + 8 * %1.
%macro HASH_8 1                         ; group
    %if HAS_VEX && VL > 16
        rorx    hash, hash, 56
    %else
        rol     hash, 8
    %endif
    %assign %%l 0
    %rep 8
        BYTE_OF %%l, 8 * %1
        xor     hash, [tables + idx * 8 + %%l * TABLE]
        mov     [slot + 8 * (8 * %1 + %%l)], hash
        %assign %%l %%l + 1
    %endrep
%endmacro

; Tests vector %1 of the tested slot. EVEX: x0 = H ^ trigger, in the rotated form. Other tiers: x0 =
; all ones in the lanes that match.
%macro TEST_VECTOR 1                    ; vector
    %assign %%p (%1) % (8 / LANES)
    vload   x0, [window + VW * (%1)]
    vshufb  x0, x0, shuffle%[%%p]
    %if HAS_EVEX
        vpternlogq x0, trigger%[%%p], [tested + VW * (%1)], XOR3
    %elif HAS_VEX
        vpxor   x0, x0, [tested + VW * (%1)]
        vpand   x0, x0, mask%[%%p]
        vpcmpeqq x0, x0, trigger%[%%p]
    %else
        pxor    x0, [tested + VW * (%1)]
        pand    x0, mask%[%%p]
        pcmpeqq x0, trigger%[%%p]
    %endif
%endmacro

; Tests the 8 bytes of group %1 and adds the result to that of the block. EVEX: clears the bits of
; matching lanes in k1 .. k4. Other tiers: sets matching lanes in acc.
%macro TEST_8 1                         ; group
    %assign %%v %1 * (8 / LANES)
    %rep 8 / LANES
        TEST_VECTOR %%v
        %assign %%p %%v % (8 / LANES)
        %if HAS_EVEX
            %assign %%k %%v % 4 + 1
            %if %%v < 4
                vptestmq k%[%%k], x0, mask%[%%p]
            %else
                vptestmq k%[%%k]{k%[%%k]}, x0, mask%[%%p]
            %endif
        %elif %%v == 0
            vmove   acc, x0
        %else
            vor     acc, acc, x0
        %endif
        %assign %%v %%v + 1
    %endrep
%endmacro

%macro JUMP_IF_MATCH 1
    %if HAS_EVEX
        kandw   k1, k1, k2
        kandw   k3, k3, k4
        kandw   k1, k1, k3
        kmovw   any_d, k1
        cmp     any_d, (1 << LANES) - 1
    %else
        vtest   acc
    %endif
    jnz     %1
%endmacro

; any = a bit for each lane that matches in x0, which TEST_VECTOR %1 computed.
%macro MATCHING_LANES 1
    %if HAS_EVEX
        vptestnmq k1, x0, mask%[%1]
        kmovw   any_d, k1
    %elif HAS_VEX
        vmovmskpd any_d, x0
    %else
        movmskpd any_d, x0
    %endif
%endmacro

; tested = slot, and slot = the next one. At the start of the ring, copies the end of the last slot
; to the bytes before the first.
%macro NEXT_SLOT 0
    mov     tested, slot
    add     slot, SLOT
    lea     any, [rsp + FRAME_END]
    lea     low, [rsp + FRAME_RING]
    cmp     slot, any
    cmove   slot, low
    cmp     tested, low
    jne     %%contiguous
    %assign %%i 0
    %rep WINDOW / VW
        vload   x0, [rsp + FRAME_END - WINDOW + %%i]
        vstore  [rsp + FRAME_WINDOW + %%i], x0
        %assign %%i %%i + VW
    %endrep
%%contiguous:
    mov     window, tested
    sub     window, [rsp + FRAME_W]
%endmacro

; size_t isalk_rolling_scan_<tier>(const uint8_t *before, const uint8_t *data, size_t len,
;                                  const struct rolling_plan *plan)
;
; Returns 1 + the first i < len with (H(i) & mask) == trigger, or 0. `before` has the 48 bytes that
; precede data in the stream; only its last w bytes matter. No alignment is required; no byte
; outside `before` and [data, data + len) is read.
;
; Registers: hash V so far; slot destination of V; tested the slot under test; window = tested - 8
; w; word, low, any: indices and scratch. low needs no REX prefix, which an instruction with word_h
; cannot have.
; Main loop for a byte, AVX-512: 1.1 uops to extract it, 2 to look it up and store V, 0.13 for the
; rotation, 1 to test: 4.3, or 1.1 cycles at four a cycle. The chain of XORs and rotations takes as
; long. AVX2 1.3 cycles, SSE 1.6.
; Source: the definition above.
%macro ROLLING_SCAN 0
    %if HAS_EVEX
        VWIDTH 32                       ; most of the loop is scalar: 64-byte vectors gain nothing
    %endif
    %assign LANES VW / 8
    %assign %%n 0
    %rep 8 / LANES
        %xdefine mask%[%%n] v%[%%n]
        %assign %%n %%n + 1
    %endrep
    %assign %%m 0
    %rep 8 / LANES
        %xdefine trigger%[%%m] v%[%%n]
        %assign %%n %%n + 1
        %assign %%m %%m + 1
    %endrep
    %assign %%m 0
    %rep 8 / LANES
        %xdefine shuffle%[%%m] v%[%%n]
        %assign %%n %%n + 1
        %assign %%m %%m + 1
    %endrep
    %xdefine acc v%[%%n]
    %assign %%n %%n + 1
    %xdefine x0 v%[%%n]
KERNEL rolling_scan, low, data, len, any, tables, hash
    LOCALS  word, slot, tested, window
    VECTORS %%n + 1
    %define before low
    %define plan any
    ; Once the data is hashed:
    %define from word                   ; first byte of the block under test
    %define limit len                   ; bytes of it that count
    %define limit_d len_d
    %define at hash                     ; bytes of it that are known not to match
    %define at_d hash_d
    %define tail_follows tables         ; whether the partial block follows this one
    %define tail_follows_d tables_d
    %if HAS_EVEX
        LOCALS  byte2, byte3, byte4, byte5, byte6
        mov     byte2, 0xff << 16
        %assign %%l 3
        %rep 4
            mov     byte%[%%l], 0xff << 8 * %%l
            %assign %%l %%l + 1
        %endrep
    %endif
    mov     word, rsp
    sub     rsp, FRAME_SIZE
    and     rsp, -64
    mov     [rsp + FRAME_RSP], word
    mov     [rsp + FRAME_START], data
    mov     word, [plan + rolling_plan.w]
    shl     word, 3
    mov     [rsp + FRAME_W], word
    %assign %%m 0
    %rep 8 / LANES
        vload   mask%[%%m], [plan + rolling_plan.mask + %%m * VW]
        vload   trigger%[%%m], [plan + rolling_plan.trigger + %%m * VW]
        vload   shuffle%[%%m], [plan + rolling_plan.shuffle + %%m * VW]
        %assign %%m %%m + 1
    %endrep
    mov     tables, [plan + rolling_plan.tables]

    mov     data, before
    lea     slot, [rsp + FRAME_WINDOW]
    lea     tested, [rsp + FRAME_RING]
    xor     hash_d, hash_d
.before:
    HASH_8 0
    add     data, 8
    add     slot, 64
    cmp     slot, tested
    jne     .before
    mov     data, [rsp + FRAME_START]
    mov     window, tested
    sub     window, [rsp + FRAME_W]
    cmp     len, BLOCK
    jb      .tail
    sub     len, BLOCK
.first_block:
    HASH_8 0
    add     data, 8
    add     slot, 64
    lea     any, [tested + SLOT]
    cmp     slot, any
    jne     .first_block
    sub     len, BLOCK
    jb      .blocks_hashed

    align   64
.block:                                 ; hashes the block at data, tests the one before
    %assign %%g 0
    %rep 8
        HASH_8 %%g
        TEST_8 %%g
        %assign %%g %%g + 1
    %endrep
    JUMP_IF_MATCH .match
    add     data, BLOCK
    NEXT_SLOT
    sub     len, BLOCK
    jae     .block
.blocks_hashed:                         ; len + BLOCK bytes remain at data
    add     len, BLOCK
.tail:
    mov     [rsp + FRAME_SLOT], slot
    mov     [rsp + FRAME_DATA], data
    mov     [rsp + FRAME_TAIL], len
    sub     len, 8
    jb      .less_than_8
.tail_8:
    HASH_8 0
    add     data, 8
    add     slot, 64
    sub     len, 8
    jae     .tail_8
.less_than_8:
    add     len, 8
    jz      .tail_hashed
    rol     hash, 8
.tail_byte:
    movzx   low_d, byte [data]
    xor     hash, [tables + low * 8]
    add     tables, TABLE               ; that of the next position
    mov     [slot], hash
    inc     data
    add     slot, 8
    dec     len
    jnz     .tail_byte
.fill:                                  ; to the end of the vector, whose last lanes are read too
    mov     [slot], hash
    add     slot, 8
    test    slot_d, 63
    jnz     .fill
.tail_hashed:
    mov     data, [rsp + FRAME_DATA]
    mov     slot, [rsp + FRAME_SLOT]
    cmp     tested, slot
    je      .search_tail                ; there was no whole block
.match:                                 ; tested is the block before data
    lea     from, [data - BLOCK]
    mov     limit_d, BLOCK
    mov     tail_follows_d, 1
    jmp     .search
.search_tail:
    mov     from, data
    mov     limit, [rsp + FRAME_TAIL]
    xor     tail_follows_d, tail_follows_d
    test    limit, limit
    jz      .none
.search:
    xor     at_d, at_d
.search_8:                              ; no match before byte `at` of the tested block
    %assign %%v 0
    %rep 8 / LANES
        TEST_VECTOR %%v
        MATCHING_LANES %%v
        test    any_d, any_d
        jnz     .found
        add     at, LANES
        %assign %%v %%v + 1
    %endrep
    add     tested, 64
    add     window, 64
    cmp     at, limit
    jb      .search_8
.searched:
    dec     tail_follows
    jnz     .none
    NEXT_SLOT
    jmp     .search_tail
.found:
    bsf     any_d, any_d
    add     at, any
    cmp     at, limit
    jae     .searched                   ; only after the end of the data
    lea     word, [from + at + 1]
    sub     word, [rsp + FRAME_START]
    jmp     .done
.none:
    xor     word_d, word_d
.done:
    mov     rsp, [rsp + FRAME_RSP]
    %undef before
    %undef plan
    %undef from
    %undef limit
    %undef limit_d
    %undef at
    %undef at_d
    %undef tail_follows
    %undef tail_follows_d
ENDKERNEL
%endmacro

TIER sse
ROLLING_SCAN
TIER avx2
ROLLING_SCAN
TIER avx512
ROLLING_SCAN
