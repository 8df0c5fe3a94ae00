#!/usr/bin/env python3
"""Shows that no branch and no address of the linear kernels depends on data.

SPDX-License-Identifier: BSD-3-Clause

usage: data_flow.py [-v] ISA_TABLE

ISA_TABLE is the program of that name: it holds every kernel and prints the tables. Each kernel of
erasure codes, RAID and CRCs is followed through its machine code, with a set for each register of
what its value may be derived from. A value loaded through a pointer to data is data, and so is what
is computed from it; all vector registers count as data. A kernel fails if data can reach an
address, or the flags or the mask on which a branch or a memory access depends. Portable C is not
examined. Kernels that stop at the first difference, and portable CRCs, which look bytes up in a
table, must be found to depend on data.
"""
import functools
import operator
import re
import subprocess
import sys
from collections import defaultdict

from isa_needs import PREFIXES, Symbols, output

# What a value may be derived from; 0 is a number, or a pointer to constants.
STACK, POINTERS, BUFFER, DATA = 1, 2, 4, 8  # pointers: to the stack, to pointers, to data; data
ARGUMENTS = "rdi rsi rdx rcx r8 r9".split()

# Arguments of the kernels, by name: n a number or constants, p pointers to buffers, b a buffer,
# d data. The seventh is on the stack.
LETTERS = {"n": 0, "p": POINTERS, "b": BUFFER, "d": DATA}
PROTOTYPES = [
    (r"ec_encode_data", "nnnnpp"), (r"ec_encode_data_update", "nnnnnbp"),
    (r"gf_vect_dot_prod", "nnnpb"), (r"gf_vect_mad", "nnnnbb"), (r"gf_vect_mul", "nnbb"),
    (r"gf_dot\d(_ones)?", "nnnnpp"), (r"gf_mad\d|gf_mul_block", "nnnnbp"),
    (r"(xor|pq)_(gen|check)|pq_solve", "nnp"), (r"zero_detect", "bn"),
    (r"crc_fold_iscsi", "bnd"), (r"crc_multiply_\w+", "ddn"),
    (r"crc\d+_iscsi_copy|crc\w+_copy|crc_(copy|nt)_\w+", "dbnnb"), (r"crc\w+", "dbnn"),
]
DEPEND_ON_DATA = r"((xor|pq)_check|zero_detect) .*|(crc16_t10dif|crc_fold_\w+) base"

FAMILIES = {}
for number, names in enumerate("rax eax ax al ah|rbx ebx bx bl bh|rcx ecx cx cl ch|rdx edx dx dl dh"
                               "|rsi esi si sil|rdi edi di dil|rbp ebp bp bpl|rsp esp sp spl"
                               .split("|")):
    FAMILIES.update({name: names.split()[0] for name in names.split()})
for number in range(8, 16):
    FAMILIES.update({"r%d%s" % (number, part): "r%d" % number for part in ("", "d", "w", "b")})
FAMILIES.update({"k%d" % number: "k%d" % number for number in range(8)})
CALLEE_SAVED = "rbx rbp r12 r13 r14 r15".split()

KEEP_FLAGS = (r"k?mov\w*|lea|push|pop|nop\w*|endbr64|xchg|not|bswap|sh[lr]x|sarx|rorx|mulx|pdep"
              r"|pext|crc32|prefetch\w+|cdqe|cqo|cdq|leave|[vks]?fence|vzero\w+"
              r"|k(?!or?test|test)\w+")
PARTLY_SET = r"inc|dec|sh[lr]d?|sa[lr]|ro[lr]"
WRITE_ONLY = r"mov\w*|kmov\w|lea|popcnt|[lt]zcnt|v?pext\w*|v?pmovmskb|v?movmskp[sd]|v?mov[dq]"


class Function:
    """Instructions of a function by address: mnemonic, operands, next address."""

    def __init__(self):
        self.code, self.labels = {}, []


def disassemble(program, symbols):
    functions, before = defaultdict(Function), None
    text = output("objdump", "-d", "-M", "intel", "--no-show-raw-insn", "--section=.text", program)
    for line in text.splitlines():
        match = re.match(r"\s*([0-9a-f]+):\t(\S.*)", line)
        if not match:
            continue
        address = int(match[1], 16)
        words = re.sub(r"\s*(#.*|<.*>)$", "", match[2]).split(None, 1)
        while len(words) > 1 and words[0] in PREFIXES:
            words = words[1].split(None, 1)
        name = symbols.at(address)
        if name and before and before[0] == name:
            functions[name].code[before[1]][2] = address
        if name:
            operands = words[1].split(",") if len(words) > 1 else []
            functions[name].code[address] = [words[0], operands, None]
        before = (name, address)
    for line in output("nm", "--defined-only", program).splitlines():  # targets of jump tables
        address, kind, _ = line.split()
        name = symbols.at(int(address, 16))
        if kind in "tT" and name in functions:
            functions[name].labels.append(int(address, 16))
    return functions


class Violation(Exception):
    pass


