/* Settings of the provider: its section of openssl.cnf.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef SETTINGS_H
#define SETTINGS_H

#include "crypto/openssl/provider.h"

/* Entries in the lists of algorithms, the terminating one included. */
#define MAX_DIGESTS 8
#define MAX_MACS 2
#define MAX_CIPHERS 20

struct settings {
    OSSL_ALGORITHM digests[MAX_DIGESTS], macs[MAX_MACS], ciphers[MAX_CIPHERS];
    char *statistics; /* file that receives the counts at the end, or NULL */
    int failed;       /* algorithms that failed their self-test and are not in the lists */
};

/* Reads the settings with core_get_params() and tests the algorithms that they choose. Returns 0 if
 * a setting is invalid. */
int settings_read(struct settings *settings, const OSSL_CORE_HANDLE *handle,
                  OSSL_FUNC_core_get_params_fn *get_params, struct provider *provider);

/* Returns whether an algorithm gives the known answer. operation: OSSL_OP_DIGEST and so on. */
int self_test(struct provider *provider, int operation, const OSSL_ALGORITHM *algorithm);

#endif
