; SHA-1 and SHA-256 of one or two messages with the SHA extensions.
; SPDX-License-Identifier: BSD-3-Clause
;
; The instructions have no VEX form: this is SSE code, which any CPU that has them runs at full
; speed with clean upper halves. Two messages fill the gaps that the latency of one leaves.
; Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, SHA1RNDS4,
; SHA256RNDS2 and the instructions beside them.

%include "crypto/hash/hash_lanes.inc"

extern isalk_sha256_k

SWAP_WORDS_4 NI_SWAP_WORDS
align 16
NI_SWAP_ALL:                            ; the words in descending order too, as SHA-1's take them
    db      15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0

; Opens a kernel of %2 messages with %3 bytes of stack. It writes %4 vector registers. state0,
; data0, state1, data1 point to the messages.
%macro NI_KERNEL 4
    %if %2 == 1
KERNEL %1, state0, data0, blocks
    LOCALS  frame, k
    %else
KERNEL %1, states, data, blocks, state0, data0, state1
    LOCALS  frame, k, data1
    mov     state0, [states]
    mov     state1, [states + 8]
    mov     data0, [data]
    mov     data1, [data + 8]
    %endif
    VECTORS %4
    mov     frame, rsp
    sub     rsp, %3
    and     rsp, -16
%endmacro

%macro NI_ENDKERNEL 0
    mov     rsp, frame
ENDKERNEL
%endmacro

; xmm(%1) = 16 bytes of message %2 from offset %3, shuffled by xmm14
%macro NI_LOAD 3
    movdqu  xmm%1, [data%2 + %3]
    pshufb  xmm%1, xmm14
%endmacro

; ---- SHA-256 ----

; Registers of message m: state f e b a and h g d c (lowest word first) in xmm(1 + 6 m) and the
; next, words in the four after them. xmm0 is what sha256rnds2 takes as words plus constants.
%macro SHA256_NI_LOAD_STATE 1
    %assign %%p 1 + 6 * %1
    %assign %%q 2 + 6 * %1
    movdqu  xmm%[%%p], [state%1]        ; a b c d
    movdqu  xmm0, [state%1 + 16]        ; e f g h
    pshufd  xmm%[%%p], xmm%[%%p], 0xb1  ; b a d c
    pshufd  xmm0, xmm0, 0x1b            ; h g f e
    movdqa  xmm%[%%q], xmm0
    pblendw xmm%[%%q], xmm%[%%p], 0xf0  ; h g d c
    palignr xmm%[%%p], xmm0, 8          ; f e b a
%endmacro

%macro SHA256_NI_STORE_STATE 1
    %assign %%p 1 + 6 * %1
    %assign %%q 2 + 6 * %1
    pshufd  xmm%[%%p], xmm%[%%p], 0x1b  ; a b e f
    pshufd  xmm%[%%q], xmm%[%%q], 0xb1  ; g h c d
    movdqa  xmm0, xmm%[%%p]
    pblendw xmm0, xmm%[%%q], 0xf0       ; a b c d
    palignr xmm%[%%q], xmm%[%%p], 8     ; e f g h
    movdqu  [state%1], xmm0
    movdqu  [state%1 + 16], xmm%[%%q]
%endmacro

; Rounds 4 g .. 4 g + 3 of message m, and the words of 16 rounds later.
%macro SHA256_NI_ROUNDS 2               ; g, m
    %assign %%p 1 + 6 * %2
    %assign %%q 2 + 6 * %2
    %assign %%w 3 + 6 * %2 + %1 % 4
    %assign %%w1 3 + 6 * %2 + (%1 + 1) % 4
    %assign %%w2 3 + 6 * %2 + (%1 + 2) % 4
    %assign %%w3 3 + 6 * %2 + (%1 + 3) % 4
    movdqu  xmm0, [k + 16 * %1]
    paddd   xmm0, xmm%[%%w]
    sha256rnds2 xmm%[%%q], xmm%[%%p]
    pshufd  xmm0, xmm0, 0x0e
    sha256rnds2 xmm%[%%p], xmm%[%%q]
    %if %1 < 12
        sha256msg1 xmm%[%%w], xmm%[%%w1]
        movdqa  xmm13, xmm%[%%w3]
        palignr xmm13, xmm%[%%w2], 4
        paddd   xmm%[%%w], xmm13
        sha256msg2 xmm%[%%w], xmm%[%%w3]
    %endif
