#!/usr/bin/env python3
"""Disassembles every kernel and compares what it uses with what its table row needs.

SPDX-License-Identifier: BSD-3-Clause

usage: isa_needs.py [-v] ISA_TABLE ASM_OBJECT...

ISA_TABLE is the program of that name: it holds every kernel and prints the tables. libtool names of
objects (x.lo) stand for the objects. A row's function may be C that calls assembly; it is followed
through calls and through tables of pointers. A row fails if the code it reaches uses a feature that
it does not need. It also fails if no instruction uses a feature that it needs, except in C kernels,
whose instructions the compiler chooses. So does an instruction that no rule below classifies, and a
kernel that no row reaches.
"""
import bisect
import os
import re
import subprocess
import sys
from collections import defaultdict

# Features that others imply: no CPU, and no feature word of the dispatcher, has one without them.
IMPLIES = {
    "avx2": {"avx"}, "vaes": {"avx"}, "vpclmulqdq": {"avx"}, "avx512f": {"avx", "avx2"},
    **{"avx512" + x: {"avx512f", "avx", "avx2"}
       for x in ("bw", "dq", "vl", "cd", "vbmi", "vbmi2", "vnni")},
}

GENERAL = [  # instructions on general registers
    (r"andn|bextr|blsi|blsmsk|blsr|tzcnt", "bmi1"),
    (r"bzhi|mulx|pdep|pext|rorx|sarx|shlx|shrx", "bmi2"),
    (r"crc32[bwlq]?", "sse4.2"),
    (r"popcnt|lzcnt|movbe|adcx|adox|rdrand|rdseed|movdiri|movdir64b|prefetchw", "?"),
]
SSE = [  # legacy encodings with a vector register; what no line matches is SSE2
    (r"pclmulqdq|pclmul[lh]q[lh]qdq", "pclmulqdq"),
    (r"aes(enc|enclast|dec|declast|imc|keygenassist)", "aes"),
    (r"sha(1|256)\w+", "sha"),
    (r"gf2p8\w+", "gfni"),
    (r"pshufb|palignr|pabs[bwd]|ph(add|sub)(w|d|sw)|pmaddubsw|pmulhrsw|psign[bwd]", "ssse3"),
    (r"pcmpgtq|pcmp[ei]str[im]", "sse4.2"),
    (r"pblend(w|vb)|blendv?p[sd]|pextr[bdq]|pinsr[bdq]|extractps|insertps|ptest|round[sp][sd]"
     r"|dpp[sd]|pmovzx\w+|pmovsx\w+|p(max|min)(sb|sd|uw|ud)|pmulld|pmuldq|packusdw|pcmpeqq"
     r"|phminposuw|mpsadbw|movntdqa", "sse4.1"),
    (r"movddup|movs[hl]dup|lddqu|h(add|sub)p[sd]|addsubp[sd]", "?"),
]
WIDTH = {"x": 16, "y": 32, "z": 64}  # bytes, by letter of the register
PREFIXES = set("lock rep repz repnz notrack bnd data16 cs ds es ss fs gs".split())
FUSES = r"(cmp|test|add|sub|and|inc|dec)[bwlq]?"  # with the conditional jump after it
AVX2_ON_XMM = (r"vpbroadcast[bwdq]|vpblendd|vps[lr]lv[dq]|vpsravd|vpmaskmov[dq]|vp?gather\w+"
               r"|v\w+i128")
AVX_ON_YMM = r"vptest|vpermilp[sd]|vperm2f128|vtestp[sd]"
# VEX encodings of extensions that no feature word names: FMA, F16C, AVX-VNNI, AVX-IFMA, ...
VEX_OTHER = (r"vf(n?m(add|sub)|ma)\w*|vcvtph2ps|vcvtps2ph|vpdp\w+|vpmadd52\w+|vsha512\w+|vsm[34]\w+"
             r"|vbcst\w+|vcvtne\w+|vpopcnt\w+")
