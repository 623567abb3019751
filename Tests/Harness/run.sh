#!/bin/sh
# What `typeset snapshot` must stand, on real processes, signals, disks and repositories: machines that die, disks that are
# full, parts that are lost, changes that come and go. The rest of the harness's tests are in Tests/SnapshotHarnessTests.
#
#   Tests/Harness/run.sh [TEST...]
#
# TYPESET names the program, .build/release/typeset unless told otherwise, which has typeset-snapshot beside it; REPEATS how often
# equal builds are timed (20).
set -eu
cd "$(dirname "$0")/../.."
root=$(pwd)
typeset=${TYPESET:-$root/.build/release/typeset}
repeats=${REPEATS:-20}
work=$(mktemp -d)
disk=
trap 'status=$?; [ -z "$disk" ] || umount "$disk"; [ -n "${KEEP:-}" ] || rm -rf "$work"; exit $status' EXIT
trap 'exit 130' INT TERM

snapshot() { "$typeset" snapshot "$@"; }
suite=harness
. Tests/Support/expect.sh
# What a run holds, without its figures of time and memory.
content() {
  (cd "$1/books" && find . -name result.json -o -name pages.hashes | LC_ALL=C sort | while read -r file; do
    echo "$file"
    sed -E 's/"statistics":\{[^}]*\}//; s/"contents":\{([^{}]|\{[^}]*\})*\},?//' "$file"
    echo
  done)
}
# The reports of a run that was moved to one place, without figures.
reports() {
  rm -rf "$work/place"
  cp -r "$1" "$work/place"
  expect 1 snapshot compare "$work/base" "$work/place" --decisions "$work/none"
  snapshot report "$work/place" --json "$work/report.json" --markdown "$work/report.md" >/dev/null 2>&1
  cat "$work/place/comparison.json" "$work/report.md"
  # Words are known to workers each for themselves.
  grep -vE '"(child|memory|time)\.|"shaping\.(cache|calls|faces|plain)|"seconds"' "$work/report.json"
}

# A little corpus with one heavy book, which is being set while others are done.
make_corpus() {
  mkdir -p "$work/books"
  for book in text/white-space lists/nested; do
    for file in "$root/Corpus/cases/$book"*.xhtml; do [ ! -f "$file" ] || cp "$file" "$work/books/"; done
  done
  for book in en-the-keeper-of-small-lights ja-kitsune-no-tegami zh-yu-zhong-shudian; do
    cp -r "$root/Corpus/$book" "$work/books/"
  done
  awk 'BEGIN {
    for (i = 1; i <= 20000; i++)
      print "The keeper of the lights wrote line " i " of the log, and " i * 7 % 1009 " ships went by.\n"
  }' >"$work/books/heavy.txt"
}

# The program in a folder of its own, with that of snapshots beside it.
copy_program() {
  mkdir -p "$work/$1"
  cp "$typeset" "$work/$1/typeset"
  cp "${typeset%/*}/typeset-snapshot" "$work/$1/"
}
corpus="$work/books"
changed="$work/changed.css"

test_doctor() {
  expect 0 snapshot doctor "$corpus" --profile ereader --out "$work/doctor" --progress never
  says 'equal under 6 conditions'
}

# A build that does nothing otherwise is another binary: everything is set again, and nothing differs.
test_refactor() {
  copy_program other
  printf 'x' >>"$work/other/typeset-snapshot"
  expect 0 snapshot verify "$corpus" --profile ereader --build "$typeset" --build "$work/other/typeset" --out "$work/refactor"
  says 'no difference'
}

# The process that sets the heavy book, once it has finished a page; nothing where it is not being set.
worker() {
  for process in $(pgrep -P "$1" || true); do
    spec=$(cat "/proc/$process/cmdline" 2>/dev/null | tr "\\0" "\\n" | tail -n 1)
    if grep -q '"book":"heavy"' "$spec" 2>/dev/null && grep -q '^page' "${spec%spec.json}output/journal" 2>/dev/null
    then echo "$process"; fi
  done
}

