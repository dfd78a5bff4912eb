#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Cases for a guest of scripts/vm or scripts/uml; prints TAP.

usage: guest.py ISA,... FOLDER GROUP[=NUMBER]...

ISA,... are the instruction sets that the module may use there. FOLDER has the
output of tests/oracle.py as "oracle", tests/registers.c built as "registers",
and the host's "cpuinfo" where the guest's own does not tell of the CPU. The
groups are the functions group_... below; before and after each the module is
not loaded.
"""

import errno
import json
import os
import random
import re
import signal
import subprocess
import sys
import time

from guest_api import (ALGORITHMS, DECRYPT, ENCRYPT, ISAS, MODULE,
                       SECTION_BYTES, Cipher, Log, Results, Skip, algorithms,
                       bound, crypt, driver_names, entries, equal, fails_with,
                       in_tree, insert, is_loaded, lift_restriction, load,
                       load_in_tree, must_run, ours, priorities, references,
                       remove, run, sections, sections_of, set_key, unload,
                       unload_if_loaded, xor)

results = Results()
usable = []
priority = {}
oracle = []
folder = ""


def kernel_at_least(*version):
    numbers = os.uname().release.split("-")[0].split("+")[0].split(".")
    return tuple(int(number) for number in numbers[:2]) >= version


def best():
    """The kernel selects by priority."""
    return max(usable, key=priority.get)


def rows(name):
    """The oracle's, without the name's suffix of an instruction set."""
    return [(bytes.fromhex(row["key"]), bytes.fromhex(row["iv"]),
             bytes.fromhex(row["stream"])) for row in oracle
            if row["name"] == name.partition("-")[0]]


# --------------------------------------------------------- loading, unloading

def registers(limit):
    """Just the drivers up to that instruction set, priorities and all."""
    log = Log()
    load(*([f"isa={limit}"] if limit else []))
    names = list(ISAS)
    isas = [isa for isa in usable
            if not limit or names.index(isa) <= names.index(limit)]
    found = ours()
    equal(set(found), driver_names(isas), "drivers")
    # The file has the last to be registered first: the best was the first.
    equal([name.rpartition("-")[2] for name in found
           if name.startswith("chacha20-")], isas, "order")
    for name, entry in found.items():
        isa = name.rpartition("-")[2]
        equal(int(entry["priority"]), priority[isa], f"priority of {name}")
        equal(entry["selftest"], "passed", name)
        equal((entry["blocksize"], entry["chunksize"], entry["async"]),
              ("1", "64", "no"), name)
    said = [line for line in log.text().splitlines()
            if f"{MODULE}: registered" in line]
    equal(len(said), 1, "lines in the log")
    equal(said[0].partition("drivers: ")[2].split(), isas, "the log's line")
    unload()
    equal(ours(), {}, "after the unload")


def refuses(value):
    log = Log()
    fails_with(errno.EINVAL, insert, f'isa="{value}"')
    assert run("modprobe", MODULE, f'isa="{value}"').returncode
    assert not is_loaded(), "it is loaded all the same"
    equal(ours(), {}, "drivers")
    message = [line for line in log.text().splitlines() if MODULE in line]
    assert message, "no message"
    for isa in ISAS:
        assert isa in message[-1].replace(",", " ").split(), message[-1]


def group_isa():
    results.clean_up = unload_if_loaded
    for limit in [None, *ISAS]:
        results.case(f"isa={limit} registers just what it should" if limit else
                     "without isa= all that the CPU can run is registered",
                     registers, limit)
    for value in ("bogus", "", "AVX2", "avx5", "sse2,avx2", " sse2"):
        results.case(f"isa='{value}' is refused, and the right ones named",
                     refuses, value)


def snapshot():
    return sorted((entry["name"], entry["driver"], entry["priority"])
                  for entry in algorithms())


def leaves_nothing():
    before = snapshot()
    load()
    assert snapshot() != before
    unload()
    equal(snapshot(), before, "/proc/crypto")


def second_insert():
    load()
    before = snapshot()
    fails_with(errno.EEXIST, insert)
    assert run("insmod", f"/lib/modules/{os.uname().release}"
               "/updates/chacha-simd.ko").returncode
    equal(snapshot(), before, "/proc/crypto")
    unload()


def remove_in_use():
    load()
    key, iv, stream = rows("chacha20")[0]
    cipher = Cipher("chacha20", key)
    assert references(f"chacha20-{best()}") > 1, "it is not in use"
    # The kernel's own word for it; EBUSY is what rmmod makes of it.
    fails_with(errno.EAGAIN, remove)
    done = run("rmmod", MODULE)
    assert done.returncode and "in use" in done.stdout, done.stdout
    equal(set(ours()), driver_names(usable), "drivers")
    equal(cipher.crypt(iv, bytes(500)), stream[:500], "keystream")
    cipher.close()
    unload()


def left_out():
    """scripts/check-guest has made this module wait a few seconds before its
    last registration, which then fails."""
    log = Log()
    loader = os.fork()
    if not loader:
        status = 1
        try:
            insert("isa=scalar")
            status = 0
        finally:
            os._exit(status)
    while "salsa8-scalar" not in [entry["driver"] for entry in entries()]:
        time.sleep(0.05)
    key, iv, stream = rows("salsa20")[0]
    early = Cipher("salsa20-scalar", key)
    while "cannot be registered" not in log.text():
        time.sleep(0.05)
    equal(os.waitpid(loader, 0)[1], 0, "status of the load")
    late = Cipher("salsa20-scalar", key)
    equal(set(ours()), driver_names(["scalar"]) - {"xsalsa20-scalar"},
          "drivers")
    for cipher in (early, late):
        equal(cipher.crypt(iv, bytes(500)), stream[:500], "keystream")
        fails_with(errno.EAGAIN, remove)
        cipher.close()
    unload()
    equal(ours(), {}, "drivers after the unload")


def group_leftout():
    results.clean_up = unload_if_loaded
    results.case("a driver that cannot be registered is left out, and the "
                 "others serve", left_out)


def group_load():
    results.clean_up = unload_if_loaded
    results.case("/proc/crypto is as before after a load and an unload",
                 leaves_nothing)
    results.case("a second insmod gives EEXIST and changes nothing",
                 second_insert)
    results.case("rmmod in use is refused, and works afterwards", remove_in_use)
    results.case("who may read the parameters", modes)
    results.case("Salsa20: a new IV begins a new stream", new_iv)


def hammer(stop, pause):
    """Uses the names that the kernel has a driver for as well, until told."""
    names = ("chacha20", "xchacha12", "xchacha20")
    wrong = uses = 0
    while not stop():
        name = names[uses % 3]
        key, iv, stream = rows(name)[0]
        wrong += crypt(name, key, iv, bytes(1000)) != stream[:1000]
        uses += 1
        time.sleep(pause)
    return wrong, uses


class Hammer:
    """A process of its own that does it."""

    def __init__(self, pause=0):
        self.pause = pause

    def __enter__(self):
        self.pipe, write = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            stopped = []
            signal.signal(signal.SIGTERM, lambda *_: stopped.append(1))
            report = b"died"
            try:
                report = b"%d %d" % hammer(lambda: stopped, self.pause)
            finally:
                os.write(write, report)
                os._exit(0)
        os.close(write)
        return self

    def __exit__(self, *_):
        os.kill(self.pid, signal.SIGTERM)
        os.waitpid(self.pid, 0)
        report = os.read(self.pipe, 100).decode()
        os.close(self.pipe)
        wrong, uses = (int(number) for number in report.split())
        equal(wrong, 0, "wrong results")
        assert uses > 10, f"only {uses} uses"


def memory():
    """Kilobytes that a leak would be seen in."""
    time.sleep(0.5)
    with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as file:
        file.write("3")
    with open("/proc/meminfo", encoding="ascii") as file:
        fields = dict(line.split(":") for line in file)
    return {name: int(fields[name].split()[0])
            for name in ("SUnreclaim", "VmallocUsed", "Percpu")}


def load_and_unload(times):
    for i in range(times):
        insert(("", "isa=scalar", "isa=sse2")[i % 3])
        unload()


def has_not_grown(before):
    after = memory()
    for name, limit in (("SUnreclaim", 1000), ("VmallocUsed", 1000),
                        ("Percpu", 100)):
        grown = after[name] - before[name]
        assert grown < limit, f"{name} has grown by {grown} KiB"


def many_loads(times):
    """A load takes 6 to 30 KiB of slab memory, 2 of each CPU's, 250 of that
    for modules."""
    load_in_tree()      # for the time between two loads
    load_and_unload(10)
    before = memory()
    with Hammer(pause=0.01):
        load_and_unload(times)
    has_not_grown(before)
    equal(ours(), {}, "drivers")


def group_loads(times=100):
    results.case(f"{times} loads and unloads under use leak nothing",
                 many_loads, times)


def refused_loads(number, times):
    for _ in range(times):
        fails_with(errno.ENOMEM, insert, f"fail_at={number}")
        assert not is_loaded(), "it is loaded all the same"


def allocation_fails(number):
    """Often enough for what one load leaves behind to be seen."""
    before = snapshot()
    refused_loads(number, 10)
    used = memory()
    refused_loads(number, 50)
    has_not_grown(used)
    equal(snapshot(), before, "/proc/crypto")


def group_allocations(count):
    """For a copy of the module with the parameter fail_at: which of the COUNT
    allocations of a load fails."""
    results.clean_up = unload_if_loaded
    for number in range(1, count + 1):
        results.case(f"allocation {number} of {count} fails: ENOMEM, and "
                     "nothing is left", allocation_fails, number)
    results.case("and there are no more of them", insert,
                 f"fail_at={count + 1}")


def autoloads(name):
    key, iv, stream = rows(name)[0]
    assert not is_loaded()
    equal(crypt(name, key, iv, bytes(300)), stream[:300], "keystream")
    assert is_loaded(), "the module has not been loaded"
    unload()


def group_autoload():
    results.clean_up = unload_if_loaded
    for name in ALGORITHMS:
        if name not in ("chacha20", "xchacha20", "xchacha12"):
            results.case(f"asking for {name} loads the module", autoloads, name)


# -------------------------------------------------------------- what it gives

def rfc_8439():
    """Section 2.4.2."""
    text = (b"Ladies and Gentlemen of the class of '99: If I could offer you "
            b"only one tip for the future, sunscreen would be it.")
    want = bytes.fromhex(
        "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0b"
        "f91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d8"
        "07ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736"
        "5af90bbf74a35be6b40b8eedf2785e42874d")
    iv = bytes.fromhex("01000000000000000000004a00000000")
    with Cipher("chacha20", bytes(range(32))) as cipher:
        assert references(f"chacha20-{best()}") > 1, "another driver serves it"
        equal(cipher.crypt(iv, text), want)


def message(size):
    return random.Random(size).randbytes(size)


def one_shot(driver):
    for key, iv, stream in rows(driver):
        data = message(len(stream))
        want = xor(data, stream)
        equal(crypt(driver, key, iv, data), want, "encrypted")
        equal(crypt(driver, key, iv, want, DECRYPT), data, "decrypted")
        for size in (1, 63, 64, 65, 700, 2049):
            equal(crypt(driver, key, iv, data[:size]), want[:size],
                  f"{size} bytes")


def counts_sections(driver):
    """In a task SIMD is always usable."""
    key, iv, _ = rows(driver)[0]
    with Cipher(driver, key) as cipher:
        for size in (1, 64, 65, 700, 4096, 4160, 4161, 8192, 20000):
            simd, fallback = sections()
            cipher.crypt(iv, bytes(size))
            if not driver.endswith("-scalar"):
                simd += sections_of(size)
            equal(sections(), (simd, fallback), f"{size} bytes: sections")


def cut(rng, size):
    """Into pieces, some of whole blocks, some odd, some tiny."""
    cuts = []
    while size:
        piece = min(size, rng.choice((64, 128, 1024, rng.randint(1, 63),
                                      rng.randint(1, 2000))))
        cuts.append(piece)
        size -= piece
    return cuts


def pieces(driver):
    if "salsa" in driver and not kernel_at_least(6, 8):
        raise Skip("this kernel cannot continue a request of Salsa20")
    rng = random.Random(driver)
    for key, iv, stream in rows(driver):
        data = message(len(stream))
        want = xor(data, stream)
        for operation in (ENCRYPT, DECRYPT):
            cuts = cut(rng, len(data))
            with Cipher(driver, key) as cipher:
                got = cipher.crypt_pieces(iv, data, cuts, operation)
                assert got == want, f"cut into {cuts}"
                # The transform is as new for another message.
                equal(cipher.crypt(iv, data[:100]), want[:100], "afterwards")


def zero_length(driver):
    """As the kernel's own driver does it: nothing comes, nothing breaks."""
    key, iv, stream = rows(driver)[0]
    with Cipher(driver, key) as cipher:
        cipher.start(iv, b"")
        equal(cipher.request.recv(16), b"")
    with Cipher(driver, key) as cipher:
        equal(cipher.crypt(iv, bytes(100)), stream[:100], "afterwards")


