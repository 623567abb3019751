#!/usr/bin/env python3
"""How much state the types of a module share: what check.py holds to its bounds.

    state.py SOURCES

SOURCES is a folder of Swift files. Lists, the largest first,

- mutable stored variables of a type;
- cycles of types: the strongly connected components of the graph whose edges lead from a type, all of its extensions included, to
  the types that it names, and how many types with mutable variables are in each;
- writers: the files that assign to a mutable variable of a class, which is shared, or call a mutating method of the standard
  library on it;
- functions by their lines, without blank lines and comments.

It reads text and knows no types. It sees neither what is reached through a protocol or a closure, nor a type that is inferred and
never named; so it finds no cycle through them. A write by `x.name = …` is one of each class with a variable `name` that the file
may write, unless every `x` of the folder is declared with another type: there are rather too many writers than too few. What a
method changes is written by the file of the method, whoever calls it. Parts of tuples are no variables to it.
"""

import argparse
import collections
import pathlib
import re
import sys

TYPE = re.compile(r"\b(class|struct|enum|actor|extension|protocol)\s+([A-Z][\w.]*)")
FUNCTION = re.compile(r"\b(?:func\s+(`[^`]+`|[^\s(<]+)|(init|deinit|subscript)\b)")
VARIABLE = re.compile(r"^[ \t]*((?:@\w+(?:\([^)]*\))?\s+|[a-z]+(?:\(\w+\))?\s+)*)var\s+(\w+)(.*)$", re.M)
MUTATING = "append|insert|remove|removeAll|removeLast|removeFirst|removeSubrange|removeValue|popLast|formUnion|" \
    "subtract|reserveCapacity|swapAt|sort|reverse|merge|toggle|replaceSubrange|advance"


