/* Compresses small messages with a dictionary of their common parts.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints the size of the messages, and of their compressed form without the dictionary and with. */

#include <stdio.h>
#include <string.h>

#include <isa-l.h>

static char dictionary[] =
    "{\"type\": \"reading\", \"sensor\": \"temperature\", \"unit\": \"celsius\", "
    "\"location\": \"building ";
static uint8_t message[300], compressed[600], back[300];

/* Returns the compressed size, or 0 after an error. */
static uint32_t compress(uint32_t size, struct isal_dict *dict)
{
    static struct isal_zstream stream;
    static struct inflate_state state;
    static uint8_t level_buf[ISAL_DEF_LVL1_MIN];

    isal_deflate_init(&stream);
    stream.level = 1;
    stream.level_buf = level_buf;
    stream.level_buf_size = sizeof(level_buf);
    if (dict && isal_deflate_reset_dict(&stream, dict) != COMP_OK)
        return 0;
    stream.next_in = message;
    stream.avail_in = size;
    stream.end_of_stream = 1;
    stream.next_out = compressed;
    stream.avail_out = sizeof(compressed);
    if (isal_deflate(&stream) != COMP_OK || stream.internal_state.state != ZSTATE_END)
        return 0;

    isal_inflate_init(&state);
    if (dict)
        isal_inflate_set_dict(&state, (uint8_t *) dictionary, sizeof(dictionary) - 1);
    state.next_in = compressed;
    state.avail_in = stream.total_out;
    state.next_out = back;
    state.avail_out = sizeof(back);
    if (isal_inflate(&state) != ISAL_DECOMP_OK || state.block_state != ISAL_BLOCK_FINISH ||
        state.total_out != size || memcmp(back, message, size))
        return 0;
    return stream.total_out;
}

int main(void)
{
    static struct isal_dict dict; /* zeros */
    static struct isal_zstream stream;
    unsigned long plain = 0, without = 0, with = 0;

    isal_deflate_init(&stream);
    stream.level = 1; /* that of the streams it is for */
    if (isal_deflate_process_dict(&stream, &dict, (uint8_t *) dictionary, sizeof(dictionary) - 1))
        return 1;
    for (unsigned i = 0; i < 1000; i++) {
        uint32_t size =
            (uint32_t) snprintf((char *) message, sizeof(message), "%s%u\", \"value\": %u.%u}",
                                dictionary, i % 37, 15 + i % 11, i * 7 % 10);
        uint32_t a = compress(size, NULL), b = compress(size, &dict);

        if (!a || !b)
            return 1;
        plain += size;
        without += a;
        with += b;
    }
    printf("%lu bytes, %lu without the dictionary, %lu with it\n", plain, without, with);
    return with < without ? 0 : 1;
}
