# Data of many kinds, to judge compression and to train its tables.
# SPDX-License-Identifier: BSD-3-Clause
"""Kinds of data: files of Debian packages, and generators with fixed seeds.

Each kind has two halves that have no file and no random number in common: one to train on, one to
judge by. Where a kind is a single file, they are its two halves."""

import base64
import glob
import gzip
import json
import math
import random
import sqlite3
import struct
import zlib

SIZE = 1 << 20  # bytes of a kind, at most
JUDGE, TRAIN = 0, 1


# ---- Files ----

def read(name):
    opener = gzip.open if name.endswith(".gz") else open
    try:
        with opener(name, "rb") as file:
            return file.read()
    except OSError:
        return b""


def one_file(*patterns):
    """Half of the first file that exists."""
    def make(half):
        for name in (name for pattern in patterns for name in sorted(glob.glob(pattern))):
            data = read(name)
            middle = len(data) // 2
            return (data[middle:] if half == TRAIN else data[:middle])[:SIZE]
        return b""
    return make


def files(*patterns, most=SIZE // 4):
    """Every second file, the first bytes of each."""
    def make(half):
        out, size = [], 0
        names = sorted(name for pattern in patterns for name in glob.glob(pattern))
        for name in names[half::2]:
            out.append(read(name)[:most])
            size += len(out[-1])
            if size >= SIZE:
                break
        return b"".join(out)[:SIZE]
    return make


def catalog(data):
    """The translations in a catalog of messages, without what they translate."""
    if data[:4] != b"\xde\x12\x04\x95":
        return []
    count, _, table = struct.unpack_from("<III", data, 8)
    entries = [struct.unpack_from("<II", data, table + 8 * i) for i in range(1, count)]
    return [data[at:at + length] for length, at in entries]


def language(*names):
    """Messages and manual pages in a language."""
    def make(half):
        out = []
        for name in names:
            for file in sorted(glob.glob(f"/usr/share/locale/{name}/LC_MESSAGES/*.mo"))[half::2]:
                out += catalog(read(file))
            out += map(read, sorted(glob.glob(f"/usr/share/man/{name}/man*/*.gz"))[half::2])
        return b"\n".join(out)[:SIZE]
    return make


# ---- Images and sound ----

def clip(value):
    return min(max(int(value), 0), 255)


def pixels(rng, width=500, height=500):
    """Smooth shades with the noise of a sensor, as rows of red, green and blue."""
    phase, rows = rng.random() * 6, []
    for y in range(height):
        row = bytearray()
        for x in range(width):
            shade = (128 + 60 * math.sin(x / 70 + phase) * math.cos(y / 90) +
                     30 * math.sin((x + y) / 23))
            row += bytes((clip(shade + int(rng.gauss(0, 2))),
                          clip(shade * 0.9 + int(rng.gauss(0, 2))),
                          clip(shade * 0.7 + 20 + int(rng.gauss(0, 2)))))
        rows.append(bytes(row))
    return rows


def photo(rng):
    rows = b"".join(pixels(rng))
    return b"BM" + struct.pack("<IHHIIiiHHIIiiII", 54 + len(rows), 0, 0, 54, 40, 500, 500, 1, 24,
                               0, len(rows), 2835, 2835, 0, 0) + rows


def png(rng):
    """A photo as the data of a PNG file: filtered by Sub, compressed."""
    out = bytearray()
    for row in pixels(rng):
        out += b"\x01" + bytes((row[i] - (row[i - 3] if i > 2 else 0)) & 255
                               for i in range(len(row)))
    return zlib.compress(bytes(out), 6)


def grey(rng):
    """8 bits a pixel, without noise."""
    phase = rng.random()
    return bytes(clip(128 + 100 * math.sin(x / 60 + phase) * math.sin(y / 45 + phase))
                 for y in range(700) for x in range(1000))


def screenshot(rng, width=800, height=320):
    """Windows with lines of glyphs, 32 bits a pixel."""
    image = [[0xffe0e0e0] * width for _ in range(height)]
    glyphs = [[rng.random() < 0.4 for _ in range(48)] for _ in range(40)]
    for _ in range(6):
        left, top = rng.randrange(width - 400), rng.randrange(height - 200)
        for y in range(top, top + 200):
            image[y][left:left + 400] = [0xffffffff] * 400
        for line in range(15):
            for column in range(rng.randrange(60)):
                for i, ink in enumerate(rng.choice(glyphs)):
                    if ink:
                        x, y = left + 5 + 6 * column + i % 6, top + 5 + 12 * line + i // 6
                        image[y][x] = 0xff202020
    return b"".join(struct.pack(f"<{width}I", *row) for row in image)


def scan(rng, width=700, height=700):
    """16 bits a pixel, 12 used: rings with noise."""
    rows, middle = [], width / 2 + rng.randrange(20)
    for y in range(height):
        radii = [math.hypot(x - middle, y - middle) for x in range(width)]
        rows.append(struct.pack(f"<{width}H", *[
            0 if r > 330 else max(0, int(1200 + 700 * math.sin(r / 25) + int(rng.gauss(0, 12))))
            for r in radii]))
    return b"".join(rows)


def sound(rng):
    """16 bits a sample, two channels: tones that decay, and noise."""
    out, tone, level = [], 0.01, 0.0
    for i in range(SIZE // 4):
        if i % 8000 == 0:
            tone, level = rng.uniform(0.01, 0.2), rng.uniform(2000, 15000)
        level *= 0.9998
        value = level * math.sin(i * tone)
        out += (int(value + rng.gauss(0, 20)), int(0.8 * value + rng.gauss(0, 20)))
    return struct.pack(f"<{len(out)}h", *out)


# ---- Records and numbers ----

def word(rng, least=4, most=10):
    return "".join(rng.choice("eeeeaaaiioootttnnnsssrrrlldhcumpgfybwvk")
                   for _ in range(rng.randrange(least, most)))


def records_48(rng):
    """Rows of a table as a program stores them: numbers that grow or repeat."""
    out, clock = [], 1700000000000
    names = [word(rng, 8, 9).encode() for _ in range(500)]
    for i in range(SIZE // 48):
        clock += rng.randrange(2000)
        out.append(struct.pack("<QQ8sIIdHHI", i, clock, rng.choice(names), rng.randrange(64),
                               rng.randrange(1 << 20), round(rng.lognormvariate(3, 1), 2),
                               rng.randrange(8), 0, 0))
    return b"".join(out)


def records_64(rng):
    """Fixed fields of text, padded, big-endian numbers between them."""
    names = [word(rng) for _ in range(2000)]
    return b"".join(struct.pack(">I20s20sHBBQ8s", i, rng.choice(names).encode(),
                                rng.choice(names).title().encode(), rng.randrange(200),
                                rng.randrange(3), rng.randrange(100), rng.randrange(1 << 30),
                                b"\0" * 8)
                    for i in range(SIZE // 64))


def rows_of_text(rng):
    """A dump of a database with fields of fixed width."""
    towns = [word(rng, 5, 12).upper() for _ in range(300)]
    return "".join("%08d%-16s%-14s%010d%c%8.2f%-6s" % (
        10000000 + 7 * i, word(rng), rng.choice(towns), rng.randrange(10 ** 9), rng.choice("MF"),
        rng.lognormvariate(5, 1), rng.choice(("EUR", "USD", "GBP"))) for i in range(SIZE // 63)
                   ).encode()


def database(rng):
    """Pages of SQLite with an index."""
    base = sqlite3.connect(":memory:")
    base.execute("create table people (id integer primary key, name text, town text, born integer,"
                 " score real, note text)")
    towns = [word(rng).title() for _ in range(400)]
    base.executemany("insert into people values (?, ?, ?, ?, ?, ?)", (
        (i, word(rng).title() + " " + word(rng).title(), rng.choice(towns),
         rng.randrange(1930, 2010), rng.gauss(50, 10),
         " ".join(word(rng) for _ in range(rng.randrange(6)))) for i in range(12000)))
    base.execute("create index by_town on people (town, name)")
    return base.serialize()[:SIZE]


def doubles(rng):
    """Numbers in double precision, each close to the one before."""
    value, out = 20.0, []
    for _ in range(SIZE // 8):
        value += rng.gauss(0, 0.01)
        out.append(round(value, 3))
    return struct.pack(f"<{len(out)}d", *out)


def floats(rng):
    """Weights in single precision."""
    return struct.pack(f"<{SIZE // 4}f", *(rng.gauss(0, 0.02) for _ in range(SIZE // 4)))


def integers(rng):
    """Small numbers of 32 bits."""
    return struct.pack(f"<{SIZE // 4}i", *(int(rng.gauss(0, 1) ** 3 * 20)
                                           for _ in range(SIZE // 4)))


def growing(rng):
    """Offsets of 64 bits, as an index has them."""
    at, out = 0, []
    for _ in range(SIZE // 8):
        at += rng.randrange(40, 3000)
        out.append(at)
    return struct.pack(f"<{len(out)}Q", *out)


def table(rng):
    """Numbers as text."""
    rows, value = ["time,x,y,z,temperature,flag"], 20.0
    for i in range(SIZE // 44):
        value += rng.gauss(0, 0.05)
        rows.append("%d.%03d,%.4f,%.4f,%.5f,%.2f,%d" % (
            1700000000 + i, rng.randrange(1000), rng.gauss(0, 1), rng.gauss(0, 10), rng.random(),
            value, rng.random() < 0.1))
    return "\n".join(rows).encode()[:SIZE]


# ---- Text that programs write ----

def access_log(rng):
    paths = [f"/{rng.choice('abcdefgh')}/{rng.randrange(3000)}.html" for _ in range(800)]
    agents = ["Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/128.0",
              "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36", "curl/8.5.0"]
    out, clock = [], 0
    while 120 * len(out) < SIZE:
        clock += rng.randrange(3)
        out.append("10.%d.%d.%d - - [12/Mar/2025:%02d:%02d:%02d +0000] \"GET %s HTTP/1.1\" %d %d "
                   "\"-\" \"%s\"\n" % (rng.randrange(4), rng.randrange(256), rng.randrange(256),
                                       clock // 3600 % 24, clock // 60 % 60, clock % 60,
                                       rng.choice(paths), rng.choice([200] * 9 + [404]),
                                       rng.randrange(60000), rng.choice(agents)))
    return "".join(out).encode()[:SIZE]


def documents(rng):
    """Objects in JSON, one a line."""
    tags = [word(rng) for _ in range(100)]
    return "\n".join(json.dumps({
        "id": f"{rng.getrandbits(64):016x}", "user": word(rng), "age": rng.randrange(18, 90),
        "active": rng.random() < 0.7, "balance": round(rng.lognormvariate(6, 2), 2),
        "tags": rng.sample(tags, rng.randrange(5)),
        "position": {"lat": round(rng.uniform(-90, 90), 6), "lon": round(rng.uniform(-180, 180), 6)}
    }) for _ in range(SIZE // 170)).encode()[:SIZE]


def markup(rng):
    """A catalog in XML."""
    out = ['<?xml version="1.0" encoding="UTF-8"?>\n<catalog>\n']
    for i in range(SIZE // 260):
        out.append(f'  <item id="{100000 + i}" class="{word(rng)}">\n'
                   f'    <name>{word(rng).title()} {word(rng)}</name>\n'
                   f'    <price currency="EUR">{rng.lognormvariate(3, 1):.2f}</price>\n'
                   f'    <text>{" ".join(word(rng, 2) for _ in range(rng.randrange(20)))}</text>\n'
                   f'  </item>\n')
    return "".join(out).encode()[:SIZE]


def statements(rng):
    """A dump in SQL."""
    return "".join("INSERT INTO `orders` VALUES (%d,%d,'%s','2024-%02d-%02d %02d:%02d:%02d',%.2f,"
                   "NULL,'%s');\n" % (i, rng.randrange(5000), word(rng), rng.randrange(1, 13),
                                      rng.randrange(1, 29), rng.randrange(24), rng.randrange(60),
                                      rng.randrange(60), rng.lognormvariate(4, 1),
                                      rng.choice(("open", "paid", "sent", "closed")))
                   for i in range(SIZE // 90)).encode()[:SIZE]


def fastq(rng):
    genome = "".join(rng.choices("ACGT", k=200000))
    out = []
    for i in range(SIZE // 260):
        at = rng.randrange(len(genome) - 100)
        bases = "".join(c if rng.random() > 0.005 else "N" for c in genome[at:at + 100])
        quality = "".join(chr(33 + clip(38 - int(rng.gauss(0, 2)) ** 2 - j / 10))
                          for j in range(100))
        out.append(f"@SIM:1:FC:1:{i // 1000}:{rng.randrange(30000)}:{i} 1:N:0\n{bases}\n+\n"
                   f"{quality}\n")
    return "".join(out).encode()[:SIZE]


def genome(rng):
    """Bases in lines of 70, some of them repeats."""
    bases = rng.choices("AACGTT", k=4000)
    while len(bases) < SIZE:
        if rng.random() < 0.3:
            at, n = rng.randrange(len(bases) - 300), rng.randrange(50, 300)
            bases += bases[at:at + n]
        else:
            bases += rng.choices("AACGTT", k=rng.randrange(100, 600))
    text = "".join(bases)
    return ("\n".join(text[i:i + 70] for i in range(0, len(text), 70))).encode()[:SIZE]


def molecules(rng):
    """Records of chemistry: long repeats, few values between them."""
    out = []
    for i in range(SIZE // 1500):
        atoms = rng.randrange(10, 30)
        out.append(f"{i}\n  molecule\n\n{atoms:3d}{atoms - 1:3d}" + 8 * "  0" + "  1 V2000\n")
        out += [f"{rng.uniform(-5, 5):10.4f}{rng.uniform(-5, 5):10.4f}    0.0000 "
                f"{rng.choice('CCCCNOH')}   0  0  0  0  0  0  0  0  0\n" for _ in range(atoms)]
        out += [f"{a:3d}{a + 1:3d}  {rng.choice('112')}  0  0  0  0\n" for a in range(1, atoms)]
        out.append("M  END\n$$$$\n")
    return "".join(out).encode()[:SIZE]


# ---- The kinds ----

def generated(generate):
    """Halves of a generator: its two seeds."""
    return lambda half: generate(random.Random(f"{generate.__name__} {half}"))


def encoded(make, encode):
    return lambda half: encode(make(half))[:SIZE]


LIBRARIES = "/usr/lib/x86_64-linux-gnu/"
SHELL = one_file("/bin/bash", "/bin/sh")

KINDS = {  # name: the data of a half
    "program: shell": SHELL,                                                        # bash
    "program: C library": one_file(LIBRARIES + "libc.so.6", "/lib*/libc.so.6"),     # libc6
    "program: compiler": one_file("/usr/lib/gcc/*/*/cc1"),                          # cpp
    "programs: small": files("/usr/bin/[b-f]*", most=40000),                        # coreutils
    "library: cryptography": one_file(LIBRARIES + "libcrypto.so.3"),                # libssl3
    "objects: static library": one_file("/usr/lib/*/libc.a"),                       # libc6-dev
    "byte code of Python": files("/usr/lib/python3*/__pycache__/*.pyc"),            # python3
    "image: photo, BMP": generated(photo),
    "image: photo, PNG": generated(png),
    "image: grey, 8 bits": generated(grey),
    "image: screen, 32 bits": generated(screenshot),
    "image: scan, 16 bits": generated(scan),
    "sound, 16 bits": generated(sound),
    "German text": language("de"),
    "Russian text": language("ru", "uk"),
    "Chinese text": language("zh_CN", "zh_TW"),
    "Japanese text": language("ja"),
    "Greek text": language("el"),
    "Arabic text": language("ar", "fa"),
    "Hindi text": language("hi", "mr", "ne"),
    "English text": files("/usr/share/common-licenses/*"),                          # base-files
    "manuals, info": files("/usr/share/info/*.gz"),                                 # automake
    "documentation": files("/usr/share/doc/*/README*", "/usr/share/doc/*/*.txt*",
                           most=60000),
    "manual pages": files("/usr/share/man/man1/*.gz"),                              # manpages
    "C headers": files("/usr/include/*.h", "/usr/include/linux/*.h"),               # libc6-dev
    "Python source": files("/usr/lib/python3*/*.py"),                               # python3
    "Perl source": files("/usr/share/perl/5*/*.pm", "/usr/share/perl/5*/*/*.pm"),   # perl-modules
    "locale source": files("/usr/share/i18n/locales/*_*"),                          # locales
    "XML": generated(markup),
    "JSON": generated(documents),
    "SQL": generated(statements),
    "log of a web server": generated(access_log),
    "package lists": one_file("/var/lib/dpkg/status"),                              # dpkg
    "numbers as text": generated(table),
    "rows of fixed width": generated(rows_of_text),
    "records of 48 bytes": generated(records_48),
    "records of 64 bytes": generated(records_64),
    "database, SQLite": generated(database),
    "numbers, double": generated(doubles),
    "numbers, float": generated(floats),
    "numbers, int32": generated(integers),
    "numbers, growing": generated(growing),
    "reads, FASTQ": generated(fastq),
    "genome": generated(genome),
    "molecules": generated(molecules),
    "base64 of a program": encoded(SHELL, base64.encodebytes),
    "hexadecimal of a program": encoded(SHELL, lambda d: d.hex("\n", 32).encode()),
    "random bytes": generated(lambda rng: rng.randbytes(SIZE // 4)),
}
