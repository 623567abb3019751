#!/usr/bin/env python3
"""Instructions and counters of eight books of the corpus, against those that were recorded.

    instructions.py TYPESET [--record] [--tolerance 1]

Times are noise on a machine that others use; instructions are not. Each book is laid out, and its first page is drawn, with one
worker under callgrind (Debian: valgrind). A sum of instructions, or a counter of --stats, more than the tolerance (per cent) above
the recorded one is an error: exit status 1. --record writes the sums of now to instructions.json, which is committed with the change
that brings them about. Other libraries and other processors execute other numbers of instructions: where the libraries' versions, or
the instructions of a program that is not ours, are others than those of the record, nothing is compared.
"""

import argparse
import concurrent.futures
import ctypes
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORD = pathlib.Path(__file__).with_name("instructions.json")
BOOKS = [
    "ar-daftar-al-bahhar",
    "de-briefe-aus-dem-stellwerk",
    "en-an-almanac-of-ornaments",
    "en-rain-gauge-manual",
    "en-the-keeper-of-small-lights",
    "en-the-lock-keepers-quarterly",
    "ja-tokeiya-no-hikae",
    "zh-yu-zhong-shudian",
]
WORKS = {"layout": ["--stats", "STATS"], "first page": ["--pages", "PAGES", "--only", "1"]}


def libraries(program):
    text = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    found = re.search(r"\((.*), build", text)[1]
    try:
        ctypes.CDLL("libisal.so.2")
        return found + ", ISA-L"
    except OSError:
        return found


def executed(command, **options):
    """The instructions of a command; None where it fails. What it says is the second value."""
    callgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    run = subprocess.run([*callgrind, *command], cwd=ROOT, capture_output=True, text=True, **options)
    count = re.search(r"Collected : (\d+)", run.stderr)
    return int(count[1]) if count and run.returncode == 0 else None, run.stderr


def probe():
    """The instructions of sorting lines, which depend on the C library and on what it has for this processor."""
    lines = "".join(f"{index * 7919 % 10007} a line to be sorted\n" for index in range(2000))
    return executed(["sort"], input=lines, env={"LC_ALL": "C", "PATH": os.environ.get("PATH", "/usr/bin")})[0]


def measure(program, book, work, folder, environment):
    """The instructions of one run, and the counters of a layout."""
    place = folder / f"{book} {work}"
    place.mkdir()
    stats = place / "stats"
    options = [{"STATS": str(stats), "PAGES": str(place / "pages")}.get(part, part) for part in WORKS[work]]
    count, said = executed([program, f"Corpus/{book}", "--jobs", "1", "--quiet", *options], env=environment)
    if count is None:
        sys.exit(f"instructions: {book}, {work}: {said[-400:]}")
    result = {"instructions": count}
    if stats.exists():
        counters = json.loads(stats.read_text())
        result |= {name: value for name, value in counters.items() if not name.startswith(("time.", "memory."))}
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("typeset", type=pathlib.Path)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--tolerance", type=float, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    options = parser.parse_args()
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {"libraries": "", "books": {}}
    now, machine = libraries(options.typeset), probe()
    if not options.record and now != record["libraries"]:
        print(f"instructions: not compared: recorded with {record['libraries']}, run with {now}")
        return
    if not options.record and not 0.998 < (machine or 0) / record["probe"] < 1.002:
        print(f"instructions: not compared: sorting lines took {record['probe']} instructions where they were recorded, here {machine}")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = folder / "typeset"
        # callgrind does not read all that a debugger would be told.
        subprocess.run(["strip", "-g", "-o", program, options.typeset], check=True)
        # Hashes of texts begin anew in each process unless told otherwise, and the indexes of fonts and of patterns are made by the
        # first runs.
        environment = os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1", "XDG_CACHE_HOME": str(folder / "cache")}
        # It is not kept while something it is made from has changed a moment ago.
        for _ in range(5):
            subprocess.run([program, f"Corpus/{BOOKS[0]}", "--stats", folder / "stats", "--quiet"], cwd=ROOT, env=environment,
                           check=True)
            if any(folder.glob("cache/typeset/*.index")):
                break
            time.sleep(2)
        for book in BOOKS[1:]:
            subprocess.run([program, f"Corpus/{book}", "--stats", folder / "stats", "--quiet"], cwd=ROOT, env=environment, check=True)
        tasks = [(book, work) for book in BOOKS for work in WORKS]
        with concurrent.futures.ThreadPoolExecutor(options.workers) as pool:
            results = list(pool.map(lambda task: measure(program, *task, folder, environment), tasks))
    faults = 0
    for (book, work), result in zip(tasks, results):
        known = record["books"].get(f"{book}, {work}", {})
        line = f"{book:32} {work:10} {result['instructions'] / 1e6:8.1f} million"
        if not options.record:
            for name, value in result.items():
                before = known.get(name)
                if before is None or value > before * (1 + options.tolerance / 100):
                    faults += 1
                    line += f"  {name} {before} -> {value}"
            if known:
                line += f"  {100 * (result['instructions'] / known['instructions'] - 1):+.1f} %"
        print(line)
    if options.record:
        books = {f"{book}, {work}": result for (book, work), result in zip(tasks, results)}
        RECORD.write_text(json.dumps({"libraries": now, "probe": machine, "books": books}, indent=1) + "\n")
    elif faults:
        sys.exit(f"instructions: {faults} figures are above what was recorded; mend that, or record them with --record and say why")


if __name__ == "__main__":
    main()
