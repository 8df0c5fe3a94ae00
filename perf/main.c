/* isal-perf: times the library's functions. Options, and the loop over what they ask for.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Run under the name FAMILY_perf the program takes that family; otherwise its first argument names
 * one. */

#include "harness.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "isa-l/isal_api.h"

/* The families: a new one adds its line here. */
#define FAMILIES(X) \
    X(adler32)      \
    X(aes)          \
    X(crc)          \
    X(crc_model)    \
    X(deflate)      \
    X(erasure_code) \
    X(hash)         \
    X(inflate)      \
    X(mem)          \
    X(mh)           \
    X(raid)         \
    X(rolling_hash)
ISALK_HIDDEN_BEGIN
#define X(name) extern const struct perf_family perf_##name;
FAMILIES(X)
#undef X
ISALK_HIDDEN_END
#define X(name) &perf_##name,
static const struct perf_family *const families[] = {FAMILIES(X)};
#undef X

/* Cold buffers take this many times the last-level cache, within a quarter of the memory. */
#define COLD_FACTOR 4

#define MAX_LIST 64
#define INPUT_LIMIT ((size_t) 64 << 20)
#define FILE_LIMIT ((size_t) 1 << 30)
#define SIZE_LIMIT ((size_t) 1 << 30)
#define LEVEL_LIMIT 99

/* The items of a comma-separated list; items ends with NULL. */
struct list {
    char text[1024], *items[MAX_LIST + 1];
    unsigned count;
};

struct shape {
    int k, p;
};

struct options {
    const struct perf_family *family;
    struct list ops, geometries, k, p, sizes, variants, against_symbols, levels;
    struct shape shapes[MAX_LIST * MAX_LIST];
    const char *settings[PERF_SETTINGS], *against[MAX_LIST];
    struct perf_file input, *files;
    size_t file_count, record;
    unsigned shape_count, against_count, threads;
    int choices[PERF_SETTINGS], cold, warm, peers, list, rotate, summary, wide;
    enum format format;
    struct measure_options measure;
};

static const char *program;

void perf_fail(const char *format, ...)
{
    va_list args;

    fflush(stdout);
    fprintf(stderr, "%s: ", program);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(1);
}

/* Ends the program because of how it was called. Nothing has been printed yet. */
_Noreturn static void misuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void misuse(const char *format, ...)
{
    va_list args;

    fprintf(stderr, "%s: ", program);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "; see %s --help\n", program);
    exit(2);
}

void *perf_alloc(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);

    if (!p)
        perf_fail("out of memory");
    return p;
}

/* ---- Parsing ---- */

static void set_list(struct list *list, const char *text)
{
    char *rest = list->text, *item;

    if (strlen(text) >= sizeof(list->text))
        misuse("the list %.20s... is too long", text);
    strcpy(list->text, text);
    for (list->count = 0; (item = strsep(&rest, ",")) != NULL; list->items[list->count++] = item)
        if (list->count == MAX_LIST)
            misuse("%s: more than %d items", text, MAX_LIST);
    list->items[list->count] = NULL;
}

/* A number with an optional suffix K, M or G (of 1024). */
static size_t parse_size(const char *text, const char *what, size_t max)
{
    static const char suffixes[] = "KMG";
    char *end;
    unsigned long long n = strtoull(text, &end, 10);
    const char *suffix = *end ? strchr(suffixes, *end & ~0x20) : NULL;
    unsigned shift = suffix ? 10 * (unsigned) (suffix - suffixes + 1) : 0;

    if (*text < '0' || *text > '9' || end[suffix != NULL] || n > max >> shift)
        misuse("%s: '%s' is not a number up to %zu, such as 512, 4K or 1M", what, text, max);
    return (size_t) n << shift;
}

static int parse_int(const char *text, const char *what, int max)
{
    return (int) parse_size(text, what, (size_t) max);
}

/* Index of text among comma-separated choices. */
static int parse_choice(const char *text, const char *what, const char *choices)
{
    struct list list;

    set_list(&list, choices);
    for (unsigned i = 0; i < list.count; i++)
        if (!strcmp(list.items[i], text))
            return (int) i;
    misuse("--%s: '%s' is not one of %s", what, text, choices);
}

