/* Hashes and CBC encryption of the OpenSSL provider inside of asynchronous jobs.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "provider_test.h"

#include <openssl/async.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <time.h>

#define MAX_JOBS 70
#define MAX_BYTES 20000
static uint8_t data[MAX_BYTES];
static const char *const names[] = {"MD5",         "SHA1",        "SHA2-224", "SHA2-256",
                                    "SHA2-384",    "SHA2-512",    "SM3",      "AES-128-CBC",
                                    "AES-192-CBC", "AES-256-CBC",
                                    "AES-128-CBC-HMAC-SHA1",
                                    "AES-256-CBC-HMAC-SHA1",
                                    "AES-128-CBC-HMAC-SHA256",
                                    "AES-256-CBC-HMAC-SHA256"};
/* Ciphers follow the digests, then ciphers of records. */
#define DIGESTS 7
#define FIRST_RECORD 10
#define ALGORITHMS 14
static EVP_MD *digests[BOTH][DIGESTS];
static EVP_CIPHER *ciphers[BOTH][ALGORITHMS];

/* A message in a job. */
struct message {
    EVP_MD_CTX *context;
    EVP_CIPHER_CTX *cipher;
    int algorithm;
    size_t bytes, pieces;
    uint8_t key[48]; /* and IV */
    uint8_t *out, *expected;
    int out_bytes;
    ASYNC_JOB *job;
    ASYNC_WAIT_CTX *wait;
    int answer, finished, called;
    unsigned pauses;
};

static size_t piece_bytes(const struct message *m, size_t i)
{
    size_t piece = m->bytes / m->pieces;

    return i + 1 < m->pieces ? piece : m->bytes - i * piece;
}

static int hash(EVP_MD *md, struct message *m, uint8_t *out)
{
    int ok = EVP_DigestInit_ex2(m->context, md, NULL);

    for (size_t i = 0, at = 0; ok && i < m->pieces; at += piece_bytes(m, i++))
        ok = EVP_DigestUpdate(m->context, data + at, piece_bytes(m, i));
    m->out_bytes = EVP_MD_get_size(md);
    return ok && EVP_DigestFinal_ex(m->context, out, NULL);
}

static int encrypt(EVP_CIPHER *cipher, struct message *m, uint8_t *out)
{
    int ok = EVP_EncryptInit_ex2(m->cipher, cipher, m->key + 16, m->key, NULL), n = 0, done = 0;

    for (size_t i = 0, at = 0; ok && i < m->pieces; at += piece_bytes(m, i++)) {
        ok = EVP_EncryptUpdate(m->cipher, out + done, &n, data + at, (int) piece_bytes(m, i));
        done += n;
    }
    ok = ok && EVP_EncryptFinal_ex(m->cipher, out + done, &n);
    m->out_bytes = done + n;
    return ok;
}

/* Each piece is a TLS 1.0 record. */
static int encrypt_records(EVP_CIPHER *cipher, struct message *m, uint8_t *out)
{
    uint8_t header[13] = {0, 0, 0, 0, 0, 0, 0, 1, 23, 3, 1};
    int ok = EVP_EncryptInit_ex2(m->cipher, cipher, m->key + 16, m->key, NULL) &&
             EVP_CIPHER_CTX_ctrl(m->cipher, EVP_CTRL_AEAD_SET_MAC_KEY, 20, m->key) == 1;
    int n = 0, done = 0;

    for (size_t i = 0, at = 0; ok && i < m->pieces; at += piece_bytes(m, i++)) {
        size_t bytes = piece_bytes(m, i);
        int added;

        header[11] = (uint8_t) (bytes >> 8);
        header[12] = (uint8_t) bytes;
        added = EVP_CIPHER_CTX_ctrl(m->cipher, EVP_CTRL_AEAD_TLS1_AAD, 13, header);
        memcpy(out + done, data + at, bytes);
        ok = added > 0 && EVP_EncryptUpdate(m->cipher, out + done, &n, out + done,
                                            (int) bytes + added);
        done += n;
    }
    m->out_bytes = done;
    return ok;
}

/* Hashes or encrypts with one of the two providers. */
static int work(int provider, struct message *m, uint8_t *out)
{
    return m->algorithm < DIGESTS        ? hash(digests[provider][m->algorithm], m, out)
           : m->algorithm < FIRST_RECORD ? encrypt(ciphers[provider][m->algorithm], m, out)
                                         : encrypt_records(ciphers[provider][m->algorithm], m, out);
}

static void start_message(struct message *m, int algorithm, size_t bytes, size_t pieces)
{
    memset(m, 0, sizeof *m);
    m->algorithm = algorithm;
    m->bytes = bytes;
    m->pieces = pieces;
    m->context = EVP_MD_CTX_new();
    m->cipher = EVP_CIPHER_CTX_new();
    m->wait = ASYNC_WAIT_CTX_new();
    m->out = test_alloc(MAX_BYTES + 200);
    m->expected = test_alloc(MAX_BYTES + 200);
    test_fill_random(m->key, sizeof m->key);
    EXPECT(work(0, m, m->expected), "%s of the default provider", names[algorithm]);
}

