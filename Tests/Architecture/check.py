#!/usr/bin/env python3
"""Whether the sources keep the bounds that Documentation/architecture.md and layout.md state.

    check.py             says what passes a bound, and ends with 1 where anything does
    check.py --record    lowers the records of bounds.json to what there is today; raises none and adds none

Checked are, for every module of Sources,

- imports: a file imports what its target declares in Package.swift, and a target declares what one of its files imports;
- order: a target depends on targets that stand before it in Package.swift;
- state: mutable variables of a type, cycles of types, writers of a shared variable, lines of a function (state.py);
- lines: none is longer than the bound.

bounds.json has the bounds, and by module what passes them as yet: each by its name with its number, lines that are too long by
their count. A record may only shrink: what is larger fails, and so does what is smaller or gone, until it is recorded.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

import state

ROOT = pathlib.Path(__file__).resolve().parents[2]
BOUNDS = pathlib.Path(__file__).with_name("bounds.json")
IMPORT = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)", re.M)
# What the toolchain brings.
TOOLCHAIN = {"Swift", "Foundation", "FoundationEssentials", "Dispatch", "Glibc", "Musl", "Synchronization", "Builtin"}
# Declared for what a target links or is given by its plugin, not for its declarations.
LINKED_ALONE = {"EngineBuild"}


def targets():
    """The targets of Package.swift below Sources, in its order: name, folder, and the names of what each depends on."""
    manifest = json.loads(subprocess.run(
        ["swift", "package", "dump-package"], cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    found = []
    for target in manifest["targets"]:
        path = target.get("path") or ""
        names = []
        for dependency in target["dependencies"]:
            kind, values = next(iter(dependency.items()))
            if kind in ("byName", "target", "product"):
                names.append(values[0])
        if path.startswith("Sources/"):
            found.append((target["name"], ROOT / path, names))
    return found


def imports(folder):
    """The modules that the Swift files of a folder import, each with the first file that does."""
    found = {}
    for path in sorted(folder.rglob("*.swift")):
        for name in IMPORT.findall(state.without_comments(path.read_text())):
            found.setdefault(name, path.relative_to(ROOT))
    return found


def check_imports(all_targets):
    """Lines about imports that are not declared, declarations that are not imported, and targets out of order."""
    faults = []
    places = {name: place for place, (name, _, _) in enumerate(all_targets)}
    for place, (name, folder, dependencies) in enumerate(all_targets):
        if not any(folder.rglob("*.swift")):
            continue
        imported = imports(folder)
        for other in sorted(set(imported) - set(dependencies) - TOOLCHAIN - {name}):
            faults.append(f"{imported[other]} imports {other}, which {name} does not declare in Package.swift")
        for other in sorted(set(dependencies) - set(imported) - LINKED_ALONE):
            faults.append(f"Package.swift: {name} declares {other}, which none of its files imports")
        for other in dependencies:
            if places.get(other, -1) > place:
                faults.append(f"Package.swift: {name} depends on {other}, which stands below it")
    return faults


def too_long(folder, bound):
    return sum(len(line) > bound for path in folder.rglob("*.swift") for line in path.read_text().split("\n"))


def measures(folder, bounds):
    """By kind, what passes its bound today: names and numbers."""
    found = {}
    for kind, rows in state.measure(folder).items():
        over = collections.OrderedDict()
        for name, number in rows:
            # Of functions of one name in one file the longest counts.
            if number > bounds[kind]:
                over.setdefault(name, number)
        if over:
            found[kind] = dict(sorted(over.items()))
    long_lines = too_long(folder, bounds["columns"])
    if long_lines:
        found["columns"] = {"lines": long_lines}
    return found


def check_records(module, found, records):
    """Lines about what differs from the records of a module."""
    faults = []
    for kind in sorted(set(found) | set(records)):
        new, old = found.get(kind, {}), records.get(kind, {})
        for name in sorted(set(new) | set(old)):
            now, then = new.get(name, 0), old.get(name, 0)
            if now > then:
                faults.append(f"{module}: {kind}: {name}: {now}" + (f", recorded are {then}" if then else ""))
            elif now < then:
                faults.append(f"{module}: {kind}: {name}: {now or 'within the bound'}, recorded are {then}: run check.py --record")
    return faults


def lowered(found, records):
    """The records, none larger than what there is."""
    kinds = {}
    for kind, old in records.items():
        new = found.get(kind, {})
        kept = {name: min(number, new[name]) for name, number in old.items() if name in new}
        if kept:
            kinds[kind] = kept
    return kinds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="lower the records to what there is")
    arguments = parser.parse_args()
    held = json.loads(BOUNDS.read_text())
    all_targets = targets()
    faults = check_imports(all_targets)
    records = {}
    for name, folder, _ in all_targets:
        found = measures(folder, held["bounds"]) if any(folder.rglob("*.swift")) else {}
        old = held["records"].get(name, {})
        if arguments.record:
            old = lowered(found, old)
        if old:
            records[name] = old
        faults += check_records(name, found, old)
    if arguments.record:
        BOUNDS.write_text(json.dumps({"bounds": held["bounds"], "records": records}, indent=1, sort_keys=True) + "\n")
    for fault in faults:
        print(fault)
    count = sum(len(names) for kinds in records.values() for names in kinds.values())
    print(f"{len(all_targets)} targets, {len(faults)} faults, {count} records that pass a bound")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
