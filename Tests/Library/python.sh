#!/bin/sh
# Whether the wheel can be installed into an environment of its own and sets books there (python_tests.py).
#
#   Tests/Library/python.sh WHEEL
set -eu
wheel=$(readlink -f "$1")
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
python3 -m venv "$work/environment"
"$work/environment/bin/pip" install --quiet --disable-pip-version-check --no-index "$wheel"
unset PYTHONPATH TYPESET_LIBRARY
"$work/environment/bin/python" Tests/Library/python_tests.py -q
if [ -e "$work/environment/lib/"python3*/site-packages/typeset_engine/typeset ]; then
  "$work/environment/bin/typeset-engine" --version
fi