# The child of one book is killed each time it is started: the book is lost, and is set when the run goes on.
test_killed_worker() {
  "$typeset" snapshot render "$corpus" --profile ereader --out "$work/killed" --jobs 2 --quiet >"$work/log" 2>&1 &
  pool=$!
  kills=0
  while kill -0 $pool 2>/dev/null; do
    victim=$(worker $pool)
    [ -z "$victim" ] || { kill -9 "$victim" 2>/dev/null && kills=$((kills + 1)); sleep 0.05; }
  done
  wait $pool || fail 'the run did not end well'
  [ $kills -eq 2 ] || fail "$kills workers were killed; one is started again"
  grep -q '"signal":9' "$work/killed/books/heavy/ereader/result.json" || fail 'the loss is not told'
  grep -q '"reached":"' "$work/killed/books/heavy/ereader/result.json" || fail 'the place is not told'
  [ -s "$work/killed/books/heavy/ereader/pages.hashes" ] || fail 'pages that were finished are lost'
  failures=$(grep -l '"failure":' "$work"/killed/books/*/ereader/result.json "$work"/killed/books/*/*/ereader/result.json 2>/dev/null | wc -l)
  [ "$failures" -eq 1 ] || fail "$failures books are lost"
  expect 0 snapshot render "$corpus" --profile ereader --out "$work/killed"
  says ' 1 rendered, 0 failed'
  content "$work/killed" | cmp - "$work/content" || fail 'the run is another one'
}

# The pool itself dies, and its children with it; what is whole stays.
test_killed_pool() {
  "$typeset" snapshot render "$corpus" --profile ereader --out "$work/pool" --jobs 1 --quiet >"$work/log" 2>&1 &
  pool=$!
  while victim=$(worker $pool); [ -z "$victim" ]; do kill -0 $pool 2>/dev/null || fail 'it ended too soon'; done
  kill -9 $pool
  wait $pool 2>/dev/null || true
  sleep 0.2
  [ ! -d "/proc/$victim" ] || grep -q '^State:.*Z' "/proc/$victim/status" || fail 'its child lives on'
  expect 0 snapshot render "$corpus" --profile ereader --out "$work/pool"
  content "$work/pool" | cmp - "$work/content" || fail 'the run is another one'
}

test_memory_limit() {
  cat >"$work/corpus.yaml" <<END
books:
  - path: books
  - path: books/heavy.txt
    id: bounded
    limits: { memory: 20M }
END
  expect 0 snapshot render "$work/corpus.yaml" --profile ereader --out "$work/bounded"
  says ' 1 failed'
  grep -qE '"outcome":"(limit|out-of-memory)"' "$work/bounded/books/bounded/ereader/result.json" ||
    fail 'the limit is not told'
  (cd "$work/bounded/books" && mv bounded ../gone)
  content "$work/bounded" | sed 's|^\./books/|./|; s|"book":"books/|"book":"|' >"$work/bounded.txt"
  [ "$(grep -c result.json "$work/bounded.txt")" -eq "$(grep -c result.json "$work/content")" ] || fail 'books are lost'
  # Given what it needs, it is set by the same command.
  sed -i 's/20M/900M/' "$work/corpus.yaml"
  expect 0 snapshot render "$work/corpus.yaml" --profile ereader --out "$work/bounded"
  says ' 1 rendered, 0 failed'
}

# A disk of its own where that may be mounted; else files may not grow, which is told otherwise.
test_full_disk() {
  mkdir -p "$work/disk"
  if mount -t tmpfs -o size=700k none "$work/disk" 2>/dev/null; then
    disk="$work/disk"
    expect 73 snapshot render "$corpus" --profile ereader --out "$work/disk/run" --jobs 1
    says 'no space left'
    grep -q '"event":"retry"' "$work/disk/run/run.ndjson" || fail 'it was not tried again'
    before=$(find "$disk/run/books" -name result.json | wc -l)
    mount -o remount,size=64m "$disk"
    expect 0 snapshot render "$corpus" --profile ereader --out "$work/disk/run"
    says " $((units - before)) rendered, 0 failed"
    content "$work/disk/run" | cmp - "$work/content" || fail 'the run is another one'
    umount "$disk"
    disk=
  else
    echo "harness: $test: no disk can be mounted here; files may not grow instead" >&2
    (ulimit -f 64 && trap '' XFSZ && expect 73 snapshot render "$corpus" --profile ereader --out "$work/disk" --jobs 1)
    expect 0 snapshot render "$corpus" --profile ereader --out "$work/disk"
    content "$work/disk" | cmp - "$work/content" || fail 'the run is another one'
  fi
}

