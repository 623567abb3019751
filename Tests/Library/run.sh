#!/bin/sh
# Whether the library for C is what typeset.h says, as a program finds it that knows nothing of Swift: its symbols, its packaging, the
# example, a host with threads and forked processes.
#
#   Tests/Library/run.sh [FOLDER]
#
# FOLDER has libtypeset.so.1, typeset.h and typeset.pc (Scripts/library.sh), .build/release/library unless told otherwise.
set -eu
cd "$(dirname "$0")/../.."
library=$(cd "${1:-.build/release/library}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

fail() {
  echo "library: $*" >&2
  exit 1
}

# Exported is what the header declares, and nothing else.
nm -D --defined-only "$library/libtypeset.so.1" | sed -n 's/^[0-9a-f]* [A-Z] //p' | sort >"$work/exported"
sed -n 's/^[a-z].*[ *]\(typeset_[a-z_]*\)(.*/\1/p' "$library/typeset.h" | sort >"$work/declared"
diff "$work/declared" "$work/exported" >&2 || fail "the symbols (>) are not those of typeset.h (<)"
Tests/Library/abi.py "$library"
readelf -d "$library/libtypeset.so.1" >"$work/dynamic"
grep -q 'SONAME.*\[libtypeset\.so\.1\]' "$work/dynamic" || fail "the library is not named libtypeset.so.1"
if grep 'NEEDED.*\(swift\|Foundation\|dispatch\)' "$work/dynamic" >&2; then fail "it needs a library of Swift"; fi

# A compiler finds it by pkg-config, as where it is installed.
mkdir -p "$work/prefix/lib" "$work/prefix/include"
cp -P "$library"/libtypeset.so* "$work/prefix/lib/"
cp "$library/typeset.h" "$work/prefix/include/"
sed "s|^prefix=.*|prefix=$work/prefix|" "$library/typeset.pc" >"$work/prefix/lib/typeset.pc"
flags=$(PKG_CONFIG_PATH="$work/prefix/lib" pkg-config --cflags --libs typeset)
for source in Examples/c/reader.c Tests/Library/host.c; do
  # shellcheck disable=SC2086
  cc -std=c99 -Wall -Wextra -pedantic -Werror "$source" $flags -pthread -o "$work/$(basename "$source" .c)"
done
LD_LIBRARY_PATH=$work/prefix/lib
export LD_LIBRARY_PATH

Tests/Library/example.sh "$work/reader"
Tests/Library/bindings.py "$library" Python/typeset_engine/_library.py

"$work/host" Corpus/en-the-keeper-of-small-lights >"$work/told" || fail "$(cat "$work/told")"
cat "$work/told"
echo "library: $(wc -l <"$work/declared") functions, $(wc -c <"$library/libtypeset.so.1") bytes, all as it should be"
