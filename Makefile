# typeset: what a developer types. `make` alone says what there is.

CONFIGURATION ?= release
BOOK ?= Corpus/en-the-keeper-of-small-lights
OUT ?= out
OPTIONS ?=

TYPESET = .build/$(CONFIGURATION)/typeset
# Built in a quarter of the time, and not optimized (Scripts/quick.sh).
QUICK = .build/quick/release/typeset

# On systems whose packages are installed by other means: make build NO_SET_UP=1
SET_UP = Scripts/set-up.sh $(if $(NO_SET_UP),none,$(1))

# Swift keeps modules that it compiled in the home folder; where that cannot be written, they are kept here.
ifneq ($(shell [ -w "$$HOME" ] || echo read-only),)
export XDG_CACHE_HOME := $(CURDIR)/.build/cache
endif

.DEFAULT_GOAL := help
.PHONY: help set-up build benchmark pages reader reader-test test test-cases fuzz sanitize page-test epub-tests documentation harness-test scale-test snapshots review accept format lint clean install uninstall deb image package-test consumer-test library library-test wheel wheel-test

help:
	@echo 'make pages [BOOK=book.epub] [OUT=out] [OPTIONS="--scale 2"]   set a book, of the corpus unless told otherwise'
	@echo 'make reader LIBRARY=folder [PORT=8080]   read the books of a folder in a web browser (Examples/ReadingServer)'
	@echo 'make build     build .build/release/typeset and typeset-snapshot, tuned for the time to a first page; PLAIN=1 without the tuning, which needs lld'
	@echo 'make library   libtypeset.so.1, typeset.h and typeset.pc for C, in .build/release/library; make library-test tries them'
	@echo 'make wheel     the Python package typeset-engine, into .build/release/library; make wheel-test tries it'
	@echo 'make deb       Debian packages of typeset and of the library, into OUT; make image   a container image with the former, as root'
	@echo 'make package-test   install the package in a clean Debian and set a book, as root; SUITE=trixie for another release than this'
	@echo 'make test      run all tests'
	@echo 'make consumer-test   build and run packages that use the library: by path, by a tagged URL; and the drawing of pages as SVG'
	@echo 'make test-cases [CASE=margin] [ACCEPT=1]   run the rules under Tests/Cases alone, or those with CASE in their names; ACCEPT=1 writes what comes of them as expected'
	@echo 'make fuzz [TARGET="html css"] [SECONDS=60]   feed readers with bytes made up by libFuzzer, and see that none crashes or hangs'
	@echo 'make sanitize [SANITIZER=address]   run the tests of the library under the sanitizer: thread (data races) unless told otherwise, address, undefined; FILTER="Suite" for some, TESTS="Typesetting" to build the tests of some modules alone, BOOKS=folder for its books on sixteen threads'
	@echo 'make page-test [BOOKS=folder] [MOST=20] [SEEDS=1-500] [WORDS=1-5000]   reach every page of books and documents in five ways, and see that it is the same page; lay out documents of nested boxes, and see that every word and every frame is there'
	@echo 'make epub-tests BOOKS=folder [REPORT=report.json]   judge typeset by the W3C’s tests of EPUB reading systems, and write a report in the form of theirs'
	@echo 'make reader-test   run the tests of the reading server, in a browser too (Chromium)'
	@echo 'make documentation   the library as DocC tells it, into OUT'
	@echo 'make benchmark [BOOKS=folder] [RUNS=3]   a table of our time and memory over that of mutool on the books of a folder, the corpus unless told otherwise'
	@echo 'make harness-test   kill, starve and part runs of typeset snapshot, and see that they go on'
	@echo 'make scale-test [TEST=ray]   run parts of a corpus by Slurm, Ray, Dask, a pool, and stores that are shared, and see that the report is the same'
	@echo 'make snapshots compare the pages of Corpus/ with Snapshots/, and write a report of what changed'
	@echo 'make review    decide on what make snapshots found, in the browser'
	@echo 'make accept REASON="..." [CLUSTER="id ..."]   accept changes that make snapshots found: all, or some'
	@echo 'make set-up    install the packages needed (done by the others too; NO_SET_UP=1 keeps them from it)'
	@echo 'make format    format the sources; make lint only checks them'
	@echo 'make install   install the command, as typeset and bookset, with manual pages and completions, and the library if it is built, below $$(DESTDIR)$$(PREFIX), /usr/local unless told otherwise; make uninstall removes them'
	@echo 'make clean     remove what was built'