render_shards() {
  shard=1
  while [ $shard -le "$1" ]; do
    expect 0 snapshot render "$corpus" --profile ereader --user-css "$changed" --shard "$shard/$1" --out "$2-$shard"
    shard=$((shard + 1))
  done
}

test_lost_shard() {
  render_shards 3 "$work/lost"
  expect 69 snapshot merge "$work/lost-1" "$work/lost-3" --out "$work/lost"
  says 'missing: 2'
  expect 69 snapshot merge "$work/lost-1" "$work/lost-1" "$work/lost-2" "$work/lost-3" --out "$work/lost"
  expect 0 snapshot merge "$work/lost-1" "$work/lost-3" --out "$work/lost" --partial
  expect 69 snapshot compare "$work/base" "$work/lost" --decisions "$work/none"
  snapshot report "$work/lost" --markdown "$work/lost.md" >/dev/null 2>&1
  grep -q 'Missing shards: 2' "$work/lost.md" || fail 'the report does not tell of it'
}

# The same report, however the work was spread.
test_shards() {
  expect 0 snapshot render "$corpus" --profile ereader --user-css "$changed" --out "$work/whole"
  reports "$work/whole" >"$work/whole.txt"
  grep -q 'heading' "$work/whole.txt" || fail 'there is nothing in the report'
  for count in 1 3 7; do
    render_shards $count "$work/of-$count"
    # Folders that went through another machine and come in any order.
    mkdir -p "$work/downloads-$count"
    parts=
    shard=$count
    while [ $shard -ge 1 ]; do
      (cd "$work" && tar cf - "of-$count-$shard") | (cd "$work/downloads-$count" && tar xf -)
      rm -rf "$work/of-$count-$shard"
      parts="$parts $work/downloads-$count/of-$count-$shard"
      shard=$((shard - 1))
    done
    # shellcheck disable=SC2086
    expect 0 snapshot merge $parts --out "$work/merged-$count"
    reports "$work/merged-$count" | cmp - "$work/whole.txt" || fail "the report of $count parts is another one"
  done
  if command -v parallel >/dev/null; then
    export TYPESET="$typeset"
    expect 0 snapshot render "$corpus" --profile ereader --user-css "$changed" --out "$work/parallel" --plan
    parallel --will-cite --colsep '\t' --joblog "$work/joblog" --resume-failed \
      "$typeset" snapshot render-one "$work/parallel" --book '{1}' --profile '{2}' :::: "$work/log" >/dev/null 2>&1
    reports "$work/parallel" | cmp - "$work/whole.txt" || fail 'the report of GNU parallel is another one'
  else
    echo "harness: $test: GNU parallel is missing" >&2
  fi
}

# Accepted, changed back, accepted again: three changes of text, and the baseline of the first.
test_accept() {
  repository="$work/repository"
  mkdir -p "$repository"
  cp -r "$corpus" "$repository/books"
  rm "$repository/books/heavy.txt"
  (
    cd "$repository"
    git init -q .
    git config user.name harness
    git config user.email harness@localhost
    echo /.snapshot/ >.gitignore
    expect 0 snapshot record books --profile ereader --into Snapshots
    git add -A && git commit -qm 'The baseline'
    for state in one two three; do
      set -- --user-css "$changed"
      [ $state != two ] || set --
      # What was accepted before is open when it comes again: its decision has moved the baseline, and that moved back.
      expect 1 snapshot verify books --profile ereader --against Snapshots "$@"
      says 'differ'
      expect 1 snapshot status --gate
      expect 0 snapshot accept --all --reason "$state" --store Snapshots
      expect 0 snapshot status --gate
      expect 0 snapshot verify books --profile ereader --against Snapshots "$@"
      git add -A && git commit -qm "$state"
      git show --numstat --format= HEAD >"$work/numstat"
      grep -q 'Snapshots/units' "$work/numstat" || fail 'the baseline did not move'
      grep -q 'decisions.ndjson' "$work/numstat" || fail 'the decision is not there'
      ! grep -q '^-' "$work/numstat" || fail 'there is more than text'
      [ "$(grep -vcE 'Snapshots/(units/|baseline.json)|decisions.ndjson|.gitattributes' "$work/numstat")" -eq 0 ] || fail 'there is more'
    done
    git diff --quiet HEAD~2 HEAD -- Snapshots || fail 'the baseline is not that of the first'
    git diff --quiet HEAD~3 HEAD~1 -- Snapshots || fail 'the baseline is not what it was'
  )
}

