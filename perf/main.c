/* isal-perf: times the library's functions. The families and the start of the program.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Run under the name FAMILY_perf the program times that family; otherwise its first argument names
 * one. */

#include "options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dispatch/families.h"
#include "isa-l/isal_api.h"

/* The families of both libraries, and crc_model, whose kernels are those of crc and crc_combine. */
#define FAMILIES(X) ISAL_TIMED_FAMILIES(X) X(crc_model) ISAL_CRYPTO_FAMILIES(X)
ISALK_HIDDEN_BEGIN
#define X(name) extern const struct perf_family perf_##name;
FAMILIES(X)
#undef X
ISALK_HIDDEN_END
#define X(name) &perf_##name,
const struct perf_family *const perf_families[] = {FAMILIES(X) NULL};
#undef X

static const char *program;

const char *program_name(void)
{
    return program;
}

static void print_message(const char *format, va_list args)
{
    fflush(stdout);
    fprintf(stderr, "%s: ", program);
    vfprintf(stderr, format, args);
}

void perf_fail(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    print_message(format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(1);
}

void perf_misuse(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    print_message(format, args);
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

const struct perf_family *family_named(const char *name, const char *suffix)
{
    size_t length = strlen(name), suffix_length = strlen(suffix);

    if (length < suffix_length || strcmp(name + length - suffix_length, suffix))
        return NULL;
    for (const struct perf_family *const *f = perf_families; *f; f++)
        if (strlen((*f)->name) == length - suffix_length &&
            !strncmp(name, (*f)->name, length - suffix_length))
            return *f;
    return NULL;
}

void print_version(void)
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
        printf("--level: %d to %d; default: %s, where a library has them\n", f->levels.first,
               f->levels.last, f->default_level);
    printf("\noperations and variants (in parentheses: this CPU cannot run them):\n");
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

/* A command line that names no family. */
static void run_without_family(const char *first)
{
    if (!strcmp(first, "-h") || !strcmp(first, "--help"))
        options_help(NULL);
    else if (!strcmp(first, "-V") || !strcmp(first, "--version"))
        print_version();
    else if (*first)
        perf_misuse("there is no family '%s'", first);
    else
        perf_misuse("name the family to time");
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
        run_without_family(argc > 1 ? argv[1] : "");
        return 0;
    }
    options_parse(argc, argv, &o);
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
