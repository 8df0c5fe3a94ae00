# Counting of results for the test scripts, which source this file.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2034
#
# The makefile sets srcdir and the tools in the environment. The defaults are for a manual run in a
# build directory below the source tree.

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

# setting NAME: prints a variable of the makefile of this build.
setting() {
    sed -n "s/^$1 = //p" Makefile
}

# extract_examples DOCUMENT BASE: writes the examples in C of a document to BASE1.c, BASE2.c ...
extract_examples() {
    awk -v base="$2" '
        /^```c$/ { n++; file = base n ".c"; next }
        /^```/ { file = "" }
        file { print > file }' "$1"
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

# Prints the last line of every test, its counts, and exits; status 77 if everything was skipped.
finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ $failed = 0 ] || exit 1
    [ $passed != 0 ] || exit 77
    exit 0
}

# need TOOL PACKAGE: skips the whole test if the tool is missing.
need() {
    command -v "$1" >/dev/null 2>&1 && return
    skip "$1 is missing (package $2)"
    finish
}
