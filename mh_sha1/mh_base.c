/* Portable reference of the multi-hash kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Source of Murmur: Austin Appleby, MurmurHash3 (placed in the public domain). */

#include "mh_kernels.h"

#include <string.h>

#include "crypto/hash/hash_kernels.h"
#include "dispatch/bytes.h"

static uint64_t rol64(uint64_t x, unsigned n)
{
    return x << n | x >> (64 - n);
}

/* One block of every segment: word t of segment s is the 4-byte group 16 t + s. */
static void compress_segments(const uint8_t *data, size_t words, hash_block_fn *compress,
                              uint8_t *states)
{
    for (size_t s = 0; s < MH_SEGMENTS; s++) {
        uint8_t block[64];
        uint32_t state[MH_SHA256_WORDS];

        for (size_t t = 0; t < 16; t++)
            memcpy(block + 4 * t, data + 4 * (MH_SEGMENTS * t + s), 4);
        for (size_t i = 0; i < words; i++)
            memcpy(&state[i], states + 4 * (MH_SEGMENTS * i + s), 4);
        compress(state, block, 1);
        for (size_t i = 0; i < words; i++)
            memcpy(states + 4 * (MH_SEGMENTS * i + s), &state[i], 4);
    }
}

void isalk_mh_sha1_block_base(const uint8_t *data, size_t blocks, void *states, void *murmur)
{
    (void) murmur;
    for (; blocks; blocks--, data += MH_BLOCK)
        compress_segments(data, MH_SHA1_WORDS, isalk_sha1_x1_base, states);
}

void isalk_mh_sha256_block_base(const uint8_t *data, size_t blocks, void *states, void *murmur)
{
    (void) murmur;
    for (; blocks; blocks--, data += MH_BLOCK)
        compress_segments(data, MH_SHA256_WORDS, isalk_sha256_x1_base, states);
}

void isalk_mh_sha1_murmur3_block_base(const uint8_t *data, size_t blocks, void *states,
                                      void *murmur)
{
    isalk_mh_sha1_block_base(data, blocks, states, NULL);
    isalk_murmur3_blocks(data, blocks * (MH_BLOCK / 16), murmur);
}

/* ---- Murmur ---- */

#define MURMUR_C1 0x87c37b91114253d5
#define MURMUR_C2 0x4cf5ad432745937f

static uint64_t mix1(uint64_t k)
{
    return rol64(k * MURMUR_C1, 31) * MURMUR_C2;
}

static uint64_t mix2(uint64_t k)
{
    return rol64(k * MURMUR_C2, 33) * MURMUR_C1;
}

void isalk_murmur3_blocks(const uint8_t *data, size_t blocks, void *state)
{
    uint64_t h[2];

    memcpy(h, state, sizeof h);
    for (; blocks; blocks--, data += 16) {
        h[0] = rol64(h[0] ^ mix1(load_le64(data)), 27);
        h[0] = (h[0] + h[1]) * 5 + 0x52dce729;
        h[1] = rol64(h[1] ^ mix2(load_le64(data + 8)), 31);
        h[1] = (h[1] + h[0]) * 5 + 0x38495ab5;
    }
    memcpy(state, h, sizeof h);
}

static uint64_t avalanche(uint64_t x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccd;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53;
    return x ^ x >> 33;
}

void isalk_murmur3_end(const uint8_t *tail, uint32_t len, void *state)
{
    uint8_t last[16] = {0};
    uint64_t h[2];

    memcpy(h, state, sizeof h);
    memcpy(last, tail, len % 16); /* missing bytes count as zeros, and mix(0) = 0 */
    h[0] ^= mix1(load_le64(last)) ^ len;
    h[1] ^= mix2(load_le64(last + 8)) ^ len;
    h[0] += h[1];
    h[1] += h[0];
    h[0] = avalanche(h[0]);
    h[1] = avalanche(h[1]);
    h[0] += h[1];
    h[1] += h[0];
    store_le64(state, h[0]);
    store_le64((uint8_t *) state + 8, h[1]);
}
