/* The loops of probe.asm by kind of instruction and width.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "probes.h"

#include <string.h>

const char *machine_port_name(enum perf_port port)
{
    static const char *const names[PORT_COUNT] = {
#define X(id, name) name,
        PERF_PORTS(X)
#undef X
    };
    return names[port];
}

#if ISALK_ASM

#define PLAIN_PROBES(tier)                                                            \
    probe_fn isalk_perf_logic_##tier, isalk_perf_add_##tier, isalk_perf_shift_##tier, \
        isalk_perf_shuffle_##tier, isalk_perf_sad_##tier, isalk_perf_load_##tier,     \
        isalk_perf_store_##tier, isalk_perf_read_##tier, isalk_perf_read8_##tier,     \
        isalk_perf_write_##tier, isalk_perf_stream_##tier
#define CRYPTO_PROBES(tier) probe_fn isalk_perf_clmul_##tier, isalk_perf_aes_##tier
PLAIN_PROBES(sse);
PLAIN_PROBES(avx2);
PLAIN_PROBES(avx512);
CRYPTO_PROBES(sse);
CRYPTO_PROBES(avx2_v);
CRYPTO_PROBES(avx512_v);
probe_fn isalk_perf_affine_avx2_v, isalk_perf_affine_avx512_v;
probe_fn isalk_perf_fold_sse, isalk_perf_fold_avx2, isalk_perf_sha1_sse, isalk_perf_sha256_sse,
    isalk_perf_crc32_sse, isalk_perf_issue_sse;
probe_fn isalk_perf_aes_chain_sse, isalk_perf_sha1_chain_sse, isalk_perf_sha256_chain_sse;

#define PLAIN(tier)                                                                     \
    [PORT_LOGIC] = isalk_perf_logic_##tier, [PORT_ADD] = isalk_perf_add_##tier,         \
    [PORT_SHIFT] = isalk_perf_shift_##tier, [PORT_SHUFFLE] = isalk_perf_shuffle_##tier, \
    [PORT_SAD] = isalk_perf_sad_##tier, [PORT_LOAD] = isalk_perf_load_##tier,           \
    [PORT_STORE] = isalk_perf_store_##tier
#define CRYPTO(tier) [PORT_CLMUL] = isalk_perf_clmul_##tier, [PORT_AES] = isalk_perf_aes_##tier
#define MEMORY(tier)                                                          \
    isalk_perf_read_##tier, isalk_perf_read8_##tier, isalk_perf_write_##tier, \
        isalk_perf_stream_##tier

/* The widths of vectors, and the features that the plain probes need at each. */
static const struct {
    unsigned width;
    uint32_t needs;
    probe_fn *port[PORT_COUNT];
    probe_fn *memory[MEMORY_COUNT];
} probes[] = {
    {16, CPU_SSSE3, {PLAIN(sse), CRYPTO(sse), [PORT_FOLD] = isalk_perf_fold_sse}, {MEMORY(sse)}},
    {32,
     CPU_AVX2,
     {PLAIN(avx2),
      CRYPTO(avx2_v), [PORT_FOLD] = isalk_perf_fold_avx2, [PORT_AFFINE] = isalk_perf_affine_avx2_v},
     {MEMORY(avx2)}},
    {64,
     CPU_AVX512F | CPU_AVX512BW,
     {PLAIN(avx512), CRYPTO(avx512_v), [PORT_AFFINE] = isalk_perf_affine_avx512_v},
     {MEMORY(avx512)}},
};

/* What a kind of instruction needs beside vectors of its width. A CPU may have one of VAES,
 * VPCLMULQDQ and GFNI alone. */
static uint32_t port_needs(enum perf_port port, unsigned width)
{
    switch (port) {
    case PORT_AFFINE:
        return CPU_GFNI;
    case PORT_CLMUL:
        return width > 16 ? CPU_VPCLMULQDQ : CPU_PCLMULQDQ;
    case PORT_AES:
        return width > 16 ? CPU_VAES : CPU_AESNI;
    case PORT_FOLD:
        return CPU_PCLMULQDQ;
    case PORT_SHA1:
    case PORT_SHA256:
        return CPU_SHA;
    case PORT_CRC32:
        return CPU_SSE42;
    default:
        return 0;
    }
}

probe_fn *port_probe(enum perf_port port, unsigned width)
{
    static probe_fn *const any_width[PORT_COUNT] = {
        [PORT_SHA1] = isalk_perf_sha1_sse,
        [PORT_SHA256] = isalk_perf_sha256_sse,
        [PORT_CRC32] = isalk_perf_crc32_sse,
        [PORT_ISSUE] = isalk_perf_issue_sse,
    };

    if (port_needs(port, width) & ~isalk_cpu_features())
        return NULL;
    for (size_t i = 0; i < ARRAY_SIZE(probes); i++)
        if (probes[i].width == width && !(probes[i].needs & ~isalk_cpu_features()))
            return any_width[port] ? any_width[port] : probes[i].port[port];
    return NULL;
}

probe_fn *chain_probe(enum perf_chain chain)
{
    static const struct {
        uint32_t needs;
        probe_fn *probe;
    } chains[CHAIN_COUNT] = {
        [CHAIN_AES] = {CPU_AESNI, isalk_perf_aes_chain_sse},
        [CHAIN_SHA1] = {CPU_SHA, isalk_perf_sha1_chain_sse},
        [CHAIN_SHA256] = {CPU_SHA, isalk_perf_sha256_chain_sse},
    };

    return chains[chain].needs & ~isalk_cpu_features() ? NULL : chains[chain].probe;
}

/* The probe with the widest vectors: memory bandwidth does not depend on the kernel's width. */
probe_fn *memory_probe(enum probe_memory kind)
{
    probe_fn *probe = NULL;

    for (size_t i = 0; i < ARRAY_SIZE(probes); i++)
        if (!(probes[i].needs & ~isalk_cpu_features()))
            probe = probes[i].memory[kind];
    return probe;
}

#else

probe_fn *port_probe(enum perf_port port, unsigned width)
{
    (void) port;
    (void) width;
    return NULL;
}

probe_fn *chain_probe(enum perf_chain chain)
{
    (void) chain;
    return NULL;
}

static void read_memory(void *p, size_t n)
{
    const unsigned char *bytes = p;
    uint64_t sum[8] = {0}, word[8];

    for (size_t i = 0; i + 64 <= n; i += 64) {
        memcpy(word, bytes + i, 64);
        for (int j = 0; j < 8; j++)
            sum[j] ^= word[j];
    }
    __asm__ volatile("" : : "r"(sum) : "memory");
}

static void write_memory(void *p, size_t n)
{
    memset(p, 0, n);
    __asm__ volatile("" : : "r"(p) : "memory");
}

probe_fn *memory_probe(enum probe_memory kind)
{
    return kind == MEMORY_READ ? read_memory : kind == MEMORY_WRITE ? write_memory : NULL;
}

#endif
