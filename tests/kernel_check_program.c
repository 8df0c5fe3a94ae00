/* The kernel check as a program: its options, its cases, its results.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "kernel_check.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONG_CASES 300 /* of random sizes */
#define QUICK_LENGTH 300
#define QUICK_CASES 150
#define QUICK_LONG_CASES 10
#define QUICK_LONG 3000 /* bytes */

/* Options and results. */
static struct {
    const struct family *const *tables;
    const struct check_family *const *descriptors;
    const char *only_kernel;
    int list;
    unsigned long passed, failed, skipped;
} program;

/* ---- Cases ---- */

static void one_case(struct check *c, size_t size, enum placement placement)
{
    c->size = size;
    c->placement = placement;
    c->number_count = 0;
    c->description[0] = '\0';
    c->used = 0;
    c->secrets.declared = 0;
    c->secrets.used = 0;
    c->settle = NULL;
    c->test->one_case(c, size);
}

static void each_placement(struct check *c, size_t size)
{
    for (int p = 0; p < PLACEMENTS; p++)
        one_case(c, size, (enum placement) p);
}

/* Sizes n - 1, n and n + 1 for each multiple n of 1/parts of the longest step, up to four steps. */
static void sizes_around_steps(struct check *c, unsigned parts)
{
    const struct check_dimension *d = &c->test->dimension;
    size_t part = d->unroll / parts;

    for (size_t n = part; part && n <= 4 * d->unroll; n += part)
        for (size_t size = n - 1; size <= n + 1; size++)
            each_placement(c, size);
}

static void random_sizes(struct check *c, unsigned count, size_t max)
{
    const struct check_dimension *d = &c->test->dimension;

    for (unsigned i = 0; max > d->last && i < count; i++)
        one_case(c, d->first + check_random(c, (unsigned) (max - d->first + 1)),
                 (enum placement)(i % PLACEMENTS));
}

/* Every size, as often as needed for about CHECK_EVERY cases in all the tests of the kernel. */
static void all_cases(struct check *c, unsigned tests)
{
    const struct check_dimension *d = &c->test->dimension;
    size_t rounds = CHECK_EVERY / tests / (d->last - d->first + 1);

    do {
        for (size_t size = d->first; size <= d->last; size++)
            each_placement(c, size);
    } while (rounds-- > 1);
    sizes_around_steps(c, 8);
    random_sizes(c, LONG_CASES / tests, d->max);
}

/* Few cases, for emulators: every small size, and ever fewer of the larger ones. */
static void quick_cases(struct check *c, unsigned tests)
{
    const struct check_dimension *d = &c->test->dimension;
    size_t max = QUICK_LONG / (d->bytes_per_unit ? d->bytes_per_unit : 1);
    unsigned cases = 0;

    while (cases < QUICK_CASES / tests)
        for (size_t n = 0; n <= QUICK_LENGTH && d->first + n <= d->last; n += 1 + n / 70)
            one_case(c, d->first + n, (enum placement)(cases++ % PLACEMENTS));
    sizes_around_steps(c, 2);
    random_sizes(c, QUICK_LONG_CASES / tests, max < d->max ? max : d->max);
}

/* 64 bytes to 16 KB, or the nearest sizes that the kernel takes. */
static void bench_cases(struct check *c)
{
    const struct check_dimension *d = &c->test->dimension;
    size_t last = SIZE_MAX;

    for (size_t bytes = 64; bytes <= 16384; bytes *= bytes < 4096 ? 8 : 4) {
        size_t size = d->bytes_per_unit ? bytes / d->bytes_per_unit : d->first;
        size = size < d->first ? d->first : size > d->max ? d->max : size;
        if (size != last)
            one_case(c, size, FLUSH_START);
        last = size;
    }
}

static void run_test(struct check *c, unsigned tests)
{
    /* A hash of the name keeps a kernel's cases the same when others are left out. */
    c->random = c->seed;
    for (const char *p = c->test->kernel; *p; p++)
        c->random = (c->random ^ (uint8_t) *p) * 0x100000001b3;
    if (c->bench)
        bench_cases(c);
    else if (c->quick)
        quick_cases(c, tests);
    else
        all_cases(c, tests);
}

/* ---- Results ---- */

