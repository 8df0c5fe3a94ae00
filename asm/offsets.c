/* Makes asm/offsets.inc: offsets of struct members and constants of C, for the assembly.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The makefile compiles this file to assembly for the target, and reads the lines that begin with
 * "->" from there. So nothing has to run on the target. In a kernel,
 *
 *     [plan + rolling_plan.trigger]    is the member `trigger` of a struct rolling_plan
 *     rolling_plan.SIZE                is its size in bytes
 *     ROLLING_FILTER_BLOCK             is the constant of this name */

#include <stddef.h>

#include "isa-l/igzip_lib.h"

#include "crc/crc_kernels.h"
#include "crypto/aes/aes_kernels.h"
#include "crypto/hash/hash_kernels.h"
#include "igzip/deflate/deflate_kernels.h"
#include "igzip/inflate/inflate_kernels.h"
#include "igzip/lz77/lz77_kernels.h"
#include "mh_sha1/mh_kernels.h"
#include "raid/raid_kernels.h"
#include "rolling_hash/rolling_kernels.h"
#include "tests/call_checked.h"

#define DEFINE(name, value) \
    __asm__ volatile("\n.ascii \"->%%define " name " %0\"" ::"i"((long long) (value)))
#define MEMBER(type, member) DEFINE(#type "." #member, offsetof(struct type, member))
#define SIZE(type) DEFINE(#type ".SIZE", sizeof(struct type))
#define CONSTANT(name) DEFINE(#name, name)

static void crc(void)
{
    MEMBER(crc_constants, wide);
    MEMBER(crc_constants, wide_step);
    MEMBER(crc_constants, move);
    MEMBER(crc_constants, fold);
    MEMBER(crc_constants, quotient);
    MEMBER(crc_constants, divisor);
    MEMBER(crc_constants, complement);
    MEMBER(crc_constants, complement_q);
    MEMBER(crc_constants, shift);
    CONSTANT(CRC_WIDE_VECTORS);
    CONSTANT(CRC_FOLD_16);
    CONSTANT(CRC_DEDICATED_MIN_ISCSI);
    CONSTANT(CRC_TAPS_COPY_MIN);
}

static void rolling_hash(void)
{
    MEMBER(rolling_plan, mask);
    MEMBER(rolling_plan, trigger);
    MEMBER(rolling_plan, shuffle);
    MEMBER(rolling_plan, tables);
    MEMBER(rolling_plan, w);
    MEMBER(rolling_plan, filter_mask);
    MEMBER(rolling_plan, filter_trigger);
    MEMBER(rolling_plan, bytes);
    MEMBER(rolling_plan, groups);
    CONSTANT(ROLLING_MAX_WINDOW);
    CONSTANT(ROLLING_FILTER_BLOCK);
}

static void lz77(void)
{
    MEMBER(deflate_find, next);
    MEMBER(deflate_find, limit);
    MEMBER(deflate_find, end);
    MEMBER(deflate_find, base);
    MEMBER(deflate_find, token);
    MEMBER(deflate_find, token_end);
    MEMBER(deflate_find, head);
    MEMBER(deflate_find, hash_bits);
    MEMBER(deflate_find, hash_multiplier);
    MEMBER(deflate_find, hash_shift);
    MEMBER(deflate_find, window);
    MEMBER(deflate_find, past_limit);
    MEMBER(deflate_find, run);
    MEMBER(deflate_find, matched);
    CONSTANT(HASH_MULTIPLIER_LOW);
    CONSTANT(HASH_MULTIPLIER_HIGH);
    CONSTANT(HASH_TAG_SHIFT);
    CONSTANT(FIND_BATCH);
    CONSTANT(FIND_STEP);
    CONSTANT(FIND_LOOKAHEAD);
    CONSTANT(FIND_COMPARED);
    CONSTANT(FIND_MIN_MATCH);
    CONSTANT(FIND_TOKENS_CLEARED);
    CONSTANT(LONG_REPEAT);
    CONSTANT(LONG_SKIP);
    CONSTANT(INSERT_MIN);
    CONSTANT(INSERT_LOOKAHEAD);
    CONSTANT(DEFLATE_MIN_MATCH);
    CONSTANT(DEFLATE_MAX_MATCH);
    CONSTANT(TOKEN_SECOND_SHIFT);
    CONSTANT(TOKEN_MASK);
    CONSTANT(TOKEN_EXTRA_MASK);
    CONSTANT(TOKEN_LENGTHS);
    CONSTANT(TOKEN_DISTANCES);
    CONSTANT(TOKEN_LITERALS);
}

