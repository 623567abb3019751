"""The command `typeset`, as the package brings it along."""

import os
import pathlib
import sys


def main() -> None:
    program = pathlib.Path(__file__).with_name("typeset")
    if not program.exists():
        sys.exit("typeset_engine: the command typeset is not in this package")
    os.execv(program, ["typeset", *sys.argv[1:]])


if __name__ == "__main__":
    main()
