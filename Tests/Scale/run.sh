#!/bin/sh
# Runs of a corpus in parts, by the engines that teams have: each starts the real one on this machine, something is killed in the
# middle, and the report of the parts is compared with that of the local pool, byte for byte. Single rules are tested in
# Tests/SnapshotHarnessTests.
#
#   Tests/Scale/run.sh [TEST...]     pool shards slurm ray dask kubernetes rclone s3 full_store index merge variant review,
#                                    and by name alone, since they take long: overhead uses
#
# TYPESET names the program, .build/release/typeset unless told otherwise. An engine that is not installed is passed over: Debian's
# slurm-wlm, rclone and chromium; ray, dask[distributed], moto[server], playwright and kubernetes-validate of PyPI for the Python
# that PYTHON names (python3). With ENGINES=required that is a failure.
set -eu
cd "$(dirname "$0")/../.."
root=$(pwd)
typeset=$(realpath "${TYPESET:-$root/.build/release/typeset}")
python=${PYTHON:-python3}
work=$(mktemp -d)
slurm=
disk=
finish() {
  status=$?
  for name in moto proxy; do
    process=$(cat "$work/$name.pid" 2>/dev/null || true)
    [ -z "$process" ] || kill "$process" 2>/dev/null || true
  done
  for name in slurmd slurmctld; do
    process=$(cat "$work/$name.pid" 2>/dev/null || true)
    [ -z "$slurm" ] || [ -z "$process" ] || kill "$process" 2>/dev/null || true
    while [ -n "$process" ] && kill -0 "$process" 2>/dev/null; do sleep 0.1; done
  done
  [ -z "$disk" ] || umount "$disk"
  [ -n "${KEEP:-}" ] || rm -rf "$work"
  exit $status
}
trap finish EXIT
trap 'exit 130' INT TERM
export HOME="$work"
bookset="$work/bin/bookset"
mkdir -p "$work/bin"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$typeset" >"$bookset"
chmod +x "$bookset"

snapshot() { "$typeset" snapshot "$@"; }
suite=scale
. Tests/Support/expect.sh
pass_over() {
  [ "${ENGINES:-}" != required ] || fail "$1"
  echo "scale: $test: passed over: $1" >&2
}
has() { "$python" -c "import $1" 2>/dev/null; }

books="$work/books"
store="$work/store"
changed="$work/changed.css"
# A task may run outside of the work tree, whose revision a run has otherwise.
options="--profile ereader --user-css $changed --revision 1"

# Some books, a heavy one among them, and a baseline of an engine that sets headings otherwise.
make_corpus() {
  mkdir -p "$books"
  for file in "$root"/Corpus/cases/text/white-space*.xhtml "$root"/Corpus/cases/lists/nested*.xhtml; do
    [ ! -f "$file" ] || cp "$file" "$books/"
  done
  cp -r "$root/Corpus/ja-kitsune-no-tegami" "$root/Corpus/zh-yu-zhong-shudian" "$books/"
  awk 'BEGIN { for (i = 1; i <= 6000; i++) print "The keeper wrote line " i " of the log, and " i * 7 % 1009 " ships went by.\n" }' \
    >"$books/heavy.txt"
  for number in 1 2 3 4 5 6; do
    printf '<!DOCTYPE html><title>%s</title><h1>Heading %s</h1><p>Some words.' $number $number >"$books/page-$number.html"
  done
  echo 'h1, h2, h3 { letter-spacing: 2px }' >"$changed"
  snapshot record "$books" --profile ereader --into "$store" --out "$work/base" --quiet
}

# The reports of a run, without figures of time and memory and the run's own name.
reports() {
  snapshot report "$1" --json "$work/report.json" --markdown "$work/report.md" --quiet
  cat "$1/comparison.json"
  grep -v ' accept ' "$work/report.md"
  grep -vE '"(child|memory|time)\.|"shaping\.(cache|calls|faces|plain)|"seconds"|"rendered"|"host"' "$work/report.json"
}
is_the_same() { reports "$1" | cmp - "$work/whole.txt" || fail "the report is another one than that of the local pool"; }

