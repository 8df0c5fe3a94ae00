/* isal-info --self-test.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>

#include "isa-l/isal_api.h"
#ifdef WITH_CRYPTO
#include "isa-l_crypto/isal_crypto_api.h"
#endif

#include "isal_info.h"
#include "tiers.h"

int self_test_tiers(void)
{
    static const char *const tiers[] = {TIERS(TIER_NAME)};
    int status = 0;

    for (size_t t = 0; t < sizeof(tiers) / sizeof(tiers[0]); t++) {
        const char *failed = NULL;

        isal_set_isa_limit(tiers[t]);
        status |= isal_self_test(&failed) != 0;
#ifdef WITH_CRYPTO
        isal_crypto_set_isa_limit(tiers[t]);
        if (!failed)
            status |= isal_crypto_self_test(&failed) != 0;
#endif
        printf("%-10s %s%s\n", tiers[t], failed ? "wrong: " : "passed", failed ? failed : "");
    }
    return status;
}
