/* Streams: chunks under AES-256-GCM, numbered and with the last one marked.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * This is the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizar: Online Authenticated-
 * Encryption and its Nonce-Reuse Misuse-Resistance, CRYPTO 2015). The IV of a chunk is its
 * number (8 bytes, little-endian), 3 zeros, and 1 for the last chunk or else 0. Decryption
 * detects a chunk that is changed, moved, missing or repeated, and the loss of the last ones. All
 * chunks except the last are full; only an empty file has an empty chunk. */

#include "header.h"

#include "../common/little_endian.h"
#include "../common/output.h"
#include <isa-l_crypto.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t) 65536)
#define TAG 16

struct stream {
    struct isal_gcm_key_data key;
    struct isal_gcm_context_data context;
    uint8_t now[CHUNK + TAG], next[CHUNK + TAG], result[CHUNK + TAG];
};

static void make_iv(uint8_t iv[12], uint64_t number, int last)
{
    memset(iv, 0, 12);
    put_le(iv, 8, number);
    iv[11] = (uint8_t) last;
}

static int seal(struct stream *s, size_t len, uint64_t number, int last)
{
    uint8_t iv[12];

    make_iv(iv, number, last);
    return isal_aes_gcm_enc_256(&s->key, &s->context, s->result, s->now, len, iv, NULL, 0,
                                s->result + len, TAG);
}

/* Decrypts a chunk of len bytes and a tag. Returns whether it is authentic. */
static int open_chunk(struct stream *s, size_t len, uint64_t number, int last)
{
    uint8_t iv[12], tag[TAG];

    make_iv(iv, number, last);
    return !isal_aes_gcm_dec_256(&s->key, &s->context, s->result, s->now, len, iv, NULL, 0, tag,
                                 TAG) &&
           same_secret(tag, s->now + len, TAG);
}

static enum status refuse(struct stream *s, const struct job *job, size_t len, uint64_t number,
                          int last)
{
    if (len >= TAG && open_chunk(s, len - TAG, number, !last))
        complain("%s: %s", job->in_name,
                 last ? "the end is missing" : "there is data after the end");
    else
        complain("%s: chunk %llu is damaged, cut off or not in its place", job->in_name,
                 (unsigned long long) number);
    return STATUS_DAMAGE;
}

/* Processes the input in pieces of `full` bytes. The last piece is the one before the end. */
static enum status each_chunk(struct stream *s, const struct job *job, size_t full, int encrypt)
{
    uint64_t at = encrypt ? HEADER_SIZE : 0;
    ptrdiff_t len = read_input(job, s->now, full), following = 0;

    for (uint64_t number = 0;; number++) {
        int last;
        size_t size;

        if (len == (ptrdiff_t) full)
            following = read_input(job, s->next, full);
        if (len < 0 || following < 0)
            return input_error(job);
        last = len < (ptrdiff_t) full || following == 0;
        if (encrypt) {
            size = (size_t) len + TAG;
            if (seal(s, (size_t) len, number, last)) {
                complain("encryption failed");
                return STATUS_ERROR;
            }
        } else {
            if (len < TAG || !open_chunk(s, (size_t) len - TAG, number, last))
                return refuse(s, job, (size_t) len, number, last);
            size = (size_t) len - TAG;
        }
        if (output_write(job->out, s->result, size, at))
            return output_error(job);
        at += size;
        if (last)
            return STATUS_OK;
        memcpy(s->now, s->next, (size_t) following);
        len = following;
        following = 0;
    }
}

static enum status run(const struct job *job, const struct header *header, int encrypt)
{
    struct stream *s = allocate(sizeof *s);
    enum status status = STATUS_ERROR;

    if (isal_aes_gcm_pre_256(header->key1, &s->key))
        complain("encryption failed");
    else
        status = each_chunk(s, job, encrypt ? CHUNK : CHUNK + TAG, encrypt);
    wipe(s, sizeof *s);
    free(s);
    return status;
}

enum status stream_encrypt(const struct job *job)
{
    struct header header;
    enum status status = header_make(&header, MODE_GCM, CHUNK, 0, job->key);

    if (status == STATUS_OK && output_write(job->out, header.text, HEADER_SIZE, 0))
        status = output_error(job);
    if (status == STATUS_OK)
        status = run(job, &header, 1);
    wipe(&header, sizeof header);
    return status;
}

enum status stream_decrypt(const struct job *job, const struct header *header)
{
    if (header->unit != CHUNK || header->size) {
        complain("%s: made by an unknown version of encrypt_file", job->in_name);
        return STATUS_DAMAGE;
    }
    return run(job, header, 0);
}
