/* The benchmark harness: what a family describes, and what it may call.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A family is one file: a table of operations and a struct perf_family, whose name is in
 * dispatch/families.h. The harness supplies options, buffers, threads, timing, the limit,
 * comparison and output. */

#ifndef PERF_H
#define PERF_H

#include "dispatch/kernel.h"

/* Any function; cast to its own type before the call. */
typedef void (*perf_fn)(void);

#define PERF_SETTINGS 2 /* most options that a family may add */

/* A file whose bytes are the contents of the buffers. */
struct perf_file {
    const char *name;
    uint8_t *bytes;
    size_t size;
};

/* One measurement to take: an operation on buffers of one size in one shape. */
struct perf_case {
    const struct perf_family *family;
    const struct perf_op *op;
    int k, p;                     /* the two numbers of the shape, such as 10+4 */
    size_t size;                  /* bytes in a buffer; 0 for an operation without a size */
    int cold;                     /* each call uses buffers that are in no cache */
    int setting[PERF_SETTINGS];   /* number of the choice made for each of the family's options */
    size_t record;                /* bytes that are compressed alone; 0: the whole buffer */
    const struct perf_file *file; /* of size bytes or a few more, or NULL */
    int random;                   /* the contents are generated */
};

/* Kinds of instructions whose throughput sets the limit. LOGIC stands for all vector ports: the
 * other simple vector instructions, up to AES, use them too, but are counted only in their own
 * kind. */
#define PERF_PORTS(X)                                                        \
    X(LOGIC, "logic")                                                        \
    X(ADD, "add")                                                            \
    X(SHIFT, "shift") /* or rotation, where vectors have it */               \
    X(SHUFFLE, "shuffle")                                                    \
    X(SAD, "sad") /* sum of absolute differences */                          \
    X(AFFINE, "affine")                                                      \
    X(CLMUL, "clmul")                                                        \
    X(AES, "aes")                                                            \
    X(FOLD, "fold") /* products of a vector, 16 bytes each, and a shuffle */ \
    X(SHA1, "sha1")                                                          \
    X(SHA256, "sha256")                                                      \
    X(LOAD, "load")                                                          \
    X(STORE, "store")                                                        \
    X(CRC32, "crc32")                                                        \
    X(ISSUE, "issue") /* of any uops */

enum perf_port {
#define X(id, name) PORT_##id,
    PERF_PORTS(X)
#undef X
        PORT_COUNT
};

/* Instructions whose latency makes a limit. */
enum perf_chain { CHAIN_AES, CHAIN_SHA1, CHAIN_SHA256, CHAIN_COUNT };

/* The work of one call. */
struct perf_work {
    unsigned buffers;        /* in one set */
    size_t buffer_size;      /* bytes in each */
    double bytes;            /* that GB/s counts */
    double read, written;    /* bytes moved from and to memory when nothing is in cache */
    unsigned width;          /* bytes in the vectors that uops counts; 0: no formula */
    unsigned fold_width;     /* the same for PORT_FOLD */
    double uops[PORT_COUNT]; /* fewest that the algorithm needs */
    double cycles;           /* fewest cycles for another reason, such as a serial chain */
};

struct library;

/* A function to time: this library's, or another library's. */
struct perf_impl {
    const struct perf_op *op; /* of the family, or the peer's own */
    perf_fn fn;
    struct library *library;     /* NULL: this one */
    const char *variant;         /* its name, "default", or the end of the other library's symbol */
    int level;                   /* of compression, where the family has levels */
    int bound_to_isa;            /* a function for one instruction set */
    const struct kernel *kernel; /* of op; NULL if it has none */
    const struct variant
        *row;       /* of kernel, to run under a cap at its tier; NULL: as at load time */
    enum tier tier; /* whose limit applies */
};

/* An implementation at work on one thread's buffers. */
struct perf_run {
    const struct perf_case *c;
    const struct perf_impl *impl;
    void *state;    /* from the operation's prepare() */
    uint8_t **sets; /* pointers to the buffers of all sets, one set after the other */
    size_t buffers, count, next, step;
    size_t made; /* set by run(): bytes that a call produced, where that varies */
};

struct perf_op {
    const char *name;   /* the public function, which another library may have too */
    perf_fn built_in;   /* this library's function; NULL for a peer's operation */
    const char *symbol; /* what a peer calls it; NULL: the same */
    const char *kernel; /* kernel whose variants it runs; NULL: the one of the same name, if any */
    unsigned shape;     /* numbers of the shape that it uses: 0, 1 or 2 */
    unsigned multiple;  /* sizes are rounded down to a multiple; 0: it has no size */
    void (*work)(const struct perf_case *c, enum tier tier, struct perf_work *w); /* w is zeroed */
    void (*fill)(const struct perf_case *c, uint8_t **set); /* after random bytes; may be NULL */
    void *(*prepare)(const struct perf_run *r);             /* malloc'ed state; may be NULL */
    int any_buffers; /* the state does not depend on the buffers: files in rotation share it */
    void (*run)(struct perf_run *r, size_t n); /* n calls, each on perf_next(r) */
    /* Whether the first call on the first set was right. NULL: implementations of the same
     * interface must leave the same bytes. */
    int (*check)(const struct perf_run *r);
};

