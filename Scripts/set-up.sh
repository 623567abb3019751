#!/bin/sh
# Installs what typeset needs on Debian 12 and 13 (on Ubuntu and Fedora too, not proved): libraries to build with, fonts, hyphenation
# patterns, data for tests (Scripts/packages.sh); and draws the fonts of the tests.
# Only what is missing is installed, so a second run does nothing. Needs root, or sudo.
#
#   Scripts/set-up.sh            all of it
#   Scripts/set-up.sh reader     all of it, and what Examples/ReadingServer needs
#   Scripts/set-up.sh tests      all of it, and programs that single tests are skipped without (.ci/run)
#   Scripts/set-up.sh engines    all of it, and schedulers and programs that corpora are spread with (Scripts/engines.sh)
#   Scripts/set-up.sh pages      what building the command and setting books takes
#   Scripts/set-up.sh build      what building alone takes
#   Scripts/set-up.sh none       no package: for systems whose packages are installed by other means
#   Scripts/set-up.sh --check    only say what is missing; exit status 1 if anything is
set -eu

here=$(dirname "$0")
. "$here/packages.sh"
data="unicode-data xz-utils"
# What draws the fonts of the tests.
drawing="python3-fonttools"
more=""
case ${1:-} in
  reader) more="libsqlite3-dev" ;;
  tests) more="parallel chromium git curl" ;;
  engines) more="slurm-wlm rclone python3-venv procps" ;;
  pages) data="" drawing="" ;;
  build) fonts="" hyphenation="" data="" drawing="" fedora_fonts="" ;;
esac

fail() {
  echo "set-up: $*" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1; then
    sudo "$@"
  else
    fail "root or sudo is needed for: $*"
  fi
}

# Says what is missing of Debian's packages, and installs it unless that was all.
install_packages() {
  missing=""
  for package in $libraries $fonts $hyphenation $data $drawing $more; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  if [ "${1:-}" = --check ]; then fail "missing:$missing"; fi
  echo "set-up: installing:$missing"
  export DEBIAN_FRONTEND=noninteractive
  as_root apt-get update -q || fail "apt-get update failed"
  # shellcheck disable=SC2086  # A list of names.
  as_root apt-get install -y -q --no-install-recommends $missing || fail "the packages could not be installed:$missing"
}

if [ "${1:-}" = none ]; then
  :
elif command -v dpkg-query >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1; then
  install_packages "${1:-}"
elif command -v dnf >/dev/null 2>&1; then
  # shellcheck disable=SC2086
  if ! rpm -q $fedora_libraries $fedora_fonts >/dev/null 2>&1; then
    [ "${1:-}" != --check ] || fail "packages are missing"
    # shellcheck disable=SC2086
    as_root dnf install -y -q $fedora_libraries $fedora_fonts ||
      fail "the packages could not be installed; NO_SET_UP=1 goes without them"
  fi
else
  fail "this script knows the packages of Debian, Ubuntu and Fedora; install what Scripts/packages.sh lists by other means, and say NO_SET_UP=1"
fi
[ "${1:-}" != --check ] || exit 0

command -v swift >/dev/null 2>&1 || fail "the Swift toolchain (6.2 or later) is not on the PATH; see https://www.swift.org/install"

# Debian's own interpreter, whatever else is called python3: it is the one that knows the package.
python=/usr/bin/python3
[ -x "$python" ] || python=python3
case ${1:-} in
  pages | build) exit ;;
  none) "$python" -c 'import fontTools' 2>/dev/null || {
    echo "set-up: without Python's fonttools the fonts of the tests are not drawn, and tests that need them fail" >&2
    exit
  } ;;
esac
drawings="$here/../Tests/Support/Fonts"
for font in Square Letters; do
  if [ ! -e "$drawings/$font.ttf" ] || [ "$drawings/draw.py" -nt "$drawings/$font.ttf" ]; then
    "$python" "$drawings/draw.py" || fail "the fonts of the tests could not be drawn by $drawings/draw.py"
  fi
done
