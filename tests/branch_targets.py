#!/usr/bin/env python3
"""Checks that indirect branches of a shared library, or of a program, only reach endbr64.

SPDX-License-Identifier: BSD-3-Clause

usage: branch_targets.py [-v] FILE...     x86-64 ELF files, as linked

With indirect branch tracking the CPU faults if an indirect call or jump reaches another instruction
than endbr64. A file gives addresses of its code away as exported functions, as relocated pointers
in data, and as operands of lea. Each must be an endbr64, unless it is the base of a jump that has
the prefix notrack.
"""
import re
import subprocess
import sys

JUMP_DISTANCE = 64  # bytes of code between a lea and the jump for which it is
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\t(.*)$")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def code_sections(path):
    """Ranges of addresses that hold code, without the linker's .plt and .init."""
    ranges = []
    for line in output("readelf", "-SW", path):
        match = re.match(r"\s*\[ *\d+\] (\S+)\s+PROGBITS\s+(\w+) \w+ (\w+) .* AX ", line)
        if match and not re.match(r"\.(plt|init|fini)", match[1]):
            begin = int(match[2], 16)
            ranges.append(range(begin, begin + int(match[3], 16)))
    return ranges


def targets(path, code):
    """Addresses in `code` that an indirect branch may get from data or symbols: {address: why}."""
    found = {}

    def add(address, why):
        if any(address in r for r in code):
            found.setdefault(address, why)

    for line in output("readelf", "-rW", path):
        match = re.match(r"\S+\s+\S+ R_X86_64_(RELATIVE|IRELATIV)\w*\s+(\w+)$", line)
        if match:
            add(int(match[2], 16), "a pointer in data")
    for line in output("readelf", "--dyn-syms", "-W", path):
        match = re.match(r"\s*\d+: (\w+)\s+\d+ I?FUNC\s+\w+\s+\w+\s+\d+ (\S+)", line)
        if match:
            add(int(match[1], 16), "exported as " + match[2])
    return found


def check(path, verbose):
    code = code_sections(path)
    reached = targets(path, code)
    starts, taken = set(), {}
    for line in output("objdump", "-dw", "--no-show-raw-insn", path):
        match = INSTRUCTION.match(line)
        if not match:
            continue
        address, text = int(match[1], 16), match[2]
        if text.startswith("endbr64"):
            starts.add(address)
        lea = re.match(r"lea\b.*,%(\w+)\s+# ([0-9a-f]+)", text)
        if lea and any(int(lea[2], 16) in r for r in code):
            taken[lea[1]] = (address, int(lea[2], 16))
            reached.setdefault(int(lea[2], 16), f"taken by the lea at {address:x}")
        jump = re.match(r"notrack jmp \*%(\w+)", text)
        if jump and jump[1] in taken and address - taken[jump[1]][0] < JUMP_DISTANCE:
            reached.pop(taken.pop(jump[1])[1], None)
    bad = {a: why for a, why in reached.items() if a not in starts}
    for address, why in sorted(bad.items()):
        print(f"{path}: {address:x} is {why}, and not endbr64")
    if verbose or not reached:
        print(f"{path}: {len(reached)} targets, {len(starts)} endbr64")
    return 1 if bad or not reached else 0


def main():
    verbose = sys.argv[1:2] == ["-v"]
    paths = sys.argv[1 + verbose:]
    if not paths:
        sys.exit(__doc__.strip())
    return max([check(path, verbose) for path in paths])


if __name__ == "__main__":
    sys.exit(main())
