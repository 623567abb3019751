'use strict'
/** What typeset.js does beyond the example: several calls at once, arguments of other types, handles nobody has. */

const assert = require('node:assert')
const { Book, TypesetError } = require('./typeset.js')
const addon = require('./typeset.node')

async function main(path) {
  const book = await Book.open(path)
  const typesetter = await book.typesetter()
  const expected = await (await typesetter.firstPage()).png()

  // Node goes on meanwhile, and pages are those of calls one by one.
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const pages = await Promise.all(Array.from({ length: 16 }, async () => (await typesetter.firstPage()).png(2)))
  clearInterval(timer)
  assert.ok(turns > 1)
  for (const page of pages) assert.ok(page.equals(pages[0]))
  assert.ok(!pages[0].equals(expected))

  const failed = await book.typesetter({ fontSize: 1e9 }).catch((error) => error)
  assert.ok(failed instanceof TypesetError)
  assert.deepStrictEqual([failed.status, failed.part], [10, 'fontSize'])
  assert.throws(() => addon.png({}, 1), TypeError)
  assert.throws(() => addon.open(1), TypeError)

  // The garbage collector releases handles, but none that a call uses.
  for (let i = 0; i < 200; i++) {
    const made = (await typesetter.firstPage()).png(0.1)
    global.gc()
    assert.ok((await made).length > 100)
  }
}

main(process.argv[2]).catch((error) => {
  console.error(error)
  process.exitCode = 1
})
