#!/bin/sh
# Makes a Debian package of typeset: its two programs, manual page, completions for three shells.
#
#   Scripts/deb.sh PROGRAM FOLDER     FOLDER/typeset_VERSION_ARCHITECTURE.deb; typeset-snapshot lies beside PROGRAM
#
# The package depends on the libraries the programs are linked with, in the versions dpkg-shlibdeps finds, and on ICU and JPEG; it
# recommends the others they load when a book needs them, and fonts. Needs dpkg-dev and python3; no root.
set -eu
export LC_ALL=C

program=$1
out=$2
cd "$(dirname "$0")/.."
revision=${REVISION:-1}
maintainer=${MAINTAINER:-"The maintainers of typeset <typeset@localhost>"}

fail() {
  echo "deb: $*" >&2
  exit 1
}

for tool in dpkg-shlibdeps dpkg-deb dpkg-architecture python3 strip; do
  command -v "$tool" >/dev/null 2>&1 || fail "$tool is missing; on Debian: apt-get install dpkg-dev binutils python3"
done
for file in "$program" "$program-snapshot"; do
  [ -x "$file" ] || fail "there is no program $file; make build makes it"
done

# The same sources give the same package.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || date +%s)
fi
export SOURCE_DATE_EPOCH

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
root=$work/root
doc=$root/usr/share/doc/typeset
version=$("$program" --version | cut -d ' ' -f 2)-$revision
architecture=$(dpkg-architecture -q DEB_HOST_ARCH)

mkdir -p "$root/DEBIAN" "$root/usr/bin" "$root/usr/libexec/typeset" "$root/usr/share/man/man1" "$root/usr/share/bash-completion/completions" \
  "$root/usr/share/zsh/vendor-completions" "$root/usr/share/fish/vendor_completions.d" "$doc"
strip --strip-all -o "$root/usr/bin/typeset" "$program"
strip --strip-all -o "$root/usr/libexec/typeset/typeset-snapshot" "$program-snapshot"
chmod 755 "$root/usr/bin/typeset" "$root/usr/libexec/typeset/typeset-snapshot"
Scripts/manual-page.py "$program" | gzip -9n >"$root/usr/share/man/man1/typeset.1.gz"
"$program" --generate-completion-script bash >"$root/usr/share/bash-completion/completions/typeset"
"$program" --generate-completion-script zsh >"$root/usr/share/zsh/vendor-completions/_typeset"
"$program" --generate-completion-script fish >"$root/usr/share/fish/vendor_completions.d/typeset.fish"
{
  printf '%s\n' 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/' '' 'Files: *'
  sed -n 's/^Copyright (c) /Copyright: /p' LICENSE
  echo 'License: Expat'
  sed -e '1,/^Copyright/d' -e '/./!s/^/./' -e 's/^/ /' LICENSE | sed 1d
} >"$doc/copyright"
printf 'typeset (%s) unstable; urgency=medium\n\n  * Built from the sources.\n\n -- %s  %s\n' "$version" "$maintainer" \
  "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$doc/changelog.Debian.gz"

# What the programs are linked with.
mkdir "$work/debian"
printf 'Source: typeset\n\nPackage: typeset\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O root/usr/bin/typeset root/usr/libexec/typeset/typeset-snapshot) || fail "dpkg-shlibdeps failed"
depends=${depends#shlibs:Depends=}

# What they load by name: the packages that own these libraries here. Without ICU and JPEG few books are whole.
recommends=""
for library in $(grep -haoE 'lib[a-zA-Z0-9_+-]+(-[0-9.]+)?\.so(\.[0-9a-z]+)+' "$root/usr/bin/typeset" \
  "$root/usr/libexec/typeset/typeset-snapshot" | sort -u); do
  package=$(dpkg-query -S "*/$library" 2>/dev/null | sed -n 's/^\([^:, ]*\).*/\1/p' | head -n 1)
  case ", $depends, $recommends" in
    *", $package,"* | *", $package "*) continue ;;
  esac
  [ -n "$package" ] && [ "$package" != libc6 ] || continue
  case $library in
    libicuuc.* | libjpeg.*) depends="$depends, $package" ;;
    *) recommends="$recommends$package, " ;;
  esac
done

installed=$(du -sk --apparent-size "$root/usr" | cut -f 1)
cat >"$root/DEBIAN/control" <<CONTROL
Package: typeset
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $installed
Depends: $depends
Recommends: ${recommends}fonts-noto-core, fonts-noto-cjk
Suggests: hyphen-en-us, hyphen-de, hyphen-fr, fonts-linuxlibertine, fonts-noto-color-emoji
Section: text
Priority: optional
Description: typesetting engine for e-books
 typeset sets books: EPUB, XHTML, HTML and plain text in, pages out, as
 pictures, as a description of where everything stands, or as text.
CONTROL

find "$root" -type d -exec chmod 755 {} +
find "$root" -type f ! -path '*/usr/bin/*' ! -path '*/usr/libexec/*' -exec chmod 644 {} +
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums && chmod 644 DEBIAN/md5sums)
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
mkdir -p "$out"
dpkg-deb --root-owner-group --build "$root" "$out/typeset_${version}_$architecture.deb" >/dev/null
echo "$out/typeset_${version}_$architecture.deb"