set-up:
	@$(call SET_UP)

build: set-up
	$(if $(filter release,$(CONFIGURATION)),Scripts/release.sh $(if $(PLAIN),--plain),\
	  for product in typeset typeset-snapshot; do swift build -c $(CONFIGURATION) --product $$product --static-swift-stdlib || exit; done)

# What setting a book takes, and nothing else.
pages:
	@$(call SET_UP,pages)
	@Scripts/quick.sh
	$(QUICK) "$(BOOK)" --pages "$(OUT)" $(OPTIONS)
	@echo "the pages of $(BOOK) are in $(OUT)"

benchmark: build
	@Tests/Benchmarks/corpus.py $(TYPESET) "$(or $(BOOKS),Corpus)" --runs $(or $(RUNS),3)

# The tests (w3c/epub-tests) are no part of this repository.
epub-tests: build
	@[ -n "$(BOOKS)" ] || { echo 'which tests? make epub-tests BOOKS=folder [REPORT=report.json]' >&2; exit 64; }
	@[ -d "$(BOOKS)" ] || { echo 'there is no folder $(BOOKS)' >&2; exit 66; }
	@Tests/ReadingSystem/report.py $(TYPESET) "$(BOOKS)" --out "$(or $(REPORT),$(OUT)/epub-tests.json)"

# The server is a package of its own: its first build takes some minutes.
READER = Examples/ReadingServer

reader:
	@[ -n "$(LIBRARY)" ] || { echo 'which books? make reader LIBRARY=folder [PORT=8080]' >&2; exit 64; }
	@[ -d "$(LIBRARY)" ] || { echo 'there is no folder $(LIBRARY)' >&2; exit 66; }
	@$(call SET_UP,reader)
	swift build --package-path $(READER) -c $(CONFIGURATION) --product reading-server
	@exec $(READER)/.build/$(CONFIGURATION)/reading-server "$(LIBRARY)" --port $(or $(PORT),8080) $(OPTIONS)

reader-test:
	@$(call SET_UP,reader)
	@$(if $(NO_SET_UP),,Scripts/axe.sh .build/axe || echo 'reader-test: axe-core cannot be had: its test is skipped' >&2)
	AXE_CORE="$(CURDIR)/.build/axe/axe.min.js" swift test --package-path $(READER)

test: set-up
	swift test --parallel

# Packages outside of this one see only what is public.
consumer-test: set-up
	Tests/Consumer/run.sh

# Rules as pages of HTML and what has to come of them (Tests/Cases/README.md).
test-cases: set-up
	CASES_ACCEPT=$(ACCEPT) CASE=$(CASE) swift test --filter CaseTests

# A build of its own (.build/fuzz).
fuzz: set-up
	SECONDS_EACH=$(or $(SECONDS),60) Tests/Fuzzing/run.sh $(TARGET)

# Some minutes: 20 repeats are timed. TEST names one or some of them.
harness-test: build
	TYPESET="$(CURDIR)/$(TYPESET)" Tests/Harness/run.sh $(TEST)

# Some minutes. The engines are Debian's and PyPI's (Scripts/engines.sh). TEST names one or some of the tests.
ENGINES = .build/engines

scale-test: build
	@$(if $(NO_SET_UP),,Scripts/engines.sh $(ENGINES))
	TYPESET="$(CURDIR)/$(TYPESET)" PYTHON="$(if $(NO_SET_UP),python3,$(CURDIR)/$(ENGINES)/bin/python)" Tests/Scale/run.sh $(TEST)

# A build of its own. For the thread sanitizer locks are such as it knows (Sources/Platform/Lock.swift). Undefined behaviour is
# looked for in C alone: the Swift compiler has no such sanitizer on Linux.
SANITIZER ?= thread
SANITIZE_thread = --sanitize thread -Xswiftc -DTHREAD_SANITIZER
SANITIZE_address = --sanitize address
SANITIZE_undefined = -Xcc -fsanitize=undefined -Xcc -fno-sanitize-recover=undefined -Xswiftc -Xclang-linker -Xswiftc -fsanitize=undefined

