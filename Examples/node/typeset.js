'use strict'
/** Books and pages as objects. Calls work on threads of Node's pool; what nobody has any more is released. */

const addon = require('./typeset.node')

/** Differences that a search ignores, and where it finds (typeset.h). */
const IGNORE_ALL = 127
const WHOLE_WORDS = 128

/** A call that failed: `status` as in typeset.h, and `part`: the file, part of the book or setting that it failed at. */
class TypesetError extends Error {
  constructor({ message, status, part }) {
    super(part ? `${part}: ${message}` : message)
    this.name = 'TypesetError'
    this.status = status
    this.part = part
  }
}

async function call(name, ...values) {
  try {
    return await addon[name](...values)
  } catch (error) {
    throw error.status === undefined ? error : new TypesetError(error)
  }
}

/** A book that has been opened. */
class Book {
  #handle

  constructor(handle) {
    this.#handle = handle
  }

  /** Opens the book of a file or folder. */
  static async open(path) {
    return new Book(await call('open', path))
  }

  /** What the book says about itself: `title`, `creators`, `language` and others. */
  async metadata() {
    return JSON.parse(await call('metadata', this.#handle))
  }

  /** The table of contents: entries with `title`, `level`, and `href` and `chapter` where they lead somewhere. */
  async contents() {
    return JSON.parse(await call('contents', this.#handle))
  }

  /** A typesetter with settings other than those by default, such as `{ pageSize: [420, 595], theme: 'sepia' }`. */
  async typesetter(settings = {}) {
    const handle = await call('typesetter', this.#handle, JSON.stringify(settings))
    return new Typesetter(handle, await call('chapterCount', this.#handle))
  }
}

/** Sets a book into pages. */
class Typesetter {
  #handle
  #chapters

  constructor(handle, chapters) {
    this.#handle = handle
    this.#chapters = chapters
  }

  async firstPage() {
    return new Page(await call('firstPage', this.#handle))
  }

  /** Finds a phrase, chapter by chapter as it is asked for: objects with `start`, `end`, `before`, `match`, `after`. */
  async *search(phrase, { wholeWords = false } = {}) {
    const options = IGNORE_ALL | (wholeWords ? WHOLE_WORDS : 0)
    for (let chapter = 0; chapter < this.#chapters; chapter++) {
      yield* JSON.parse(await call('search', this.#handle, phrase, options, chapter))
    }
  }
}

/** A page that has been made. */
class Page {
  #handle

  constructor(handle) {
    this.#handle = handle
  }

  /** The page as a PNG file, in a Buffer. `scale`: pixels per CSS px. */
  async png(scale = 1) {
    return call('png', this.#handle, scale)
  }
}

module.exports = { Book, TypesetError }
