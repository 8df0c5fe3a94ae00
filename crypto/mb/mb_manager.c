/* The scheduler of the multi-buffer hash managers, for every hash.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A message is hashed as up to three runs of whole blocks: the block begun by an earlier piece, in
 * the context; the blocks in the caller's buffer; the padded end, in the context. The end may
 * absorb up to two blocks, so that a short message is a single run.
 *
 * A manager collects live messages. When it has one for each lane of the kernel, or must make
 * progress, it hashes all of them for as many blocks as the shortest run has left. Messages whose
 * run ended start their next one, until at least one message is finished. Finished contexts are
 * returned before anything more is hashed, so that every pass has full lanes. The kernel chooses
 * its width by the number of messages, so that few messages do not pay for empty lanes.
 *
 * Contexts return with the fewest blocks left first, because a pass advances all messages alike.
 * Contexts with equally many blocks return in the order of submission, in which the messages are
 * kept. */

#include "mb.h"

#include <string.h>

#include "isa-l_crypto/isal_crypto_api.h"
#include "isa-l_crypto/multi_buffer.h"

#define MAX_BLOCK 128

ISALK_INLINE struct context_tail *tail_of(const struct mb_hash *h, uint8_t *context)
{
    return (struct context_tail *) (context + h->tail);
}

ISALK_INLINE struct context_end *end_of(const struct mb_hash *h, struct context_tail *t)
{
    return (struct context_end *) (t->partial + 2 * h->block);
}

/* Starts the next run of a context. Returns 0 if the context is finished with its piece. */
static int next_run(const struct mb_hash *h, struct lane *lane)
{
    struct context_tail *t = tail_of(h, lane->context);
    struct context_end *end = end_of(h, t);
    uint32_t partial = end->partial_length, n = t->incoming_length;

    lane->data = t->partial;
    if ((t->status & ISAL_HASH_CTX_STS_LAST) && n <= 2 * MAX_BLOCK &&
        partial + n + 1 + h->length_field <= 2u * h->block) {
        isalk_mb_copy(t->partial + partial, t->incoming, n);
        t->incoming_length = 0;
        lane->blocks = isalk_mb_pad(h, t->partial, partial + n, t->total_length);
        end->partial_length = 0;
        t->status = ISAL_HASH_CTX_STS_PROCESSING | ISAL_HASH_CTX_STS_COMPLETE;
        return 1;
    }
    if (!n)
        return 0;
    if (partial || n < h->block) {
        n = n < h->block - partial ? n : h->block - partial;
        isalk_mb_copy(t->partial + partial, t->incoming, n);
        partial += n;
        lane->blocks = partial / h->block;
        partial %= h->block;
    } else {
        lane->data = t->incoming;
        lane->blocks = n / h->block;
        n -= n % h->block;
    }
    t->incoming += n;
    t->incoming_length -= n;
    end->partial_length = partial;
    return lane->blocks != 0; /* without a whole block, the message waits for more pieces */
}

/* Returns a context that is finished with its piece to the caller. */
static void *return_context(const struct mb_hash *h, uint8_t *context)
{
    struct context_tail *t = tail_of(h, context);

    if (!(t->status & ISAL_HASH_CTX_STS_COMPLETE)) {
        t->status = ISAL_HASH_CTX_STS_IDLE;
        return context;
    }
    t->status = ISAL_HASH_CTX_STS_COMPLETE;
    if (h->standard_result)
        isalk_mb_digest(h, context + DIGEST_OFFSET, context + DIGEST_OFFSET);
    return context;
}

/* Hashes until at least one message is finished. At least one is live, and no finished context
 * waits to be returned. */
static void make_progress(const struct mb_hash *h, struct manager *m)
{
    void *states[HASH_MAX_LANES];
    const uint8_t *data[HASH_MAX_LANES];
    uint32_t finished = 0;

    do {
        const uint32_t live = m->live;
        const struct lane *end = m->lane + live;
        struct lane *to = m->lane; /* place of the next message that stays live */
        uint64_t blocks = m->lane[0].blocks, bytes;

        for (uint32_t i = 0; i < live; i++) {
            states[i] = m->lane[i].context + DIGEST_OFFSET;
            data[i] = m->lane[i].data;
            blocks = m->lane[i].blocks < blocks ? m->lane[i].blocks : blocks;
        }
        KERNEL_CALL (*h->many)(live, states, data, (size_t) blocks);
        bytes = blocks * h->block;
        for (const struct lane *lane = m->lane; lane < end; lane++) {
            to->context = lane->context;
            to->data = lane->data + bytes;
            to->blocks = lane->blocks - blocks;
            if (to->blocks || next_run(h, to))
                to++;
            else
                m->done[finished++] = to->context;
        }
        m->live = live - finished;
    } while (!finished);
    m->finished = finished;
    m->returned = 0;
}

void isalk_mb_init(const struct mb_hash *h, void *mgr)
{
    struct manager *m = mgr;
    size_t lanes = KERNEL_CALL(*h->many)(0, NULL, NULL, 0);

    m->lanes = (uint32_t) (lanes < h->max_lanes ? lanes : h->max_lanes);
    m->live = m->finished = m->returned = 0;
}

void *isalk_mb_flush(const struct mb_hash *h, void *mgr)
{
    struct manager *m = mgr;

    if (m->returned == m->finished) {
        if (!m->live)
            return NULL;
        make_progress(h, m);
    }
    return return_context(h, m->done[m->returned++]);
}

void *isalk_mb_submit(const struct mb_hash *h, void *mgr, void *ctx, const void *buffer,
                      uint32_t len, uint32_t flags)
{
    struct manager *m = mgr;
    struct lane *lane = &m->lane[m->live];
    struct context_tail *t = tail_of(h, ctx);

    if (flags > ISAL_HASH_ENTIRE) {
        t->error = ISAL_HASH_CTX_ERROR_INVALID_FLAGS;
        return ctx;
    }
    if (t->status & ISAL_HASH_CTX_STS_PROCESSING) {
        t->error = ISAL_HASH_CTX_ERROR_ALREADY_PROCESSING;
        return ctx;
    }
    if ((t->status & ISAL_HASH_CTX_STS_COMPLETE) && !(flags & ISAL_HASH_FIRST)) {
        t->error = ISAL_HASH_CTX_ERROR_ALREADY_COMPLETED;
        return ctx;
    }
    if (flags & ISAL_HASH_FIRST) {
        isalk_mb_copy((uint8_t *) ctx + DIGEST_OFFSET, h->initial,
                      (size_t) h->words * h->word_bytes);
        t->total_length = 0;
        end_of(h, t)->partial_length = 0;
    }
    t->error = ISAL_HASH_CTX_ERROR_NONE;
    t->status = ISAL_HASH_CTX_STS_PROCESSING | (flags & ISAL_HASH_LAST);
    t->total_length += len;
    t->incoming = buffer;
    t->incoming_length = len;
    lane->context = ctx;
    if (!next_run(h, lane))
        return return_context(h, ctx);
    m->live++;
    if (m->returned == m->finished && m->live < m->lanes)
        return NULL;
    return isalk_mb_flush(h, m);
}
