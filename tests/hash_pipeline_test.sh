#!/bin/sh
# Runs hash_pipeline with every hash, odd sizes and wrong options.
# SPDX-License-Identifier: BSD-3-Clause
. "${srcdir:-..}/tests/check.sh"

program=./hash_pipeline

for hash in md5 sha1 sha256 sha512 sm3; do
    if output=$($program --hash $hash --producers 3 --chunk-size 1000 --total-size 1234567 2>&1) &&
        echo "$output" | grep -q "^hash  *$hash$" &&
        echo "$output" | grep -q '^elapsed time  *[0-9.]* s$' &&
        echo "$output" | grep -q '^consumer thread usage  *[0-9.]* %$' &&
        echo "$output" | grep -q '^hash speed  *[0-9.]* MB/s, [0-9.]* MiB/s$'; then pass; else
        fail "--hash $hash: $output"
    fi
done
for options in "--producers 1 --total-size 1" "--producers 9 --chunk-size 64K --total-size 3M" \
    "--speed 50 --chunk-size 1M --total-size 4M"; do
    if output=$($program $options 2>&1); then pass; else fail "$options: $output"; fi
done
# status WANTED OPTION...
status() {
    wanted=$1
    shift
    $program "$@" >/dev/null 2>&1
    got=$?
    if [ $got = "$wanted" ]; then pass; else fail "$*: status $got, not $wanted"; fi
}
status 0 --help
status 0 --version
status 2 --hash sha3
status 2 --producers 0
status 2 --chunk-size 2G
status 2 --total-size -1
status 2 --total-size 1X
status 2 --speed x
status 2 more
finish
