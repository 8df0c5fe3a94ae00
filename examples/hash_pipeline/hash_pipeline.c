/* hash_pipeline: producer threads fill chunks, one consumer thread hashes them many at a time.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The consumer submits each chunk as a message, and the manager returns chunks in any order as its
 * lanes finish. The consumer flushes only when no chunk is waiting: only then would lanes stay
 * free. */

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <isa-l_crypto.h>

/* ---- The hashes, as the consumer calls them ---- */

struct hash {
    const char *name;
    size_t manager_size, context_size;
    void (*init_context)(void *context);
    int (*init)(void *manager);
    int (*submit)(void *manager, void *context, void **out, const void *data, uint32_t len);
    int (*flush)(void *manager, void **out);
};

#define HASH_FUNCTIONS(hash, NAME)                                                              \
    static void hash##_init_context(void *context)                                              \
    {                                                                                           \
        isal_hash_ctx_init((ISAL_##NAME##_HASH_CTX *) context);                                 \
    }                                                                                           \
    static int hash##_init(void *manager)                                                       \
    {                                                                                           \
        return isal_##hash##_ctx_mgr_init(manager);                                             \
    }                                                                                           \
    static int hash##_submit(void *manager, void *context, void **out, const void *data,        \
                             uint32_t len)                                                      \
    {                                                                                           \
        ISAL_##NAME##_HASH_CTX *done;                                                           \
        int error =                                                                             \
            isal_##hash##_ctx_mgr_submit(manager, context, &done, data, len, ISAL_HASH_ENTIRE); \
        *out = done;                                                                            \
        return error;                                                                           \
    }                                                                                           \
    static int hash##_flush(void *manager, void **out)                                          \
    {                                                                                           \
        ISAL_##NAME##_HASH_CTX *done;                                                           \
        int error = isal_##hash##_ctx_mgr_flush(manager, &done);                                \
        *out = done;                                                                            \
        return error;                                                                           \
    }
#define HASH(hash, NAME)                                                           \
    {                                                                              \
#hash, sizeof(ISAL_##NAME##_HASH_CTX_MGR), sizeof(ISAL_##NAME##_HASH_CTX), \
            hash##_init_context, hash##_init, hash##_submit, hash##_flush          \
    }

HASH_FUNCTIONS(md5, MD5)
HASH_FUNCTIONS(sha1, SHA1)
HASH_FUNCTIONS(sha256, SHA256)
HASH_FUNCTIONS(sha512, SHA512)
HASH_FUNCTIONS(sm3, SM3)

static const struct hash hashes[] = {HASH(md5, MD5), HASH(sha1, SHA1), HASH(sha256, SHA256),
                                     HASH(sha512, SHA512), HASH(sm3, SM3)};

/* ---- Chunks, and the two lists that they move between ---- */

#define SPARE_CHUNKS 96 /* three times as many as any manager holds */

struct chunk {
    struct chunk *next;
    void *context;
    uint8_t *data;
    size_t len;
};

struct list {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    struct chunk *first, **last;
    int closed; /* no chunk will follow */
};

static struct options {
    const struct hash *hash;
    unsigned producers;
    uint64_t chunk_size, total_size, speed;
} options;

static struct list empty_chunks, full_chunks;
static pthread_mutex_t work_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t work_given; /* bytes assigned to producers */
static unsigned producers_left;

_Noreturn static void fail(const char *what)
{
    fprintf(stderr, "hash_pipeline: %s\n", what);
    exit(1);
}

static void list_init(struct list *list)
{
    pthread_mutex_init(&list->lock, NULL);
    pthread_cond_init(&list->filled, NULL);
    list->last = &list->first;
}

static void push_chunk(struct list *list, struct chunk *chunk)
{
    pthread_mutex_lock(&list->lock);
    chunk->next = NULL;
    *list->last = chunk;
    list->last = &chunk->next;
    pthread_cond_signal(&list->filled);
    pthread_mutex_unlock(&list->lock);
}

static void close_list(struct list *list)
{
    pthread_mutex_lock(&list->lock);
    list->closed = 1;
    pthread_cond_broadcast(&list->filled);
    pthread_mutex_unlock(&list->lock);
}

/* Returns the next chunk. If the list is empty: waits if `wait`, and returns NULL otherwise or when
 * the list is closed. */
static struct chunk *pop_chunk(struct list *list, int wait)
{
    struct chunk *chunk;

    pthread_mutex_lock(&list->lock);
    while (!list->first && wait && !list->closed)
        pthread_cond_wait(&list->filled, &list->lock);
    chunk = list->first;
    if (chunk) {
        list->first = chunk->next;
        if (!list->first)
            list->last = &list->first;
    }
    pthread_mutex_unlock(&list->lock);
    return chunk;
}

static double seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* ---- Producers ---- */

static void *produce(void *arg)
{
    uint64_t x = 0x9e3779b97f4a7c15 ^ (uint64_t) (uintptr_t) arg, made = 0;
    double start = seconds(CLOCK_MONOTONIC);

    for (;;) {
        struct chunk *chunk;
        uint64_t n;

        pthread_mutex_lock(&work_lock);
        n = options.total_size - work_given;
        n = n < options.chunk_size ? n : options.chunk_size;
        work_given += n;
        pthread_mutex_unlock(&work_lock);
        if (n == 0)
            break;
        chunk = pop_chunk(&empty_chunks, 1);
        chunk->len = (size_t) n;
        for (size_t i = 0; i + 8 <= n; i += 8) { /* in place of reading or receiving data */
            x = x << 7 ^ x >> 9 ^ i;
            memcpy(chunk->data + i, &x, 8);
        }
        push_chunk(&full_chunks, chunk);
        made += n;
        if (options.speed) {
            double ahead =
                (double) made / (1e6 * (double) options.speed) - (seconds(CLOCK_MONOTONIC) - start);
            struct timespec t = {(time_t) ahead, (long) ((ahead - (double) (time_t) ahead) * 1e9)};
            if (ahead > 0)
                nanosleep(&t, NULL);
        }
    }
    pthread_mutex_lock(&work_lock);
    if (--producers_left == 0)
        close_list(&full_chunks);
    pthread_mutex_unlock(&work_lock);
    return NULL;
}

/* ---- The consumer ---- */

static void show_progress(uint64_t done)
{
    static int shown = -1;
    int percent = (int) ((double) done * 100 / (double) options.total_size);

    if (percent != shown && isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r%3d %%%s", shown = percent, done == options.total_size ? "\n" : "");
        fflush(stderr);
    }
}

/* Hashes all chunks. Returns the number of bytes. */
static uint64_t consume(void *manager, struct chunk *chunks, size_t count)
{
    const struct hash *h = options.hash;
    uint64_t done = 0;
    size_t held = 0;

    for (;;) {
        struct chunk *chunk = pop_chunk(&full_chunks, held == 0);
        void *context;
        int error;

        if (chunk) {
            held++;
            error =
                h->submit(manager, chunk->context, &context, chunk->data, (uint32_t) chunk->len);
        } else if (held) {
            error = h->flush(manager, &context);
        } else {
            return done;
        }
        if (error)
            fail("the library refused a chunk");
        if (!context)
            continue;
        chunk = &chunks[(size_t) ((uint8_t *) context - (uint8_t *) chunks[0].context) /
                        h->context_size];
        if (chunk >= chunks + count || chunk->context != context)
            fail("the library returned an unknown chunk");
        held--;
        done += chunk->len;
        push_chunk(&empty_chunks, chunk);
        show_progress(done);
    }
}

/* ---- The program ---- */

static void print_help(void)
{
    fputs(
        "Usage: hash_pipeline [OPTION]...\n"
        "Producer threads fill chunks; one consumer thread hashes them, many at a time.\n\n"
        "  --producers N     producer threads (default 2)\n"
        "  --hash NAME       md5, sha1, sha256 (default), sha512 or sm3\n"
        "  --chunk-size SIZE bytes in a chunk, which is one message (default 64K)\n"
        "  --total-size SIZE total number of bytes (default 1G)\n"
        "  --speed N         limit each producer to N MB per second (default 0: no limit)\n"
        "  -h, --help        print this help\n"
        "  -V, --version     print the version\n\n"
        "SIZE may end in K, M or G (powers of 1024). Exit status: 0, 1 on a failure, 2 on a usage\n"
        "error.\n",
        stdout);
}

_Noreturn static void misuse(const char *message, const char *detail)
{
    fprintf(stderr, "hash_pipeline: %s%s; see hash_pipeline --help\n", message, detail);
    exit(2);
}

/* Parses a number from min to max with an optional suffix. */
static uint64_t parse(const char *name, const char *text, uint64_t min, uint64_t max)
{
    char *end;
    unsigned shift = 0;
    uint64_t value;

    errno = 0;
    value = strtoull(text, &end, 10);
    if (end > text && strchr("KMG", *end) && *end)
        shift = *end == 'K' ? 10 : *end == 'M' ? 20 : 30, end++;
    if (errno || end == text || *end || *text == '-' || value > max >> shift ||
        value << shift < min) {
        fprintf(stderr,
                "hash_pipeline: --%s: '%s' is not a number from %" PRIu64 " to %" PRIu64 "\n", name,
                text, min, max);
        exit(2);
    }
    return value << shift;
}

static const struct hash *find_hash(const char *name)
{
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++)
        if (!strcmp(hashes[i].name, name))
            return &hashes[i];
    misuse("unknown hash ", name);
}

