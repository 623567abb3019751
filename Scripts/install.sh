#!/bin/sh
# Installs what was built, or removes it: the command under both of its names, typeset-snapshot, manual pages, and completions for
# bash, zsh and fish; the library for C with its header and typeset.pc.
#
#   Scripts/install.sh PROGRAM             typeset; typeset-snapshot lies beside it
#   Scripts/install.sh --library FOLDER    what Scripts/library.sh made
#   Scripts/install.sh --uninstall         all of that
#
# DESTDIR and PREFIX (/usr/local) say where, ZSH the folder of zsh's completions below PREFIX/share/zsh (site-functions), LIBDIR that of
# the library below PREFIX (lib). Needs python3 and strip.
set -eu

# `typeset` is no name for completions of bash and zsh: both complete their builtin by files of that name.
files="bin/typeset bin/bookset libexec/typeset/typeset-snapshot
  share/man/man1/typeset.1 share/man/man1/bookset.1 share/man/man1/typeset-snapshot.1
  share/bash-completion/completions/bookset share/zsh/${ZSH:-site-functions}/_bookset
  share/fish/vendor_completions.d/bookset.fish share/fish/vendor_completions.d/typeset.fish"
libdir=${LIBDIR:-lib}
library_files="$libdir/libtypeset.so.1 $libdir/libtypeset.so $libdir/pkgconfig/typeset.pc include/typeset.h"
prefix=${PREFIX:-/usr/local}
to=${DESTDIR:-}$prefix

case ${1:-} in
  --uninstall)
    for file in $files $library_files; do rm -f "$to/$file"; done
    rmdir "$to/libexec/typeset" 2>/dev/null || true
    exit
    ;;
  --library)
    library=$2
    [ -f "$library/libtypeset.so.1" ] || {
      echo "install: there is no $library/libtypeset.so.1; make library makes it" >&2
      exit 1
    }
    for file in $library_files; do install -d "$to/${file%/*}"; done
    install -m 644 "$library/libtypeset.so.1" "$to/$libdir/"
    ln -sf libtypeset.so.1 "$to/$libdir/libtypeset.so"
    install -m 644 "$library/typeset.h" "$to/include/"
    sed -e "s|^prefix=.*|prefix=$prefix|" -e "s|^libdir=.*|libdir=\\\${prefix}/$libdir|" "$library/typeset.pc" >"$to/$libdir/pkgconfig/typeset.pc"
    chmod 644 "$to/$libdir/pkgconfig/typeset.pc"
    exit
    ;;
esac

program=$1
scripts=$(dirname "$0")
for file in "$program" "$program-snapshot"; do
  [ -x "$file" ] || {
    echo "install: there is no program $file; make build makes it" >&2
    exit 1
  }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
for file in $files; do install -d "$to/${file%/*}"; done

install -s -m 755 "$program" "$to/bin/typeset"
ln -sf typeset "$to/bin/bookset"
install -s -m 755 "$program-snapshot" "$to/libexec/typeset/typeset-snapshot"

# The program speaks of itself by the name that it is started by.
for name in typeset bookset; do ln -s "$(readlink -f "$program")" "$work/$name"; done
page() {
  "$scripts/manual-page.py" "$work/bookset" "$1" >"$work/$1.1"
  install -m 644 "$work/$1.1" "$to/share/man/man1/$1.1"
}
page typeset
page typeset-snapshot
ln -sf typeset.1 "$to/share/man/man1/bookset.1"

completions() {
  # What is read by a shell needs no line that names one.
  "$work/$1" --generate-completion-script "$2" | sed "1{/^#!/d}" >"$work/completions"
  install -m 644 "$work/completions" "$to/share/$3"
}
completions bookset bash bash-completion/completions/bookset
completions bookset zsh "zsh/${ZSH:-site-functions}/_bookset"
completions bookset fish fish/vendor_completions.d/bookset.fish
completions typeset fish fish/vendor_completions.d/typeset.fish
