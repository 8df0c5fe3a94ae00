/* Times the OpenSSL provider beside the default provider.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls are those of programs, through libcrypto. The two providers take turns, and the best of
 * several rounds counts. It prints the tables of doc/openssl.md. */

#define _POSIX_C_SOURCE 200809L /* getopt(), clock_gettime() */

#include "perf/provider_idle.h"

#include <openssl/async.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BOTH 2
#define MAX_BYTES 16384
#define MAX_GROWTH 128 /* IV, MAC and padding of a record */
#define MAX_JOBS 256
#define MAX_COUNTS 20 /* of jobs */
#define HEADER EVP_AEAD_TLS1_AAD_LEN
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* MULTI_BLOCK: RECORDS records in one call. */
enum direction { ENCRYPT, DECRYPT, DIGEST, RECORD, MULTI_BLOCK };
#define RECORDS 8

/* Rows of the table of single calls. */
static const struct row {
    const char *name;
    enum direction direction;
} single_rows[] = {
    {"AES-128-CBC", ENCRYPT},
    {"AES-128-CBC", DECRYPT},
    {"AES-256-CBC", ENCRYPT},
    {"AES-256-CBC", DECRYPT},
    {"AES-128-CTR", ENCRYPT},
    {"AES-256-CTR", ENCRYPT},
    {"AES-128-GCM", ENCRYPT},
    {"AES-256-GCM", ENCRYPT},
    {"AES-128-GCM", DECRYPT},
    {"AES-128-XTS", ENCRYPT},
    {"AES-256-XTS", ENCRYPT},
    {"AES-256-XTS", DECRYPT},
    {"MD5", DIGEST},
    {"SHA1", DIGEST},
    {"SHA256", DIGEST},
    {"SHA512", DIGEST},
    {"SM3", DIGEST},
    {"AES-128-CBC-HMAC-SHA1", MULTI_BLOCK},
    {"AES-128-CBC-HMAC-SHA256", MULTI_BLOCK},
};
/* The default provider cannot make multi-blocks of shorter records. */
#define MIN_MULTI_BLOCK 256
/* Algorithms of the tables of jobs. */
static const struct row job_rows[] = {
    {"AES-128-CBC", ENCRYPT},
    {"AES-256-CBC", ENCRYPT},
    {"AES-128-CBC-HMAC-SHA1", RECORD},
    {"AES-256-CBC-HMAC-SHA256", RECORD},
    {"MD5", DIGEST},
    {"SHA1", DIGEST},
    {"SHA256", DIGEST},
    {"SHA512", DIGEST},
};
static const char *const direction_names[] = {", encryption", ", decryption", "", ", records",
                                              ", 8 records at once"};
static const size_t sizes[] = {16, 64, 256, 1024, 8192, 16384};
static const size_t job_sizes[] = {1024, 4096, 16384};

static struct {
    int csv, rounds, idle;
    double seconds;            /* of one measurement */
    unsigned jobs[MAX_COUNTS]; /* how many; 0 after the last */
} options = {.rounds = 7, .seconds = 0.02};

/* One message at a time, with one provider. */
struct worker {
    const struct row *row;
    size_t bytes;
    EVP_CIPHER *cipher;
    EVP_MD *md;
    EVP_CIPHER_CTX *cipher_context;
    EVP_MD_CTX *md_context;
    uint8_t *buffer;
    ASYNC_JOB *job;
    ASYNC_WAIT_CTX *wait;
    unsigned long left; /* messages that its job has still to do */
};

_Noreturn static void fail(const char *what)
{
    fprintf(stderr, "provider_perf: %s\n", what);
    ERR_print_errors_fp(stderr);
    exit(1);
}

static int is_gcm(const struct worker *w)
{
    return w->cipher && EVP_CIPHER_get_mode(w->cipher) == EVP_CIPH_GCM_MODE;
}

/* ---- One message ---- */

