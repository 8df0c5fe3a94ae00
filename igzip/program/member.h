/* Headers of gzip members, and the two kinds that state their size.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A gzip header may have an "extra field" (RFC 1952, 2.3.1.1), a list of subfields. Two of them say
 * how long the member is, so that the next one can be found, and worked on, without decoding it:
 *
 *     BGZF (SAM/BAM format specification, 4.1): 'B' 'C', length 2, then the size of the member minus
 *     1 in 16 bits. A member has at most 64 KiB of data. An empty member ends the file.
 *
 *     igzip --indexed: 'I' 'G', length 8, then the size of the member and the size of its data, in
 *     32 bits each. A member has at most 16 MiB of data; igzip puts 512 KiB into each. An empty member
 *     ends the file.
 *
 * All numbers are little-endian. */

#ifndef IGZIP_MEMBER_H
#define IGZIP_MEMBER_H

#include <stddef.h>
#include <stdint.h>

#include "igzip.h"

#define BGZF_DATA 0xff00 /* bytes of data in a BGZF member: compressed or stored, it fits 64 KiB */
#define INDEXED_DATA (512 * 1024)
#define MEMBER_TRAILER 8

/* What a header tells of a file. */
struct origin {
    const char *name; /* NULL: none */
    uint32_t time;    /* seconds, 0: not known */
};

/* Most bytes that member_header() writes for this origin. */
size_t member_header_bound(const struct origin *);

/* Writes the header of a member; returns its length. The sizes of the sized formats are filled in by
 * member_set_size() once they are known. */
size_t member_header(uint8_t *p, enum format, int level, const struct origin *);
void member_set_size(uint8_t *header, enum format, size_t member, size_t data);

/* Writes an empty member of a sized format, which marks the end of the file; returns its length, at
 * most MEMBER_END_MAX. */
#define MEMBER_END_MAX 64
size_t member_end(uint8_t *p, enum format);

enum sizes { SIZES_NONE, SIZES_MORE_NEEDED, SIZES_BGZF, SIZES_INDEXED };

/* Looks at the first len bytes of a member for its sizes. SIZES_MORE_NEEDED: the header is longer
 * than len. *data is 0 for BGZF, whose trailer alone has it. What the sizes say is not to be
 * trusted, but they are at least large enough for a header and within the format's bounds. */
enum sizes member_sizes(const uint8_t *p, size_t len, size_t *member, size_t *data);

/* First place at or after p + from where a member may begin; len if there is none. */
size_t member_find(const uint8_t *p, size_t from, size_t len);

#endif
