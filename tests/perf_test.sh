#!/bin/sh
# Runs isal-perf on files and on buffers: everything that is timed does what it should, the sums are
# right, wrong options fail.
# SPDX-License-Identifier: BSD-3-Clause
. "${srcdir:-..}/tests/program.sh"

case $srcdir in /*) source=$srcdir ;; *) source=$PWD/$srcdir ;; esac
folder=$PWD/perf
start isal-perf "${ISAL_PERF:-./perf/isal-perf}"

# clean: the last run warned of nothing.
clean() {
    if grep -q WARNING log; then fail "a warning"; else pass; fi
}

# field NAME CONDITION: that field of the CSV lines in `log` for which an awk condition holds; the
# condition uses f["NAME"].
field() {
    awk -F, -v name="$1" '/^#/ { next }
        !n { n = NF; for (i = 1; i <= NF; i++) names[i] = $i; next }
        { for (i = 1; i <= n; i++) f[names[i]] = $i; if ('"$2"') print f[name] }' log
}

# equal WHAT GOT WANTED
equal() {
    if [ "$2" = "$3" ]; then pass; else fail "$1: $2, not $3"; fi
}

export ASAN_OPTIONS=detect_leaks=0 # peers keep what they allocate
head -c 20000 "$source/doc/performance.md" >one
head -c 5000 "$source/LICENSE" >'two, "2"'
cat "$source/README.md" >three
size=$(cat one two* three | wc -c)
for format in raw zlib gzip; do
    for family in deflate inflate; do
        expect 0 $family --op all --format $format --record 1K --time 1 --rotate one two* three
        clean
        expect 0 $family --op all --format $format --time 1 one two* three
        clean
    done
done
for streams in isal-0 isal-1 isal-2; do
    expect 0 inflate --streams $streams --time 1 --size 100,64K
    clean
done

expect 0 deflate --time 1 --csv --level 1,3 one three
equal "lines of files" "$(field file 'f["level"] == 1' | tr '\n' ' ')" \
    "one three total geometric mean "
equal "sum of outputs" "$(field output_bytes 'f["level"] == 3 && f["file"] == "total"')" \
    "$(field output_bytes 'f["level"] == 3 && f["file"] != "total"' |
        awk '{ s += $1 } END { print s }')"
whole=$(field output_bytes 'f["level"] == 1 && f["file"] == "total"')
expect 0 deflate --time 1 --csv --level 1 --record 512 --summary one three
equal "lines of the summary" "$(field file 1 | tr '\n' ' ')" "total geometric mean "
if [ "$(field output_bytes 'f["file"] == "total"')" -gt "$whole" ]; then pass; else
    fail "records are not compressed alone"
fi
expect 0 deflate --time 1 --csv --level 1 --summary one two* three
equal "sum of sizes" "$(field size 'f["file"] == "total"')" "$size"
expect 0 deflate --time 1 --csv --level 1 two*
says '^"two, ""2""",isal_deflate_stateless,'

# Every variant has its limit, also beside portable C, which has none: of buffers that no cache near
# the core holds it is a bandwidth. No two variants of a kernel share a name.
expect 0 raid --list
tier=$(awk '$1 == "xor_gen" { for (i = NF; $i ~ /^\(/; i--); print $i }' log)
case $tier in
base | portable) skip "limits: no assembly" ;;
*)
    expect 0 raid --op xor_gen --geometry 16 --size 4M --time 1 --csv --variant "base,$tier"
    equal "what bounds 64 MB" "$(field bound 'f["variant"] != "base"' | sed 's/.* //')" read
    ;;
esac
expect 0 hash --op isal_sha256_mb_hash --k 2 --size 64 --time 1 --csv --variant all
equal "variants that are there twice" "$(field variant 1 | sort | uniq -d)" ""

# Every family, under its own name too.
expect 0 --help
families=$(awk '/^Families:/ { on = 1; next } !NF { on = 0 } on { print $1 }' log)
for family in $families; do
    expect 0 $family --help
    says '^Usage: isal-perf '$family
    expect 0 $family --list
    expect 0 $family --time 1 --size 512 --json
    clean
    if [ "$("$folder/${family}_perf" --help | head -n 1)" = \
        "Usage: ${family}_perf [options] [FILE...]" ]; then pass; else fail "${family}_perf"; fi
done
expect 0 --version
expect 2
expect 2 no_family
expect 2 deflate --no-option
expect 2 deflate --rotate one
expect 2 deflate --size 4K one
expect 2 crc --level 1
expect 2 crc --record 1
expect 2 deflate --format bzip2
expect 2 inflate --streams zlib-10
expect 1 deflate missing
expect 1 deflate --against libc.so.6

# The standard set, one run of it, and its report.
if ! command -v python3 >/dev/null; then
    skip "perf/standard and perf/report: python3 is missing"
else
    if python3 "$source/perf/standard" --perf "$folder/isal-perf" --only adler32 --time 1 \
        -o results.json Test 2>log && python3 "$source/perf/report" --markdown results.json >log &&
        grep -q '^| `isal_adler32` | ' log; then pass; else fail "perf/standard"; fi
    if python3 "$source/perf/levels" --perf "$folder/isal-perf" --against libz.so.1 --time 1 \
        --record whole,1K --save levels.csv one >log 2>&1 && python3 "$source/perf/levels" \
        --from levels.csv >log && grep -q '^| isal | 9 | [01]\.' log; then pass; else
        fail "perf/levels"
    fi
    if python3 "$source/perf/report" --no-plots -o page.html results.json >log; then pass; else
        fail "perf/report"
    fi
fi

# narrow FAMILY ARGUMENT...: the table and what is above it fit 100 columns.
narrow() {
    expect 0 "$@"
    if awk '!/^SKIP/ && length > 100 { exit 1 }' log; then pass; else fail "$* is wide"; fi
}
narrow aes --time 1 --size 512 --peers
narrow hash --op isal_sha256_mb_hash --k 2 --time 1 --size 512 --warm --cold --variant all
narrow deflate --time 1 --peers one 'two, "2"' three
expect 0 crc --op crc32_ieee --time 1 --size 512 --wide
says '^operation  *shape  *size  *state  *library  *variant  *GB/s  *median  *cyc/B  *GHz '
finish
