/* Results as a table for people, CSV or JSON, all with the same fields.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "harness.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Name in CSV and JSON; heading and width of the table's column, width 0 if it has none; decimals,
 * or TEXT. Units are in the names: GB/s is 10^9 bytes a second. */
#define TEXT -1
#define FIELDS(X)                       \
    X(file, "file", 14, TEXT)           \
    X(operation, "operation", 22, TEXT) \
    X(shape, "shape", 7, TEXT)          \
    X(size, "size", 7, 0)               \
    X(state, "state", 5, TEXT)          \
    X(threads, "threads", 0, 0)         \
    X(library, "library", 17, TEXT)     \
    X(variant, "variant", 9, TEXT)      \
    X(level, "level", 5, 0)             \
    X(gb_per_s, "GB/s", 8, 2)           \
    X(median_gb_per_s, "median", 8, 2)  \
    X(cycles_per_byte, "cyc/B", 8, 4)   \
    X(clock_ghz, "GHz", 5, 2)           \
    X(ns_per_call, "ns/call", 10, 1)    \
    X(limit_gb_per_s, "limit", 8, 2)    \
    X(percent_of_limit, "%limit", 6, 0) \
    X(bound, "bound by", 10, TEXT)      \
    X(ratio, "ratio", 6, 2)             \
    X(ratio_low, "low", 5, 2)           \
    X(ratio_high, "high", 5, 2)         \
    X(ratio_to, "to", 0, TEXT)          \
    X(output_bytes, "output", 9, 0)     \
    X(output_ratio, "out/in", 6, 4)

enum field {
#define X(name, heading, width, decimals) FIELD_##name,
    FIELDS(X)
#undef X
        FIELD_COUNT
};

static const struct {
    const char *name, *heading;
    int width, decimals;
} fields[FIELD_COUNT] = {
#define X(name, heading, width, decimals) {#name, heading, width, decimals},
    FIELDS(X)
#undef X
};

static enum format format;
static int columns, started, any_result;

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
    if (format == FORMAT_JSON)
        printf("{\"run\": {");
}

void output_note(const char *key, const char *text, ...)
{
    char value[1024];
    va_list args;

    va_start(args, text);
    vsnprintf(value, sizeof(value), text, args);
    va_end(args);
    if (format == FORMAT_JSON) {
        printf("%s\n  ", started ? "," : "");
        put_json_string(key);
        printf(": ");
        put_json_string(value);
        started = 1;
    } else {
        printf("%s%-10s %s\n", format == FORMAT_CSV ? "# " : "", key, value);
    }
}

static int shown(int f)
{
    static const int needs[FIELD_COUNT] = {
        [FIELD_ratio] = SHOW_RATIO,         [FIELD_ratio_low] = SHOW_RATIO,
        [FIELD_ratio_high] = SHOW_RATIO,    [FIELD_file] = SHOW_FILE,
        [FIELD_level] = SHOW_LEVEL,         [FIELD_output_bytes] = SHOW_OUTPUT,
        [FIELD_output_ratio] = SHOW_OUTPUT,
    };

    return fields[f].width && !(needs[f] & ~columns);
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

static void put_table(const struct value *v)
{
    if (!any_result) {
        putchar('\n');
        for (int i = 0; i < FIELD_COUNT; i++)
            if (shown(i))
                printf(fields[i].decimals == TEXT ? "%-*s " : "%*s ", fields[i].width,
                       fields[i].heading);
        putchar('\n');
    }
    for (int i = 0; i < FIELD_COUNT; i++)
        if (!shown(i))
            continue;
        else if (fields[i].decimals == TEXT)
            printf("%-*s ", fields[i].width, v[i].text);
        else if (i == FIELD_size || isnan(v[i].number))
            printf("%*s ", fields[i].width, v[i].text);
        else
            printf("%*.*f ", fields[i].width, decimals_of(i, v[i].number), v[i].number);
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
    char text[2][24];

    set_values(r, v, text);
    if (format == FORMAT_TABLE)
        put_table(v);
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
