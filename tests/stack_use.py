#!/usr/bin/env python3
"""Computes the stack that the public functions of a library need, from its machine code.

SPDX-License-Identifier: BSD-3-Clause

usage: stack_use.py print LIBRARY...             x86-64 shared libraries with symbols, as linked
       stack_use.py update DOCUMENT LIBRARY...   writes the table of the document
       stack_use.py check DOCUMENT LIBRARY...    compares the document with the libraries

Finds for each exported function the most bytes below the caller's stack pointer, return address
included, over all paths and all variants of the kernels. Branches and direct calls are followed.
An indirect call is assumed to reach every function in the tables that its function and its callers
refer to; a kernel slot stands for the rows of its table.
CALLBACKS call functions of the program, whose stack comes on top. The table of a document has a
twentieth more, rounded up, for other versions of the compiler.
"""
import bisect
import re
import subprocess
import sys

LIBC = 128  # bytes for a call of memcpy() or memset(); glibc's need less
CALLBACKS = {"isal_chunker_split"}
RECURSION = {"columns_independent": 128}  # most calls in progress: the order of a minor
ROUNDING = 64

LINE = re.compile(r"^\s*([0-9a-f]+):\s+(?:(?:notrack|bnd|rep|repz|lock|data16|cs) )*(\S+)\s*(.*)$")
TARGET = re.compile(r"^([0-9a-f]+) <")
REFERENCE = re.compile(r"# ([0-9a-f]+) <")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def number(text):
    value = int(text, 0)
    return value - (1 << 64) if value >= 1 << 63 else value