/* The shapes asked for. */
static void parse_shapes(struct options *o)
{
    const struct perf_family *f = o->family;
    struct shape *shapes = o->shapes;
    unsigned n = 0;

    if (!f->shape) {
        shapes[0] = (struct shape){0, 0};
        o->shape_count = 1;
        return;
    }
    if (o->k.count || o->p.count) {
        if (!o->k.count)
            set_list(&o->k, "10");
        if (!o->p.count)
            set_list(&o->p, "4");
        for (unsigned i = 0; i < o->k.count; i++)
            for (unsigned j = 0; j < o->p.count; j++)
                shapes[n++] = (struct shape){parse_int(o->k.items[i], "--k", 9999),
                                             parse_int(o->p.items[j], "--p", 9999)};
    } else {
        for (; n < o->geometries.count; n++) {
            char *plus = strchr(o->geometries.items[n], '+');
            if (plus)
                *plus = '\0';
            shapes[n].k = parse_int(o->geometries.items[n], "--geometry", 9999);
            shapes[n].p = plus ? parse_int(plus + 1, "--geometry", 9999) : 0;
        }
    }
    for (unsigned i = 0; i < n; i++)
        if (!f->shape_ok(shapes[i].k, shapes[i].p))
            misuse("%d+%d is not a shape of %s: %s", shapes[i].k, shapes[i].p, f->name, f->shape);
    o->shape_count = n;
}

/* The family called `name`, or `name` with _perf after it. */
static const struct perf_family *family_named(const char *name, const char *suffix)
{
    size_t length = strlen(name), suffix_length = strlen(suffix);

    if (length < suffix_length || strcmp(name + length - suffix_length, suffix))
        return NULL;
    for (size_t i = 0; i < ARRAY_SIZE(families); i++)
        if (strlen(families[i]->name) == length - suffix_length &&
            !strncmp(name, families[i]->name, length - suffix_length))
            return families[i];
    return NULL;
}

/* ---- Help and lists ---- */

static void print_setting(const struct perf_family *f, int i)
{
    const char *name = f->settings[i].name, *choices = f->settings[i].choices;

    if (strlen(choices) < 40)
        printf("  --%-16s one of %s (%s)\n", name, choices, f->name);
    else
        printf("  --%-16s %.*s or another: see --list (%s)\n", name, (int) strcspn(choices, ","),
               choices, f->name);
}

static void print_help(const struct perf_family *family)
{
    int named = family && family_named(program, "_perf") != NULL;

    printf("Usage: %s%s%s [options] [FILE...]\n\n", program, named ? "" : " ",
           named    ? ""
           : family ? family->name
                    : "FAMILY");
    if (!family) {
        printf("Families:\n");
        for (size_t i = 0; i < ARRAY_SIZE(families); i++)
            printf("  %-14s %s\n", families[i]->name, families[i]->title);
        putchar('\n');
    }
    printf("What to time (lists are separated by commas):\n"
           "  --op LIST          operations, or all (see --list)\n"
           "  --size LIST        bytes in a buffer: 512,4K,1M\n"
           "  --geometry LIST    shapes: 4+2,10+4\n"
           "  --k LIST --p LIST  the same as two lists, all combinations\n");
    for (size_t i = 0; i < ARRAY_SIZE(families); i++)
        for (int j = 0; j < PERF_SETTINGS && families[i]->settings[j].name; j++)
            if (!family || family == families[i])
                print_setting(families[i], j);
    if (!family || family->default_level)
        printf("  --level LIST       of compression; each library does those that it has\n");
    if (!family || family->records)
        printf("  --record N         bytes that are compressed alone, instead of whole buffers\n");
    printf("  --variant LIST     tiers, or all that this CPU has; default: the one in use\n"
           "  --warm, --cold     data in cache as far as it fits (default), or none of it\n"
           "  --threads N        N threads at once, each with its own buffers\n"
           "  --input FILE       contents of the buffers, instead of random bytes\n"
           "  --align N          buffers begin at multiples of N (default 64); below 64, N bytes\n"
           "                     after a multiple of 64\n"
           "  FILE...            contents of the buffers: each file whole, in place of --size\n"
           "  --rotate           the files in turn, rather than each again and again\n"
           "What to compare with:\n"
           "  --against LIB      a library with the same interface; may be repeated\n"
           "  --against-symbol LIST\n"
           "                     its functions to call instead of those of the same name, such as\n"
           "                     ec_encode_data_avx2\n"
           "  --peers            other libraries that are installed\n"
           "How:\n"
           "  --time MS          milliseconds for each measurement (default 60)\n"
           "  --csv, --json      instead of a table\n"
           "  --wide             every column, however wide the table; else what fits 100\n"
           "  --summary          of files only the total and the mean\n"
           "  --list             list operations, variants and peers\n"
           "  -h, --help         print this\n"
           "  -V, --version      print the version\n");
}

