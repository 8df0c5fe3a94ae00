/* TLS multi-block of AES-CBC with HMAC: one write becomes 4 or 8 records in one call.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * libssl asks for the bytes that the records of a text take (the parameter "tls1multi_aad"), and
 * then for the records (EVP_EncryptInit(3), "tls1multi_enc"). From TLS 1.1 on, the records of a
 * connection do not depend on each other: each has an IV of its own. So the records of one write
 * fill lanes, as those of asynchronous jobs do. All records have equally long texts, but the last
 * one also has the remainder. */

#include "crypto/openssl/record.h"
#include "crypto/openssl/statistics.h"

#include <openssl/rand.h>
#include <openssl/ssl3.h>
#include <openssl/tls1.h>
#include <string.h>

#define PREFIX "tls1multi_"
/* Bytes before the ciphertext of a record: its header and IV. */
#define BEFORE (SSL3_RT_HEADER_LENGTH + AES_BLOCK)
/* Texts that fill 4 and 8 records, if the header tells the length. */
#define MIN_TEXT_4 4096
#define MIN_TEXT_8 8192

int multi_block_is(const char *name)
{
    return !strncmp(name, PREFIX, sizeof PREFIX - 1);
}

/* Bytes of a record with n bytes of text, header and IV included. */
static size_t record_bytes(const struct record_cipher *r, size_t n)
{
    const size_t mac_bytes = record_kind_of(r)->hash->digest_bytes;

    return BEFORE + (n + mac_bytes + AES_BLOCK) / AES_BLOCK * AES_BLOCK;
}

static size_t text_of_record(const struct multi_block *m, unsigned record)
{
    const size_t n = m->text_bytes / m->records;

    return record < m->records - 1 ? n : m->text_bytes - record * n;
}

/* Reads the number of records, 4 or 8. */
static int read_records(struct multi_block *m, const OSSL_PARAM *p)
{
    unsigned n;

    if (!p || !OSSL_PARAM_get_uint(p, &n) || n < 4 || n >= 12)
        return provider_error(REASON_PARAMETER);
    m->records = n / 4 * 4;
    return 1;
}

/* Computes the length of the records. The parameter has the pseudo-header of the first record; its
 * size is the length of the text, unless the header has one. */
static int announce(struct record_cipher *r, const OSSL_PARAM *p, const OSSL_PARAM params[])
{
    struct multi_block *m = &r->multi;
    const uint8_t *header = p->data;
    size_t n;

    m->has_header = 0;
    if (p->data_type != OSSL_PARAM_OCTET_STRING || p->data_size < TLS_HEADER ||
        !r->cipher.encrypting || (header[9] << 8 | header[10]) < TLS1_1_VERSION)
        return provider_error(REASON_PARAMETER);
    memcpy(m->header, header, TLS_HEADER);
    n = (size_t) (header[11] << 8 | header[12]);
    if (n && n < MIN_TEXT_4)
        return provider_error(REASON_PARAMETER);
    if (n)
        m->records = n < MIN_TEXT_8 ? 4 : 8;
    else if (!read_records(
                 m, OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK_INTERLEAVE)))
        return 0;
    m->text_bytes = n ? n : p->data_size;
    if (text_of_record(m, m->records - 1) > SSL3_RT_MAX_PLAIN_LENGTH)
        return provider_error(REASON_PARAMETER);
    m->announced_bytes = (m->records - 1) * record_bytes(r, text_of_record(m, 0)) +
                         record_bytes(r, text_of_record(m, m->records - 1));
    m->has_header = 1;
    return 1;
}

/* Makes the pseudo-header of a record. */
static void make_header(uint8_t header[TLS_HEADER], const struct multi_block *m, unsigned record)
{
    const size_t n = text_of_record(m, record);
    unsigned carry = record;

    memcpy(header, m->header, TLS_HEADER);
    for (int i = 7; i >= 0; i--) { /* the sequence number */
        carry += header[i];
        header[i] = (uint8_t) carry;
        carry >>= 8;
    }
    header[11] = (uint8_t) (n >> 8);
    header[12] = (uint8_t) n;
}

/* Writes type, version and length of a record: the header that is sent. */
static void write_header(uint8_t *out, const uint8_t *header, size_t n)
{
    memcpy(out, header + 8, 3);
    out[3] = (uint8_t) (n >> 8);
    out[4] = (uint8_t) n;
}

/* Records of several multi-blocks, which are encrypted together. */
struct batch {
    unsigned n;
    union hash_context *messages;
    uint8_t headers[RECORD_LANES][TLS_HEADER];
    struct record records[RECORD_LANES];
    struct isal_aes_cbc_keyed_buffer buffers[RECORD_LANES];
};

/* MACs and encrypts the records of a batch. The records of one write have one key. */
static void encrypt_batch(const struct record_kind *kind, struct batch *b, int is_one_key)
{
    struct isal_aes_cbc_buffer buffers[MULTI_BLOCK_RECORDS];

    record_protect(kind->hash, b->records, b->n);
    if (!is_one_key) {
        cipher_cbc_encrypt_many(kind->cipher.bits, b->buffers, b->n);
    } else {
        for (unsigned i = 0; i < b->n; i++)
            buffers[i] = b->buffers[i].buffer;
        if (kind->cipher.bits == 128)
            isal_aes_cbc_enc_128_mb(b->buffers[0].keys, buffers, b->n);
        else
            isal_aes_cbc_enc_256_mb(b->buffers[0].keys, buffers, b->n);
    }
    b->n = 0;
}

