/* Shared by the tests of kernel selection.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef DISPATCH_TEST_H
#define DISPATCH_TEST_H

#include "dispatch/kernel.h"
#include "tests/test.h"

static const struct {
    const char *name;
} tiers[] = {
#define X(id, name) {#name},
    TIERS(X)
#undef X
};

static inline int same(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

/* True if a list of words with blanks between them has this one. */
static inline int listed(const char *list, const char *word)
{
    size_t length = strlen(word);

    for (const char *p = list; (p = strstr(p, word)) != NULL; p += length)
        if ((p == list || p[-1] == ' ') && (p[length] == ' ' || !p[length]))
            return 1;
    return 0;
}

#endif
