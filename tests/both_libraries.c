/* A client of libisal and libisal_crypto, which tests/static_check links with both in every way.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <string.h>

#include "isa-l.h"
#include "isa-l_crypto.h"

#define EXPECT(condition)                                        \
    do {                                                         \
        if (!(condition)) {                                      \
            printf("FAIL: line %d: %s\n", __LINE__, #condition); \
            return 1;                                            \
        }                                                        \
    } while (0)

/* Returns whether every kernel of one library is unknown to the other. */
static int are_apart(const char *(*list)(size_t), const char *(*get)(const char *),
                     const char *(*other)(const char *) )
{
    const char *name;

    for (size_t i = 0; (name = list(i)) != NULL; i++)
        if (!get(name) || other(name))
            return 0;
    return 1;
}

int main(void)
{
    unsigned char zeros[64] = {0};

    EXPECT(isal_get_version() == ISAL_VERSION);
    EXPECT(isal_crypto_get_version() == ISAL_CRYPTO_VERSION);
    EXPECT(are_apart(isal_list_kernels, isal_get_kernel, isal_crypto_get_kernel));
    EXPECT(are_apart(isal_crypto_list_kernels, isal_crypto_get_kernel, isal_get_kernel));
    EXPECT(isal_set_isa_limit("base") == 0);
    EXPECT(!strcmp(isal_get_kernel("ec_encode_data"), "base"));
    EXPECT(isal_crypto_set_isa_limit("base") == 0);
    for (size_t i = 0; isal_crypto_list_kernels(i); i++)
        EXPECT(!strcmp(isal_crypto_get_kernel(isal_crypto_list_kernels(i)), "base"));
    EXPECT(isal_zero_detect(zeros, sizeof(zeros)) == 0);
    return 0;
}