def wrong_keys(driver):
    right = {len(key) for key, _, _ in rows(driver)}
    with bound(driver) as sock:
        for size in [*range(0, 41), 64, 128]:
            if size in right:
                set_key(sock, bytes(size))
            else:
                fails_with(errno.EINVAL, set_key, sock, bytes(size))


def keep_key_after_wrong_one(driver):
    key, iv, stream = rows(driver)[0]
    with bound(driver) as sock:
        set_key(sock, key)
        fails_with(errno.EINVAL, set_key, sock, bytes(17))
    with Cipher(driver, key) as cipher:
        equal(cipher.crypt(iv, bytes(100)), stream[:100])


def group_bytes():
    load()
    results.case("chacha20 by its plain name: RFC 8439's vector, served by us",
                 rfc_8439)
    for driver in sorted(driver_names(usable)):
        results.case(f"{driver}: in one piece", one_shot, driver)
        results.case(f"{driver}: in pieces with MSG_MORE", pieces, driver)
        results.case(f"{driver}: zero length", zero_length, driver)
        results.case(f"{driver}: sections with SIMD, as many as it takes",
                     counts_sections, driver)
        results.case(f"{driver}: wrong keys give EINVAL", wrong_keys, driver)
        results.case(f"{driver}: works after a wrong key",
                     keep_key_after_wrong_one, driver)
    unload()


