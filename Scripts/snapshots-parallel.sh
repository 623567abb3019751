#!/bin/sh
# Renders a corpus with GNU parallel, on this machine or, with its own options such as --sshlogin, on several that share
# the folder of the run. What failed for want of a machine is done again by the same command; a book that crashes is a
# result. `typeset snapshot compare` reads the run afterwards.
#
#   Scripts/snapshots-parallel.sh CORPUS RUN [options of parallel]
#
# TYPESET names the program, .build/release/typeset unless told otherwise.
set -eu

if [ $# -lt 2 ]; then
  echo "usage: Scripts/snapshots-parallel.sh CORPUS RUN [options of parallel]" >&2
  exit 64
fi
corpus=$1
run=$2
shift 2
typeset=${TYPESET:-.build/release/typeset}
# moreutils has another program of this name.
case $(parallel --version 2>/dev/null) in
  "GNU parallel "*) ;;
  *)
    echo "snapshots-parallel: GNU parallel is missing (Debian package parallel)" >&2
    exit 69
    ;;
esac

mkdir -p "$run"
"$typeset" snapshot render "$corpus" --out "$run" --plan --quiet >"$run/units.tsv"
parallel --colsep '\t' --joblog "$run/joblog" --resume-failed --memfree 1G "$@" \
  "$typeset" snapshot render-one "$run" --book {1} --profile {2} :::: "$run/units.tsv"
