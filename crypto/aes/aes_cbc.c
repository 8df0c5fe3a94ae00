/* AES-CBC: the public functions of isa-l_crypto/aes_cbc.h.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "aes_kernels.h"

#include <string.h>

#include "dispatch/fips.h"

static int cbc_error(const void *in, const void *iv, const void *out, uint64_t len)
{
    if (!in)
        return ISAL_CRYPTO_ERR_NULL_SRC;
    if (!out)
        return ISAL_CRYPTO_ERR_NULL_DST;
    if (!iv)
        return ISAL_CRYPTO_ERR_NULL_IV;
    if (len % AES_BLOCK || aes_beyond_memory(len))
        return ISAL_CRYPTO_ERR_CIPH_LEN;
    return isalk_self_test_error();
}

#define CBC(name, bits)                                                                            \
    ISAL_PUBLIC int isal_aes_cbc_##name##_##bits(const void *in, const void *iv, const void *keys, \
                                                 void *out, const uint64_t len_bytes)              \
    {                                                                                              \
        int error = keys ? cbc_error(in, iv, out, len_bytes) : ISAL_CRYPTO_ERR_NULL_EXP_KEY;       \
        if (error)                                                                                 \
            return error;                                                                          \
        AES_CALL(aes_cbc_##name##_##bits)(in, iv, keys, out, (size_t) len_bytes);                  \
        return 0;                                                                                  \
    }
CBC(enc, 128)
CBC(enc, 192)
CBC(enc, 256)
CBC(dec, 128)
CBC(dec, 192)
CBC(dec, 256)

#define CBC_OLDER(bits)                                                                  \
    ISAL_PUBLIC int aes_cbc_enc_##bits(void *in, uint8_t *IV, uint8_t *keys, void *out,  \
                                       uint64_t len_bytes)                               \
    {                                                                                    \
        AES_CALL(aes_cbc_enc_##bits)(in, IV, keys, out, (size_t) len_bytes);             \
        return 0;                                                                        \
    }                                                                                    \
    ISAL_PUBLIC void aes_cbc_dec_##bits(void *in, uint8_t *IV, uint8_t *keys, void *out, \
                                        uint64_t len_bytes)                              \
    {                                                                                    \
        AES_CALL(aes_cbc_dec_##bits)(in, IV, keys, out, (size_t) len_bytes);             \
    }
CBC_OLDER(128)
CBC_OLDER(192)
CBC_OLDER(256)

/* ---- Many messages ---- */

/* The messages of a call, and the lanes that encrypt them. */
struct cbc_call {
    aes_cbc_mb_fn *kernel;
    aes_cbc_fn *single;
    unsigned round_keys;
    const char *next;    /* next message: a buffer, or with `table` a keyed buffer */
    size_t buffer_bytes; /* from one to the next */
    uint64_t remaining;
    const uint8_t *key[AES_KEYED_LANES]; /* schedule of each lane's message */
    size_t left[AES_KEYED_LANES];        /* its remaining blocks; 0 without a message */
    struct aes_cbc_lanes lanes;
    struct aes_cbc_table *table; /* NULL if all messages have one key */
};

/* Gives the lane a key. */
static void set_key(struct cbc_call *c, unsigned lane, const uint8_t *key)
{
    struct aes_cbc_table *table = c->table;
    const unsigned round_keys = table ? c->round_keys : 0;

    c->key[lane] = key;
    for (unsigned r = 0; r < round_keys; r++)
        memcpy(table->round_key[r][lane], key + AES_BLOCK * r, AES_BLOCK);
}

/* Assigns the next message that is not empty to a lane. Returns whether there was one. */
ISALK_INLINE int next_message(struct cbc_call *c, unsigned lane)
{
    for (; c->remaining; c->remaining--, c->next += c->buffer_bytes) {
        const struct isal_aes_cbc_buffer *b = (const void *) c->next;

        c->left[lane] = (size_t) (b->len_bytes / AES_BLOCK);
        if (!c->left[lane])
            continue;
        c->lanes.in[lane] = b->in;
        c->lanes.out[lane] = b->out;
        memcpy(c->lanes.iv[lane], b->iv, AES_BLOCK);
        if (c->table)
            set_key(c, lane, ((const struct isal_aes_cbc_keyed_buffer *) (const void *) b)->keys);
        c->remaining--;
        c->next += c->buffer_bytes;
        return 1;
    }
    c->left[lane] = 0;
    return 0;
}

/* Lets the lane repeat the work of another. */
static void copy_lane(struct cbc_call *c, unsigned lane, unsigned from)
{
    c->lanes.in[lane] = c->lanes.in[from];
    c->lanes.out[lane] = c->lanes.out[from];
    memcpy(c->lanes.iv[lane], c->lanes.iv[from], AES_BLOCK);
    if (c->table)
        set_key(c, lane, c->key[from]);
}

/* Runs all lanes until the shortest message ends, and assigns the next message to its lane. A lane
 * that gets none repeats the longest message, which ends last. A single remaining message goes to
 * the kernel for one message. */
