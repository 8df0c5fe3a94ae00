/* The multi-buffer hash managers: one scheduler for every hash, and the public functions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A message is hashed in up to three runs of whole blocks: the block begun by an earlier piece, in
 * the context; the blocks in the caller's buffer; the padded end, in the context. The end may hold
 * up to two blocks, so that a short message is a single run.
 *
 * A manager collects live messages. When it has one for each lane of the kernel, or must make
 * progress, it makes a pass: it hashes all of them for the blocks left in the shortest run.
 * Messages whose run ended start their next one, until at least one message is finished. Finished
 * contexts are returned before anything more is hashed, so that every pass has full lanes. The
 * kernel chooses its width by the number of messages, so that few messages do not pay for empty
 * lanes.
 *
 * A pass advances all messages alike, so those with the fewest blocks left return first. Messages
 * with equally many return in the order of submission, which is the order in which they are
 * kept. */

#include "mb_message.h"

#include "isa-l_crypto/isal_crypto_api.h"
#define ISAL_UNIT_TEST /* the older names are defined here */
#include "isa-l_crypto/md5_mb.h"
#include "isa-l_crypto/sha1_mb.h"
#include "isa-l_crypto/sha256_mb.h"
#include "isa-l_crypto/sha512_mb.h"
#include "isa-l_crypto/sm3_mb.h"

#include "dispatch/fips.h"

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
        copy_short(t->partial + partial, t->incoming, n);
        t->incoming_length = 0;
        lane->blocks = pad_message(h, t->partial, partial + n, t->total_length);
        end->partial_length = 0;
        t->status = ISAL_HASH_CTX_STS_PROCESSING | ISAL_HASH_CTX_STS_COMPLETE;
        return 1;
    }
    if (!n)
        return 0;
    if (partial || n < h->block) {
        n = n < h->block - partial ? n : h->block - partial;
        copy_short(t->partial + partial, t->incoming, n);
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
        standard_digest(h, context + DIGEST_OFFSET, context + DIGEST_OFFSET);
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

static void init(const struct mb_hash *h, void *mgr)
{
    struct manager *m = mgr;
    size_t lanes = KERNEL_CALL(*h->many)(0, NULL, NULL, 0);

    m->lanes = (uint32_t) (lanes < h->max_lanes ? lanes : h->max_lanes);
    m->live = m->finished = m->returned = 0;
}

static void *flush(const struct mb_hash *h, void *mgr)
{
    struct manager *m = mgr;

    if (m->returned == m->finished) {
        if (!m->live)
            return NULL;
        make_progress(h, m);
    }
    return return_context(h, m->done[m->returned++]);
}

static void *submit(const struct mb_hash *h, void *mgr, void *ctx, const void *buffer, uint32_t len,
                    uint32_t flags)
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
        copy_short((uint8_t *) ctx + DIGEST_OFFSET, h->initial, (size_t) h->words * h->word_bytes);
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
    return flush(h, m);
}

/* ---- Public functions ---- */

/* The error of a call whose arguments are valid. */
static int self_test_error(const struct mb_hash *h)
{
    return h->approved ? isalk_self_test_error() : 0;
}

static int check_all(const struct mb_hash *h, const void *const *buffers, const uint64_t *lens,
                     size_t n, const void *digests)
{
    if (FIPS && !h->approved)
        return ISAL_CRYPTO_ERR_FIPS_INVALID_ALGO;
    if (n == 0)
        return ISAL_CRYPTO_ERR_NONE;
    if (!buffers || !lens)
        return ISAL_CRYPTO_ERR_NULL_SRC;
    for (size_t i = 0; i < n; i++)
        if (!buffers[i] && lens[i])
            return ISAL_CRYPTO_ERR_NULL_SRC;
    return digests ? self_test_error(h) : ISAL_CRYPTO_ERR_NULL_AUTH;
}

