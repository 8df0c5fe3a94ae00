/* The greedy and the lazy parser: one candidate for each position.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Both run a finder that probes every position. While matches are long, it is faster to probe only
 * where a token begins, as the long finder does. A run (matches of the longest length at one
 * distance) is followed without the hash table. */

#include "igzip/lz77/match.h"
#include "igzip/lz77/parser.h"

enum {
    SINGLE_BYTES = 80, /* inputs up to this size are searched one by one at any level */
    MIN_RUN = 64,    /* with a run of this many bytes at its start, a chunk gets the long finder */
    MAX_RUN = 32768, /* bytes of a run that one call follows */
    LONG_PIECE = 512 /* bytes over which the long finder judges whether matches are still long */
};

/* Emits greedy tokens for the positions up to `limit`, which may be the end of the input. */
static void find_one_by_one(struct deflate_find *f, const uint8_t *limit)
{
    const uint8_t *p = f->next, *start = p, *last = limit;
    const uint8_t *base = f->base, *end = f->end;
    deflate_entry *head = f->head;
    uint32_t hash_bits = f->hash_bits, window = f->window, *token = f->token;

    if (end - last < HASH_LOAD - 1)
        last = end - p < HASH_LOAD ? p : end - (HASH_LOAD - 1);
    while (p < last) {
        uint32_t distance =
            hash_insert(head, hash_bits, window, find_hash(f, p), (size_t) (p - base));
        uint32_t length;

        if (distance == 0 || (length = whole_match(p - distance, p, 0, end)) < FIND_MIN_MATCH) {
            p++;
            continue;
        }
        token = emit_literals(token, start, (size_t) (p - start));
        *token++ = match_token(length, distance);
        hash_insert(head, hash_bits, window, find_hash(f, p + 1), (size_t) (p + 1 - base));
        p = start = p + length;
        if (end - p >= HASH_LOAD - 1)
            hash_insert(head, hash_bits, window, find_hash(f, p - 1), (size_t) (p - 1 - base));
    }
    if (p < limit)
        p = limit;
    f->token = emit_literals(token, start, (size_t) (p - start));
    f->next = p;
}

/* Lowers the limit so that there is room for all tokens before it. */
static void limit_to_room(struct deflate_find *f)
{
    ptrdiff_t room = f->token_end - f->token - FIND_TOKENS_OVERRUN - FIND_TOKENS_CLEARED;

    if (f->limit - f->next > room)
        f->limit = f->next + room;
}

/* Emits the token of a stream's first byte: finders need a byte before `next`. */
static void find_first(struct deflate_find *f)
{
    if (f->next == f->base && f->next < f->limit)
        find_one_by_one(f, f->next + 1);
}

/* Shortens the last match so that it ends at limit. */
static void cut_match(struct deflate_find *f)
{
    uint32_t past = (uint32_t) (f->next - f->limit), token = *--f->token;
    uint32_t length = (token & TOKEN_MASK) - TOKEN_LENGTHS + DEFLATE_MIN_MATCH - past;

    if (length >= FIND_MIN_MATCH)
        *f->token++ = token - past;
    else
        f->token = emit_literals(f->token, f->limit - length, length);
    f->next = f->limit;
    clear_tokens(f);
}

/* Emits tokens for a whole stream, at most LZ77_FIRST_CHUNK bytes. Zeros after a copy of it let the
 * finder go on to its last byte. The table is of no further use. */
static void find_whole(struct deflate_find *f, deflate_find_fn *find)
{
    enum { ZEROS = FIND_STEP + FIND_LOOKAHEAD };
    uint8_t copy[LZ77_FIRST_CHUNK + ZEROS];
    size_t n = (size_t) (f->limit - f->next);
    struct deflate_find all = *f;

    memcpy(copy, f->next, n);
    memset(copy + n, 0, ZEROS);
    all.base = copy;
    all.next = copy + 1;
    all.limit = copy + n;
    all.end = all.limit + ZEROS;
    all.past_limit = FIND_STEP - 1;
    *all.token++ = copy[0];
    find(&all);
    if (all.next > all.limit)
        cut_match(&all);
    f->token = all.token;
    f->next = f->limit;
}

