#!/usr/bin/env python3
"""Prints isal_self_test_answers.h: what isal_self_test() expects, from the definitions of the
algorithms and from Python's zlib.
SPDX-License-Identifier: BSD-3-Clause"""

import struct
import sys
import zlib

BYTES, SOURCES, ROWS, SHARD, INIT = 5000, 5, 4, 992, 0x1234
DATA = bytes((131 * i + 7 * (i >> 8) + 3) & 255 for i in range(BYTES))
SHARDS = [DATA[i * SHARD:(i + 1) * SHARD] for i in range(SOURCES)]


def times(a, b):
    """Product in GF(2^8) modulo 0x11d."""
    product = 0
    while b:
        product ^= a * (b & 1)
        a = a << 1 ^ (0x11D if a & 128 else 0)
        b >>= 1
    return product


def inverse(a):
    return next(b for b in range(256) if times(a, b) == 1)


def combination(coefficients, n):
    """Sum of coefficient times shard, over the first n bytes."""
    total = bytearray(n)
    for c, shard in zip(coefficients, SHARDS):
        table = [times(c, x) for x in range(256)]
        total = bytearray(t ^ table[x] for t, x in zip(total, shard))
    return bytes(total)


def crc(width, polynomial, reflected, complemented):
    """CRC of the data, bit by bit."""
    ones = (1 << width) - 1
    register = INIT ^ (ones if complemented else 0)
    if reflected:
        polynomial = int(format(polynomial, "0%db" % width)[::-1], 2)
    for byte in DATA:
        register ^= byte if reflected else byte << width - 8
        for _ in range(8):
            if reflected:
                register = register >> 1 ^ (polynomial if register & 1 else 0)
            else:
                register = register << 1 ^ (polynomial if register >> width - 1 else 0)
                register &= ones
    return struct.pack("<Q", register ^ (ones if complemented else 0))


def answers():
    coefficients = [[inverse(r ^ j) for j in range(SOURCES)]
                    for r in range(SOURCES, SOURCES + ROWS)]
    rows = [combination(c, SHARD - 1) + b"\0" for c in coefficients]
    table = [times(coefficients[0][0], x) for x in range(256)]
    yield "erasure_code", b"".join(rows) + bytes(table[x] for x in SHARDS[0])
    yield "raid_xor", combination([1] * SOURCES, SHARD - 1)
    yield "raid_pq", combination([1] * SOURCES, SHARD) + combination([1, 2, 4, 8, 16], SHARD)
    yield "crc16_t10dif", crc(16, 0x8BB7, False, False)
    yield "crc32_ieee", crc(32, 0x04C11DB7, False, True)
    yield "crc32_gzip_refl", crc(32, 0x04C11DB7, True, True)
    yield "crc32_iscsi", crc(32, 0x1EDC6F41, True, False)
    for name, polynomial in (("ecma", 0x42F0E1EBA9EA3693), ("iso", 0x1B),
                             ("jones", 0xAD93D23594C935A9), ("rocksoft", 0xAD93D23594C93659)):
        yield "crc64_%s_norm" % name, crc(64, polynomial, False, True)
        yield "crc64_%s_refl" % name, crc(64, polynomial, True, True)
    yield "adler32", struct.pack("<Q", zlib.adler32(DATA))
    # These compare within the test.
    yield "zero_detect", b""
    yield "deflate", b""


def main():
    print("/* ANSWER(algorithm, its known answer): the 64-bit FNV-1a hash of what it makes.")
    print(" * SPDX-License-Identifier: BSD-3-Clause")
    print(" *")
    print(" * Made by isal_self_test_answers.py. */")
    print()
    for name, output in answers():
        digest = 0xCBF29CE484222325
        for byte in output:
            digest = (digest ^ byte) * 0x100000001B3 & (1 << 64) - 1
        print("ANSWER(%s, 0x%016x)" % (name, digest))


if __name__ == "__main__":
    sys.exit(main())
