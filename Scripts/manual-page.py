#!/usr/bin/env python3
"""Writes a manual page from what the program says of its own verbs and options.

    manual-page.py PROGRAM typeset > typeset.1
    manual-page.py PROGRAM typeset-snapshot > typeset-snapshot.1

PROGRAM is typeset, by the name that its examples are to have; typeset-snapshot lies beside what it leads to.
"""

import json
import os
import re
import subprocess
import sys

# bash, zsh and ksh have a command of this name, which declares variables.
NAME_IN_SHELLS = """bash, zsh and ksh have a command typeset of their own, which goes before programs; bookset is the same program by a
name that no shell takes for itself. Scripts of sh, make, fish and other programs find it by either. Its messages begin with typeset:."""

SNAPSHOT_PROGRAM = """The program typeset-snapshot is started by the verb snapshot of the command, which finds it beside itself or in
../libexec/typeset, and need not be called by its own name."""


def escaped(text):
    """Text as troff takes it literally."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def synopsis(argument):
    """How an option or argument is written on the command line."""
    if argument["kind"] == "positional":
        return f"\\fI{escaped(argument['valueName'])}\\fR"
    names = ["\\fB" + escaped(("--" if n["kind"] == "long" else "-") + n["name"]) + "\\fR" for n in argument["names"]]
    value = f" \\fI{escaped(argument['valueName'])}\\fR" if argument["kind"] == "option" else ""
    return ", ".join(names) + value


def paragraphs(text):
    """Blocks of a discussion: what is indented stays as it is."""
    lines = []
    for block in text.split("\n\n"):
        rows = block.split("\n")
        if any(row.startswith("  ") for row in rows):
            plain = [row for row in rows if not row.startswith("  ")]
            if plain:
                lines += [".PP", escaped("\n".join(plain))]
            lines += [".PP", ".nf", ".RS", *(escaped(row.strip()) for row in rows if row.startswith("  ")), ".RE", ".fi"]
        else:
            lines += [".PP", escaped(block)]
    return lines


def options(command, is_inner):
    """The options of one verb."""
    lines = []
    section = None
    for argument in command.get("arguments", []):
        if not argument.get("shouldDisplay", True) or "abstract" not in argument:
            continue
        if is_inner and {n["name"] for n in argument.get("names", [])} & {"help", "version"}:
            continue
        if argument.get("sectionTitle") != section:
            section = argument.get("sectionTitle")
            lines += [".PP", f"\\fB{escaped(section)}\\fR"] if section else []
        lines += [".TP", synopsis(argument), escaped(argument["abstract"])]
    return lines


def verb(command, path):
    """The sections of one verb and of those below it."""
    lines = [".SS " + escaped(" ".join(path)), escaped(command.get("abstract", ""))]
    lines += paragraphs(command["discussion"]) if command.get("discussion") else []
    lines += options(command, True)
    for inner in shown(command):
        lines += verb(inner, path + [inner["commandName"]])
    return lines


def shown(command):
    """The verbs below a command."""
    return [inner for inner in command.get("subcommands", [])
            if inner.get("shouldDisplay", True) and inner["commandName"] != "help"]


def main():
    program, page = sys.argv[1:]
    name = os.path.basename(program)
    described = json.loads(subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True).stdout)
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.split()[1]
    command = described["command"]
    snapshot = next(verb for verb in shown(command) if verb["commandName"] == "snapshot")
    lines = [f'.TH {page.upper().replace("-", chr(92) + "-")} 1 "" "typeset {version}" "User Commands"', ".SH NAME"]
    if page == "typeset":
        lines += [
            "typeset, bookset \\- " + escaped(command["abstract"].rstrip(".")),
            ".SH SYNOPSIS", f".B {name}", "[\\fIverb\\fR] \\fIinput\\fR [\\fIoptions\\fR]",
            ".SH DESCRIPTION", *paragraphs(command["discussion"]), ".SH OPTIONS", *options(command, False), ".SH VERBS",
        ]
        for inner in shown(command):
            if inner is not snapshot:
                lines += verb(inner, [name, inner["commandName"]])
        lines += [
            f".SS {name} snapshot", escaped(snapshot["abstract"]), "See \\fBtypeset\\-snapshot\\fR(1).",
            ".SH NOTES", *paragraphs(NAME_IN_SHELLS), ".SH SEE ALSO", ".BR typeset\\-snapshot (1)",
        ]
    else:
        lines += [
            "typeset\\-snapshot \\- " + escaped(snapshot["abstract"].rstrip(".")),
            ".SH SYNOPSIS", f".B {name} snapshot", "\\fIverb\\fR [\\fIoptions\\fR]",
            ".SH DESCRIPTION", *paragraphs(snapshot["discussion"]), ".SH VERBS",
        ]
        for inner in shown(snapshot):
            lines += verb(inner, [name, "snapshot", inner["commandName"]])
        lines += [".SH NOTES", *paragraphs(SNAPSHOT_PROGRAM), ".SH SEE ALSO", ".BR typeset (1)"]
    print("\n".join(lines))


main()