class Library:
    def __init__(self, path):
        self.functions, self.names, self.exported, objects = {}, {}, set(), []
        for line in output("readelf", "-sW", path):
            field = line.split()
            if len(field) < 8 or not re.fullmatch("[0-9a-f]{16}", field[1]) or field[6] == "UND":
                continue
            address, name = int(field[1], 16), field[7]
            if field[3] == "FUNC":
                self.functions.setdefault(address, name.split("@")[0])
                self.names[name.split("@")[0]] = address
                if "@" in name:
                    self.exported.add(name.split("@")[0])
            elif field[3] == "OBJECT":
                objects.append((address, int(field[2], 0), name))
        self.objects = sorted(objects)
        self.tables = {name: (address, size) for address, size, name in objects}
        self.pointers = []  # (place, target) of relocated pointers to functions and objects
        data = {address for address, _, _ in objects}
        for line in output("readelf", "-rW", path):
            match = re.match(r"([0-9a-f]+) +\S+ R_X86_64_(?:RELATIVE +|64 .* )([0-9a-f]+)", line)
            if match and (int(match[2], 16) in self.functions or int(match[2], 16) in data):
                self.pointers.append((int(match[1], 16), int(match[2], 16)))
        self.pointers.sort()
        self.disassemble(path)
        self.needed, self.active, self.unresolved = {}, set(), set()

    def disassemble(self, path):
        """Instructions of each function: {function: [(address, mnemonic, operands)]}."""
        self.code, self.callers, starts = {}, {}, sorted(self.functions)
        for line in output("objdump", "-dw", "--no-show-raw-insn", path):
            match = LINE.match(line)
            if match:
                address = int(match[1], 16)
                at = bisect.bisect_right(starts, address) - 1
                if at < 0:
                    continue
                self.code.setdefault(starts[at], []).append((address, match[2], match[3]))
                target = TARGET.match(match[3])
                if target and int(target[1], 16) in self.functions:
                    self.callers.setdefault(int(target[1], 16), set()).add(starts[at])

    def pointed(self, address, seen):
        """Functions that the object at the address has pointers to, also through others."""
        at = bisect.bisect_right(self.objects, (address, 1 << 62, "")) - 1
        if at < 0 or address >= self.objects[at][0] + max(self.objects[at][1], 1):
            return set()
        begin, size, table = self.objects[at]
        if begin in seen:
            return set()
        seen.add(begin)
        if table.endswith("_slot"):
            begin, size = self.tables[table[len("isalk_"):-len("_slot")] + "_variants"]
        first = bisect.bisect_left(self.pointers, (begin, 0))
        last = bisect.bisect_left(self.pointers, (begin + size, 0))
        targets = {target for _, target in self.pointers[first:last]}
        found = targets & set(self.functions)
        for target in targets - found:
            found |= self.pointed(target, seen)
        return found

    def referred(self, function):
        """Functions to which this function takes pointers, itself or from tables."""
        found = set()
        for _, mnemonic, operands in self.code.get(function, []):
            match = REFERENCE.search(operands)
            if match and int(match[1], 16) in self.functions and mnemonic == "lea":
                found.add(int(match[1], 16))
            elif match:
                found |= self.pointed(int(match[1], 16), set())
        return found

    def candidates(self, function):
        """Functions that indirect calls of this function reach."""
        if any("@GLIBC" in operands for _, _, operands in self.code[function]):
            return self.referred(function)  # memset() through a volatile pointer
        callers = self.callers.get(function, set()) - {function}
        found, seen = self.referred(function), {function}
        for caller in callers:
            found |= self.referred(caller)
        while callers and not found:
            for caller in callers:
                found |= self.referred(caller)
            seen |= callers
            callers = {a for c in callers for a in self.callers.get(c, ())} - seen
        return found

    def need(self, function):
        """Bytes of stack that a call of the function takes, without its return address."""
        name = self.functions[function]
        if function in self.active:
            if name not in RECURSION:
                raise SystemExit(f"{name} calls itself, perhaps through other functions")
            return 0
        if function not in self.needed:
            self.active.add(function)
            self.needed[function] = self.walk(function) * RECURSION.get(name, 1)
            self.active.remove(function)
        return self.needed[function]

    def call(self, target):
        if "@plt" in target or not TARGET.match(target):
            return LIBC
        address = int(TARGET.match(target)[1], 16)
        return self.need(address) if address in self.code else LIBC

    def indirect(self, function):
        if self.functions[function] in CALLBACKS:
            return 0
        found = self.candidates(function) - {function}
        libc = any("@GLIBC" in operands for _, _, operands in self.code[function])
        if not found and not libc:
            self.unresolved.add(self.functions[function])
        return max([self.need(f) for f in found], default=LIBC)

    def walk(self, function):
        code = self.code.get(function, [])
        index = {instruction[0]: i for i, instruction in enumerate(code)}
        depth_at, most, switch = {}, 0, 0
        todo = [(0, 0, {})]
        while todo or len(depth_at) < len(code):
            if not todo:  # the cases of a switch, whose jump is indirect
                todo.append((min(set(range(len(code))) - set(depth_at)), switch, {}))
            i, depth, frames = todo.pop()
            while i < len(code) and i not in depth_at:
                _, mnemonic, operands = code[i]
                depth_at[i] = depth
                depth = self.step(mnemonic, operands, depth, frames)
                most = max(most, depth, depth - self.red_zone(operands))
                target = TARGET.match(operands)
                to = index.get(int(target[1], 16)) if target else None
                if mnemonic.startswith("call"):
                    most = max(most, depth + 8 + (self.indirect(function) if "*" in operands
                                                  else self.call(operands)))
                elif mnemonic.startswith("j"):
                    if to is not None:
                        todo.append((to, depth, dict(frames)))
                    elif target:
                        most = max(most, depth + self.call(operands))
                    elif "*" in operands:
                        switch = max(switch, depth)
                        if not self.is_switch(code, i):
                            most = max(most, depth + self.indirect(function))
                    if mnemonic == "jmp":
                        break
                elif mnemonic in ("ret", "ud2", "hlt"):
                    break
                i += 1
        return most

    @staticmethod
    def is_switch(code, i):
        """Whether an indirect jump stays in its function: a table in .rodata, or notrack."""
        return any(m in ("movslq", "movsxd") for _, m, _ in code[max(0, i - 6):i])

    @staticmethod
    def red_zone(operands):
        return min([number(x) for x in re.findall(r"(-0x[0-9a-f]+)\(%rsp\)", operands)], default=0)

    @staticmethod
    def step(mnemonic, operands, depth, frames):
        """The depth after an instruction; frames: {register: depth that it keeps}."""
        if re.fullmatch("push[qf]*", mnemonic):
            return depth + 8
        if re.fullmatch("pop[qf]*", mnemonic):
            return depth - 8
        if mnemonic == "leave":
            return frames.get("%rbp", depth) - 8
        match = re.fullmatch(r"%rsp,(%r\w+)", operands)
        if mnemonic == "mov" and match:
            frames[match[1]] = depth
            return depth
        match = re.fullmatch(r"(-?0x[0-9a-f]+)\(%rsp\),(%r\w+)", operands)
        if mnemonic == "lea" and match and match[2] != "%rsp":
            frames[match[2]] = depth - number(match[1])
            return depth
        if not operands.endswith(",%rsp"):
            return depth
        source = operands[:-len(",%rsp")]
        if mnemonic in ("sub", "add") and source.startswith("$"):
            value = number(source[1:])
            return depth + value if mnemonic == "sub" else depth - value
        if mnemonic == "and":
            return depth - number(source[1:]) - 8
        if mnemonic == "mov" and source in frames:
            return frames[source]
        match = re.fullmatch(r"(-?0x[0-9a-f]+)?\((%r\w+)\)", source)
        if mnemonic == "lea" and match and match[2] == "%rsp":
            return depth - number(match[1])
        if mnemonic == "lea" and match and match[2] in frames:
            return frames[match[2]] - number(match[1] or "0")
        if mnemonic in ("mov", "lea"):
            return depth  # restored from memory: the end of a function
        raise SystemExit(f"unknown change of the stack pointer: {mnemonic} {operands}")


