#!/usr/bin/env python3
"""Makes the picture of a page beside its tags in the README's section on PDF (Documentation/pdf-tags.png).

    tag-tree-picture.py [TYPESET] [--out FILE]

The page is one of Corpus/en-rain-gauge-manual; the tree is what poppler reads from its PDF (Debian: poppler-utils). Needs Pillow (Debian:
python3-pil) and DejaVu Sans Mono (fonts-dejavu-core).
"""

import argparse
import pathlib
import re
import subprocess
import tempfile

from PIL import Image, ImageDraw, ImageFont

ROOT = pathlib.Path(__file__).resolve().parents[1]
BOOK = "Corpus/en-rain-gauge-manual"
PAGE = 5
SIZE = (420, 630)
SCALE = 2
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"
LINE = 25
WIDTH = 980
GROUND = (226, 226, 222)
INK = (40, 40, 40)
TAG = (23, 88, 95)
TEXT = (120, 82, 20)


def tree(pdf):
    """Depth, tag and text of each element."""
    found = []
    for line in subprocess.run(["pdfinfo", "-struct-text", pdf], capture_output=True, text=True, check=True).stdout.splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        line = line.strip()
        if line.startswith('"'):
            found[-1][2] += (" " if found[-1][2] else "") + line.strip('"')
        elif line.startswith("/"):
            name, _, value = line[1:].partition(" ")
            if name in ("ColSpan", "RowSpan"):
                found[-1][1] += f" {name}={value.strip('/')}"
        elif line:
            found.append([depth, re.sub(r"\s*\(.*|:$", "", line), ""])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("typeset", nargs="?", type=pathlib.Path, default=ROOT / ".build/release/typeset")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "Documentation/pdf-tags.png")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run(
            [options.typeset, ROOT / BOOK, "--pdf", folder / "page.pdf", "--pages", folder, "--only", str(PAGE), "--scale", str(SCALE),
             "--page-size", f"{SIZE[0]}x{SIZE[1]}", "--margin", "36px 32px", "--style", "house", "--quiet"], check=True)
        page = Image.open(next(folder.glob("*.png"))).convert("RGB")
        elements = tree(folder / "page.pdf")
    height = page.height
    picture = Image.new("RGB", (page.width + WIDTH + 42, height + 28), GROUND)
    picture.paste(page, (14, 14))
    draw = ImageDraw.Draw(picture)
    draw.rectangle([page.width + 28, 14, page.width + 28 + WIDTH, height + 14], fill=(255, 255, 255))
    font = ImageFont.truetype(FONT, 18)
    most = (height - 30) // LINE
    for row, (depth, tag, text) in enumerate(elements[:most]):
        x, y = page.width + 48 + depth * 26, 30 + row * LINE
        if row == most - 1 and len(elements) > most:
            tag, text = "…", ""
        for level in range(1, depth + 1):
            left = page.width + 48 + level * 26 - 18
            draw.line([left, y - 4, left, y + LINE - 6], fill=(205, 205, 200))
        draw.text((x, y), tag, font=font, fill=TAG)
        room = int((WIDTH - 40 - depth * 26) / font.getlength("m")) - len(tag) - 2
        shown = text if len(text) <= room else text[: room - 1] + "…"
        draw.text((x + font.getlength(tag + "  "), y), shown, font=font, fill=TEXT)
    picture.resize((picture.width * 3 // 4, picture.height * 3 // 4), Image.Resampling.LANCZOS).quantize(64, kmeans=2).save(
        options.out, optimize=True)


if __name__ == "__main__":
    main()
