/* Inputs to be removed when their outputs are on disk.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Syncing a small output takes much longer than writing it. Therefore outputs are collected and
 * synced together, and then their inputs are removed. */

#ifndef IGZIP_REMOVAL_H
#define IGZIP_REMOVAL_H

#include <sys/stat.h>

#include "output.h"

/* Takes over the descriptors of a published output. The input at `path`, called `name` in messages,
 * will be removed; `st` is what it was when it was read. */
void removal_add(struct output *, const char *path, const char *name, const struct stat *st);

/* 1 if this file is an input that will be removed. */
int removal_waits_for(const struct stat *);

/* Syncs the outputs and removes the inputs. An input whose output fails is kept, and reported. */
void removal_finish(void);

/* The same without messages, as the last action of the program. Safe in a signal handler. */
void removal_finish_quietly(void);

#endif