def nobody_can(path):
    """Whether a user without rights fails to read a file."""
    return run("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
               "cat", path).returncode != 0


def modes():
    load()
    folder_of = f"/sys/module/{MODULE}/parameters/"
    assert nobody_can(folder_of + "simd_sections")
    assert nobody_can(folder_of + "fallback_sections")
    assert not nobody_can(folder_of + "isa")
    with open(folder_of + "isa", encoding="ascii") as file:
        equal(file.read(), "avx512\n", "isa")
    unload()


def new_iv():
    """On the socket of a message that was to go on."""
    if not kernel_at_least(6, 8):
        raise Skip("this kernel cannot continue a request of Salsa20")
    load()
    for name in ("salsa20", "xsalsa20"):
        key, iv, stream = rows(name)[0]
        other = bytes([iv[0] ^ 1]) + iv[1:]
        with Cipher(name, key) as cipher:
            cipher.start(other, bytes(128), more=True)
            cipher.receive(128)
            equal(cipher.crypt(iv, bytes(300)), stream[:300], name)
    unload()


def group_short():
    """For CPUs that only differ in what they have."""
    results.case("registers just what the CPU can run", registers, None)
    load()
    results.case("chacha20 by its plain name: RFC 8439's vector, served by us",
                 rfc_8439)
    for driver in sorted(driver_names([best()])):
        results.case(f"{driver}: in one piece", one_shot, driver)
    unload()


