#!/usr/bin/env python3
"""Writes the list of functions by which the linker puts the program's code in order (Sources/typeset/functions.order).

    function_order.py TYPESET BOOK... [--out FILE]

Of sixteen megabytes of code a book runs two. Scattered as the compiler leaves them, they make the system map most of the rest;
side by side they are mapped alone, which is five megabytes less of resident memory and fewer page faults before the first page.
The books are set under callgrind (Debian: valgrind): their first pages, their layout, some of their pages. The more of these runs
a function takes part in, the further ahead it stands; among equals the program's order holds, which keeps modules together.

Functions of the Swift runtime that share one section cannot be moved alone and bring megabytes of neighbours with them: their names,
which functions of ours may have too, end the list. Names that no longer exist are ignored by the linker, functions that are not listed come after the others, so
the list may grow old; it changes no result.
"""

import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import tempfile


def executed(program, arguments):
    """The names of the program's functions that run."""
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile"
        command = ["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={profile}", program]
        command += [str(part).replace("FOLDER", folder) for part in arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        names, objects, found, ours = {}, {}, set(), False
        for line in profile.read_text(errors="replace").splitlines():
            if match := re.match(r"(c?)(ob|fn)=\((\d+)\)(?: (.*))?", line):
                called, kind, number, name = match.groups()
                table = objects if kind == "ob" else names
                if name:
                    table[number] = name
                if called:
                    continue
                if kind == "ob":
                    ours = pathlib.Path(objects[number]) == pathlib.Path(program)
                elif ours:
                    found.add(re.sub(r"'\d+$", "", names[number]))
        return found


def sharing_a_section():
    """The names of the functions of the Swift runtime that stand in one section with others."""
    swift = pathlib.Path(shutil.which("swift")).resolve()
    found = set()
    for archive in sorted((swift.parent.parent / "lib/swift_static/linux").glob("*.a")):
        symbols = subprocess.run(["objdump", "-t", archive], check=True, capture_output=True, text=True, errors="replace").stdout
        found.update(re.findall(r" F \.text\t[0-9a-f]+ (?:\.hidden )?(\S+)$", symbols, re.M))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("typeset", type=pathlib.Path)
    parser.add_argument("books", nargs="+", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    program = options.typeset.resolve()
    places = {}
    for line in subprocess.run(["nm", program], check=True, capture_output=True, text=True).stdout.splitlines():
        if match := re.match(r"([0-9a-f]+) [tTwWuV] (\S+)$", line):
            places.setdefault(match[2], int(match[1], 16))
    works = [["--pages", "FOLDER/pages", "--only", "1"],
             ["--stats", "FOLDER/stats"],
             ["--pages", "FOLDER/pages", "--layout", "FOLDER/layout", "--only", "1-24"]]
    runs = collections.Counter()
    for work in works:
        for book in options.books:
            runs.update(executed(program, [book, "--jobs", "1", "--quiet", *work]))
    heavy = sharing_a_section()
    order = sorted(runs.keys() & places.keys(), key=lambda name: (name in heavy, -runs[name], places[name], name))
    text = "# What books run, by Tests/Benchmarks/function_order.py: the linker puts it in this order.\n"
    text += "".join(f"{name}\n" for name in order)
    if options.out:
        options.out.write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
