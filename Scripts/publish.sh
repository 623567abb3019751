#!/bin/sh
# The steps of a release, as .github/workflows/release.yml takes them. They run on any machine, and publish nothing.
#
#   Scripts/publish.sh check [TAG]      the tag, the sources and the changelog name one version
#   Scripts/publish.sh build OUT        the tuned programs and the library, their archive, on Debian and Ubuntu their packages, on
#                                       Debian 12 the wheel, into OUT; PROGRAM=path takes programs and a library that are built,
#                                       PLAIN=1 builds without the tuning
#   Scripts/publish.sh collect OUT      checksums of what is in OUT, and the notes of the release
set -eu
cd "$(dirname "$0")/.."

fail() {
  echo "publish: $*" >&2
  exit 1
}

# debian12, ubuntu24.04, fedora42
system() { (. /etc/os-release && echo "${ID:-linux}${VERSION_ID:-}"); }

# A tree that `tar -C /usr/local -x` installs, with the same bytes for the same programs.
archive() {
  name=typeset-$(Scripts/version.sh)-$(system)-$(uname -m)
  tree=$(mktemp -d)
  DESTDIR=$tree PREFIX=/$name Scripts/install.sh "$program"
  DESTDIR=$tree PREFIX=/$name Scripts/install.sh --library "$library"
  mkdir -p "$tree/$name/share/doc/typeset"
  cp LICENSE THIRD-PARTY.md CHANGELOG.md "$tree/$name/share/doc/typeset"
  tar -C "$tree" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -c "$name" | gzip -9n >"$out/$name.tar.gz"
  rm -rf "$tree"
  echo "$out/$name.tar.gz"
}

case ${1:-} in
  check) Scripts/version.sh --check "${2:-}" ;;
  build)
    [ -n "${2:-}" ] || fail "usage: publish.sh build OUT"
    mkdir -p "$2"
    out=$(cd "$2" && pwd)
    SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
    export SOURCE_DATE_EPOCH
    program=${PROGRAM:-}
    if [ -z "$program" ]; then
      Scripts/release.sh ${PLAIN:+--plain}
      Scripts/library.sh
      program=.build/release/typeset
    fi
    library=$(dirname "$program")/library
    archive
    # The releases of Debian differ in the versions of the libraries that a package depends on: so does its name.
    if command -v dpkg-deb >/dev/null 2>&1; then REVISION=1+$(system | tr -d _) Scripts/deb.sh "$program" "$out" "$library"; fi
    # One wheel for all systems: that of the oldest.
    if [ "$(system)" = debian12 ]; then Scripts/wheel.py release "$out"; fi
    ;;
  collect)
    [ -d "${2:-}" ] || fail "usage: publish.sh collect OUT"
    Scripts/version.sh --notes >"$2/notes.md"
    [ -s "$2/notes.md" ] || fail "CHANGELOG.md has no notes of $(Scripts/version.sh)"
    cp Scripts/fetch-release.sh "$2"
    (cd "$2" && find . -maxdepth 1 -type f ! -name SHA256SUMS ! -name notes.md | sed 's|^./||' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)
    cat "$2/SHA256SUMS"
    ;;
  *) fail "usage: publish.sh check [TAG] | build OUT | collect OUT" ;;
esac
