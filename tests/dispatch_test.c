/* Tests of the kernel tables, the cap and the introspection functions.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "tests/dispatch_test.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "isa-l.h"
#include "isa-l_crypto/isal_crypto_api.h"

/* ---- The tables ---- */

static void test_tables(void)
{
    for (unsigned f = 0; isalk_all_families[f]; f++) {
        const struct family *family = isalk_all_families[f];
        EXPECT(family->count > 0, "%s has no kernels", family->name);
        for (unsigned i = 0; i < family->count; i++) {
            const struct kernel *k = &family->kernels[i];
            EXPECT(k->count > 0 && k->variants[0].tier == T_BASE && k->variants[0].needs == 0,
                   "%s: the first variant is not portable C", k->name);
            for (unsigned v = 0; v < k->count; v++) {
                EXPECT(k->variants[v].fn != NULL, "%s: no function in row %u", k->name, v);
                EXPECT(k->variants[v].needs >> CPU_BIT_END == 0,
                       "%s: row %u needs unknown features", k->name, v);
                EXPECT(v == 0 || k->variants[v].tier > k->variants[v - 1].tier ||
                           (k->variants[v].tier == k->variants[v - 1].tier &&
                            k->variants[v].needs != k->variants[v - 1].needs),
                       "%s: row %u does not follow row %u", k->name, v, v - 1);
                EXPECT(k->variants[v].tier < TIER_COUNT, "%s: row %u has no tier", k->name, v);
            }
            for (unsigned g = 0; g <= f; g++)
                for (unsigned j = 0; j < (g < f ? isalk_all_families[g]->count : i); j++)
                    EXPECT(strcmp(k->name, isalk_all_families[g]->kernels[j].name) != 0,
                           "two kernels are called %s", k->name);
        }
    }
    for (int i = 0; i < TIER_COUNT; i++) {
        struct isa_limit limit;
        EXPECT(same(isalk_tier_name((enum tier) i), tiers[i].name), "tier %d is called %s", i,
               isalk_tier_name((enum tier) i));
        EXPECT(isalk_tier_from_name(tiers[i].name) == i, "tier %s is not number %d", tiers[i].name,
               i);
        EXPECT(!isalk_parse_limit(tiers[i].name, &limit) && limit.cap == (enum tier) i &&
                   !limit.added && !limit.removed,
               "ISAL_ISA=%s", tiers[i].name);
    }
}

/* ---- The cap and the introspection functions, on this CPU ---- */

static const char *const not_tiers[] = {"",    "AVX2",    "avx2 ", " avx2",
                                        "avx", "avx512_", "none",  "avx5122"};

/* The two libraries answer for their own families. */
static const struct api {
    const struct family *const *families;
    int (*set_isa_limit)(const char *);
    const char *(*get_kernel)(const char *);
    const char *(*list_kernels)(size_t);
    const char *(*list_variants)(const char *, size_t, int *);
} apis[] = {
    {isalk_families, isal_set_isa_limit, isal_get_kernel, isal_list_kernels, isal_list_variants},
    {isalk_crypto_families, isal_crypto_set_isa_limit, isal_crypto_get_kernel,
     isal_crypto_list_kernels, isal_crypto_list_variants},
};

/* Every slot and every answer of a library agrees with the cap. Returns the highest tier that
 * runs. */
