/* Fuzz harness: encode, lose shards, rebuild them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Input: k - 1, parity - 1, matrix, length (2), number of lost shards, their indexes, data. */

#include "tests/fuzz/fuzz.h"

#include "isa-l.h"

#define MAX_K 20
#define MAX_PARITY 8
#define MAX_M (MAX_K + MAX_PARITY)

FUZZ_HARNESS(ec)
{
    int k = 1 + (int) fuzz_number(in, MAX_K - 1),
        parity = 1 + (int) fuzz_number(in, MAX_PARITY - 1);
    int cauchy = (int) fuzz_number(in, 1), len = (int) fuzz_number(in, 2000), m = k + parity;
    int lost[MAX_PARITY], nlost = (int) fuzz_number(in, (uint32_t) parity), status;
    uint8_t *matrix = fuzz_alloc((size_t) (m * k)),
            *tables = fuzz_alloc((size_t) (32 * k * parity));
    uint8_t *shard[MAX_M], *updated[MAX_PARITY], *rebuilt[MAX_M] = {0};
    struct isal_ec_decode *plan = NULL;

    for (int i = 0; i < nlost; i++)
        lost[i] = (int) fuzz_number(in, (uint32_t) m - 1);
    for (int i = 0; i < k; i++)
        shard[i] = fuzz_copy(in, (size_t) len);
    for (int i = 0; i < parity; i++) {
        shard[k + i] = fuzz_alloc((size_t) len);
        updated[i] = fuzz_alloc((size_t) len);
        memset(updated[i], 0, (size_t) len);
    }

    (cauchy ? gf_gen_cauchy1_matrix : gf_gen_rs_matrix)(matrix, m, k);
    ec_init_tables(k, parity, matrix + k * k, tables);
    ec_encode_data(len, k, parity, tables, shard, shard + k);
    for (int i = 0; i < k; i++)
        ec_encode_data_update(len, k, parity, i, tables, shard[i], updated);
    for (int i = 0; i < parity; i++)
        FUZZ_EXPECT(!memcmp(shard[k + i], updated[i], (size_t) len), "update of row %d", i);

    plan = fuzz_alloc(isal_ec_decode_size(k, m, nlost));
    status = isal_ec_decode_init(plan, k, m, matrix, lost, nlost);
    if (status == ISAL_EC_OK) {
        for (int i = 0; i < k && nlost; i++) {
            int source = isal_ec_decode_source(plan, i);
            FUZZ_EXPECT(source >= 0 && source < m, "source %d is %d", i, source);
            rebuilt[source] = shard[source];
        }
        for (int i = 0; i < nlost; i++) {
            FUZZ_EXPECT(!rebuilt[lost[i]], "shard %d is lost and a source", lost[i]);
            rebuilt[lost[i]] = fuzz_alloc((size_t) len);
        }
        FUZZ_EXPECT(isal_ec_decode_data(plan, len, rebuilt) == ISAL_EC_OK, "decode");
        for (int i = 0; i < nlost; i++) {
            FUZZ_EXPECT(!memcmp(rebuilt[lost[i]], shard[lost[i]], (size_t) len),
                        "shard %d of %d+%d, %d bytes", lost[i], k, parity, len);
            free(rebuilt[lost[i]]);
        }
    } else {
        FUZZ_EXPECT(status == ISAL_EC_DUPLICATE || (status == ISAL_EC_SINGULAR && !cauchy),
                    "%d+%d, %d lost: %s", k, parity, nlost, isal_ec_strerror(status));
    }

    for (int i = 0; i < m; i++)
        free(shard[i]);
    for (int i = 0; i < parity; i++)
        free(updated[i]);
    free(plan);
    free(tables);
    free(matrix);
}
