/* Times TLS 1.2 servers with many connections on the OpenSSL provider and on the default provider.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One thread serves all connections: it writes messages to them in turn, outside of jobs or, with
 * SSL_MODE_ASYNC, in jobs that it resumes in turn. What the servers send goes to memory, or with -s
 * through sockets to another process. The providers take turns, and the best of several rounds
 * counts. */

#define _POSIX_C_SOURCE 200809L /* getopt(), clock_gettime() */

#include <openssl/err.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_CONNECTIONS 1024
#define MAX_BYTES (1 << 20)
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A column of the table: provider, and whether the connections write in jobs. */
static const struct column {
    const char *properties;
    int async;
} columns[] = {
    {"provider=default", 0}, {"provider=default", 1}, {"?provider=isal", 0}, {"?provider=isal", 1}};
#define COLUMNS COUNT(columns)

static const size_t sizes[] = {1024, 4096, 16384, 65536};

static struct {
    const char *suite;
    unsigned connections;
    int rounds, sockets;
    double seconds;
} options = {.suite = "AES128-SHA", .connections = 64, .rounds = 5, .seconds = 0.05};

struct server {
    SSL *ssl;
    BIO *sent;          /* what the server wrote; NULL if it goes to a socket */
    unsigned long left; /* messages to write */
};

static EVP_PKEY *key;
static X509 *certificate;
static uint8_t text[MAX_BYTES];

_Noreturn static void fail(const char *what)
{
    fprintf(stderr, "provider_transfer: %s\n", what);
    ERR_print_errors_fp(stderr);
    exit(1);
}

static void make_certificate(void)
{
    key = EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t) 2048);
    certificate = X509_new();
    if (!key || !certificate || !X509_set_version(certificate, 2) ||
        !ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) ||
        !X509_gmtime_adj(X509_getm_notBefore(certificate), 0) ||
        !X509_gmtime_adj(X509_getm_notAfter(certificate), 100000) ||
        !X509_set_pubkey(certificate, key) || !X509_sign(certificate, key, EVP_sha256()))
        fail("no certificate");
}

/* ---- Connections ---- */

static SSL *new_side(const char *properties, int is_server)
{
    SSL_CTX *c = SSL_CTX_new_ex(NULL, properties, TLS_method());
    SSL *ssl;

    if (!c || !SSL_CTX_set_min_proto_version(c, TLS1_2_VERSION) ||
        !SSL_CTX_set_max_proto_version(c, TLS1_2_VERSION) ||
        !SSL_CTX_set_cipher_list(c, options.suite))
        fail(options.suite);
    /* The ciphers of AES-CBC with HMAC cannot encrypt before the MAC. */
    SSL_CTX_set_options(c, SSL_OP_NO_ENCRYPT_THEN_MAC);
    if (is_server && (!SSL_CTX_use_certificate(c, certificate) || !SSL_CTX_use_PrivateKey(c, key)))
        fail("certificate");
    ssl = SSL_new(c);
    SSL_CTX_free(c);
    if (!ssl)
        fail("no connection");
    if (is_server)
        SSL_set_accept_state(ssl);
    else
        SSL_set_connect_state(ssl);
    return ssl;
}

/* Connects a server to a client of the default provider; the server's output then goes to a file
 * descriptor, or to memory if it is negative. */
static void open_server(struct server *s, const struct column *column, int fd)
{
    SSL *client = new_side("provider=default", 0);
    BIO *client_bio, *server_bio;

    s->ssl = new_side(column->properties, 1);
    if (!BIO_new_bio_pair(&client_bio, 0, &server_bio, 0))
        fail("BIO");
    SSL_set_bio(client, client_bio, client_bio);
    SSL_set_bio(s->ssl, server_bio, server_bio);
    for (int i = 0; i < 20 && !(SSL_is_init_finished(client) && SSL_is_init_finished(s->ssl));
         i++) {
        SSL_do_handshake(client);
        SSL_do_handshake(s->ssl);
    }
    if (!SSL_is_init_finished(s->ssl))
        fail("handshake");
    SSL_set0_wbio(s->ssl, fd < 0 ? BIO_new(BIO_s_mem()) : BIO_new_socket(fd, BIO_NOCLOSE));
    s->sent = fd < 0 ? SSL_get_wbio(s->ssl) : NULL;
    SSL_free(client);
    if (column->async)
        SSL_set_mode(s->ssl, SSL_MODE_ASYNC);
}

