#!/bin/sh
# Tells the version, which stands in Sources/Typesetting/EngineVersion.swift alone.
#
#   Scripts/version.sh            0.1.0
#   Scripts/version.sh --check [TAG]
#                                 fails unless CHANGELOG.md tells of the version, with a date, and the tag, where one is given, is it
#   Scripts/version.sh --notes    what CHANGELOG.md tells of the version
set -eu
cd "$(dirname "$0")/.."

version=$(sed -n 's/^ *public static let current = "\([0-9.]*\)"$/\1/p' Sources/Typesetting/EngineVersion.swift)

fail() {
  echo "version: $*" >&2
  exit 1
}

echo "$version" | grep -qE '^[0-9]+\.[0-9]+\.[0-9]+$' || fail "EngineVersion.swift names no version"
case ${1:-} in
  "") echo "$version" ;;
  --check)
    grep -qE "^## $version \(20[0-9-]{8}\)\$" CHANGELOG.md || fail "CHANGELOG.md has no heading '## $version (DATE)'"
    [ -z "${2:-}" ] || [ "$2" = "$version" ] || fail "the tag is $2, and EngineVersion.swift says $version"
    ;;
  --notes) awk -v heading="## $version " 'index($0, "## ") == 1 { on = index($0, heading) == 1; next } on' CHANGELOG.md ;;
  *) fail "usage: version.sh [--check [TAG] | --notes]" ;;
esac
