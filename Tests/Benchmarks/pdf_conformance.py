#!/usr/bin/env python3
"""Whether the PDFs of books are what they claim to be, by validators that we have not written.

    pdf_conformance.py TYPESET BOOK...

Every book is written twice: as PDF/A-2u, and as PDF/A-2a and PDF/UA-1 in one file. A book that is refused with exit code 65 is named with
its reason and counts as none of these. Each file is looked at by qpdf (Debian: qpdf; `--check` has to be silent) and by page-validation
(PyPI). The last line counts the files that conform; the exit code is 1 where one does not.
"""

import argparse
import collections
import pathlib
import shutil
import subprocess
import sys
import tempfile

# Standards asked for, and profiles of page-validation that they are.
RUNS = [("a-2u", ["2u"]), ("a-2a,ua-1", ["2a", "ua1"])]


def faults(path, profiles):
    """What the validators say against a file."""
    import page

    checked = subprocess.run(["qpdf", "--check", path], capture_output=True, text=True)
    found = [f"qpdf: {checked.stderr.strip() or checked.returncode}"] if checked.returncode or checked.stderr.strip() else []
    for profile in profiles:
        report = page.validate_pdf(path, profile=profile, limits=page.SafetyLimits.unlimited())
        found += [f"{profile}: {failure.rule_id}: {failure.message}" for failure in report.failures]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("typeset", type=pathlib.Path)
    parser.add_argument("books", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    if not shutil.which("qpdf"):
        sys.exit("pdf_conformance: qpdf is not installed (Debian: qpdf)")
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "book.pdf"
        for book in options.books:
            for standards, profiles in RUNS:
                command = [options.typeset, book, "--pdf", path, "--pdf-standard", standards, "--quiet"]
                run = subprocess.run(command, capture_output=True, text=True)
                kind = standards
                if run.returncode:
                    print(f"{book.name}: {standards}: {run.returncode}: {run.stderr.strip()}")
                    kind += " refused" if run.returncode == 65 else " failed"
                elif found := faults(path, profiles):
                    print("\n".join(f"{book.name}: {fault}" for fault in found))
                    kind += " failed"
                counts[kind] += 1
    print(", ".join(f"{kind}: {count}" for kind, count in sorted(counts.items())))
    return 1 if any(kind.endswith("failed") for kind in counts) else 0


if __name__ == "__main__":
    sys.exit(main())
