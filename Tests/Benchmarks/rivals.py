#!/usr/bin/env python3
"""typeset beside other engines on the same work, in alternation.

    rivals.py TYPESET BOOK... [--runs N] [--work layout,pages,first,first-color,pdf] [--against mutool,pymupdf,plutoprint,weasyprint]

For each book and kind of work it prints our CPU time (user and system, of the whole process) over each rival's: least, median
and largest ratio of the runs, and the peaks of memory. Rivals that are not installed are left out. Only ratios of one run mean
anything: machines are noisy. `layout` lays a book out and draws nothing, `pages` writes every page as a grey PNG, `first` the
first page alone, `first-color` that page in colour, as ours is where it shows a coloured picture, `pdf` the book as one PDF.

Rivals: mutool (Debian: mupdf-tools), PyMuPDF, PlutoPrint and WeasyPrint (PyPI: pymupdf, plutoprint, weasyprint). The time in which
Python starts and imports them is theirs; PlutoPrint and WeasyPrint get the chapters joined into one page of HTML.
"""

import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import zipfile

LAYOUT_JS = "var d = new Document(scriptArgs[0]); d.layout(600, 800, 16); print(d.countPages());"
FIRST_JS = (
    "var d = new Document(scriptArgs[0]); d.layout(600, 800, 16);"
    "d.loadPage(0).toPixmap(Identity, DeviceSPACE, false).saveAsPNG(scriptArgs[1]);"
)
PYMUPDF = (
    "import sys, pymupdf; d = pymupdf.open(sys.argv[1]); d.layout(width=600, height=800, fontsize=16)\n"
    "n = {'layout': 0, 'first': 1, 'first-color': 1}.get(sys.argv[3], d.page_count)\n"
    "space = pymupdf.csRGB if sys.argv[3] == 'first-color' else pymupdf.csGRAY\n"
    "d.page_count if n == 0 else [d[i].get_pixmap(colorspace=space).save(f'{sys.argv[2]}/{i}.png') for i in range(n)]"
)
PLUTOPRINT = (
    "import sys, plutoprint as p; b = p.Book(p.PageSize(450, 600), p.PageMargins(24, 24, 24, 24)); b.load_url(sys.argv[1])\n"
    "b.write_to_pdf(sys.argv[2]) if sys.argv[3] == 'pdf' else print(b.get_page_count())"
)
WEASYPRINT = (
    "import sys, weasyprint; b = weasyprint.HTML(sys.argv[1])\n"
    "b.write_pdf(sys.argv[2]) if sys.argv[3] == 'pdf' else print(len(b.render().pages))"
)


def joined(book, folder):
    """The chapters of a book as one page of HTML, for engines without EPUB."""
    path = folder / "joined.html"
    if book.suffix != ".epub":
        return book
    with zipfile.ZipFile(book) as archive:
        names = [n for n in archive.namelist() if re.search(r"\.x?html?$", n) and "nav" not in n.lower()]
        bodies = []
        for name in names:
            text = archive.read(name).decode("utf-8", "replace")
            match = re.search(r"<body[^>]*>(.*)</body>", text, re.S)
            bodies.append(match.group(1) if match else text)
    path.write_text("<!DOCTYPE html><meta charset='utf-8'><body>" + "\n".join(bodies), encoding="utf-8")
    return path


def commands(typeset, book, work, folder):
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    scripts = {"layout": folder / "layout.js", "first": folder / "first.js"}
    scripts["layout"].write_text(LAYOUT_JS)
    scripts["first"].write_text(FIRST_JS.replace("SPACE", "RGB" if work == "first-color" else "Gray"))
    ours = [typeset, book, "--quiet", "--jobs", "1"]
    ours += {
        "layout": ["--stats", out / "stats"],
        "pages": ["--pages", out],
        "first": ["--pages", out, "--only", "1"],
        "pdf": ["--pdf", out / "book.pdf"],
    }[work.removesuffix("-color")]
    rivals = {"typeset": ours}
    if shutil.which("mutool") and work != "pdf":
        rivals["mutool"] = {
            "layout": ["mutool", "run", scripts["layout"], book],
            "pages": ["mutool", "draw", "-a", "-q", "-c", "gray", "-W", "600", "-H", "800", "-S", "16", "-r", "72", "-o",
                      f"{out}/%05d.png", book],
            "first": ["mutool", "run", scripts["first"], book, out / "first.png"],
        }[work.removesuffix("-color")]
    python = sys.executable
    if work != "pdf":
        rivals["pymupdf"] = [python, "-c", PYMUPDF, book, out, work]
    if work in ("layout", "pdf"):
        for rival, script in [("plutoprint", PLUTOPRINT), ("weasyprint", WEASYPRINT)]:
            rivals[rival] = [python, "-c", script, joined(book, folder), out / "rival.pdf", work]
    return rivals


def measure(command):
    """Seconds of CPU and MiB of peak memory of a process; None when it fails."""
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    return (usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024) if status == 0 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("typeset", type=pathlib.Path)
    parser.add_argument("books", nargs="+", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--work", default="layout,pages,first")
    parser.add_argument("--against", default="mutool,pymupdf,plutoprint,weasyprint")
    arguments = parser.parse_args()
    for book in arguments.books:
        for work in arguments.work.split(","):
            with tempfile.TemporaryDirectory() as name:
                rivals = commands(arguments.typeset, book, work, pathlib.Path(name))
                names = ["typeset"] + [n for n in arguments.against.split(",") if n in rivals]
                runs = {n: [] for n in names}
                for _ in range(arguments.runs):
                    for rival in list(names):
                        result = measure(rivals[rival])
                        if result is None:
                            names.remove(rival)
                        else:
                            runs[rival].append(result)
            if "typeset" not in names:
                sys.exit(f"rivals: {book}: typeset failed")
            peak = max(memory for _, memory in runs["typeset"])
            print(f"{book.name}, {work}: typeset {peak:.1f} MiB")
            for rival in names[1:]:
                ratios = [ours[0] / theirs[0] for ours, theirs in zip(runs["typeset"], runs[rival])]
                peak = max(memory for _, memory in runs[rival])
                print(
                    f"  / {rival:<10} {min(ratios):.3f}  {statistics.median(ratios):.3f}  {max(ratios):.3f}   {peak:.1f} MiB")


if __name__ == "__main__":
    main()
