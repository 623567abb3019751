#!/usr/bin/env python3
"""Whether bindings declare the functions and structs of the library as typeset.h does.

    Tests/Library/bindings.py FOLDER BINDING...

FOLDER has typeset.h and libtypeset.so.1. A binding is the table of the Python module. A function that it does not
declare is a fault unless others do the same for it, as is one that the header does not have, or with other parameters.
"""

import ctypes
import importlib.util
import os
import pathlib
import re
import sys


def split(parameters: str) -> list:
    """The declarations of parameters."""
    return [one for one in parameters.split(",") if one.strip() not in ("", "void")]


class Header:
    """The declarations of typeset.h: what kinds of values functions take and give, and the members of structs."""

    NUMBERS = {"void": "void", "typeset_status": "int32", "int32_t": "int32", "uint32_t": "int32",
               "int64_t": "int64", "size_t": "size",
               "double": "double", "char": "char", "uint8_t": "char"}

    def __init__(self, text: str):
        text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
        self.callbacks = re.findall(r"typedef [\w ]+\(\*(\w+)\)\(", text)
        structs = re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", text, flags=re.S)
        self.structs = {
            name: [pair for line in lines.split(";") if line.strip() for pair in self.members(line)]
            for lines, name in structs}
        functions = re.findall(r"^((?:const )?\w+ \**)(typeset_\w+)\(([^()]*)\);", text, flags=re.M)
        self.functions = {
            name: [self.kind(result)] + [self.kind(self.type(one)) for one in split(parameters)]
            for result, name, parameters in functions}

    @staticmethod
    def type(declaration: str) -> str:
        """Of a parameter: what stands before its name."""
        return re.fullmatch(r"\s*(.*?)(\w+)\s*", declaration, flags=re.S)[1]

    def members(self, declaration: str) -> list:
        """The names and kinds of a line of a struct."""
        first, *more = declaration.split(",")
        kind = self.kind(self.type(first))
        return [(name.split()[-1].lstrip("*"), kind) for name in [first, *more]]

    def kind(self, declared: str) -> str:
        """Of a type as it is declared."""
        base, stars = declared.replace("const", "").strip().rstrip("*").strip(), declared.count("*")
        if base in self.callbacks:
            return "callback"
        if stars == 0:
            return self.NUMBERS[base]
        if stars == 1 and base == "char":
            return "text"
        if stars == 1:
            return "size*" if base == "size_t" else "pointer"
        return "pointer*"


class Python:
    """The table of the module, and its structs."""

    def __init__(self, path: pathlib.Path, library: pathlib.Path):
        os.environ["TYPESET_LIBRARY"] = str(library)
        specification = importlib.util.spec_from_file_location("binding", path)
        self.module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(self.module)
        self.functions = {
            name: [self.kind(result)] + [self.kind(one) for one in parameters]
            for name, (result, parameters) in self.module._FUNCTIONS.items()}
        self.structs = {
            name: [(member, self.kind(kind)) for member, kind in made._fields_]
            for name, made in self.module.STRUCTS.items()}

    def kind(self, declared) -> str:
        known = {None: "void", ctypes.c_int32: "int32", ctypes.c_uint32: "int32", ctypes.c_int64: "int64",
                 ctypes.c_size_t: "size", ctypes.c_double: "double", ctypes.c_char_p: "text", ctypes.c_void_p: "pointer",
                 ctypes.POINTER(ctypes.c_void_p): "pointer*", ctypes.POINTER(ctypes.c_size_t): "size*"}
        return known.get(declared) or ("pointer" if issubclass(declared, ctypes._Pointer) else "callback")


# Done by others: the status that each call returns, typeset_pdf, typeset_typesetter_new_with, typeset_version.
SPARED = {"typeset_error_status", "typeset_pdf_memory", "typeset_typesetter_new", "typeset_version_atleast"}


def faults(header: Header, binding) -> list:
    """Differences of a binding to the header, as lines."""
    # Bytes are handed over as C's text, and text that is to be released as a pointer.
    alike = {("text", "pointer"), ("pointer", "text")}

    def same(a: list, b: list) -> bool:
        return len(a) == len(b) and all(one == other or (one, other) in alike for one, other in zip(a, b))

    found = [f"{name}: not declared" for name in sorted(header.functions.keys() - binding.functions.keys() - SPARED)]
    for name, kinds in binding.functions.items():
        expected = header.functions.get(name)
        if expected is None or not same(kinds, expected):
            found.append(f"{name}: {kinds}, in typeset.h {expected}")
    for name, members in binding.structs.items():
        if members != header.structs.get(name):
            found.append(f"{name}: {members}, in typeset.h {header.structs.get(name)}")
    return found


def notices_changes(text: str, binding) -> bool:
    """A header whose functions and structs have one more member each differs in all of them."""
    changed = re.sub(r"(typeset_\w+)\(void\)", r"\1(int32_t more)", text)
    changed = re.sub(r"(\btypeset_\w+\([^()]*)\);", r"\1, int32_t more);", changed)
    changed = re.sub(r"(size_t size;)", r"\1 int32_t more;", changed)
    return len(faults(Header(changed), binding)) == len(binding.functions) + len(binding.structs)


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    text = (folder / "typeset.h").read_text()
    for path in map(pathlib.Path, sys.argv[2:]):
        binding = Python(path, folder / "libtypeset.so.1")
        found = faults(Header(text), binding)
        if found or not binding.functions:
            sys.exit("\n".join([f"{path} is not as typeset.h:", *found]))
        if not notices_changes(text, binding):
            sys.exit(f"{path}: a changed header is not noticed")
        print(f"{path}: {len(binding.functions)} functions as in typeset.h")


if __name__ == "__main__":
    main()
