#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Prints what tests/guest.py compares with, as JSON.

For each algorithm a key, an IV and the keystream that scripts/gen-vectors.py
makes of them, which is an implementation of its own; made ahead, because
Python is slow in an emulated guest.
"""

import hashlib
import importlib.util
import json
import pathlib
import sys

KEYSTREAM_BYTES = 6000

# Name, bytes of IV, bytes of key: every algorithm, and short keys
CASES = [(f"{x}chacha{rounds}", 32 if x else 16, 32)
         for x in ("", "x") for rounds in (20, 12, 8)]
CASES += [(f"salsa{rounds}", 8, keylen)
          for rounds in (20, 12, 8) for keylen in (32, 16)]
CASES += [("xsalsa20", 24, 32)]


def reference():
    path = pathlib.Path(__file__).parent.parent / "scripts/gen-vectors.py"
    spec = importlib.util.spec_from_file_location("gen_vectors", path)
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return module


def pattern(label, size):
    return hashlib.sha512(label.encode()).digest()[:size]


def main():
    gen = reference()
    rows = []
    for name, ivsize, keylen in CASES:
        key = pattern(f"key {name} {keylen}", keylen)
        iv = pattern(f"iv {name} {keylen}", ivsize)
        stream = gen.keystream(name, key, iv, KEYSTREAM_BYTES)
        rows.append({"name": name, "key": key.hex(), "iv": iv.hex(),
                     "stream": stream.hex()})
    json.dump(rows, sys.stdout)


if __name__ == "__main__":
    main()