OPMASK = [
    (r"k\w+[dq]|kunpckwd", "avx512bw"),
    (r"kunpckbw", "avx512f"),
    (r"k\w+b|ktestw|kaddw", "avx512dq"),
    (r"k\w+w", "avx512f"),
]
EVEX = [  # first match counts; every line adds avx512f, and avx512vl below 512 bits unless "scalar"
    (r"vgf2p8\w+", "gfni"),
    (r"vaes\w+", "vaes"),
    (r"vpclmul\w+", "vpclmulqdq"),
    (r"vpdp\w+", "avx512vnni"),
    (r"vpermb|vperm[it]2b|vpmultishiftqb", "avx512vbmi"),
    (r"vpcompress[bw]|vpexpand[bw]|vpsh[lr]dv?[wdq]", "avx512vbmi2"),
    (r"vpconflict[dq]|vplzcnt[dq]|vpbroadcastm\w+", "avx512cd"),
    (r"vpextr[bw]|vpinsr[bw]", "avx512bw scalar"),
    (r"vpextr[dq]|vpinsr[dq]", "avx512dq scalar"),
    (r"vmov[dq]|vmovs[sd]|vextractps|vinsertps", "avx512f scalar"),
    (r"vmovdqu(8|16)|vp(add|sub)(u?s)?[bw]|vpshufb|vpshuf[hl]w"
     r"|vpcmp(eq|gt|lt|le|neq|nlt|nle)?u?[bw]|vp(min|max)[su][bw]|vps[lr]lw|vpsraw|vps[lr]ldq"
     r"|vps[lr]lvw|vpsravw|vpalignr|vpunpck[lh](bw|wd)|vpack[su]s\w+|vpmaddwd|vpmaddubsw"
     r"|vpmul[hl]w|vpmulhuw|vpmulhrsw|vpavg[bw]|vpabs[bw]|v(db)?psadbw|vpblendm[bw]|vpermw"
     r"|vperm[it]2w|vptestn?m[bw]|vpbroadcast[bw]|vpmovu?s?wb|vpmov[sz]xbw|vpmov[bw]2m|vpmovm2[bw]",
     "avx512bw"),
    (r"v(extract|insert|broadcast)[fi](64x2|32x8)|vbroadcast[fi]32x2|vpmullq"
     r"|v(and|andn|or|xor)p[sd]|vpmov[dq]2m|vpmovm2[dq]|vcvtt?\w*u?qq\w*|vrange\w+|vreduce\w+"
     r"|vfpclass\w+", "avx512dq"),
    (r"vmov(dqu|dqa)(32|64)|vmov[au]p[sd]|vmovnt(dqa?|p[sd])|vmov(s[hl]|d)dup"
     r"|vp(and|andn|or|xor|ternlog)[dq]|vp(add|sub)[dq]|vpmuludq|vpmuldq|vpmulld|vpshufd|vshufp[sd]"
     r"|vpcmp(eq|gt|lt|le|neq|nlt|nle)?u?[dq]|vp(min|max)[su][dq]|vps[lr]l[dq]|vpsra[dq]"
     r"|vps[lr]lv[dq]|vpsrav[dq]|vpro[lr]v?[dq]|vpabs[dq]|vpunpck[lh](dq|qdq)|vunpck[lh]p[sd]"
     r"|vpblendm[dq]|vblendmp[sd]|vperm[dq]|vpermp[sd]|vpermilp[sd]|vperm[it]2([dq]|p[sd])"
     r"|vptestn?m[dq]|vpbroadcast[dq]|vbroadcasts[sd]|valign[dq]"
     r"|v(extract|insert|broadcast)[fi](32x4|64x4)|vshuf[fi](32x4|64x2)|vpcompress[dq]|vpexpand[dq]"
     r"|vpmovu?s?(qd|qw|qb|dw|db)|vpmov[sz]x(bd|bq|wd|wq|dq)|vp(gather|scatter)\w+", "avx512f"),
]