void isalk_lz77_find(struct deflate_find *f, deflate_find_fn *find, int to_limit)
{
    limit_to_room(f);
    if (f->limit - f->next > FIND_STEP && f->end - f->next > SINGLE_BYTES) {
        find_first(f);
        find(f);
    }
    if (to_limit)
        find_one_by_one(f, f->limit);
}

/* ---- Long matches ---- */

/* Emits tokens for the run at the distance f->run. Stops after the match that reaches the limit,
 * or when there is room for fewer than LZ77_MIN_TOKEN_ROOM tokens; f->run becomes 0 if the run
 * ends. */
static void find_run(struct deflate_find *f)
{
    enum { AT_ONCE = 4 };
    const size_t distance = f->run;
    const uint32_t repeat = match_token(DEFLATE_MAX_MATCH, f->run);
    const uint32_t *token_last = f->token_end - LZ77_MIN_TOKEN_ROOM;
    const uint8_t *p = f->next;
    uint32_t *token = f->token, length;

    /* AT_ONCE matches are emitted together only where one at a time would not stop in between. */
    while (p < f->limit && token <= token_last) {
        if (f->limit - p > (AT_ONCE - 1) * DEFLATE_MAX_MATCH && token_last - token >= AT_ONCE - 1 &&
            f->end - p >= AT_ONCE * DEFLATE_MAX_MATCH &&
            memcmp(p - distance, p, AT_ONCE * DEFLATE_MAX_MATCH) == 0) {
            for (unsigned i = 0; i < AT_ONCE; i++)
                *token++ = repeat;
            p += AT_ONCE * DEFLATE_MAX_MATCH;
            continue;
        }
        length = whole_match(p - distance, p, 0, f->end);
        if (length >= FIND_MIN_MATCH) {
            *token++ = match_token(length, f->run);
            p += length;
        }
        if (length < DEFLATE_MAX_MATCH) {
            f->run = 0;
            break;
        }
    }
    f->matched = (uint32_t) distance;
    f->next = p;
    f->token = token;
    clear_tokens(f);
}

/* Runs the long finder while matches are long, up to the limit or its lookahead before the end. A
 * piece of LONG_PIECE bytes has long matches if it has f->min_token_bytes a token on average, or
 * leads to a run. Returns whether the last piece has long matches. */
static int find_long(struct deflate_find *f)
{
    const uint8_t *limit = f->limit, *last = limit;
    int is_long = 1;

    if (f->end - LONG_LOOKAHEAD < last)
        last = f->end - LONG_LOOKAHEAD;
    while (f->next < last && is_long) {
        const uint8_t *start = f->next;
        const uint32_t *token = f->token;
        size_t at = (size_t) (start - f->base), bytes, tokens;

        if (at >= HASH_LOAD) /* a run is not in the table, but its bytes may repeat later */
            hash_insert(f->head, f->hash_bits, 0, find_hash(f, start - HASH_LOAD), at - HASH_LOAD);
        f->limit = last - start < LONG_PIECE ? last : start + LONG_PIECE;
        KERNEL_CALL(isalk_deflate_find_long_slot)(f);
        bytes = (size_t) (f->next - start);
        tokens = (size_t) (f->token - token);
        is_long = f->run || bytes >= tokens * f->min_token_bytes;
        f->limit = last;
        if (f->run)
            find_run(f);
    }
    f->limit = limit;
    return is_long;
}

/* Returns whether MIN_RUN bytes from p on repeat at the distance 1, 2, 4 or 8. */
static int is_run(const uint8_t *p, const uint8_t *end)
{
    uint64_t differ = 0;

    if (end - p < MIN_RUN || load_le64(p) != load_le64(p + sizeof(differ)))
        return 0;
    for (unsigned i = 0; i < MIN_RUN - sizeof(differ); i += sizeof(differ))
        differ |= load_le64(p + i) ^ load_le64(p + i + sizeof(differ));
    return differ == 0;
}

/* Follows the run in which an earlier chunk ended, as far as it continues in the next `left`
 * bytes. */
static void follow_run(struct lz77 *lz, struct deflate_find *f, size_t left)
{
    f->run = lz->state->run <= isalk_lz77_history(lz) ? lz->state->run : 0;
    f->matched = 0;
    if (f->run == 0)
        return;
    f->limit = f->next + (left < MAX_RUN ? left : MAX_RUN);
    find_run(f);
    isalk_lz77_advance(lz, f->next);
}