static void free_contexts(struct message *m)
{
    EVP_MD_CTX_free(m->context);
    EVP_CIPHER_CTX_free(m->cipher);
    m->context = NULL;
    m->cipher = NULL;
}

static void end_message(struct message *m)
{
    free_contexts(m);
    free(m->out);
    free(m->expected);
    ASYNC_WAIT_CTX_free(m->wait);
}

static int job_function(void *argument)
{
    struct message *m = *(struct message **) argument;

    return work(1, m, m->out);
}

/* Starts or resumes a job. */
static void run_job(struct message *m)
{
    int status = ASYNC_start_job(&m->job, m->wait, &m->answer, job_function, &m, sizeof m);

    if (status == ASYNC_PAUSE)
        m->pauses++;
    else
        m->finished = 1;
    EXPECT(status == ASYNC_PAUSE || status == ASYNC_FINISH, "status %d", status);
}

static void check_message(const struct message *m)
{
    EXPECT(m->answer == 1, "%s of %zu bytes fails", names[m->algorithm], m->bytes);
    EXPECT(!memcmp(m->out, m->expected, (size_t) m->out_bytes), "%s of %zu bytes",
           names[m->algorithm], m->bytes);
}

/* Returns whether the job may be resumed within a second. */
static int is_ready(const struct message *m)
{
    OSSL_ASYNC_FD fd;
    size_t n = 1;
    struct pollfd p = {.events = POLLIN};

    if (!ASYNC_WAIT_CTX_get_all_fds(m->wait, NULL, &n) || n != 1 ||
        !ASYNC_WAIT_CTX_get_all_fds(m->wait, &fd, &n))
        return 0;
    p.fd = fd;
    return poll(&p, 1, 1000) == 1;
}

/* Random messages in any number of jobs, resumed in random order. */
static void random_jobs(int jobs, int wait_for_ready)
{
    static __thread struct message m[MAX_JOBS];
    int left = jobs;

    for (int i = 0; i < jobs; i++) {
        start_message(&m[i], (int) test_random(ALGORITHMS), test_random(MAX_BYTES),
                      1 + test_random(3));
        run_job(&m[i]);
        left -= m[i].finished;
    }
    while (left) {
        int i = (int) test_random((unsigned) jobs);

        if (m[i].finished)
            continue;
        if (wait_for_ready)
            EXPECT(is_ready(&m[i]), "a job of %d never gets ready", jobs);
        run_job(&m[i]);
        left -= m[i].finished;
    }
    for (int i = 0; i < jobs; i++) {
        check_message(&m[i]);
        end_message(&m[i]);
    }
}

static void test_random_jobs(void)
{
    for (int round = 0; round < 60; round++)
        random_jobs(1 + (int) test_random(MAX_JOBS), round % 2);
}

/* After its first request, a lone job pauses only rarely. */
static void test_lone_job(void)
{
    struct message m;
    unsigned pauses = 0;

    for (int i = 0; i < 1000; i++) {
        start_message(&m, i < 500 ? 3 : DIGESTS, MAX_BYTES, 1);
        run_job(&m);
        while (!m.finished) {
            EXPECT(is_ready(&m), "never gets ready");
            run_job(&m);
        }
        check_message(&m);
        pauses += m.pauses;
        end_message(&m);
    }
    EXPECT(pauses < 50, "%u pauses in 1000 requests", pauses);
}

/* A program that learns of ready jobs by edges only: each report of a descriptor resumes its job
 * once. Several queues are in use, none of which fills. */
static void run_on_edges(void)
{
    static struct message m[MAX_JOBS];
    const int jobs = 20;
    int left = jobs, epoll = epoll_create1(0);

    for (int i = 0; i < jobs; i++) {
        struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.ptr = &m[i]};
        OSSL_ASYNC_FD fd;
        size_t n = 1;

        start_message(&m[i], (int) test_random(ALGORITHMS), MAX_BYTES, 4);
        run_job(&m[i]);
        if (m[i].finished)
            left--;
        else if (EXPECT(ASYNC_WAIT_CTX_get_all_fds(m[i].wait, &fd, &n) && n == 1, "no descriptor"))
            EXPECT(!epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event), "epoll_ctl");
    }
    while (left) {
        struct epoll_event event;

        if (!EXPECT(epoll_wait(epoll, &event, 1, 1000) == 1, "%d jobs never get ready", left))
            break;
        if (((struct message *) event.data.ptr)->finished)
            continue;
        run_job(event.data.ptr);
        left -= ((struct message *) event.data.ptr)->finished;
    }
    close(epoll);
    for (int i = 0; i < jobs; i++) {
        while (!m[i].finished)
            run_job(&m[i]);
        check_message(&m[i]);
        end_message(&m[i]);
    }
}

