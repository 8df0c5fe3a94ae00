/* The multi-buffer hash managers: one scheduler for every hash.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A message becomes up to three runs of whole blocks: the block that an earlier piece began, in
 * the context; the blocks in the caller's buffer; the padded end, in the context. The end takes in
 * up to two blocks, so that a short message is one run.
 *
 * A manager holds the messages whose current run is not done. When it has as many as the kernel
 * takes at once, or must make progress, it hashes them all for as many blocks as the shortest run
 * has. Messages whose run ended move on to their next one, until one is finished. Finished ones are
 * handed out before more is hashed, so that every pass has all lanes full. The kernel chooses its
 * width by the number of messages, so that none is hashed for nothing.
 *
 * Contexts come back with the fewest blocks left first, and those with equally many in the order of
 * submission. The first half holds because a pass advances all messages alike; for the second,
 * messages are kept in the order of submission. */

#include <string.h>

#include "isa-l_crypto/isal_crypto_api.h"
#define ISAL_UNIT_TEST /* the older names are defined here */
#include "isa-l_crypto/md5_mb.h"
#include "isa-l_crypto/sha1_mb.h"
#include "isa-l_crypto/sha256_mb.h"
#include "isa-l_crypto/sha512_mb.h"
#include "isa-l_crypto/sm3_mb.h"

#include "crypto/hash/hash_kernels.h"

/* What tells one hash from another. */
struct algorithm {
    hash_many_fn_slot *many;
    const void *initial;
    uint8_t block, length_field; /* bytes */
    uint8_t words, word_bytes;   /* of the digest */
    uint8_t big_endian;          /* words of the standard digest, and the length of the message */
    uint8_t swapped;             /* result_digest is the standard digest, not host words */
    uint8_t null_if_empty;       /* whatever its flags, an empty piece needs no buffer */
    uint8_t max_lanes;
    uint16_t tail; /* offset in a context of what struct context_tail describes */
};

/* The public structures as the scheduler sees them. They may have any alignment. */
struct context_tail {
    uint32_t status;
    int32_t error;
    uint64_t total_length;
    const uint8_t *incoming;
    uint32_t incoming_length;
    uint8_t partial[]; /* two blocks, and then, as uint32_t, how many bytes of them are in use */
} ISALK_RAW;

struct lane {
    uint8_t *context;
    const uint8_t *data; /* of the current run */
    uint64_t blocks;
} ISALK_RAW;

/* Live messages, which have a run to do, and the contexts that the last pass finished, both in the
 * order of submission. */
struct manager {
    uint32_t lanes; /* to fill */
    uint32_t live;
    uint32_t finished; /* contexts in `done` */
    uint32_t returned; /* how many of them have been handed out */
    uint8_t *done[HASH_MAX_LANES];
    struct lane lane[]; /* max_lanes of them */
} ISALK_RAW;

#define DIGEST_OFFSET 64 /* of result_digest, in every context */
#define MAX_BLOCK 128

ISALK_INLINE struct context_tail *tail_of(const struct algorithm *a, uint8_t *context)
{
    return (struct context_tail *) (context + a->tail);
}

/* Bytes in use of the partial block. */
ISALK_INLINE uint32_t partial_length(const struct algorithm *a, const struct context_tail *t)
{
    uint32_t n;

    memcpy(&n, t->partial + 2 * a->block, sizeof n);
    return n;
}

ISALK_INLINE void set_partial_length(const struct algorithm *a, struct context_tail *t, uint32_t n)
{
    memcpy(t->partial + 2 * a->block, &n, sizeof n);
}

ISALK_INLINE uint32_t swap32(uint32_t x)
{
    return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}

ISALK_INLINE uint64_t swap64(uint64_t x)
{
    return (uint64_t) swap32((uint32_t) x) << 32 | swap32((uint32_t) (x >> 32));
}

/* Whether the hash's byte order is not this machine's. */
ISALK_INLINE int is_foreign(const struct algorithm *a)
{
    const uint16_t one = 1;

    return (*(const uint8_t *) &one == 0) != a->big_endian;
}

/* Copies some ten bytes as pieces of constant size, the last two of which may overlap. (Compilers
 * make memcpy() and memset() of a length that is known to be short a string instruction, whose
 * start alone takes as long as all other bookkeeping of a job.) */
