#!/usr/bin/env python3
"""Draws Documentation/architecture.svg from the imports of Sources: a module stands one row above the highest module that it imports.

Lines are direct imports, without those that follow from others. `Platform` and the modules of C libraries are left out.
"""
import pathlib
import re

root = pathlib.Path(__file__).resolve().parent.parent
sources = root / "Sources"
modules = sorted(
    folder.name for folder in sources.iterdir() if folder.is_dir() and folder.name not in ("System", "Platform"))
imported = re.compile(r"^(?:package |public |internal )?(?:@\w+ )*import (?:struct |class |enum |func )?(\w+)", re.MULTILINE)


def imports(module):
    names = set()
    for file in (sources / module).rglob("*.swift"):
        names.update(imported.findall(file.read_text()))
    return names & set(modules) - {module}


direct = {module: imports(module) for module in modules}
rows = {}


def row(module):
    if module not in rows:
        rows[module] = 1 + max((row(other) for other in direct[module]), default=-1)
    return rows[module]


def reaches(module):
    """All modules that a module imports, by way of others too."""
    return direct[module].union(*(reaches(other) for other in direct[module]))


# What each module adds to the data flow.
made = {
    "Publications": "Publication", "Markup": "Document", "CSS": "Stylesheet", "Styling": "StyledTree",
    "BoxGeneration": "BoxTree", "Shaping": "ShapedText", "Layout": "PageLayout", "Painting": "DisplayList",
    "RasterRendering": "PNG", "PDFRendering": "PDF", "Typesetting": "library", "Command": "verbs",
}
width, box, gap, height, step = 1000, 128, 14, 38, 66
lines = [[module for module in modules if row(module) == index] for index in range(max(map(row, modules)) + 1)]
place = {}
for index, line in enumerate(lines):
    left = (width - len(line) * box - (len(line) - 1) * gap) / 2
    # A module stands above what it imports, as far as its row has room.
    line.sort(key=lambda module: sum(place[other][0] for other in direct[module]) / max(1, len(direct[module])))
    for number, module in enumerate(line):
        place[module] = (left + number * (box + gap), 20 + (len(lines) - 1 - index) * step)
bottom = 20 + len(lines) * step
out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {bottom}" font-family="sans-serif">',
       f'<rect width="{width}" height="{bottom}" fill="#fff"/>']
for module in modules:
    indirect = set().union(*(reaches(other) for other in direct[module]))
    for other in sorted(direct[module] - indirect):
        (x, y), (toX, toY) = place[module], place[other]
        out.append(f'<path d="M{x + box / 2} {y + height}L{toX + box / 2} {toY}" stroke="#9ab" fill="none"/>')
for module, (x, y) in sorted(place.items()):
    name = f'<text x="{x + box / 2}" y="{y + (17 if module in made else 24)}" text-anchor="middle" font-size="13">{module}</text>'
    out.append(f'<rect x="{x}" y="{y}" width="{box}" height="{height}" rx="4" fill="#e3edf8" stroke="#567"/>{name}')
    if module in made:
        out.append(f'<text x="{x + box / 2}" y="{y + 31}" text-anchor="middle" font-size="11" fill="#765">{made[module]}</text>')
out.append("</svg>")
(root / "Documentation" / "architecture.svg").write_text("\n".join(out) + "\n")