static void print_version(void)
{
    printf("isal-perf %s\n", isal_get_version_str());
}

static void print_list(const struct perf_family *f)
{
    printf("%s: %s\nGB/s counts %s.\n", f->name, f->title, f->counted);
    if (f->shape)
        printf("--geometry: %s\n", f->shape);
    for (int i = 0; i < PERF_SETTINGS && f->settings[i].name; i++)
        printf("--%s: %s\n", f->settings[i].name, f->settings[i].choices);
    if (f->default_level)
        printf("--level: %d to %d; by default %s, as far as a library has them\n", f->levels.first,
               f->levels.last, f->default_level);
    printf("\noperations and variants (those in parentheses this CPU cannot run):\n");
    for (unsigned i = 0; i < f->op_count; i++) {
        const struct kernel *kernel = op_kernel(&f->ops[i]);
        const char *variant;
        int usable;
        printf("  %-22s", f->ops[i].name);
        for (size_t v = 0; kernel && (variant = isalk_variant_name(kernel, v, &usable)); v++)
            printf(usable ? " %s" : " (%s)", variant);
        printf("%s\n", kernel ? "" : " portable C");
    }
    printf("\npeers:\n");
    for (unsigned i = 0; i < f->peer_count; i++)
        printf("  %-22s %s\n", f->peers[i].name, f->peers[i].file);
}

/* ---- Options ---- */

enum option_code {
    OPT_OP = 256,
    OPT_SIZE,
    OPT_GEOMETRY,
    OPT_K,
    OPT_P,
    OPT_LEVEL,
    OPT_RECORD,
    OPT_ROTATE,
    OPT_SUMMARY,
    OPT_WIDE,
    OPT_VARIANT,
    OPT_WARM,
    OPT_COLD,
    OPT_THREADS,
    OPT_INPUT,
    OPT_ALIGN,
    OPT_AGAINST,
    OPT_AGAINST_SYMBOL,
    OPT_PEERS,
    OPT_TIME,
    OPT_CSV,
    OPT_JSON,
    OPT_LIST,
    OPT_SETTING /* and the ones after it */
};

static void read_files(struct options *o, char *const *names, size_t count)
{
    o->files = perf_alloc(count, sizeof(*o->files));
    for (; o->file_count < count; o->file_count++)
        o->files[o->file_count] = file_read(names[o->file_count], FILE_LIMIT);
}

/* Whether an item of --op means this operation. */
static unsigned is_wanted(const char *item, const struct perf_op *op)
{
    return !strcmp(item, "all") || !strcmp(item, op->name);
}

/* Whether a kernel of any family has a variant of this name. */
static int is_variant(const char *name)
{
    const struct kernel *k;

    for (size_t i = 0; (k = isalk_kernel_at(isalk_all_families, i)) != NULL; i++)
        for (unsigned v = 0; v < k->count; v++)
            if (!strcmp(k->variants[v].name, name))
                return 1;
    return 0;
}

