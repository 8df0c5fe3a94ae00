/* OpenSSL's digests as a peer: one message at a time, with one context and a digest fetched once.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "perf.h"

struct evp {
    int (*init)(void *context, const void *digest, const void *params);
    int (*update)(void *context, const void *data, size_t len);
    void *context, *digest;
    uint8_t out[64];
};

void *openssl_digest_prepare(const struct perf_run *r, const char *name)
{
    void *(*new_context)(void) = (void *(*) (void) ) perf_symbol(r, "EVP_MD_CTX_new");
    void *(*fetch)(void *, const char *, const char *) =
        (void *(*) (void *, const char *, const char *) ) perf_symbol(r, "EVP_MD_fetch");
    struct evp *s = perf_alloc(1, sizeof *s);

    s->init = (int (*)(void *, const void *, const void *)) perf_symbol(r, "EVP_DigestInit_ex2");
    s->update = (int (*)(void *, const void *, size_t)) perf_symbol(r, "EVP_DigestUpdate");
    if (!new_context || !fetch || !s->init || !s->update)
        perf_fail("OpenSSL 3 is needed");
    s->context = new_context();
    s->digest = fetch(NULL, name, NULL);
    if (!s->context || !s->digest)
        perf_fail("OpenSSL has no %s", name);
    return s;
}

void openssl_digest_run(struct perf_run *r, size_t n)
{
    struct evp *s = r->state;
    int (*final)(void *, uint8_t *, unsigned *) =
        (int (*)(void *, uint8_t *, unsigned *)) r->impl->fn;
    int good = 1;

    while (n--) {
        uint8_t **set = perf_next(r);
        for (size_t i = 0; i < r->buffers; i++) {
            good &= s->init(s->context, s->digest, NULL);
            good &= s->update(s->context, set[i], r->c->size);
            good &= final(s->context, s->out, NULL);
        }
    }
    if (!good)
        perf_fail("OpenSSL failed");
}
