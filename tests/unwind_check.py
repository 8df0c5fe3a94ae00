#!/usr/bin/env python3
"""Checks the unwind data of the kernels in DLLs against their machine code.

SPDX-License-Identifier: BSD-3-Clause

usage: unwind_check.py OBJDUMP NM NAMES DLL...

NAMES is a file with the names of the kernels that must be there. Each must have an entry in the
function table of one of the DLLs. The codes of each entry must be what the instructions of the
prologue do: what they push, reserve and save, and where. The stack pointer may change at no other
place before the epilogue, except in kernels whose frames the codes cannot express.
"""
import re
import struct
import subprocess
import sys

REGISTERS = "rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15".split()
PUSH, ALLOC, SET_FRAME, SAVE, SAVE_FAR = 0, 1, 3, 8, 9

# They align rsp and have no register left that could keep the old value: it is in memory.
FRAME_IN_MEMORY = re.compile(r"isalk_(rolling_scan|(sha1|sha256|sha512|sm3)_x1)")


class Dll:
    def __init__(self, path):
        self.data = open(path, "rb").read()
        header = struct.unpack_from("<I", self.data, 60)[0]
        sections, optional = struct.unpack_from("<H12xH", self.data, header + 6)
        self.base = struct.unpack_from("<Q", self.data, header + 24 + 24)[0]
        self.table = struct.unpack_from("<II", self.data, header + 24 + 112 + 3 * 8)
        self.sections = [struct.unpack_from("<8x4I", self.data, header + 24 + optional + 40 * i)
                         for i in range(sections)]

    def at(self, address):
        for size, begin, _, offset in self.sections:
            if begin <= address < begin + size:
                return offset + address - begin
        raise ValueError(f"no section at {address:#x}")

    def functions(self):
        offset = self.at(self.table[0])
        for i in range(self.table[1] // 12):
            yield struct.unpack_from("<3I", self.data, offset + 12 * i)

    def codes(self, info):
        """(size of the prologue, frame register or None, [(end of step, operation, register,
        bytes)], last step first)"""
        at = self.at(info)
        first, prologue, slots, frame = self.data[at:at + 4]
        assert first == 1, f"version and flags {first}"
        at += 4
        end = at + 2 * slots
        codes = []
        while at < end:
            step, code = self.data[at:at + 2]
            operation, register, number = code & 15, code >> 4, 0
            at += 2
            if operation in (ALLOC, SAVE):
                number = struct.unpack_from("<H", self.data, at)[0]
                number *= 8 if operation == ALLOC else 16
                at += 2
            elif operation == SAVE_FAR:
                operation, number = SAVE, struct.unpack_from("<I", self.data, at)[0]
                at += 4
            codes.append((step, operation, register, number))
        return prologue, REGISTERS[frame & 15] if frame & 15 else None, codes


def disassemble(objdump, path):
    """{address: (length, text)}"""
    output = subprocess.run([objdump, "-d", "-Mintel", "--insn-width=15", path], check=True,
                            capture_output=True, text=True).stdout
    found = {}
    for line in output.splitlines():
        match = re.match(r" *([0-9a-f]+):\t((?:[0-9a-f]{2} )+) *\t(.*)", line)
        if match:
            found[int(match[1], 16)] = (len(match[2].split()), match[3].split("#")[0].strip())
    return found


def step_of(text):
    """What an instruction does to the frame: (operation, register, bytes), or None."""
    match = re.match(r"push +(\w+)$", text)
    if match:
        return PUSH, REGISTERS.index(match[1]), 0
    match = re.match(r"sub +rsp,(0x[0-9a-f]+)$", text)
    if match:
        return ALLOC, 0, int(match[1], 16)
    match = re.match(r"movaps +XMMWORD PTR \[rsp(?:\+(0x[0-9a-f]+))?\],xmm(\d+)$", text)
    if match:
        return SAVE, int(match[2]), int(match[1] or "0", 16)
    match = re.match(r"mov +(\w+),rsp$", text)
    if match:
        return SET_FRAME, REGISTERS.index(match[1]), 0
    return None


def check(dll, code, entry, before):
    """The faults of an entry. `before`: steps of the code before a later prologue."""
    begin, end, info = entry
    prologue, frame, codes = dll.codes(info)
    steps, address = list(before), begin
    if frame and not prologue and check.last.split() == ["mov", f"{frame},rsp"]:
        steps.append((0, SET_FRAME, REGISTERS.index(frame), 0))
    has_frame = any(s[1] == SET_FRAME for s in steps)
    later_changes = []
    while address < end:
        length, text = code[dll.base + address]
        address += length
        step = step_of(text)
        inside = address - begin <= prologue
        if step and inside and (step[0] != SET_FRAME or REGISTERS[step[1]] == frame):
            steps.append((address - begin,) + step)
            has_frame |= step[0] == SET_FRAME
        elif re.match(r"ret|pop", text):
            if inside:
                yield f"{text} in the prologue"
        elif inside and text.startswith("j"):
            target = re.match(r"j\w+ +(?:0x)?([0-9a-f]+)", text)
            if target and not begin <= int(target[1], 16) - dll.base <= begin + prologue:
                yield f"{text} leaves the prologue"
        elif re.match(r"(sub|and|lea|mov) +rsp,", text) or text.startswith("push"):
            later_changes.append(text)
    # Where the steps leave things, from the rsp after the prologue.
    expected, below = [], 0
    total = sum(8 if s[1] == PUSH else s[3] for s in steps if s[1] in (PUSH, ALLOC))
    for offset, operation, register, number in steps:
        if operation in (PUSH, ALLOC):
            below += 8 if operation == PUSH else number
        elif operation == SAVE:
            number += total - below
        expected.append((offset, operation, 0 if operation == SET_FRAME else register, number))
    if codes != expected[::-1]:
        yield f"codes {codes} but steps {expected[::-1]}"
    if prologue != codes[0][0]:
        yield f"{prologue} bytes of prologue, whose last step ends at {codes[0][0]}"
    if (frame is not None) != has_frame:
        yield f"frame register {frame}"
    if later_changes and not frame:
        yield "rsp changes after the prologue: " + later_changes[0]
    check.last = text
    check.steps = [(0,) + s[1:] for s in steps
                   if not (s[1] == SET_FRAME and re.match("mov +rsp,", text))]


def main():
    objdump, nm, names, *paths = sys.argv[1:]
    wanted = set(open(names, encoding="ascii").read().split())
    passed, failed, in_memory = 0, 0, 0
    for path in paths:
        dll, code = Dll(path), disassemble(objdump, path)
        symbols = {}
        for line in subprocess.run([nm, path], check=True, capture_output=True,
                                   text=True).stdout.splitlines():
            fields = line.split()
            if fields[1] in "tT":
                address = int(fields[0], 16) - dll.base
                if symbols.get(address) not in wanted:
                    symbols[address] = fields[2]
        before, previous = [], None
        for entry in sorted(dll.functions()):
            name = symbols.get(entry[0])
            if name in wanted:
                wanted.discard(name)
                before = []
            elif previous and previous[1] == entry[0] and name is None or \
                    (name or "").startswith("..@"):
                name = f"the end of {symbols.get(previous[0])}"
                before = check.steps
            else:
                previous = None
                continue
            faults = list(check(dll, code, entry, before))
            previous = entry
            if faults and FRAME_IN_MEMORY.match(name) and \
                    all(f.startswith("rsp changes") for f in faults):
                in_memory += 1
                faults = []
            for fault in faults:
                print(f"FAIL: {name}: {fault}")
            failed += bool(faults)
            passed += not faults
    for name in sorted(wanted):
        print(f"FAIL: {name} has no unwind data")
        failed += 1
    print(f"{passed} entries agree with the code, {in_memory} of them without what follows the "
          "prologue")
    return failed != 0


sys.exit(main())