/* Options that are wrong or contradict each other, and what was left out. */
static void check_options(struct options *o)
{
    const struct perf_family *f = o->family;

    if (!o->threads)
        misuse("--threads: at least 1");
    if (!o->measure.align || (o->measure.align > 64 && o->measure.align % 64))
        misuse("--align: at least 1, and above 64 a multiple of it");
    if (!o->cold)
        o->warm = 1;
    for (int i = 0; i < PERF_SETTINGS; i++)
        if (o->settings[i])
            o->choices[i] =
                parse_choice(o->settings[i], f->settings[i].name, f->settings[i].choices);
    if (o->record && !f->records)
        misuse("--record: %s does not compress", f->name);
    if (o->levels.count && !f->default_level)
        misuse("--level: %s has no levels", f->name);
    if (o->rotate && (o->file_count < 2 || o->cold))
        misuse("--rotate: takes several files, and not --cold");
    if (o->file_count && (o->sizes.count || o->input.size))
        misuse("files are in place of --size and --input");
    if (!o->ops.count)
        set_list(&o->ops, f->default_op);
    if (!o->geometries.count && f->shape)
        set_list(&o->geometries, f->default_shape);
    if (!o->sizes.count)
        set_list(&o->sizes, f->default_size);
    if (!o->levels.count && f->default_level)
        set_list(&o->levels, f->default_level);
    parse_shapes(o);
    for (unsigned i = 0; i < o->sizes.count; i++)
        parse_size(o->sizes.items[i], "--size", SIZE_LIMIT);
    for (unsigned i = 0; i < o->levels.count; i++)
        parse_int(o->levels.items[i], "--level", LEVEL_LIMIT);
    for (unsigned i = 0; i < o->variants.count; i++)
        if (strcmp(o->variants.items[i], "all") && !is_variant(o->variants.items[i]))
            misuse("--variant: no variant is called '%s'", o->variants.items[i]);
    for (unsigned i = 0, found; i < o->ops.count; i++) {
        for (unsigned j = found = 0; j < f->op_count; j++)
            found |= is_wanted(o->ops.items[i], &f->ops[j]);
        if (!found)
            misuse("%s has no operation '%s', --list has them", f->name, o->ops.items[i]);
    }
}

