/* Shared by the files of encrypt_file: exit statuses, a job.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ENCRYPT_FILE_H
#define ENCRYPT_FILE_H

#include "../common/program.h"

/* Exit statuses, and the results of most functions here. */
enum status {
    STATUS_OK = 0,
    STATUS_DAMAGE = 1, /* the input is damaged, truncated or not an encrypted file */
    STATUS_ERROR = 2,  /* invalid arguments, or an error of the system */
    STATUS_WRONG_KEY = 3
};

/* Mode of encryption, as in the header. */
enum mode { MODE_GCM = 1, MODE_XTS = 2 };

struct output;

/* A file to encrypt or decrypt. */
struct job {
    int in;
    const char *in_name, *out_name;
    struct output *out;
    const uint8_t *key; /* KEY_SIZE bytes */
    uint32_t sector;    /* XTS: bytes of a sector */
};

/* Report the error of the last system call on the input or output. Return STATUS_ERROR. */
enum status input_error(const struct job *job);
enum status output_error(const struct job *job);

/* Returns `size` bytes of memory, or ends the program. */
void *allocate(size_t size);

/* Reads the next len bytes of the input. Returns the number of bytes, fewer than len only at the
 * end; or -1 with errno set (EINTR after a signal that asks to stop). */
ptrdiff_t read_input(const struct job *job, void *data, size_t len);

/* The two modes. Decryption begins after the header, which has been read. */
struct header;
enum status stream_encrypt(const struct job *job);
enum status stream_decrypt(const struct job *job, const struct header *header);
enum status image_encrypt(const struct job *job);
enum status image_decrypt(const struct job *job, const struct header *header);

#endif
