/* Makes hufftables_data.c, the default and static tables of level 0, from symbol counts; or such
 * counts from files.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: make_hufftables COUNTS > hufftables_data.c
 *        make_hufftables --count FILE... > COUNTS
 *
 * hufftables_counts.txt is made from the kinds of data that compress:
 *        perf/sizes --write FOLDER --train --kinds '^(?!random|image: photo, PNG|numbers, float)'
 *        make_hufftables --count FILE... > hufftables_counts.txt */

#include <stdio.h>
#include <stdlib.h>

#include "igzip/deflate/stream.h"

static void print_array(const char *name, const void *values, size_t size, unsigned n)
{
    const uint8_t *bytes = values;
    unsigned last = n;

    while (last > 1) { /* zeros at the end are implied */
        static const uint8_t zero[4];

        if (memcmp(bytes + (last - 1) * size, zero, size) != 0)
            break;
        last--;
    }
    printf("    .%s = {", name);
    for (unsigned i = 0; i < last; i++) {
        unsigned v = size == 1   ? bytes[i]
                     : size == 2 ? ((const uint16_t *) values)[i]
                                 : ((const uint32_t *) values)[i];
        printf("%s0x%x,", i % (size == 4 ? 8 : 11) == 0 ? "\n        " : " ", v);
    }
    printf("\n    },\n");
}

static void print_codes(const char *name, const uint64_t *codes, unsigned n)
{
    printf("    .%s = {", name);
    for (unsigned i = 0; i < n; i++)
        printf("%s0x%llx,", i % 4 == 0 ? "\n        " : " ", (unsigned long long) codes[i]);
    printf("\n    },\n");
}

static void print_tables(const char *name, const struct isal_hufftables *t)
{
    struct deflate_codes codes;

    printf("\nconst struct isal_hufftables isalk_hufftables_%s = {\n", name);
    print_array("deflate_hdr", t->deflate_hdr, 1, ISAL_DEF_MAX_HDR_SIZE);
    printf("    .deflate_hdr_count = %u,\n", t->deflate_hdr_count);
    printf("    .deflate_hdr_extra_bits = %u,\n", t->deflate_hdr_extra_bits);
    print_array("dist_table", t->dist_table, 4, IGZIP_DIST_TABLE_SIZE);
    print_array("len_table", t->len_table, 4, IGZIP_LEN_TABLE_SIZE);
    print_array("lit_table", t->lit_table, 2, IGZIP_LIT_TABLE_SIZE);
    print_array("lit_table_sizes", t->lit_table_sizes, 1, IGZIP_LIT_TABLE_SIZE);
    print_array("dcodes", t->dcodes, 2, DEFLATE_DISTANCE_SYMBOLS);
    print_array("dcodes_sizes", t->dcodes_sizes, 1, DEFLATE_DISTANCE_SYMBOLS);
    printf("};\n");

    isalk_hufftables_expand(t, &codes);
    printf("\nconst struct deflate_codes isalk_deflate_codes_%s = {\n", name);
    print_codes("first", codes.first, ARRAY_SIZE(codes.first));
    print_codes("second", codes.second, ARRAY_SIZE(codes.second));
    printf("};\n");
}

/* The code of n symbols, from their sizes. */
static void assign_all(struct huffman_code *code, unsigned n)
{
    uint32_t with_size[DEFLATE_MAX_BITS + 1] = {0};

    code->used = n;
    for (unsigned i = 0; i < n; i++) {
        code->symbol[i] = (uint16_t) i;
        with_size[code->size[i]]++;
    }
    isalk_huffman_assign(code, with_size);
}

/* The codes of the static block type. */
static void make_static(struct huffman_codes *codes)
{
    uint8_t *size = codes->litlen.size;

    memset(size, 8, 144);
    memset(size + 144, 9, 112);
    memset(size + 256, 7, 24);
    memset(size + 280, 8, 8);
    memset(codes->distance.size, 5, DEFLATE_FIXED_DISTANCES);
    assign_all(&codes->litlen, DEFLATE_FIXED_LITLENS);
    assign_all(&codes->distance, DEFLATE_FIXED_DISTANCES);
}

