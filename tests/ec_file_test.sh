#!/bin/sh
# Checks ec_file end to end: round trips, damage, invalid arguments, full disks, kills.
# SPDX-License-Identifier: BSD-3-Clause
#
# EC_FILE names the program (with a prefix such as "libtool --mode=execute valgrind" if wanted),
# SEED the positions of the random damage.
. "${srcdir:-..}/tests/program.sh"

format=$(cd "$(dirname "$0")" && pwd)/ec_file_format.py
seed=${SEED:-$(date +%s)}
start ec_file "${EC_FILE:-./ec_file}"
echo "seed $seed, folder $work"

# same_folder A B: the folders have the same files with the same contents.
same_folder() {
    diff -r "$1" "$2" >log 2>&1 || fail "folder $1 differs from $2"
}

fresh() {
    rm -rf "$2"
    cp -r "$1" "$2"
}

random_file() {
    head -c "$1" /dev/urandom >"$2"
}

size_of() {
    wc -c <"$1" | tr -d ' '
}

# flip FILE OFFSET BIT
flip() {
    byte=$(od -An -tu1 -j "$2" -N 1 "$1")
    printf "\\$(printf %03o $((byte ^ (1 << $3))))" |
        dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# cut_to FILE SIZE
cut_to() {
    head -c "$2" "$1" >cut && mv cut "$1"
}

shard() {
    printf '%s/shard-%03d.ec' "$1" "$2"
}

# round_trips SIZE...
round_trips() {
    count=0
    for size in "$@"; do
        count=$((count + 1))
        random_file $size file
        rm -rf set back
        expect 0 encode file -o set -k 3 -m 2 --chunk 4K --threads $((count % 3 + 1))
        fresh set broken
        rm "$(shard broken $((count % 5)))" "$(shard broken $(((count + 2) % 5)))"
        expect 1 verify broken
        expect 0 decode broken -o back
        same file back
        expect 0 repair broken
        same_folder set broken
        expect 0 verify broken
    done
}

round_trips 0 1 2 3 4095 4096 4097 12287 12288 12289 3000007
for ISAL_ISA in avx2 base; do
    export ISAL_ISA
    round_trips 1 12289 3000007
done
expect 0 verify set
says "kernel base"
unset ISAL_ISA
expect 0 verify set

# ---- Geometries, options, output ----
random_file 100000 file
for geometry in "1 1" "254 1" "1 254" "128 127"; do
    set -- $geometry
    rm -rf wide back
    expect 0 encode file -o wide -k "$1" -m "$2" --chunk 64
    [ "$(ls wide | wc -l)" -eq $(($1 + $2)) ] || fail "$geometry: wrong number of shards"
    i=0
    while [ $i -lt "$2" ]; do
        rm "$(shard wide $i)"
        i=$((i + 1))
    done
    expect 0 decode wide -o back
    same file back
done
rm -rf wide back
random_file 200000 file
chmod 640 file
$program encode file --output=set2 --data 3 --parity 2 --chunk 4096 -t 2 >out 2>err ||
    fail "long options"
[ ! -s err ] || fail "a progress bar or message without a terminal: $(cat err)"
grep -q "kernel [a-z]" out || fail "encode does not name the kernel"
[ "$(ls -l set2/shard-000.ec | cut -c 1-10)" = -rw-r----- ] || fail "shards have other permissions"
expect 0 decode set2 -o back
same file back
[ "$(ls -l back | cut -c 1-10)" = -rw-r----- ] || fail "decoded file has other permissions"
expect 0 --help
says Usage
expect 0 --version
expect 0 decode --help
if script -qec true /dev/null >/dev/null 2>&1; then
    script -qec "$program verify set2" /dev/null </dev/null >log 2>&1 || fail "verify on a terminal"
    says 'verifying \['
else
    skip "no script(1): progress bar on a terminal"
fi

# ---- Invalid arguments: status 2, nothing changed ----
expect 2
expect 2 frobnicate file
expect 2 encode
expect 2 encode file
expect 2 encode file other -o new
expect 2 encode missing -o new
expect 2 encode . -o new
expect 2 verify set2 -k 3
expect 2 verify missing
expect 2 verify file
expect 2 decode set2
expect 2 decode set2 -o
expect 2 encode file -o new --what
for option in "-k 0" "-m 0" "-k 256" "-m -1" "-k 200 -m 56" "-k ten" "-t 0" "-t 1000" \
    "--chunk 0" "--chunk 63" "--chunk 65" "--chunk 32" "--chunk 1000M" "--chunk 4096M" \
    "--chunk -64" "--chunk abc" "--chunk 64Q" "--chunk 64KK" "--chunk 99999999999999999999" \
    "--chunk 18446744073709551615K"; do
    expect 2 encode file -o new $option
done
absent new
mkfifo pipe
expect 2 encode pipe -o new
absent new
expect 2 encode file -o file
expect 2 encode file -o missing/new
expect 2 encode file -o file/new # below what is no folder
if [ "$(id -u)" -ne 0 ]; then
    mkdir closed
    chmod 500 closed
    expect 2 encode file -o closed
    says "Permission denied"
    expect 2 decode set2 -o closed/back
    chmod 700 closed
else
    skip "running as root: folders without write permission"
fi

# ---- Nothing is replaced unless --force is given ----
fresh set2 set
random_file 5000 file2
expect 2 encode file2 -o set -k 3 -m 2
same_folder set set2
expect 2 encode file2 -o set -k 2 -m 2 --force
same_folder set set2
expect 0 encode file2 -o set -k 3 -m 2 --force
rm -f back
expect 0 decode set -o back
same back file2
expect 2 decode set2 -o back
same back file2
expect 0 decode set2 -o back --force
same back file
expect 2 decode set2 -o .
expect 2 decode set2 -o set2/
expect 2 decode set2 -o missing/back
fresh set2 set
expect 2 decode set -o set/shard-001.ec --force
expect 2 encode set/shard-000.ec -o set -k 3 -m 2 --force
same_folder set set2
ln -s file2 link
expect 2 decode set2 -o link --force
[ -h link ] || fail "a symbolic link was replaced"
expect 2 decode set2 -o pipe --force

# ---- Damage: set2 is 3 + 2, chunks of 4096, 17 stripes ----
full=$(size_of set2/shard-000.ec)

# recovers MESSAGE: set is damaged in a way that loses nothing.
recovers() {
    expect 1 verify set
    says "$1"
    rm -f back
    expect 0 decode set -o back
    same file back
    expect 0 repair set
    same_folder set set2
    expect 0 verify set
    says "all 5 shards are intact"
}

for size in 0 1 100 511 512 513 4611 4612 20000 $((full - 1)); do
    fresh set2 set
    cut_to set/shard-001.ec "$size"
    cut_to set/shard-004.ec "$size"
    recovers "truncated to $size of $full bytes"
done
fresh set2 set
printf x >>set/shard-002.ec
recovers "1 bytes too long"
fresh set2 set
flip set/shard-002.ec 9000 3
recovers "bad chunks 2 (1 of 17)"
fresh set2 set
cp file2 set/shard-000.ec
recovers "bad header"

# Every shard is damaged, and all headers except one, but at most two chunks in each stripe.
fresh set2 set
for i in 0 1 2 3 4; do
    flip "$(shard set $i)" $((512 + 4100 * (3 * i) + 77)) 1
    flip "$(shard set $i)" $((512 + 4100 * (3 * i + 1) + 4097)) 7
    flip "$(shard set $i)" $((512 + 4100 * (3 * ((i + 1) % 5)) + 78)) 0
    [ $i -eq 2 ] || flip "$(shard set $i)" $((i * 100)) 5
done
recovers "5 of 5 shards are missing or damaged; nothing is lost"

# Chunks that are swapped within a shard count as damaged.
fresh set2 set
dd if=set2/shard-001.ec of=set/shard-001.ec bs=4 skip=1153 seek=128 count=1025 conv=notrunc \
    2>/dev/null
recovers "bad chunks 0 (1 of 17)"

# Any single flipped bit is detected and repaired.
positions=$(awk -v seed="$seed" -v full="$full" 'BEGIN {
    srand(seed)
    for (i = 0; i < 20; i++)
        print int(rand() * 5) ":" int(rand() * (i % 5 ? full : 512)) ":" int(rand() * 8)
}')
fresh set2 set
for position in $positions; do
    IFS=:
    set -- $position
    unset IFS
    flip "$(shard set "$1")" "$2" "$3"
    expect 1 verify set
    expect 0 repair set
    cmp -s "$(shard set "$1")" "$(shard set2 "$1")" || fail "flip $position was not repaired"
done
same_folder set set2

# ---- Too much damage: status 1, nothing changed, nothing left ----
fresh set2 set
rm set/shard-000.ec set/shard-003.ec set/shard-004.ec
fresh set lost
expect 1 verify set
says "NOT recoverable"
rm -f back
expect 1 decode set -o back
says "Restore any missing shard"
absent back
no_temporaries .
expect 1 repair set
same_folder set lost
fresh set2 set
for i in 1 2 3; do flip "$(shard set $i)" $((512 + 4100 * 9)) 0; done
fresh set lost
expect 1 verify set
says "stripes 9 (1 of 17)"
expect 1 decode set -o back
absent back
expect 1 repair set
same_folder set lost
fresh set2 set
for i in 0 1 2 3 4; do cut_to "$(shard set $i)" 20000; done
expect 1 verify set
says "stripes 4-16 (13 of 17)"
expect 1 decode set -o back
absent back
fresh set2 set
for i in 0 1 2 3 4; do flip "$(shard set $i)" 20 0; done
for command in verify repair; do
    expect 1 $command set
    says "no shard with an intact header"
done
mkdir empty
expect 1 verify empty

# ---- Names, other files, two sets ----
fresh set2 set
mv set/shard-001.ec set/saved
expect 1 verify set
says "named saved"
expect 0 repair set
same set/shard-001.ec set2/shard-001.ec
expect 0 verify set
says "second copy of shard 1"
fresh set2 set
mv set/shard-001.ec set/x
mv set/shard-003.ec set/shard-001.ec
mv set/x set/shard-003.ec
rm set/shard-000.ec set/shard-002.ec
recovers "whole, but named shard-003.ec"
fresh set2 set
echo text >set/notes
mkdir set/folder
mkfifo set/pipe
: >set/.ec_file-1-0.tmp
expect 0 verify set
says "notes is not a shard"
says "ec_file-1-0.tmp is a temporary file"
rm set/shard-000.ec
expect 0 repair set
same set/shard-000.ec set2/shard-000.ec
[ "$(cat set/notes)" = text ] && [ -d set/folder ] && [ -p set/pipe ] ||
    fail "other files have changed"
expect 0 encode file -o other -k 3 -m 2 --chunk 4096
fresh set2 set
cp other/shard-001.ec set/shard-001.ec
expect 1 verify set
says "in its place is a shard of another set"
rm -f back
expect 0 decode set -o back
same file back
expect 2 repair set
same set/shard-001.ec other/shard-001.ec
expect 0 repair set --force
same_folder set set2
rm set/shard-001.ec
mkdir set/shard-001.ec
expect 2 repair set
rmdir set/shard-001.ec
ln -s nowhere set/shard-001.ec
expect 2 repair set
rm set/shard-001.ec
fresh set2 set
rm set/shard-000.ec set/shard-001.ec set/shard-002.ec
cp other/shard-003.ec set/a
expect 1 decode set -o new
says "cannot be recovered"
cp other/shard-004.ec set/b
expect 1 decode set -o new
says "several sets"
absent new

# ---- A full disk, and a limit of the size of files ----
random_file 3000000 large
expect 0 encode large -o whole -k 3 -m 2
fresh whole broken
rm broken/shard-001.ec
fresh broken broken2
(
    failed=0
    ulimit -f 100
    expect 2 encode large -o new -k 3 -m 2
    says "cannot write"
    expect 2 decode whole -o new
    expect 2 repair broken
    exit $failed
) || failed=$((failed + $?))
absent new
same_folder broken broken2
no_temporaries .
cat >full.sh <<'END'
mkdir disk && mount -t tmpfs -o size=1m none disk 2>/dev/null || exit 77
$program encode large -o disk/new -k 3 -m 2 >log 2>&1
[ $? -eq 2 ] && [ ! -e disk/new ] && grep -q "No space" log || exit 1
$program decode whole -o disk/new >log 2>&1
[ $? -eq 2 ] && [ -z "$(ls -A disk)" ] && grep -q "No space" log || exit 1
END
if [ "$(id -u)" -eq 0 ]; then
    program=$program unshare -m sh full.sh
else
    program=$program unshare -rm sh full.sh
fi 2>/dev/null
case $? in
    0) ;;
    1) fail "full disk" ;;
    *) skip "cannot mount a small tmpfs: full disk" ;;
