/* Prints results as a table, CSV or JSON, all with the same fields.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "harness.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Columns: name in CSV and JSON; heading and least width in a table; decimals, or TEXT; rank.
 * Columns are added to a table in the order of their ranks while they fit; those of rank 0 are in
 * no table. Names include the unit: GB/s is 10^9 bytes a second. */
#define TEXT -1
#define FIELDS(X)                           \
    X(file, "file", 4, TEXT, 1)             \
    X(operation, "operation", 9, TEXT, 2)   \
    X(shape, "shape", 5, TEXT, 3)           \
    X(size, "size", 6, 0, 4)                \
    X(state, "state", 5, TEXT, 5)           \
    X(threads, "threads", 0, 0, 0)          \
    X(library, "library", 17, TEXT, 30)     \
    X(variant, "variant", 8, TEXT, 6)       \
    X(level, "level", 5, 0, 7)              \
    X(gb_per_s, "GB/s", 7, 2, 8)            \
    X(median_gb_per_s, "median", 7, 2, 17)  \
    X(cycles_per_byte, "cyc/B", 7, 4, 13)   \
    X(clock_ghz, "GHz", 4, 2, 19)           \
    X(ns_per_call, "ns/call", 9, 1, 16)     \
    X(limit_gb_per_s, "limit", 7, 2, 18)    \
    X(percent_of_limit, "%limit", 6, 0, 11) \
    X(bound, "bound by", 10, TEXT, 12)      \
    X(ratio, "ratio", 5, 2, 9)              \
    X(ratio_low, "low", 5, 2, 14)           \
    X(ratio_high, "high", 5, 2, 15)         \
    X(ratio_to, "to", 0, TEXT, 0)           \
    X(output_bytes, "output", 9, 0, 20)     \
    X(output_ratio, "out/in", 6, 4, 10)

enum field {
#define X(name, heading, width, decimals, rank) FIELD_##name,
    FIELDS(X)
#undef X
        FIELD_COUNT
};

static const struct {
    const char *name, *heading;
    int width, decimals, rank;
} fields[FIELD_COUNT] = {
#define X(name, heading, width, decimals, rank) {#name, heading, width, decimals, rank},
    FIELDS(X)
#undef X
};

#define TABLE_WIDTH 100
#define LONGEST_FILE 20 /* characters of a name, except with --wide */

static enum format format;
static int columns, started, any_result;
static int widths[FIELD_COUNT]; /* of the columns, 0 for those not in the table */

const char *size_text(size_t size, char text[24])
{
    static const char suffix[] = " KMG";
    int i = 0;

    for (; i < 3 && size && size % 1024 == 0; i++)
        size /= 1024;
    snprintf(text, 24, i ? "%zu%c" : "%zu", size, suffix[i]);
    return text;
}

static void put_json_string(const char *s)
{
    putchar('"');
    for (; *s; s++)
        if (*s == '"' || *s == '\\')
            printf("\\%c", *s);
        else if ((unsigned char) *s < 32)
            printf("\\u%04x", (unsigned) *s);
        else
            putchar(*s);
    putchar('"');
}

void output_start(enum format wanted, int wanted_columns)
{
    format = wanted;
    columns = wanted_columns;
    for (int i = 0; i < FIELD_COUNT; i++)
        widths[i] = fields[i].rank ? fields[i].width : 0;
    if (format == FORMAT_JSON)
        printf("{\"run\": {");
}

void output_expect(enum output_text column, const char *text)
{
    static const int of[] = {[TEXT_FILE] = FIELD_file,
                             [TEXT_OPERATION] = FIELD_operation,
                             [TEXT_VARIANT] = FIELD_variant};
    int *width = &widths[of[column]], length = (int) strlen(text);

    if (column == TEXT_FILE && !(columns & SHOW_ALL) && length > LONGEST_FILE)
        length = LONGEST_FILE;
    if (length > *width)
        *width = length;
}

