#!/usr/bin/python3
"""Draws the fonts that tests are set in, beside this file; the set-up runs it. Needs fontTools (Debian: python3-fonttools).

Square: every character is a box one em wide, 0.8 em above and 0.2 em below the baseline, so that a line of `line-height: normal`
is one em high and numbers follow from counting. Blank where a space is meant. `p` is only the part below the baseline, `x` is as
high as the x-height (0.5 em).

Letters: boxes of several widths with what OpenType does to them: kerning, ligatures, small capitals, figures, marks with anchors,
Arabic forms, forms for vertical text, and an axis of weight (400 to 900) along which letters grow wider.
"""
import os

from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib.tables.TupleVariation import TupleVariation

FOLDER = os.path.dirname(os.path.abspath(__file__))
EM, ASCENT, DESCENT, X_HEIGHT, CAP_HEIGHT = 1000, 800, -200, 500, 700


def box(left, bottom, right, top):
    pen = TTGlyphPen(None)
    if right > left and top > bottom:
        pen.moveTo((left, bottom))
        pen.lineTo((left, top))
        pen.lineTo((right, top))
        pen.lineTo((right, bottom))
        pen.closePath()
    return pen.glyph()


def builder(family, style, glyphs, characters):
    """glyphs: name -> (advance, left, bottom, right, top)."""
    font = FontBuilder(EM, isTTF=True)
    font.setupGlyphOrder(list(glyphs))
    font.setupCharacterMap(characters)
    font.setupGlyf({name: box(*shape[1:]) for name, shape in glyphs.items()})
    font.setupHorizontalMetrics({name: (shape[0], shape[1]) for name, shape in glyphs.items()})
    font.setupHorizontalHeader(ascent=ASCENT, descent=DESCENT, lineGap=0)
    font.setupVerticalMetrics({name: (EM, ASCENT - shape[4]) for name, shape in glyphs.items()})
    font.setupVerticalHeader(ascent=EM // 2, descent=-EM // 2, lineGap=0)
    font.setupNameTable({
        "familyName": family, "styleName": style, "fullName": f"{family} {style}", "uniqueFontIdentifier": f"typeset {family} {style}",
        "psName": f"{family}-{style}".replace(" ", ""), "version": "Version 1.000", "licenseDescription": "MIT",
    }, mac=False)
    font.setupOS2(
        sTypoAscender=ASCENT, sTypoDescender=DESCENT, sTypoLineGap=0, usWinAscent=ASCENT, usWinDescent=-DESCENT,
        sxHeight=X_HEIGHT, sCapHeight=CAP_HEIGHT, fsType=0, fsSelection=0x40, ySubscriptXSize=500, ySubscriptYSize=500,
        ySubscriptXOffset=0, ySubscriptYOffset=100, ySuperscriptXSize=500, ySuperscriptYSize=500, ySuperscriptXOffset=0,
        ySuperscriptYOffset=300, yStrikeoutSize=100, yStrikeoutPosition=300)
    font.setupPost(underlinePosition=-100, underlineThickness=100, keepGlyphNames=True)
    # The same bytes at every run.
    font.font["head"].created = font.font["head"].modified = 3786912000
    font.font.recalcTimestamp = False
    return font


def square():
    glyphs = {
        ".notdef": (EM, 100, DESCENT, EM - 100, ASCENT), "box": (EM, 0, DESCENT, EM, ASCENT), "space": (EM, 0, 0, 0, 0),
        "nothing": (0, 0, 0, 0, 0), "below": (EM, 0, DESCENT, EM, 0), "low": (EM, 0, 0, EM, X_HEIGHT),
        "thin": (200, 0, 0, 0, 0), "half": (500, 0, 0, 0, 0),
    }
    characters = {code: "box" for code in (
        list(range(0x21, 0x7F)) + list(range(0xA1, 0x180)) + list(range(0x391, 0x3CA)) + list(range(0x410, 0x450))
        + list(range(0x5D0, 0x5EB)) + list(range(0x620, 0x64B)) + [0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2018, 0x2019, 0x201C,
        0x201D, 0x2020, 0x2022, 0x2026, 0x2030, 0x25A0, 0x25AA, 0x25CB, 0x25CF, 0x25E6, 0x2460, 0x2461, 0x2462]
        + list(range(0x3001, 0x3020)) + list(range(0x3041, 0x3097)) + list(range(0x30A1, 0x30FF)) + list(range(0xFF01, 0xFF5F)))}
    characters.update((ord(c), "box") for c in "一二三四五六七八九十百千上下中人口大小山川日月木本東京漢字文水火田白目石空耳花見言車金雨青音")
    characters.update({0x20: "space", 0xA0: "space", 0x3000: "space", 0x2003: "space", 0x2002: "half", 0x2009: "thin", 0x200A: "thin",
                       0x200B: "nothing", 0x200C: "nothing", 0x200D: "nothing", 0xAD: "box", ord("p"): "below", ord("x"): "low"})
    font = builder("Square", "Regular", glyphs, characters)
    font.save(os.path.join(FOLDER, "Square.ttf"))


def letters():
    glyphs = {".notdef": (500, 50, DESCENT, 450, ASCENT), "space": (250, 0, 0, 0, 0), "uni200D": (0, 0, 0, 0, 0), "uni200C": (0, 0, 0, 0, 0)}
    characters = {0x20: "space", 0xA0: "space", 0x200C: "uni200C", 0x200D: "uni200D"}
    narrow, wide = set("fijlrt"), set("mw")

    def add(name, advance, top, bottom=0, code=None):
        glyphs[name] = (advance, 50, bottom, max(advance - 50, 50), top)
        if code is not None:
            characters[code] = name

    for code in range(0x61, 0x7B):
        letter = chr(code)
        width = 300 if letter in narrow else 800 if letter in wide else 500
        add(letter, width, CAP_HEIGHT if letter in "bdfhklt" else X_HEIGHT, DESCENT if letter in "gjpqy" else 0, code)
        add(letter.upper(), 700, CAP_HEIGHT, 0, code - 32)
        add(letter + ".sc", 600, X_HEIGHT)
    figures = "zero one two three four five six seven eight nine".split()
    for number, name in enumerate(figures):
        add(name, 400 if number == 1 else 500, CAP_HEIGHT, 0, 0x30 + number)
        add(name + ".onum", 400 if number == 1 else 500, X_HEIGHT)
        add(name + ".tnum", 500, CAP_HEIGHT)
        add(name + ".sups", 300, ASCENT, 300)
    for name, code in [("period", 0x2E), ("comma", 0x2C), ("hyphen", 0x2D), ("hyphen2010", 0x2010), ("quoteright", 0x2019),
                       ("quoteleft", 0x2018), ("exclam", 0x21), ("question", 0x3F), ("colon", 0x3A), ("semicolon", 0x3B)]:
        add(name, 250, 300, 0, code)
    add("endash", 500, 300, 200, 0x2013)
    add("emdash", 1000, 300, 200, 0x2014)
    add("f_i", 550, CAP_HEIGHT)
    add("f_f", 550, CAP_HEIGHT)
    add("f_f_i", 800, CAP_HEIGHT)
    add("c_t", 750, CAP_HEIGHT)
    glyphs["acutecomb"] = (0, -100, 550, 100, 650)
    glyphs["dotbelowcomb"] = (0, -50, -150, 50, -50)
    characters.update({0x301: "acutecomb", 0x323: "dotbelowcomb"})
    add("aacute", 500, CAP_HEIGHT, 0, 0xE1)
    for name, code in [("alef-hb", 0x5D0), ("bet-hb", 0x5D1), ("gimel-hb", 0x5D2), ("dalet-hb", 0x5D3), ("shin-hb", 0x5E9), ("lamed-hb", 0x5DC), ("mem-hb", 0x5DD), ("vav-hb", 0x5D5)]:
        add(name, 600, X_HEIGHT, 0, code)
    for name, code in [("beh-ar", 0x628), ("teh-ar", 0x62A), ("seen-ar", 0x633), ("lam-ar", 0x644), ("meem-ar", 0x645)]:
        add(name, 700, X_HEIGHT, 0, code)
        for form, width in [("init", 400), ("medi", 300), ("fina", 600)]:
            add(f"{name}.{form}", width, X_HEIGHT)
    add("alef-ar", 300, CAP_HEIGHT, 0, 0x627)
    add("alef-ar.fina", 200, CAP_HEIGHT)
    add("lam_alef-ar", 500, CAP_HEIGHT)
    for code, name in [(0x4E00, "yi"), (0x4E8C, "er"), (0x4E09, "san"), (0x3042, "a-hira")]:
        add(name, EM, ASCENT, DESCENT, code)
    glyphs["bracketleft"] = (EM, 700, DESCENT, 900, ASCENT)
    glyphs["bracketleft.vert"] = (EM, 0, DESCENT, EM, 0)
    glyphs["stop"] = (EM, 100, 0, 300, 200)
    glyphs["stop.vert"] = (EM, 700, 600, 900, ASCENT)
    characters.update({0x300C: "bracketleft", 0x3002: "stop"})
    font = builder("Letters", "Regular", glyphs, characters)
    lower = [chr(c) for c in range(0x61, 0x7B)]
    forms = ["beh-ar", "teh-ar", "seen-ar", "lam-ar", "meem-ar"]
    features = f"""
languagesystem DFLT dflt; languagesystem latn dflt; languagesystem arab dflt; languagesystem hebr dflt;
@lower = [{' '.join(lower)}]; @small = [{' '.join(c + '.sc' for c in lower)}]; @upper = [{' '.join(c.upper() for c in lower)}];
feature init {{ script arab; {' '.join(f'sub {f} by {f}.init;' for f in forms)} }} init;
feature medi {{ script arab; {' '.join(f'sub {f} by {f}.medi;' for f in forms)} }} medi;
feature fina {{ script arab; {' '.join(f'sub {f} by {f}.fina;' for f in forms)} sub alef-ar by alef-ar.fina; }} fina;
feature rlig {{ script arab; sub lam-ar.init alef-ar.fina by lam_alef-ar; }} rlig;
feature smcp {{ sub @lower by @small; }} smcp;
feature c2sc {{ sub @upper by @small; }} c2sc;
feature liga {{ sub f f i by f_f_i; sub f f by f_f; sub f i by f_i; }} liga;
feature dlig {{ sub c t by c_t; }} dlig;
feature onum {{ {' '.join(f'sub {f} by {f}.onum;' for f in figures)} }} onum;
feature tnum {{ {' '.join(f'sub {f} by {f}.tnum;' for f in figures)} }} tnum;
feature sups {{ {' '.join(f'sub {f} by {f}.sups;' for f in figures)} }} sups;
feature vert {{ sub bracketleft by bracketleft.vert; sub stop by stop.vert; }} vert;
feature kern {{ pos A V -100; pos V A -100; pos T o -150; pos A period 50; }} kern;
markClass acutecomb <anchor 0 500> @above; markClass dotbelowcomb <anchor 0 0> @below;
feature mark {{ {' '.join(f'pos base {c} <anchor 250 {CAP_HEIGHT if c in "bdfhklt" else X_HEIGHT}> mark @above <anchor 250 0> mark @below;' for c in 'aeiou')} }} mark;
table GDEF {{ GlyphClassDef [a-z A-Z aacute], [f_i f_f f_f_i c_t lam_alef-ar], [acutecomb dotbelowcomb],; }} GDEF;
"""
    font.setupFvar([("wght", 400, 400, 900, "Weight")], [])
    # Along the axis every letter grows by a fifth of an em: its right side, and its advance.
    variations = {}
    for name, shape in glyphs.items():
        if shape[3] > shape[1] and shape[0] > 0:
            grown = [(0, 0), (0, 0), (200, 0), (200, 0), (0, 0), (200, 0), (0, 0), (0, 0)]
            variations[name] = [TupleVariation({"wght": (0.0, 1.0, 1.0)}, grown)]
    font.setupGvar(variations)
    addOpenTypeFeaturesFromString(font.font, features)
    font.save(os.path.join(FOLDER, "Letters.ttf"))


if __name__ == "__main__":
    square()
    letters()