%endmacro

; void isalk_sha256_ni_x1_sse(void *state, const uint8_t *data, size_t blocks)
; void isalk_sha256_ni_x2_sse(void *const *states, const uint8_t *const *data, size_t blocks)
;
; FIPS 180-4 section 6.2. Pointers need no alignment; blocks may be 0.
;
; The stack keeps the states across a block.
; Main loop: 32 sha256rnds2 a block and message, each waiting for the one before it.
%macro SHA256_NI 2                      ; name, messages
NI_KERNEL %1, %2, 32 * %2 + 16, 15
    test    blocks, blocks
    jz      .done
    movdqu  xmm14, [NI_SWAP_WORDS]
    lea     k, [isalk_sha256_k]
    %assign %%m 0
    %rep %2
        SHA256_NI_LOAD_STATE %%m
        %assign %%m %%m + 1
    %endrep
.block:
    %assign %%m 0
    %rep %2
        %assign %%p 1 + 6 * %%m
        %assign %%q 2 + 6 * %%m
        movdqa  [rsp + 32 * %%m], xmm%[%%p]
        movdqa  [rsp + 32 * %%m + 16], xmm%[%%q]
        %assign %%i 0
        %rep 4
            %assign %%w 3 + 6 * %%m + %%i
            NI_LOAD %[%%w], %[%%m], 16 * %%i
            %assign %%i %%i + 1
        %endrep
        add     data%[%%m], 64
        %assign %%m %%m + 1
    %endrep
    %assign %%g 0
    %rep 16
        %assign %%m 0
        %rep %2
            SHA256_NI_ROUNDS %%g, %%m
            %assign %%m %%m + 1
        %endrep
        %assign %%g %%g + 1
    %endrep
    %assign %%m 0
    %rep %2
        %assign %%p 1 + 6 * %%m
        %assign %%q 2 + 6 * %%m
        paddd   xmm%[%%p], [rsp + 32 * %%m]
        paddd   xmm%[%%q], [rsp + 32 * %%m + 16]
        %assign %%m %%m + 1
    %endrep
    dec     blocks
    jnz     .block
    %assign %%m 0
    %rep %2
        SHA256_NI_STORE_STATE %[%%m]
        %assign %%m %%m + 1
    %endrep
.done:
NI_ENDKERNEL
%endmacro

; ---- SHA-1 ----

; Registers of message m: state d c b a (lowest word first) in xmm(7 m), e in the highest word of
; xmm(7 m + 1) and of the next in turn, words in the four after them.
%macro SHA1_NI_ROUNDS 2                 ; g, m
    %assign %%s 7 * %2
    %assign %%e 7 * %2 + 1 + %1 % 2
    %assign %%f 7 * %2 + 1 + (%1 + 1) % 2
    %assign %%w 7 * %2 + 3 + %1 % 4
    %assign %%w1 7 * %2 + 3 + (%1 + 1) % 4
    %assign %%w2 7 * %2 + 3 + (%1 + 2) % 4
    %assign %%w3 7 * %2 + 3 + (%1 + 3) % 4
    %if %1 == 0
        paddd   xmm%[%%e], xmm%[%%w]
    %else
        sha1nexte xmm%[%%e], xmm%[%%w]
    %endif
    movdqa  xmm%[%%f], xmm%[%%s]
    sha1rnds4 xmm%[%%s], xmm%[%%e], %1 / 5
    %if %1 < 16
        sha1msg1 xmm%[%%w], xmm%[%%w1]
        pxor    xmm%[%%w], xmm%[%%w2]
        sha1msg2 xmm%[%%w], xmm%[%%w3]
    %endif
