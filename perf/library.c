/* Opens other libraries, and verifies which function of which file is timed.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Both libraries have functions of the same names. So this program links its library statically and
 * exports none of its symbols, and opens the other library with RTLD_LOCAL and RTLD_DEEPBIND.
 * dladdr() confirms the file of every function before it is timed. */

#include "harness.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa-l/isal_api.h"

/* DEEPBIND binds the other library's calls among its functions to itself. The address sanitizer
 * does not allow it. */
#if !defined(RTLD_DEEPBIND) || defined(__SANITIZE_ADDRESS__)
#undef RTLD_DEEPBIND
#define RTLD_DEEPBIND 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#undef RTLD_DEEPBIND
#define RTLD_DEEPBIND 0
#endif
#endif

/* Data pointers hold functions on every system that has dlsym; ISO C has no cast for it. */
static perf_fn function_at(void *address)
{
    perf_fn fn;

    memcpy(&fn, &address, sizeof(fn));
    return fn;
}

static int file_of(perf_fn fn, Dl_info *info)
{
    void *address;

    memcpy(&address, &fn, sizeof(address));
    return dladdr(address, info) && info->dli_fname;
}

static const void *this_program(void)
{
    Dl_info info;

    return file_of((perf_fn) perf_fail, &info) ? info.dli_fbase : NULL;
}

void library_check_built_in(const struct perf_op *op)
{
    Dl_info info;

    if (op->built_in && (!file_of(op->built_in, &info) || info.dli_fbase != this_program()))
        perf_fail("%s is bound to another library, not to this program's", op->name);
}

/* The library's symbol; the program ends if it is in another file than earlier symbols. */
static perf_fn symbol_in(struct library *lib, const char *name)
{
    void *address = dlsym(lib->handle, name);
    perf_fn fn = function_at(address);
    Dl_info info;

    if (!address)
        return NULL;
    if (!file_of(fn, &info) || info.dli_fbase == this_program() ||
        (lib->base && lib->base != info.dli_fbase))
        perf_fail("%s: its %s lies in %s", lib->file, name, info.dli_fname);
    if (!lib->base) {
        lib->base = info.dli_fbase;
        if (!realpath(info.dli_fname, lib->path))
            snprintf(lib->path, sizeof(lib->path), "%s", info.dli_fname);
        lib->name = strrchr(lib->path, '/') ? strrchr(lib->path, '/') + 1 : lib->path;
    }
    return fn;
}

int library_open(struct library *lib, const char *file, const struct perf_family *family,
                 const struct perf_peer *peer)
{
    memset(lib, 0, sizeof(*lib));
    lib->file = lib->name = file;
    lib->ops = peer && peer->ops ? peer->ops : family->ops;
    lib->op_count = peer && peer->ops ? peer->op_count : family->op_count;
    lib->levels = peer && peer->ops ? peer->levels : family->levels;
    lib->same_abi = !peer || !peer->ops;
    lib->handle = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (!lib->handle)
        return -1;
    if (lib->same_abi && family->older.symbol && !dlsym(lib->handle, family->older.symbol))
        lib->levels = family->older.levels;
    for (unsigned i = 0; i < lib->op_count && !lib->base; i++)
        symbol_in(lib, lib->ops[i].symbol ? lib->ops[i].symbol : lib->ops[i].name);
    return lib->base ? 0 : -1;
}

int library_is_this(const struct library *lib)
{
    return dlsym(lib->handle, "isal_get_isa") || dlsym(lib->handle, "isal_crypto_get_kernel");
}

/* The operation whose name is the longest prefix of a symbol. */
static const struct perf_op *op_of_symbol(const struct library *lib, const char *symbol)
{
    const struct perf_op *best = NULL;

    for (unsigned i = 0; i < lib->op_count; i++)
        if (!strncmp(symbol, lib->ops[i].name, strlen(lib->ops[i].name)) &&
            (!best || strlen(lib->ops[i].name) > strlen(best->name)))
            best = &lib->ops[i];
    return best;
}

int library_impl(struct library *lib, const char *op_name, char *const *symbols,
                 struct perf_impl *impl)
{
    const char *symbol;

    memset(impl, 0, sizeof(*impl));
    for (unsigned i = 0; i < lib->op_count && !impl->op; i++)
        if (!strcmp(lib->ops[i].name, op_name))
            impl->op = &lib->ops[i];
    if (!impl->op)
        return -1;
    symbol = impl->op->symbol ? impl->op->symbol : op_name;
    impl->variant = impl->op->symbol ? symbol : "default";
    for (; lib->same_abi && *symbols; symbols++)
        if (op_of_symbol(lib, *symbols) == impl->op) {
            symbol = *symbols;
            impl->variant = symbol + strlen(op_name) + (symbol[strlen(op_name)] == '_');
        }
    impl->library = lib;
    impl->fn = symbol_in(lib, symbol);
    impl->bound_to_isa = strcmp(symbol, op_name) != 0;
    return impl->fn ? 0 : -1;
}

perf_fn perf_symbol(const struct perf_run *r, const char *name)
{
    const struct perf_family *family = r->c->family;

    if (r->impl->library)
        return symbol_in(r->impl->library, name);
    for (unsigned i = 0; i < family->op_count; i++)
        if (!strcmp(family->ops[i].name, name))
            return family->ops[i].built_in;
    return NULL;
}

perf_fn perf_need(const struct perf_run *r, const char *name, perf_fn built_in)
{
    perf_fn fn = r->impl->library ? symbol_in(r->impl->library, name) : built_in;

    if (!fn)
        perf_fail("%s has no %s", r->impl->library ? r->impl->library->name : "this library", name);
    return fn;
}

const char *library_who(const struct perf_impl *impl, char who[WHO_SIZE])
{
    const struct library *lib = impl->library;
    const char *end;

    if (!lib) {
        snprintf(who, WHO_SIZE, "%s", impl->variant);
        return who;
    }
    end = strstr(lib->name, ".so");
    snprintf(who, WHO_SIZE, "%.*s%s%s", end ? (int) (end - lib->name) : 32, lib->name,
             impl->bound_to_isa && lib->same_abi ? " " : "",
             impl->bound_to_isa && lib->same_abi ? impl->variant : "");
    return who;
}

const struct kernel *op_kernel(const struct perf_op *op)
{
    const struct kernel *k = isalk_kernel_named(isalk_all_families, op->name);

    return k ? k : isalk_kernel_named(isalk_all_families, op->kernel);
}
