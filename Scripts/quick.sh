#!/bin/sh
# Builds .build/quick/release/typeset: what setting a book takes and nothing else, in a quarter of the time of Scripts/release.sh. The
# program sets the same pages; layout takes twenty times as long, which a first page does not notice. No server is fetched for it.
#
#   Scripts/quick.sh
#
# More arguments go to `swift build`.
set -eu
cd "$(dirname "$0")/.."

[ -x .build/quick/release/typeset ] ||
  echo "quick: building what setting a book takes, once: about three minutes on two cores; make build makes the program that is tuned"

swift build -c release --scratch-path .build/quick --product typeset --traits CommandLine \
  -debug-info-format none -Xswiftc -Onone -Xswiftc -enforce-exclusivity=unchecked --quiet "$@"
