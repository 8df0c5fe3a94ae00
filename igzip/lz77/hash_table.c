/* The hash table of a stream, which moves along with the window.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "igzip/lz77/match.h"
#include "igzip/lz77/parser.h"

void isalk_lz77_reset(struct lz77_state *state)
{
    state->offset = 0;
    state->hash_bits = 0;
    state->hash_bytes = 0;
}

uint32_t isalk_lz77_short_hash_bits(uint32_t hash_bits, uint32_t bytes)
{
    while (hash_bits > LZ77_MIN_HASH_BITS && (uint32_t) 1 << (hash_bits - 1) >= bytes)
        hash_bits--;
    return hash_bits;
}

/* How many bytes to hash for a dictionary and the input after it; has_all: nothing follows the
 * available input. */
static uint32_t dictionary_hash_bytes(const struct lz77 *lz, int has_all)
{
    size_t left = (size_t) (lz->end - lz->next);
    size_t n = left < LZ77_FIRST_CHUNK ? left : LZ77_FIRST_CHUNK;

    if (!lz->params->given_codes || lz->state->position > 0)
        return LZ77_HASH_BYTES;
    return isalk_lz77_hash_bytes(lz->next, n, has_all && n == left, 1);
}

void isalk_lz77_prepare(struct lz77 *lz, size_t max_short)
{
    uint32_t dictionary = isalk_lz77_history(lz), bytes;

    if (dictionary > (size_t) (lz->next - lz->low))
        dictionary = (uint32_t) (lz->next - lz->low);
    lz->state->offset = dictionary;
    bytes = dictionary + (uint32_t) (lz->end - lz->next);
    if (bytes <= max_short)
        lz->hash_bits = isalk_lz77_short_hash_bits(lz->hash_bits, bytes);
    memset(lz->head, 0, sizeof(*lz->head) << lz->hash_bits);
    if (lz->params->parser->reset)
        lz->params->parser->reset(lz);
    if (dictionary > 0) {
        uint32_t hash_bytes = dictionary_hash_bytes(lz, max_short > 0);

        isalk_lz77_insert(lz->head, lz->hash_bits, lz->next - dictionary, dictionary, hash_bytes);
        lz->state->hash_bytes = (uint8_t) hash_bytes;
    }
    lz->state->hash_bits = (uint8_t) lz->hash_bits;
}

/* Moves the base of the hash table up if its bytes are no longer available or offsets would not
 * fit. The matches found do not depend on when this happens: positions clamped to the new base are
 * beyond the window before and after. */
static void rebase(struct lz77 *lz)
{
    uint32_t offset = lz->state->offset, delta;

    if (offset <= (size_t) (lz->next - lz->low) &&
        offset <= UINT16_MAX - LZ77_CHUNK - LZ77_LOOKAHEAD)
        return;
    delta = (offset - lz->window - LZ77_BASE_STEP) & ~(uint32_t) (LZ77_BASE_STEP - 1);
    KERNEL_CALL(isalk_deflate_rebase_slot)(lz->head, lz->hash_bits, delta);
    lz->state->offset = offset - delta;
}

void isalk_lz77_set_table(struct lz77 *lz, struct deflate_find *f)
{
    rebase(lz);
    f->base = lz->next - lz->state->offset;
    f->head = lz->head;
    f->hash_bits = lz->hash_bits;
    set_hash_bytes(f, lz->state->hash_bytes ? lz->state->hash_bytes : LZ77_HASH_BYTES);
    f->window = lz->window;
}

void isalk_lz77_insert(deflate_entry *head, uint32_t hash_bits, const uint8_t *base, uint32_t n,
                       uint32_t hash_bytes)
{
    if (n >= INSERT_MIN + INSERT_LOOKAHEAD)
        KERNEL_CALL(isalk_deflate_insert_slot)
    (head, hash_bits, base, n - INSERT_LOOKAHEAD, hash_bytes > 4 ? HASH_MULTIPLIER_HIGH : 0);
}
