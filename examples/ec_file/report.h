/* What ec_file prints about a set of shards and about its speed.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef REPORT_H
#define REPORT_H

#include "ec_file.h"

#include "stripe.h"

/* The next three functions need a job of task verify after its run. */

/* Returns whether a shard is missing, damaged or in another place. */
int needs_repair(const struct job *job, int index);

/* Returns whether every stripe has enough intact chunks. */
int is_recoverable(const struct job *job);

/* Prints the set, the state of its shards (of all if `all`, else of those that need repair), and
 * the conclusion. Returns STATUS_DAMAGE if there is damage. */
enum status print_report(const struct job *job, int all);

/* Prints the state of the shards that need repair. */
void print_damaged(const struct job *job);

/* Prints the speed of a job, from the seconds of work and of waiting for the disk. */
void print_speed(const char *verb, const struct job *job, double work, double sync);

#endif
