#!/usr/bin/env python3
"""What a reading app waits for over the library, beside PyMuPDF in alternation, and what memory 200 books leave behind.

    library.py BOOK... [--runs N] [--soak COUNT] [--limit MIB] [--benchmark PATH]

Builds `library-benchmark` (the package in `Library/`) in release mode unless it is given. Per book the median of the runs
counts; over the books their median and the 95th percentile, and of each ratio to PyMuPDF least, median and largest. Only ratios
are to be trusted: machines are noisy. PyMuPDF (`pip install pymupdf`) lays out at the same size of page and type; `pixels` is
its time without writing a PNG, which we always do. It lives in this process, we in another that answers over a pipe: neither
pays for starting.

The soak opens so many books one after the other, the given ones over and over under names of their own, reads, searches and
restyles each. After each round of all books it prints what is resident, what of that is not mapped from files (fonts and the
libraries themselves, which the system may drop), and what the allocator has in use and free, and in the end whether the second
half of the rounds took more than the first: try --soak 400.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


class Library:
    """Our side: a process that answers."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, *words):
        self.process.stdin.write("\t".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer or answer.startswith("error"):
            print(*words, answer.strip() or "ended", file=sys.stderr)
            if not answer:
                sys.exit("the library has crashed")
            return None
        return [float(number) for number in answer.split()]


def build():
    subprocess.run(["swift", "build", "-c", "release", "--package-path", HERE / "Library"], check=True)
    shown = subprocess.run(
        ["swift", "build", "-c", "release", "--package-path", HERE / "Library", "--show-bin-path"], check=True,
        capture_output=True, text=True)
    return os.path.join(shown.stdout.strip(), "library-benchmark")


def rival(path, chapter):
    """PyMuPDF: milliseconds for opening, to the page's pixels, and to its PNG; None where it fails."""
    import pymupdf

    pymupdf.TOOLS.store_shrink(100)
    start = time.perf_counter()
    try:
        document = pymupdf.open(path)
        opened = time.perf_counter()
        document.layout(width=600, height=800, fontsize=16)
        pixmap = document.load_page((chapter, 0)).get_pixmap()
        drawn = time.perf_counter()
        pixmap.tobytes("png")
        end = time.perf_counter()
        document.close()
    except Exception as error:
        print(path, "PyMuPDF:", error, file=sys.stderr)
        return None
    return [(moment - start) * 1e3 for moment in (opened, drawn, end)]


def chapters(path):
    import pymupdf

    try:
        with pymupdf.open(path) as document:
            return document.chapter_count
    except Exception:
        return 0


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else float("nan")


def show(label, values, form="{:9.1f}"):
    print(f"{label:42}", form.format(statistics.median(values)), form.format(percentile(values, 0.95)),
          form.format(max(values)))


def alternate(library, books, runs, work):
    """The first page of the book, or of the chapter in its middle, by both in turn."""
    ours, theirs, ratios, pixels, opening = [], [], [], [], []
    slowest = []
    for book in books:
        count = chapters(book)
        chapter = count // 2 if work == "chapter" else 0
        rows = []
        for run in range(runs + 1):
            words = ("chapter", book, chapter) if work == "chapter" else ("first", book)
            sides = [lambda: library.ask(*words), lambda: rival(book, chapter) if count else None]
            order = (0, 1) if run % 2 else (1, 0)
            answers = [None, None]
            for side in order:
                answers[side] = sides[side]()
            # The first run fills the system's caches.
            if run and answers[0]:
                rows.append(answers)
        if not rows:
            continue
        median = statistics.median(row[0][1] for row in rows)
        ours.append(median)
        opening.append(statistics.median(row[0][0] for row in rows))
        slowest.append((median, os.path.basename(book)))
        if all(row[1] for row in rows):
            theirs.append(statistics.median(row[1][2] for row in rows))
            ratios.append(statistics.median(row[0][1] / row[1][2] for row in rows))
            pixels.append(statistics.median(row[0][1] / row[1][1] for row in rows))
    name = "the first page" if work == "first" else "a page in the middle"
    print(f"\n{name + ', ms':42}    median  95 of 100    largest")
    show("opening alone", opening)
    show("typeset, opened and as PNG", ours)
    if theirs:
        show("PyMuPDF, opened and as PNG", theirs)
        print(f"{'typeset / PyMuPDF':42} least {min(ratios):.2f}, median {statistics.median(ratios):.2f}, "
              f"largest {max(ratios):.2f} of {len(ratios)} books")
        print(f"{'typeset with PNG / PyMuPDF pixels alone':42} least {min(pixels):.2f}, "
              f"median {statistics.median(pixels):.2f}, largest {max(pixels):.2f}")
    print("slowest:", ", ".join(f"{name} {value:.0f}" for value, name in sorted(slowest, reverse=True)[:4]))


def steps(library, books, runs, command, labels):
    """What one command tells, by step."""
    rows = []
    for book in books:
        answers = [answer for answer in (library.ask(command, book) for _ in range(runs)) if answer]
        if answers:
            rows.append([statistics.median(column) for column in zip(*answers)])
    print(f"\n{'the reader in the middle of the book, ms':42}    median  95 of 100    largest")
    for index, label in enumerate(labels):
        show(label, [row[index] for row in rows])


def soak(path, books, count, limit):
    library = Library(path)
    print(f"\nsoak of {count} books, caches of {limit} MiB a book; resident at the start {library.ask('memory')[0]:.0f} MiB")
    print(f"{'MiB after so many books':26}resident   without mapped files   in use   free   resident at the most")
    pages, milliseconds, rows = 0, 0.0, []
    with tempfile.TemporaryDirectory() as folder:
        for index in range(count):
            book = os.path.join(folder, f"{index}-" + os.path.basename(books[index % len(books)]))
            os.symlink(os.path.abspath(books[index % len(books)]), book)
            answer = library.ask("soak", limit, book)
            if answer:
                pages += answer[0]
                milliseconds += answer[1]
            if (index + 1) % len(books) == 0 or index + 1 == count:
                # What is given up goes back to the system a fifth of a second later.
                time.sleep(0.5)
                resident, peak, anonymous, used, free = library.ask("memory")
                rows.append((anonymous, used, resident))
                print(f"{index + 1:26}{resident:8.1f}   {anonymous:20.1f}   {used:6.1f} {free:6.1f}   {peak:20.1f}")
    print(f"{pages:.0f} pages in {milliseconds / 1e3:.1f} s; peak {peak:.0f} MiB = {peak / limit:.1f} ceilings")
    # The first round loads what the whole process shares: patterns, the list of fonts.
    rows = rows[1:]
    first, second = rows[:len(rows) // 2], rows[len(rows) // 2:]
    if not first:
        return
    print("the second half against the first, at the most:")
    for column, label in enumerate(("without mapped files", "in use", "resident")):
        before, after = (max(row[column] for row in half) for half in (first, second))
        verdict = "grows" if after > before * 1.05 + 1 else "does not grow"
        print(f"  {label:22}{after:7.1f} to {before:7.1f} MiB: it {verdict}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("books", nargs="+")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--soak", type=int, default=200)
    parser.add_argument("--limit", type=int, default=64)
    parser.add_argument("--benchmark")
    options = parser.parse_args()
    path = options.benchmark or build()
    if options.runs:
        library = Library(path)
        alternate(library, options.books, options.runs, "first")
        alternate(library, options.books, options.runs, "chapter")
        steps(library, options.books, options.runs, "change",
              ["larger type", "wider margins", "another family", "dark theme"])
        steps(library, options.books, options.runs, "turn", ["the next page, prefetched", "ten pages on"])
    if options.soak:
        soak(path, options.books, options.soak, options.limit)


if __name__ == "__main__":
    main()
