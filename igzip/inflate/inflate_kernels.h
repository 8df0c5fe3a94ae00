/* Decoding tables, and the type of the kernel that decodes with them.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef INFLATE_KERNELS_H
#define INFLATE_KERNELS_H

#include "dispatch/kernel.h"

#include "dispatch/bytes.h"
#include "igzip/format/deflate_format.h"

/* ---- Tables ----
 *
 * The next bits of input index the table of literals and lengths: LITLEN_BITS bits, or fewer where
 * a large table would take longer to make than it saves. An entry stands for all symbols that are
 * complete in those bits, at most two literals and then a match length. In the tables of short
 * inputs it stands for one symbol.
 *
 *     bits 0-5    bits of input, extra bits of the length included
 *     bits 6-7    number of literals, 0 to 2
 *     bits 8-23   the literals
 *     bits 24-30  match length, 3 to 127, or 0 for none
 *
 * Bit 31 marks a special entry, which stands for one symbol:
 *
 *     bits 0-5    bits of input, extra bits included
 *     bits 8-11   bits of the code without the extra bits
 *     bits 12-20  literal, or the smallest length of the symbol
 *     bits 28-30  kind: enum litlen_kind
 *
 * The special entry of a code longer than the index has the kind LITLEN_SUBTABLE. Its bits 0-5 are
 * the bits of the index, and bits 12-24 the index of a subtable of special entries. The next input
 * bits index the subtable; bits 8-11 say how many. */

#define LITLEN_BITS 12
#define LITLEN_MIN_BITS 9
#define LITLEN_MIN_PAIR_BITS 11 /* a table with a lower limit of bits has one symbol an entry */
#define LITLEN_SPECIAL 0x80000000u
#define LITLEN_HAS_LENGTH (1u << 24) /* at least this: a match length, or a special entry */

enum litlen_kind {
    LITLEN_LENGTH,
    LITLEN_LITERAL, /* in subtables only */
    LITLEN_END,
    LITLEN_SUBTABLE,
    LITLEN_INVALID
};

/* DISTANCE_BITS bits index the distance table:
 *
 *     bits 0-5    bits of input, extra bits included
 *     bits 8-13   bits of the code without the extra bits
 *     bits 16-30  smallest distance of the symbol
 *
 * Bit 31 marks a code longer than the index: bits 16-30 are the index of a subtable, and bits 8-11
 * say how many input bits index it. Both fields are 0 for an invalid code. */
#define DISTANCE_BITS 8
#define DISTANCE_SPECIAL 0x80000000u

/* After an entry without a match length, the kernel may look for one more literal, in a table with
 * the index and the fields of the distance table. So the kernel can treat any entry as a distance:
 *
 *     bits 0-5    bits of input
 *     bits 8-13   the same number
 *     bit 14      1
 *     bits 16-23  the literal
 *
 * The entry is 0 if the next symbol is not a literal or its code is longer than the index. */
#define SECOND_LITERAL 0x4000u

/* Sizes of the tables. A subtable of d bits has at least d + 1 symbols. Therefore an index of 9
 * bits has at most 286 / 7 = 40 subtables of 6 bits, and one of 11 bits at most 57 of 4 bits. Both
 * fit into the entries of an index of 12 bits. An index of 12 bits is chosen only if at most
 * LITLEN_MAX_LONG codes are longer; its subtables have 3 bits or fewer, and at most two entries for
 * each symbol. Distances have at most 30 / 8 = 3 subtables of 7 bits. */
#define LITLEN_MAX_LONG 44
#define LITLEN_ENTRIES ((1 << LITLEN_BITS) + 2 * LITLEN_MAX_LONG)
#define DISTANCE_ENTRIES ((1 << DISTANCE_BITS) + 3 * 128)
#define SECOND_ENTRIES (1 << DISTANCE_BITS)

#define SYMBOL_BATCH 8 /* symbols in one store; arrays of symbols have room for one more batch */

/* A canonical code: the number of symbols of each length, and the symbols in the order of their
 * codes. */
struct inflate_code {
    uint16_t count[DEFLATE_MAX_BITS + 1];    /* count[0]: all symbols with a code */
    uint16_t literals[DEFLATE_MAX_BITS + 1]; /* symbols below DEFLATE_END_OF_BLOCK */
    uint16_t symbols[DEFLATE_FIXED_LITLENS + SYMBOL_BATCH];
};

/* Bytes of a code with room for n symbols. */
#define CODE_BYTES(n) \
    (offsetof(struct inflate_code, symbols) + ((n) + SYMBOL_BATCH) * sizeof(uint16_t))

/* Symbols grouped by code length. Within a length they are in order, except for length 0. */
#define SORTED_SYMBOLS (DEFLATE_FIXED_LITLENS + DEFLATE_FIXED_DISTANCES)
struct inflate_sorted {
    uint16_t count[DEFLATE_MAX_BITS + 1];
    uint16_t symbols[DEFLATE_MAX_BITS + 1][SORTED_SYMBOLS + SYMBOL_BATCH];
};

/* DEFLATE_PRECODE_MAX_BITS bits index the table of the precode (the code of the code lengths):
 *
 *     bits 0-3    bits of input, extra bits included
 *     bits 4-7    bits of the code without the extra bits
 *     bits 8-11   code length
 *     bit 16      1 to repeat the code length before this one instead
 *     bits 24-31  smallest number of repetitions */