static void parse_options(int argc, char **argv)
{
    static const struct option known[] = {
        {"producers", required_argument, NULL, 'p'},  {"hash", required_argument, NULL, 'a'},
        {"chunk-size", required_argument, NULL, 'c'}, {"total-size", required_argument, NULL, 't'},
        {"speed", required_argument, NULL, 's'},      {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},          {NULL, 0, NULL, 0}};
    int option;

    options = (struct options){find_hash("sha256"), 2, 64 << 10, 1 << 30, 0};
    opterr = 0;
    while ((option = getopt_long(argc, argv, "hV", known, NULL)) != -1) {
        switch (option) {
        case 'p':
            options.producers = (unsigned) parse("producers", optarg, 1, 256);
            break;
        case 'a':
            options.hash = find_hash(optarg);
            break;
        case 'c':
            options.chunk_size = parse("chunk-size", optarg, 1, 1 << 30);
            break;
        case 't':
            options.total_size = parse("total-size", optarg, 1, (uint64_t) 1 << 60);
            break;
        case 's':
            options.speed = parse("speed", optarg, 0, 1000000);
            break;
        case 'h':
            print_help();
            exit(0);
        case 'V':
            printf("hash_pipeline (isa-l_crypto) %s\n", isal_crypto_get_version_str());
            exit(0);
        default:
            misuse("invalid option ", argv[optind - 1]);
        }
    }
    if (optind < argc)
        misuse("unexpected argument ", argv[optind]);
}

