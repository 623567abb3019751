#!/bin/sh
# Installs what typeset needs on Debian 12 and 13: libraries to build with, fonts, hyphenation patterns, data for tests;
# and draws the fonts of the tests.
# Only what is missing is installed, so a second run does nothing. Needs root, or sudo.
#
#   Scripts/set-up.sh            all of it
#   Scripts/set-up.sh reader     all of it, and what Examples/ReadingServer needs
#   Scripts/set-up.sh tests      all of it, and programs that single tests are skipped without (.ci/run)
#   Scripts/set-up.sh --check    only say what is missing; exit status 1 if anything is
set -eu

libraries="pkg-config libxml2-dev libharfbuzz-dev libfreetype-dev libfontconfig-dev libzip-dev zlib1g-dev librsvg2-2
  libcairo2-dev libicu-dev libdeflate-dev libpng-dev libjpeg62-turbo-dev libwebp-dev libgif-dev libavif-dev libjxl-dev
  liblcms2-dev libzstd-dev libyaml-dev libcmark-gfm-dev libcmark-gfm-extensions-dev libmobi-dev"
# Debian has ISA-L for one architecture; without it pages are compressed more slowly.
[ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ] && libraries="$libraries libisal-dev"
fonts="fonts-noto-cjk fonts-linuxlibertine fonts-noto-core fonts-dejavu-core fonts-dejavu-extra fonts-liberation
  fonts-lxgw-wenkai fonts-texgyre-math fonts-noto-color-emoji"
hyphenation="hyphen-af hyphen-as hyphen-be hyphen-bg hyphen-bn hyphen-ca hyphen-cs hyphen-da hyphen-de hyphen-el
  hyphen-en-gb hyphen-en-us hyphen-es hyphen-fr hyphen-gl hyphen-gu hyphen-hi hyphen-hr hyphen-hu hyphen-id hyphen-is
  hyphen-it hyphen-kn hyphen-lt hyphen-lv hyphen-ml hyphen-mn hyphen-mr hyphen-nl hyphen-no hyphen-or hyphen-pa
  hyphen-pl hyphen-pt-br hyphen-pt-pt hyphen-ro hyphen-ru hyphen-sk hyphen-sl hyphen-sr hyphen-sv hyphen-ta hyphen-te
  hyphen-th hyphen-uk hyphen-zu"
data="unicode-data xz-utils"
# What draws the fonts of the tests.
drawing="python3-fonttools"
more=""
case ${1:-} in
  reader)
    more="libsqlite3-dev"
    shift
    ;;
  tests)
    more="parallel chromium git curl"
    shift
    ;;
esac

fail() {
  echo "set-up: $*" >&2
  exit 1
}

command -v dpkg-query >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1 ||
  fail "this script knows Debian's packages only; install the libraries and fonts it lists by other means"

missing=""
for package in $libraries $fonts $hyphenation $data $drawing $more; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing="$missing $package"
done

if [ "${1:-}" = --check ]; then
  [ -z "$missing" ] && exit 0
  echo "set-up: missing:$missing" >&2
  exit 1
fi

if [ -n "$missing" ]; then
  if [ "$(id -u)" = 0 ]; then
    as_root=""
  elif command -v sudo >/dev/null 2>&1; then
    as_root="sudo"
  else
    fail "root or sudo is needed to install:$missing"
  fi
  echo "set-up: installing:$missing"
  export DEBIAN_FRONTEND=noninteractive
  $as_root apt-get update -q || fail "apt-get update failed"
  # shellcheck disable=SC2086  # A list of names.
  $as_root apt-get install -y -q --no-install-recommends $missing || fail "the packages could not be installed:$missing"
fi

command -v swift >/dev/null 2>&1 || fail "the Swift toolchain (6.2 or later) is not on the PATH; see https://www.swift.org/install"

# Debian's own interpreter, whatever else is called python3: it is the one that knows the package. In a container's first layer
# this script stands alone.
drawings="$(dirname "$0")/../Tests/Support/Fonts"
for font in Square Letters; do
  [ -e "$drawings/draw.py" ] || break
  if [ ! -e "$drawings/$font.ttf" ] || [ "$drawings/draw.py" -nt "$drawings/$font.ttf" ]; then
    /usr/bin/python3 "$drawings/draw.py" || fail "the fonts of the tests could not be drawn by $drawings/draw.py"
  fi
done
