; Calls a kernel as its caller would and records the registers and the stack that it leaves.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"

; struct call of kernel_check.h; kernel_check_run.c compares the offsets
%define CALL_FN       0
%define CALL_ARGS     8
%define CALL_RESULT   72
%define CALL_SAVED    80                ; rbx rbp r12 r13 r14 r15: difference from before the call
%define CALL_FLAGS    128
%define CALL_MXCSR    132               ; before, after
%define CALL_VL       140               ; bytes in the CPU's vector registers: 16, 32 or 64
%define CALL_BEFORE   144               ; contents of the vector registers before the call
%define CALL_STACK    160               ; where to copy the stack below the frame; NULL: nowhere
%define CALL_GENERAL  168               ; the caller-saved registers after the call
%define CALL_OPMASK   240               ; k0-7 after the call, where there is AVX-512
%define CALL_VECTOR   304               ; vector registers after the call, 64 bytes each
STACK_BYTES equ 8192

; Contents of the callee-saved registers: digits that no kernel computes
SAVED_rbx equ 0x5bd1e995a4093822
SAVED_rbp equ 0x299f31d0082efa98
SAVED_r12 equ 0xec4e6c89452821e6
SAVED_r13 equ 0x38d01377be5466cf
SAVED_r14 equ 0x34e90c6cc0ac29b7

; Stores registers from [r10 + offset] on.
%macro CAPTURE 2-*                      ; offset, registers
    %assign %%at %1
    %rep %0 - 1
        %rotate 1
        mov     [r10 + %%at], %1
        %assign %%at %%at + 8
    %endrep
%endmacro

; Stores by how much a callee-saved register differs from its contents before the call.
%macro COMPARE_SAVED 2                  ; offset in CALL_SAVED, register
    mov     rax, SAVED_%2
    sub     %2, rax
    mov     [r10 + CALL_SAVED + %1], %2
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
.stack:                                 ; known contents below the return address
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
    mov     rbx, SAVED_rbx
    mov     rbp, SAVED_rbp
    mov     r12, SAVED_r12
    mov     r13, SAVED_r13
    mov     r14, SAVED_r14
    mov     r15, rsp
    mov     rsi, [rax + CALL_ARGS + 8]
    mov     rdx, [rax + CALL_ARGS + 16]
    mov     rcx, [rax + CALL_ARGS + 24]
    mov     r8, [rax + CALL_ARGS + 32]
    mov     r9, [rax + CALL_ARGS + 40]
    mov     rdi, [rax + CALL_ARGS]
    call    [rax + CALL_FN]
    push    r10                         ; over the return address
    mov     r10, [rsp + 24]             ; call; if rsp is wrong this faults or misreports
    CAPTURE CALL_GENERAL, rax, rcx, rdx, rsi, rdi, r8, r9, r11
    pop     qword [r10 + CALL_GENERAL + 64]
    mov     [r10 + CALL_RESULT], rax
    COMPARE_SAVED 0, rbx
    COMPARE_SAVED 8, rbp
    COMPARE_SAVED 16, r12
    COMPARE_SAVED 24, r13
    COMPARE_SAVED 32, r14
    sub     r15, rsp
    mov     [r10 + CALL_SAVED + 40], r15
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

; void isalk_probe(void): stands in for any kernel. It counts its calls and jumps to the kernel at
; isalk_probe_row, with all arguments unchanged.
extern isalk_probe_calls, isalk_probe_row
align 16
FUNCTION isalk_probe
isalk_probe:
    endbr64
    inc     qword [rel isalk_probe_calls]
    jmp     [rel isalk_probe_row]
.end:
