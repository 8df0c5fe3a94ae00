#!/bin/sh
# Checks crc_file end to end: every CRC of the catalogue, threads, lists, invalid arguments.
# SPDX-License-Identifier: BSD-3-Clause
#
# CRC_FILE names the program.
. "${srcdir:-..}/tests/program.sh"

start crc_file "${CRC_FILE:-./crc_file}"

# silent_about TEXT: the last output does not contain it.
silent_about() {
    if grep -q -e "$1" log; then fail "the output has '$1'"; else pass; fi
}

# ---- Values ----

printf 123456789 >nine
expect 0 nine
says 'e3069283  nine'
expect 0 -a crc-32 nine
says 'cbf43926  nine'
expect 0 --tag -a CRC-3/GSM nine
says 'CRC-3/GSM (nine) = 4'
expect 0 -a CRC-16/DECT-R nine
says '007e  nine'

expect 0 --list
mv log catalogue
[ "$(wc -l <catalogue | tr -d ' ')" = 112 ] || fail "the catalogue has another length"
while read -r name parameters; do
    value=$($program -a "$name" nine) || fail "$name"
    printf '%s\n' "$value" | grep -q "^0*${parameters##*check=0x}  nine$" ||
        fail "$name: $value, not ${parameters##*check=}"
done <catalogue

: >empty
expect 0 -a CRC-32 empty
says '00000000  empty'
[ "$(printf 123456789 | $program)" = 'e3069283  -' ] || fail "standard input"
[ "$(printf 123456789 | $program - nine | cut -d ' ' -f 1 | uniq)" = e3069283 ] ||
    fail "- and a file"

# ---- Threads: the same value as from a pipe, at sizes around blocks ----

for size in 4194303 4194304 4194305 8388608 13000001; do
    head -c $size /dev/urandom >big
    for name in CRC-32/ISCSI CRC-16/T10-DIF CRC-64/ECMA-182 CRC-12/UMTS CRC-5/USB; do
        stream=$($program -a $name <big | cut -d ' ' -f 1)
        for threads in 1 2 7; do
            value=$($program -a $name -t $threads big | cut -d ' ' -f 1)
            [ "$value" = "$stream" ] ||
                fail "$name of $size bytes by $threads threads: $value, not $stream"
        done
    done
done
if command -v gzip >/dev/null; then
    # A gzip file ends with the CRC-32 and the length, both little-endian.
    expected=$(gzip -1 <big | tail -c 8 | od -An -tx1 -N 4 | awk '{ print $4 $3 $2 $1 }')
    [ "$($program -a CRC-32 big)" = "$expected  big" ] || fail "CRC-32 differs from gzip's"
else
    echo "SKIP: gzip is missing"
fi
if command -v cksum >/dev/null; then
    # POSIX appends the length of the file to it.
    length=13000001 bytes=
    while [ $length -gt 0 ]; do
        bytes="$bytes\\$(printf %03o $((length & 255)))"
        length=$((length >> 8))
    done
    { cat big && printf "$bytes"; } >with_length
    [ "$($program -a CRC-32/CKSUM with_length)" = \
        "$(printf %08x "$(cksum <big | cut -d ' ' -f 1)")  with_length" ] ||
        fail "CRC-32/CKSUM differs from cksum's"
fi

# ---- Lists ----

printf one >'a file'
printf two >'back\slash'
new='new
line'
printf three >"$new"
set -- nine 'a file' 'back\slash' "$new" empty
for tag in '' --tag; do
    $program -a CRC-64/XZ $tag "$@" >list || fail "writing a list"
    grep -q '^\\.*new\\nline' list || fail "a line end is not escaped"
    [ "$(wc -l <list | tr -d ' ')" = 5 ] || fail "a list has another length"
    expect 0 -c -a CRC-64/XZ list
    says 'nine: OK'
    says 'a file: OK'
    expect 0 -c -q -a CRC-64/XZ list
    [ ! -s log ] || fail "--quiet prints"
    $program -c -q -a CRC-64/XZ <list >log 2>&1 || fail "a list from the standard input"
done
expect 0 -c list # names the CRC
sed 's/$/\r/' list >dos
expect 0 -c dos
tr abcdef ABCDEF <list >upper_case
$program -a CRC-32 nine | sed 's/  / */' >binary
expect 0 -c -a CRC-32 binary

cp nine kept
printf 123456780 >nine
expect 1 -c list
says 'nine: FAILED'
says 'files that differ: 1'
says 'a file: OK'
expect 1 -c -q list
silent_about OK
says 'nine: FAILED'
expect 1 -c -s list
[ ! -s log ] || fail "--status prints"
rm nine
expect 1 -c list
says 'nine: FAILED to read'
says 'No such file'
expect 0 -c --ignore-missing list
silent_about 'nine'
mv kept nine

# ---- Malformed lists ----

for line in garbage 'e306928  nine' 'e30692833  nine' 'e3069283 nine' 'e3069283  ' \
    'g3069283  nine' 'CRC-32/NONE (nine) = e3069283' 'CRC-32/ISCSI (nine) = e306928' \
    'CRC-32/ISCSI (nine) = e3069283x' \
    'CRC-32/ISCSI () = e3069283' '\e3069283  ni\ne\' '\e3069283  ni\xne' '(nine) = e3069283' \
    ') = e3069283 (' '\' ' (' ' () = '; do
    printf '%s\n' "$line" >bad
    expect 1 -c bad
    says 'not understood: 1'
done
printf 'e3069283  ni\000ne\n' >bad
expect 1 -c bad
says 'not understood: 1'
{ echo garbage && $program nine; } >bad
expect 1 -c bad
says 'nine: OK'
says 'not understood: 1'
$program nine | tr -d '\n' >unended
expect 0 -c unended
expect 1 -c empty
says 'no file was compared'
expect 1 -c --ignore-missing bad
rm -f gone
echo 'e3069283  gone' >bad
expect 1 -c --ignore-missing bad
says 'no file was compared'

# ---- Invalid arguments ----

for wrong in '-a CRC-32/NONE nine' '-t 0 nine' '-t 257 nine' '-t 1x nine' '--unknown' '-q nine' \
    '-s nine' \
    '--ignore-missing nine' '-c --tag nine' 'gone' '-c gone' '-a' '.'; do
    expect 2 $wrong
done
expect 2 gone nine
says 'e3069283  nine'
says 'gone: No such file'
expect 0 --help
says 'Exit status'
expect 0 --version
says 'crc_file (isa-l)'
if [ -w /dev/full ]; then
    $program nine >/dev/full 2>log
    [ $? -eq 2 ] || fail "a full device is not noticed"
fi

finish
