/* The inputs of a case: random numbers and buffers between guard pages; comparison of the buffers.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "kernel_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- Numbers and descriptions ---- */

/* SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). */
uint64_t check_random64(struct check *c)
{
    uint64_t z = c->random += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

unsigned check_random(struct check *c, unsigned n)
{
    return (unsigned) (check_random64(c) >> 32) % n;
}

size_t check_record(struct check *c, const char *name, size_t value)
{
    if (c->number_count < MAX_NUMBERS) {
        c->numbers[c->number_count].name = name;
        c->numbers[c->number_count++].value = value;
    }
    return value;
}

size_t check_number(struct check *c, const char *name, size_t min, size_t max)
{
    return check_record(c, name, min + check_random(c, (unsigned) (max - min + 1)));
}

int check_parameter(const struct check *c)
{
    return c->test->parameter;
}

void check_describe(struct check *c, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vsnprintf(c->description, sizeof c->description, format, list);
    va_end(list);
}

int check_row_avoids(const struct check *c, uint64_t features)
{
    return (c->kernel->variants[c->row].avoid & features) != 0;
}

void check_settle(struct check *c, const char *(*settle)(void *arg, uint64_t result), void *arg)
{
    c->settle = settle;
    c->settle_arg = arg;
}

/* ---- Buffers ---- */

static void fill(struct check *c, uint8_t *data, size_t len)
{
    unsigned kind = check_random(c, 16);

    if (kind == 0) {
        memset(data, 0, len);
    } else if (kind == 1) {
        memset(data, 0xff, len);
    } else if (kind == 2) {
        memset(data, 0, len);
        if (len)
            data[check_random(c, (unsigned) len)] = (uint8_t) (1u << check_random(c, 8));
    } else {
        for (size_t i = 0; i < len; i += 8) {
            uint64_t r = check_random64(c);
            memcpy(data + i, &r, len - i < 8 ? len - i : 8);
        }
    }
}

size_t check_page_bytes(void)
{
    return (size_t) sysconf(_SC_PAGESIZE);
}

static void map_buffer(struct buffer *b)
{
    size_t page = check_page_bytes();
    size_t size = (CHECK_BYTES + page - 1) / page * page;
    uint8_t *map = mmap(NULL, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (map == MAP_FAILED || mprotect(map + page, size, PROT_READ | PROT_WRITE)) {
        perror("kernel_check: mmap");
        exit(2);
    }
    b->region = map + page + size - CHECK_BYTES;
    b->initial = malloc(CHECK_BYTES);
    b->expected = malloc(CHECK_BYTES);
    if (!b->initial || !b->expected) {
        perror("kernel_check: malloc");
        exit(2);
    }
}

/* Canary bytes before and after a buffer. */
static size_t canary_before(const struct buffer *b)
{
    size_t n = (size_t) (b->data - b->region);

    return n < CANARY_BYTES ? n : CANARY_BYTES;
}

static size_t canary_after(const struct buffer *b)
{
    size_t n = (size_t) (b->region + CHECK_BYTES - b->data) - b->len;

    return n < CANARY_BYTES ? n : CANARY_BYTES;
}

static uint8_t *new_buffer(struct check *c, size_t len, int is_output, enum placement placement)
{
    struct buffer *b = &c->buffers[c->used++];
    size_t room = CHECK_BYTES - len;

    if (c->used > CHECK_BUFFERS || len > CHECK_BYTES) {
        fprintf(stderr, "kernel_check: %s asks for too many buffers or bytes\n", c->test->kernel);
        exit(2);
    }
    if (!b->region)
        map_buffer(b);
    b->len = len;
    b->is_output = is_output;
    if (placement == FLUSH_END)
        b->data = b->region + room;
    else if (placement == FLUSH_START)
        b->data = b->region;
    else
        b->data = b->region + check_random(c, (unsigned) (room < 256 ? room + 1 : 256));
    memset(b->data - canary_before(b), CANARY, canary_before(b));
    memset(b->data + len, CANARY, canary_after(b));
    fill(c, b->data, len);
    return b->data;
}

uint8_t *check_input(struct check *c, size_t len)
{
    return new_buffer(c, len, 0, c->placement);
}

uint8_t *check_output(struct check *c, size_t len)
{
    return new_buffer(c, len, 1, c->placement);
}

void *check_struct(struct check *c, const void *initial, size_t size, int is_output)
{
    uint8_t *data =
        new_buffer(c, size, is_output, c->placement == MISALIGNED ? FLUSH_END : c->placement);

    if (initial)
        memcpy(data, initial, size);
    return data;
}

void *check_pointers(struct check *c, uint8_t *const *pointers, size_t n)
{
    return check_struct(c, pointers, n * sizeof *pointers, 0);
}

/* ---- Comparisons ---- */

void check_save_buffers(struct check *c)
{
    for (size_t i = 0; i < c->used; i++)
        memcpy(c->buffers[i].initial, c->buffers[i].data, c->buffers[i].len);
}

void check_reset_outputs(struct check *c)
{
    for (size_t i = 0; i < c->used; i++)
        if (c->buffers[i].is_output)
            memcpy(c->buffers[i].data, c->buffers[i].initial, c->buffers[i].len);
}

/* Index of the first byte that is not CANARY, or n. */
static size_t canary_broken(const uint8_t *p, size_t n)
{
    size_t i = 0;

    if (n && p[0] == CANARY && !memcmp(p, p + 1, n - 1))
        return n;
    while (i < n && p[i] == CANARY)
        i++;
    return i;
}

static void check_canaries(struct check *c, unsigned row, size_t i)
{
    const struct buffer *b = &c->buffers[i];
    const char *what = b->is_output ? "output" : "input";
    unsigned address = (unsigned) ((uintptr_t) b->data & 63);
    size_t low = canary_before(b), high = canary_after(b), at;

    if ((at = canary_broken(b->data - low, low)) < low)
        check_fail(c, row, "writes %zu bytes before %s buffer %zu (address %% 64 = %u)", low - at,
                   what, i, address);
    if ((at = canary_broken(b->data + b->len, high)) < high)
        check_fail(c, row, "writes %zu bytes after the end of %s buffer %zu (address %% 64 = %u)",
                   at + 1, what, i, address);
}

void check_buffers(struct check *c, unsigned row)
{
    for (size_t i = 0; i < c->used; i++) {
        struct buffer *b = &c->buffers[i];
        const uint8_t *want = b->is_output ? b->expected : b->initial;
        size_t at = 0;

        check_canaries(c, row, i);
        if (b->is_output && row == 0) {
            memcpy(b->expected, b->data, b->len);
        } else if (memcmp(b->data, want, b->len)) {
            while (b->data[at] == want[at])
                at++;
            check_fail(c, row,
                       "%s buffer %zu (%zu bytes, address %% 64 = %u): byte %zu is %02x, not %02x",
                       b->is_output ? "output" : "input", i, b->len,
                       (unsigned) ((uintptr_t) b->data & 63), at, b->data[at], want[at]);
        }
    }
}
