/* The four commands of ec_file.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef COMMANDS_H
#define COMMANDS_H

#include "ec_file.h"

#include <stdint.h>

struct options {
    const char *input;  /* FILE of encode, DIR of the others */
    const char *output; /* DIR of encode, FILE of decode */
    int k, m;
    uint32_t chunk_size;
    int threads;
    int force;
};

enum status encode(const struct options *options);
enum status verify(const struct options *options);
enum status repair(const struct options *options);
enum status decode(const struct options *options);

#endif
