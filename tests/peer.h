/* Another libisal.so.2 to compare with, where one is installed; for programs of one source file,
 * which are linked with the static library and define _GNU_SOURCE.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef PEER_H
#define PEER_H

#include <string.h>

#include "test.h"

#if defined(__unix__) || defined(__APPLE__)
#include <dlfcn.h>
#define HAVE_DLOPEN 1
#else
#define HAVE_DLOPEN 0
#endif

/* Loads the library. Returns NULL, and skips the test, if there is none or it is this one. */
static inline void *peer_open(void)
{
#if HAVE_DLOPEN
    int flags = RTLD_NOW | RTLD_LOCAL;
    Dl_info info;
    void *peer;

#if defined(RTLD_DEEPBIND) && !defined(__SANITIZE_ADDRESS__)
    flags |= RTLD_DEEPBIND; /* which the address sanitizer refuses */
#endif
    peer = dlopen("libisal.so.2", flags);
    if (peer && !dlsym(peer, "isal_set_isa_limit")) {
        if (dladdr(dlsym(peer, "gf_mul"), &info))
            printf("comparing with %s\n", info.dli_fname);
        return peer;
    }
    test_skip("%s", peer ? "the libisal.so.2 found is this library" : dlerror());
#else
    test_skip("this system has no dlopen()");
#endif
    return NULL;
}

/* The address of a function of the library, or NULL. Another file's function fails the test. */
static inline void *peer_symbol(void *peer, const char *name)
{
    void *symbol = NULL;
#if HAVE_DLOPEN
    Dl_info info;

    symbol = dlsym(peer, name);
    EXPECT(!symbol || (dladdr(symbol, &info) && strstr(info.dli_fname, "libisal.so.2")),
           "%s is not from the other library", name);
#else
    (void) peer;
    (void) name;
#endif
    return symbol;
}

#endif
