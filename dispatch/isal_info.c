/* isal-info: prints what the libraries know about this CPU and which kernels they chose.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Uses the public API alone; only the CPU's name is read here. */

#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa-l/isal_api.h"
#ifdef WITH_CRYPTO
#include "isa-l_crypto/isal_crypto_api.h"
#endif

#include "cpu_traits.h"
#include "isal_info.h"
#include "tiers.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

static const char *const tiers[] = {TIERS(TIER_NAME)};

#define TIER_COUNT (sizeof(tiers) / sizeof(tiers[0]))

static const char usage[] =
    "usage: isal-info [--kernel NAME] [--json] | --self-test\n"
    "Prints the CPU, its features, the instruction-set tier in use, and the variant of each "
    "kernel\n"
    "that the libraries run.\n"
    "\n"
    "  -k, --kernel NAME  only this kernel, with the state of each of its variants\n"
    "  -j, --json         everything, as one JSON object\n"
    "  -t, --self-test    test every algorithm with known answers in every tier\n"
    "  -h, --help         this text\n"
    "  -V, --version      the versions of the libraries in use\n"
    "\n"
    "The environment variable ISAL_ISA caps the tier and, after commas, takes CPU features away\n"
    "(avx2,-sha) and sets traits (+ec_4_rows). Tiers:\n";

/* The libraries that were built; their kernels are listed as one. */
static const struct library {
    const char *(*get_kernel)(const char *name);
    const char *(*list_kernels)(size_t index);
    const char *(*list_variants)(const char *kernel, size_t index, int *usable);
    int (*set_isa_limit)(const char *isa);
} libraries[] = {
    {isal_get_kernel, isal_list_kernels, isal_list_variants, isal_set_isa_limit},
#ifdef WITH_CRYPTO
    {isal_crypto_get_kernel, isal_crypto_list_kernels, isal_crypto_list_variants,
     isal_crypto_set_isa_limit},
#endif
};
#define LIBRARIES (sizeof(libraries) / sizeof(libraries[0]))

/* "none" in a build without libisal_crypto. */
static const char *crypto_version(void)
{
#ifdef WITH_CRYPTO
    return isal_crypto_get_version_str();
#else
    return "none";
#endif
}

static const char *get_kernel(const char *name)
{
    const char *variant = NULL;

    for (size_t i = 0; i < LIBRARIES && !variant; i++)
        variant = libraries[i].get_kernel(name);
    return variant;
}

static const char *list_variants(const char *kernel, size_t index, int *usable)
{
    const char *variant = NULL;

    for (size_t i = 0; i < LIBRARIES && !variant; i++)
        variant = libraries[i].list_variants(kernel, index, usable);
    return variant;
}

static const char *list_kernels(size_t index)
{
    for (size_t i = 0; i < LIBRARIES; i++) {
        size_t count = 0;
        while (libraries[i].list_kernels(count)) {
            if (count == index)
                return libraries[i].list_kernels(count);
            count++;
        }
        index -= count;
    }
    return NULL;
}

/* The tier whose name begins a variant's name or a value of ISAL_ISA: the longest that does, since
 * avx2 begins with avx. */
static size_t tier_of(const char *text)
{
    size_t tier = 0, longest = 0;

    for (size_t t = 0; t < TIER_COUNT; t++) {
        size_t length = strlen(tiers[t]);
        if (length > longest && !strncmp(text, tiers[t], length)) {
            tier = t;
            longest = length;
        }
    }
    return tier;
}

/* The highest tier that a kernel of either library runs. */
static const char *tier_in_use(void)
{
    const char *name;
    size_t highest = 0;

    for (size_t i = 0; (name = list_kernels(i)) != NULL; i++)
        if (tier_of(get_kernel(name)) > highest)
            highest = tier_of(get_kernel(name));
    return tiers[highest];
}

static void print_tiers(FILE *out)
{
    for (size_t t = 0; t < TIER_COUNT; t++)
        fprintf(out, "%s%s", t ? ", " : "", tiers[t]);
    fputs(".\n", out);
}

