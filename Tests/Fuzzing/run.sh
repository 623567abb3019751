#!/bin/sh
# Feeds readers with bytes that libFuzzer makes up from a corpus grown of the rules under Tests/Cases and the books of Corpus.
#
#   Tests/Fuzzing/run.sh [TARGET ...]      html xml text css font image svg book run fb2 markdown mobi page
#                                      checkpoint cfi directory snapshot; all unless told otherwise
#
# SECONDS_EACH bounds each target (60). What crashes is kept beside the corpus, in .build/fuzz/corpus, with its name printed.
set -eu
cd "$(dirname "$0")/../.."
# Optimized: arithmetic and indices are checked all the same, and some ten times as much is tried. Accesses to memory that nobody
# has are the address sanitizer's. What else runs in a process of its own (CIsolation) runs in the fuzzer's.
TYPESET_FUZZING=1 swift build -c release --scratch-path .build/fuzz --product fuzz -Xswiftc -sanitize=fuzzer,address \
  -Xcc -fsanitize=address -Xcc -DISOLATED_IN_PROCESS -Xswiftc -enable-testing
export LSAN_OPTIONS="suppressions=$PWD/Tests/Fuzzing/leaks.txt:print_suppressions=0"

status=0
for target in ${*:-html xml text css font image svg book run fb2 markdown mobi page checkpoint cfi directory snapshot}; do
  corpus=.build/fuzz/corpus/$target
  mkdir -p "$corpus"
  case $target in
  html | page) find Tests/Cases -name '*.html' -exec cp {} "$corpus" \; ;;
  xml) find Corpus -name '*.xhtml' -size -64k -exec cp {} "$corpus" \; ;;
  text) cp LICENSE README.md "$corpus" ;;
  css) for file in Tests/Cases/*/*.html; do
    sed -n 's/.*<style>\(.*\)<\/style>.*/\1/p' "$file" >"$corpus/$(basename "$file").css"
  done ;;
  font) cp Tests/Support/Fonts/*.ttf "$corpus" ;;
  image)
    find Corpus -type f \( -name '*.png' -o -name '*.jpg' -o -name '*.gif' -o -name '*.webp' \) -size -16k -exec cp {} "$corpus" \;
    # JPEG files with ICC profiles: primaries and curves, and a table of two nodes a channel.
    python3 - "$corpus" <<'END'
import glob, struct, sys
fixed = lambda *values: b"".join(struct.pack(">i", round(value * 65536)) for value in values)
tag = lambda kind, *parts: kind + bytes(4) + b"".join(parts)
white = [("wtpt", tag(b"XYZ ", fixed(0.9642, 1, 0.8249)))]
curve = tag(b"para", struct.pack(">HH", 3, 0), fixed(1.8, 0.9, 0.1, 0.08, 0.04))
primaries = [(0.4361, 0.2225, 0.0139), (0.3851, 0.7169, 0.0971), (0.1431, 0.0606, 0.7141)]
matrix = [(c + "XYZ", tag(b"XYZ ", fixed(*point))) for c, point in zip("rgb", primaries)] + [(c + "TRC", curve) for c in "rgb"]
straight = bytes(range(256)) * 3
nodes = b"".join(bytes([255 * (n > 3), 60 * (n & 3), 200 - 20 * n]) for n in range(8))
table = [("A2B0", tag(b"mft1", bytes([3, 3, 2, 0]), fixed(1, 0, 0, 0, 1, 0, 0, 0, 1), straight, nodes, straight))]
for name, space, tags in [("matrix", b"XYZ ", white + matrix), ("table", b"Lab ", white + table)]:
    entries, data = struct.pack(">I", len(tags)), b""
    for key, value in tags:
        entries += key.encode() + struct.pack(">II", 132 + 12 * len(tags) + len(data), len(value))
        data += value
    head = struct.pack(">II4s4s4s4s", 128 + len(entries) + len(data), 0, b"\2\x10\0\0", b"mntr", b"RGB ", space)
    profile = (head.ljust(36, b"\0") + b"acsp").ljust(68, b"\0") + fixed(0.9642, 1, 0.8249)
    profile = profile.ljust(128, b"\0") + entries + data
    segment = b"\xff\xe2" + struct.pack(">H", len(profile) + 16) + b"ICC_PROFILE\0\1\1" + profile
    for picture in glob.glob(sys.argv[1] + "/*.jpg"):
        file = open(picture, "rb").read()
        open(f"{picture}-{name}", "wb").write(file[:2] + segment + file[2:])
END
    ;;
  svg) find Corpus -name '*.svg' -size -16k -exec cp {} "$corpus" \; ;;
  markdown)
    printf '%s\n' '---' 'title: A title' '---' '# One' '' 'Some *words*, [a link](b.md) and a note[^1].' '' '| a | b |' '|---|---|' \
      '| c | d |' '' '- [ ] task' '- [x] ~~done~~' '' '```c' 'code' '```' '' '[^1]: The note.' >"$corpus/book.md"
    find Documentation -name '*.md' -size -4k -exec cp {} "$corpus" \;
    ;;
  fb2) printf '<FictionBook><description/><body><section><title><p>One</p></title><p>text</p></section></body></FictionBook>' \
    >"$corpus/book.fb2" ;;
  # The first form of a unit had no digest: what is behind the first line is read whatever it is.
  snapshot) for unit in $(find Snapshots -name '*.txt' -size -16k | head -n 20); do
    { echo 'typeset-snapshot 1'; sed 1d "$unit"; } >"$corpus/$(basename "$unit")"
  done ;;
  directory) printf '[{"starts":[0],"marks":["0a"],"checksum":"0"},null]' >"$corpus/directory.json" ;;
  cfi) printf 'epubcfi(/6/4[chap01ref]!/4[body01]/10[para05]/3:10)' >"$corpus/cfi" ;;
  # A book of the old format, not compressed (MobiPocket 6).
  mobi) python3 - "$corpus" <<'END'
import struct, sys
text = b"<html><body><h1>One</h1><p>Hello<mbp:pagebreak/><p>world</body></html>"
title = b"A title"
none = 0xFFFFFFFF
header = b"MOBI" + struct.pack(">5I", 232, 2, 65001, 7, 6) + struct.pack(">10I", *[none] * 10)
header += struct.pack(">13I", 2, 16 + 232, len(title), 9, 0, 0, 6, 2, 0, 0, 0, 0, 0)
header += bytes(32) + struct.pack(">5I", none, none, 0, 0, 0)
header = header.ljust(232, b"\0")
records = [struct.pack(">HHIHHHH", 1, 0, len(text), 1, 4096, 0, 0) + header + title + bytes(2), text, b"\xe9\x8e\r\n"]
book = b"A_title".ljust(60, b"\0") + b"BOOKMOBI" + struct.pack(">IIH", 0, 0, len(records))
place = len(book) + 8 * len(records) + 2
for index, record in enumerate(records):
    book += struct.pack(">II", place, 2 * index)
    place += len(record)
open(sys.argv[1] + "/book.mobi", "wb").write(book + bytes(2) + b"".join(records))
END
    ;;
  book | run) python3 - "$corpus" <<'END'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1] + "/book.epub", "w", zipfile.ZIP_DEFLATED) as book:
    book.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
    book.writestr("META-INF/container.xml", "<container><rootfiles><rootfile full-path='p.opf'/></rootfiles></container>")
    book.writestr("p.opf", "<package><manifest><item id='a' href='a.xhtml' media-type='application/xhtml+xml'/></manifest>"
                           "<spine><itemref idref='a'/></spine></package>")
    book.writestr("a.xhtml", "<html><body><p>one</p></body></html>")
END
    ;;
  esac
  echo "fuzz: $target"
  FUZZ_TARGET=$target .build/fuzz/release/fuzz "$corpus" -max_total_time="${SECONDS_EACH:-60}" -timeout=20 -rss_limit_mb=4096 \
    -max_len=65536 -artifact_prefix="$corpus-" -print_final_stats=1 -verbosity=0 || {
    echo "fuzz: $target failed; see $corpus-*" >&2
    status=1
  }
done
exit $status