static void parse_options(int argc, char **argv, struct options *o)
{
    const struct option longs[] = {
        {"op", required_argument, NULL, OPT_OP},
        {"size", required_argument, NULL, OPT_SIZE},
        {"geometry", required_argument, NULL, OPT_GEOMETRY},
        {"k", required_argument, NULL, OPT_K},
        {"p", required_argument, NULL, OPT_P},
        {"level", required_argument, NULL, OPT_LEVEL},
        {"record", required_argument, NULL, OPT_RECORD},
        {"rotate", no_argument, NULL, OPT_ROTATE},
        {"summary", no_argument, NULL, OPT_SUMMARY},
        {"wide", no_argument, NULL, OPT_WIDE},
        {"variant", required_argument, NULL, OPT_VARIANT},
        {"warm", no_argument, NULL, OPT_WARM},
        {"cold", no_argument, NULL, OPT_COLD},
        {"threads", required_argument, NULL, OPT_THREADS},
        {"input", required_argument, NULL, OPT_INPUT},
        {"align", required_argument, NULL, OPT_ALIGN},
        {"against", required_argument, NULL, OPT_AGAINST},
        {"against-symbol", required_argument, NULL, OPT_AGAINST_SYMBOL},
        {"peers", no_argument, NULL, OPT_PEERS},
        {"time", required_argument, NULL, OPT_TIME},
        {"csv", no_argument, NULL, OPT_CSV},
        {"json", no_argument, NULL, OPT_JSON},
        {"list", no_argument, NULL, OPT_LIST},
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},
        /* Last: the family's own, as many as it has. */
        {o->family->settings[0].name, required_argument, NULL, OPT_SETTING},
        {o->family->settings[1].name, required_argument, NULL, OPT_SETTING + 1},
        {NULL, 0, NULL, 0},
    };
    int code;

    opterr = 0;
    while ((code = getopt_long(argc, argv, "hV", longs, NULL)) != -1)
        switch (code) {
        case OPT_OP:
            set_list(&o->ops, optarg);
            break;
        case OPT_SIZE:
            set_list(&o->sizes, optarg);
            break;
        case OPT_GEOMETRY:
            set_list(&o->geometries, optarg);
            break;
        case OPT_K:
            set_list(&o->k, optarg);
            break;
        case OPT_P:
            set_list(&o->p, optarg);
            break;
        case OPT_SETTING:
        case OPT_SETTING + 1:
            o->settings[code - OPT_SETTING] = optarg;
            break;
        case OPT_LEVEL:
            set_list(&o->levels, optarg);
            break;
        case OPT_RECORD:
            o->record = parse_size(optarg, "--record", FILE_LIMIT);
            break;
        case OPT_ROTATE:
            o->rotate = 1;
            break;
        case OPT_SUMMARY:
            o->summary = 1;
            break;
        case OPT_WIDE:
            o->wide = 1;
            break;
        case OPT_VARIANT:
            set_list(&o->variants, optarg);
            break;
        case OPT_WARM:
            o->warm = 1;
            break;
        case OPT_COLD:
            o->cold = 1;
            break;
        case OPT_THREADS:
            o->threads = (unsigned) parse_int(optarg, "--threads", PERF_MAX_THREADS);
            break;
        case OPT_INPUT:
            o->input = file_read(optarg, INPUT_LIMIT);
            o->measure.input = o->input.bytes;
            o->measure.input_size = o->input.size;
            break;
        case OPT_ALIGN:
            o->measure.align = parse_size(optarg, "--align", (size_t) 1 << 21);
            break;
        case OPT_AGAINST:
            if (o->against_count == MAX_LIST)
                misuse("--against: more than %d libraries", MAX_LIST);
            o->against[o->against_count++] = optarg;
            break;
        case OPT_AGAINST_SYMBOL:
            set_list(&o->against_symbols, optarg);
            break;
        case OPT_PEERS:
            o->peers = 1;
            break;
        case OPT_TIME:
            o->measure.seconds = 1e-3 * parse_int(optarg, "--time", 1000000);
            break;
        case OPT_CSV:
            o->format = FORMAT_CSV;
            break;
        case OPT_JSON:
            o->format = FORMAT_JSON;
            break;
        case OPT_LIST:
            o->list = 1;
            break;
        case 'h':
            print_help(o->family);
            exit(0);
        case 'V':
            print_version();
            exit(0);
        default:
            misuse("wrong use of %s", argv[optind - 1]);
        }
    read_files(o, argv + optind, (size_t) (argc - optind));
    check_options(o);
}

/* Bytes for each thread such that all of them together are far more than the caches hold. */
static size_t cold_bytes(unsigned threads)
{
    size_t bytes = COLD_FACTOR * (machine.llc + threads * machine.l2);
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

    if (pages > 0 && page > 0 && bytes > (size_t) pages / 4 * (size_t) page) {
        fprintf(stderr,
                "WARNING: a quarter of the memory is less than %d times the caches: cold "
                "buffers may be partly in cache\n",
                COLD_FACTOR);
        bytes = (size_t) pages / 4 * (size_t) page;
    }
    return bytes / threads;
}

/* ---- The run ---- */

