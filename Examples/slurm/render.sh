#!/bin/sh
# A task of the array renders a part and compares it. Submit it with submit.sh.
#SBATCH --job-name=bookset
#SBATCH --requeue
#SBATCH --output=logs/%A-%a.log
set -eu

# Which part of how many: the array's number, where all of it runs; else PARTS, so that some may run again.
bookset=${BOOKSET:-bookset}
part=${SLURM_ARRAY_TASK_ID}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$bookset" snapshot render "$CORPUS" ${INDEX:+--index "$INDEX"} --shard "auto/$PARTS" --jobs "${SLURM_CPUS_PER_TASK:-1}" \
  --compare "$STORE" ${CACHE:+--cache "$CACHE"} --out "$work/part" --progress never
mkdir -p "$RUN/parts"
# A task that was requeued may meet its former self.
cp "$work/part/part.differences" "$RUN/parts/.$part.$$"
mv "$RUN/parts/.$part.$$" "$RUN/parts/$part.part"
