/* What every part of encrypt_file shares: exit statuses, a job.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ENCRYPT_FILE_H
#define ENCRYPT_FILE_H

#include "../common/program.h"

/* Exit statuses, and the results of most functions here. */
enum status {
    STATUS_OK = 0,
    STATUS_DAMAGE = 1, /* the input is damaged, cut off or no encrypted file */
    STATUS_ERROR = 2,  /* wrong use, or the system refused something */
    STATUS_WRONG_KEY = 3
};

/* How a file is encrypted; numbers of the format. */
enum mode { MODE_GCM = 1, MODE_XTS = 2 };

struct output;

/* One file on its way. */
struct job {
    int in;
    const char *in_name, *out_name;
    struct output *out;
    const uint8_t *key; /* KEY_SIZE bytes */
    uint32_t sector;    /* XTS: bytes of a sector */
};

/* Complain of the last system call on a job's input or output. They return STATUS_ERROR. */
enum status input_error(const struct job *job);
enum status output_error(const struct job *job);

/* Memory of `size` bytes, or the end of the program. */
void *allocate(size_t size);

/* Reads up to len bytes of the input from where it is. Returns how many: fewer at the end; -1 with
 * errno set, also (EINTR) after a signal that asks to stop. */
ptrdiff_t read_input(const struct job *job, void *data, size_t len);

/* The two modes. Decryption begins after the header, whose text is given. */
struct header;
enum status stream_encrypt(const struct job *job);
enum status stream_decrypt(const struct job *job, const struct header *header);
enum status image_encrypt(const struct job *job);
enum status image_decrypt(const struct job *job, const struct header *header);

#endif
