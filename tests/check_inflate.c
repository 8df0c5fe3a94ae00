/* Kernel check of decompression.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of random bits, which decode to something because most codes are complete. The kernel may
 * stop anywhere. Decoding one symbol at a time continues from there, and must end as it does
 * without the kernel. */

#include "check.h"

#include <string.h>

#include "igzip/inflate/inflate_kernels.h"
#include "isa-l/igzip_lib.h"

#define HISTORY 700
#define LONGEST_HISTORY 1100 /* exceeds the distances of make_longest() */

static struct block {
    struct inflate_run run, start, end; /* for the kernel, before it, and expected after it */
    struct inflate_tables tables;
    struct inflate_code litlen_code, distance_code;
    uint32_t litlen[LITLEN_ENTRIES], distance[DISTANCE_ENTRIES], second[SECOND_ENTRIES];
    size_t allowed, room;
    uint8_t *out;
    uint8_t expected[CHECK_BYTES];
} block;

/* Makes a complete code of `used` of n symbols, by splitting random leaves of a tree. In `deep` of
 * 100 cases it splits the last new leaf again. */
static void random_code(struct check *c, uint8_t *lengths, unsigned n, unsigned used, unsigned deep)
{
    uint8_t leaves[DEFLATE_FIXED_LITLENS];
    unsigned count = 2, last = 0;

    memset(lengths, 0, n);
    leaves[0] = leaves[1] = 1;
    while (count < used) {
        if (check_random(c, 100) >= deep || leaves[last] == DEFLATE_MAX_BITS)
            last = check_random(c, count);
        if (leaves[last] < DEFLATE_MAX_BITS)
            leaves[count++] = ++leaves[last];
    }
    for (unsigned i = 0; i < count; i++) {
        unsigned at = check_random(c, n);
        while (lengths[at])
            at = (at + 1) % n;
        lengths[at] = leaves[i];
    }
}

/* Codes of 13 to 15 bits for 256 symbols. The subtables after the longest index, with two entries
 * for a symbol, would not fit the table. */
static void long_code(uint8_t *lengths)
{
    static const uint8_t longest[4] = {13, 14, 15, 15};

    memset(lengths, 0, DEFLATE_LITLEN_SYMBOLS);
    for (unsigned i = 0; i < 6; i++)
        lengths[i] = (uint8_t) (i + 1);
    for (unsigned i = 0; i < 256; i++)
        lengths[6 + i] = longest[i % 4];
}

/* Makes the tables of these codes, with an index of at most block.tables.litlen_bits bits. */
static void make_tables_of(struct check *c, const uint8_t *litlens, size_t litlen_count,
                           const uint8_t *distances, size_t distance_count)
{
    struct inflate_sorted sorted;

    isalk_inflate_sort(&sorted, litlens, litlen_count);
    if (isalk_inflate_code(&block.litlen_code, &sorted, litlens, 0, litlen_count))
        check_describe(c, "invalid code of literals and lengths");
    isalk_inflate_sort(&sorted, distances, distance_count);
    if (isalk_inflate_code(&block.distance_code, &sorted, distances, 0, distance_count))
        check_describe(c, "invalid code of distances");
    isalk_inflate_litlen_table(block.litlen, &block.litlen_code, &block.tables.litlen_bits,
                               &block.tables.match_share);
    isalk_inflate_distance_table(block.distance, &block.distance_code, block.allowed);
    isalk_inflate_second_table(block.second, &block.litlen_code);
}

/* Makes tables of random codes or of the fixed code; some have no distance or a single one. */
static void make_tables(struct check *c)
{
    uint8_t lengths[DEFLATE_LITLEN_SYMBOLS], distances[DEFLATE_DISTANCE_SYMBOLS];
    unsigned n = DEFLATE_DISTANCE_SYMBOLS;

    block.allowed = n;
    if (check_random(c, 20) == 0) {
        block.tables = isalk_inflate_fixed;
        return;
    }
    block.tables = (struct inflate_tables){block.litlen,
                                           block.distance,
                                           block.second,
                                           &block.litlen_code,
                                           &block.distance_code,
                                           LITLEN_BITS - check_random(c, 4),
                                           0};
    random_code(c, lengths, sizeof lengths, 2 + check_random(c, sizeof lengths - 1),
                check_random(c, 2) ? check_random(c, 100) : 0);
    if (check_random(c, 16) == 0)
        long_code(lengths);
    else if (check_random(c, 4) == 0) /* rarer ends of the block */
        for (unsigned i = 0; i < sizeof lengths; i++)
            if (lengths[i] > lengths[DEFLATE_END_OF_BLOCK]) {
                uint8_t longer = lengths[i];
                lengths[i] = lengths[DEFLATE_END_OF_BLOCK];
                lengths[DEFLATE_END_OF_BLOCK] = longer;
            }
    if (check_random(c, 20) == 0) {
        memset(distances, 0, n);
        distances[check_random(c, n)] = (uint8_t) check_random(c, 2);
    } else {
        if (check_random(c, 3)) /* distances within the window */
            n = 2 + check_random(c, 16);
        random_code(c, distances, n, 2 + check_random(c, n - 1), check_random(c, 90));
    }
    if (check_random(c, 8) == 0)
        block.allowed = check_random(c, n);
    make_tables_of(c, lengths, sizeof lengths, distances, n);
    if (check_random(c, 2)) /* any of the two loops, whatever the code suggests */
        block.tables.match_share = check_random(c, 2) * 0x8000;
}

