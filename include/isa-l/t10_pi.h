/* T10 protection information: generate and verify the tuples that protect the sectors of a disk.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A tuple protects one sector. Its fields are big-endian:
 *
 *     16-bit guard, 8 bytes    guard: CRC-16/T10-DIF of the sector    2 bytes
 *                              application tag                        2 bytes
 *                              reference tag                          4 bytes
 *     64-bit guard, 16 bytes   guard: CRC-64/NVME of the sector       8 bytes
 *                              application tag                        2 bytes
 *                              reference tag                          6 bytes
 *
 * (T10 SBC-4; NVM Command Set Specification 1.0 with a storage tag of 0 bits.) Each tuple follows
 * its sector, as 512 + 8, 4096 + 8 or 4096 + 16 bytes, or all tuples are in a separate buffer.
 *
 *     struct isal_dif dif;
 *     struct isal_dif_error error;
 *     isal_dif_init(&dif, ISAL_DIF_TYPE1, 512, ISAL_DIF_GUARD16, app_tag);
 *     isal_dif_generate(&dif, sectors, count, lba);
 *     if (isal_dif_verify(&dif, sectors, count, lba, &error) == ISAL_DIF_MISMATCH)
 *         printf("sector %llu\n", (unsigned long long) error.sector);
 *
 * Arguments: `count` is a number of sectors, and `ref` the reference tag of the first one (in type
 * 1 the low bits of its address), truncated to the field. Buffers may have any alignment, and may
 * be NULL if count is 0. All functions are thread-safe: they keep no state.
 *
 * Functions that return an int return ISAL_DIF_OK; ISAL_DIF_ERR_FORMAT, with nothing written to the
 * buffers, for an invalid format; or, if they verify, ISAL_DIF_MISMATCH. */

#ifndef ISAL_T10_PI_H
#define ISAL_T10_PI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Types of protection.
 *
 *     type  reference tag                                 tuples that are not checked
 *     1     the low bits of the sector's address          application tag is all ones
 *     2     counts sectors from the caller's `ref`        application tag is all ones
 *     3     the same for all sectors; not compared        both tags are all ones
 */
#define ISAL_DIF_TYPE1 1
#define ISAL_DIF_TYPE2 2
#define ISAL_DIF_TYPE3 3

/* Size of the guard in bits. */
#define ISAL_DIF_GUARD16 16
#define ISAL_DIF_GUARD64 64

/* Fields of a tuple: which are compared, or which differ. */
#define ISAL_DIF_GUARD 1
#define ISAL_DIF_APP 2
#define ISAL_DIF_REF 4

/* Results. */
#define ISAL_DIF_OK 0
#define ISAL_DIF_MISMATCH 1    /* a sector fails; struct isal_dif_error says which and why */
#define ISAL_DIF_ERR_FORMAT -1 /* unknown type or guard, or a sector size of 0 */

/* A format, filled in by isal_dif_init(); `checks` and `app_mask` may be changed afterwards. */
struct isal_dif {
    size_t sector_size; /* bytes of data in a sector, at least 1 */
    uint16_t type;      /* ISAL_DIF_TYPE1 ... ISAL_DIF_TYPE3 */
    uint16_t guard;     /* ISAL_DIF_GUARD16 or ISAL_DIF_GUARD64 */
    uint16_t app_tag;   /* application tag to write and to compare with */
    uint16_t app_mask;  /* bits of the application tag that are compared; initially all */
    unsigned checks;    /* fields compared; initially all, but in type 3 not the reference tag */
};

/* The first sector that fails. */
struct isal_dif_error {
    uint64_t sector;   /* number of the sector in this call, from 0 */
    unsigned differ;   /* fields that differ: ISAL_DIF_GUARD | ISAL_DIF_APP | ISAL_DIF_REF */
    uint16_t app[2];   /* application tag: expected, found */
    uint64_t guard[2]; /* guard: expected, found */
    uint64_t ref[2];   /* reference tag: expected, found */
};

/* Fills in a format. type: ISAL_DIF_TYPE1 to 3. sector_size: in bytes, without the tuple. guard:
 * ISAL_DIF_GUARD16 or 64. */
int isal_dif_init(struct isal_dif *dif, int type, size_t sector_size, int guard, uint16_t app_tag);

/* Size of a tuple in bytes: 8 or 16. */
size_t isal_dif_tuple_size(const struct isal_dif *dif);

/* Writes the tuples of `count` sectors: after each sector, or to `tuples`. */
int isal_dif_generate(const struct isal_dif *dif, void *sectors, uint64_t count, uint64_t ref);
int isal_dif_generate_separate(const struct isal_dif *dif, const void *data, void *tuples,
                               uint64_t count, uint64_t ref);

/* Verifies the tuples of `count` sectors, up to the first sector that fails. `error` may be NULL;
 * it is written only if a sector fails. */
int isal_dif_verify(const struct isal_dif *dif, const void *sectors, uint64_t count, uint64_t ref,
                    struct isal_dif_error *error);
int isal_dif_verify_separate(const struct isal_dif *dif, const void *data, const void *tuples,
                             uint64_t count, uint64_t ref, struct isal_dif_error *error);

/* Copies `data` to `sectors` and writes a tuple after each sector, in one pass over the data. The
 * buffers must not overlap. */
int isal_dif_insert(const struct isal_dif *dif, void *sectors, const void *data, uint64_t count,
                    uint64_t ref);

/* Copies the sectors without their tuples to `data` and verifies them, in one pass. A sector that
 * fails is copied; the sectors after it are not. */
int isal_dif_strip(const struct isal_dif *dif, void *data, const void *sectors, uint64_t count,
                   uint64_t ref, struct isal_dif_error *error);

#ifdef __cplusplus
}
#endif

#endif
