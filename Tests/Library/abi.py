#!/usr/bin/env python3
"""Whether programs that are compiled with an earlier typeset.h go on with this library.

    Tests/Library/abi.py FOLDER             says what would break them, and what is new and not recorded, with status 1
    Tests/Library/abi.py FOLDER --record    records in abi.h beside this file what is new; nothing that breaks programs

FOLDER has typeset.h. Functions and constants may be added, and structs may grow at their end, where their size stands
in front. Offsets and values are those of the compiler. Where abidiff is installed (Debian: abigail-tools), it says what
it finds in libraries of both headers' functions, too.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from bindings import Header, split

RECORD = pathlib.Path(__file__).with_name("abi.h")


def declarations(text: str) -> str:
    """A header without comments, preprocessor and linkage."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"^#.*\n", "", text, flags=re.M)
    text = re.sub(r'extern "C" \{\n|^\}\n', "", text, flags=re.M)
    lines = [re.sub(r"\s+", " ", line) if line[:1] == " " else line for line in text.splitlines()]
    return "\n".join(line for line in lines if line.strip()) + "\n"


class Interface:
    """What compiled programs know of a header: declarations of functions, values of constants, layouts of structs."""

    INCLUDES = "#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n"

    def __init__(self, text: str):
        self.text = text
        header = Header(text)
        declared = re.findall(r"^((?:typedef )?[\w ]+?\*?)(\(\*)?(typeset_\w+)\)?(\([^()]*\));", text, flags=re.M)
        # Names of parameters are nothing to a program.
        self.functions = {
            name: f"{result}{pointer}{name}({', '.join(Header.type(one).strip() for one in split(parameters[1:-1]))})"
            for result, pointer, name, parameters in declared}
        self.definitions = [
            f"{result}{name}{parameters} {{ {'' if result == 'void ' else 'return 0;'} }}"
            for result, pointer, name, parameters in declared if not pointer]
        self.constants = re.findall(r"^\s*(TYPESET_\w+) =", text, flags=re.M)
        self.structs = {name: [member for member, _ in members] for name, members in header.structs.items()}
        self.values, self.layouts = self.measured(header)

    def measured(self, header: Header) -> tuple:
        """The values of constants; the offset, size and kind of members, and the size of structs."""
        lines = [f'printf("{name} %d\\n", {name});' for name in self.constants]
        for struct, members in self.structs.items():
            for member in members:
                place = f"offsetof({struct}, {member}), sizeof (({struct} *)0)->{member}"
                lines.append(f'printf("{struct}.{member} %zu+%zu\\n", {place});')
            lines.append(f'printf("{struct} %zu\\n", sizeof({struct}));')
        with tempfile.TemporaryDirectory() as folder:
            source, program = pathlib.Path(folder) / "layout.c", pathlib.Path(folder) / "layout"
            source.write_text(f"{self.INCLUDES}{self.text}int main(void) {{\n" + "\n".join(lines) + "\nreturn 0;\n}\n")
            subprocess.run(["cc", "-std=c99", "-Wall", "-Werror", source, "-o", program], check=True)
            told = subprocess.run([program], check=True, capture_output=True, text=True).stdout
        measured = dict(line.split(" ") for line in told.splitlines())
        kinds = {f"{struct}.{name}": kind for struct, members in header.structs.items() for name, kind in members}
        values = {name: measured[name] for name in self.constants}
        layouts = {name: f"{value} {kinds.get(name, 'bytes')}" for name, value in measured.items() if name not in values}
        return values, layouts

    def library(self, folder: pathlib.Path, name: str) -> pathlib.Path:
        """A library of functions that do nothing, with what a debugger knows of them."""
        source, made = folder / f"{name}.c", folder / f"{name}.so"
        source.write_text("\n".join([self.INCLUDES + self.text, *self.definitions]))
        subprocess.run(["cc", "-std=c99", "-g", "-w", "-shared", "-fPIC", source, "-o", made], check=True)
        return made


def breaks(old: Interface, new: Interface) -> list:
    """What programs of the old interface would find otherwise in the new one, as lines."""
    found = []
    for kind in ("functions", "values", "layouts"):
        before, after = getattr(old, kind), getattr(new, kind)
        for name, value in before.items():
            now = after.get(name)
            grows = name in old.structs and now and int(now.split()[0]) >= int(value.split()[0]) \
                and old.structs[name][0] == "size"
            if now != value and not grows:
                found.append(f"{value if kind == 'functions' else f'{name}: {value}'}, now {now or 'gone'}")
    return found


def unnoticed(interface: Interface) -> list:
    """Changes that would break programs and are not told; and one that would not and is."""
    text = interface.text
    harmful = {
        "a function that is gone": re.sub(r"^void typeset_free\(.*\n", "", text, flags=re.M),
        "another parameter": text.replace("size_t chapter,", "int32_t chapter,", 1),
        "one parameter more": text.replace("(typeset_book *book);", "(typeset_book *book, int32_t more);"),
        "another result": text.replace("size_t typeset_page_index", "int32_t typeset_page_index"),
        "another value": text.replace("TYPESET_FORKED = 11", "TYPESET_FORKED = 12"),
        "a member in front": text.replace(" double scale;\n", " double more;\n double scale;\n"),
        "a member of another type": text.replace("int32_t format;", "uint8_t format;"),
        "another parameter of a callback": text.replace("uint8_t *bytes, size_t count);\ntypedef", "char *a);\ntypedef"),
    }
    harmless = text.replace("size_t chapter,", "size_t number,").replace(
        "} typeset_drawing;", " double more;\n} typeset_drawing;").replace(
        "typeset_status typeset_open(", "void typeset_more(void);\ntypeset_status typeset_open(")
    found = [name for name, changed in harmful.items() if changed == text or not breaks(interface, Interface(changed))]
    if harmless == text or breaks(interface, Interface(harmless)):
        found.append("an addition, which is no fault")
    return found


def compared(old: Interface, new: Interface) -> str:
    """What abidiff says; nothing where it is not installed."""
    if not shutil.which("abidiff"):
        return ""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        pair = [interface.library(folder, name) for interface, name in ((old, "recorded"), (new, "libtypeset"))]
        return subprocess.run(["abidiff", *pair], capture_output=True, text=True).stdout


def main() -> None:
    new = Interface(declarations((pathlib.Path(sys.argv[1]) / "typeset.h").read_text()))
    old = Interface(RECORD.read_text())
    found = unnoticed(old)
    if found:
        sys.exit("\n".join(["abi: the comparison does not tell rightly of:", *found]))
    found = breaks(old, new)
    if found:
        sys.exit("\n".join(["abi: programs that are compiled would break by:", *found, compared(old, new)]))
    if "--record" in sys.argv:
        RECORD.write_text(new.text)
    elif new.text != old.text:
        sys.exit(compared(old, new) + "abi: typeset.h has what abi.h has not: Tests/Library/abi.py FOLDER --record")
    print(f"abi: {len(new.definitions)} functions, {len(new.values)} constants, {len(new.structs)} structs as recorded")


if __name__ == "__main__":
    main()
