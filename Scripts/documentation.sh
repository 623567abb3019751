#!/bin/sh
# The library as DocC tells it: the comments of its public declarations, then its articles. What DocC finds fault with is an error.
#
#   Scripts/documentation.sh OUT     writes OUT/documentation
set -eu
cd "$(dirname "$0")/.."
out=${1:?usage: documentation.sh OUT}

swift build --target Typesetting
modules=$(swift build --show-bin-path)
symbols=.build/symbols
rm -rf "$symbols"
mkdir -p "$symbols" "$out"

# Settings and errors are declared in other modules, which Typesetting exports: `swift package dump-symbol-graph` would leave them out.
set -- $(pkg-config --cflags-only-I libxml-2.0 freetype2 harfbuzz)
for map in "$modules"/*.build/module.modulemap Sources/System/*/module.modulemap; do set -- "$@" "-fmodule-map-file=$map"; done
count=$#
while [ "$count" -gt 0 ]; do
  option=$1
  shift
  set -- "$@" -Xcc "$option"
  count=$((count - 1))
done
swift symbolgraph-extract -module-name Typesetting -I "$modules/Modules" "$@" -output-dir "$symbols" \
  -target "$(swift -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')" \
  -minimum-access-level public -skip-synthesized-members -experimental-allowed-reexported-modules=ChapterEngine,BookEngine

docc convert Sources/Typesetting/Typesetting.docc --additional-symbol-graph-dir "$symbols" --output-path "$out/documentation" \
  --fallback-display-name Typesetting --fallback-bundle-identifier typeset.Typesetting --warnings-as-errors
