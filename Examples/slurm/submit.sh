#!/bin/sh
# Renders a corpus as an array of Slurm, and waits for its report.
#
#   submit.sh CORPUS STORE RUN PARTS [AT-ONCE]
#
# INDEX, CACHE and BOOKSET name an index of the corpus, a folder of results and the program; ARRAY the tasks, where only some are
# to run (again). All paths are seen by all nodes.
set -eu
[ $# -ge 4 ] || { echo "usage: submit.sh CORPUS STORE RUN PARTS [AT-ONCE]" >&2; exit 64; }
here=$(cd "$(dirname "$0")" && pwd)
export CORPUS STORE RUN PARTS
CORPUS=$(realpath "$1") STORE=$(realpath "$2") RUN=$(realpath -m "$3") PARTS=$4
mkdir -p "$RUN/logs"
cd "$RUN"
sbatch --wait --export=ALL --array="${ARRAY:-1-$PARTS}${5:+%$5}" "$here/render.sh" || echo "submit: some tasks failed; see $RUN/logs" >&2
"${BOOKSET:-bookset}" snapshot merge "$RUN"/parts/*.part --against "$STORE" --out "$RUN"
