/* Decodes streams of other compressors, in one call and in random splits; and a long stream.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: inflate_streams                      decodes only the long stream
 *        inflate_streams ORIGINAL STREAM...   decodes the streams and compares with ORIGINAL; their
 *                                             names end with .gz, .zlib or .raw
 *
 * The long stream has 40 MB of output, or with ISAL_LONG_TESTS in the environment 4 GiB and more.
 * inflate_streams_test makes the others. */

#include "tests/test.h"

#include "isa-l/crc.h"
#include "isa-l/igzip_lib.h"

#define TRAILING 9 /* bytes after each stream, which must be left */
#define SPLITS 3

static struct inflate_state state;

/* The first difference of two buffers, or n. */
static size_t difference(const uint8_t *a, const uint8_t *b, size_t n)
{
    size_t i = 0;

    while (i < n && a[i] == b[i])
        i++;
    return i;
}

/* ---- Streams of files ---- */

struct file {
    const char *name;
    uint8_t *bytes;
    size_t size;
};

static struct file original;
static uint8_t *output;
static char **streams;

/* Leaves room for `more` bytes after the contents. */
static struct file read_file(const char *name, size_t more)
{
    FILE *f = fopen(name, "rb");
    struct file file = {name, NULL, 0};
    long size;

    if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < 0) {
        perror(name);
        exit(2);
    }
    rewind(f);
    file.size = (size_t) size;
    file.bytes = test_alloc(file.size + more);
    if (fread(file.bytes, 1, file.size, f) != file.size) {
        perror(name);
        exit(2);
    }
    fclose(f);
    memset(file.bytes + file.size, 0x5a, more);
    return file;
}

static uint32_t flag_of(const char *name)
{
    const char *suffix = strrchr(name, '.');

    return suffix && !strcmp(suffix, ".gz")     ? ISAL_GZIP
           : suffix && !strcmp(suffix, ".zlib") ? ISAL_ZLIB
                                                : ISAL_DEFLATE;
}

static void set_buffers(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size)
{
    state.next_in = (uint8_t *) (uintptr_t) in;
    state.avail_in = (uint32_t) in_size;
    state.next_out = out;
    state.avail_out = (uint32_t) out_size;
}

static void one_call(const struct file *s)
{
    int result;
    size_t made;

    memset(output, 0, original.size);
    set_buffers(s->bytes, s->size + TRAILING, output, original.size);
    state.crc_flag = flag_of(s->name);
    result = isal_inflate_stateless(&state);
    made = (size_t) (state.next_out - output);
    EXPECT(result == ISAL_DECOMP_OK && state.block_state == ISAL_BLOCK_FINISH,
           "%s: result %d after %zu bytes", s->name, result, made);
    EXPECT(made == original.size && state.avail_in == TRAILING &&
               !memcmp(output, original.bytes, made),
           "%s: %zu bytes, the first wrong one %zu, %u of input left", s->name, made,
           difference(output, original.bytes, made), state.avail_in);
}

/* Pieces of 1 to `max_in` bytes of input and 1 to `max_out` of output. */
static void in_pieces(const struct file *s, unsigned max_in, unsigned max_out)
{
    size_t in = 0, out = 0;
    int result = ISAL_DECOMP_OK;

    memset(output, 0, original.size);
    isal_inflate_init(&state);
    state.crc_flag = flag_of(s->name);
    for (unsigned idle = 0; !result && state.block_state != ISAL_BLOCK_FINISH && idle < 4;) {
        size_t n_in = 1 + test_random(max_in), n_out = 1 + test_random(max_out);

        n_in = n_in < s->size + TRAILING - in ? n_in : s->size + TRAILING - in;
        n_out = n_out < original.size - out ? n_out : original.size - out;
        set_buffers(s->bytes + in, n_in, output + out, n_out);
        result = isal_inflate(&state);
        idle = state.avail_in == n_in && state.avail_out == n_out ? idle + 1 : 0;
        in += n_in - state.avail_in;
        out += n_out - state.avail_out;
    }
    EXPECT(result == ISAL_DECOMP_OK && state.block_state == ISAL_BLOCK_FINISH,
           "%s, pieces of up to %u and %u: result %d after %zu bytes", s->name, max_in, max_out,
           result, out);
    EXPECT(out == original.size && state.total_out == (uint32_t) out && in == s->size &&
               !memcmp(output, original.bytes, out),
           "%s, pieces of up to %u and %u: %zu bytes, the first wrong one %zu; %zu of %zu read",
           s->name, max_in, max_out, out, difference(output, original.bytes, out), in, s->size);
}

