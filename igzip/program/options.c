/* Command line.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip.h"

#include <ctype.h>
#include <getopt.h>
#include <isa-l/igzip_lib.h>
#include <isa-l/isal_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "names.h"

#define THREADS_MAX 512
#define DEFAULT_LEVEL 2
#define GZIP_DEFAULT_LEVEL 6

struct options opt = {.level = DEFAULT_LEVEL,
                      .remove = -1,
                      .save_name = -1,
                      .sparse = 1,
                      .threads = 1,
                      .suffix = ".gz"};

static const char usage[] =
    "Usage: igzip [OPTION]... [FILE]...\n"
    "Compress each FILE to FILE.gz, or decompress FILE.gz to FILE. With no FILE, or when FILE\n"
    "is -, standard input to standard output.\n"
    "\n"
    "  -c, --stdout       write to standard output, keep the files\n"
    "  -d, --decompress   decompress\n"
    "  -z, --compress     compress (the default)\n"
    "  -f, --force        overwrite files, follow links, read and write terminals\n"
    "  -h, --help         print this help\n"
    "  -k, --keep         keep the input files (the default)\n"
    "      --rm           delete the input files once the output is on the disk\n"
    "  -l, --list         list the contents of compressed files\n"
    "  -L, --license      print the licence\n"
    "  -n, --no-name      do not save or restore the name and the time\n"
    "  -N, --name         save or restore the name and the time\n"
    "  -o, --output=FILE  write to FILE, keep the input\n"
    "  -q, --quiet        no warnings\n"
    "  -r, --recursive    go into directories\n"
    "  -S, --suffix=SUF   use suffix SUF instead of .gz\n"
    "  -t, --test         test compressed files\n"
    "  -T, --threads=N    use N threads; 0: as many as there are processors\n"
    "  -v, --verbose      print names and ratios\n"
    "  -V, --version      print the version\n"
    "  -0 ... -9          level: -0 or -1 is fastest; 3 and above give the smallest files\n"
    "      --fast, --best the same as -1 and -9\n"
    "      --bgzf         write blocked gzip (BGZF), as bgzip does\n"
    "      --indexed      write members of 512 KiB that decompress in parallel\n"
    "      --rsyncable    let equal parts of files give equal parts of output\n"
    "      --no-sparse    write zeros out, make no holes\n"
    "      --synchronous  sync every output to disk, not only before deleting the input\n"
    "\n"
    "The environment variable IGZIP_OPT may have options, which come before those given.\n"
    "\n"
    "Called as gzip, gunzip, zcat or gzcat it does as gzip does: it deletes the input files "
    "unless\n"
    "-k, -c or -o is given, the default level is -6, -0 is no option, and GZIP is read instead of\n"
    "IGZIP_OPT.\n";

static const char license[] =
    "igzip, a part of isa-l. SPDX-License-Identifier: BSD-3-Clause\n"
    "You may use, change and redistribute it under the terms of the BSD 3-clause licence.\n"
    "There is NO WARRANTY, to the extent permitted by law.\n";

enum { BGZF = 256, INDEXED, RSYNCABLE, NO_SPARSE, SPARSE, SYNCHRONOUS, REMOVE, FAST, BEST };

static const struct option long_options[] = {
    {"ascii", no_argument, NULL, 'a'},
    {"best", no_argument, NULL, BEST},
    {"bgzf", no_argument, NULL, BGZF},
    {"compress", no_argument, NULL, 'z'},
    {"decompress", no_argument, NULL, 'd'},
    {"fast", no_argument, NULL, FAST},
    {"force", no_argument, NULL, 'f'},
    {"help", no_argument, NULL, 'h'},
    {"indexed", no_argument, NULL, INDEXED},
    {"keep", no_argument, NULL, 'k'},
    {"license", no_argument, NULL, 'L'},
    {"list", no_argument, NULL, 'l'},
    {"name", no_argument, NULL, 'N'},
    {"no-name", no_argument, NULL, 'n'},
    {"no-sparse", no_argument, NULL, NO_SPARSE},
    {"output", required_argument, NULL, 'o'},
    {"quiet", no_argument, NULL, 'q'},
    {"recursive", no_argument, NULL, 'r'},
    {"rm", no_argument, NULL, REMOVE},
    {"rsyncable", no_argument, NULL, RSYNCABLE},
    {"silent", no_argument, NULL, 'q'},
    {"sparse", no_argument, NULL, SPARSE},
    {"stdout", no_argument, NULL, 'c'},
    {"suffix", required_argument, NULL, 'S'},
    {"synchronous", no_argument, NULL, SYNCHRONOUS},
    {"test", no_argument, NULL, 't'},
    {"threads", required_argument, NULL, 'T'},
    {"to-stdout", no_argument, NULL, 'c'},
    {"uncompress", no_argument, NULL, 'd'},
    {"verbose", no_argument, NULL, 'v'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

static void set_level(int level)
{
    opt.level = level > ISAL_DEF_MAX_LEVEL ? ISAL_DEF_MAX_LEVEL : level;
}

static unsigned threads(const char *text)
{
    char *end;
    unsigned long n = isdigit((unsigned char) *text) ? strtoul(text, &end, 10) : (end = "?", 0UL);

    if (*end)
        die("invalid number of threads '%s'", text);
    if (n == 0) {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        n = online > 0 ? (unsigned long) online : 1;
    }
    return (unsigned) (n < THREADS_MAX ? n : THREADS_MAX);
}

static void print_and_exit(const char *text)
{
    exit(fputs(text, stdout) < 0 || fflush(stdout) ? STATUS_ERROR : STATUS_OK);
}

/* What the name says that the program was called by. */
static void read_own_name(const char *name)
{
    static const struct {
        const char *name;
        int as_gzip, decompress, to_stdout;
    } names[] = {
        {"gzip", 1, 0, 0},       {"gunzip", 1, 1, 0}, {"ungzip", 1, 1, 0}, {"zcat", 1, 1, 1},
        {"uncompress", 1, 1, 0}, {"gzcat", 1, 1, 1},  {"igzcat", 0, 1, 1}, {"igunzip", 0, 1, 0},
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!strcmp(name, names[i].name)) {
            opt.as_gzip = names[i].as_gzip;
            opt.mode = names[i].decompress ? MODE_DECOMPRESS : MODE_COMPRESS;
            opt.to_stdout = names[i].to_stdout;
        }
    }
    if (opt.as_gzip)
        set_level(GZIP_DEFAULT_LEVEL);
}

