/* Kernel check of compression.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include <string.h>

#include "isa-l/igzip_lib.h"

#include "igzip/huffman/huffman.h"

/* Bytes that repeat themselves: copies of earlier bytes, short or long, near or far, often as far as the
 * last, between runs, short or long, of random ones of few or many values. */
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
            size_t left = run_kind == 0   ? 1
                          : run_kind == 1 ? 1 + check_random(c, 130)
                                          : 54 + check_random(c, 12); /* finders see 57 to 64 */
            for (; left > 0 && i < n; left--)
                bytes[i++] = (uint8_t) check_random(c, values);
        }
    }
}

/* A finder in the middle of a stream that goes to the end or not, but for the last bytes `behind`. The
 * hash table has any offsets that are below that of the first byte. */
static void find_case_behind(struct check *c, size_t len, size_t behind)
{
    size_t n = 1 + len % 4600, at = 1 + check_random(c, (unsigned) n), end = n + behind;
    size_t limit = at + check_random(c, (unsigned) (n - at) + 1), room;
    unsigned hash_bits = 9 + check_random(c, 5);
    uint8_t *bytes = check_input(c, end);
    struct deflate_find f;

    fill_repeating(c, bytes, end);
    if (check_random(c, 2))
        limit = n;
    room = limit - at + FIND_TOKENS_PAST + FIND_TOKENS_BEHIND;
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
    /* Entries of what was before, and such that have the hash of what comes, but are elsewhere. */
    if (check_random(c, 4))
        isalk_deflate_insert(f.head, hash_bits, bytes + at, (uint32_t) (n - at < at ? n - at : at));
    if (check_random(c, 2))
        isalk_deflate_insert(f.head, hash_bits, bytes, (uint32_t) at);
    if (check_random(c, 2))
        f.matched = 1 + check_random(c, (unsigned) (check_random(c, 2) && at > 16 ? 16 : at));
    check_describe(c, "n %zu at %zu limit %zu room %zu window %u hash %u", n, at, limit, room,
                   f.window, hash_bits);
    check_run(c, ARG(check_struct(c, &f, sizeof(f), 1)));
}

static void find_case(struct check *c, size_t len)
{
    find_case_behind(c, len, 0);
}

static void find_long_case(struct check *c, size_t len)
{
    find_case_behind(c, len, LONG_BEHIND);
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
    unsigned hash_bits = 9 + check_random(c, 6), n = INSERT_LEAST + (unsigned) len % 4600;
    uint8_t *bytes = check_input(c, n + INSERT_BEHIND);
    deflate_entry *head = check_struct(c, NULL, sizeof(*head) << hash_bits, 1);

    fill_repeating(c, bytes, n + INSERT_BEHIND);
    for (size_t i = 0; i < (size_t) 1 << hash_bits; i++)
        head[i] = check_random(c, UINT16_MAX + 1);
    check_describe(c, "n %u hash %u", n, hash_bits);
    check_run(c, ARG(head), ARG(hash_bits), ARG(bytes), ARG(n));
}

/* Tables with codes of any lengths, or none. */
static void expand_case(struct check *c, size_t len)
{
    struct isal_hufftables tables;
    struct deflate_codes codes;
    unsigned none = (unsigned) len % 4;

    memset(&tables, 0, sizeof(tables));
    memset(&codes, 0x5a, sizeof(codes));
    for (unsigned i = 0; i < IGZIP_LEN_TABLE_SIZE; i++) {
        unsigned bits = 1 + check_random(c, DEFLATE_MAX_BITS + 5);

        if (check_random(c, 4) >= none)
            tables.len_table[i] = check_random(c, 1u << bits) << 5 | bits;
    }
    for (unsigned i = 0; i < IGZIP_LIT_TABLE_SIZE; i++) {
        unsigned bits = 1 + check_random(c, DEFLATE_MAX_BITS);

        if (check_random(c, 4) >= none) {
            tables.lit_table[i] = (uint16_t) check_random(c, 1u << bits);
            tables.lit_table_sizes[i] = (uint8_t) bits;
        }
    }
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++) {
        unsigned bits = 1 + check_random(c, DEFLATE_MAX_BITS);

        tables.dcodes[i] = (uint16_t) check_random(c, 1u << bits);
        tables.dcodes_sizes[i] = (uint8_t) bits;
    }
    check_describe(c, "none %u", none);
    check_run(c, ARG(check_struct(c, &tables, sizeof(tables), 0)),
              ARG(check_struct(c, &codes, sizeof(codes), 1)));
}

