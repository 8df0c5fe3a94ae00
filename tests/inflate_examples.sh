#!/bin/sh
# Checks the decompression example end to end: formats, members, damaged streams, invalid arguments.
# SPDX-License-Identifier: BSD-3-Clause
. "${srcdir:-..}/tests/check.sh"

need gzip gzip

program=$PWD/examples/inflate/inflate_stream
case $srcdir in
    /*) text=$srcdir/doc/performance.md ;;
    *) text=$PWD/$srcdir/doc/performance.md ;;
esac
work=$(mktemp -d "${TMPDIR:-/tmp}/inflate_examples.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
cd "$work" || exit 99

# expect STATUS TEXT ARGUMENTS...: checks the exit status and the message.
expect() {
    wanted=$1 said=$2
    shift 2
    $program "$@" >got 2>log
    status=$?
    if [ $status != "$wanted" ]; then
        fail "exit status $status, not $wanted: inflate_stream $*: $(cat log)"
    elif [ -n "$said" ] && ! grep -q -F -e "$said" log; then
        fail "inflate_stream $* says '$(cat log)', not '$said'"
    elif [ -z "$said" ] && [ -s log ]; then
        fail "inflate_stream $* says '$(cat log)'"
    else
        pass
    fi
}

# same FILE: the last output.
same() {
    if cmp -s got "$1"; then pass; else fail "the output is not $1"; fi
}

gzip -9nc "$text" >text.gz
printf '\170\234\113\114\112\116\204\041\000\035\340\004\231' >text.zlib
printf '\113\114\112\116\204\041\000' >text.raw
printf abcabcabcabc >abc

# ---- Formats ----

expect 0 "" text.gz
same "$text"
expect 0 "" - <text.gz
same "$text"
expect 0 "" --format gzip -o out text.gz
mv out got
same "$text"
expect 0 "" text.zlib
same abc
expect 0 "" -f raw text.raw
same abc
expect 0 "13 bytes read, 1 members, 12 bytes of data" -t -v text.zlib
if [ -s got ]; then fail "--test writes"; else pass; fi
expect 0 "" --help
if grep -q '^Usage:' got; then pass; else fail "--help"; fi

# ---- Members ----

for size in 1 2 100000; do
    head -c $size "$text" | gzip -c
done >members.gz
{ head -c 1 "$text" && head -c 2 "$text" && cat "$text"; } >members
expect 0 "3 members" -v members.gz
same members
{ cat text.gz && printf garbage; } >tail.gz
expect 1 "no further member" tail.gz
same "$text"
{ cat text.gz && printf '%0100d' 0; } >tail.gz
expect 1 "no further member" tail.gz
same "$text"
{ cat text.zlib && printf x; } >tail.zlib
expect 1 "from byte 13 on something follows" tail.zlib
same abc

# ---- Damaged streams: the data before the damage are written ----

size=$(wc -c <text.gz)
head -c 1000 text.gz >short.gz
expect 1 "cut short at byte 1000 (in member 1" short.gz
if [ -s got ] && cmp -s -n "$(wc -c <got)" got "$text"; then pass; else fail "short.gz"; fi
head -c $((size - 3)) text.gz >short.gz
expect 1 "cut short at byte $((size - 3))" short.gz
same "$text"
{ head -c $((size - 8)) text.gz && printf '12345678'; } >sum.gz
expect 1 "broken at byte $size (in member 1" sum.gz
same "$text"
grep -q "the checksum or the length differs" log || fail "sum.gz"
{ cat text.gz && head -c 18 text.gz && printf '\377%01000d' 0; } >second.gz
expect 1 "in member 2" second.gz
printf '\007' >block.raw
expect 1 "a block header is invalid" -f raw block.raw
printf '\203\001\001\000' >far.raw
expect 1 "a match begins before the data" -f raw far.raw
: >empty
expect 1 "is empty" empty
expect 1 "neither gzip nor zlib" "$text"
expect 1 "not the header" -f gzip text.zlib

# ---- Dictionaries ----

printf '\170\077\006\054\002\025' >needs.zlib
printf 'hello' >hello
expect 1 "a dictionary is needed" needs.zlib
expect 1 "compressed with another dictionary" -d abc needs.zlib
expect 1 "cut short at byte 6" -d hello needs.zlib

# ---- Invalid arguments ----

expect 2 "--format must be" -f bzip2 text.gz
expect 2 "invalid option -x" -x
expect 2 "unexpected argument" text.gz text.gz
expect 2 "a value is missing after -o" -o
expect 2 "nowhere:" nowhere
expect 2 "none/out:" -o none/out text.gz
expect 2 "none:" -d none text.raw
if [ -c /dev/full ]; then
    if $program text.gz >/dev/full 2>log; then fail "a full disk"; else pass; fi
else
    skip "there is no /dev/full"
fi
finish
