/* Prints the kernel tables for tests/isa_needs: kernel, variant, function, features needed.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions are printed as distances from isalk_all_families. The symbol table of this program has
 * the address of that, so their names are found wherever the program was loaded. */

#include "dispatch/kernel.h"

#include <stdio.h>

int main(void)
{
    for (unsigned f = 0; isalk_all_families[f]; f++)
        for (unsigned i = 0; i < isalk_all_families[f]->count; i++) {
            const struct kernel *k = &isalk_all_families[f]->kernels[i];
            for (unsigned v = 0; v < k->count; v++) {
                printf("%s %s %lld", k->name, k->variants[v].name,
                       (long long) ((intptr_t) k->variants[v].fn - (intptr_t) isalk_all_families));
                for (unsigned bit = 0; bit < CPU_FEATURE_COUNT; bit++)
                    if (k->variants[v].needs >> bit & 1)
                        printf(" %s", isalk_cpu_feature_name(bit));
                putchar('\n');
            }
        }
    return 0;
}