make_whole() {
  # shellcheck disable=SC2086
  snapshot render "$books" $options --out "$work/whole" --quiet
  snapshot compare "$store" "$work/whole" --quiet || [ $? = 1 ]
  reports "$work/whole" >"$work/whole.txt"
  grep -q 'heading' "$work/whole.txt" || fail 'there is nothing in the report'
}

# Kills the first program of its kind that sets a book below a folder of ours, once.
kill_one() {
  for attempt in $(seq 1 400); do
    for process in $(pgrep -f "$1" || true); do
      if tr '\0' ' ' <"/proc/$process/environ" 2>/dev/null | grep -q "HOME=$work " && kill -9 "$process" 2>/dev/null; then
        echo "$process"
        return 0
      fi
    done
    sleep 0.02
  done
  fail "nothing was there to be killed"
}

corpus() {
  # shellcheck disable=SC2086
  "$python" "$root/Examples/ray/corpus.py" "$books" --against "$store" --bookset "$bookset" "$@" -- $options
}

# Eight parts in any order; one of them is rendered twice.
test_shards() {
  snapshot index "$books" --out "$work/index" --quiet
  for part in 8 3 5 1 7 2 6 4 3; do
    # shellcheck disable=SC2086
    CI_NODE_INDEX=$part CI_NODE_TOTAL=8 snapshot render "$books" --index "$work/index" $options --shard auto \
      --compare "$store" --cache "$work/cache" --out "$work/shard-$part" --quiet
    cp "$work/shard-$part/part.differences" "$work/$part.part"
  done
  expect 1 snapshot merge "$work"/?.part --against "$store" --out "$work/shards"
  is_the_same "$work/shards"
  rm "$work/4.part"
  expect 69 snapshot merge "$work"/?.part --against "$store" --out "$work/shards"
  says 'missing: 4'
}

test_pool() {
  corpus --out "$work/pool" --parts 6 --workers 2 --pool threads >"$work/log" 2>&1 &
  pool=$!
  kill_one 'snapshot render .*--shard [0-9]' >/dev/null
  code=0
  wait $pool || code=$?
  [ $code = 1 ] || fail "exit code $code, not 1"
  is_the_same "$work/pool"
  # What no machine does better is not tried again.
  expect 66 corpus --out "$work/none" --parts 2 --workers 1 --index "$work/no-index"
}

test_ray() {
  has ray || { pass_over 'Ray is not installed'; return 0; }
  code=0
  "$python" Tests/Scale/ray_cluster.py "$root/Examples/ray/corpus.py" "$books" --against "$store" --bookset "$bookset" \
    --out "$work/ray" --parts 12 --pool ray -- $options >"$work/log" 2>&1 || code=$?
  [ $code = 1 ] || fail "exit code $code, not 1"
  says 'a node was killed'
  is_the_same "$work/ray"
}

test_dask() {
  has dask.distributed || { pass_over 'Dask is not installed'; return 0; }
  expect 1 corpus --out "$work/dask" --parts 6 --pool dask
  is_the_same "$work/dask"
}

test_kubernetes() {
  validate=$(dirname "$(command -v "$python")")/kubernetes-validate
  [ -x "$validate" ] || validate=$(command -v kubernetes-validate) || {
    pass_over 'kubernetes-validate is not installed'
    return 0
  }
  for version in 1.30 1.31 1.32 1.33 1.34 1.35 1.36 1.37; do
    expect 0 "$validate" -k $version --strict Examples/kubernetes/job.yaml
  done
}

start_slurm() {
  mkdir -p "$work/slurm-state" "$work/slurm-spool"
  host=$(hostname -s)
  cat >"$work/slurm.conf" <<END
ClusterName=scale
SlurmctldHost=$host(127.0.0.1)
AuthType=auth/none
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
ReturnToService=2
JobRequeue=1
KillWait=1
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPort=16817
SlurmdPort=16818
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
StateSaveLocation=$work/slurm-state
SlurmdSpoolDir=$work/slurm-spool
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
  export SLURM_CONF="$work/slurm.conf"
  slurm=running
  slurmctld -f "$SLURM_CONF"
  slurmd -f "$SLURM_CONF"
  for attempt in $(seq 1 100); do
    ! sinfo -h -o %t 2>/dev/null | grep -q idle || return 0
    sleep 0.2
  done
  fail 'the node of Slurm does not come up'
}

