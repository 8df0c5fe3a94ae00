/* A run: the loop over operations, shapes, states and sizes, and the notes above the results.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "isa-l/isal_api.h"

/* Cold buffers are this many times the caches, but at most a quarter of the memory. */
#define COLD_FACTOR 4

/* Bytes for each thread such that all of them together are far more than the caches hold. */
static size_t cold_bytes(size_t threads)
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

/* The port rates of the widest vectors in use. */
static void note_rates(const char *tier)
{
    unsigned width = perf_width((enum tier) isalk_tier_from_name(tier));
    char rates[256] = "";
    int length = 0;

    for (unsigned i = 0; width && i < PORT_COUNT; i++) {
        double rate = perf_rate((enum perf_port) i, width);
        if (rate > 0)
            length += snprintf(rates + length, sizeof(rates) - (size_t) length, "%s%s %.2f",
                               length ? ", " : "", machine_port_name((enum perf_port) i), rate);
    }
    if (length)
        output_note("uops/cycle", "%s (%u-byte vectors)", rates, width);
}

static void note_machine(void)
{
    const char *tier = isalk_isa(isalk_all_families);
    char text[3][24];

    output_note("cpu", "%s", machine.cpu);
    output_note("tier", "%s", tier);
    output_note("caches", "%s L1d, %s L2, %s last level", size_text(machine.l1, text[0]),
                size_text(machine.l2, text[1]), size_text(machine.llc, text[2]));
    note_rates(tier);
}

/* Options of the run that the table does not show. */
static void note_options(const struct options *o)
{
    const struct perf_family *f = o->family;
    double cold = (double) o->measure.cold_bytes * (double) o->threads;
    struct list choices;

    for (int i = 0; i < PERF_SETTINGS && f->settings[i].name; i++) {
        list_set(&choices, f->settings[i].choices);
        output_note(f->settings[i].name, "%s", choices.items[o->choices[i]]);
    }
    if (o->record)
        output_note("record", "%zu bytes", o->record);
    if (o->rotate)
        output_note("rotate", "the files in turn, one call each");
    output_note("threads", "%zu", o->threads);
    if (o->warm)
        output_note("warm", "the same buffers in every call");
    if (o->cold)
        output_note("cold", "%.0f MiB of buffers in turn, %.1f times the last-level cache",
                    cold / (1 << 20), cold / (double) machine.llc);
    output_note("align", "%zu bytes", o->measure.align);
}

static void print_header(const struct options *o, const struct library *libs, unsigned lib_count)
{
    const struct perf_family *f = o->family;

    output_note("program", "isal-perf %s, %s", isal_get_version_str(), f->name);
    note_machine();
    note_options(o);
    for (unsigned i = 0; i < lib_count; i++)
        output_note("against", "%s", libs[i].path);
    output_note("GB/s", "10^9 bytes a second, shortest window; counts %s", f->counted);
    if (lib_count)
        output_note("ratio",
                    "speed over that of the first library compared with%s; on that library's "
                    "line: over this library's last variant; median and quartiles of the rounds",
                    f->default_level ? ", at the same level" : "");
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
            c.size = c.file ? c.file->size : options_size(o, i);
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
    unsigned n = implementations_of(o, op, libs, lib_count, impls);

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
    struct perf_impl impl;
    char who[WHO_SIZE];

    for (unsigned i = 0; i < o->ops.count; i++)
        for (unsigned j = 0; j < f->op_count; j++) {
            if (!options_wants(o->ops.items[i], &f->ops[j]))
                continue;
            output_expect(TEXT_OPERATION, f->ops[j].name);
            for (unsigned k = 0; k < lib_count; k++)
                if (!library_impl(&libs[k], f->ops[j].name, o->against_symbols.items, &impl))
                    output_expect(TEXT_VARIANT, library_who(&impl, who));
        }
    for (size_t i = 0; i < o->file_count; i++)
        output_expect(TEXT_FILE, o->files[i].name);
    if (o->file_count > 1)
        output_expect(TEXT_FILE, "geometric mean");
}

void run(struct options *o)
{
    struct library *libs = perf_alloc(PERF_MAX_LIBRARIES, sizeof(*libs));
    const struct perf_family *f = o->family;
    unsigned lib_count;

    clock_init();
    machine_init();
    threads_start((unsigned) o->threads);
    o->measure.cold_bytes = cold_bytes(o->threads);
    lib_count = libraries_open(o, libs, PERF_MAX_LIBRARIES);
    output_start(o->format, (lib_count ? SHOW_RATIO : 0) | (o->file_count ? SHOW_FILE : 0) |
                                (f->default_level ? SHOW_LEVEL | SHOW_OUTPUT : 0) |
                                (f->shape || o->wide ? SHOW_SHAPE : 0) |
                                ((o->warm && o->cold) || o->wide ? SHOW_STATE : 0) |
                                (o->wide ? SHOW_ALL : 0));
    expect_texts(o, libs, lib_count);
    print_header(o, libs, lib_count);
    for (unsigned i = 0; i < o->ops.count; i++)
        for (unsigned j = 0; j < f->op_count; j++)
            if (options_wants(o->ops.items[i], &f->ops[j]))
                run_op(o, &f->ops[j], libs, lib_count);
    output_end();
    free(libs);
}