/* ---- Entries and matches with the most bits ---- */

static void put_bits(uint8_t *in, size_t *at, uint32_t value, unsigned bits)
{
    for (unsigned i = 0; i < bits; i++, ++*at)
        in[*at / 8] = (uint8_t) ((in[*at / 8] & ~(1u << *at % 8)) | (value >> i & 1) << *at % 8);
}

/* The highest bit of a code comes first. */
static void put_symbol(uint8_t *in, size_t *at, const struct inflate_code *code, unsigned symbol)
{
    uint32_t value = 0, index = 0;

    for (unsigned bits = 1; bits <= DEFLATE_MAX_BITS; bits++, value <<= 1)
        for (unsigned n = 0; n < code->count[bits]; n++, value++)
            if (code->symbols[index++] == symbol) {
                for (unsigned i = bits; i-- > 0;)
                    put_bits(in, at, value >> i, 1);
                return;
            }
}

/* Makes consecutive entries of 12 bits, and matches whose distances have 23 bits, for which a
 * buffer of 64 bits is just too small. After two such entries and one with a match, it lacks bits
 * for the next index; after three entries, for a match. After two entries it lacks the last 3 bits
 * of the longest match. */
static void make_longest(struct check *c, uint8_t *in, size_t len)
{
    enum { GROUP_BITS = 5 * LITLEN_BITS + 48, PACKED = 264, LONG = 284, FAR = 18 };
    uint8_t lengths[DEFLATE_LITLEN_SYMBOLS] = {0}, distances[FAR + 2] = {0};
    unsigned packed = check_random(c, 2), literal = packed ? LITLEN_BITS - 2 : LITLEN_BITS - 1;

    for (uint8_t i = 0; i < 14; i++)
        distances[i] = lengths[i] = (uint8_t) (i + 1);
    distances[FAR] = distances[FAR + 1] = DEFLATE_MAX_BITS;
    if (packed) { /* four codes of LITLEN_BITS bits */
        memset(lengths + literal, 0, 14 - literal);
        lengths[literal] = lengths[literal + 1] = lengths[PACKED] = lengths[DEFLATE_END_OF_BLOCK] =
            LITLEN_BITS;
    } else {
        lengths[LONG] = lengths[DEFLATE_END_OF_BLOCK] = DEFLATE_MAX_BITS;
    }
    block.allowed = sizeof distances;
    block.tables = (struct inflate_tables){block.litlen,
                                           block.distance,
                                           block.second,
                                           &block.litlen_code,
                                           &block.distance_code,
                                           LITLEN_BITS,
                                           0};
    make_tables_of(c, lengths, sizeof lengths, distances, sizeof distances);
    block.tables.match_share = check_random(c, 4) ? 0 : 0x8000;
    for (size_t at = 0; at + GROUP_BITS <= 8 * len;) {
        for (unsigned n = check_random(c, 6); n > 0; n--)
            put_symbol(in, &at, &block.litlen_code, literal);
        put_symbol(in, &at, &block.litlen_code, packed ? PACKED : LONG);
        if (!packed)
            put_bits(in, &at, check_random(c, 32), 5);
        put_symbol(in, &at, &block.distance_code, FAR + check_random(c, 2));
        put_bits(in, &at, 0xe0 | check_random(c, 32), 8);
    }
}

/* ---- Cases ---- */

/* Continues one symbol at a time, and returns whole bytes from the bit buffer to the input. */
static void finish(struct inflate_run *r, int at_end)
{
    size_t unread;

    r->match_share =
        (uint64_t) (at_end ? STOP_END : isalk_inflate_symbols(r, &block.tables, block.allowed));
    unread = (size_t) r->bit_count / 8;
    r->in -= unread;
    r->bit_count -= 8 * unread;
    r->bits &= ((uint64_t) 1 << r->bit_count) - 1;
}