# One task is requeued while it renders, as it is when its node fails.
test_slurm() {
  command -v slurmctld >/dev/null && command -v slurmd >/dev/null || { pass_over 'Slurm is not installed'; return 0; }
  start_slurm
  printf '#!/bin/sh\n[ "$2" != render ] || set -- "$@" %s\nexec "%s" "$@"\n' "$options" "$typeset" >"$work/bin/wide"
  chmod +x "$work/bin/wide"
  export BOOKSET="$work/bin/wide" CACHE="$work/slurm-cache"
  Examples/slurm/submit.sh "$books" "$store" "$work/slurm" 5 2 >"$work/log" 2>&1 &
  submit=$!
  for attempt in $(seq 1 200); do
    job=$(squeue -h -t R -o %i 2>/dev/null | head -n 1)
    [ -z "$job" ] || break
    sleep 0.1
  done
  [ -n "$job" ] || fail 'no task runs'
  sleep 1
  scontrol requeue "$job" || fail 'a task cannot be requeued'
  # It would wait for two minutes.
  scontrol update JobId="$job" StartTime=now
  code=0
  wait $submit || code=$?
  [ $code = 1 ] || fail "exit code $code, not 1"
  is_the_same "$work/slurm"
  # A part that was lost is named, and rendered again by itself.
  rm "$work/slurm/parts/2.part" "$work/slurm/parts/5.part"
  ARRAY=5 expect 69 Examples/slurm/submit.sh "$books" "$store" "$work/slurm" 5
  says 'missing: 2'
  ARRAY=2 expect 1 Examples/slurm/submit.sh "$books" "$store" "$work/slurm" 5
  is_the_same "$work/slurm"
  unset BOOKSET CACHE
}

# The real rclone, with a folder for a remote. Of a second run the hashes alone are shipped.
test_rclone() {
  command -v rclone >/dev/null || { pass_over 'rclone is not installed'; return 0; }
  mkdir -p "$work/bucket"
  printf '[store]\ntype = alias\nremote = %s\n' "$work/bucket" >"$work/rclone.conf"
  export RCLONE_CONFIG="$work/rclone.conf"
  for number in 1 2 3; do
    [ $number != 3 ] || printf '<!DOCTYPE html><title>1</title><h1>Another</h1>' >"$books/page-1.html"
    # shellcheck disable=SC2086
    expect 0 snapshot render "$books" $options --cache "$work/local-$number" --cache-remote store:results \
      --out "$work/remote-$number"
    cp "$work/log" "$work/log-$number"
  done
  printf '<!DOCTYPE html><title>1</title><h1>Heading 1</h1><p>Some words.' >"$books/page-1.html"
  grep -q ' 0 rendered' "$work/log-2" || fail 'what the remote has is rendered again'
  grep -q ' 1 rendered' "$work/log-3" || fail 'not only the book that changed is rendered'
  expect 0 snapshot compare "$work/remote-1" "$work/remote-2"
  all=$(du -sb "$work/bucket" | cut -f 1)
  shipped=$(find "$work/local-2" -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum + 0 }')
  echo "scale: rclone: $shipped bytes shipped of $all"
  [ -z "$(find "$work/local-2" -path '*pages*' -type f)" ] || fail 'data of equal pages are shipped'
  # A remote that is not there stops nothing.
  # shellcheck disable=SC2086
  expect 0 snapshot render "$books" $options --cache "$work/local-4" --cache-remote gone:results --out "$work/remote-4"
  says 'rclone ends with exit code'
  unset RCLONE_CONFIG
}

