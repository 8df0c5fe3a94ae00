/* A program that uses both libraries, for the checks of packages.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <isa-l.h>
#include <isa-l_crypto.h>

#include <stdio.h>

int main(void)
{
    unsigned char text[] = "123456789", digest[32];
    const void *messages[1] = {"abc"};
    uint64_t lengths[1] = {3};

    if (~crc32_iscsi(text, 9, ~0u) != 0xe3069283)
        return 1;
    if (isal_sha256_mb_hash(messages, lengths, 1, digest) || digest[0] != 0xba)
        return 1;
    printf("libisal %s\n", isal_get_version_str());
    return 0;
}
