/* Runs one case on every row of a kernel table and checks what each row did.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "kernel_check.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if ISALK_ASM
#include <cpuid.h>
#endif

#define MAX_REPORTS 5 /* failures printed for each row */

sigjmp_buf check_fault_return;
void *volatile check_fault_address;

/* ---- Calling a row ---- */

#if ISALK_ASM
void isalk_call_checked(struct call *call);
#else
/* Kernels take integers and pointers only, which all calling conventions in use pass alike. */
static void isalk_call_checked(struct call *call)
{
    uintptr_t a[CHECK_PARAMETERS];

    for (size_t i = 0; i < CHECK_PARAMETERS; i++)
        a[i] = (uintptr_t) call->args[i];
    call->result =
        ((uintptr_t(*)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                       uintptr_t)) call->fn)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
}
#endif

static void on_fault(int signal_number, siginfo_t *info, void *context)
{
    (void) context;
    check_fault_address = info->si_addr;
    siglongjmp(check_fault_return, signal_number);
}

void check_catch_faults(void)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};

    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGILL, &action, NULL);
}

int check_row_runs(const struct check *c, unsigned row)
{
    const struct variant *v = &c->kernel->variants[row];

    return isalk_variant_fits(v, isalk_cpu_features()) &&
           (row == 0 || !c->only_row || !strcmp(c->only_row, v->name));
}

/* ---- Reports ---- */

static const char *const placement_names[PLACEMENTS] = {
    "buffers ending at a guard page", "buffers starting at a guard page", "buffers misaligned"};

static void print_case(const struct check *c)
{
    printf("%zu %s", c->size, c->test->dimension.unit);
    for (size_t i = 0; i < c->number_count; i++)
        printf(", %s %zu", c->numbers[i].name, c->numbers[i].value);
    if (c->description[0])
        printf(", %s", c->description);
}

void check_fail(struct check *c, unsigned row, const char *format, ...)
{
    const char *name = c->kernel->variants[row].name;
    va_list list;

    if (c->rows[row].failures++ >= MAX_REPORTS)
        return;
    printf("FAIL %s %s: ", c->kernel->name, name);
    if (c->test) {
        print_case(c);
        printf(", %s\n     ", placement_names[c->placement]);
    }
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    printf("\n     again: kernel_check --kernel %s --variant %s --seed %llu%s\n", c->kernel->name,
           name, (unsigned long long) c->seed, c->quick ? " --quick" : "");
}

static void fail_fault(struct check *c, unsigned row, int signal_number)
{
    const uint8_t *at = check_fault_address;
    char where[100] = "";

    for (size_t i = 0; i < c->used; i++) {
        const struct buffer *b = &c->buffers[i];
        const uint8_t *guard = b->region - check_page_bytes();
        if (at >= guard && at < guard + CHECK_BYTES + 3 * check_page_bytes())
            snprintf(where, sizeof where, ", %td bytes from the start of %s buffer %zu of %zu",
                     at - b->data, b->is_output ? "output" : "input", i, b->len);
    }
    check_fail(c, row, "signal %d at address %p%s", signal_number, (const void *) at, where);
}

/* ---- Checks ---- */

static void check_state(struct check *c, unsigned row, const struct call *call)
{
    static const char *const names[] = {"rbx", "rbp", "r12", "r13", "r14", "rsp or r15"};

    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (call->saved[i])
            check_fail(c, row, "does not preserve %s", names[i]);
    if (call->flags & 0x400)
        check_fail(c, row, "returns with the direction flag set");
    if (call->mxcsr[0] != call->mxcsr[1])
        check_fail(c, row, "changes MXCSR from %#x to %#x", (unsigned) call->mxcsr[0],
                   (unsigned) call->mxcsr[1]);
    for (int i = 0; i < 16; i++)
        for (uint32_t j = 16; j < call->vl; j++)
            if (call->vector[i][j]) {
                check_fail(c, row,
                           "returns with a dirty upper part of ymm%d: vzeroupper is missing", i);
                return;
            }
    if (call->in_use[1] & ~call->in_use[0] & CALL_UPPER)
        check_fail(c, row, "returns with upper parts in use: vzeroupper is missing");
}