%endmacro

; void isalk_sha1_ni_x1_sse(void *state, const uint8_t *data, size_t blocks)
; void isalk_sha1_ni_x2_sse(void *const *states, const uint8_t *const *data, size_t blocks)
;
; FIPS 180-4 section 6.1. Pointers need no alignment; blocks may be 0.
;
; The stack keeps the states across a block.
; Main loop: 20 sha1rnds4 a block and message, each waiting for the one before it.
%macro SHA1_NI 2                        ; name, messages
NI_KERNEL %1, %2, 32 * %2 + 16, 15
    test    blocks, blocks
    jz      .done
    movdqu  xmm14, [NI_SWAP_ALL]
    %assign %%m 0
    %rep %2
        %assign %%s 7 * %%m
        %assign %%e 7 * %%m + 1
        movdqu  xmm%[%%s], [state%[%%m]]
        pshufd  xmm%[%%s], xmm%[%%s], 0x1b
        movd    xmm%[%%e], [state%[%%m] + 16]
        pslldq  xmm%[%%e], 12
        %assign %%m %%m + 1
    %endrep
.block:
    %assign %%m 0
    %rep %2
        %assign %%s 7 * %%m
        %assign %%e 7 * %%m + 1
        movdqa  [rsp + 32 * %%m], xmm%[%%s]
        movdqa  [rsp + 32 * %%m + 16], xmm%[%%e]
        %assign %%i 0
        %rep 4
            %assign %%w 7 * %%m + 3 + %%i
            NI_LOAD %[%%w], %[%%m], 16 * %%i
            %assign %%i %%i + 1
        %endrep
        add     data%[%%m], 64
        %assign %%m %%m + 1
    %endrep
    %assign %%g 0
    %rep 20
        %assign %%m 0
        %rep %2
            SHA1_NI_ROUNDS %%g, %%m
            %assign %%m %%m + 1
        %endrep
        %assign %%g %%g + 1
    %endrep
    %assign %%m 0
    %rep %2
        %assign %%s 7 * %%m
        %assign %%e 7 * %%m + 1
        sha1nexte xmm%[%%e], [rsp + 32 * %%m + 16]
        paddd   xmm%[%%s], [rsp + 32 * %%m]
        %assign %%m %%m + 1
    %endrep
    dec     blocks
    jnz     .block
    %assign %%m 0
    %rep %2
        %assign %%s 7 * %%m
        %assign %%e 7 * %%m + 1
        pshufd  xmm%[%%s], xmm%[%%s], 0x1b
        movdqu  [state%[%%m]], xmm%[%%s]
        psrldq  xmm%[%%e], 12
        movd    [state%[%%m] + 16], xmm%[%%e]
        %assign %%m %%m + 1
    %endrep
.done:
NI_ENDKERNEL
%endmacro

; ---- SHA-1 with AVX-512 ----
;
; sha1msg2 and sha1nexte cost four cycles of the front end and three vector uops (Golden Cove), so
; that the words and not sha1rnds4 bind the kernels above. Here other instructions schedule the
; words, of two blocks at a time for the price of one: block m is in the upper (1) or lower (0) half
; of a vector and, four words in descending order, at [rsp + 32 g + 16 m]. The vectors are registers
; 16 and up: using those does not slow down the SHA instructions, which have no VEX form.

; Vector %1 of the words of both blocks. Below 8:
; w[t] = (w[t-3] ^ w[t-8] ^ w[t-14] ^ w[t-16]) <<< 1, where w[t-3] of the last word is the first
; of the four: its share, rotated once more, is added afterwards. From 8 on the same, twice over:
; w[t] = (w[t-6] ^ w[t-16] ^ w[t-28] ^ w[t-32]) <<< 2.
%macro SHA1_PAIR_WORDS 1
    %assign %%n 16 + %1 % 8
    %assign %%n1 16 + (%1 + 7) % 8      ; one vector back, and so on
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

