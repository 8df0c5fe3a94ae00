/* Portable references of the hashes' block functions.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include "dispatch/bytes.h"
#include "hash_kernels.h"

typedef uint32_t word32;
typedef uint64_t word64;
#include "hash_rounds.h"

#define ONE(hash, word, words, load)                                             \
    void isalk_##hash##_x1_base(void *state, const uint8_t *data, size_t blocks) \
    {                                                                            \
        word h[words], w[hash##_WORDS];                                          \
                                                                                 \
        memcpy(h, state, sizeof h);                                              \
        for (; blocks; blocks--, data += 16 * sizeof(word)) {                    \
            for (size_t i = 0; i < 16; i++)                                      \
                w[i] = load(data + i * sizeof(word));                            \
            hash##_compress(h, w);                                               \
        }                                                                        \
        memcpy(state, h, sizeof h);                                              \
    }

ONE(md5, uint32_t, 4, load_le32)
ONE(sha1, uint32_t, 5, load_be32)
ONE(sha256, uint32_t, 8, load_be32)
ONE(sha512, uint64_t, 8, load_be64)
ONE(sm3, uint32_t, 8, load_be32)

/* ---- Several messages, one after the other ---- */

#define LANES(hash, name, count)                                                       \
    void isalk_##hash##_##name##_base(void *const *states, const uint8_t *const *data, \
                                      size_t blocks)                                   \
    {                                                                                  \
        for (int i = 0; i < count; i++)                                                \
            isalk_##hash##_x1_base(states[i], data[i], blocks);                        \
    }

LANES(md5, x8, 8)
LANES(md5, x16, 16)
LANES(md5, x32, 32)
LANES(sha1, x4, 4)
LANES(sha1, x8, 8)
LANES(sha1, x16, 16)
LANES(sha1, ni_x2, 2)
LANES(sha256, x4, 4)
LANES(sha256, x8, 8)
LANES(sha256, x16, 16)
LANES(sha256, ni_x2, 2)
LANES(sha512, x2, 2)
LANES(sha512, x4, 4)
LANES(sha512, x8, 8)
LANES(sm3, x4, 4)
LANES(sm3, x8, 8)
LANES(sm3, x16, 16)