esac

# ---- Kills ----
# begin FOLDER ARGUMENTS...: runs ec_file in the background until it has a temporary file in the
# folder. Its priority is low, so that this script is mostly in time on a busy machine.
begin() {
    folder=$1
    shift
    nice -n 19 $program "$@" >log 2>&1 &
    pid=$!
    while kill -0 $pid 2>/dev/null && ! ls "$folder"/.ec_file-* >/dev/null 2>&1; do
        :
    done
}

# interrupt SIGNAL UNDO FOLDER ARGUMENTS...: the same, then sends the signal. If ec_file ended
# first, the command UNDO restores what was there, and all begins again.
interrupt() {
    signal=$1 undo=$2
    shift 2
    for attempt in $(seq 200); do
        begin "$@"
        kill -s "$signal" $pid 2>/dev/null
        wait $pid 2>/dev/null
        status=$?
        [ $status -eq 0 ] || break
        eval "$undo"
    done
    [ $status -gt 128 ] || fail "ec_file $* was not ended by $signal: status $status"
}
dd if=/dev/zero of=sparse bs=1 count=0 seek=200000000 2>/dev/null
mkdir killed
interrupt KILL "rm -f killed/*" killed encode sparse -o killed -t 1
[ -z "$(ls killed)" ] || fail "a killed encode left: $(ls killed)"
interrupt TERM "rm -rf terminated" terminated encode sparse -o terminated -t 1
absent terminated
expect 0 encode large -o killed -k 3 -m 2
expect 0 verify killed
says "is a temporary file"
expect 0 encode sparse -o sparse_set -k 3 -m 2
interrupt TERM "rm back_killed" . decode sparse_set -o back_killed -t 1
absent back_killed
no_temporaries .
interrupt KILL "rm back_killed" . decode sparse_set -o back_killed -t 1
absent back_killed
rm -f .ec_file-*
for attempt in $(seq 200); do
    begin . decode sparse_set -o back_late -t 1
    echo mine >back_late
    wait $pid
    status=$?
    [ $status -eq 0 ] && [ "$(head -c 5 back_late)" = mine ] || break
    rm back_late # ec_file had ended before the file was created
