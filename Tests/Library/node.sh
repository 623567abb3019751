#!/bin/sh
# Whether the example in Node can be compiled and does what it says. Debian: nodejs libnode-dev.
#
#   Tests/Library/node.sh [FOLDER]
#
# FOLDER is that of run.sh. Where something of Node is not installed, it says so, and the status is 77.
set -eu
cd "$(dirname "$0")/../.."
library=$(cd "${1:-.build/release/library}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

command -v node >/dev/null 2>&1 || {
  echo "node is not installed"
  exit 77
}
# Node's own beside it, Debian's elsewhere.
headers=""
for folder in "$(dirname "$(readlink -f "$(command -v node)")")/../include/node" /usr/include/nodejs/src; do
  if [ -z "$headers" ] && [ -e "$folder/node_api.h" ]; then headers=$folder; fi
done
[ -n "$headers" ] || {
  echo "the headers of node (libnode-dev) are not installed"
  exit 77
}
cc -std=c99 -Wall -Wextra -Werror -shared -fPIC Examples/node/addon.c "-I$library" -isystem "$headers" \
  "-L$library" -ltypeset "-Wl,-rpath,$library" -o "$work/typeset.node"
cp Examples/node/*.js Tests/Library/node_tests.js "$work"
Tests/Library/example.sh node "$work/reader.js"
node --expose-gc "$work/node_tests.js" Corpus/en-the-keeper-of-small-lights
echo "node: $(node --version): the example does what it says"
