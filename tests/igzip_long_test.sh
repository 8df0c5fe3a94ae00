#!/bin/sh
# Checks igzip with more than 4 GiB: lengths that do not fit 32 bits, memory in use, holes.
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: igzip_long_test.sh [GIGABYTES [OPTIONS]...]
#
# 5 by default, with all kinds of options; "-T2 -3" is one argument.
#
# IGZIP names the program.
set -u

program=${IGZIP:-igzip/program/igzip}
size=$((${1:-5} * 1000000000))
if [ $# -gt 0 ]; then shift; fi
if [ $# = 0 ]; then set -- "" "-T2" "-0" "--bgzf -T2" "--indexed -T2" "--rsyncable -T2"; fi
work=$(mktemp -d "${TMPDIR:-/tmp}/igzip_long_test.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
passed=0 failed=0

fail() {
    echo "FAIL: $*"
    failed=$((failed + 1))
}

# Data that differ from one 64 KiB to the next, made faster than they are compressed.
head -c 3000000 "$(command -v "${CC:-cc}" || echo /bin/sh)" >"$work/some"
seq 1 300000 >>"$work/some"
data() {
    while cat "$work/some" && echo $((n += 1)); do :; done 2>/dev/null | head -c "$size"
}
n=0
wanted=$(data | cksum)

for options in "$@"; do
    for threads in 1 2; do
        begun=$(date +%s)
        got=$(data | $program $options |
            (ulimit -v 2000000 && exec $program -dc -T$threads) | cksum)
        if [ "$got" = "$wanted" ]; then
            passed=$((passed + 1))
        else
            fail "igzip $options | igzip -d -T$threads: $got instead of $wanted"
        fi
        echo "igzip $options | igzip -d -T$threads: $(($(date +%s) - begun)) s"
    done
done

# A file that is one hole, and what is listed of it.
truncate -s "$size" "$work/hollow"
$program --rm -T2 "$work/hollow" || fail "a file with a hole"
listed=$($program -l "$work/hollow.gz" | awk 'END { print $2 }')
if [ "$listed" = "$size" ]; then
    passed=$((passed + 1))
else
    fail "-l says $listed instead of $size"
fi
$program -d --rm "$work/hollow.gz" || fail "a file with a hole, back"
if [ "$(wc -c <"$work/hollow" | tr -d ' ')" = "$size" ] &&
    [ "$(du -k "$work/hollow" | cut -f 1)" -lt 1000 ]; then
    passed=$((passed + 1))
else
    fail "the hole came back as $(du -k "$work/hollow") KiB"
fi
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