static void copy_short(uint8_t *to, const uint8_t *from, size_t n)
{
    size_t i = 0;

    if (n >= 16) {
        for (; n - i > 16; i += 16)
            memcpy(to + i, from + i, 16);
        memcpy(to + n - 16, from + n - 16, 16);
    } else if (n >= 8) {
        memcpy(to, from, 8);
        memcpy(to + n - 8, from + n - 8, 8);
    } else if (n >= 4) {
        memcpy(to, from, 4);
        memcpy(to + n - 4, from + n - 4, 4);
    } else {
        for (; i < n; i++)
            to[i] = from[i];
    }
}

/* Pads the `used` bytes of the two blocks at `tail` as the standards ask: a bit, zeros, and the
 * length of the message in bits. Returns the number of blocks. The stores are such that each load
 * of the kernels for one message finds its 16 bytes in one of them, if `used` is a multiple of
 * 16. */
static unsigned pad(const struct algorithm *a, uint8_t *tail, size_t used, uint64_t length)
{
    static const uint8_t bit[16] = {0x80};
    unsigned blocks = used + 1 + a->length_field > a->block ? 2 : 1;
    uint8_t *p = tail + used, *end = tail + blocks * (size_t) a->block;
    uint64_t bits[2] = {a->length_field > 8 ? length >> 61 : 0, length << 3};

    if (is_foreign(a)) {
        bits[0] = swap64(bits[0]);
        bits[1] = swap64(bits[1]);
    }
    if (end - p > 16) {
        memcpy(p, bit, 16);
        for (p += 16; end - p > 16; p += 16)
            memset(p, 0, 16);
        memcpy(end - 16, bits, 16);
    } else { /* 9 bytes or more */
        memcpy(p, bit, 8);
        memcpy(end - 8, &bits[1], 8);
    }
    return blocks;
}

/* Words from host order to the bytes of the standard digest, in place too. */
static void standard_digest(const struct algorithm *a, const uint8_t *words, uint8_t *digest)
{
    size_t n = (size_t) a->words * a->word_bytes;

    if (!is_foreign(a)) {
        copy_short(digest, words, n);
    } else if (a->word_bytes == 4) {
        for (size_t i = 0; i < n; i += 4) {
            uint32_t word;
            memcpy(&word, words + i, 4);
            word = swap32(word);
            memcpy(digest + i, &word, 4);
        }
    } else {
        for (size_t i = 0; i < n; i += 8) {
            uint64_t word;
            memcpy(&word, words + i, 8);
            word = swap64(word);
            memcpy(digest + i, &word, 8);
        }
    }
}

/* Starts the next run of a context. Returns 0 if there is none: it is finished with its piece. */
static int next_run(const struct algorithm *a, struct lane *lane)
{
    struct context_tail *t = tail_of(a, lane->context);
    uint32_t partial = partial_length(a, t), n = t->incoming_length;

    lane->data = t->partial;
    if ((t->status & ISAL_HASH_CTX_STS_LAST) && n <= 2 * MAX_BLOCK &&
        partial + n + 1 + a->length_field <= 2u * a->block) {
        copy_short(t->partial + partial, t->incoming, n);
        t->incoming_length = 0;
        lane->blocks = pad(a, t->partial, partial + n, t->total_length);
        set_partial_length(a, t, 0);
        t->status = ISAL_HASH_CTX_STS_PROCESSING | ISAL_HASH_CTX_STS_COMPLETE;
        return 1;
    }
    if (!n)
        return 0;
    if (partial || n < a->block) {
        n = n < a->block - partial ? n : a->block - partial;
        copy_short(t->partial + partial, t->incoming, n);
        partial += n;
        lane->blocks = partial / a->block;
        partial %= a->block;
    } else {
        lane->data = t->incoming;
        lane->blocks = n / a->block;
        n -= n % a->block;
    }
    t->incoming += n;
    t->incoming_length -= n;
    set_partial_length(a, t, partial);
    return lane->blocks != 0; /* if there are none, more pieces follow */
}

/* Gives a context that is finished with its piece back to its owner. */
static void *give_back(const struct algorithm *a, uint8_t *context)
{
    struct context_tail *t = tail_of(a, context);

    if (!(t->status & ISAL_HASH_CTX_STS_COMPLETE)) {
        t->status = ISAL_HASH_CTX_STS_IDLE;
        return context;
    }
    t->status = ISAL_HASH_CTX_STS_COMPLETE;
    if (a->swapped)
        standard_digest(a, context + DIGEST_OFFSET, context + DIGEST_OFFSET);
    return context;
}

/* Hashes until at least one message is finished. There is a live one, and all finished ones have
 * been handed out. */
