#!/bin/sh
# Builds .build/release/typeset and typeset-snapshot as they are released: the ordinary release build, tuned for the time to a first
# page. The flags stand here and not in Package.swift, because the package manager refuses them in a package that others depend on.
#
#   Scripts/release.sh           both programs, with the Swift runtime linked in
#   Scripts/release.sh --plain   the same without the tuning: where the linker lld is not to be had
#   Scripts/release.sh --counting
#                                typeset in .build/counting, which counts how often its functions run: see
#                                Tests/Benchmarks/function_profile.py
#
# More arguments go to `swift build`. Libraries and programs that use the package need none of this.
set -eu
cd "$(dirname "$0")/.."

plain=""
counting=""
case ${1:-} in
  --plain)
    plain=1
    shift
    ;;
  --counting)
    counting=1
    shift
    ;;
esac

# Both programs at once: modules that only one of them has are compiled beside the others.
build() { swift build -c release --static-swift-stdlib "$@"; }

if [ -n "$plain" ] || [ "$(uname -s)" != Linux ]; then
  # lld, by which the others are linked, does so unless told otherwise: tables of addresses cannot be written once they are filled in.
  [ "$(uname -s)" != Linux ] || set -- "$@" -Xlinker -z -Xlinker relro
  build "$@"
  exit
fi

# The libraries that take longest to load are linked into the program, where their archives are installed: those of C++, and libxml2,
# which would bring ICU (which the program itself loads late, Sources/System/CUnicode) and liblzma. Each has hundreds of names that the
# system looks up in one library after the other, in the order in which the linker met them; as nearly all of those that are left are
# names of the C library, a linker of our own names it first. It leaves out the run path too: no library lies beside the program, and
# each would be looked for there first.
if lld=$(command -v ld.lld); then
  rm -rf .build/linking
  mkdir -p .build/linking/archives
  # The archive of a library, under the name by which the linker looks for it.
  archive() {
    file=$(clang -print-file-name="lib$1.a")
    [ -f "$file" ] && ln -s "$file" ".build/linking/archives/lib${2:-$1}.a"
  }
  # ICU's functions that an archive calls, without their version, are among those the program has.
  knows_icu() {
    command -v nm >/dev/null || return 1
    nm --undefined-only "$1" 2>/dev/null | sed -n 's/^ *U \([A-Za-z0-9_]*\)_[0-9][0-9]*$/\1/p' | sort -u | while read -r name; do
      grep -qw "$name" Sources/System/CUnicode/Library.c || exit 1
    done
  }
  early="-lc"
  if archive stdc++; then archive gcc_eh gcc_s || true; else early="-lstdc++ -lc"; fi
  if archive lzma && archive xml2; then
    if knows_icu .build/linking/archives/libxml2.a; then early="$early -llzma"; else rm .build/linking/archives/libxml2.a; fi
  fi
  cat >.build/linking/ld <<END
#!/bin/sh
case \$1 in
  @*)
    arguments=\$(mktemp) || exit
    trap 'rm -f "\$arguments"' EXIT
    sed 's/"-rpath=[^"]*"//' "\${1#@}" >"\$arguments" || exit
    "$lld" "-L$PWD/.build/linking/archives" $early "@\$arguments"
    ;;
  *)
    for argument; do
      shift
      case \$argument in -rpath=*) ;; *) set -- "\$@" "\$argument" ;; esac
    done
    exec "$lld" "-L$PWD/.build/linking/archives" $early "\$@"
    ;;
esac
END
  chmod +x .build/linking/ld
  set -- "$@" -Xswiftc -Xclang-linker -Xswiftc "--ld-path=$PWD/.build/linking/ld"
fi

# Functions are laid out by how often they run (functions.proftext), by compilers that can do so. The compiler would keep the code it
# has of functions that are as they were, though the profile is another: it is told not to.
if [ -n "$counting" ]; then
  set -- "$@" --scratch-path .build/counting --product typeset -Xlinker -z -Xlinker nostart-stop-gc \
    -Xswiftc -Xclang-linker -Xswiftc -fprofile-generate -Xswiftc -Xfrontend -Xswiftc -ir-profile-generate
else
  tools=$(dirname "$(readlink -f "$(command -v swiftc)")")
  mkdir -p .build/linking
  profile="$PWD/.build/linking/functions-$(cksum <Sources/typeset/functions.proftext | cut -d ' ' -f 1).profdata"
  echo >.build/linking/empty.swift
  if "$tools/llvm-profdata" merge -o "$profile" Sources/typeset/functions.proftext &&
    swiftc -c -Xfrontend -disable-incremental-llvm-codegen -Xfrontend "-ir-profile-use=$profile" -Xllvm -no-pgo-warn-mismatch \
      -o .build/linking/empty.o .build/linking/empty.swift; then
    set -- "$@" -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
      -Xswiftc -Xfrontend -Xswiftc "-ir-profile-use=$profile" -Xswiftc -Xllvm -Xswiftc -no-pgo-warn-mismatch
  else
    echo "release.sh: this compiler takes no profile; the program is built without one" >&2
  fi
fi

# Types of the standard library made for ours are reached by their code, not by names that are read at run time, which takes a
# tenth of the time of a first page. Each function has a section of its own, so that the linker can put them in order: those that
# books run lie side by side (functions.order and functions.ld; Tests/Benchmarks/function_order.py lists them). The addresses to
# correct when the program starts are listed in little room, and its functions are not offered to libraries. All of this is memory
# and page faults before the first page. Accesses that overlap are found by debug builds and the tests; looking for them again at
# every access to a variable of a class takes 9 to 18 % of the instructions of a book.
build -Xswiftc -enforce-exclusivity=unchecked \
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
  -Xswiftc -Xfrontend -Xswiftc -function-sections \
  -Xswiftc -use-ld=lld \
  -Xlinker --no-warn-symbol-ordering \
  -Xlinker --symbol-ordering-file="$PWD/Sources/typeset/functions.order" \
  -Xlinker -T -Xlinker "$PWD/Sources/typeset/functions.ld" \
  -Xlinker -z -Xlinker pack-relative-relocs \
  -Xlinker --no-export-dynamic "$@"
