; SHA-1 and SHA-256 of one or two messages with the SHA extensions.
; SPDX-License-Identifier: BSD-3-Clause
;
; The instructions have no VEX form: this is SSE code, which any CPU that has them runs at full
; speed with clean upper halves. Two messages fill the gaps that the latency of one leaves.
; Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, SHA1RNDS4,
; SHA256RNDS2 and the related instructions.

%include "crypto/hash/hash_lanes.inc"

extern isalk_sha256_k

SWAP_WORDS_4 NI_SWAP_WORDS
align 16
NI_SWAP_ALL:                            ; also puts the words in descending order, for SHA-1
    db      15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0

ROTATE_1   equ 0xb1                     ; pshufd: words 1, 0, 3, 2
REVERSE_4  equ 0x1b                     ; words 3, 2, 1, 0
UPPER_HALF equ 0x0e                     ; words 2 and 3 first
UPPER_BLEND equ 0xf0                    ; pblendw: upper half of the second source

; Opens a kernel that writes `registers` vector registers, with n bytes of stack. state0, data0,
; state1, data1 point to the messages.
%macro NI_KERNEL 4                      ; name, messages, n, registers
    %if %2 == 1
KERNEL %1, state0, data0, blocks
    LOCALS  k
    %else
KERNEL %1, states, data, blocks, state0, data0, state1
    LOCALS  k, data1
    mov     state0, [states]
    mov     state1, [states + 8]
    mov     data0, [data]
    mov     data1, [data + 8]
    %endif
    VECTORS %4
    KEEP_STACK frame
    sub     rsp, %3
    and     rsp, -16
%endmacro

%macro NI_ENDKERNEL 0
    %undef abef
    %undef cdgh
    %undef abcd
    %undef e_now
    %undef e_next
    %undef abcd_before
    %undef e_before
    mov     rsp, frame
ENDKERNEL
%endmacro

; Runs `body m, arguments` for m = 0 .. messages - 1.
%macro EACH_MESSAGE 2-3+                ; messages, body, arguments
    %assign %%m 0
    %rep %1
        %if %0 == 2
        %2  %[%%m]
        %else
        %2  %[%%m], %3
        %endif
        %assign %%m %%m + 1
    %endrep
%endmacro

; The frame of a kernel: `hash`_LOAD_STATE, _LOAD_BLOCK, _ROUNDS, _ADD_STATE and _STORE_STATE work
; on one message. xmm14 is the shuffle of the words of a block.
%macro NI_BLOCKS 4                      ; hash, messages, groups of four rounds, shuffle
    test    blocks, blocks
    jz      %%done
    movdqu  xmm14, [%4]
    %ifidn %1, SHA256_NI
    lea     k, [isalk_sha256_k]
    %endif
    EACH_MESSAGE %2, %1_LOAD_STATE
%%block:
    EACH_MESSAGE %2, %1_LOAD_BLOCK
    %assign %%g 0
    %rep %3
        EACH_MESSAGE %2, %1_ROUNDS, %[%%g]
        %assign %%g %%g + 1
    %endrep
    EACH_MESSAGE %2, %1_ADD_STATE
    dec     blocks
    jnz     %%block
    EACH_MESSAGE %2, %1_STORE_STATE
%%done:
%endmacro

; message0 .. message3 = the first 16 words of the block of message m, which is then advanced; keeps
; the state, in s and t, on the stack
%macro NI_LOAD_BLOCK 3                  ; m, s, t
    movdqa  [rsp + 32 * %1], %2
    movdqa  [rsp + 32 * %1 + 16], %3
    %assign %%i 0
    %rep 4
        movdqu  message%[%%i], [data%1 + 16 * %%i]
        pshufb  message%[%%i], xmm14
        %assign %%i %%i + 1
    %endrep
    add     data%1, 64
%endmacro

; message0 .. message3: xmm(first) and the next three, rotated by g
%macro NI_MESSAGE_NAMES 2               ; first, g
    %assign %%i 0
    %rep 4
        %assign %%register %1 + (%%i + %2) % 4
        %xdefine message%[%%i] xmm%[%%register]
        %assign %%i %%i + 1
    %endrep
%endmacro

; ---- SHA-256 ----

; Registers of message m: abef and cdgh, the state (lowest word f or h) in xmm(1 + 6 m) and the
; next, words in the next four. xmm0: words plus constants, implicit in sha256rnds2.
%macro SHA256_NI_NAMES 2                ; m, g
    %assign %%register 1 + 6 * %1
    %xdefine abef xmm%[%%register]
    %assign %%register 2 + 6 * %1
    %xdefine cdgh xmm%[%%register]
    NI_MESSAGE_NAMES 3 + 6 * %1, %2
