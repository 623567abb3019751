#!/bin/sh
# Installs the package of a release on this Debian or Ubuntu: what continuous integration calls instead of building the engine.
#
#   Scripts/fetch-release.sh RELEASES VERSION     RELEASES is the address below which each release has a folder of its files, such as
#                                                 https://FORGE/OWNER/typeset/releases/download
#
# The package has to be as the release's SHA256SUMS says. Needs curl, and root or sudo.
set -eu

releases=$1
version=$2

fail() {
  echo "fetch-release: $*" >&2
  exit 1
}

command -v apt-get >/dev/null 2>&1 || fail "packages of releases are for Debian and Ubuntu"
as_root=""
[ "$(id -u)" = 0 ] || as_root=sudo
system=$(. /etc/os-release && echo "${ID:-}${VERSION_ID:-}")
package=typeset_$version-1+${system}_$(dpkg --print-architecture).deb

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cd "$work"
curl -fsSL --retry 3 -o SHA256SUMS "$releases/$version/SHA256SUMS" || fail "there is no release $version at $releases"
grep -q " $package\$" SHA256SUMS || fail "the release $version has no package for $system; it has: $(awk '{ print $2 }' SHA256SUMS | tr '\n' ' ')"
curl -fsSL --retry 3 -o "$package" "$releases/$version/$package" || fail "$package cannot be fetched"
grep " $package\$" SHA256SUMS | sha256sum -c --quiet || fail "$package is not what the release says"
chmod 755 "$work"
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086  # Options.
$as_root apt-get ${APT_OPTIONS:-} update -q >/dev/null
# shellcheck disable=SC2086
$as_root apt-get ${APT_OPTIONS:-} install -y -q "./$package" >log 2>&1 || {
  cat log >&2
  fail "$package cannot be installed"
}
typeset=$(command -v bookset)
"$typeset" --version
