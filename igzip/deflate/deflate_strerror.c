/* Texts for the results of the compression functions.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "isa-l/igzip_lib.h"

#include "dispatch/compiler.h"

static const struct {
    int code;
    const char *text;
} texts[] = {
    {COMP_OK, "success"},
    {STATELESS_OVERFLOW, "the output buffer is too small"},
    {INVALID_FLUSH, "flush has a value that the function does not allow"},
    {INVALID_PARAM, "an argument is invalid"},
    {ISAL_INVALID_OPERATION, "Huffman tables cannot be set now, or are invalid"},
    {ISAL_INVALID_STATE, "a dictionary cannot be set now, or is invalid"},
    {ISAL_INVALID_LEVEL, "the level is unknown, or its buffer is too small"},
    {ISAL_INVALID_LEVEL_BUF, "the level needs a buffer, level_buf, which is NULL"},
};

ISAL_PUBLIC const char *isal_deflate_strerror(int error)
{
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (texts[i].code == error)
            return texts[i].text;
    return "unknown error";
}
