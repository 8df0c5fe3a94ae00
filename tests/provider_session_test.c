/* TLS sessions of libssl with the OpenSSL provider, the default provider, or one on each side.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Client and server are in this process; the test carries the bytes between them, in pieces, or
 * changes or drops some. Whichever provider either side has, the results are those of two sides
 * with the default provider. ISAL_TEST_SEED changes the lengths and the order of events. */

#include "provider_test.h"

#include <inttypes.h>
#include <openssl/async.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

enum { CLIENT, SERVER, SIDES };
#define COMBINATIONS 4 /* of providers; 0: default on both sides, 3: isal on both */
#define MAX_TEXT 40000
#define MAX_WIRE 70000

static const struct suite {
    int version, encrypt_then_mac;
    const char *name;
    int multi_block; /* libssl writes several records in one call */
} suites[] = {
    {TLS1_VERSION, 0, "ECDHE-ECDSA-AES128-SHA", 0},
    {TLS1_1_VERSION, 0, "ECDHE-ECDSA-AES256-SHA", 1},
    {TLS1_1_VERSION, 1, "ECDHE-ECDSA-AES128-SHA", 0},
    {TLS1_2_VERSION, 0, "ECDHE-ECDSA-AES128-SHA", 1},
    {TLS1_2_VERSION, 0, "ECDHE-ECDSA-AES128-SHA256", 1},
    {TLS1_2_VERSION, 0, "ECDHE-ECDSA-AES256-SHA384", 0},
    {TLS1_2_VERSION, 1, "ECDHE-ECDSA-AES128-SHA256", 0},
    {TLS1_2_VERSION, 0, "ECDHE-ECDSA-AES128-GCM-SHA256", 0},
    {TLS1_2_VERSION, 0, "ECDHE-ECDSA-AES256-GCM-SHA384", 0},
    {TLS1_3_VERSION, 0, "TLS_AES_128_GCM_SHA256", 0},
    {TLS1_3_VERSION, 0, "TLS_AES_256_GCM_SHA384", 0},
};
#define SUITES (sizeof suites / sizeof suites[0])

static EVP_PKEY *server_key;
static X509 *certificate;
static uint8_t text[MAX_TEXT], received[MAX_TEXT], wire[MAX_WIRE];
static uint64_t seed = 1;

/* What an application sees of its side. */
struct view {
    int answer, error, reason;     /* of the last call that read */
    int alert_written, alert_read; /* 0: none */
    size_t bytes;                  /* read in all */
};

struct session {
    const struct suite *suite;
    SSL *ssl[SIDES];
    struct view view[SIDES];
};

/* ---- Setup ---- */

static int make_certificate(void)
{
    server_key = EVP_PKEY_Q_keygen(library, provider_of[0], "EC", "P-256");
    certificate = X509_new_ex(library, provider_of[0]);
    return server_key && certificate && X509_set_version(certificate, 2) &&
           ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) &&
           X509_gmtime_adj(X509_getm_notBefore(certificate), 0) &&
           X509_gmtime_adj(X509_getm_notAfter(certificate), 1000) &&
           X509_set_pubkey(certificate, server_key) &&
           X509_sign(certificate, server_key, EVP_sha256());
}

static void record_alert(const SSL *ssl, int where, int value)
{
    struct view *view = SSL_get_app_data(ssl);

    if ((where & SSL_CB_WRITE_ALERT) == SSL_CB_WRITE_ALERT)
        view->alert_written = value;
    if ((where & SSL_CB_READ_ALERT) == SSL_CB_READ_ALERT)
        view->alert_read = value;
}