static FILE *open_file(const char *name)
{
    FILE *file = fopen(name, "rb");

    if (file == NULL) {
        perror(name);
        exit(1);
    }
    return file;
}

/* ---- The default tables ---- */

enum {
    MAX_LITLEN_BITS = 12,
    /* Bits of the data that follow a header, to weigh its size: about 16 KB before compression. */
    TYPICAL_BITS = 50000,
    UNIT = 1024 /* a symbol that occurs once has this count */
};

struct counts {
    uint64_t litlen[DEFLATE_LITLEN_SYMBOLS], distance[DEFLATE_DISTANCE_SYMBOLS];
};

static void make_code(const uint64_t *counts, unsigned n, unsigned limit, struct huffman_code *code)
{
    uint32_t scaled[DEFLATE_LITLEN_SYMBOLS];
    uint64_t sum = 0;

    for (unsigned i = 0; i < n; i++)
        sum += counts[i];
    for (unsigned i = 0; i < n; i++)
        scaled[i] = 1 + (uint32_t) (counts[i] * (HUFFMAN_MAX_SUM / 2) / sum);
    isalk_huffman_make(scaled, n, limit, code);
}

/* Bits of symbols with these counts, without extra bits. */
static uint64_t code_cost(const uint64_t *counts, unsigned n, const struct huffman_code *code)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < n; i++)
        bits += counts[i] * code->size[i];
    return bits;
}

/* Makes codes from the counts in `from`. Returns the bits that the symbols counted in `data` take
 * in them, header included, times UNIT. */
static uint64_t make_codes(const struct counts *from, const struct counts *data,
                           struct huffman_codes *codes, struct huffman_header *header)
{
    make_code(from->litlen, DEFLATE_LITLEN_SYMBOLS, MAX_LITLEN_BITS, &codes->litlen);
    make_code(from->distance, DEFLATE_DISTANCE_SYMBOLS, DEFLATE_MAX_BITS, &codes->distance);
    isalk_huffman_header(codes, 1, header);
    return (uint64_t) header->bits * UNIT +
           code_cost(data->litlen, DEFLATE_LITLEN_SYMBOLS, &codes->litlen) +
           code_cost(data->distance, DEFLATE_DISTANCE_SYMBOLS, &codes->distance);
}

/* Replaces counts of neighbours by their mean where the header gets shorter by more than the data
 * get longer: equal code lengths in a row take few bits. */
static void join_neighbours(const struct counts *data, struct counts *joined)
{
    struct huffman_codes codes;
    struct huffman_header header;
    uint64_t best = make_codes(joined, data, &codes, &header), before;

    do {
        before = best;
        for (unsigned i = 1; i < DEFLATE_LITLEN_SYMBOLS; i++) {
            struct counts trial = *joined;
            uint64_t *litlen = trial.litlen, sum = 0, bits;
            unsigned from = i - 1, to = i;

            while (from > 0 && litlen[from - 1] == litlen[i - 1])
                from--;
            while (to < DEFLATE_LITLEN_SYMBOLS && litlen[to] == litlen[i])
                to++;
            for (unsigned k = from; k < to; k++)
                sum += litlen[k];
            for (unsigned k = from; k < to; k++)
                litlen[k] = sum / (to - from);
            bits = make_codes(&trial, data, &codes, &header);
            if (bits < best) {
                best = bits;
                *joined = trial;
            }
        }
    } while (best < before);
}

static void read_counts(const char *name, struct counts *counts)
{
    FILE *file = open_file(name);
    char line[256], kind;
    unsigned symbol;
    unsigned long long count;

    memset(counts, 0, sizeof(*counts));
    while (fgets(line, sizeof(line), file)) {
        if (line[0] == '#')
            continue;
        if (sscanf(line, "%c %u %llu", &kind, &symbol, &count) != 3 ||
            symbol >= (kind == 'l' ? DEFLATE_LITLEN_SYMBOLS : DEFLATE_DISTANCE_SYMBOLS)) {
            fprintf(stderr, "%s: bad line: %s", name, line);
            exit(1);
        }
        *(kind == 'l' ? &counts->litlen[symbol] : &counts->distance[symbol]) = count;
    }
    fclose(file);
}