# An object store that is slow, is gone while it is asked and while it is sent to, and comes back: nothing is lost, doubled or
# wrong, each is told, and no key is in sight.
test_s3() {
  has moto || { pass_over 'moto is not installed'; return 0; }
  command -v rclone >/dev/null || { pass_over 'rclone is not installed'; return 0; }
  port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  "$python" -m moto.server -H 127.0.0.1 -p "$port" >"$work/moto.log" 2>&1 &
  echo $! >"$work/moto.pid"
  network=$((port + 1))
  printf '%s\n' '[s3]' 'type = s3' 'provider = Other' 'access_key_id = reader' 'secret_access_key = opensesame' \
    "endpoint = http://127.0.0.1:$network" >"$work/s3.conf"
  # What the machine says of another store is none of this one.
  unset $(env | sed -n 's/^\(AWS_[A-Z_]*\)=.*/\1/p')
  export RCLONE_CONFIG="$work/s3.conf" RCLONE_RETRIES=1 RCLONE_LOW_LEVEL_RETRIES=2
  connect
  for attempt in $(seq 1 100); do
    ! rclone mkdir s3:results >/dev/null 2>&1 || break
    sleep 0.2
  done
  s3() {
    number=$1
    shift
    # shellcheck disable=SC2086
    expect 0 snapshot render "$books" --profile ereader --revision 1 --user-css "$sheet" --cache "$work/s3-$number" \
      --cache-remote s3:results/a --out "$work/s3-run-$number" "$@"
    cp "$work/log" "$work/s3-log-$number"
  }
  sheet=$changed
  s3 1
  all=$(rclone lsf -R --files-only s3:results | wc -l)
  [ "$all" = $((2 * $(find "$work/s3-run-1/books" -name result.json | wc -l))) ] || fail "the store has $all objects"
  disconnect
  connect 100000
  s3 2
  says ' 0 rendered'
  expect 0 snapshot compare "$work/s3-run-1" "$work/s3-run-2"
  # Gone while it is asked.
  (sleep 0.4; disconnect) &
  s3 3
  wait $!
  says 'nothing is fetched from the cache: rclone ends with exit code'
  expect 0 snapshot compare "$work/s3-run-1" "$work/s3-run-3"
  # Gone while books are set, so that nothing is taken there; what is here is not rendered again when it is back.
  connect
  sheet="$work/tight.css"
  printf 'p { margin: 0 }' >"$sheet"
  (sleep 1; disconnect) &
  s3 4
  wait $!
  says "nothing is taken to the cache's remote: rclone ends with exit code"
  [ "$(find "$work/s3-4/units" -type f | wc -l)" -gt 0 ] || fail 'nothing is kept here'
  connect
  cp -r "$work/s3-4" "$work/s3-5"
  s3 5
  says ' 0 rendered'
  s3 6
  s3 7
  says ' 0 rendered'
  for run in 5 6 7; do expect 0 snapshot compare "$work/s3-run-4" "$work/s3-run-$run"; done
  doubled=$(rclone lsf -R --files-only s3:results | sort | uniq -d)
  [ -z "$doubled" ] || fail "doubled: $doubled"
  ! grep -rlE 'opensesame' "$work"/s3-log-* "$work"/s3-run-* "$work"/s3-[0-9]* || fail 'a key is in sight'
  disconnect
  kill "$(cat "$work/moto.pid")"
  unset RCLONE_CONFIG RCLONE_RETRIES RCLONE_LOW_LEVEL_RETRIES
}
connect() {
  "$python" Tests/Scale/store_proxy.py "$network" "$port" "$@" &
  echo $! >"$work/proxy.pid"
  sleep 0.5
}
disconnect() { kill -9 "$(cat "$work/proxy.pid")"; }

