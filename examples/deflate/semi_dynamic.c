/* Compresses many small records at level 0 with Huffman tables made from a sample of them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints the size of the records, of their compressed form with the default tables, and with their
 * own. */

#include <stdio.h>
#include <string.h>

#include <isa-l.h>

enum { RECORDS = 1000, RECORD_SIZE = 2000 };

static uint8_t record[RECORD_SIZE], compressed[2 * RECORD_SIZE], back[RECORD_SIZE];

/* Fills a record with log lines: different in every record, similar in style. */
static uint32_t make_record(unsigned number)
{
    int size = 0;

    for (unsigned line = 0; size < RECORD_SIZE - 100; line++)
        size += snprintf((char *) record + size, 100,
                         "2025-01-%02u %02u:%02u GET /item/%u 200 %u\n", 1 + number % 28, line % 24,
                         number * line % 60, number * 7919 % 10007, line * line * 37 % 5000);
    return (uint32_t) size;
}

/* Returns the compressed size of a record, or 0 after an error. tables: NULL for the default
 * ones. */
static uint32_t compress(uint32_t size, struct isal_hufftables *tables)
{
    static struct isal_zstream stream;
    static struct inflate_state state;

    isal_deflate_stateless_init(&stream);
    if (tables)
        isal_deflate_set_hufftables(&stream, tables, IGZIP_HUFFTABLE_CUSTOM);
    stream.next_in = record;
    stream.avail_in = size;
    stream.next_out = compressed;
    stream.avail_out = sizeof(compressed);
    if (isal_deflate_stateless(&stream) != COMP_OK)
        return 0;

    isal_inflate_init(&state);
    state.next_in = compressed;
    state.avail_in = stream.total_out;
    state.next_out = back;
    state.avail_out = sizeof(back);
    if (isal_inflate_stateless(&state) != ISAL_DECOMP_OK || state.total_out != size ||
        memcmp(back, record, size))
        return 0;
    return stream.total_out;
}

int main(void)
{
    static struct isal_huff_histogram histogram; /* zeros */
    static struct isal_hufftables tables;
    unsigned long plain = 0, with_default = 0, with_own = 0;

    for (unsigned i = 0; i < RECORDS; i += 100)
        isal_update_histogram(record, (int) make_record(i), &histogram);
    isal_create_hufftables(&tables, &histogram);
    for (unsigned i = 0; i < RECORDS; i++) {
        uint32_t size = make_record(i), a = compress(size, NULL), b = compress(size, &tables);

        if (!a || !b)
            return 1;
        plain += size;
        with_default += a;
        with_own += b;
    }
    printf("%lu bytes, %lu with the default tables, %lu with their own\n", plain, with_default,
           with_own);
    return with_own < with_default ? 0 : 1;
}
