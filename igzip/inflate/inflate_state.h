/* Between the files of decompression.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef INFLATE_STATE_H
#define INFLATE_STATE_H

#include "isa-l/igzip_lib.h"

#include "igzip/inflate/inflate_kernels.h"

/* What the library uses members of struct inflate_state for, beyond what their names say:
 *
 * lit_huff_code, dist_huff_code  the decoding tables of a dynamic block, of literals and lengths, of
 *                                distances and of second literals, and the canonical codes; while
 *                                its header is read, the table of code lengths
 * tmp_in_buffer                  code lengths while the header of a dynamic block is read; parts of
 *                                the wrapper's header and trailer while those are
 * tmp_out_buffer                 delivered output, which is history, then output still owed
 * tmp_out_valid                  bytes in tmp_out_buffer
 * tmp_out_processed              delivered bytes among them */

ISALK_HIDDEN_BEGIN

/* Reads the header of a block, or goes on reading it. STOP_INPUT or an error, or 0: block_state is
 * ISAL_BLOCK_TYPE0, with type0_block_len, or ISAL_BLOCK_CODED. */
int isalk_inflate_block_header(struct inflate_state *state, struct inflate_run *r);

/* Decodes symbols, of the block whose header was read, until it stops or meets an error. */
int isalk_inflate_block(struct inflate_state *state, struct inflate_run *r);

/* Reads the wrapper's header that crc_flag asks for, or goes on. STOP_INPUT, ISAL_NEED_DICT or an
 * error, or 0. */
int isalk_inflate_wrapper(struct inflate_state *state);

ISALK_HIDDEN_END

/* Takes whole bytes into the bit buffer until it has at least n bits, at most 56. */
ISALK_INLINE int inflate_need(struct inflate_run *r, unsigned n)
{
    if (r->count >= n)
        return 1;
    if (r->in_end - r->in >= 8) {
        r->bits |= inflate_load(r->in) << r->count;
        r->in += (63 - r->count) >> 3;
        r->count |= 56;
        r->bits &= ((uint64_t) 1 << r->count) - 1;
        return 1;
    }
    while (r->count < n) {
        if (r->in == r->in_end)
            return 0;
        r->bits |= (uint64_t) *r->in++ << r->count;
        r->count += 8;
    }
    return 1;
}

/* Takes n bits, which are there, n < 64. */
ISALK_INLINE uint32_t inflate_take(struct inflate_run *r, unsigned n)
{
    uint32_t value = (uint32_t) (r->bits & (((uint64_t) 1 << n) - 1));

    r->bits >>= n;
    r->count -= n;
    return value;
}

#endif
