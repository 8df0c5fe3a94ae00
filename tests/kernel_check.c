/* The kernel check program: see check.h for what it checks, --help for how to run it.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "check.h"

#include <errno.h>
#include <getopt.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifdef __has_include
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif
#endif
#ifndef RUNNING_ON_VALGRIND
#define RUNNING_ON_VALGRIND 0
#endif

/* The families: a new one adds its line here. SECRETS: each of its cases declares its secrets. */
#define SECRETS 1
#define FAMILIES(X)    \
    X(adler32, 0)      \
    X(aes, SECRETS)    \
    X(crc, 0)          \
    X(crc_combine, 0)  \
    X(deflate, 0)      \
    X(erasure_code, 0) \
    X(hash, 0)         \
    X(inflate, 0)      \
    X(mem, 0)          \
    X(mh_sha1, 0)      \
    X(raid, 0)         \
    X(rolling_hash, 0)
#define X(name, secrets) extern const struct check_family check_##name;
FAMILIES(X)
#undef X
#define X(name, secrets) {&check_##name, secrets},
static const struct {
    const struct check_family *family;
    int secrets;
} families[] = {FAMILIES(X)};
#undef X

#define CANARY 0x6d
#define CANARY_BYTES 192 /* checked on each side of a buffer, as far as its region goes */
#define MAX_FAILURES 5   /* printed for each variant of a kernel */
#define LENGTHS 1100     /* every length from 0 up to this */
#define LENGTHS_QUICK 300
#define LONG_CASES 300 /* random lengths up to CHECK_LONG */
#define UNROLL 512u    /* bytes in the longest step of a kernel that handles secrets */

enum placement { FLUSH_END, FLUSH_START, MISALIGNED, PLACEMENTS };

/* A region of CHECK_BYTES between two pages that fault. */
struct buffer {
    uint8_t *region, *data;
    size_t len;
    int is_output;
    uint8_t *initial, *expected; /* copies of data: before the call, and after the first variant */
};

/* Every WINDOW bytes of the declared secrets in a row, in both byte orders: first a list, then a
 * hash table. */
#define WINDOW 8
struct window {
    uint64_t bytes; /* 0: a free place in the table */
    const char *what;
};
struct secrets {
    int declared;
    struct window *list, *table;
    size_t used, room, mask; /* windows in the list; its size; size of the table - 1 */
};

struct check {
    const struct kernel *kernel;
    const struct check_kernel *test;
    const char *only_variant;
    uint64_t seed, random;
    enum placement placement;
    int handles_secrets; /* the kernel's family does */
    struct secrets secrets;
    size_t len;
    char description[200];
    struct buffer buffers[CHECK_BUFFERS];
    size_t used;
    const char *(*settle)(void *arg, uint64_t result);
    void *settle_arg;
    unsigned long cases, failed;
    unsigned failures[TIER_COUNT], tried[TIER_COUNT];
    double bench_ns;
    int bench;
};

static long page;
static sigjmp_buf fault_return;
static void *volatile fault_address;

/* ---- Calling a variant ---- */

struct call {
    kernel_fn fn;
    uint64_t args[CHECK_ARGS];
    uint64_t result;
    uint64_t saved[7];
    uint32_t flags;
    uint32_t mxcsr[2];
    uint32_t vl;        /* bytes in a vector register of this CPU: 16, 32 or 64 */
    uint8_t before[16]; /* in the vector registers before the call, and in the stack below */
    uint8_t *stack;     /* receives the STACK_BYTES below the frame, unless it is NULL */
    uint64_t general[9];
    uint64_t opmask[8];
    uint8_t vector[32][64];
};

#define STACK_BYTES 8192

/* The registers of `general` in struct call: the others are compared with what they held. */
static const char *const general_names[9] = {"rax", "rcx", "rdx", "rsi", "rdi",
                                             "r8",  "r9",  "r11", "r10"};

#if ISALK_ASM
_Static_assert(offsetof(struct call, vl) == 148 && offsetof(struct call, stack) == 168 &&
                   offsetof(struct call, opmask) == 248 && offsetof(struct call, vector) == 312,
               "call_checked.asm has these offsets");
