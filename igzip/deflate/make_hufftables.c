/* Makes hufftables_data.c, the default and static tables of level 0, from symbol counts; or such
 * counts from files.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: make_hufftables COUNTS > hufftables_data.c
 *        make_hufftables --count FILE... > COUNTS */

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

static int make_tables(const char *name)
{
    static struct isal_huff_histogram histogram;
    static struct isal_hufftables tables;
    struct huffman_codes codes;
    struct huffman_header header = {{1 | DEFLATE_FIXED << 1}, 3};
    FILE *file = open_file(name);
    char line[256], kind;
    unsigned symbol;
    unsigned long long count;

    while (fgets(line, sizeof(line), file)) {
        if (line[0] == '#')
            continue;
        if (sscanf(line, "%c %u %llu", &kind, &symbol, &count) != 3 ||
            symbol >= (kind == 'l' ? DEFLATE_LITLEN_SYMBOLS : DEFLATE_DISTANCE_SYMBOLS)) {
            fprintf(stderr, "%s: bad line: %s", name, line);
            return 1;
        }
        *(kind == 'l' ? &histogram.lit_len_histogram[symbol] : &histogram.dist_histogram[symbol]) =
            count;
    }
    fclose(file);

    printf("/* Default and static tables of level 0. Made by make_hufftables.c; do not edit.\n"
           " * SPDX-License-Identifier: BSD-3-Clause */\n\n"
           "/* clang-format off */\n\n#include \"igzip/deflate/stream.h\"\n");
    isal_create_hufftables(&tables, &histogram);
    print_tables("default", &tables);
    make_static(&codes);
    isalk_hufftables_fill(&tables, &codes, &header);
    print_tables("static", &tables);
    return 0;
}

/* All files have the same weight, whatever their length. */
static int count_symbols(char **names)
{
    static struct isal_huff_histogram sum, histogram;
    static uint8_t bytes[16 << 20];
    enum { WEIGHT = 1 << 20 };

    for (; *names; names++) {
        FILE *file = open_file(*names);
        size_t n = fread(bytes, 1, sizeof(bytes), file);
        uint64_t total = 0;

        fclose(file);
        memset(&histogram, 0, sizeof(histogram));
        isal_update_histogram(bytes, (int) n, &histogram);
        for (unsigned i = 0; i < DEFLATE_LITLEN_SYMBOLS; i++)
            total += histogram.lit_len_histogram[i];
        for (unsigned i = 0; i < DEFLATE_LITLEN_SYMBOLS; i++)
            sum.lit_len_histogram[i] += histogram.lit_len_histogram[i] * WEIGHT / total;
        for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
            sum.dist_histogram[i] += histogram.dist_histogram[i] * WEIGHT / total;
    }
    for (unsigned i = 0; i < DEFLATE_LITLEN_SYMBOLS; i++)
        printf("l %u %llu\n", i, (unsigned long long) sum.lit_len_histogram[i]);
    for (unsigned i = 0; i < DEFLATE_DISTANCE_SYMBOLS; i++)
        printf("d %u %llu\n", i, (unsigned long long) sum.dist_histogram[i]);
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