static size_t expect_answers(const struct api *api, const char *features, size_t cap)
{
    const struct family *const *families = api->families;
    const char *name;
    size_t number = 0, highest = 0;

    for (unsigned f = 0; families[f]; f++)
        for (unsigned i = 0; i < families[f]->count; i++, number++) {
            const struct kernel *k = &families[f]->kernels[i];
            const struct variant *want = &k->variants[0];
            for (unsigned v = 0; v < k->count; v++) {
                uint64_t traits = k->variants[v].needs & CPU_TRAIT_MASK;
                int usable = -1, expected = 1;
                for (unsigned bit = 0; bit < CPU_BIT_END; bit++)
                    if ((k->variants[v].needs & ~CPU_TRAIT_MASK) >> bit & 1 &&
                        !listed(features, isalk_cpu_feature_name(bit)))
                        expected = 0;
                name = api->list_variants(k->name, v, &usable);
                EXPECT(same(name, k->variants[v].name) && usable == expected,
                       "%s variant %u: %s, usable %d", k->name, v, name ? name : "NULL", usable);
                if (expected && !(traits & ~isalk_cpu_features()) &&
                    !(k->variants[v].avoid & isalk_cpu_features()) &&
                    (size_t) k->variants[v].tier <= cap)
                    want = &k->variants[v];
            }
            highest = want->tier > highest ? want->tier : highest;
            EXPECT(same(api->list_kernels(number), k->name), "kernel %zu is not %s", number,
                   k->name);
            EXPECT(same(api->get_kernel(k->name), want->name),
                   "cap %s: %s is said to run %s, not %s", tiers[cap].name, k->name,
                   api->get_kernel(k->name), want->name);
            EXPECT(!k->slot || atomic_load(k->slot) == want->fn,
                   "cap %s: the slot of %s does not hold its %s variant", tiers[cap].name, k->name,
                   want->name);
            EXPECT(!api->list_variants(k->name, k->count, NULL), "%s has too many variants",
                   k->name);
        }
    EXPECT(!api->list_kernels(number), "there is a kernel number %zu", number);
    return highest;
}

static void expect_state(const char *features, size_t cap)
{
    size_t tier = expect_answers(&apis[0], features, cap);

    EXPECT(isalk_cap() == (enum tier) cap, "the cap is %s, not %s", isalk_tier_name(isalk_cap()),
           tiers[cap].name);
    EXPECT(same(isal_get_isa(), tiers[tier].name), "cap %s: tier %s, not %s", tiers[cap].name,
           isal_get_isa(), tiers[tier].name);
    expect_answers(&apis[1], features, cap);
}

/* Sets the cap of both libraries; 1 if they disagree. */
static int limit_both(const char *isa)
{
    int first = isal_set_isa_limit(isa);

    return isal_crypto_set_isa_limit(isa) == first ? first : 1;
}

static void test_api(void)
{
    char features[512] = "";
    const char *name;
    int present;
    size_t count;

    for (count = 0; (name = isal_list_cpu_features(count, &present)) != NULL; count++) {
        EXPECT(present == (int) (isalk_cpu_features() >> (CPU_LISTED_FIRST + count) & 1),
               "feature %s", name);
        EXPECT(same(isal_list_cpu_features(count, NULL), name), "feature %s without a result",
               name);
        if (present) {
            strcat(features, name);
            strcat(features, " ");
        }
    }
    EXPECT(count == CPU_LISTED_END - CPU_LISTED_FIRST, "%zu features", count);
#if ISALK_X86
    __builtin_cpu_init();
#define SAME_AS_COMPILER(name)                                       \
    EXPECT(listed(features, name) == !!__builtin_cpu_supports(name), \
           "%s: the compiler's library "                             \
           "does not agree",                                         \
           name)
    SAME_AS_COMPILER("ssse3");
    SAME_AS_COMPILER("sse4.2");
    SAME_AS_COMPILER("avx");
    SAME_AS_COMPILER("avx2");
    SAME_AS_COMPILER("bmi2");
    SAME_AS_COMPILER("avx512f");
    SAME_AS_COMPILER("gfni");
    SAME_AS_COMPILER("vpclmulqdq");
#endif

    EXPECT(!unsetenv("ISAL_ISA") && !limit_both(NULL), "cannot go back to no cap");
    expect_state(features, TIER_COUNT - 1);
    for (size_t cap = 0; cap < TIER_COUNT; cap++) {
        EXPECT(!limit_both(tiers[cap].name), "isal_set_isa_limit(%s)", tiers[cap].name);
        expect_state(features, cap);
        for (size_t i = 0; i < ARRAY_SIZE(not_tiers); i++)
            if (isalk_tier_from_name(not_tiers[i]) < 0)
                EXPECT(limit_both(not_tiers[i]) == -1, "'%s' is a tier", not_tiers[i]);
        expect_state(features, cap);
    }
    for (size_t cap = 0; cap < TIER_COUNT; cap++) {
        EXPECT(!setenv("ISAL_ISA", tiers[cap].name, 1) && !limit_both(NULL),
               "cannot go back to ISAL_ISA=%s", tiers[cap].name);
        expect_state(features, cap);
    }
    for (size_t i = 0; i < ARRAY_SIZE(not_tiers); i++) {
        int tier = isalk_tier_from_name(not_tiers[i]);
        EXPECT(!setenv("ISAL_ISA", not_tiers[i], 1) && !limit_both(NULL),
               "cannot go back to ISAL_ISA='%s'", not_tiers[i]);
        expect_state(features, tier < 0 ? TIER_COUNT - 1 : (size_t) tier);
    }
    EXPECT(!unsetenv("ISAL_ISA") && !limit_both(NULL), "cannot go back to no cap");
    EXPECT(isalk_cap() == TIER_COUNT - 1, "no ISAL_ISA is a cap");
}