ISALK_INLINE void run_lanes(struct cbc_call *c, unsigned lane_count)
{
    const uint8_t *keys = c->table ? c->table->round_key[0][0] : c->key[0];
    unsigned active = 0;
    int new_idle;

    for (unsigned i = 0; i < lane_count; i++)
        active += (unsigned) next_message(c, i);
    new_idle = active < lane_count;
    while (active > 1) {
        unsigned longest = 0;
        size_t blocks = SIZE_MAX;

        for (unsigned i = 0; i < lane_count; i++) {
            if (c->left[i] && c->left[i] < blocks)
                blocks = c->left[i];
            if (c->left[i] > c->left[longest])
                longest = i;
        }
        for (unsigned i = 0; new_idle && i < lane_count; i++)
            if (!c->left[i])
                copy_lane(c, i, longest);
        c->kernel(&c->lanes, keys, blocks);
        new_idle = 0;
        for (unsigned i = 0; i < lane_count; i++) {
            if (!c->left[i])
                continue;
            c->left[i] -= blocks;
            if (!c->left[i] && !next_message(c, i)) {
                active--;
                new_idle = 1;
            }
        }
    }
    for (unsigned i = 0; i < lane_count; i++)
        if (c->left[i])
            c->single(c->lanes.in[i], c->lanes.iv[i], c->key[i], c->lanes.out[i],
                      c->left[i] * AES_BLOCK);
}

/* Sets the members of a call that need a value; clearing all of them would take as long as a short
 * message. */
#define START_CALL(c, kernel_fn, single_fn, buffers, n)                                       \
    ((c).kernel = (kernel_fn), (c).single = (single_fn), (c).next = (const char *) (buffers), \
     (c).buffer_bytes = sizeof *(buffers), (c).remaining = (n))

static void cbc_mb(aes_cbc_mb_fn *kernel, aes_cbc_fn *single, const uint8_t *keys,
                   const struct isal_aes_cbc_buffer *buffers, uint64_t n)
{
    struct cbc_call c;

    START_CALL(c, kernel, single, buffers, n);
    c.table = NULL;
    for (unsigned i = 0; i < AES_LANES; i++)
        c.key[i] = keys;
    run_lanes(&c, AES_LANES);
}

static void cbc_mb_keys(aes_cbc_mb_fn *kernel, aes_cbc_fn *single, unsigned bits,
                        const struct isal_aes_cbc_keyed_buffer *buffers, uint64_t n)
{
    struct aes_cbc_table table;
    struct cbc_call c;

    START_CALL(c, kernel, single, buffers, n);
    c.table = &table;
    c.round_keys = bits / 32 + 7;
    run_lanes(&c, AES_KEYED_LANES);
    isalk_aes_wipe(&table, c.round_keys * sizeof table.round_key[0]);
}

#define CBC_MB(bits)                                                                             \
    ISAL_PUBLIC int isal_aes_cbc_enc_##bits##_mb(                                                \
        const void *keys, const struct isal_aes_cbc_buffer *buffers, uint64_t n)                 \
    {                                                                                            \
        if (!keys)                                                                               \
            return ISAL_CRYPTO_ERR_NULL_EXP_KEY;                                                 \
        if (!buffers && n)                                                                       \
            return ISAL_CRYPTO_ERR_NULL_SRC;                                                     \
        for (uint64_t i = 0; i < n; i++) {                                                       \
            const struct isal_aes_cbc_buffer *b = &buffers[i];                                   \
            int error = cbc_error(b->in, b->iv, b->out, b->len_bytes);                           \
            if (error)                                                                           \
                return error;                                                                    \
        }                                                                                        \
        if (n)                                                                                   \
            cbc_mb(AES_CALL(aes_cbc_mb_##bits), AES_CALL(aes_cbc_enc_##bits), keys, buffers, n); \
        return 0;                                                                                \
    }                                                                                            \
    ISAL_PUBLIC int isal_aes_cbc_enc_##bits##_mb_keys(                                           \
        const struct isal_aes_cbc_keyed_buffer *buffers, uint64_t n)                             \
    {                                                                                            \
        if (!buffers && n)                                                                       \
            return ISAL_CRYPTO_ERR_NULL_SRC;                                                     \
        for (uint64_t i = 0; i < n; i++) {                                                       \
            const struct isal_aes_cbc_buffer *b = &buffers[i].buffer;                            \
            int error = buffers[i].keys ? cbc_error(b->in, b->iv, b->out, b->len_bytes)          \
                                        : ISAL_CRYPTO_ERR_NULL_EXP_KEY;                          \
            if (error)                                                                           \
                return error;                                                                    \
        }                                                                                        \
        if (n)                                                                                   \
            cbc_mb_keys(AES_CALL(aes_cbc_mb_keys_##bits), AES_CALL(aes_cbc_enc_##bits), bits,    \
                        buffers, n);                                                             \
        return 0;                                                                                \
    }
CBC_MB(128)
CBC_MB(192)
CBC_MB(256)