/* The names of these CPU features, to the end of the line. */
static void print_features(uint64_t features)
{
    for (unsigned i = 0; i < CPU_BIT_END; i++)
        if (features >> i & 1)
            printf(" %s", isalk_cpu_feature_name(i));
    printf("\n");
}

static void print_row(const struct check *c, unsigned row)
{
    const struct variant *v = &c->kernel->variants[row];
    const struct row_result *r = &c->rows[row];

    if (!isalk_variant_fits(v, isalk_cpu_features())) {
        printf("SKIP %s %s: this CPU lacks", c->kernel->name, v->name);
        print_features(v->needs & ~isalk_cpu_features());
        program.skipped++;
    } else if (!check_row_runs(c, row)) {
        return;
    } else if (r->failures) {
        printf("FAIL %s %s: %lu failures in %lu cases\n", c->kernel->name, v->name, r->failures,
               r->cases);
        program.failed++;
    } else if (!r->cases) {
        printf("FAIL %s %s: no case ran\n", c->kernel->name, v->name);
        program.failed++;
    } else {
        program.passed++;
    }
}

/* The family whose descriptor has tests of the kernel, or NULL; *tests is their number. */
static const struct check_family *find_tests(const char *kernel, unsigned *tests)
{
    *tests = 0;
    for (size_t f = 0; program.descriptors[f]; f++) {
        const struct check_family *family = program.descriptors[f];
        for (size_t i = 0; i < family->count; i++)
            *tests += !strcmp(family->tests[i].kernel, kernel);
        if (*tests)
            return family;
    }
    return NULL;
}

/* Returns 0 if the kernel cannot be tested. */
static int run_tests(struct check *c)
{
    const char *kernel = c->kernel->name;
    unsigned tests;

    c->family = find_tests(kernel, &tests);
    if (!c->family) {
        printf("FAIL %s: no descriptor\n", kernel);
        program.failed++;
        return 0;
    }
    for (size_t i = 0; i < c->family->count; i++) {
        c->test = &c->family->tests[i];
        if (strcmp(c->test->kernel, kernel) != 0)
            continue;
        if (c->test->signature.wide) {
            printf("SKIP %s: it takes integers wider than this machine's registers\n",
                   kernel);
            program.skipped++;
            return 0;
        }
        run_test(c, tests);
    }
    return 1;
}

static void check_kernel(struct check *c)
{
    memset(c->rows, 0, sizeof c->rows);
    if (c->kernel->count > MAX_ROWS) {
        fprintf(stderr, "kernel_check: %s has more than %d rows\n", c->kernel->name, MAX_ROWS);
        exit(2);
    }
    if (!run_tests(c))
        return;
    if (!c->bench && !check_slot(c))
        program.failed++;
    for (unsigned row = 0; row < c->kernel->count; row++)
        if (row == 0 || !c->only_row || !strcmp(c->only_row, c->kernel->variants[row].name))
            print_row(c, row);
}

/* ---- Tables ---- */

/* The kernels of all tables in turn, or NULL. */
static const struct kernel *kernel_at(size_t index)
{
    for (size_t f = 0; program.tables[f]; index -= program.tables[f++]->count)
        if (index < program.tables[f]->count)
            return &program.tables[f]->kernels[index];
    return NULL;
}

static int selected(const char *kernel)
{
    return !program.only_kernel || !strcmp(program.only_kernel, kernel);
}

/* Fails a descriptor or a call that names a kernel that is in no table. */
static void check_names(const char *kernel, const char *what)
{
    const struct kernel *k;

    for (size_t i = 0; (k = kernel_at(i)) != NULL; i++)
        if (!strcmp(k->name, kernel))
            return;
    printf("FAIL %s: %s of a kernel that is in no table\n", kernel, what);
    program.failed++;
}

static void check_descriptors(void)
{
    for (size_t f = 0; program.descriptors[f]; f++) {
        const struct check_family *family = program.descriptors[f];
        for (size_t i = 0; i < family->count; i++)
            check_names(family->tests[i].kernel, "a descriptor");
        for (const struct check_call *call = family->calls; call && call->kernel; call++)
            check_names(call->kernel, "a call");
    }
}