static int set_isa_limit(const char *isa)
{
    int status = 0;

    for (size_t i = 0; i < LIBRARIES; i++)
        status |= libraries[i].set_isa_limit(isa);
    return status;
}

#define CPU_NAME_SIZE 49

/* The CPU's name from CPUID without blanks around it; empty if CPUID has none. */
static void cpu_name(char name[CPU_NAME_SIZE])
{
    memset(name, 0, CPU_NAME_SIZE);
#if defined(__x86_64__) || defined(__i386__)
    unsigned regs[12];
    size_t blanks, length;

    if ((unsigned) __get_cpuid_max(0x80000000, NULL) < 0x80000004)
        return;
    for (unsigned i = 0; i < 3; i++)
        __get_cpuid(0x80000002 + i, &regs[4 * i], &regs[4 * i + 1], &regs[4 * i + 2],
                    &regs[4 * i + 3]);
    memcpy(name, regs, sizeof(regs));
    blanks = strspn(name, " ");
    memmove(name, name + blanks, CPU_NAME_SIZE - blanks);
    for (length = strlen(name); length && name[length - 1] == ' '; length--)
        name[length - 1] = 0;
#endif
}

/* A line of the table. Kernels whose names differ only in their first number share one if their
 * variants agree: gf_dot[1-6]. */
struct line {
    const char *name; /* of the first kernel */
    size_t stem;      /* bytes of its name before the number */
    const char *rest; /* what follows the number; NULL without a number */
    long numbers[32]; /* ascending, as the library lists them */
    size_t count;
    const char *runs;
    char others[96], missing[96]; /* other variants: usable on this CPU, and not */
};

static void append(char *list, size_t size, const char *word)
{
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? " " : "", word);
}

static struct line line_of(const char *kernel)
{
    struct line line = {.name = kernel, .stem = strcspn(kernel, "0123456789")};
    const char *variant;
    char *rest;
    int usable;

    if (kernel[line.stem]) {
        line.numbers[line.count++] = strtol(kernel + line.stem, &rest, 10);
        line.rest = rest;
    }
    line.runs = get_kernel(kernel);
    for (size_t i = 0; (variant = list_variants(kernel, i, &usable)) != NULL; i++) {
        if (!usable)
            append(line.missing, sizeof(line.missing), variant);
        else if (strcmp(variant, line.runs) != 0)
            append(line.others, sizeof(line.others), variant);
    }
    return line;
}

/* Adds kernel b to line a, and returns 1, if they may share the line; else returns 0. */
static int merge(struct line *a, const struct line *b)
{
    if (!a->rest || !b->rest || a->stem != b->stem || strncmp(a->name, b->name, a->stem) != 0 ||
        strcmp(a->rest, b->rest) != 0 || strcmp(a->runs, b->runs) != 0 ||
        strcmp(a->others, b->others) != 0 || strcmp(a->missing, b->missing) != 0 ||
        a->count == sizeof(a->numbers) / sizeof(a->numbers[0]))
        return 0;
    a->numbers[a->count++] = b->numbers[0];
    return 1;
}

static void label_of(const struct line *line, char *label, size_t size)
{
    char number[32];

    if (line->count < 2) {
        snprintf(label, size, "%s", line->name);
        return;
    }
    snprintf(label, size, "%.*s[", (int) line->stem, line->name);
    for (size_t first = 0, last; first < line->count; first = last + 1) {
        for (last = first; last + 1 < line->count; last++)
            if (line->numbers[last + 1] != line->numbers[last] + 1)
                break;
        snprintf(number, sizeof(number), first == last ? "%s%ld" : "%s%ld-%ld", first ? "," : "",
                 line->numbers[first], line->numbers[last]);
        strncat(label, number, size - strlen(label) - 1);
    }
    strncat(label, "]", size - strlen(label) - 1);
    strncat(label, line->rest, size - strlen(label) - 1);
}

