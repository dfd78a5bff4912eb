#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Reads objects for what the layers and the instruction sets forbid.

usage: objects.py CHECK OBJECT...

  general      no vector or mask register at all
  sse2         vector instructions of SSE and SSE2 alone
  ssse3        the same, and SSSE3's byte shuffles
  avx2         no 512-bit vector, no instruction or register of AVX-512
  avx512vl     no 512-bit vector, nothing beyond AVX-512F and VL
  avx512       nothing beyond AVX-512F and VL
  upper        no return with a dirty upper half of a vector register
  freestanding no undefined symbol but the compiler's own
  frames       nothing reaches deeper into the stack than what wipes it: where a
               function calls one that has "wipe" in its name, all others that
               it calls

Prints what it finds; exit status 1 if that is anything. What cannot be read
with certainty is a finding too: a line, an instruction, where a jump leads, an
object without a function.
"""

import re
import subprocess
import sys

LINE = re.compile(r"\s*([0-9a-f]+):\t((?:[0-9a-f]{2} )+)\s*\t(\S+)\s*(.*)")
CONTINUED = re.compile(r"\s*[0-9a-f]+:\t(?:[0-9a-f]{2} )+\s*$")
# The dots stand for zeroes that are left out; there are none with -z.
HEADER = re.compile(r".*:\s+file format elf64-x86-64$|$")
SECTION = re.compile(r"Disassembly of section (\S+):$")
FUNCTION = re.compile(r"[0-9a-f]+ <(.+)>:$")
RELOCATION = re.compile(
    r"\s+[0-9a-f]+: R_X86_64_\w+\s+([\w.$]+|\*ABS\*)([+-]0x[0-9a-f]+)?$")
TARGET = re.compile(r"([0-9a-f]+)(?: <|$)")
PREFIXES = {"notrack", "bnd", "rep", "repz", "repnz", "lock", "data16", "cs"}
# What objdump prints alone if it belongs to nothing it knows, or has changed
# what it belongs to.
UNREADABLE = re.compile(
    r"(?![a-z][a-z0-9]*$).*|rex.*|addr32|[defgs]s|xacquire|xrelease|"
    + "|".join(PREFIXES))

VECTOR = re.compile(r"%[xyz]mm\d+|%k[0-7]\b|%mm\d")
WIDE = re.compile(r"%[yz]mm\d+")
ZMM = re.compile(r"%zmm\d+")

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
        self.addend = 0
        self.section = None

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


class Unreadable(Exception):
    pass


def functions(path):
    """Names and instructions."""
    text = subprocess.run(["objdump", "-drz", path], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    found, body, section = {}, None, None
    for line in text.splitlines():
        function = FUNCTION.match(line)
        relocation = RELOCATION.match(line)
        instruction = parse(line)
        if function:
            # Padding before a function is none of it, but read all the same.
            body = found.setdefault((section, function.group(1)), [])
        elif SECTION.match(line):
            section, body = SECTION.match(line).group(1), None
        elif relocation and body:
            body[-1].symbol = relocation.group(1)
            body[-1].addend = int(relocation.group(2) or "0", 16)
        elif instruction and body is not None:
            if UNREADABLE.fullmatch(instruction.mnemonic):
                raise Unreadable(line.strip())
            instruction.section = section
            body.append(instruction)
        elif not CONTINUED.match(line) and not HEADER.match(line):
            raise Unreadable(line.strip())
    for (_, name), body in found.items():
        # The kernel's replacements have a section of their own and no name.
        if not body or name.startswith(".") and name != ".altinstr_replacement":
            raise Unreadable(f"{name} is no function")
    if not found:
        raise Unreadable("no function")
    names = [name for _, name in found]
    if len(set(names)) < len(names):
        raise Unreadable("two functions of one name")
    return {name: body for (_, name), body in found.items()}


def forbidden(check, instruction):
    vector = VECTOR.search(instruction.operands)
    if check == "general":
        return vector
    if check in ("sse2", "ssse3"):
        known = (SSE2.fullmatch(instruction.mnemonic) or
                 check == "ssse3" and instruction.mnemonic == "pshufb")
        return (WIDE.search(instruction.operands) or instruction.is_evex() or
                vector and not known or
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


def place_of(functions_, section, address):
    for name, body in functions_.items():
        for i, candidate in enumerate(body):
            if (candidate.section, candidate.address) == (section, address):
                return name, i
    raise Unreadable(f"nothing at {section}+{address:x}")


def jump(functions_, instruction):
    """Where a jump leads: a function and the index of an instruction in it, or
    None if out of the object, which a return thunk is too."""
    symbol = instruction.symbol
    target = TARGET.match(instruction.operands)
    if not target:
        raise Unreadable(f"where to: {instruction}")
    if symbol in functions_ and instruction.addend == -4:
        return symbol, 0
    if symbol and symbol.startswith("."):
        # A section's; the addend counts from the end of the four bytes.
        return place_of(functions_, symbol, instruction.addend + 4)
    if symbol in functions_:
        raise Unreadable(f"where to: {instruction}")
    if symbol:
        return None
    return place_of(functions_, instruction.section, int(target.group(1), 16))


def successors(functions_, name, i):
    """Where execution goes on; None is out of the object."""
    instruction = functions_[name][i]
    if instruction.mnemonic.startswith("ret"):
        yield None
        return
    if instruction.mnemonic.startswith("j"):
        yield jump(functions_, instruction)
    if instruction.mnemonic != "jmp":
        yield (name, i + 1) if i + 1 < len(functions_[name]) else None


def find_upper(path):
    """Follows all paths from each use of a ymm or zmm register to where the
    object is left. A tail call within the object may take vectors along."""
    functions_ = functions(path)
    for name, body in functions_.items():
        for i in range(len(body)):
            list(successors(functions_, name, i))
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


PUSH = re.compile(r"push\w*")
CONSTANT = re.compile(r"\$0x([0-9a-f]+),%rsp")
# What sets it back at a function's end.
BACK = re.compile(r"(lea|mov) .*%r(bp|10)\S*,%rsp|mov %rbp,%rsp")


def own_frame(body):
    """Bytes below the return address, and those that alignment may add."""
    frame = slack = 0
    for ins in body:
        constant = CONSTANT.fullmatch(ins.operands)
        value = int(constant.group(1), 16) if constant else 0
        if value >= 1 << 63:
            value -= 1 << 64
        if PUSH.fullmatch(ins.mnemonic):
            frame += 8
        elif constant and ins.mnemonic == "and":
            slack += -value - 8
        elif constant and ins.mnemonic in ("add", "sub"):
            frame += max(value if ins.mnemonic == "sub" else -value, 0)
        elif (ins.operands.endswith(",%rsp") and not BACK.fullmatch(str(ins)) and
              not ins.mnemonic.startswith(("cmp", "test"))):
            raise Unreadable(f"the stack pointer: {ins}")
    return frame, slack


def callees(functions_, body, how=("call", "jmp")):
    for ins in body:
        if ins.mnemonic in how:
            there = jump(functions_, ins)
            if there and there[1] == 0:
                yield there[0]


def deepest(functions_, name):
    body = functions_[name]
    below = [8 + deepest(functions_, callee)
             for callee in callees(functions_, body) if callee != name]
    return sum(own_frame(body)) + max(below, default=0)


def find_frames(path):
    functions_ = functions(path)
    wiping = 0
    for name, body in functions_.items():
        called = set(callees(functions_, body))
        wipers = {callee for callee in called if "wipe" in callee}
        if not wipers:
            continue
        wiping += 1
        # Of what wipes only what it has for certain counts.
        wiped = max(own_frame(functions_[wiper])[0] for wiper in wipers)
        if wipers & set(callees(functions_, body, ("jmp",))):
            # A tail call begins where this function's own frame did.
            wiped -= sum(own_frame(body)) + 8
        for callee in sorted(called - wipers):
            depth = deepest(functions_, callee)
            if depth > wiped:
                yield f"{name}: {callee} is {depth} deep, wiped are {wiped}"
    if not wiping:
        yield "no call of a function that wipes"


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
    if check == "frames":
        return find_frames(path)
    if check == "freestanding":
        return find_undefined(path)
    return find_forbidden(check, path)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    check = sys.argv[1]
    found = False
    for path in sys.argv[2:]:
        try:
            findings = list(find(check, path))
        except Unreadable as unreadable:
            findings = [f"cannot be read: {unreadable}"]
        for finding in findings:
            print(f"{path.rpartition('/')[2]}: {finding}")
            found = True
    sys.exit(found)


if __name__ == "__main__":
    main()