%endmacro

%macro SHA256_NI_LOAD_STATE 1           ; m
    SHA256_NI_NAMES %1, 0
    movdqu  abef, [state%1]             ; a b c d
    movdqu  xmm0, [state%1 + 16]        ; e f g h
    pshufd  abef, abef, ROTATE_1        ; b a d c
    pshufd  xmm0, xmm0, REVERSE_4       ; h g f e
    movdqa  cdgh, xmm0
    pblendw cdgh, abef, UPPER_BLEND     ; h g d c
    palignr abef, xmm0, 8               ; f e b a
%endmacro

%macro SHA256_NI_STORE_STATE 1
    SHA256_NI_NAMES %1, 0
    pshufd  abef, abef, REVERSE_4       ; a b e f
    pshufd  cdgh, cdgh, ROTATE_1        ; g h c d
    movdqa  xmm0, abef
    pblendw xmm0, cdgh, UPPER_BLEND     ; a b c d
    palignr cdgh, abef, 8               ; e f g h
    movdqu  [state%1], xmm0
    movdqu  [state%1 + 16], cdgh
%endmacro

%macro SHA256_NI_LOAD_BLOCK 1
    SHA256_NI_NAMES %1, 0
    NI_LOAD_BLOCK %1, abef, cdgh
%endmacro

; Rounds 4 g .. 4 g + 3, and the words of 16 rounds later.
%macro SHA256_NI_ROUNDS 2               ; m, g
    SHA256_NI_NAMES %1, %2
    movdqu  xmm0, [k + 16 * %2]
    paddd   xmm0, message0
    sha256rnds2 cdgh, abef
    pshufd  xmm0, xmm0, UPPER_HALF
    sha256rnds2 abef, cdgh
    %if %2 < 12
        sha256msg1 message0, message1
        movdqa  xmm13, message3
        palignr xmm13, message2, 4
        paddd   message0, xmm13
        sha256msg2 message0, message3
    %endif
%endmacro

%macro SHA256_NI_ADD_STATE 1
    SHA256_NI_NAMES %1, 0
    paddd   abef, [rsp + 32 * %1]
    paddd   cdgh, [rsp + 32 * %1 + 16]
%endmacro

; void isalk_sha256_ni_x1_sse(void *state, const uint8_t *data, size_t blocks)
; void isalk_sha256_ni_x2_sse(void *const *states, const uint8_t *const *data, size_t blocks)
;
; FIPS 180-4 section 6.2. Pointers need no alignment; blocks may be 0.
;
; The stack keeps the states across a block.
; Main loop: 32 sha256rnds2 a block and message, each waiting for the preceding one.
%macro SHA256_NI 2                      ; name, messages
NI_KERNEL %1, %2, 32 * %2 + 16, 15
    NI_BLOCKS SHA256_NI, %2, 16, NI_SWAP_WORDS
NI_ENDKERNEL
%endmacro

; ---- SHA-1 ----

; Registers of message m: abcd, the state (lowest word d) in xmm(7 m); e_now and e_next, the highest
; words of the next two registers, which alternate; words in the next four.
%macro SHA1_NI_NAMES 2                  ; m, g
    %assign %%register 7 * %1
    %xdefine abcd xmm%[%%register]
    %assign %%register 7 * %1 + 1 + %2 % 2
    %xdefine e_now xmm%[%%register]
    %assign %%register 7 * %1 + 1 + (%2 + 1) % 2
    %xdefine e_next xmm%[%%register]
    NI_MESSAGE_NAMES 7 * %1 + 3, %2
%endmacro

%macro SHA1_NI_LOAD_STATE 1             ; m
    SHA1_NI_NAMES %1, 0
    movdqu  abcd, [state%1]
    pshufd  abcd, abcd, REVERSE_4
    movd    e_now, [state%1 + 16]
    pslldq  e_now, 12
%endmacro

%macro SHA1_NI_LOAD_BLOCK 1
    SHA1_NI_NAMES %1, 0
    NI_LOAD_BLOCK %1, abcd, e_now
%endmacro