/* Emits tokens by the long finder. */
static void parse_long(struct lz77_state *state, struct deflate_find *f, int to_limit)
{
    limit_to_room(f);
    find_first(f);
    state->long_matches = (uint8_t) find_long(f);
    state->run = state->long_matches ? f->run : 0;
    if (state->long_matches && to_limit)
        find_one_by_one(f, f->limit);
}

/* Chooses how many bytes to hash at the start of a stream: a later change would lose the positions
 * inserted before. A prepared dictionary (isal_deflate_process_dict()) has the hash of five. */
static void choose_hash(struct lz77 *lz, const uint8_t *p, size_t n, int is_short)
{
    struct lz77_state *state = lz->state;

    if (state->hash_bytes != 0)
        return;
    if (state->offset > 0)
        state->hash_bytes = LZ77_HASH_BYTES;
    else
        state->hash_bytes =
            (uint8_t) isalk_lz77_hash_bytes(p, n, is_short, lz->params->given_codes != 0);
}

/* Returns whether level 0 searches one by one the n bytes left of the input: they are tiny and
 * follow nothing or a dictionary that was inserted for them. */
static int is_tiny(const struct lz77 *lz, size_t n)
{
    const struct lz77_state *state = lz->state;

    return lz->params->given_codes &&
           (state->offset == 0 ||
            (state->position == 0 && state->hash_bytes == LZ77_MIN_HASH_BYTES)) &&
           isalk_lz77_is_tiny(lz->next, n);
}

ISALK_INLINE uint32_t *parse(struct lz77 *lz, uint32_t *token, uint32_t *token_end, int last,
                             deflate_find_fn *find)
{
    const uint8_t *start = lz->next;
    size_t chunk = isalk_lz77_next_chunk(lz, token, token_end);
    int to_limit = !isalk_lz77_has_chunk(lz, token, token_end), is_end, whole;
    uint32_t long_bytes = lz->params->long_token_bytes;
    struct deflate_find f;

    f.next = start;
    f.end = lz->end;
    f.token = token;
    f.token_end = token_end;
    f.run = f.matched = f.past_limit = 0;
    if (lz->state->run != 0) {
        follow_run(lz, &f, (size_t) (lz->end - start) - (last ? 0 : LZ77_LOOKAHEAD));
        if (f.run != 0 || lz->next != start)
            return f.token;
    }
    is_end = last && lz->ends && start + chunk == lz->end;
    whole = is_end && lz->state->offset == 0;
    choose_hash(lz, start, chunk, lz->is_short || whole);
    isalk_lz77_set_table(lz, &f);
    f.limit = start + chunk;
    f.min_token_bytes = long_bytes / 4 * 3;
    if (is_end && is_tiny(lz, chunk)) {
        find_one_by_one(&f, f.limit);
        lz->state->long_matches = 0;
        lz->state->run = 0;
    } else if (lz->state->long_matches || is_run(start, lz->end)) {
        parse_long(lz->state, &f, to_limit);
    } else {
        if (whole && chunk > SINGLE_BYTES) {
            find_whole(&f, find);
            lz->state->hash_bits = lz->state->hash_bytes = 0; /* in case more input follows */
        } else {
            isalk_lz77_find(&f, find, to_limit);
        }
        lz->state->long_matches = f.next - start > (f.token - token) * (ptrdiff_t) long_bytes;
        lz->state->run = 0;
    }
    isalk_lz77_advance(lz, f.next);
    return f.token;
}

static uint32_t *parse_greedy(struct lz77 *lz, uint32_t *token, uint32_t *token_end, int last)
{
    return parse(lz, token, token_end, last, KERNEL_CALL(isalk_deflate_find_greedy_slot));
}

static uint32_t *parse_lazy(struct lz77 *lz, uint32_t *token, uint32_t *token_end, int last)
{
    return parse(lz, token, token_end, last, KERNEL_CALL(isalk_deflate_find_lazy_slot));
}

const struct parser isalk_parser_greedy = {"greedy", 0, NULL, parse_greedy, NULL};
const struct parser isalk_parser_lazy = {"lazy", 0, NULL, parse_lazy, NULL};