def find(rules, mnemonic):
    return next((features for pattern, features in rules if re.fullmatch(pattern, mnemonic)), None)


def classify(code, mnemonic, operands):
    """Features that one instruction uses; "?" if no feature word can express it."""
    prefixes = 0
    while code[prefixes] in (0x66, 0xF2, 0xF3, 0x2E, 0x3E, 0x26, 0x36, 0x64, 0x65):
        prefixes += 1
    width = max((WIDTH[w] for w in re.findall(r"%([xyz])mm", operands)), default=0)
    if code[prefixes] in (0xC4, 0xC5):
        if mnemonic.startswith("k"):
            return {find(OPMASK, mnemonic) or "?"}
        general = find(GENERAL, mnemonic)
        if general:
            return {general}
        if re.fullmatch(VEX_OTHER, mnemonic) or not mnemonic.startswith("v"):
            return {"?"}
        if re.match(r"vpclmul", mnemonic):
            return {"avx", "vpclmulqdq" if width > WIDTH["x"] else "pclmulqdq"}
        if re.match(r"vaes", mnemonic):
            return {"avx", "vaes" if width > WIDTH["x"] else "aes"}
        if re.match(r"vgf2p8", mnemonic):
            return {"avx", "gfni"}
        if width > WIDTH["x"] and re.fullmatch(r"vp\w+|vmpsadbw|vmovntdqa", mnemonic):
            avx2 = not re.fullmatch(AVX_ON_YMM, mnemonic)
        elif re.fullmatch(r"vbroadcasts[sd]", mnemonic):
            avx2 = operands.startswith("%xmm")  # from memory it is AVX
        else:
            avx2 = re.fullmatch(AVX2_ON_XMM, mnemonic)
        return {"avx", "avx2"} if avx2 else {"avx"}
    if code[prefixes] == 0x62:
        features = find(EVEX, mnemonic)
        if not features:
            return {"?"}
        used = set(features.split()) | {"avx512f"}
        if width < WIDTH["z"] and "scalar" not in used:
            used.add("avx512vl")
        return used - {"scalar"}
    if width:
        found = "sse4.1" if mnemonic == "pextrw" and "(" in operands else find(SSE, mnemonic)
        return {found} if found else set()
    found = find(GENERAL, mnemonic)
    return {found} if found else set()


def object_file(name):
    """The object that a libtool name stands for: the one in the shared library if there is one."""
    if not name.endswith(".lo"):
        return name
    folder, base = os.path.split(name[:-2] + "o")
    shared = os.path.join(folder, ".libs", base)
    return shared if os.path.exists(shared) else os.path.join(folder, base)


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Symbols:
    """Functions and objects of a linked program by address."""

    def __init__(self, program):
        self.by_name, entries = {}, {}
        for line in output("nm", "-S", "--defined-only", program).splitlines():
            fields = line.split()
            if len(fields) == 4:
                entries[int(fields[0], 16)] = (int(fields[1], 16), fields[3])
                self.by_name[fields[3]] = int(fields[0], 16)
        self.starts = sorted(entries)
        self.entries = entries

    def at(self, address):
        i = bisect.bisect_right(self.starts, address) - 1
        if i < 0:
            return None
        size, name = self.entries[self.starts[i]]
        return name if address < self.starts[i] + size else None


