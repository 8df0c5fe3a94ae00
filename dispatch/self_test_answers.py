#!/usr/bin/env python3
"""Prints self_test_answers.h: what isal_crypto_self_test() expects, from Python's hashlib and
cryptography, and from the definitions of the multi-hashes and the rolling hash.
SPDX-License-Identifier: BSD-3-Clause"""

import hashlib
import os
import re
import struct
import sys

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../crypto/hash"))
from hash_constants import SHA256_INITIAL, SHA256_K

BYTES = 6000
MASK32, MASK64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF
DATA = bytes((131 * i + 7 * (i >> 8) + 3) & 255 for i in range(BYTES))


def rol(x, n, bits):
    return (x << n | x >> bits - n) & (1 << bits) - 1


def sha1_block(h, block):
    """FIPS 180-4, section 6.1.2."""
    w = list(struct.unpack(">16I", block))
    for t in range(16, 80):
        w.append(rol(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1, 32))
    a, b, c, d, e = h
    for t in range(80):
        f, k = [(b & c | ~b & d, 0x5A827999), (b ^ c ^ d, 0x6ED9EBA1),
                (b & c | b & d | c & d, 0x8F1BBCDC), (b ^ c ^ d, 0xCA62C1D6)][t // 20]
        a, b, c, d, e = (rol(a, 5, 32) + f + e + k + w[t]) & MASK32, a, rol(b, 30, 32), c, d
    return [(x + y) & MASK32 for x, y in zip(h, (a, b, c, d, e))]


def sha256_block(h, block):
    """FIPS 180-4, section 6.2.2."""
    w = list(struct.unpack(">16I", block))
    ror = lambda x, n: rol(x, 32 - n, 32)
    for t in range(16, 64):
        s0 = ror(w[t - 15], 7) ^ ror(w[t - 15], 18) ^ w[t - 15] >> 3
        s1 = ror(w[t - 2], 17) ^ ror(w[t - 2], 19) ^ w[t - 2] >> 10
        w.append((w[t - 16] + s0 + w[t - 7] + s1) & MASK32)
    a, b, c, d, e, f, g, hh = h
    for t in range(64):
        t1 = (hh + (ror(e, 6) ^ ror(e, 11) ^ ror(e, 25)) + (e & f ^ ~e & g) +
              SHA256_K[t] + w[t])
        t2 = (ror(a, 2) ^ ror(a, 13) ^ ror(a, 22)) + (a & b ^ a & c ^ b & c)
        a, b, c, d, e, f, g, hh = (t1 + t2) & MASK32, a, b, c, (d + t1) & MASK32, e, f, g
    return [(x + y) & MASK32 for x, y in zip(h, (a, b, c, d, e, f, g, hh))]


def multi_hash(message, block, initial, name):
    """Steps 1 to 4 of isa-l_crypto/mh_sha1.h."""
    zeros = -(len(message) + 9) % 1024
    padded = message + b"\x80" + bytes(zeros) + struct.pack(">Q", 8 * len(message))
    groups = [padded[i:i + 4] for i in range(0, len(padded), 4)]
    states = []
    for s in range(16):
        segment = b"".join(groups[s::16])
        state = initial
        for i in range(0, len(segment), 64):
            state = block(state, segment[i:i + 64])
        states.append(state)
    words = [states[s][w] for w in range(len(initial)) for s in range(16)]
    digest = hashlib.new(name, struct.pack("<%dI" % len(words), *words)).digest()
    return digest


def murmur3(data, seed):
    """MurmurHash3 x64 128, by Austin Appleby; in the public domain."""
    c1, c2 = 0x87C37B91114253D5, 0x4CF5AD432745937F
    h1 = h2 = seed
    mix1 = lambda k: rol(k * c1 & MASK64, 31, 64) * c2 & MASK64
    mix2 = lambda k: rol(k * c2 & MASK64, 33, 64) * c1 & MASK64
    whole = len(data) // 16 * 16
    for i in range(0, whole, 16):
        k1, k2 = struct.unpack_from("<2Q", data, i)
        h1 = ((rol(h1 ^ mix1(k1), 27, 64) + h2) * 5 + 0x52DCE729) & MASK64
        h2 = ((rol(h2 ^ mix2(k2), 31, 64) + h1) * 5 + 0x38495AB5) & MASK64
    k1, k2 = struct.unpack("<2Q", data[whole:].ljust(16, b"\0"))
    h1, h2 = h1 ^ mix1(k1) ^ len(data), h2 ^ mix2(k2) ^ len(data)
    h1 = (h1 + h2) & MASK64
    h2 = (h2 + h1) & MASK64

    def final(k):
        k = (k ^ k >> 33) * 0xFF51AFD7ED558CCD & MASK64
        k = (k ^ k >> 33) * 0xC4CEB9FE1A85EC53 & MASK64
        return k ^ k >> 33
    h1, h2 = final(h1), final(h2)
    h1 = (h1 + h2) & MASK64
    return struct.pack("<2Q", h1, (h2 + h1) & MASK64)


def rolling_matches(data, window, mask):
    """Offsets, as 32-bit words, after which the hash of the last bytes matches."""
    with open(os.path.join(HERE, "../rolling_hash/rolling_table.h")) as header:
        table = [int(word, 16) for word in re.findall(r"X\((0x[0-9a-f]+)", header.read())]
    offsets, h = [], 0
    for i, byte in enumerate(data):
        h = rol(h, 1, 64) ^ table[byte]
        if i >= window:
            h ^= rol(table[data[i - window]], window, 64)
            if h & mask == 0:
                offsets.append(i + 1)
    return struct.pack("<%dI" % len(offsets), *offsets)


def answers():
    key = lambda bits: DATA[:bits // 8]
    key2 = lambda bits: DATA[64:64 + bits // 8]
    iv = DATA[128:144]
    messages = [DATA[i:i + 61 * i] for i in range(33)]
    for name in "md5", "sha1", "sha256", "sha512", "sm3":
        yield name, b"".join(hashlib.new(name, m).digest() for m in messages)
    for bits in 128, 192, 256:
        encryptor = Cipher(algorithms.AES(key(bits)), modes.CBC(iv)).encryptor()
        yield "aes_cbc_%d" % bits, encryptor.update(DATA[:2000])
    for bits in 128, 192, 256:
        encryptor = Cipher(algorithms.AES(key(bits)), modes.CTR(iv)).encryptor()
        yield "aes_ctr_%d" % bits, encryptor.update(DATA[:1999])
    for bits in 128, 256:
        yield "aes_gcm_%d" % bits, AESGCM(key(bits)).encrypt(iv[:12], DATA[:1999], DATA[:37])
    for bits in 128, 256:
        cipher = Cipher(algorithms.AES(key(bits) + key2(bits)), modes.XTS(iv))
        yield "aes_xts_%d" % bits, cipher.encryptor().update(DATA[:1999])
    sha1 = multi_hash(DATA[:5000], sha1_block,
                      [0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0], "sha1")
    yield "mh_sha1", sha1
    yield "mh_sha256", multi_hash(DATA[:5000], sha256_block, SHA256_INITIAL, "sha256")
    yield "mh_sha1_murmur3_x64_128", sha1 + murmur3(DATA[:5000], 42)
    yield "rolling_hash2", rolling_matches(DATA, 32, 31)


def main():
    print("/* ANSWER(algorithm, its known answer): the SHA-256 of what it makes, first 8 bytes.")
    print(" * SPDX-License-Identifier: BSD-3-Clause")
    print(" *")
    print(" * Made by self_test_answers.py. */")
    print()
    for name, output in answers():
        digest = hashlib.sha256(output).digest()[:8]
        print("ANSWER(%s, 0x%s)" % (name, digest.hex()))


if __name__ == "__main__":
    sys.exit(main())
