#!/usr/bin/env python3
"""Converts the test vectors of the package cryptography-vectors to the form of tests/vectors.

SPDX-License-Identifier: BSD-3-Clause

usage: cavp.py PACKAGE FOLDER

PACKAGE is the unpacked folder cryptography_vectors, with the files of NIST's CAVP and of RFCs.
Writes aes_cbc.rsp and so on to FOLDER, which tests/rsp.h reads. Of a Monte Carlo chain, which
takes 1000 digests for each step, three are kept. XTS with fractions of a byte is left out.
"""
import glob
import os
import re
import sys

MONTE_CARLO = (0, 9, 99)


def records(path):
    """The records of a file: dictionaries with names in upper case."""
    record = {}
    with open(path, encoding="ascii") as file:
        for line in [*file, ""]:
            line = line.strip()
            if line == "FAIL":
                record["RESULT"] = "invalid"
            elif "=" in line and not line.startswith(("#", "[")):
                name, value = line.split("=", 1)
                record[name.strip().upper()] = value.strip()
            elif not line and record:
                yield record
                record = {}


def block_cipher(r):
    return {"KEY": r["KEY"], "IV": r["IV"], "PT": r["PLAINTEXT"], "CT": r["CIPHERTEXT"]}


def gcm(r):
    """A record of decryption that fails has no text."""
    kept = {name: r[name] for name in ("KEY", "IV", "AAD", "CT", "TAG")}
    return kept | ({"RESULT": "invalid"} if "RESULT" in r else {"PT": r["PT"]})


def xts(r):
    if int(r["DATAUNITLEN"]) % 8:
        return None
    tweak = r.get("I") or int(r["DATAUNITSEQNUMBER"]).to_bytes(16, "little").hex()
    return {"KEY": r["KEY"], "TWEAK": tweak, "PT": r["PT"], "CT": r["CT"]}


def message(r):
    """Of an empty message the files show one byte."""
    return r["MSG"] if r["LEN"] != "0" else ""


def hashes(name, path):
    seed = None
    for r in records(path):
        if "SEED" in r:
            seed = r["SEED"]
        elif "MSG" in r:
            yield {"HASH": name, "MSG": message(r), "MD": r["MD"]}
        elif seed and int(r["COUNT"]) in MONTE_CARLO:
            yield {"HASH": name, "SEED": seed, "ROUNDS": str(int(r["COUNT"]) + 1), "MD": r["MD"]}


def all_hashes(folder, names):
    for name, pattern in names:
        for path in sorted(glob.glob(f"{folder}/hashes/{pattern}")):
            yield from hashes(name, path)


def hmacs(folder):
    for path in sorted(glob.glob(f"{folder}/HMAC/rfc-*.txt")):
        name = re.search(r"(md5|sha\d+)\.txt", path)
        for r in records(path) if name else ():
            yield {"HASH": name[1], "KEY": r["KEY"], "MSG": message(r), "MD": r["MD"]}


def ciphers(folder, pattern, convert):
    for path in sorted(glob.glob(f"{folder}/ciphers/AES/{pattern}")):
        yield from filter(None, map(convert, records(path)))


def main():
    package, folder = sys.argv[1:]
    md = [("md5", "MD5/rfc-1321.txt"), ("sm3", "SM3/oscca.txt"), ("sha1", "SHA1/SHA1*.rsp")]
    sha2 = {n: (f"sha{n}", f"SHA2/SHA{n}[LSM]*.rsp") for n in (224, 256, 384, 512)}
    files = {
        "aes_cbc": ciphers(package, "CBC/*.rsp", block_cipher),
        "aes_ctr": ciphers(package, "CTR/*.txt", block_cipher),
        "aes_gcm": ciphers(package, "GCM/gcm*[25][68].rsp", gcm),
        "aes_xts": ciphers(package, "XTS/*/XTSGenAES*.rsp", xts),
        "hash": all_hashes(package, [*md, sha2[256], sha2[512]]),
        "hash_truncated": all_hashes(package, [sha2[224], sha2[384]]),
        "hmac": hmacs(package),
    }
    for name, found in files.items():
        count = 0
        with open(os.path.join(folder, name + ".rsp"), "w", encoding="ascii") as file:
            for record in found:
                count += 1
                file.writelines(f"{key} = {value}\n" for key, value in record.items())
                file.write("\n")
        print(f"{name}: {count} vectors")
        if not count:
            sys.exit(f"cavp.py: no vectors of {name}")


if __name__ == "__main__":
    main()
