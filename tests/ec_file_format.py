"""Reads, checks and forges shards of ec_file by the description of their format alone."""
# SPDX-License-Identifier: BSD-3-Clause
# ec_file_format.py check DIR FILE; ec_file_format.py forgeries PROGRAM DIR OFFSET (0: all)

import os
import struct
import subprocess
import sys

TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    TABLE.append(byte)


def crc32c(data, crc=0):
    crc ^= 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


def read(folder, index):
    with open("%s/shard-%03d.ec" % (folder, index), "rb") as f:
        return bytearray(f.read())


def check(folder, original):
    assert crc32c(b"123456789") == 0xE3069283
    wanted = open(original, "rb").read()
    first = read(folder, 0)
    k, m = struct.unpack_from("<HH", first, 12)
    data = [b""] * k
    for index in range(k + m):
        shard = read(folder, index)
        magic, version, k, m, i, name_size, chunk, size, ident = struct.unpack_from(
            "<8sIHHHHIQ16s", shard)
        assert (magic, version, i) == (b"\x89ECF\r\n\x1a\n", 1, index)
        assert shard[48 : 48 + name_size] == os.path.basename(original).encode()
        assert ident == first[32:48] and size == len(wanted)
        assert struct.unpack_from("<I", shard, 508)[0] == crc32c(shard[:508])
        pos, stripe, left, chunks = 512, 0, size, []
        while left:
            n = min(chunk, -(-left // k))
            record = shard[pos : pos + n + 4]
            place = ident + struct.pack("<IQ", index, stripe)
            assert struct.unpack_from("<I", record, n)[0] == crc32c(place + record[:n])
            chunks.append(bytes(record[:n]))
            pos, stripe, left = pos + n + 4, stripe + 1, max(0, left - n * k)
        assert pos == len(shard)
        if index < k:
            data[index] = chunks
    joined = b"".join(b"".join(row) for row in zip(*data))
    assert joined[:size] == wanted and not joined[size:].strip(b"\0")


FORGERIES = [  # offset, struct format and value, once or twice
    (8, "<I", 2), (8, "<I", 0),
    (12, "<H", 0), (12, "<H", 2), (12, "<H", 254), (12, "<H", 65535),
    (14, "<H", 0), (14, "<H", 253), (14, "<H", 65535),
    (16, "<H", 3), (16, "<H", 5), (16, "<H", 65535),
    (18, "<H", 256), (18, "<H", 65535),
    (18, "<H", 65535, 48, "460s", b"a" * 460), (18, "<H", 256, 48, "460s", b"a" * 460),
    (20, "<I", 0), (20, "<I", 1), (20, "<I", 64), (20, "<I", 65),
    (20, "<I", 0xFFFFFFC0), (20, "<I", 0x3333300),
    (24, "<Q", 0), (24, "<Q", 1), (24, "<Q", 2**62), (24, "<Q", 2**62 + 1),
    (24, "<Q", 2**63 - 1), (24, "<Q", 2**64 - 1),
    (32, "<Q", 7),
    (48, "9s", b"../../../"),
]


def forge(path, *changes):
    with open(path, "r+b") as f:
        header = bytearray(f.read(512))
        for i in range(0, len(changes), 3):
            struct.pack_into(changes[i + 1], header, changes[i], changes[i + 2])
        struct.pack_into("<I", header, 508, crc32c(header[:508]))
        f.seek(0)
        f.write(header)


def run(program, *args):
    return subprocess.run(program.split() + list(args), capture_output=True, timeout=100).returncode


def forgeries(program, good, only):
    def run(*args):
        return subprocess.run(program.split() + list(args), capture_output=True,
                              timeout=100).returncode

    wrong = []
    names = sorted(os.listdir(good))
    for forgery in [f for f in FORGERIES if f[0] == int(only) or only == "0"]:
        for count in 1, len(names):
            subprocess.run(["rm", "-rf", "forged", "forged_back"], check=True)
            subprocess.run(["cp", "-r", good, "forged"], check=True)
            for name in names[:count]:
                forge("forged/" + name, *forgery)
            got = [run("verify", "forged")]
            if count == 1:  # a stranger or a damaged header: the other shards suffice
                got.append(run("repair", "forged", "--force"))
                got.append(subprocess.run(["diff", "-r", good, "forged"],
                                          capture_output=True).returncode)
                fits = got == [1, 0, 0]
            else:
                got.append(run("decode", "forged", "-o", "forged_back"))
                if forgery[0] in (18, 32, 48):
                    fits = min(got) >= 0 and max(got) <= 1  # another name is no damage
                else:
                    fits = got == [1, 1] or forgery == (24, "<Q", 0)
            if not fits:
                wrong.append((forgery, count, got))
    assert not wrong, wrong


if __name__ == "__main__":
    {"check": check, "forgeries": forgeries}[sys.argv[1]](*sys.argv[2:])
