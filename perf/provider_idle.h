/* A provider whose ciphers do nothing but pause their job: the time that jobs of OpenSSL take.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef PROVIDER_IDLE_H
#define PROVIDER_IDLE_H

#include <openssl/provider.h>

/* AES-128-CBC and AES-128-CBC-HMAC-SHA1 under the property provider=idle, for
 * OSSL_PROVIDER_add_builtin(). */
OSSL_provider_init_fn idle_provider_init;

#endif
