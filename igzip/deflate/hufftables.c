/* Huffman tables that programs make for level 0: public functions and their parts.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/deflate/stream.h"
#include "igzip/lz77/match.h"

/* The codes of the first n symbols, lowest bit first, and their sizes. */
static void fill(const struct huffman_code *from, unsigned n, uint16_t *codes, uint8_t *sizes)
{
    for (unsigned i = 0; i < from->used && from->symbol[i] < n; i++) {
        unsigned symbol = from->symbol[i];

        sizes[symbol] = from->size[symbol];
        codes[symbol] = (uint16_t) (from->code[i] >> (16 - from->size[symbol]));
    }
}

void isalk_hufftables_fill(struct isal_hufftables *to, const struct huffman_codes *codes,
                           const struct huffman_header *header)
{
    struct deflate_codes expanded;

    memset(&expanded, 0, sizeof(expanded));
    isalk_huffman_expand(codes, &expanded);
    memset(to, 0, sizeof(*to));
    memcpy(to->deflate_hdr, header->bytes, (header->bits + 7) / 8);
    to->deflate_hdr_count = header->bits / 8;
    to->deflate_hdr_extra_bits = header->bits % 8;
    for (unsigned i = 0; i < IGZIP_LEN_TABLE_SIZE; i++) {
        uint64_t code = expanded.first[TOKEN_LENGTHS + i];
        uint32_t bits = code & HUFFTABLE_SIZE_MASK;

        to->len_table[i] = (uint32_t) (code >> ((64 - bits) & 63)) << HUFFTABLE_SIZE_BITS | bits;
    }
    fill(&codes->litlen, IGZIP_LIT_TABLE_SIZE, to->lit_table, to->lit_table_sizes);
    fill(&codes->distance, DEFLATE_DISTANCE_SYMBOLS, to->dcodes, to->dcodes_sizes);
    for (unsigned i = 0; i < IGZIP_DIST_TABLE_SIZE; i++)
        to->dist_table[i] = (uint32_t) to->dcodes[i] << HUFFTABLE_SIZE_BITS | to->dcodes_sizes[i];
}

/* Scales counts so that their sum is at most HUFFMAN_MAX_SUM. The first `optional` symbols may keep
 * a count of 0; the others count as rare if they did not occur. */
static void scale_counts(const uint64_t *from, unsigned n, unsigned optional, uint32_t *to)
{
    const uint64_t max = UINT64_MAX / HUFFMAN_MAX_SYMBOLS;
    uint64_t sum = 0;
    unsigned shift = 0;

    for (unsigned i = 0; i < n; i++)
        sum += from[i] < max ? from[i] : max;
    while (sum >> shift > HUFFMAN_MAX_SUM / 2)
        shift++;
    for (unsigned i = 0; i < n; i++) {
        uint32_t count = (uint32_t) ((from[i] < max ? from[i] : max) >> shift);

        to[i] = count > 0 ? count : from[i] > 0 || i >= optional;
    }
}

static int create_hufftables(struct isal_hufftables *hufftables,
                             const struct isal_huff_histogram *histogram, unsigned optional)
{
    uint32_t litlen[DEFLATE_LITLEN_SYMBOLS], distance[DEFLATE_DISTANCE_SYMBOLS];
    struct huffman_codes codes;
    struct huffman_header header;

    scale_counts(histogram->lit_len_histogram, DEFLATE_LITLEN_SYMBOLS, optional, litlen);
    scale_counts(histogram->dist_histogram, DEFLATE_DISTANCE_SYMBOLS, 0, distance);
    isalk_huffman_make(litlen, DEFLATE_LITLEN_SYMBOLS, DEFLATE_MAX_BITS, &codes.litlen);
    isalk_huffman_make(distance, DEFLATE_DISTANCE_SYMBOLS, DEFLATE_MAX_BITS, &codes.distance);
    isalk_huffman_header(&codes, 1, &header);
    isalk_hufftables_fill(hufftables, &codes, &header);
    return 0;
}

ISAL_PUBLIC int isal_create_hufftables(struct isal_hufftables *hufftables,
                                       struct isal_huff_histogram *histogram)
{
    return create_hufftables(hufftables, histogram, 0);
}

ISAL_PUBLIC int isal_create_hufftables_subset(struct isal_hufftables *hufftables,
                                              struct isal_huff_histogram *histogram)
{
    return create_hufftables(hufftables, histogram, DEFLATE_END_OF_BLOCK);
}

void isalk_update_histogram(const uint8_t *bytes, size_t length, deflate_entry *head,
                            uint32_t hash_bits, deflate_find_fn *find,
                            struct isal_huff_histogram *histogram)
{
    uint32_t tokens[1024];
    struct deflate_counts counts;
    struct deflate_find f;

    memset(&counts, 0, sizeof(counts));
    memset(head, 0, sizeof(*head) << hash_bits);
    memset(&f, 0, sizeof(f));
    f.next = f.base = bytes;
    f.end = bytes + length;
    f.token_end = tokens + ARRAY_SIZE(tokens);
    f.head = head;
    f.hash_bits = hash_bits;
    set_hash_bytes(&f, isalk_lz77_hash_bytes(bytes,
                                             length < LZ77_FIRST_CHUNK ? length : LZ77_FIRST_CHUNK,
                                             length <= LZ77_SHORT, 1));
    f.window = DEFLATE_WINDOW;
    while (f.next < f.end) {
        size_t left = (size_t) (f.end - f.next), offset = (size_t) (f.next - f.base);

        if (offset > UINT16_MAX - LZ77_CHUNK - LZ77_LOOKAHEAD) {
            KERNEL_CALL(isalk_deflate_rebase_slot)
            (f.head, f.hash_bits, (uint32_t) offset - DEFLATE_WINDOW);
            f.base = f.next - DEFLATE_WINDOW;
        }
        f.limit = f.next + (left < LZ77_CHUNK ? left : LZ77_CHUNK);
        f.token = tokens;
        isalk_lz77_find(&f, find, left <= LZ77_CHUNK);
        KERNEL_CALL(isalk_deflate_count_slot)(&counts, tokens, f.token);
    }

    for (unsigned i = 0; i < 256; i++) {
        histogram->lit_len_histogram[i] += counts.first[i] + counts.second[TOKEN_LITERALS + i];
        histogram->lit_len_histogram[DEFLATE_FIRST_LENGTH + isalk_deflate_length_symbol[i]] +=
            counts.first[TOKEN_LENGTHS + i];
    }
    histogram->lit_len_histogram[DEFLATE_END_OF_BLOCK]++;
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        histogram->dist_histogram[i] += counts.second[TOKEN_DISTANCES + i];
}

ISAL_PUBLIC void isal_update_histogram(uint8_t *in_stream, int length,
                                       struct isal_huff_histogram *histogram)
{
    if (length > 0)
        isalk_update_histogram(in_stream, (size_t) length,
                               (deflate_entry *) (void *) histogram->hash_table, LEVEL0_HASH_BITS,
                               KERNEL_CALL(isalk_deflate_find_greedy_slot), histogram);
}
