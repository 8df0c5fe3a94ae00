/* AES in portable C without tables or branches that depend on secrets.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bitsliced: a word holds one bit of each of the 64 bytes of four blocks, so that a logical
 * operation applies to all of them. The steps follow FIPS 197; the S-box is computed from its
 * definition, the inverse in GF(2^8) followed by an affine map. */

#include "aes_sliced.h"

#include <string.h>

/* A volatile pointer: the compiler cannot remove the call. */
static void *(*const volatile set_memory)(void *p, int byte, size_t n) = memset;

void isalk_aes_wipe(void *p, size_t n)
{
    set_memory(p, 0, n);
}

static void slice(struct aes_sliced *s, const uint8_t bytes[64])
{
    memset(s, 0, sizeof *s);
    for (unsigned i = 0; i < 64; i++)
        for (unsigned b = 0; b < 8; b++)
            s->bit[b] |= (uint64_t) (bytes[i] >> b & 1) << i;
}

static void unslice(uint8_t bytes[64], const struct aes_sliced *s)
{
    for (unsigned i = 0; i < 64; i++) {
        unsigned byte = 0;
        for (unsigned b = 0; b < 8; b++)
            byte |= (unsigned) (s->bit[b] >> i & 1) << b;
        bytes[i] = (uint8_t) byte;
    }
}

/* ---- GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 ---- */

/* r = the polynomial of degree 14 in c, reduced. */
static void reduce(struct aes_sliced *r, uint64_t c[15])
{
    for (unsigned k = 14; k >= 8; k--) {
        c[k - 4] ^= c[k];
        c[k - 5] ^= c[k];
        c[k - 7] ^= c[k];
        c[k - 8] ^= c[k];
    }
    memcpy(r->bit, c, sizeof r->bit);
}

static void multiply(struct aes_sliced *r, const struct aes_sliced *a, const struct aes_sliced *b)
{
    uint64_t c[15] = {0};

    for (unsigned i = 0; i < 8; i++)
        for (unsigned j = 0; j < 8; j++)
            c[i + j] ^= a->bit[i] & b->bit[j];
    reduce(r, c);
}

/* r = a^(2^n) */
static void square(struct aes_sliced *r, const struct aes_sliced *a, unsigned n)
{
    *r = *a;
    while (n--) {
        uint64_t c[15] = {0};
        for (unsigned i = 0; i < 8; i++)
            c[2 * i] = r->bit[i];
        reduce(r, c);
    }
}

/* s = s^254: the inverse, and 0 for 0 */
static void invert(struct aes_sliced *s)
{
    struct aes_sliced s2, s3, s12, s15, s240, s252;

    square(&s2, s, 1);
    multiply(&s3, &s2, s);
    square(&s12, &s3, 2);
    multiply(&s15, &s12, &s3);
    square(&s240, &s15, 4);
    multiply(&s252, &s240, &s12);
    multiply(s, &s252, &s2);
}

/* Bit i of the result = bit i of `constant` + the sum of bits (i + k) % 8 of s for each k whose
 * bit in `terms` is set. */
static void affine(struct aes_sliced *s, unsigned terms, unsigned constant)
{
    struct aes_sliced a = *s;

    for (unsigned i = 0; i < 8; i++) {
        s->bit[i] = 0 - (uint64_t) (constant >> i & 1);
        for (unsigned k = 0; k < 8; k++)
            if (terms >> k & 1)
                s->bit[i] ^= a.bit[(i + k) % 8];
    }
}

static void sub_bytes(struct aes_sliced *s)
{
    invert(s);
    affine(s, 0xf1, 0x63);
}

static void inv_sub_bytes(struct aes_sliced *s)
{
    affine(s, 0xa4, 0x05);
    invert(s);
}

/* ---- Rows and columns: byte i of a block is in row i % 4 of column i / 4 ---- */

/* Rotates every row r to the left by r * direction columns. */
static void shift_rows(struct aes_sliced *s, unsigned direction)
{
    for (unsigned b = 0; b < 8; b++) {
        uint64_t x = s->bit[b], r = x & 0x1111111111111111;
        for (unsigned row = 1; row < 4; row++) {
            unsigned n = row * direction % 4 * 4;
            uint64_t kept = (0xffffu >> n) * 0x0001000100010001u; /* bits that do not wrap around */
            r |= ((x >> n & kept) | (x << (16 - n) & ~kept)) & 0x1111111111111111u << row;
        }
        s->bit[b] = r;
    }
}

/* Each byte of a column becomes the byte `rows` below it. */
static uint64_t rotate_column(uint64_t x, unsigned rows)
{
    uint64_t kept = (0xfu >> rows) * 0x1111111111111111u;

    return (x >> rows & kept) | (x << (4 - rows) & ~kept);
}

