/* Parsers: input to tokens. A parser is one file; a level names the one it uses.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef LZ77_PARSER_H
#define LZ77_PARSER_H

#include "igzip/lz77/lz77_kernels.h"

enum {
    LZ77_CHUNK = 8192,       /* bytes that a parser turns into tokens at a time, at most */
    LZ77_FIRST_CHUNK = 2048, /* the same for the first chunk of a stream */
    LZ77_LOOKAHEAD =
        LONG_LOOKAHEAD,        /* bytes available after a chunk, except at the end of the input */
    LZ77_BASE_STEP = 8,        /* the base of the hash table moves by multiples of this */
    LZ77_PROBE_BYTES = 512,    /* bytes of a piece that is probed */
    LZ77_MIN_TOKEN_ROOM = 128, /* with room for fewer tokens, a block is full */
    LZ77_SHORT = 16384,        /* bytes of the longest input that counts as short */
    LZ77_TINY = 1024,          /* bytes that level 0 searches one by one, whatever they are */
    LZ77_PAIRS = 3 * 128,      /* pairs of bytes that isalk_lz77_near_pairs() compares */
    LZ77_HASH_BYTES = 5,       /* bytes that are hashed unless the data say otherwise */
    LZ77_MIN_HASH_BYTES = 4,   /* the same in a very short input */
    LZ77_INSERT_LOAD = 4,      /* readable bytes at a position that is inserted in rows or trees */
    LZ77_SPARSE_GAP = 16,      /* of a gap this long, one in LZ77_SPARSE_STEP is inserted */
    LZ77_SPARSE_STEP = 4,
    LZ77_MIN_HASH_BITS = 9,
    LZ77_MAX_HASH_BITS = 16,
    LZ77_ROWS_MEMORY = 8 + 16384 + 2048 + 196608 + 8, /* of the row parsers */
    LZ77_NEAR_MEMORY = 315904                         /* of the near-optimal parser */
};

/* How a level searches. A parser ignores what does not concern it. */
struct lz77_params {
    const struct parser *parser;
    uint32_t hash_bits;        /* log2 of the entries of the hash table */
    uint32_t given_codes;      /* 1: the codes are the caller's tables; 0: made for the data */
    uint32_t long_token_bytes; /* mean bytes of a token; above this, matches are long */
    uint32_t max_depth;        /* candidates compared for a position, at most */
    uint32_t splits;           /* whether a block ends where the data change */
    uint32_t passes;           /* paths computed for a chunk, each with better costs */
    uint32_t nice_length;      /* a match of this length is accepted without further candidates */
};

/* The state of a stream between calls; all zeros for a new stream. */
struct lz77_state {
    uint32_t offset;      /* offset of `next` from the base of the hash table, saturated */
    uint32_t position;    /* position of `next`, modulo 2^32, from an arbitrary origin */
    uint32_t run;         /* distance at which a match of the longest length may continue, or 0 */
    uint8_t hash_bits;    /* log2 of the entries of the hash table; 0: it is not prepared */
    uint8_t long_matches; /* recent matches were long */
    uint8_t hash_bytes;   /* bytes that are hashed; 0: not chosen yet */
};

/* The available input, and the memory to find matches. */
struct lz77 {
    const struct lz77_params *params;
    struct lz77_state *state;
    deflate_entry *head; /* the parser's memory, which begins with the hash table */
    uint32_t hash_bits;
    uint32_t window;     /* longest distance */
    const uint8_t *low;  /* first available byte */
    const uint8_t *next; /* first byte without a token */
    const uint8_t *end;  /* end of the available bytes */
    size_t max_chunk;    /* bytes of the next chunk, at most */
    uint32_t min_match;  /* parsers with several candidates: bytes of the shortest match emitted */
    int is_short;        /* all input is available, at most LZ77_SHORT bytes */
    int ends;            /* with `last`: nothing after the available input refers to it */
};

/* A parser's tokens must be a function of the data, the parameters and the block boundaries alone,
 * never of how the input is split. So it is called with a whole chunk and LZ77_LOOKAHEAD bytes
 * after it, or with `last`: no more input will follow. It emits tokens from lz->next on, advances
 * lz->next, and returns where the next token goes. It may stop before the end of the chunk; with
 * `last`, it is called again until lz->next is lz->end. Matches may refer to the bytes from lz->low
 * on, as far as window and base reach.
 *
 * The hash table holds struct deflate_find's entries and is shared with the probes for
 * incompressible data, with dictionaries and with isalk_lz77_set_table(), which rebases it. */
