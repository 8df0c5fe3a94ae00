/* Block functions of many messages in C with vectors, for builds without assembly.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "hash_kernels.h"

#if !ISALK_ASM

#include <string.h>

#include "dispatch/bytes.h"
#include "hash_run.h"
#include "hash_vectors.h"

/* `from`: the number of messages from which a vector, some of whose lanes are spare, is faster than
 * one message after the other. Measured with SSE2 on Emerald Rapids: three messages of SHA-1 take
 * 0.95 of the time, of MD5, SHA-256 and SM3 0.71 to 0.75; two take 1.04 to 1.4 of it. */
#define HASH(hash, word, bits, words, load, from)                                                  \
    enum { hash##_LANES = sizeof(word) / sizeof(uint##bits##_t) };                                 \
    static void hash##_lanes(void *const *states, const uint8_t *const *data, size_t blocks)       \
    {                                                                                              \
        uint##bits##_t lane[hash##_LANES];                                                         \
        word h[words], w[hash##_WORDS];                                                            \
                                                                                                   \
        for (size_t j = 0; j < (words); j++) {                                                     \
            for (size_t i = 0; i < hash##_LANES; i++)                                              \
                memcpy(&lane[i], (uint8_t *) states[i] + j * sizeof(*lane), sizeof(*lane));        \
            memcpy(&h[j], lane, sizeof(word));                                                     \
        }                                                                                          \
        for (size_t at = 0; blocks; blocks--, at += 16 * sizeof(*lane)) {                          \
            for (size_t j = 0; j < 16; j++) {                                                      \
                for (size_t i = 0; i < hash##_LANES; i++)                                          \
                    lane[i] = load(data[i] + at + j * sizeof(*lane));                              \
                memcpy(&w[j], lane, sizeof(word));                                                 \
            }                                                                                      \
            hash##_compress(h, w);                                                                 \
        }                                                                                          \
        for (size_t j = 0; j < (words); j++) {                                                     \
            memcpy(lane, &h[j], sizeof(word));                                                     \
            for (size_t i = 0; i < hash##_LANES; i++)                                              \
                memcpy((uint8_t *) states[i] + j * sizeof(*lane), &lane[i], sizeof(*lane));        \
        }                                                                                          \
    }                                                                                              \
    size_t isalk_##hash##_many_portable(size_t n, void *const *states, const uint8_t *const *data, \
                                        size_t blocks)                                             \
    {                                                                                              \
        static const struct hash_kernels kernels = {                                               \
            .best = hash##_LANES,                                                                  \
            .width = {{hash##_lanes, hash##_LANES, from}},                                         \
            .x1 = isalk_##hash##_x1_base,                                                          \
        };                                                                                         \
        return isalk_hash_many(&kernels, n, states, data, blocks);                                 \
    }

HASH(md5, word32, 32, 4, load_le32, 3)
HASH(sha1, word32, 32, 5, load_be32, 3)
HASH(sha256, word32, 32, 8, load_be32, 3)
HASH(sha512, word64, 64, 8, load_be64, 2)
HASH(sm3, word32, 32, 8, load_be32, 3)

#endif
