/* Compresses a source into a sink.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef IGZIP_COMPRESS_H
#define IGZIP_COMPRESS_H

#include "member.h"
#include "sink.h"
#include "source.h"

/* Compresses as `opt` says. Returns 0, or -1 with errno if the sink fails; a failed read is in the
 * source's `error`. Sets *overhead to the bytes of headers and trailers. */
int compress_file(struct source *, struct sink *, const struct origin *, uint64_t *overhead);

#endif
