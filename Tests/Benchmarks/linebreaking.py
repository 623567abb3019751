#!/usr/bin/env python3
"""Total-fit line breaking against line by line, on the justified paragraphs of books.

For each book: how many paragraphs have fewer, equal and more demerits with `text-wrap: pretty` than with `auto`, the sum of
demerits, a histogram of word spaces (1 is natural) and the time of layout.

    linebreaking.py TYPESET BOOK... [--chapters RANGE] [--repeat N]
"""

import argparse
import collections
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

BUCKETS = [0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0, 3.0]


def run(typeset, book, wrap, chapters, folder, natural=False):
    """The lines and the statistics of a run; `natural` leaves lines as wide as they are."""
    sheet = folder / "sheet.css"
    sheet.write_text("* { text-wrap: %s !important%s }" % (wrap, "; text-justify: none !important" if natural else ""))
    command = [typeset, book, "--user-css", sheet, "--justify", "on", "--jobs", "1", "--quiet"]
    command += ["--layout", folder / "layout", "--stats", folder / "stats"]
    if chapters:
        command += ["--chapters", chapters]
    if subprocess.run(command, stderr=subprocess.DEVNULL).returncode not in (0, 75):
        return [], {}
    lines = []
    with open(folder / "layout", encoding="utf-8") as file:
        for record in map(json.loads, file):
            for line in record.get("lines", []):
                line["place"] = (record.get("chapter"), line.get("source", {}).get("node"))
                lines.append(line)
    return lines, json.loads((folder / "stats").read_text())


def times(typeset, book, wrap, chapters, folder, repeat):
    """The median time of layout, in ms."""
    found = []
    for _ in range(repeat):
        _, stats = run(typeset, book, wrap, chapters, folder)
        found.append(stats.get("time.layout", 0))
    return statistics.median(found)


def width(line):
    return sum(run["width"] for run in line["runs"])


def paragraphs(typeset, book, wrap, chapters, folder):
    """Paragraphs by their place: the demerits of all lines but the last, and the factors of their word spaces."""
    set_lines, _ = run(typeset, book, wrap, chapters, folder)
    free_lines, _ = run(typeset, book, wrap, chapters, folder, natural=True)
    if [line["text"] for line in set_lines] != [line["text"] for line in free_lines]:
        return {}
    grouped = collections.OrderedDict()
    for line, free in zip(set_lines, free_lines):
        grouped.setdefault(line["place"], []).append((line, free))
    found = {}
    for place, lines in grouped.items():
        demerits, factors, previous, fitness = 0.0, [], False, 1
        for line, free in lines[:-1]:
            spaces = line["text"].rstrip().count(" ")
            size = max((run["size"] for run in line["runs"]), default=0)
            excess = width(line) - width(free)
            hyphenated = line["hyphenated"]
            if spaces and size and len(line["runs"]) == len(free["runs"]):
                space = size / 4 * spaces
                ratio = excess / (space / 5 if excess < 0 else space / 3)
                demerits += (10 + 100 * abs(ratio) ** 3) ** 2
                last_fitness, fitness = fitness, 0 if ratio < -0.5 else 1 if ratio <= 0.5 else 2 if ratio <= 1 else 3
                demerits += 10000 if abs(fitness - last_fitness) > 1 else 0
                factors.append(1 + excess / space)
            demerits += 12500 if hyphenated and previous else 2500 if hyphenated else 0
            previous = hyphenated
        last, free = lines[-1]
        size = max((run["size"] for run in last["runs"]), default=0)
        demerits += 40000 if width(free) < 2 * size else 100
        demerits += (5000 if previous else 0) + (10000 if abs(fitness - 1) > 1 else 0)
        found[place] = (demerits, factors, "".join(line["text"] for line, _ in lines).replace(" ", ""))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("typeset")
    parser.add_argument("books", nargs="+")
    parser.add_argument("--chapters")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    totals = {"auto": [0] * (len(BUCKETS) + 1), "pretty": [0] * (len(BUCKETS) + 1)}
    counts = collections.Counter()
    sums = collections.Counter()
    clock = collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for book in options.books:
            both = {w: paragraphs(options.typeset, book, w, options.chapters, folder) for w in totals}
            mine = collections.Counter()
            for place, (greedy, factors, text) in both["auto"].items():
                fit = both["pretty"].get(place)
                if not fit or fit[2] != text or not factors:
                    continue
                change = "fewer" if fit[0] < greedy - 1 else "more" if fit[0] > greedy + 1 else "equal"
                mine[change] += 1
                sums["auto"] += greedy
                sums["pretty"] += fit[0]
                for wrap, values in (("auto", factors), ("pretty", fit[1])):
                    for value in values:
                        totals[wrap][sum(value > edge for edge in BUCKETS)] += 1
            counts += mine
            spent = {w: times(options.typeset, book, w, options.chapters, folder, options.repeat) for w in totals}
            clock.update(spent)
            print(
                "%-40s paragraphs: %5d fewer, %5d equal, %4d more; layout %7.1f -> %7.1f ms"
                % (pathlib.Path(book).name, mine["fewer"], mine["equal"], mine["more"], spent["auto"], spent["pretty"]))
            sys.stdout.flush()
    print("demerits %.4g -> %.4g" % (sums["auto"], sums["pretty"]), dict(counts))
    times_as_long = clock["pretty"] / max(clock["auto"], 1e-9)
    print("layout %.1f -> %.1f ms, %.2f times" % (clock["auto"], clock["pretty"], times_as_long))
    print("word space  " + "".join("%9s" % ("<=%.2f" % edge) for edge in BUCKETS) + "     more")
    for wrap, row in totals.items():
        print("%-12s" % wrap + "".join("%9d" % value for value in row))


if __name__ == "__main__":
    main()