/* Adds record i of a multi-block to a batch. Returns the bytes of the record. */
static size_t add_record(struct batch *b, struct record_cipher *r, unsigned i, uint8_t *out,
                         const uint8_t *in)
{
    const size_t n = text_of_record(&r->multi, i), bytes = record_bytes(r, n);
    uint8_t *sealed = out + BEFORE, *header = b->headers[b->n];

    make_header(header, &r->multi, i);
    write_header(out, header, bytes - SSL3_RT_HEADER_LENGTH);
    memcpy(out + SSL3_RT_HEADER_LENGTH, r->multi.iv[i], AES_BLOCK);
    b->records[b->n] =
        (struct record){&r->mac, &b->messages[b->n], header, in, n, sealed, bytes - BEFORE, 1};
    b->buffers[b->n].buffer =
        (struct isal_aes_cbc_buffer){sealed, r->multi.iv[i], sealed, bytes - BEFORE};
    b->buffers[b->n].keys = r->cipher.enc_keys;
    b->n++;
    return bytes;
}

void multi_block_encrypt_all(const struct async_request *requests, unsigned n)
{
    const struct record_kind *kind = record_kind_of(requests[0].context);
    const struct record_cipher *first = requests[0].context;
    const size_t lanes = n == 1 ? first->multi.records : RECORD_LANES;
    struct batch b;

    b.n = 0;
    b.messages = provider_alloc_unset(lanes * sizeof *b.messages);
    for (unsigned q = 0; b.messages && q < n; q++) {
        struct record_cipher *r = requests[q].context;
        uint8_t *out = requests[q].out;
        const uint8_t *in = requests[q].in;

        if (b.n + r->multi.records > RECORD_LANES)
            encrypt_batch(kind, &b, 0);
        for (unsigned i = 0; i < r->multi.records; i++) {
            out += add_record(&b, r, i, out, in);
            in += text_of_record(&r->multi, i);
        }
        r->multi.done_bytes = r->multi.announced_bytes;
    }
    if (b.n)
        encrypt_batch(kind, &b, n == 1);
    provider_free(b.messages, lanes * sizeof *b.messages);
}

/* The request may wait for those of other jobs. */
static int encrypt(struct record_cipher *r, uint8_t *out, const uint8_t *in)
{
    const struct async_request request = {r, out, in, r->multi.text_bytes};
    const struct async_kind *kind = &record_kind_of(r)->async_multi;

    r->multi.done_bytes = 0;
    if (RAND_bytes(r->multi.iv[0], sizeof r->multi.iv) <= 0)
        return 0;
    if (!async_is_wanted(kind, request.n))
        multi_block_encrypt_all(&request, 1);
    else if (!async_run(kind, r, out, in, request.n))
        return 0;
    return r->multi.done_bytes != 0;
}

/* The parameter is the output; the others of the call are the text and the number of records, which
 * must be those that were announced. */
static int encrypt_announced(struct record_cipher *r, const OSSL_PARAM *p,
                             const OSSL_PARAM params[])
{
    const OSSL_PARAM *in =
        OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK_ENC_IN);
    const OSSL_PARAM *records =
        OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK_INTERLEAVE);
    struct multi_block *m = &r->multi;
    const unsigned announced = m->has_header ? m->records : 0;

    m->has_header = 0;
    if (!r->cipher.has_key || !r->has_mac_key)
        return provider_error(REASON_NO_KEY);
    if (p->data_type != OSSL_PARAM_OCTET_STRING || !p->data || !in ||
        in->data_type != OSSL_PARAM_OCTET_STRING || in->data_size != m->text_bytes ||
        !read_records(m, records) || m->records != announced)
        return provider_error(REASON_PARAMETER);
    if (!encrypt(r, p->data, in->data))
        return 0;
    statistics_add(STATISTIC_RECORD, m->records);
    statistics_add(STATISTIC_MULTI_BLOCK, 1);
    return 1;
}

int multi_block_set(struct record_cipher *r, const OSSL_PARAM *p, const OSSL_PARAM params[])
{
    if (!strcmp(p->key, OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK_AAD))
        return announce(r, p, params);
    if (!strcmp(p->key, OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK_ENC))
        return encrypt_announced(r, p, params);
    if (!strcmp(p->key, OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK_MAX_SEND_FRAGMENT) &&
        (!OSSL_PARAM_get_size_t(p, &r->multi.max_text_bytes) ||
         r->multi.max_text_bytes > SSL3_RT_MAX_PLAIN_LENGTH))
        return provider_error(REASON_PARAMETER);
    return 1;
}

int multi_block_get(const struct record_cipher *r, OSSL_PARAM *p)
{
    const struct multi_block *m = &r->multi;
    int ok = 1;

    if (!strcmp(p->key, OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK_MAX_BUFSIZE))
        ok = OSSL_PARAM_set_size_t(p, record_bytes(r, m->max_text_bytes));
    else if (!strcmp(p->key, OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK_INTERLEAVE))
        ok = OSSL_PARAM_set_uint(p, m->records);
    else if (!strcmp(p->key, OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK_AAD_PACKLEN))
        ok = OSSL_PARAM_set_uint(p, (unsigned) m->announced_bytes);
    else if (!strcmp(p->key, OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK_ENC_LEN))
        ok = OSSL_PARAM_set_size_t(p, m->done_bytes);
    return ok || provider_error(REASON_PARAMETER);
}
