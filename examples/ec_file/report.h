/* What ec_file prints about a set of shards and about its speed.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef REPORT_H
#define REPORT_H

#include "ec_file.h"

#include "stripe.h"

/* The three that follow take a job of task verify after its run. */

/* Whether a shard is anything but whole and in its place. */
int needs_repair(const struct job *job, int index);

/* Whether every stripe has enough intact chunks. */
int is_recoverable(const struct job *job);

/* Prints the set, the state of each shard (if all is set, else only of those that need repair), and
 * the conclusion. Returns STATUS_DAMAGE if there is damage. */
enum status print_report(const struct job *job, int all);

/* Prints the state of the shards that need repair. */
void print_damaged(const struct job *job);

/* Prints how fast the job was: the whole file in that many seconds of work and of waiting for the
 * disk. */
void print_speed(const char *verb, const struct job *job, double work, double sync);

#endif
