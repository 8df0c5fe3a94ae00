/* Decompresses a source into a sink.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef IGZIP_DECOMPRESS_H
#define IGZIP_DECOMPRESS_H

#include "sink.h"
#include "source.h"

struct inflate_state;

#define NAME_MAX_STORED 4096

struct decompressed {
    uint64_t overhead;          /* bytes of the first member's header and trailer */
    uint32_t crc;               /* of the last member with data */
    uint32_t time;              /* stored in the first member, 0: none */
    char name[NAME_MAX_STORED]; /* stored in the first member, empty: none */
};

enum decoded {
    DECODED_OK,
    DECODED_INCOMPLETE, /* the empty member at the end is missing: a warning */
    DECODED_ERROR,      /* reported; the sink has the data before the error */
    NOT_GZIP            /* nothing consumed, nothing reported */
};

/* Decompresses all members, or the first entry of a .zip file. With `copies`, data after the
 * members and files without members are copied. Messages name the file `name`. */
enum decoded decompress_file(struct source *, struct sink *, const char *name, int copies,
                             struct decompressed *);

/* Inflates from the source into the sink to the end of the stream. *status is the last result of
 * isal_inflate(); if it is negative, returns DECODED_ERROR, and the caller reports the error. */
enum decoded inflate_all(struct source *, struct sink *, const char *name, struct inflate_state *,
                         int *status);

/* Report that the input has ended, or that the output cannot be written. */
enum decoded report_end(const struct source *, const char *name);
enum decoded report_write(const char *name);

#endif
