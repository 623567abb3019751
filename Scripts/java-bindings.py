#!/usr/bin/env python3
"""Writes the declarations of typeset.h for Java (JNA), all of them, with what the header says of each.

    java-bindings.py [HEADER] > Examples/java/TypesetLibrary.java

A function that the header gets is in Java once this has run; Tests/Library/java.sh tells where it has not.
"""

import pathlib
import re
import sys
import textwrap

HEADER = pathlib.Path(__file__).resolve().parents[1] / "Sources/System/CTypeset/include/typeset.h"
NUMBERS = {"void": "void", "typeset_status": "int", "int32_t": "int", "uint32_t": "int", "int64_t": "long", "size_t": "long",
           "double": "double"}
WIDTH = 100

COMMENT = r"/\*(?P<comment>(?:(?!\*/).)*)\*/\s*"
DECLARATIONS = re.compile(
    rf"(?:{COMMENT})?(?:"
    r"typedef (?P<callback_result>\w+) \(\*(?P<callback>\w+)\)\((?P<callback_parameters>[^()]*)\);"
    r"|typedef struct \w+ \{(?P<members>.*?)\} (?P<struct>\w+);"
    r"|enum \{(?P<constants>.*?)\};"
    r"|(?P<result>(?:const )?\w+ \**)(?P<function>typeset_\w+)\((?P<parameters>[^()]*)\);)", re.S)


def class_name(name: str) -> str:
    """typeset_open_options is OpenOptions."""
    return "".join(part.capitalize() for part in name.split("_")[1:])


def member_name(name: str) -> str:
    """Members are named as in C; a word that Java keeps for itself gets an underscore."""
    return name + "_" if name in ("native", "class", "int") else name


def comment(text: str | None, indent: int) -> list:
    """The header's comment as one of Java."""
    if not text:
        return []
    words = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    space = " " * indent
    if len(space) + len(words) + 7 <= WIDTH:
        return [f"{space}/** {words} */"]
    lines = textwrap.wrap(words, WIDTH - indent - 3, break_long_words=False, break_on_hyphens=False)
    return [f"{space}/**", *(f"{space} * {line}" for line in lines), f"{space} */"]


class Types:
    """Java's types for those of C."""

    def __init__(self, text: str):
        self.callbacks = set(re.findall(r"typedef [\w ]+\(\*(\w+)\)\(", text))
        self.structs = set(re.findall(r"\} (\w+);", text))

    def java(self, declared: str) -> str:
        base, stars = declared.replace("const", "").replace("*", "").strip(), declared.count("*")
        if base in self.callbacks:
            return class_name(base)
        if stars == 0:
            return NUMBERS[base]
        if stars == 2:
            return "PointerByReference"
        if base in self.structs:
            return class_name(base)
        return {"char": "String", "size_t": "LongByReference"}.get(base, "Pointer")

    def parameter(self, declaration: str) -> str:
        declared, name = re.fullmatch(r"\s*(.*?)(\w+)\s*", declaration, flags=re.S).groups()
        return f"{self.java(declared)} {member_name(name)}"

    def parameters(self, text: str) -> list:
        return [self.parameter(one) for one in text.split(",") if one.strip() not in ("", "void")]


def method(result: str, name: str, parameters: list, indent: int) -> list:
    space = " " * indent
    line = f"{space}{result} {name}({', '.join(parameters)});"
    if len(line) <= WIDTH:
        return [line]
    return [f"{space}{result} {name}(", *textwrap.wrap(
        ", ".join(parameters) + ");", WIDTH, initial_indent=space + "    ", subsequent_indent=space + "    ")]


def members(text: str, types: Types) -> list:
    """The fields of a struct, each with its comment."""
    lines, names = [], []
    for said, declaration in re.findall(rf"(?:/\*((?:(?!\*/).)*)\*/)?\s*([^;/]+);", text, flags=re.S):
        declared, first = re.fullmatch(r"\s*(.*?)(\w+(?:,\s*\w+)*)\s*", declaration, flags=re.S).groups()
        lines += comment(said, 4)
        for name in first.split(","):
            names.append(member_name(name.strip()))
            lines.append(f"    public {types.java(declared)} {names[-1]};")
    return [f'  @FieldOrder({{{", ".join(chr(34) + name + chr(34) for name in names)}}})', lines]


def declarations(text: str) -> list:
    types = Types(text)
    lines = []
    for found in DECLARATIONS.finditer(text):
        said = comment(found["comment"], 2)
        if found["callback"]:
            lines += ["", *said, f"  interface {class_name(found['callback'])} extends Callback {{"]
            result = NUMBERS[found["callback_result"]]
            lines += [*method(result, "invoke", types.parameters(found["callback_parameters"]), 4), "  }"]
        elif found["struct"]:
            order, fields = members(found["members"], types)
            name = class_name(found["struct"])
            # The header wants its size in front, and all else 0, as JNA has it.
            make = [f"    public {name}() {{", "      size = size();", "    }"]
            lines += ["", *said, order, f"  final class {name} extends Structure {{", *fields, "", *make, "  }"]
        elif found["constants"]:
            lines += ["", *(line for line in said)]
            for about, name, value in re.findall(
                    r"(?:/\*((?:(?!\*/).)*)\*/)?\s*(TYPESET_\w+) = (\d+)", found["constants"], flags=re.S):
                lines += [*comment(about, 2), f"  int {name} = {value};"]
        else:
            function = method(types.java(found["result"]), found["function"], types.parameters(found["parameters"]), 2)
            lines += ["", *said, *function]
    return lines


def main() -> None:
    text = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else HEADER).read_text()
    text = re.sub(r"^#.*$", "", text[text.index("#define TYPESET_H"):].replace("/* ----", "\0/* ----"), flags=re.M)
    # Titles of parts are nobody's comments.
    text = re.sub(r"\0/\* ---- .*? ---- \*/", "", text)
    imports = ["Callback", "Library", "Native", "Pointer", "Structure", "Structure.FieldOrder", "ptr.LongByReference",
               "ptr.PointerByReference"]
    print("\n".join([
        *(f"import com.sun.jna.{name};" for name in imports), "import java.util.Map;", "",
        "/**",
        " * The functions of typeset.h by JNA, written by Scripts/java-bindings.py. A size_t is a long: the library is for",
        " * 64-bit systems. What is told of threads, ownership and errors at the beginning of typeset.h holds.",
        " */",
        "interface TypesetLibrary extends Library {",
        "  /** The library that the system finds, or the folder that the property jna.library.path names. */",
        "  TypesetLibrary INSTANCE =",
        '      Native.load("libtypeset.so.1", TypesetLibrary.class, Map.of(Library.OPTION_STRING_ENCODING, "UTF-8"));',
        *declarations(text), "}"]))


if __name__ == "__main__":
    main()
