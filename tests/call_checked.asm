; Calls a kernel as its caller would and records what it leaves behind.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"

; struct call, as in kernel_check.c
%define CALL_FN       0
%define CALL_ARGS     8
%define CALL_RESULT   72
%define CALL_SAVED    80                ; rbx rbp r12 r13 r14 r15 rsp: difference to what they held
%define CALL_FLAGS    136
%define CALL_MXCSR    140               ; before, after
%define CALL_HAS_AVX  148
%define CALL_YMM      152               ; ymm0-15 after the call, where there is AVX
%define CALL_BEFORE   664               ; xmm0-15 before it

; void isalk_call_checked(struct call *call): System V arguments in registers, two on the stack.
TIER sse
CODE
align 16
FUNCTION isalk_call_checked
isalk_call_checked:
    endbr64
    push    rbx
    push    rbp
    push    r12
    push    r13
    push    r14
    push    r15
    push    rdi
    sub     rsp, 16                     ; the two stack arguments; rsp is a multiple of 16 here
    mov     rax, [rdi + CALL_ARGS + 48]
    mov     [rsp], rax
    mov     rax, [rdi + CALL_ARGS + 56]
    mov     [rsp + 8], rax
    stmxcsr [rdi + CALL_MXCSR]
    cmp     dword [rdi + CALL_HAS_AVX], 0
    je      .upper_clear
    %assign i 0
    %rep 16
    vmovdqu xmm%[i], [rdi + CALL_BEFORE] ; clears the upper half
    %assign i i + 1
    %endrep
.upper_clear:
    mov     rax, rdi
    mov     rbx, 0x5bd1e995a4093822     ; digits that no kernel computes
    mov     rbp, 0x299f31d0082efa98
    mov     r12, 0xec4e6c89452821e6
    mov     r13, 0x38d01377be5466cf
    mov     r14, 0x34e90c6cc0ac29b7
    mov     r15, rsp
    mov     rsi, [rax + CALL_ARGS + 8]
    mov     rdx, [rax + CALL_ARGS + 16]
    mov     rcx, [rax + CALL_ARGS + 24]
    mov     r8, [rax + CALL_ARGS + 32]
    mov     r9, [rax + CALL_ARGS + 40]
    mov     rdi, [rax + CALL_ARGS]
    call    [rax + CALL_FN]
    mov     r10, [rsp + 16]             ; call, unless rsp is off: then this faults or misreports
    mov     [r10 + CALL_RESULT], rax
    mov     rax, 0x5bd1e995a4093822
    sub     rbx, rax
    mov     [r10 + CALL_SAVED], rbx
    mov     rax, 0x299f31d0082efa98
    sub     rbp, rax
    mov     [r10 + CALL_SAVED + 8], rbp
    mov     rax, 0xec4e6c89452821e6
    sub     r12, rax
    mov     [r10 + CALL_SAVED + 16], r12
    mov     rax, 0x38d01377be5466cf
    sub     r13, rax
    mov     [r10 + CALL_SAVED + 24], r13
    mov     rax, 0x34e90c6cc0ac29b7
    sub     r14, rax
    mov     [r10 + CALL_SAVED + 32], r14
    sub     r15, rsp
    mov     [r10 + CALL_SAVED + 40], r15
    mov     qword [r10 + CALL_SAVED + 48], 0
    stmxcsr [r10 + CALL_MXCSR + 4]
    pushfq
    pop     rax
    mov     [r10 + CALL_FLAGS], eax
    cld
    cmp     dword [r10 + CALL_HAS_AVX], 0
    je      .recorded
    %assign i 0
    %rep 16
    vmovdqu [r10 + CALL_YMM + i * 32], ymm%[i]
    %assign i i + 1
    %endrep
    vzeroupper
.recorded:
    add     rsp, 24
    pop     r15
    pop     r14
    pop     r13
    pop     r12
    pop     rbp
    pop     rbx
    ret
.end:
