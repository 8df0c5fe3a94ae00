/* All headers of libisal_crypto in one include.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef ISAL_CRYPTO_H
#define ISAL_CRYPTO_H

#include "isa-l_crypto/aes_cbc.h"
#include "isa-l_crypto/aes_ctr.h"
#include "isa-l_crypto/aes_gcm.h"
#include "isa-l_crypto/aes_keyexp.h"
#include "isa-l_crypto/aes_xts.h"
#include "isa-l_crypto/chunker.h"
#include "isa-l_crypto/isal_crypto_api.h"
#include "isa-l_crypto/md5_mb.h"
#include "isa-l_crypto/mh_sha1.h"
#include "isa-l_crypto/mh_sha1_murmur3_x64_128.h"
#include "isa-l_crypto/mh_sha256.h"
#include "isa-l_crypto/multi_buffer.h"
#include "isa-l_crypto/rolling_hashx.h"
#include "isa-l_crypto/sha1_mb.h"
#include "isa-l_crypto/sha256_mb.h"
#include "isa-l_crypto/sha512_mb.h"
#include "isa-l_crypto/sm3_mb.h"

#endif
