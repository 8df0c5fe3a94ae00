#!/bin/sh
# Checks encrypt_file end to end: round trips, format, damage, keys, invalid arguments, signals.
# SPDX-License-Identifier: BSD-3-Clause
#
# ENCRYPT_FILE names the program.
. "${srcdir:-..}/tests/program.sh"

need python3 python3
start encrypt_file "${ENCRYPT_FILE:-./encrypt_file}"

# fails STATUS ARGUMENT...: the program fails and leaves no files.
fails() {
    expect "$@"
    absent out
    no_temporaries .
}

# refused FILE STATUS TEXT: the file does not decrypt.
refused() {
    fails "$2" decrypt -k key -o out "$1"
    says "$3"
}

# random SIZE SEED
random() {
    python3 -c 'import random, sys
random.seed(int(sys.argv[2]))
n = int(sys.argv[1])
sys.stdout.buffer.write(random.getrandbits(8 * n).to_bytes(n, "little") if n else b"")' "$1" "$2"
}

# flip FILE OFFSET: inverts a bit.
flip() {
    python3 -c 'import sys
with open(sys.argv[1], "r+b") as f:
    f.seek(int(sys.argv[2]))
    b = f.read(1)[0]
    f.seek(int(sys.argv[2]))
    f.write(bytes([b ^ 1]))' "$1" "$2"
}

# piece FILE FROM COUNT
piece() {
    tail -c +$(($2 + 1)) "$1" | head -c "$3"
}

umask 077
random 32 1 >key
random 32 2 >other

# ---- Round trips ----

for size in 0 1 15 16 17 4095 65535 65536 65537 131071 131072 131073 196608 1000000; do
    random $size 3 >plain
    expect 0 encrypt -k key -o sealed plain
    expect 0 decrypt -k key -o out sealed
    same plain out "gcm, $size bytes"
    chunks=$(((size + 65535) / 65536))
    [ $chunks != 0 ] || chunks=1
    if [ "$(wc -c <sealed)" -eq $((96 + size + 16 * chunks)) ]; then pass; else
        fail "$size bytes became $(wc -c <sealed)"
    fi
    rm -f sealed out
done
for size in 0 512 1024 4096 1048064 1048576 1049088 3145728; do
    random $size 4 >plain
    expect 0 encrypt -k key -m xts -s 512 -o sealed plain
    expect 0 decrypt -k key -o out sealed
    same plain out "xts, $size bytes"
    if [ "$(wc -c <sealed)" -eq $((4096 + size)) ]; then pass; else fail "xts size"; fi
    rm -f sealed out
done
random 1089536 4 >image # more than is worked on at a time
expect 0 encrypt -k key -m xts -o image.enc image
expect 0 decrypt -k key -o out image.enc
same image out 'sectors of 4096 bytes'
if [ "$(ls -l out | cut -c 1-10)" = -rw------- ]; then pass; else fail 'mode of decrypted file'; fi
rm -f out

# The same file twice: another salt, and no common bytes after it.
random 300000 5 >plain
expect 0 encrypt -k key -o stream.enc plain
expect 0 encrypt -k key -o twice plain
if [ "$(cmp -l stream.enc twice | wc -l)" -gt 290000 ]; then pass; else fail 'not salted'; fi

# Standard input, in slow pieces.
(head -c 100000 plain; sleep 0.1; tail -c +100001 plain) | expect 0 encrypt -k key -o piped -
expect 0 decrypt -k key -o out piped
same plain out 'from a pipe'
rm -f out
$program decrypt -k key -o out - <stream.enc && same plain out 'decrypted from a pipe'
rm -f out

# Every tier decrypts the output of the others.
for tier in base sse avx2 avx512; do
    ISAL_ISA=$tier expect 0 encrypt -k key -o "by-$tier" plain
    expect 0 decrypt -k key -o out "by-$tier"
    same plain out "encrypted by $tier"
    rm -f out
    ISAL_ISA=$tier expect 0 decrypt -k key -o out stream.enc
    same plain out "decrypted by $tier"
    rm -f out
done

# ---- The format, by another implementation ----

if python3 -c 'import cryptography' 2>/dev/null; then
    cat >format.py <<'P'