# Two systems, one of which has no fonts for Chinese and Japanese, with a baseline and its variant: parts are compared with theirs.
test_variant() {
  serif=/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf
  han=/usr/share/fonts/opentype/noto/NotoSerifCJK-Regular.ttc
  [ -f $serif ] && [ -f $han ] || { pass_over 'fonts-dejavu-core and fonts-noto-cjk are not installed'; return 0; }
  printf 'fonts:\n  - file: %s\n  - file: %s\n' $serif $han >"$work/wide.yaml"
  printf 'fonts:\n  - file: %s\n' $serif >"$work/narrow.yaml"
  both="$books --profile ereader --revision 1"
  # shellcheck disable=SC2086
  expect 0 snapshot record $both --fonts "$work/wide.yaml" --into "$work/systems" --out "$work/wide"
  # shellcheck disable=SC2086
  expect 0 snapshot record $both --fonts "$work/narrow.yaml" --into "$work/systems" --variant narrow --out "$work/narrow"
  says '2 units otherwise'
  ls "$work/systems/variants/narrow/units/ereader" >"$work/log"
  says ja-kitsune-no-tegami
  says zh-yu-zhong-shudian
  for part in 1 2 3; do
    # shellcheck disable=SC2086
    expect 0 snapshot render $both --fonts "$work/narrow.yaml" --shard $part/3 --compare "$work/systems" --variant narrow \
      --out "$work/narrow-$part"
  done
  # A baseline that they were not compared with.
  expect 69 snapshot merge "$work"/narrow-? --against "$work/systems" --out "$work/narrow-all"
  expect 0 snapshot merge "$work"/narrow-? --against "$work/systems" --variant narrow --out "$work/narrow-all"
  says 'variant narrow judges 2 units'
  expect 1 snapshot compare "$work/systems" "$work/narrow"
  expect 0 snapshot compare "$work/systems" "$work/wide"
  expect 1 snapshot compare "$work/systems" "$work/wide" --variant narrow
  # The other system comes to have the fonts.
  expect 0 snapshot accept "$work/wide" --all --reason 'fonts are there now' --store "$work/systems"
  [ -z "$(cat "$work/systems/variants/narrow/units.txt")" ] || fail 'the variant has what the baseline has'
}

# Two people decide on 40 kinds of change in two browsers.
test_review() {
  has playwright || { pass_over 'playwright is not installed'; return 0; }
  command -v chromium >/dev/null || { pass_over 'Chromium is not installed'; return 0; }
  expect 0 "$python" Tests/Scale/two_reviewers.py "$typeset" "$work/review"
  echo "scale: review: $(tail -n 1 "$work/log")"
}

# What --uses chooses for CHANGES changes of the engine (300), over the corpus of this repository. Takes a minute of CPU for five.
test_uses() {
  expect 0 "$python" Tests/Scale/uses.py "$typeset" Corpus "$work/uses" "${CHANGES:-300}"
  echo "scale: uses: $(tail -n 1 "$work/log")"
}

# What Ray takes beside the plain pool, on a cluster that is there, where each task is of half a minute: a part, and rest.
test_overhead() {
  has ray || { pass_over 'Ray is not installed'; return 0; }
  seconds=${TASK:-30}
  {
    printf '#!/bin/sh\n[ "$2" = render ] || exec "%s" "$@"\n' "$typeset"
    printf 'sleep %s &\n"%s" "$@"\ncode=$?\nwait\nexit $code\n' "$seconds" "$typeset"
  } >"$work/bin/slow"
  chmod +x "$work/bin/slow"
  tasks="$books --against $store --bookset $work/bin/slow --parts 8 --workers 2"
  start=$(date +%s.%N)
  # shellcheck disable=SC2086
  expect 1 "$python" Examples/ray/corpus.py $tasks --out "$work/overhead-pool" --pool threads -- $options
  pool=$(echo "$(date +%s.%N) - $start" | bc)
  # shellcheck disable=SC2086
  expect 1 "$python" Tests/Scale/ray_cluster.py --calm Examples/ray/corpus.py $tasks --out "$work/overhead-ray" --pool ray -- $options
  ray=$(sed -n 's/^took \(.*\) s$/\1/p' "$work/log")
  echo "scale: overhead: 8 tasks of $seconds s, two at once: $pool s by the pool, $ray s by Ray"
}