static int record(struct worker *w)
{
    uint8_t header[HEADER] = {[8] = 23, [9] = 3, [10] = 2};
    const int n = (int) w->bytes + 16; /* TLS 1.1: with the explicit IV */
    int added, done = 0;

    header[11] = (uint8_t) (n >> 8);
    header[12] = (uint8_t) n;
    added = EVP_CIPHER_CTX_ctrl(w->cipher_context, EVP_CTRL_AEAD_TLS1_AAD, HEADER, header);
    return added > 0 &&
           EVP_EncryptUpdate(w->cipher_context, w->buffer, &done, w->buffer, n + added);
}

/* The text is in the last part of the buffer. */
static int multi_block(struct worker *w)
{
    uint8_t header[HEADER] = {[8] = 23, [9] = 3, [10] = 2};
    EVP_CTRL_TLS1_1_MULTIBLOCK_PARAM call = {NULL, header, RECORDS * w->bytes, RECORDS};

    if (EVP_CIPHER_CTX_ctrl(w->cipher_context, EVP_CTRL_TLS1_1_MULTIBLOCK_AAD, sizeof call,
                            &call) <= 0)
        return 0;
    call.out = w->buffer;
    call.inp = w->buffer + RECORDS * (MAX_BYTES + MAX_GROWTH);
    return EVP_CIPHER_CTX_ctrl(w->cipher_context, EVP_CTRL_TLS1_1_MULTIBLOCK_ENCRYPT, sizeof call,
                               &call) > 0;
}

static int message(struct worker *w)
{
    static const uint8_t iv[16], aad[HEADER];
    EVP_CIPHER_CTX *c = w->cipher_context;
    uint8_t digest[EVP_MAX_MD_SIZE];
    int n = 0, ok;

    if (w->row->direction == DIGEST)
        return EVP_DigestInit_ex2(w->md_context, w->md, NULL) &&
               EVP_DigestUpdate(w->md_context, w->buffer, w->bytes) &&
               EVP_DigestFinal_ex(w->md_context, digest, NULL);
    if (w->row->direction == RECORD)
        return record(w);
    if (w->row->direction == MULTI_BLOCK)
        return multi_block(w);
    ok = EVP_CipherInit_ex2(c, NULL, NULL, iv, -1, NULL);
    if (is_gcm(w))
        ok &= EVP_CipherUpdate(c, NULL, &n, aad, HEADER);
    ok &= EVP_CipherUpdate(c, w->buffer, &n, w->buffer, (int) w->bytes);
    if (is_gcm(w) && w->row->direction == ENCRYPT)
        ok &= EVP_CipherFinal_ex(c, digest, &n);
    return ok;
}

static void start_worker(struct worker *w, const struct row *row, const char *properties,
                         size_t bytes)
{
    static const uint8_t keys[64] = {[32] = 1}; /* XTS refuses equal halves */
    const uint8_t *key = keys + 17;

    memset(w, 0, sizeof *w);
    w->row = row;
    w->bytes = bytes;
    w->buffer = calloc(row->direction == MULTI_BLOCK ? 2 * RECORDS : 1, MAX_BYTES + MAX_GROWTH);
    w->wait = ASYNC_WAIT_CTX_new();
    w->md_context = EVP_MD_CTX_new();
    w->cipher_context = EVP_CIPHER_CTX_new();
    if (row->direction == DIGEST)
        w->md = EVP_MD_fetch(NULL, row->name, properties);
    else
        w->cipher = EVP_CIPHER_fetch(NULL, row->name, properties);
    if (!w->buffer || !w->wait || (!w->md && !w->cipher))
        fail(row->name);
    if (w->cipher && (!EVP_CipherInit_ex2(w->cipher_context, w->cipher, key, keys,
                                          row->direction != DECRYPT, NULL) ||
                      !EVP_CIPHER_CTX_set_padding(w->cipher_context, 0)))
        fail(row->name);
    if ((row->direction == RECORD || row->direction == MULTI_BLOCK) &&
        EVP_CIPHER_CTX_ctrl(w->cipher_context, EVP_CTRL_AEAD_SET_MAC_KEY, 20, (void *) w->buffer) !=
            1)
        fail(row->name);
}