/* Levels that a library has; both 0 where there are none. */
struct perf_levels {
    int first, last;
};

/* Another library that does the same work. */
struct perf_peer {
    const char *name, *file;
    const struct perf_op *ops; /* how to call it, under the names of the family's operations; NULL:
                                * it has this library's interface */
    unsigned op_count;
    struct perf_levels levels;
};

struct perf_family {
    const char *name, *title;
    const struct perf_op *ops;
    unsigned op_count;
    const char *counted; /* what bytes GB/s counts */
    const char *shape;   /* meaning of the shape; NULL: the family has none */
    const char *default_op, *default_shape, *default_size;
    int (*shape_ok)(int k, int p);
    struct {
        const char *name, *choices; /* comma-separated; the first one is the default */
    } settings[PERF_SETTINGS];      /* the family's options; the names of unused ones are NULL */
    int records;                    /* --record makes sense */
    struct perf_levels levels;
    struct {
        const char *symbol;
        struct perf_levels levels;
    } older; /* levels of libraries of the same interface that lack `symbol`; NULL: no such case */
    const char *default_level; /* list; each library does those that it has */
    const struct perf_peer *peers;
    unsigned peer_count;
};

/* Bytes in the record that begins `at` bytes into a buffer. */
static inline size_t perf_record(const struct perf_case *c, size_t at)
{
    return c->record && c->record < c->size - at ? c->record : c->size - at;
}

/* The buffers of the next call. */
static inline uint8_t **perf_next(struct perf_run *r)
{
    uint8_t **set = r->sets + r->next * r->buffers;

    r->next += r->step;
    if (r->next >= r->count)
        r->next -= r->count;
    return set;
}

/* A function of the library that r runs, for preparation: the one that the family lists under this
 * name or the other library's symbol. NULL if there is none. */
perf_fn perf_symbol(const struct perf_run *r, const char *name);

/* The same for a function that the family does not list: built_in is this library's, NULL if only
 * peers have it. The program ends if there is none. */
perf_fn perf_need(const struct perf_run *r, const char *name, perf_fn built_in);

/* Vector width of a tier in bytes, 0 for base, and other properties that formulas need. */
unsigned perf_width(enum tier tier);
static inline int perf_has_gfni(enum tier tier)
{
    return tier == T_AVX2_V || tier == T_AVX512_V;
}
static inline int perf_has_ternlog(enum tier tier)
{
    return tier == T_AVX512 || tier == T_AVX512_V;
}

/* Instructions of a kind in a cycle, on vectors of that width; latency in cycles. Both are measured
 * at the first call, and 0 where this CPU cannot run them. */
double perf_rate(enum perf_port port, unsigned width);
double perf_latency(enum perf_chain chain);

/* Cycles of a call that is a chain of `cycles` cycles and has `uops` uops. A short call overlaps
 * with the following ones, as far as the reorder buffer reaches: at most 512 uops on current
 * cores. */
static inline double perf_chain_cycles(double cycles, double uops)
{
    const double ahead = 512;

    return cycles * uops / (uops + ahead);
}

/* Vector uops to hash a block in every lane: additions; total and shifts with vpternlog and
 * rotations (evex), and without (vex). Loading and transposing the message is not included. */
struct perf_hash {
    double add, evex, evex_shift, vex, vex_shift;
};
extern const struct perf_hash perf_sha1, perf_sha256;

/* The vector uops of `blocks` such blocks, each loaded with `loads` more. */
static inline void perf_count_blocks(double blocks, enum tier tier, const struct perf_hash *hash,
                                     double loads, struct perf_work *w)
{
    int evex = perf_has_ternlog(tier);
    double shifts = evex ? hash->evex_shift : hash->vex_shift;

    w->uops[PORT_ADD] = blocks * hash->add;
    w->uops[PORT_SHIFT] = blocks * shifts;
    w->uops[PORT_LOGIC] = blocks * ((evex ? hash->evex : hash->vex) - hash->add - shifts + loads);
}

/* The work of reading one buffer, without uops. */
static inline void perf_reads(const struct perf_case *c, enum tier tier, struct perf_work *w)
{
    w->buffers = 1;
    w->buffer_size = c->size;
    w->bytes = w->read = (double) c->size;
    w->width = perf_width(tier);
}

/* For operations of OpenSSL with the symbol EVP_DigestFinal_ex. Their prepare() calls the first,
 * with the name of a digest. The second is their run(), which hashes each buffer of a set. */
void *openssl_digest_prepare(const struct perf_run *r, const char *name);
void openssl_digest_run(struct perf_run *r, size_t n);

/* Ends the program with a message. */
_Noreturn void perf_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
void *perf_alloc(size_t count, size_t size);

#endif
