/* What the benchmarks of AES share with those of its peers.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef PERF_AES_PERF_H
#define PERF_AES_PERF_H

#include "perf.h"

#define NO_COMPAT_ISAL_CRYPTO_API_2_24 /* names that intel-ipsec-mb has as well */
#include "isa-l_crypto/aes_gcm.h"

#define AAD_BYTES 16
#define MESSAGES 8        /* of the multi-buffer functions, in one set */
#define KEYED_MESSAGES 16 /* of those with a key for each message */

/* Keys and parameters of an operation. */
struct aes_state {
    _Alignas(64) struct isal_gcm_key_data gcm;
    struct isal_gcm_context_data context;
    _Alignas(64) uint8_t key[64], enc[240], dec[240], iv[16], aad[AAD_BYTES], tag[16];
    int bits, decrypt;
};

/* A state of `size` bytes that begins with struct aes_state, whose key, iv, bits and decrypt are
 * set; expand_keys() sets the schedules. */
void *new_aes_state(const struct perf_run *r, size_t size);
void expand_keys(struct aes_state *s);

/* Defines run() of an operation: `call` uses fn, s, set and size, and is not 0 if it failed. */
#define RUN(function, state_type, type, call)          \
    static void function(struct perf_run *r, size_t n) \
    {                                                  \
        type *fn = (type *) r->impl->fn;               \
        struct state_type *s = r->state;               \
        size_t size = r->c->size;                      \
        int bad = 0;                                   \
        while (n--) {                                  \
            uint8_t **set = perf_next(r);              \
            bad |= call;                               \
        }                                              \
        if (bad)                                       \
            perf_fail("%s failed", r->c->op->name);    \
        (void) s;                                      \
        (void) size;                                   \
    }

extern const struct perf_peer aes_peers[];
enum { AES_PEERS = 3 };

#endif
