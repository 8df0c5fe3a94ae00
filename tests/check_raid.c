/* Kernel check of the RAID family.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include "isa-l/gf_vect_mul.h"
#include "isa-l/raid.h"
#include "raid/raid_kernels.h"

/* A number of sources: mostly up to 13, sometimes up to 40, or about 256, where the coefficients of
 * Q start to repeat. With the longest buffers, that many exceed the caches. */
static size_t sources(struct check *c, size_t len)
{
    switch (check_random(c, 12)) {
    case 0:
        if (len < 600 || len > 9000)
            return check_number(c, "sources", 250, 269);
        return check_record(c, "sources", 33);
    case 1:
    case 2:
    case 3:
        return check_number(c, "sources", 1, 40);
    default:
        return check_number(c, "sources", 1, 13);
    }
}

/* Appends `count` buffers to a list of n. */
static size_t add(struct check *c, uint8_t **list, size_t n, size_t count, size_t len,
                  uint8_t *(*make)(struct check *, size_t))
{
    for (size_t i = 0; i < count; i++)
        list[n + i] = make(c, len);
    return n + count;
}

/* The parameter of a test: the number of parity buffers. */
static void generate(struct check *c, size_t len)
{
    uint8_t *list[CHECK_BUFFERS];
    size_t n = sources(c, len), all = add(c, list, 0, n, len, check_input);

    all = add(c, list, all, (size_t) check_parameter(c), len, check_output);
    check_run(c, ARG(n), ARG(len), ARG(check_pointers(c, list, all)));
}

/* The same with parity aligned to 64 bytes. */
static uint8_t *aligned_output(struct check *c, size_t len)
{
    uint8_t *out = check_output(c, len + 63);

    return out + -(uintptr_t) out % 64;
}

static void generate_nt(struct check *c, size_t len)
{
    uint8_t *list[CHECK_BUFFERS];
    size_t n = sources(c, len), all = add(c, list, 0, n, len, check_input);

    all = add(c, list, all, (size_t) check_parameter(c), len, aligned_output);
    check_run(c, ARG(n), ARG(len), ARG(check_pointers(c, list, all)));
}

/* Correct parity, or one wrong bit in one buffer. */
static void check(struct check *c, size_t len)
{
    uint8_t *list[CHECK_BUFFERS];
    void *array[CHECK_BUFFERS];
    size_t n = sources(c, len), all = n + (size_t) check_parameter(c);

    add(c, list, 0, all, len, check_input);
    for (size_t i = 0; i < all; i++)
        array[i] = list[i];
    (check_parameter(c) == 1 ? isalk_xor_gen_base : isalk_pq_gen_base)(n, len, array);
    if (len && check_random(c, 4)) {
        unsigned i = check_random(c, (unsigned) all), at = check_random(c, (unsigned) len);
        if (check_random(c, 3) == 0)
            at = (unsigned) len - 1;
        list[i][at] ^= (uint8_t) (1u << check_random(c, 8));
        check_describe(c, "byte %u of buffer %u wrong", at, i);
    }
    check_run(c, ARG(n), ARG(len), ARG(check_pointers(c, list, all)));
}

static void solve(struct check *c, size_t len)
{
    uint8_t *list[CHECK_BUFFERS];
    size_t n = sources(c, len), all = add(c, list, 0, n + 2, len, check_input);
    unsigned a = check_random(c, 256), b = check_random(c, 256), mask = check_random(c, 2) * 0xff;
    struct pq_solution *solution = (struct pq_solution *) check_input(c, sizeof *solution);

    all = add(c, list, all, 2, len, check_output);
    list[all++] = (uint8_t *) solution;
    gf_vect_mul_init((unsigned char) a, solution->a);
    gf_vect_mul_init((unsigned char) b, solution->b);
    for (size_t i = 0; i < sizeof solution->mask; i++)
        solution->mask[i] = (uint8_t) mask;
    check_describe(c, "coefficients %02x %02x, mask %02x", a, b, mask);
    check_run(c, ARG(n), ARG(len), ARG(check_pointers(c, list, all)));
}

/* ---- Calls ---- */

/* Three sources, P and Q. */
static void **array(void)
{
    static _Alignas(32) uint8_t data[5][64];
    static void *pointers[5];

    for (size_t i = 0; i < 5; i++)
        pointers[i] = data[i];
    return pointers;
}

/* Sixteen sources, all the same, P and Q, long enough for non-temporal stores. */
enum { FAR_LEN = 1 << 17 };
static void **far_array(void)
{
    static _Alignas(64) uint8_t data[3][FAR_LEN];
    static void *pointers[18];

    for (size_t i = 0; i < 16; i++)
        pointers[i] = data[0];
    pointers[16] = data[1];
    pointers[17] = data[2];
    return pointers;
}

#define CALLS(X)                                                        \
    X(xor_gen, xor_gen, xor_gen(4, 64, array()))                        \
    X(xor_gen, isal_xor_recover, isal_xor_recover(4, 64, array(), 1))   \
    X(xor_gen, isal_pq_recover, isal_pq_recover(5, 64, array(), 1, -1)) \
    X(xor_gen_nt, xor_gen, xor_gen(17, FAR_LEN, far_array()))           \
    X(pq_gen_nt, pq_gen, pq_gen(18, FAR_LEN, far_array()))              \
    X(xor_check, xor_check, xor_check(4, 64, array()))                  \
    X(pq_gen, pq_gen, pq_gen(5, 64, array()))                           \
    X(pq_gen, isal_pq_recover, isal_pq_recover(5, 64, array(), 3, 4))   \
    X(pq_check, pq_check, pq_check(5, 64, array()))                     \
    X(pq_solve, isal_pq_recover, isal_pq_recover(5, 64, array(), 0, 1))
CALLS(CALL_FUNCTION)
static const struct check_call calls[] = {CALLS(CALL_ENTRY) CALLS_END};

/* ---- Descriptor ---- */

#define RAID SIGNATURE(raid_fn, int, size_t, size_t, void *const *)

static const struct check_kernel tests[] = {
    {"xor_gen", generate, BYTES, RAID, 1},      {"xor_check", check, BYTES, RAID, 1},
    {"pq_gen", generate, BYTES, RAID, 2},       {"pq_check", check, BYTES, RAID, 2},
    {"pq_solve", solve, BYTES, RAID, 2},        {"xor_gen_nt", generate_nt, BYTES, RAID, 1},
    {"pq_gen_nt", generate_nt, BYTES, RAID, 2},
};

const struct check_family check_raid = {tests, ARRAY_SIZE(tests), calls, 0};
