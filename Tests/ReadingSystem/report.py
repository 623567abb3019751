#!/usr/bin/env python3
"""Judges typeset by the W3C's tests of EPUB reading systems (w3c/epub-tests) and writes a report in the form of theirs.

  report.py TYPESET FOLDER [--out REPORT.json] [--known]

FOLDER holds the tests as packed books or folders. A test is judged where a program can: by the text, the layout records, what
`typeset info` says and the colours of the pages. What needs an eye, an ear, a script or an application is null. With --known only
judged tests are in the report. The exit status is 1 where a test is judged to fail.
"""

import argparse
import json
import os
import struct
import subprocess
import sys
import tempfile
import zlib


class Page:
    """The pixels of a page."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        at, packed, palette = 8, b"", b""
        while at < len(data):
            (length,), kind = struct.unpack(">I", data[at:at + 4]), data[at + 4:at + 8]
            body = data[at + 8:at + 8 + length]
            if kind == b"IHDR":
                self.width, self.height, depth, color = struct.unpack(">IIBB", body[:10])
            elif kind == b"PLTE":
                palette = body
            elif kind == b"IDAT":
                packed += body
            at += 12 + length
        channels = {0: 1, 2: 3, 3: 1, 6: 4}[color]
        size = (self.width * channels * depth + 7) // 8
        step = max(1, channels * depth // 8)
        raw, row, rows = zlib.decompress(packed), bytearray(size), []
        for y in range(self.height):
            kind, line = raw[y * (size + 1)], bytearray(raw[y * (size + 1) + 1:(y + 1) * (size + 1)])
            for x in range(size if kind else 0):
                a = line[x - step] if x >= step else 0
                b, c = row[x], row[x - step] if x >= step else 0
                if kind == 1:
                    add = a
                elif kind == 2:
                    add = b
                elif kind == 3:
                    add = (a + b) // 2
                else:
                    p = a + b - c
                    add = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
                line[x] = (line[x] + add) & 255
            rows.append(line)
            row = line
        self.pixels = []
        for line in rows:
            if color == 3 or color == 0:
                per = 8 // depth
                values = [line[x // per] >> (8 - depth - x % per * depth) & ((1 << depth) - 1) for x in range(self.width)]
                if color == 3:
                    self.pixels.append([tuple(palette[v * 3:v * 3 + 3]) for v in values])
                else:
                    top = (1 << depth) - 1
                    self.pixels.append([(v * 255 // top,) * 3 for v in values])
            else:
                self.pixels.append([tuple(line[x * channels:x * channels + 3]) for x in range(self.width)])

    def share(self, test):
        """The share of the page's pixels of a colour."""
        return sum(test(*p) for row in self.pixels for p in row) / (self.width * self.height)

    def red(self):
        return self.share(lambda r, g, b: r > 200 and g < 60 and b < 60)

    def green(self):
        return self.share(lambda r, g, b: g > r + 40 and g > b + 40)

    def painted(self):
        return self.share(lambda r, g, b: min(r, g, b) < 250)

    def colored(self):
        return self.share(lambda r, g, b: max(r, g, b) - min(r, g, b) > 40)


class Run:
    """What comes of a book."""

    def __init__(self, typeset, book, options=()):
        with tempfile.TemporaryDirectory() as folder:
            layout, text, pages = (os.path.join(folder, name) for name in ("layout", "text", "pages"))
            command = [typeset, book, "--pages", pages, "--layout", layout, "--text", text, "--page-size", "600x800", *options]
            done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
            self.status, self.errors = done.returncode, done.stderr
            self.text, self.records, self.pages = "", [], []
            if self.status == 0:
                with open(text, encoding="utf-8") as file:
                    self.text = file.read()
                with open(layout, encoding="utf-8") as file:
                    self.records = [json.loads(line) for line in file]
                self._names = sorted(os.path.join(pages, name) for name in os.listdir(pages))
                self.pages = [Page(name) for name in self._names]
        done = subprocess.run([typeset, "info", book, "--json"], capture_output=True, text=True, timeout=300, check=False)
        self.info = json.loads(done.stdout) if done.returncode == 0 else {}
        self.sheets = [record for record in self.records if record["type"] == "page"]
        self.fonts = self.records[0]["fonts"] if self.records else []

    def lines(self, sheet):
        return [line["text"] for line in self.sheets[sheet]["lines"]]

    def images(self):
        return [image for sheet in self.sheets for image in sheet["images"] if image["box"][2] > 1 and image["box"][3] > 1]

    def opens(self):
        return self.status == 0 and len(self.sheets) > 0 and self.text.strip() != ""

    def says(self, *texts):
        return self.opens() and all(text in self.text for text in texts)

    def font(self, suffix):
        """Whether a line stands in an embedded font."""
        used = {run["font"] for sheet in self.sheets for line in sheet["lines"] for run in line["runs"]}
        return any(font.get("embedded") and font["file"].lower().endswith(suffix) and font["id"] in used for font in self.fonts)

    def picture(self):
        return self.opens() and len(self.images()) > 0 and self.pages[0].painted() > 0.05

    def titles(self):
        return [entry["title"] for entry in self.info.get("contents", [])]