; Rounds 4 g .. 4 g + 3, and the words of 16 rounds later.
%macro SHA1_NI_ROUNDS 2                 ; m, g
    SHA1_NI_NAMES %1, %2
    %if %2 == 0
        paddd   e_now, message0
    %else
        sha1nexte e_now, message0
    %endif
    movdqa  e_next, abcd
    sha1rnds4 abcd, e_now, %2 / 5
    %if %2 < 16
        sha1msg1 message0, message1
        pxor    message0, message2
        sha1msg2 message0, message3
    %endif
%endmacro

%macro SHA1_NI_ADD_STATE 1
    SHA1_NI_NAMES %1, 0
    sha1nexte e_now, [rsp + 32 * %1 + 16]
    paddd   abcd, [rsp + 32 * %1]
%endmacro

%macro SHA1_NI_STORE_STATE 1
    SHA1_NI_NAMES %1, 0
    pshufd  abcd, abcd, REVERSE_4
    movdqu  [state%1], abcd
    psrldq  e_now, 12
    movd    [state%1 + 16], e_now
%endmacro

; void isalk_sha1_ni_x1_sse(void *state, const uint8_t *data, size_t blocks)
; void isalk_sha1_ni_x2_sse(void *const *states, const uint8_t *const *data, size_t blocks)
;
; FIPS 180-4 section 6.1. Pointers need no alignment; blocks may be 0.
;
; The stack keeps the states across a block.
; Main loop: 20 sha1rnds4 a block and message, each waiting for the preceding one.
%macro SHA1_NI 2                        ; name, messages
NI_KERNEL %1, %2, 32 * %2 + 16, 15
    NI_BLOCKS SHA1_NI, %2, 20, NI_SWAP_ALL
NI_ENDKERNEL
%endmacro

; ---- SHA-1 with AVX-512 ----
;
; sha1msg2 and sha1nexte take four cycles of the front end and three vector uops (Golden Cove), so
; that the schedule limits the kernels above, not sha1rnds4. Here other instructions schedule the
; words of two blocks at the price of one. Block m is in the lower (0) or upper (1) half of a
; vector, and words 4 g + 3 .. 4 g are at [rsp + 32 g + 16 m]. The vectors are registers 16 and up,
; whose use does not slow down the SHA instructions, which have no VEX form.

; Words 4 g .. 4 g + 3 of both blocks, by the recurrences of sha1_x1.asm: SHA1_X1_EARLY below word
; 32, then SHA1_X1_LATE.
%macro SHA1_PAIR_WORDS 1                ; g
    %assign %%n 16 + %1 % 8
    %assign %%n1 16 + (%1 + 7) % 8      ; v[%%n<i>]: i vectors back
    %assign %%n2 16 + (%1 + 6) % 8
    %assign %%n3 16 + (%1 + 5) % 8
    %assign %%n4 16 + (%1 + 4) % 8
    %assign %%n7 16 + (%1 + 1) % 8
    %if %1 < 8
        vpalignr v25, v%[%%n4], v%[%%n3], 8
        vpslldq v26, v%[%%n1], 4
        vpternlogd v25, v%[%%n4], v%[%%n2], XOR3
        vpxord  v25, v25, v26
        vpsrldq v26, v25, 12
        vprold  v%[%%n], v25, 1
        vprold  v26, v26, 2
        vpxord  v%[%%n], v%[%%n], v26
    %else
        vpalignr v25, v%[%%n2], v%[%%n1], 8
        vpternlogd v%[%%n], v%[%%n7], v%[%%n4], XOR3
        vpxord  v%[%%n], v%[%%n], v25
        vprold  v%[%%n], v%[%%n], 2
    %endif
    vmovdqa32 [rsp + 32 * %1], v%[%%n]
%endmacro

; The first 16 words of two blocks.
%macro SHA1_PAIR_LOAD 2                 ; addresses
    %assign %%g 0
    %rep 4
        %assign %%n 16 + %%g
        vmovdqu32 xmm%[%%n], [%1 + 16 * %%g]
        vinserti32x4 v%[%%n], v%[%%n], [%2 + 16 * %%g], 1
        vpshufb v%[%%n], v%[%%n], v24
        vmovdqa32 [rsp + 32 * %%g], v%[%%n]
        %assign %%g %%g + 1
    %endrep
%endmacro

; Registers of message m: abcd in xmm(5 m), e_now and e_next in the next two, as for SHA1_NI; then
; abcd_before and e_before, the state before the block.
%macro SHA1_PAIR_NAMES 2                ; m, g
    %assign %%s 5 * %1
    %xdefine abcd xmm%[%%s]
    %assign %%s 5 * %1 + 1 + %2 % 2
    %xdefine e_now xmm%[%%s]
    %assign %%s 5 * %1 + 1 + (%2 + 1) % 2
    %xdefine e_next xmm%[%%s]
    %assign %%s 5 * %1 + 3
    %xdefine abcd_before xmm%[%%s]
    %assign %%s 5 * %1 + 4
    %xdefine e_before xmm%[%%s]