/* A note above the table, broken into lines between words. */
static void put_note(const char *key, const char *text)
{
    int at = printf("%-10s", key);

    while (*text) {
        int length = (int) strcspn(text, " ");
        if (at > 11 && at + 1 + length > TABLE_WIDTH)
            at = printf("\n%10s", "") - 1;
        at += printf(" %.*s", length, text);
        text += length + (text[length] == ' ');
    }
    putchar('\n');
}

void output_note(const char *key, const char *text, ...)
{
    char value[1024];
    va_list args;

    va_start(args, text);
    vsnprintf(value, sizeof(value), text, args);
    va_end(args);
    if (format == FORMAT_TABLE) {
        put_note(key, value);
    } else if (format == FORMAT_CSV) {
        printf("# %-10s %s\n", key, value);
    } else {
        printf("%s\n  ", started ? "," : "");
        put_json_string(key);
        printf(": ");
        put_json_string(value);
        started = 1;
    }
}

/* Removes the columns that this run does not have or that do not fit. */
static void choose_columns(void)
{
    static const int needs[FIELD_COUNT] = {
        [FIELD_ratio] = SHOW_RATIO,         [FIELD_ratio_low] = SHOW_RATIO,
        [FIELD_ratio_high] = SHOW_RATIO,    [FIELD_file] = SHOW_FILE,
        [FIELD_level] = SHOW_LEVEL,         [FIELD_output_bytes] = SHOW_OUTPUT,
        [FIELD_output_ratio] = SHOW_OUTPUT, [FIELD_shape] = SHOW_SHAPE,
        [FIELD_state] = SHOW_STATE,         [FIELD_library] = SHOW_ALL,
    };
    int chosen[FIELD_COUNT] = {0}, total = -1;

    for (int rank = 1; rank <= fields[FIELD_library].rank; rank++)
        for (int i = 0; i < FIELD_COUNT; i++)
            if (fields[i].rank == rank && !(needs[i] & ~columns) &&
                (columns & SHOW_ALL || total + 1 + widths[i] <= TABLE_WIDTH)) {
                chosen[i] = 1;
                total += 1 + widths[i];
            }
    for (int i = 0; i < FIELD_COUNT; i++)
        if (!chosen[i])
            widths[i] = 0;
}

struct value {
    const char *text;
    double number; /* NAN: none */
};

static double or_none(double value, int known)
{
    return known ? value : NAN;
}

static void set_values(const struct result *r, struct value v[FIELD_COUNT], char text[2][24])
{
    const struct perf_case *c = r->c;
    double giga = r->bytes * 1e-9;

    for (int i = 0; i < FIELD_COUNT; i++)
        v[i] = (struct value){"-", NAN};
    if (c->op->shape)
        snprintf(text[0], 24, c->op->shape == 1 ? "%d" : "%d+%d", c->k, c->p);
    else
        strcpy(text[0], "-");
    if (r->file)
        v[FIELD_file].text = r->file;
    v[FIELD_operation].text = c->op->name;
    v[FIELD_shape].text = text[0];
    v[FIELD_size].text = c->size ? size_text(c->size, text[1]) : "-";
    v[FIELD_size].number = or_none((double) c->size, c->size > 0);
    v[FIELD_state].text = c->cold ? "cold" : "warm";
    v[FIELD_threads].number = threads_count();
    v[FIELD_library].text = r->impl->library ? r->impl->library->name : "this";
    v[FIELD_variant].text = r->impl->variant;
    v[FIELD_level].number = or_none(r->impl->level, c->family->default_level != NULL);
    v[FIELD_gb_per_s].number = giga / r->best;
    v[FIELD_median_gb_per_s].number = giga / r->median;
    v[FIELD_cycles_per_byte].number = r->best * 1e9 * r->ghz / r->thread_bytes;
    v[FIELD_clock_ghz].number = r->ghz;
    v[FIELD_ns_per_call].number = or_none(r->best * 1e9, !r->mean);
    v[FIELD_limit_gb_per_s].number = or_none(giga / r->limit, r->limit > 0);
    v[FIELD_percent_of_limit].number = or_none(100 * r->limit / r->best, r->limit > 0);
    v[FIELD_bound].text = r->bound;
    v[FIELD_ratio].number = or_none(r->ratio, r->ratio_to != NULL);
    v[FIELD_ratio_low].number = or_none(r->low, r->ratio_to != NULL && r->low > 0);
    v[FIELD_ratio_high].number = or_none(r->high, r->ratio_to != NULL && r->high > 0);
    if (r->ratio_to)
        v[FIELD_ratio_to].text = r->ratio_to->variant;
    v[FIELD_output_bytes].number = or_none(r->output, r->output > 0 && !r->mean);
    v[FIELD_output_ratio].number = or_none(r->output / r->thread_bytes, r->output > 0);
}

