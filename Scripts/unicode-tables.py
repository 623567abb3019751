#!/usr/bin/env python3
"""Writes the tables of character properties that the engine goes by, from the Unicode Character Database.

    Scripts/unicode-tables.py [FOLDER]

FOLDER holds the database as Debian's package unicode-data has it (/usr/share/unicode unless told otherwise), of the version
below: lines break alike wherever the engine runs, whatever version of Unicode the libraries of a system know. Written are
Sources/System/CUnicode/Tables.h and Sources/Text/Analysis/Script+Names.swift.
"""
import pathlib
import sys

VERSION = "15.0.0"
LAST = 0x10FFFF
root = pathlib.Path(__file__).resolve().parent.parent
folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode")

# The values of each property in the order of their numbers, which are those of ICU's enumerations; "-" is a number not used.
LINE_BREAK = (
    "XX AI AL B2 BA BB BK CB CL CM CR EX GL HY ID IN IS LF NS NU OP PO PR QU SA SG SP SY ZW NL WJ H2 H3 JL JT JV CP CJ HL RI "
    "EB EM ZWJ").split()
GRAPHEME_BREAK = (
    "Other Control CR Extend L LF LV LVT T V SpacingMark Prepend Regional_Indicator - - - - ZWJ").split()
WORD_BREAK = (
    "Other ALetter Format Katakana MidLetter MidNum Numeric ExtendNumLet CR Extend LF MidNumLet Newline Regional_Indicator "
    "Hebrew_Letter Single_Quote Double_Quote - - - - ZWJ WSegSpace").split()
CATEGORY = (
    "Cn Lu Ll Lt Lm Lo Mn Me Mc Nd Nl No Zs Zl Zp Cc Cf Co Cs Pd Ps Pe Pc Po Sm Sc Sk So Pi Pf").split()
WIDTH = "N A H F Na W".split()
DIRECTION = "L R EN ES ET AN CS B S WS ON LRE LRO AL RLE RLO PDF NSM BN FSI LRI RLI PDI".split()
ORIENTATION = "R Tr Tu U".split()
BRACKET = "n o c".split()


def fail(message):
    sys.exit(f"unicode-tables: {message}")


def lines(name, missing=False):
    """The fields of the lines of a file; with `missing` those of its defaults (UAX #44, section 4.2.10)."""
    mark = "# @missing:"
    for line in (folder / name).read_text(encoding="utf-8").splitlines():
        if line.startswith(mark) == missing:
            fields = [field.strip() for field in line.removeprefix(mark).split("#")[0].split(";")]
            if fields != [""]:
                yield fields


def span(text):
    first, _, last = text.partition("..")
    return range(int(first, 16), int(last or first, 16) + 1)


aliases = {}
for fields in lines("PropertyValueAliases.txt"):
    for name in fields[1:]:
        aliases[fields[0], name] = fields[1]


def values(name, numbers, alias=None):
    """The number of a property's value for each code point. Of the defaults, later ones overrule those before."""
    result = [0] * (LAST + 1)
    for kind in True, False:
        for code, value in lines(name, missing=kind):
            number = numbers.index(aliases.get((alias, value), value))
            for scalar in span(code):
                result[scalar] = number
    return result


def flags(name, value):
    """The code points that a file lists under a value."""
    return {scalar for code, found, *_ in lines(name) if found == value for scalar in span(code)}


first_line = (folder / "PropList.txt").read_text(encoding="utf-8").splitlines()[0]
if first_line != f"# PropList-{VERSION}.txt":
    fail(f"{folder} holds {first_line.removeprefix('# ')}, and the tables are of Unicode {VERSION}")

# Scripts by their codes: those that take the script of their neighbours first.
taken = ["Zyyy", "Zinh"]
codes = sorted({short for (kind, _), short in aliases.items() if kind == "sc"} - {*taken, "Zzzz", "Hrkt"})
scripts = taken + codes + ["Zzzz"]
names = {fields[1]: fields[2] for fields in lines("PropertyValueAliases.txt") if fields[0] == "sc"}

line_break = values("LineBreak.txt", LINE_BREAK, "lb")
grapheme_break = values("auxiliary/GraphemeBreakProperty.txt", GRAPHEME_BREAK)
word_break = values("auxiliary/WordBreakProperty.txt", WORD_BREAK)
category = values("extracted/DerivedGeneralCategory.txt", CATEGORY, "gc")
width = values("EastAsianWidth.txt", WIDTH, "ea")
direction = values("extracted/DerivedBidiClass.txt", DIRECTION, "bc")
orientation = values("VerticalOrientation.txt", ORIENTATION, "vo")
script = [scripts.index("Zzzz")] * (LAST + 1)
for code, value in lines("Scripts.txt"):
    for scalar in span(code):
        script[scalar] = scripts.index(aliases["sc", value])

# Indic_Conjunct_Break of Unicode 15.1 as two more values of Grapheme_Cluster_Break: 30 for consonants, 31 for linkers.
conjoining = {scripts.index(code) for code in "Beng Deva Gujr Mlym Orya Telu".split()}
for code, value in lines("IndicSyllabicCategory.txt"):
    if value in ("Consonant", "Virama"):
        for scalar in span(code):
            if script[scalar] in conjoining:
                grapheme_break[scalar] = 30 if value == "Consonant" else 31

