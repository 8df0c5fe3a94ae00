#!/bin/sh
# Checks dedup end to end: round trips, deduplication, damage, invalid arguments, kills.
# SPDX-License-Identifier: BSD-3-Clause
#
# DEDUP names the program. ISAL_CORPORA names a folder of real data, if there is one.
. "${srcdir:-..}/tests/program.sh"

corpora=${ISAL_CORPORA-}
need python3 python3
start dedup "${DEDUP:-./dedup}"

# same_tree A B: the trees have the same names, types, modes, times, targets and contents.
tree_of() {
    (cd "$1" && find . -mindepth 1 -printf '%p %y %m %T@ %l\n' | LC_ALL=C sort)
}
same_tree() {
    if diff -r --no-dereference "$1" "$2" >diff.log 2>&1 &&
        [ "$(tree_of "$1")" = "$(tree_of "$2")" ]; then pass; else
        fail "$1 and $2 differ"
        head -5 diff.log
    fi
}

# value NAME: prints the number after NAME in the last output.
value() {
    sed -n "s/^$1  *\([0-9]*\).*/\1/p" log
}

# expect_between NAME LOW HIGH: checks that this number is from LOW to HIGH.
expect_between() {
    if [ "$(value "$1")" -ge "$2" ] && [ "$(value "$1")" -le "$3" ]; then pass; else
        fail "$1 is $(value "$1"), not $2 to $3"
    fi
}

# random SIZE SEED
random() {
    python3 -c 'import random, sys
random.seed(int(sys.argv[2]))
sys.stdout.buffer.write(random.randbytes(int(sys.argv[1])))' "$1" "$2"
}

# ---- A tree with all kinds of entries ----

mkdir -p tree/sub/deep tree/empty 'tree/odd name
x'
random 3000000 1 >tree/a
(head -c 1000000 tree/a; printf inserted; tail -c +1000001 tree/a) >tree/sub/b
cp tree/a tree/sub/deep/copy
: >tree/none
printf x >tree/one
head -c 500000 /dev/zero >tree/zeros
random 100 2 >'tree/odd name
x/file'
i=0
while [ $i -lt 600 ]; do
    echo "small file $i" >tree/sub/small$i
    i=$((i + 1))
done
ln -s ../a tree/sub/link
ln -s /nowhere tree/dangling
chmod 640 tree/a
chmod 750 tree/sub
touch -d '2001-02-03 04:05:06.789 UTC' tree/one tree/empty
touch -h -d '2002-02-03 UTC' tree/dangling

expect 0 store -s store -n first tree
says 'snapshot  *first'
expect_between bytes 9500000 9600000
# Two copies of `a`, one of them with inserted bytes, and zeros need little more space than `a`.
expect_between 'new bytes' 3000000 3350000
expect 0 restore -s store -o out
mv out/tree out-tree
same_tree tree out-tree
expect 0 store -s store -n second tree
expect_between 'new bytes' 0 0
if [ "$(find store/packs -type f | wc -l)" = 1 ]; then pass; else fail "a pack without chunks"; fi
printf changed | dd of=tree/a bs=1 seek=1500000 conv=notrunc 2>/dev/null
expect 0 store -s store -n third tree
expect_between 'new bytes' 1 140000
expect 0 restore -s store -n third -o out3
same_tree tree out3/tree
expect 0 restore -s store -n first -o out1
touch -r out-tree out1/tree
same_tree out-tree out1/tree
expect 0 stats -s store
says 'in all  *3 snapshots'
says 'chunk sizes'
expect_between 'unique bytes' 3000000 3500000

# Every tier makes the same store, so that another machine may add to it.
for tier in base sse avx2 avx512; do
    ISAL_ISA=$tier expect 0 store -s store -n "tier-$tier" tree
    expect_between 'new bytes' 0 0
done

# Chunk sizes from options, and sizes larger than the data.
expect 0 store -s tiny --min 64 --avg 128 --max 256 tree/a tree/one
expect 0 restore -s tiny -o out-tiny
if cmp -s tree/a out-tiny/a && cmp -s tree/one out-tiny/one; then pass; else fail "tiny chunks"; fi
expect 0 store -s huge --min 1M --avg 8M --max 16M tree
expect 0 restore -s huge -o out-huge
same_tree tree out-huge/tree

# ---- Invalid arguments ----

expect 2
expect 2 frobnicate
says 'must be store, restore or stats'
expect 0 --version
says "^dedup (isa-l_crypto) 2\."
expect 0 --help
expect 2 store tree
expect 2 store -s store
expect 2 store -s store -n a/b tree
expect 2 store -s store -n .a tree
expect 2 store -s store -n first tree
says 'already'
expect 2 store -s store missing
expect 2 store -s other --min 10 tree
expect 2 store -s other2 --avg 17M tree
for seconds in '' x -1 1s 99999999999999999999; do
    expect 2 store -s store --wait "$seconds" tree
    says 'seconds'