sanitize: set-up
	$(if $(TESTS),TYPESET_TESTS='$(TESTS)') $(if $(BOOKS),TYPESET_CONCURRENT_BOOKS='$(abspath $(BOOKS))') swift test $(or $(SANITIZE_$(SANITIZER)),$(error SANITIZER is one of: thread address undefined)) --scratch-path .build/sanitize-$(SANITIZER) \
	  --filter '$(or $(FILTER),$(if $(BOOKS),ConcurrentBooks,TypesettingTests|ChapterEngineTests|BookOutputTests))'

# Every page, reached in five ways: all must give the same display list. Without BOOKS all that there is: the corpus, and what lies
# beside the work tree, the W3C's CSS tests and books. MOST bounds the pages of a chapter, LIMIT the seconds of a document.
# SEEDS are documents of nested boxes made by chance: of one with a fault the smallest that has it is searched.
# WORDS are documents of nested boxes whose words and frames are looked for on their pages.
# A build of its own, optimized and with the invariants of layout (Sources/Layout/LayoutChecks.swift).
page-test: set-up
	TYPESET_PAGE_TEST='$(if $(BOOKS),$(abspath $(BOOKS)),all)' $(if $(MOST),TYPESET_PAGE_TEST_MOST=$(MOST)) \
	  TYPESET_PAGE_TEST_LIMIT=$(or $(LIMIT),60) TYPESET_PAGE_TEST_SEEDS=$(or $(SEEDS),$(if $(BOOKS),,1-500)) \
	  TYPESET_WORD_TEST_SEEDS=$(or $(WORDS),$(if $(BOOKS),,1-5000)) \
	  swift test -c release -Xswiftc -enable-testing -Xswiftc -DCHECK_LAYOUT --scratch-path .build/page-test \
	  --filter 'PageIndependenceTests|WordDocumentTests'

documentation: set-up
	@Scripts/documentation.sh "$(OUT)"

# A first run on a machine has the hashes of Snapshots/ alone: it tells which pages changed. Old pages are shown beside new ones
# where the work tree has set them before, or from a build of the old engine: OLD=path/to/typeset; `typeset snapshot restore`
# makes them again.
snapshots: build
	$(TYPESET) snapshot verify Corpus $(if $(OLD),--build $(OLD) --build $(TYPESET),--against Snapshots) || { \
	  status=$$?; [ $$status -ne 1 ] || echo 'accept with: make accept REASON="why"'; exit $$status; }

review: build
	@exec $(TYPESET) snapshot serve --store Snapshots

accept: build
	$(TYPESET) snapshot accept $(if $(CLUSTER),$(addprefix --cluster ,$(CLUSTER)),--all) --reason "$(REASON)" --store Snapshots

format:
	swift format format --in-place --recursive --parallel --configuration .swift-format Package.swift Plugins Sources Tests Examples/*/Package.swift Examples/*/Sources Examples/*/Tests

lint:
	swift format lint --strict --recursive --parallel --configuration .swift-format Package.swift Plugins Sources Tests Examples/*/Package.swift Examples/*/Sources Examples/*/Tests

# Depends on what dpkg-shlibdeps finds; recommends the libraries that are loaded when a book needs them.
deb: build library
	@Scripts/deb.sh $(TYPESET) "$(OUT)" .build/$(CONFIGURATION)/library

PACKAGE = $(OUT)/typeset_$(shell Scripts/version.sh)-$(or $(REVISION),1)_$(shell dpkg --print-architecture 2>/dev/null).deb

image: deb
	@Scripts/image.sh "$(PACKAGE)" "$(OUT)"

package-test: deb
	@Tests/Packages/run.sh "$(PACKAGE)" $(SUITE)

# The library for C, and for all languages that call C.
library: set-up
	@PLAIN=$(PLAIN) Scripts/library.sh $(CONFIGURATION)

library-test: library
	Tests/Library/run.sh .build/$(CONFIGURATION)/library

# The library for Python, with the program where that has been built.
wheel: library
	@Scripts/wheel.py $(CONFIGURATION)

wheel-test: wheel
	Tests/Library/python.sh .build/$(CONFIGURATION)/library/*.whl

# With the library, where make library has been called.
install: build
	@DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" Scripts/install.sh $(TYPESET)
	@[ ! -e .build/$(CONFIGURATION)/library/libtypeset.so.1 ] || \
	  DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" Scripts/install.sh --library .build/$(CONFIGURATION)/library

uninstall:
	@DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" Scripts/install.sh --uninstall

clean:
	swift package clean
	rm -rf out
