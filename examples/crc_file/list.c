/* Lists of CRCs: written, read and compared with the files.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A line is one of
 *     cbf43926  name                    of a CRC that the reader has to know
 *     CRC-32/ISO-HDLC (name) = cbf43926
 * If the name has line ends or backslashes, they are written \n, \r and \\, and the line begins
 * with a backslash, as in the lists of sha256sum. */

#include "crc_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int digits(const struct isal_crc *crc)
{
    return (int) (crc->params.width + 3) / 4;
}

static void print_name(const char *name, int escape)
{
    for (; *name; name++)
        if (escape && strchr("\\\n\r", *name))
            printf("\\%c", *name == '\n' ? 'n' : *name == '\r' ? 'r' : '\\');
        else
            putchar(*name);
}

void print_crc(const struct options *o, const char *name, uint64_t value)
{
    int escape = strpbrk(name, "\\\n\r") != NULL;

    if (escape)
        putchar('\\');
    if (o->tag) {
        printf("%s (", o->crc->params.name);
        print_name(name, escape);
        printf(") = %0*" PRIx64 "\n", digits(o->crc), value);
    } else {
        printf("%0*" PRIx64 "  ", digits(o->crc), value);
        print_name(name, escape);
        putchar('\n');
    }
}

/* ---- Reading ---- */

struct line {
    struct isal_crc crc;
    uint64_t value;
    char *name;
};

/* Replaces the escapes of a name in place. Returns 0, or -1 if one is invalid. */
static int unescape(char *name)
{
    char *out = name;

    for (; *name; name++) {
        if (*name != '\\') {
            *out++ = *name;
            continue;
        }
        name++;
        if (*name != 'n' && *name != 'r' && *name != '\\')
            return -1;
        *out++ = *name == 'n' ? '\n' : *name == 'r' ? '\r' : '\\';
    }
    *out = 0;
    return 0;
}

/* Parses a value of the CRC's number of hexadecimal digits. Returns the text after it, or NULL. */
static char *parse_value(char *text, const struct isal_crc *crc, uint64_t *value)
{
    size_t count = strspn(text, "0123456789abcdefABCDEF");

    if (count != (size_t) digits(crc))
        return NULL;
    *value = strtoull(text, NULL, 16);
    return text + count;
}

/* NAME (file) = value. Returns 0, or -1. */
static int parse_tagged(char *text, struct line *line)
{
    char *open = strstr(text, " ("), *close = NULL, *end;

    for (char *p = text; (p = strstr(p, ") = ")) != NULL; p++)
        close = p;
    if (!open || !close || close <= open)
        return -1;
    *open = *close = 0;
    if (isal_crc_init(&line->crc, isal_crc_find(text)) != ISAL_CRC_OK)
        return -1;
    line->name = open + 2;
    end = parse_value(close + 4, &line->crc, &line->value);
    return end && !*end ? 0 : -1;
}

/* value, a space, a space or an asterisk, name. */
static int parse_plain(char *text, struct line *line)
{
    char *end = parse_value(text, &line->crc, &line->value);

    if (!end || end[0] != ' ' || (end[1] != ' ' && end[1] != '*'))
        return -1;
    line->name = end + 2;
    return 0;
}

static int parse_line(const struct options *o, char *text, struct line *line)
{
    int escaped = *text == '\\';

    text += escaped;
    line->crc = *o->crc;
    if (parse_plain(text, line) && parse_tagged(text, line))
        return -1;
    return (escaped && unescape(line->name)) || !*line->name ? -1 : 0;
}

/* ---- Comparing ---- */

struct counts {
    unsigned long compared, different, unreadable, malformed;
};

static void check_line(const struct options *o, struct line *line, struct counts *counts)
{
    uint64_t value;
    int error = crc_of_file(line->name, &line->crc, o->threads, &value);

    if (error == ENOENT && o->ignore_missing)
        return;
    counts->compared++;
    if (error) {
        counts->unreadable++;
        complain("%s: %s", line->name, strerror(error));
        if (!o->silent)
            printf("%s: FAILED to read\n", line->name);
    } else if (value != line->value) {
        counts->different++;
        if (!o->silent)
            printf("%s: FAILED\n", line->name);
    } else if (!o->quiet && !o->silent) {
        printf("%s: OK\n", line->name);
    }
}

static enum status report(const struct options *o, const char *name, const struct counts *counts)
{
    if (!counts->compared && !counts->malformed) {
        complain("%s: no file was compared", name);
        return STATUS_MISMATCH;
    }
    if (!o->silent) {
        if (counts->malformed)
            complain("%s: lines that are not understood: %lu", name, counts->malformed);
        if (counts->unreadable)
            complain("%s: files that could not be read: %lu", name, counts->unreadable);
        if (counts->different)
            complain("%s: files that differ: %lu", name, counts->different);
    }
    return counts->malformed || counts->unreadable || counts->different ? STATUS_MISMATCH
                                                                        : STATUS_OK;
}

enum status check_list(const struct options *o, const char *name)
{
    FILE *file = strcmp(name, "-") ? fopen(name, "r") : stdin;
    struct counts counts = {0, 0, 0, 0};
    static struct line line;
    char *text = NULL;
    size_t size = 0;
    ssize_t length;
    int failed;

    if (!file) {
        complain("%s: %s", name, strerror(errno));
        return STATUS_ERROR;
    }
    while ((length = getline(&text, &size, file)) > 0) {
        while (length && strchr("\r\n", text[length - 1]))
            text[--length] = 0;
        if (!length)
            continue;
        if (strlen(text) != (size_t) length || parse_line(o, text, &line))
            counts.malformed++;
        else
            check_line(o, &line, &counts);
    }
    free(text);
    failed = ferror(file);
    if (file != stdin)
        fclose(file);
    if (failed) {
        complain("%s: cannot be read", name);
        return STATUS_ERROR;
    }
    return report(o, name, &counts);
}
