/* Texts for the results of the decompression functions.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "isa-l/igzip_lib.h"

#include "dispatch/compiler.h"

static const struct {
    int code;
    const char *text;
} texts[] = {
    {ISAL_DECOMP_OK, "success"},
    {ISAL_END_INPUT, "the input is incomplete"},
    {ISAL_OUT_OVERFLOW, "the output buffer is too small"},
    {ISAL_NAME_OVERFLOW, "the buffer for the name in the gzip header is too small"},
    {ISAL_COMMENT_OVERFLOW, "the buffer for the comment in the gzip header is too small"},
    {ISAL_EXTRA_OVERFLOW, "the buffer for the extra field of the gzip header is too small"},
    {ISAL_NEED_DICT, "the stream needs a dictionary"},
    {ISAL_INVALID_BLOCK, "invalid block header or Huffman code"},
    {ISAL_INVALID_SYMBOL, "invalid symbol, or a distance beyond the window"},
    {ISAL_INVALID_LOOKBACK, "a distance beyond the output and the dictionary"},
    {ISAL_INVALID_WRAPPER, "not a gzip or zlib header"},
    {ISAL_UNSUPPORTED_METHOD, "a compression method other than DEFLATE"},
    {ISAL_INCORRECT_CHECKSUM, "wrong checksum"},
};

ISAL_PUBLIC const char *isal_inflate_strerror(int error)
{
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (texts[i].code == error)
            return texts[i].text;
    return "unknown error";
}
