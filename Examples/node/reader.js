#!/usr/bin/env node
'use strict'
/**
 * Shows what is in a book: its title and contents, its first page as a PNG file, and where a phrase stands.
 *
 *   node reader.js novel.epub page.png "white whale"
 *
 * A book that cannot be opened is told in one line, and the status is 1.
 */

const { writeFile } = require('node:fs/promises')
const { Book } = require('./typeset.js')

async function main([source, picture, phrase]) {
  const book = await Book.open(source)
  console.log((await book.metadata()).title)
  for (const { title, level } of await book.contents()) console.log('  '.repeat(level + 1) + title)

  const typesetter = await book.typesetter({ pageSize: [420, 595], theme: 'sepia' })
  const page = await typesetter.firstPage()
  await writeFile(picture, await page.png(2))
  if (phrase === undefined) return
  for await (const { start, before, match, after } of typesetter.search(phrase)) {
    console.log(`${start} ${before}[${match}]${after}`)
  }
}

if (process.argv.length < 4) {
  console.error('usage: node reader.js BOOK PAGE.png [PHRASE]')
  process.exitCode = 64
} else {
  main(process.argv.slice(2)).catch((error) => {
    console.error(`reader: ${error.message}`)
    process.exitCode = 1
  })
}
