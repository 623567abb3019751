#!/bin/sh
# Builds the library for C: libtypeset.so.1, typeset.h and typeset.pc, into .build/CONFIGURATION/library.
#
#   Scripts/library.sh [release|debug]
#
# PREFIX is where typeset.pc says that it is installed, /usr/local unless told otherwise; SWIFT_BUILD_OPTIONS goes to `swift build`. The
# library exports the functions of typeset.h alone, has the Swift runtime in it, and names every library that it needs.
set -eu
cd "$(dirname "$0")/.."

configuration=${1:-release}
out=.build/$configuration/library
# With the flags of the programs, whose objects are used again.
if [ "$configuration" = release ]; then
  Scripts/release.sh ${PLAIN:+--plain} --product typeset-objects ${SWIFT_BUILD_OPTIONS:-}
else
  swift build -c "$configuration" --product typeset-objects ${SWIFT_BUILD_OPTIONS:-}
fi
rm -rf "$out"
mkdir -p "$out"

cat >"$out/exports" <<END
{
  global: typeset_*;
  local: *;
};
END
# The archives that the programs are linked with (release.sh) are not made for libraries: libxml2 is that of the system.
set --
if [ -z "${PLAIN:-}" ] && command -v ld.lld >/dev/null; then set -- -use-ld=lld; fi
# Handlers for forked children stay in the process, so the library does too.
swiftc -emit-library -static-stdlib -module-name typeset -o "$out/libtypeset.so.1" \
  "@.build/$configuration/typeset-objects.product/Objects.LinkFileList" "$@" \
  -l_FoundationCollections -l_FoundationCShims -lxml2 -lfreetype -lharfbuzz -lpng -ldeflate -lz \
  -Xlinker --gc-sections -Xlinker -z -Xlinker defs -Xlinker -z -Xlinker nodelete -Xlinker -soname=libtypeset.so.1 \
  -Xlinker "--version-script=$out/exports"
[ "$configuration" != release ] || strip --strip-unneeded "$out/libtypeset.so.1"
rm "$out/exports"
ln -s libtypeset.so.1 "$out/libtypeset.so"
cp Sources/System/CTypeset/include/typeset.h "$out/"

version() { sed -n "s/^#define TYPESET_VERSION_$1 //p" Sources/System/CTypeset/include/typeset.h; }
cat >"$out/typeset.pc" <<END
prefix=${PREFIX:-/usr/local}
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: typeset
Description: Sets books into pages
Version: $(version MAJOR).$(version MINOR).$(version PATCH)
Libs: -L\${libdir} -ltypeset
Cflags: -I\${includedir}
END
echo "libtypeset.so.1, typeset.h and typeset.pc are in $out"
