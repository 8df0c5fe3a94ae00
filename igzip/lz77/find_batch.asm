; The greedy and lazy match finders.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "igzip/lz77/tokens.inc"

PROBED_AT_ONCE  equ 16                  ; positions that are probed while each scan emits a match
FOR_TWO_SCANS   equ 128                 ; positions of a batch that two scans go through

; The stack holds two batches: one is probed while tokens are emitted from the other. A batch has
; three arrays. The first has the distance of each position, in the low half of ENTRY_SIZE bytes.
; STARTS has the address of the second scan's token for each position where that scan begins a run.
; MATCHES has a bit for each position, set if it has a match; a zero and ones follow.
STARTS          equ FIND_BATCH * ENTRY_SIZE + 64
MATCHES         equ STARTS + FIND_BATCH * ENTRY_SIZE
MATCHES_SIZE    equ FIND_BATCH / 8 + 64
SPAN            equ MATCHES + MATCHES_SIZE
ENTRIES         equ 2 * SPAN            ; new entries of the next positions to be probed
INDICES         equ ENTRIES + PROBED_AT_ONCE * ENTRY_SIZE
TOKENS          equ INDICES + PROBED_AT_ONCE * ENTRY_SIZE ; of the second scan
STATE           equ TOKENS + (FIND_BATCH + 32) * TOKEN_SIZE
LAST            equ STATE + 8           ; the last offset that a batch may end at
TOKENS_END      equ STATE + 16          ; end of the batch that tokens are emitted from
START           equ STATE + 24          ; of the batch that is probed
STOP            equ STATE + 32          ; its number of positions
DONE            equ STATE + 40          ; positions of it that are probed
SAVED           equ STATE + 48          ; saved register
PROBED          equ STATE + 56          ; memory of the batch that is probed
SOURCE          equ STATE + 64          ; bytes of the batch that is probed
MET             equ STATE + 72          ; the second scan's token where they met, or 0
PAST_LIMIT      equ STATE + 80
FRAME           equ (STATE + 88 + 63) & -64

RODATA
HASH_CONSTANTS
TOKEN_CONSTANTS

; Entries and indices of PROBED_AT_ONCE positions from t4 on.
%macro HASH 0
    %assign j 0
    %rep PROBED_AT_ONCE / HASHED
    HASH_SOME t4 + HASHED * j
    vmovdqu [rsp + INDICES + j * VL], v1
    vmovdqu [rsp + ENTRIES + j * VL], v0
    %assign j j + 1
    %endrep
%endmacro

; The old entry of position k.
%macro COLLECT 1                        ; its index
    %assign part 2 + k / 4
    %if k % 4 == 0
    vmovd   xmm%[part], [head + %1 * ENTRY_SIZE]
    %else
    vpinsrd xmm%[part], xmm%[part], [head + %1 * ENTRY_SIZE], k % 4
    %endif
%endmacro

; Probes and inserts the next PROBED_AT_ONCE positions: their distances, and which have a match. A
; new entry minus the old one has zero in its high half if the hash tags are the same.
;
; Bound by one store and two loads for a position: new entries are stored one by one, but old ones
; are collected in vectors, and indices and entries are loaded in pairs.
%macro PROBE 0
    mov     t5, [rsp + DONE]
    mov     t4, [rsp + PROBED]
    %assign k 0
    %rep PROBED_AT_ONCE / 2
    mov     t0, [rsp + INDICES + k * ENTRY_SIZE]
    mov     t2, [rsp + ENTRIES + k * ENTRY_SIZE]
    mov     t1_d, t0_d
    shr     t0, 32
    COLLECT t1
    mov     [head + t1 * ENTRY_SIZE], t2_d
    shr     t2, 32
    %assign k k + 1
    COLLECT t0
    mov     [head + t0 * ENTRY_SIZE], t2_d
    %assign k k + 1
    %endrep
    vinserti128 v2, v2, xmm3, 1
    vinserti128 v3, v4, xmm5, 1
    vmovdqu v0, [rsp + ENTRIES]
    vmovdqu v1, [rsp + ENTRIES + VL]
    mov     t2, t5
    shr     t2, 3
    vpsubw  v0, v0, v2
    vpsubw  v1, v1, v3
    vmovdqu [t4 + t5 * ENTRY_SIZE], v0
    vmovdqu [t4 + t5 * ENTRY_SIZE + VL], v1
    vpsubusw v0, v0, window
    vpsubusw v1, v1, window
    vpcmpeqd v0, v0, zero
    vpcmpeqd v1, v1, zero
    vmovmskps t0_d, v0
    vmovmskps t1_d, v1
    shl     t1_d, 8
    or      t0_d, t1_d
    mov     [t4 + t2 + MATCHES], t0_d
    mov     t4, [rsp + SOURCE]
    add     t5, PROBED_AT_ONCE
    add     t4, t5
    mov     [rsp + DONE], t5
    HASH
