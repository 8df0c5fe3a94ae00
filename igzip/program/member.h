/* Headers of gzip members, and the two formats that state their sizes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A gzip header may have an "extra field" (RFC 1952, 2.3.1.1), a list of subfields. Two kinds of
 * subfields state the size of the member, so that the next member can be found and decoded in
 * parallel:
 *
 *     BGZF (SAM/BAM format specification, 4.1): 'B' 'C', length 2, then the size of the member
 *     minus 1 in 16 bits. A member has at most 64 KiB of data. An empty member ends the file.
 *
 *     igzip --indexed: 'I' 'G', length 8, then the size of the member and the size of its data, in
 *     32 bits each. A member has at most 16 MiB of data; igzip writes 512 KiB. An empty member
 *     ends the file.
 *
 * All numbers are little-endian. */

#ifndef IGZIP_MEMBER_H
#define IGZIP_MEMBER_H

#include <stddef.h>
#include <stdint.h>

#include "igzip.h"

#define BGZF_DATA 0xff00 /* bytes of data in a BGZF member, which then fits 64 KiB even if stored */
#define INDEXED_DATA (512 * 1024)
#define MEMBER_TRAILER 8

/* The name and time of the original file, for a header. */
struct origin {
    const char *name; /* NULL: none */
    uint32_t time;    /* seconds, 0: not known */
};

/* Upper bound of the bytes that member_header() writes. */
size_t member_header_bound(const struct origin *);

/* Writes the header of a member and returns its length. In formats that state sizes,
 * member_set_size() fills them in later. */
size_t member_header(uint8_t *p, enum format, int level, const struct origin *);
void member_set_size(uint8_t *header, enum format, size_t member, size_t data);

/* Writes the empty member that ends a file of such a format. Returns its length, at most
 * MEMBER_END_MAX. */
#define MEMBER_END_MAX 64
size_t member_end(uint8_t *p, enum format);

enum sizes { SIZES_NONE, SIZES_MORE_NEEDED, SIZES_BGZF, SIZES_INDEXED };

/* Reads the sizes that the first len bytes of a member state. SIZES_MORE_NEEDED: the header is
 * longer than len. *data is 0 for BGZF, where only the trailer has it. The sizes may be wrong, but
 * they are large enough for a header and within the format's bounds. */
enum sizes member_sizes(const uint8_t *p, size_t len, size_t *member, size_t *data);

/* Offset of the first byte from `from` on where a member may begin; len if there is none. */
size_t member_find(const uint8_t *p, size_t from, size_t len);

#endif
