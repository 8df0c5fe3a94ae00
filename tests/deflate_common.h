/* Inputs and streams for the tests of compression.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef DEFLATE_COMMON_H
#define DEFLATE_COMMON_H

#include "test.h"

#include "isa-l.h"

#include "igzip/deflate/levels.h"

/* LEVELS public levels; ROWS of the level table, those for tests included. */
enum { MAX_INPUT = 300000, MAX_OUTPUT = 2 * MAX_INPUT + 100000 };
enum { LEVELS = ISAL_DEF_MAX_LEVEL + 1, ROWS = LEVEL_ROWS };

extern uint8_t input[MAX_INPUT], output[MAX_OUTPUT], decoded[MAX_INPUT + 70000];
extern uint8_t level_buf[ISAL_DEF_LVL3_EXTRA_LARGE + 64];
extern struct isal_zstream stream;

/* Bytes of the smallest level buffer of a row. */
static inline uint32_t level_min(unsigned level)
{
    return isalk_levels[level].min_level_buf;
}

/* A level buffer of this size at any alignment, with a guard after it. */
uint8_t *make_level_buf(uint32_t size);
int is_guard_intact(const uint8_t *buf, uint32_t size);

/* Writes input[i] to input[n - 1]: random bytes, few values, one value, repeats, skewed values, or
 * records of one size that change little. */
void make_bytes(size_t i, size_t n);
size_t make_size(size_t max);

/* Makes up to `max` bytes of input of one kind, or of a few one after the other; returns their
 * number. */
size_t make_input(size_t max);

uint32_t big_endian(const uint8_t *bytes);

/* Whether `size` bytes of output are a stream of the first n bytes of input, in this wrapper and with
 * this dictionary; `window` limits distances. */
int is_stream(size_t size, size_t n, unsigned wrapper, const uint8_t *dict, size_t dict_size,
              size_t window);

/* Makes calls use this row of the level table. */
void set_level(unsigned level);

/* isal_deflate() and isal_deflate_stateless() of `stream`, by the row set. */
int compress_stream(void);
int compress_at_once(void);

/* Initializes `stream`, with a level buffer of this size. */
void start_stream(uint32_t level, uint32_t buf_size);

/* How a test divides a stream. */
struct division {
    unsigned max_in, max_out; /* bytes that a call gets */
    unsigned flush;           /* 0 to 2, or 3: any */
    unsigned always_one;      /* one in so many calls has room for one byte of output; 0: none */
};

/* Compresses n bytes of input; returns the size, or 0 after a failure. Input that is not consumed
 * moves between calls, and consumed input is overwritten. */
size_t run_stream(size_t n, const struct division *d);

#endif