static void make_progress(const struct algorithm *a, struct manager *m)
{
    void *states[HASH_MAX_LANES];
    const uint8_t *data[HASH_MAX_LANES];
    uint32_t finished = 0;

    do {
        const uint32_t live = m->live;
        const struct lane *end = m->lane + live;
        struct lane *to = m->lane; /* where the next message that stays goes */
        uint64_t blocks = m->lane[0].blocks, bytes;

        for (uint32_t i = 0; i < live; i++) {
            states[i] = m->lane[i].context + DIGEST_OFFSET;
            data[i] = m->lane[i].data;
            blocks = m->lane[i].blocks < blocks ? m->lane[i].blocks : blocks;
        }
        KERNEL_CALL(*a->many)(live, states, data, (size_t) blocks);
        bytes = blocks * a->block;
        for (const struct lane *lane = m->lane; lane < end; lane++) {
            to->context = lane->context;
            to->data = lane->data + bytes;
            to->blocks = lane->blocks - blocks;
            if (to->blocks || next_run(a, to))
                to++;
            else
                m->done[finished++] = to->context;
        }
        m->live = live - finished;
    } while (!finished);
    m->finished = finished;
    m->returned = 0;
}

static void init(const struct algorithm *a, void *mgr)
{
    struct manager *m = mgr;
    size_t lanes = KERNEL_CALL(*a->many)(0, NULL, NULL, 0);

    m->lanes = (uint32_t) (lanes < a->max_lanes ? lanes : a->max_lanes);
    m->live = m->finished = m->returned = 0;
}

static void *flush(const struct algorithm *a, void *mgr)
{
    struct manager *m = mgr;

    if (m->returned == m->finished) {
        if (!m->live)
            return NULL;
        make_progress(a, m);
    }
    return give_back(a, m->done[m->returned++]);
}

static void *submit(const struct algorithm *a, void *mgr, void *ctx, const void *buffer,
                    uint32_t len, uint32_t flags)
{
    struct manager *m = mgr;
    struct lane *lane = &m->lane[m->live];
    struct context_tail *t = tail_of(a, ctx);

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
        copy_short((uint8_t *) ctx + DIGEST_OFFSET, a->initial, (size_t) a->words * a->word_bytes);
        t->total_length = 0;
        set_partial_length(a, t, 0);
    }
    t->error = ISAL_HASH_CTX_ERROR_NONE;
    t->status = ISAL_HASH_CTX_STS_PROCESSING | (flags & ISAL_HASH_LAST);
    t->total_length += len;
    t->incoming = buffer;
    t->incoming_length = len;
    lane->context = ctx;
    if (!next_run(a, lane))
        return give_back(a, ctx);
    m->live++;
    if (m->returned == m->finished && m->live < m->lanes)
        return NULL;
    return flush(a, m);
}

/* ---- All messages in one call: no contexts, and the manager's rule of what is hashed when ---- */

/* Messages side by side: a run of blocks in the caller's buffer, then the padded end. A short
 * message is an end alone. */
struct batch {
    const struct algorithm *a;
    const uint8_t *const *buffers;
    const uint64_t *lens;
    uint8_t *tails; /* two blocks for each lane */
    unsigned live;
    void *state[HASH_MAX_LANES];
    const uint8_t *data[HASH_MAX_LANES];
    uint64_t blocks[HASH_MAX_LANES];
    size_t message[HASH_MAX_LANES];
    uint8_t slot[HASH_MAX_LANES]; /* of `tails` and `states` */
    uint8_t at_end[HASH_MAX_LANES];
    uint8_t states[512]; /* all lanes of any hash */
};

static void start_end(struct batch *b, unsigned i)
{
    const struct algorithm *a = b->a;
    uint8_t *tail = b->tails + b->slot[i] * 2 * a->block;
    uint64_t length = b->lens[b->message[i]];
    size_t used = (size_t) (length - (uint64_t) (b->data[i] - b->buffers[b->message[i]]));

    copy_short(tail, b->data[i], used);
    b->data[i] = tail;
    b->blocks[i] = pad(a, tail, used, length);
    b->at_end[i] = 1;
}

/* Gives a message to the first free lane. */
static void start_message(struct batch *b, size_t message)
{
    const struct algorithm *a = b->a;
    size_t bytes = (size_t) a->words * a->word_bytes;
    unsigned i = b->live++;

    b->message[i] = message;
    b->state[i] = b->states + b->slot[i] * bytes;
    b->data[i] = b->buffers[message];
    b->blocks[i] = b->lens[message] / a->block;
    b->at_end[i] = 0;
    copy_short(b->state[i], a->initial, bytes);
    if (b->lens[message] < 2u * a->block - a->length_field)
        start_end(b, i);
}