static void end_worker(struct worker *w)
{
    EVP_CIPHER_CTX_free(w->cipher_context);
    EVP_MD_CTX_free(w->md_context);
    EVP_CIPHER_free(w->cipher);
    EVP_MD_free(w->md);
    ASYNC_WAIT_CTX_free(w->wait);
    free(w->buffer);
}

/* ---- Time ---- */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static void messages(struct worker *w, unsigned long n)
{
    while (n--)
        if (!message(w))
            fail(w->row->name);
}

static int job_function(void *argument)
{
    struct worker *w = *(struct worker **) argument;

    messages(w, w->left);
    return 1;
}

/* Each worker does n messages in a job. */
static void run_jobs(struct worker *workers, unsigned jobs, unsigned long n)
{
    unsigned left = jobs;

    for (unsigned i = 0; i < jobs; i++)
        workers[i].left = n;
    while (left)
        for (unsigned i = 0; i < jobs; i++) {
            struct worker *w = &workers[i];
            int answer = 0, status;

            if (!w->left)
                continue;
            status = ASYNC_start_job(&w->job, w->wait, &answer, job_function, &w, sizeof(void *));
            if (status == ASYNC_FINISH && answer == 1) {
                w->left = 0;
                left--;
            } else if (status != ASYNC_PAUSE) {
                fail("a job");
            }
        }
}

/* Seconds that n messages of each worker take; jobs 0: of the first, outside of a job. */
static double time_of(struct worker *workers, unsigned jobs, unsigned long n)
{
    double start = now();

    if (jobs)
        run_jobs(workers, jobs, n);
    else
        messages(workers, n);
    return now() - start;
}

/* Measures MB/s of both providers. */
static void measure(const struct row *row, size_t bytes, unsigned jobs, double mb_per_s[BOTH])
{
    const char *const properties[BOTH] = {"provider=default",
                                          options.idle ? "provider=idle" : "provider=isal"};
    static struct worker workers[BOTH][MAX_JOBS];
    const unsigned count = jobs ? jobs : 1;
    double best[BOTH] = {1e9, 1e9};
    unsigned long n[BOTH];

    for (int p = 0; p < BOTH; p++) {
        for (unsigned i = 0; i < count; i++)
            start_worker(&workers[p][i], row, properties[p], bytes);
        n[p] = 1;
        for (double t = 0; t < options.seconds && n[p] < 1u << 30; n[p] *= 2)
            t = 2 * time_of(workers[p], jobs, n[p]);
    }
    for (int round = 0; round < options.rounds; round++)
        for (int p = 0; p < BOTH; p++) {
            double t = time_of(workers[p], jobs, n[p]) / (double) n[p];
            best[p] = t < best[p] ? t : best[p];
        }
    for (int p = 0; p < BOTH; p++) {
        mb_per_s[p] = 1e-6 * (double) bytes * count / best[p];
        if (row->direction == MULTI_BLOCK)
            mb_per_s[p] *= RECORDS;
        for (unsigned i = 0; i < count; i++)
            end_worker(&workers[p][i]);
    }
}

/* ---- Tables ---- */

static void print_csv(const struct row *row, size_t bytes, unsigned jobs, const double mb[BOTH])
{
    const char *what = row->direction == DECRYPT       ? " decryption"
                       : row->direction == MULTI_BLOCK ? " 8 records"
                                                       : "";

    printf("%s%s,%zu,%u,%.1f,%.1f\n", row->name, what, bytes, jobs, mb[0], mb[1]);
    fflush(stdout);
}

static void single_row(const struct row *row)
{
    double mb[BOTH];

    if (!options.csv)
        printf("| %s%s |", row->name, direction_names[row->direction]);
    for (size_t s = 0; s < COUNT(sizes); s++) {
        if (row->direction == MULTI_BLOCK && sizes[s] < MIN_MULTI_BLOCK) {
            if (!options.csv)
                printf(" |");
            continue;
        }
        measure(row, sizes[s], 0, mb);
        if (options.csv)
            print_csv(row, sizes[s], 0, mb);
        else
            printf(" %.2f |", mb[1] / mb[0]);
        fflush(stdout);
    }
    if (!options.csv)
        printf("\n");
}

