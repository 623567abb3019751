#!/usr/bin/env python3
"""Makes the picture of twelve pages at the head of the README (Documentation/pages.png).

    readme-picture.py [TYPESET] [--out FILE]

Needs Pillow (Debian: python3-pil). All pages are books and cases of Corpus/, most of them in the house style.
"""

import argparse
import pathlib
import subprocess
import tempfile

from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[1]
HOUSE = ["--style", "house"]
# Book, page, options.
PAGES = [
    ("en-a-box-of-offcuts", 1, HOUSE),
    ("en-the-keeper-of-small-lights", 2, HOUSE),
    ("de-briefe-aus-dem-stellwerk", 2, HOUSE),
    ("cases/plain-text/zh-chapters-gb18030.txt", 2, HOUSE),
    ("ja-kitsune-no-tegami", 1, HOUSE),
    ("ar-daftar-al-bahhar", 1, HOUSE),
    ("hi-dakiye-ki-saikil", 1, HOUSE),
    ("en-a-calendar-of-hedges", 2, []),
    ("en-the-prompter-a-play", 3, []),
    ("en-rain-gauge-manual", 3, HOUSE),
    ("en-the-snail-who-was-early", 2, []),
    ("en-on-folding-a-strip", 1, HOUSE),
]
SIZE = (420, 630)
COLUMNS = 6
GAP = 14
GROUND = (226, 226, 222)


def page(typeset, folder, index):
    book, number, options = PAGES[index]
    place = folder / str(index)
    size = f"{SIZE[0]}x{SIZE[1]}"
    command = [typeset, ROOT / "Corpus" / book, "--pages", place, "--only", str(number), "--page-size", size, "--margin", "36px 32px"]
    subprocess.run([*command, "--quiet", *options], check=True)
    return Image.open(sorted(place.iterdir())[0]).convert("RGB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("typeset", nargs="?", type=pathlib.Path, default=ROOT / ".build/release/typeset")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "Documentation/pages.png")
    options = parser.parse_args()
    rows = -(-len(PAGES) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * (SIZE[0] + GAP) + GAP, rows * (SIZE[1] + GAP) + GAP), GROUND)
    with tempfile.TemporaryDirectory() as name:
        for index in range(len(PAGES)):
            column, row = index % COLUMNS, index // COLUMNS
            sheet.paste(page(options.typeset, pathlib.Path(name), index), (GAP + column * (SIZE[0] + GAP), GAP + row * (SIZE[1] + GAP)))
    # Text stays clear at half the size that screens of two pixels to a px show.
    sheet.resize((sheet.width * 3 // 4, sheet.height * 3 // 4), Image.Resampling.LANCZOS).quantize(256, kmeans=2).save(options.out, optimize=True)


if __name__ == "__main__":
    main()