brackets = {int(code, 16): (int(pair, 16), BRACKET.index(kind)) for code, pair, kind in lines("BidiBrackets.txt")}
mirrors = {int(code, 16): int(pair, 16) for code, pair in lines("BidiMirroring.txt")}
emoji = [flags("emoji/emoji-data.txt", value) for value in (
    "Emoji", "Emoji_Presentation", "Extended_Pictographic", "Emoji_Modifier")]
marks = emoji + [flags("DerivedCoreProperties.txt", "Default_Ignorable_Code_Point")]


def packed(scalar):
    """See CUnicode.h."""
    fields = [
        (line_break[scalar], 6), (grapheme_break[scalar], 5), (word_break[scalar], 5), (script[scalar], 8),
        (category[scalar], 5), (width[scalar], 3), (direction[scalar], 5), (orientation[scalar], 2),
        (brackets.get(scalar, (0, 0))[1], 2), *((scalar in mark, 1) for mark in marks)]
    bits = at = 0
    for value, length in fields:
        assert value < 1 << length
        bits |= value << at
        at += length
    return bits


words = {}
ranges = []
for scalar in range(LAST + 1):
    word = words.setdefault(packed(scalar), len(words))
    if not ranges or ranges[-1] & 2047 != word:
        ranges.append(scalar << 11 | word)
assert len(words) < 2048

# Script_Extensions, where a code point has more scripts than the one of Script: ranges, and sets that end with 255.
sets = {}
extensions = []
for code, value in lines("ScriptExtensions.txt"):
    members = tuple(sorted(scripts.index(short) for short in value.split()))
    extensions.append((span(code)[0], span(code)[-1], members))
places = []
members = []
for first, last, listed in sorted(extensions):
    if places and places[-1][1] == first - 1 and places[-1][2] == sets.get(listed):
        places[-1][1] = last
        continue
    if listed not in sets:
        sets[listed] = len(members)
        members += [*listed, 255]
    places.append([first, last, sets[listed]])


def table(kind, name, items, width):
    text = f"static const {kind} {name}[{len(items)}] = {{\n"
    for at in range(0, len(items), width):
        text += "  " + " ".join(f"{item}," for item in items[at:at + width]) + "\n"
    return text + "};\n"


def triples(items):
    return [f"{{0x{first:X}, 0x{last:X}, {place}}}" for first, last, place in items]


def pairs(items):
    return [f"{{0x{first:X}, 0x{second:X}}}" for first, second in sorted(items)]


header = f"""// Properties of Unicode {VERSION}, written by Scripts/unicode-tables.py.

static const char unicode_version[] = "{VERSION.rpartition('.')[0]}";

// The words of properties that there are.
"""
header += table("uint64_t", "property_words", [f"0x{word:X}" for word in words], 8)
header += "\n// The first code point of a range (21 bits) and the number of its word (11 bits).\n"
header += table("uint32_t", "property_ranges", [f"0x{item:X}" for item in ranges], 12)
header += "\n// The ISO 15924 tags of scripts.\n"
header += f"static const char script_tags[{len(scripts)}][5] = {{\n"
for at in range(0, len(scripts), 16):
    header += "  " + " ".join(f'"{code}",' for code in scripts[at:at + 16]) + "\n"
header += "};\n"
header += "\n// Ranges with other scripts than that of Script, and where their scripts stand.\n"
header += table("struct extension", "script_extensions", triples(places), 6)
header += "\n// Sets of scripts, each ended by 255.\n"
header += table("uint8_t", "script_sets", members, 30)
header += "\n// Bidi_Paired_Bracket.\n"
header += table("struct pair", "paired_brackets", pairs((code, pair) for code, (pair, _) in brackets.items()), 8)
header += "\n// Bidi_Mirroring_Glyph.\n"
header += table("struct pair", "mirrored", pairs(mirrors.items()), 8)
(root / "Sources/System/CUnicode/Tables.h").write_text(header, encoding="utf-8")

swift = f"""// Scripts of Unicode {VERSION}, written by Scripts/unicode-tables.py.

extension Script {{
"""
for number, code in enumerate(scripts):
    name = names[code].replace("_", "")
    name = name[0].lower() + name[1:]
    swift += f"  @inlinable public static var {name}: Self {{ Self(rawValue: {number}) }}\n"
swift += """
  /// The name that Unicode gives the script, with blanks for its underscores.
  public var name: String { Self.names.indices.contains(Int(rawValue)) ? Self.names[Int(rawValue)] : "Unknown" }

  private static let names = [
"""
for start in range(0, len(scripts), 6):
    swift += "    " + " ".join(f'"{names[code].replace("_", " ")}",' for code in scripts[start:start + 6]) + "\n"
swift += "  ]\n"
(root / "Sources/Text/Analysis/Script+Names.swift").write_text(swift + "}\n", encoding="utf-8")
print(f"unicode-tables: {len(ranges)} ranges, {len(words)} words, {len(scripts)} scripts, {len(places)} extensions")
