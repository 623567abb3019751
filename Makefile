# typeset: what a developer types. `make` alone says what there is.

CONFIGURATION ?= release
BOOK ?= $(firstword $(sort $(wildcard Corpus/*-*)))
OUT ?= out
OPTIONS ?=

TYPESET = .build/$(CONFIGURATION)/typeset

.DEFAULT_GOAL := help
.PHONY: help set-up build pages test format lint clean install

help:
	@echo 'make pages [BOOK=book.epub] [OUT=out] [OPTIONS="--scale 2"]   set a book, of the corpus unless told otherwise'
	@echo 'make build     build .build/release/typeset'
	@echo 'make test      run all tests'
	@echo 'make set-up    install the packages needed (done by the others too)'
	@echo 'make format    format the sources; make lint only checks them'
	@echo 'make install   copy typeset to $$(PREFIX)/bin, /usr/local unless told otherwise'
	@echo 'make clean     remove what was built'

set-up:
	@Scripts/set-up.sh

build: set-up
	swift build -c $(CONFIGURATION) --product typeset

pages: build
	$(TYPESET) "$(BOOK)" --pages "$(OUT)" $(OPTIONS)
	@echo "the pages of $(BOOK) are in $(OUT)"

test: set-up
	swift test --parallel

format:
	swift format format --in-place --recursive --parallel --configuration .swift-format Package.swift Sources Tests

lint:
	swift format lint --strict --recursive --parallel --configuration .swift-format Package.swift Sources Tests

install: build
	install -D $(TYPESET) "$(DESTDIR)$(or $(PREFIX),/usr/local)/bin/typeset"

clean:
	swift package clean
	rm -rf out