/* Frees a lane; the last one takes its place. */
static void end_message(struct batch *b, unsigned i)
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

static void hash_all(const struct algorithm *a, const void *const *buffers, const uint64_t *lens,
                     size_t n, uint8_t *digests, uint8_t *tails)
{
    size_t lanes = KERNEL_CALL(*a->many)(0, NULL, NULL, 0), next = 0;
    struct batch b;

    b.a = a;
    b.buffers = (const uint8_t *const *) buffers;
    b.lens = lens;
    b.tails = tails;
    b.live = 0;
    for (uint8_t i = 0; i < a->max_lanes; i++)
        b.slot[i] = i;
    while (b.live || next < n) {
        uint64_t blocks;
        while (b.live < lanes && next < n)
            start_message(&b, next++);
        blocks = b.blocks[0];
        for (unsigned i = 1; i < b.live; i++)
            blocks = b.blocks[i] < blocks ? b.blocks[i] : blocks;
        KERNEL_CALL(*a->many)(b.live, b.state, b.data, (size_t) blocks);
        for (unsigned i = b.live; i-- > 0;) {
            b.data[i] += blocks * a->block;
            b.blocks[i] -= blocks;
            if (b.blocks[i])
                continue;
            if (b.at_end[i]) {
                standard_digest(a, b.state[i], digests + b.message[i] * a->words * a->word_bytes);
                end_message(&b, i);
            } else {
                start_end(&b, i);
            }
        }
    }
}

static int check_all(const void *const *buffers, const uint64_t *lens, size_t n,
                     const void *digests)
{
    if (n == 0)
        return ISAL_CRYPTO_ERR_NONE;
    if (!buffers || !lens)
        return ISAL_CRYPTO_ERR_NULL_SRC;
    for (size_t i = 0; i < n; i++)
        if (!buffers[i] && lens[i])
            return ISAL_CRYPTO_ERR_NULL_SRC;
    return digests ? ISAL_CRYPTO_ERR_NONE : ISAL_CRYPTO_ERR_NULL_AUTH;
}

/* ---- Public functions ---- */

static int check_submit(const struct algorithm *a, const void *mgr, const void *ctx,
                        const void *ctx_out, const void *buffer, uint32_t len, uint32_t flags)
{
    if (!mgr)
        return ISAL_CRYPTO_ERR_NULL_MGR;
    if (!ctx || !ctx_out)
        return ISAL_CRYPTO_ERR_NULL_CTX;
    if (!buffer &&
        (len || (!a->null_if_empty && (flags == ISAL_HASH_UPDATE || flags == ISAL_HASH_ENTIRE))))
        return ISAL_CRYPTO_ERR_NULL_SRC;
    return ISAL_CRYPTO_ERR_NONE;
}

