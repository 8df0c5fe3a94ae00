#!/bin/sh
# Every installed program has -h and -V, with their long names; invalid arguments give one short
# message on standard error.
# SPDX-License-Identifier: BSD-3-Clause
. "${srcdir:-..}/tests/check.sh"

work=$(mktemp -d "${TMPDIR:-/tmp}/options_test.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM

# run ARGUMENT...: the program's output goes to $work/out and $work/err.
run() {
    "$program" "$@" </dev/null >"$work/out" 2>"$work/err"
    status=$?
}

# ends STATUS OUT-LINES ERR-LINES WHAT: checks the last run; `any` is at least one line.
ends() {
    out=$(($(wc -l <"$work/out"))) err=$(($(wc -l <"$work/err")))
    if [ "$2" = any ] && [ $out -gt 0 ]; then out=any; fi
    if [ "$status $out $err" = "$1 $2 $3" ]; then pass; else
        fail "$name $4: status $status, $out lines, $err lines of messages: $(cat "$work/err")"
    fi
}

# informs ARGUMENT...: -h, --help, -V and --version work after these arguments.
informs() {
    for option in -h --help; do
        run "$@" $option
        ends 0 any 0 "$* $option"
        for listed in -h --help -V --version; do
            if grep -q -e "$listed" "$work/out"; then pass; else
                fail "$name $* $option does not say $listed"
            fi
        done
        if awk 'length > 100 { exit 1 }' "$work/out"; then pass; else fail "$name: help is wide"; fi
    done
    for option in -V --version; do
        run "$@" $option
        ends 0 1 0 "$* $option"
    done
}

# refuses ARGUMENT...: invalid arguments give only one message, which names --help.
refuses() {
    run "$@"
    ends 2 0 1 "$*"
    if grep -q "^$name: .*; see $name --help\$" "$work/err"; then pass; else
        fail "$name $*: $(cat "$work/err")"
    fi
}

for name in crc_file dedup ec_file encrypt_file hash_pipeline isal-info; do
    program=./$name
    informs
    refuses --no-option
done
for command in encode verify repair decode; do
    name=ec_file program=./ec_file
    informs $command
    refuses $command --no-option
done
for command in store restore stats; do
    name=dedup program=./dedup
    informs $command
    refuses $command --no-option
done
for command in encrypt decrypt; do
    name=encrypt_file program=./encrypt_file
    informs $command
    refuses $command --no-option
done
for name in dedup ec_file encrypt_file; do
    program=./$name
    refuses
    refuses no_command
done
name=hash_pipeline program=./hash_pipeline
refuses more
name=isal-info program=./isal-info
refuses more
name=crc_file program=./crc_file
refuses --threads 0
name=igzip program=./igzip/program/igzip
informs

if [ -x perf/isal-perf ]; then
    name=isal-perf program=./perf/isal-perf
    informs
    informs crc
    refuses
    refuses no_family
    refuses crc --no-option
    refuses crc --op no_operation
    refuses crc --op crc32_ieee,no_operation
    refuses crc --size x
    refuses crc --variant base,no_tier
    refuses deflate --level 1,x
    refuses raid --geometry 1
else
    skip "isal-perf is not built"
fi
finish