/* Memory aligned to 64 bytes, as contexts are declared. */
static void *allocate(size_t n)
{
    void *p = NULL;

    if (posix_memalign(&p, 64, n))
        fail("out of memory");
    memset(p, 0, n);
    return p;
}

int main(int argc, char **argv)
{
    pthread_t threads[256];
    struct chunk *chunks;
    uint8_t *contexts, *data;
    void *manager;
    uint64_t hashed;
    size_t count;
    double start, elapsed, busy;

    parse_options(argc, argv);
    count = SPARE_CHUNKS + options.producers;
    if (options.chunk_size > SIZE_MAX / count)
        fail("out of memory");
    chunks = allocate(count * sizeof *chunks);
    contexts = allocate(count * options.hash->context_size);
    data = allocate(count * (size_t) options.chunk_size);
    manager = allocate(options.hash->manager_size);
    options.hash->init(manager);
    list_init(&empty_chunks);
    list_init(&full_chunks);
    for (size_t i = 0; i < count; i++) {
        chunks[i].context = contexts + i * options.hash->context_size;
        chunks[i].data = data + i * (size_t) options.chunk_size;
        options.hash->init_context(chunks[i].context);
        push_chunk(&empty_chunks, &chunks[i]);
    }

    start = seconds(CLOCK_MONOTONIC);
    busy = seconds(CLOCK_THREAD_CPUTIME_ID);
    producers_left = options.producers;
    for (unsigned i = 0; i < options.producers; i++)
        if (pthread_create(&threads[i], NULL, produce, (void *) (uintptr_t) (i + 1)))
            fail("cannot start a thread");
    hashed = consume(manager, chunks, count);
    elapsed = seconds(CLOCK_MONOTONIC) - start;
    busy = seconds(CLOCK_THREAD_CPUTIME_ID) - busy;
    for (unsigned i = 0; i < options.producers; i++)
        pthread_join(threads[i], NULL);
    if (hashed != options.total_size)
        fail("some chunks were lost");

    printf("hash                   %s\n", options.hash->name);
    printf("elapsed time           %.3f s\n", elapsed);
    printf("consumer thread usage  %.1f %%\n", 100 * busy / elapsed);
    printf("hash speed             %.1f MB/s, %.1f MiB/s\n", (double) hashed / elapsed / 1e6,
           (double) hashed / elapsed / (1 << 20));
    free(manager);
    free(data);
    free(contexts);
    free(chunks);
    return 0;
}
