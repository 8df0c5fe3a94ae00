/* What the files of the multi-buffer hashes share: the description of a hash, the private view of
 * contexts and managers, and the functions of every hash.
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
    uint8_t null_if_empty;       /* an empty piece needs no buffer, whatever its flags */
    uint8_t max_lanes;
    uint16_t tail; /* offset of struct context_tail in a context */
};

/* The private views of the public structures, which may have any alignment. In every context the
 * digest is at DIGEST_OFFSET. */
#define DIGEST_OFFSET 64

struct context_tail {
    uint32_t status;
    int32_t error;
    uint64_t total_length;
    const uint8_t *incoming; /* bytes of the piece that are not hashed or copied yet */
    uint32_t incoming_length;
    uint8_t partial[]; /* two blocks, followed by struct context_end */
} ISALK_RAW;

struct context_end {
    uint32_t partial_length; /* bytes of `partial` in use */
} ISALK_RAW;

/* A live message: one with a run of blocks left to hash. */
struct lane {
    uint8_t *context;
    const uint8_t *data; /* of the current run */
    uint64_t blocks;     /* left in the run */
} ISALK_RAW;

/* Live messages, and the contexts that the last pass finished, both in the order of submission. */
struct manager {
    uint32_t lanes;    /* live messages to collect before a pass */
    uint32_t live;     /* messages in `lane` */
    uint32_t finished; /* contexts in `done` */
    uint32_t returned; /* contexts of `done` that were returned to the caller */
    uint8_t *done[HASH_MAX_LANES];
    struct lane lane[]; /* max_lanes */
} ISALK_RAW;

#define MB_MAX_STATES 512 /* bytes of the states of all lanes, of any hash */

ISALK_HIDDEN_BEGIN

/* The functions of a manager, without checks of pointers. */
void isalk_mb_init(const struct mb_hash *h, void *mgr);
void *isalk_mb_submit(const struct mb_hash *h, void *mgr, void *ctx, const void *buffer,
                      uint32_t len, uint32_t flags);
void *isalk_mb_flush(const struct mb_hash *h, void *mgr);

/* Hashes n messages. `tails` has two blocks for each of max_lanes lanes. */
void isalk_mb_hash_all(const struct mb_hash *h, const void *const *buffers, const uint64_t *lens,
                       size_t n, uint8_t *digests, uint8_t *tails);

/* Copies a few dozen bytes faster than memcpy() of a short length known to the compiler, which makes
 * it a string instruction: its start alone takes as long as all other bookkeeping of a job. */
void isalk_mb_copy(uint8_t *to, const uint8_t *from, size_t n);

/* Pads the `used` bytes of the two blocks at `tail` as the standards say: a bit, zeros, and the
 * message length in bits. Returns the number of blocks. */
unsigned isalk_mb_pad(const struct mb_hash *h, uint8_t *tail, size_t used, uint64_t length);

/* Converts a state to the bytes of the standard digest, possibly in place. */
void isalk_mb_digest(const struct mb_hash *h, const uint8_t *state, uint8_t *digest);

ISALK_HIDDEN_END

#endif