static int print_table(void)
{
    enum { LABEL = 64 };
    size_t kernels = 0, lines = 0;
    int name_width = 6, others_width = 18;
    struct line *table;
    char(*labels)[LABEL];

    while (list_kernels(kernels))
        kernels++;
    table = calloc(kernels + 1, sizeof(*table));
    labels = calloc(kernels + 1, sizeof(*labels));
    if (!table || !labels) {
        fputs("isal-info: out of memory\n", stderr);
        free(table);
        free(labels);
        return 1;
    }
    for (size_t i = 0; i < kernels; i++) {
        struct line line = line_of(list_kernels(i));
        size_t shared = 0;
        while (shared < lines && !merge(&table[shared], &line))
            shared++;
        if (shared == lines)
            table[lines++] = line;
    }
    for (size_t i = 0; i < lines; i++) {
        label_of(&table[i], labels[i], LABEL);
        if ((int) strlen(labels[i]) > name_width)
            name_width = (int) strlen(labels[i]);
        if ((int) strlen(table[i].others) > others_width)
            others_width = (int) strlen(table[i].others);
    }
    printf("%-*s  %-8s  %-*s  %s\n", name_width, "Kernel", "Runs", others_width, "Also usable here",
           "Not on this CPU");
    for (size_t i = 0; i < lines; i++)
        printf("%-*s  %-8s  %-*s  %s\n", name_width, labels[i], table[i].runs, others_width,
               table[i].others[0] ? table[i].others : "-",
               table[i].missing[0] ? table[i].missing : "-");
    free(table);
    free(labels);
    return 0;
}

/* Prints why each variant does or does not run. The last usable one runs, unless the cap, a feature
 * or a trait rules it out. */
static void print_variants(const char *kernel, const char *cap)
{
    const char *variant, *runs = get_kernel(kernel), *state;
    int usable, capped = cap && *cap != '+' && *cap != '-', after_running = 0;

    printf("%s\n", kernel);
    for (size_t i = 0; (variant = list_variants(kernel, i, &usable)) != NULL; i++) {
        if (!usable)
            state = "not on this CPU";
        else if (!strcmp(variant, runs))
            state = "runs";
        else if (!after_running)
            state = "usable";
        else if (capped && tier_of(variant) > tier_of(cap))
            state = "above the cap";
        else
            state = "ruled out by features or traits";
        after_running |= !strcmp(variant, runs);
        printf("  %-10s %s\n", variant, state);
    }
}

static int is_trait(const char *name)
{
#define X(id, trait)          \
    if (!strcmp(name, trait)) \
        return 1;
    CPU_TRAITS(X)
#undef X
    return 0;
}

/* Prints the features, or the traits, that are present, or absent. */
static void print_features(const char *title, int traits, int wanted)
{
    const char *name;
    int present, any = 0, column = printf("%-10s", title);

    for (size_t i = 0; (name = isal_list_cpu_features(i, &present)) != NULL; i++) {
        if (present != wanted || is_trait(name) != traits)
            continue;
        any = 1;
        if (column + 1 + (int) strlen(name) > 80)
            column = printf("\n%-10s", "") - 1;
        column += printf(" %s", name);
    }
    puts(any ? "" : " none");
}

static int print_text(const char *kernel, const char *cap)
{
    char cpu[CPU_NAME_SIZE];

    if (kernel) {
        print_variants(kernel, cap);
        return 0;
    }
    cpu_name(cpu);
    printf("%-10s libisal %s, libisal_crypto %s\n", "Libraries", isal_get_version_str(),
           crypto_version());
    if (cpu[0])
        printf("%-10s %s\n", "CPU", cpu);
    if (isal_list_cpu_features(0, NULL)) {
        print_features("Present", 0, 1);
        print_features("Absent", 0, 0);
        print_features("Traits", 1, 1);
    }
    printf("%-10s %s\n", "Tier", tier_in_use());
    printf("%-10s %s%s\n\n", "Cap", cap ? cap : "none", cap ? " (ISAL_ISA)" : "");
    return print_table();
}

