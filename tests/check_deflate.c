/* Kernel check of compression: LZ77 (match finders and the hash table) and DEFLATE.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include <string.h>

#include "isa-l/igzip_lib.h"

#include "igzip/deflate/deflate_kernels.h"
#include "igzip/huffman/huffman.h"
#include "igzip/lz77/match.h"
#include "igzip/lz77/parser.h"

/* Compressible bytes: copies of earlier bytes between runs of random ones. Copies are short or
 * long, near or far, often at the distance of the last copy. Runs are short or long, of few
 * values or many. */
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
            size_t left = run_kind == 0 ? 1
                          : run_kind == 1
                              ? 1 + check_random(c, 130)
                              : 54 + check_random(c, 12); /* around one tile of a finder */
            for (; left > 0 && i < n; left--)
                bytes[i++] = (uint8_t) check_random(c, values);
        }
    }
}

/* A match finder in the middle of a stream of n bytes and `lookahead` more, which matches may
 * cover. The hash table holds random offsets of earlier bytes. */
static void find_in_stream(struct check *c, size_t n, size_t lookahead)
{
    size_t at = check_number(c, "position", 1, n), end = n + lookahead;
    size_t limit = check_number(c, "limit", at, n), room;
    unsigned hash_bits = (unsigned) check_number(c, "hash bits", 9, 13);
    uint8_t *bytes = check_input(c, end);
    struct deflate_find f;

    fill_repeating(c, bytes, end);
    memset(&f, 0, sizeof(f)); /* padding included */
    if (check_random(c, 2))
        limit = check_record(c, "limit", n);
    if (n - at >= FIND_STEP + FIND_LOOKAHEAD && check_random(c, 3) == 0) {
        f.past_limit = (uint32_t) check_record(c, "past limit", FIND_STEP - 1);
        if (n - limit < FIND_STEP + FIND_LOOKAHEAD)
            limit = n - (FIND_STEP + FIND_LOOKAHEAD);
    }
    room = limit - at + FIND_TOKENS_OVERRUN + FIND_TOKENS_CLEARED;
    f.next = bytes + at;
    f.limit = bytes + limit;
    f.end = bytes + end;
    f.base = bytes;
    f.token = check_struct(c, NULL, room * sizeof(uint32_t), 1);
    f.token_end = f.token + room;
    f.head = check_struct(c, NULL, sizeof(*f.head) << hash_bits, 1);
    f.hash_bits = hash_bits;
    set_hash_bytes(&f, (uint32_t) check_number(c, "hashed bytes", 4, 7));
    f.window = check_random(c, 2) ? 32768 : 2u << check_random(c, 15);
    for (size_t i = 0; i < (size_t) 1 << hash_bits; i++)
        f.head[i] = check_random(c, 2) ? check_random(c, (unsigned) at) : 0;
    /* Entries for the following bytes at wrong offsets, and correct ones for earlier bytes. */
    if (check_random(c, 4))
        isalk_lz77_insert(f.head, hash_bits, bytes + at, (uint32_t) (n - at < at ? n - at : at), 5);
    if (check_random(c, 2))
        isalk_lz77_insert(f.head, hash_bits, bytes, (uint32_t) at, 5);
    if (check_random(c, 2))
        f.matched = 1 + check_random(c, (unsigned) (check_random(c, 2) && at > 16 ? 16 : at));
    check_record(c, "window", f.window);
    check_run(c, ARG(check_struct(c, &f, sizeof(f), 1)));
}

static void find_case(struct check *c, size_t n)
{
    find_in_stream(c, n, 0);
}

static void find_long_case(struct check *c, size_t n)
{
    find_in_stream(c, n, LONG_LOOKAHEAD);
}

static void rebase_case(struct check *c, size_t hash_bits)
{
    size_t delta = check_number(c, "delta", 0, UINT16_MAX), n = (size_t) 1 << hash_bits;
    deflate_entry *head = check_struct(c, NULL, n * sizeof(*head), 1);

    for (size_t i = 0; i < n; i++)
        head[i] = check_random(c, UINT16_MAX + 1) << 16 | check_random(c, UINT16_MAX + 1);
    check_run(c, ARG(head), ARG(hash_bits), ARG(delta));
}