# ---------------------------------------------------------- those who hold on

def old_transform():
    load_in_tree()
    key, iv, stream = rows("chacha20")[0]
    with Cipher("chacha20", key) as old:
        assert references(in_tree("chacha20")) > 1, \
            "the kernel's own driver is not used"
        load()
        equal(references(f"chacha20-{best()}"), 1, "references of ours")
        equal(old.crypt(iv, bytes(500)), stream[:500], "old transform")
        with Cipher("chacha20", key) as new:
            assert references(f"chacha20-{best()}") > 1, "ours is not used"
            equal(new.crypt(iv, bytes(500)), stream[:500], "new transform")
        equal(old.crypt(iv, bytes(600)), stream[:600], "old transform again")
    equal(references(f"chacha20-{best()}"), 1, "references of ours, afterwards")
    unload()


def instances(start):
    return {entry["driver"] for entry in algorithms()
            if entry["driver"].startswith(start)}


def template(name, kind, inner, key, iv):
    """An instance that was made on the kernel's driver is made anew on ours,
    with the same result, and back again."""
    start = name.partition("(")[0] + "("
    mine = f"{start}{inner}-{best()},"

    def result():
        with Cipher(name, key, kind) as cipher:
            more = {"assoclen": 0} if kind == "aead" else {}
            cipher.start(iv, bytes(range(256)) * 4, **more)
            size = 1024 + (16 if kind == "aead" else 0)
            return cipher.receive(size), instances(start)

    load_in_tree()
    before, drivers = result()
    assert not [driver for driver in drivers if driver.startswith(mine)]
    load()
    during, drivers = result()
    assert [driver for driver in drivers if driver.startswith(mine)], drivers
    unload()
    after, drivers = result()
    assert not [driver for driver in drivers if driver.startswith(mine)], drivers
    assert before == during == after, "the results differ"


