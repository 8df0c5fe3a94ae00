/* AES in portable C without tables or branches that depend on secrets.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef AES_SLICED_H
#define AES_SLICED_H

#include <stddef.h>
#include <stdint.h>

#include "dispatch/compiler.h"

#define AES_SLICED_BLOCKS 4 /* processed together */

/* Four blocks: bit 16 * block + i of bit[b] is bit b of byte i of the block. */
struct aes_sliced {
    uint64_t bit[8];
};

/* A schedule, with each round key repeated for all blocks. */
struct aes_sliced_keys {
    struct aes_sliced key[15];
    unsigned rounds;
};

ISALK_HIDDEN_BEGIN

/* rounds: 10, 12 or 14; schedule: rounds + 1 round keys. */
void isalk_aes_sliced_keys(struct aes_sliced_keys *keys, const uint8_t *schedule, unsigned rounds);

/* The same with a schedule for each of the four blocks: their round keys r are at table + r *
 * stride. */
void isalk_aes_sliced_four_keys(struct aes_sliced_keys *keys, const uint8_t *table, size_t stride,
                                unsigned rounds);

/* Encrypts with an encryption schedule, or decrypts with a decryption schedule, in place. */
void isalk_aes_sliced_enc(const struct aes_sliced_keys *keys, uint8_t blocks[64]);
void isalk_aes_sliced_dec(const struct aes_sliced_keys *keys, uint8_t blocks[64]);

/* Adds n to the big-endian integer in the bytes of a counter from `from` on, without a branch. */
ISALK_INLINE void isalk_aes_count(uint8_t counter[16], unsigned from, unsigned n)
{
    for (unsigned i = 16; i-- > from;) {
        n += counter[i];
        counter[i] = (uint8_t) n;
        n >>= 8;
    }
}

/* Counter mode of len bytes, where the bytes of the counter from `from` on count. Afterwards it is
 * the counter of the next block. */
void isalk_aes_sliced_ctr(const struct aes_sliced_keys *keys, uint8_t counter[16], unsigned from,
                          uint8_t *out, const uint8_t *in, size_t len);

/* Apply the S-box to every byte, and InvMixColumns to every column, of four blocks. */
void isalk_aes_sliced_sub(uint8_t blocks[64]);
void isalk_aes_sliced_inv_mix(uint8_t blocks[64]);

/* Overwrites secrets, even if the compiler sees that they are not read again. */
void isalk_aes_wipe(void *p, size_t n);

ISALK_HIDDEN_END

#endif
