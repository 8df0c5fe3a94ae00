/* RAID parity: the public functions of isa-l/raid.h that generate and check.
 * SPDX-License-Identifier: BSD-3-Clause */

#define ISAL_DEPRECATED_INTERNAL
#include "isa-l/raid.h"

#include "raid_kernels.h"

static int generate(raid_gen_fn *kernel, int sources, int len, void **array)
{
    if (len > 0)
        kernel((size_t) sources, (size_t) len, array);
    return 0;
}

static int check(raid_check_fn *kernel, int sources, int len, void **array)
{
    return len > 0 ? kernel((size_t) sources, (size_t) len, array) : 0;
}

/* PUBLIC(name, run, kernel, parity, sources, multiple): runs the kernel if of the vects buffers all
 * but `parity` are at least `sources` sources, and len is a multiple of `multiple`. */
#define PUBLIC(name, run, kernel, parity, sources, multiple)                  \
    ISAL_PUBLIC int name(int vects, int len, void **array)                    \
    {                                                                         \
        if (vects < (parity) + (sources) || len < 0 || len % (multiple) != 0) \
            return 1;                                                         \
        return run(kernel, vects - (parity), len, array);                     \
    }
#define XOR_GEN(name, kernel) PUBLIC(name, generate, kernel, 1, 2, 1)
#define XOR_CHECK(name, kernel) PUBLIC(name, check, kernel, 1, 1, 1)
#define PQ_GEN(name, kernel, multiple) PUBLIC(name, generate, kernel, 2, 2, multiple)
#define PQ_CHECK(name, kernel, multiple) PUBLIC(name, check, kernel, 2, 2, multiple)

XOR_GEN(xor_gen, KERNEL_CALL(isalk_xor_gen_slot, raid_gen_fn))
XOR_CHECK(xor_check, KERNEL_CALL(isalk_xor_check_slot, raid_check_fn))
PQ_GEN(pq_gen, KERNEL_CALL(isalk_pq_gen_slot, raid_gen_fn), 32)
PQ_CHECK(pq_check, KERNEL_CALL(isalk_pq_check_slot, raid_check_fn), 16)

XOR_GEN(xor_gen_base, isalk_xor_gen_base)
XOR_CHECK(xor_check_base, isalk_xor_check_base)
PQ_CHECK(pq_check_base, isalk_pq_check_base, 1)

ISAL_PUBLIC int pq_gen_base(int vects, int len, void **array)
{
    if (vects < 4 || len < 0)
        return 1;
    return generate(isalk_pq_gen_base, vects - 2, len - len % 8, array);
}

/* ---- Functions named after an instruction set; without assembly they run the portable code ---- */

#if ISALK_ASM
#define TIER(kernel, tier) isalk_##kernel##_##tier
#else
#define TIER(kernel, tier) isalk_##kernel##_base
#endif

#if ISALK_X86_64
XOR_GEN(xor_gen_sse, TIER(xor_gen, sse))
XOR_GEN(xor_gen_avx, TIER(xor_gen, avx))
XOR_CHECK(xor_check_sse, TIER(xor_check, sse))
PQ_GEN(pq_gen_sse, TIER(pq_gen, sse), 16)
PQ_GEN(pq_gen_avx, TIER(pq_gen, avx), 16)
PQ_GEN(pq_gen_avx2, TIER(pq_gen, avx2), 32)
PQ_CHECK(pq_check_sse, TIER(pq_check, sse), 16)
#endif
