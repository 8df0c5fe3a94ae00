/* Test of the kernel check: it must report each of these wrong kernels, descriptors and calls.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each kernel has a correct first row and a second row with one fault. */

#include "kernel_check.h"
#include "test.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#if ISALK_ASM
#include <cpuid.h>
#endif

/* ---- Kernels: dst becomes the complement of src ---- */

typedef int invert_fn(uint8_t *dst, const uint8_t *src, uint32_t len);

static int right(uint8_t *dst, const uint8_t *src, uint32_t len)
{
    for (uint32_t i = 0; i < len; i++)
        dst[i] = (uint8_t) ~src[i];
    return (int) len;
}

/* The same at another address. */
static int right_too(uint8_t *dst, const uint8_t *src, uint32_t len)
{
    return right(dst, src, len);
}

static int wrong_byte(uint8_t *dst, const uint8_t *src, uint32_t len)
{
    right(dst, src, len);
    if (len == 77)
        dst[76] ^= 1;
    return (int) len;
}

static int wrong_result(uint8_t *dst, const uint8_t *src, uint32_t len)
{
    return right(dst, src, len) + (len == 77);
}

static int writes_after(uint8_t *dst, const uint8_t *src, uint32_t len)
{
    volatile uint8_t *after = dst + len;

    *after = 0;
    return right(dst, src, len);
}

static int writes_before(uint8_t *dst, const uint8_t *src, uint32_t len)
{
    volatile uint8_t *before = dst - 1;

    *before = 0;
    return right(dst, src, len);
}

static int reads_after(uint8_t *dst, const uint8_t *src, uint32_t len)
{
    const volatile uint8_t *after = src + len;

    (void) *after;
    return right(dst, src, len);
}

static int writes_input(uint8_t *dst, const uint8_t *src, uint32_t len)
{
    right(dst, src, len);
    if (len)
        *(uint8_t *) (uintptr_t) src ^= 0x10;
    return (int) len;
}

static int traps(uint8_t *dst, const uint8_t *src, uint32_t len)
{
    if (len == 77)
        raise(SIGILL);
    return right(dst, src, len);
}

#if ISALK_ASM

/* Uses the whole register of a 32-bit argument, as an assembly kernel might. */
static int upper_half(uint8_t *dst, const uint8_t *src, uint64_t len)
{
    right(dst, src, (uint32_t) len);
    return (int) ((uint32_t) len + (len >> 32 != 0));
}

#define ASSEMBLY(name, ...)                                         \
    static int name(uint8_t *dst, const uint8_t *src, uint32_t len) \
    {                                                               \
        int result = right(dst, src, len);                          \
        __asm__ volatile(__VA_ARGS__);                              \
        return result;                                              \
    }
ASSEMBLY(loses_register, "not %%r12" : : : "memory")
ASSEMBLY(leaves_direction, "std" : : : "memory")
ASSEMBLY(leaves_secret_in_vector, "movdqu (%0), %%xmm7" : : "r"(src) : "memory")
ASSEMBLY(leaves_secret_on_stack, "mov (%0), %%rax\n\tmov %%rax, -200(%%rsp)"
         :
         : "r"(src)
         : "rax", "memory")

ASSEMBLY(leaves_upper_part,
         "vpcmpeqb %%xmm7, %%xmm7, %%xmm7\n\tvinsertf128 $1, %%xmm7, %%ymm7, %%ymm7"
         :
         :
         : "xmm7", "memory")
ASSEMBLY(leaves_upper_in_use, "vcmpps $15, %%ymm7, %%ymm7, %%ymm7\n\tvpxor %%xmm7, %%xmm7, %%xmm7"
         :
         :
         : "xmm7", "memory")

/* Returns whether this CPU reports that vzeroupper has cleared the upper parts. */
static int upper_parts_can_be_unused(void)
{
    uint32_t a = 0, b, c, d;

    if (!__get_cpuid_count(0xd, 1, &a, &b, &c, &d) || !(a & 4))
        return 0;
    __asm__ volatile("vzeroupper\n\txgetbv" : "=a"(a), "=d"(d) : "c"(1) : "memory");
    return !(a & CALL_UPPER);
}

static int changes_mxcsr(uint8_t *dst, const uint8_t *src, uint32_t len)
{
    static const uint32_t mxcsr = 0x9f80; /* denormals are zero */

    __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
    return right(dst, src, len);
}

#endif

/* ---- Running the kernel check on them ---- */

enum { FIRST_SIZE = 16 }; /* the secret in leaves_secret_in_vector() */

