#!/bin/sh
# Fetches axe-core, which looks for what people who cannot see or point have no way to, from PyPI: FOLDER/axe.min.js. What is there is
# left alone.
#
#   Scripts/axe.sh FOLDER
set -eu

folder=${1:?which folder?}
[ ! -s "$folder/axe.min.js" ] || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
python3 -m pip download --quiet --no-deps --dest "$work" axe-playwright-python==0.1.8
mkdir -p "$folder"
python3 -c '
import sys, zipfile
package = zipfile.ZipFile(sys.argv[1])
sys.stdout.buffer.write(package.read("axe_playwright_python/axe.min.js"))
' "$work"/*.whl >"$work/axe.min.js"
mv "$work/axe.min.js" "$folder/axe.min.js"