static void insert_case(struct check *c, size_t n)
{
    size_t hash_bits = check_number(c, "hash bits", 9, 14);
    uint32_t multiplier = check_random(c, 2) ? HASH_MULTIPLIER_HIGH : 0;
    uint8_t *bytes = check_input(c, n + INSERT_LOOKAHEAD);
    deflate_entry *head = check_struct(c, NULL, sizeof(*head) << hash_bits, 1);

    fill_repeating(c, bytes, n + INSERT_LOOKAHEAD);
    for (size_t i = 0; i < (size_t) 1 << hash_bits; i++)
        head[i] = check_random(c, UINT16_MAX + 1);
    check_run(c, ARG(head), ARG(hash_bits), ARG(bytes), ARG(n), ARG(multiplier));
}

/* Tables with codes of any lengths; `none` quarters of the symbols have no code. */
static struct isal_hufftables *any_tables(struct check *c, size_t none)
{
    struct isal_hufftables tables;

    memset(&tables, 0, sizeof(tables));
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
    return check_struct(c, &tables, sizeof(tables), 0);
}

static void expand_case(struct check *c, size_t none)
{
    struct isal_hufftables *from = any_tables(c, none);
    struct deflate_codes codes;

    memset(&codes, 0x5a, sizeof(codes));
    check_run(c, ARG(from), ARG(check_struct(c, &codes, sizeof(codes), 1)));
}

/* Random or repeating bytes, and tables with codes for all symbols. */
static void tiny_case(struct check *c, size_t n)
{
    uint8_t *bytes = check_input(c, n);
    unsigned hash_bits = (unsigned) check_number(c, "hash bits", 7, 13);
    size_t head_size = sizeof(deflate_entry) << hash_bits;
    struct deflate_tiny t;

    fill_repeating(c, bytes, n);
    memset(&t, 0, sizeof(t)); /* padding included */
    t.bytes = bytes;
    t.start = (uint32_t) check_number(c, "bytes of a dictionary", 0, n);
    t.size = (uint32_t) n;
    t.probed = n < HASH_LOAD ? 0 : t.size - HASH_LOAD + 1;
    t.hash_bits = hash_bits;
    t.window = check_random(c, 2) ? 32768 : 2u << check_random(c, 15);
    t.head = check_struct(c, NULL, head_size, 1);
    memset(t.head, 0, head_size);
    isalk_lz77_insert(t.head, hash_bits, bytes, t.start, 4);
    t.tables = any_tables(c, 0);
    t.out = check_output(c, 2 * n + 16);
    t.out_limit = t.out + check_random(c, check_random(c, 4) ? 1 + (unsigned) (2 * n) : 1);
    t.count = check_random(c, 8);
    t.bits = check_random(c, 1u << t.count);
    check_run(c, ARG(check_struct(c, &t, sizeof(t), 1)));
}

/* A random token: a match in `matches` cases of four. */
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

static void count_case(struct check *c, size_t n)
{
    uint32_t *tokens = check_struct(c, NULL, n * sizeof(uint32_t), 0);
    unsigned matches = (unsigned) check_number(c, "quarters of matches", 0, 4);
    struct deflate_counts counts;

    for (size_t i = 0; i < n; i++)
        tokens[i] = any_token(c, matches);
    for (unsigned i = 0; i < TOKEN_FIRSTS; i++)
        counts.first[i] = check_random(c, 1000);
    for (unsigned i = 0; i < TOKEN_SECONDS; i++)
        counts.second[i] = check_random(c, 1000);
    check_run(c, ARG(check_struct(c, &counts, sizeof(counts), 1)), ARG(tokens), ARG(tokens + n));
}