static void print_header(const struct options *o, const struct library *libs, unsigned lib_count)
{
    char text[3][24], rates[256] = "";
    const struct perf_family *f = o->family;
    const char *tier = isalk_isa(isalk_all_families);
    struct list choices;
    int length = 0;

    output_note("program", "isal-perf %s, %s", isal_get_version_str(), f->name);
    output_note("cpu", "%s", machine.cpu);
    output_note("tier", "%s", tier);
    output_note("caches", "%s L1d, %s L2, %s last level", size_text(machine.l1, text[0]),
                size_text(machine.l2, text[1]), size_text(machine.llc, text[2]));
    for (unsigned width = perf_width((enum tier) isalk_tier_from_name(tier)), i = 0;
         width && i < PORT_COUNT; i++) {
        double rate = perf_rate((enum perf_port) i, width);
        if (rate > 0)
            length += snprintf(rates + length, sizeof(rates) - (size_t) length, "%s%s %.2f",
                               length ? ", " : "", machine_port_name((enum perf_port) i), rate);
        if (rate > 0 && i + 1 == PORT_COUNT)
            snprintf(rates + length, sizeof(rates) - (size_t) length, " (%u-byte vectors)", width);
    }
    if (length)
        output_note("uops/cycle", "%s", rates);
    for (int i = 0; i < PERF_SETTINGS && f->settings[i].name; i++) {
        set_list(&choices, f->settings[i].choices);
        output_note(f->settings[i].name, "%s", choices.items[o->choices[i]]);
    }
    if (o->record)
        output_note("record", "%zu bytes", o->record);
    if (o->rotate)
        output_note("rotate", "the files in turn, one call each");
    output_note("threads", "%u", o->threads);
    if (o->warm)
        output_note("warm", "the same buffers in every call");
    if (o->cold)
        output_note("cold", "a walk through %zu MiB of buffers, %.1f times the last-level cache",
                    o->measure.cold_bytes * o->threads >> 20,
                    (double) (o->measure.cold_bytes * o->threads) / (double) machine.llc);
    output_note("align", "%zu bytes", o->measure.align);
    for (unsigned i = 0; i < lib_count; i++)
        output_note("against", "%s", libs[i].path);
    output_note("GB/s", "10^9 bytes a second, shortest window; counted are %s", f->counted);
    if (lib_count)
        output_note("ratio",
                    "speed over that of the first library compared with%s; its own line: over "
                    "this library's last variant; median and quartiles of the rounds",
                    f->default_level ? ", at the same level" : "");
}

/* Opens a library with this one's interface, or a build of one of the family's peers. */
static void open_against(struct library *lib, const char *file, const struct perf_family *f)
{
    int failed = library_open(lib, file, f, NULL);

    for (unsigned i = 0; failed && i < f->peer_count; i++)
        failed = library_open(lib, file, f, &f->peers[i]);
    if (failed)
        perf_fail("%s cannot be loaded or has no function of %s", file, f->name);
}

/* Opens what is to be compared with; a peer that is missing is skipped aloud. */
static unsigned open_libraries(const struct options *o, struct library *libs, unsigned room)
{
    unsigned n = 0;

    for (unsigned i = 0; i < o->against_count && n < room; i++)
        open_against(&libs[n++], o->against[i], o->family);
    for (unsigned i = 0; o->peers && i < o->family->peer_count && n < room; i++) {
        const struct perf_peer *peer = &o->family->peers[i];
        if (library_open(&libs[n], peer->file, o->family, peer))
            fprintf(stderr, "SKIP: peer %s: no %s\n", peer->name, peer->file);
        else if (libs[n].same_abi && library_is_this(&libs[n]))
            fprintf(stderr, "SKIP: peer %s: %s is this library\n", peer->name, libs[n].path);
        else
            n++;
    }
    return n;
}

/* The variants to time; returns how many. */
static unsigned own_impls(const struct options *o, const struct perf_op *op,
                          struct perf_impl *impls)
{
    const struct kernel *kernel = op_kernel(op);
    char *const *wanted = o->variants.items;
    unsigned n = 0, count = o->variants.count;

    library_check_own(op);
    if (!count || !kernel) {
        const struct variant *runs = kernel ? isalk_variant_in_force(kernel) : NULL;
        impls[0] = (struct perf_impl){.op = op,
                                      .fn = op->own,
                                      .variant = runs ? runs->name : "base",
                                      .tier = runs ? runs->tier : T_BASE};
        return 1;
    }
    for (unsigned i = 0; i < count; i++) {
        int all = !strcmp(wanted[i], "all"), found = all;
        for (unsigned r = 0; r < kernel->count; r++) {
            const struct variant *v = &kernel->variants[r];
            int usable = isalk_variant_fits(v, isalk_cpu_features());
            if (!all && strcmp(wanted[i], v->name))
                continue;
            found = 1;
            if (!usable && !all)
                fprintf(stderr, "SKIP: %s %s: this CPU cannot run it\n", op->name, v->name);
            else if (usable && n < PERF_MAX_IMPLS)
                impls[n++] = (struct perf_impl){.op = op,
                                                .fn = op->own,
                                                .variant = v->name,
                                                .kernel = kernel,
                                                .row = v,
                                                .tier = v->tier};
        }
        if (!found)
            fprintf(stderr, "SKIP: %s has no variant %s\n", op->name, wanted[i]);
    }
    return n;
}

