; Search for the first byte at which the rolling hash takes a value.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "asm/offsets.inc"

; The algorithm. H, the hash of a window, is the difference of two hashes of everything so far:
; H(i) = S(i) ^ rol(S(i - w), w) with S(i) = rol(S(i - 1), 1) ^ T[b(i)]. S may start anywhere before
; the first window, for what it starts with cancels. So one table look-up a byte is enough, and H of
; several bytes comes out of two vector loads from a buffer of S.
;
; The rotation by 1 is taken out of the chain: the buffer holds V(i) = ror(S(i), i % 8). Then
; V(i) = V(i - 1) ^ ror(T[b(i)], i % 8), from one of eight tables, except that it is
; rol(V(i - 1), 8) ^ T[b(i)] where i % 8 = 0. What is left of rol(S(i - w), w) in that form is a
; rotation by whole bytes, a shuffle; the mask and the trigger are rotated instead of H
; (struct rolling_plan in rolling_kernels.h).
;
; The main loop writes V for one block of 64 bytes while it tests the one before. A vector load
; right after the narrow stores that made its contents would wait for them to leave the store
; buffer; 64 stores later they have.

BLOCK            equ 64                 ; bytes
SLOT             equ BLOCK * 8          ; their V
SLOTS            equ 4
WINDOW           equ ROLLING_MAX_WINDOW * 8 ; V of the longest window

FRAME_RSP        equ 0                  ; the stack frame: what rsp was,
FRAME_START      equ 8                  ; the first byte of the data,
FRAME_W          equ 16                 ; 8 w,
FRAME_SLOT       equ 24                 ; slot, data and length of the rest, less than a block,
FRAME_DATA       equ 32
FRAME_REST       equ 40
FRAME_WINDOW     equ 64                 ; V of what comes before slot 0,
FRAME_RING       equ FRAME_WINDOW + WINDOW      ; the slots
FRAME_END        equ FRAME_RING + SLOTS * SLOT
FRAME_SIZE       equ FRAME_END + 64     ; with room to align it

TABLE            equ 2048               ; bytes in one of the eight

; idx = byte %1 of the 8 bytes at data + %2. With pext one load serves for all eight; without it,
; which is slow on some AMD CPUs, the first four come from a register and the rest from memory, so
; that neither the load ports nor the front end wait for the other.
%macro BYTE_OF 2                        ; byte, offset
    %if %1 == 0
        %if HAS_EVEX
            mov     word, [data + %2]
        %else
            mov     word_d, [data + %2]
        %endif
        movzx   low_d, word_b
        %define idx low
    %elif %1 == 1
        movzx   low_d, word_h
        %define idx low
    %elif HAS_EVEX && %1 == 7
        shr     word, 56
        %define idx word
    %elif HAS_EVEX
        pext    any, word, byte%1
        %define idx any
    %elif %1 == 2
        shr     word_d, 16
        movzx   low_d, word_b
        %define idx low
    %elif %1 == 3
        movzx   low_d, word_h
        %define idx low
    %else
        movzx   any_d, byte [data + %2 + %1]
        %define idx any
    %endif
%endmacro

; V of the 8 bytes at data + 8 * %1, to slot[8 * %1 ..].
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

; x0 = H ^ trigger of the vector of bytes number %1 of the tested slot, in the rotated form, for
; EVEX; else all ones in the lanes that match.
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

; The same for the 8 bytes of group %1, into the block's verdict: k1 .. k4 lose the bits of lanes
; that match, or acc gains them.
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

; Makes `slot` the tested slot and the next one `slot`. Where the ring has come around, the end of
; its last slot is copied to before its first.
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
; Returns 1 + the first i < len with (H(i) & mask) == trigger, or 0. before: the 48 bytes that
; precede data in the stream, the last w of which matter. No alignment is required; no byte outside
; before and [data, data + len) is read.
;
; Registers: hash V so far; slot where V goes; tested the slot under test, window that less 8 w;
; word, low, any for indices: low has no REX prefix, which `ah` as a source rules out. Main loop, a
; byte, AVX-512: 1.1 uops to extract it, 2 to look it up and store V, 0.13 for the rotation, 1 to
; test: 4.3, hence 1.1 cycles where four issue in one, as much as the chain of XORs and rotations
; takes. AVX2 1.3 cycles, SSE 1.6.
%macro ROLLING_SCAN 0
    %if HAS_EVEX
        VWIDTH 32                       ; most of the loop is scalar: 512 bits gain nothing
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
    %define at hash                     ; bytes of it that do not match
    %define at_d hash_d
    %define rest_follows tables         ; whether data follows the block
    %define rest_follows_d tables_d
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
    jb      .rest
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
.block:                                 ; data is at the block to hash, the one before is tested
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
.blocks_hashed:                         ; the rest at data is len + BLOCK bytes long
    add     len, BLOCK
.rest:
    mov     [rsp + FRAME_SLOT], slot
    mov     [rsp + FRAME_DATA], data
    mov     [rsp + FRAME_REST], len
    sub     len, 8
    jb      .less_than_8
.rest_8:
    HASH_8 0
    add     data, 8
    add     slot, 64
    sub     len, 8
    jae     .rest_8
.less_than_8:
    add     len, 8
    jz      .rest_hashed
    rol     hash, 8
.rest_byte:
    movzx   low_d, byte [data]
    xor     hash, [tables + low * 8]
    add     tables, TABLE               ; of the next position
    mov     [slot], hash
    inc     data
    add     slot, 8
    dec     len
    jnz     .rest_byte
.fill:                                  ; to the end of the vector: its last lanes are read too
    mov     [slot], hash
    add     slot, 8
    test    slot_d, 63
    jnz     .fill
.rest_hashed:
    mov     data, [rsp + FRAME_DATA]
    mov     slot, [rsp + FRAME_SLOT]
    cmp     tested, slot
    je      .search_rest                ; there was no whole block
.match:                                 ; tested is the block before data
    lea     from, [data - BLOCK]
    mov     limit_d, BLOCK
    mov     rest_follows_d, 1
    jmp     .search
.search_rest:
    mov     from, data
    mov     limit, [rsp + FRAME_REST]
    xor     rest_follows_d, rest_follows_d
    test    limit, limit
    jz      .none
.search:
    xor     at_d, at_d
.search_8:                              ; no match before byte `at` of the tested block
    %assign %%v 0
    %rep 8 / LANES
        TEST_VECTOR %%v
        %if HAS_EVEX
            vptestnmq k1, x0, mask%[%%v]
            kmovw   any_d, k1
        %elif HAS_VEX
            vmovmskpd any_d, x0
        %else
            movmskpd any_d, x0
        %endif
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
    dec     rest_follows
    jnz     .none
    NEXT_SLOT
    jmp     .search_rest
.found:
    bsf     any_d, any_d
    add     at, any
    cmp     at, limit
    jae     .searched                   ; only beyond the rest
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
    %undef rest_follows
    %undef rest_follows_d
ENDKERNEL
%endmacro

TIER sse
ROLLING_SCAN
TIER avx2
ROLLING_SCAN
TIER avx512
ROLLING_SCAN
