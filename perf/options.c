/* The command line of isal-perf: one table of options, which parsing and --help read.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_LIMIT ((size_t) 64 << 20)
#define FILE_LIMIT ((size_t) 1 << 30)
#define SIZE_LIMIT ((size_t) 1 << 30)
#define ALIGN_LIMIT ((size_t) 1 << 21)
#define LEVEL_LIMIT 99
#define TIME_LIMIT 1000000
#define SHAPE_LIMIT 9999

/* ---- Values ---- */

void list_set(struct list *list, const char *text)
{
    char *rest = list->text, *item;

    if (strlen(text) >= sizeof(list->text))
        perf_misuse("the list %.20s... is too long", text);
    strcpy(list->text, text);
    for (list->count = 0; (item = strsep(&rest, ",")) != NULL; list->items[list->count++] = item)
        if (list->count == MAX_LIST)
            perf_misuse("%s: more than %d items", text, MAX_LIST);
    list->items[list->count] = NULL;
}

/* A number with an optional suffix K, M or G (powers of 1024). */
static size_t parse_size(const char *text, const char *what, size_t max)
{
    static const char suffixes[] = "KMG";
    char *end;
    unsigned long long n = strtoull(text, &end, 10);
    const char *suffix = *end ? strchr(suffixes, *end & ~0x20) : NULL;
    unsigned shift = suffix ? 10 * (unsigned) (suffix - suffixes + 1) : 0;

    if (*text < '0' || *text > '9' || end[suffix != NULL] || n > max >> shift)
        perf_misuse("--%s: '%s' is not a number up to %zu, such as 512, 4K or 1M", what, text, max);
    return (size_t) n << shift;
}

/* Index of text among comma-separated choices. */
static int parse_choice(const char *text, const char *what, const char *choices)
{
    struct list list;

    list_set(&list, choices);
    for (unsigned i = 0; i < list.count; i++)
        if (!strcmp(list.items[i], text))
            return (int) i;
    perf_misuse("--%s: '%s' is not one of %s", what, text, choices);
}

size_t options_size(const struct options *o, size_t index)
{
    return parse_size(o->sizes.items[index], "size", SIZE_LIMIT);
}

int options_level(const struct options *o, size_t index)
{
    return (int) parse_size(o->levels.items[index], "level", LEVEL_LIMIT);
}

int options_wants(const char *item, const struct perf_op *op)
{
    return !strcmp(item, "all") || !strcmp(item, op->name);
}

/* ---- The table ---- */

struct option_row {
    const char *name, *argument, *help; /* a row without a name is a heading */
    void (*set)(struct options *o, const struct option_row *row, const char *text);
    size_t member; /* of struct options, its offset */
    size_t limit;  /* of a number */
    enum { EVERY_FAMILY, WITH_SHAPES, WITH_LEVELS, WITH_RECORDS } families;
};

static void *member_of(struct options *o, const struct option_row *row)
{
    return (char *) o + row->member;
}

static void set_list(struct options *o, const struct option_row *row, const char *text)
{
    list_set(member_of(o, row), text);
}

static void set_flag(struct options *o, const struct option_row *row, const char *text)
{
    (void) text;
    *(int *) member_of(o, row) = 1;
}

static void set_number(struct options *o, const struct option_row *row, const char *text)
{
    *(size_t *) member_of(o, row) = parse_size(text, row->name, row->limit);
}

static void set_format(struct options *o, const struct option_row *row, const char *text)
{
    (void) text;
    o->format = !strcmp(row->name, "csv") ? FORMAT_CSV : FORMAT_JSON;
}

static void set_time(struct options *o, const struct option_row *row, const char *text)
{
    o->measure.seconds = 1e-3 * (double) parse_size(text, row->name, TIME_LIMIT);
}

static void set_input(struct options *o, const struct option_row *row, const char *text)
{
    (void) row;
    o->input = file_read(text, INPUT_LIMIT);
    o->measure.input = o->input.bytes;
    o->measure.input_size = o->input.size;
}