def fixed_pages(run, count):
    return run.opens() and len(run.pages) == count and all(page.colored() > 0.2 for page in run.pages)


def reflowed(run):
    return run.opens() and len(run.sheets) > 3 and len({sheet["href"] for sheet in run.sheets}) < len(run.sheets)


def no_red(run, *pages):
    return run.opens() and all(run.pages[page].red() == 0 for page in pages)


def runs_of(run, text):
    return [line for sheet in run.sheets for line in sheet["lines"] if text in line["text"]]


CHECKS = {
    "cnt-css-fonts_ot": lambda r: r.font(".otf"),
    "cnt-css-fonts_tt": lambda r: r.font(".ttf"),
    "cnt-css-fonts_woff": lambda r: r.font(".woff"),
    "cnt-css-fonts_woff2": lambda r: r.font(".woff2"),
    "cnt-mathml-support": lambda r: r.opens() and any("math" in font["family"].lower() for font in r.fonts),
    "cnt-svg-css-inclusion": lambda r: r.picture() and 0.02 < r.pages[0].green() < 0.3,
    "cnt-svg-css-reference": lambda r: r.picture() and r.pages[0].green() > 0.05,
    "cnt-svg-embedded": lambda r: r.picture(),
    "cnt-svg-support": lambda r: r.picture() and r.says("Test passes"),
    "cnt-xhtml-support": lambda r: r.opens(),
    "css-epub-text-transform": lambda r: r.opens() and any("ａｂｃ" in line for line in r.lines(0)),
    "css-epub-line-break": lambda r: r.opens() and not any(line[:1] in "々ぁっ" for line in r.lines(0) if line),
    "css-epub-writing-mode": lambda r: r.opens() and any(
        line["writing"] != "horizontal-tb" for sheet in r.sheets for line in sheet["lines"]),
    "fxl-spine-overrides_behave-as-global": lambda r: reflowed(r),
    "fxl-spine-overrides_duplicate": lambda r: reflowed(r),
    "lay-fxl-layout-default": lambda r: r.opens() and len(r.sheets) > 1 and r.info["layout"] == "reflowable",
    "lay-fxl-layout-pre-paginated": lambda r: fixed_pages(r, 4),
    "lay-fxl-orientation-default": lambda r: fixed_pages(r, 4) and "orientation" not in r.info,
    "lay-fxl-spread-both": lambda r: fixed_pages(r, 4) and r.info.get("spread") == "both",
    "lay-fxl-spread-landscape": lambda r: fixed_pages(r, 4) and r.info.get("spread") == "landscape",
    "lay-fxl-svg-icb_multi": lambda r: r.opens() and r.pages[1].green() == 0 and r.pages[2].green() > 0.01,
    "lay-fxl-xhtml-icb": lambda r: no_red(r, 0),
    "lay-fxl-xhtml-icb_invalid_meta": lambda r: no_red(r, 0, 1),
    "lay-fxl-xhtml-icb_multi": lambda r: no_red(r, 0) and r.pages[1].red() > 0.01,
    "lay-fxl-xhtml-icb_repeated-in-meta": lambda r: no_red(r, 0, 1),
    "lay-fxl-xhtml-icb_units": lambda r: r.opens() and r.pages[0].red() == r.pages[1].red(),
    "lay-pkg-flow-scrolled-doc": lambda r: r.opens() and r.info.get("flow") == "scrolled-doc",
    "lay-pp-layout-pre-paginated": lambda r: fixed_pages(r, 4),
    "lay-pp-spine-overrides_behave-as-global": lambda r: reflowed(r),
    "lay-pp-spine-overrides_image-spine-pp": lambda r: reflowed(r),
    "lay-viewport-meta-prop": lambda r: fixed_pages(r, 4),
    "mol-ignore": lambda r: r.opens(),
    "nav-access": lambda r: len(r.titles()) == 1,
    "nav-non-text_img_title": lambda r: r.titles()[1:] == ["Description of the Abbey of Sénanque"],
    "nav-spine_in-spine-hidden-toc-css": lambda r: len(r.titles()) == 2 and len(r.sheets[0]["links"]) == 1,
    "nav-spine_in-spine-hidden-toc-html": lambda r: len(r.titles()) == 2 and len(r.sheets[0]["links"]) == 1,
    "ocf-font_obfuscation": lambda r: r.font(".ttf"),
    "ocf-font_obfuscation_bis": lambda r: r.opens() and not r.font(".ttf"),
    "ocf-metainf-inc": lambda r: r.says("Test passes"),
    "ocf-package_arbitrary": lambda r: r.says("Test passes"),
    "ocf-url_link-relative": lambda r: r.picture(),
    "pkg-collections-unknown": lambda r: r.says("Test passes"),
    "pkg-creator-order": lambda r: r.info["creators"][0]["name"] == "Dave Cramer",
    "pkg-dir_creator-rtl": lambda r: r.info["creators"][0].get("direction") == "rtl",
    "pkg-dir_rtl-root-ltr": lambda r: r.info.get("titleDirection") == "rtl",
    "pkg-dir_rtl-root-unset": lambda r: r.info.get("titleDirection") == "rtl",
    "pkg-dir_unset-root-rtl": lambda r: r.info.get("titleDirection") == "rtl",
    "pkg-dir_unset-root-unset": lambda r: "titleDirection" not in r.info,
    "pkg-manifest-unknown": lambda r: r.says("Test passes"),
    "pkg-meta-unknown": lambda r: r.says("Test passes"),
    "pkg-spine-duplicate-item-rendering": lambda r: r.opens() and len(r.sheets) == 4,
    "pkg-spine-order": lambda r: r.opens() and len(r.info["spine"]) == len({sheet["chapter"] for sheet in r.sheets}),
    "pkg-spine-order-svg": lambda r: r.opens() and [sheet["href"] for sheet in r.sheets] == [s["href"] for s in r.info["spine"]],
    "pkg-spine-progression_ltr": lambda r: r.info["pageProgression"] == "ltr",
    "pkg-spine-progression_rtl": lambda r: r.info["pageProgression"] == "rtl",
    "pkg-unique-id": lambda r: r.opens(),
    "pkg-unique-id_duplicate": lambda r: r.opens(),
    "pkg-version-backward": lambda r: r.says("Test passes"),
    "pss-support_ignore-title": lambda r: r.opens() and not any(note for sheet in r.sheets[1:] for note in sheet["notes"]),
    "pub-cmt-avif": lambda r: r.picture(),
    "pub-cmt-gif": lambda r: r.picture(),
    "pub-cmt-jpeg": lambda r: r.picture(),
    "pub-cmt-jxl": lambda r: r.picture(),
    "pub-cmt-png": lambda r: r.picture(),
    "pub-cmt-svg": lambda r: r.picture(),
    "pub-cmt-webp": lambda r: r.picture(),
    "pub-data-urls_browsing-context": lambda r: len(r.images()) == 1,
    "pub-data-urls_top-level-content": lambda r: len(r.images()) == 1,
    "pub-foreign_image": lambda r: r.picture(),
    "pub-foreign_json-spine": lambda r: r.says("Test passes"),
    "pub-foreign_xml-spine": lambda r: r.says("Test passes") and "Test fails" not in r.text,
    "pub-foreign_xml-suffix-spine": lambda r: r.says("Test passes") and "Test fails" not in r.text,
    "pub-xml-external-id": lambda r: r.says("&xxe;"),
    "pub-xml-names": lambda r: r.status != 0 or r.errors != "",
    "pub-xml-non-validating_unclosed": lambda r: r.status != 0 or r.errors != "",
    "scr-storage-delete": lambda r: r.says("succeeds"),
}
# What a test needs beside the page that all are set on.
OPTIONS = {"pss-support_ignore-title": ["--notes", "foot"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("typeset")
    parser.add_argument("folder")
    parser.add_argument("--out")
    parser.add_argument("--known", action="store_true")
    parser.add_argument("--variant", default="pages of the command line")
    options = parser.parse_args()
    results = {}
    for entry in sorted(os.listdir(options.folder)):
        name = entry.removesuffix(".epub")
        if name == entry and not os.path.isdir(os.path.join(options.folder, entry)):
            continue
        check = CHECKS.get(name)
        if check is None:
            if not options.known:
                results[name] = None
            continue
        run = Run(options.typeset, os.path.join(options.folder, entry), OPTIONS.get(name, ()))
        try:
            results[name] = bool(check(run))
        except (IndexError, KeyError):
            results[name] = False
    report = {"name": "typeset", "ref": "https://github.com/w3c/epub-tests", "variant": options.variant, "tests": results}
    text = json.dumps(report, indent=2) + "\n"
    if options.out:
        os.makedirs(os.path.dirname(os.path.abspath(options.out)), exist_ok=True)
        with open(options.out, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        sys.stdout.write(text)
    failed = sorted(name for name, result in results.items() if result is False)
    passed = sum(result is True for result in results.values())
    print(f"{passed} of {passed + len(failed)} judged tests pass; {sum(r is None for r in results.values())} are not judged",
          file=sys.stderr)
    for name in failed:
        print(f"fails: {name}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