/* A token of any kind: a match `matches` times in 4. */
static uint32_t any_token(struct check *c, unsigned matches)
{
    uint32_t token = check_random(c, 256);

    if (check_random(c, 4) < matches) {
        uint32_t symbol = check_random(c, DEFLATE_DISTANCE_SYMBOLS);
        uint32_t extra = check_random(c, 1u << deflate_distances[symbol].extra);

        token |= TOKEN_LENGTHS | (TOKEN_DISTANCES + symbol) << TOKEN_SECOND_SHIFT;
        if (deflate_distances[symbol].extra)
            token |= extra << (32 - deflate_distances[symbol].extra);
    } else if (check_random(c, 2)) {
        token |= (TOKEN_LITERALS + check_random(c, 256)) << TOKEN_SECOND_SHIFT;
    }
    return token;
}

static void count_case(struct check *c, size_t len)
{
    size_t n = len % 2500;
    uint32_t *tokens = check_struct(c, NULL, n * sizeof(uint32_t), 0);
    unsigned matches = check_random(c, 5);
    struct deflate_counts counts;

    for (size_t i = 0; i < n; i++)
        tokens[i] = any_token(c, matches);
    for (unsigned i = 0; i < TOKEN_FIRSTS; i++)
        counts.first[i] = check_random(c, 1000);
    for (unsigned i = 0; i < TOKEN_SECONDS; i++)
        counts.second[i] = check_random(c, 1000);
    check_describe(c, "n %zu matches %u", n, matches);
    check_run(c, ARG(check_struct(c, &counts, sizeof(counts), 1)), ARG(tokens), ARG(tokens + n));
}

/* Tokens of any kind, with codes made for some counts, and little or enough room. */
static void encode_case(struct check *c, size_t len)
{
    size_t n = len % 2500, room = 8 + check_random(c, 6 * (unsigned) n + 8);
    uint32_t *tokens = check_struct(c, NULL, n * sizeof(uint32_t), 0);
    uint8_t *out;
    uint32_t litlen[DEFLATE_LITLEN_SYMBOLS], distance[DEFLATE_DISTANCE_SYMBOLS];
    struct huffman_codes huffman;
    struct deflate_codes expanded;
    struct deflate_encode e;
    unsigned matches = check_random(c, 5), flat = check_random(c, 20);

    for (size_t i = 0; i < n; i++)
        tokens[i] = any_token(c, matches);
    for (unsigned i = 0; i < DEFLATE_LITLEN_SYMBOLS; i++)
        litlen[i] = 1 + (check_random(c, 1u << flat) & check_random(c, 1u << flat));
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        distance[i] = 1 + (check_random(c, 1u << flat) & check_random(c, 1u << flat));
    isalk_huffman_make(litlen, DEFLATE_LITLEN_SYMBOLS, DEFLATE_MAX_BITS, &huffman.litlen);
    isalk_huffman_make(distance, DEFLATE_DISTANCE_SYMBOLS, DEFLATE_MAX_BITS, &huffman.distance);
    memset(&expanded, 0, sizeof(expanded));
    isalk_huffman_expand(&huffman, &expanded);

    out = check_output(c, room);
    memset(&e, 0, sizeof(e));
    e.token = tokens;
    e.token_end = e.token + n;
    e.out = out;
    e.out_last = out + room - 8;
    e.count = check_random(c, 8);
    e.bits = check_random(c, 1u << e.count);
    e.codes = check_struct(c, &expanded, sizeof(expanded), 0);
    check_describe(c, "n %zu room %zu matches %u", n, room, matches);
    check_run(c, ARG(check_struct(c, &e, sizeof(e), 1)));
}

static const struct check_kernel tests[] = {
    {"deflate_find_greedy", find_case, 0, 0},    {"deflate_find_lazy", find_case, 0, 0},
    {"deflate_find_long", find_long_case, 0, 0}, {"deflate_rebase", rebase_case, 0, 0},
    {"deflate_insert", insert_case, 0, 0},       {"deflate_expand", expand_case, 0, 0},
    {"deflate_count", count_case, 0, 0},         {"deflate_encode", encode_case, 0, 0},
};
const struct check_family check_deflate = {tests, ARRAY_SIZE(tests)};
