/* AES in portable C without tables or branches that depend on secrets.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bitsliced: a word holds one bit of each of the 64 bytes of four blocks, so that a logical
 * operation applies to all of them. The steps follow FIPS 197; the S-box is computed from its
 * definition, the inverse in GF(2^8) followed by an affine map. */

#include "aes_sliced.h"

#include <string.h>

#include "dispatch/bytes.h"
#include "dispatch/vector.h"

/* A volatile pointer: the compiler cannot remove the call. */
static void *(*const volatile set_memory)(void *p, int byte, size_t n) = memset;

void isalk_aes_wipe(void *p, size_t n)
{
    set_memory(p, 0, n);
}

/* Bit b of byte i of x becomes bit i of byte b: swaps halves, quarters and eighths of the matrix.
 * Source: Warren, "Hacker's Delight", section 7-3. */
ISALK_INLINE uint64_t transposed(uint64_t x)
{
    uint64_t t = (x ^ x >> 7) & 0x00aa00aa00aa00aa;

    x ^= t ^ t << 7;
    t = (x ^ x >> 14) & 0x0000cccc0000cccc;
    x ^= t ^ t << 14;
    t = (x ^ x >> 28) & 0x00000000f0f0f0f0;
    return x ^ t ^ t << 28;
}

static void slice(struct aes_sliced *s, const uint8_t bytes[64])
{
    memset(s, 0, sizeof *s);
    for (unsigned i = 0; i < 8; i++) {
        uint64_t x = transposed(load_le64(bytes + (size_t) 8 * i));
        ISALK_UNROLL
        for (unsigned b = 0; b < 8; b++)
            s->bit[b] |= (x >> 8 * b & 255) << 8 * i;
    }
}

static void unslice(uint8_t bytes[64], const struct aes_sliced *s)
{
    for (unsigned i = 0; i < 8; i++) {
        uint64_t x = 0;
        ISALK_UNROLL
        for (unsigned b = 0; b < 8; b++)
            x |= (s->bit[b] >> 8 * i & 255) << 8 * b;
        store_le64(bytes + (size_t) 8 * i, transposed(x));
    }
}

/* ---- GF(2^8) as an extension of GF(2^4) ----
 *
 * GF(2^4) has the basis 1, Y, Y^2, Y^3 with Y^4 = Y + 1; bits 0 to 3 and bits 4 to 7 are the
 * elements l and h of l + h Z, with Z^2 = Z + L and L = Y^3 + Y. In AES's basis Y is 0xe1 and Z is
 * 0x42, for which the maps between the bases have the fewest terms. */

/* An element of GF(2^4). */
struct nibble {
    uint64_t bit[4];
};

ISALK_INLINE struct nibble plus(struct nibble a, struct nibble b)
{
    ISALK_UNROLL
    for (int i = 0; i < 4; i++)
        a.bit[i] ^= b.bit[i];
    return a;
}

ISALK_INLINE struct nibble times(struct nibble a, struct nibble b)
{
    uint64_t a0 = a.bit[0], a1 = a.bit[1], a2 = a.bit[2], a3 = a.bit[3];
    uint64_t b0 = b.bit[0], b1 = b.bit[1], b2 = b.bit[2], b3 = b.bit[3];
    uint64_t c4 = (a1 & b3) ^ (a2 & b2) ^ (a3 & b1), c5 = (a2 & b3) ^ (a3 & b2), c6 = a3 & b3;

    a.bit[0] = (a0 & b0) ^ c4;
    a.bit[1] = (a0 & b1) ^ (a1 & b0) ^ c4 ^ c5;
    a.bit[2] = (a0 & b2) ^ (a1 & b1) ^ (a2 & b0) ^ c5 ^ c6;
    a.bit[3] = (a0 & b3) ^ (a1 & b2) ^ (a2 & b1) ^ (a3 & b0) ^ c6;
    return a;
}

