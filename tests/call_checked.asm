; Calls a kernel as its caller would and records the registers and the stack that it leaves.
; SPDX-License-Identifier: BSD-3-Clause

%include "asm/kernel.inc"
%include "asm/offsets.inc"

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
%macro COMPARE_SAVED 2                  ; offset in call.saved, register
    mov     rax, SAVED_%2
    sub     %2, rax
    mov     [r10 + call.saved + %1], %2
%endmacro

; Stores which parts of the vector registers are in use, unless the CPU cannot tell.
%macro STATE_IN_USE 2                   ; the call, offset in call.in_use
    cmp     dword [%1 + call.tells_in_use], 0
    je      %%cannot_tell
    mov     ecx, 1
    xgetbv
    mov     [%1 + call.in_use + %2], eax
%%cannot_tell:
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
    mov     rax, [rdi + call.args + 48]
    mov     [rsp], rax
    mov     rax, [rdi + call.args + 56]
    mov     [rsp + 8], rax
    stmxcsr [rdi + call.mxcsr]
    cmp     dword [rdi + call.vl], 32
    ja      .before_64
    je      .before_32
    %assign i 0
    %rep 16
    movups  xmm%[i], [rdi + call.before]
    %assign i i + 1
    %endrep
    jmp     .stack
.before_64:
    %assign i 0
    %rep 8
    kmovq   k%[i], [rdi + call.before]
    %assign i i + 1
    %endrep
    %assign i 16
    %rep 16
    vmovdqu32 xmm%[i], [rdi + call.before]
    %assign i i + 1
    %endrep
.before_32:
    %assign i 0
    %rep 16
    vmovdqu xmm%[i], [rdi + call.before]
    %assign i i + 1
    %endrep
    vzeroupper
    STATE_IN_USE rdi, 0
.stack:                                 ; known contents below the return address
    mov     rdx, rdi
    cmp     qword [rdx + call.stack], 0
    je      .stack_filled
    lea     rdi, [rsp - 8 - STACK_BYTES]
    mov     ecx, STACK_BYTES / 8
    mov     rax, [rdx + call.before]
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
    mov     rsi, [rax + call.args + 8]
    mov     rdx, [rax + call.args + 16]
    mov     rcx, [rax + call.args + 24]
    mov     r8, [rax + call.args + 32]
    mov     r9, [rax + call.args + 40]
    mov     rdi, [rax + call.args]
    call    [rax + call.fn]
    push    r10                         ; over the return address
    mov     r10, [rsp + 24]             ; call; if rsp is wrong this faults or misreports
    CAPTURE call.general, rax, rcx, rdx, rsi, rdi, r8, r9, r11
    pop     qword [r10 + call.general + 64]
    mov     [r10 + call.result], rax
    COMPARE_SAVED 0, rbx
    COMPARE_SAVED 8, rbp
    COMPARE_SAVED 16, r12
    COMPARE_SAVED 24, r13
    COMPARE_SAVED 32, r14
    sub     r15, rsp
    mov     [r10 + call.saved + 40], r15
    stmxcsr [r10 + call.mxcsr + 4]
    pushfq
    pop     rax
    mov     [r10 + call.flags], eax
    cld
    cmp     dword [r10 + call.vl], 32
    ja      .after_64
    je      .after_32
    %assign i 0
    %rep 16
    movups  [r10 + call.vector + i * 64], xmm%[i]
    %assign i i + 1
    %endrep
    jmp     .copy_stack
.after_64:
    STATE_IN_USE r10, 4
    %assign i 0
    %rep 8
    kmovq   [r10 + call.opmask + i * 8], k%[i]
    %assign i i + 1
    %endrep
    %assign i 0
    %rep 32
    vmovdqu64 [r10 + call.vector + i * 64], zmm%[i]
    %assign i i + 1
    %endrep
    vzeroupper
    jmp     .copy_stack
.after_32:
    STATE_IN_USE r10, 4
    %assign i 0
    %rep 16
    vmovdqu [r10 + call.vector + i * 64], ymm%[i]
    %assign i i + 1
    %endrep
    vzeroupper
.copy_stack:
    mov     rdi, [r10 + call.stack]
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