%endmacro

; Names the registers i and token of scan %1.
%macro SCAN 1
    %xdefine i i%1
    %xdefine i_d i%1_d
    %xdefine token token%1
    %xdefine token_d token%1_d
%endmacro

; Emits the literals before the next match of the batch, and the match, unless the scan is at its
; end. TOKENS_RARE has the rare cases.
%macro EMIT_TOKENS 1
    SCAN    %1
    cmp     i, [rsp + TOKENS_END]
    jae     .made_%1
    %if %1 == 1
    mov     t0_d, [found + i * ENTRY_SIZE + STARTS]
    test    t0_d, t0_d
    jnz     .met
    %else
    mov     [found + i * ENTRY_SIZE + STARTS], token_d
    %endif
    mov     t0_d, i_d
    mov     t1_d, i_d
    shr     t0_d, 3
    and     t1_d, 7
    mov     t0, [matches + t0]
    shrx    t0, t0, t1
    lea     t5, [base + i]
    tzcnt   t1, t0
    jc      .no_match_%1
    %if LAZY
    blsi    t2, t0
    %endif
    add     i, t1
    cmp     i, [rsp + TOKENS_END]
    jae     .end_%1
    EMIT_LITERALS t5, 0
    %if LAZY
    add     t2, t2
    and     t2, t0                      ; not zero if the next position has a match, too
    %endif
    cmp     t1_d, RUN
    ja      .many_literals_%1
.few_literals_%1:
    %if LAZY == 0
    movzx   t3_d, word [found + i * ENTRY_SIZE]
    lea     t0, [base + i]
    vmovdqu v0, [t0]
    sub     t0, t3
    vpcmpeqb v0, v0, [t0]
    vpmovmskb t0_d, v0
    not     t0_d
    tzcnt   t0_d, t0_d
    %else
    movzx   t3_d, word [found + i * ENTRY_SIZE]
    movzx   t5_d, word [found + i * ENTRY_SIZE + ENTRY_SIZE]
    lea     t4, [base + i]
    mov     t0, t4
    vmovdqu v0, [t4]
    vmovdqu v1, [t4 + 1]
    sub     t0, t3
    sub     t4, t5
    vpcmpeqb v0, v0, [t0]
    vpcmpeqb v1, v1, [t4 + 1]
    FIRST_LENGTHS
    test    t2, t2
    cmovz   t4_d, t2_d
    cmp     t0_d, t4_d
    cmovb   t0_d, t4_d
    cmovb   t3_d, t5_d
    sbb     t2, t2
    sub     i, t2
    sub     t1_d, t2_d
    %endif
    lea     t4_d, [t0 - FIND_MIN_MATCH]
    cmp     t4_d, FIND_COMPARED - FIND_MIN_MATCH
    jae     .odd_length_%1
.length_%1:
    END_LITERALS base + i
.match_%1:
    add     i, t0
    EMIT_MATCH
.made_%1:
%endmacro

%macro TOKENS_RARE 1
    SCAN    %1
.many_literals_%1:                      ; at most 63
    lea     t5, [base + i]
    sub     t5, t1
    add     t5, RUN
    add     token, RUN / 2 * TOKEN_SIZE
    sub     t1_d, RUN
    EMIT_LITERALS t5, 0
    cmp     t1_d, RUN
    ja      .many_literals_%1
    %if LAZY
    lea     t2_d, [i + 1]               ; the bit may not be among those that were loaded
    bt      [matches], t2
    sbb     t2, t2
    %endif
    jmp     .few_literals_%1

.no_match_%1:                           ; in the 57 to 64 positions whose bits are loaded
    lea     t2, [i + 56]
    cmp     t2, [rsp + TOKENS_END]
    ja      .end_literals_%1
    mov     i, t2
    EMIT_LITERALS t5, 0
    EMIT_LITERALS t5, 16
    EMIT_LITERALS t5, 32
    EMIT_LITERALS t5, 48
    add     token, 28 * TOKEN_SIZE
    jmp     .made_%1

.odd_length_%1:
    cmp     t0_d, FIND_MIN_MATCH
    jb      .too_short_%1
    lea     t4, [base + i]
    mov     t5, t4
    mov     t2, [rsp + STATE]
    mov     t2, [t2 + deflate_find.end]
    sub     t5, t3                      ; what is repeated
    sub     t2, t4
    cmp     t2, DEFLATE_MAX_MATCH + VL
    jb      .near_end_%1
.compare_%1:                            ; t0 bytes are the same
    vmovdqu v0, [t4 + t0]
    vpcmpeqb v0, v0, [t5 + t0]
    vpmovmskb t2_d, v0
    xor     t2_d, -1
    jnz     .differ_%1
    add     t0_d, VL
    cmp     t0_d, DEFLATE_MAX_MATCH
    jb      .compare_%1
.differ_%1:  ; first in byte t0 + the lowest bit of t2
    tzcnt   t2_d, t2_d
    add     t0_d, t2_d
    mov     t2_d, DEFLATE_MAX_MATCH
    cmp     t0_d, t2_d
    cmova   t0_d, t2_d
    jmp     .length_%1
.near_end_%1:                           ; t2 bytes are left
    mov     [rsp + SAVED], t1
    mov     t1_d, DEFLATE_MAX_MATCH
    cmp     t2, t1
    cmova   t2, t1
.compare_near_%1:
    lea     t1, [t0 + VL]
    cmp     t1, t2
    ja      .compare_bytes_%1
    vmovdqu v0, [t4 + t0]
    vpcmpeqb v0, v0, [t5 + t0]
    vpmovmskb t1_d, v0
    add     t0, VL
    xor     t1_d, -1
    jz      .compare_near_%1
    tzcnt   t1_d, t1_d
    lea     t0, [t0 + t1 - VL]
    jmp     .end_reached_%1
.compare_bytes_%1:
    cmp     t0, t2
    jae     .end_reached_%1
    movzx   t1_d, byte [t4 + t0]
    cmp     [t5 + t0], t1_b
    jne     .end_reached_%1
    inc     t0
    jmp     .compare_bytes_%1
.end_reached_%1:
    mov     t1, [rsp + SAVED]
    jmp     .length_%1
.too_short_%1:                          ; other bytes have the same hash
    inc     i
    inc     t1_d
    END_LITERALS base + i
    jmp     .made_%1

.end_%1:                                ; at a match after the batch: back by t1 literals
    sub     i, t1
.end_literals_%1:
    mov     t1, [rsp + TOKENS_END]
    sub     t1, i
    jbe     .made_%1
    add     i, t1
.more_literals_%1:
    EMIT_LITERALS t5, 0
    EMIT_LITERALS t5, 16
    cmp     t1_d, 32
    jbe     .last_literals_%1
    add     t5, 32
    add     token, 16 * TOKEN_SIZE
    sub     t1_d, 32
    jmp     .more_literals_%1
.last_literals_%1:
    END_LITERALS base + i
    jmp     .made_%1
%endmacro

; void isalk_deflate_find_<parser>_<tier>(struct deflate_find *f)
;
; As isalk_deflate_find_<parser>_base() in find_batch_base.c. The lazy finder prefers a longer
; match at the next position; the greedy finder accepts the first. Reads up to FIND_LOOKAHEAD bytes
; after a batch.
;
; Each token depends on the one before it through a load of match bits, a count of zeros and the
; length of a match: a chain of 40 cycles. So two scans go through a batch at once, the second from
; its middle. Wherever scans begin, they soon meet. When the first scan begins a run where the
; second did, both would emit the same tokens from there on: the second's are copied. Branches are
; predictable, except for matches longer than FIND_COMPARED, long runs and the ends of scans.
;
; Registers: i1 and i2: offsets from base of the first byte without a token. found[offset] is the
; distance of a position of the batch; `matches` has its bit.
; Cost: 8 operations for a probe; 75 for a literal run and a match, or 57 if greedy.
%define t0_b    sil
%define t1_b    dl
%macro FIND 2                           ; parser, LAZY
%assign LAZY %2
KERNEL deflate_find_%1, found, t0, t1, t2, t3, matches
LOCALS base, head, i1, token1, i2, token2, t4, t5
VECTORS 16
STACK FRAME
%xdefine zero v15
%xdefine window v7
    mov     [rsp + STATE], found        ; the argument f
    mov     base, [found + deflate_find.base]
    mov     i1, [found + deflate_find.next]
    mov     t0, [found + deflate_find.limit]
    mov     t1, [found + deflate_find.end]
    sub     t1, FIND_LOOKAHEAD
    cmp     t0, t1
    cmova   t0, t1
    sub     t0, base
    mov     [rsp + LAST], t0
    mov     t0_d, [found + deflate_find.past_limit]
    mov     [rsp + PAST_LIMIT], t0_d
    mov     token1, [found + deflate_find.token]
    mov     head, [found + deflate_find.head]
    vpbroadcastd window, [found + deflate_find.window]
    FIND_HASH_SETUP found
    vzero   zero
    LITERAL_FIELDS v6, v9
    sub     i1, base
    mov     t0, i1
    and     t0, -8                      ; the bits of matches begin with a whole byte
    mov     [rsp + START], t0
    xor     t1_d, t1_d
    mov     [rsp + DONE], t1
    mov     [rsp + TOKENS_END], t1
    mov     i2, -1
    lea     t0, [rsp + SPAN]
    mov     [rsp + PROBED], t0
    ; The first scan may begin a run anywhere, the second never in the first half.
    %assign j 0
    %rep FIND_BATCH / 2 * ENTRY_SIZE / VL
    vmovdqu [rsp + STARTS + j], zero
    vmovdqu [rsp + SPAN + STARTS + j], zero
    %assign j j + VL
    %endrep

