/* Kernel check of LZ77: match finders and the hash table.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include <string.h>

#include "igzip/lz77/parser.h"

/* Bytes that repeat: copies of earlier bytes, short or long, near or far, often at the distance of the
 * last copy, between short or long runs of random bytes of few or many values. */
static void fill_repeating(struct check *c, uint8_t *bytes, size_t n)
{
    unsigned values = check_random(c, 2) ? 2 + check_random(c, 6) : 256;
    unsigned longest = check_random(c, 2) ? 12 : 600, often = 1 + check_random(c, 8);
    unsigned run_kind = check_random(c, 3), stay = check_random(c, 3);
    size_t back = 1;

    for (size_t i = 0; i < n;) {
        if (i > 0 && check_random(c, often + 1)) {
            if (back > i || check_random(c, stay + 1) == 0)
                back = 1 + check_random(c, (unsigned) (check_random(c, 2) || i < 16 ? i : 16));
            for (size_t left = 1 + check_random(c, longest); left > 0 && i < n; left--, i++)
                bytes[i] = bytes[i - back];
        } else {
            size_t left =
                run_kind == 0 ? 1
                : run_kind == 1
                    ? 1 + check_random(c, 130)
                    : 54 + check_random(c, 12); /* the assembly sees 57 to 64 positions at a time */
            for (; left > 0 && i < n; left--)
                bytes[i++] = (uint8_t) check_random(c, values);
        }
    }
}

/* A finder in the middle of a stream whose limit is at the end, less its lookahead, or before. The hash
 * table has any offsets below that of the first byte. */
static void find_case_with(struct check *c, size_t len, size_t lookahead)
{
    size_t n = 1 + len % 4600, at = 1 + check_random(c, (unsigned) n), end = n + lookahead;
    size_t limit = at + check_random(c, (unsigned) (n - at) + 1), room;
    unsigned hash_bits = 9 + check_random(c, 5);
    uint8_t *bytes = check_input(c, end);
    struct deflate_find f;

    fill_repeating(c, bytes, end);
    if (check_random(c, 2))
        limit = n;
    room = limit - at + FIND_TOKENS_OVERRUN + FIND_TOKENS_CLEARED;
    memset(&f, 0, sizeof(f)); /* its padding too */
    f.next = bytes + at;
    f.limit = bytes + limit;
    f.end = bytes + end;
    f.base = bytes;
    f.token = check_struct(c, NULL, room * sizeof(uint32_t), 1);
    f.token_end = f.token + room;
    f.head = check_struct(c, NULL, sizeof(*f.head) << hash_bits, 1);
    f.hash_bits = hash_bits;
    f.window = check_random(c, 2) ? 32768 : 2u << check_random(c, 15);
    for (size_t i = 0; i < (size_t) 1 << hash_bits; i++)
        f.head[i] = check_random(c, 2) ? check_random(c, (unsigned) at) : 0;
    /* Entries of earlier bytes; and false ones, with the hash of later bytes at another offset. */
    if (check_random(c, 4))
        isalk_lz77_insert(f.head, hash_bits, bytes + at, (uint32_t) (n - at < at ? n - at : at));
    if (check_random(c, 2))
        isalk_lz77_insert(f.head, hash_bits, bytes, (uint32_t) at);
    if (check_random(c, 2))
        f.matched = 1 + check_random(c, (unsigned) (check_random(c, 2) && at > 16 ? 16 : at));
    check_describe(c, "n %zu at %zu limit %zu room %zu window %u hash %u", n, at, limit, room,
                   f.window, hash_bits);
    check_run(c, ARG(check_struct(c, &f, sizeof(f), 1)));
}

static void find_case(struct check *c, size_t len)
{
    find_case_with(c, len, 0);
}

static void find_long_case(struct check *c, size_t len)
{
    find_case_with(c, len, LONG_LOOKAHEAD);
}

static void rebase_case(struct check *c, size_t len)
{
    unsigned hash_bits = 9 + (unsigned) len % 6, delta = check_random(c, UINT16_MAX + 1);
    size_t n = (size_t) 1 << hash_bits;
    deflate_entry *head = check_struct(c, NULL, n * sizeof(*head), 1);

    for (size_t i = 0; i < n; i++)
        head[i] = check_random(c, UINT16_MAX + 1) << 16 | check_random(c, UINT16_MAX + 1);
    check_describe(c, "hash %u delta %u", hash_bits, delta);
    check_run(c, ARG(head), ARG(hash_bits), ARG(delta));
}

static void insert_case(struct check *c, size_t len)
{
    unsigned hash_bits = 9 + check_random(c, 6), n = INSERT_MIN + (unsigned) len % 4600;
    uint8_t *bytes = check_input(c, n + INSERT_LOOKAHEAD);
    deflate_entry *head = check_struct(c, NULL, sizeof(*head) << hash_bits, 1);

    fill_repeating(c, bytes, n + INSERT_LOOKAHEAD);
    for (size_t i = 0; i < (size_t) 1 << hash_bits; i++)
        head[i] = check_random(c, UINT16_MAX + 1);
    check_describe(c, "n %u hash %u", n, hash_bits);
    check_run(c, ARG(head), ARG(hash_bits), ARG(bytes), ARG(n));
}

static const struct check_kernel tests[] = {
    {"deflate_find_greedy", find_case, 0, 0},    {"deflate_find_lazy", find_case, 0, 0},
    {"deflate_find_long", find_long_case, 0, 0}, {"deflate_rebase", rebase_case, 0, 0},
    {"deflate_insert", insert_case, 0, 0},
};
const struct check_family check_lz77 = {tests, ARRAY_SIZE(tests)};