static void set_against(struct options *o, const struct option_row *row, const char *text)
{
    (void) row;
    if (o->against_count == MAX_LIST)
        perf_misuse("--against: more than %d libraries", MAX_LIST);
    o->against[o->against_count++] = text;
}

static void show_help(struct options *o, const struct option_row *row, const char *text)
{
    (void) row;
    (void) text;
    options_help(o->family);
    exit(0);
}

static void show_version(struct options *o, const struct option_row *row, const char *text)
{
    (void) o;
    (void) row;
    (void) text;
    print_version();
    exit(0);
}

#define ROW(option, arg, text, function, ...)                                       \
    {                                                                               \
        .name = option, .argument = arg, .help = text, .set = function, __VA_ARGS__ \
    }
#define MEMBER(m) .member = offsetof(struct options, m)
#define FLAG(option, m, text) ROW(option, NULL, text, set_flag, MEMBER(m))
#define LIST(option, m, text, ...) ROW(option, "LIST", text, set_list, MEMBER(m), __VA_ARGS__)
#define NUMBER(option, m, max, text, ...) \
    ROW(option, "N", text, set_number, MEMBER(m), .limit = max, __VA_ARGS__)
#define HEADING(text) \
    {                 \
        .help = text  \
    }

static const struct option_row rows[] = {
    HEADING("What to time (lists are separated by commas):"),
    LIST("op", ops, "operations, or all; --list prints them", ),
    LIST("size", sizes, "bytes in a buffer: 512,4K,1M", ),
    LIST("geometry", geometries, "shapes: 4+2,10+4", .families = WITH_SHAPES),
    LIST("k", k, "first numbers of the shapes", .families = WITH_SHAPES),
    LIST("p", p, "second numbers; all combinations are timed", .families = WITH_SHAPES),
    LIST("level", levels, "levels; a library skips those it lacks", .families = WITH_LEVELS),
    NUMBER("record", record, FILE_LIMIT, "compress each N bytes alone, not whole buffers",
           .families = WITH_RECORDS),
    LIST("variant", variants,
         "kernel variants, or all that this CPU runs; default: the chosen one", ),
    FLAG("warm", warm, "buffers in cache, as far as they fit (default)"),
    FLAG("cold", cold, "buffers in no cache; with --warm: both"),
    NUMBER("threads", threads, PERF_MAX_THREADS, "N threads at once, each with its own buffers", ),
    ROW("input", "FILE", "contents of the buffers; default: random bytes", set_input, ),
    NUMBER("align", measure.align, ALIGN_LIMIT,
           "buffers begin at multiples of N (default 64), or, where N is\n"
           "below 64, N bytes after a multiple of 64", ),
    FLAG("rotate", rotate, "with several FILEs: one call on each in turn"),
    HEADING("  FILE...            contents of the buffers: each file whole, instead of --size"),
    HEADING("What to compare with:"),
    ROW("against", "LIB", "a library with the same interface; may be repeated", set_against, ),
    LIST("against-symbol", against_symbols,
         "functions of that library to call instead of those of the same\n"
         "name, such as ec_encode_data_avx2", ),
    FLAG("peers", peers, "other libraries that are installed"),
    HEADING("How to measure and print:"),
    ROW("time", "MS", "milliseconds for each measurement (default 60)", set_time, ),
    ROW("csv", NULL, "print CSV instead of a table", set_format, ),
    ROW("json", NULL, "print JSON instead of a table", set_format, ),
    FLAG("wide", wide, "every column; default: those that fit 100 characters"),
    FLAG("summary", summary, "with several FILEs: only total and geometric mean"),
    FLAG("list", list, "list operations, variants and peers"),
    ROW("help", NULL, "print this (also -h)", show_help, ),
    ROW("version", NULL, "print the version (also -V)", show_version, ),
};

/* ---- Help ---- */

