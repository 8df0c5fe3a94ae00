# Counting of results for the test scripts, which source this file.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2034
#
# srcdir and the tools come from the environment that the makefile sets; the defaults serve a run by
# hand from a build directory below the source tree.

srcdir=${srcdir:-..}
CC=${CC:-cc}
NM=${NM:-nm}
passed=0 failed=0 skipped=0

pass() {
    passed=$((passed + 1))
}

fail() {
    failed=$((failed + 1))
    printf 'FAIL: %s\n' "$*"
}

skip() {
    skipped=$((skipped + 1))
    printf 'SKIP: %s\n' "$*"
}

# setting NAME: a variable of this build's makefile.
setting() {
    sed -n "s/^$1 = //p" Makefile
}

# expect_empty WHAT OFFENDERS: passes if the list of offenders is empty.
expect_empty() {
    if [ -z "$2" ]; then
        pass
    else
        fail "$1:"
        printf '%s\n' "$2" | sed 's/^/    /'
    fi
}

# The last line of every test: the counts; status 77 if everything was skipped.
finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ $failed = 0 ] || exit 1
    [ $passed != 0 ] || exit 77
    exit 0
}

# need TOOL PACKAGE: skips the whole test without the tool.
need() {
    command -v "$1" >/dev/null 2>&1 && return
    skip "$1 is missing (package $2)"
    finish
}
