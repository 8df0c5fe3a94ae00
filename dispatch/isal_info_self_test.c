/* isal-info --self-test.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>

#ifdef WITH_CRYPTO
#include "isa-l_crypto/isal_crypto_api.h"
#endif

#include "isal_info.h"
#include "tiers.h"

int self_test_tiers(void)
{
#ifdef WITH_CRYPTO
    static const char *const tiers[] = {TIERS(TIER_NAME)};
    int status = 0;

    for (size_t t = 0; t < sizeof(tiers) / sizeof(tiers[0]); t++) {
        const char *failed = NULL;

        isal_crypto_set_isa_limit(tiers[t]);
        status |= isal_crypto_self_test(&failed) != 0;
        printf("%-10s %s%s\n", tiers[t], failed ? "wrong: " : "passed", failed ? failed : "");
    }
    return status;
#else
    fputs("isal-info: this build has no libisal_crypto\n", stderr);
    return 1;
#endif
}