static void print_row(const struct option_row *row)
{
    char option[32];
    const char *help = row->help;

    if (!row->name) {
        puts(help);
        return;
    }
    snprintf(option, sizeof(option), "%s%s%s", row->name, row->argument ? " " : "",
             row->argument ? row->argument : "");
    printf("  --%-16s", option);
    if (strlen(option) > 16)
        printf("\n%20s", "");
    for (size_t length; *help; help += length + (help[length] == '\n')) {
        length = strcspn(help, "\n");
        printf("%*s%.*s\n", help == row->help ? 1 : 21, "", (int) length, help);
    }
}

static int row_applies(const struct option_row *row, const struct perf_family *f)
{
    return !f || row->families == EVERY_FAMILY || (row->families == WITH_SHAPES && f->shape) ||
           (row->families == WITH_LEVELS && f->default_level) ||
           (row->families == WITH_RECORDS && f->records);
}

static void print_settings(const struct perf_family *f)
{
    for (int i = 0; i < PERF_SETTINGS && f->settings[i].name; i++) {
        const char *name = f->settings[i].name, *choices = f->settings[i].choices;
        if (i == 0)
            printf("Options of %s:\n", f->name);
        if (strlen(choices) < 40)
            printf("  --%-16s one of %s\n", name, choices);
        else
            printf("  --%-16s such as %.*s; --list prints all\n", name, (int) strcspn(choices, ","),
                   choices);
    }
}

void options_help(const struct perf_family *family)
{
    int linked = family && family_named(program_name(), "_perf") != NULL;

    printf("Usage: %s%s%s [options] [FILE...]\n\n", program_name(), linked ? "" : " ",
           linked   ? ""
           : family ? family->name
                    : "FAMILY");
    for (const struct perf_family *const *f = perf_families; !family && *f; f++)
        printf("%s  %-14s %s\n", f == perf_families ? "Families:\n" : "", (*f)->name, (*f)->title);
    if (!family)
        putchar('\n');
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        if (row_applies(&rows[i], family))
            print_row(&rows[i]);
    for (const struct perf_family *const *f = perf_families; *f; f++)
        if (!family || family == *f)
            print_settings(*f);
}

/* ---- Parsing ---- */

/* The shapes asked for. */
static void parse_shapes(struct options *o)
{
    const struct perf_family *f = o->family;
    struct shape *shapes = o->shapes;
    unsigned n = 0;

    if (!o->k.count && o->p.count)
        list_set(&o->k, "10");
    if (!o->p.count && o->k.count)
        list_set(&o->p, "4");
    for (unsigned i = 0; i < o->k.count; i++)
        for (unsigned j = 0; j < o->p.count; j++)
            shapes[n++] = (struct shape){(int) parse_size(o->k.items[i], "k", SHAPE_LIMIT),
                                         (int) parse_size(o->p.items[j], "p", SHAPE_LIMIT)};
    for (unsigned i = 0; !o->k.count && i < o->geometries.count; i++) {
        char *plus = strchr(o->geometries.items[i], '+');
        if (plus)
            *plus = '\0';
        shapes[n].k = (int) parse_size(o->geometries.items[i], "geometry", SHAPE_LIMIT);
        shapes[n++].p = plus ? (int) parse_size(plus + 1, "geometry", SHAPE_LIMIT) : 0;
    }
    for (unsigned i = 0; i < n; i++)
        if (!f->shape_ok(shapes[i].k, shapes[i].p))
            perf_misuse("%d+%d is not a shape of %s: %s", shapes[i].k, shapes[i].p, f->name,
                        f->shape);
    o->shape_count = n;
}

/* Defaults of what the command line leaves out. */
static void set_defaults(struct options *o)
{
    const struct perf_family *f = o->family;

    if (!o->cold)
        o->warm = 1;
    if (!o->ops.count)
        list_set(&o->ops, f->default_op);
    if (!o->geometries.count && f->shape)
        list_set(&o->geometries, f->default_shape);
    if (!o->sizes.count)
        list_set(&o->sizes, f->default_size);
    if (!o->levels.count && f->default_level)
        list_set(&o->levels, f->default_level);
}

