/* Kernel check of compression after the parser.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include <string.h>

#include "isa-l/igzip_lib.h"

#include "igzip/deflate/deflate_kernels.h"
#include "igzip/huffman/huffman.h"

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
    unsigned matches = check_random(c, 5), spread = check_random(c, 20);

    for (size_t i = 0; i < n; i++)
        tokens[i] = any_token(c, matches);
    for (unsigned i = 0; i < DEFLATE_LITLEN_SYMBOLS; i++)
        litlen[i] = 1 + (check_random(c, 1u << spread) & check_random(c, 1u << spread));
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        distance[i] = 1 + (check_random(c, 1u << spread) & check_random(c, 1u << spread));
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
    {"deflate_expand", expand_case, 0, 0},
    {"deflate_count", count_case, 0, 0},
    {"deflate_encode", encode_case, 0, 0},
};
const struct check_family check_deflate = {tests, ARRAY_SIZE(tests)};