class Analysis:
    """Follows every function from the entries that were added, and those that they call."""

    def __init__(self, functions, symbols):
        self.functions, self.symbols = functions, symbols
        self.entries, self.pending, self.violations = {}, [], {}
        self.results, self.callers = defaultdict(int), defaultdict(set)

    def enter(self, name, arguments, stack):
        old = self.entries.get(name, (0,) * 7)
        new = tuple(a | b for a, b in zip(old, (*arguments, stack)))
        if name not in self.entries or new != old:
            self.entries[name] = new
            self.pending.append(name)

    def run(self):
        while self.pending:
            name = self.pending.pop()
            try:
                self.follow(name)
            except Violation as violation:
                self.violations[name] = str(violation)

    def follow(self, name):
        function = self.functions[name]
        entry = dict.fromkeys(FAMILIES.values(), 0)
        entry.update(zip(ARGUMENTS, self.entries[name]), rsp=STACK, flags=0)
        # Contents of the stack by distance from the return address; None: at unknown distances.
        self.slots = defaultdict(int, {8: self.entries[name][6], None: 0})
        while True:  # until the contents of the stack stay the same
            slots, states = dict(self.slots), {}
            pending = [(min(function.code), entry, 0)]
            while pending:
                address, state, depth = pending.pop()
                old, old_depth = states.get(address, (None, depth))
                depth = depth if depth == old_depth else None
                if old is not None:
                    state = {r: old[r] | state[r] for r in old}
                    if (state, depth) == (old, old_depth):
                        continue
                states[address] = state, depth
                after, self.depth = dict(state), depth
                for successor in self.step(name, function, address, after):
                    if successor not in function.code:
                        raise Violation("%x: leaves the function" % address)
                    pending.append((successor, after, self.depth))
            if slots == dict(self.slots):
                return

    def slot(self, operand):
        """Distance of a memory operand from the return address, or None, or "array"."""
        match = re.search(r"\[rsp([+-]0x[0-9a-f]+)?\]", operand)
        if not match:
            return "array"
        return None if self.depth is None else self.depth + int(match[1] or "0", 16)

    def stacked(self, slot):
        """What a value at a place on the stack may be derived from."""
        if isinstance(slot, int):
            return self.slots.get(min(slot, 8), 0) | self.slots[None]
        return functools.reduce(operator.or_, self.slots.values())

    def address_of(self, operand, state, where):
        """What the address of a memory operand is derived from."""
        origin = 0
        for register in re.findall(r"[a-z]\w+", operand[operand.index("[") + 1:]):
            if register[0] in "xyz" and register[1:3] == "mm":
                raise Violation(where + " has vectors as addresses")
            if register in FAMILIES:
                origin |= state[FAMILIES[register]]
        mask = re.search(r"\{(k\d)\}", operand)
        if (origin | (state[mask[1]] if mask else 0)) & DATA:
            raise Violation(where + " has an address or a mask that depends on data")
        return origin

    def value_of(self, operand, state, where):
        if "[" in operand:
            origin = self.address_of(operand, state, where)
            return ((self.stacked(self.slot(operand)) if origin & STACK else 0)
                    | (BUFFER if origin & POINTERS else 0) | (DATA if origin & BUFFER else 0))
        register = re.match(r"\w*", operand)[0]
        return DATA if re.match(r"[xyz]mm", register) else state[FAMILIES[register]] \
            if register in FAMILIES else 0

    def call(self, name, target, state):
        """Follows a call; returns what its result may be derived from."""
        def outside(origin):  # a pointer to this stack: to an array of pointers, else to data
            if not origin & STACK:
                return origin
            self.slots["array"] |= 0 if stack & BUFFER else DATA
            return origin & ~STACK | (POINTERS if stack & BUFFER else BUFFER)
        stack = self.stacked("array")
        self.callers[target].add(name)
        if target in self.functions:
            self.enter(target, [outside(state[r]) for r in ARGUMENTS],
                       outside(stack if self.depth is None else self.stacked(self.depth)))
            return self.results[target]
        return DATA


    def give(self, name, result):
        """Adds to what the result of a function may be derived from."""
        if self.results[name] | result != self.results[name]:
            self.results[name] |= result
            self.pending.extend(self.callers[name] & set(self.entries))

    def step(self, name, function, address, state):
        """Executes an instruction on `state`; returns the addresses that may follow."""
        mnemonic, operands, following = function.code[address]
        where = "%x: %s %s" % (address, mnemonic, ",".join(operands))
        if mnemonic == "ret":
            self.give(name, state["rax"])
            return []
        if mnemonic.startswith("j") or mnemonic == "call":
            indirect = not re.fullmatch(r"[0-9a-f]+", operands[0])
            if indirect and self.value_of(operands[0], state, where) & DATA:
                raise Violation(where + " depends on data")
            if mnemonic.startswith("j") and mnemonic != "jmp" and state["flags"] & DATA:
                raise Violation(where + " depends on data")
            if indirect and mnemonic == "jmp" and len(function.labels) > 1:
                return function.labels
            target = None if indirect else int(operands[0], 16)
            inside = target in function.code and mnemonic != "call"
            result = DATA if indirect else 0 if inside else \
                self.call(name, self.symbols.at(target), state)
            if mnemonic == "call":
                for register in set(state) - set(CALLEE_SAVED) - {"rsp"}:
                    state[register] = DATA
                state["rax"] = result
            elif mnemonic == "jmp" and not inside:
                self.give(name, result)
            return ([target] if inside else []) + ([] if mnemonic == "jmp" else [following])
        vectors = any(re.match(r"[xyz]mm", o) for o in operands)
        values = [0 if mnemonic == "lea" and "[" in o else self.value_of(o, state, where)
                  for o in operands[bool(re.fullmatch(WRITE_ONLY, mnemonic)):]]
        result = 0
        for value in values:
            result |= value
        if mnemonic == "lea":
            result = self.address_of(operands[1], state, where)
        if mnemonic in ("xor", "sub") and operands[0] == operands[1]:
            result = 0
        if re.match(r"cmov|set|adc|sbb", mnemonic):
            result |= state["flags"]
        if mnemonic in ("mul", "div", "idiv", "imul") and len(operands) == 1:
            result |= state["rax"] | state["rdx"]
            state["rax"] = state["rdx"] = result
        if mnemonic in ("cqo", "cdq"):
            state["rdx"] = state["rax"]
        if re.match(r"rep|[ls]ods|stos|movs[bwdq]$|scas|cmps", mnemonic):
            raise Violation(where + " is not known")
        sets_flags = not vectors or re.match(r"v?ptest", mnemonic)
        if sets_flags and not re.fullmatch(KEEP_FLAGS, mnemonic):
            keeps = state["flags"] if re.fullmatch(PARTLY_SET, mnemonic) else 0
            state["flags"] = keeps | result
        if self.depth is not None and operands and operands[0] == "rsp":
            constant = re.fullmatch(r"0x[0-9a-f]+", operands[-1])
            self.depth = self.depth + {"sub": -1, "add": 1}[mnemonic] * int(constant[0], 16) \
                if constant and mnemonic in ("sub", "add") else None
        if mnemonic == "push":
            self.depth = None if self.depth is None else self.depth - 8
            self.slots[self.depth] |= result
        elif operands and not re.match(r"cmp$|test$|bt$|k\w*test|v?ptest$|prefetch|nop", mnemonic):
            self.write(operands[0], result, state, where, mnemonic)
            if mnemonic in ("xchg", "mulx"):
                self.write(operands[1], result, state, where, mnemonic)
        return [following]

    def write(self, operand, result, state, where, mnemonic):
        if "[" in operand:
            origin = self.address_of(operand, state, where)
            if origin & STACK:
                self.slots[self.slot(operand)] |= result
            elif not origin & BUFFER and result & DATA:
                raise Violation(where + " writes data where no buffer is")
            return
        register = re.match(r"\w*", operand)[0]
        if register in FAMILIES:
            if mnemonic == "pop":
                result = self.stacked(self.depth)
                self.depth = None if self.depth is None else self.depth + 8
            # Parts of 8 and 16 bits leave the rest.
            if register not in ("rsp",) and not register.startswith("k") and \
                    not re.fullmatch(r"r..|e..|r\d+d?", register):
                result |= state[FAMILIES[register]]
            state[FAMILIES[register]] = result