/* Unknown names, indexes past the end, and versions. */
static void test_edges(void)
{
    int present;

    EXPECT(!isal_get_kernel(NULL), "isal_get_kernel(NULL)");
    EXPECT(!isal_get_kernel(""), "isal_get_kernel of an empty name");
    EXPECT(!isal_get_kernel("ec_encode_dat"), "isal_get_kernel takes a prefix");
    EXPECT(!isal_get_kernel("ec_encode_data2"), "isal_get_kernel takes a longer name");
    EXPECT(!isal_list_variants(NULL, 0, &present), "isal_list_variants(NULL)");
    EXPECT(!isal_list_variants("none", 0, NULL), "isal_list_variants of an unknown kernel");
    EXPECT(!isal_list_variants("ec_encode_data", (size_t) -1, NULL), "the last variant of all");
    EXPECT(same(isal_list_variants("ec_encode_data", 0, NULL), "base"), "the first variant");
    EXPECT(!isal_list_kernels((size_t) -1), "the last kernel of all");
    EXPECT(!isal_list_cpu_features((size_t) -1, NULL), "the last feature of all");
    EXPECT(!isalk_cpu_feature_name(CPU_BIT_END), "a feature past the last");
    EXPECT(isal_get_version() == ISAL_VERSION, "version %x", isal_get_version());
    EXPECT(same(isal_get_version_str(), ISAL_VERSION_STR), "version %s", isal_get_version_str());
    EXPECT(isal_crypto_get_version() == ISAL_CRYPTO_VERSION, "version %x",
           isal_crypto_get_version());
    EXPECT(same(isal_crypto_get_version_str(), ISAL_CRYPTO_VERSION_STR), "version %s",
           isal_crypto_get_version_str());
    EXPECT(isal_crypto_self_test(NULL) == 0, "known answers");
}

/* Features and traits in ISAL_ISA, and erasure coding with the number of rows a pass that a trait
 * sets. */