static void give_help(void)
{
    fprintf(stderr, "Try '%s --help' for more information.\n", program_name());
    exit(STATUS_ERROR);
}

static void read_option(int option)
{
    switch (option) {
    case 'c':
        opt.to_stdout = 1;
        break;
    case 'd':
        if (opt.mode == MODE_COMPRESS) /* -t and -l count, wherever they are */
            opt.mode = MODE_DECOMPRESS;
        break;
    case 'z':
        opt.mode = MODE_COMPRESS;
        break;
    case 'f':
        opt.force = 1;
        break;
    case 'h':
        print_and_exit(usage);
        break;
    case 'k':
        opt.remove = 0;
        break;
    case REMOVE:
        opt.remove = 1;
        break;
    case 'l':
        opt.mode = MODE_LIST;
        break;
    case 'L':
        print_and_exit(license);
        break;
    case 'n':
    case 'N':
        opt.save_name = option == 'N';
        break;
    case 'o':
        opt.output = optarg;
        break;
    case 'q':
        opt.quiet = 1;
        opt.verbose = 0;
        break;
    case 'v':
        opt.quiet = 0;
        opt.verbose = 1;
        break;
    case 'r':
        opt.recursive = 1;
        break;
    case 'S':
        if (!*optarg || strchr(optarg, '/'))
            die("invalid suffix '%s'", optarg);
        opt.suffix = optarg;
        break;
    case 't':
        if (opt.mode != MODE_LIST)
            opt.mode = MODE_TEST;
        break;
    case 'T':
        opt.threads = threads(optarg);
        break;
    case 'V':
        print_and_exit("igzip " ISAL_VERSION_STR "\n");
        break;
    case FAST:
        set_level(1);
        break;
    case BEST:
        set_level(9);
        break;
    case BGZF:
        opt.format = FORMAT_BGZF;
        break;
    case INDEXED:
        opt.format = FORMAT_INDEXED;
        break;
    case RSYNCABLE:
        opt.rsyncable = 1;
        break;
    case NO_SPARSE:
    case SPARSE:
        opt.sparse = option == SPARSE;
        break;
    case SYNCHRONOUS:
        opt.synchronous = 1;
        break;
    case 'a':
        break; /* line ends are the same everywhere that this program runs */
    default:
        if (option >= '0' && option <= '9') {
            set_level(option - '0');
            break;
        }
        give_help();
    }
}

