#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Reads objects for what the layers and the instruction sets forbid.

usage: objects.py CHECK OBJECT...

  general      no vector or mask register at all
  sse2         vector instructions of SSE and SSE2 alone
  avx2         no 512-bit vector, no instruction or register of AVX-512
  avx512vl     no 512-bit vector, nothing beyond AVX-512F and VL
  avx512       nothing beyond AVX-512F and VL
  upper        no return with a dirty upper half of a vector register
  freestanding no undefined symbol but the compiler's own

Prints what it finds; exit status 1 if that is anything.
"""

import re
import subprocess
import sys

LINE = re.compile(r"\s*([0-9a-f]+):\t((?:[0-9a-f]{2} )+)\s*\t(\S+)\s*(.*)")
FUNCTION = re.compile(r"[0-9a-f]+ <(.+)>:$")
RELOCATION = re.compile(r"\s+[0-9a-f]+: R_X86_64_\w+\s+([\w.]+)")
TARGET = re.compile(r"([0-9a-f]+) <")
PREFIXES = {"notrack", "bnd", "rep", "repz", "lock", "data16", "cs"}

VECTOR = re.compile(r"%[xyz]mm\d+|%k[0-7]\b|%mm\d")
WIDE = re.compile(r"%[yz]mm\d+")
ZMM = re.compile(r"%zmm\d+")

OUTSIDE = {"__x86_return_thunk", "__stack_chk_fail"}

# Instructions of SSE and SSE2, so that anything younger stands out.
SSE2 = re.compile(
    r"mov(aps|ups|hlps|lhps|[hl]p[sd]|s[sd]|apd|upd|dqa|dqu|q|d|nt\w+|mskp[sd])"
    r"|(add|sub|mul|div|min|max|sqrt)[ps][sd]"
    r"|(and|andn|or|xor|shuf|unpck[lh])p[sd]"
    r"|p(and|andn|or|xor|shuf(d|hw|lw)|mulu?dq|mul(h|hu|l)w|maddwd|sadbw)"
    r"|p(add|sub)([bwdq]|u?s[bw])|ps[lr]l([wdq]|dq)|psra[wd]"
    r"|pcmp(eq|gt)[bwd]|punpck[lh](bw|wd|dq|qdq)|pack(ss|us)wb|packssdw"
    r"|pavg[bw]|p(min|max)(ub|sw)|pmovmskb|pinsrw|pextrw"
    r"|u?comis[sd]|cmp\w*[ps][sd]|cvt\w+")

# Of AVX-512, what F and VL do not have: words and bytes, DQ, and the rest.
BEYOND_VL = re.compile(
    r"vmovdqu(8|16)|k\w+[bdq]|v(insert|extract|broadcast)[fi](32x[28]|64x2)"
    r"|vp(mullq|multishiftqb|conflict\w+|lzcnt\w+|popcnt\w+|dp\w+|madd52\w+)"
    r"|vp(add|sub|sll|srl|sra|shuf|unpck\w*|cmp|blendm|perm|max|min|avg)\w*[bw]"
    r"|v(and|or|xor|andn)p[sd]|vgf2p8\w+|vpsh[lr]d\w+")


class Instruction:
    def __init__(self, address, code, mnemonic, operands):
        self.address = address
        self.code = code
        self.mnemonic = mnemonic
        self.operands = operands
        self.symbol = None  # of the relocation

    def is_evex(self):
        return self.code.startswith("62 ")

    def __str__(self):
        return f"{self.mnemonic} {self.operands}"


def parse(line):
    match = LINE.match(line)
    if not match:
        return None
    address, code, mnemonic, operands = match.groups()
    while mnemonic in PREFIXES and operands:
        mnemonic, _, operands = operands.partition(" ")
        operands = operands.strip()
    return Instruction(int(address, 16), code, mnemonic,
                       operands.split("#")[0].strip())


def functions(path):
    """Names and instructions."""
    text = subprocess.run(["objdump", "-dr", path], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    found, body = {}, []
    for line in text.splitlines():
        function = FUNCTION.match(line)
        relocation = RELOCATION.match(line)
        instruction = parse(line)
        if function:
            body = found.setdefault(function.group(1), [])
        elif relocation:
            body[-1].symbol = relocation.group(1)
        elif instruction:
            body.append(instruction)
    return found


def forbidden(check, instruction):
    vector = VECTOR.search(instruction.operands)
    if check == "general":
        return vector
    if check == "sse2":
        return (WIDE.search(instruction.operands) or instruction.is_evex() or
                vector and not SSE2.fullmatch(instruction.mnemonic) or
                instruction.mnemonic.startswith("v"))
    if check in ("avx2", "avx512vl") and ZMM.search(instruction.operands):
        return True
    if check == "avx2":
        return instruction.is_evex() or "%k" in instruction.operands
    return ((instruction.is_evex() or "%k" in instruction.operands) and
            BEYOND_VL.fullmatch(instruction.mnemonic))


def find_forbidden(check, path):
    for name, body in functions(path).items():
        for instruction in body:
            if forbidden(check, instruction):
                yield f"{name}: {instruction}"


def jump(functions_, name, instruction):
    """Where a jump leads: a function and the index of an instruction in it, or
    None if out of the object, which a return thunk is too."""
    target = TARGET.match(instruction.operands)
    if not target or instruction.symbol in OUTSIDE:
        return None
    if instruction.symbol in functions_:
        return instruction.symbol, 0
    address = int(target.group(1), 16)
    for other in (name, *functions_):
        for i, candidate in enumerate(functions_[other]):
            if candidate.address == address:
                return other, i
    return None


def successors(functions_, name, i):
    """Where execution goes on; None is out of the object."""
    instruction = functions_[name][i]
    if instruction.mnemonic.startswith("ret"):
        yield None
        return
    if instruction.mnemonic.startswith("j"):
        yield jump(functions_, name, instruction)
    if instruction.mnemonic != "jmp":
        yield (name, i + 1) if i + 1 < len(functions_[name]) else None


def find_upper(path):
    """Follows all paths from each use of a ymm or zmm register to where the
    object is left. A tail call within the object may take vectors along."""
    functions_ = functions(path)
    work = [(name, i) for name, body in functions_.items()
            for i, ins in enumerate(body) if WIDE.search(ins.operands)]
    seen = set()
    while work:
        place = work.pop()
        if place in seen:
            continue
        seen.add(place)
        name, i = place
        instruction = functions_[name][i]
        if instruction.mnemonic in ("vzeroupper", "vzeroall"):
            continue
        following = list(successors(functions_, name, i))
        if None in following:
            yield f"{name}+{instruction.address:x}: {instruction}"
        work += [there for there in following if there]


OWN_SYMBOLS = re.compile(
    r"__fentry__|__x86_\w*thunk\w*|__stack_chk_fail|mem(set|cpy|move|cmp)"
    r"|_GLOBAL_OFFSET_TABLE_")


def find_undefined(path):
    text = subprocess.run(["nm", "-u", path], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    for line in text.splitlines():
        symbol = line.split()[-1]
        if not OWN_SYMBOLS.fullmatch(symbol):
            yield f"undefined symbol {symbol}"


def find(check, path):
    if check == "upper":
        return find_upper(path)
    if check == "freestanding":
        return find_undefined(path)
    return find_forbidden(check, path)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    check = sys.argv[1]
    found = False
    for path in sys.argv[2:]:
        for finding in find(check, path):
            print(f"{path.rpartition('/')[2]}: {finding}")
            found = True
    sys.exit(found)


if __name__ == "__main__":
    main()
