import Primitives
import TestSupport
import Testing
import Typesetting

@testable import SnapshotHarness

@Suite struct InputTests {
  @Test func `A folder is a corpus`() throws {
    let folder = TestFolder()
    for name in ["b.txt", "a/one.html", "a/one.epub", "notes.md", "README.md", ".hidden.html", "hostile/bomb.epub"] {
      try Files.write("x \(name)", to: folder["books/" + name])
    }
    try Files.write("", to: folder["books/unpacked/META-INF/container.xml"])
    try Files.write("<p>", to: folder["books/unpacked/chapter.xhtml"])
    let corpus = try Corpus.read([folder["books"]])
    #expect(corpus.books.map(\.id) == ["a/one.epub", "a/one.html", "b", "hostile/bomb", "notes", "unpacked"])
    #expect(corpus.books.map(\.tier) == ["gate", "gate", "gate", "hostile", "gate", "gate"])
    #expect(corpus.books[0].tags == ["a"])
    #expect(corpus.profiles.map(\.name) == ["ereader", "phone", "tablet-large"])
    #expect(corpus.books[2].hash == SHA256.hex(Array("x b.txt".utf8)))
    // The hash of a folder is that of its content.
    try Files.write("<p>!", to: folder["books/unpacked/chapter.xhtml"])
    #expect(try Corpus.read([folder["books"]]).books[5].hash != corpus.books[5].hash)
    var selection = UnitSelection()
    selection.books = ["a"]
    selection.profiles = ["phone"]
    #expect(try selection.units(of: corpus).map(\.description) == ["a/one.epub (phone)", "a/one.html (phone)"])
    selection.grep = "nothing"
    #expect(throws: HarnessError.self) { try selection.units(of: corpus) }
    let missing = #expect(throws: HarnessError.self) { try Corpus.read([folder["nowhere"]]) }
    #expect(missing?.code == 66)
  }

  @Test(.enabled(if: LoadedLibrary.yaml.isInstalled, "libyaml is not installed"))
  func `A list names the books of a corpus`() throws {
    let folder = TestFolder()
    try Files.write("one", to: folder["c/books/one.html"])
    try Files.write("two", to: folder["c/books/two.html"])
    try Files.write("three", to: folder["c/cases/floats/three.html"])
    try Files.write(
      """
      books:
        - path: books/one.html
          id: first
          guards: the margins
          tags: [margins, smoke]
          tier: smoke
          profiles: [wide]
          limits: {seconds: 10, memory: 500M}
        - books/two.html
        - path: cases
      """, to: folder["c/corpus.yaml"])
    try Files.write(
      """
      profiles:
        - name: narrow
          page: 300x400
          margin: [10, 20]
          justify: on
          line-height: 1.5
          font: Linux Libertine O
          css: "p { color: red }"
        - {name: wide, page: 900x600, extra: true}
      """, to: folder["c/profiles.yaml"])
    let corpus = try Corpus.read([folder["c"]])
    #expect(corpus.books.map(\.id) == ["books/two", "cases/floats/three", "first"])
    let first = corpus.books[2]
    #expect(first.note == "the margins")
    #expect(first.tier == "smoke")
    #expect(first.limits.seconds == 10)
    #expect(first.limits.memory == 500 << 20)
    let units = try UnitSelection().units(of: corpus)
    #expect(units.count == 4)
    #expect(units.contains(UnitKey(book: "first", profile: "wide")))
    let settings = corpus.profiles[0].settings
    #expect(settings.pageSize.width.pixels == 300)
    #expect(settings.marginLeft.pixels == 20)
    #expect(settings.justify == .on)
    #expect(settings.lineHeight == 1.5)
    #expect(settings.userStyleSheet == "p { color: red }")
    #expect(!settings.pageDesign.contains(.bookSize))
    // Lines that nobody understands are told with their number.
    try Files.write("books:\n  - path: books/one.html\n    tagz: x\n", to: folder["c/corpus.yaml"])
    let error = #expect(throws: HarnessError.self) { try Corpus.read([folder["c"]]) }
    #expect(error?.description.contains("corpus.yaml:3: tagz is none of") == true)
    try Files.write("books:\n  - {path: books/one.html, hash: 0123456789}\n", to: folder["c/corpus.yaml"])
    #expect(throws: HarnessError.self) { try Corpus.read([folder["c"]]) }
  }

