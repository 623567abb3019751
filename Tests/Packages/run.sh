#!/bin/sh
# A newcomer's road on a clean Debian: a package is installed in a new root file system, which has neither Swift nor a compiler, and
# sets a book. Needs root and debootstrap.
#
#   Tests/Packages/run.sh PACKAGE.deb [SUITE]     SUITE is that of this system unless told otherwise: bookworm, trixie
#
# Where the packages of the library lie beside it, a program in C is compiled there too, and reads the book.
#
# ROOT=folder takes a fresh file system that is there (debootstrap --variant=minbase) and changes a copy of it; APT_OPTIONS goes to
# apt-get. The times are told, and judged by nobody.
set -eu
export LC_ALL=C

package=$(readlink -f "$1")
suite=${2:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
cd "$(dirname "$0")/../.."

fail() {
  echo "packages: $*" >&2
  exit 1
}

work=$(mktemp -d)
root=$work/system
finish() {
  umount "$root/proc" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT INT TERM
if [ -n "${ROOT:-}" ]; then cp -a "$ROOT" "$root"; else debootstrap --variant=minbase "$suite" "$root" >/dev/null; fi
mount -t proc proc "$root/proc"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/srv DEBIAN_FRONTEND=noninteractive "$@"; }
# In KiB.
size() { du -skx "$root" --exclude="$root/proc" --exclude="$root/var/lib/apt" --exclude="$root/var/cache/apt" | cut -f 1; }

# shellcheck disable=SC2086  # Options.
inside apt-get ${APT_OPTIONS:-} update -q >/dev/null
cp "$package" "$root/srv/typeset.deb"
cp -R Corpus/en-the-keeper-of-small-lights "$root/srv/book"

echo "packages: $suite: $(ls -l "$root/srv/typeset.deb" | awk '{ print $5 }') bytes"
before=$(size)
started=$(date +%s)
# shellcheck disable=SC2086
inside apt-get ${APT_OPTIONS:-} install -y -q /srv/typeset.deb >"$work/log" 2>&1 || {
  tail "$work/log" >&2
  fail "the package cannot be installed"
}
inside bookset /srv/book --pdf /srv/book.pdf --progress never >"$work/messages" 2>&1 || fail "no PDF: $(cat "$work/messages")"
echo "packages: $suite: apt install to the first PDF: $(($(date +%s) - started)) s; installed: $((($(size) - before) / 1024)) MiB, with all that comes along"
[ "$(head -c 5 "$root/srv/book.pdf")" = %PDF- ] || fail "the PDF is none"
[ ! -s "$work/messages" ] || fail "the book is set with warnings: $(cat "$work/messages")"

inside bookset doctor >"$work/doctor" || [ $? = 69 ] || fail "bookset doctor: $(cat "$work/doctor")"
sed -n '/^No book\|^Books that/,$p' "$work/doctor" | sed "s/^/packages: $suite: /"
inside typeset snapshot --help >/dev/null || fail "typeset snapshot does not run"
for shell in bash zsh fish; do
  inside dpkg -L typeset | grep -q "$shell.*bookset" || fail "there are no completions for $shell"
done
folder=$(dirname "$package")
name=$(basename "$package")
if [ -e "$folder/libtypeset-dev_${name#typeset_}" ]; then
  cp "$folder/libtypeset1_${name#typeset_}" "$folder/libtypeset-dev_${name#typeset_}" "$root/srv/"
  # shellcheck disable=SC2086
  inside sh -euc 'apt-get $0 install -y -q --no-install-recommends /srv/libtypeset*.deb gcc libc6-dev pkg-config
    cd /srv && cc -std=c99 /usr/share/doc/libtypeset-dev/examples/reader.c $(pkg-config --cflags --libs typeset) -o reader && ./reader book page.png "corran HARBOUR"' \
    "${APT_OPTIONS:--q}" >"$work/log" 2>&1 || {
    tail "$work/log" >&2
    fail "no program in C can be made with the packages of the library"
  }
  echo "packages: $suite: a program in C reads the book"
fi

# The shell's own files for its builtin stay.
# shellcheck disable=SC2086
inside apt-get ${APT_OPTIONS:-} install -y -q --no-install-recommends bash-completion zsh-common fish-common >"$work/log" 2>&1 || {
  tail "$work/log" >&2
  fail "the package is not installed beside the shells' completions"
}
inside apt-get purge -y -q typeset >/dev/null 2>&1
[ ! -e "$root/usr/bin/bookset" ] && [ ! -e "$root/usr/libexec/typeset" ] || fail "something of the package stays"
echo "packages: $suite: passed"
