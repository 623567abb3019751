#!/usr/bin/env python3
"""How far viewers' pictures of a PDF are from the pages that typeset draws itself, and from each other.

    pdf_pixels.py TYPESET BOOK... [--pages N] [--viewers exact,mutool,poppler,ghostscript,pdfium] [--threshold 32] [--share 1] [--keep DIRECTORY]

Every book is written as PDF and as PNG files at scale 1.5 in one run; each viewer draws the PDF at 144 pixels an inch. Of each pair of
pictures of a page the pixels are counted of which a channel differs by more than the threshold, of 255. A row is a pair, a column says: on
how many pages of those compared more than the share (per cent) of the pixels are off, and the share of the median page and of the worst.
Pairs of two viewers tell how near pictures of one file come to each other at all: they put glyphs on whole pixels, halves or quarters of
them. `exact` is the page that nobody rounds: mutool's at eight times the resolution, each pixel the mean of 64.

Viewers: mutool (Debian: mupdf-tools), poppler (poppler-utils), Ghostscript (ghostscript); pdfium in Python's environment:
`python3 -m venv rivals && rivals/bin/pip install numpy pillow pypdfium2`, and this script by `rivals/bin/python`.
"""

import argparse
import collections
import itertools
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

import numpy
from PIL import Image

OURS = "typeset"
DPI = 144
# Times by which the exact page is drawn larger.
FINER = 8
Image.MAX_IMAGE_PIXELS = None


def picture(path):
    """The channels of a picture without transparency."""
    return numpy.asarray(Image.open(path).convert("RGB"), dtype=numpy.int16)


def pdfium(pdf, pages, directory):
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    for page in pages:
        document[page - 1].render(scale=DPI / 72).to_pil().save(directory / f"{page}.png")


def command(arguments):
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def mutool(pdf, pages, directory):
    command(["mutool", "draw", "-q", "-r", str(DPI), "-o", directory / "%d.png", pdf, ",".join(map(str, pages))])


def poppler(pdf, pages, directory):
    for page in pages:
        command(["pdftoppm", "-r", str(DPI), "-png", "-singlefile", "-f", str(page), "-l", str(page), pdf, directory / str(page)])


def ghostscript(pdf, pages, directory):
    command(["gs", "-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-sDEVICE=png16m", f"-r{DPI}", "-dTextAlphaBits=4", "-dGraphicsAlphaBits=4",
             "-sPageList=" + ",".join(map(str, pages)), f"-sOutputFile={directory}/at%d.png", pdf])
    for place, page in enumerate(pages, 1):
        (directory / f"at{place}.png").rename(directory / f"{page}.png")


def exact(pdf, pages, directory):
    for page in pages:
        path = directory / f"{page}.png"
        command(["mutool", "draw", "-q", "-r", str(DPI * FINER), "-o", path, pdf, str(page)])
        with Image.open(path) as large:
            large = large.convert("RGB")
        large.reduce(FINER).save(path)


VIEWERS = {"exact": exact, "mutool": mutool, "poppler": poppler, "ghostscript": ghostscript, "pdfium": pdfium}


def chosen(count, most):
    """Pages of a book, spread over it."""
    if not most or count <= most:
        return list(range(1, count + 1))
    return sorted({1 + place * (count - 1) // max(most - 1, 1) for place in range(most)})


def off(one, other, threshold):
    """The share of pixels that differ, in per cent."""
    if one.shape != other.shape:
        height, width = (min(a, b) for a, b in zip(one.shape[:2], other.shape[:2]))
        if abs(one.shape[0] - other.shape[0]) > 1 or abs(one.shape[1] - other.shape[1]) > 1:
            return 100.0
        one, other = one[:height, :width], other[:height, :width]
    return 100 * float((numpy.abs(one - other).max(axis=2) > threshold).mean())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("typeset", type=pathlib.Path)
    parser.add_argument("books", type=pathlib.Path, nargs="+")
    parser.add_argument("--pages", type=int, default=0, help="at most so many pages of a book, spread over it; 0: all")
    parser.add_argument("--viewers", default=",".join(VIEWERS))
    parser.add_argument("--threshold", type=int, default=32)
    parser.add_argument("--share", type=float, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="keeps the pictures in a directory")
    options = parser.parse_args()
    viewers = options.viewers.split(",")
    missing = [name for name, program in [("exact", "mutool"), ("mutool", "mutool"), ("poppler", "pdftoppm"), ("ghostscript", "gs")]
               if name in viewers and not shutil.which(program)]
    if missing:
        sys.exit(f"pdf_pixels: not installed: {', '.join(missing)}")
    shares = collections.defaultdict(list)
    for book in options.books:
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            if options.keep:
                root = options.keep / book.stem
            for part in [OURS, *viewers]:
                (root / part).mkdir(parents=True, exist_ok=True)
            pdf = root / "book.pdf"
            run = subprocess.run([options.typeset, book, "--pdf", pdf, "--pages", root / OURS, "--scale", "1.5", "--quiet"],
                                 capture_output=True, text=True)
            if run.returncode:
                print(f"{book.name}: {run.returncode}: {run.stderr.strip()}")
                continue
            ours = sorted((root / OURS).glob("*.png"))
            pages = chosen(len(ours), options.pages)
            for viewer in viewers:
                VIEWERS[viewer](pdf, pages, root / viewer)
            found = collections.defaultdict(list)
            for page in pages:
                drawn = {OURS: picture(ours[page - 1])}
                drawn |= {viewer: picture(root / viewer / f"{page}.png") for viewer in viewers}
                for one, other in itertools.combinations(drawn, 2):
                    found[one, other].append(off(drawn[one], drawn[other], options.threshold))
            for pair, values in found.items():
                report(book.stem, pair, values, options.share)
                shares[pair] += values
    if len(options.books) > 1:
        for pair, values in shares.items():
            report("all books", pair, values, options.share)


def report(book, pair, values, share):
    bad = sum(value > share for value in values)
    print(f"{book:32.32} {pair[0] + ' / ' + pair[1]:26} {bad:4} of {len(values):4} pages off   median {statistics.median(values):6.3f} %"
          f"   worst {max(values):6.3f} %", flush=True)


if __name__ == "__main__":
    main()