def group_users():
    results.clean_up = unload_if_loaded
    results.case("a transform from before the load keeps its driver",
                 old_transform)
    results.case("rfc7539(chacha20,poly1305) is rebuilt on ours", template,
                 "rfc7539(chacha20,poly1305)", "aead", "chacha20",
                 bytes(range(32)), bytes(range(12)))
    results.case("adiantum(xchacha12,aes) is rebuilt on ours", template,
                 "adiantum(xchacha12,aes)", "skcipher", "xchacha12",
                 bytes(range(32)), bytes(range(32)))


# -------------------------------------------------------------- FPU sections

class Checkers:
    """Programs that hold a pattern in all vector registers and use the driver
    themselves; they may not see it change."""

    def __init__(self, algorithm, seconds):
        self.command = [f"{folder}/registers", str(seconds), algorithm]

    def __enter__(self):
        self.processes = [subprocess.Popen(self.command, text=True,
                                           stdout=subprocess.PIPE,
                                           stderr=subprocess.STDOUT)
                          for _ in range(2)]
        return self

    def __exit__(self, *_):
        for process in self.processes:
            said, _ = process.communicate()
            equal(process.returncode, 0, said)
            assert int(said.split()[0]) > 20, said


def registers_stay():
    load()
    for isa in usable:
        with Checkers(f"chacha20-{isa}", 1):
            pass
    unload()


TRACE = "/sys/kernel/tracing"


