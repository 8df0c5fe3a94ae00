/* Decoding tables, and the type of the kernel that decodes with them.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef INFLATE_KERNELS_H
#define INFLATE_KERNELS_H

#include "dispatch/kernel.h"

#include "igzip/format/deflate_format.h"

/* ---- Tables ----
 *
 * The literal and length table is indexed by the next bits of input: LITLEN_BITS of them, or fewer
 * where the time to make a large table would not come back. An entry stands for as many symbols as
 * those bits hold whole, up to two literals and a match length after them:
 *
 *     bits 0-5    bits of input that it stands for, extra bits of the length included
 *     bits 6-7    number of literals, 0 to 2
 *     bits 8-23   the literals
 *     bits 24-30  match length, 3 to 127, or 0 for none
 *
 * What does not fit that form is an entry with bit 31 set, for one symbol:
 *
 *     bits 0-5    bits of input, extra bits included
 *     bits 8-11   bits of the code alone
 *     bits 12-20  literal, or the smallest length that the symbol stands for
 *     bits 28-30  kind: enum litlen_kind
 *
 * For codes longer than the index it is of the kind LITLEN_SUBTABLE instead: bits 0-5 are the bits
 * of the index, bits 12-24 the index of a table of entries of the second form, which is indexed by
 * the bits 8-11 next bits of input. */

#define LITLEN_BITS 12
#define LITLEN_LEAST_BITS 9
#define LITLEN_SPECIAL 0x80000000u

enum litlen_kind {
    LITLEN_LENGTH,
    LITLEN_LITERAL, /* in subtables alone */
    LITLEN_END,
    LITLEN_SUBTABLE,
    LITLEN_INVALID
};

/* The distance table is indexed by DISTANCE_BITS bits:
 *
 *     bits 0-5    bits of input, extra bits included
 *     bits 8-13   bits of the code alone
 *     bits 16-30  smallest distance that the symbol stands for
 *
 * With bit 31 set, bits 16-30 are the index of a subtable, indexed by the bits 8-11 next bits
 * after DISTANCE_BITS ones; 0 for codes that stand for nothing. */
#define DISTANCE_BITS 8
#define DISTANCE_SPECIAL 0x80000000u

/* Where an entry of literals and lengths has no length, another literal may follow it. Its table is
 * indexed as that of distances is, and its entries are taken for distances where that does no harm:
 *
 *     bits 0-5    bits of input
 *     bits 8-13   the same
 *     bit 14      1
 *     bits 16-23  the literal
 *
 * or 0 for what is not a literal, or is one of more bits. */
#define SECOND_LITERAL 0x4000u

/* Entries that tables may take. A subtable of d bits takes d + 1 symbols at least: of 6 bits, which an
 * index of 9 leaves, there are at most 286 / 7 = 40, of 4 bits 57; and an entry stands for half a
 * symbol at least where it has 3 bits, so that LITLEN_LONGER symbols fit behind the largest index. Of
 * distances there are 30 / 8 = 3 subtables of 7 bits. */
#define LITLEN_LONGER 44
#define LITLEN_ENTRIES ((1 << LITLEN_BITS) + 2 * LITLEN_LONGER)
#define DISTANCE_ENTRIES ((1 << DISTANCE_BITS) + 3 * 128)
#define SECOND_ENTRIES (1 << DISTANCE_BITS)

/* Symbols are written so many at once; there is room for the last of them. */
#define SYMBOLS_AT_ONCE 8

/* A canonical code: how many symbols have each length, and the symbols in the order of their codes.
 */
struct inflate_code {
    uint16_t count[DEFLATE_MAX_BITS + 1];    /* count[0]: of all that have a code */
    uint16_t literals[DEFLATE_MAX_BITS + 1]; /* of the symbols before DEFLATE_END_OF_BLOCK */
    uint16_t symbols[DEFLATE_FIXED_LITLENS + SYMBOLS_AT_ONCE];
};

/* Memory that a code of n symbols takes. */
#define CODE_BYTES(n) \
    (offsetof(struct inflate_code, symbols) + ((n) + SYMBOLS_AT_ONCE) * sizeof(uint16_t))

/* Symbols by the length of their code, in order; those of length 0 in no order, perhaps. */
#define SORTED_SYMBOLS (DEFLATE_FIXED_LITLENS + DEFLATE_FIXED_DISTANCES)
struct inflate_sorted {
    uint16_t count[DEFLATE_MAX_BITS + 1];
    uint16_t symbols[DEFLATE_MAX_BITS + 1][SORTED_SYMBOLS + SYMBOLS_AT_ONCE];
};

/* Entries of the table for the code for code lengths, indexed by DEFLATE_PRECODE_MAX_BITS bits:
 *
 *     bits 0-3    bits of input, extra bits included
 *     bits 4-7    bits of the code alone
 *     bits 8-11   code length that it stands for
 *     bit 16      it stands for the last one instead
 *     bits 24-31  how often at least */
