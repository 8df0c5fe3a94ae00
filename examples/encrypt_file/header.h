/* The header of an encrypted file, and the keys derived from it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers are little-endian:
 *
 *      0   8  "ISALENC1"
 *      8   4  mode: 1 GCM stream, 2 XTS image
 *     12   4  bytes of a chunk (65536) or of a sector (512 or 4096)
 *     16   8  bytes of the image; 0 in a stream
 *     24  32  salt, random
 *     56   8  first bytes of the SHA-256 of bytes 0 to 55: tells damage from a wrong key
 *     64  32  HMAC-SHA-256 of bytes 0 to 63, with the first key below
 *
 * The keys are HKDF-SHA-256 (RFC 5869) of the user's key with this salt and bytes 0 to 23 as info:
 * 32 bytes for the HMAC, then 32 for GCM, or k1 and k2 of 32 bytes each for XTS. Every file
 * has its own keys, so that the IVs in it can simply be counted. */

#ifndef HEADER_H
#define HEADER_H

#include "encrypt_file.h"

#define KEY_SIZE 32
#define HEADER_SIZE 96

struct header {
    uint32_t mode, unit;
    uint64_t size;
    uint8_t text[HEADER_SIZE];
    uint8_t mac_key[32]; /* these three are consecutive output of the key derivation */
    uint8_t key1[32];
    uint8_t key2[32];
};

/* Creates the header of a new file, with a random salt. */
enum status header_make(struct header *header, enum mode mode, uint32_t unit, uint64_t size,
                        const uint8_t key[KEY_SIZE]);

/* Parses and authenticates header->text. `name` is for messages. */
enum status header_check(struct header *header, const uint8_t key[KEY_SIZE], const char *name);

/* Reads the key, a regular file of exactly its size, and warns if others may read it. */
enum status read_key(uint8_t key[KEY_SIZE], const char *name);

/* Returns whether n bytes are equal, in constant time. */
int same_secret(const uint8_t *a, const uint8_t *b, size_t n);

/* Overwrites a secret. The compiler cannot remove this. */
void wipe(void *secret, size_t n);

#endif
