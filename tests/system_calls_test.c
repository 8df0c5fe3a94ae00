/* The libraries make no system calls once they are loaded. A process gets known answers of every
 * family in every tier; the kernel ends it at other calls than read, write and exit (seccomp).
 * SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* syscall() */

#include "tests/test.h"

#include "isa-l.h"
#include "isa-l_crypto/isal_crypto_api.h"

#include "dispatch/tiers.h"

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const tiers[] = {TIERS(TIER_NAME)};

static int make_system_call(void)
{
    return syscall(SYS_getpid) == 0;
}

static int use_libraries(void)
{
    int wrong = 0;

    for (size_t t = 0; t < sizeof tiers / sizeof tiers[0]; t++) {
        wrong |= isal_set_isa_limit(tiers[t]) || isal_crypto_set_isa_limit(tiers[t]);
        wrong |= isal_self_test(NULL) || isal_crypto_self_test(NULL);
    }
    return wrong;
}

/* Status of a process that calls the function without system calls; 77 without seccomp. */
static int status_of(int (*function)(void))
{
    int status = -1;
    pid_t child = fork();

    if (child == 0) {
        int result = 77;
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) == 0)
            result = function();
        syscall(SYS_exit, result);
    }
    EXPECT(child > 0 && waitpid(child, &status, 0) == child, "a process");
    return status;
}

static void test_system_calls(void)
{
    int status = status_of(make_system_call);

    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) {
        test_skip("no seccomp here");
        return;
    }
    status = status_of(use_libraries);
    EXPECT(!WIFSIGNALED(status), "a system call was made: signal %d", WTERMSIG(status));
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "known answers: status %d", status);
}

#else

static void test_system_calls(void)
{
    test_skip("needs Linux, without sanitizers");
}

#endif

int main(int argc, char **argv)
{
    test_start(argc, argv);
    TEST(test_system_calls);
    return test_finish();
}