/* L a^2 */
ISALK_INLINE struct nibble times_l_squared(struct nibble a)
{
    struct nibble r;

    r.bit[0] = a.bit[2] ^ a.bit[3];
    r.bit[1] = a.bit[0] ^ a.bit[1];
    r.bit[2] = a.bit[1] ^ a.bit[2];
    r.bit[3] = a.bit[0] ^ r.bit[2];
    return r;
}

ISALK_INLINE struct nibble squared(struct nibble a)
{
    struct nibble r;

    r.bit[0] = a.bit[0] ^ a.bit[2];
    r.bit[1] = a.bit[2];
    r.bit[2] = a.bit[1] ^ a.bit[3];
    r.bit[3] = a.bit[3];
    return r;
}

/* The inverse, and 0 for 0: its algebraic normal form. */
ISALK_INLINE struct nibble inverse(struct nibble a)
{
    uint64_t a0 = a.bit[0], a1 = a.bit[1], a2 = a.bit[2], a3 = a.bit[3];
    uint64_t a01 = a0 & a1, a02 = a0 & a2, a03 = a0 & a3, a12 = a1 & a2, a13 = a1 & a3;
    uint64_t a123 = a12 & a3;
    struct nibble r;

    r.bit[0] = a0 ^ a1 ^ a2 ^ a3 ^ a02 ^ a12 ^ (a0 & a12) ^ a123;
    r.bit[1] = a3 ^ a01 ^ a02 ^ a12 ^ a13 ^ (a0 & a13);
    r.bit[2] = a2 ^ a3 ^ a01 ^ a02 ^ a03 ^ (a02 & a3);
    r.bit[3] = a1 ^ a2 ^ a3 ^ a03 ^ a13 ^ (a2 & a3) ^ a123;
    return r;
}

/* In the basis of GF(2^4): (l + h Z)^-1 = (l + h + h Z) / (L h^2 + h l + l^2). */
ISALK_INLINE void invert(struct aes_sliced *s)
{
    struct nibble l, h, d;

    memcpy(l.bit, s->bit, sizeof l);
    memcpy(h.bit, s->bit + 4, sizeof h);
    d = inverse(plus(plus(times_l_squared(h), squared(l)), times(h, l)));
    l = times(plus(l, h), d);
    h = times(h, d);
    memcpy(s->bit, l.bit, sizeof l);
    memcpy(s->bit + 4, h.bit, sizeof h);
}

/* Bit i of the result = bit i of `constant` + the sum of the bits of s in rows[i]. */
ISALK_INLINE void affine(struct aes_sliced *s, const uint8_t rows[8], unsigned constant)
{
    struct aes_sliced a = *s;

    ISALK_UNROLL
    for (unsigned i = 0; i < 8; i++) {
        uint64_t sum = 0 - (uint64_t) (constant >> i & 1);
        ISALK_UNROLL
        for (unsigned k = 0; k < 8; k++)
            if (rows[i] >> k & 1)
                sum ^= a.bit[k];
        s->bit[i] = sum;
    }
}

/* AES's basis to that of GF(2^4), and back with the affine map of the S-box. */
static void sub_bytes(struct aes_sliced *s)
{
    static const uint8_t to[8] = {0x21, 0x2c, 0xc2, 0xca, 0xdc, 0xac, 0x72, 0xa0};
    static const uint8_t from[8] = {0xb1, 0x05, 0x0b, 0x51, 0xb7, 0xb6, 0x90, 0x1e};

    affine(s, to, 0);
    invert(s);
    affine(s, from, 0x63);
}

/* The inverse affine map with the change of basis, and back. */
static void inv_sub_bytes(struct aes_sliced *s)
{
    static const uint8_t to[8] = {0x30, 0x23, 0x32, 0x17, 0x86, 0x71, 0xbe, 0xc6};
    static const uint8_t from[8] = {0xa3, 0x70, 0xac, 0x0c, 0xc4, 0xa2, 0x56, 0x22};

    affine(s, to, 0x33);
    invert(s);
    affine(s, from, 0);
}

