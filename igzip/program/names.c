/* Names of results.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip.h"

#include "names.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *suffix, *replacement;
} known[] = {
    {".gz", ""}, {".z", ""}, {".bgz", ""},     {"-gz", ""},
    {"-z", ""},  {"_z", ""}, {".tgz", ".tar"}, {".taz", ".tar"},
};

const char *name_base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static int ends_with(const char *name, const char *suffix)
{
    size_t n = strlen(name), len = strlen(suffix);

    return n > len && !strcasecmp(name + n - len, suffix);
}

/* The longest suffix that matches, as in gzip: a.gz with -S gz becomes a, and a.tgz becomes a.tar
 * whatever -S says. */
size_t name_suffix(const char *path, const char **replacement)
{
    const char *name = name_base(path);
    size_t user = ends_with(name, opt.suffix) ? strlen(opt.suffix) : 0;

    *replacement = "";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (ends_with(name, known[i].suffix) && strlen(known[i].suffix) >= user) {
            *replacement = known[i].replacement;
            return strlen(known[i].suffix);
        }
    }
    return user;
}

const char *name_suffix_to_try(unsigned i)
{
    if (i == 0)
        return opt.suffix;
    return i - 1 < sizeof known / sizeof *known ? known[i - 1].suffix : NULL;
}

char *name_of_result(const char *path, const char *stored)
{
    size_t size = strlen(path) + strlen(stored) + strlen(opt.suffix) + 8, base, suffix;
    char *result = need_memory(size);
    const char *replacement;

    if (opt.mode == MODE_COMPRESS) {
        snprintf(result, size, "%s%s", path, opt.suffix);
        return result;
    }
    base = (size_t) (name_base(path) - path);
    suffix = name_suffix(path, &replacement);
    stored = name_base(stored); /* without directories */
    if (*stored && strcmp(stored, ".") && strcmp(stored, "..") && strlen(stored) <= NAME_MAX)
        snprintf(result, size, "%.*s%s", (int) base, path, stored);
    else
        snprintf(result, size, "%.*s%s", (int) (strlen(path) - suffix), path, replacement);
    return result;
}
