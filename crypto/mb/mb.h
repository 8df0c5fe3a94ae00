/* What the files of the multi-buffer hashes share.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ISALK_MB_H
#define ISALK_MB_H

#include "crypto/hash/hash_kernels.h"

/* How one hash differs from another. */
struct mb_hash {
    hash_many_fn_slot *many;
    const void *initial;         /* state */
    uint8_t block, length_field; /* bytes */
    uint8_t words, word_bytes;   /* of the digest */
    uint8_t big_endian;          /* words of the standard digest, and the message length */
    uint8_t standard_result;     /* result_digest is the standard digest, not host words */
    uint8_t approved;            /* FIPS mode offers it */
    uint8_t null_if_empty;       /* an empty piece needs no buffer, whatever its flags */
    uint8_t max_lanes;
    uint16_t tail; /* offset of struct context_tail in a context */
};

#define MB_MAX_STATES 512 /* bytes of the states of all lanes, of any hash */

ISALK_HIDDEN_BEGIN

/* Hashes one message. */
void isalk_mb_hash_one(const struct mb_hash *h, const uint8_t *data, uint64_t length,
                       uint8_t *digest);

/* Hashes n messages. `tails` has two blocks for each of max_lanes lanes. */
void isalk_mb_hash_all(const struct mb_hash *h, const void *const *buffers, const uint64_t *lens,
                       size_t n, uint8_t *digests, uint8_t *tails);

ISALK_HIDDEN_END

#endif
