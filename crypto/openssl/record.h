/* AES-CBC with HMAC of the provider: contexts and the records of several messages.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef RECORD_H
#define RECORD_H

#include "crypto/openssl/async.h"
#include "crypto/openssl/cipher.h"
#include "crypto/openssl/tls_mac.h"

/* Records that are encrypted together, at most. */
#define RECORD_LANES 32

struct record_kind {
    struct cipher_kind cipher; /* first: contexts point to it */
    const struct hash *hash;
    struct async_kind async;       /* requests are records */
    struct async_kind async_multi; /* requests are multi-blocks */
};

#define MULTI_BLOCK_RECORDS 8 /* at most */

/* TLS multi-block: the text of one write, in several records. */
struct multi_block {
    unsigned records;       /* 4 or 8 */
    size_t max_text_bytes;  /* of a record, for the size of a buffer that the caller keeps */
    size_t text_bytes;      /* of all records */
    size_t announced_bytes; /* of all records with headers, IVs, MACs and padding */
    size_t done_bytes;      /* written by the last call */
    int has_header;         /* the next call is a multi-block */
    uint8_t iv[MULTI_BLOCK_RECORDS][AES_BLOCK];
    uint8_t header[TLS_HEADER]; /* pseudo-header of the first record, without the length */
};

struct record_cipher {
    struct cipher cipher; /* first: the functions of all modes take it */
    struct tls_mac mac;
    uint8_t header[TLS_HEADER];
    int has_mac_key, has_header; /* has_header: the next call is a record */
    size_t text_bytes;           /* of the record to encrypt */
    size_t explicit_iv;          /* bytes: 0 or 16 */
    size_t added;                /* bytes that encryption adds; in decryption, bytes of the MAC */
    struct multi_block multi;
};

static inline const struct record_kind *record_kind_of(const struct record_cipher *r)
{
    return (const struct record_kind *) (const void *) r->cipher.kind;
}

/* The text of a record, and where it goes. */
struct record {
    const struct tls_mac *mac;   /* its key */
    union hash_context *message; /* memory for the hash */
    const uint8_t *header;       /* TLS_HEADER bytes */
    const uint8_t *text;         /* may be `out` */
    size_t text_bytes;
    uint8_t *out;
    size_t bytes;    /* of text, MAC and padding */
    int is_after_iv; /* the caller's buffer has an IV before `out` */
};

/* Write text, MAC and padding of n records, at least one and at most RECORD_LANES. */
void record_protect(const struct hash *hash, const struct record *records, unsigned n);

/* TLS multi-block. Sets a parameter whose name is OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK_*; one of them
 * encrypts. Some need others of the same call, `params`. */
int multi_block_set(struct record_cipher *r, const OSSL_PARAM *p, const OSSL_PARAM params[]);
/* MACs and encrypts the multi-blocks of several contexts of one kind. */
void multi_block_encrypt_all(const struct async_request *requests, unsigned n);
/* Gets such a parameter. */
int multi_block_get(const struct record_cipher *r, OSSL_PARAM *p);
/* Returns whether a parameter is one of these. */
int multi_block_is(const char *name);

#endif
