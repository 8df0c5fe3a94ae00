/* The work: encoding, checking, decoding and rebuilding stripes with several threads.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef STRIPE_H
#define STRIPE_H

#include "ec_file.h"

#include <stdint.h>

#include "../common/output.h"
#include "shard.h"
#include "shard_set.h"

enum task { TASK_ENCODE, TASK_VERIFY, TASK_DECODE, TASK_REPAIR };

struct job {
    enum task task;
    const struct shard_header *header;
    int threads; /* upper limit; afterwards the number used */

    /* Input: the file (encode) or the shards (other tasks). */
    int file;
    const char *file_path;
    const struct shard_set *set;

    /* Output: the shards whose output is open (encode, repair), or the file (decode). */
    struct output *shard_out;
    const struct output *file_out;
    const char *out_path; /* for messages: the folder of the shards, or the file */

    /* One byte for each chunk, at [stripe * (k + m) + shard]; verify sets it to 1 if the chunk is
     * bad. Stripes from `stripes` on are not read: no shard is long enough to contain them. */
    unsigned char *bad;
    uint64_t stripes;

    uint64_t rebuilt; /* result of decode: number of rebuilt chunks */
};

/* Processes all stripes, in any order, and waits for the end. Prints messages about errors. */
enum status run_job(struct job *job);

#endif