/* The first row's result is what the others are compared with. */
static void check_result(struct check *c, unsigned row, uint64_t result)
{
    static uint64_t expected;
    const char *wrong;

    if (c->settle) {
        wrong = c->settle(c->settle_arg, result);
        if (wrong)
            check_fail(c, row, "%s", wrong);
        return;
    }
    switch (c->test->signature.result) {
    case RESULT_NONE:
        return;
    case RESULT_INT:
    case RESULT_UINT32:
        result = (uint32_t) result;
        break;
    case RESULT_UINT64:
        break;
    }
    if (row == 0)
        expected = result;
    else if (result != expected)
        check_fail(c, row, "returns %#llx, not %#llx", (unsigned long long) result,
                   (unsigned long long) expected);
}

/* ---- Time ---- */

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Fastest of a few runs. */
static void print_time(const struct check *c, unsigned row, struct call *call)
{
    double best = 1e9;

    for (int round = 0; round < 20; round++) {
        double start = seconds();
        for (int i = 0; i < 50; i++)
            isalk_call_checked(call);
        start = (seconds() - start) / 50 * 1e9;
        best = start < best ? start : best;
    }
    printf("  %-24s %-10s %12.1f ns  ", c->kernel->name, c->kernel->variants[row].name, best);
    print_case(c);
    printf("\n");
}

/* ---- Cases ---- */

static uint32_t vector_bytes(void)
{
    uint64_t features = isalk_cpu_features();

    return features & CPU_AVX512BW ? 64 : features & CPU_AVX ? 32 : 16;
}

/* Returns whether XGETBV reports which state is in use, even if it is zero. */
static uint32_t tells_in_use(void)
{
    static int tells = -1;
#if ISALK_ASM
    uint32_t a, b, c, d;

    if (tells < 0)
        tells = __get_cpuid_count(0xd, 1, &a, &b, &c, &d) && a & 4;
#endif
    return tells > 0;
}

static void run_row(struct check *c, unsigned row, const uint64_t *args)
{
    static uint8_t stack[STACK_BYTES];
    struct call call = {
        .fn = c->kernel->variants[row].fn, .vl = vector_bytes(), .tells_in_use = tells_in_use()};
    int search = c->secrets.declared && !c->bench, signal_number;

    memcpy(call.args, args, sizeof call.args);
    /* valgrind reports any access below the stack pointer as an error. */
    call.stack = search && !RUNNING_ON_VALGRIND ? stack : NULL;
    memset(call.before, 0xb7, sizeof call.before);
    check_reset_outputs(c);
    c->row = row;
    c->rows[row].cases++;
    signal_number = sigsetjmp(check_fault_return, 1);
    if (signal_number) {
        fail_fault(c, row, signal_number);
        return;
    }
    isalk_call_checked(&call);
    check_result(c, row, call.result);
    check_buffers(c, row);
    if (ISALK_ASM)
        check_state(c, row, &call);
    if (ISALK_ASM && search && row > 0)
        check_find_secrets(c, row, &call);
    if (c->family->handles_secrets && !c->secrets.declared)
        check_fail(c, row, "the case declares no secret");
    if (c->bench)
        print_time(c, row, &call);
}

void check_run_args(struct check *c, const uint64_t *args, size_t count)
{
    const struct check_signature *s = &c->test->signature;
    uint64_t all[CHECK_PARAMETERS] = {0};

    if (count != s->parameters) {
        fprintf(stderr, "kernel_check: %s has %u parameters, and its case gives %zu\n",
                c->test->kernel, s->parameters, count);
        exit(2);
    }
    /* Callers may leave anything in the upper half of a 32-bit argument's register. */
    for (size_t i = 0; i < count; i++)
        all[i] = ISALK_ASM && s->narrow >> i & 1 ? check_random64(c) << 32 | (args[i] & UINT32_MAX)
                                                 : args[i];
    check_index_secrets(c);
    check_save_buffers(c);
    for (unsigned row = 0; row < c->kernel->count; row++)
        if (check_row_runs(c, row))
            run_row(c, row, all);
    c->cases++;
}
