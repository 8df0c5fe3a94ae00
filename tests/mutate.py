#!/usr/bin/env python3
"""Changes the machine code of a kernel, one instruction at a time, and runs the kernel check on it.

SPDX-License-Identifier: BSD-3-Clause

usage: mutate.py [-v] [-j JOBS] KERNEL [VARIANT...]      in a build directory

A change that the check does not report is printed: either the check has a gap, or the change makes
no difference to results, such as another way to the same loop. Each instruction is deleted; then
each of its parts is changed in turn: opcode, condition, registers, displacement, immediate. The
changes are made in copies of tests/kernel_check. The exit status is 1 if a change is not reported.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

PROGRAM = "tests/kernel_check"
SECONDS = 30  # of few cases; then a change counts as reported: a loop does not end
SECONDS_OF_ALL = 600
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\t([0-9a-f ]+?)\s*\t(.*)$")
NOT_RESULTS = "endbr64|nop|data16|ret"  # instructions whose deletion is no test of the check
PREFIXES = {0x66, 0xf2, 0xf3, 0x3e, 0xf0, 0x2e}
HALVES = {0xdc: 0xdd, 0xdd: 0xdc, 0xde: 0xdf, 0xdf: 0xde,  # aesenc, aesdec: middle and last rounds
          0xef: 0xeb}  # pxor, por
GENERAL = {0x01: 0x29, 0x29: 0x01, 0x03: 0x2b, 0x2b: 0x03, 0x31: 0x09}  # add and sub; xor and or
NEARBY = {0x2: 0x6, 0x3: 0x7, 0x6: 0x2, 0x7: 0x3,  # b and be, ae and a; l and le, ge and g
          0xc: 0xe, 0xe: 0xc, 0xd: 0xf, 0xf: 0xd}


def changed(code, at, value):
    return code[:at] + bytes([value & 0xff]) + code[at + 1:]


def layout(code):
    """Offsets of the byte with vvvv (or None) and of the opcode; opcode map; whether it is EVEX."""
    at = 0
    while code[at] in PREFIXES:
        at += 1
    if code[at] == 0x62:
        return at + 2, at + 4, code[at + 1] & 7, True
    if code[at] == 0xc4:
        return at + 2, at + 3, code[at + 1] & 31, False
    if code[at] == 0xc5:
        return at + 1, at + 2, 1, False
    if code[at] & 0xf0 == 0x40:
        at += 1
    if code[at] != 0x0f:
        return None, at, 0, False
    if code[at + 1] in (0x38, 0x3a):
        return None, at + 2, 2 if code[at + 1] == 0x38 else 3, False
    return None, at + 1, 1, False


def condition(code, opcode, kind):
    """Changes of a conditional jump."""
    cc = code[opcode] & 15
    yield "opposite condition", changed(code, opcode, code[opcode] ^ 1)
    if cc in NEARBY:
        yield "nearby condition", changed(code, opcode, code[opcode] & 0xf0 | NEARBY[cc])


def changes(code, text):
    """The changes of an instruction: pairs of what changed and the code."""
    if not re.match(NOT_RESULTS, text):
        yield "deleted", b"\x90" * len(code)
    vvvv, opcode, kind, evex = layout(code)
    byte = code[opcode]
    if (kind == 0 and byte & 0xf0 == 0x70) or (kind == 1 and vvvv is None and byte & 0xf0 == 0x80):
        yield from condition(code, opcode, kind)
        return
    if kind == 0 and byte in (0xe8, 0xe9, 0xeb, 0xc3) or re.match(NOT_RESULTS + "|vzero", text):
        return
    if kind == 1 and vvvv is None and byte & 0xf8 == 0xc8:  # bswap: the opcode has the register
        yield "first register", changed(code, opcode, byte ^ 1)
        return
    swap = (GENERAL if kind == 0 else HALVES).get(byte)
    if swap is not None:
        yield "opcode", changed(code, opcode, swap)
    modrm = opcode + 1
    mode, low = code[modrm] >> 6, code[modrm] & 7
    group = kind == 0 and byte in (0x80, 0x81, 0x83, 0xc1, 0xd1, 0xf7)
    if group and byte != 0xf7:
        yield "operation", changed(code, modrm, code[modrm] ^ (0x28 if byte != 0xc1 else 0x08))
    elif not group:
        yield "first register", changed(code, modrm, code[modrm] ^ 0x08)
    if mode == 3:
        yield "second register", changed(code, modrm, code[modrm] ^ 0x01)
    if vvvv is not None and "," in text and text.count("%") > 2:
        yield "middle register", changed(code, vvvv, code[vvvv] ^ 0x08)
    end = modrm + 1
    if mode != 3:
        if low == 4:
            yield "index or base", changed(code, end, code[end] ^ 0x01)
            end += 1
        if mode == 1:
            yield "displacement", changed(code, end, code[end] + (1 if evex else 8))
        elif mode == 2:
            yield "displacement", changed(code, end, code[end] ^ 8)
            yield "displacement, line", changed(code, end, code[end] ^ 64)
        end += (0, 1, 4)[mode]
    if end < len(code):  # an immediate; one that selects a block has no more bits than it needs
        block = re.match(r"v(insert|extract)[if](128|32x4)", text)
        for bit in (1,) if block and block[2] == "128" else (1, 2) if block else (1, 2, 16, 32):
            yield f"immediate ^ {bit}", changed(code, end, code[end] ^ bit)


def instructions(symbol):
    """The instructions of a kernel: address, code, text."""
    listing = subprocess.run(["objdump", "-d", f"--disassemble={symbol}", PROGRAM],
                             check=True, capture_output=True, text=True).stdout
    found = []
    for line in listing.splitlines():
        match = INSTRUCTION.match(line)
        if match:
            found.append((int(match[1], 16), bytes.fromhex(match[2]), match[3].strip()))
        elif re.match(r"^\s*[0-9a-f]+:\t[0-9a-f ]+$", line) and found:  # the rest of a long one
            found[-1] = (found[-1][0], found[-1][1] + bytes.fromhex(line.split("\t")[1]),
                         found[-1][2])
    return found


def file_offset():
    """The difference of addresses of code and offsets in the file."""
    sections = subprocess.run(["readelf", "-SW", PROGRAM], check=True, capture_output=True,
                              text=True).stdout
    match = re.search(r" \.text +PROGBITS +(\w+) (\w+)", sections)
    return int(match[1], 16) - int(match[2], 16)


class Mutants:
    """Copies of the program, one for each job."""

    def __init__(self, folder, arguments):
        with open(PROGRAM, "rb") as file:
            self.original = file.read()
        self.arguments, self.folder, self.base = arguments, folder, file_offset()

    def reported(self, address, code):
        """Whether the kernel check fails with this code: first few cases, then all."""
        image = bytearray(self.original)
        image[address - self.base:address - self.base + len(code)] = code
        handle, path = tempfile.mkstemp(dir=self.folder)
        with os.fdopen(handle, "wb") as file:
            file.write(image)
        os.chmod(path, 0o700)
        try:
            return (self.fails(SECONDS, path, "--quick", *self.arguments) or
                    self.fails(SECONDS_OF_ALL, path, *self.arguments))
        finally:
            os.remove(path)

    @staticmethod
    def fails(seconds, *command):
        """Whether the command fails; ends it after its first failure."""
        with subprocess.Popen(["timeout", str(seconds), *command], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, errors="replace") as check:
            if any(line.startswith("FAIL") for line in check.stdout):
                check.terminate()
                return True
            return check.wait() != 0


def variants_of(kernel):
    listing = subprocess.run([PROGRAM, "--list"], check=True, capture_output=True, text=True).stdout
    for line in listing.splitlines():
        fields = line.split(None, 2)
        if fields[1] == kernel:
            return [v for v in fields[2].split() if "(" not in v and v not in ("base", "this")]
    sys.exit(f"mutate.py: no kernel {kernel}; see {PROGRAM} --list")


def mutate(kernel, variant, jobs, verbose):
    """Tries every change; returns the number of those not reported."""
    with tempfile.TemporaryDirectory() as folder:
        mutants = Mutants(folder, ["--kernel", kernel, "--variant", variant])
        tried = [(address, what, code, text)
                 for address, original, text in instructions(f"isalk_{kernel}_{variant}")
                 for what, code in changes(original, text)]
        if not tried or mutants.reported(tried[0][0], b""):
            sys.exit(f"mutate.py: {kernel} {variant}: no assembly, or the check fails unchanged")
        missed = 0
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            results = pool.map(lambda m: mutants.reported(m[0], m[2]), tried)
            for (address, what, _, text), reported in zip(tried, results):
                missed += not reported
                if verbose or not reported:
                    print(f"{'' if reported else 'not '}reported: {address:x} {text}: {what}",
                          flush=True)
    print(f"{kernel} {variant}: {len(tried)} changes, {missed} not reported", flush=True)
    return missed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-v", action="store_true", help="print every change")
    parser.add_argument("-j", type=int, default=1, help="number of changes to try at a time")
    parser.add_argument("kernel")
    parser.add_argument("variant", nargs="*")
    options = parser.parse_args()
    missed = sum(mutate(options.kernel, variant, options.j, options.v)
                 for variant in options.variant or variants_of(options.kernel))
    sys.exit(missed != 0)


if __name__ == "__main__":
    main()