static SSL *new_side(const struct suite *suite, int side, int isal)
{
    SSL_CTX *c = SSL_CTX_new_ex(library, isal ? "?provider=isal" : provider_of[0], TLS_method());
    char ciphers[100];
    SSL *ssl;

    snprintf(ciphers, sizeof ciphers, "%s:@SECLEVEL=0",
             suite->version == TLS1_3_VERSION ? "ALL" : suite->name);
    EXPECT(SSL_CTX_set_cipher_list(c, ciphers), "%s", suite->name);
    if (suite->version == TLS1_3_VERSION)
        EXPECT(SSL_CTX_set_ciphersuites(c, suite->name), "%s", suite->name);
    SSL_CTX_set_min_proto_version(c, suite->version);
    SSL_CTX_set_max_proto_version(c, suite->version);
    SSL_CTX_set_options(c, SSL_OP_ALLOW_CLIENT_RENEGOTIATION | SSL_OP_NO_TICKET);
    if (!suite->encrypt_then_mac)
        SSL_CTX_set_options(c, SSL_OP_NO_ENCRYPT_THEN_MAC);
    SSL_CTX_set_info_callback(c, record_alert);
    if (side == SERVER)
        EXPECT(SSL_CTX_use_certificate(c, certificate) && SSL_CTX_use_PrivateKey(c, server_key),
               "certificate");
    ssl = SSL_new(c);
    SSL_CTX_free(c);
    SSL_set_bio(ssl, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    BIO_set_mem_eof_return(SSL_get_rbio(ssl), -1);
    if (side == SERVER)
        SSL_set_accept_state(ssl);
    else
        SSL_set_connect_state(ssl);
    return ssl;
}

/* ---- The wire ---- */

/* Takes all bytes that a side has sent. */
static size_t take_sent(struct session *s, int side)
{
    int n = BIO_read(SSL_get_wbio(s->ssl[side]), wire, MAX_WIRE);

    return n > 0 ? (size_t) n : 0;
}

static void deliver(struct session *s, int to, const uint8_t *bytes, size_t n)
{
    EXPECT(!n || BIO_write(SSL_get_rbio(s->ssl[to]), bytes, (int) n) == (int) n, "BIO");
}

/* Reads what has arrived, until there is no more, or the session has ended. */
static void read_all(struct session *s, int side)
{
    struct view *v = &s->view[side];

    if (v->error == SSL_ERROR_SSL || v->error == SSL_ERROR_ZERO_RETURN)
        return;
    do {
        int room = 1 + (int) test_random(20000);

        ERR_clear_error();
        if ((size_t) room > MAX_TEXT - v->bytes)
            room = (int) (MAX_TEXT - v->bytes);
        v->answer = SSL_read(s->ssl[side], received + v->bytes, room);
        v->error = SSL_get_error(s->ssl[side], v->answer);
        v->reason = ERR_GET_REASON(ERR_peek_last_error());
        v->bytes += v->answer > 0 ? (size_t) v->answer : 0;
    } while (v->answer > 0);
}

/* Carries bytes in both directions until none are left; both sides read. */
static void settle(struct session *s)
{
    size_t carried;

    do {
        carried = 0;
        for (int side = 0; side < SIDES; side++) {
            size_t n;
            read_all(s, side);
            n = take_sent(s, side);
            deliver(s, !side, wire, n);
            carried += n;
        }
    } while (carried);
}

static void expect_connected(struct session *s)
{
    for (int side = 0; side < SIDES; side++)
        EXPECT(SSL_is_init_finished(s->ssl[side]) && !s->view[side].alert_written,
               "side %d, alert %x after%s", side, (unsigned) s->view[side].alert_written, steps);
}

static void connect_session(struct session *s, const struct suite *suite, int combination)
{
    memset(s, 0, sizeof *s);
    s->suite = suite;
    steps_clear();
    step(" %s, version %x, providers %d", suite->name, (unsigned) suite->version, combination);
    for (int side = 0; side < SIDES; side++) {
        s->ssl[side] = new_side(suite, side, combination >> side & 1);
        SSL_set_app_data(s->ssl[side], &s->view[side]);
        SSL_set_max_send_fragment(s->ssl[side], 512 << test_random(6));
    }
    settle(s);
    expect_connected(s);
}

static void free_session(struct session *s)
{
    for (int side = 0; side < SIDES; side++)
        SSL_free(s->ssl[side]);
    ERR_clear_error();
}

/* ---- Transfers, with new keys in between ---- */

/* One side sends n bytes, which arrive in pieces. */
static void transfer(struct session *s, int from, size_t n)
{
    struct view *v = &s->view[!from];

    step(" %d sends %zu", from, n);
    test_fill_random(text, n < 100 ? n : 100);
    v->bytes = 0;
    EXPECT(!n || SSL_write(s->ssl[from], text, (int) n) == (int) n, "write after%s", steps);
    for (size_t left = take_sent(s, from), at = 0, piece; left; left -= piece, at += piece) {
        piece = test_random(3) ? left : 1 + test_random((unsigned) left);
        deliver(s, !from, wire + at, piece);
        read_all(s, !from);
    }
    EXPECT(v->bytes == n && v->error == SSL_ERROR_WANT_READ, "%zu of %zu bytes after%s", v->bytes,
           n, steps);
    SAME_BYTES(received, text, n, "text");
}

static void change_keys(struct session *s)
{
    int side = (int) test_random(2);
    long before = SSL_total_renegotiations(s->ssl[CLIENT]);

    if (s->suite->version == TLS1_3_VERSION) {
        int type = test_random(2) ? SSL_KEY_UPDATE_REQUESTED : SSL_KEY_UPDATE_NOT_REQUESTED;
        step(" %d updates keys", side);
        EXPECT(SSL_key_update(s->ssl[side], type), "key update after%s", steps);
        EXPECT(SSL_do_handshake(s->ssl[side]) == 1, "key update after%s", steps);
        EXPECT(SSL_get_key_update_type(s->ssl[side]) == SSL_KEY_UPDATE_NONE, "not sent");
        settle(s);
    } else {
        step(" %d renegotiates", side);
        EXPECT(SSL_renegotiate(s->ssl[side]), "renegotiation after%s", steps);
        SSL_do_handshake(s->ssl[side]);
        settle(s);
        EXPECT(SSL_total_renegotiations(s->ssl[CLIENT]) == before + 1, "none after%s", steps);
    }
    expect_connected(s);
}

static void test_transfers(void)
{
    test_state.random = seed;
    for (size_t i = 0; i < SUITES; i++)
        for (int combination = 0; combination < COMBINATIONS; combination++) {
            struct session s;

            connect_session(&s, &suites[i], combination);
            EXPECT(strstr(suites[i].name, SSL_get_cipher_name(s.ssl[0])), "other cipher");
            for (int round = 0; round < 12; round++) {
                transfer(&s, (int) test_random(2), random_length(MAX_TEXT));
                if (test_random(3) == 0)
                    change_keys(&s);
            }
            free_session(&s);
        }
}

/* ---- Records that were changed or cut off ---- */

static int same_view(const struct view *a, const struct view *b)
{
    return a->answer == b->answer && a->error == b->error && a->reason == b->reason &&
           a->alert_written == b->alert_written && a->alert_read == b->alert_read &&
           a->bytes == b->bytes;
}

static void compare_views(const struct session *s, const struct view *expected)
{
    for (int side = 0; side < SIDES; side++) {
        const struct view *v = &s->view[side], *e = &expected[side];

        EXPECT(same_view(v, e),
               "side %d: error %d, not %d; reason %d, not %d; alert %x, not %x; %zu bytes, not %zu "
               "after%s",
               side, v->error, e->error, v->reason, e->reason, (unsigned) v->alert_written,
               (unsigned) e->alert_written, v->bytes, e->bytes, steps);
    }
}

/* An event on the wire: numbers from 0 to UINT32_MAX that stand for places and lengths. */
struct event {
    int from;
    size_t bytes;
    unsigned at, change;
};

/* Changes a byte of the first record with text: header, explicit IV, text, MAC, padding. */
static size_t tamper(const struct event *e, size_t sent)
{
    size_t at = e->at % 4 == 0   ? e->at / 4 % 5
                : e->at % 4 == 1 ? sent - 1 - e->at / 4 % 40
                                 : e->at / 4;

    wire[at % sent] ^= (uint8_t) (1 + e->change % 255);
    step(" byte %zu of %zu ^ %u", at % sent, sent, 1 + e->change % 255);
    return sent;
}

/* Sends a message, delivers what `meddle` leaves of it, and lets both sides read. */
static void meddled_transfer(struct session *s, const struct event *e,
                             size_t meddle(const struct event *, size_t))
{
    size_t sent;

    step(" %d sends %zu", e->from, e->bytes);
    s->view[!e->from].bytes = 0;
    SSL_write(s->ssl[e->from], text, (int) e->bytes);
    sent = take_sent(s, e->from);
    deliver(s, !e->from, wire, meddle(e, sent));
    settle(s);
}

static void test_tampered_records(void)
{
    test_state.random = seed;
    for (size_t i = 0; i < SUITES; i++)
        for (int round = 0; round < 24; round++) {
            struct event e = {(int) test_random(2), 1 + random_length(3000), test_random(1u << 31),
                              test_random(1u << 31)};
            uint64_t random = test_state.random;
            struct view expected[SIDES];

            for (int combination = 0; combination < COMBINATIONS; combination++) {
                struct session s;

                test_state.random = random;
                connect_session(&s, &suites[i], combination);
                meddled_transfer(&s, &e, tamper);
                if (combination == 0)
                    memcpy(expected, s.view, sizeof expected);
                compare_views(&s, expected);
                free_session(&s);
            }
            EXPECT(expected[!e.from].alert_written || expected[!e.from].error != SSL_ERROR_NONE,
                   "not noticed:%s", steps);
        }
}

static size_t cut(const struct event *e, size_t sent)
{
    step(" cut off at %zu of %zu", e->at % (sent + 1), sent);
    return e->at % (sent + 1);
}

/* The connection ends inside a record, between records, or orderly. */
static void test_closes(void)
{
    test_state.random = seed;
    for (size_t i = 0; i < SUITES; i++)
        for (int round = 0; round < 16; round++) {
            struct event e = {(int) test_random(2), 1 + random_length(30000), test_random(1u << 31),
                              test_random(4)};
            uint64_t random = test_state.random;
            struct view expected[SIDES];

            for (int combination = 0; combination < COMBINATIONS; combination++) {
                struct session s;

                test_state.random = random;
                connect_session(&s, &suites[i], combination);
                if (e.change == 0) {
                    transfer(&s, e.from, e.bytes);
                    SSL_shutdown(s.ssl[e.from]);
                } else {
                    meddled_transfer(&s, &e, cut);
                    BIO_set_mem_eof_return(SSL_get_rbio(s.ssl[!e.from]), 0);
                }
                settle(&s);
                if (combination == 0)
                    memcpy(expected, s.view, sizeof expected);
                compare_views(&s, expected);
                free_session(&s);
            }
            EXPECT(expected[!e.from].error == (e.change ? SSL_ERROR_SSL : SSL_ERROR_ZERO_RETURN),
                   "error %d after%s", expected[!e.from].error, steps);
        }
}

/* ---- Asynchronous sessions ---- */

#define ASYNC_SESSIONS 24

/* Writes until the job waits or the message is sent. Returns whether it is. */
static int write_in_job(struct session *s, size_t n)
{
    int answer = SSL_write(s->ssl[SERVER], text, (int) n);
    int error = SSL_get_error(s->ssl[SERVER], answer);

    EXPECT(answer == (int) n || error == SSL_ERROR_WANT_ASYNC, "error %d after%s", error, steps);
    return answer == (int) n;
}

__attribute__((weak)) void __lsan_disable(void);
__attribute__((weak)) void __lsan_enable(void);

/* Many servers of one thread write in jobs; some are freed while their jobs wait. The jobs of those
 * are lost: OpenSSL cannot end them. */
static void async_closes(const struct suite *suite, size_t *waited, size_t *freed)
{
    static struct session s[ASYNC_SESSIONS];
    size_t n = 3000 + random_length(20000);
    int done[ASYNC_SESSIONS] = {0}, left = ASYNC_SESSIONS;

    for (size_t i = 0; i < ASYNC_SESSIONS; i++) {
        connect_session(&s[i], suite, 2 + (int) (i % 2));
        SSL_set_mode(s[i].ssl[SERVER], SSL_MODE_ASYNC);
        s[i].view[CLIENT].bytes = 0;
    }
    while (left)
        for (size_t i = 0; i < ASYNC_SESSIONS; i++) {
            if (done[i])
                continue;
            done[i] = write_in_job(&s[i], n);
            *waited += !done[i];
            if (done[i]) {
                SSL_clear_mode(s[i].ssl[SERVER], SSL_MODE_ASYNC);
                settle(&s[i]);
                EXPECT(s[i].view[CLIENT].bytes == n, "%zu of %zu bytes after%s",
                       s[i].view[CLIENT].bytes, n, steps);
                SAME_BYTES(received, text, n, "text");
            } else if (test_random(4) == 0) {
                done[i] = 1;
                ++*freed;
            }
            if (done[i]) {
                free_session(&s[i]);
                left--;
            }
        }
}

static void test_async_closes(void)
{
    static const int cbc[] = {3, 4, 6};
    size_t waited = 0, freed = 0;

    if (!ASYNC_is_capable()) {
        test_skip("no asynchronous jobs on this system");
        return;
    }
    test_state.random = seed;
    if (__lsan_disable)
        __lsan_disable();
    for (int round = 0; round < 12; round++)
        async_closes(&suites[cbc[round % 3]], &waited, &freed);
    EXPECT(waited && freed, "%zu waits, %zu freed", waited, freed);
    if (__lsan_enable)
        __lsan_enable();
}

/* ---- The provider did it ---- */

static unsigned long count_of(const char *name)
{
    OSSL_PROVIDER *isal = OSSL_PROVIDER_load(library, "isal");
    char line[300] = "";
    OSSL_PARAM get[] = {OSSL_PARAM_construct_utf8_string("statistics", line, sizeof line),
                        OSSL_PARAM_END};
    const char *found;

    EXPECT(OSSL_PROVIDER_get_params(isal, get), "no statistics");
    found = strstr(line, name);
    OSSL_PROVIDER_unload(isal);
    return EXPECT(found, "no %s in %s", name, line) ? strtoul(found + strlen(name), NULL, 10) : 0;
}

static void test_provider_is_used(void)
{
    for (size_t i = 0; i < SUITES; i++)
        for (int combination = 0; combination < COMBINATIONS; combination++) {
            unsigned long before = count_of("ciphers ") + count_of("records ");
            unsigned long multi = count_of("multiblocks ");
            struct session s;

            connect_session(&s, &suites[i], combination);
            SSL_set_max_send_fragment(s.ssl[CLIENT], 1024);
            transfer(&s, CLIENT, 5000);
            SSL_set_max_send_fragment(s.ssl[SERVER], 16384);
            transfer(&s, SERVER, 5000);
            free_session(&s);
            EXPECT((count_of("ciphers ") + count_of("records ") > before) == (combination != 0),
                   "counts after%s", steps);
            EXPECT((count_of("multiblocks ") > multi) == (combination % 2 && suites[i].multi_block),
                   "multi-blocks after%s", steps);
        }
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    if (getenv("ISAL_TEST_SEED"))
        seed = strtoull(getenv("ISAL_TEST_SEED"), NULL, 10);
    printf("ISAL_TEST_SEED=%" PRIu64 "\n", seed);
    if (!EXPECT(provider_configure("algorithms = ALL\nstatistics = /dev/null\n"), "isal.so"))
        ERR_print_errors_fp(stdout);
    else if (EXPECT(make_certificate(), "no certificate")) {
        TEST(test_transfers);
        TEST(test_tampered_records);
        TEST(test_closes);
        TEST(test_async_closes);
        TEST(test_provider_is_used);
    }
    return test_finish();
}