static void deflate(void)
{
    MEMBER(deflate_counts, first);
    MEMBER(deflate_counts, second);
    MEMBER(deflate_codes, first);
    MEMBER(deflate_codes, second);
    MEMBER(deflate_encode, token);
    MEMBER(deflate_encode, token_end);
    MEMBER(deflate_encode, out);
    MEMBER(deflate_encode, out_last);
    MEMBER(deflate_encode, bits);
    MEMBER(deflate_encode, count);
    MEMBER(deflate_encode, codes);
    MEMBER(isal_hufftables, len_table);
    MEMBER(isal_hufftables, lit_table);
    MEMBER(isal_hufftables, lit_table_sizes);
    MEMBER(isal_hufftables, dcodes);
    MEMBER(isal_hufftables, dcodes_sizes);
    MEMBER(deflate_tiny, bytes);
    MEMBER(deflate_tiny, start);
    MEMBER(deflate_tiny, size);
    MEMBER(deflate_tiny, probed);
    MEMBER(deflate_tiny, window);
    MEMBER(deflate_tiny, hash_bits);
    MEMBER(deflate_tiny, head);
    MEMBER(deflate_tiny, tables);
    MEMBER(deflate_tiny, out);
    MEMBER(deflate_tiny, out_limit);
    MEMBER(deflate_tiny, bits);
    MEMBER(deflate_tiny, count);
    CONSTANT(DEFLATE_DISTANCE_SYMBOLS);
    CONSTANT(HUFFTABLE_SIZE_BITS);
    CONSTANT(HUFFTABLE_SIZE_MASK);
}

static void inflate(void)
{
    MEMBER(inflate_run, in);
    MEMBER(inflate_run, in_end);
    MEMBER(inflate_run, out);
    MEMBER(inflate_run, stop);
    MEMBER(inflate_run, out_end);
    MEMBER(inflate_run, window);
    MEMBER(inflate_run, bits);
    MEMBER(inflate_run, bit_count);
    MEMBER(inflate_run, litlen);
    MEMBER(inflate_run, distance);
    MEMBER(inflate_run, litlen_mask);
    MEMBER(inflate_run, match_share);
    MEMBER(inflate_run, second);
    MEMBER(inflate_run, no_length);
    MEMBER(inflate_run, limit);
    MEMBER(inflate_run, piece_in);
    MEMBER(inflate_run, piece_out);
    CONSTANT(DISTANCE_BITS);
    CONSTANT(DISTANCE_SPECIAL);
    CONSTANT(SECOND_LITERAL);
    CONSTANT(LITLEN_HAS_LENGTH);
    CONSTANT(LITLEN_LITERAL);
    CONSTANT(LITLEN_END);
    CONSTANT(LITLEN_SUBTABLE);
    CONSTANT(INFLATE_IN_MARGIN);
    CONSTANT(INFLATE_OUT_MARGIN);
    CONSTANT(INFLATE_FEW_MATCHES);
    CONSTANT(INFLATE_FIRST_PIECE);
}

static void aes(void)
{
    MEMBER(aes_cbc_lanes, in);
    MEMBER(aes_cbc_lanes, out);
    MEMBER(aes_cbc_lanes, iv);
    CONSTANT(AES_LANES);
    CONSTANT(AES_KEYED_LANES);
    MEMBER(isal_gcm_key_data, shifted_hkey_1);
    MEMBER(isal_gcm_context_data, aad_hash);
    MEMBER(isal_gcm_context_data, current_counter);
    MEMBER(gcm_message, iv);
    MEMBER(gcm_message, aad);
    MEMBER(gcm_message, aad_len);
    MEMBER(gcm_message, tag);
    MEMBER(gcm_message, tag_len);
    CONSTANT(GCM_POWERS);
    CONSTANT(GCM_PADDING);
}

static void mh_sha1(void)
{
    CONSTANT(MH_BLOCK);
    CONSTANT(MH_SEGMENTS);
}

static void raid(void)
{
    CONSTANT(RAID_FAR_DATA);
}

static void tests(void)
{
    MEMBER(call, fn);
    MEMBER(call, args);
    MEMBER(call, result);
    MEMBER(call, saved);
    MEMBER(call, flags);
    MEMBER(call, mxcsr);
    MEMBER(call, vl);
    MEMBER(call, tells_in_use);
    MEMBER(call, in_use);
    MEMBER(call, before);
    MEMBER(call, stack);
    MEMBER(call, general);
    MEMBER(call, opmask);
    MEMBER(call, vector);
    CONSTANT(STACK_BYTES);
}

int main(void)
{
    crc();
    rolling_hash();
    lz77();
    deflate();
    inflate();
    aes();
    mh_sha1();
    raid();
    tests();
    return 0;
}