/* The error of a context that came back, as the isal_ functions return it. */
static int error_of(const struct algorithm *a, uint8_t *context)
{
    if (!context)
        return ISAL_CRYPTO_ERR_NONE;
    switch (tail_of(a, context)->error) {
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

#define HASH(name, NAME, initial_state, block_bytes, length_bytes, word_count, word_size, big,     \
             is_swapped, is_null_if_empty)                                                         \
    static const struct algorithm name = {                                                         \
        .many = &isalk_##name##_many_slot,                                                         \
        .initial = initial_state,                                                                  \
        .block = block_bytes,                                                                      \
        .length_field = length_bytes,                                                              \
        .words = word_count,                                                                       \
        .word_bytes = word_size,                                                                   \
        .big_endian = big,                                                                         \
        .swapped = is_swapped,                                                                     \
        .null_if_empty = is_null_if_empty,                                                         \
        .max_lanes = ISAL_##NAME##_MAX_LANES,                                                      \
        .tail = offsetof(ISAL_##NAME##_HASH_CTX, status),                                          \
    };                                                                                             \
    _Static_assert(offsetof(ISAL_##NAME##_HASH_CTX, job.result_digest) == DIGEST_OFFSET,           \
                   "digest");                                                                      \
    _Static_assert(offsetof(ISAL_##NAME##_HASH_CTX, partial_block_buffer) ==                       \
                       offsetof(ISAL_##NAME##_HASH_CTX, status) +                                  \
                           offsetof(struct context_tail, partial),                                 \
                   "members of the context");                                                      \
    _Static_assert(offsetof(ISAL_##NAME##_HASH_CTX, partial_block_buffer_length) ==                \
                       offsetof(ISAL_##NAME##_HASH_CTX, partial_block_buffer) + 2 * (block_bytes), \
                   "partial block");                                                               \
    _Static_assert(sizeof(struct manager) + ISAL_##NAME##_MAX_LANES * sizeof(struct lane) <=       \
                       sizeof(ISAL_##NAME##_HASH_CTX_MGR),                                         \
                   "manager");                                                                     \
    _Static_assert(ISAL_##NAME##_MAX_LANES * (word_count) * (word_size) <=                         \
                       sizeof(((struct batch *) NULL)->states),                                    \
                   "states");                                                                      \
                                                                                                   \
    ISAL_PUBLIC void name##_ctx_mgr_init(ISAL_##NAME##_HASH_CTX_MGR *mgr)                          \
    {                                                                                              \
        init(&name, mgr);                                                                          \
    }                                                                                              \
    ISAL_PUBLIC ISAL_##NAME##_HASH_CTX *name##_ctx_mgr_submit(                                     \
        ISAL_##NAME##_HASH_CTX_MGR *mgr, ISAL_##NAME##_HASH_CTX *ctx, const void *buffer,          \
        uint32_t len, ISAL_HASH_CTX_FLAG flags)                                                    \
    {                                                                                              \
        return submit(&name, mgr, ctx, buffer, len, (uint32_t) flags);                             \
    }                                                                                              \
    ISAL_PUBLIC ISAL_##NAME##_HASH_CTX *name##_ctx_mgr_flush(ISAL_##NAME##_HASH_CTX_MGR *mgr)      \
    {                                                                                              \
        return flush(&name, mgr);                                                                  \
    }                                                                                              \
    ISAL_PUBLIC int isal_##name##_ctx_mgr_init(ISAL_##NAME##_HASH_CTX_MGR *mgr)                    \
    {                                                                                              \
        if (!mgr)                                                                                  \
            return ISAL_CRYPTO_ERR_NULL_MGR;                                                       \
        init(&name, mgr);                                                                          \
        return ISAL_CRYPTO_ERR_NONE;                                                               \
    }                                                                                              \
    ISAL_PUBLIC int isal_##name##_ctx_mgr_submit(                                                  \
        ISAL_##NAME##_HASH_CTX_MGR *mgr, ISAL_##NAME##_HASH_CTX *ctx_in,                           \
        ISAL_##NAME##_HASH_CTX **ctx_out, const void *buffer, const uint32_t len,                  \
        const ISAL_HASH_CTX_FLAG flags)                                                            \
    {                                                                                              \
        int error = check_submit(&name, mgr, ctx_in, ctx_out, buffer, len, (uint32_t) flags);      \
        if (error)                                                                                 \
            return error;                                                                          \
        *ctx_out = submit(&name, mgr, ctx_in, buffer, len, (uint32_t) flags);                      \
        return error_of(&name, (uint8_t *) *ctx_out);                                              \
    }                                                                                              \
    ISAL_PUBLIC int isal_##name##_ctx_mgr_flush(ISAL_##NAME##_HASH_CTX_MGR *mgr,                   \
                                                ISAL_##NAME##_HASH_CTX **ctx_out)                  \
    {                                                                                              \
        if (!mgr)                                                                                  \
            return ISAL_CRYPTO_ERR_NULL_MGR;                                                       \
        if (!ctx_out)                                                                              \
            return ISAL_CRYPTO_ERR_NULL_CTX;                                                       \
        *ctx_out = flush(&name, mgr);                                                              \
        return ISAL_CRYPTO_ERR_NONE;                                                               \
    }                                                                                              \
    ISAL_PUBLIC int isal_##name##_mb_hash(const void *const *buffers, const uint64_t *lens,        \
                                          size_t n, void *digests)                                 \
    {                                                                                              \
        uint8_t tails[ISAL_##NAME##_MAX_LANES * 2 * (block_bytes)];                                \
        int error = check_all(buffers, lens, n, digests);                                          \
        if (!error && n)                                                                           \
            hash_all(&name, buffers, lens, n, digests, tails);                                     \
        return error;                                                                              \
    }

HASH(md5, MD5, isalk_sha1_initial, 64, 8, 4, 4, 0, 0, 0)
HASH(sha1, SHA1, isalk_sha1_initial, 64, 8, 5, 4, 1, 0, 0)
HASH(sha256, SHA256, isalk_sha256_initial, 64, 8, 8, 4, 1, 0, 0)
HASH(sha512, SHA512, isalk_sha512_initial, 128, 16, 8, 8, 1, 0, 0)
HASH(sm3, SM3, isalk_sm3_initial, 64, 8, 8, 4, 1, 1, 1)
