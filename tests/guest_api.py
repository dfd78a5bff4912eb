# SPDX-License-Identifier: GPL-2.0
"""What tests/guest.py is written in: results, modules, the crypto API."""

import ctypes
import errno
import os
import random
import socket
import subprocess
import time
import traceback

ISAS = {"scalar": 150, "sse2": 400, "ssse3": 450, "avx2": 500,
        "avx512vl": 550, "avx512": 600}
ALGORITHMS = ("chacha20", "chacha12", "chacha8",
              "xchacha20", "xchacha12", "xchacha8",
              "salsa20", "salsa12", "salsa8", "xsalsa20")
MODULE = "chacha_simd"
# Models of Intel's family 6 that lower their clock for 512-bit vectors.
SLOW_ZMM = {85: "Skylake-X, Cascade Lake, Cooper Lake",
            106: "Ice Lake-SP", 108: "Ice Lake-D",
            125: "Ice Lake", 126: "Ice Lake-U", 157: "Ice Lake NNP-I",
            140: "Tiger Lake-U", 141: "Tiger Lake-H"}

# ------------------------------------------------------------------- results


class Skip(Exception):
    """Raised by a case that cannot be run here."""


class Results:
    def __init__(self):
        self.number = 0
        self.failed = 0
        self.clean_up = lambda: None    # what each case ends with

    def case(self, name, function, *args):
        self.number += 1
        try:
            function(*args)
            print(f"ok {self.number} - {name}", flush=True)
        except Skip as skip:
            print(f"ok {self.number} - {name} # SKIP {skip}", flush=True)
        except Exception:  # pylint: disable=broad-except
            self.failed += 1
            print(f"not ok {self.number} - {name}")
            for line in traceback.format_exc().splitlines():
                print("#", line, flush=True)
        self.clean_up()

    def plan(self):
        print(f"1..{self.number}", flush=True)


def equal(got, want, what="result"):
    if isinstance(got, set):
        assert got == want, (f"{what}: too many: {sorted(got - want)}, "
                             f"missing: {sorted(want - got)}")
    assert got == want, f"{what}: got {got!r}, want {want!r}"


def fails_with(number, function, *args):
    """FUNCTION has to fail with that errno."""
    try:
        function(*args)
    except OSError as error:
        equal(errno.errorcode.get(error.errno), errno.errorcode[number], "errno")
        return
    raise AssertionError(f"no error, want {errno.errorcode[number]}")


# ------------------------------------------------------------------- modules

LIBC = ctypes.CDLL(None, use_errno=True)
FINIT_MODULE = 313
DELETE_MODULE = 176


def syscall(*args):
    if LIBC.syscall(*args) < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def module_file(module):
    name = module.replace("_", "-")
    return f"/lib/modules/{os.uname().release}/updates/{name}.ko"


def insert(parameters="", module=MODULE):
    """What insmod does, with the errno."""
    fd = os.open(module_file(module), os.O_RDONLY | os.O_CLOEXEC)
    try:
        syscall(FINIT_MODULE, fd, parameters.encode(), 0)
    finally:
        os.close(fd)


def remove(module=MODULE):
    syscall(DELETE_MODULE, module.encode(), os.O_NONBLOCK)


def is_loaded(module=MODULE):
    return os.path.exists(f"/sys/module/{module}")