/* Each level that the library has. Adds impl at those, from impls[n] on; returns the new n. */
static unsigned add_levels(const struct options *o, const struct perf_levels *levels,
                           struct perf_impl impl, struct perf_impl *impls, unsigned n)
{
    unsigned count = levels->last ? o->levels.count : 1;

    for (unsigned i = 0; i < count; i++) {
        if (levels->last)
            impl.level = parse_int(o->levels.items[i], "--level", LEVEL_LIMIT);
        if (impl.level < levels->first || impl.level > levels->last)
            continue;
        if (n == PERF_MAX_IMPLS)
            perf_fail("more than %d implementations to compare", PERF_MAX_IMPLS);
        impls[n++] = impl;
    }
    return n;
}

/* Everyone who does an operation; returns how many. */
static unsigned all_impls(const struct options *o, const struct perf_op *op, struct library *libs,
                          unsigned lib_count, struct perf_impl *impls)
{
    struct perf_impl own[PERF_MAX_IMPLS], other;
    unsigned n = 0, own_count = own_impls(o, op, own);

    for (unsigned i = 0; i < own_count; i++)
        n = add_levels(o, &o->family->levels, own[i], impls, n);
    for (unsigned i = 0; own_count && i < lib_count; i++)
        if (library_impl(&libs[i], op->name, o->against_symbols.items, &other)) {
            fprintf(stderr, "SKIP: %s has no %s\n", libs[i].path, op->name);
        } else {
            other.tier = own[own_count - 1].tier; /* measured by the limit of our last variant */
            n = add_levels(o, &libs[i].levels, other, impls, n);
        }
    return n;
}

/* Measures an operation in one shape on all sizes or files. */
static void run_shape(const struct options *o, const struct perf_case *model,
                      const struct perf_impl *impls, unsigned n)
{
    const struct perf_op *op = model->op;
    size_t wanted = o->file_count ? o->file_count : o->sizes.count, count = 0;
    struct perf_case *cases = perf_alloc(wanted, sizeof(*cases)), totals[PERF_MAX_IMPLS];
    struct result *results = perf_alloc(wanted * n, sizeof(*results)), sums[2 * PERF_MAX_IMPLS];

    for (size_t i = 0; i < (op->multiple ? wanted : 1); i++) {
        struct perf_case c = *model;
        c.file = op->multiple && o->file_count ? &o->files[i] : NULL;
        if (op->multiple)
            c.size = c.file ? c.file->size : parse_size(o->sizes.items[i], "--size", SIZE_LIMIT);
        if (op->multiple)
            c.size -= c.size % op->multiple;
        if (c.size || !op->multiple)
            cases[count++] = c;
    }
    for (size_t i = 0; i < count; i++) {
        if (!o->rotate)
            measure(&cases[i], 1, impls, n, &o->measure, &results[i * n]);
        else if (i == 0)
            measure(cases, count, impls, n, &o->measure, results);
        for (unsigned r = 0; !(o->summary && count > 1) && r < n; r++)
            output_result(&results[i * n + r]);
    }
    if (count > 1 && o->file_count) {
        files_sum_up(results, count, n, sums, totals);
        for (unsigned r = 0; r < 2 * n; r++)
            output_result(&sums[r]);
    }
    free(cases);
    free(results);
}

