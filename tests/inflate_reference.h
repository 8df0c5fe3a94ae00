/* A DEFLATE decoder (RFC 1951) for tests: short, slow, strict, and independent of the library.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef INFLATE_REFERENCE_H
#define INFLATE_REFERENCE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct reference {
    const uint8_t *in;
    size_t in_size, bit; /* the next bit */
    uint8_t *out;
    size_t out_size, made; /* bytes in `out`, a dictionary included */
    size_t start;          /* offset of the first byte that matches may copy */
    size_t farthest;       /* longest distance so far */
    int finished;          /* the last block is complete */
};

static unsigned reference_bits(struct reference *r, unsigned n, int *error)
{
    unsigned v = 0;

    for (unsigned i = 0; i < n; i++, r->bit++) {
        if (r->bit / 8 >= r->in_size) {
            *error = 1;
            return 0;
        }
        v |= (unsigned) (r->in[r->bit / 8] >> r->bit % 8 & 1) << i;
    }
    return v;
}

struct reference_code {
    unsigned count[16], symbol[320];
};

/* Returns 0, or 1 if the lengths are not a valid code. A code of one symbol, or of none, is
 * valid. */
static int reference_make(struct reference_code *c, const uint8_t *lengths, unsigned n)
{
    unsigned at = 0, used = 0;
    int left = 1;

    memset(c->count, 0, sizeof(c->count));
    for (unsigned bits = 1; bits < 16; bits++)
        for (unsigned i = 0; i < n; i++)
            if (lengths[i] == bits) {
                c->symbol[at++] = i;
                c->count[bits]++;
                used++;
            }
    for (unsigned bits = 1; bits < 16; bits++) {
        left = 2 * left - (int) c->count[bits];
        if (left < 0)
            return 1;
    }
    return left > 0 && used > 1;
}

static unsigned reference_symbol(struct reference *r, const struct reference_code *c, int *error)
{
    unsigned code = 0, first = 0, index = 0;

    for (unsigned bits = 1; bits < 16 && !*error; bits++) {
        code |= reference_bits(r, 1, error);
        if (code < first + c->count[bits])
            return c->symbol[index + code - first];
        index += c->count[bits];
        first = (first + c->count[bits]) << 1;
        code <<= 1;
    }
    *error = 1;
    return 0;
}

/* Reads the extra bits of a length or distance. `per_step` symbols have the same number of extra
 * bits. */
static unsigned reference_value(struct reference *r, unsigned symbol, unsigned per_step,
                                unsigned base, int *error)
{
    unsigned extra = symbol < 2 * per_step ? 0 : symbol / per_step - 1, value = base;

    for (unsigned i = 0; i < symbol; i++)
        value += 1u << (i < 2 * per_step ? 0 : i / per_step - 1);
    return value + reference_bits(r, extra, error);
}

static void reference_codes(struct reference *r, struct reference_code *litlen,
                            struct reference_code *distance, int *error)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                      11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[320] = {0}, sizes[19] = {0};
    unsigned litlens = 257 + reference_bits(r, 5, error);
    unsigned distances = 1 + reference_bits(r, 5, error), n = 4 + reference_bits(r, 4, error);

    for (unsigned i = 0; i < n; i++)
        sizes[order[i]] = (uint8_t) reference_bits(r, 3, error);
    if (litlens > 286 || distances > 30 || reference_make(litlen, sizes, 19)) {
        *error = 1;
        return;
    }
    for (unsigned i = 0; i < litlens + distances && !*error;) {
        unsigned symbol = reference_symbol(r, litlen, error), times = 1;
        uint8_t value = (uint8_t) symbol;

        if (symbol == 16) {
            value = i ? lengths[i - 1] : 16;
            times = 3 + reference_bits(r, 2, error);
        } else if (symbol > 16) {
            value = 0;
            times =
                symbol == 17 ? 3 + reference_bits(r, 3, error) : 11 + reference_bits(r, 7, error);
        }
        if (value > 15 || i + times > litlens + distances) {
            *error = 1;
            return;
        }
        memset(lengths + i, value, times);
        i += times;
    }
    if (lengths[256] == 0 || reference_make(litlen, lengths, litlens) ||
        reference_make(distance, lengths + litlens, distances))
        *error = 1;
}

static void reference_fixed_codes(struct reference_code *litlen, struct reference_code *distance)
{
    uint8_t lengths[320];

    memset(lengths, 8, 144);
    memset(lengths + 144, 9, 112);
    memset(lengths + 256, 7, 24);
    memset(lengths + 280, 8, 8);
    memset(lengths + 288, 5, 32);
    reference_make(litlen, lengths, 288);
    reference_make(distance, lengths + 288, 32);
}

static int reference_stored(struct reference *r)
{
    int error = 0;
    unsigned n, check;

    r->bit = (r->bit + 7) & ~(size_t) 7;
    n = reference_bits(r, 16, &error);
    check = reference_bits(r, 16, &error);
    if (error || (n ^ check) != 0xffff || r->in_size - r->bit / 8 < n || r->out_size - r->made < n)
        return 1;
    memcpy(r->out + r->made, r->in + r->bit / 8, n);
    r->made += n;
    r->bit += 8 * (size_t) n;
    return 0;
}

/* Decodes the symbols of a block. */
static int reference_coded(struct reference *r, const struct reference_code *litlen,
                           const struct reference_code *distance)
{
    int error = 0;

    for (;;) {
        unsigned symbol = reference_symbol(r, litlen, &error), length;
        size_t back;

        if (error || symbol == 256)
            return error;
        if (symbol < 256) {
            if (r->made == r->out_size)
                return 1;
            r->out[r->made++] = (uint8_t) symbol;
            continue;
        }
        length = symbol == 285 ? 258 : reference_value(r, symbol - 257, 4, 3, &error);
        symbol = reference_symbol(r, distance, &error);
        if (error || symbol > 29)
            return 1;
        back = reference_value(r, symbol, 2, 1, &error);
        if (error || back > r->made - r->start || length > r->out_size - r->made)
            return 1;
        r->farthest = back > r->farthest ? back : r->farthest;
        for (; length > 0; length--, r->made++)
            r->out[r->made] = r->out[r->made - back];
    }
}

/* Decodes blocks until the last one, or until the input ends at a block boundary. Returns 0, or 1
 * if the input is invalid or the output too small. */
static int reference_inflate(struct reference *r)
{
    int error = 0;

    while (!error && !r->finished && (r->bit + 7) / 8 < r->in_size) {
        int last = (int) reference_bits(r, 1, &error);
        unsigned type = reference_bits(r, 2, &error);
        struct reference_code litlen, distance;

        if (type == 1)
            reference_fixed_codes(&litlen, &distance);
        else if (type == 2)
            reference_codes(r, &litlen, &distance, &error);
        if (type == 3 || error)
            return 1;
        error = type == 0 ? reference_stored(r) : reference_coded(r, &litlen, &distance);
        if (!error)
            r->finished = last;
    }
    return error;
}

#endif
