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
    int threads; /* at most; then how many there were */

    /* What is read: by encode the file, by the others the shards. */
    int file;
    const char *file_path;
    const struct shard_set *set;

    /* What is written: by encode and repair the shards whose output is open, by decode the file. */
    struct output *shard_out;
    const struct output *file_out;
    const char *out_path; /* for messages: the folder of the shards, or the file */

    /* One byte for each chunk, at [stripe * (k + m) + shard], which verify sets to 1 if the chunk
     * is bad. Stripes from `stripes` on are not looked at: no shard is long enough to have them. */
    unsigned char *bad;
    uint64_t stripes;

    uint64_t rebuilt; /* result of decode: how many chunks had to be computed from others */
};

/* Does the job, stripes in no certain order, and waits for the end. Prints what is wrong. */
enum status run_job(struct job *job);

#endif