static void invert_case(struct check *c, size_t len)
{
    uint8_t *dst = check_output(c, len), *src = check_input(c, len);

    check_run(c, ARG(dst), ARG(src), ARG(len));
}

#if ISALK_ASM
static void secret_case(struct check *c, size_t len)
{
    uint8_t *dst = check_output(c, len), *src = check_input(c, len);

    check_secret(c, "the input", src, len);
    check_run(c, ARG(dst), ARG(src), ARG(len));
}
#endif

static void no_case(struct check *c, size_t len)
{
    (void) c;
    (void) len;
}

static void short_case(struct check *c, size_t len)
{
    uint8_t *dst = check_output(c, len), *src = check_input(c, len);

    check_run(c, ARG(dst), ARG(src));
}

static void do_nothing(void)
{
}

#define INVERT SIGNATURE(invert_fn, int, uint8_t *, const uint8_t *, uint32_t)
static const struct check_call bypass[] = {{"invert", "bypass", do_nothing}, CALLS_END};
static const struct check_kernel invert_test = {
    "invert", invert_case, {"bytes", 1, FIRST_SIZE, 100, 100, 0}, INVERT, 0};

/* A kernel check of one kernel; the members that a test does not set are correct. */
struct setup {
    const char *kernel;
    kernel_fn fn; /* of the second row; NULL: there is none */
    int has_slot;
    void (*one_case)(struct check *c, size_t len);
    const char *described; /* the kernel that the descriptor names */
    const struct check_call *calls;
    int handles_secrets;
    const char *option, *argument;
};

static char output[1 << 16]; /* of the last kernel check */

static int check_in_child(const struct setup *setup)
{
    static kernel_slot slot = (kernel_fn) right;
    struct variant rows[2] = {{"base", T_BASE, 0, 0, (kernel_fn) right},
                              {"wrong", T_SSE, 0, 0, setup->fn}};
    struct kernel kernel = {setup->kernel ? setup->kernel : "invert",
                            setup->has_slot ? &slot : NULL, rows, setup->fn ? 2 : 1};
    struct family table = {"test", &kernel, 1};
    const struct family *tables[] = {&table, NULL};
    struct check_kernel test = invert_test;
    struct check_family descriptor = {&test, 1, setup->calls, setup->handles_secrets};
    const struct check_family *descriptors[] = {&descriptor, NULL};
    char *argv[] = {(char[]){"kernel_check"}, (char *) (uintptr_t) setup->option,
                    (char *) (uintptr_t) setup->argument, NULL};

    if (setup->one_case)
        test.one_case = setup->one_case;
    if (setup->described)
        test.kernel = setup->described;
    return check_main(!setup->option ? 1 : !setup->argument ? 2 : 3, argv, tables, descriptors);
}

/* Expects the exit status, and the message in the output. */
static void expect(const struct setup *setup, int status, const char *message)
{
    FILE *file = tmpfile();
    size_t n;
    pid_t child;
    int ended;

    fflush(stdout);
    if (!file || (child = fork()) < 0) {
        test_skip("no temporary file or no process");
        return;
    }
    if (child == 0) {
        dup2(fileno(file), 1);
        dup2(fileno(file), 2);
        status = check_in_child(setup);
        fflush(stdout);
        _exit(status);
    }
    waitpid(child, &ended, 0);
    rewind(file);
    n = fread(output, 1, sizeof output - 1, file);
    output[n] = '\0';
    fclose(file);
    EXPECT(WIFEXITED(ended) && WEXITSTATUS(ended) == status, "%s: status %#x, output:\n%s", message,
           (unsigned) ended, output);
    EXPECT(strstr(output, message), "no \"%s\" in:\n%s", message, output);
}

/* ---- Tests ---- */

static void test_right_kernel(void)
{
    expect(&(struct setup){.fn = (kernel_fn) right}, 0, "2 passed, 0 failed, 0 skipped");
}

static void test_wrong_kernels(void)
{
    static const struct {
        int (*fn)(uint8_t *, const uint8_t *, uint32_t);
        const char *message;
    } kernels[] = {
        {wrong_byte, "output buffer 0 (77 bytes"},
        {wrong_result, "returns 0x4e, not 0x4d"},
        {writes_after, "writes 1 bytes after the end of output buffer 0"},
        {writes_before, "writes 1 bytes before output buffer 0"},
        {reads_after, "signal 11 at address"},
        {writes_input, "input buffer 1"},
        {traps, "signal 4"},
#if ISALK_ASM
        {loses_register, "does not preserve r12"},
        {leaves_direction, "returns with the direction flag set"},
        {changes_mxcsr, "changes MXCSR from"},
#endif
    };

    for (size_t i = 0; i < ARRAY_SIZE(kernels); i++)
        expect(&(struct setup){.fn = (kernel_fn) kernels[i].fn}, 1, kernels[i].message);
}

