#!/bin/sh
# Builds .build/release/typeset and typeset-snapshot as they are released: the ordinary release build, tuned for the time to a first
# page. The flags stand here and not in Package.swift, because the package manager refuses them in a package that others depend on.
#
#   Scripts/release.sh           both programs, with the Swift runtime linked in
#   Scripts/release.sh --plain   the same without the tuning: where the linker lld is not to be had
#
# More arguments go to `swift build`. Libraries and programs that use the package need none of this.
set -eu
cd "$(dirname "$0")/.."

plain=""
if [ "${1:-}" = --plain ]; then
  plain=1
  shift
fi

# Both programs at once: modules that only one of them has are compiled beside the others.
build() { swift build -c release --static-swift-stdlib "$@"; }

if [ -n "$plain" ] || [ "$(uname -s)" != Linux ]; then
  build "$@"
  exit
fi

# The system looks a name up in one library after the other, in the order in which the linker met them, and nearly all that a program
# looks up when it starts are names of the C++ library and the C library. Swift has them linked last; a linker of our own names them
# first. It leaves out the run path too: no library lies beside the program, and each would be looked for there first.
if lld=$(command -v ld.lld); then
  mkdir -p .build/linking
  cat >.build/linking/ld <<END
#!/bin/sh
case \$1 in
  @*)
    arguments=\$(mktemp) || exit
    trap 'rm -f "\$arguments"' EXIT
    sed 's/"-rpath=[^"]*"//' "\${1#@}" >"\$arguments" || exit
    "$lld" -lstdc++ -lc "@\$arguments"
    ;;
  *)
    for argument; do
      shift
      case \$argument in -rpath=*) ;; *) set -- "\$@" "\$argument" ;; esac
    done
    exec "$lld" -lstdc++ -lc "\$@"
    ;;
esac
END
  chmod +x .build/linking/ld
  set -- "$@" -Xswiftc -Xclang-linker -Xswiftc "--ld-path=$PWD/.build/linking/ld"
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