/* Random tokens, codes made from random counts, and too little or enough room. */
static void encode_case(struct check *c, size_t n)
{
    size_t room = check_number(c, "room", 8, 6 * n + 15);
    uint32_t *tokens = check_struct(c, NULL, n * sizeof(uint32_t), 0);
    uint8_t *out;
    uint32_t litlen[DEFLATE_LITLEN_SYMBOLS], distance[DEFLATE_DISTANCE_SYMBOLS];
    struct huffman_codes huffman;
    struct deflate_codes expanded;
    struct deflate_encode e;
    unsigned matches = (unsigned) check_number(c, "quarters of matches", 0, 4);
    unsigned skew = (unsigned) check_number(c, "bits of counts", 0, 19);

    for (size_t i = 0; i < n; i++)
        tokens[i] = any_token(c, matches);
    for (unsigned i = 0; i < DEFLATE_LITLEN_SYMBOLS; i++)
        litlen[i] = 1 + (check_random(c, 1u << skew) & check_random(c, 1u << skew));
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        distance[i] = 1 + (check_random(c, 1u << skew) & check_random(c, 1u << skew));
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
    check_run(c, ARG(check_struct(c, &e, sizeof(e), 1)));
}

/* ---- Calls ---- */

enum { TEXT = 80000, LOG2_VALUES = 5 }; /* more than a hash table's offsets can express */

/* Random bytes of few values, in which matches are short; repeated after `period` bytes. */
static uint8_t *text(size_t period)
{
    static uint8_t bytes[TEXT];
    uint32_t x = 1;

    for (size_t i = 0; i < TEXT; i++) {
        x = x * 1664525 + 1013904223;
        bytes[i] = i < period ? (uint8_t) (x >> (32 - LOG2_VALUES)) : bytes[i - period];
    }
    return bytes;
}

static struct isal_zstream stream;
static struct isal_hufftables tables;
static struct isal_huff_histogram histogram;
static struct isal_dict dictionary;
static uint8_t level_buffer[ISAL_DEF_LVL3_DEFAULT], output[2 * TEXT];

static void start(unsigned level, size_t bytes)
{
    isal_deflate_init(&stream);
    stream.level = level;
    stream.level_buf = level_buffer;
    stream.level_buf_size = sizeof level_buffer;
    stream.next_in = text(TEXT);
    stream.avail_in = (uint32_t) bytes;
    stream.next_out = output;
    stream.avail_out = sizeof output;
    stream.end_of_stream = 1;
}

static void deflate(unsigned level, size_t bytes)
{
    start(level, bytes);
    isal_deflate(&stream);
}

static void deflate_repeated(void)
{
    start(1, TEXT);
    text(300);
    isal_deflate(&stream);
}

/* Level 0 with codes of the caller's. */
static void deflate_with_tables(int (*compress)(struct isal_zstream *))
{
    isal_update_histogram(text(TEXT), 4096, &histogram);
    isal_create_hufftables(&tables, &histogram);
    start(0, 8192);
    isal_deflate_set_hufftables(&stream, &tables, IGZIP_HUFFTABLE_CUSTOM);
    check_ignore_calls();
    compress(&stream);
}

static void deflate_stateless(unsigned level)
{
    start(level, 8192);
    isal_deflate_stateless(&stream);
}

static void deflate_tiny_stateless(void)
{
    start(0, 600);
    isal_deflate_stateless(&stream);
}

static void set_dictionary(void)
{
    start(1, 1000);
    isal_deflate_set_dict(&stream, text(TEXT), 1000);
    isal_deflate(&stream);
}

static void reset_dictionary(void)
{
    start(1, 1000);
    isal_deflate_process_dict(&stream, &dictionary, text(TEXT), 1000);
    check_ignore_calls();
    isal_deflate_reset_dict(&stream, &dictionary);
    isal_deflate(&stream);
}

static void process_dictionary(void)
{
    start(1, 1000);
    isal_deflate_process_dict(&stream, &dictionary, text(TEXT), 1000);
}

static void update_histogram(size_t bytes)
{
    isal_update_histogram(text(TEXT), (int) bytes, &histogram);
}