static void test_upper_parts(void)
{
#if ISALK_ASM
    if (!(isalk_cpu_features() & CPU_AVX)) {
        test_skip("this CPU has no AVX");
        return;
    }
    expect(&(struct setup){.fn = (kernel_fn) leaves_upper_part}, 1,
           "returns with a dirty upper part of ymm7");
    if (upper_parts_can_be_unused())
        expect(&(struct setup){.fn = (kernel_fn) leaves_upper_in_use}, 1,
               "returns with upper parts in use");
    else
        test_skip("this CPU does not tell whether upper parts are in use");
#endif
}

static void test_32_bit_arguments(void)
{
#if ISALK_ASM
    expect(&(struct setup){.fn = (kernel_fn) upper_half}, 1, "FAIL invert wrong: 16 bytes");
#else
    test_skip("arguments are passed as C passes them");
#endif
}

static void test_secrets(void)
{
    expect(&(struct setup){.fn = (kernel_fn) right, .handles_secrets = 1}, 1,
           "the case declares no secret");
#if ISALK_ASM
    expect(&(struct setup){.fn = (kernel_fn) leaves_secret_in_vector, .one_case = secret_case}, 1,
           "leaves the input in vector register 7");
    if (!RUNNING_ON_VALGRIND)
        expect(&(struct setup){.fn = (kernel_fn) leaves_secret_on_stack, .one_case = secret_case},
               1, "leaves the input on the stack");
#endif
}

static void test_incomplete_descriptors(void)
{
    expect(&(struct setup){.fn = (kernel_fn) right, .one_case = no_case}, 1,
           "FAIL invert wrong: no case ran");
    expect(&(struct setup){.fn = (kernel_fn) right, .kernel = "reverse"}, 1,
           "FAIL reverse: no descriptor");
    expect(&(struct setup){.fn = (kernel_fn) right, .described = "reverse"}, 1,
           "FAIL reverse: a descriptor of a kernel that is in no table");
    expect(&(struct setup){.fn = (kernel_fn) right, .one_case = short_case}, 2,
           "invert has 3 parameters, and its case gives 2");
}

static void test_slots(void)
{
    expect(&(struct setup){.has_slot = 1}, 1,
           "FAIL invert: no call of a public function reaches its slot");
    expect(&(struct setup){.calls = bypass}, 1, "FAIL invert: it has calls and no slot");
    expect(&(struct setup){.fn = (kernel_fn) right_too, .has_slot = 1, .calls = bypass}, 1,
           "is not in the slot under the cap sse");
#if ISALK_ASM
    expect(&(struct setup){.has_slot = 1, .calls = bypass}, 1,
           "bypass() does not call the kernel in the slot");
#endif
}

static void test_options(void)
{
    static const struct {
        const char *option, *argument;
        int status;
        const char *message;
    } options[] = {
        {"--help", NULL, 0, "Usage: kernel_check"},
        {"--list", NULL, 0, "invert                   base wrong"},
        {"--quick", NULL, 0, "2 passed, 0 failed"},
        {"--bench", NULL, 0, " ns  64 bytes"},
        {"--kernel", "invert", 0, "2 passed, 0 failed"},
        {"--variant", "base", 0, "1 passed, 0 failed"},
        {"--kernel", "reverse", 2, "no kernel 'reverse'"},
        {"--variant", "avx2", 2, "no variant 'avx2'"},
        {"--seed", "7x", 2, "--seed takes a number, not '7x'"},
        {"--kernel", NULL, 2, "requires an argument"},
        {"--all", NULL, 2, "Usage: kernel_check"},
        {"invert", NULL, 2, "no argument 'invert' is expected"},
    };

    for (size_t i = 0; i < ARRAY_SIZE(options); i++)
        expect(&(struct setup){.fn = (kernel_fn) right,
                               .option = options[i].option,
                               .argument = options[i].argument},
               options[i].status, options[i].message);
}

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_right_kernel);
    TEST(test_wrong_kernels);
    TEST(test_upper_parts);
    TEST(test_32_bit_arguments);
    TEST(test_secrets);
    TEST(test_incomplete_descriptors);
    TEST(test_slots);
    TEST(test_options);
    return test_finish();
}
