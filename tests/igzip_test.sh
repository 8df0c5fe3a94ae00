#!/bin/sh
# Checks the igzip program: the behaviour of gzip, by its manual and RFC 1952, and its own features.
# SPDX-License-Identifier: BSD-3-Clause
#
# IGZIP names the program (with a prefix such as "libtool --mode=execute valgrind" if wanted), PEERS
# the other programs that read and write the format. The name of a test as argument runs only that
# test: igzip_test.sh test_list
set -u

program=${IGZIP:-igzip/program/igzip}
case $program in
    igzip/*) program=$PWD/$program ;;
esac
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/igzip_test.XXXXXX") || exit 99
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
cd "$work" || exit 99
unset GZIP IGZIP_OPT POSIXLY_CORRECT
LC_ALL=C TZ=UTC umask=$(umask)
export LC_ALL TZ
umask 022
passed=0 failed=0 skipped=0 failures=0
echo "folder $work"

# ---- Tools ----

fail() {
    echo "FAIL $test: $*"
    if [ -s log ]; then head -n 5 log | sed 's/^/    | /'; fi
    failures=$((failures + 1))
}

skip() {
    echo "SKIP $test: $*"
    skipped=$((skipped + 1))
}

have() {
    command -v "$1" >/dev/null 2>&1
}

igzip() {
    $program "$@"
}

# The rest of the test removes input files, as gzip does.
removing() {
    IGZIP_OPT=--rm
    export IGZIP_OPT
}

# expect STATUS ARGUMENTS...: runs igzip and compares its status; standard error goes to log.
expect() {
    wanted=$1
    shift
    $program "$@" 2>log </dev/null
    status=$?
    [ $status -eq "$wanted" ] || fail "status $status, not $wanted: igzip $*"
}

# says TEXT: the last messages contain it. quiet: there were none.
says() {
    grep -q -F -e "$1" log || fail "the messages lack '$1'"
}

quiet() {
    [ ! -s log ] || fail "unexpected messages"
}

same() {
    cmp -s "$1" "$2" || fail "$1 differs from $2"
}

exists() {
    for file in "$@"; do
        [ -e "$file" ] || fail "$file is missing"
    done
}

absent() {
    for file in "$@"; do
        [ ! -e "$file" ] || fail "$file exists"
    done
}

no_leftovers() {
    is "$(ls -A | grep -c '^\.igzip')" 0 "unfinished files${1:+ $1}"
}

is() {
    [ "$1" = "$2" ] || fail "'$1' instead of '$2'${3:+: $3}"
}

size_of() {
    wc -c <"$1" | tr -d ' '
}

# Mode, owner, group and time of modification in nanoseconds.
attributes() {
    stat -c '%a %u %g %y' "$1"
}

# bytes FILE OFFSET COUNT, in hexadecimal without spaces.
bytes() {
    od -An -v -tx1 -j "$2" -N "$3" "$1" | tr -d ' \n'
}

# put FILE OFFSET OCTAL...: overwrites bytes.
put() {
    file=$1 offset=$2
    shift 2
    for byte in "$@"; do
        printf "\\$byte" | dd of="$file" bs=1 seek="$offset" conv=notrunc 2>/dev/null
        offset=$((offset + 1))
    done
}

# text SIZE: compressible data. noise SIZE: incompressible data.
text() {
    awk -v size="$1" 'BEGIN {
        srand(7)
        for (n = 0; n < size; n += length(line) + 1) {
            line = int(rand() * 1000) " " int(rand() * rand() * 5000) " the quick brown fox " n
            print line
        }
    }' | head -c "$1"
}

noise() {
    head -c "$1" /dev/urandom
}

# empty_member NAME: a gzip member without data, whose header has the name.
empty_member() {
    printf '\037\213\010\010\000\000\000\000\000\003%s\000' "$1"
    printf '\003\000\000\000\000\000\000\000\000\000'
}

# ---- gzip's command line ----

test_replace() {
    removing
    text 5000 >file
    cp file original
    touch -d '2001-02-03 04:05:06.789' file
    chmod 640 file
    if [ "$(id -u)" = 0 ]; then chown 1234:2345 file; fi
    before=$(attributes file)
    expect 0 file
    quiet
    absent file
    is "$(attributes file.gz)" "$before" "attributes of file.gz"
    expect 0 -d file.gz
    absent file.gz
    same file original
    is "$(attributes file)" "$before" "attributes of file"
    no_leftovers
}

# igzip keeps its input by default.
test_keep() {
    text 5000 >file
    for option in "" -k --keep "--rm -k" -c "-c --rm" "-o file.gz"; do
        rm -f file.gz
        expect 0 $option file >out
        exists file
    done
    rm file
    expect 0 -d file.gz
    exists file file.gz
    expect 0 -df file.gz
    exists file file.gz
    expect 0 --rm -kf --rm file
    absent file
    expect 0 -d --rm -o file file.gz
    absent file.gz
    expect 0 --rm file
    absent file
    expect 0 -d --rm file.gz
    absent file.gz
    mkdir folder
    cp file folder
    expect 0 -r folder
    exists folder/file folder/file.gz
}

test_streams() {
    text 300000 >file
    igzip <file >a.gz || fail "from standard input"
    igzip -c file >b.gz || fail "-c"
    igzip -c - <file >c.gz || fail "-c -"
    igzip - <file >d.gz || fail "-"
    cat file | igzip >e.gz || fail "pipe"
    exists file
    for member in a b c d e; do
        igzip -d <$member.gz >out || fail "-d of $member"
        same out file
        cat $member.gz | igzip -dc - | cmp -s - file || fail "-dc of $member through pipes"
    done
    igzip --stdout --decompress a.gz >out && same out file
    igzip --to-stdout --uncompress a.gz >out && same out file
    is "$(bytes a.gz 0 4)" 1f8b0800 "standard input has no name"
    is "$(bytes b.gz 0 4)" 1f8b0808 "a file has a name"
    is "$(bytes e.gz 4 4)" 00000000 "a pipe has no time"
}

test_several_files() {
    removing
    for i in 1 2 3; do text ${i}0000 >f$i; done
    cat f1 f2 f3 >all
    igzip -c f1 f2 f3 >all.gz
    igzip -dc all.gz | cmp -s - all || fail "members of three files"
    expect 0 f1 f2 f3
    exists f1.gz f2.gz f3.gz
    igzip -dc f1.gz f2.gz f3.gz | cmp -s - all || fail "three files"
    igzip -dc f1 f2.gz - <f3.gz | cmp -s - all || fail "without suffix, and from standard input"
    mv f2.gz gone
    expect 1 -d f1.gz f2.gz f3.gz
    says "f2.gz: No such file"
    exists f1 f3
    absent f1.gz f3.gz
}

test_levels() {
    text 200000 >file
    for level in 0 1 2 3 4 5 6 7 8 9; do
        igzip -c$level file >l$level.gz
        igzip -dc l$level.gz | cmp -s - file || fail "level $level"
    done
    igzip --fast -c file | cmp -s - l1.gz || fail "--fast"
    igzip --best -c file | cmp -s - l9.gz || fail "--best"
    igzip -13c file | cmp -s - l3.gz || fail "the last level counts"
    igzip -1 -0 -c file | cmp -s - l0.gz || fail "the last level counts, in two arguments"
    igzip -0c1 file | cmp -s - l1.gz || fail "the last level counts, after another letter"
    for option in -10 -c10 -90c "-1 -10"; do
        expect 1 $option file
        says "levels are 0 to 9"
    done
    igzip -h | grep -q -e "-0 \.\.\. -9  *level" || fail "--help does not list the levels"
    [ "$(size_of l3.gz)" -lt "$(size_of l0.gz)" ] || fail "level 3 is not smaller than level 0"
    [ "$(size_of l9.gz)" -lt "$(size_of l3.gz)" ] || fail "level 9 is not smaller than level 3"
    for level in 4 5 6 7 8 9; do
        igzip -T3 -c$level file | igzip -dc | cmp -s - file || fail "level $level, three threads"
    done
}

test_exists() {
    removing
    text 5000 >file
    expect 0 -k file
    cp file.gz before.gz
    echo other >file
    expect 2 file
    says "file.gz already exists"
    same file.gz before.gz
    exists file
    expect 2 -q file
    says "file.gz already exists"
    same file.gz before.gz
    expect 2 -d file.gz
    says "file already exists"
    expect 0 -f file
    absent file
    igzip -dc file.gz | grep -q other || fail "-f did not overwrite"
    echo precious >file
    expect 0 -df file.gz
    is "$(cat file)" other
    no_leftovers
}

test_force_copies() {
    text 5000 >plain
    expect 1 -dc plain >out
    says "plain: not in gzip format"
    expect 0 -dcf plain >out
    same out plain
    printf '\037' >short
    expect 1 -dc short >out
    : >empty
    igzip -c plain >plain.gz
    igzip -dcf plain.gz plain | head -c 10000 >out
    cat plain plain | cmp -s - out || fail "-dcf of both kinds"
    # Also data after a member that are not a member.
    igzip -c plain >member
    printf '\000' >zero
    printf '\037\214\010' >almost
    for rest in plain short zero almost "zero plain" "plain member plain" "zero member"; do
        cat member member $rest >both
        cat plain plain $rest >wanted
        for threads in 1 3; do
            expect 0 -T$threads -dcf both >out
            quiet
            same out wanted
            igzip -T$threads -df <both >out 2>log || fail "-df of standard input: member, $rest"
            quiet
            same out wanted
        done
        if have gzip; then gzip -dcf both | cmp -s - wanted || fail "gzip -dcf of member, $rest"; fi
    done
    igzip -df <plain | cmp -s - plain || fail "-df of standard input that is not compressed"
    printf '\037\213' | cat member - >cut
    expect 1 -dcf cut >out
    says "unexpected end of file"
    same out plain
    # Not into a file.
    cat member plain >both.gz
    expect 2 -df both.gz
    says "trailing garbage ignored"
    same both plain
    expect 2 -tf both.gz
    expect 1 -df plain.x
    expect 2 -d plain
}

test_test() {
    text 100000 >file
    expect 0 -k file
    expect 0 -t file.gz
    quiet
    expect 0 -tv file.gz
    says "file.gz:	 OK"
    exists file.gz
    expect 1 -t file
    rm file
    expect 0 -t file # file.gz is found
    igzip -t <file.gz || fail "-t of standard input"
    # -t and -l have precedence over -d, before or after them.
    for options in -td -dt "-t -d" "-d -t -k"; do
        expect 0 $options file.gz
        exists file.gz
        absent file
    done
    for options in -lt -tl -ld -dl "-l -d -t"; do
        expect 0 $options file.gz >out
        grep -q " 100000 " out || fail "igzip $options does not list"
        exists file.gz
        absent file
    done
}

# Truncated, changed and foreign input.
test_damage() {
    text 100000 >file
    igzip -nk file
    size=$(size_of file.gz)
    for cut in 0 1 2 5 9 10 11 500 $((size / 2)) $((size - 9)) $((size - 8)) $((size - 1)); do
        for threads in 1 3; do
            head -c $cut file.gz >cut.gz
            expect 1 -T$threads -t cut.gz
            says "cut.gz: unexpected end of file"
            expect 1 -T$threads -d cut.gz
            absent cut
            exists cut.gz
            rm cut.gz
        done
    done
    cp file.gz bad.gz
    put bad.gz $((size - 5)) 377
    expect 1 -t bad.gz
    says "crc error"
    expect 1 -dk bad.gz
    absent bad
    expect 1 -dc bad.gz >out
    same out file # what was decoded is not withheld from a pipe
    cp file.gz bad.gz
    put bad.gz $((size - 1)) 377
    expect 1 -t bad.gz
    says "length error"
    cp file.gz bad.gz
    put bad.gz 10 007
    expect 1 -t bad.gz
    says "format violated"
    cp file.gz bad.gz
    put bad.gz 2 011
    expect 1 -t bad.gz
    says "unknown method 9 -- not supported"
    for length in 3 5 9 10; do
        head -c $length bad.gz >short.gz
        expect 1 -t short.gz
        says "short.gz: unknown method 9 -- not supported"
    done
    cp file.gz bad.gz
    put bad.gz 3 200
    expect 1 -t bad.gz
    says "has flags 0x80 -- not supported"
    echo "no such thing" >bad.gz
    expect 1 -d bad.gz
    says "bad.gz: not in gzip format"
    exists bad.gz
    expect 1 -l bad.gz
    # Any byte of the stream changed: an error, or unchanged data if the byte has no meaning.
    head -c 3000 file >small
    igzip -nk small
    size=$(size_of small.gz)
    for offset in $(seq 10 37 $((size - 1))); do
        cp small.gz bad.gz
        old=$(bytes small.gz "$offset" 1)
        put bad.gz "$offset" "$(printf %03o $((0x$old ^ 16)))"
        igzip -dc bad.gz >out 2>log && fail "a change at byte $offset is not noticed"
    done
    : >log
}

test_multi_member() {
    for i in 1 2 3 4 5 6 7 8; do text $((i * 1001)) >f$i; done
    : >f9
    cat f? >all
    for i in 1 2 3 4 5 6 7 8 9; do igzip -c f$i; done >all.gz
    for threads in 1 2 5; do
        igzip -T$threads -dc all.gz | cmp -s - all || fail "$threads threads"
        cat all.gz | igzip -T$threads -dc | cmp -s - all || fail "$threads threads, pipe"
        expect 0 -T$threads -t all.gz
        quiet
    done
    head -c $(($(size_of all.gz) - 30)) all.gz >cut.gz
    expect 1 -t cut.gz
    expect 1 -T3 -t cut.gz
    # A damaged member: the data before it are written.
    cp all.gz bad.gz
    at=$(($(igzip -c f1 | size) + $(igzip -c f2 | size) + 100))
    put bad.gz $at 377 377 377 377
    expect 1 -dc bad.gz >out
    says "member 3, which starts at byte $((at - 100))"
    [ "$(size_of out)" -ge 3003 ] || fail "the members before the damage are lost"
    cat f1 f2 >two
    head -c 3003 out | cmp -s - two || fail "the members before the damage are wrong"
}

size() {
    wc -c | tr -d ' '
}

test_trailing() {
    removing
    text 5000 >file
    igzip -c file >good
    for threads in 1 3; do
        { cat good; echo garbage; } >file.gz
        rm -f file
        expect 2 -T$threads -d file.gz
        says "file.gz: decompression OK, trailing garbage ignored"
        exists file
        absent file.gz
        { cat good; echo garbage; } >file.gz
        expect 2 -T$threads -tq file.gz
        quiet
        { cat good; head -c 100000 /dev/zero; } >file.gz
        expect 0 -T$threads -t file.gz
        quiet
        igzip -T$threads -dc file.gz | cmp -s - file || fail "zeros after the last member"
        { cat good; head -c 1000 /dev/zero; echo garbage; } >file.gz
        expect 2 -T$threads -t file.gz
        { cat good; printf '\037'; } >file.gz
        expect 1 -T$threads -t file.gz
        { cat good; printf '\037\213\011aaaaaaaaaaaaaaaaaaa'; } >file.gz
        expect 1 -T$threads -t file.gz
        says "unknown method"
        { cat good; printf '\037\214\010aaaaaaaaaaaaaaaaaaa'; } >file.gz
        expect 2 -T$threads -t file.gz
        { cat good good; head -c 512 /dev/zero; } >file.gz
        igzip -T$threads -dc file.gz | cmp -s -n 5000 - file || fail "two members and zeros"
    done
}

test_suffixes() {
    removing
    text 3000 >file
    for suffix in .gz -gz .z -z _z .GZ .Z .bgz; do
        igzip -c file >"a$suffix"
        expect 0 -d "a$suffix"
        same a file
        absent "a$suffix"
        rm -f a
    done
    for suffix in .tgz .taz .TGZ; do
        igzip -c file >"a$suffix"
        expect 0 -d "a$suffix"
        same a.tar file
        rm -f a.tar
    done
    cp file a
    expect 0 -S .foo a
    exists a.foo
    expect 2 -d a.foo
    says "a.foo: unknown suffix -- ignored"
    exists a.foo
    expect 0 -d --suffix=.foo a.foo
    same a file
    for suffix in gz .gz z tgz .tgz .my.gz; do # the longest suffix counts, of -S and the known ones
        igzip -c file >b.my.gz
        expect 0 -d -S $suffix b.my.gz
        case $suffix in .my.gz) result=b ;; *) result=b.my ;; esac
        same $result file
        rm -f $result
        igzip -c file >a.tgz
        expect 0 -d -S $suffix a.tgz
        same a.tar file
        rm -f a.tar
    done
    cp file a.gz
    expect 0 a.gz
    says "a.gz already has .gz suffix -- unchanged"
    expect 0 -q a.gz
    quiet
    rm -f a
    expect 0 -f a.gz
    exists a.gz.gz
    expect 0 -d a.gz # a.gz is gone: a.gz.gz is found
    same a.gz file
    expect 1 -S '' file
    says "invalid suffix"
    expect 1 -S / file
    expect 1 -d nothing
    says "nothing.gz: No such file"
    igzip -c file >noext
    igzip -dc noext | cmp -s - file || fail "-dc needs no suffix"
    expect 0 -t noext
    expect 0 -l noext >out
    cp file .gz
    expect 2 -d .gz
}

test_names() {
    text 3000 >first
    touch -d '2005-06-07 08:09:10' first
    igzip -k first
    mv first original
    mkdir sub
    mv first.gz sub/other.gz
    touch -d '2010-01-01' sub/other.gz
    expect 0 -dk sub/other.gz
    same sub/other original
    is "$(stat -c %Y sub/other)" "$(stat -c %Y sub/other.gz)" "time of the compressed file"
    expect 0 -dkN sub/other.gz
    same sub/first original
    is "$(stat -c %Y sub/first)" "$(stat -c %Y original)" "stored time"
    expect 2 -dkN sub/other.gz
    says "sub/first already exists"
    expect 0 -dkNv -f sub/other.gz
    says "created sub/first"
    igzip -c -n original >noname
    is "$(bytes noname 0 10)" 1f8b0800000000000003 "-n"
    mv noname noname.gz
    expect 0 -dN noname.gz
    same noname original
    # Names in the header never lead elsewhere.
    mkdir outside
    for name in "$PWD/outside/evil" ../evil sub/evil .. . a/..; do
        empty_member "$name" >bad.gz
        rm -f evil bad
        igzip -dN bad.gz 2>log || fail "stored name $name"
        absent outside/evil ../evil sub/evil
        case $name in
            *evil) exists evil ;;
            *) exists bad ;;
        esac
    done
    # A name longer than file names may be.
    empty_member own.gz >own.gz
    expect 1 -dN -f own.gz
    says "own.gz: the stored name is the name of this file"
    exists own.gz
    long=$(printf '%05000d' 0)
    empty_member "$long" >long.gz
    expect 0 -dkN long.gz
    exists long
}

# The first entry of a .zip file, as gzip reads it.
test_zip() {
    if ! have python3; then
        skip "python3 is missing"
        return
    fi
    mixed >file
    python3 - <<'END' >log 2>&1 || fail "python3 makes no .zip files: $(cat log)"
import io, zipfile
data = open('file', 'rb').read()
class Pipe(io.RawIOBase):
    def __init__(self, to): self.to = to
    def writable(self): return True
    def write(self, b): return self.to.write(b)
def make(name, method, pipe=False, entries=1, zip64=False, data=data):
    with open(name, 'wb') as f, zipfile.ZipFile(Pipe(f) if pipe else f, 'w', method) as z:
        for i in range(entries):
            with z.open('entry%d' % i, 'w', force_zip64=zip64) as e:
                e.write(data)
make('deflated.zip', 8)
make('stored.zip', 0)
make('descriptor.zip', 8, pipe=True)
make('zip64.zip', 8, zip64=True)
make('zip64s.zip', 0, zip64=True)
make('descriptor64.zip', 8, pipe=True, zip64=True)
make('bzip2.zip', 12)
make('pipestored.zip', 0, pipe=True)
make('two.zip', 8, entries=2)
make('two64.zip', 8, pipe=True, entries=2, zip64=True)
make('empty.zip', 8, data=b'')
d = open('descriptor.zip', 'rb').read()
at = d.index(b'PK\7\x08', len(d) - 200)
open('nosignature.zip', 'wb').write(d[:at] + d[at + 4:])
def damage(name, source, at, value):
    d = bytearray(open(source, 'rb').read())
    d[at] ^= value
    open(name, 'wb').write(d)
damage('encrypted.zip', 'deflated.zip', 6, 1)
damage('crc.zip', 'deflated.zip', 14, 1)
damage('length.zip', 'deflated.zip', 22, 1)
damage('crc2.zip', 'descriptor.zip', at + 4, 1)
damage('length2.zip', 'descriptor.zip', at + 12, 1)
END
    : >log
    for zip in deflated stored descriptor zip64 zip64s descriptor64 nosignature; do
        for threads in 1 3; do
            expect 0 -T$threads -dc $zip.zip >out
            quiet
            same out file
            cat $zip.zip | igzip -T$threads -dc 2>log | cmp -s - file || fail "$zip.zip by a pipe"
        done
        expect 0 -t $zip.zip
        is "$(igzip -l $zip.zip | tail -n 1 | awk '{ print $1, $2 }')" \
            "$(size_of $zip.zip) $(size_of file)" "-l $zip.zip"
    done
    expect 2 -d deflated.zip
    says "deflated.zip: unknown suffix -- ignored"
    expect 0 -d --rm -S .zip deflated.zip
    same deflated file
    absent deflated.zip
    expect 0 -dc empty.zip >out
    [ ! -s out ] || fail "empty.zip"
    for zip in two two64; do
        expect 2 -dc $zip.zip >out
        says "$zip.zip has more than one entry--rest ignored"
        same out file
    done
    expect 1 -t encrypted.zip
    says "encrypted.zip: encrypted file -- use unzip"
    for zip in bzip2 pipestored; do
        expect 1 -t $zip.zip
        says "$zip.zip: first entry not deflated or stored -- use unzip"
    done
    for what in crc length; do
        expect 1 -t $what.zip
        says "$what.zip: invalid compressed data--$what error"
        expect 1 -t ${what}2.zip
        says "${what}2.zip: invalid compressed data--$what error"
    done
    for length in 4 20 29 34 1000; do
        for zip in stored descriptor; do
            head -c $length $zip.zip >cut.zip
            expect 1 -t cut.zip
            says "cut.zip: unexpected end of file"
        done
    done
}

# A name of the greatest length, and one that exceeds it with a suffix.
test_long_names() {
    text 100 >data
    for length in 240 252 253 254 255; do
        name=$(printf "%0${length}d" 0)
        cp data "$name" || return
        if [ $length -le 252 ]; then
            expect 0 --rm "$name"
            absent "$name"
            expect 0 -d --rm "$name.gz"
            same "$name" data
        else
            expect 1 --rm "$name"
            says "$name.gz: File name too long"
            same "$name" data
        fi
        expect 0 -o a.gz -f "$name"
        expect 0 -dc a.gz >out
        same out data
        rm "$name"
        no_leftovers
    done
    # Such a name stored in a header.
    for length in 255 256; do
        {
            printf '\037\213\010\010\000\000\000\000\000\003'
            printf "%0${length}d\\000" 0
            printf '\003\000\000\000\000\000\000\000\000\000'
        } >long.gz
        expect 0 -dkN long.gz
    done
    exists "$(printf "%0255d" 0)" long
}

# Times that the header cannot store are reported, and no time is stored.
test_times() {
    for time in 1960-01-01 2106-02-08 2200-01-01; do
        text 100 >file
        touch -d $time file
        expect 2 -f file
        says "file: warning: file timestamp out of range for gzip format"
        is "$(bytes file.gz 4 4)" 00000000 "time of $time"
        is "$(stat -c %Y file.gz)" "$(stat -c %Y file)"
        expect 0 -nf file
        quiet
        expect 0 -mf file
        quiet
        expect 2 -qf file
        quiet
    done
    for time in 1970-01-01 1970-01-02 2106-02-07T06:28:15Z; do
        touch -d $time file
        expect 0 -f file
        quiet
        is "$(od -An -tu4 --endian=little -j 4 -N 4 file.gz | tr -d ' ')" "$(stat -c %Y file)"
    done
    # -m and -M apply only to the time; the last of these options counts.
    touch -d '2005-06-07 08:09:10' file
    for options in -m -M -mN -Nm -nM -mn ""; do
        expect 0 -c $options file >out
        name=08 time=2656a542
        case $options in
            -m | -Nm | -mn) time=00000000 ;;
        esac
        case $options in
            *n*) name=00 ;;
        esac
        is "$(bytes out 3 5)" $name$time "name and time with $options"
        if have gzip; then gzip -c $options file >out; fi
        is "$(bytes out 3 5)" $name$time "gzip $options"
    done
    igzip -c file >other.gz
    mv file stored
    touch -d 2010-01-01 other.gz
    expect 0 -dM other.gz
    same other stored
    is "$(stat -c %Y other)" "$(stat -c %Y stored)" "-dM restores the time"
    expect 0 -dNm other.gz
    same file stored
    is "$(stat -c %Y file)" "$(stat -c %Y other.gz)" "-dNm restores the name"
    # -b is for .Z files, and needs a number.
    expect 0 -b 9 -c file >out
    expect 0 --bits=16 -c file >out
    for number in x 1x '' -; do
        expect 1 -b "$number" -c file >out
        says "-b operand is not an integer"
    done
}

# A folder that is writable but not readable.
test_unreadable_folder() {
    mkdir folder
    text 1000 >folder/file
    cp folder/file original
    chmod 300 folder
    set -- $program
    if [ "$(id -u)" = 0 ]; then # root reads all, unless it gives this right up
        have setpriv && set -- setpriv --inh-caps=-all --bounding-set=-all "$@"
    fi
    "$@" -c original >/dev/null || fail "igzip as $*"
    if ls folder >/dev/null 2>&1 && [ $# = 1 ]; then
        skip "setpriv is missing, and root reads all folders"
        chmod 700 folder
        return
    fi
    for options in "" "-d --rm" "--rm" "-d --rm -f" "--synchronous"; do
        case $options in
            *-d*) file=folder/file.gz ;;
            *) file=folder/file ;;
        esac
        "$@" $options $file 2>log || fail "igzip $options in a folder that cannot be read"
        if [ "$options" = "" ]; then rm -f folder/file; fi
    done
    chmod 700 folder
    igzip -dc folder/file.gz | cmp -s - original || fail "wrong data"
}

# Every optional field of a header, RFC 1952, 2.3.1.
test_headers() {
    printf 'hello' >hello
    head='\037\213\010' rest='\000\000\000\000\000\003'
    body='\313\110\315\311\311\007\000\206\246\020\066\005\000\000\000'
    extra='\005\000AB\001\000x'
    for fields in "\\001$rest" "\\004$rest$extra" "\\010${rest}name\\000" \
        "\\020${rest}comment\\000" "\\034$rest${extra}name\\000comment\\000" \
        "\\004$rest\\000\\000"; do
        printf "$head$fields$body" >a.gz
        for threads in 1 2; do
            igzip -T$threads -dc a.gz 2>log | cmp -s - hello || fail "header $fields"
        done
    done
    # A header checksum, correct and incorrect.
    fixed='\037\213\010\037\004\003\002\001\002\003'
    printf "$fixed"'\003\000\001\002\003nm\000cm\000\156\020'"$body" >a.gz
    igzip -dc a.gz 2>log | cmp -s - hello || fail "header with checksum"
    put a.gz 21 000
    expect 1 -t a.gz
    says "wrong checksum"
}

test_recursive() {
    removing
    mkdir -p tree/sub/deep tree/empty
    for file in tree/a tree/b.gz tree/sub/c tree/sub/deep/d; do text 2000 >$file; done
    ln -s .. tree/sub/up
    expect 2 tree
    says "tree is a directory -- ignored"
    igzip -r tree 2>log
    exists tree/a.gz tree/b.gz tree/sub/c.gz tree/sub/deep/d.gz
    absent tree/a tree/b.gz.gz tree/a.gz.gz
    mv tree/b.gz b
    rm tree/sub/up
    expect 0 -r tree
    quiet
    absent tree/a.gz.gz
    expect 0 -rd tree/
    exists tree/a tree/sub/c tree/sub/deep/d
    absent tree/a.gz
    expect 0 -rc tree >out
    igzip -d <out >all
    is "$(size_of all)" 6000
    # In directories, -t and -l process only names of compressed files.
    igzip tree/a
    expect 0 -rt tree
    quiet
    expect 0 -rl tree >out
    is "$(wc -l <out | tr -d ' ')" 2 "lines of -rl"
    echo bad >tree/bad.gz
    expect 1 -rt tree
    says "tree/bad.gz: not in gzip format"
    mkdir none
    expect 0 -r none
    quiet
}

test_links() {
    removing
    text 2000 >file
    ln -s file link
    expect 1 link
    says "link: Too many levels of symbolic links"
    exists link file
    absent link.gz
    expect 0 -c link >out.gz
    igzip -dc out.gz | cmp -s - file || fail "-c follows links"
    expect 0 -t out.gz
    ln -s out.gz l.gz
    expect 0 -t l.gz
    rm l.gz
    expect 0 -kf link
    exists link.gz
    rm link link.gz
    ln file hard
    expect 2 file
    says "file has 1 other link -- file ignored"
    exists file
    expect 2 -k file
    expect 0 -f file
    absent file
    exists hard file.gz
    ln -s nowhere dangling
    expect 1 -c dangling
    says "dangling: No such file"
    # Output is never written through a link.
    echo target >target
    ln -s target new.gz
    cp hard new
    expect 2 new
    expect 0 -f new
    is "$(cat target)" target
    [ ! -L new.gz ] || fail "new.gz is still a link"
}

test_refusals() {
    mkfifo pipe
    expect 2 pipe
    says "pipe is not a directory or a regular file - ignored"
    # As in gzip, -f processes files with the sticky bit.
    for mode in 4755 2755 1755; do
        for options in "" -f -k -kf --rm; do
            text 100 >file
            chmod $mode file
            case $mode$options in
                1755*f)
                    expect 0 $options file
                    is "$(stat -c %a file.gz)" 755 "the sticky bit is dropped"
                    rm file.gz
                    ;;
                *)
                    expect 2 $options file
                    says "file"
                    is "$(stat -c %a file)" $mode "mode of a file that is ignored"
                    absent file.gz
                    ;;
            esac
        done
        expect 0 -c file >out
    done
    text 100 >file
    (cat file >pipe &)
    expect 0 -o piped.gz pipe
    igzip -dc piped.gz | cmp -s - file || fail "-o reads a pipe"
    (cat file >pipe &)
    igzip -c pipe | igzip -d | cmp -s - file || fail "-c reads a pipe"
    expect 1 missing
    says "missing: No such file"
    expect 1 --nonsense
    says "unrecognized option"
    expect 1 -Q
    expect 1 -T x file
    expect 1 -T '' file
    expect 1 -T -1 file
    expect 1 -o a file file
    expect 1 --bgzf --rsyncable file
    cat file >both
    igzip -c <both >>both 2>log && fail "input is output"
    if [ "$(id -u)" = 0 ]; then
        skip "unreadable files, for root reads all"
    else
        chmod 0 file
        expect 1 file
        says "file: Permission denied"
        chmod 644 file
        mkdir locked
        cp file locked
        chmod 555 locked
        expect 1 locked/file
        exists locked/file
        chmod 755 locked
    fi
}

test_terminal() {
    removing
    if ! have script; then
        skip "script is missing (package bsdutils)"
        return
    fi
    text 100 >file
    script -qec "$program <file" typescript </dev/null >out 2>&1
    grep -q "not written to a terminal" out || fail "compressed data go to a terminal"
    script -qec "$program -d" typescript </dev/null >out 2>&1
    grep -q "not read from a terminal" out || fail "compressed data are read from a terminal"
    igzip -k file
    printf 'n\n' | script -qec "$program file" typescript >out 2>&1
    grep -q "overwrite (y or n)?" out || fail "no question"
    exists file
    printf 'y\n' | script -qec "$program file" typescript >out 2>&1
    absent file
    # The progress bar appears after a second. The input ends when the bar appears.
    text 300000 >file
    : >out
    script -qec "(for i in \$(seq 1000); do
        cat file; ! grep -q MB/s out || break; sleep 0.1; done) | $program >file.gz" \
        typescript </dev/null >out 2>&1
    grep -q "stdin .* MB/s" out || fail "no progress bar"
    script -qec "(cat file; sleep 1.2; cat file) | $program -q >file.gz" typescript </dev/null \
        >out 2>&1
    [ ! -s out ] || fail "a progress bar with -q"
    begun=$(date +%s)
    script -qec "$program <file >file.gz" typescript </dev/null >out 2>&1
    [ ! -s out ] || [ $(($(date +%s) - begun)) -gt 1 ] || fail "a progress bar at once"
}

test_verbose() {
    removing
    text 5000 >file
    expect 0 -kv file
    grep -Eq '^file:	 [ 0-9][0-9]\.[0-9]% -- created file\.gz$' log || fail "-kv: $(cat log)"
    rm file.gz
    expect 0 --verbose file
    grep -Eq '^file:	 [ 0-9][0-9]\.[0-9]% -- replaced with file\.gz$' log || fail "-v: $(cat log)"
    expect 0 -dv file.gz
    grep -Eq '^file\.gz:	 [ 0-9][0-9]\.[0-9]% -- replaced with file$' log || fail "-dv"
    igzip -v <file 2>log >out
    grep -Eq '^ [ 0-9][0-9]\.[0-9]%$' log || fail "-v of standard input"
    igzip --help >out || fail "--help"
    grep -q Usage out || fail "--help says nothing"
    igzip -V >out || fail "-V"
    grep -Eq '^igzip [0-9]+\.[0-9]+\.[0-9]+$' out || fail "-V: $(cat out)"
    igzip -L >out || fail "-L"
    grep -q BSD out || fail "-L says nothing"
}

test_list() {
    text 5000 >file
    touch -d '2005-06-07 08:09:10' file
    igzip -k file
    size=$(size_of file.gz)
    expect 0 -l file.gz >out
    is "$(head -n 1 out)" "         compressed        uncompressed  ratio uncompressed_name"
    saved=$(awk -v c="$size" 'BEGIN { printf "%.1f", (5000 - (c - 23)) / 50 }')
    is "$(tail -n 1 out)" "$(printf '%19d %19d %5s%% file' "$size" 5000 "$saved")"
    cp file.gz other.gz
    expect 0 -l file.gz other.gz >out
    grep -q "^ *$((2 * size)) *10000 .*(totals)$" out || fail "totals: $(cat out)"
    expect 0 -ql file.gz other.gz >out
    is "$(wc -l <out | tr -d ' ')" 2 "lines of -ql"
    expect 0 -lv file.gz >out
    is "$(head -n 1 out | cut -c 1-28)" "method  crc     date  time  "
    crc=$(od -An -tx4 --endian=little -j $((size - 8)) -N 4 file.gz | tr -d ' ')
    is "$(tail -n 1 out | cut -c 1-27)" "defla $crc Jun  7 08:09"
    expect 0 -lN other.gz >out
    tail -n 1 out | grep -q ' file$' || fail "-lN"
    cat file.gz file.gz >two.gz
    expect 0 -l two.gz >out
    grep -q " 10000 " out || fail "-l counts all members"
    igzip -l <file.gz >out || fail "-l of standard input"
    grep -q ' 5000 .* stdout$' out || fail "-l of standard input: $(cat out)"
    expect 1 -l file two.gz >out
    says "file: not in gzip format"
    grep -q " two$" out || fail "-l continues after an error"
}

test_empty() {
    : >empty
    for options in "" -T3 --bgzf "--bgzf -T3" --indexed --rsyncable -0 -3 "-0 -T3"; do
        igzip $options -c empty >empty.gz || fail "options $options"
        igzip $options <empty >pipe.gz || fail "options $options, pipe"
        for threads in 1 3; do
            expect 0 -T$threads -t empty.gz
            quiet
            expect 0 -T$threads -dc empty.gz >out
            same out empty
            expect 0 -T$threads -dc pipe.gz >out
            same out empty
        done
        if have gzip; then gzip -dc empty.gz | cmp -s - empty || fail "gzip, options $options"; fi
    done
    expect 1 -t empty
    says "empty: unexpected end of file"
}

test_output_option() {
    text 5000 >file
    expect 0 -o a.gz file
    exists file
    igzip -dc a.gz | cmp -s - file || fail "-o"
    expect 2 -o a.gz file
    expect 0 -f -o a.gz file
    expect 0 -d a.gz -o b
    same b file
    igzip -o c.gz <file || fail "-o from standard input"
    igzip -dc c.gz | cmp -s - file || fail "-o from standard input"
    is "$(stat -c %a c.gz)" 644 "mode of a new file"
    igzip -o - file | igzip -d | cmp -s - file || fail "-o -"
    expect 0 -o /dev/null file
    [ -c /dev/null ] || fail "/dev/null was replaced"
    expect 1 -f -o file file
    says "input file is output file"
    expect 1 -o none/a file
}

# ---- Formats, threads ----

corpora() {
    [ ! -d "${ISAL_CORPORA-}" ] || find "$ISAL_CORPORA" -type f | sort
}

# Data of several kinds, large enough for several threads.
mixed() {
    text 2500000
    noise 700000
    head -c 1500000 /dev/zero
    text 300000
    for file in $(corpora | head -n 8); do cat "$file"; done
}

test_formats() {
    mixed >file
    [ -n "$(corpora)" ] || skip "no corpora: ISAL_CORPORA names none; generated data alone"
    size=$(size_of file)
    for options in "" "-T2" "-T7" "--bgzf" "--indexed" "--rsyncable" "--bgzf -0" "--indexed -3" \
        "-0 -T2" "-3 -T2" "--rsyncable -3"; do
        igzip $options -c file >a.gz || fail "igzip $options"
        for threads in 1 2 5; do
            igzip -dc -T$threads a.gz >out 2>log || fail "-d -T$threads after $options"
            same out file
            cat a.gz | igzip -dc -T$threads >out 2>log || fail "-d -T$threads after $options, pipe"
            same out file
        done
        is "$(igzip -l a.gz | tail -n 1 | awk '{ print $2 }')" "$size" "size listed after $options"
        for peer in ${PEERS:-"gzip -dc" "pigz -dc" "7z e -so -tgzip" "libdeflate-gunzip -c"}; do
            have ${peer%% *} && { $peer a.gz 2>/dev/null </dev/null | cmp -s - file ||
                fail "$peer after igzip $options"; }
        done
        cat file a.gz >/dev/null
    done
    # The bytes do not depend on the number of threads or the kind of input.
    for options in --bgzf --indexed --rsyncable; do
        igzip $options -n <file >a.gz
        cat file | igzip $options -n -T5 | cmp -s - a.gz || fail "$options depends on threads"
    done
    igzip -n -T2 <file >a.gz
    cat file | igzip -n -T5 | cmp -s - a.gz || fail "-T2 and -T5 differ"
}

# peer PROGRAM...: whether the program is installed; if not, says so.
peer() {
    have "$1" && return
    skip "$1 is missing"
    return 1
}

test_peers_read() {
    mixed >file
    for options in "" -T3 --bgzf --indexed --rsyncable; do
        igzip $options -c file >a.gz
        peer gzip && { gzip -dc a.gz | cmp -s - file || fail "gzip after $options"; }
        peer pigz && { pigz -dc a.gz | cmp -s - file || fail "pigz after $options"; }
        peer bgzip && { bgzip -dc <a.gz | cmp -s - file || fail "bgzip after $options"; }
        if peer 7z; then
            rm -rf x
            7z e -ox a.gz >log 2>&1 || fail "7z after $options"
            cat x/* | cmp -s - file || fail "7z after $options"
        fi
        if peer python3; then
            python3 -c 'import gzip, sys; sys.stdout.buffer.write(gzip.open("a.gz").read())' |
                cmp -s - file || fail "Python's zlib after $options"
        fi
    done
}

test_peers_write() {
    mixed >file
    peer gzip && gzip -9c file >gzip.gz && gzip --rsyncable -c file >gzip2.gz
    peer pigz && pigz -c file >pigz.gz && pigz -ic file >pigz2.gz && pigz -9 <file >pigz3.gz
    peer bgzip && bgzip -c file >bgzip.gz && bgzip -@2 -c file >bgzip2.gz
    peer 7z && 7z a -tgzip 7z.gz file >/dev/null
    peer zopfli && text 20000 >small && zopfli -c small >zopfli.out
    for made in *.gz; do
        for threads in 1 2 5; do
            igzip -T$threads -dc "$made" 2>log | cmp -s - file || fail "$made, $threads threads"
            cat "$made" | igzip -T$threads -dc 2>log | cmp -s - file ||
                fail "$made, $threads threads, pipe"
            expect 0 -T$threads -t "$made"
            quiet
        done
    done
    if [ -e zopfli.out ]; then igzip -dc <zopfli.out | cmp -s - small || fail "zopfli"; fi
}

test_bgzf() {
    mixed >file
    size=$(size_of file)
    igzip --bgzf file -c >a.gz
    is "$(bytes a.gz 0 16)" 1f8b08040000000000ff060042430200 "header"
    end=$(($(size_of a.gz) - 28))
    is "$(bytes a.gz $end 28)" 1f8b08040000000000ff0600424302001b0003000000000000000000 "end block"
    : >empty
    igzip --bgzf -c empty >b.gz
    is "$(bytes b.gz 0 99)" 1f8b08040000000000ff0600424302001b0003000000000000000000 "empty"
    if have python3; then
        python3 - a.gz file 65280 <<'END' >log 2>&1 || fail "the blocks are not as they say"
import struct, sys, zlib
data, plain = open(sys.argv[1], 'rb').read(), open(sys.argv[2], 'rb').read()
most, at, done = int(sys.argv[3]), 0, 0
while at < len(data):
    magic, extra, subfield, size = struct.unpack('<4s6xH4sH', data[at:at + 18])
    assert (magic, extra, subfield) == (b'\x1f\x8b\x08\x04', 6, b'BC\x02\x00'), at
    block, at = data[at:at + size + 1], at + size + 1
    out = zlib.decompress(block[18:-8], -15)
    assert len(out) <= most and struct.unpack('<II', block[-8:]) == (zlib.crc32(out), len(out))
    assert out == plain[done:done + len(out)]
    done += len(out)
assert at == len(data) and done == len(plain) and not out
END
    else
        skip "python3 is missing"
    fi
    if peer bgzip; then
        bgzip -dc a.gz | cmp -s - file || fail "bgzip -d"
        bgzip --test a.gz 2>log || fail "bgzip --test"
        cp a.gz c.gz && bgzip -r c.gz 2>log || fail "bgzip --reindex"
        bgzip -b 3000000 -s 1000 c.gz >part
        tail -c +3000001 file | head -c 1000 | cmp -s - part || fail "bgzip -b: random access"
    fi
    if peer tabix && peer bgzip; then
        for i in $(seq 1 20000); do printf 'chr1\t%d\t%d\tname%d\n' $((i * 10)) $((i * 10 + 5)) $i
        done >t.bed
        igzip --bgzf -k t.bed
        tabix -p bed t.bed.gz 2>log || fail "tabix"
        is "$(tabix t.bed.gz chr1:150001-150004)" "$(printf 'chr1\t150000\t150005\tname15000')"
    fi
    # Truncated at the end of a block: everything is decoded, and the truncation is reported.
    first=$(($(od -An -tu2 --endian=little -j 16 -N 2 a.gz) + 1))
    head -c $first a.gz >cut.gz
    for threads in 1 3; do
        expect 2 -T$threads -dk cut.gz
        says "may be truncated"
        is "$(size_of cut)" 65280
        rm cut
    done
    expect 2 -d cut.gz
    exists cut cut.gz
    for options in --bgzf --indexed; do
        igzip $options -c file >b.gz
        head -c $(($(size_of b.gz) - $(igzip $options -c empty | size))) b.gz >cut.gz
        for threads in 1 3; do
            expect 2 -T$threads -t cut.gz
            says "may be truncated"
        done
        is "$(igzip -T3 -lv b.gz | tail -n 1)" "$(igzip -lv b.gz | tail -n 1)" "-lv by threads"
    done
    head -c 100000 a.gz >cut.gz
    expect 1 -T3 -t cut.gz
    says "unexpected end of file"
    # Wrong sizes in headers are harmless.
    for size in 000 035 377; do
        cp a.gz lie.gz
        put lie.gz 16 $size $size
        put lie.gz $((first + 16)) $size $size
        for threads in 1 2 5; do
            igzip -T$threads -dc lie.gz 2>log | cmp -s - file || fail "size $size, $threads threads"
        done
    done
    # Damage is reported with its position, for any number of threads.
    cp a.gz bad.gz
    put bad.gz $((first + 100)) 377 377 377 377
    for threads in 1 2 5; do
        expect 1 -T$threads -dc bad.gz >out
        says "(member 2, which starts at byte $first)"
        head -c 65280 file | cmp -s - out ||
            head -c "$(size_of out)" file | cmp -s -n 65280 - out ||
            fail "the data before the damage are wrong"
    done
}

test_indexed() {
    mixed >file
    touch -d '2005-06-07 08:09:10' file
    igzip --indexed -c file >a.gz
    mv file data
    is "$(bytes a.gz 0 4)" 1f8b080c "header"
    is "$(bytes a.gz 8 8)" 00030c0049470800 "header"
    is "$(bytes a.gz 24 5)" 66696c6500 "name in the header"
    cp a.gz named.gz
    expect 0 -T4 -dkN named.gz
    same file data
    is "$(stat -c %Y file)" "$(date -d '2005-06-07 08:09:10' +%s)" "stored time"
    igzip --indexed -nc file >b.gz
    is "$(bytes b.gz 0 16)" 1f8b08040000000000030c0049470800 "header without name"
    for threads in 1 4; do
        igzip -T$threads -dc a.gz 2>log | cmp -s - file || fail "$threads threads"
    done
    cp a.gz lie.gz
    put lie.gz 16 001 001 001
    igzip -T4 -dc lie.gz 2>log | cmp -s - file || fail "a wrong member size"
    cp a.gz lie.gz
    put lie.gz 20 001 000 000 000
    igzip -T4 -dc lie.gz 2>log | cmp -s - file || fail "a wrong data size"
    first=$(od -An -tu4 --endian=little -j 16 -N 4 a.gz | tr -d ' ')
    head -c "$first" a.gz >cut.gz
    expect 2 -T4 -t cut.gz
    says "may be truncated"
}

# Members that begin inside other members' data, and members too large for the search.
test_member_search() {
    text 60000 >part
    igzip -n part
    for i in $(seq 1 60); do cat part.gz; done >inner
    igzip -0 -n -c inner >a.gz # level 0 leaves much of it as it is
    { cat inner; noise 3000000; cat inner; } >data
    { igzip -c data; igzip -c inner; cat inner; igzip --bgzf -c data; } >b.gz
    for i in $(seq 1 60); do igzip -dc part.gz; done >part60
    { cat data inner part60 data; } >wanted
    for threads in 1 2 5; do
        igzip -T$threads -dc a.gz 2>log | cmp -s - inner || fail "a, $threads threads"
        igzip -T$threads -dc b.gz 2>log | cmp -s - wanted || fail "b, $threads threads"
        expect 0 -T$threads -t b.gz
    done
    # A small input with more output than a thread keeps in memory.
    head -c 100000000 /dev/zero | igzip -c >zeros.gz
    { cat inner zeros.gz inner zeros.gz; } >c.gz
    is "$(igzip -T3 -dc c.gz | size)" $((200000000 + 2 * 3600000)) "size after 200 MB of zeros"
}

# All kinds of damage: several threads report and write the same as one.
test_threads_agree() {
    { text 400000; noise 100000; } >file
    { igzip --bgzf -c file; igzip -c file; igzip --indexed -c file; igzip -T2 -c file; } >a.gz
    for i in 1 2 3 4 5 6 7 8; do head -c 30000 file | igzip -c; done >>a.gz
    size=$(size_of a.gz) seed=${SEED:-$(date +%s)}
    echo "seed $seed"
    awk -v seed="$seed" -v size="$size" 'BEGIN {
        srand(seed)
        for (i = 0; i < 60; i++)
            printf "%d %03o %d\n", rand() * size, rand() * 256, rand() < 0.2 ? rand() * size : size
    }' >changes
    while read -r offset byte length; do
        head -c "$length" a.gz >bad.gz
        if [ "$offset" -lt "$length" ]; then put bad.gz "$offset" "$byte"; fi
        igzip -T1 -dc bad.gz >out1 2>log1
        status=$?
        for threads in 2 4; do
            igzip -T$threads -dc bad.gz >out 2>log
            is $? $status "status with $threads threads after $offset $byte $length"
            same out out1
            same log log1
            igzip -T$threads -dc <bad.gz >out 2>log
            is $? $status "status of a pipe, $threads threads, after $offset $byte $length"
            same out out1
        done
    done <changes
}

test_rsyncable() {
    if ! have python3; then
        skip "python3 is missing"
        return
    fi
    text 2000000 >a
    { head -c 500000 a; echo "a few bytes more"; tail -c +500001 a; } >b
    igzip -n --rsyncable a b
    # Soon after the change, the bytes are the same again.
    python3 - a.gz b.gz <<'END' >log || fail "the outputs differ after the change: $(cat log)"
import os, sys
a, b = open(sys.argv[1], 'rb').read()[:-8], open(sys.argv[2], 'rb').read()[:-8]
same = len(os.path.commonprefix([a[::-1], b[::-1]]))
print(len(a), same)
sys.exit(same < 0.65 * len(a))
END
    : >log
}

# ---- Files as a whole ----

test_sparse() {
    removing
    { text 5000; head -c 3000000 /dev/zero; text 100; head -c 1000000 /dev/zero; } >file
    igzip -c file >a.gz
    expect 0 -dk a.gz
    same a file
    if [ "$(stat -c %b a)" -lt 2000 ]; then
        expect 0 -dkf --no-sparse a.gz
        same a file
        [ "$(stat -c %b a)" -gt 7000 ] || fail "--no-sparse leaves holes"
        # Zeros in pieces that do not end with a block: all but the first block is a hole.
        head -c 10001 /dev/zero | igzip >zeros.gz
        for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do cat zeros.gz; done >many
        { printf x | igzip && cat many many many many many; } >pieces.gz
        for threads in 1 2; do
            expect 0 -dkf -T$threads pieces.gz
            is "$(igzip -dc pieces.gz | cksum)" "$(cksum <pieces)"
            [ "$(stat -c %b pieces)" -le 16 ] || fail "$(stat -c %b pieces) blocks with -T$threads"
        done
    else
        skip "this file system has no holes"
    fi
    head -c 1048576 /dev/zero >zeros # nothing but holes, up to the end
    igzip -c zeros >b.gz
    expect 0 -df -o zeros2 b.gz
    same zeros2 zeros
    igzip -dc a.gz >>out # appended to
    same out file
    truncate -s 5000000 hollow 2>/dev/null || head -c 5000000 /dev/zero >hollow
    cp hollow copy
    expect 0 hollow
    expect 0 -d hollow.gz
    same hollow copy
}

test_failed_writes() {
    text 100000 >file
    if [ -c /dev/full ]; then
        igzip -c file >/dev/full 2>log && fail "no error from a full disk"
        says "No space left on device"
        igzip -k file
        igzip -dc file.gz >/dev/full 2>log && fail "no error from a full disk"
        igzip -l file.gz >/dev/full 2>log && fail "no error from a full disk"
        text 600000 >large # the last buffer of the writing thread fails, too
        igzip -c large >large.gz
        for threads in 1 2; do
            expect 1 -T$threads -dc large.gz >/dev/full
            says "large.gz: cannot write: No space left on device"
            expect 1 -T$threads -d -o /dev/full large.gz
        done
        rm file.gz large large.gz
    else
        skip "no /dev/full"
    fi
    noise 1000000 >file
    cp file original
    sh -c "ulimit -f 100; trap '' XFSZ; exec $program file" >log 2>&1 &&
        fail "no error at the limit of file sizes"
    same file original
    absent file.gz
    no_leftovers
}

# Standard streams that the caller has closed: files must not get their numbers.
test_closed_streams() {
    removing
    text 5000 >file
    cp file original
    for threads in 1 2; do
        expect 0 -T$threads -v file >&-
        expect 0 -T$threads -dv file.gz >&-
        same file original
        igzip -T$threads -v file <&- >&- 2>&- || fail "all streams are closed"
        igzip -T$threads -dv file.gz <&- >&- 2>&- || fail "all streams are closed, -d"
        same file original
        igzip -T$threads -c file 2>log >&- && fail "no error where standard output is closed"
        says "Bad file descriptor"
        igzip -T$threads -c 2>log <&- >out && fail "no error where standard input is closed"
        says "stdin: Bad file descriptor"
    done
}

test_environment() {
    text 5000 >file
    IGZIP_OPT="--rm  -q -3" GZIP=-9v igzip file 2>log || fail "options from the environment"
    quiet
    absent file
    IGZIP_OPT=--rm igzip -dk file.gz || fail "the command line wins"
    exists file file.gz
    igzip -3c file | cmp -s - file.gz || fail "the level from the environment"
    IGZIP_OPT=-k igzip -f --rm file || fail "the command line wins"
    absent file
    IGZIP_OPT=-d igzip file.gz || fail "-d from the environment"
    exists file file.gz
    IGZIP_OPT= igzip -f file || fail "an empty variable"
    IGZIP_OPT=" " igzip -f file || fail "a variable of blanks"
    exists file
    IGZIP_OPT=file igzip 2>log && fail "a file from the environment"
    says "IGZIP_OPT contains 'file', which is not an option"
    IGZIP_OPT=--nonsense igzip -c file 2>log && fail "a wrong option from the environment"
    exists file file.gz
}

test_broken_pipe() {
    mixed >file
    igzip -c file >a.gz
    for threads in 1 3; do
        { igzip -T$threads -dc a.gz 2>log; echo $? >status; } | head -c 10 >out
        is "$(cat status)" 141 "status at a broken pipe"
        quiet
        { igzip -T$threads -c file 2>log; echo $? >status; } | head -c 10 >out
        is "$(cat status)" 141 "status at a broken pipe"
        quiet
    done
}

test_kill() {
    removing
    for i in 1 2 3 4; do noise 10000000; done >file
    cp file original
    for signal in TERM INT HUP; do
        # The program itself must be the child, so that its number is known.
        sh -c "exec $program -3 file" >log 2>&1 &
        child=$!
        sleep 0.1
        kill -$signal $child 2>/dev/null
        wait $child 2>/dev/null
        no_leftovers "after SIG$signal"
        if [ -e file ]; then
            same file original
            [ ! -e file.gz ] || fail "half a result"
        else
            igzip -d file.gz
            same file original
        fi
        rm -f file.gz
    done
    : >log
}

# named COMMAND: runs it with its folder in /proc hidden, so that igzip uses temporary names.
named() {
    user=$([ "$(id -u)" = 0 ] || echo r)
    exec unshare -${user}m sh -c 'mount -t tmpfs none /proc/$$/fd && exec "$@"' sh "$@"
}

# begin PREFIX OPTIONS...: starts igzip with these options as $child. It has read `start` from
# standard input, and gets more through descriptor 3.
begin() {
    [ -p pipe ] || mkfifo pipe
    [ -e start ] || noise 300000 >start # more than a pipe holds
    "$@" <pipe 2>log &
    child=$!
    exec 3>pipe
    cat start >&3
}

# gzip -r and igzip -r ignore unfinished output.
others_pass() {
    for other in -r -rf -rk -rd -rdf -rt -rl; do
        igzip $other folder >out 2>&1
        if have gzip; then gzip $other folder </dev/null >out 2>&1; fi
    done
}

test_unfinished() {
    text 100000 >end
    for prefix in "" named; do
        if [ "$prefix" ] && ! (named true) 2>/dev/null; then
            skip "cannot hide /proc/PID/fd: output that has a name from the beginning"
            continue
        fi
        for options in "" -f; do
            mkdir folder
            begin $prefix $program $options -o folder/new.gz
            before=$(ls -Ai folder)
            others_pass
            is "$(ls -Ai folder)" "$before" "the folder meanwhile"
            cat end >&3
            exec 3>&-
            wait $child || fail "$prefix igzip $options, with others in its folder"
            is "$(ls -A folder)" new.gz
            is "$(stat -c %a folder/new.gz)" 644
            igzip -dc folder/new.gz >out
            cat start end | cmp -s - out || fail "$prefix igzip $options: data are lost"
            rm -r folder
        done
        for signal in TERM HUP KILL; do
            # A signal that was ignored at the start stays ignored, as under nohup.
            if sh -c "kill -$signal \$\$; exit 0" 2>/dev/null; then
                skip "SIG$signal is ignored here"
                continue
            fi
            mkdir folder
            begin $prefix $program -o folder/new.gz
            kill -$signal $child
            exec 3>&-
            wait $child 2>/dev/null && fail "$prefix igzip outlives SIG$signal"
            before=$(ls -Ai folder)
            case $prefix$signal in
                namedKILL) ;;
                KILL) [ ! "$before" ] || skip "$before is left: no files without a name here" ;;
                *) is "$before" "" "the folder after SIG$signal" ;;
            esac
            others_pass
            is "$(ls -Ai folder)" "$before" "the folder after a crash and others"
            rm -r folder
        done
    done
    text 100 >.igzip-1-0.part
    expect 2 -f .igzip-1-0.part
    says ".igzip-1-0.part is unfinished output of igzip -- ignored"
    igzip -c .igzip-1-0.part | igzip -d | cmp -s - .igzip-1-0.part || fail "-c of unfinished output"
    : >log
}

# An existing file is replaced when the new one is complete; it is never written to.
test_replaces_whole() {
    noise 3000 >start
    printf x | igzip >old.gz
    for prefix in "" named; do
        if [ "$prefix" ] && ! (named true) 2>/dev/null; then continue; fi
        cp old.gz new.gz
        ln new.gz held.gz
        begin $prefix $program -f -o new.gz
        same new.gz old.gz
        exec 3>&-
        wait $child || fail "$prefix igzip -f"
        igzip -dc new.gz | cmp -s - start || fail "$prefix igzip -f: wrong data"
        same held.gz old.gz
        no_leftovers
        rm held.gz
    done
}

# Inputs are removed only when their outputs are on disk, and outputs are synced together.
test_removal() {
    removing
    mkdir folder folder/sub
    for i in $(seq 1 150); do
        text $i >folder/f$i
        text $i >folder/sub/g$i
    done
    cp -r folder original
    if have strace && strace -o calls true 2>/dev/null; then
        export ASAN_OPTIONS=detect_leaks=0 # the leak checker does not work where strace does
        expect 0 -r folder
        expect 0 -rd folder
        # At each removal, all files with a name are synced, and a folder.
        for options in -r -rd; do
            strace -f -o calls -e trace=linkat,fsync,unlink,unlinkat $program $options folder \
                2>log || fail "igzip $options"
            grep -E '^[0-9]+ +(linkat|fsync|unlink)' calls | grep -v ENOENT | awk '
                / linkat/ { links++; if (last != "link") batches++; last = "link" }
                / fsync.* = 0$/ { syncs++ }
                / unlink/ { last = "unlink"; if (syncs <= links) early++; removed++ }
                END {
                    print links, syncs, removed, early, batches
                    exit !(links == 300 && removed == 300 && !early && batches <= 3)
                }' >log || fail "links, syncs, removals, early ones and batches: $(cat log)"
            : >log
        done
        strace -f -o calls -e trace=fsync -e inject=fsync:error=EIO $program -r folder 2>log &&
            fail "a failed sync"
        says "folder/f1: kept, because the output may not be on disk: Input/output error"
        exists folder/f1 folder/sub/g150
        rm -r folder
        cp -r original folder
    else
        skip "strace is missing, or may not trace"
    fi
    # With few descriptors.
    sh -c "ulimit -n 20; exec $program -r folder" 2>log || fail "few descriptors"
    is "$(find folder -type f ! -name '*.gz')" ""
    sh -c "ulimit -n 100; exec $program -rd folder" 2>log || fail "few descriptors, -d"
    diff -r folder original >log || fail "the files differ"
    # An input that waits for its removal counts as removed.
    text 1000 >a
    cp a b
    cp a c
    cp a held
    expect 1 a a
    says "a: No such file"
    exists a.gz
    absent a
    ln b d
    expect 0 -f b d
    exists b.gz d.gz
    absent b d
    mv d.gz c.gz
    expect 0 -f c.gz c
    quiet
    igzip -dc c.gz.gz | igzip -dc | cmp -s - held || fail "c.gz.gz"
    absent c
    exists c.gz c.gz.gz
    # A signal interrupts one file; the files before it are finished.
    text 1000 >f1
    cp f1 f2
    cp f1 f3
    for i in 1 2 3 4; do noise 10000000; done >f4
    sh -c "exec $program -3 f1 f2 f3 f4" >log 2>&1 &
    child=$!
    while [ ! -e f3.gz ] && kill -0 $child 2>/dev/null; do sleep 0.01; done
    kill -TERM $child 2>/dev/null
    wait $child 2>/dev/null
    absent f1 f2
    exists f1.gz f2.gz
}

# link_names NAME...: makes links ./NAME to igzip. Fails if that is not possible.
link_names() {
    names=$*
    set -- $program
    if [ $# != 1 ]; then
        skip "the program has a prefix, so it cannot go by other names"
        return 1
    fi
    set -- "$(command -v "$1")"
    # In the build folder, libtool leaves a script; the program itself is in .libs.
    if [ "$(head -c 2 "$1")" = '#!' ] && [ -x "${1%/*}/.libs/igzip" ]; then
        LD_LIBRARY_PATH=${1%/igzip/*}/.libs
        export LD_LIBRARY_PATH
        set -- "${1%/*}/.libs/igzip"
    fi
    for name in $names; do ln -s "$1" "$name"; done
}

test_own_name() {
    text 5000 >file
    cp file original
    link_names gzip gunzip zcat gzcat igunzip igzcat || return
    # By igzip's other names the input is kept, by gzip's it is removed.
    igzip -k file
    for cat in zcat gzcat igzcat; do
        ./$cat file.gz | cmp -s - original || fail "$cat"
        mv file.gz found.gz
        ./$cat found | cmp -s - original || fail "$cat finds found.gz"
        mv found.gz file.gz
    done
    rm file
    ./igunzip file.gz || fail "igunzip"
    exists file file.gz
    rm file
    ./gunzip file.gz || fail "gunzip"
    same file original
    absent file.gz
    ./gzip -k file || fail "gzip -k"
    exists file file.gz
    ./gzip -f file || fail "gzip"
    absent file
    ./gzip -d file.gz || fail "gzip -d"
    absent file.gz
    ./gzip -c file >a.gz || fail "gzip -c"
    ./gzip -o b.gz file || fail "gzip -o"
    exists file
    igzip -6c file | cmp -s - a.gz || fail "the default level of gzip is 6"
    ./gzip -0 -c file >out 2>log && fail "gzip has no level 0"
    says "gzip: invalid option -- '0'"
    ./gzip -d missing 2>log && fail "a missing file"
    says "gzip: missing.gz: No such file"
    # Each name has its own variable.
    IGZIP_OPT=-k GZIP=-1n ./gzip file 2>log || fail "GZIP"
    says "gzip: warning: the GZIP environment variable is deprecated"
    absent file
    igzip -1nc original | cmp -s - file.gz || fail "the options in GZIP"
    for options in -k -d -c -f -r "-S .x" -o --rm -T2 --synchronous -0 --bgzf; do
        GZIP=$options ./gzip -dk file.gz 2>log && fail "GZIP=$options"
        absent file
    done
    GZIP=file ./gzip -dk file.gz 2>log && fail "a file in GZIP"
    absent file
    GZIP= ./gzip -dk file.gz 2>log || fail "an empty variable"
    quiet
    exists file
    if have gzip; then
        for options in "" -k -v "-c" "-d" "-l" "-t" "-dk nothing"; do
            for name in real ours; do
                rm -rf $name
                mkdir $name
                cp original $name/file
                cp file.gz $name/other.gz
                (
                    cd $name
                    if [ $name = ours ]; then PATH=..:$PATH; fi
                    gzip $options file other.gz >../$name.out 2>../$name.log </dev/null
                    echo $?
                    ls
                ) >$name.end
            done
            same ours.end real.end
        done
    fi
    : >log
    unset LD_LIBRARY_PATH
}

# Control characters in file names are kept in names, but not printed.
test_printable() {
    removing
    text 100 >"$(printf 'a\033b')"
    expect 0 -v "$(printf 'a\033b')"
    says "a?b"
    grep -q "$(printf '\033')" log && fail "a control character in the messages"
    mv "$(printf 'a\033b.gz')" plain.gz
    expect 0 -lN plain.gz >out
    grep -q "a?b" out || fail "the stored name is not listed"
    expect 0 -dN plain.gz
    exists "$(printf 'a\033b')"
}

# The commands of doc/igzip.md.
test_guide() {
    {
        printf 'set -e\nigzip() { %s "$@"; }\n' "$program"
        sed -n '/^```sh$/,/^```$/p' "$source/doc/igzip.md" | grep -v '^```'
    } >guide.sh
    sh guide.sh >log 2>&1 || fail "a command of doc/igzip.md fails"
    exists rescued
    : >log
}

# ---- Run ----

tests=${*:-$(sed -n 's/^\(test_[a-z_]*\)() {$/\1/p' "$source/tests/igzip_test.sh")}
for test in $tests; do
    failures=0
    unset IGZIP_OPT
    mkdir "$work/$test" && cd "$work/$test" || exit 99
    $test
    if [ $failures = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    cd "$work" && chmod -R u+rwx "$test" && rm -rf "${work:?}/$test"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