/* ---- Rows and columns: byte i of a block is in row i % 4 of column i / 4 ---- */

/* Rotates every row r to the left by r * direction columns. */
ISALK_INLINE void shift_rows(struct aes_sliced *s, unsigned direction)
{
    ISALK_UNROLL
    for (unsigned b = 0; b < 8; b++) {
        uint64_t x = s->bit[b], r = x & 0x1111111111111111;
        ISALK_UNROLL
        for (unsigned row = 1; row < 4; row++) {
            unsigned n = row * direction % 4 * 4;
            uint64_t kept = (0xffffu >> n) * 0x0001000100010001u; /* bits that do not wrap around */
            r |= ((x >> n & kept) | (x << (16 - n) & ~kept)) & 0x1111111111111111u << row;
        }
        s->bit[b] = r;
    }
}

/* Each byte of a column becomes the byte `rows` below it. */
ISALK_INLINE uint64_t rotate_column(uint64_t x, unsigned rows)
{
    uint64_t kept = (0xfu >> rows) * 0x1111111111111111u;

    return (x >> rows & kept) | (x << (4 - rows) & ~kept);
}

ISALK_INLINE void double_bytes(struct aes_sliced *r, const struct aes_sliced *a)
{
    struct aes_sliced d;

    ISALK_UNROLL
    for (unsigned b = 0; b < 8; b++)
        d.bit[b] = (b ? a->bit[b - 1] : 0) ^ (0x1b >> b & 1 ? a->bit[7] : 0);
    *r = d;
}

/* Each byte a0 of a column, followed by a1, a2, a3, becomes 2 a0 + 3 a1 + a2 + a3. */
ISALK_INLINE void mix_columns(struct aes_sliced *s)
{
    struct aes_sliced sum, twice;

    ISALK_UNROLL
    for (unsigned b = 0; b < 8; b++)
        sum.bit[b] = s->bit[b] ^ rotate_column(s->bit[b], 1);
    double_bytes(&twice, &sum);
    ISALK_UNROLL
    for (unsigned b = 0; b < 8; b++)
        s->bit[b] = twice.bit[b] ^ rotate_column(s->bit[b], 1) ^ rotate_column(sum.bit[b], 2);
}

/* The inverse: a0 becomes 14 a0 + 11 a1 + 13 a2 + 9 a3, which is mix_columns() of 5 a0 + 4 a2. */
ISALK_INLINE void inv_mix_columns(struct aes_sliced *s)
{
    struct aes_sliced sum;

    ISALK_UNROLL
    for (unsigned b = 0; b < 8; b++)
        sum.bit[b] = s->bit[b] ^ rotate_column(s->bit[b], 2);
    double_bytes(&sum, &sum);
    double_bytes(&sum, &sum);
    ISALK_UNROLL
    for (unsigned b = 0; b < 8; b++)
        s->bit[b] ^= sum.bit[b];
    mix_columns(s);
}

ISALK_INLINE void add_key(struct aes_sliced *s, const struct aes_sliced *key)
{
    ISALK_UNROLL
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
        size_t n = len - i < sizeof blocks ? len - i : sizeof blocks, done = 0;
        for (size_t b = 0; b < sizeof blocks; b += 16) {
            memcpy(blocks + b, counter, 16);
            isalk_aes_count(counter, from, b < n);
        }
        isalk_aes_sliced_enc(keys, blocks);
        for (; n - done >= sizeof(vec); done += sizeof(vec))
            vec_store(out + i + done, vec_load(in + i + done) ^ vec_load(blocks + done));
        for (; done < n; done++)
            out[i + done] = in[i + done] ^ blocks[done];
    }
    isalk_aes_wipe(blocks, sizeof blocks);
}
