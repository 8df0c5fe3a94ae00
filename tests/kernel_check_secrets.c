/* Searches registers and stack for secrets that a kernel has left there.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "kernel_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The order of `general` in struct call. */
static const char *const general_names[] = {"rax", "rcx", "rdx", "rsi", "rdi",
                                            "r8",  "r9",  "r11", "r10"};

static uint64_t load_window(const uint8_t *p)
{
    uint64_t w;

    memcpy(&w, p, WINDOW);
    return w;
}

/* True of windows with few different bytes, which unrelated data may contain. */
static int is_common(uint64_t w)
{
    unsigned different = 0;
    uint64_t seen[4] = {0};

    for (; w; w >>= 8) {
        uint64_t bit = (uint64_t) 1 << (w & 63), *word = &seen[w >> 6 & 3];
        different += !(*word & bit);
        *word |= bit;
    }
    return different < 5;
}

static uint64_t reversed(uint64_t w)
{
    uint64_t r = 0;

    for (unsigned i = 0; i < WINDOW; i++, w >>= 8)
        r = r << 8 | (w & 0xff);
    return r;
}

static void *checked_realloc(void *p, size_t size)
{
    p = realloc(p, size);
    if (!p) {
        perror("kernel_check: malloc");
        exit(2);
    }
    return p;
}

void check_secret(struct check *c, const char *what, const void *bytes, size_t n)
{
    struct secrets *s = &c->secrets;

    s->declared = 1;
    for (size_t i = 0; i + WINDOW <= n; i++) {
        uint64_t w = load_window((const uint8_t *) bytes + i);
        if (is_common(w))
            continue;
        if (s->used + 2 > s->capacity) {
            s->capacity = 2 * s->capacity + 1024;
            s->list = checked_realloc(s->list, s->capacity * sizeof *s->list);
        }
        s->list[s->used++] = (struct window){w, what};
        s->list[s->used++] = (struct window){reversed(w), what};
    }
}

/* The entry of a window, or the free entry where it belongs. */
static struct window *find_window(const struct secrets *s, uint64_t w)
{
    size_t i = (size_t) (w * 0x9e3779b97f4a7c15 >> 32) & s->mask;

    while (s->table[i].bytes && s->table[i].bytes != w)
        i = (i + 1) & s->mask;
    return &s->table[i];
}

void check_index_secrets(struct check *c)
{
    struct secrets *s = &c->secrets;
    size_t size = 64;

    if (!s->declared)
        return;
    while (size < 2 * s->used)
        size *= 2;
    if (size > s->mask + 1)
        s->table = checked_realloc(s->table, size * sizeof *s->table);
    s->mask = size - 1;
    memset(s->table, 0, size * sizeof *s->table);
    for (size_t i = 0; i < s->used; i++)
        *find_window(s, s->list[i].bytes) = s->list[i];
}

/* The name of the first secret in these bytes, or NULL; *at is its offset. */
static const char *find_secret(const struct secrets *s, const void *bytes, size_t n, size_t *at)
{
    for (*at = 0; *at + WINDOW <= n; ++*at) {
        uint64_t w = load_window((const uint8_t *) bytes + *at);
        const struct window *found = w ? find_window(s, w) : NULL;
        if (found && found->bytes)
            return found->what;
    }
    return NULL;
}

/* Each register is zero or as it was before the call. */
static void search_vectors(struct check *c, unsigned row, const struct call *call)
{
    static const uint8_t zero[48];
    size_t at;

    for (int i = 0; i < (call->vl == 64 ? 32 : 16); i++) {
        const uint8_t *v = call->vector[i];
        const char *what = find_secret(&c->secrets, v, call->vl, &at);
        if (what)
            check_fail(c, row, "leaves %s in vector register %d, byte %zu", what, i, at);
        else if (memcmp(v + 16, zero, 48) || (memcmp(v, zero, 16) && memcmp(v, call->before, 16)))
            check_fail(c, row, "leaves intermediate values in vector register %d", i);
    }
}

static void search_stack(struct check *c, unsigned row, const struct call *call)
{
    const char *what;
    size_t at, used_from = 0;

    while (used_from < STACK_BYTES && !memcmp(call->stack + used_from, call->before, 16))
        used_from += 16;
    if (used_from == 0)
        check_fail(c, row, "uses more stack than the %d bytes that are searched", STACK_BYTES);
    what = find_secret(&c->secrets, call->stack + used_from, STACK_BYTES - used_from, &at);
    if (what)
        check_fail(c, row, "leaves %s on the stack, %zu bytes below the frame", what,
                   STACK_BYTES - used_from - at);
}

/* For assembly only: a compiler is free in where it keeps the variables of portable C. */
void check_find_secrets(struct check *c, unsigned row, const struct call *call)
{
    const char *what;
    size_t at;

    search_vectors(c, row, call);
    for (size_t i = 0; i < ARRAY_SIZE(call->opmask); i++)
        if ((what = find_secret(&c->secrets, &call->opmask[i], WINDOW, &at)) != NULL)
            check_fail(c, row, "leaves %s in k%zu", what, i);
    for (size_t i = 0; i < ARRAY_SIZE(call->general); i++)
        if ((what = find_secret(&c->secrets, &call->general[i], WINDOW, &at)) != NULL)
            check_fail(c, row, "leaves %s in %s", what, general_names[i]);
    if (call->stack)
        search_stack(c, row, call);
}