static int check_manager(const struct mb_hash *h, const void *mgr, const void *ctx)
{
    if (FIPS && !h->approved)
        return ISAL_CRYPTO_ERR_FIPS_INVALID_ALGO;
    if (!mgr)
        return ISAL_CRYPTO_ERR_NULL_MGR;
    if (!ctx)
        return ISAL_CRYPTO_ERR_NULL_CTX;
    return self_test_error(h);
}

static int check_submit(const struct mb_hash *h, const void *mgr, const void *ctx,
                        const void *ctx_out, const void *buffer, uint32_t len, uint32_t flags)
{
    if (FIPS && !h->approved)
        return ISAL_CRYPTO_ERR_FIPS_INVALID_ALGO;
    if (!mgr)
        return ISAL_CRYPTO_ERR_NULL_MGR;
    if (!ctx || !ctx_out)
        return ISAL_CRYPTO_ERR_NULL_CTX;
    if (!buffer &&
        (len || (!h->null_if_empty && (flags == ISAL_HASH_UPDATE || flags == ISAL_HASH_ENTIRE))))
        return ISAL_CRYPTO_ERR_NULL_SRC;
    return self_test_error(h);
}

/* The error of a returned context as the isal_ functions report it. */
static int error_of(const struct mb_hash *h, uint8_t *context)
{
    if (!context)
        return ISAL_CRYPTO_ERR_NONE;
    switch (tail_of(h, context)->error) {
    case ISAL_HASH_CTX_ERROR_INVALID_FLAGS:
        return ISAL_CRYPTO_ERR_INVALID_FLAGS;
    case ISAL_HASH_CTX_ERROR_ALREADY_PROCESSING:
        return ISAL_CRYPTO_ERR_ALREADY_PROCESSING;
    case ISAL_HASH_CTX_ERROR_ALREADY_COMPLETED:
        return ISAL_CRYPTO_ERR_ALREADY_COMPLETED;
    default:
        return ISAL_CRYPTO_ERR_NONE;
    }
}

