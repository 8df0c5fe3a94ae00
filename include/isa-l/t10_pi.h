/* T10 protection information: generate and verify the tuples behind the sectors of a disk.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A tuple protects one sector. All of its fields are big-endian:
 *
 *     16-bit guard, 8 bytes    guard: CRC-16/T10-DIF of the sector    2 bytes
 *                              application tag                        2 bytes
 *                              reference tag                          4 bytes
 *     64-bit guard, 16 bytes   guard: CRC-64/NVME of the sector       8 bytes
 *                              application tag                        2 bytes
 *                              reference tag                          6 bytes
 *
 * (T10 SBC-4; NVM Command Set Specification 1.0, with a storage tag of no bits.) The tuples follow
 * their sectors, as 512 + 8, 4096 + 8 or 4096 + 16 bytes, or lie in a buffer of their own:
 *
 *     struct isal_dif dif;
 *     struct isal_dif_error error;
 *     isal_dif_init(&dif, ISAL_DIF_TYPE1, 512, ISAL_DIF_GUARD16, app_tag);
 *     isal_dif_generate(&dif, sectors, count, lba);
 *     if (isal_dif_verify(&dif, sectors, count, lba, &error) == ISAL_DIF_MISMATCH)
 *         printf("sector %llu\n", (unsigned long long) error.sector);
 *
 * `ref` is the reference tag of the first sector: the low bits of its address in type 1. Bits that the
 * field has no room for are dropped. Buffers may have any alignment; with a count of 0 they may be
 * NULL. All functions may be called from any thread: there is no state.
 *
 * Functions that return an int return ISAL_DIF_OK; ISAL_DIF_ERR_FORMAT, with nothing written to the
 * buffers, if the format is none; or, those that verify, ISAL_DIF_MISMATCH. */

#ifndef ISAL_T10_PI_H
#define ISAL_T10_PI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Types of protection. In types 1 and 2 the reference tag counts sectors, from the low bits of the
 * address in type 1 and from the caller's choice in type 2, and a tuple whose app tag is all ones is
 * not checked. In type 3 the reference tag is the same for all sectors and is not compared, and a
 * tuple is not checked if its app and reference tags are both all ones. */
#define ISAL_DIF_TYPE1 1
#define ISAL_DIF_TYPE2 2
#define ISAL_DIF_TYPE3 3

/* Bits of the guard. */
#define ISAL_DIF_GUARD16 16
#define ISAL_DIF_GUARD64 64

/* What is compared, and what differs. */
#define ISAL_DIF_GUARD 1
#define ISAL_DIF_APP 2
#define ISAL_DIF_REF 4

/* Results. */
#define ISAL_DIF_OK 0
#define ISAL_DIF_MISMATCH 1    /* a sector fails; struct isal_dif_error says which and why */
#define ISAL_DIF_ERR_FORMAT -1 /* the type, guard or sector size is none of those above */

/* A format, filled in by isal_dif_init(); `checks` and `app_mask` may be changed afterwards. */
struct isal_dif {
    size_t sector_size; /* bytes of data in a sector, at least 1 */
    uint16_t type;
    uint16_t guard;
    uint16_t app_tag;  /* written, and compared */
    uint16_t app_mask; /* bits of it that are compared: at first all */
    unsigned checks;   /* what is compared: guard and app tag, in types 1 and 2 the reference tag */
};

/* The first sector that fails. */
struct isal_dif_error {
    uint64_t sector;   /* its number in this call, from 0 */
    unsigned differ;   /* ISAL_DIF_GUARD, ISAL_DIF_APP and ISAL_DIF_REF, as far as they differ */
    uint16_t app[2];   /* app tag expected and found */
    uint64_t guard[2]; /* the same of the guard */
    uint64_t ref[2];   /* and of the reference tag */
};

/* Makes a format. */
int isal_dif_init(struct isal_dif *dif, int type, size_t sector_size, int guard, uint16_t app_tag);

/* Bytes of a tuple: 8 or 16. */
size_t isal_dif_tuple_size(const struct isal_dif *dif);

/* Writes the tuples of `count` sectors, in place behind each, or to `tuples`. */
int isal_dif_generate(const struct isal_dif *dif, void *sectors, uint64_t count, uint64_t ref);
int isal_dif_generate_separate(const struct isal_dif *dif, const void *data, void *tuples,
                               uint64_t count, uint64_t ref);

/* Compares them, up to the first sector that fails. `error` may be NULL; it is written only if a
 * sector fails. */
int isal_dif_verify(const struct isal_dif *dif, const void *sectors, uint64_t count, uint64_t ref,
                    struct isal_dif_error *error);
int isal_dif_verify_separate(const struct isal_dif *dif, const void *data, const void *tuples,
                             uint64_t count, uint64_t ref, struct isal_dif_error *error);

/* Copies data to `sectors`, which has room for tuples, and generates these, in one pass over the
 * data. The buffers must not overlap. */
int isal_dif_insert(const struct isal_dif *dif, void *sectors, const void *data, uint64_t count,
                    uint64_t ref);

/* Copies the data out of `sectors` and verifies them, in one pass. The sector that fails has been
 * copied, what follows it has not. */
int isal_dif_strip(const struct isal_dif *dif, void *data, const void *sectors, uint64_t count,
                   uint64_t ref, struct isal_dif_error *error);

#ifdef __cplusplus
}
#endif

#endif