# A baseline and a verified run of a few books in a folder of its own, which the test goes on in.
make_store() {
  rm -rf "$work/$1" && mkdir -p "$work/$1/books"
  cp "$corpus"/white-space*.xhtml "$work/$1/books/"
  cp -r "$corpus/zh-yu-zhong-shudian" "$corpus/ja-kitsune-no-tegami" "$work/$1/books/"
  cd "$work/$1"
  expect 0 snapshot record books --profile ereader --into Snapshots
  expect 0 snapshot verify books --profile ereader --against Snapshots
}

# A file of the baseline or of a run that came to harm is named, whatever else is equal.
test_damage() {
  (
    make_store damage
    unit=Snapshots/units/ereader/zh-yu-zhong-shudian.txt
    cp $unit whole
    for harm in ': >' 'head -n -1 whole >' 'head -c -9 whole >' 'sed s/0/1/2 whole >' \
      '(echo "<<<<<<< ours"; cat whole; echo =======; cat whole; echo ">>>>>>> theirs") >'; do
      eval "$harm $unit"
      expect 65 snapshot verify books --profile ereader --against Snapshots
      says "$unit"
      expect 65 snapshot compare Snapshots .snapshot/run
    done
    cp whole $unit
    hashes=.snapshot/run/books/zh-yu-zhong-shudian/ereader/pages.hashes
    cp $hashes hashes
    for harm in ': >' 'head -n -1 hashes >' 'head -c -9 hashes >'; do
      eval "$harm $hashes"
      expect 65 snapshot compare Snapshots .snapshot/run
      says "$hashes"
      # The book is set again, and what is equal is found to be.
      expect 0 snapshot verify books --profile ereader --against Snapshots
      says ' 1 rendered: no difference'
      cmp $hashes hashes || fail 'the hashes are others'
    done
    rm -r .snapshot/run/books/zh-yu-zhong-shudian
    expect 69 snapshot compare Snapshots .snapshot/run
    says 'not in the run: zh-yu-zhong-shudian'
  )
}

# The corpus shrinks by a decision alone, and a book that was renamed is the same book.
test_gone() {
  (
    make_store gone
    rm -r books/zh-yu-zhong-shudian
    mv books/ja-kitsune-no-tegami books/the-letter
    expect 1 snapshot verify books --profile ereader --against Snapshots
    says 'gone from the corpus: zh-yu-zhong-shudian (ereader)'
    says 'renamed: ja-kitsune-no-tegami (ereader) is now the-letter (ereader)'
    expect 1 snapshot verify books --profile ereader --against Snapshots --only the-letter
    expect 0 snapshot accept --all --reason 'no longer ours' --store Snapshots
    expect 0 snapshot verify books --profile ereader --against Snapshots
    says 'no difference'
    [ ! -e Snapshots/units/ereader/zh-yu-zhong-shudian.txt ] || fail 'the baseline has it still'
    [ ! -e Snapshots/units/ereader/ja-kitsune-no-tegami.txt ] || fail 'the baseline has its old name still'
  )
}

# Of two runs that were compared with one baseline the second that is accepted is refused, and told of the first.
test_old_run() {
  (
    make_store old
    expect 1 snapshot verify books --profile ereader --against Snapshots --user-css "$changed" --out one
    echo 'h1, h2, h3 { position: relative; left: 2px }' >two.css
    expect 1 snapshot verify books --profile ereader --against Snapshots --user-css two.css --out two
    expect 0 snapshot accept two --all --reason 'two are better' --store Snapshots
    cp -r Snapshots before
    cp books/decisions.ndjson before.ndjson
    expect 5 snapshot accept one --all --reason 'one is enough' --store Snapshots
    says 'two are better'
    diff -r -x .lock Snapshots before || fail 'the baseline moved'
    cmp books/decisions.ndjson before.ndjson || fail 'the decision was written'
  )
}

# A library that is loaded before all others, from C on standard input.
make_library() {
  command -v cc >/dev/null || { echo "harness: $test: there is no C compiler" >&2; return 1; }
  cc -shared -fPIC -o "$work/$1.so" -x c -
}

