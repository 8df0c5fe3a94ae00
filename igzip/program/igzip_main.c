/* igzip: compresses and decompresses files in the gzip format.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip.h"

#include <stdio.h>
#include <unistd.h>

#include "file.h"
#include "list.h"
#include "output.h"

int main(int argc, char **argv)
{
    int i = options_read(argc, argv);

    output_catch_signals();
    if (i >= argc)
        treat("-");
    for (; i < argc; i++)
        treat(argv[i]);
    if (opt.mode == MODE_LIST)
        list_totals();
    if (fflush(stdout))
        error("stdout: cannot write");
    return exit_status;
}