/* Speeds below 1 GB/s get two more. */
static int decimals_of(int field, double number)
{
    int speed = field == FIELD_gb_per_s || field == FIELD_median_gb_per_s;

    return fields[field].decimals + (speed && number < 1 ? 2 : 0);
}

/* A cell; *any tells whether the line has one before it. Text is cut to the width of the column. */
static void put_cell(int field, const char *text, int *any)
{
    int width = widths[field];

    if (*any)
        putchar(' ');
    *any = 1;
    if (fields[field].decimals == TEXT)
        printf("%-*.*s", width, width, text);
    else
        printf("%*s", width, text);
}

/* A number with fewer decimals if the column is too narrow for all of them. */
static void format_number(char text[64], int field, double number)
{
    int decimals = decimals_of(field, number);

    do
        snprintf(text, 64, "%.*f", decimals, number);
    while ((int) strlen(text) > widths[field] && decimals-- > 0);
}

static void put_table(const struct value *v, const char *who)
{
    int any = 0;

    if (!any_result) {
        choose_columns();
        putchar('\n');
        for (int i = 0; i < FIELD_COUNT; i++)
            if (widths[i])
                put_cell(i, fields[i].heading, &any);
        putchar('\n');
        any = 0;
    }
    for (int i = 0; i < FIELD_COUNT; i++) {
        char number[64];
        const char *text = v[i].text;
        if (!widths[i])
            continue;
        if (i == FIELD_variant && !widths[FIELD_library])
            text = who;
        else if (fields[i].decimals != TEXT && i != FIELD_size && !isnan(v[i].number)) {
            format_number(number, i, v[i].number);
            text = number;
        }
        put_cell(i, text, &any);
    }
    putchar('\n');
}

static void put_csv_text(const char *s)
{
    int quoted = s[strcspn(s, ",\"\r\n")] != '\0';

    if (quoted)
        putchar('"');
    for (; *s; s++)
        printf(quoted && *s == '"' ? "\"\"" : "%c", *s);
    if (quoted)
        putchar('"');
}

static void put_csv(const struct value *v)
{
    for (int i = 0; !any_result && i < FIELD_COUNT; i++)
        printf("%s%s", i ? "," : "", fields[i].name);
    if (!any_result)
        putchar('\n');
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (i)
            putchar(',');
        if (fields[i].decimals == TEXT)
            put_csv_text(v[i].text);
        else if (!isnan(v[i].number))
            printf("%.*f", decimals_of(i, v[i].number), v[i].number);
    }
    putchar('\n');
}

static void put_json(const struct value *v)
{
    printf(any_result ? ",\n  {" : "\n},\n\"results\": [\n  {");
    for (int i = 0; i < FIELD_COUNT; i++) {
        printf("%s\"%s\": ", i ? ", " : "", fields[i].name);
        if (fields[i].decimals == TEXT)
            put_json_string(v[i].text);
        else if (isnan(v[i].number))
            printf("null");
        else
            printf("%.*f", decimals_of(i, v[i].number), v[i].number);
    }
    putchar('}');
}

void output_result(const struct result *r)
{
    struct value v[FIELD_COUNT];
    char text[2][24], who[WHO_SIZE];

    set_values(r, v, text);
    if (format == FORMAT_TABLE)
        put_table(v, library_who(r->impl, who));
    else if (format == FORMAT_CSV)
        put_csv(v);
    else
        put_json(v);
    any_result = 1;
    fflush(stdout);
}

void output_end(void)
{
    if (format == FORMAT_JSON)
        printf(any_result ? "\n]}\n" : "\n},\n\"results\": []}\n");
}