def run(*command):
    return subprocess.run(command, check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def must_run(*command, **more):
    done = subprocess.run(command, check=False, text=True, **more,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert not done.returncode, f"{command}: {done.stdout}"
    return done.stdout


def load(*parameters):
    """And waits for the kernel's tests of what is there now, each of which has
    sections of its own, and throws out the instances on lesser drivers."""
    must_run("modprobe", MODULE, *parameters)
    algorithms()


def load_in_tree():
    """The kernel's own ChaCha, which 7.x has in another module. Whoever asks
    for it now does not load ours."""
    if run("modprobe", "chacha_x86_64").returncode:
        must_run("modprobe", "chacha")


def unload():
    """Waits a moment for those who are just going."""
    for attempt in range(200):
        try:
            remove()
            return
        except BlockingIOError:
            time.sleep(0.005 * (1 + attempt // 10))
    raise AssertionError("cannot unload, it is in use")


def unload_if_loaded():
    if is_loaded():
        unload()


SECTION_BYTES = 4096


def sections():
    """Since the load: those with SIMD, those of the fallback."""
    counts = []
    for path in ("simd", "fallback"):
        with open(f"/sys/module/{MODULE}/parameters/{path}_sections",
                  encoding="ascii") as file:
            counts.append(int(file.read()))
    return tuple(counts)


def sections_of(size):
    """How many a message takes. A last block by itself needs none."""
    return size // SECTION_BYTES + (size % SECTION_BYTES > 64)


class Log:
    """The kernel's messages from here on."""

    def __init__(self):
        self.mark = f"mark {random.random()}"
        with open("/dev/kmsg", "w", encoding="ascii") as kmsg:
            kmsg.write(self.mark + "\n")

    def text(self):
        return run("dmesg").stdout.partition(self.mark)[2]


# --------------------------------------------------------------- /proc/crypto

def entries():
    """What the file says now, as dictionaries."""
    found = []
    with open("/proc/crypto", encoding="ascii") as file:
        for block in file.read().split("\n\n"):
            entry = {}
            for line in block.splitlines():
                field, _, value = line.partition(":")
                entry[field.strip()] = value.strip()
            if entry:
                found.append(entry)
    return found


def algorithms():
    """The same when the kernel has tested all, which it does after the load in
    a thread of its own. Until then a larval stands beside each driver, under
    its name; when one goes, between two reads of the file, the second read
    misses an entry."""
    for _ in range(600):
        found = entries()
        if "larval" not in [entry["type"] for entry in found]:
            return found
        time.sleep(0.05)
    raise AssertionError("the kernel's self-tests do not end")


def ours():
    """Our drivers, by name."""
    return {entry["driver"]: entry for entry in algorithms()
            if entry["module"] == MODULE}


def references(driver):
    """0 if there is no such driver. An unused one has 1."""
    return max((int(entry["refcnt"]) for entry in algorithms()
                if entry["driver"] == driver), default=0)


def in_tree(name):
    """The kernel's own driver, which it selects without ours."""
    found = [entry for entry in algorithms()
             if entry["name"] == name and entry["module"] != MODULE]
    return max(found, key=lambda entry: int(entry["priority"]))["driver"]


def priorities(cpuinfo):
    """Of the drivers of each instruction set, on the CPU of that file."""
    with open(cpuinfo, encoding="ascii") as file:
        lines = [line.partition(":") for line in file]
    cpu = {field.strip(): value.strip() for field, _, value in lines}
    slow = (cpu.get("vendor_id") == "GenuineIntel" and
            cpu["cpu family"] == "6" and int(cpu["model"]) in SLOW_ZMM)
    return {**ISAS, "avx512": 1} if slow else ISAS


def driver_names(isas):
    return {f"{name}-{isa}" for name in ALGORITHMS for isa in isas}


# --------------------------------------------------------------------- AF_ALG

SOL_ALG = socket.SOL_ALG
ENCRYPT = socket.ALG_OP_ENCRYPT
DECRYPT = socket.ALG_OP_DECRYPT


def lift_restriction():
    """Kernels of 7.x keep AF_ALG from nearly all algorithms, unless a sysctl of
    af_alg.ko says otherwise. The guest does not outlive the tests."""
    run("modprobe", "af_alg")
    path = "/proc/sys/crypto/af_alg_restrict"
    if os.path.exists(path):
        with open(path, "w", encoding="ascii") as file:
            file.write("0")


def bound(name, kind="skcipher"):
    sock = socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)
    try:
        sock.bind((kind, name))
    except OSError:
        sock.close()
        raise
    return sock


def set_key(sock, key):
    sock.setsockopt(SOL_ALG, socket.ALG_SET_KEY, key)


class Cipher:
    """A transform and a request, both open."""

    def __init__(self, name, key, kind="skcipher"):
        self.sock = bound(name, kind)
        set_key(self.sock, key)
        self.request, _ = self.sock.accept()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.request.close()
        self.sock.close()

    def start(self, iv, data, more=False, operation=ENCRYPT, **rest):
        self.request.sendmsg_afalg(
            [data], op=operation, iv=iv,
            flags=socket.MSG_MORE if more else 0, **rest)

    def send(self, data, more):
        self.request.send(data, socket.MSG_MORE if more else 0)

    def receive(self, size):
        out = b""
        while len(out) < size:
            piece = self.request.recv(size - len(out))
            assert piece, f"the stream ended after {len(out)} of {size} bytes"
            out += piece
        return out

    def crypt(self, iv, data, operation=ENCRYPT):
        self.start(iv, data, operation=operation)
        return self.receive(len(data))

    def crypt_pieces(self, iv, data, cuts, operation=ENCRYPT):
        """In pieces of such lengths. Only whole blocks come out before the
        last piece has gone in."""
        out, pending, at = b"", 0, 0
        for number, cut in enumerate(cuts):
            more = number + 1 < len(cuts)
            if number:
                self.send(data[at:at + cut], more)
            else:
                self.start(iv, data[:cut], more, operation)
            at += cut
            pending += cut
            ready = pending // 64 * 64 if more else pending
            out += self.receive(ready)
            pending -= ready
        equal(at, len(data), "sum of the cuts")
        return out


def crypt(name, key, iv, data, operation=ENCRYPT):
    with Cipher(name, key) as cipher:
        return cipher.crypt(iv, data, operation)


def xor(one, other):
    size = len(one)
    return (int.from_bytes(one, "big") ^
            int.from_bytes(other[:size], "big")).to_bytes(size, "big")