# A store on a disk of its own that is full.
test_full_store() {
  mkdir -p "$work/disk"
  mount -t tmpfs -o size=300k none "$work/disk" 2>/dev/null || { pass_over 'no disk can be mounted here'; return 0; }
  disk="$work/disk"
  # shellcheck disable=SC2086
  expect 0 snapshot render "$books" $options --cache "$disk/cache" --out "$work/full"
  says 'no space left'
  says 'could not be kept in the cache'
  [ -z "$(find "$disk" -name '*.tmp-*')" ] || fail 'halves of objects are left'
  mount -o remount,size=64m "$disk"
  # shellcheck disable=SC2086
  expect 0 snapshot render "$books" $options --cache "$disk/cache" --out "$work/roomy"
  mount -o remount,ro "$disk"
  # shellcheck disable=SC2086
  expect 0 snapshot render "$books" $options --cache "$disk/cache" --out "$work/read-only"
  says ' 0 rendered'
  printf 'p { margin: 0 }' >"$work/tight.css"
  expect 0 snapshot render "$books" --profile ereader --user-css "$work/tight.css" --only page-2 --cache "$disk/cache" --out "$work/other"
  says 'read-only'
  expect 1 snapshot compare "$store" "$work/read-only"
  umount "$disk"
  disk=
}

# A part's start with an index of BOOKS books (100,000), none of which is there but its own.
test_index() {
  snapshot index "$books" --out "$work/index" --quiet
  "$python" - "$work/index" "$work/large.index" "${BOOKS:-100000}" <<'END'
import hashlib, sys
head, *lines = open(sys.argv[1]).read().split("\n")[:-1]
fields = [line for line in lines if line.startswith("page-2\t")][0].split("\t")
for number in range(int(sys.argv[3])):
    lines.append("\t".join([f"zz-{number:07}", f"none/{number}.html", hashlib.sha256(b"%d" % number).hexdigest(), *fields[3:]]))
body = "".join(line + "\n" for line in lines)
open(sys.argv[2], "w").write(f"{head.rsplit(' ', 1)[0]} {hashlib.sha256(body.encode()).hexdigest()}\n{body}")
END
  "$python" - "${BOOKS:-100000}" "$typeset" snapshot render "$books" --index "$work/large.index" --shard 1000/1000 \
    --out "$work/large" --plan <<'END' >"$work/log"
import resource, subprocess, sys
subprocess.run(sys.argv[2:], check=True, stdout=subprocess.DEVNULL)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
cpu = usage.ru_utime + usage.ru_stime
print(f"scale: index: a part of {int(sys.argv[1]):,} books in 3 profiles starts in {cpu:.2f} s of CPU, {usage.ru_maxrss >> 10} MiB")
END
  cat "$work/log"
}

# The parts of 100,000 units, of which one in a hundred differs, joined and reported.
test_merge() {
  has zstandard || { pass_over 'zstandard is not installed'; return 0; }
  parts=${PARTS:-1000}
  "$python" Tests/Scale/made_parts.py "$typeset" "$work/made" "$parts" 100
  "$python" - "$typeset" snapshot merge "$work/made/parts" --against "$work/made/store" --out "$work/joined" <<'END' >"$work/log"
import os, resource, subprocess, sys, time
parts = sys.argv.index("merge") + 1
sys.argv[parts:parts + 1] = [os.path.join(sys.argv[parts], name) for name in os.listdir(sys.argv[parts])]
start = time.time()
code = subprocess.run(sys.argv[1:]).returncode
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
cpu = usage.ru_utime + usage.ru_stime
print(f"scale: merge: exit code {code}; {time.time() - start:.1f} s, {cpu:.1f} s of CPU, {usage.ru_maxrss >> 10} MiB")
END
  grep '^scale: ' "$work/log"
  says 'exit code 1;'
  says "$((parts * 100)) units, "
  says ": $parts pages in $parts books"
}

make_corpus
test=whole
make_whole
for test in ${*:-shards pool kubernetes rclone s3 full_store index merge variant review slurm dask ray}; do
  "test_$test"
  echo "scale: $test: passed"
done
