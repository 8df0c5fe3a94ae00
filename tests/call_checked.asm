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
%define CALL_VL       148               ; bytes in the CPU's vector registers: 16, 32 or 64
%define CALL_BEFORE   152               ; what the vector registers hold before the call
%define CALL_STACK    168               ; where to copy the stack below the frame; NULL: nowhere
%define CALL_GENERAL  176               ; the caller-saved registers after the call
%define CALL_OPMASK   248               ; k0-7 after the call, where there is AVX-512
%define CALL_VECTOR   312               ; vector registers after the call, 64 bytes each
STACK_BYTES equ 8192                    ; as in kernel_check.c

; Stores registers from [r10 + offset] on.
%macro CAPTURE 2-*                      ; offset, registers
    %assign %%at %1
    %rep %0 - 1
        %rotate 1
        mov     [r10 + %%at], %1
        %assign %%at %%at + 8
    %endrep
%endmacro

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
    cmp     dword [rdi + CALL_VL], 32
    ja      .before_64
    je      .before_32
    %assign i 0
    %rep 16
    movups  xmm%[i], [rdi + CALL_BEFORE]
    %assign i i + 1
    %endrep
    jmp     .stack
.before_64:
    %assign i 0
    %rep 8
    kmovq   k%[i], [rdi + CALL_BEFORE]
    %assign i i + 1
    %endrep
    %assign i 16
    %rep 16
    vmovdqu32 xmm%[i], [rdi + CALL_BEFORE]
    %assign i i + 1
    %endrep
.before_32:
    %assign i 0
    %rep 16
    vmovdqu xmm%[i], [rdi + CALL_BEFORE] ; clears the upper part
    %assign i i + 1
    %endrep
.stack:                                 ; known contents below where the return address goes
    mov     rdx, rdi
    cmp     qword [rdx + CALL_STACK], 0
    je      .stack_filled
    lea     rdi, [rsp - 8 - STACK_BYTES]
    mov     ecx, STACK_BYTES / 8
    mov     rax, [rdx + CALL_BEFORE]
    rep stosq
.stack_filled:
    mov     rdi, rdx
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
    push    r10                         ; over the return address
    mov     r10, [rsp + 24]             ; call, unless rsp is off: then this faults or misreports
    CAPTURE CALL_GENERAL, rax, rcx, rdx, rsi, rdi, r8, r9, r11
    pop     qword [r10 + CALL_GENERAL + 64]
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
    cmp     dword [r10 + CALL_VL], 32
    ja      .after_64
    je      .after_32
    %assign i 0
    %rep 16
    movups  [r10 + CALL_VECTOR + i * 64], xmm%[i]
    %assign i i + 1
    %endrep
    jmp     .copy_stack
.after_64:
    %assign i 0
    %rep 8
    kmovq   [r10 + CALL_OPMASK + i * 8], k%[i]
    %assign i i + 1
    %endrep
    %assign i 0
    %rep 32
    vmovdqu64 [r10 + CALL_VECTOR + i * 64], zmm%[i]
    %assign i i + 1
    %endrep
    vzeroupper
    jmp     .copy_stack
.after_32:
    %assign i 0
    %rep 16
    vmovdqu [r10 + CALL_VECTOR + i * 64], ymm%[i]
    %assign i i + 1
    %endrep
    vzeroupper
.copy_stack:
    mov     rdi, [r10 + CALL_STACK]
    test    rdi, rdi
    jz      .recorded
    lea     rsi, [rsp - 8 - STACK_BYTES]
    mov     ecx, STACK_BYTES / 8
    rep movsq
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