static void test_limits(void)
{
    static const char *const wrong[] = {"",         "+",         "+sha",      "avx2,",    ",avx2",
                                        "avx2-sha", "-sha,avx2", "+no_trait", "avx2,sse", "-"};
    struct isa_limit limit;
    unsigned char tables[32 * 3 * 6], data[3][200], want[6][200], got[6][200], *in[3], *out[6];

    EXPECT(!isalk_parse_limit("avx2,-sha,+ec_4_rows", &limit) && limit.cap == T_AVX2 &&
               limit.removed == CPU_SHA && limit.added == CPU_EC_4_ROWS,
           "a tier, a feature and a trait");
    EXPECT(!isalk_parse_limit("-ec_4_rows", &limit) && limit.cap == TIER_COUNT - 1 &&
               limit.removed == CPU_EC_4_ROWS && !limit.added,
           "no tier");
    for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
        EXPECT(isalk_parse_limit(wrong[i], &limit) == -1, "'%s'", wrong[i]);

    for (size_t i = 0; i < sizeof(tables); i++)
        tables[i] = 0;
    for (unsigned i = 0; i < 18; i++)
        gf_vect_mul_init((unsigned char) (3 * i + 2), tables + 32 * i);
    for (unsigned i = 0; i < 3; i++) {
        in[i] = data[i];
        for (unsigned j = 0; j < sizeof(data[i]); j++)
            data[i][j] = (unsigned char) (i * 77 + j * 13);
    }
    for (unsigned i = 0; i < 6; i++)
        out[i] = want[i];
    ec_encode_data(sizeof(data[0]), 3, 6, tables, in, out);
    for (unsigned i = 0; i < 6; i++)
        out[i] = got[i];
    EXPECT(!isal_set_isa_limit("+ec_4_rows"), "the trait is refused");
    ec_encode_data(sizeof(data[0]), 3, 6, tables, in, out);
    EXPECT(!memcmp(want, got, sizeof(want)), "passes of 4 rows");
    memset(got, 0, sizeof(got));
    for (int i = 0; i < 3; i++)
        ec_encode_data_update(sizeof(data[0]), 3, 6, i, tables, in[i], out);
    EXPECT(!memcmp(want, got, sizeof(want)), "updates of 4 rows");
    EXPECT(!isal_crypto_set_isa_limit("-sha") &&
               !strstr(isal_crypto_get_kernel("sha1_many"), "_sha"),
           "-sha");
    isal_set_isa_limit(NULL);
    isal_crypto_set_isa_limit(NULL);
}

/* ---- Set-user-id programs ---- */

/* Runs a copy of this program as another user. Returns the cap that it prints, or NULL. */
static const char *cap_of_copy(const char *path, mode_t mode)
{
    static char cap[32];
    int pipes[2];
    ssize_t length = 0, n;
    pid_t child;

    if (chmod(path, mode) || pipe(pipes) || (child = fork()) < 0)
        return NULL;
    if (!child) {
        static char *const environment[] = {(char *) "ISAL_ISA=base", NULL};
        static char *const arguments[] = {(char *) "dispatch_test", (char *) "--print-cap", NULL};
        if (dup2(pipes[1], 1) >= 0 && !setgid(65534) && !setuid(65534))
            execve(path, arguments, environment);
        _exit(127);
    }
    close(pipes[1]);
    while (length < (ssize_t) sizeof(cap) - 1 &&
           (n = read(pipes[0], cap + length, sizeof(cap) - 1 - (size_t) length)) > 0)
        length += n;
    close(pipes[0]);
    cap[length] = 0;
    return waitpid(child, NULL, 0) == child && length ? cap : NULL;
}

static int copy_self(const char *path)
{
    static char buffer[1 << 16];
    FILE *in = fopen("/proc/self/exe", "rb"), *out = in ? fopen(path, "wb") : NULL;
    size_t n;
    int ok = out != NULL;

    while (ok && (n = fread(buffer, 1, sizeof(buffer), in)) > 0)
        ok = fwrite(buffer, 1, n, out) == n;
    if (in)
        fclose(in);
    if (out && fclose(out))
        ok = 0;
    return ok;
}

static void test_set_user_id(void)
{
    const char *tmp = getenv("TMPDIR"), *plain, *cap;
    char dir[256], path[300];

    if (geteuid() != 0) {
        test_skip(
            "ISAL_ISA in a set-user-id program: only root can make one owned by another user");
        return;
    }
    snprintf(dir, sizeof(dir), "%s/dispatch_test.XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(dir)) {
        test_skip("ISAL_ISA in a set-user-id program: cannot create %s: %s", dir, strerror(errno));
        return;
    }
    snprintf(path, sizeof(path), "%s/copy", dir);
    plain = chmod(dir, 0755) == 0 && copy_self(path) ? cap_of_copy(path, 0755) : NULL;
    if (!plain) {
        test_skip("ISAL_ISA in a set-user-id program: another user cannot run %s", path);
    } else {
        EXPECT(same(plain, "base, as itself"), "a plain copy says: %s", plain);
        cap = cap_of_copy(path, 04755);
        if (same(cap, "base, as itself"))
            test_skip("ISAL_ISA in a set-user-id program: %s is mounted without set-user-id", dir);
        else
            EXPECT(
                cap &&
                    !strncmp(cap, tiers[TIER_COUNT - 1].name, strlen(tiers[TIER_COUNT - 1].name)) &&
                    strstr(cap, ", as another"),
                "a set-user-id copy says: %s", cap ? cap : "nothing");
    }
    unlink(path);
    rmdir(dir);
}

/* What the copy prints. It ends with _exit(), because a sanitizer's report at exit fails where the
 * user differs. */
static _Noreturn void print_cap(void)
{
    printf("%s, as %s", isalk_tier_name(isalk_cap()), getuid() == geteuid() ? "itself" : "another");
    fflush(stdout);
    _exit(0);
}

/* ---- Calls while the cap changes ---- */

enum { K = 6, ROWS = 3, LENGTH = 1000, CHANGES = 20000, THREADS = 3 };

static unsigned char gf_tables[32 * K * ROWS], sources[K][LENGTH], expected[ROWS][LENGTH];
static atomic_int stop;

static void *encode_again_and_again(void *unused)
{
    unsigned char out[ROWS][LENGTH], *in_pointers[K], *out_pointers[ROWS];
    size_t wrong = 0;

    (void) unused;
    for (int i = 0; i < K; i++)
        in_pointers[i] = sources[i];
    for (int i = 0; i < ROWS; i++)
        out_pointers[i] = out[i];
    while (!atomic_load(&stop)) {
        memset(out, 0xaa, sizeof(out));
        ec_encode_data(LENGTH, K, ROWS, gf_tables, in_pointers, out_pointers);
        wrong += memcmp(out, expected, sizeof(out)) != 0;
    }
    return (void *) wrong;
}

static void *change_the_cap(void *unused)
{
    size_t refused = 0;

    (void) unused;
    for (unsigned i = 0; i < CHANGES; i++) {
        refused += isal_set_isa_limit(tiers[i % TIER_COUNT].name) != 0;
        refused += isal_get_kernel("ec_encode_data") == NULL;
    }
    atomic_store(&stop, 1);
    return (void *) refused;
}

static void test_concurrency(void)
{
    unsigned char matrix[(K + ROWS) * K], *in_pointers[K], *out_pointers[ROWS];
    pthread_t encoders[THREADS], changer;
    void *count;

    for (int i = 0; i < K; i++) {
        in_pointers[i] = sources[i];
        for (int j = 0; j < LENGTH; j++)
            sources[i][j] = (unsigned char) (j * 31 + i * 7 + (j >> 3));
    }
    for (int i = 0; i < ROWS; i++)
        out_pointers[i] = expected[i];
    gf_gen_cauchy1_matrix(matrix, K + ROWS, K);
    ec_init_tables(K, ROWS, matrix + K * K, gf_tables);
    ec_encode_data_base(LENGTH, K, ROWS, gf_tables, in_pointers, out_pointers);

    if (pthread_create(&changer, NULL, change_the_cap, NULL)) {
        test_skip("calls while the cap changes: no threads");
        return;
    }
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&encoders[i], NULL, encode_again_and_again, NULL)) {
            perror("pthread_create");
            exit(1);
        }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(encoders[i], &count);
        EXPECT(!count, "thread %d encoded wrongly %zu times while the cap changed", i,
               (size_t) count);
    }
    pthread_join(changer, &count);
    EXPECT(!count, "the cap could not be changed %zu times", (size_t) count);
    isal_set_isa_limit(NULL);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--print-cap"))
        print_cap();
    test_start(argc, argv);
    TEST(test_tables);
    TEST(test_limits);
    TEST(test_api);
    TEST(test_edges);
    TEST(test_set_user_id);
    TEST(test_concurrency);
    printf("tier of this CPU: %s\n", isal_get_isa());
    return test_finish();
}
