#!/usr/bin/env python3
"""Writes the manual page of typeset from what the program says of its own verbs and options.

    manual-page.py TYPESET > typeset.1
"""

import json
import re
import subprocess
import sys


# bash, zsh and ksh have a command of this name, which declares variables.
NAME_IN_SHELLS = """bash, zsh and ksh have a command typeset of their own, which goes before programs. At their prompts this program is called by
its path or as "env typeset"; after "alias typeset='env typeset'" in .bashrc or at the end of .zshrc by its name. Scripts of
sh, make and other programs find it by its name."""


def escaped(text):
    """Text as troff takes it literally."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def synopsis(name, argument):
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


def verb(command, path, level):
    """The sections of one verb and of those below it."""
    lines = []
    if level:
        lines += [".SS " + escaped(" ".join(path)), escaped(command.get("abstract", ""))]
        lines += paragraphs(command["discussion"]) if command.get("discussion") else []
    section = None
    for argument in command.get("arguments", []):
        if not argument.get("shouldDisplay", True) or "abstract" not in argument:
            continue
        names = {n["name"] for n in argument.get("names", [])}
        if level and names & {"help", "version"}:
            continue
        if argument.get("sectionTitle") != section:
            section = argument.get("sectionTitle")
            lines += [".PP", f"\\fB{escaped(section)}\\fR"] if section else []
        lines += [".TP", synopsis(path, argument), escaped(argument["abstract"])]
    for inner in command.get("subcommands", []):
        if inner.get("shouldDisplay", True) and inner["commandName"] != "help":
            lines += verb(inner, path + [inner["commandName"]], level + 1)
    return lines


def main():
    program = sys.argv[1]
    described = json.loads(subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True).stdout)
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.split()[1]
    command = described["command"]
    lines = [
        f'.TH TYPESET 1 "" "typeset {version}" "User Commands"',
        ".SH NAME", "typeset \\- " + escaped(command["abstract"].rstrip(".")),
        ".SH SYNOPSIS", ".B typeset", "[\\fIverb\\fR] \\fIinput\\fR [\\fIoptions\\fR]",
        ".SH DESCRIPTION", *paragraphs(command["discussion"]),
        ".SH OPTIONS", *verb({**command, "subcommands": []}, ["typeset"], 0),
        ".SH VERBS", *verb({**command, "arguments": []}, ["typeset"], 0),
        ".SH NOTES", *paragraphs(NAME_IN_SHELLS),
    ]
    print("\n".join(lines))


main()