/* Pins a member of a public context to its place in the private view. */
#define PIN(NAME, member, private_member)                                 \
    _Static_assert(offsetof(ISAL_##NAME##_HASH_CTX, member) ==            \
                       offsetof(ISAL_##NAME##_HASH_CTX, status) +         \
                           offsetof(struct context_tail, private_member), \
                   #member);

/* Defines a hash and its public functions. */
#define HASH(name, NAME, initial_state, block_bytes, length_bytes, word_count, word_size, big, \
             is_standard, is_null_if_empty, is_approved)                                       \
    static const struct mb_hash name = {                                                       \
        .many = &isalk_##name##_many_slot,                                                     \
        .initial = initial_state,                                                              \
        .block = block_bytes,                                                                  \
        .length_field = length_bytes,                                                          \
        .words = word_count,                                                                   \
        .word_bytes = word_size,                                                               \
        .big_endian = big,                                                                     \
        .standard_result = is_standard,                                                        \
        .null_if_empty = is_null_if_empty,                                                     \
        .approved = is_approved,                                                               \
        .max_lanes = ISAL_##NAME##_MAX_LANES,                                                  \
        .tail = offsetof(ISAL_##NAME##_HASH_CTX, status),                                      \
    };                                                                                         \
    _Static_assert(offsetof(ISAL_##NAME##_HASH_CTX, job.result_digest) == DIGEST_OFFSET,       \
                   "digest");                                                                  \
    PIN(NAME, status, status)                                                                  \
    PIN(NAME, error, error)                                                                    \
    PIN(NAME, total_length, total_length)                                                      \
    PIN(NAME, incoming_buffer, incoming)                                                       \
    PIN(NAME, incoming_buffer_length, incoming_length)                                         \
    PIN(NAME, partial_block_buffer, partial)                                                   \
    PIN(NAME, partial_block_buffer_length, partial[2 * (block_bytes)])                         \
    _Static_assert(sizeof(struct manager) + ISAL_##NAME##_MAX_LANES * sizeof(struct lane) <=   \
                       sizeof(ISAL_##NAME##_HASH_CTX_MGR),                                     \
                   "manager");                                                                 \
    _Static_assert(ISAL_##NAME##_MAX_LANES * (word_count) * (word_size) <= MB_MAX_STATES,      \
                   "states");                                                                  \
                                                                                               \
    ISAL_PUBLIC void name##_ctx_mgr_init(ISAL_##NAME##_HASH_CTX_MGR *mgr)                      \
    {                                                                                          \
        init(&name, mgr);                                                                      \
    }                                                                                          \
    ISAL_PUBLIC ISAL_##NAME##_HASH_CTX *name##_ctx_mgr_submit(                                 \
        ISAL_##NAME##_HASH_CTX_MGR *mgr, ISAL_##NAME##_HASH_CTX *ctx, const void *buffer,      \
        uint32_t len, ISAL_HASH_CTX_FLAG flags)                                                \
    {                                                                                          \
        return submit(&name, mgr, ctx, buffer, len, (uint32_t) flags);                         \
    }                                                                                          \
    ISAL_PUBLIC ISAL_##NAME##_HASH_CTX *name##_ctx_mgr_flush(ISAL_##NAME##_HASH_CTX_MGR *mgr)  \
    {                                                                                          \
        return flush(&name, mgr);                                                              \
    }                                                                                          \
    ISAL_PUBLIC int isal_##name##_ctx_mgr_init(ISAL_##NAME##_HASH_CTX_MGR *mgr)                \
    {                                                                                          \
        int error = check_manager(&name, mgr, mgr);                                            \
        if (!error)                                                                            \
            init(&name, mgr);                                                                  \
        return error;                                                                          \
    }                                                                                          \
    ISAL_PUBLIC int isal_##name##_ctx_mgr_submit(                                              \
        ISAL_##NAME##_HASH_CTX_MGR *mgr, ISAL_##NAME##_HASH_CTX *ctx_in,                       \
        ISAL_##NAME##_HASH_CTX **ctx_out, const void *buffer, const uint32_t len,              \
        const ISAL_HASH_CTX_FLAG flags)                                                        \
    {                                                                                          \
        int error = check_submit(&name, mgr, ctx_in, ctx_out, buffer, len, (uint32_t) flags);  \
        if (error)                                                                             \
            return error;                                                                      \
        *ctx_out = submit(&name, mgr, ctx_in, buffer, len, (uint32_t) flags);                  \
        return error_of(&name, (uint8_t *) *ctx_out);                                          \
    }                                                                                          \
    ISAL_PUBLIC int isal_##name##_ctx_mgr_flush(ISAL_##NAME##_HASH_CTX_MGR *mgr,               \
                                                ISAL_##NAME##_HASH_CTX **ctx_out)              \
    {                                                                                          \
        int error = check_manager(&name, mgr, ctx_out);                                        \
        if (!error)                                                                            \
            *ctx_out = flush(&name, mgr);                                                      \
        return error;                                                                          \
    }                                                                                          \
    ISAL_PUBLIC int isal_##name##_mb_hash(const void *const *buffers, const uint64_t *lens,    \
                                          size_t n, void *digests)                             \
    {                                                                                          \
        uint8_t tails[ISAL_##NAME##_MAX_LANES * 2 * (block_bytes)];                            \
        int error = check_all(&name, buffers, lens, n, digests);                               \
        if (!error && n == 1)                                                                  \
            isalk_mb_hash_one(&name, buffers[0], lens[0], digests);                            \
        else if (!error && n)                                                                  \
            isalk_mb_hash_all(&name, buffers, lens, n, digests, tails);                        \
        return error;                                                                          \
    }

HASH(md5, MD5, isalk_sha1_initial, 64, 8, 4, 4, 0, 0, 0, 0)
HASH(sha1, SHA1, isalk_sha1_initial, 64, 8, 5, 4, 1, 0, 0, 1)
HASH(sha256, SHA256, isalk_sha256_initial, 64, 8, 8, 4, 1, 0, 0, 1)
HASH(sha512, SHA512, isalk_sha512_initial, 128, 16, 8, 8, 1, 0, 0, 1)
HASH(sm3, SM3, isalk_sm3_initial, 64, 8, 8, 4, 1, 1, 1, 0)