def main():
    verbose = "-v" in sys.argv
    program = [a for a in sys.argv[1:] if a != "-v"][0]
    symbols = Symbols(program)
    functions = disassemble(program, symbols)
    analysis, counterexamples, kernels = Analysis(functions, symbols), [], 0
    for row in subprocess.run([program], check=True, capture_output=True,
                              text=True).stdout.splitlines():
        kernel, tier, distance = row.split()[:3]
        letters = next((l for pattern, l in PROTOTYPES if re.fullmatch(pattern, kernel)), None)
        if letters is None:
            continue
        name = symbols.at(symbols.by_name["isalk_all_families"] + int(distance))
        arguments = [LETTERS[letter] for letter in letters] + [0] * 6
        if re.fullmatch(DEPEND_ON_DATA, kernel + " " + tier):
            counterexample = Analysis(functions, symbols)
            counterexample.enter(name, arguments[:6], arguments[6])
            counterexamples.append((name, counterexample))
        elif tier != "base":
            analysis.enter(name, arguments[:6], arguments[6])
            kernels += 1
    analysis.run()
    failed = len(analysis.violations)
    for name, violation in sorted(analysis.violations.items()):
        print("FAIL: %s: %s" % (name, violation))
    for name, counterexample in counterexamples:
        counterexample.run()
        if not counterexample.violations:
            failed += 1
            print("FAIL: %s depends on data, but was not found to" % name)
        elif verbose:
            print("%s depends on data: %s" % (name, *counterexample.violations.values()))
    if verbose:
        print("\n".join(sorted(analysis.entries)))
    print("%d kernels, %d functions: neither branches nor addresses depend on data"
          % (kernels, len(analysis.entries)))
    print("%d passed, %d failed, 0 skipped"
          % (len(analysis.entries) + len(counterexamples) - failed, failed))
    return 1 if failed or not kernels or not counterexamples else 0


if __name__ == "__main__":
    sys.exit(main())