  @Test(.enabled(if: LoadedLibrary.yaml.isInstalled, "libyaml is not installed")) func `Masks and tolerances are read`()
    throws
  {
    let folder = TestFolder()
    try Files.write("one", to: folder["one.html"])
    func read(_ text: String) throws -> CorpusBook {
      try Files.write("books:\n  - path: one.html\n" + text, to: folder["corpus.yaml"])
      return try Corpus.read([folder["corpus.yaml"]]).books[0]
    }
    let book = try read(
      """
          tolerance: {max-channel: 2, max-pixels: 10}
          masks:
            - box: [0, 0, 600, 40]
            - {href: cover.xhtml, node: /4/2}
      """)
    #expect(book.tolerance == PixelTolerance(maxChannel: 2, maxPixels: 10))
    #expect(
      book.masks == [
        Mask(box: RecordBox(x: 0, y: 0, width: 600, height: 40)), Mask(href: "cover.xhtml", node: "/4/2"),
      ])
    #expect(try read("    tolerance: legacy-10px").tolerance == .legacy10px)
    // Those of tags count where the book says nothing, those of profiles where neither does.
    let byTag = "    tags: [math]\ntolerances: {math: {max-channel: 3}}"
    #expect(try read(byTag).tolerance == PixelTolerance(maxChannel: 3))
    #expect(try read("    tolerance: exact\n" + byTag).tolerance == .exact)
    #expect(try read("").tolerance == nil)
    let profiles = "profiles:\n  - {name: p, tolerance: legacy-10px, masks: [{box: [0, 0, 600, 20]}]}\n"
    try Files.write(profiles, to: folder["profiles.yaml"])
    let profile = try #require(try Profile.read(folder["profiles.yaml"])?.first)
    #expect(profile.tolerance == .legacy10px && profile.masks?.count == 1)
    #expect(throws: HarnessError.self) { try read("    tolerance: lax") }
    #expect(throws: HarnessError.self) { try read("    masks: [{}]") }
  }

  /// YAML takes `on` and `off` for truth values.
  @Test(.enabled(if: LoadedLibrary.yaml.isInstalled, "libyaml is not installed"))
  func `Profiles choose what pages are made of`() throws {
    let folder = TestFolder()
    func read(_ keys: String) throws -> TypesettingSettings? {
      try Files.write("profiles:\n  - {name: p, \(keys)}\n", to: folder["profiles.yaml"])
      return try Profile.read(folder["profiles.yaml"])?.first?.settings
    }
    let settings = try #require(
      try read("style: house, notes: foot, compose: lines, micro: off, justify: on, media: print"))
    #expect(settings.style == .house && settings.notes == .foot && settings.compose == .lines)
    #expect(settings.micro == .off && settings.justify == .on && settings.media == .print)
    let silent = try #require(try read("page: 600x800"))
    #expect(silent.micro == .auto && silent.compose == .auto && silent.style == .book)
    #expect(throws: HarnessError.self) { try read("micro: some") }
  }

  @Test(.enabled(if: LoadedLibrary.yaml.isInstalled, "libyaml is not installed")) func `Fonts are checked`() throws {
    let folder = TestFolder()
    try Files.write("font one", to: folder["fonts/one.ttf"])
    try Files.write("font two", to: folder["fonts/two.ttf"])
    try Files.write(
      """
      serif: One
      fonts:
        - {package: fonts-one, file: \(folder["fonts/one.ttf"]), hash: "\(SHA256.hex(Array("font one".utf8)))"}
        - {package: fonts-two, file: \(folder["fonts/two.ttf"]), hash: "0000"}
        - {package: fonts-three, file: \(folder["fonts/three.ttf"]), hash: "0000"}
      """, to: folder["fonts.yaml"])
    let set = try #require(try FontSet.read(folder["fonts.yaml"], cache: folder["cache"]))
    #expect(set.problems.count == 2)
    #expect(set.problems[0].contains("two.ttf (Debian package fonts-two): the font is another version"))
    #expect(set.problems[1].contains("three.ttf (Debian package fonts-three): the font is missing"))
    #expect(set.versions["one.ttf"] == SHA256.hex(Array("font one".utf8)))
    let gathered = try #require(set.folder)
    #expect(Files.walk(gathered) == ["one.ttf", "two.ttf"])
    var settings = Profile.defaults[0].settings
    set.apply(to: &settings)
    #expect(!settings.usesSystemFonts)
    #expect(settings.fontDirectories == [gathered])
    #expect(settings.serif == "One")
  }
}
