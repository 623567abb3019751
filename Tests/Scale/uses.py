#!/usr/bin/env python3
"""Seeded changes of the engine, and the books that --uses chooses for what they touch: none that changes may be missed.

    uses.py TYPESET CORPUS FOLDER [CHANGES] [SEED]

A change is that the engine no longer knows a property on some elements, or sets what a book may hold (ruby, tables, images, ...) in
another way: a sheet of the reader's that outweighs all others does that. Each is a profile of one run, whose pages are compared
with those of the profile without a change; the books that differ have to be among those that

    bookset snapshot render CORPUS --index INDEX --uses FEATURES --dry-run

lists. Prints a line for each change and what they came to; the exit code is 1 where a book was missed.
"""

import json
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys

typeset, corpus, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3])
count, seed = (int(text) for text in [*sys.argv[4:6], *"300 1".split()[len(sys.argv[4:6]):]])

# By feature of the index: where it shows.
ELEMENTS = {
    "ruby": ["rt", "ruby", "rb, rt"],
    "tables": ["td", "th", "table", "caption", "td, th"],
    "images": ["img"],
    "svg": ["svg"],
    "mathml": ["math", "mi", "mo", "mn"],
}
LOOKS = ["letter-spacing: 1px", "color: #123456", "font-size: 0.9em", "font-weight: bold", "opacity: 0.8", "margin: 3px",
         "padding: 3px", "border: 1px solid", "line-height: 2", "text-align: center", "width: 50%"]
# What none of the elements' own rules say.
RULES = {
    "floats": ["* { float: none !important }"],
    "vertical": ["* { writing-mode: horizontal-tb !important }"],
    "bidi": ["* { direction: ltr !important; unicode-bidi: normal !important }"],
}
PLACES = ["*", "*", "*", "*, *::before, *::after", "p", "li", "h1, h2, h3", "span, em, b, i"]


def snapshot(*arguments):
    return subprocess.run([typeset, "snapshot", *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True).stdout


folder.mkdir(parents=True, exist_ok=True)
index = folder / "corpus.index"
snapshot("index", corpus, "--out", index, "--quiet")
features = set()
for line in index.read_text().splitlines()[1:]:
    features.update(line.split("\t")[7].split(" "))
# By whatever names the sheets of the corpus set them.
properties = set()
for path in corpus.rglob("*"):
    if path.suffix in (".css", ".html", ".xhtml", ".md") and path.is_file():
        text = path.read_text(errors="replace")
        for block in re.findall(r"\{([^{}]*)\}", text) + re.findall(r"""style=["']([^"'<>]*)""", text):
            properties.update(re.findall(r"(?:^|;)\s*([a-z][a-z-]*)\s*:", block))
properties = sorted(properties)


def change(dice):
    """What it touches, and its sheet."""
    if dice.random() < 0.6:
        name = dice.choice(properties)
        return [f"css:{name}"], f"{dice.choice(PLACES)} {{ {name}: initial !important }}"
    name = dice.choice([name for name in [*ELEMENTS, *RULES] if name in features])
    if name in RULES:
        return [name], dice.choice(RULES[name])
    return [name], f"{dice.choice(ELEMENTS[name])} {{ {dice.choice(LOOKS)} !important }}"


dice = random.Random(seed)
changes = []
while len(changes) < count:
    made = change(dice)
    if made not in changes:
        changes.append(made)
lines = ["profiles:", "  - name: as-it-is", "    page: 360x600", "    pdf: false"]
for number, (_, sheet) in enumerate(changes):
    (folder / f"{number}.css").write_text(sheet)
    lines += [f"  - name: change-{number}", "    page: 360x600", "    pdf: false", f"    css-file: {folder.resolve()}/{number}.css"]
# Profiles that books name have to be there.
named = {name for line in index.read_text().splitlines()[1:] for name in json.loads(line.split("\t")[8] or "{}").get("profiles", [])}
for name in sorted(named):
    lines += [f"  - name: {name}", "    extra: true"]
(folder / "profiles.yaml").write_text("\n".join(lines) + "\n")
run = folder / "run"
shutil.rmtree(run, ignore_errors=True)
subprocess.run(
    [typeset, "snapshot", "render", str(corpus), "--profiles", str(folder / "profiles.yaml"), "--out", str(run), "--quiet"]
    + [word for name in ["as-it-is", *(f"change-{number}" for number in range(count))] for word in ("--profile", name)],
    check=True)


def pages(book, profile):
    path = run / "books" / book / profile / "pages.hashes"
    return path.read_bytes() if path.exists() else b""


books = [line.split("\t")[0] for line in index.read_text().splitlines()[1:]]
before = {book: pages(book, "as-it-is") for book in books}
missed, shares, idle = 0, [], 0
for number, (touched, sheet) in enumerate(changes):
    listed = snapshot("render", corpus, "--index", index, "--uses", ",".join(touched), "--profiles", folder / "profiles.yaml",
                      "--profile", "as-it-is", "--dry-run", "--out", folder / "none")
    chosen = {line.split("\t")[0] for line in listed.splitlines()}
    changed = {book for book in books if pages(book, f"change-{number}") != before[book]}
    lost = sorted(changed - chosen)
    missed += bool(lost)
    idle += not changed
    shares.append(len(chosen) / len(books))
    print(f"{'MISSED' if lost else 'found'}\t{len(changed)} of {len(chosen)} chosen\t{','.join(touched)}\t{sheet}\t{' '.join(lost)}")
print(f"{count} changes, {missed} with books that --uses misses, {idle} that change no page; "
      f"median share of books rendered {statistics.median(shares):.1%}, highest {max(shares):.1%}")
sys.exit(1 if missed else 0)
