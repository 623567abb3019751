#!/usr/bin/env python3
"""Draws Documentation/architecture.svg: the values that flow, and the module that makes each."""
stages = [
    ("Publications", "Publication", "open"), ("Markup", "Document", "parse"), ("Styling", "StyledTree", "style"),
    ("BoxGeneration", "BoxTree", "generate boxes"), ("Layout", "PageLayout", "lay out"),
    ("Painting", "DisplayList", "paint"), ("RasterRendering", "PNG", "render"),
]
helpers = {"Styling": ["CSS"], "BoxGeneration": ["Text"], "Layout": ["Shaping", "Fonts"], "RasterRendering": ["Images", "PDFRendering: PDF"],
           "Painting": ["Graphics"]}
above = ["ChapterEngine: one chapter through all stages", "Typesetting: the library", "BookOutput: files, records",
         "typeset: the command; typeset-snapshot: with the SnapshotHarness"]
width, step, box = 1000, 140, 124
out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 380" font-family="sans-serif" font-size="13">',
       f'<rect width="{width}" height="380" fill="#fff"/>']


def rect(x, y, w, h, fill, text, size=13):
    out.append(f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="4" fill="{fill}" stroke="#555"/>')
    out.append(f'<text x="{x + w / 2}" y="{y + h / 2 + 4}" text-anchor="middle" font-size="{size}">{text}</text>')


for index, text in enumerate(reversed(above)):
    rect(18, 12 + index * 34, width - 36, 26, "#eef2f7", text)
for index, (module, value, verb) in enumerate(stages):
    x = 18 + index * (step - 2)
    rect(x, 168, box, 34, "#dbe7f5", module)
    out.append(f'<text x="{x + box / 2}" y="160" text-anchor="middle" fill="#555" font-size="11">{verb}</text>')
    rect(x + 8, 220, box - 16, 28, "#fdf3d8", value, 12)
    out.append(f'<path d="M{x + box / 2} 202v18" stroke="#555"/>')
    if index < len(stages) - 1:
        out.append(f'<path d="M{x + box - 8} 234h12l8 -32" fill="none" stroke="#555"/>')
    for row, helper in enumerate(helpers.get(module, [])):
        rect(x + 8, 262 + row * 32, box - 16, 26, "#e6f2e3", helper, 12)
rect(18, 340, width - 36, 28, "#eee", "Primitives, Platform; below them the C libraries of the system")
out.append("</svg>")
open(__file__.rsplit("/", 1)[0] + "/architecture.svg", "w").write("\n".join(out) + "\n")
