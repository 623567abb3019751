#!/usr/bin/env python3
"""Total-fit line breaking against line by line, on the justified paragraphs of books.

For each book: how many paragraphs have fewer, equal and more demerits with `text-wrap: pretty` than with `auto`, the sums of
demerits and the time of layout; of all, a histogram of word spaces (1 is natural). Pages are endless unless `--pages` is
given: where a page ends is another place for each of both, and no hyphen may stand there.

    linebreaking.py TYPESET BOOK... [--chapters RANGE] [--repeat N] [--pages] [--house] [--more]

Natural word spaces are those of the faces, which are looked for in the book and in /usr/share/fonts (needs fontTools; a
quarter of the font size where a face is not found).
"""

import argparse
import collections
import json
import functools
import io
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import zipfile

try:
    from fontTools.ttLib import TTFont
except ImportError:
    TTFont = None

BUCKETS = [0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0, 3.0]


SPACES = " \u00a0"
# Ideographs, kana and marks of their size: the gaps beside them open.
IDEOGRAPHIC = re.compile("[\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")
OPTIONS = []


@functools.cache
def installed():
    return {path.name: path for path in pathlib.Path("/usr/share/fonts").rglob("*.*tf")}


@functools.cache
def space_width(book, name):
    """The width of a space in the face of a file, in em."""
    try:
        if name in installed():
            font = TTFont(installed()[name], lazy=True)
        else:
            with zipfile.ZipFile(book) as archive:
                entry = next(e for e in archive.namelist() if pathlib.Path(e).name == pathlib.Path(name).name)
                font = TTFont(io.BytesIO(archive.read(entry)))
        return font["hmtx"][font.getBestCmap()[0x20]][0] / font["head"].unitsPerEm
    except Exception:
        return 0.25


def run(typeset, book, wrap, chapters, folder, natural=False):
    """The lines and the statistics of a run; `natural` leaves lines as wide as they are."""
    sheet = folder / "sheet.css"
    rules = "text-wrap: %s !important; %s" % (wrap, "" if "--page-size" not in OPTIONS else "hyphenate-limit-last: none !important;")
    sheet.write_text("* { %s %s }" % (rules, "text-justify: none !important" if natural else ""))
    command = [typeset, book, "--user-css", sheet, "--justify", "on", "--jobs", "1", "--quiet", *OPTIONS]
    command += ["--layout", folder / "layout", "--stats", folder / "stats"]
    if chapters:
        command += ["--chapters", chapters]
    if subprocess.run(command, stderr=subprocess.DEVNULL).returncode not in (0, 75):
        return [], {}
    lines, faces = [], {}
    with open(folder / "layout", encoding="utf-8") as file:
        for record in map(json.loads, file):
            faces.update({face["id"]: face["file"] for face in record.get("fonts", [])})
            for line in record.get("lines", []):
                line["place"] = (record.get("chapter"), line.get("source", {}).get("node"))
                stretched = [run["text"] for run in line["runs"]]
                stretched[-1:] = [text.rstrip(" ") for text in stretched[-1:]]
                line["spaces"] = sum(
                    sum(text.count(space) for space in SPACES) * run["size"] * space_width(book, faces[run["font"]])
                    for run, text in zip(line["runs"], stretched))
                lines.append(line)
    return lines, json.loads((folder / "stats").read_text())


def times(typeset, book, wrap, chapters, folder, repeat):
    """The median time of layout, in ms."""
    found = []
    for _ in range(repeat):
        _, stats = run(typeset, book, wrap, chapters, folder)
        found.append(stats.get("time.layout", 0))
    return statistics.median(found) if found else 0


def width(line):
    return sum(run["width"] for run in line["runs"])


def end(line):
    return line["box"][0] + width(line)