done
expect 2 store -s store tree out3/tree
says 'the same name'
expect 2 restore -s store -o out3
says 'not empty'
expect 2 restore -s store -n missing -o out4
expect 2 restore -s tree -o out4
expect 2 restore -s store
expect 2 stats -s missing
expect 2 stats -s store extra
if [ -f /dev/full ] || [ -c /dev/full ]; then
    $program stats -s store >/dev/full 2>log
    if [ $? = 2 ]; then pass; else fail "a full disk goes unnoticed"; fi
fi

# A store inside a stored folder is left out.
mkdir around
echo x >around/x
expect 0 store -s around/store -n a around
expect 0 store -s around/store -n b around
expect_between files 1 1

# Unreadable files are left out with a message.
mkfifo around/fifo
expect 1 store -s around/store -n c around
says 'fifo.*left out'
expect 0 restore -s around/store -n c -o out-c

# A file with a read error in the middle is left out; the files before and after it are stored.
if [ -r /proc/self/mem ]; then
    expect 1 store -s broken tree/one /proc/self/mem tree/a
    says 'mem.*left out'
    expect 0 restore -s broken -o out-broken
    if [ "$(ls out-broken | tr '\n' ' ')" = 'a one ' ] && cmp -s tree/a out-broken/a &&
        cmp -s tree/one out-broken/one; then pass; else fail "a file that broke off"; fi
else
    skip "no /proc/self/mem"
fi

# A file that changes while it is read is reported. The program is stopped in the middle of the
# file, so that it always sees the change. If it reads the file before it can be stopped, a larger
# file is tried.
if [ -r /proc/self/fdinfo/0 ]; then
    python3 - "$program" <<'END' >log 2>&1
import os, signal, subprocess, sys

def is_read(process):
    """Whether the process has the file open and is past its first byte."""
    folder = f"/proc/{process.pid}/"
    try:
        for fd in os.listdir(folder + "fd"):
            if os.readlink(folder + "fd/" + fd).endswith("/changing"):
                return not open(folder + "fdinfo/" + fd).readline().split() == ["pos:", "0"]
    except OSError:
        pass
    return False

size = 1 << 27
while True:
    with open("changing", "wb") as file:
        file.truncate(size)
    process = subprocess.Popen([sys.argv[1], "store", "-s", "broken", "-n", f"changing-{size}",
                                "changing"])
    while process.poll() is None and not is_read(process):
        pass
    process.send_signal(signal.SIGSTOP)
    if process.poll() is None:
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    caught = is_read(process)
    os.utime("changing", (1, 1))
    process.send_signal(signal.SIGCONT)
    if process.wait() != 0 or caught:
        sys.exit(process.returncode)
    size *= 2
END
    if [ $? = 1 ]; then pass; else fail "a file that changed: not exit status 1"; fi
    says 'changing: it changed'
    rm changing
else
    skip "no /proc/self/fdinfo"
fi

# Folders nested deeper than the limit of open files are left out; everything else is stored.
deep=deep
i=0
while [ $i -lt 40 ]; do
    deep=$deep/d
    i=$((i + 1))
done
mkdir -p $deep
echo x >deep/file
(ulimit -n 25; exec "$program" store -s broken -n deep deep) >log 2>&1
if [ $? = 1 ]; then pass; else fail "too many open files: not exit status 1"; fi
says 'left out'
expect 0 restore -s broken -n deep -o out-deep
if cmp -s deep/file out-deep/deep/file; then pass; else fail "too many open files"; fi

# Holes are restored as holes.
truncate -s 20M sparse
printf x >>sparse
expect 0 store -s broken -n sparse sparse
expect 0 restore -s broken -n sparse -o out-sparse
if cmp -s sparse out-sparse/sparse; then pass; else fail "a sparse file"; fi
if [ "$(stat -c %b sparse)" -lt 1000 ]; then
    if [ "$(stat -c %b out-sparse/sparse)" -lt 1000 ]; then pass; else fail "holes are filled"; fi
else
    skip "no sparse files here"
fi

# ---- Damage: detected, reported, and never restored ----

damage() { # FILE OFFSET
    python3 -c 'import sys
f = open(sys.argv[1], "r+b"); n = int(sys.argv[2]); f.seek(n, 0 if n >= 0 else 2)
c = f.read(1); f.seek(-1, 1); f.write(bytes([c[0] ^ 1]))' "$1" "$2"
}
cp -r store bad
damage bad/packs/00000001 2000000
expect 1 restore -s bad -n first -o out-bad
says 'damaged'
if [ -e out-bad/tree/one ] && ! diff -r --no-dereference out-tree out-bad/tree | grep -q differ
then pass; else fail "damage restored, or too much left out"; fi
for offset in 0 -1 -20 -50 -60; do
    rm -rf bad out-bad
    cp -r store bad
    damage bad/packs/00000001 $offset
    expect 1 restore -s bad -n first -o out-bad
    expect 1 stats -s bad