def write_to(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


class Trace:
    """Counts in which contexts a function of the module is called."""

    def __init__(self, function):
        if not os.path.exists(f"{TRACE}/kprobe_events"):
            must_run("mount", "-t", "tracefs", "none", TRACE)
        write_to(f"{TRACE}/kprobe_events", f"p:probe {MODULE}:{function}\n")
        write_to(f"{TRACE}/trace", "")
        self.switch("1")

    def switch(self, on):
        write_to(f"{TRACE}/events/kprobes/probe/enable", on)

    def stop(self):
        """Calls in softirq, and all."""
        self.switch("0")
        with open(f"{TRACE}/trace", encoding="ascii") as file:
            flags = [match.group(1) for match in
                     (re.search(r"\[\d+\] (\S+) .*: probe:", line)
                      for line in file) if match]
        write_to(f"{TRACE}/kprobe_events", "")
        return len([flag for flag in flags if "s" in flag]), len(flags)


class Volume:
    """dm-crypt without its workqueues, on a device that completes requests in
    an interrupt: what it reads is decrypted in softirq."""

    def __init__(self, cipher):
        self.cipher = cipher

    def __enter__(self):
        must_run("cryptsetup", "open", "--type", "plain", "--cipher",
                 self.cipher, "--key-size", "256", "--key-file", "/dev/zero",
                 "--keyfile-size", "32", "--perf-no_read_workqueue",
                 "--perf-no_write_workqueue", "/dev/nullb0", "check")
        return self

    def __exit__(self, *_):
        must_run("cryptsetup", "close", "check")

    @staticmethod
    def write(path):
        must_run("dd", f"if={path}", "of=/dev/mapper/check", "bs=64k",
                 "oflag=direct")

    @staticmethod
    def reads_back(path):
        must_run("dd", "if=/dev/mapper/check", f"of={path}.back", "bs=64k",
                 f"count={os.path.getsize(path) // 65536}", "iflag=direct")
        must_run("cmp", path, f"{path}.back")


def softirq(cipher):
    path = "/tmp/softirq-data"
    with open(path, "wb") as file:
        file.write(random.Random(cipher).randbytes(1 << 20))
    load()
    with Hammer(), Checkers("chacha20", 4):
        trace = Trace("stream_simd_crypt")
        with Volume(cipher) as volume:
            volume.write(path)
            volume.reads_back(path)
        inside, calls = trace.stop()
    assert inside > 100, f"only {inside} of {calls} calls were in softirq"
    unload()
    with Volume(cipher) as volume:
        assert not is_loaded()
        volume.reads_back(path)


FPU_TEST = "chacha_simd_fpu"
FPU_LENGTHS = (1, 64, 65, 200, 1000, 4096, 4126, 4161, 10000)
FPU_MISSING = (1, 3000)     # bytes of lists that are too short


def contexts():
    """The ways of tests/fpu/contexts.c to a request, and whether SIMD is usable
    there: not in a section, and in a hard interrupt only if that has come while
    softirqs were on (irq_fpu_usable()). From 6.15 on a section has them off,
    and what was to run in it comes after it."""
    return {
        "": True,
        "bh-off": True,
        "section": False,
        "softirq": True,
        "softirq,section": False,
        "section,softirq": kernel_at_least(6, 15),
        "hardirq": True,
        "hardirq,section": False,
        "section,hardirq": False,
        "bh-off,hardirq": False,
        "softirq,hardirq": False,
    }


def sections_until(size, there):
    """Sections of a request that fails where its list ends."""
    whole = there // SECTION_BYTES
    return whole + sections_of(min(size - whole * SECTION_BYTES, SECTION_BYTES))


def requests_in(steps, isa, want, missing=0):
    """The right bytes, or EINVAL where the lists end MISSING bytes too early;
    WANT sections for each that the request needs, and no warning."""
    drivers = [f"{name}-{isa}" for name in ALGORITHMS]
    count = len(drivers) * sum(
        sections_until(size, max(size - missing, 0)) if missing else
        sections_of(size) for size in FPU_LENGTHS)
    log = Log()
    before = sections()
    error = None
    try:
        insert(f"drivers={','.join(drivers)} "
               f"lengths={','.join(map(str, FPU_LENGTHS))} "
               f"missing={missing} "
               + (f"steps={steps}" if steps else ""), FPU_TEST)
        remove(FPU_TEST)
    except OSError as caught:
        error = caught
    said = re.findall(rf"^.*(?:WARNING:|BUG:|{FPU_TEST}:).*", log.text(), re.M)
    assert not error and not said, (error, said)
    equal([new - old for new, old in zip(sections(), before)],
          [count * each for each in want], "sections, SIMD's and fallback's")


def requests_in_contexts():
    load()
    for steps, simd_usable in contexts().items():
        where = f"task,{steps}".strip(",").replace(",", " > ")
        path = "with SIMD" if simd_usable else "by the fallback"
        want = (1, 0) if simd_usable else (0, 1)
        for isa in usable:
            simd = isa != "scalar"
            results.case(f"{where}: -{isa}" +
                         (f" {path}" if simd else ", which has no sections"),
                         requests_in, steps, isa, want if simd else (0, 0))
            for missing in FPU_MISSING:
                results.case(f"{where}: -{isa}, {missing} bytes of the lists "
                             "missing", requests_in, steps, isa,
                             want if simd else (0, 0), missing)
    unload()


def irq_mode():
    """A timer's interrupt may come in the middle of a section; but where dm-crypt
    hands what comes in one to a workqueue after all, a softirq has to do."""
    if kernel_at_least(6, 12):
        return ["irqmode=2", "completion_nsec=20000"]
    return ["irqmode=1", "poll_queues=0"]


def group_fpu():
    requests_in_contexts()
    results.clean_up = unload_if_loaded
    results.case("vector registers of programs stay as they are",
                 registers_stay)
    must_run("modprobe", "null_blk", "nr_devices=1", "memory_backed=1", "gb=1",
             *irq_mode())
    load_in_tree()
    for cipher in ("capi:chacha20-plain64", "xchacha12,aes-adiantum-plain64"):
        results.case(f"{cipher.partition('-')[0]}: dm-crypt in softirq, beside "
                     "load; readable without us", softirq, cipher)


def main():
    global folder
    groups = {name[len("group_"):]: function
              for name, function in globals().items()
              if name.startswith("group_")}
    isas, folder, *wanted = sys.argv[1:]
    usable.extend(isas.split(","))
    cpuinfo = f"{folder}/cpuinfo"
    priority.update(priorities(cpuinfo if os.path.exists(cpuinfo)
                               else "/proc/cpuinfo"))
    with open(f"{folder}/oracle", encoding="ascii") as file:
        oracle.extend(json.load(file))
    lift_restriction()
    for name in wanted:
        name, _, number = name.partition("=")
        begun = time.monotonic()
        groups[name](*([int(number)] if number else []))
        results.clean_up = lambda: None
        unload_if_loaded()
        print(f"# {name}: {time.monotonic() - begun:.1f} s", flush=True)
    results.plan()
    return results.failed > 0


if __name__ == "__main__":
    sys.exit(main())
