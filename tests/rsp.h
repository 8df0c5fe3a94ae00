/* Reader of the vectors in tests/vectors: records of lines "name = value", blank lines between.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     struct rsp r;
 *
 *     if (!rsp_open(&r, "aes_cbc.rsp"))
 *         return;                          (the test has been skipped)
 *     while (rsp_next(&r)) {
 *         uint8_t key[32];
 *         size_t key_len = rsp_bytes(&r, "KEY", key, sizeof key);
 *         ...
 *     }
 *
 * A file that cannot be understood ends the program. Include test.h first. */

#ifndef RSP_H
#define RSP_H

#include <ctype.h>

#define RSP_LINE (1 << 17)
#define RSP_FIELDS 12

struct rsp {
    FILE *file;
    const char *name;
    unsigned line;  /* of the file, for messages */
    unsigned count; /* of the record's fields */
    char *names[RSP_FIELDS], *values[RSP_FIELDS];
    char text[4 * RSP_LINE];
};

_Noreturn static inline void rsp_fail(const struct rsp *r, const char *what)
{
    fprintf(stderr, "%s:%u: %s\n", r->name, r->line, what);
    exit(2);
}

/* Opens a file of tests/vectors. Returns 0, and counts the test as skipped, if it is not there: the
 * program may run on a machine that has nothing else. */
static inline int rsp_open(struct rsp *r, const char *name)
{
    const char *source = getenv("srcdir");
    char path[4096];

    snprintf(path, sizeof path, "%s/tests/vectors/%s", source ? source : "..", name);
    r->file = fopen(path, "r");
    r->name = name;
    r->line = 0;
    if (!r->file)
        test_skip("there is no %s", path);
    return r->file != NULL;
}

/* Reads the next record. Returns 0, and closes the file, at its end. */
static inline int rsp_next(struct rsp *r)
{
    size_t used = 0;

    r->count = 0;
    while (sizeof r->text - used > RSP_LINE && fgets(r->text + used, RSP_LINE, r->file)) {
        char *name = r->text + used, *value = strchr(name, '='), *end = name + strlen(name);
        r->line++;
        if (end > name && end[-1] != '\n' && !feof(r->file))
            rsp_fail(r, "the line is too long");
        while (end > name && isspace((unsigned char) end[-1]))
            *--end = '\0';
        if (*name == '#')
            continue;
        if (!*name) {
            if (r->count)
                return 1;
            continue;
        }
        if (!value || r->count == RSP_FIELDS)
            rsp_fail(r, "not a line of a record, or too many of them");
        r->names[r->count] = name;
        for (char *p = value; p > name && (*p == '=' || *p == ' '); p--)
            *p = '\0';
        for (value++; *value == ' ';)
            value++;
        r->values[r->count++] = value;
        used = (size_t) (end + 1 - r->text);
    }
    if (r->count)
        return 1;
    fclose(r->file);
    return 0;
}

/* The value of a field of the record, or NULL. */
static inline const char *rsp_text(const struct rsp *r, const char *name)
{
    for (unsigned i = 0; i < r->count; i++)
        if (!strcmp(r->names[i], name))
            return r->values[i];
    return NULL;
}

/* A field that has to be there: a number. */
static inline unsigned long rsp_number(const struct rsp *r, const char *name)
{
    const char *text = rsp_text(r, name);

    if (!text)
        rsp_fail(r, "a field is missing");
    return strtoul(text, NULL, 10);
}

/* A field that has to be there: bytes in hexadecimal, at most max of them. Returns how many. */
static inline size_t rsp_bytes(const struct rsp *r, const char *name, uint8_t *bytes, size_t max)
{
    const char *text = rsp_text(r, name);
    size_t n = 0;

    if (!text)
        rsp_fail(r, "a field is missing");
    for (; text[0]; text += 2) {
        char digits[3] = {text[0], text[1], '\0'}, *end;
        if (n == max || !text[1])
            rsp_fail(r, "too many bytes, or half a byte");
        bytes[n++] = (uint8_t) strtoul(digits, &end, 16);
        if (*end)
            rsp_fail(r, "not a hexadecimal digit");
    }
    return n;
}

#endif