/* ---- Time ---- */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Each server writes n messages. Returns the seconds. */
static double run(struct server *servers, size_t bytes, unsigned long n)
{
    unsigned left = options.connections;
    double start = now();

    for (unsigned i = 0; i < options.connections; i++)
        servers[i].left = n;
    while (left)
        for (unsigned i = 0; i < options.connections; i++) {
            struct server *s = &servers[i];
            int answer;

            if (!s->left)
                continue;
            answer = SSL_write(s->ssl, text, (int) bytes);
            if (answer <= 0 && SSL_get_error(s->ssl, answer) == SSL_ERROR_WANT_ASYNC)
                continue; /* its job waits; the next call resumes it */
            if (answer != (int) bytes || (s->sent && BIO_reset(s->sent) <= 0))
                fail("SSL_write");
            left -= !--s->left;
        }
    return now() - start;
}

/* Reads and discards what arrives at all sockets, in another process. */
static pid_t start_reader(int fds[2])
{
    pid_t reader;

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds))
        fail("socketpair");
    reader = fork();
    if (reader < 0)
        fail("fork");
    if (!reader) {
        close(fds[0]);
        while (read(fds[1], text, sizeof text) > 0)
            ;
        _exit(0);
    }
    close(fds[1]);
    return reader;
}

static void measure(size_t bytes, double mb_per_s[COLUMNS])
{
    static struct server servers[COLUMNS][MAX_CONNECTIONS];
    unsigned long n[COLUMNS];
    double best[COLUMNS];
    int fds[2] = {-1, -1};
    pid_t reader = options.sockets ? start_reader(fds) : 0;

    for (size_t c = 0; c < COLUMNS; c++) {
        for (unsigned i = 0; i < options.connections; i++)
            open_server(&servers[c][i], &columns[c], fds[0]);
        best[c] = 1e9;
        n[c] = 1;
        while (run(servers[c], bytes, n[c]) < options.seconds)
            n[c] *= 2;
    }
    for (int round = 0; round < options.rounds; round++)
        for (size_t c = 0; c < COLUMNS; c++) {
            double t = run(servers[c], bytes, n[c]) / (double) n[c];
            best[c] = t < best[c] ? t : best[c];
        }
    for (size_t c = 0; c < COLUMNS; c++) {
        mb_per_s[c] = 1e-6 * (double) bytes * options.connections / best[c];
        for (unsigned i = 0; i < options.connections; i++)
            SSL_free(servers[c][i].ssl);
    }
    if (reader) {
        close(fds[0]);
        waitpid(reader, NULL, 0);
    }
}

static const char usage[] =
    "Usage: OPENSSL_CONF=isal.cnf provider_transfer [-s] [-c CONNECTIONS] [-n ROUNDS]\n"
    "           [-t SECONDS] [SUITE]\n"
    "Times TLS 1.2 servers of one thread, with OpenSSL's default provider and with the provider "
    "isal.\n"
    "The configuration must activate both, isal with algorithms = ALL. SUITE: AES128-SHA if there "
    "is none.\n\n"
    "  -s  send through sockets to another process; without it, to memory\n"
    "  -c  connections (default 64)\n"
    "  -n  rounds, of which the best counts (default 5)\n"
    "  -t  seconds of a measurement in one round (default 0.05)\n";

static int parse_options(int argc, char **argv)
{
    int option;

    while ((option = getopt(argc, argv, "sc:n:t:")) != -1)
        if (option == 's')
            options.sockets = 1;
        else if (option == 'c')
            options.connections = (unsigned) strtoul(optarg, NULL, 10);
        else if (option == 'n')
            options.rounds = atoi(optarg);
        else if (option == 't')
            options.seconds = atof(optarg);
        else
            return 0;
    if (optind < argc)
        options.suite = argv[optind];
    return options.rounds > 0 && options.connections > 0 && options.connections <= MAX_CONNECTIONS;
}

int main(int argc, char **argv)
{
    if (!parse_options(argc, argv) || !OSSL_PROVIDER_available(NULL, "isal") ||
        !OSSL_PROVIDER_available(NULL, "default")) {
        fputs(usage, stderr);
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    make_certificate();
    printf("%s, %u connections, MB/s\n", options.suite, options.connections);
    printf("| write | default | in jobs | this one | in jobs | gain in jobs |\n"
           "| --- | --- | --- | --- | --- | --- |\n");
    for (size_t s = 0; s < COUNT(sizes); s++) {
        double mb[COLUMNS], best;

        measure(sizes[s], mb);
        best = mb[0] > mb[1] ? mb[0] : mb[1];
        printf("| %zu KB | %.0f | %.0f | %.0f | %.0f | %.2f |\n", sizes[s] >> 10, mb[0], mb[1],
               mb[2], mb[3], mb[3] / best);
        fflush(stdout);
    }
    return 0;
}