/* A string, or null for NULL. */
static void json_string(const char *s)
{
    if (!s) {
        fputs("null", stdout);
        return;
    }
    putchar('"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            putchar('\\');
        if ((unsigned char) *s < ' ')
            printf("\\u%04x", (unsigned char) *s);
        else
            putchar(*s);
    }
    putchar('"');
}

static void json_kernel(const char *kernel)
{
    const char *variant;
    int usable;

    printf("{\"name\": ");
    json_string(kernel);
    printf(", \"runs\": ");
    json_string(get_kernel(kernel));
    printf(", \"variants\": [");
    for (size_t i = 0; (variant = list_variants(kernel, i, &usable)) != NULL; i++) {
        printf("%s{\"tier\": ", i ? ", " : "");
        json_string(variant);
        printf(", \"usable\": %s}", usable ? "true" : "false");
    }
    printf("]}");
}

static void print_json(const char *kernel, const char *cap)
{
    const char *name, *separator = "";
    char cpu[CPU_NAME_SIZE];
    int present;

    cpu_name(cpu);
    printf("{\n  \"version\": ");
    json_string(isal_get_version_str());
    printf(",\n  \"crypto_version\": ");
    json_string(crypto_version());
    printf(",\n  \"cpu\": ");
    json_string(cpu[0] ? cpu : NULL);
    printf(",\n  \"features\": {"); /* and traits */
    for (size_t i = 0; (name = isal_list_cpu_features(i, &present)) != NULL; i++) {
        printf("%s\n    ", i ? "," : "");
        json_string(name);
        printf(": %s", present ? "true" : "false");
    }
    printf("\n  },\n  \"tier\": ");
    json_string(tier_in_use());
    printf(",\n  \"cap\": ");
    json_string(cap);
    printf(",\n  \"kernels\": [");
    for (size_t i = 0; (name = list_kernels(i)) != NULL; i++) {
        if (kernel && strcmp(name, kernel) != 0)
            continue;
        printf("%s\n    ", separator);
        json_kernel(name);
        separator = ",";
    }
    printf("\n  ]\n}\n");
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"kernel", required_argument, NULL, 'k'}, {"json", no_argument, NULL, 'j'},
        {"self-test", no_argument, NULL, 't'},    {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},      {NULL, 0, NULL, 0},
    };
    const char *kernel = NULL, *cap = getenv("ISAL_ISA");
    int json = 0, option, status = 0;

    opterr = 0;
    while ((option = getopt_long(argc, argv, "k:jthV", options, NULL)) != -1) {
        switch (option) {
        case 'k':
            kernel = optarg;
            break;
        case 'j':
            json = 1;
            break;
        case 't':
            return self_test_tiers();
        case 'h':
            fputs(usage, stdout);
            print_tiers(stdout);
            return 0;
        case 'V':
            printf("isal-info %s (libisal_crypto %s)\n", isal_get_version_str(), crypto_version());
            return 0;
        default:
            fprintf(stderr, "isal-info: invalid option or argument: %s; see isal-info --help\n",
                    argv[optind - 1]);
            return 2;
        }
    }
    if (optind < argc) {
        fprintf(stderr, "isal-info: unexpected argument: %s; see isal-info --help\n", argv[optind]);
        return 2;
    }
    if (cap && set_isa_limit(cap) != 0) {
        if (cap[0]) {
            fprintf(stderr, "isal-info: ISAL_ISA=%s is invalid and ignored; the tiers are ", cap);
            print_tiers(stderr);
        }
        cap = NULL;
    }
    if (kernel && !get_kernel(kernel)) {
        fprintf(stderr, "isal-info: no kernel '%s'; isal-info --json lists them\n", kernel);
        return 1;
    }
    if (json)
        print_json(kernel, cap);
    else
        status = print_text(kernel, cap);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("isal-info: cannot write");
        return 1;
    }
    return status;
}
