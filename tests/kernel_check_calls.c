/* Checks that public functions call whichever row is in a kernel's slot.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "kernel_check.h"

#include "isa-l/isal_api.h"
#include "isa-l_crypto/isal_crypto_api.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#if ISALK_ASM

/* In call_checked.asm: counts its calls and jumps to isalk_probe_row, with its arguments
 * unchanged. */
void isalk_probe(void);
ISALK_HIDDEN_BEGIN
uint64_t isalk_probe_calls;
kernel_fn isalk_probe_row;
ISALK_HIDDEN_END

static void call_row(struct check *c, unsigned row, const struct check_call *call)
{
    int signal_number;

    isalk_probe_calls = 0;
    isalk_probe_row = c->kernel->variants[row].fn;
    signal_number = sigsetjmp(check_fault_return, 1);
    if (signal_number) {
        check_fail(c, row, "signal %d in a call of %s()", signal_number, call->function);
        return;
    }
    call->call();
    if (!isalk_probe_calls)
        check_fail(c, row, "%s() does not call the kernel in the slot", call->function);
}

static void call_rows(struct check *c)
{
    kernel_fn chosen = atomic_load(c->kernel->slot);

    atomic_store(c->kernel->slot, isalk_probe);
    for (unsigned row = 0; row < c->kernel->count; row++)
        for (const struct check_call *call = c->family->calls; call->kernel; call++)
            if (check_row_runs(c, row) && !strcmp(call->kernel, c->kernel->name))
                call_row(c, row, call);
    atomic_store(c->kernel->slot, chosen);
}

void check_ignore_calls(void)
{
    isalk_probe_calls = 0;
}

void check_expect_no_call(void)
{
    isalk_probe_calls = 1;
}

#else

void check_ignore_calls(void)
{
}

void check_expect_no_call(void)
{
}

/* Portable C is the only row, so no call can reach another. */
static void call_rows(struct check *c)
{
    (void) c;
}

#endif

/* Under each cap the slot holds the row that isalk_choose() names. */
static void check_chosen(struct check *c)
{
    for (int tier = 0; tier < TIER_COUNT; tier++) {
        const char *name = isalk_tier_name((enum tier) tier);
        const struct variant *v;
        isal_set_isa_limit(name);
        isal_crypto_set_isa_limit(name);
        v = isalk_choose(c->kernel, isalk_cpu_features(), isalk_cap());
        if (atomic_load(c->kernel->slot) != v->fn)
            check_fail(c, (unsigned) (v - c->kernel->variants),
                       "is not in the slot under the cap %s", name);
    }
    isal_set_isa_limit(NULL);
    isal_crypto_set_isa_limit(NULL);
}

int check_slot(struct check *c)
{
    int calls = 0;

    for (const struct check_call *call = c->family->calls; call && call->kernel; call++)
        calls |= !strcmp(call->kernel, c->kernel->name);
    if (!c->kernel->slot != !calls) {
        printf("FAIL %s: %s\n", c->kernel->name,
               calls ? "it has calls and no slot"
                     : "no call of a public function reaches its slot");
        return 0;
    }
    if (c->kernel->slot) {
        c->test = NULL;
        check_chosen(c);
        call_rows(c);
    }
    return 1;
}