static void run_op(const struct options *o, const struct perf_op *op, struct library *libs,
                   unsigned lib_count)
{
    const struct shape *shapes = o->shapes;
    struct perf_impl impls[PERF_MAX_IMPLS];
    struct perf_case c = {.family = o->family,
                          .op = op,
                          .record = o->record,
                          .random = !o->file_count && !o->input.size};
    unsigned n = all_impls(o, op, libs, lib_count, impls);

    memcpy(c.setting, o->choices, sizeof(c.setting));
    for (unsigned s = 0; n && s < o->shape_count; s++) {
        int again = 0;
        c.k = shapes[s].k;
        c.p = shapes[s].p;
        for (unsigned i = 0; i < s; i++)
            again |=
                op->shape == 0 || (shapes[i].k == c.k && (op->shape == 1 || shapes[i].p == c.p));
        for (c.cold = !o->warm; !again && c.cold <= o->cold; c.cold++)
            run_shape(o, &c, impls, n);
    }
}

/* Makes the columns of the table wide enough. */
static void expect_texts(const struct options *o, struct library *libs, unsigned lib_count)
{
    const struct perf_family *f = o->family;
    char who[WHO_SIZE];

    for (unsigned i = 0; i < o->ops.count; i++)
        for (unsigned j = 0; j < f->op_count; j++)
            if (is_wanted(o->ops.items[i], &f->ops[j]))
                output_expect(TEXT_OPERATION, f->ops[j].name);
    for (size_t i = 0; i < o->file_count; i++)
        output_expect(TEXT_FILE, o->files[i].name);
    if (o->file_count > 1)
        output_expect(TEXT_FILE, "geometric mean");
    for (unsigned i = 0; i < lib_count; i++) {
        struct perf_impl impl = {.library = &libs[i], .variant = "avx512_v"};
        impl.bound_to_isa = o->against_symbols.count > 0;
        output_expect(TEXT_VARIANT, library_who(&impl, who));
    }
}

static void run(struct options *o)
{
    struct library *libs = perf_alloc(PERF_MAX_LIBRARIES, sizeof(*libs));
    const struct perf_family *f = o->family;
    unsigned lib_count;

    clock_init();
    machine_init();
    threads_start(o->threads);
    o->measure.cold_bytes = cold_bytes(o->threads);
    lib_count = open_libraries(o, libs, PERF_MAX_LIBRARIES);
    output_start(o->format, (lib_count ? SHOW_RATIO : 0) | (o->file_count ? SHOW_FILE : 0) |
                                (f->default_level ? SHOW_LEVEL | SHOW_OUTPUT : 0) |
                                (f->shape || o->wide ? SHOW_SHAPE : 0) |
                                ((o->warm && o->cold) || o->wide ? SHOW_STATE : 0) |
                                (o->wide ? SHOW_ALL : 0));
    expect_texts(o, libs, lib_count);
    print_header(o, libs, lib_count);
    for (unsigned i = 0; i < o->ops.count; i++)
        for (unsigned j = 0; j < f->op_count; j++)
            if (is_wanted(o->ops.items[i], &f->ops[j]))
                run_op(o, &f->ops[j], libs, lib_count);
    output_end();
    free(libs);
}

int main(int argc, char **argv)
{
    struct options o = {.threads = 1, .measure = {.seconds = 0.06, .align = 64}};

    program = argc && strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argc ? argv[0] : "";
    o.family = family_named(program, "_perf");
    if (!o.family && argc > 1) {
        o.family = family_named(argv[1], "");
        if (o.family) {
            argv++;
            argc--;
        }
    }
    if (!o.family) {
        const char *first = argc > 1 ? argv[1] : "";
        if (!strcmp(first, "-h") || !strcmp(first, "--help"))
            print_help(NULL);
        else if (!strcmp(first, "-V") || !strcmp(first, "--version"))
            print_version();
        else if (*first)
            misuse("there is no family '%s'", first);
        else
            misuse("which family to time is missing");
        return 0;
    }
    parse_options(argc, argv, &o);
    if (o.list)
        print_list(o.family);
    else
        run(&o);
    free(o.input.bytes);
    for (size_t i = 0; i < o.file_count; i++)
        free(o.files[i].bytes);
    free(o.files);
    return 0;
}