def without_comments(text):
    """The text with comments and the contents of strings blanked, of the same length."""
    def blank(match):
        kept = "" if match.group().startswith("/") else '"'
        return kept + re.sub(r"[^\n]", " ", match.group()[len(kept):len(match.group()) - len(kept)]) + kept
    return re.sub(r'//[^\n]*|/\*.*?\*/|"""(?:\\.|(?!""").)*"""|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


class Block:
    """What stands between a pair of braces: of a type, of a function, or of something else."""

    def __init__(self, kind, name, start, parent):
        self.kind, self.name, self.start, self.parent, self.end = kind, name, start, parent, None


def blocks(text):
    """The blocks of a file in the order in which they end."""
    done, open_blocks, last = [], [], 0
    for match in re.finditer(r"[{};]", text):
        head = text[last:match.start()]
        last = match.end()
        if match.group() == "{":
            kind, name = "other", ""
            declared = TYPE.search(head)
            function = FUNCTION.search(head)
            if declared and not function and "\n" not in head[declared.end():].strip():
                kind, name = declared.groups()
            elif function and (not open_blocks or open_blocks[-1].kind != "other" or "func" in function.group()):
                kind, name = "function", function.group(1) or function.group(2)
            open_blocks.append(Block(kind, name, match.end(), open_blocks[-1] if open_blocks else None))
        elif match.group() == "}" and open_blocks:
            open_blocks[-1].end = match.start()
            done.append(open_blocks.pop())
    return done


def type_name(block):
    """The full name of the type whose members a block holds, or None inside a function."""
    names = []
    while block:
        if block.kind in ("function", "other"):
            return None
        names.insert(0, block.name)
        block = block.parent
    return ".".join(names)


class Type:
    def __init__(self, name):
        self.name, self.kind, self.variables, self.code, self.files = name, None, {}, [], set()


def stored_variables(body):
    """The names of a type's own stored variables, with whether only its own file writes them."""
    found = {}
    for match in VARIABLE.finditer(body):
        modifiers, name, rest = match.groups()
        after = rest + body[match.end():match.end() + 40]
        # Braces of the body are blanked but for a mark that says what they held.
        is_computed = re.match(r"[^=\n]*\x01", after) is not None
        if not is_computed:
            found[name] = "private" in modifiers or "fileprivate" in modifiers
    return found


def own_code(text, block, inner):
    """The text of a block, the blocks in it blanked: `\\x01` stands for one that a getter begins."""
    code = list(text[block.start:block.end])
    for part in inner:
        held = text[part.start:part.end]
        is_observed = re.match(r"\s*(didSet|willSet)\b", held)
        for at in range(part.start - 1 - block.start, part.end + 1 - block.start):
            if code[at] != "\n":
                code[at] = " "
        code[part.start - 1 - block.start] = " " if is_observed else "\x01"
    return "".join(code)


def read(folder):
    """The types of a folder by their names, the functions with their lines, and the files without comments."""
    types, functions, files = {}, [], {}
    for path in sorted(folder.rglob("*.swift")):
        source = path.read_text()
        text = without_comments(source)
        files[path] = text
        found = blocks(text)
        for block in found:
            if block.kind == "function":
                lines = [line for line in text[block.start:block.end].split("\n") if line.strip()]
                functions.append((len(lines), block.name, path))
            name = type_name(block)
            if name is None:
                continue
            entry = types.setdefault(name, Type(name))
            entry.files.add(path)
            inner = [other for other in found if other.parent is block]
            held = [other for other in inner if type_name(other) is not None]
            entry.code.append(blanked(text, block, held))
            if block.kind != "extension":
                entry.kind = block.kind
                entry.variables.update(stored_variables(own_code(text, block, inner)))
    return {name: entry for name, entry in types.items() if entry.kind}, functions, files


def blanked(text, block, held):
    """The code of a type without that of the types in it."""
    code = text[block.start:block.end]
    for other in held:
        code = code.replace(text[other.start:other.end], "")
    return code


def components(graph):
    """Strongly connected components (Tarjan)."""
    numbers, lows, stack, found = {}, {}, [], []

    def visit(node):
        numbers[node] = lows[node] = len(numbers)
        stack.append(node)
        for other in graph[node]:
            if other not in numbers:
                visit(other)
                lows[node] = min(lows[node], lows[other])
            elif other in stack:
                lows[node] = min(lows[node], numbers[other])
        if lows[node] == numbers[node]:
            part = []
            while not part or part[-1] != node:
                part.append(stack.pop())
            found.append(part)
    sys.setrecursionlimit(10_000)
    for node in graph:
        if node not in numbers:
            visit(node)
    return found


def references(types):
    """The types that each type names, by their own last names."""
    last = collections.defaultdict(set)
    for name in types:
        last[name.split(".")[-1]].add(name)
    graph = {}
    for name, entry in types.items():
        words = set(re.findall(r"\b[A-Z]\w*", "\n".join(entry.code)))
        graph[name] = {other for word in words for other in last.get(word, ()) if visible(other, name)} - {name}
    return graph


def visible(other, name):
    """Whether the last name of a nested type means it inside another one: elsewhere it is written in full."""
    outer = other.rpartition(".")[0]
    return not outer or name == outer or name.startswith(outer + ".")


def declared_types(files):
    """The types that names are declared with anywhere: `name: Type`, `name = Type(`."""
    found = collections.defaultdict(set)
    for text in files.values():
        for name, kind in re.findall(r"\b([a-z]\w*)(?::\s*(?:inout\s+|any\s+)?|\s*=\s*)([A-Z]\w*)", text):
            found[name].add(kind)
    return found


def writers(types, files):
    """The files that write each mutable variable of a class; of one that is a struct, each of the struct's."""
    found = {}
    declared = declared_types(files)
    for entry in types.values():
        if entry.kind not in ("class", "actor"):
            continue
        for variable, is_private in entry.variables.items():
            path = rf"{variable}(?:\[[^\]\n]*\]|[?!])*(?:\.(\w+))?"
            write = rf"{path}(?:\[[^\]\n]*\]|\.\w+|[?!])*?\s*(?:[-+*/|&]?=(?!=)|\.(?:{MUTATING})\b)"
            change = re.compile(rf"(?:(\w+)[?!]?\.{write}|&(?:(\w+)\.)+{path}\b)")
            own = re.compile(rf"(?<![\w.&]){write}|&{path}\b")
            for file, text in files.items():
                parts = set()
                if file in entry.files or not is_private:
                    for base, part, lent, lent_part in change.findall(text):
                        kinds = declared[base or lent]
                        is_own = file in entry.files if base == "self" else not kinds
                        if is_own or entry.name.split(".")[-1] in kinds:
                            parts.add(part or lent_part)
                if file in entry.files:
                    for code in entry.code:
                        if code in text:
                            parts.update(part or lent for part, lent in own.findall(code))
                for part in parts:
                    is_part = any(part in other.variables for other in types.values() if other.kind == "struct")
                    key = f"{entry.name}.{variable}" + (f".{part}" if is_part else "")
                    found.setdefault(key, set()).add(file)
    return found


def measure(folder):
    """By kind of measure: pairs of what is measured and its number, the largest number first. One name may come twice."""
    types, functions, files = read(folder)
    mutable = {name for name, entry in types.items() if entry.variables}
    cycles = [part for part in components(references(types)) if len(part) > 1]
    measures = {
        "variables": [(name, len(types[name].variables)) for name in mutable],
        # A cycle is known by its first type.
        "cycles": [(min(part), len(mutable.intersection(part))) for part in cycles],
        "writers": [(name, len(paths)) for name, paths in writers(types, files).items()],
        "functions": [(f"{path.name} {name}", lines) for lines, name, path in functions],
    }
    return {kind: sorted(rows, key=lambda row: (-row[1], row[0])) for kind, rows in measures.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=pathlib.Path)
    for kind, rows in measure(parser.parse_args().sources).items():
        print(kind)
        for name, number in rows[:40]:
            print(f"  {number:5} {name}")


if __name__ == "__main__":
    main()