def measure(paths):
    """{function: bytes} of all functions that the libraries export."""
    needs = {}
    for path in paths:
        library = Library(path)
        for name in library.exported:
            needs[name] = library.need(library.names[name]) + 8
        if library.unresolved:
            raise SystemExit(f"{path}: unknown targets of calls in: {sorted(library.unresolved)}")
    return needs


def rows(needs):
    return [f"| `{name}` | {-(-need * 21 // 20 // ROUNDING) * ROUNDING} |\n"
            for name, need in sorted(needs.items())]


ROW = re.compile(r"^\| `(\w+)` \| (\d+) \|$")


def check(document, needs):
    promised = {}
    with open(document, encoding="utf-8") as lines:
        for match in filter(None, map(ROW.match, lines)):
            promised[match[1]] = int(match[2])
    wrong = [f"{name}: {document} lacks it" for name in sorted(set(needs) - set(promised))]
    wrong += [f"{name}: not exported" for name in sorted(set(promised) - set(needs))]
    for name in sorted(set(promised) & set(needs)):
        if needs[name] > promised[name]:
            wrong.append(f"{name}: {needs[name]} bytes, not {promised[name]}")
    return wrong


def main():
    sys.setrecursionlimit(10000)
    command, arguments = sys.argv[1], sys.argv[2:]
    if command == "print":
        for name, need in sorted(measure(arguments).items(), key=lambda item: -item[1]):
            print(need, name)
        return
    needs = measure(arguments[1:])
    if command == "check":
        wrong = check(arguments[0], needs)
        print("\n".join(wrong) or f"{len(needs)} functions")
        sys.exit(bool(wrong))
    with open(arguments[0], encoding="utf-8") as file:
        lines = file.readlines()
    table = [i for i, line in enumerate(lines) if ROW.match(line)] or [len(lines)]
    lines[table[0]:table[-1] + 1] = rows(needs)
    with open(arguments[0], "w", encoding="utf-8") as file:
        file.writelines(lines)


if __name__ == "__main__":
    main()