import hashlib, hmac, sys
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
key, data, plain = (open(name, "rb").read() for name in sys.argv[1:])
head = data[:96]
keys = HKDF(SHA256(), 96, head[24:56], head[:24]).derive(key)
assert head[:8] == b"ISALENC1" and head[56:64] == hashlib.sha256(head[:56]).digest()[:8]
assert head[64:] == hmac.digest(keys[:32], head[:64], "sha256")
unit, size = int.from_bytes(head[12:16], "little"), int.from_bytes(head[16:24], "little")
text = b""
if head[8] == 1:
    body = data[96:]
    for i in range(0, len(body), unit + 16):
        last = i + unit + 16 >= len(body)
        vector = (i // (unit + 16)).to_bytes(8, "little") + bytes([0, 0, 0, last])
        text += AESGCM(keys[32:64]).decrypt(vector, body[i:i + unit + 16], None)
else:
    assert not any(data[96:4096]) and size == len(plain)
    for i in range(size // unit):
        xts = Cipher(algorithms.AES(keys[32:96]), modes.XTS(i.to_bytes(16, "little"))).decryptor()
        text += xts.update(data[4096 + i * unit:4096 + (i + 1) * unit]) + xts.finalize()
assert text == plain
P
    if python3 format.py key stream.enc plain; then pass; else fail 'format of streams'; fi
    if python3 format.py key image.enc image; then pass; else fail 'format of images'; fi
else
    skip 'python3-cryptography is missing: the format is not compared'
fi

# ---- Wrong keys and damage ----

for file in stream.enc image.enc; do
    fails 3 decrypt -k other -o out $file
    says 'encrypted with another key'
    for at in 0 7 8 12 16 24 55 56 63; do # a header that is damaged is not mistaken for a wrong key
        cp $file bad
        flip bad $at
        refused bad 1 damaged
    done
    for at in 64 95; do
        cp $file bad
        flip bad $at
        refused bad 3 'encrypted with another key'
    done
    for size in 0 1 8 95; do
        piece $file 0 $size >bad
        refused bad 1 'too short'
    done
done
# Five chunks: 65552 bytes each, the last 37856 + 16.
for at in 96 65631 65632 65647 65648 262303 262304 300159 300175; do
    cp stream.enc bad
    flip bad $at
    refused bad 1 'chunk [0-4] is damaged'
done
chunk=65552
for n in 1 2 3 4; do # cut off between chunks
    piece stream.enc 0 $((96 + n * chunk)) >bad
    refused bad 1 'the end is missing'
done
piece stream.enc 0 96 >bad
refused bad 1 'chunk 0 is damaged, cut off'
for size in 97 111 112 113 65647 65649 65663 65664 300175; do
    piece stream.enc 0 $size >bad
    refused bad 1 'is damaged, cut off'
done
head -c 131072 plain >even # the last chunk is a full one
expect 0 encrypt -k key -o even.enc even
(cat even.enc; printf x) >bad
refused bad 1 'there is data after the end'
(cat even.enc; tail -c +97 even.enc) >bad
refused bad 1 'there is data after the end'
(cat stream.enc; printf x) >bad
refused bad 1 'is damaged'
head_of() {
    piece stream.enc 0 96
}
nth() {
    piece stream.enc $((96 + $1 * chunk)) $chunk
}
(head_of; nth 1; nth 0; nth 2; nth 3; nth 4) >bad
refused bad 1 'chunk 0 is damaged'
(head_of; nth 0; nth 2; nth 1; nth 3; nth 4) >bad
refused bad 1 'chunk 1 is damaged'
(head_of; nth 0; nth 2; nth 3; nth 4) >bad # left out
refused bad 1 'chunk 1 is damaged'
(head_of; nth 0; nth 0; nth 1; nth 2; nth 3; nth 4) >bad # repeated
refused bad 1 'chunk 1 is damaged'
(head_of; nth 0; nth 1; nth 2; nth 4) >bad
refused bad 1 'chunk 3 is damaged'
(piece twice 0 96; tail -c +97 stream.enc) >bad # chunks of another file under the same key
refused bad 1 'chunk 0 is damaged'
(head_of; nth 0; nth 1; nth 2; nth 3; nth 4) >bad
expect 0 decrypt -k key -o out bad
same plain out 'put together again'
rm -f out

for size in 96 4095 4096 8192 1093631; do
    piece image.enc 0 $size >bad
    refused bad 1 'the end is missing'
done
(cat image.enc; printf x) >bad
refused bad 1 'there is data after the end'
for at in 96 4095; do
    cp image.enc bad
    flip bad $at
    refused bad 1 'the header is damaged'
done
refused plain 1 'not a file made by encrypt_file'

# ---- Key files ----

for size in 0 16 31 33 64; do
    random $size 6 >bad-key
    fails 2 encrypt -k bad-key -o out plain
    says 'exactly 32 bytes'
done
fails 2 encrypt -k missing -o out plain
says 'missing: No such file'
fails 2 encrypt -k . -o out plain
says 'regular file'
mkfifo pipe
fails 2 encrypt -k pipe -o out plain
fails 2 encrypt -k - -o out plain
cp key open-key
chmod 644 open-key
expect 0 encrypt -k open-key -o out plain
says 'warning: open-key'
rm -f out
expect 0 encrypt -k key -o out plain
expect_empty 'warning without a reason' "$(cat log)"
rm -f out

# ---- Outputs ----

printf precious >kept
fails 2 encrypt -k key -o kept plain
says 'kept: exists'
fails 2 decrypt -k key -o kept stream.enc
if [ "$(cat kept)" = precious ]; then pass; else fail 'replaced an existing file'; fi
fails 1 decrypt -k key -f -o kept bad
fails 3 decrypt -k other -f -o kept stream.enc
if [ "$(cat kept)" = precious ]; then pass; else fail 'replaced by nothing'; fi
expect 0 decrypt -k key -f -o kept stream.enc
same plain kept 'replaced'
expect 0 encrypt -k key -f -o kept kept # in its own place
expect 0 decrypt -k key --force --output=kept kept
same plain kept 'in its own place'
mkdir folder
expect 0 encrypt -k key -o folder/file plain
expect 0 decrypt -k key -o "$PWD/out" folder/file
same plain out 'in folders'
rm -f out
fails 2 encrypt -k key -f -o folder plain
fails 2 encrypt -k key -f -o folder/ plain
fails 2 encrypt -k key -f -o missing/file plain
ln -s kept link
fails 2 encrypt -k key -f -o link plain
says 'not a regular file'
for output in - /dev/stdout /dev/null; do
    fails 2 decrypt -k key -f -o $output stream.enc
done
fails 2 encrypt -k key -o - plain
says 'standard output'

# ---- Invalid arguments ----

expect 0 --version
says "^encrypt_file (isa-l_crypto) 2\."
expect 0 --help
says '^usage'
expect 0 encrypt --help
fails 2
fails 2 frobnicate
says 'must be encrypt or decrypt'
fails 2 encrypt -o out plain
fails 2 encrypt -k key plain
fails 2 encrypt -k key -o out
fails 2 encrypt -k key -o out plain plain
fails 2 encrypt -k key -o out missing
fails 2 encrypt -k key -o out .
fails 2 encrypt -k key -m ecb -o out plain
fails 2 encrypt -k key -s 512 -o out plain
fails 2 encrypt -k key -m xts -s 513 -o out plain
fails 2 decrypt -k key -m gcm -o out stream.enc
fails 2 encrypt -k key -x -o out plain
fails 2 encrypt -k key -m xts -o out plain
says 'not a multiple of the sector size'
fails 2 encrypt -k key -m xts -o out -
fails 2 encrypt -k key -m xts -o out pipe <>pipe

# until_begun PROCESS: waits until the program has a temporary file, and so handles signals.
until_begun() {
    while ! ls .encrypt_file-* >/dev/null 2>&1 && kill -0 "$1" 2>/dev/null; do sleep 0.01; done
}

# A signal leaves no files. Descriptor 3 keeps the pipe open, so that the program waits for input.
exec 3<>pipe
$program encrypt -k key -o out - <pipe 2>log 3>&- &
victim=$!
until_begun $victim
kill -TERM $victim
wait $victim
status=$?
if [ $status = 2 ]; then pass; else fail "after a signal: status $status"; fi
absent out
no_temporaries .

# A signal that is ignored, as by nohup, stays ignored.
(trap '' HUP && exec $program encrypt -k key -o out - <pipe 2>log 3>&-) &
victim=$!
until_begun $victim
kill -HUP $victim
cat key >&3
exec 3>&-
wait $victim
status=$?
if [ $status = 0 ] && [ -e out ]; then pass; else fail "after an ignored signal: status $status"; fi
rm -f out

# The signal of a write beyond the limit of the file size is ignored; the write is an error.
random 1000000 1 >large
(ulimit -f 100 && $program encrypt -k key -o out large >log 2>&1)
status=$?
says "File too large"
if [ $status = 2 ]; then pass; else fail "after too large a file: status $status"; fi
absent out
no_temporaries .
finish
