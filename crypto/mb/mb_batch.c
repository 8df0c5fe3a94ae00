/* The multi-buffer hashes of messages that are all in memory: no contexts, one call.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The same schedule as a manager's: all live messages advance by as many blocks as the shortest run
 * has left. A message is a run of blocks in the caller's buffer, then its padded end. A short
 * message is an end alone. */

#include "mb_message.h"

/* Bytes of the largest state and the largest block. */
#define MAX_STATE 64
#define MAX_BLOCK 128

struct batch {
    const struct mb_hash *h;
    const uint8_t *const *buffers;
    const uint64_t *lens;
    uint8_t *tails; /* two blocks for each lane */
    unsigned live;
    void *state[HASH_MAX_LANES];
    const uint8_t *data[HASH_MAX_LANES];
    uint64_t blocks[HASH_MAX_LANES]; /* left in the current run */
    size_t message[HASH_MAX_LANES];
    uint8_t slot[HASH_MAX_LANES]; /* the lane's part of `tails` and `states` */
    uint8_t at_end[HASH_MAX_LANES];
    uint8_t states[MB_MAX_STATES];
};

static void start_end(struct batch *b, unsigned i)
{
    uint8_t *tail = b->tails + b->slot[i] * 2 * b->h->block;
    uint64_t length = b->lens[b->message[i]];
    size_t used = (size_t) (length - (uint64_t) (b->data[i] - b->buffers[b->message[i]]));

    copy_short(tail, b->data[i], used);
    b->data[i] = tail;
    b->blocks[i] = pad_message(b->h, tail, used, length);
    b->at_end[i] = 1;
}

/* Starts a message in the first free lane. */
static void start_message(struct batch *b, size_t message)
{
    const struct mb_hash *h = b->h;
    size_t bytes = (size_t) h->words * h->word_bytes;
    unsigned i = b->live++;

    b->message[i] = message;
    b->state[i] = b->states + b->slot[i] * bytes;
    b->data[i] = b->buffers[message];
    b->blocks[i] = b->lens[message] / h->block;
    b->at_end[i] = 0;
    copy_short(b->state[i], h->initial, bytes);
    if (b->lens[message] < 2u * h->block - h->length_field)
        start_end(b, i);
}

/* Frees a lane: the last live one moves there. */
static void free_lane(struct batch *b, unsigned i)
{
    unsigned last = --b->live;
    uint8_t slot = b->slot[i];

    b->message[i] = b->message[last];
    b->state[i] = b->state[last];
    b->data[i] = b->data[last];
    b->blocks[i] = b->blocks[last];
    b->at_end[i] = b->at_end[last];
    b->slot[i] = b->slot[last];
    b->slot[last] = slot;
}

void isalk_mb_hash_one(const struct mb_hash *h, const uint8_t *data, uint64_t length,
                       uint8_t *digest)
{
    uint8_t state[MAX_STATE], tail[2 * MAX_BLOCK];
    const uint8_t *end = tail;
    uint64_t blocks = length < 2u * h->block - h->length_field ? 0 : length / h->block;
    size_t used = (size_t) (length - blocks * h->block);
    void *states[1] = {state};

    copy_short(state, h->initial, (size_t) h->words * h->word_bytes);
    if (blocks)
        KERNEL_CALL (*h->many)(1, states, &data, (size_t) blocks);
    copy_short(tail, data + blocks * h->block, used);
    blocks = pad_message(h, tail, used, length);
    KERNEL_CALL (*h->many)(1, states, &end, (size_t) blocks);
    standard_digest(h, state, digest);
}

void isalk_mb_hash_all(const struct mb_hash *h, const void *const *buffers, const uint64_t *lens,
                       size_t n, uint8_t *digests, uint8_t *tails)
{
    size_t lanes = KERNEL_CALL(*h->many)(0, NULL, NULL, 0), next = 0;
    size_t digest_bytes = (size_t) h->words * h->word_bytes;
    struct batch b;

    b.h = h;
    b.buffers = (const uint8_t *const *) buffers;
    b.lens = lens;
    b.tails = tails;
    b.live = 0;
    for (uint8_t i = 0; i < h->max_lanes; i++)
        b.slot[i] = i;
    while (b.live || next < n) {
        uint64_t blocks;
        while (b.live < lanes && next < n)
            start_message(&b, next++);
        blocks = b.blocks[0];
        for (unsigned i = 1; i < b.live; i++)
            blocks = b.blocks[i] < blocks ? b.blocks[i] : blocks;
        KERNEL_CALL (*h->many)(b.live, b.state, b.data, (size_t) blocks);
        for (unsigned i = b.live; i-- > 0;) {
            b.data[i] += blocks * h->block;
            b.blocks[i] -= blocks;
            if (b.blocks[i])
                continue;
            if (b.at_end[i]) {
                standard_digest(h, b.state[i], digests + b.message[i] * digest_bytes);
                free_lane(&b, i);
            } else {
                start_end(&b, i);
            }
        }
    }
}
