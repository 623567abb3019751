import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import Testing

@testable import ReadingServer

/// The page in a real browser: a reader opens a book, turns, selects, marks, searches, takes larger letters, and comes back.
/// Pictures of each step are left in `.build/film`. Skipped where there is no Chromium.
@Suite(.enabled(if: Browser.path != nil, "Chromium is not installed"), .serialized) struct BrowserTests {
  private static let film = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../.build/film").standardized

  /// A server that listens, until the test is done with it.
  private struct Running {
    let address: String
    private let services: ServiceGroup
    private let task: Task<Void, Never>

    init(_ shelf: TestShelf, port: Int = 0) async throws {
      let server = try shelf.server { $0.port = port }
      let (ports, continuation) = AsyncStream<Int>.makeStream()
      let services = server.services(logger: Logger(label: "test"), stoppingOn: []) {
        continuation.yield($0?.port ?? 0)
      }
      self.services = services
      task = Task {
        try? await services.run()
        continuation.finish()
        await server.close()
      }
      address = "http://127.0.0.1:\(try #require(await ports.first { _ in true }))"
    }
    var port: Int { Int(address.split(separator: ":").last ?? "") ?? 0 }

    func stop() async {
      await services.triggerGracefulShutdown()
      await task.value
    }
  }

  private static func shoot(_ name: String, _ browser: Browser) async throws {
    // Moving elements have come to rest.
    try await Task.sleep(for: .milliseconds(400))
    try FileManager.default.createDirectory(at: film, withIntermediateDirectories: true)
    try await browser.picture().write(to: film.appendingPathComponent("\(name).png"))
  }

  private static let isReady =
    "document.querySelector('.sheet') && !document.querySelector('.loading')"
    + " && document.querySelector('.spread').getAnimations().length === 0"
  private static let number = "document.querySelector('.bottom .count').textContent"
  private static let text = "[...document.querySelectorAll('.word')].map(word => word.textContent).join('')"
  /// A mark is in sight: in the window, under no bar and no panel.
  private static let showsMark =
    "[...document.querySelectorAll('.mark')].some(mark => { const { x, y, right, bottom } = mark.getBoundingClientRect(); "
    + "return x >= 0 && y >= 0 && right <= innerWidth && bottom <= innerHeight "
    + "&& [[x + 1, y + 1], [right - 1, bottom - 1]].every(at => document.elementFromPoint(...at)?.closest('.stage')) })"

  /// Drags over some words; their text.
  private func select(_ words: Range<Int>, _ browser: Browser) async throws -> String {
    let places = try await browser.value(
      """
      (() => {
        const words = [...document.querySelectorAll('.word')];
        const [first, last] = [words[\(words.lowerBound)], words[\(words.upperBound - 1)]];
        const [a, b] = [first.getBoundingClientRect(), last.getBoundingClientRect()];
        return first.closest('.vertical')
          ? [a.x + a.width / 2, a.y + 1, b.x + b.width / 2, b.bottom - 1]
          : [a.x + 1, a.y + a.height / 2, b.right - 1, b.y + b.height / 2];
      })()
      """
    ).array.map { $0.number ?? 0 }
    try #require(places.count == 4)
    try await browser.drag(from: (places[0], places[1]), to: (places[2], places[3]))
    try await browser.wait("document.querySelector('.bar')")
    return try await browser.value(
      "[...document.querySelectorAll('.word')].slice(\(words.lowerBound), \(words.upperBound)).map(word => word.textContent).join('')"
    ).string ?? ""
  }

  @Test func `A book is read, and found again as it was left`() async throws {
    let shelf = try TestShelf(["en-the-ferryman-of-low-marsh", "zh-yu-zhong-shudian", "ja-tokeiya-no-hikae"])
    try shelf.write("no archive", to: "books/broken.epub")
    let running = try await Running(shelf)
    let browser = try Browser(profile: shelf.folder.appendingPathComponent("profile").path)
    try await browser.openWindow(width: 1280, height: 860)

    // Open
    try await browser.open(running.address + "/")
    try await browser.wait("document.querySelectorAll('.card').length === 4")
    #expect(try await browser.value("document.querySelectorAll('.card.broken .problem-line').length").number == 1)
    try await Self.shoot("01-shelf", browser)
    try await browser.value(
      "[...document.querySelectorAll('a.card')].find(card => card.textContent.includes('Ferryman')).click()")
    try await browser.wait(Self.isReady)
    #expect(
      try await browser.value("document.querySelector('main').getAttribute('aria-label')").string
        == "The Ferryman of Low Marsh")
    try await Self.shoot("02-opened", browser)

    // Turn
    try await browser.press("ArrowRight")
    try await browser.wait("document.querySelector('.sheet').dataset.chapter === '1' && \(Self.isReady)")
    #expect(try await browser.value(Self.text).string?.contains("bell") == true)
    #expect(
      try await browser.value("document.getElementById('live').textContent").string?.contains("bell") == true)
    let paragraphs = try await browser.paragraphs().filter { $0.count > 200 }
    #expect(paragraphs.first?.hasPrefix("Nobody rang for Tobias Crewe after dark") == true)
    #expect(!paragraphs.isEmpty && paragraphs.allSatisfy { !$0.contains("|") }, "\(paragraphs)")
    try await Self.shoot("03-turned", browser)

    // Select and highlight
    let words = try await select(40..<60, browser)
    #expect(
      try await browser.value("getSelection().toString().replace(/\\s+/g, ' ').trim()").string
        == words.trimmingCharacters(in: .whitespaces))
    try await Self.shoot("04-selected", browser)
    try await browser.value("document.querySelector('.bar .green').click()")
    try await browser.wait("document.querySelectorAll('.mark').length > 0 && \(Self.isReady)")
    try await Self.shoot("05-highlighted", browser)

    // Search
    try await browser.press("/")
    try await browser.write("ferry")
    try await browser.wait("document.querySelector('.status').textContent.includes('found')")
    try await browser.value("document.querySelectorAll('.results button')[2].click()")
    try await browser.wait("document.querySelector('.found span') && \(Self.isReady)")
    try await Self.shoot("06-found", browser)
    let place = try #require(
      try await browser.value("decodeURIComponent(new URLSearchParams(location.search).get('at'))").string)
    try await browser.press("Escape")

    // Larger letters: the place stays in sight.
    let inSight =
      "[...document.querySelectorAll('.word')].some(word => word.dataset.start.split(':')[0] === '\(place.prefix { $0 != ":" })')"
    for _ in 0..<3 { try await browser.press("+") }
    try await browser.wait("document.querySelector('.print').src.includes('fontSize=24') && \(Self.isReady)")
    #expect(try await browser.value(inSight).value as? Bool == true)
    try await Self.shoot("07-larger", browser)
    try await browser.press("s")
    try await browser.value("document.querySelector('[name=theme][id$=\"2\"]').click()")
    try await browser.wait("document.querySelector('.print').src.includes('theme=sepia') && \(Self.isReady)")
    try await Self.shoot("08-sepia", browser)
    try await browser.press("Escape")
    let left = try await browser.value(Self.text).string
    try await browser.wait("document.querySelector('.count').textContent.startsWith('Page')")
    try await Task.sleep(for: .milliseconds(600))

    // The server is started again, and the book is where it was.
    let port = running.port
    // A page that is open asks for counts now and then, and would rightly complain.
    try await browser.open("about:blank")
    await running.stop()
    let again = try await Running(shelf, port: port)
    try await browser.open(again.address + "/")
    try await browser.wait("document.querySelector('.resume')")
    try await Self.shoot("09-again", browser)
    try await browser.value("document.querySelector('.resume').click()")
    try await browser.wait(Self.isReady)
    #expect(try await browser.value(Self.text).string == left)
    #expect(try await browser.value("document.documentElement.dataset.theme").string == "sepia")
    try await browser.press("m")
    try await browser.wait("document.querySelector('.marks .words')")
    try await browser.value("document.querySelector('.marks .go').click()")
    try await browser.wait("\(Self.showsMark) && \(Self.isReady)")
    try await Self.shoot("10-marks", browser)
    #expect(browser.complaints == [])
    await again.stop()
  }

  @Test func `Every press counts, text is selected by keys, covers are whole`() async throws {
    let shelf = try TestShelf(["en-the-ferryman-of-low-marsh"])
    // A wide cover and a tall one.
    for (name, width, height) in [("wide", 900, 300), ("tall", 200, 800)] {
      try shelf.writeFixedBook(pages: 1, to: "books/\(name)", cover: (width, height))
    }
    let running = try await Running(shelf)
    let browser = try Browser(profile: shelf.folder.appendingPathComponent("profile").path)
    try await browser.openWindow(width: 700, height: 500)
    try await browser.open(running.address + "/")
    try await browser.wait(
      "document.querySelectorAll('.cover img').length === 2 && [...document.querySelectorAll('.cover img')].every(each => each.complete && each.naturalWidth)"
    )
    let shapes = try await browser.value(
      "[...document.querySelectorAll('.cover img')].map(each => { const box = each.getBoundingClientRect(); "
        + "return [box.width / box.height, each.naturalWidth / each.naturalHeight, each.parentElement.clientHeight - box.height, each.parentElement.clientWidth - box.width] })"
    ).array
    #expect(shapes.count == 2)
    for shape in shapes {
      #expect(abs((shape[0].number ?? 0) / (shape[1].number ?? 1) - 1) < 0.02, "\(shape.text)")
      #expect(shape[2].number ?? -1 > -1 && shape[3].number ?? -1 > -1, "\(shape.text)")
    }
    try await Self.shoot("30-covers", browser)

    try await browser.value(
      "[...document.querySelectorAll('a.card')].find(card => card.textContent.includes('Ferryman')).click()")
    try await browser.wait(Self.isReady)
    let place =
      "[document.querySelector('.sheet').dataset.chapter, document.querySelector('.sheet').dataset.index].join('.')"
    try await browser.press("Home")
    try await browser.wait(Self.isReady)
    // One by one, as they come to be shown.
    var places: [String] = []
    for _ in 0..<8 {
      let before = try await browser.value(place).string ?? ""
      try await browser.press("ArrowRight")
      try await browser.wait("\(place) !== '\(before)' && \(Self.isReady)")
      places.append(try await browser.value(place).string ?? "")
    }
    try await browser.press("Home")
    try await browser.wait("\(place) === '0.0' && \(Self.isReady)")
    // All at once.
    for _ in 0..<8 { try await browser.press("ArrowRight") }
    try await browser.wait("\(place) === '\(places[7])' && \(Self.isReady)")
    for _ in 0..<3 { try await browser.press("ArrowLeft") }
    for _ in 0..<2 { try await browser.press("ArrowRight") }
    try await browser.wait("\(place) === '\(places[6])' && \(Self.isReady)")

    // Words and lines, and what can be done with them.
    let words = "[...document.querySelectorAll('.word')].map(each => each.textContent).filter(each => each.trim())"
    try await browser.press("ArrowRight", shift: true)
    try await browser.press("ArrowRight", shift: true)
    let chosen = "getSelection().toString().trim()"
    let two = try await browser.value("\(words).slice(0, 2)").array.compactMap(\.string)
    let selected = try await browser.value(chosen).string ?? ""
    #expect(selected.hasPrefix(two[0]) && selected.hasSuffix(two[1]), "\(selected)")
    try await browser.press("ArrowDown", shift: true)
    #expect(try await browser.value(chosen).string?.count ?? 0 > selected.count)
    try await browser.wait("document.querySelector('.bar')")
    try await browser.press("Tab")
    #expect(try await browser.value("document.activeElement.closest('.bar') !== null").value as? Bool == true)
    try await Self.shoot("31-selected-by-keys", browser)
    await running.stop()
  }

  @Test func `A note being written outlives its tab`() async throws {
    let shelf = try TestShelf(["en-the-ferryman-of-low-marsh"])
    let running = try await Running(shelf)
    let browser = try Browser(profile: shelf.folder.appendingPathComponent("profile").path)
    try await browser.openWindow(width: 1280, height: 860)
    try await browser.open(running.address + "/")
    try await browser.wait("document.querySelector('a.card')")
    try await browser.value("document.querySelector('a.card').click()")
    try await browser.wait(Self.isReady)
    try await browser.press("ArrowRight")
    try await browser.wait("document.querySelectorAll('.word').length > 60 && \(Self.isReady)")
    _ = try await select(40..<44, browser)
    try await browser.value("document.querySelector('.bar [title*=note]').click()")
    try await browser.wait("document.activeElement.matches('.mark-box textarea')")
    try await browser.write("half a thought")
    let marks =
      "fetch('/api/books').then(answer => answer.json())"
      + ".then(([{ id }]) => fetch(`/api/books/${id}/marks`)).then(answer => answer.json())"
      + ".then(marks => marks.map(mark => mark.note).join())"
    // Nothing ends the note but that the page goes.
    try await browser.open(running.address + "/style.css")
    try await browser.open(running.address + "/")
    try await browser.wait("document.querySelector('a.card')")
    #expect(try await browser.value(marks).string == "half a thought")
    #expect(browser.complaints == [])
    await running.stop()
  }

  @Test func `Vertical lines, a phone, the dark`() async throws {
    let shelf = try TestShelf(["ja-tokeiya-no-hikae", "ar-daftar-al-bahhar", "zh-yu-zhong-shudian"])
    let running = try await Running(shelf)
    let browser = try Browser(profile: shelf.folder.appendingPathComponent("profile").path)
    try await browser.openWindow(width: 1280, height: 860)
    func open(_ language: String) async throws {
      try await browser.open(running.address + "/")
      try await browser.wait("document.querySelectorAll('.card').length === 3")
      try await browser.value(
        "[...document.querySelectorAll('a.card')].find(card => card.querySelector('[lang|=\(language)]')).click()")
      try await browser.wait(Self.isReady)
    }
    // Lines from right to left: the way forward is to the left.
    try await open("ja")
    let first = try await browser.value(Self.number).string
    try await browser.press("ArrowLeft")
    try await browser.wait("\(Self.number) !== '\(first ?? "")' && \(Self.isReady)")
    try await browser.wait("document.querySelectorAll('.vertical .word').length > 30")
    let words = try await select(10..<24, browser)
    #expect(
      try await browser.value("getSelection().toString().replace(/\\s+/g, '')").string
        == words.filter { !$0.isWhitespace })
    try await Self.shoot("11-vertical", browser)
    try await open("ar")
    try await Self.shoot("12-arabic", browser)
    try await browser.resize(width: 390, height: 844, scale: 2, isPhone: true)
    try await open("zh")
    let start = try await browser.value(Self.number).string
    try await browser.swipe(from: (320, 400), to: (60, 410))
    try await browser.wait("\(Self.number) !== '\(start ?? "")' && \(Self.isReady)")
    try await browser.wait("document.querySelector('.reader.bare')")
    try await Self.shoot("13-phone", browser)
    // A mark near the upper edge, found again from the list: neither the list nor the bars cover it.
    try await browser.value(
      """
      (() => {
        const words = [...document.querySelectorAll('.word')];
        getSelection().setBaseAndExtent(words[0].firstChild, 0, words[1].firstChild, 1);
      })()
      """)
    try await browser.wait("document.querySelector('.bar')")
    try await browser.value("document.querySelector('.bar .blue').click()")
    try await browser.wait("document.querySelector('.mark') && \(Self.isReady)")
    try await browser.tap((195, 500))
    try await browser.wait("!document.querySelector('.reader.bare')")
    try await browser.value("document.querySelector('[data-panel=marks]').click()")
    try await browser.wait("document.querySelector('.marks .go')")
    try await Self.shoot("14-phone-list", browser)
    try await browser.value("document.querySelector('.marks .go').click()")
    try await browser.wait("!document.querySelector('.panel') && \(Self.isReady)")
    try await browser.wait(Self.showsMark)
    #expect(try await browser.value("document.activeElement.matches('main')").value as? Bool == true)
    try await Self.shoot("15-phone-mark", browser)
    // The bars come back for the keyboard.
    try await browser.press("Tab")
    try await browser.value("document.querySelector('.top button').focus({ focusVisible: true })")
    try await browser.wait("document.querySelector('.top').getBoundingClientRect().y === 0")
    #expect(browser.complaints == [])
    await running.stop()
  }

  @Test func `Screen readers are told what is on the page`() async throws {
    let shelf = try TestShelf([])
    try shelf.write(
      """
      <html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en"><head><title>Structure</title></head><body>
      <h2>Of the weather</h2><p>It rained <a href="https://example.org/">all day</a>, he said.</p>
      <ol><li>clouds</li><li>rain</li></ol><img width="80" height="80" alt="A square"
      src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="/>
      <table><tr><th>day</th><th>rain</th></tr><tr><td colspan="2">none</td></tr></table></body></html>
      """, to: "books/structure.xhtml")
    let running = try await Running(shelf)
    let browser = try Browser(profile: shelf.folder.appendingPathComponent("profile").path)
    try await browser.openWindow(width: 900, height: 860)
    try await browser.open(running.address + "/")
    try await browser.wait("document.querySelector('a.card')")
    try await browser.value("document.querySelector('a.card').click()")
    try await browser.wait(Self.isReady)
    let roles = try await browser.roles(below: ".text")
    #expect(roles.filter { $0.hasPrefix("heading") } == ["heading Of the weather"], "\(roles)")
    #expect(roles.filter { $0.hasPrefix("list") } == ["list", "listitem", "listitem"], "\(roles)")
    #expect(roles.filter { $0.hasPrefix("link") } == ["link all day"], "\(roles)")
    let pictures = roles.filter { $0.hasPrefix("image") || $0.hasPrefix("img") }
    #expect(pictures.map { $0.hasSuffix(" A square") } == [true], "\(roles)")
    #expect(roles.count { $0 == "table" } == 1 && roles.count { $0.hasPrefix("row") } >= 2, "\(roles)")
    #expect(roles.filter { $0.hasPrefix("columnheader") } == ["columnheader day", "columnheader rain"], "\(roles)")
    #expect(roles.count { $0.hasPrefix("cell") || $0.hasPrefix("gridcell") } == 1, "\(roles)")
    // Each word is there once, and the link leads out of the book by its words.
    #expect(
      try await browser.value(Self.text).string?.split(separator: " ").joined(separator: " ")
        == "Of the weatherIt rained all day, he said.cloudsraindayrainnone")
    let link = try await browser.value(
      "[...document.querySelectorAll('a.over-link')].map(each => [each.href, each.target, each.rel].join())"
    ).array.compactMap(\.string)
    #expect(link == ["https://example.org/,_blank,noopener noreferrer"])
    #expect(
      try await browser.value(
        """
        [...document.querySelectorAll('a.over-link .word')].every(word => {
          const { x, y, width, height } = word.getBoundingClientRect();
          return document.elementFromPoint(x + width / 2, y + height / 2).closest('a');
        })
        """
      ).value as? Bool == true)
    #expect(browser.complaints == [])
    await running.stop()
  }

  /// axe-core (axe.min.js); `make reader-test` fetches it from PyPI.
  private static let axe = ProcessInfo.processInfo.environment["AXE_CORE"].flatMap {
    try? String(contentsOfFile: $0, encoding: .utf8)
  }

  @Test(
    .enabled(if: axe != nil, "AXE_CORE does not name axe.min.js"),
    arguments: [
      "en-rain-gauge-manual", "en-the-prompter-a-play", "zh-yu-zhong-shudian", "ja-tokeiya-no-hikae",
      "ar-daftar-al-bahhar",
    ])
  func `axe-core finds no violation on shelf, page and settings`(book: String) async throws {
    let shelf = try TestShelf([book])
    let running = try await Running(shelf)
    let browser = try Browser(profile: shelf.folder.appendingPathComponent("profile").path)
    try await browser.openWindow(width: 1280, height: 860)
    func expectNone(_ view: String) async throws {
      // Colours on their way are no colours yet.
      try await Task.sleep(for: .milliseconds(400))
      try await browser.value("\(Self.axe ?? ""); 0")
      let violations = try await browser.value(
        """
        axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
          violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target.join(' ')).join(', ')}`))
        """
      ).array.compactMap(\.string)
      #expect(violations == [], "\(view): \(violations)")
    }
    try await browser.open(running.address + "/")
    try await browser.wait("document.querySelector('a.card')")
    try await expectNone("shelf")
    try await browser.value("document.querySelector('a.card').click()")
    try await browser.wait(Self.isReady)
    // Past the title page.
    for _ in 0..<3 { try await browser.press("PageDown") }
    try await browser.wait(Self.isReady)
    try await expectNone("page")
    try await browser.press("s")
    try await browser.wait("document.querySelector('[name=theme]')")
    try await expectNone("settings")
    await running.stop()
  }

  @Test func `Notes come up over the page, facing pages meet, all keys are told`() async throws {
    let shelf = try TestShelf([])
    try shelf.writeFixedBook(pages: 4)
    try shelf.write(
      """
      <html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en"><head><title>Notes</title><style>p { text-indent: 1em; margin: 0 }</style>
      </head><body><h1>Of the weather</h1><p>It rained<a id="r" href="#n">[1]</a> all day.</p>\(
        String(repeating: "<p>And the day after it rained again, on the roofs and the river and the road between them.</p>", count: 40))
      <p class="footnote">[<a id="n" href="#r">1</a>] In those parts it <i>always</i> rains.</p></body></html>
      """, to: "books/notes.xhtml")
    let running = try await Running(shelf)
    let browser = try Browser(profile: shelf.folder.appendingPathComponent("profile").path)
    try await browser.openWindow(width: 1280, height: 860)
    try await browser.open(running.address + "/")
    try await browser.wait("document.querySelectorAll('.card').length === 2")
    try await browser.value(
      "[...document.querySelectorAll('a.card')].find(card => card.textContent.includes('Notes')).click()")
    try await browser.wait(Self.isReady)
    try await browser.press("s")
    try await browser.value("document.querySelector('[name=theme][id$=\"3\"]').click()")
    try await browser.wait("document.querySelector('.print').src.includes('theme=dark') && \(Self.isReady)")
    try await browser.press("Escape")
    // A note: its text for who cannot see it, focus in it and back again.
    try await browser.value(
      "document.querySelector('.over-link').focus(); document.querySelector('.over-link').click()")
    try await browser.wait("document.querySelector('.note-box img')?.complete")
    #expect(
      try await browser.value("document.querySelector('.note-box img').alt").string == "In those parts it always rains."
    )
    #expect(
      try await browser.value("document.querySelector('.note-box').contains(document.activeElement)").value as? Bool
        == true)
    try await Self.shoot("16-note-dark", browser)
    try await browser.press("Escape")
    try await browser.wait("!document.querySelector('.note-box') && document.activeElement.matches('.over-link')")
    try await browser.press("?")
    try await browser.wait("document.querySelector('.panel.help')")
    try await Self.shoot("17-keys", browser)
    // Landmarks for screen readers.
    #expect(
      try await browser.value(
        "['header', 'nav', 'main', 'footer'].every(name => document.querySelectorAll(name).length > 0)"
      ).value
        as? Bool == true)
    #expect(
      try await browser.value(
        "[...document.querySelectorAll('button, a, input')].filter(each => !(each.getAttribute('aria-label') || each.textContent.trim() || each.labels?.length)).length"
      ).number == 0)
    // Facing pages of fixed design: no gap between what is seen of them.
    try await browser.open(running.address + "/")
    try await browser.wait("document.querySelectorAll('a.card').length === 2")
    try await browser.value(
      "[...document.querySelectorAll('a.card')].find(card => card.textContent.includes('Colours')).click()")
    try await browser.wait(Self.isReady)
    #expect(try await browser.value("document.querySelectorAll('.sheet').length").number == 1)
    try await browser.press("ArrowRight")
    try await browser.wait("document.querySelectorAll('.sheet[data-chapter]').length === 2 && \(Self.isReady)")
    let words = try await browser.value(
      "[...document.querySelectorAll('.sheet')].map(sheet => sheet.querySelector('.word').getBoundingClientRect().x - sheet.parentNode.getBoundingClientRect().x)"
    ).array.map { $0.number ?? 0 }
    let width = try await browser.value("document.querySelector('.spread').getBoundingClientRect().width").number ?? 0
    // The right page's text begins as far from the fold as its padding says; the left page's far from the outer edge.
    let height = try await browser.value("document.querySelector('.sheet').getBoundingClientRect().height").number ?? 0
    #expect(words.count == 2 && abs(words[1] - width / 2 - 40 * height / 600) < 2, "\(words) \(width)")
    #expect(abs(width / 2 - words[0] - 260 * height / 600) < 2, "\(words) \(width)")
    try await Self.shoot("18-facing", browser)
    // A line of the contents that leads nowhere says so, and is no button.
    try await browser.press("t")
    try await browser.wait("document.querySelectorAll('.contents .entries button').length === 4")
    #expect(
      try await browser.value("document.querySelector('.contents .dead').textContent").string
        == "Page 4 (the book has no such part)")
    try await Self.shoot("19-contents", browser)
    #expect(browser.complaints == [])
    await running.stop()
  }
}
