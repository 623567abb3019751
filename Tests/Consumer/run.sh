#!/bin/sh
# Uses the library as others do: Examples/SVGPages is built against it by path, and by the URL of a clone with the tag of its
# version, and draws the pages of a book of the corpus. Neither may fetch the packages that only the command needs.
#
#   Tests/Consumer/run.sh            by path, then by URL
#   Tests/Consumer/run.sh path       one of them
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
kinds=${*:-path url}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

fail() {
  echo "consumer: $*" >&2
  exit 1
}

book=$root/Corpus/en-the-keeper-of-small-lights
for kind in $kinds; do
  case $kind in
    path) unset TYPESET_URL TYPESET_VERSION ;;
    url)
      git clone -q --no-local "$root" "$work/typeset.git"
      version=$("$root/Scripts/version.sh")
      git -C "$work/typeset.git" -c tag.gpgSign=false tag -f "$version" >/dev/null
      export TYPESET_URL="file://$work/typeset.git" TYPESET_VERSION="$version"
      ;;
    *) fail "usage: run.sh [path] [url]" ;;
  esac
  # A copy: what is resolved for one kind is not left for the other. A path dependency is found where the example stands.
  package=$root/Examples/SVGPages
  [ "$kind" = path ] || {
    package=$work/SVGPages
    cp -R "$root/Examples/SVGPages" "$package"
    rm -rf "$package/.build" "$package/Package.resolved"
  }
  swift build --package-path "$package"
  for name in swift-argument-parser swift-nio; do
    [ ! -d "$package/.build/checkouts/$name" ] || fail "$kind: $name is fetched"
  done
  "$package/.build/debug/svg-pages" "$book" "$work/$kind" 4
  [ "$(find "$work/$kind" -name 'page-*.svg' | wc -l)" -eq 4 ] || fail "$kind: four pages were to be drawn"
  python3 - "$work/$kind" <<'CHECK' || fail "$kind: the pages are no SVG with glyphs"
import pathlib, sys, xml.etree.ElementTree as tree
pages = [tree.parse(page).getroot() for page in sorted(pathlib.Path(sys.argv[1]).iterdir())]
uses = sum(len(page.findall(".//{http://www.w3.org/2000/svg}use")) for page in pages)
sys.exit(0 if uses > 1000 else 1)
CHECK
  echo "consumer: $kind: built, four pages drawn"
done
