/* FIPS mode (configure --enable-fips-mode): what the isal_ functions of the crypto library ask.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * In FIPS mode they test known answers before they first use an approved algorithm, and refuse the
 * other algorithms. In other builds nothing here generates code. */

#ifndef FIPS_H
#define FIPS_H

#include <stddef.h>
#include <stdint.h>

#include "isa-l_crypto/isal_crypto_api.h"

#include "compiler.h"

#ifdef FIPS_MODE
enum { FIPS = 1 };
ISALK_HIDDEN_BEGIN
/* The error of a call whose arguments are valid: ISAL_CRYPTO_ERR_SELF_TEST if a known answer is
 * wrong, else 0. The first call runs the tests; other threads wait for it. */
int isalk_self_test_error(void);

/* Other kernels are in use now: the next call tests again, unless a test has failed before. */
void isalk_self_test_again(void);
ISALK_HIDDEN_END
#else
enum { FIPS = 0 };
ISALK_INLINE int isalk_self_test_error(void)
{
    return 0;
}

ISALK_INLINE void isalk_self_test_again(void)
{
}
#endif

/* Returns 1 if FIPS mode refuses XTS with these two keys of n bytes. Takes the same time wherever
 * they differ. */
ISALK_INLINE int isalk_refuses_keys(const uint8_t *a, const uint8_t *b, size_t n)
{
    unsigned difference = 0;

    if (!FIPS)
        return 0;
    for (size_t i = 0; i < n; i++)
        difference |= a[i] ^ b[i];
    return difference == 0;
}

/* First statement of a public function whose algorithm is not approved. */
#define REFUSE_IN_FIPS_MODE                           \
    do {                                              \
        if (FIPS)                                     \
            return ISAL_CRYPTO_ERR_FIPS_INVALID_ALGO; \
    } while (0)

#endif