#define LZ77_CALLS(X)                                                     \
    X(deflate_find_greedy, isal_deflate, deflate(1, 8192))                \
    X(deflate_find_greedy, isal_deflate_stateless, deflate_stateless(1))  \
    X(deflate_find_greedy, isal_update_histogram, update_histogram(8192)) \
    X(deflate_find_lazy, isal_deflate, deflate(3, 8192))                  \
    X(deflate_find_lazy, isal_deflate_stateless, deflate_stateless(3))    \
    X(deflate_find_long, isal_deflate, deflate_repeated())                \
    X(deflate_rebase, isal_deflate, deflate(1, TEXT))                     \
    X(deflate_rebase, isal_update_histogram, update_histogram(TEXT))      \
    X(deflate_insert, isal_deflate_set_dict, set_dictionary())            \
    X(deflate_insert, isal_deflate_process_dict, process_dictionary())
LZ77_CALLS(CALL_FUNCTION)
static const struct check_call lz77_calls[] = {LZ77_CALLS(CALL_ENTRY) CALLS_END};

#define DEFLATE_CALLS(X)                                                                   \
    X(deflate_expand, isal_deflate, deflate_with_tables(isal_deflate))                     \
    X(deflate_expand, isal_deflate_stateless, deflate_with_tables(isal_deflate_stateless)) \
    X(deflate_count, isal_deflate, deflate(1, 8192))                                       \
    X(deflate_count, isal_deflate_stateless, deflate_stateless(1))                         \
    X(deflate_count, isal_update_histogram, update_histogram(8192))                        \
    X(deflate_encode, isal_deflate, deflate(1, 8192))                                      \
    X(deflate_encode, isal_deflate_stateless, deflate_stateless(0))                        \
    X(deflate_encode, isal_deflate_reset_dict, reset_dictionary())                         \
    X(deflate_tiny, isal_deflate, deflate(0, 100))                                         \
    X(deflate_tiny, isal_deflate_stateless, deflate_tiny_stateless())
DEFLATE_CALLS(CALL_FUNCTION)
static const struct check_call deflate_calls[] = {DEFLATE_CALLS(CALL_ENTRY) CALLS_END};

/* ---- Descriptors ---- */

/* clang-format off */
#define POSITIONS {"bytes", 1, 1, CHECK_EVERY, 4600, 0}
#define TOKENS {"tokens", 4, 0, CHECK_EVERY, 2500, 0}
#define FIND SIGNATURE(deflate_find_fn, void, struct deflate_find *)

static const struct check_kernel lz77_tests[] = {
    {"deflate_find_greedy", find_case, POSITIONS, FIND, 0},
    {"deflate_find_lazy", find_case, POSITIONS, FIND, 0},
    {"deflate_find_long", find_long_case, POSITIONS, FIND, 0},
    {"deflate_rebase", rebase_case, {"hash bits", 0, 9, 14, 14, 0},
     SIGNATURE(deflate_rebase_fn, void, deflate_entry *, uint32_t, uint32_t), 0},
    {"deflate_insert", insert_case, {"positions", 1, INSERT_MIN, CHECK_EVERY, 4600, 0},
     SIGNATURE(deflate_insert_fn, void, deflate_entry *, uint32_t, const uint8_t *, uint32_t,
               uint32_t),
     0},
};
static const struct check_kernel deflate_tests[] = {
    {"deflate_expand", expand_case, {"quarters of symbols without a code", 0, 0, 3, 3, 0},
     SIGNATURE(deflate_expand_fn, void, const struct isal_hufftables *, struct deflate_codes *), 0},
    {"deflate_count", count_case, TOKENS,
     SIGNATURE(deflate_count_fn, void, struct deflate_counts *, const uint32_t *, const uint32_t *),
     0},
    {"deflate_encode", encode_case, TOKENS,
     SIGNATURE(deflate_encode_fn, void, struct deflate_encode *), 0},
    {"deflate_tiny", tiny_case, {"bytes", 1, 1, CHECK_EVERY, 1200, 0},
     SIGNATURE(deflate_tiny_fn, void, struct deflate_tiny *), 0},
};
/* clang-format on */
const struct check_family check_lz77 = {lz77_tests, ARRAY_SIZE(lz77_tests), lz77_calls, 0};
const struct check_family check_deflate = {deflate_tests, ARRAY_SIZE(deflate_tests), deflate_calls,
                                           0};
