/* Prints the geometries in which a code of gf_gen_rs_matrix() can decode every loss.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A code with fewer data or parity shards has a submatrix of the parity part: if (k, p) is safe,
 * smaller k and p are safe, too. So the border is a staircase; each step is found by bisection.
 * The program takes milliseconds. */

#include <stdio.h>

#include "isa-l/erasure_code.h"

static int is_safe(int k, int p)
{
    static unsigned char a[256 * 256];

    gf_gen_rs_matrix(a, k + p, k);
    return isal_ec_is_mds(a, k + p, k) == 1;
}

int main(void)
{
    int k = 255;

    printf("| parity shards | data shards |\n| --- | --- |\n");
    for (int p = 1, last; p < 256; p = last + 1) {
        int unsafe = (k < 256 - p ? k : 256 - p) + 1; /* data shards */

        for (k = 1; unsafe - k > 1;) {
            int middle = (k + unsafe) / 2;
            *(is_safe(middle, p) ? &k : &unsafe) = middle;
        }
        unsafe = 256 - k + 1; /* parity shards */
        for (last = p; unsafe - last > 1;) {
            int middle = (last + unsafe) / 2;
            *(is_safe(k, middle) ? &last : &unsafe) = middle;
        }
        if (last > p)
            printf("| %d to %d | %s%d |\n", p, last, k > 1 ? "1 to " : "", k);
        else
            printf("| %d | %s%d |\n", p, k > 1 ? "1 to " : "", k);
    }
    return fflush(stdout) ? 1 : 0;
}