done
[ $status -eq 2 ] && [ "$(head -c 5 back_late)" = mine ] ||
    fail "a file created meanwhile was replaced"
cut_to sparse_set/shard-001.ec 1000
interrupt KILL "cut_to sparse_set/shard-001.ec 1000" sparse_set repair sparse_set -t 1
[ "$(size_of sparse_set/shard-001.ec)" -eq 1000 ] || fail "a killed repair changed a shard"
expect 0 repair sparse_set
rm -rf sparse_set sparse

# ---- The format, read and forged by another program ----
if python3 -c '' 2>/dev/null; then
    python3 "$format" check set2 file >log 2>&1 || fail "the format is not as described"
    : >none
    expect 0 encode none -o none_set
    python3 "$format" check none_set none >log 2>&1 || fail "the format of an empty file"
    random_file 50000 small
    expect 0 encode small -o small_set -k 3 -m 2 --chunk 4096
    python3 "$format" forgeries "$program" small_set 0 >log 2>&1 || fail "forged headers"
    # With k = 1 a shard is larger than the file, so that its size is closest to an overflow.
    expect 0 encode small -o narrow_set -k 1 -m 2 --chunk 64
    python3 "$format" forgeries "$program" narrow_set 24 >log 2>&1 || fail "forged sizes"
else
    skip "no python3: the format read and forged by another program"
fi

[ $failed = 0 ] || echo "again with SEED=$seed"
finish
