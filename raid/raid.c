/* RAID parity: the public functions of isa-l/raid.h that generate and check.
 * SPDX-License-Identifier: BSD-3-Clause */

#define ISAL_DEPRECATED_INTERNAL
#include "isa-l/raid.h"

#include "raid_kernels.h"

/* Non-temporal stores keep parity out of the caches, and do not read it from memory first. They are
 * for far data. Buffers shorter than NT_LEN rarely have as much. With more sources than
 * NT_XOR_SOURCES, XOR gains 2 to 4 % on Emerald Rapids, and ordinary stores are faster on Zen 3. */
#define NT_LEN 4096
#define NT_XOR_SOURCES 16

ISALK_INLINE int may_bypass_caches(size_t n, size_t len, void *const *array, unsigned parity)
{
    return len >= NT_LEN && (uint64_t) n * len > RAID_FAR_DATA &&
           ((uintptr_t) array[n] | (uintptr_t) array[n + parity - 1]) % 64 == 0;
}

ISALK_INLINE int generate_xor(size_t n, size_t len, void *const *array)
{
    if (may_bypass_caches(n, len, array, 1) && n <= NT_XOR_SOURCES)
        return KERNEL_CALL(isalk_xor_gen_nt_slot)(n, len, array);
    return KERNEL_CALL(isalk_xor_gen_slot)(n, len, array);
}

ISALK_INLINE int generate_pq(size_t n, size_t len, void *const *array)
{
    if (may_bypass_caches(n, len, array, 2))
        return KERNEL_CALL(isalk_pq_gen_nt_slot)(n, len, array);
    return KERNEL_CALL(isalk_pq_gen_slot)(n, len, array);
}

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

XOR_GEN(xor_gen, generate_xor)
XOR_CHECK(xor_check, KERNEL_CALL(isalk_xor_check_slot))
PQ(pq_gen, generate_pq, 32)
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