#define PRECODE_REPEATS_LAST 0x10000u

/* What decodes the symbols of a block. */
struct inflate_tables {
    const uint32_t *litlen, *distance, *second;
    const struct inflate_code *litlen_code, *distance_code;
    uint32_t litlen_bits;
    uint32_t matches; /* of 32768 entries looked up, about how many have a length */
};

/* ---- Kernel ---- */

/* A stretch of decoding. Bits of input are in `bits`, lowest first, and after them at `in`. */
struct inflate_run {
    const uint8_t *in, *in_end;
    uint8_t *out;
    uint8_t *stop;         /* no entry is looked up here or later */
    uint8_t *out_end;      /* nothing is written here or later */
    const uint8_t *window; /* what matches may copy begins here */
    uint64_t bits;
    uint64_t count; /* of bits, at most 63; those above are 0 */
    const uint32_t *litlen, *distance;
    uint64_t litlen_mask; /* of the bits that index litlen */
    uint64_t matches;
    const uint32_t *second;    /* table of second literals */
    const uint32_t *no_length; /* the kernel's own: the table where there is no length */
    uint8_t *limit;            /* the kernel's own: where it looks for what is next */
    int paused;                /* decoding goes on behind `stop` in the same call */
};

/* Decodes symbols while at least INFLATE_IN_MARGIN bytes of input are left, the output is before
 * `stop`, and INFLATE_OUT_MARGIN bytes of room. Ends early, before it, at a symbol that is an error
 * or does not fit. Bytes between `out` and `out_end` are scratch. Returns 1 if it has read the end
 * of the block, else 0. */
typedef int inflate_fn(struct inflate_run *r);
KERNEL_SLOT_TYPE(inflate_fn);
#define INFLATE_IN_MARGIN 8
#define INFLATE_OUT_MARGIN 68
#define INFLATE_MATCHES_FEW 11500 /* with fewer, the kernel does not read `second` */

/* Results of a step besides 0, for goes on, and errors. */
enum inflate_stop {
    STOP_INPUT = 1, /* all input is in the bit buffer, and not enough */
    STOP_OUTPUT,    /* the output is at inflate_run.stop, or a match does not fit */
    STOP_END        /* the end of the block */
};

ISALK_HIDDEN_BEGIN

inflate_fn isalk_inflate_base, isalk_inflate_avx2;
extern inflate_fn_slot isalk_inflate_slot;

/* Decodes symbols one at a time by their definition, until it stops or meets an error. Distance
 * symbols from `allowed` on are errors. */
int isalk_inflate_symbols(struct inflate_run *r, const struct inflate_tables *t, size_t allowed);

/* The tables of blocks with the fixed code. */
extern const struct inflate_tables isalk_inflate_fixed;

/* Sorts the symbols of n code lengths, the first of which is number 0. */
void isalk_inflate_sort(struct inflate_sorted *s, const uint8_t *lengths, size_t n);

/* Makes the code of the symbols from `first` on, which are numbered from 0 in it, and takes them out
 * of those sorted; `lengths` are of all symbols in `s`, n of them. Returns 0, or -1 if it is not a
 * code that data may have: one that is complete, or has one symbol, or none. */
int isalk_inflate_code(struct inflate_code *code, struct inflate_sorted *s, const uint8_t *lengths,
                       size_t first, size_t n);

/* Make tables of a code; that of literals and lengths with an index of *index_bits, which may become
 * fewer. Distance symbols from `allowed` on are errors. */
void isalk_inflate_litlen_table(uint32_t *table, const struct inflate_code *code,
                                unsigned *index_bits, uint32_t *matches);
void isalk_inflate_distance_table(uint32_t *table, const struct inflate_code *code, size_t allowed);
void isalk_inflate_second_table(uint32_t *table, const struct inflate_code *code);
void isalk_inflate_precode_table(uint32_t *table, const struct inflate_code *code);

ISALK_HIDDEN_END

/* Notes that the n symbols from `symbol` on have a code length; n is at most SYMBOLS_AT_ONCE, or the
 * length 0. */
ISALK_INLINE void inflate_sort(struct inflate_sorted *s, unsigned length, unsigned symbol,
                               unsigned n)
{
    uint16_t *to = s->symbols[length] + s->count[length];

    for (unsigned i = 0; i < SYMBOLS_AT_ONCE; i++)
        to[i] = (uint16_t) (symbol + i);
    s->count[length] = (uint16_t) (s->count[length] + n);
}

/* Compilers make one load of it. */
ISALK_INLINE uint64_t inflate_load(const uint8_t *p)
{
    return (uint64_t) p[0] | (uint64_t) p[1] << 8 | (uint64_t) p[2] << 16 | (uint64_t) p[3] << 24 |
           (uint64_t) p[4] << 32 | (uint64_t) p[5] << 40 | (uint64_t) p[6] << 48 |
           (uint64_t) p[7] << 56;
}

#endif
