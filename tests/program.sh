# Shared by the tests of the example programs, which source this file.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
. "${srcdir:-..}/tests/check.sh"

# start NAME PROGRAM: PROGRAM is what to test (with a prefix such as "libtool --mode=execute
# valgrind" if wanted). The test then runs in an empty folder, which is removed at its end.
start() {
    tested=$1 program=$2
    case $program in
    ./*) program=$PWD/${program#./} ;;
    esac
    work=$(mktemp -d "${TMPDIR:-/tmp}/${tested}_test.XXXXXX") || exit 99
    trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
    trap 'exit 99' HUP INT TERM
    cd "$work" || exit 99
    exec </dev/null
}

fail() {
    failed=$((failed + 1))
    printf 'FAIL: %s\n' "$*"
    if [ -s log ]; then sed 's/^/    | /' log; fi
}

# expect STATUS ARGUMENT...: runs the program and compares its exit status; output goes to log.
expect() {
    wanted=$1
    shift
    $program "$@" >log 2>&1
    status=$?
    if [ $status = "$wanted" ]; then pass; else
        fail "exit status $status, not $wanted: $tested $*"
    fi
}

# says TEXT: the last output contains it.
says() {
    if grep -q -e "$1" log; then pass; else fail "the output lacks '$1'"; fi
}

# same A B [WHAT]: the files have the same contents.
same() {
    if cmp -s "$1" "$2"; then pass; else fail "$1 and $2 differ${3:+: $3}"; fi
}

absent() {
    if [ ! -e "$1" ]; then pass; else fail "$1 was left behind"; fi
}

# no_temporaries FOLDER: it contains no temporary files of the program.
no_temporaries() {
    if ls -A "$1" 2>/dev/null | grep -q "^\.$tested-"; then
        fail "temporary files in $1: $(ls -A "$1")"
    else
        pass
    fi
}
