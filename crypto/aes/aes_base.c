/* Portable reference of the kernels of AES key expansion, CBC, counter mode and XTS.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "aes_sliced.h"

typedef struct aes_sliced_keys cipher_keys;
#define CIPHER(name) isalk_aes_sliced_##name
#define isalk_aes_sliced_enc_one isalk_aes_sliced_enc /* four blocks take as long as one */
#include "aes_modes.h"

AES_MODES(base)