# Equal display lists that are drawn into other pixels, here by glyphs of three quarters of their darkness.
test_rasteriser() {
  make_library pale <<'END' || return 0
#define _GNU_SOURCE
#include <dlfcn.h>
struct bitmap { unsigned rows, width; int pitch; unsigned char *buffer; };
typedef int function(void *, void *, struct bitmap *);
int FT_Outline_Get_Bitmap(void *library, void *outline, struct bitmap *bitmap) {
  int error = ((function *)dlsym(RTLD_NEXT, "FT_Outline_Get_Bitmap"))(library, outline, bitmap);
  for (unsigned row = 0; !error && row < bitmap->rows; row++)
    for (unsigned x = 0; x < bitmap->width; x++) {
      unsigned char *pixel = bitmap->buffer + row * (unsigned)bitmap->pitch + x;
      *pixel = *pixel * 3 / 4;
    }
  return error;
}
END
  (
    make_store rasteriser
    expect 1 env LD_PRELOAD="$work/pale.so" "$typeset" snapshot verify books --profile ereader --against Snapshots
    says 'drawing of glyphs changed, display list equal'
    says "$(find books -mindepth 1 -maxdepth 1 ! -name decisions.ndjson | wc -l) units and"
    expect 0 snapshot verify books --profile ereader --against Snapshots
  )
}

# More memory in every book, against a baseline without a history, as a clone has it.
test_memory() {
  make_library large <<'END' || return 0
#include <stdlib.h>
#include <string.h>
__attribute__((constructor)) static void grow(void) { memset(malloc(64 << 20), 1, 64 << 20); }
END
  (
    make_store memory
    rm -f Snapshots/history.ndjson
    expect 4 env LD_PRELOAD="$work/large.so" "$typeset" snapshot verify books --profile ereader --against Snapshots
    says 'peak of memory'
    expect 0 snapshot verify books --profile ereader --against Snapshots
  )
}

# A font that is another on the disk while fonts.yaml is what it was, and one that was only saved anew.
test_font() {
  (
    rm -rf "$work/font" && mkdir -p "$work/font/books" && cd "$work/font"
    cp "$corpus"/white-space*.xhtml books/
    fonts=/usr/share/fonts/truetype/dejavu
    cp $fonts/DejaVuSerif.ttf face.ttf
    printf 'fonts:\n  - file: %s\n' "$work/font/face.ttf" >books/fonts.yaml
    expect 0 snapshot record books --profile ereader --into Snapshots
    expect 0 snapshot verify books --profile ereader --against Snapshots
    printf 'saved' >>face.ttf
    expect 0 snapshot verify books --profile ereader --against Snapshots
    says 'font face.ttf is another version'
    ! grep -q ' 0 rendered' "$work/log" || fail 'it was not set again'
    cp $fonts/DejaVuSans.ttf face.ttf
    expect 1 snapshot verify books --profile ereader --against Snapshots
    says 'DejaVu Serif Book (face.ttf) became DejaVu Sans Book (face.ttf)'
  )
}

# Equal builds: no finding, however often. A machine that is too noisy says so instead.
test_equal_times() {
  copy_program same
  refused=0
  number=1
  while [ $number -le "$repeats" ]; do
    found=$(code snapshot verify "$corpus" --only heavy --only zh-yu-zhong-shudian --profile ereader --perf 5 \
      --build "$typeset" --build "$work/same/typeset" --out "$work/perf" --progress never)
    case $found in
      0) ;;
      6)
        says 'cannot judge time'
        refused=$((refused + 1))
        ;;
      *) fail "exit code $found in repeat $number" ;;
    esac
    number=$((number + 1))
  done
  [ $refused -eq 0 ] || echo "harness: $test: the machine was too noisy in $refused of $repeats repeats" >&2
}

for program in "$typeset" "${typeset%/*}/typeset-snapshot"; do
  [ -x "$program" ] || { echo "harness: $program: there is no such program" >&2; exit 66; }
done
make_corpus
echo 'h1, h2, h3 { position: relative; left: 1px }' >"$changed"
test=base
expect 0 snapshot render "$corpus" --profile ereader --out "$work/base"
units=$(find "$work/base/books" -name result.json | wc -l)
content "$work/base" >"$work/content"
for test in ${*:-doctor refactor killed_worker killed_pool memory_limit full_disk lost_shard shards accept damage gone old_run rasteriser memory font equal_times}; do
  "test_$test"
  echo "harness: $test: as it should be"
done
