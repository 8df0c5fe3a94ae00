/* A statically linked program that calls one function, for tests/static_check. It must run the best
 * kernel for this CPU, although it never calls a function that chooses kernels.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "erasure_code/ec_kernels.h"

#include <stdio.h>
#include <string.h>

#include "isa-l/erasure_code.h"

extern const struct family isalk_erasure_code_family;

int main(void)
{
    unsigned char tables[2 * 32], a[100], b[100], sum[100], *data[] = {a, b}, *coding[] = {sum};
    const struct kernel *k = &isalk_erasure_code_family.kernels[0];
    const struct variant *want = isalk_choose(k, isalk_cpu_features(), isalk_cap());

    for (unsigned i = 0; i < sizeof(a); i++) {
        a[i] = (unsigned char) i;
        b[i] = (unsigned char) (3 * i);
    }
    gf_vect_mul_init(1, tables);
    gf_vect_mul_init(1, tables + 32);
    ec_encode_data(sizeof(a), 2, 1, tables, data, coding);
    for (unsigned i = 0; i < sizeof(a); i++)
        if (sum[i] != (a[i] ^ b[i])) {
            printf("FAIL: byte %u of the parity is wrong\n", i);
            return 1;
        }
    if (strcmp(k->name, "ec_encode_data") != 0 || atomic_load(k->slot) != want->fn) {
        printf("FAIL: ec_encode_data does not run its %s variant: no constructor ran\n",
               isalk_tier_name(want->tier));
        return 1;
    }
    printf("ec_encode_data runs its %s variant\n", isalk_tier_name(want->tier));
    return 0;
}
