/* Shard files: header, places of chunks, checksums. shard.h describes the format.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "ec_file.h"

#include "shard.h"

#include <stdio.h>
#include <string.h>

#include "checksum.h"
#include "../common/little_endian.h"

#define FORMAT_VERSION 1
#define MAX_FILE_SIZE ((uint64_t) 1 << 62)

enum header_offset {
    AT_VERSION = 8,
    AT_K = 12,
    AT_M = 14,
    AT_INDEX = 16,
    AT_NAME_LENGTH = 18,
    AT_CHUNK_SIZE = 20,
    AT_FILE_SIZE = 24,
    AT_SET = 32,
    AT_NAME = 48,
    AT_CHECKSUM = HEADER_SIZE - CHECKSUM_SIZE
};

static const unsigned char magic[8] = {0x89, 'E', 'C', 'F', '\r', '\n', 0x1a, '\n'};

int geometry_is_valid(uint64_t k, uint64_t m, uint64_t chunk_size)
{
    return k >= 1 && m >= 1 && k <= MAX_SHARDS && m <= MAX_SHARDS - k && chunk_size >= CHUNK_UNIT &&
           chunk_size % CHUNK_UNIT == 0 && chunk_size <= MAX_STRIPE_MEMORY / (k + m);
}

void header_write(unsigned char *out, const struct shard_header *h, int index)
{
    size_t name_length = strlen(h->file_name);

    memset(out, 0, HEADER_SIZE);
    memcpy(out, magic, sizeof magic);
    put_le(out + AT_VERSION, 4, FORMAT_VERSION);
    put_le(out + AT_K, 2, (uint64_t) h->k);
    put_le(out + AT_M, 2, (uint64_t) h->m);
    put_le(out + AT_INDEX, 2, (uint64_t) index);
    put_le(out + AT_NAME_LENGTH, 2, name_length);
    put_le(out + AT_CHUNK_SIZE, 4, h->chunk_size);
    put_le(out + AT_FILE_SIZE, 8, h->file_size);
    memcpy(out + AT_SET, h->set, sizeof h->set);
    memcpy(out + AT_NAME, h->file_name, name_length);
    put_le(out + AT_CHECKSUM, CHECKSUM_SIZE, checksum(0, out, AT_CHECKSUM));
}

enum header_status header_read(struct shard_header *h, const unsigned char *in)
{
    uint64_t k, m, index;
    size_t name_length;

    if (memcmp(in, magic, sizeof magic) != 0)
        return HEADER_FOREIGN;
    if (get_le(in + AT_CHECKSUM, CHECKSUM_SIZE) != checksum(0, in, AT_CHECKSUM))
        return HEADER_DAMAGED;
    if (get_le(in + AT_VERSION, 4) != FORMAT_VERSION)
        return HEADER_NEWER;
    k = get_le(in + AT_K, 2);
    m = get_le(in + AT_M, 2);
    index = get_le(in + AT_INDEX, 2);
    name_length = (size_t) get_le(in + AT_NAME_LENGTH, 2);
    memset(h, 0, sizeof *h);
    h->chunk_size = (uint32_t) get_le(in + AT_CHUNK_SIZE, 4);
    h->file_size = get_le(in + AT_FILE_SIZE, 8);
    if (!geometry_is_valid(k, m, h->chunk_size) || index >= k + m || h->file_size > MAX_FILE_SIZE ||
        name_length >= sizeof h->file_name || memchr(in + AT_NAME, 0, name_length))
        return HEADER_DAMAGED;
    h->k = (int) k;
    h->m = (int) m;
    h->index = (int) index;
    memcpy(h->set, in + AT_SET, sizeof h->set);
    memcpy(h->file_name, in + AT_NAME, name_length);
    return HEADER_OK;
}

int same_set(const struct shard_header *a, const struct shard_header *b)
{
    return a->k == b->k && a->m == b->m && a->chunk_size == b->chunk_size &&
           a->file_size == b->file_size && !memcmp(a->set, b->set, sizeof a->set) &&
           !strcmp(a->file_name, b->file_name);
}

char *shard_name(char *out, int index)
{
    snprintf(out, SHARD_NAME_SIZE, "shard-%03d.ec", index & 0xff);
    return out;
}

int shard_name_index(const char *name)
{
    char expected[SHARD_NAME_SIZE];

    for (int i = 0; i < MAX_SHARDS; i++)
        if (!strcmp(name, shard_name(expected, i)))
            return i;
    return -1;
}

static uint64_t stripe_size(const struct shard_header *h)
{
    return (uint64_t) h->k * h->chunk_size;
}

uint64_t stripe_count(const struct shard_header *h)
{
    return h->file_size / stripe_size(h) + (h->file_size % stripe_size(h) != 0);
}

uint32_t chunk_length(const struct shard_header *h, uint64_t stripe)
{
    uint64_t left = h->file_size - stripe * stripe_size(h), k = (uint64_t) h->k;

    return left >= stripe_size(h) ? h->chunk_size : (uint32_t) ((left + k - 1) / k);
}

uint64_t record_offset(const struct shard_header *h, uint64_t stripe)
{
    return HEADER_SIZE + stripe * (h->chunk_size + CHECKSUM_SIZE);
}

uint64_t shard_size(const struct shard_header *h)
{
    uint64_t stripes = stripe_count(h);

    if (!stripes)
        return HEADER_SIZE;
    return record_offset(h, stripes - 1) + chunk_length(h, stripes - 1) + CHECKSUM_SIZE;
}

uint64_t chunk_in_file(const struct shard_header *h, uint64_t stripe, int i, uint32_t *length)
{
    uint32_t n = chunk_length(h, stripe);
    uint64_t start = stripe * stripe_size(h) + (uint64_t) i * n;

    *length = start >= h->file_size      ? 0
              : h->file_size - start < n ? (uint32_t) (h->file_size - start)
                                         : n;
    return start;
}

uint32_t chunk_checksum(const struct shard_header *h, uint64_t stripe, int index,
                        const unsigned char *chunk, uint32_t length)
{
    unsigned char place[28];

    memcpy(place, h->set, sizeof h->set);
    put_le(place + 16, 4, (uint64_t) index);
    put_le(place + 20, 8, stripe);
    return checksum(checksum(0, place, sizeof place), chunk, length);
}
