#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Turns a KUnit module's log into TAP, by the kernel's own parser.

usage: ktap.py KERNEL_SOURCE LOG SUITE...

Every case, or every parameter of one that has them, becomes a result. Each
SUITE has to be there: one that has not run at all would not be missed else.
"""

import contextlib
import io
import re
import subprocess
import sys


def parse(source, path):
    """The tree of tests, and reasons of skipped ones by their names. What the
    parser prints is dropped."""
    with open(path, encoding="utf-8", errors="replace") as log:
        lines = log.read().splitlines()
    reasons = dict(match.groups() for match in
                   (re.search(r"ok \d+ (?:- )?(\S+) # SKIP (.*)", line)
                    for line in lines) if match)
    sys.dont_write_bytecode = True
    sys.path.insert(0, source + "/tools/testing/kunit")
    with contextlib.redirect_stdout(io.StringIO()):
        # It takes stdout as it finds it when it is imported.
        import kunit_parser  # pylint: disable=import-outside-toplevel
        return kunit_parser.parse_run_tests(lines), reasons


def leaves(test, names=()):
    if not test.subtests:
        yield names, test
    for sub in test.subtests:
        yield from leaves(sub, names + (sub.name,))


def miscounted(test, names=()):
    """What has another number of results than it says itself: a suite in its
    plan, a case with parameters in its statistics, since KUnit gives it no plan
    and the parser then takes any number."""
    if not test.subtests:
        return
    said = test.expected_count
    if said is None:
        found = re.findall(
            rf"# {re.escape(test.name)}: pass:\d+ fail:\d+ skip:\d+ total:(\d+)",
            "\n".join(test.log))
        # One result is too few for statistics.
        said = int(found[-1]) if found else 1
    if said != len(test.subtests):
        yield f"{': '.join(names)}: {len(test.subtests)} of {said}"
    for sub in test.subtests:
        yield from miscounted(sub, names + (sub.name,))


def comment(lines):
    for line in lines:
        print("#", re.sub(r"^\[ *[0-9.]+\] *", "", line))


class Results:
    def __init__(self):
        self.number = 0
        self.count = {"passed": 0, "failed": 0, "skipped": 0}

    def add(self, outcome, name, reason="", log=()):
        self.number += 1
        self.count[outcome] += 1
        print("not ok" if outcome == "failed" else "ok",
              f"{self.number} - {name}" +
              (f" # SKIP {reason}" if outcome == "skipped" else ""))
        comment(log)

    def add_leaf(self, names, test, reason):
        outcome = {"SUCCESS": "passed", "SKIPPED": "skipped"}
        outcome = outcome.get(test.status.name, "failed")
        self.add(outcome, ": ".join(name or "(nameless)" for name in names),
                 reason, list(test.log) if outcome == "failed" else ())


def kunit_py(source, path):
    """The last line but one of "kunit.py parse", and its status."""
    done = subprocess.run(
        [sys.executable, "-B", source + "/tools/testing/kunit/kunit.py",
         "parse", path], text=True, check=False, stdout=subprocess.PIPE)
    found = re.findall(r"Testing complete\. Ran (\d+) tests: (.*)", done.stdout)
    if not found:
        return done.returncode, 0, {}
    counts = {name: int(number) for name, number in
              re.findall(r"(\w+): (\d+)", found[-1][1])}
    return done.returncode, int(found[-1][0]), counts


def main():
    source, path, *suites = sys.argv[1:]
    root, reasons = parse(source, path)
    results = Results()
    for names, test in leaves(root):
        if names:
            results.add_leaf(names, test, reasons.get(names[-1], "not said"))
    ran, counts = results.number, dict(results.count)

    present = {suite.name for suite in root.subtests}
    for suite in suites:
        results.add("passed" if suite in present else "failed",
                    f"the suite {suite} has run")
    wrong = list(miscounted(root))
    results.add("failed" if wrong else "passed",
                "every suite and case has as many results as it says",
                log=wrong)
    status, total, theirs = kunit_py(source, path)
    failed = theirs.get("failed", 0) + theirs.get("crashed", 0)
    agree = (total == ran > 0 and status == (failed > 0) and
             not theirs.get("errors") and failed == counts["failed"] and
             theirs.get("passed", 0) == counts["passed"] and
             theirs.get("skipped", 0) == counts["skipped"])
    results.add("passed" if agree else "failed",
                "kunit.py parse counts the same, and no errors",
                log=[] if agree else [f"status {status}: {theirs}; here: {counts}"])
    print(f"1..{results.number}")
    return results.count["failed"] > 0


if __name__ == "__main__":
    sys.exit(main())