static void test_streams(void)
{
    static const unsigned sizes[] = {1, 7, 300, 5000, 100000};

    output = test_alloc(original.size);
    for (char **name = streams; *name; name++) {
        struct file s = read_file(*name, TRAILING);

        one_call(&s);
        for (unsigned i = 0; i < SPLITS; i++)
            in_pieces(&s, sizes[test_random(5)], sizes[test_random(5)]);
        free(s.bytes);
    }
    free(output);
}

/* ---- More output than 32 bits can count ---- */

/* A fixed block of 4 literals and matches of 258 at distance 4, and an empty stored block so that
 * the bits end at a byte boundary. */
#define MATCHES 6000
#define BLOCK_OUT (4 + 258 * MATCHES)

static struct {
    uint8_t bytes[MATCHES * 13 / 8 + 64];
    size_t bit;
} block;

static void put_bits(unsigned value, unsigned bits)
{
    for (unsigned i = 0; i < bits; i++, block.bit++)
        block.bytes[block.bit / 8] |= (uint8_t) ((value >> i & 1) << block.bit % 8);
}

static void make_block(void)
{
    static const uint8_t literals[] = {0x0c, 0x8c, 0x4c, 0xcc}; /* 0 to 3: 8 bits, reversed */

    put_bits(2, 3);
    for (unsigned i = 0; i < sizeof literals; i++)
        put_bits(literals[i], 8);
    for (unsigned i = 0; i < MATCHES; i++) {
        put_bits(0xa3, 8); /* symbol 285, 11000101, reversed */
        put_bits(0x18, 5); /* symbol 3: distance 4 */
    }
    put_bits(0, 7 + 3); /* the end; a stored block */
    block.bit = (block.bit + 7) / 8 * 8;
    put_bits(0, 16);
    put_bits(0xffff, 16);
}

static void little_endian(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t) (value >> 8 * i);
}

/* Output comes in 100,000 bytes at a time, and is compared with a period of 4 bytes that
 * restarts in each block. */
static void test_long_stream(void)
{
    static const uint8_t head[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff};
    static uint8_t out[100000], expected[sizeof out + BLOCK_OUT];
    uint64_t wanted = getenv("ISAL_LONG_TESTS") ? ((uint64_t) 1 << 32) + 100000000 : 40000000;
    uint64_t blocks = wanted / BLOCK_OUT + 1, total = 0;
    uint32_t crc = 0, wraps = 0, last = 0;
    uint8_t tail[10] = {3, 0}; /* an empty last block */
    int result = ISAL_DECOMP_OK;

    make_block();
    for (size_t i = 0; i < sizeof expected; i++)
        expected[i] = (uint8_t) (i % BLOCK_OUT % 4);
    for (uint64_t i = 0; i < blocks; i++)
        crc = crc32_gzip_refl(crc, expected, BLOCK_OUT);
    little_endian(tail + 2, crc);
    little_endian(tail + 6, (uint32_t) (blocks * BLOCK_OUT));
    isal_inflate_init(&state);
    state.crc_flag = ISAL_GZIP;
    for (uint64_t i = 0; i < blocks + 2 && !result; i++) {
        const uint8_t *in = i == 0 ? head : i <= blocks ? block.bytes : tail;

        state.next_in = (uint8_t *) (uintptr_t) in;
        state.avail_in = (uint32_t) (i == 0        ? sizeof head
                                     : i <= blocks ? block.bit / 8
                                                   : sizeof tail);
        do {
            size_t n;

            state.next_out = out;
            state.avail_out = sizeof out;
            result = isal_inflate(&state);
            n = sizeof out - state.avail_out;
            if (!EXPECT(!memcmp(out, expected + total % BLOCK_OUT, n), "wrong bytes after %llu",
                        (unsigned long long) total))
                return;
            total += n;
            wraps += state.total_out < last;
            last = state.total_out;
            EXPECT(last == (uint32_t) total, "total_out is %u, not %u", last, (uint32_t) total);
        } while (!result && state.avail_out == 0);
    }
    EXPECT(!result && state.block_state == ISAL_BLOCK_FINISH && total == blocks * BLOCK_OUT,
           "result %d after %llu bytes", result, (unsigned long long) total);
    EXPECT(wraps == total >> 32, "total_out has wrapped %u times", wraps);
    printf("%llu bytes\n", (unsigned long long) total);
}

int main(int argc, char **argv)
{
    test_start(0, NULL);
    if (argc > 2) {
        original = read_file(argv[1], 0);
        streams = argv + 2;
        TEST(test_streams);
        free(original.bytes);
    } else {
        TEST(test_long_stream);
    }
    return test_finish();
}