; The first 16 words of the blocks at %1 and %2.
%macro SHA1_PAIR_LOAD 2
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

; State of message m: d c b a (lowest word first) in xmm(5 m), e in the highest word of xmm(5 m + 1)
; and of the next in turn; both as they were before the block in the two registers after them.
%macro SHA1_PAIR_NAMES 2                ; g, m
    %assign %%s 5 * %2
    %xdefine abcd xmm%[%%s]
    %assign %%s 5 * %2 + 1 + %1 % 2
    %xdefine e_now xmm%[%%s]
    %assign %%s 5 * %2 + 1 + (%1 + 1) % 2
    %xdefine e_next xmm%[%%s]
    %assign %%s 5 * %2 + 3
    %xdefine abcd_before xmm%[%%s]
    %assign %%s 5 * %2 + 4
    %xdefine e_before xmm%[%%s]
%endmacro

%macro SHA1_PAIR_LOAD_STATE 1           ; m
    SHA1_PAIR_NAMES 0, %1
    vpshufd abcd, [state%1], 0x1b
    vmovd   e_now, [state%1 + 16]
    vpslldq e_now, e_now, 12
%endmacro

%macro SHA1_PAIR_STORE_STATE 1
    SHA1_PAIR_NAMES 0, %1
    vpshufd abcd, abcd, 0x1b
    vmovdqu [state%1], abcd
    vpextrd [state%1 + 16], e_now, 3
%endmacro

; Rounds 4 g .. 4 g + 3 on state m and block b of the pair. e of the next four is a <<< 30.
%macro SHA1_PAIR_ROUNDS 3               ; g, m, b
    SHA1_PAIR_NAMES %1, %2
    %if %1 == 0
        vmovdqa abcd_before, abcd
        vmovdqa e_before, e_now
        vpaddd  e_now, e_now, [rsp + 16 * %3]
    %endif
    vprold  e_next{k1}{z}, abcd, 30
    %if %1 < 19
        vpaddd  e_next, e_next, [rsp + 32 * (%1 + 1) + 16 * %3]
    %else
        vpaddd  e_next, e_next, e_before
    %endif
    sha1rnds4 abcd, e_now, %1 / 5
    %if %1 == 19
        vpaddd  abcd, abcd, abcd_before
    %endif
%endmacro

; All rounds of %1 messages (1: on block b of the pair); beside them the schedule, if %3.
%macro SHA1_PAIR_BLOCK 3                ; messages, b, whether with the schedule
    %assign %%g 0
    %rep 20
        %assign %%m 0
        %rep %1
            %assign %%b %2 + %%m
            SHA1_PAIR_ROUNDS %%g, %%m, %%b
            %assign %%m %%m + 1
        %endrep
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
; As above. A single message's blocks are the pairs; an odd block is scheduled twice.
; Main loop: sha1rnds4 alone binds, 80 cycles of latency for one message, 60 of throughput for each
; of two.
%macro SHA1_NI_PAIR 2                   ; name, messages
    VWIDTH 32
NI_KERNEL %1, %2, 20 * 32 + 32, 5 * %2
    and     rsp, -32
    test    blocks, blocks
    jz      .done
    vbroadcasti32x4 v24, [NI_SWAP_ALL]
    mov     k_d, 8                      ; the highest of four words
    kmovw   k1, k_d
    %assign %%m 0
    %rep %2
        SHA1_PAIR_LOAD_STATE %[%%m]
        %assign %%m %%m + 1
    %endrep
.block:                                 ; blocks > 0 of them are left
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
    %assign %%m 0
    %rep %2
        SHA1_PAIR_STORE_STATE %[%%m]
        %assign %%m %%m + 1
    %endrep
.done:
    %undef abcd
    %undef e_now
    %undef e_next
    %undef abcd_before
    %undef e_before
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
