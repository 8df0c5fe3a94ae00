/* Compresses standard input to standard output as gzip, with buffers of fixed size.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: deflate_stream [LEVEL] < FILE > FILE.gz */

#include <stdio.h>
#include <stdlib.h>

#include <isa-l.h>

int main(int argc, char **argv)
{
    static const uint32_t sizes[] = {ISAL_DEF_LVL0_DEFAULT, ISAL_DEF_LVL1_DEFAULT,
                                     ISAL_DEF_LVL2_DEFAULT, ISAL_DEF_LVL3_DEFAULT};
    static uint8_t level_buf[ISAL_DEF_LVL3_DEFAULT], in[65536], out[65536];
    static struct isal_zstream stream;

    isal_deflate_init(&stream);
    stream.level = argc > 1 ? (uint32_t) atoi(argv[1]) % 4 : 1;
    stream.level_buf = level_buf;
    stream.level_buf_size = sizes[stream.level];
    stream.gzip_flag = IGZIP_GZIP;
    do {
        stream.next_in = in;
        stream.avail_in = (uint32_t) fread(in, 1, sizeof(in), stdin);
        stream.end_of_stream = feof(stdin) || ferror(stdin);
        do {
            stream.next_out = out;
            stream.avail_out = sizeof(out);
            if (isal_deflate(&stream) != COMP_OK)
                return 1;
            fwrite(out, 1, sizeof(out) - stream.avail_out, stdout);
        } while (stream.avail_out == 0);
    } while (!stream.end_of_stream);
    return ferror(stdin) || fflush(stdout) || ferror(stdout);
}
