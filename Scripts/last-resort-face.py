#!/usr/bin/python3
"""Draws the face that shows characters which no font has: Sources/Fonts/Resources/last-resort.ttf, which the engine holds.

    Scripts/last-resort-face.py

Needs fontTools (Debian: python3-fonttools). A box is made of several glyphs, so that few bytes show any code point: a frame one em
wide, and hexadecimal digits in two rows within it, wide ones for code points of four digits and narrow ones for six. The engine
puts them in place (LastResort.swift, which names glyphs by the order here). Beside them the face has what lines cannot do
without: spaces, the hyphen, and the full stop for ellipses.
"""
import pathlib

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

EM, ASCENT, DESCENT = 1000, 880, -120
FRAME, FRAME_STROKE = (60, -60, 940, 820), 40
WIDTH, HEIGHT, STROKE = 300, 300, 60
# The narrow digits are the wide ones, narrowed.
NARROW = 200

# The bars of a digit: top, upper left, upper right, middle, lower left, lower right, bottom.
BARS = {
    "0": "abcefg", "1": "cf", "2": "acdeg", "3": "acdfg", "4": "bcdf", "5": "abdfg", "6": "abdefg", "7": "acf",
    "8": "abcdefg", "9": "abcdfg", "A": "abcdef", "B": "bdefg", "C": "abeg", "D": "cdefg", "E": "abdeg", "F": "abde",
}


def contour(pen, left, bottom, right, top, isHole=False):
    corners = [(left, bottom), (left, top), (right, top), (right, bottom)]
    if isHole:
        corners.reverse()
    pen.moveTo(corners[0])
    for corner in corners[1:]:
        pen.lineTo(corner)
    pen.closePath()


def frame():
    pen = TTGlyphPen(None)
    left, bottom, right, top = FRAME
    contour(pen, *FRAME)
    contour(pen, left + FRAME_STROKE, bottom + FRAME_STROKE, right - FRAME_STROKE, top - FRAME_STROKE, isHole=True)
    return pen.glyph()


def digit(bars):
    middle = (HEIGHT - STROKE) // 2
    places = {
        "a": (0, HEIGHT - STROKE, WIDTH, HEIGHT), "d": (0, middle, WIDTH, middle + STROKE), "g": (0, 0, WIDTH, STROKE),
        "b": (0, middle, STROKE, HEIGHT), "c": (WIDTH - STROKE, middle, WIDTH, HEIGHT),
        "e": (0, 0, STROKE, middle + STROKE), "f": (WIDTH - STROKE, 0, WIDTH, middle + STROKE),
    }
    pen = TTGlyphPen(None)
    for bar in bars:
        contour(pen, *places[bar])
    return pen.glyph()


def narrowed(name):
    pen = TTGlyphPen(glyphs)
    pen.addComponent(name, (NARROW / WIDTH, 0, 0, 1, 0, 0))
    return pen.glyph()


def bar(left, bottom, right, top):
    pen = TTGlyphPen(None)
    contour(pen, left, bottom, right, top)
    return pen.glyph()


glyphs = {".notdef": frame(), "space": TTGlyphPen(None).glyph(), "hyphen": bar(50, 250, 300, 310), "box": frame()}
advances = {".notdef": EM, "space": 250, "hyphen": 350, "box": EM}
for name, bars in BARS.items():
    glyphs["wide" + name] = digit(bars)
    advances["wide" + name] = WIDTH
for name in BARS:
    glyphs["narrow" + name] = narrowed("wide" + name)
    advances["narrow" + name] = NARROW

glyphs["period"] = bar(80, 0, 170, 90)
advances["period"] = 250

font = FontBuilder(EM, isTTF=True)
font.setupGlyphOrder(list(glyphs))
font.setupCharacterMap({0x20: "space", 0xA0: "space", 0x2D: "hyphen", 0x2E: "period", 0x2010: "hyphen", 0x2011: "hyphen"})
font.setupGlyf(glyphs)
left = {name: getattr(font.font["glyf"][name], "xMin", 0) for name in glyphs}
font.setupHorizontalMetrics({name: (advances[name], left[name]) for name in glyphs})
font.setupHorizontalHeader(ascent=ASCENT, descent=DESCENT, lineGap=0)
font.setupNameTable({"familyName": "Last Resort", "styleName": "Regular", "psName": "LastResort"}, mac=False)
font.setupOS2(
    sTypoAscender=ASCENT, sTypoDescender=DESCENT, sTypoLineGap=0, usWinAscent=ASCENT, usWinDescent=-DESCENT, sxHeight=500,
    sCapHeight=700, fsType=0, fsSelection=0x40)
font.setupPost(underlinePosition=-100, underlineThickness=50, keepGlyphNames=False)
# The same bytes at every run.
font.font["head"].created = font.font["head"].modified = 3786912000
font.font.recalcTimestamp = False
target = pathlib.Path(__file__).resolve().parent.parent / "Sources/Fonts/Resources/last-resort.ttf"
target.parent.mkdir(exist_ok=True)
font.save(target)
