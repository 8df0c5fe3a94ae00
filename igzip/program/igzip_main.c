/* igzip: compresses and decompresses files in the gzip format.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "file.h"
#include "list.h"
#include "output.h"
#include "removal.h"

/* Replaces standard streams that the caller has closed by unusable ones. Otherwise a file could get
 * their number, and messages would be written to it. */
static void occupy_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    int i;

    occupy_standard_streams();
    i = options_read(argc, argv);
    output_catch_signals();
    if (i >= argc)
        process_file("-");
    for (; i < argc; i++)
        process_file(argv[i]);
    removal_finish();
    if (opt.mode == MODE_LIST)
        list_totals();
    if (fflush(stdout))
        error("stdout: cannot write");
    return exit_status;
}