static const char short_options[] = "0123456789acdfhklLnNo:qrS:tT:vVz";

static void read_arguments(int argc, char **argv)
{
    int option;

    /* gzip has no -0. */
    while ((option = getopt_long(argc, argv, short_options + opt.as_gzip, long_options, NULL)) !=
           -1)
        read_option(option);
}

/* GZIP may change how data are compressed, and messages. */
static void read_gzip_variable(int argc, char **argv)
{
    static const int allowed[] = {'n', 'N', 'q', 'v', FAST, BEST, RSYNCABLE};
    int option, fit;

    say("warning: the GZIP environment variable is deprecated; use an alias or script");
    while ((option = getopt_long(argc, argv, short_options + 1, long_options, NULL)) != -1) {
        fit = option >= '1' && option <= '9';
        for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
            fit |= option == allowed[i];
        if (!fit && option != '?') {
            say("%s: option not valid in GZIP environment variable", argv[optind - 1]);
            option = '?';
        }
        read_option(option);
    }
}

/* Options from the environment come first, so that those of the command line win. */
static void read_environment(char *name)
{
    const char *variable = opt.as_gzip ? "GZIP" : "IGZIP_OPT", *text = getenv(variable);
    char *words, **argv, *word;
    int argc = 1;

    if (!text || !text[strspn(text, " \t\n")])
        return;
    words = strcpy(need_memory(strlen(text) + 1), text);
    argv = need_memory((strlen(text) / 2 + 3) * sizeof *argv);
    argv[0] = name;
    for (word = strtok(words, " \t\n"); word; word = strtok(NULL, " \t\n"))
        argv[argc++] = word;
    argv[argc] = NULL;
    if (opt.as_gzip)
        read_gzip_variable(argc, argv);
    else
        read_arguments(argc, argv);
    if (optind < argc)
        die("%s has '%s', which is no option", variable, argv[optind]);
    free(argv);
    optind = 0; /* getopt_long() begins anew */
}

int options_read(int argc, char **argv)
{
    static char igzip[] = "igzip", gzip[] = "gzip";
    char *own_name; /* for the messages of getopt_long() */

    if (argc < 1)
        return 0;
    read_own_name(name_base(argv[0]));
    own_name = opt.as_gzip ? gzip : igzip;
    read_environment(own_name);
    argv[0] = own_name;
    read_arguments(argc, argv);
    if (opt.rsyncable && opt.format != FORMAT_GZIP)
        die("--rsyncable is for plain gzip files, not for --bgzf and --indexed");
    if (opt.output && !strcmp(opt.output, "-")) {
        opt.output = NULL;
        opt.to_stdout = 1;
    }
    if (opt.output && argc - optind > 1)
        die("-o is for a single input");
    if (opt.output && opt.recursive)
        die("-o and -r exclude each other");
    if (opt.mode == MODE_TEST || opt.mode == MODE_LIST)
        opt.to_stdout = 1;
    if (opt.to_stdout)
        opt.output = NULL;
    if (opt.remove < 0)
        opt.remove = opt.as_gzip && !opt.output;
    return optind;
}