class Code:
    """What each function uses and what it and each object refers to."""

    def __init__(self, program, symbols, asm_functions):
        self.uses, self.refers = defaultdict(dict), defaultdict(set)
        self.jumps, self.split_jumps = 0, defaultdict(int)
        before = None
        text = output("objdump", "-d", "--insn-width=16", "--section=.text", program)
        for line in text.splitlines():
            match = re.match(r"\s*([0-9a-f]+):\t((?:[0-9a-f]{2} )+)\s*\t?(.*)", line)
            if not match or not match.group(3):
                continue
            address, code = int(match.group(1), 16), bytes.fromhex(match.group(2))
            words = match.group(3).split()
            while len(words) > 1 and words[0] in PREFIXES:
                words.pop(0)
            mnemonic, operands = words[0], " ".join(words[1:])
            function = symbols.at(address)
            if not function:
                continue
            for target in re.findall(r"(?:^| )([0-9a-f]+) <", operands):
                self.refers[function].add(symbols.at(int(target, 16)))
            if function in asm_functions:
                for feature in classify(code, mnemonic, operands):
                    self.uses[function].setdefault(feature, line.strip())
                if re.fullmatch(r"j(?!mp)\w+", mnemonic):
                    start = before[0] if before and re.fullmatch(FUSES, before[1]) else address
                    self.jumps += 1
                    self.split_jumps[function] += start // 32 != (address + len(code)) // 32
            before = (address, mnemonic)
        for line in output("readelf", "-rW", program).splitlines():
            fields = line.split()
            if len(fields) >= 4 and fields[2] == "R_X86_64_RELATIVE":
                holder = symbols.at(int(fields[0], 16))
                if holder:
                    self.refers[holder].add(symbols.at(int(fields[3], 16)))

    def reach(self, start):
        reached, pending = set(), [start]
        while pending:
            name = pending.pop()
            if name and name not in reached:
                reached.add(name)
                pending.extend(self.refers[name])
        return reached


def main():
    verbose = "-v" in sys.argv
    program, *objects = [a for a in sys.argv[1:] if a != "-v"]
    symbols = Symbols(program)
    asm_functions = set()
    for name in objects:
        for line in output("nm", "-S", "--defined-only", object_file(name)).splitlines():
            fields = line.split()
            if len(fields) == 4 and fields[2] in "tT":
                asm_functions.add(fields[3])
    rows, c_functions = [], set()
    for row in output(program).splitlines():
        kernel, tier, distance, *needs = row.split()
        function = symbols.at(symbols.by_name["isalk_all_families"] + int(distance))
        rows.append((kernel, tier, function, needs))
        if tier != "base":
            c_functions.add(function)
    c_functions -= asm_functions
    code = Code(program, symbols, asm_functions | c_functions)
    passed, errors, reached_by_any = 0, [], set()
    for kernel, tier, function, needs in rows:
        reached = code.reach(function) & (asm_functions | c_functions)
        reached_by_any |= reached
        used = {}
        for name in sorted(reached):
            for feature, line in code.uses[name].items():
                used.setdefault(feature, "%s: %s" % (name, line))
        allowed = set(needs).union(*(IMPLIES.get(n, ()) for n in needs))
        implied = set(used).union(*(IMPLIES.get(u, ()) for u in used))
        before = len(errors)
        if tier != "base" and not reached:
            errors.append("%s %s (%s): no assembly is reached" % (kernel, tier, function))
        for feature in sorted(set(used) - allowed):
            what = "an unclassified instruction" if feature == "?" else feature
            errors.append("%s %s uses %s, which its row does not list:\n      %s"
                          % (kernel, tier, what, used[feature]))
        for feature in sorted(set(needs) - implied if reached & asm_functions else ()):
            errors.append("%s %s lists %s, which it does not use" % (kernel, tier, feature))
        passed += len(errors) == before
        if verbose:
            print("%s %s: %s" % (kernel, tier, " ".join(sorted(used)) or "-"))
    for name in sorted(asm_functions - reached_by_any):
        errors.append("%s is in no table row's reach" % name)
    if not asm_functions:
        errors.append("there are no assembly functions in: " + " ".join(objects))
    for error in errors:
        print("FAIL: " + error)
    print("note: %d of %d conditional jumps cross or end at a 32-byte boundary (erratum of Skylake)"
          % (sum(code.split_jumps.values()), code.jumps))
    if verbose:
        for name, count in sorted(code.split_jumps.items()):
            if count:
                print("    %s: %d" % (name, count))
    print("%d passed, %d failed, 0 skipped" % (passed, len(errors)))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