/* Scales counts so that their symbols take `bits` bits in codes made from them. */
static void scale(struct counts *counts, uint64_t bits)
{
    struct huffman_codes codes;
    struct huffman_header header;
    uint64_t now = make_codes(counts, counts, &codes, &header) - (uint64_t) header.bits * UNIT;

    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        now += counts->distance[i] * deflate_distances[i].extra;
    for (unsigned i = 0; i < DEFLATE_LITLEN_SYMBOLS; i++)
        counts->litlen[i] = counts->litlen[i] * bits / now;
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        counts->distance[i] = counts->distance[i] * bits / now;
}

static int make_tables(const char *name)
{
    static struct isal_hufftables tables;
    struct counts counts, joined;
    struct huffman_codes codes;
    struct huffman_header header, fixed = {{1 | DEFLATE_FIXED << 1}, 3};

    read_counts(name, &counts);
    scale(&counts, (uint64_t) TYPICAL_BITS * UNIT);
    joined = counts;
    join_neighbours(&counts, &joined);
    make_codes(&joined, &counts, &codes, &header);

    printf("/* Default and static tables of level 0. Made by make_hufftables.c; do not edit.\n"
           " * SPDX-License-Identifier: BSD-3-Clause */\n\n"
           "/* clang-format off */\n\n#include \"igzip/deflate/stream.h\"\n");
    isalk_hufftables_fill(&tables, &codes, &header);
    print_tables("default", &tables);
    make_static(&codes);
    isalk_hufftables_fill(&tables, &codes, &fixed);
    print_tables("static", &tables);
    return 0;
}

/* ---- Counts ---- */

/* Adds the counts of level 0's symbols, for records of this size. They are scaled to WEIGHT
 * bits, so that all kinds of data weigh the same. */
static void add_counts(const uint8_t *bytes, size_t n, size_t record, struct counts *sum)
{
    enum { WEIGHT = 1 << 20 };
    static deflate_entry head[1 << LEVEL0_ONE_CALL_HASH_BITS];
    static struct isal_huff_histogram histogram;
    struct counts counts;

    memset(&histogram, 0, sizeof(histogram));
    for (size_t at = 0; at < n; at += record)
        isalk_update_histogram(bytes + at, n - at < record ? n - at : record, head,
                               LEVEL0_ONE_CALL_HASH_BITS,
                               KERNEL_CALL(isalk_deflate_find_greedy_slot), &histogram);
    for (unsigned i = 0; i < DEFLATE_LITLEN_SYMBOLS; i++)
        counts.litlen[i] = histogram.lit_len_histogram[i];
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        counts.distance[i] = histogram.dist_histogram[i];
    scale(&counts, WEIGHT);
    for (unsigned i = 0; i < DEFLATE_LITLEN_SYMBOLS; i++)
        sum->litlen[i] += counts.litlen[i];
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        sum->distance[i] += counts.distance[i];
}

/* All files have the same weight, whatever their length. Each is counted as one record, and again
 * as short ones. */
static int count_symbols(char **names)
{
    enum { SHORT_RECORD = 4096 };
    static uint8_t bytes[16 << 20];
    static struct counts sum;

    for (; *names; names++) {
        FILE *file = open_file(*names);
        size_t n = fread(bytes, 1, sizeof(bytes), file);

        fclose(file);
        if (n > 0) {
            add_counts(bytes, n, n, &sum);
            add_counts(bytes, n, SHORT_RECORD, &sum);
        }
    }
    printf("# Symbols of level 0 over the kinds of perf/kinds.py to train on, without those that\n"
           "# do not compress; every kind with the same weight.\n"
           "# SPDX-License-Identifier: BSD-3-Clause\n");
    for (unsigned i = 0; i < DEFLATE_LITLEN_SYMBOLS; i++)
        printf("l %u %llu\n", i, (unsigned long long) sum.litlen[i]);
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        printf("d %u %llu\n", i, (unsigned long long) sum.distance[i]);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && argv[1][0] != '-')
        return make_tables(argv[1]);
    if (argc > 2 && strcmp(argv[1], "--count") == 0)
        return count_symbols(argv + 2);
    fprintf(stderr, "usage: make_hufftables COUNTS | make_hufftables --count FILE...\n");
    return 2;
}
