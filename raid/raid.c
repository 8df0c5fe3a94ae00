/* RAID parity: the public functions of isa-l/raid.h that generate and check.
 * SPDX-License-Identifier: BSD-3-Clause */

#define ISAL_DEPRECATED_INTERNAL
#include "isa-l/raid.h"

#include "raid_kernels.h"

/* PUBLIC(name, kernel, parity, sources, multiple): runs the kernel if there are `parity` parity
 * buffers and at least `sources` sources, and len is a multiple of `multiple`. */
#define PUBLIC(name, kernel, parity, sources, multiple)                       \
    ISAL_PUBLIC int name(int vects, int len, void **array)                    \
    {                                                                         \
        if (vects < (parity) + (sources) || len < 0 || len % (multiple) != 0) \
            return 1;                                                         \
        return kernel((size_t) (vects - (parity)), (size_t) len, array);      \
    }
#define XOR_GEN(name, kernel) PUBLIC(name, kernel, 1, 2, 1)
#define XOR_CHECK(name, kernel) PUBLIC(name, kernel, 1, 1, 1)
#define PQ(name, kernel, multiple) PUBLIC(name, kernel, 2, 2, multiple)

XOR_GEN(xor_gen, KERNEL_CALL(isalk_xor_gen_slot))
XOR_CHECK(xor_check, KERNEL_CALL(isalk_xor_check_slot))
PQ(pq_gen, KERNEL_CALL(isalk_pq_gen_slot), 32)
PQ(pq_check, KERNEL_CALL(isalk_pq_check_slot), 16)

XOR_GEN(xor_gen_base, isalk_xor_gen_base)
XOR_CHECK(xor_check_base, isalk_xor_check_base)
PQ(pq_check_base, isalk_pq_fault_base, 1)

ISAL_PUBLIC int pq_gen_base(int vects, int len, void **array)
{
    if (vects < 4 || len < 0)
        return 1;
    return isalk_pq_gen_base((size_t) vects - 2, (size_t) (len - len % 8), array);
}

/* ---- Functions named after an instruction set; without assembly, the portable code ---- */

#if ISALK_ASM
#define TIER(kernel, tier) isalk_##kernel##_##tier
#else
#define TIER(kernel, tier) isalk_##kernel##_portable
#endif

#if ISALK_X86_64
XOR_GEN(xor_gen_sse, TIER(xor_gen, sse))
XOR_GEN(xor_gen_avx, TIER(xor_gen, avx))
XOR_CHECK(xor_check_sse, TIER(xor_check, sse))
PQ(pq_gen_sse, TIER(pq_gen, sse), 16)
PQ(pq_gen_avx, TIER(pq_gen, avx), 16)
PQ(pq_gen_avx2, TIER(pq_gen, avx2), 32)
PQ(pq_check_sse, TIER(pq_check, sse), 16)
#endif
