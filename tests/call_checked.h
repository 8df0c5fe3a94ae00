/* A checked call of a kernel: what isalk_call_checked() (call_checked.asm) passes and records.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef CALL_CHECKED_H
#define CALL_CHECKED_H

#include "dispatch/kernel.h"

#define CHECK_PARAMETERS 8
#define CALL_UPPER 0x44  /* state components of the upper parts of ymm and zmm 0 to 15 */
#define STACK_BYTES 8192 /* below the kernel's frame, searched for secrets */

struct call {
    kernel_fn fn;
    uint64_t args[CHECK_PARAMETERS];
    uint64_t result;
    uint64_t saved[6]; /* rbx, rbp, r12 to r15: difference from their values before the call */
    uint32_t flags;
    uint32_t mxcsr[2];      /* before and after */
    uint32_t vl;            /* bytes in a vector register of this CPU: 16, 32 or 64 */
    uint32_t tells_in_use;  /* whether this CPU knows which vector state is in use */
    uint32_t in_use[2];     /* XINUSE before and after; CALL_UPPER: a part above 16 bytes */
    uint8_t before[16];     /* in the vector registers before the call, and in the stack below */
    uint8_t *stack;         /* receives the STACK_BYTES below the frame, unless it is NULL */
    uint64_t general[9];    /* caller-saved registers after the call */
    uint64_t opmask[8];     /* k0 to k7 after the call, where there is AVX-512 */
    uint8_t vector[32][64]; /* vector registers after the call */
};

#endif
