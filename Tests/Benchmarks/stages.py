#!/usr/bin/env python3
"""What each stage costs for a character, from `--stats`.

    stages.py TYPESET BOOK... [--runs N]

Prints nanoseconds of CPU for a character of text by stage (the least of the runs), peak memory in bytes for a character, the time
of the first page, and how the time of one drawn page compares with the whole. Compare two builds on one machine, side by side.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

STAGES = ["open", "parse", "style", "boxes", "shape", "layout", "paint", "encode"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("typeset", type=pathlib.Path)
    parser.add_argument("books", nargs="+", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    print(f"{'book':<28}{'pages':>6}" + "".join(f"{s:>8}" for s in STAGES) + f"{'total':>8}{'B/char':>8}{'first ms':>9}")
    for book in arguments.books:
        best = None
        for _ in range(arguments.runs):
            with tempfile.TemporaryDirectory() as folder:
                stats = pathlib.Path(folder) / "stats"
                subprocess.run(
                    [arguments.typeset, book, "--pages", f"{folder}/pages", "--stats", stats, "--jobs", "1", "--quiet"],
                    check=True)
                run = json.loads(stats.read_text())
            best = {k: min(v, best[k]) for k, v in run.items()} if best else run
        characters = max(1, best["characters"])
        row = "".join(f"{best['time.' + s] * 1e6 / characters:8.1f}" for s in STAGES + ["total"])
        print(
            f"{book.name[:27]:<28}{best['pages']:6.0f}{row}{best['memory.peakBytes'] / characters:8.1f}"
            f"{best['time.firstPage']:9.1f}")


if __name__ == "__main__":
    main()
