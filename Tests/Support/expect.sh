# For scripts that test the program as it is run. They set $suite, $test and $work; what a command says goes to $work/log.

fail() {
  echo "$suite: $test: $1" >&2
  [ ! -f "$work/log" ] || tail -n 8 "$work/log" >&2
  exit 1
}
# The exit code of a command.
code() {
  set +e
  "$@" >"$work/log" 2>&1
  status=$?
  set -e
  echo "$status"
}
expect() {
  wanted=$1
  shift
  found=$(code "$@")
  [ "$found" = "$wanted" ] || fail "exit code $found, not $wanted: $*"
}
says() { grep -q -- "$1" "$work/log" || fail "it does not say: $1"; }