static void list_kernels(void)
{
    for (size_t f = 0; program.tables[f]; f++)
        for (unsigned i = 0; i < program.tables[f]->count; i++) {
            const struct kernel *k = &program.tables[f]->kernels[i];
            printf("%-14s %-24s", program.tables[f]->name, k->name);
            for (unsigned n = 0; n < k->count; n++)
                printf(" %s%s", k->variants[n].name,
                       isalk_variant_fits(&k->variants[n], isalk_cpu_features())
                           ? ""
                           : "(not on this CPU)");
            printf("\n");
        }
}

/* ---- Options ---- */

static void usage(FILE *to)
{
    fputs("Usage: kernel_check [OPTION]...\n"
          "Compares every variant of every kernel with its portable C variant.\n\n"
          "  --list           print the kernels and their variants, and exit\n"
          "  --kernel NAME    check this kernel only\n"
          "  --variant NAME   check this variant only\n"
          "  --seed N         seed of the inputs (default 1)\n"
          "  --quick          fewer sizes, for emulators\n"
          "  --bench          time each variant on the check's own inputs\n"
          "  --help           print this, and exit\n\n"
          "Exit status: 0 if every comparison passed, 1 if one failed, 2 on a usage error.\n",
          to);
}

/* True if the tables have such a kernel with such a row; NULL stands for any. */
static int in_tables(const char *kernel, const char *row)
{
    const struct kernel *k;

    for (size_t i = 0; (k = kernel_at(i)) != NULL; i++)
        for (unsigned n = 0; n < k->count; n++)
            if ((!kernel || !strcmp(k->name, kernel)) &&
                (!row || !strcmp(k->variants[n].name, row)))
                return 1;
    return 0;
}

static int usage_error(const char *format, const char *argument)
{
    fputs("kernel_check: ", stderr);
    fprintf(stderr, format, argument);
    fputs("; see --help and --list\n", stderr);
    return 2;
}

static int parse_seed(struct check *c, const char *text)
{
    char *end;

    errno = 0;
    c->seed = strtoull(text, &end, 0);
    return !errno && !*end && *text != '\0' && *text != '-';
}

/* Returns 0, or the exit status. */
static int parse_options(struct check *c, int argc, char **argv)
{
    static const struct option options[] = {
        {"list", no_argument, NULL, 'l'},       {"kernel", required_argument, NULL, 'k'},
        {"seed", required_argument, NULL, 's'}, {"variant", required_argument, NULL, 'v'},
        {"quick", no_argument, NULL, 'q'},      {"bench", no_argument, NULL, 'b'},
        {"help", no_argument, NULL, 'h'},       {NULL, 0, NULL, 0}};
    int option;

    optind = 1;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
        switch (option) {
        case 'l':
            program.list = 1;
            break;
        case 'k':
            program.only_kernel = optarg;
            break;
        case 'v':
            c->only_row = optarg;
            break;
        case 's':
            if (!parse_seed(c, optarg))
                return usage_error("--seed takes a number, not '%s'", optarg);
            break;
        case 'q':
            c->quick = 1;
            break;
        case 'b':
            c->bench = 1;
            break;
        case 'h':
            usage(stdout);
            exit(0);
        default:
            usage(stderr);
            return 2;
        }
    if (optind < argc)
        return usage_error("no argument '%s' is expected", argv[optind]);
    if (!in_tables(program.only_kernel, NULL))
        return usage_error("no kernel '%s'", program.only_kernel);
    if (!in_tables(program.only_kernel, c->only_row))
        return usage_error("no variant '%s'", c->only_row);
    return 0;
}

int check_main(int argc, char **argv, const struct family *const *tables,
               const struct check_family *const *descriptors)
{
    static struct check c;
    const struct kernel *k;
    int status;

    memset(&program, 0, sizeof program);
    program.tables = tables;
    program.descriptors = descriptors;
    c.seed = 1;
    c.only_row = NULL;
    c.cases = 0;
    c.quick = c.bench = 0;
    status = parse_options(&c, argc, argv);
    if (status)
        return status;
    if (program.list) {
        list_kernels();
        return 0;
    }
    check_catch_faults();
    setvbuf(stdout, NULL, _IOLBF, 0);
    check_descriptors();
    for (size_t i = 0; (k = kernel_at(i)) != NULL; i++) {
        c.kernel = k;
        if (selected(k->name))
            check_kernel(&c);
    }
    printf("%lu cases\n%lu passed, %lu failed, %lu skipped\n", c.cases, program.passed,
           program.failed, program.skipped);
    return program.failed ? 1 : 0;
}