/* MB/s of the default provider and of this one, for each size. */
static void job_row(const struct row *row)
{
    for (size_t j = 0; options.jobs[j]; j++) {
        if (!options.csv)
            printf("| %s%s, %u jobs |", row->name, direction_names[row->direction],
                   options.jobs[j]);
        for (size_t s = 0; s < COUNT(job_sizes); s++) {
            double mb[BOTH];

            measure(row, job_sizes[s], options.jobs[j], mb);
            if (options.csv)
                print_csv(row, job_sizes[s], options.jobs[j], mb);
            else
                printf(" %.0f | %.0f | %.2f |", mb[0], mb[1], mb[1] / mb[0]);
            fflush(stdout);
        }
        if (!options.csv)
            printf("\n");
    }
}

static void heading(int jobs)
{
    if (options.csv)
        printf("algorithm,bytes,jobs,default_mb_per_s,isal_mb_per_s\n");
    else if (jobs)
        printf("| | 1 KB, default | this one | gain | 4 KB, default | this one | gain "
               "| 16 KB, default | this one | gain |\n"
               "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    else
        printf("| | 16 B | 64 B | 256 B | 1 KB | 8 KB | 16 KB |\n"
               "| --- | --- | --- | --- | --- | --- | --- |\n");
}

static int is_wanted(const struct row *row, char **names)
{
    int wanted = !*names;

    for (; *names; names++)
        wanted |= !strcmp(row->name, *names);
    return wanted;
}

static const char usage[] =
    "Usage: OPENSSL_CONF=isal.cnf provider_perf [-ci] [-j JOBS,...] [-n ROUNDS] [-t SECONDS]\n"
    "           [ALGORITHM...]\n"
    "Times the provider isal beside OpenSSL's default provider: the speed of single calls, "
    "relative\n"
    "to the default provider. The configuration must activate both, isal with algorithms = ALL.\n\n"
    "  -c  print MB/s as comma-separated values\n"
    "  -i  in place of isal, a provider that only pauses jobs: a bound on the speed of jobs\n"
    "      (AES-128-CBC and AES-128-CBC-HMAC-SHA1)\n"
    "  -j  MB/s of so many asynchronous jobs\n"
    "  -n  rounds, of which the best counts (default 7)\n"
    "  -t  seconds of a measurement in one round (default 0.02)\n";

/* Reads numbers of jobs. Returns whether they are valid. */
static int parse_jobs(const char *text)
{
    for (size_t i = 0; i + 1 < MAX_COUNTS; i++) {
        char *end;
        unsigned long n = strtoul(text, &end, 10);

        if (end == text || n < 1 || n > MAX_JOBS)
            return 0;
        options.jobs[i] = (unsigned) n;
        if (*end != ',')
            return !*end;
        text = end + 1;
    }
    return 0;
}

static int parse_options(int argc, char **argv)
{
    int option;

    while ((option = getopt(argc, argv, "cij:n:t:")) != -1)
        if (option == 'c')
            options.csv = 1;
        else if (option == 'i')
            options.idle = 1;
        else if (option == 'n')
            options.rounds = atoi(optarg);
        else if (option == 't')
            options.seconds = atof(optarg);
        else if (option != 'j' || !parse_jobs(optarg))
            return 0;
    return options.rounds > 0;
}

int main(int argc, char **argv)
{
    if (!parse_options(argc, argv) || !OSSL_PROVIDER_available(NULL, "isal") ||
        !OSSL_PROVIDER_available(NULL, "default")) {
        fputs(usage, stderr);
        return 2;
    }
    if (options.idle && (!OSSL_PROVIDER_add_builtin(NULL, "idle", idle_provider_init) ||
                         !OSSL_PROVIDER_load(NULL, "idle")))
        fail("the idle provider");
    heading(options.jobs[0] != 0);
    for (size_t i = 0; i < (options.jobs[0] ? COUNT(job_rows) : COUNT(single_rows)); i++) {
        const struct row *row = options.jobs[0] ? &job_rows[i] : &single_rows[i];

        if (!is_wanted(row, argv + optind))
            continue;
        if (options.jobs[0])
            job_row(row);
        else
            single_row(row);
    }
    return 0;
}
