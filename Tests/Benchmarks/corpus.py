#!/usr/bin/env python3
"""typeset beside mutool on every book of a folder: a table of ratios.

    corpus.py TYPESET FOLDER [--runs 3] [--work layout,first,pages]

The folder holds EPUBs, packed or not; those that mutool cannot open are left out. Each figure is our CPU time (user and system, of
the whole process, one worker) over mutool's (Debian: mupdf-tools), the median of some runs in alternation, and behind it our peak
of memory over its. Below stand the geometric means and the worst book of each kind of work (rivals.py says what these are).
"""

import argparse
import math
import pathlib
import shutil
import statistics
import sys
import tempfile
import zipfile

import rivals


def packed(book, folder):
    """The book as one file, which mutool wants."""
    if book.is_file():
        return book
    path = folder / f"{book.name}.epub"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(book / "mimetype", "mimetype", zipfile.ZIP_STORED)
        for part in sorted(book.rglob("*")):
            if part.is_file() and part.name != "mimetype":
                archive.write(part, part.relative_to(book))
    return path


def ratios(typeset, book, work, runs):
    """CPU and memory of ours over the rival's; None where one of them fails."""
    with tempfile.TemporaryDirectory() as name:
        commands = rivals.commands(typeset, book, work, pathlib.Path(name))
        pairs = [(rivals.measure(commands["typeset"]), rivals.measure(commands["mutool"])) for _ in range(runs + 1)][1:]
    if any(ours is None or theirs is None for ours, theirs in pairs):
        return None
    return tuple(statistics.median(ours[index] / theirs[index] for ours, theirs in pairs) for index in (0, 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("typeset", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--work", default="layout,first,pages")
    options = parser.parse_args()
    if not shutil.which("mutool"):
        sys.exit("corpus: mutool is not installed (Debian: mupdf-tools)")
    works = options.work.split(",")
    books = sorted(
        path for path in options.folder.iterdir() if path.suffix == ".epub" or (path / "META-INF/container.xml").exists())
    print("| book | " + " | ".join(works) + " |\n| --- |" + " --- |" * len(works))
    table = {work: [] for work in works}
    with tempfile.TemporaryDirectory() as name:
        for book in books:
            file = packed(book, pathlib.Path(name))
            cells = []
            for work in works:
                found = ratios(options.typeset.resolve(), file, work, options.runs)
                cells.append(f"{found[0]:.2f}, {found[1]:.2f}" if found else "")
                if found:
                    table[work].append((*found, book.stem))
            if any(cells):
                print(f"| {book.stem} | " + " | ".join(cells) + " |", flush=True)
    for title, figure in [
        ("geometric mean", lambda rows: "%.2f, %.2f" % tuple(
            math.exp(statistics.mean(math.log(row[index]) for row in rows)) for index in (0, 1))),
        ("worst", lambda rows: "%.2f, %.2f" % tuple(max(row[index] for row in rows) for index in (0, 1))),
    ]:
        print(f"| {title} | " + " | ".join(figure(table[work]) if table[work] else "" for work in works) + " |")


if __name__ == "__main__":
    main()
