#!/bin/sh
# Whether an example that uses the library does what it says: it opens a book, shows title, contents and first page,
# finds a phrase, and survives what is no book.
#
#   Tests/Library/example.sh COMMAND...
#
# The command is called with BOOK PAGE.png PHRASE behind it.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

fail() {
  echo "library: $*" >&2
  exit 1
}

"$@" Corpus/en-the-keeper-of-small-lights "$work/page.png" "corran HARBOUR" >"$work/told" || fail "$* ends with $?"
for text in "The Keeper of Small Lights" "II. The Letter" "Corran harbour"; do
  grep -q "$text" "$work/told" || fail "$* does not tell of $text: $(head -c 300 "$work/told")"
done
# Magic number, and the size of 420 by 595 CSS px at two pixels each.
header=$(head -c 24 "$work/page.png" | od -An -v -tx1 | tr -d ' \n')
case $header in
  89504e470d0a1a0a*00000348000004a6) ;;
  *) fail "$* writes no page as PNG file: $header" ;;
esac

# What is no book is told in one line, with a status of its own.
printf 'PK\003\004 and no more' >"$work/broken.epub"
for broken in "$work/broken.epub" "$work/none.epub" "$work/page.png" /dev/null; do
  status=0
  "$@" "$broken" "$work/none.png" >"$work/told" 2>&1 || status=$?
  [ "$status" = 1 ] || fail "$* ends with $status for $(basename "$broken"): $(cat "$work/told")"
  [ "$(wc -l <"$work/told")" = 1 ] || fail "$* tells of $(basename "$broken"): $(cat "$work/told")"
  grep -qF "$broken" "$work/told" || fail "$* does not name $(basename "$broken"): $(cat "$work/told")"
  [ ! -e "$work/none.png" ] || fail "$* writes a page of $(basename "$broken")"
done
