#!/bin/sh
# Makes Debian packages of typeset, of what Scripts/install.sh installs.
#
#   Scripts/deb.sh PROGRAM FOLDER [LIBRARY]
#
# FOLDER/typeset_VERSION_ARCHITECTURE.deb; typeset-snapshot lies beside PROGRAM. With LIBRARY, what Scripts/library.sh made, also
# libtypeset1 and libtypeset-dev.
#
# The packages depend on the libraries the programs are linked with, in the versions dpkg-shlibdeps finds, and on ICU and JPEG; they
# recommend the others they load when a book needs them, and fonts: those libraries have to be installed here. The same programs
# and sources give the same bytes. MAINTAINER is whoever distributes them, the author of the last commit unless told otherwise;
# REVISION the packages' own number. Needs dpkg-dev, binutils and python3; no root.
set -eu
export LC_ALL=C
umask 022

program=$(readlink -f "$1")
library=${3:+$(readlink -f "$3")}
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
version=$(Scripts/version.sh)-$revision
architecture=$(dpkg-architecture -q DEB_HOST_ARCH)
libdir=lib/$(dpkg-architecture -q DEB_HOST_MULTIARCH)
fonts="fonts-noto-core, fonts-noto-cjk, fonts-texgyre-math, hyphen-en-us"
more_fonts="fonts-linuxlibertine, fonts-noto-color-emoji, hyphen-de, hyphen-es, hyphen-fr, hyphen-it, hyphen-pt-pt, hyphen-ru"
[ "$("$program" --version | cut -d ' ' -f 2)" = "${version%-*}" ] || fail "$program is of another version than the sources"

# needs PACKAGE FILE...: what the files of the package need: `depends`, what they are linked with, and `recommends`, what they load by
# name, which are the packages that own these libraries here. Such a name ends with a string of the file; other data may stand right
# before it. Without ICU and JPEG few books are whole.
needs() {
  mkdir -p "$work/debian"
  printf 'Source: typeset\n\nPackage: %s\nArchitecture: any\n' "$1" >"$work/debian/control"
  folder=$1
  shift
  for file; do
    shift
    set -- "$@" "$folder/$file"
  done
  depends=$(cd "$work" && dpkg-shlibdeps -O "$@") || fail "dpkg-shlibdeps failed"
  depends=${depends#shlibs:Depends=}
  recommends=""
  for name in $(cd "$work" && cat "$@" | tr '\0' '\n' | grep -aoE 'lib[a-zA-Z0-9_+-]+(-[0-9.]+)?\.so(\.[0-9a-z]+)+$' | sort -u); do
    # The library has its own name in it.
    [ "$name" != libtypeset.so.1 ] || continue
    owner=$(dpkg-query -S "*/$name" 2>/dev/null | sed -n 's/^\([^:, ]*\).*/\1/p' | head -n 1)
    [ -n "$owner" ] || fail "$name is not installed here, so that its package is not known: Scripts/set-up.sh installs all of them"
    case ", $depends, $recommends" in
      *", $owner,"* | *", $owner "*) continue ;;
    esac
    [ "$owner" != libc6 ] || continue
    case $name in
      libicu* | libjpeg.*) depends="$depends, $owner" ;;
      *) recommends="$recommends$owner, " ;;
    esac
  done
}

# package NAME SECTION, with further fields of its control file as the input: packs what lies in $work/NAME.
package() {
  root=$work/$1
  doc=$root/usr/share/doc/$1
  mkdir -p "$root/DEBIAN" "$doc" "$root/usr/share/lintian/overrides"
  cp Scripts/debian/copyright "$doc/copyright"
  cp "Scripts/debian/$1.lintian-overrides" "$root/usr/share/lintian/overrides/$1"
  gzip -9nc CHANGELOG.md >"$doc/changelog.gz"
  printf 'typeset (%s) unstable; urgency=medium\n\n  * Release %s: see changelog.gz.\n\n -- %s  %s\n' "$version" "${version%-*}" \
    "$maintainer" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$doc/changelog.Debian.gz"
  {
    cat <<CONTROL
Package: $1
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f 1)
Section: $2
Priority: optional
CONTROL
    cat - "Scripts/debian/$1.description"
  } >"$root/DEBIAN/control"
  (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  dpkg-deb -Zxz --root-owner-group --build "$root" "$out/$1_${version}_$architecture.deb" >/dev/null
  echo "$out/$1_${version}_$architecture.deb"
}

root=$work/typeset
DESTDIR=$root PREFIX=/usr ZSH=vendor-completions Scripts/install.sh "$program"
gzip -9n "$root"/usr/share/man/man1/typeset.1 "$root"/usr/share/man/man1/typeset-snapshot.1
rm "$root/usr/share/man/man1/bookset.1"
ln -s typeset.1.gz "$root/usr/share/man/man1/bookset.1.gz"
needs typeset usr/bin/typeset usr/libexec/typeset/typeset-snapshot
package typeset text <<CONTROL
Depends: $depends
Recommends: $recommends$fonts
Suggests: $more_fonts
CONTROL

[ -n "$library" ] || exit 0
root=$work/libtypeset1
headers=$work/libtypeset-dev
DESTDIR=$root PREFIX=/usr LIBDIR=$libdir Scripts/install.sh --library "$library"
for file in include "$libdir/libtypeset.so" "$libdir/pkgconfig"; do
  mkdir -p "$headers/usr/$(dirname "$file")"
  mv "$root/usr/$file" "$headers/usr/$file"
done
mkdir -p "$root/DEBIAN"
echo "libtypeset 1 libtypeset1 (>= ${version%-*})" >"$root/DEBIAN/shlibs"
echo "activate-noawait ldconfig" >"$root/DEBIAN/triggers"
needs libtypeset1 "usr/$libdir/libtypeset.so.1"
package libtypeset1 libs <<CONTROL
Source: typeset
Multi-Arch: same
Depends: $depends
Recommends: $recommends$fonts
Suggests: $more_fonts
CONTROL
install -D -m 644 Examples/c/reader.c "$headers/usr/share/doc/libtypeset-dev/examples/reader.c"
package libtypeset-dev libdevel <<CONTROL
Source: typeset
Multi-Arch: same
Depends: libtypeset1 (= $version)
CONTROL
