#!/bin/sh
# Makes a Debian package of typeset, of what Scripts/install.sh installs.
#
#   Scripts/deb.sh PROGRAM FOLDER     FOLDER/typeset_VERSION_ARCHITECTURE.deb; typeset-snapshot lies beside PROGRAM
#
# The package depends on the libraries the programs are linked with, in the versions dpkg-shlibdeps finds, and on ICU and JPEG; it
# recommends the others they load when a book needs them, and fonts: those libraries have to be installed here. The same programs
# and sources give the same bytes. MAINTAINER is whoever distributes it, the author of the last commit unless told otherwise;
# REVISION the package's own number. Needs dpkg-dev, binutils and python3; no root.
set -eu
export LC_ALL=C
umask 022

program=$(readlink -f "$1")
mkdir -p "$2"
out=$(cd "$2" && pwd)
cd "$(dirname "$0")/.."
revision=${REVISION:-1}
maintainer=${MAINTAINER:-$(git log -1 --format='%an <%ae>' 2>/dev/null || true)}

fail() {
  echo "deb: $*" >&2
  exit 1
}

for tool in dpkg-shlibdeps dpkg-deb dpkg-architecture python3 strip; do
  command -v "$tool" >/dev/null 2>&1 || fail "$tool is missing; on Debian: apt-get install dpkg-dev binutils python3"
done
[ -n "$maintainer" ] || fail "who distributes the package? MAINTAINER='Name <address>' Scripts/deb.sh ..."

# The same sources give the same package.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || date +%s)
fi
export SOURCE_DATE_EPOCH

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
root=$work/root
doc=$root/usr/share/doc/typeset
version=$(Scripts/version.sh)-$revision
architecture=$(dpkg-architecture -q DEB_HOST_ARCH)
[ "$("$program" --version | cut -d ' ' -f 2)" = "${version%-*}" ] || fail "$program is of another version than the sources"

DESTDIR=$root PREFIX=/usr ZSH=vendor-completions Scripts/install.sh "$program"
gzip -9n "$root"/usr/share/man/man1/typeset.1 "$root"/usr/share/man/man1/typeset-snapshot.1
rm "$root/usr/share/man/man1/bookset.1"
ln -s typeset.1.gz "$root/usr/share/man/man1/bookset.1.gz"

mkdir -p "$root/DEBIAN" "$doc" "$root/usr/share/lintian/overrides"
cp Scripts/debian/copyright "$doc/copyright"
cp Scripts/debian/lintian-overrides "$root/usr/share/lintian/overrides/typeset"
gzip -9nc CHANGELOG.md >"$doc/changelog.gz"
printf 'typeset (%s) unstable; urgency=medium\n\n  * Release %s: see changelog.gz.\n\n -- %s  %s\n' "$version" "${version%-*}" \
  "$maintainer" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$doc/changelog.Debian.gz"

# What the programs are linked with.
mkdir "$work/debian"
printf 'Source: typeset\n\nPackage: typeset\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O root/usr/bin/typeset root/usr/libexec/typeset/typeset-snapshot) || fail "dpkg-shlibdeps failed"
depends=${depends#shlibs:Depends=}

# What they load by name: the packages that own these libraries here. Such a name is a whole string of the program; in others, names
# stand as data. Without ICU and JPEG few books are whole.
recommends=""
for library in $(cat "$root/usr/bin/typeset" "$root/usr/libexec/typeset/typeset-snapshot" | tr '\0' '\n' |
  LC_ALL=C grep -axE 'lib[a-zA-Z0-9_+-]+(-[0-9.]+)?\.so(\.[0-9a-z]+)+' | sort -u); do
  package=$(dpkg-query -S "*/$library" 2>/dev/null | sed -n 's/^\([^:, ]*\).*/\1/p' | head -n 1)
  [ -n "$package" ] || fail "$library is not installed here, so that its package is not known: Scripts/set-up.sh installs all of them"
  case ", $depends, $recommends" in
    *", $package,"* | *", $package "*) continue ;;
  esac
  [ "$package" != libc6 ] || continue
  case $library in
    libicuuc.* | libjpeg.*) depends="$depends, $package" ;;
    *) recommends="$recommends$package, " ;;
  esac
done

installed=$(du -sk --apparent-size "$root/usr" | cut -f 1)
{
  cat <<CONTROL
Package: typeset
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $installed
Depends: $depends
Recommends: ${recommends}fonts-noto-core, fonts-noto-cjk, fonts-texgyre-math, hyphen-en-us
Suggests: fonts-linuxlibertine, fonts-noto-color-emoji, hyphen-de, hyphen-es, hyphen-fr, hyphen-it, hyphen-pt-pt, hyphen-ru
Section: text
Priority: optional
CONTROL
  cat Scripts/debian/description
} >"$root/DEBIAN/control"

(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb -Zxz --root-owner-group --build "$root" "$out/typeset_${version}_$architecture.deb" >/dev/null
echo "$out/typeset_${version}_$architecture.deb"
