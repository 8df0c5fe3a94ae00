/* Which implementations of an operation are timed: variants of this library, and other libraries.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "options.h"

#include <stdio.h>
#include <string.h>

/* Opens a library with this one's interface, or a build of one of the family's peers. */
static void open_against(struct library *lib, const char *file, const struct perf_family *f)
{
    int failed = library_open(lib, file, f, NULL);

    for (unsigned i = 0; failed && i < f->peer_count; i++)
        failed = library_open(lib, file, f, &f->peers[i]);
    if (failed)
        perf_fail("%s cannot be loaded or has no function of %s", file, f->name);
}

unsigned libraries_open(const struct options *o, struct library *libs, unsigned room)
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

/* This library's function with a variant of its kernel. */
static struct perf_impl built_in(const struct perf_op *op, const struct variant *v)
{
    return (struct perf_impl){.op = op,
                              .fn = op->built_in,
                              .variant = v ? v->name : "base",
                              .kernel = op_kernel(op),
                              .row = v,
                              .tier = v ? v->tier : T_BASE};
}

/* Adds the variants called `wanted` ("all": every one that this CPU runs), from impls[n] on.
 * Returns the new n. */
static unsigned add_variants(const struct perf_op *op, const char *wanted, struct perf_impl *impls,
                             unsigned n)
{
    const struct kernel *kernel = op_kernel(op);
    int all = !strcmp(wanted, "all"), found = all;

    for (unsigned i = 0; i < kernel->count; i++) {
        const struct variant *v = &kernel->variants[i];
        int usable = isalk_variant_fits(v, isalk_cpu_features());
        if (!all && strcmp(wanted, v->name))
            continue;
        found = 1;
        if (!usable && !all)
            fprintf(stderr, "SKIP: %s %s: this CPU cannot run it\n", op->name, v->name);
        else if (usable && n < PERF_MAX_IMPLS)
            impls[n++] = built_in(op, v);
    }
    if (!found)
        fprintf(stderr, "SKIP: %s has no variant %s\n", op->name, wanted);
    return n;
}

/* The variants of this library to time. Returns their number. */
static unsigned variants_of(const struct options *o, const struct perf_op *op,
                            struct perf_impl *impls)
{
    const struct kernel *kernel = op_kernel(op);
    unsigned n = 0;

    library_check_built_in(op);
    if (!o->variants.count || !kernel) {
        impls[0] = built_in(op, kernel ? isalk_variant_in_force(kernel) : NULL);
        impls[0].row = NULL; /* every kernel as at load time */
        return 1;
    }
    for (unsigned i = 0; i < o->variants.count; i++)
        n = add_variants(op, o->variants.items[i], impls, n);
    return n;
}

/* Adds impl at each level asked for that its library has, from impls[n] on. Returns the new n. */
static unsigned add_levels(const struct options *o, const struct perf_levels *levels,
                           struct perf_impl impl, struct perf_impl *impls, unsigned n)
{
    unsigned count = levels->last ? o->levels.count : 1;

    for (unsigned i = 0; i < count; i++) {
        if (levels->last)
            impl.level = options_level(o, i);
        if (impl.level < levels->first || impl.level > levels->last)
            continue;
        if (n == PERF_MAX_IMPLS)
            perf_fail("more than %d implementations to compare", PERF_MAX_IMPLS);
        impls[n++] = impl;
    }
    return n;
}

unsigned implementations_of(const struct options *o, const struct perf_op *op, struct library *libs,
                            unsigned lib_count, struct perf_impl *impls)
{
    struct perf_impl variants[PERF_MAX_IMPLS], other;
    unsigned n = 0, variant_count = variants_of(o, op, variants);

    for (unsigned i = 0; i < variant_count; i++)
        n = add_levels(o, &o->family->levels, variants[i], impls, n);
    for (unsigned i = 0; variant_count && i < lib_count; i++)
        if (library_impl(&libs[i], op->name, o->against_symbols.items, &other)) {
            fprintf(stderr, "SKIP: %s has no %s\n", libs[i].path, op->name);
        } else {
            other.tier = variants[variant_count - 1].tier; /* compared with the same limit */
            n = add_levels(o, &libs[i].levels, other, impls, n);
        }
    return n;
}