struct parser {
    const char *name;
    size_t memory; /* bytes beside the hash table, a multiple of 8 */
    /* Prepares that memory for a new stream, whose hash table is empty; NULL: nothing to do. */
    void (*reset)(struct lz77 *lz);
    uint32_t *(*parse)(struct lz77 *lz, uint32_t *token, uint32_t *token_end, int last);
    /* Gets the counts of a finished block and its codes, which are valid where the count is not 0.
     * They are an estimate of the next block's costs. NULL: not needed. */
    void (*block_done)(struct lz77 *lz, const struct deflate_counts *counts,
                       const struct deflate_codes *codes);
};

/* The result of a probe of bytes that may be incompressible. */
struct lz77_sample {
    uint32_t bytes;  /* bytes counted */
    uint32_t pairs;  /* pairs of equal bytes among them */
    uint32_t repeat; /* distance of the match that ended the probe, or 0 */
    uint16_t counts[256];
};

/* Bytes before next that matches may refer to. */
ISALK_INLINE uint32_t isalk_lz77_history(const struct lz77 *lz)
{
    return lz->state->offset < lz->window ? lz->state->offset : lz->window;
}

/* The parser's memory after the hash table. */
ISALK_INLINE void *isalk_lz77_memory(const struct lz77 *lz)
{
    return lz->head + ((size_t) 1 << lz->hash_bits);
}

/* Number of bytes before next to insert in the parser's memory: they were stored, and matches may
 * refer to them. `inserted` is the position after the last one inserted. */
ISALK_INLINE uint32_t isalk_lz77_gap(const struct lz77 *lz, uint32_t inserted)
{
    uint32_t gap = lz->state->position - inserted, history = isalk_lz77_history(lz);

    return gap < history ? gap : history;
}

/* Continues at `next`. If the bytes before it were not inserted, it may be further from the base of
 * the hash table than offsets reach. The offset then saturates, since no entry is in the window any
 * more. It keeps its remainder modulo LZ77_BASE_STEP, so that batches begin at the same bytes no
 * matter when the base moves. */
ISALK_INLINE void isalk_lz77_advance(struct lz77 *lz, const uint8_t *next)
{
    uint32_t max = UINT16_MAX / LZ77_BASE_STEP * LZ77_BASE_STEP + lz->window + LZ77_BASE_STEP;
    size_t offset = lz->state->offset + (size_t) (next - lz->next);

    if (offset > max)
        offset = max - ((max - offset) & (LZ77_BASE_STEP - 1));
    lz->state->offset = (uint32_t) offset;
    lz->state->position += (uint32_t) (next - lz->next);
    lz->next = next;
}

/* Continues at `next`. Returns the position after the last one inserted: all before `next` are,
 * except for those with fewer than LZ77_INSERT_LOAD available bytes. */
ISALK_INLINE uint32_t isalk_lz77_advance_inserted(struct lz77 *lz, const uint8_t *next)
{
    ptrdiff_t missing = LZ77_INSERT_LOAD - 1 - (lz->end - next);

    isalk_lz77_advance(lz, next);
    return lz->state->position - (missing > 0 ? (uint32_t) missing : 0);
}

/* Bytes of a whole chunk, with this room for tokens. */
ISALK_INLINE size_t isalk_lz77_chunk(const struct lz77 *lz, const uint32_t *token,
                                     const uint32_t *token_end)
{
    size_t chunk = lz->state->offset == 0 ? LZ77_FIRST_CHUNK : LZ77_CHUNK;
    size_t room = (size_t) (token_end - token) - FIND_TOKENS_OVERRUN - FIND_TOKENS_CLEARED;

    chunk = chunk < room ? chunk : room;
    return chunk < lz->max_chunk ? chunk : lz->max_chunk;
}

/* Bytes of the next chunk, which ends with the available input. */
ISALK_INLINE size_t isalk_lz77_next_chunk(const struct lz77 *lz, const uint32_t *token,
                                          const uint32_t *token_end)
{
    size_t left = (size_t) (lz->end - lz->next), chunk = isalk_lz77_chunk(lz, token, token_end);

    return left < chunk ? left : chunk;
}

