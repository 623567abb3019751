#!/usr/bin/env python3
"""Counts how often the parts of the program's functions run (Sources/typeset/functions.proftext).

    function_profile.py [BOOK...] [--out FILE]

The compiler lays out a function by these counts: what runs often stands together and is inlined, what runs seldom stands apart.
They make layout up to a tenth faster. A program that counts is built beside the ordinary one (Scripts/release.sh --counting) and sets the
books, which are those of Corpus/ unless others are named: each whole, and its first pages drawn.

Functions that take no part in nearly all of the work are left out, so the compiler treats them as it treats any function. A function
whose code has changed since is treated so too, hence the list may grow old; it changes no result.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The share of all counts that the listed functions have.
SHARE = 0.998


def corpus():
    """The books of Corpus/. Its cases are left out: programs that hardly begin would outweigh the work on books."""
    return sorted(found.parent for found in (ROOT / "Corpus").glob("*/mimetype"))


def set_books(program, books, folder):
    """Arguments of llvm-profdata for the profiles of the program's runs: layout weighs ten times as much as drawing, whose loops over
    pixels would leave all else among what runs seldom."""
    inputs = []
    # What a machine keeps between runs (the list of fonts, dictionaries) is made before.
    subprocess.run([program, books[0], "--stats", folder / "stats", "--quiet"], check=True, stdout=subprocess.DEVNULL,
                   env=os.environ | {"LLVM_PROFILE_FILE": os.devnull})
    for number, book in enumerate(books):
        for weight, work in ((10, ["--stats", folder / "stats"]), (1, ["--pages", folder / f"pages-{number}", "--only", "1-8"])):
            raw = folder / f"{number}-{weight}.profraw"
            subprocess.run([program, book, "--jobs", "1", "--quiet", *work], check=True, env=os.environ | {"LLVM_PROFILE_FILE": str(raw)},
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            inputs.append(f"-weighted-input={weight},{raw}")
    return inputs


def without_local(targets):
    """The functions that a place calls by their addresses, behind their number."""
    kept = [target for target in targets if ";" not in target]
    return f"{len(kept)}\n" + "".join(kept)


def trimmed(profile):
    """The functions of a profile that have nearly all counts, by their names, in LLVM's text format."""
    head, *functions = profile.split("\n# Func Hash:\n")
    *lines, name = head.splitlines()
    records = []
    for number, function in enumerate(functions):
        function, _, following = function.rpartition("\n") if number + 1 < len(functions) else (function, "", "")
        # LLVM takes a name that begins with a dollar for a count of bitmap bytes, unless there is one.
        counted = re.sub(r"(# Counter Values:\n(?:\d+\n)+)", r"\1$0\n", function.strip("\n") + "\n")
        counts = re.search(r"# Counter Values:\n((?:\d+\n)+)", counted)
        # Functions of one file alone are named by its place on this machine, where they are called by an address too.
        if counts and ";" not in name:
            plain = re.sub(r"^#.*\n|^\n", "", counted, flags=re.M)
            called = re.sub(r"^\d+\n((?:.*:\d+\n)+)", lambda found: without_local(found[1].splitlines(True)), plain, flags=re.M)
            records.append((sum(map(int, counts[1].split())), name, called))
        name = following
    records.sort(reverse=True)
    whole, seen, kept = sum(record[0] for record in records), 0, []
    for total, name, function in records:
        if seen >= whole * SHARE:
            break
        seen += total
        kept.append(f"{name}\n{function}\n")
    note = "# How often functions run, by Tests/Benchmarks/function_profile.py: the compiler lays them out by it.\n"
    return note + "".join(f"{line}\n" for line in lines if not line.startswith("#")) + "".join(sorted(kept))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("books", nargs="*", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "Sources/typeset/functions.proftext")
    options = parser.parse_args()
    subprocess.run([ROOT / "Scripts/release.sh", "--counting"], check=True)
    merge = pathlib.Path(shutil.which("swiftc")).resolve().with_name("llvm-profdata")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        inputs = set_books(ROOT / ".build/counting/release/typeset", options.books or corpus(), folder)
        subprocess.run([merge, "merge", "-sparse", "-text", "-o", folder / "profile", *inputs], check=True)
        options.out.write_text(trimmed((folder / "profile").read_text()))


if __name__ == "__main__":
    main()