static void double_bytes(struct aes_sliced *r, const struct aes_sliced *a)
{
    struct aes_sliced d;

    for (unsigned b = 0; b < 8; b++)
        d.bit[b] = (b ? a->bit[b - 1] : 0) ^ (0x1b >> b & 1 ? a->bit[7] : 0);
    *r = d;
}

/* Each byte a0 of a column, followed by a1, a2, a3, becomes 2 a0 + 3 a1 + a2 + a3. */
static void mix_columns(struct aes_sliced *s)
{
    struct aes_sliced sum, twice;

    for (unsigned b = 0; b < 8; b++)
        sum.bit[b] = s->bit[b] ^ rotate_column(s->bit[b], 1);
    double_bytes(&twice, &sum);
    for (unsigned b = 0; b < 8; b++)
        s->bit[b] = twice.bit[b] ^ rotate_column(s->bit[b], 1) ^ rotate_column(sum.bit[b], 2);
}

/* The inverse: a0 becomes 14 a0 + 11 a1 + 13 a2 + 9 a3, which is mix_columns() of 5 a0 + 4 a2. */
static void inv_mix_columns(struct aes_sliced *s)
{
    struct aes_sliced sum;

    for (unsigned b = 0; b < 8; b++)
        sum.bit[b] = s->bit[b] ^ rotate_column(s->bit[b], 2);
    double_bytes(&sum, &sum);
    double_bytes(&sum, &sum);
    for (unsigned b = 0; b < 8; b++)
        s->bit[b] ^= sum.bit[b];
    mix_columns(s);
}

static void add_key(struct aes_sliced *s, const struct aes_sliced *key)
{
    for (unsigned b = 0; b < 8; b++)
        s->bit[b] ^= key->bit[b];
}

/* ---- The ciphers ---- */

void isalk_aes_sliced_keys(struct aes_sliced_keys *keys, const uint8_t *schedule, unsigned rounds)
{
    uint8_t copies[64];

    keys->rounds = rounds;
    for (unsigned r = 0; r <= rounds; r++) {
        for (unsigned i = 0; i < AES_SLICED_BLOCKS; i++)
            memcpy(copies + 16 * i, schedule + 16 * r, 16);
        slice(&keys->key[r], copies);
    }
    isalk_aes_wipe(copies, sizeof copies);
}

void isalk_aes_sliced_four_keys(struct aes_sliced_keys *keys, const uint8_t *table, size_t stride,
                                unsigned rounds)
{
    keys->rounds = rounds;
    for (unsigned r = 0; r <= rounds; r++)
        slice(&keys->key[r], table + r * stride);
}

void isalk_aes_sliced_enc(const struct aes_sliced_keys *keys, uint8_t blocks[64])
{
    struct aes_sliced s;

    slice(&s, blocks);
    add_key(&s, &keys->key[0]);
    for (unsigned r = 1; r <= keys->rounds; r++) {
        sub_bytes(&s);
        shift_rows(&s, 1);
        if (r < keys->rounds)
            mix_columns(&s);
        add_key(&s, &keys->key[r]);
    }
    unslice(blocks, &s);
}

void isalk_aes_sliced_dec(const struct aes_sliced_keys *keys, uint8_t blocks[64])
{
    struct aes_sliced s;

    slice(&s, blocks);
    add_key(&s, &keys->key[0]);
    for (unsigned r = 1; r <= keys->rounds; r++) {
        inv_sub_bytes(&s);
        shift_rows(&s, 3);
        if (r < keys->rounds)
            inv_mix_columns(&s);
        add_key(&s, &keys->key[r]);
    }
    unslice(blocks, &s);
}

void isalk_aes_sliced_sub(uint8_t blocks[64])
{
    struct aes_sliced s;

    slice(&s, blocks);
    sub_bytes(&s);
    unslice(blocks, &s);
}

void isalk_aes_sliced_inv_mix(uint8_t blocks[64])
{
    struct aes_sliced s;

    slice(&s, blocks);
    inv_mix_columns(&s);
    unslice(blocks, &s);
}

void isalk_aes_sliced_ctr(const struct aes_sliced_keys *keys, uint8_t counter[16], unsigned from,
                          uint8_t *out, const uint8_t *in, size_t len)
{
    uint8_t blocks[64];

    for (size_t i = 0; i < len; i += sizeof blocks) {
        size_t n = len - i < sizeof blocks ? len - i : sizeof blocks;
        for (size_t b = 0; b < sizeof blocks; b += 16) {
            memcpy(blocks + b, counter, 16);
            isalk_aes_count(counter, from, b < n);
        }
        isalk_aes_sliced_enc(keys, blocks);
        for (size_t b = 0; b < n; b++)
            out[i + b] = in[i + b] ^ blocks[b];
    }
    isalk_aes_wipe(blocks, sizeof blocks);
}