static const char *settle(void *arg, uint64_t result)
{
    struct inflate_run r = block.run, *end = &block.end;
    size_t size;

    (void) arg;
    block.run = block.start;
    if (r.out < block.start.out || r.out > block.start.out_end || r.in < block.start.in - 8 ||
        r.in > block.start.in_end || r.bit_count > 63)
        return "ends outside the buffers";
    if (r.bits >> r.bit_count)
        return "leaves bits above bit_count";
    r.stop = r.out_end; /* the kernel may also choose how far it passes its stop */
    finish(&r, (int) result);
    size = (size_t) (r.out - block.out);
    memset(r.out, 0, block.room - size);
    if (r.match_share != end->match_share)
        return "ends for a wrong reason";
    if (r.in != end->in || r.bit_count != end->bit_count || r.bits != end->bits)
        return "ends at a wrong place of the input";
    if (r.out != end->out || memcmp(block.out, block.expected, size))
        return "decodes to wrong bytes";
    return NULL;
}

static void inflate_case(struct check *c, size_t len)
{
    int longest = check_random(c, 4) == 0;
    size_t history = longest ? LONGEST_HISTORY : check_random(c, 3) ? check_random(c, HISTORY) : 0;
    size_t room = len * check_random(c, longest ? 100 : 6) / 2 + check_random(c, 300);
    uint8_t *in, *out;

    room = history + room < CHECK_BYTES ? history + room : CHECK_BYTES;
    in = check_input(c, len);
    out = check_output(c, room);
    if (longest)
        make_longest(c, in, len);
    else
        make_tables(c);
    block.out = out;
    block.room = room;
    block.start = (struct inflate_run){
        .in = in,
        .in_end = in + len,
        .out = out + history,
        .stop = out + room - check_random(c, 2) * check_random(c, (unsigned) (room - history) + 1),
        .out_end = out + room,
        .window = out + (check_random(c, 8) ? 0 : check_random(c, (unsigned) history + 1)),
        .litlen = block.tables.litlen,
        .distance = block.tables.distance,
        .litlen_mask = (1u << block.tables.litlen_bits) - 1,
        .match_share = block.tables.match_share,
        .second = block.tables.second,
    };
    if (len >= 7)
        for (unsigned n = check_random(c, 8); n > 0; n--) {
            block.start.bits |= (uint64_t) *block.start.in++ << block.start.bit_count;
            block.start.bit_count += 8;
        }
    block.run = block.end = block.start;
    memcpy(block.expected, out, room);
    block.end.window = block.expected + (block.start.window - out);
    block.end.out = block.expected + history;
    block.end.stop = block.end.out_end = block.expected + room;
    finish(&block.end, 0);
    block.end.out = out + (block.end.out - block.expected);
    check_record(c, "room", room);
    check_record(c, "history", history);
    check_describe(c, "ends with %d after %td bytes", (int) block.end.match_share,
                   block.end.in - in);
    check_settle(c, settle, NULL);
    check_run(c, ARG(&block.run));
}

/* ---- Calls ---- */

static uint8_t plain[20000], compressed[30000];
static struct inflate_state state;

/* A compressed text long enough for isal_inflate() to call the kernel. */
static void start(void)
{
    struct isal_zstream stream;

    for (size_t i = 0; i < sizeof plain; i++)
        plain[i] = (uint8_t) (i * i >> 8 & 31);
    isal_deflate_stateless_init(&stream);
    stream.next_in = plain;
    stream.avail_in = sizeof plain;
    stream.next_out = compressed;
    stream.avail_out = sizeof compressed;
    stream.end_of_stream = 1;
    isal_deflate_stateless(&stream);
    isal_inflate_init(&state);
    state.next_in = compressed;
    state.avail_in = stream.total_out;
    state.next_out = plain;
    state.avail_out = sizeof plain;
}

#define CALLS(X)                                              \
    X(inflate, isal_inflate, (start(), isal_inflate(&state))) \
    X(inflate, isal_inflate_stateless, (start(), isal_inflate_stateless(&state)))
CALLS(CALL_FUNCTION)
static const struct check_call calls[] = {CALLS(CALL_ENTRY) CALLS_END};

static const struct check_kernel tests[] = {
    {"inflate", inflate_case, BYTES, SIGNATURE(inflate_fn, int, struct inflate_run *), 0},
};
const struct check_family check_inflate = {tests, ARRAY_SIZE(tests), calls, 0};