void isalk_call_checked(struct call *call);
#else
/* Every kernel takes integers and pointers only, which all calling conventions in use pass alike.
 * */
static void isalk_call_checked(struct call *call)
{
    uintptr_t a[CHECK_ARGS];

    for (size_t i = 0; i < CHECK_ARGS; i++)
        a[i] = (uintptr_t) call->args[i];
    call->result =
        ((uintptr_t(*)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                       uintptr_t)) call->fn)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
}
#endif

static void on_fault(int signal_number, siginfo_t *info, void *context)
{
    (void) context;
    fault_address = info->si_addr;
    siglongjmp(fault_return, signal_number);
}

/* ---- Contents ---- */

/* SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). */
static uint64_t next_random(struct check *c)
{
    uint64_t z = c->random += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

unsigned check_random(struct check *c, unsigned n)
{
    return (unsigned) (next_random(c) >> 32) % n;
}

int check_parameter(const struct check *c)
{
    return c->test->parameter;
}

static void fill(struct check *c, uint8_t *data, size_t len)
{
    unsigned kind = check_random(c, 16);

    if (kind == 0) {
        memset(data, 0, len);
    } else if (kind == 1) {
        memset(data, 0xff, len);
    } else if (kind == 2) {
        memset(data, 0, len);
        if (len)
            data[check_random(c, (unsigned) len)] = (uint8_t) (1u << check_random(c, 8));
    } else {
        for (size_t i = 0; i < len; i += 8) {
            uint64_t r = next_random(c);
            memcpy(data + i, &r, len - i < 8 ? len - i : 8);
        }
    }
}

static uint8_t *new_buffer(struct check *c, size_t len, int is_output)
{
    struct buffer *b = &c->buffers[c->used++];
    size_t low, high;

    if (c->used > CHECK_BUFFERS || len > CHECK_BYTES) {
        fprintf(stderr, "kernel_check: %s asks for too many buffers or bytes\n", c->test->kernel);
        exit(2);
    }
    if (!b->region) {
        size_t size = (CHECK_BYTES + (size_t) page - 1) / (size_t) page * (size_t) page;
        uint8_t *map =
            mmap(NULL, size + 2 * (size_t) page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (map == MAP_FAILED || mprotect(map + page, size, PROT_READ | PROT_WRITE)) {
            perror("kernel_check: mmap");
            exit(2);
        }
        b->region = map + page + size - CHECK_BYTES;
        b->initial = malloc(CHECK_BYTES);
        b->expected = malloc(CHECK_BYTES);
        if (!b->initial || !b->expected) {
            perror("kernel_check: malloc");
            exit(2);
        }
    }
    b->len = len;
    b->is_output = is_output;
    switch (c->placement) {
    case FLUSH_END:
        b->data = b->region + CHECK_BYTES - len;
        break;
    case FLUSH_START:
        b->data = b->region;
        break;
    default:
        b->data =
            b->region +
            check_random(c, (unsigned) (CHECK_BYTES - len < 256 ? CHECK_BYTES - len + 1 : 256));
        break;
    }
    low = (size_t) (b->data - b->region) < CANARY_BYTES ? (size_t) (b->data - b->region)
                                                        : CANARY_BYTES;
    high = (size_t) (b->region + CHECK_BYTES - b->data) - len;
    memset(b->data - low, CANARY, low);
    memset(b->data + len, CANARY, high < CANARY_BYTES ? high : CANARY_BYTES);
    fill(c, b->data, len);
    return b->data;
}

uint8_t *check_input(struct check *c, size_t len)
{
    return new_buffer(c, len, 0);
}

uint8_t *check_output(struct check *c, size_t len)
{
    return new_buffer(c, len, 1);
}

void *check_struct(struct check *c, const void *initial, size_t size, int is_output)
{
    enum placement placement = c->placement;
    uint8_t *data;

    if (placement == MISALIGNED)
        c->placement = FLUSH_END;
    data = new_buffer(c, size, is_output);
    c->placement = placement;
    if (initial)
        memcpy(data, initial, size);
    return data;
}

void *check_pointers(struct check *c, uint8_t *const *pointers, size_t n)
{
    return check_struct(c, pointers, n * sizeof *pointers, 0);
}

/* ---- Secrets ---- */

static uint64_t load_window(const uint8_t *p)
{
    uint64_t w;

    memcpy(&w, p, WINDOW);
    return w;
}

/* Windows of few different bytes, which some contents consist of, are found everywhere. */
static int is_common(uint64_t w)
{
    unsigned different = 0;
    uint64_t seen[4] = {0};

    for (; w; w >>= 8) {
        uint64_t bit = (uint64_t) 1 << (w & 63), *word = &seen[w >> 6 & 3];
        different += !(*word & bit);
        *word |= bit;
    }
    return different < 5;
}

static uint64_t reversed(uint64_t w)
{
    uint64_t r = 0;

    for (unsigned i = 0; i < WINDOW; i++, w >>= 8)
        r = r << 8 | (w & 0xff);
    return r;
}

static void *checked_realloc(void *p, size_t size)
{
    p = realloc(p, size);
    if (!p) {
        perror("kernel_check: malloc");
        exit(2);
    }
    return p;
}

void check_secret(struct check *c, const char *what, const void *bytes, size_t n)
{
    struct secrets *s = &c->secrets;

    s->declared = 1;
    for (size_t i = 0; i + WINDOW <= n; i++) {
        uint64_t w = load_window((const uint8_t *) bytes + i);
        if (is_common(w))
            continue;
        if (s->used + 2 > s->room) {
            s->room = 2 * s->room + 1024;
            s->list = checked_realloc(s->list, s->room * sizeof *s->list);
        }
        s->list[s->used++] = (struct window){w, what};
        s->list[s->used++] = (struct window){reversed(w), what};
    }
}

/* The place of a window in the table: where it is, or where it would be. */
static struct window *find_window(const struct secrets *s, uint64_t w)
{
    size_t i = (size_t) (w * 0x9e3779b97f4a7c15 >> 32) & s->mask;

    while (s->table[i].bytes && s->table[i].bytes != w)
        i = (i + 1) & s->mask;
    return &s->table[i];
}

static void index_secrets(struct secrets *s)
{
    size_t size = 64;

    while (size < 2 * s->used)
        size *= 2;
    if (size > s->mask + 1)
        s->table = checked_realloc(s->table, size * sizeof *s->table);
    s->mask = size - 1;
    memset(s->table, 0, size * sizeof *s->table);
    for (size_t i = 0; i < s->used; i++)
        *find_window(s, s->list[i].bytes) = s->list[i];
}

void check_settle(struct check *c, const char *(*settle)(void *arg, uint64_t result), void *arg)
{
    c->settle = settle;
    c->settle_arg = arg;
}

void check_describe(struct check *c, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vsnprintf(c->description, sizeof c->description, format, list);
    va_end(list);
}

/* ---- Checks ---- */

static const char *const placement_names[PLACEMENTS] = {"ending at a guard page",
                                                        "starting at a guard page", "misaligned"};

static void fail(struct check *c, const struct variant *v, const char *format, ...)
{
    va_list list;

    c->failed++;
    if (c->failures[v->tier]++ >= MAX_FAILURES)
        return;
    printf("FAIL %s %s: seed %llu, length %zu, buffers %s, %s\n     ", c->kernel->name,
           isalk_tier_name(v->tier), (unsigned long long) c->seed, c->len,
           placement_names[c->placement], c->description);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    printf("\n     again: kernel_check --kernel %s --variant %s --seed %llu\n", c->kernel->name,
           isalk_tier_name(v->tier), (unsigned long long) c->seed);
}

/* Index of the first byte that is not CANARY, or n. */
static size_t canary_broken(const uint8_t *p, size_t n)
{
    size_t i = 0;

    while (i < n && p[i] == CANARY)
        i++;
    return i;
}

static void check_buffers(struct check *c, const struct variant *v, int first)
{
    for (size_t i = 0; i < c->used; i++) {
        struct buffer *b = &c->buffers[i];
        const uint8_t *want = b->is_output ? b->expected : b->initial;
        const char *what = b->is_output ? "output" : "input";
        size_t low = (size_t) (b->data - b->region), high = CHECK_BYTES - low - b->len, at;

        low = low < CANARY_BYTES ? low : CANARY_BYTES;
        high = high < CANARY_BYTES ? high : CANARY_BYTES;
        if ((at = canary_broken(b->data - low, low)) < low)
            fail(c, v, "writes %zu bytes before %s buffer %zu (address %% 64 = %u)", low - at, what,
                 i, (unsigned) ((uintptr_t) b->data & 63));
        if ((at = canary_broken(b->data + b->len, high)) < high)
            fail(c, v, "writes %zu bytes past the end of %s buffer %zu (address %% 64 = %u)",
                 at + 1, what, i, (unsigned) ((uintptr_t) b->data & 63));
        if (b->is_output && first) {
            memcpy(b->expected, b->data, b->len);
        } else if (memcmp(b->data, want, b->len)) {
            at = 0;
            while (b->data[at] == want[at])
                at++;
            fail(c, v, "%s buffer %zu (%zu bytes, address %% 64 = %u): byte %zu is %02x, not %02x",
                 what, i, b->len, (unsigned) ((uintptr_t) b->data & 63), at, b->data[at], want[at]);
        }
    }
}

static void check_state(struct check *c, const struct variant *v, const struct call *call)
{
    static const char *const names[6] = {"rbx", "rbp", "r12", "r13", "r14", "rsp or r15"};

    for (int i = 0; i < 6; i++)
        if (call->saved[i])
            fail(c, v, "does not preserve %s", names[i]);
    if (call->flags & 0x400)
        fail(c, v, "returns with the direction flag set");
    if (call->mxcsr[0] != call->mxcsr[1])
        fail(c, v, "changes MXCSR from %#x to %#x", (unsigned) call->mxcsr[0],
             (unsigned) call->mxcsr[1]);
    for (int i = 0; i < 16; i++)
        for (uint32_t j = 16; j < call->vl; j++)
            if (call->vector[i][j]) {
                fail(c, v, "returns with a dirty upper part of ymm%d: vzeroupper is missing", i);
                return;
            }
}

/* What secret lies in these bytes, or NULL; *at is where. */
static const char *find_secret(const struct secrets *s, const void *bytes, size_t n, size_t *at)
{
    for (*at = 0; *at + WINDOW <= n; ++*at) {
        uint64_t w = load_window((const uint8_t *) bytes + *at);
        const struct window *found = w ? find_window(s, w) : NULL;
        if (found && found->bytes)
            return found->what;
    }
    return NULL;
}

/* Vector registers are zero or as they were; no secret is in the other places. For assembly: where
 * a compiler keeps the variables of portable C is its own choice. */
static void check_secrets(struct check *c, const struct variant *v, const struct call *call)
{
    static const uint8_t zero[48];
    const char *what;
    size_t at, deep = 0;

    for (int i = 0; i < (call->vl == 64 ? 32 : 16); i++) {
        what = find_secret(&c->secrets, call->vector[i], call->vl, &at);
        if (what)
            fail(c, v, "leaves %s in vector register %d, byte %zu", what, i, at);
        else if (memcmp(call->vector[i] + 16, zero, 48) ||
                 (memcmp(call->vector[i], zero, 16) && memcmp(call->vector[i], call->before, 16)))
            fail(c, v, "leaves what it worked on in vector register %d", i);
    }
    for (int i = 0; i < 8; i++)
        if ((what = find_secret(&c->secrets, &call->opmask[i], WINDOW, &at)) != NULL)
            fail(c, v, "leaves %s in k%d", what, i);
    for (size_t i = 0; i < ARRAY_SIZE(call->general); i++)
        if ((what = find_secret(&c->secrets, &call->general[i], WINDOW, &at)) != NULL)
            fail(c, v, "leaves %s in %s", what, general_names[i]);
    if (!call->stack)
        return;
    while (deep < STACK_BYTES && !memcmp(call->stack + deep, call->before, 16))
        deep += 16;
    if (deep == 0)
        fail(c, v, "uses more stack than the %d bytes that are searched", STACK_BYTES);
    what = find_secret(&c->secrets, call->stack + deep, STACK_BYTES - deep, &at);
    if (what)
        fail(c, v, "leaves %s on the stack, %zu bytes below the frame", what,
             STACK_BYTES - deep - at);
}

static uint32_t vector_bytes(uint64_t features)
{
    return features & CPU_AVX512BW ? 64 : features & CPU_AVX ? 32 : 16;
}

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Fastest of a few runs, in nanoseconds. */
static double time_call(struct call *call)
{
    double best = 1e9;

    for (int round = 0; round < 20; round++) {
        double start = seconds();
        for (int i = 0; i < 50; i++)
            isalk_call_checked(call);
        start = (seconds() - start) / 50 * 1e9;
        best = start < best ? start : best;
    }
    return best;
}

void check_run_args(struct check *c, const uint64_t *args, size_t count)
{
    static uint8_t stack[STACK_BYTES];
    uint64_t features = isalk_cpu_features();
    uint64_t expected_result = 0;

    index_secrets(&c->secrets);
    for (size_t i = 0; i < c->used; i++)
        memcpy(c->buffers[i].initial, c->buffers[i].data, c->buffers[i].len);
    for (unsigned n = 0; n < c->kernel->count; n++) {
        const struct variant *v = &c->kernel->variants[n];
        struct call call = {.fn = v->fn, .vl = vector_bytes(features)};
        const char *wrong;
        int signal_number;

        if (v->needs & ~features)
            continue;
        if (n > 0 && c->only_variant && strcmp(c->only_variant, isalk_tier_name(v->tier)))
            continue;
        memcpy(call.args, args, count * sizeof *args);
        /* valgrind takes any use of what is below the stack pointer for an error. */
        call.stack = c->secrets.declared && !c->bench && !RUNNING_ON_VALGRIND ? stack : NULL;
        memset(call.before, 0xb7, sizeof call.before);
        for (size_t i = 0; i < c->used; i++)
            if (c->buffers[i].is_output)
                memcpy(c->buffers[i].data, c->buffers[i].initial, c->buffers[i].len);
        c->tried[v->tier]++;
        signal_number = sigsetjmp(fault_return, 1);
        if (signal_number) {
            const char *where = "";
            char text[100];
            for (size_t i = 0; i < c->used; i++) {
                const uint8_t *at = fault_address, *start = c->buffers[i].region - page;
                if (at >= start && at < start + CHECK_BYTES + 3 * page) {
                    snprintf(text, sizeof text,
                             ", %td bytes from the start of %s buffer %zu of %zu",
                             at - c->buffers[i].data, c->buffers[i].is_output ? "output" : "input",
                             i, c->buffers[i].len);
                    where = text;
                }
            }
            fail(c, v, "signal %d at address %p%s", signal_number, fault_address, where);
            continue;
        }
        isalk_call_checked(&call);
        if (n == 0)
            expected_result = call.result;
        else if (c->test->returns == 1 && (int) call.result != (int) expected_result)
            fail(c, v, "returns %d, not %d", (int) call.result, (int) expected_result);
        else if (c->test->returns == 2 && call.result != expected_result)
            fail(c, v, "returns %#llx, not %#llx", (unsigned long long) call.result,
                 (unsigned long long) expected_result);
        wrong = c->settle ? c->settle(c->settle_arg, call.result) : NULL;
        if (wrong)
            fail(c, v, "%s", wrong);
        check_buffers(c, v, n == 0);
        if (ISALK_ASM)
            check_state(c, v, &call);
        if (c->secrets.declared && !c->bench && ISALK_ASM && v->tier != T_BASE)
            check_secrets(c, v, &call);
        if (c->handles_secrets && !c->secrets.declared)
            fail(c, v, "declares no secret");
        if (c->bench) {
            double ns = time_call(&call);
            printf("  %-28s %-9s %7zu bytes  %10.1f ns  %s\n", c->kernel->name,
                   isalk_tier_name(v->tier), c->len, ns, c->description);
        }
    }
    c->cases++;
}

/* ---- The program ---- */

static void one_case(struct check *c, size_t len, enum placement placement)
{
    c->len = len;
    c->placement = placement;
    c->used = 0;
    c->secrets.declared = 0;
    c->secrets.used = 0;
    c->settle = NULL;
    c->description[0] = '\0';
    c->test->one_case(c, len);
}

static void run_test(struct check *c, int quick)
{
    size_t lengths = quick ? LENGTHS_QUICK : LENGTHS;

    /* A hash of the name keeps a kernel's cases the same when others are left out. */
    c->random = c->seed;
    for (const char *p = c->test->kernel; *p; p++)
        c->random = (c->random ^ (uint8_t) *p) * 0x100000001b3;
    memset(c->failures, 0, sizeof c->failures);
    memset(c->tried, 0, sizeof c->tried);
    if (c->bench) {
        static const size_t sizes[] = {64, 512, 4096, 16384};
        for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
            one_case(c, sizes[i], FLUSH_START);
        return;
    }
    for (size_t len = 0; len <= lengths; len += quick ? 1 + len / 70 : 1)
        for (int p = 0; p < PLACEMENTS; p++)
            if (!quick || (int) (len % PLACEMENTS) == p)
                one_case(c, len, (enum placement) p);
    for (size_t n = UNROLL / (quick ? 2 : 8); c->handles_secrets && n <= 4 * UNROLL;
         n += UNROLL / (quick ? 2 : 8))
        for (size_t len = n - 1; len <= n + 1; len++)
            for (int p = 0; p < PLACEMENTS; p++)
                one_case(c, len, (enum placement) p);
    for (int i = 0; i < (quick ? LONG_CASES / 30 : LONG_CASES); i++)
        one_case(c, check_random(c, quick ? 3000 : CHECK_LONG - 512),
                 (enum placement)(i % PLACEMENTS));
}

static const struct kernel *find_kernel(const char *name)
{
    for (unsigned f = 0; isalk_all_families[f]; f++)
        for (unsigned i = 0; i < isalk_all_families[f]->count; i++)
            if (!strcmp(isalk_all_families[f]->kernels[i].name, name))
                return &isalk_all_families[f]->kernels[i];
    return NULL;
}

/* Sets `test`, to NULL if no test describes the kernel. */
static void find_test(struct check *c)
{
    c->test = NULL;
    for (size_t f = 0; f < ARRAY_SIZE(families); f++)
        for (size_t i = 0; i < families[f].family->count; i++)
            if (!strcmp(families[f].family->tests[i].kernel, c->kernel->name)) {
                c->test = &families[f].family->tests[i];
                c->handles_secrets = families[f].secrets;
            }
}

static void list_kernels(void)
{
    for (unsigned f = 0; isalk_all_families[f]; f++)
        for (unsigned i = 0; i < isalk_all_families[f]->count; i++) {
            const struct kernel *k = &isalk_all_families[f]->kernels[i];
            printf("%-14s %-24s", isalk_all_families[f]->name, k->name);
            for (unsigned n = 0; n < k->count; n++)
                printf(" %s%s", isalk_tier_name(k->variants[n].tier),
                       k->variants[n].needs & ~isalk_cpu_features() ? "(not on this CPU)" : "");
            printf("\n");
        }
}

static void usage(FILE *to)
{
    fputs("Usage: kernel_check [OPTION]...\n"
          "Compares every variant of every kernel with its portable C variant.\n\n"
          "  --list           print the kernels and their variants, and exit\n"
          "  --kernel NAME    check this kernel only\n"
          "  --variant TIER   check this variant only\n"
          "  --seed N         seed of the inputs (default 1)\n"
          "  --quick          fewer lengths, for emulators\n"
          "  --bench          time each variant on the check's own inputs\n"
          "  --help           print this, and exit\n\n"
          "Exit status: 0 if every comparison passed, 1 if one failed, 2 on a usage error.\n",
          to);
}

/* The names of these CPU features, to the end of the line. */
static void print_features(uint64_t features)
{
    for (unsigned i = 0; i < CPU_FEATURE_COUNT; i++)
        if (features >> i & 1)
            printf(" %s", isalk_cpu_feature_name(i));
    printf("\n");
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"list", no_argument, NULL, 'l'},       {"kernel", required_argument, NULL, 'k'},
        {"seed", required_argument, NULL, 's'}, {"variant", required_argument, NULL, 'v'},
        {"quick", no_argument, NULL, 'q'},      {"bench", no_argument, NULL, 'b'},
        {"help", no_argument, NULL, 'h'},       {NULL, 0, NULL, 0}};
    static struct check c;
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    const char *only_kernel = NULL;
    unsigned long passed = 0, failed = 0, skipped = 0;
    int quick = 0, option;

    c.seed = 1;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        char *end;
        switch (option) {
        case 'l':
            list_kernels();
            return 0;
        case 'k':
            only_kernel = optarg;
            if (!find_kernel(optarg)) {
                fprintf(stderr, "kernel_check: no kernel '%s'; --list prints them\n", optarg);
                return 2;
            }
            break;
        case 'v':
            c.only_variant = optarg;
            if (isalk_tier_from_name(optarg) < 0) {
                fprintf(stderr, "kernel_check: no tier '%s'; --list prints them\n", optarg);
                return 2;
            }
            break;
        case 's':
            errno = 0;
            c.seed = strtoull(optarg, &end, 0);
            if (errno || *end || !*optarg) {
                fprintf(stderr, "kernel_check: --seed takes a number, not '%s'\n", optarg);
                return 2;
            }
            break;
        case 'q':
            quick = 1;
            break;
        case 'b':
            c.bench = 1;
            break;
        case 'h':
            usage(stdout);
            return 0;
        default:
            usage(stderr);
            return 2;
        }
    }
    if (optind < argc) {
        usage(stderr);
        return 2;
    }
    page = sysconf(_SC_PAGESIZE);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGILL, &action, NULL);
    setvbuf(stdout, NULL, _IOLBF, 0);

    for (unsigned f = 0; isalk_all_families[f]; f++)
        for (unsigned i = 0; i < isalk_all_families[f]->count; i++) {
            c.kernel = &isalk_all_families[f]->kernels[i];
            if (only_kernel && strcmp(only_kernel, c.kernel->name))
                continue;
            find_test(&c);
            if (!c.test) {
                printf("FAIL %s: no test describes this kernel\n", c.kernel->name);
                failed++;
                continue;
            }
            if (c.test->returns == 2 && sizeof(void *) < sizeof(uint64_t)) {
                printf("SKIP %s: it takes numbers wider than the arguments that are passed here\n",
                       c.kernel->name);
                skipped++;
                continue;
            }
            run_test(&c, quick);
            for (unsigned n = 0; n < c.kernel->count; n++) {
                const struct variant *v = &c.kernel->variants[n];
                const char *tier = isalk_tier_name(v->tier);
                if (n > 0 && c.only_variant && strcmp(c.only_variant, tier))
                    continue;
                if (v->needs & ~isalk_cpu_features()) {
                    printf("SKIP %s %s: this CPU lacks", c.kernel->name, tier);
                    print_features(v->needs & ~isalk_cpu_features());
                    skipped++;
                } else if (c.failures[v->tier]) {
                    printf("FAIL %s %s: %u failures in %u cases\n", c.kernel->name, tier,
                           c.failures[v->tier], c.tried[v->tier]);
                    failed++;
                } else {
                    passed++;
                }
            }
        }
    printf("%lu cases\n%lu passed, %lu failed, %lu skipped\n", c.cases, passed, failed, skipped);
    return failed ? 1 : 0;
}
