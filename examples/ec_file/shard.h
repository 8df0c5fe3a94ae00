/* The format of shard files, version 1.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A file is divided into stripes, and each stripe into k data chunks. The code of
 * gf_gen_cauchy1_matrix() computes m parity chunks. Chunk i of every stripe goes to shard i, data
 * first. Any k intact chunks of a stripe restore it.
 *
 * A shard file is a header of 512 bytes and one record for each stripe. Integers are unsigned and
 * little-endian.
 *
 *     offset  bytes  header
 *          0      8  magic: 89 45 43 46 0d 0a 1a 0a (as in PNG, damage by text conversion shows)
 *          8      4  format version: 1
 *         12      2  k, the number of data shards, at least 1
 *         14      2  m, the number of parity shards, at least 1; k + m is at most 255
 *         16      2  index of this shard, below k + m
 *         18      2  length of the file name, 1 to 255
 *         20      4  chunk size, a multiple of 64; (k + m) times it is at most 256 MiB
 *         24      8  file size, at most 2^62
 *         32     16  set identifier: random, one for each run of encode
 *         48    255  file name, without folders; information only, never used as a path
 *        303    205  zero
 *        508      4  CRC-32C of bytes 0 to 507
 *
 *     record s, for stripe s from 0, at 512 + s * (chunk size + 4)
 *          0      n  the chunk
 *          n      4  CRC-32C of: set identifier (16 bytes), index (4), stripe (8), the chunk. It
 *                    also detects a chunk that was moved
 *
 * n is the chunk size. In the last stripe the k chunks share the remaining bytes of the file
 * evenly: n = ceil(remaining / k). Data chunk i of stripe s contains n bytes of the file from s * k
 * * chunk size + i * n, with zeros after the end of the file. An empty file has no stripes.
 *
 * The shard of index 7 is named shard-007.ec. The checksums detect accidental changes, not
 * forgery. */

#ifndef SHARD_H
#define SHARD_H

#include <stdint.h>

#define MAX_SHARDS 255
#define HEADER_SIZE 512
#define CHECKSUM_SIZE 4
#define CHUNK_UNIT 64
#define MAX_STRIPE_MEMORY (256u << 20)
#define SHARD_NAME_SIZE 16

struct shard_header {
    int k, m, index;
    uint32_t chunk_size;
    uint64_t file_size;
    unsigned char set[16];
    char file_name[256];
};

enum header_status {
    HEADER_OK,
    HEADER_FOREIGN, /* not a shard file: no magic */
    HEADER_DAMAGED, /* a wrong checksum or impossible values */
    HEADER_NEWER    /* intact, but of another format version */
};

/* Returns whether k, m and the chunk size are within the limits above. */
int geometry_is_valid(uint64_t k, uint64_t m, uint64_t chunk_size);

/* Writes the HEADER_SIZE bytes of shard number index. */
void header_write(unsigned char *out, const struct shard_header *h, int index);

/* Parses HEADER_SIZE bytes. If the result is HEADER_OK, *h is filled in with values for which no
 * function below overflows. */
enum header_status header_read(struct shard_header *h, const unsigned char *in);

/* Returns whether two headers belong to shards of one set. */
int same_set(const struct shard_header *a, const struct shard_header *b);

/* Name of shard number index: SHARD_NAME_SIZE bytes at out. Returns out. */
char *shard_name(char *out, int index);

/* Returns the index in the name of a shard, or -1. */
int shard_name_index(const char *name);

uint64_t stripe_count(const struct shard_header *h);
uint64_t shard_size(const struct shard_header *h);

/* Length n of the chunks of a stripe. */
uint32_t chunk_length(const struct shard_header *h, uint64_t stripe);

/* Offset in the shard file of the record of a stripe. */
uint64_t record_offset(const struct shard_header *h, uint64_t stripe);

/* Returns the offset of data chunk i of a stripe in the file. *length: its bytes before the end. */
uint64_t chunk_in_file(const struct shard_header *h, uint64_t stripe, int i, uint32_t *length);

uint32_t chunk_checksum(const struct shard_header *h, uint64_t stripe, int index,
                        const unsigned char *chunk, uint32_t length);

#endif
