/* Decompression of a source into a sink.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef IGZIP_DECOMPRESS_H
#define IGZIP_DECOMPRESS_H

#include "sink.h"
#include "source.h"

#define NAME_MAX_STORED 4096

struct decompressed {
    uint64_t overhead;          /* bytes of the first member's header, and of a trailer */
    uint32_t crc;               /* of the last member that has data */
    uint32_t time;              /* stored in the first member, 0: none */
    char name[NAME_MAX_STORED]; /* stored in the first member, empty: none */
};

enum decoded {
    DECODED_WELL,
    DECODED_CUT_SHORT, /* well, but the member that should be the last is missing: a warning */
    DECODED_BADLY,     /* reported; the sink has what was before the damage */
    NOT_GZIP           /* nothing was taken from the source, nothing reported */
};

/* Decompresses all members; with `copies`, copies what comes after them, or the whole of a file that
 * has none. Messages name the file `name`. */
enum decoded decompress_file(struct source *, struct sink *, const char *name, int copies,
                             struct decompressed *);

#endif
