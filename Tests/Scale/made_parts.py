#!/usr/bin/env python3
"""Makes the parts of a run of many units from one that was rendered, to measure what joining them takes.

    made_parts.py TYPESET FOLDER PARTS UNITS

Renders two little books, one of which the changed engine sets otherwise, and writes FOLDER/store and FOLDER/parts/*.part: each part
has UNITS units, the first of which differs. Needs zstandard of PyPI.
"""

import hashlib
import json
import pathlib
import subprocess
import sys

import zstandard

typeset, folder, parts, units = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
packer, unpacker = zstandard.ZstdCompressor(), zstandard.ZstdDecompressor()


def entries(path):
    """The entries of a file of differences."""
    data = path.read_bytes()
    place = data.index(b"\n") + 1
    while True:
        end = data.index(b"\n", place)
        name, length, _ = data[place:end].decode().split(" ")
        yield name, data[end + 1:end + 1 + int(length)]
        place = end + 1 + int(length)
        if name == "end":
            return


def written(path, content):
    with open(path, "wb") as file:
        file.write(b"typeset-part 1\n")
        for name, data in [*content, ("end", b"")]:
            file.write(f"{name} {len(data)} {hashlib.sha256(data).hexdigest()}\n".encode() + data)


def renamed_archive(data, name):
    """The files of a unit under another name."""
    head, body = data.split(b"\n", 1)
    list_, packed, place = json.loads(head), b"", 0
    for entry in list_:
        content = body[place:place + entry["bytes"]]
        place += entry["bytes"]
        if entry["name"] == "result.json":
            text = unpacker.decompress(content) if entry["isFrame"] else content
            content = text.replace(b'"book":"other"', f'"book":"{name}"'.encode())
            entry.update(bytes=len(content), isFrame=False)
        packed += content
    return json.dumps(list_).encode() + b"\n" + packed


books = folder / "books"
books.mkdir(parents=True)
(books / "same.html").write_text("<!DOCTYPE html><title>same</title><p>Some words.")
(books / "other.html").write_text("<!DOCTYPE html><title>other</title><h1>Heading</h1><p>Some words.")
(folder / "changed.css").write_text("h1 { letter-spacing: 2px }")


def snapshot(*arguments):
    subprocess.run([typeset, "snapshot", *arguments, "--profile", "ereader", "--quiet"], cwd=folder, check=True)


snapshot("record", "books", "--into", "store", "--out", "base")
found = {}
for part in (1, 2):
    snapshot("render", "books", "--user-css", "changed.css", "--shard", f"{part}/2", "--compare", "store", "--out", f"{part}")
    content = list(entries(folder / f"{part}/part.differences"))
    book = json.loads(unpacker.decompress(dict(content)["manifest"]))["books"][0]["id"]
    found[book] = content
manifest = json.loads(unpacker.decompress(dict(found["other"])["manifest"]))
compared = unpacker.decompress(dict(found["other"])["compared"]).decode()
archive = next(data for name, data in found["other"] if name.startswith("unit:"))
row = unpacker.decompress(next(data for name, data in found["same"] if name == "rows")).decode().split("\t", 3)
baseline = (folder / "store/units/ereader/other.txt").read_text().split("\n", 1)[1]
for path in (folder / "store/units/ereader").iterdir():
    path.unlink()
(folder / "parts").mkdir()
template = manifest["books"][0]
for part in range(1, parts + 1):
    names = [f"book-{part:05}-{number:04}" for number in range(units)]
    changed = names[0]
    manifest["books"] = [{**template, "id": name} for name in names]
    manifest["units"] = [{"book": name, "profile": "ereader"} for name in names]
    manifest["part"] = {"shards": [part], "count": parts, "units": parts * units, "plan": "made"}
    text = baseline.replace('"book":"other"', f'"book":"{changed}"')
    (folder / f"store/units/ereader/{changed}.txt").write_text(
        f"typeset-snapshot 6 {len(text.encode())} {hashlib.sha256(text.encode()).hexdigest()}\n{text}")
    own = json.loads(compared.replace('"book":"other"', f'"book":"{changed}"'))
    own["equalUnits"], own["equalPages"] = units - 1, units - 1
    content = [("manifest", packer.compress(json.dumps(manifest).encode())), ("baseline", dict(found["other"])["baseline"]),
               ("compared", packer.compress(json.dumps(own).encode()))]
    for start in range(1, units, 64):
        lines = [f"{name}\tereader\t{row[2]}\t" + row[3].replace('"book":"same"', f'"book":"{name}"') for name in names[start:start + 64]]
        content.append(("rows", packer.compress("".join(lines).encode())))
    content.append((f"unit:ereader/{changed}", renamed_archive(archive, changed)))
    written(folder / f"parts/{part}.part", content)
