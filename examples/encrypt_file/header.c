/* The header of an encrypted file, key derivation, and the key file.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "header.h"

#include "../common/little_endian.h"
#include <isa-l_crypto.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define HASH_SIZE 32
#define HASH_BLOCK 64
#define INFO_SIZE 24
#define SALT_AT 24
#define SALT_SIZE 32
#define CHECKSUM_AT 56
#define CHECKSUM_SIZE 8
#define MAC_AT 64

static const char magic[] = "ISALENC1";

void wipe(void *secret, size_t n)
{
    volatile uint8_t *p = secret;

    while (n--)
        *p++ = 0;
}

int same_secret(const uint8_t *a, const uint8_t *b, size_t n)
{
    uint8_t difference = 0;

    for (size_t i = 0; i < n; i++)
        difference = (uint8_t) (difference | (a[i] ^ b[i]));
    return difference == 0;
}

/* ---- Hash, HMAC (RFC 2104), HKDF (RFC 5869) ---- */

static int sha256(uint8_t digest[HASH_SIZE], const uint8_t *data, size_t len)
{
    const void *messages[1] = {data};
    const uint64_t sizes[1] = {len};
    uint8_t digests[1][HASH_SIZE];
    int error = isal_sha256_mb_hash(messages, sizes, 1, digests);

    memcpy(digest, digests[0], HASH_SIZE);
    wipe(digests, sizeof digests);
    return error;
}

/* HMAC with a key of 32 bytes; len <= HASH_BLOCK. */
static int hmac(uint8_t mac[HASH_SIZE], const uint8_t key[HASH_SIZE], const uint8_t *data,
                size_t len)
{
    uint8_t inner[2 * HASH_BLOCK], outer[HASH_BLOCK + HASH_SIZE];
    int error;

    for (size_t i = 0; i < HASH_BLOCK; i++) {
        uint8_t k = i < HASH_SIZE ? key[i] : 0;

        inner[i] = k ^ 0x36;
        outer[i] = k ^ 0x5c;
    }
    memcpy(inner + HASH_BLOCK, data, len);
    error = sha256(outer + HASH_BLOCK, inner, HASH_BLOCK + len);
    if (!error)
        error = sha256(mac, outer, sizeof outer);
    wipe(inner, sizeof inner);
    wipe(outer, sizeof outer);
    return error;
}

static int derive_keys(struct header *header, const uint8_t key[KEY_SIZE])
{
    uint8_t master[HASH_SIZE], text[HASH_SIZE + INFO_SIZE + 1];
    uint8_t *keys[3] = {header->mac_key, header->key1, header->key2};
    int error = hmac(master, header->text + SALT_AT, key, KEY_SIZE);

    memcpy(text + HASH_SIZE, header->text, INFO_SIZE);
    for (int i = 0; i < 3 && !error; i++) {
        size_t from = i ? 0 : HASH_SIZE; /* the first block has no previous block */

        if (i)
            memcpy(text, keys[i - 1], HASH_SIZE);
        text[HASH_SIZE + INFO_SIZE] = (uint8_t) (i + 1);
        error = hmac(keys[i], master, text + from, sizeof text - from);
    }
    wipe(master, sizeof master);
    wipe(text, sizeof text);
    return error;
}

/* ---- Header ---- */

static int random_bytes(uint8_t *p, size_t n)
{
#if defined(__APPLE__)
    return getentropy(p, n);
#else
    while (n) {
        ssize_t got = getrandom(p, n, 0);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return -1;
        p += got;
        n -= (size_t) got;
    }
    return 0;
#endif
}

enum status header_make(struct header *header, enum mode mode, uint32_t unit, uint64_t size,
                        const uint8_t key[KEY_SIZE])
{
    uint8_t *text = header->text, digest[HASH_SIZE];

    header->mode = mode;
    header->unit = unit;
    header->size = size;
    memcpy(text, magic, 8);
    put_le(text + 8, 4, mode);
    put_le(text + 12, 4, unit);
    put_le(text + 16, 8, size);
    if (random_bytes(text + SALT_AT, SALT_SIZE)) {
        complain("no random numbers from the system: %s", strerror(errno));
        return STATUS_ERROR;
    }
    if (sha256(digest, text, CHECKSUM_AT) || derive_keys(header, key)) {
        complain("hashing failed");
        return STATUS_ERROR;
    }
    memcpy(text + CHECKSUM_AT, digest, CHECKSUM_SIZE);
    if (hmac(text + MAC_AT, header->mac_key, text, MAC_AT)) {
        complain("hashing failed");
        return STATUS_ERROR;
    }
    return STATUS_OK;
}

enum status header_check(struct header *header, const uint8_t key[KEY_SIZE], const char *name)
{
    const uint8_t *text = header->text;
    uint8_t digest[HASH_SIZE];
    int good;

    if (memcmp(text, magic, 8)) {
        complain("%s: not a file made by encrypt_file, or its beginning is damaged", name);
        return STATUS_DAMAGE;
    }
    if (sha256(digest, text, CHECKSUM_AT) || derive_keys(header, key)) {
        complain("hashing failed");
        return STATUS_ERROR;
    }
    if (memcmp(digest, text + CHECKSUM_AT, CHECKSUM_SIZE)) {
        complain("%s: the header is damaged", name);
        return STATUS_DAMAGE;
    }
    if (hmac(digest, header->mac_key, text, MAC_AT)) {
        complain("hashing failed");
        return STATUS_ERROR;
    }
    good = same_secret(digest, text + MAC_AT, HASH_SIZE);
    wipe(digest, sizeof digest);
    if (!good) {
        complain("%s: encrypted with another key", name);
        return STATUS_WRONG_KEY;
    }
    header->mode = (uint32_t) get_le(text + 8, 4);
    header->unit = (uint32_t) get_le(text + 12, 4);
    header->size = get_le(text + 16, 8);
    return STATUS_OK;
}

/* ---- Key file ---- */

enum status read_key(uint8_t key[KEY_SIZE], const char *name)
{
    uint8_t text[KEY_SIZE + 1];
    size_t len = 0;
    struct stat info;
    int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* do not wait for a pipe */
    ssize_t n = 1;

    if (fd < 0 || fstat(fd, &info)) {
        complain("%s: %s", name, strerror(errno));
        if (fd >= 0)
            close(fd);
        return STATUS_ERROR;
    }
    if (!S_ISREG(info.st_mode)) {
        complain("%s: the key must be in a regular file", name);
        close(fd);
        return STATUS_ERROR;
    }
    while (len < sizeof text && n) {
        n = read(fd, text + len, sizeof text - len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            break;
        len += (size_t) n;
    }
    if (n < 0)
        complain("%s: %s", name, strerror(errno));
    else if (len != KEY_SIZE)
        complain("%s: a key must have exactly %d bytes", name, KEY_SIZE);
    else
        memcpy(key, text, KEY_SIZE);
    wipe(text, sizeof text);
    close(fd);
    if (n < 0 || len != KEY_SIZE)
        return STATUS_ERROR;
    if (info.st_mode & 077)
        complain("warning: %s: others than its owner may use this key; chmod 600 it", name);
    return STATUS_OK;
}
