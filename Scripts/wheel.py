#!/usr/bin/env python3
"""Writes the Python package typeset-engine as a wheel (PEP 427): the module, the library and the command.

    Scripts/wheel.py [release|debug] [FOLDER]

The library is that of Scripts/library.sh, the command .build/CONFIGURATION/typeset where it has been built. The wheel is written into FOLDER,
.build/CONFIGURATION/library unless told otherwise; equal files give equal bytes. It needs the libraries that libtypeset.so.1
names from the system, so its tag is that of this kind of machine and no older ones are promised.
"""

import base64
import hashlib
import pathlib
import platform
import re
import sys
import zipfile

root = pathlib.Path(__file__).resolve().parent.parent
configuration = sys.argv[1] if len(sys.argv) > 1 else "release"
built = root / ".build" / configuration
folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else built / "library"
library = built / "library" / "libtypeset.so.1"
if not library.exists():
    sys.exit(f"wheel: there is no {library}: make library")

header = (library.parent / "typeset.h").read_text()
version = ".".join(re.search(rf"define TYPESET_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH"))
tag = f"py3-none-linux_{platform.machine()}"
information = f"typeset_engine-{version}.dist-info"

files = {}
for source in sorted((root / "Python" / "typeset_engine").iterdir()):
    if source.suffix in (".py", ".typed"):
        files[f"typeset_engine/{source.name}"] = source.read_bytes()
files["typeset_engine/libtypeset.so.1"] = library.read_bytes()
command = built / "typeset"
if command.exists():
    files["typeset_engine/typeset"] = command.read_bytes()
files[f"{information}/METADATA"] = f"""Metadata-Version: 2.1
Name: typeset-engine
Version: {version}
Summary: Books as pages: EPUB, FictionBook, MOBI, HTML, Markdown, plain text
License: MIT
Requires-Python: >=3.8
Description-Content-Type: text/markdown

{(root / "Python" / "README.md").read_text()}""".encode()
files[f"{information}/WHEEL"] = f"""Wheel-Version: 1.0
Generator: typeset
Root-Is-Purelib: false
Tag: {tag}
""".encode()
files[f"{information}/entry_points.txt"] = b"[console_scripts]\ntypeset-engine = typeset_engine.__main__:main\n"
files[f"{information}/LICENSE"] = (root / "LICENSE").read_bytes()


def digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


record = f"{information}/RECORD"
files[record] = "".join(
    [f"{name},sha256={digest(content)},{len(content)}\n" for name, content in files.items()] + [f"{record},,\n"]).encode()

folder.mkdir(parents=True, exist_ok=True)
path = folder / f"typeset_engine-{version}-{tag}.whl"
with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
    for name, content in files.items():
        entry = zipfile.ZipInfo(name)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100755 if name.endswith(("/typeset", ".so.1")) else 0o100644) << 16
        wheel.writestr(entry, content)
print(path)