#define PRECODE_REPEATS_LAST 0x10000u

/* Tables and codes of a block. */
struct inflate_tables {
    const uint32_t *litlen, *distance, *second;
    const struct inflate_code *litlen_code, *distance_code;
    uint32_t litlen_bits; /* bits that index litlen */
    uint32_t match_share; /* estimated number of entries with a length among 32768 lookups */
};

/* ---- Kernel ---- */

/* The state of decoding. The input continues with the bits in `bits`, lowest first, and then at
 * `in`. */
struct inflate_run {
    const uint8_t *in, *in_end;
    uint8_t *out;
    uint8_t *stop;         /* symbols begin before this address */
    uint8_t *out_end;      /* end of the output buffer */
    const uint8_t *window; /* start of the bytes that matches may copy */
    uint64_t bits;
    uint64_t bit_count; /* at most 63; the bits above are 0 */
    const uint32_t *litlen, *distance;
    uint64_t litlen_mask; /* of the bits that index litlen */
    uint64_t match_share; /* as in struct inflate_tables */
    const uint32_t *second;
    const uint32_t *no_length; /* the kernel's own: table used after an entry without a length */
    uint8_t *limit;            /* the kernel's own: symbols begin before this address */
    const uint8_t *piece_in;   /* the kernel's own: input and output at the start of a piece */
    const uint8_t *piece_out;
    int resumes;               /* the same call continues after `stop` */
    uint32_t last_distance;    /* of the last match that was decoded without a kernel */
    uint32_t complete_bits;    /* after STOP_INPUT: of the complete parts of the next symbol */
    int reads_empty_precode;   /* a precode without codes is an error after the code lengths */
};

/* Decodes symbols while at least INFLATE_IN_MARGIN bytes of input and INFLATE_OUT_MARGIN bytes of
 * output are left and the output is before `stop`. It ends before a symbol that is an error or that
 * does not fit. It may write anything between `out` and `out_end`. Returns 1 after the end of the
 * block, else 0. */
typedef int inflate_fn(struct inflate_run *r);
KERNEL_SLOT_TYPE(inflate_fn);
#define INFLATE_IN_MARGIN 8
#define INFLATE_OUT_MARGIN 68
/* With a lower match_share, the kernel does not read `second`. Measured on Emerald Rapids, 4 KB
 * records in turn: of the limits from 0 to 12000, one of 4000 to 6000 is best. Repeated on one
 * record, the CPU learns its branches, and a higher limit seems better. */
#define INFLATE_FEW_MATCHES 5000
#define INFLATE_FIRST_PIECE 1024 /* bytes of output after which the data decide instead */

/* Results of a decoding step. 0 means that decoding continues; negative results are errors. */
enum inflate_stop {
    STOP_INPUT = 1, /* more input is needed; the bit buffer has all there was */
    STOP_OUTPUT,    /* the output has reached `stop`, or a match does not fit */
    STOP_END        /* end of the block */
};

ISALK_HIDDEN_BEGIN

inflate_fn isalk_inflate_base, isalk_inflate_avx2;
extern inflate_fn_slot isalk_inflate_slot;

/* Decodes symbols one at a time, as RFC 1951 defines them, until it stops or finds an error.
 * Distance symbols from `allowed` on are errors. */
int isalk_inflate_symbols(struct inflate_run *r, const struct inflate_tables *t, size_t allowed);

/* The tables of blocks with the fixed code. */
extern const struct inflate_tables isalk_inflate_fixed;

/* Sorts symbols 0 to n - 1 by their code lengths. */
void isalk_inflate_sort(struct inflate_sorted *s, const uint8_t *lengths, size_t n);

/* Makes the code of the sorted symbols from `first` on and removes them from `s`. The code numbers
 * them from 0. `lengths` are the code lengths of all n symbols in `s`. Returns 0, or -1 if the code
 * is invalid: a valid code is complete, has one symbol of one bit, or has no symbol. */
int isalk_inflate_code(struct inflate_code *code, struct inflate_sorted *s, const uint8_t *lengths,
                       size_t first, size_t n);

/* Make the tables of a code. *index_bits limits the bits of the index of literals and lengths;
 * isalk_inflate_litlen_table() replaces it by the number that it chose, and sets *match_share.
 * Distance symbols from `allowed` on are errors. */
void isalk_inflate_litlen_table(uint32_t *table, const struct inflate_code *code,
                                unsigned *index_bits, uint32_t *match_share);
void isalk_inflate_distance_table(uint32_t *table, const struct inflate_code *code, size_t allowed);
void isalk_inflate_second_table(uint32_t *table, const struct inflate_code *code);
void isalk_inflate_precode_table(uint32_t *table, const struct inflate_code *code);

ISALK_HIDDEN_END

/* Adds n symbols of one code length, from `symbol` on; n is at most SYMBOL_BATCH unless the length
 * is 0. Symbols of length 0 are never used. */
ISALK_INLINE void inflate_sort(struct inflate_sorted *s, unsigned length, unsigned symbol,
                               unsigned n)
{
    uint16_t *to = s->symbols[length] + s->count[length];

    for (unsigned i = 0; i < SYMBOL_BATCH; i++)
        to[i] = (uint16_t) (symbol + i);
    s->count[length] = (uint16_t) (s->count[length] + n);
}

#endif