def paragraphs(typeset, book, wrap, chapters, folder):
    """Justified paragraphs by their place: the demerits of their lines, and the factors of their word spaces."""
    set_lines, _ = run(typeset, book, wrap, chapters, folder)
    free_lines, _ = run(typeset, book, wrap, chapters, folder, natural=True)
    if [line["text"] for line in set_lines] != [line["text"] for line in free_lines]:
        return {}
    grouped = collections.OrderedDict()
    for line, free in zip(set_lines, free_lines):
        if line["runs"]:
            grouped.setdefault(line["place"], []).append((line, free))
    found = {}
    for place, lines in grouped.items():
        if not any(abs(width(line) - width(free)) > 0.1 for line, free in lines):
            continue
        edge = max(end(line) for line, _ in lines)
        demerits, factors, previous, fitness = 0.0, [], False, 1
        for line, free in lines[:-1]:
            size = max(run["size"] for run in line["runs"])
            space, hyphenated = line["spaces"], line["hyphenated"]
            excess = width(line) - width(free)
            gaps = max(0, len(IDEOGRAPHIC.findall(line["text"])) - 1)
            if space or gaps:
                ratio = excess / max(size / 100, space / 5 if excess < 0 else space / 3 + gaps * size / 4)
                if not gaps:
                    factors.append(1 + excess / space)
            else:
                # It stays as wide as it is.
                ratio = max(0, edge - end(line)) / (size / 4)
            demerits += (10 + 100 * abs(ratio) ** 3) ** 2
            last_fitness, fitness = fitness, 0 if ratio < -0.5 else 1 if ratio <= 0.5 else 2 if ratio <= 1 else 3
            demerits += 10000 if abs(fitness - last_fitness) > 1 else 0
            demerits += 12500 if hyphenated and previous else 2500 if hyphenated else 0
            previous = hyphenated
        last, free = lines[-1]
        size = max(run["size"] for run in last["runs"])
        isWord = not last["spaces"] and len(IDEOGRAPHIC.findall(last["text"])) < 2
        demerits += 656100 if width(free) < 2 * size or isWord else 100
        demerits += (5000 if previous else 0) + (10000 if abs(fitness - 1) > 1 else 0)
        text = "".join(line["text"] for line, _ in lines)
        found[place] = (demerits, factors, text.translate({ord(space): None for space in SPACES}), lines)
    return found


def show(name, place, both):
    print("   ", name, *place)
    for wrap, (demerits, _, _, lines) in both.items():
        print("      %-7s %.6g" % (wrap, demerits))
        for line, free in lines:
            stretch = (width(line) - width(free)) / line["spaces"] if line["spaces"] else 0
            print("      %8.3f %8.2f %s %s" % (stretch, width(free), "-" if line["hyphenated"] else " ", line["text"][:80]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("typeset")
    parser.add_argument("books", nargs="+")
    parser.add_argument("--chapters")
    parser.add_argument("--repeat", type=int, default=5, help="runs that are timed")
    parser.add_argument("--pages", action="store_true", help="pages of the usual height")
    parser.add_argument("--house", action="store_true", help="with the house style")
    parser.add_argument("--more", action="store_true", help="show the paragraphs that have more demerits")
    options = parser.parse_args()
    OPTIONS.extend([] if options.pages else ["--page-size", "600x16000"])
    OPTIONS.extend(["--style", "house"] if options.house else [])
    totals = {"auto": [0] * (len(BUCKETS) + 1), "pretty": [0] * (len(BUCKETS) + 1)}
    counts = collections.Counter()
    sums = collections.Counter()
    clock = collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for book in options.books:
            both = {w: paragraphs(options.typeset, book, w, options.chapters, folder) for w in totals}
            mine, own = collections.Counter(), collections.Counter()
            for place, (greedy, factors, text, _) in both["auto"].items():
                fit = both["pretty"].get(place)
                if not fit or fit[2] != text or not factors:
                    continue
                # Positions are rounded.
                change = "fewer" if fit[0] < greedy * 0.99 else "more" if fit[0] > greedy * 1.01 else "equal"
                if options.more and change == "more":
                    show(pathlib.Path(book).name, place, {w: both[w][place] for w in both})
                mine[change] += 1
                own["auto"] += greedy
                own["pretty"] += fit[0]
                for wrap, values in (("auto", factors), ("pretty", fit[1])):
                    for value in values:
                        totals[wrap][sum(value > edge for edge in BUCKETS)] += 1
            counts += mine
            sums += own
            spent = {w: times(options.typeset, book, w, options.chapters, folder, options.repeat) for w in totals}
            clock.update(spent)
            print(
                "%-36s %5d fewer, %5d equal, %4d more; demerits %8.3g -> %8.3g; layout %7.1f -> %7.1f ms"
                % (pathlib.Path(book).name, mine["fewer"], mine["equal"], mine["more"], own["auto"], own["pretty"],
                   spent["auto"], spent["pretty"]))
            sys.stdout.flush()
    print("demerits %.4g -> %.4g" % (sums["auto"], sums["pretty"]), dict(counts))
    times_as_long = clock["pretty"] / max(clock["auto"], 1e-9)
    print("layout %.1f -> %.1f ms, %.2f times" % (clock["auto"], clock["pretty"], times_as_long))
    print("word space  " + "".join("%9s" % ("<=%.2f" % edge) for edge in BUCKETS) + "     more")
    for wrap, row in totals.items():
        print("%-12s" % wrap + "".join("%9d" % value for value in row))


if __name__ == "__main__":
    main()