/* Options that contradict each other or that the family does not have. */
static void check_combinations(const struct options *o)
{
    const struct perf_family *f = o->family;

    if (!o->threads)
        perf_misuse("--threads: at least 1");
    if (!o->measure.align || (o->measure.align > 64 && o->measure.align % 64))
        perf_misuse("--align: 1 to 64, or a multiple of 64");
    if (o->record && !f->records)
        perf_misuse("--record: %s does not compress", f->name);
    if (o->levels.count && !f->default_level)
        perf_misuse("--level: %s has no levels", f->name);
    if (o->rotate && (o->file_count < 2 || o->cold))
        perf_misuse("--rotate needs several files and excludes --cold");
    if (o->file_count && (o->sizes.count || o->input.size))
        perf_misuse("files exclude --size and --input");
}

/* Returns whether a kernel of any family has a variant of this name. */
static int is_variant(const char *name)
{
    const struct kernel *k;

    for (size_t i = 0; (k = isalk_kernel_at(isalk_all_families, i)) != NULL; i++)
        for (unsigned v = 0; v < k->count; v++)
            if (!strcmp(k->variants[v].name, name))
                return 1;
    return 0;
}

/* The items of the lists. */
static void check_items(struct options *o)
{
    const struct perf_family *f = o->family;

    for (int i = 0; i < PERF_SETTINGS; i++)
        if (o->settings[i])
            o->choices[i] =
                parse_choice(o->settings[i], f->settings[i].name, f->settings[i].choices);
    for (unsigned i = 0; i < o->sizes.count; i++)
        options_size(o, i);
    for (unsigned i = 0; i < o->levels.count; i++)
        options_level(o, i);
    for (unsigned i = 0; i < o->variants.count; i++)
        if (strcmp(o->variants.items[i], "all") && !is_variant(o->variants.items[i]))
            perf_misuse("--variant: no variant is called '%s'", o->variants.items[i]);
    for (unsigned i = 0, found; i < o->ops.count; i++) {
        for (unsigned j = found = 0; j < f->op_count; j++)
            found |= (unsigned) options_wants(o->ops.items[i], &f->ops[j]);
        if (!found)
            perf_misuse("%s has no operation '%s'; --list prints them", f->name, o->ops.items[i]);
    }
}

static void read_files(struct options *o, char *const *names, size_t count)
{
    o->files = perf_alloc(count, sizeof(*o->files));
    for (; o->file_count < count; o->file_count++)
        o->files[o->file_count] = file_read(names[o->file_count], FILE_LIMIT);
}

/* Codes of getopt_long(): indices of rows, then of the family's settings. */
enum { CODE_ROW = 256, CODE_SETTING = 512 };

void options_parse(int argc, char **argv, struct options *o)
{
    struct option longs[ARRAY_SIZE(rows) + PERF_SETTINGS + 1] = {{NULL, 0, NULL, 0}};
    size_t n = 0;
    int code;

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        if (rows[i].name)
            longs[n++] =
                (struct option){rows[i].name, rows[i].argument != NULL, NULL, CODE_ROW + (int) i};
    for (int i = 0; i < PERF_SETTINGS && o->family->settings[i].name; i++)
        longs[n++] = (struct option){o->family->settings[i].name, 1, NULL, CODE_SETTING + i};
    opterr = 0;
    while ((code = getopt_long(argc, argv, "hV", longs, NULL)) != -1)
        if (code >= CODE_SETTING)
            o->settings[code - CODE_SETTING] = optarg;
        else if (code >= CODE_ROW)
            rows[code - CODE_ROW].set(o, &rows[code - CODE_ROW], optarg);
        else if (code == 'h')
            show_help(o, NULL, NULL);
        else if (code == 'V')
            show_version(o, NULL, NULL);
        else
            perf_misuse("%s: unknown option or missing argument", argv[optind - 1]);
    read_files(o, argv + optind, (size_t) (argc - optind));
    check_combinations(o);
    set_defaults(o);
    if (o->family->shape)
        parse_shapes(o);
    else
        o->shape_count = 1; /* shapes[0] is zeros */
    check_items(o);
}
