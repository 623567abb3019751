#!/usr/bin/env python3
"""Whether the text that is copied out of PDFs is that of their books.

    pdf_text.py TYPESET BOOK...

`pdftotext -raw` (Debian: poppler-utils) is compared with `typeset --text`, white space aside, by how often each character is there: those
of the book that the PDF lacks, and those of the PDF that the book has not. Generated content, page numbers and the brackets of ruby are
no text of the book and count among the latter. Code points of the radicals blocks (U+2E80 to U+2FDF) that the book has not are counted
apart: readers that guess from shapes copy them for characters. The exit code is 1 where characters are missing or radicals appear.
"""

import argparse
import collections
import pathlib
import subprocess
import sys
import tempfile
import unicodedata


def characters(text):
    counts = collections.Counter(unicodedata.normalize("NFC", text))
    return collections.Counter({c: n for c, n in counts.items() if not c.isspace() and unicodedata.category(c) not in ("Cc", "Cf")})


def told(counts):
    return " ".join(f"{c}:{n}" for c, n in counts.most_common(6))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("typeset", type=pathlib.Path)
    parser.add_argument("books", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    totals = collections.Counter()
    for book in options.books:
        with tempfile.TemporaryDirectory() as folder:
            pdf, text, raw = (pathlib.Path(folder) / name for name in ("book.pdf", "book.txt", "raw.txt"))
            command = [options.typeset, book, "--pdf", pdf, "--text", text, "--quiet"]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                print(f"{book.name}: {done.returncode}: {done.stderr.strip()[:100]}", flush=True)
                totals["not set"] += 1
                continue
            subprocess.run(["pdftotext", "-raw", "-enc", "UTF-8", pdf, raw], check=True, capture_output=True)
            ours, theirs = characters(text.read_text(errors="replace")), characters(raw.read_text(errors="replace"))
        missing, added = ours - theirs, theirs - ours
        radicals = sum(n for c, n in added.items() if 0x2E80 <= ord(c) <= 0x2FDF)
        print(
            f"{book.name}: {ours.total()} characters, {missing.total()} missing ({told(missing)}), "
            f"{added.total()} added ({told(added)}), {radicals} radicals",
            flush=True,
        )
        totals["equal" if not missing and not added else "complete" if not missing else "missing"] += 1
        totals["missing characters"] += missing.total()
        totals["radicals"] += radicals
    print(", ".join(f"{name}: {count}" for name, count in sorted(totals.items())))
    sys.exit(1 if totals["missing"] or totals["radicals"] or totals["not set"] else 0)


if __name__ == "__main__":
    main()