done
for offset in 0 9 20 300 -1; do
    rm -rf bad out-bad
    cp -r store bad
    damage bad/snapshots/first $offset
    expect 1 restore -s bad -n first -o out-bad
    expect 1 stats -s bad
done
for size in 0 7 60 1000000; do
    rm -rf bad out-bad
    cp -r store bad
    truncate -s $size bad/packs/00000001
    expect 1 restore -s bad -n first -o out-bad
done
rm -rf bad
cp -r store bad
rm bad/packs/00000001
expect 1 restore -s bad -n first -o out-bad2
expect 1 stats -s bad

# Snapshots that lead out of the target, with correct digests.
forge() { # TYPE:PATH:BODY...
    python3 - "$@" <<'END'
import hashlib, struct, sys
entries = b""
for text in sys.argv[1:]:
    kind, path, body = text.encode().split(b":")
    entries += struct.pack("<cIqIIQ", kind, 0o755, 0, 0, len(path), len(body)) + path + body
data = b"DDSNAP1\n" + struct.pack("<Q", len(sys.argv) - 1) + entries
open("bad/snapshots/forged", "wb").write(data + hashlib.sha256(data).digest())
END
}
mkdir outside
for entries in 'd:../outside/x:' 'd:/outside:' 'd:a/../../outside/x:' 'd:a/:' 'd::' 'd:.:' \
    'x:a:' 'f:a:123' "d:b/c:" "l:a:../outside d:a/x:" "d:t: l:t/a:../../outside d:t/a/x:"; do
    # shellcheck disable=SC2086
    forge $entries
    rm -rf out-forged
    expect 1 restore -s bad -n forged -o out-forged
    if [ -z "$(ls outside)" ]; then pass; else fail "restored outside: $entries"; fi
done

# ---- Two processes, one store ----

# hold_lock: another process holds the lock until release_lock; file `held` exists meanwhile.
hold_lock() {
    python3 -c 'import fcntl, os, time
lock = open("store/lock", "r+")
fcntl.flock(lock, fcntl.LOCK_EX)
open("held", "x")
while os.path.exists("held"):
    time.sleep(0.01)' &
    holder=$!
    while [ ! -e held ] && kill -0 $holder; do sleep 0.01; done
}
release_lock() {
    rm held
    wait $holder
}

year=31622400 # seconds; the longest wait that the program accepts
hold_lock
expect 2 store -s store -n locked --wait 0 tree/one
says 'another process is adding'
expect 2 store -s store -n locked --wait 2 tree/one
says 'another process is adding'
says 'waiting up to 2 s'
expect 0 stats -s store
expect 0 restore -s store -n second -o out-locked
: >log
"$program" store -s store -n waited --wait $year tree/one >log 2>&1 &
waiting=$!
while [ $failed = 0 ] && ! grep -q 'waiting up to' log && kill -0 $waiting 2>/dev/null; do
    sleep 0.01
done
if kill -0 $waiting 2>/dev/null; then pass; else fail "it does not wait for the lock"; fi
if [ ! -e store/snapshots/waited ]; then pass; else fail "a snapshot without the lock"; fi
release_lock
wait $waiting
status=$?
if [ $status = 0 ]; then pass; else fail "exit status $status after waiting for the lock"; fi
expect 0 restore -s store -n waited -o out-waited
same tree/one out-waited/one

# ---- Kills: the store is intact at any time ----

random 30000000 3 >big
# A limit of the file size kills the program when the pack reaches it, on every machine.
for blocks in 0 1 2000 10000 25000; do
    (ulimit -c 0; ulimit -f $blocks; exec "$program" store -s store -n limited big) >log 2>&1
    status=$?
    if [ $status -gt 128 ]; then pass; else fail "ulimit -f $blocks: exit status $status"; fi
    expect 0 stats -s store
done
# The next program starts while the killed one may still hold the lock: it waits.
for delay in 0.01 0.03 0.06 0.1; do
    timeout -s KILL $delay "$program" store -s store --wait $year -n killed-$delay big >log 2>&1
    expect 0 stats -s store
done
expect 0 store -s store --wait $year -n after big
expect 0 restore -s store -n after -o out-after
if cmp -s big out-after/big; then pass; else fail "after kills"; fi
if [ -z "$(find store -name '.dedup-*')" ]; then pass; else fail "leftovers remain"; fi

# ---- Real data ----

if [ -d "$corpora" ]; then
    expect 0 store -s real "$corpora"
    expect 0 restore -s real -o out-real
    same_tree "$corpora" "out-real/$(basename "$corpora")"
    sed 's/^/    /' log
else
    skip "no corpora: set ISAL_CORPORA"
fi
finish
