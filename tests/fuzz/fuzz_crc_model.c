/* Fuzz harness: a CRC of any parameters against its definition, in pieces, with a copy, and
 * arithmetic. SPDX-License-Identifier: BSD-3-Clause
 *
 * Input: width - 1, refin, refout, polynomial (8), init (8), xorout (8), ends of two pieces (2, 2),
 * data. */

#include "tests/fuzz/fuzz.h"

#include "isa-l.h"

static uint64_t number64(struct fuzz_input *in, uint64_t mask)
{
    uint64_t high = fuzz_number(in, 0xffffffff);

    return (high << 32 | fuzz_number(in, 0xffffffff)) & mask;
}

static uint64_t definition(const struct isal_crc_params *p, const uint8_t *data, size_t len)
{
    uint64_t mask = ~(uint64_t) 0 >> (64 - p->width), r = p->init, out = 0;

    for (size_t i = 0; i < len * 8; i++) {
        uint64_t bit = data[i / 8] >> (p->refin ? i % 8 : 7 - i % 8) & 1;
        bit ^= r >> (p->width - 1);
        r = (r << 1 & mask) ^ (bit ? p->poly : 0);
    }
    for (unsigned i = 0; i < p->width; i++)
        out |= (r >> i & 1) << (p->refout ? p->width - 1 - i : i);
    return out ^ p->xorout;
}

FUZZ_HARNESS(crc_model)
{
    unsigned width = 1 + fuzz_number(in, 63);
    uint64_t mask = ~(uint64_t) 0 >> (64 - width), state, crc_a, crc_b, crc_ab, whole;
    struct isal_crc_params p = {
        NULL, width, (int) fuzz_number(in, 1), (int) fuzz_number(in, 1), 0, 0, 0, 0};
    struct isal_crc *crc = fuzz_alloc(sizeof *crc);
    size_t first, second, len;
    uint8_t *a, *b, *c, *copy;

    p.poly = number64(in, mask);
    p.init = number64(in, mask);
    p.xorout = number64(in, mask);
    first = fuzz_number(in, 0xffff);
    second = fuzz_number(in, 0xffff);
    len = in->left;
    first = len ? first % (len + 1) : 0;
    second = len - first ? second % (len - first + 1) : 0;
    a = fuzz_copy(in, first);
    b = fuzz_copy(in, second);
    c = fuzz_copy(in, in->left);
    len -= first + second; /* of c */
    copy = fuzz_alloc(first + second + len);
    memcpy(copy, a, first);
    memcpy(copy + first, b, second);
    memcpy(copy + first + second, c, len);
    FUZZ_EXPECT(isal_crc_init(crc, &p) == ISAL_CRC_OK, "width %u", width);

    whole = definition(&p, copy, first + second + len);
    FUZZ_EXPECT(isal_crc_compute(crc, copy, first + second + len) == whole, "one call");
    state = isal_crc_update(crc, isal_crc_begin(crc), a, first);
    state = isal_crc_resume(crc, isal_crc_finish(crc, state));
    state = isal_crc_copy(crc, state, copy, b, second);
    FUZZ_EXPECT(!memcmp(copy, b, second), "copy of %zu bytes", second);
    FUZZ_EXPECT(isal_crc_finish(crc, isal_crc_update(crc, state, c, len)) == whole,
                "%zu, %zu and %zu bytes", first, second, len);

    crc_a = isal_crc_compute(crc, a, first);
    crc_b = isal_crc_compute(crc, b, second);
    crc_ab = isal_crc_combine(crc, crc_a, crc_b, second);
    FUZZ_EXPECT(isal_crc_combine(crc, crc_ab, isal_crc_compute(crc, c, len), len) == whole,
                "combine");
    FUZZ_EXPECT(isal_crc_unprepend(crc, crc_ab, crc_a, second) == crc_b, "unprepend");
    FUZZ_EXPECT(isal_crc_unappend(crc, crc_ab, crc_b, second) == (p.poly & 1 ? crc_a : 0),
                "unappend");
    memset(copy, 0, second);
    FUZZ_EXPECT(isal_crc_replace(crc, whole, crc_b, isal_crc_compute(crc, copy, second), len) ==
                    isal_crc_combine(crc, isal_crc_append_zeros(crc, crc_a, second),
                                     isal_crc_compute(crc, c, len), len),
                "replace");

    free(copy);
    free(c);
    free(b);
    free(a);
    free(crc);
}