static void test_edges(void)
{
    for (int round = 0; round < 40; round++)
        run_on_edges();
}

static int callback(void *argument)
{
    ((struct message *) argument)->called++;
    return 1;
}

/* Fills the lanes: the last job finishes without a pause, and the others' callbacks are called. */
static void test_callbacks(void)
{
    struct message m[MAX_JOBS];
    int jobs = 0, called = 0;

    random_jobs(40, 0); /* after lone jobs, requests wait again when there are several */
    for (int round = 0; round < 40; round++)
        random_jobs(40, 0);
    do {
        start_message(&m[jobs], 0, MAX_BYTES, 1);
        ASYNC_WAIT_CTX_set_callback(m[jobs].wait, callback, &m[jobs]);
        run_job(&m[jobs]);
    } while (!m[jobs++].finished && jobs < MAX_JOBS);
    EXPECT(m[jobs - 1].finished, "%d jobs do not fill the lanes", jobs);
    for (int i = 0; i < jobs; i++) {
        called += m[i].called;
        while (!m[i].finished)
            run_job(&m[i]);
        check_message(&m[i]);
        end_message(&m[i]);
    }
    EXPECT(called == jobs - 1, "%d of %d jobs were called back", called, jobs);
}

/* Starts jobs until one waits. */
static int start_waiting(struct message *m, int algorithm)
{
    for (int i = 0; i < 5000; i++) {
        start_message(m, algorithm, MAX_BYTES, 1);
        run_job(m);
        if (!m->finished)
            return 1;
        end_message(m);
    }
    return EXPECT(0, "no job waits");
}

/* Jobs that never end, because OpenSSL cannot resume a job without its ASYNC_WAIT_CTX. */
static ASYNC_JOB *lost[20];

/* Contexts that are freed while their job waits: the others are not disturbed. */
static void test_abandoned(void)
{
    for (int round = 0; round < 20; round++) {
        struct message m;

        if (!start_waiting(&m, round % 4 < 2 ? 1 : DIGESTS + round % 7))
            return;
        if (round % 2) {
            free_contexts(&m);
        } else {
            end_message(&m);
            lost[round] = m.job;
        }
        random_jobs(30, round % 2);
        if (!(round % 2))
            continue;
        while (!m.finished)
            run_job(&m);
        EXPECT(m.answer == 0, "an abandoned request succeeds");
        end_message(&m);
        ERR_clear_error();
    }
}

/* After fork() both processes finish the job, and the child's jobs do not touch the parent. */
static void test_fork(void)
{
    struct message m;
    int status = 1;
    pid_t child;

    if (!start_waiting(&m, DIGESTS + 1))
        return;
    child = fork();
    if (child == 0) {
        random_jobs(20, 1);
        while (!m.finished)
            run_job(&m);
        check_message(&m);
        _exit(test_state.failures != 0);
    }
    EXPECT(waitpid(child, &status, 0) == child && status == 0, "the child fails: %d", status);
    EXPECT(is_ready(&m), "the child has cleared the parent's event");
    while (!m.finished)
        run_job(&m);
    check_message(&m);
    end_message(&m);
    random_jobs(20, 1);
}

static void *thread_function(void *argument)
{
    (void) argument;
    for (int round = 0; round < 10; round++)
        random_jobs(1 + round * 3, round % 2);
    return NULL;
}

static void test_threads(void)
{
    pthread_t threads[4];

    for (int i = 0; i < 4; i++)
        EXPECT(!pthread_create(&threads[i], NULL, thread_function, NULL), "no thread");
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    if (provider_load()) {
        for (int i = 0; i < BOTH * DIGESTS; i++)
            digests[i % BOTH][i / BOTH] = EVP_MD_fetch(library, names[i / BOTH],
                                                       provider_of[i % BOTH]);
        for (int i = BOTH * DIGESTS; i < BOTH * ALGORITHMS; i++)
            ciphers[i % BOTH][i / BOTH] = EVP_CIPHER_fetch(library, names[i / BOTH],
                                                           provider_of[i % BOTH]);
        test_fill_random(data, sizeof data);
        if (ASYNC_is_capable()) {
            TEST(test_random_jobs);
            TEST(test_lone_job);
            TEST(test_edges);
            TEST(test_callbacks);
            TEST(test_abandoned);
            TEST(test_fork);
            TEST(test_threads);
        }
        for (int i = 0; i < BOTH * DIGESTS; i++)
            EVP_MD_free(digests[i % BOTH][i / BOTH]);
        for (int i = BOTH * DIGESTS; i < BOTH * ALGORITHMS; i++)
            EVP_CIPHER_free(ciphers[i % BOTH][i / BOTH]);
    }
    OSSL_LIB_CTX_free(library);
    return test_finish();
}