%endmacro

%macro SHA1_PAIR_LOAD_STATE 1           ; m
    SHA1_PAIR_NAMES %1, 0
    vpshufd abcd, [state%1], REVERSE_4
    vmovd   e_now, [state%1 + 16]
    vpslldq e_now, e_now, 12
%endmacro

%macro SHA1_PAIR_STORE_STATE 1
    SHA1_PAIR_NAMES %1, 0
    vpshufd abcd, abcd, REVERSE_4
    vmovdqu [state%1], abcd
    vpextrd [state%1 + 16], e_now, 3
%endmacro

; Rounds 4 g .. 4 g + 3 of message m on block b + m of the pair. The next e is a <<< 30.
%macro SHA1_PAIR_ROUNDS 3               ; m, g, b
    SHA1_PAIR_NAMES %1, %2
    %assign %%words 32 * %2 + 16 * (%3 + %1)
    %if %2 == 0
        vmovdqa abcd_before, abcd
        vmovdqa e_before, e_now
        vpaddd  e_now, e_now, [rsp + %%words]
    %endif
    vprold  e_next{k1}{z}, abcd, 30
    %if %2 < 19
        vpaddd  e_next, e_next, [rsp + %%words + 32]
    %else
        vpaddd  e_next, e_next, e_before
    %endif
    sha1rnds4 abcd, e_now, %2 / 5
    %if %2 == 19
        vpaddd  abcd, abcd, abcd_before
    %endif
%endmacro

; All rounds: of two messages, or of one on block b of the pair. If with_schedule is 1, the schedule
; of the pair runs beside them.
%macro SHA1_PAIR_BLOCK 3                ; messages, b, with_schedule
    %assign %%g 0
    %rep 20
        EACH_MESSAGE %1, SHA1_PAIR_ROUNDS, %[%%g], %2
        %if %3 && %%g < 16
            %assign %%h %%g + 4
            SHA1_PAIR_WORDS %%h
        %endif
        %assign %%g %%g + 1
    %endrep
%endmacro

; void isalk_sha1_ni_x1_avx512(void *state, const uint8_t *data, size_t blocks)
; void isalk_sha1_ni_x2_avx512(void *const *states, const uint8_t *const *data, size_t blocks)
;
; As above. The pairs are blocks of both messages, or consecutive blocks of one; an odd last block
; is scheduled twice.
; Main loop: bound by sha1rnds4. Its latency makes a block of one message take 80 cycles; its
; throughput lets a block of each of two messages take 60.
%macro SHA1_NI_PAIR 2                   ; name, messages
    VWIDTH 32
NI_KERNEL %1, %2, 20 * 32 + 32, 5 * %2
    and     rsp, -32
    test    blocks, blocks
    jz      .done
    vbroadcasti32x4 v24, [NI_SWAP_ALL]
    mov     k_d, 8                      ; the highest of four words: e
    kmovw   k1, k_d
    EACH_MESSAGE %2, SHA1_PAIR_LOAD_STATE
.block:                                 ; blocks > 0 remain
    %if %2 == 2
        SHA1_PAIR_LOAD data0, data1
        SHA1_PAIR_BLOCK 2, 0, 1
        add     data0, 64
        add     data1, 64
    %else
        lea     k, [data0 + 64]
        cmp     blocks, 1
        cmove   k, data0
        SHA1_PAIR_LOAD data0, k
        SHA1_PAIR_BLOCK 1, 0, 1
        dec     blocks
        jz      .stored
        SHA1_PAIR_BLOCK 1, 1, 0
        add     data0, 128
    %endif
    dec     blocks
    jnz     .block
.stored:
    EACH_MESSAGE %2, SHA1_PAIR_STORE_STATE
.done:
NI_ENDKERNEL
%endmacro

TIER sse
SHA256_NI sha256_ni_x1, 1
SHA256_NI sha256_ni_x2, 2
SHA1_NI sha1_ni_x1, 1
SHA1_NI sha1_ni_x2, 2
TIER avx512
SHA1_NI_PAIR sha1_ni_x1, 1
SHA1_NI_PAIR sha1_ni_x2, 2