.batch:                                 ; after the DONE positions at START
    mov     t2, [rsp + START]
    add     t2, [rsp + DONE]
    mov     t0, [rsp + LAST]
    xor     t3_d, t3_d
    mov     [rsp + DONE], t3
    mov     [rsp + STOP], t3
    mov     [rsp + MET], t3
    mov     [rsp + START], t2
    sub     t0, t2
    jle     .scan
    mov     t1_d, [rsp + PAST_LIMIT]
    add     t0, t1
    mov     t1_d, FIND_BATCH
    cmp     t0, t1
    cmova   t0, t1
    and     t0, -FIND_STEP
    mov     [rsp + STOP], t0
    jz      .scan
    vmovd   xmm0, t2_d
    vpbroadcastd offsets, xmm0
    vpaddd  offsets, offsets, [lanes]
    lea     t4, [base + t2]
    mov     [rsp + SOURCE], t4
    HASH

    align   32
.scan:
    mov     t0, [rsp + DONE]
    cmp     t0, [rsp + STOP]
    jae     .probed
    PROBE
.probed:
    EMIT_TOKENS 1
    EMIT_TOKENS 2
    mov     t0, [rsp + DONE]
    cmp     t0, [rsp + STOP]
    jb      .scan
    mov     t0, [rsp + TOKENS_END]
    cmp     i1, t0
    jb      .scan
    cmp     i2, t0
    jb      .scan

    mov     t0, [rsp + MET]
    test    t0, t0
    jz      .not_met
    mov     i1, i2
    sub     token2, t0                  ; bytes of tokens
.copy:
    vmovdqu v0, [t0]
    vmovdqu [token1], v0
    add     t0, VL
    add     token1, VL
    sub     token2, VL
    ja      .copy
    add     token1, token2
.not_met:
    mov     t1, [rsp + DONE]
    test    t1, t1
    jz      .done

    ; Swap: emit tokens from the batch that was probed; the other memory is free.
    mov     t2, [rsp + START]
    mov     t0, [rsp + PROBED]
    lea     t3, [t2 + t1]
    cmp     t3, [rsp + LAST]
    cmova   t3, [rsp + LAST]
    mov     [rsp + TOKENS_END], t3
    mov     dword [t0 + t1 * ENTRY_SIZE], 0 ; the distance after the last: readable
    lea     t3, [4 * t2]
    mov     found, t0
    lea     matches, [t0 + MATCHES]
    shr     t1, 3
    mov     qword [matches + t1], -2
    lea     t4, [rsp + SPAN]
    sub     t4, t0
    add     t4, rsp
    mov     [rsp + PROBED], t4
    sub     found, t3
    shr     t3, 5
    sub     matches, t3
    %assign j FIND_BATCH / 2 * ENTRY_SIZE
    %rep FIND_BATCH / 2 * ENTRY_SIZE / VL
    vmovdqu [t0 + STARTS + j], zero
    %assign j j + VL
    %endrep
    mov     i2, -1
    cmp     t1_d, FOR_TWO_SCANS / 8
    jb      .batch
    lea     i2, [t2 + t1 * 4]           ; the middle
    lea     token2, [rsp + TOKENS]
    jmp     .batch

.met:                                   ; t0: the low half of the token's address
    lea     t1, [rsp + TOKENS]
    sub     t0_d, t1_d
    add     t0, t1
    mov     [rsp + MET], t0
    mov     i1, -1
    jmp     .made_1
    TOKENS_RARE 1
    TOKENS_RARE 2
.done:
    mov     t0, [rsp + STATE]
    add     i1, base
    vmovdqu [token1], zero              ; FIND_TOKENS_CLEARED
    vmovdqu [token1 + VL], zero
    mov     [t0 + deflate_find.next], i1
    mov     [t0 + deflate_find.token], token1
ENDKERNEL
%endmacro

TIER avx2
FIND greedy, 0
FIND lazy, 1
%undef t0_b
%undef t1_b
