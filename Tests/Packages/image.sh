#!/bin/sh
# Runs the root file system of the image as a container runs: another user, nothing to write but /tmp, no network. Needs root and
# bubblewrap.
#
#   Tests/Packages/image.sh ROOTFS.tar.gz
set -eu
export LC_ALL=C

archive=$(readlink -f "$1")
cd "$(dirname "$0")/../.."

fail() {
  echo "image: $*" >&2
  exit 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
mkdir "$work/system"
tar -C "$work/system" -xzf "$archive"
chmod 755 "$work"
contain() {
  bwrap --ro-bind "$work/system" / --ro-bind "$PWD/Corpus" /books --proc /proc --dev /dev --tmpfs /tmp --unshare-all --uid 10001 --gid 10001 \
    --clearenv --setenv PATH /usr/bin:/bin --setenv XDG_CACHE_HOME /var/cache --setenv HOME /books --setenv LANG C.UTF-8 --chdir /books "$@"
}

for book in en-the-keeper-of-small-lights zh-yu-zhong-shudian; do
  contain bookset "$book" --pdf - --progress never >"$work/book.pdf" 2>"$work/messages" || fail "$book: $(cat "$work/messages")"
  [ "$(head -c 5 "$work/book.pdf")" = %PDF- ] || fail "$book: the PDF is none"
  [ ! -s "$work/messages" ] || fail "$book: $(cat "$work/messages")"
  echo "image: $book: $(wc -c <"$work/book.pdf") bytes of PDF"
done
contain bookset doctor >"$work/doctor" || fail "it is not healthy: $(cat "$work/doctor")"
contain sh -c '[ "$(id -u)" != 0 ] && ! touch /usr/bin/x 2>/dev/null' || fail "it can be written"
grep -q '"SPDX-2' "$work/system/usr/share/typeset/sbom.spdx.json" || fail "there is no list of its packages"
echo "image: $(wc -c <"$archive") bytes packed, $(du -sm "$work/system" | cut -f 1) MiB unpacked; passed"
