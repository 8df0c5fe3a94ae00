/* Images: sectors under AES-256-XTS, at their places and of unchanged size.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The image begins at byte IMAGE_AT, after the header and zeros, so that sector i of the image is a
 * run of whole sectors of the file. Its tweak is i. XTS does not detect changes: the header
 * protects the key, the sector size and the length, not the contents. */

#include "header.h"

#include "../common/output.h"
#include <isa-l_crypto.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define IMAGE_AT 4096
#define RUN ((size_t) 1 << 20) /* bytes processed at a time: whole sectors */
#define SCHEDULE (15 * 16)

struct image {
    uint8_t k1_enc[SCHEDULE], k1_dec[SCHEDULE], k2_enc[SCHEDULE], k2_dec[SCHEDULE];
    uint8_t data[RUN];
};

/* Gets the size of the input, which must be a regular file. */
static enum status input_size(const struct job *job, uint64_t *size)
{
    struct stat info;

    if (fstat(job->in, &info))
        return input_error(job);
    if (!S_ISREG(info.st_mode)) {
        complain("%s: an image must be a regular file", job->in_name);
        return STATUS_ERROR;
    }
    *size = (uint64_t) info.st_size;
    return STATUS_OK;
}

static enum status each_run(struct image *image, const struct job *job, const struct header *header,
                            int encrypt)
{
    const uint64_t unit = header->unit;

    for (uint64_t at = 0, len; at < header->size; at += len) {
        ptrdiff_t got;
        int error;

        len = header->size - at < RUN ? header->size - at : RUN;
        got = read_input(job, image->data, (size_t) len);
        if (got < 0)
            return input_error(job);
        if ((uint64_t) got != len) {
            complain("%s: it was truncated meanwhile", job->in_name);
            return STATUS_ERROR;
        }
        error = encrypt ? isal_aes_xts_enc_256_sectors(image->k2_enc, image->k1_enc, at / unit,
                                                       unit, len / unit, image->data, image->data)
                        : isal_aes_xts_dec_256_sectors(image->k2_enc, image->k1_dec, at / unit,
                                                       unit, len / unit, image->data, image->data);
        if (error) {
            complain("encryption failed");
            return STATUS_ERROR;
        }
        if (output_write(job->out, image->data, (size_t) len, encrypt ? IMAGE_AT + at : at))
            return output_error(job);
    }
    return STATUS_OK;
}

static enum status run(const struct job *job, const struct header *header, int encrypt)
{
    struct image *image = allocate(sizeof *image);
    enum status status = STATUS_ERROR;

    if (isal_aes_keyexp_256(header->key1, image->k1_enc, image->k1_dec) ||
        isal_aes_keyexp_256(header->key2, image->k2_enc, image->k2_dec))
        complain("encryption failed");
    else
        status = each_run(image, job, header, encrypt);
    wipe(image, sizeof *image);
    free(image);
    return status;
}

enum status image_encrypt(const struct job *job)
{
    static const uint8_t zeros[IMAGE_AT - HEADER_SIZE];
    struct header header;
    uint64_t size;
    enum status status = input_size(job, &size);

    if (status == STATUS_OK && size % job->sector) {
        complain("%s: its size is not a multiple of the sector size, %lu", job->in_name,
                 (unsigned long) job->sector);
        status = STATUS_ERROR;
    }
    if (status != STATUS_OK)
        return status;
    status = header_make(&header, MODE_XTS, job->sector, size, job->key);
    if (status == STATUS_OK && (output_write(job->out, header.text, HEADER_SIZE, 0) ||
                                output_write(job->out, zeros, sizeof zeros, HEADER_SIZE)))
        status = output_error(job);
    if (status == STATUS_OK)
        status = run(job, &header, 1);
    wipe(&header, sizeof header);
    return status;
}

enum status image_decrypt(const struct job *job, const struct header *header)
{
    uint8_t rest[IMAGE_AT - HEADER_SIZE];
    uint64_t size;
    ptrdiff_t got;
    enum status status = input_size(job, &size);

    if (status != STATUS_OK)
        return status;
    if ((header->unit != 512 && header->unit != 4096) || header->size % header->unit) {
        complain("%s: made by an unknown version of encrypt_file", job->in_name);
        return STATUS_DAMAGE;
    }
    if (size < IMAGE_AT || size - IMAGE_AT != header->size) {
        complain("%s: %s", job->in_name,
                 size < IMAGE_AT || size - IMAGE_AT < header->size ? "the end is missing"
                                                                   : "there is data after the end");
        return STATUS_DAMAGE;
    }
    got = read_input(job, rest, sizeof rest);
    if (got < 0)
        return input_error(job);
    for (size_t i = 0; i < sizeof rest; i++)
        if (got != (ptrdiff_t) sizeof rest || rest[i]) {
            complain("%s: the header is damaged", job->in_name);
            return STATUS_DAMAGE;
        }
    return run(job, header, 0);
}
