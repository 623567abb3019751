#!/usr/bin/env python3
"""Counts how often the letters of languages are used and writes Sources/Markup/LetterFrequencies.swift.

usage: Scripts/letter-frequencies.py [--catalogues FOLDER] > Sources/Markup/LetterFrequencies.swift

What is counted are the translations that programs bring along (gettext catalogues, /usr/share/locale: on Debian those of
apt, bash, coreutils, dpkg, git and a hundred others) without the words that they leave untranslated; for English the
messages themselves. Of texts nothing is kept but the frequencies. Which programs are installed moves a rare letter by half a
bit and no more.
"""
import argparse
import collections
import gettext
import math
import pathlib
import re
import sys
import unicodedata

# By script. A language is here if some encoding of bytes was made for it.
LANGUAGES = """
en fr de es it pt ca gl eu nl af da nb sv fi is ga cy sq
cs sk pl hu sl hr ro et lv lt tr mt eo vi
ru uk be bg mk sr
el he yi ar fa th
""".split()

# Letters that older encodings have in another form.
OLDER = {"ș": "ş", "ț": "ţ", "ی": "ي", "ک": "ك"}
TONES = "\u0300\u0301\u0303\u0309\u0323"


def words(message, text):
    """The text without what is not of its language: markup, options, places for arguments, words of the message."""
    text = re.sub(r"<[^>]*>", " ", text)
    text = re.sub(r"%[-#0-9.*$()a-zA-Z_]*[a-zA-Z]|\{[^}]*\}|&\w+;|--?[\w-]+|\$\w+|[\w./-]*[/@_][\w./-]*", " ", text)
    foreign = set(re.findall(r"[A-Za-z]{2,}", message))
    return [w for w in re.sub("[_&~]", "", text).split() if re.sub(r"\W", "", w) not in foreign]


def catalogues(folder, language):
    """Messages and translations."""
    seen = set()
    names = [language] + ([] if language == "sr" else [language + "_*"])
    for file in sorted(f for name in names for f in folder.glob(f"{name}/LC_MESSAGES/*.mo")):
        if file.name.startswith(("iso_", "iso-", "xkeyboard", "tzdata")):
            continue  # lists of names
        try:
            with file.open("rb") as opened:
                entries = gettext.GNUTranslations(opened)._catalog
        except (OSError, UnicodeDecodeError, ValueError):
            continue
        for message, text in entries.items():
            message = message if isinstance(message, str) else message[0]
            if message and isinstance(text, str) and len(text) >= 12 and text != message and text not in seen:
                seen.add(text)
                yield message, text


def tones_apart(text):
    """Vietnamese as windows-1258 has it: vowels with their marks, and the tones apart."""
    out = ""
    for character in unicodedata.normalize("NFC", text):
        parts = unicodedata.normalize("NFD", character)
        tones = "".join(p for p in parts if p in TONES)
        out += unicodedata.normalize("NFC", "".join(p for p in parts if p not in TONES)) + tones
    return out


def letters(language, folder):
    count = collections.Counter()
    if language == "en":
        pairs = (("", message) for message, _ in catalogues(folder, "de"))
    else:
        pairs = catalogues(folder, language)
    for message, text in pairs:
        text = " ".join(words(message, text))
        for character in tones_apart(text) if language == "vi" else text:
            if unicodedata.category(character)[0] in "LM":
                lower = character.lower()[0]
                count[OLDER.get(lower, lower)] += 1
    script = lambda c: unicodedata.name(c, "?").split()[0]
    scripts = collections.Counter()
    for character, times in count.items():
        scripts[script(character)] += times
    own = {scripts.most_common(1)[0][0], "COMBINING"}
    count = {c: n for c, n in count.items() if script(c) in own}
    total = sum(count.values())
    return {c: n / total for c, n in count.items() if n / total > 5e-5}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--catalogues", type=pathlib.Path, default=pathlib.Path("/usr/share/locale"))
    folder = parser.parse_args().catalogues
    print("/// How often the letters of languages are used, for guesses at encodings. Written by Scripts/letter-frequencies.py.")
    print("enum LetterFrequencies {")
    print("  /// By language, in lower case: letters of probability 2 to the power of −1, then, after each space, of half a power less.")
    print("  static let languages: [(language: StaticString, letters: String)] = [")
    for language in LANGUAGES:
        groups = collections.defaultdict(list)
        for character, share in sorted(letters(language, folder).items(), key=lambda e: (-e[1], e[0])):
            groups[max(0, round(-2 * math.log2(share)) - 2)].append(character)
        if not groups:
            sys.exit(f"no catalogue of {language} in {folder}")
        spell = lambda c: f"\\u{{{ord(c):X}}}" if unicodedata.category(c) == "Mn" else c
        text = " ".join("".join(map(spell, groups[step])) for step in range(max(groups) + 1))
        print(f'    ("{language}", "{text}"),')
    print("  ]")
    print("}")


main()