/* Returns whether a whole chunk and its lookahead are available. */
ISALK_INLINE int isalk_lz77_has_chunk(const struct lz77 *lz, const uint32_t *token,
                                      const uint32_t *token_end)
{
    return (size_t) (lz->end - lz->next) >= isalk_lz77_chunk(lz, token, token_end) + LZ77_LOOKAHEAD;
}

ISALK_HIDDEN_BEGIN

extern const struct parser isalk_parser_greedy, isalk_parser_lazy;
extern const struct parser isalk_parser_row16, isalk_parser_row32, isalk_parser_row64;
extern const struct parser isalk_parser_near;
extern const struct parser isalk_parser_literal, isalk_parser_run;

/* ---- hash_bytes.c ---- */

/* How many bytes to hash, judged by the first n bytes of the input. */
uint32_t isalk_lz77_hash_bytes(const uint8_t *p, size_t n, int is_short, int given_codes);

/* ---- hash_table.c ---- */

/* Empties the hash table, then inserts the dictionary, if there is one. With at most max_short
 * bytes of dictionary and input, the table gets fewer entries, which takes less time. max_short is
 * 0 if more input may follow. */
void isalk_lz77_prepare(struct lz77 *lz, size_t max_short);

/* log2 of the entries of a table for an input of this size: fewer than two entries a byte, and no
 * more than hash_bits says. */
uint32_t isalk_lz77_short_hash_bits(uint32_t hash_bits, uint32_t bytes);

/* Resets the search: nothing before `next` is referred to again. */
void isalk_lz77_reset(struct lz77_state *state);

/* Sets the hash table, its base and the window of a finder. Moves the base up if offsets would
 * not fit. */
void isalk_lz77_set_table(struct lz77 *lz, struct deflate_find *f);

/* Inserts n bytes from base on in a hash table, except for the last few, which cannot be hashed.
 * hash_bytes: 4 or 5. */
void isalk_lz77_insert(deflate_entry *head, uint32_t hash_bits, const uint8_t *base, uint32_t n,
                       uint32_t hash_bytes);

/* ---- hash_parser.c ---- */

/* Emits tokens for the bytes from f->next on, by the greedy or the lazy finder. Stops at
 * f->limit or, unless `to_limit`, less than a batch before it. Stops earlier if there is room
 * for fewer than LZ77_MIN_TOKEN_ROOM tokens. f->next may equal f->base. */
void isalk_lz77_find(struct deflate_find *f, deflate_find_fn *find, int to_limit);

/* ---- probe.c ---- */

/* Number of bytes from next on that look incompressible: whole pieces of LZ77_PROBE_BYTES, or all
 * to the limit. In each piece, 64 bytes are counted and a few positions are probed. The sample's
 * bytes and pairs are set only if all bytes to the limit look incompressible. */
size_t isalk_lz77_probe(const struct deflate_find *f, struct lz77_sample *sample);

/* Returns whether LZ77_PROBE_BYTES from p on may be random, judged by pairs of nearby bytes. If
 * not, a probe is not worth its time. */
int isalk_lz77_may_be_random(const uint8_t *p);

/* Counts pairs of equal bytes near each other at three places of n bytes, LZ77_PAIRS in all; 0 if
 * there are too few bytes. */
uint32_t isalk_lz77_near_pairs(const uint8_t *p, size_t n);

/* Returns whether level 0 searches one by one an input of n bytes, which nothing follows and
 * nothing but a dictionary precedes. It does if they are few, or so alike that matches leave few
 * positions to be searched. */
int isalk_lz77_is_tiny(const uint8_t *p, size_t n);

/* Adds a sample to others; returns whether all of them together still look incompressible. */
int isalk_lz77_add_sample(struct lz77_sample *all, const struct lz77_sample *more);

/* Inserts a few of the positions from next to the limit. */
void isalk_lz77_insert_sparse(const struct deflate_find *f);

/* For a parser that does not use the hash table: inserts a few positions of the next n bytes there,
 * for later probes. */
void isalk_lz77_begin_chunk(struct lz77 *lz, size_t n);

ISALK_HIDDEN_END

#endif
