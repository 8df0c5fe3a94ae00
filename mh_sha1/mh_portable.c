/* The multi-hash kernels in C with vectors, a segment in each element, for builds without assembly.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "mh_kernels.h"

#if !ISALK_ASM

#include <string.h>

#include "crypto/hash/hash_vectors.h"

#define LANES (sizeof(word32) / 4)

/* A vector of big-endian words in host order. */
ISALK_INLINE word32 load_words(const uint8_t *p)
{
    word32 x;

    memcpy(&x, p, sizeof x);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return x;
#else
    return (ROL32(x, 8) & 0x00ff00ff) | (ROL32(x, 24) & 0xff00ff00);
#endif
}

#define MULTI_HASH(hash, words)                                                             \
    static void hash##_segments(const uint8_t *data, size_t blocks, uint8_t *states)        \
    {                                                                                       \
        word32 h[words], w[hash##_WORDS];                                                   \
                                                                                            \
        for (size_t j = 0; j < (words); j++)                                                \
            memcpy(&h[j], states + 4 * MH_SEGMENTS * j, sizeof(word32));                    \
        for (; blocks; blocks--, data += MH_BLOCK) {                                        \
            for (size_t j = 0; j < 16; j++)                                                 \
                w[j] = load_words(data + 4 * MH_SEGMENTS * j);                              \
            hash##_compress(h, w);                                                          \
        }                                                                                   \
        for (size_t j = 0; j < (words); j++)                                                \
            memcpy(states + 4 * MH_SEGMENTS * j, &h[j], sizeof(word32));                    \
    }                                                                                       \
    void isalk_mh_##hash##_block_portable(const uint8_t *data, size_t blocks, void *states, \
                                          void *murmur)                                     \
    {                                                                                       \
        (void) murmur;                                                                      \
        for (size_t s = 0; s < MH_SEGMENTS; s += LANES)                                     \
            hash##_segments(data + 4 * s, blocks, (uint8_t *) states + 4 * s);              \
    }

MULTI_HASH(sha1, MH_SHA1_WORDS)
MULTI_HASH(sha256, MH_SHA256_WORDS)

void isalk_mh_sha1_murmur3_block_portable(const uint8_t *data, size_t blocks, void *states,
                                          void *murmur)
{
    isalk_mh_sha1_block_portable(data, blocks, states, NULL);
    isalk_murmur3_blocks(data, blocks * (MH_BLOCK / 16), murmur);
}

#endif
