import FoundationEssentials
import Primitives
import Testing

@testable import Fonts

/// With the machine's fonts: those of the project's set-up.
@Suite struct FontBookTests {
  let book = FontBook(library: FontLibrary())

  private func family(
    _ families: [FontFamily], weight: UInt16 = 400, slant: FontSlant = .normal, language: String? = nil
  )
    -> FontFace
  {
    book.cascade(for: FontDescription(families: families, weight: weight, slant: slant), language: language).primary
  }

  @Test func `Generic families are book faces`() throws {
    #expect(family([.generic(.serif)]).familyName == "Linux Libertine O")
    #expect(family([.generic(.monospace)]).familyName == "DejaVu Sans Mono")
    #expect(family([.named("No Such Family")]).familyName == "Linux Libertine O")
    let bold = family([.generic(.serif)], weight: 700)
    #expect(bold.weight == 700 && !bold.isSyntheticBold)
    let italic = family([.generic(.serif)], slant: .italic)
    #expect(italic.slant == .italic && !italic.isSyntheticOblique)
  }

  @Test func `Names of common books' fonts have stand-ins`() {
    #expect(family([.named("宋体")], language: "zh").familyName.contains("Serif CJK SC") == true)
    #expect(family([.named("KaiTi")], language: "zh").familyName == "LXGW WenKai")
    #expect(family([.named("Times New Roman")]).familyName == "Liberation Serif")
    #expect(family([.named("NOTO SERIF cjk jp")]).familyName == "Noto Serif CJK JP")
  }

  @Test func `Stand-ins have the marks of their text`() throws {
    func families(_ name: String, language: String) throws -> [String?] {
      let cascade = book.cascade(for: FontDescription(families: [.named(name)]), language: language)
      return [0x3002, 0xFF1F, 0x5929].map { scalar in
        cascade.entries.first { $0.covers(scalar) }?.face.familyName
      }
    }
    #expect(
      try families("標楷體", language: "zh-Hant") == ["Noto Serif CJK TC", "Noto Serif CJK TC", "LXGW WenKai"])
    #expect(try families("KaiTi", language: "zh-HK").first == "Noto Serif CJK HK")
    #expect(try Set(families("KaiTi", language: "zh-Hans")) == ["LXGW WenKai"])
    // A book that names the face wants its marks.
    #expect(try Set(families("LXGW WenKai", language: "zh-Hant")) == ["LXGW WenKai"])
  }

  @Test func `without a font the last-resort face is all there is, and packages are named`() {
    let bare = FontLibrary(usesSystemFonts: false)
    let cascade = FontBook(library: bare).cascade(for: FontDescription(families: [.named("Arial")], weight: 700))
    #expect(
      cascade.entries.count == 1 && cascade.entries[0].face === bare.lastResort && cascade.primary === bare.lastResort)
    #expect(cascade.face(covering: 0x20) === bare.lastResort && cascade.face(covering: 0x61) == nil)
    #expect(FontBook(library: bare).fallback(for: [0x61], in: cascade, script: "Latn") == nil)
    let packages = ["Hani", "Thai", "Zsye", "Zzzz", "Toto"].map { bare.missingPackage(for: $0) }
    #expect(packages == ["fonts-noto-cjk", "fonts-noto-core", "fonts-noto-color-emoji", nil, nil])
    // What is installed is not asked for.
    #expect(book.library.missingPackage(for: "Hani") == nil)
  }

  @Test func `Cascades are interned`() {
    let description = FontDescription(families: [.named("Arial"), .generic(.serif)], weight: 700)
    let first = book.cascade(for: description)
    #expect(first === book.cascade(for: description))
    #expect(first.entries.count == 2)
  }

  @Test func `Fallback follows script and language`() throws {
    let cascade = book.cascade(for: FontDescription(), language: "ja")
    #expect(book.fallback(for: [0x9AA8], in: cascade, script: "Hani")?.familyName == "Noto Serif CJK JP")
    let english = book.cascade(for: FontDescription(weight: 700), language: "en")
    let han = try #require(book.fallback(for: [0x9AA8], in: english, script: "Hani"))
    #expect(han.familyName == "Noto Serif CJK SC" && han.weight == 700)
    #expect(book.fallback(for: [0x0915, 0x094D], in: english, script: "Deva")?.familyName == "Noto Serif Devanagari")
    #expect(book.fallback(for: [0x0627], in: english, script: "Arab")?.familyName == "Noto Naskh Arabic")
    #expect(book.fallback(for: [0x1F600], in: english, script: "Zyyy", prefersEmoji: true)?.isColor == true)
    #expect(book.fallback(for: [0x10FFFD], in: english, script: "Zzzz") == nil)
  }

  @Test(arguments: ["Noto Serif Myanmar", "Noto Nastaliq Urdu"])
  func `Bold faces that report regular weight are bold`(_ name: String) throws {
    #expect(FontConfiguration.weight(80...80, style: "Condensed Bold") == 700...700)
    #expect(FontConfiguration.weight(80...80, style: "Semibold") == 400...400)
    let regular = family([.named(name)])
    #expect(regular.styleName == "Regular" && regular.weight == 400)
    let bold = family([.named(name)], weight: 700)
    #expect(bold.styleName == "Bold" && bold.weight == 700 && !bold.isSyntheticBold)
  }

  @Test func `L7 Styles are synthetic only where the family has no such face, and Han is never slanted`() throws {
    func styles(_ name: String, weight: UInt16 = 700, slant: FontSlant = .italic) throws -> [Bool] {
      let face = family([.named(name)], weight: weight, slant: slant)
      return [face.isSyntheticBold, face.isSyntheticOblique]
    }
    #expect(try styles("Linux Libertine O") == [false, false])
    #expect(try styles("Linux Libertine O", slant: .oblique) == [false, false])
    // Bold and regular only.
    #expect(try styles("Noto Naskh Arabic") == [false, true])
    // Regular only.
    #expect(try styles("Noto Sans Symbols2") == [true, true])
    #expect(try styles("Noto Sans Symbols2", weight: 500, slant: .normal) == [false, false])
    #expect(try styles("Noto Serif CJK JP") == [false, false])
    // Also a Han face of the book itself.
    let installed = family([.named("Noto Serif CJK JP")])
    let (bytes, number) = (installed.file.contents, "\(installed.faceIndex)")
    let rule = FontFaceDefinition(family: "Own", sources: [.data(key: "own.ttc", fragment: number) { bytes }])
    let own = FontBook(library: FontLibrary(), rules: [rule])
    let face = own.primaryFace(for: FontDescription(families: [.named("Own")], weight: 700, slant: .italic))
    #expect(face.isEmbedded && face.isSyntheticBold && !face.isSyntheticOblique)
  }

  @Test func `Han is never slanted`() throws {
    let cascade = book.cascade(for: FontDescription(slant: .italic), language: "zh")
    let face = try #require(book.fallback(for: [0x9AA8], in: cascade, script: "Hani"))
    #expect(!face.isSyntheticOblique)
  }

  @Test func `Metrics are those of the file`() throws {
    let face = family([.named("Liberation Serif")])
    #expect(face.unitsPerEm == 2048)
    #expect(face.metrics.ascent == 1825)
    #expect(face.metrics.descent == 443)
    #expect(face.metrics.lineGap == 87)
    #expect(face.metrics.spaceAdvance == 512)
    #expect(face.metrics.zeroAdvance == 1024)
    #expect(face.advance(face.glyph(0x61)) == 909)
    #expect(face.glyph(0x4E00) == 0)
    let han = family([.named("Noto Serif CJK JP")])
    #expect(han.metrics.hasVerticalMetrics && han.metrics.icAdvance == 1000)
  }

  @Test func `Glyphs of lookups are known`() throws {
    let latin = UInt32(tag: "Latn")
    let han = UInt32(tag: "Hani")
    let cjk = family([.named("Noto Serif CJK SC")])
    #expect(cjk.lookupCoverage(script: han, language: "zh").excludesIdeographs)
    // The Chinese face has Japanese forms.
    #expect(!cjk.lookupCoverage(script: han, language: "ja").excludesIdeographs)
    // A kern table with pairs of letters and spaces.
    let liberation = family([.named("Liberation Serif")]).lookupCoverage(script: latin, language: "en")
    #expect(!liberation.excludesSpace)
    let libertine = family([.generic(.serif)])
    let coverage = libertine.lookupCoverage(script: latin, language: "en")
    #expect(coverage.excludesSpace && !coverage.excludes(libertine.glyph(0x66)))
  }

  @Test func `Packed fonts are unpacked`() throws {
    let installed = family([.named("Liberation Serif")])
    let plain = installed.file.contents
    let file = try FontFile(data: Self.packed(plain), name: "a.woff")
    let rules = [FontFaceDefinition(family: "Packed", sources: [.data(key: "a.woff") { Self.packed(plain) }])]
    let book = FontBook(library: FontLibrary(), rules: rules)
    let face = book.primaryFace(for: FontDescription(families: [.named("Packed")]))
    #expect(face.isEmbedded && face.metrics == installed.metrics && file.contents.count >= plain.count - 64)
    #expect(throws: FontError.self) { try FontFile(data: Array(Self.packed(plain).prefix(500)), name: "cut.woff") }
  }

  @Test func `Packed fonts may or may not count their padding`() throws {
    let plain = family([.named("Liberation Serif")]).file.contents
    let packed = Self.packed(plain)
    let last = Self.lastTable(of: packed)
    let unpadded = Array(packed[..<last.end])
    let padding = packed.count - last.end
    func sfnt(_ data: [UInt8]) throws -> [UInt8] {
      let file = try FontFile(data: data, name: "a.woff")
      return withExtendedLifetime(file) { file.contents }
    }
    let whole = try sfnt(packed)
    for data in [
      Self.packed(plain, countedLength: unpadded.count), unpadded, packed + [0, 0, 0, 0], packed + [0, 0],
      Array(Self.packed(plain, countedLength: unpadded.count)[..<unpadded.count]),
    ] {
      #expect(try sfnt(data) == whole, "\(data.count) bytes, \(padding) of padding")
    }
    var overlapping = packed
    overlapping.replaceSubrange(68..<72, with: packed[48..<52])
    var twice = packed
    twice.replaceSubrange(64..<68, with: packed[44..<48])
    var grown = packed
    grown.replaceSubrange(56..<60, with: [7, 0, 0, 0])
    var shrunk = packed
    shrunk.replaceSubrange(56..<60, with: [0, 0, 0, 1])
    for data in [
      packed + [1, 2, 3, 4], Array(packed.dropLast(8)), overlapping, twice, grown, shrunk, Array(packed[..<44]),
    ] {
      #expect(throws: FontError.self) { try sfnt(data) }
    }
  }

  /// Where the last table of a WOFF file ends, without padding.
  private static func lastTable(of font: [UInt8]) -> (start: Int, end: Int) {
    func word(_ at: Int) -> Int { font[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    let count = word(12) >> 16
    let ends = (0..<count).map { (word(44 + $0 * 20 + 4), word(44 + $0 * 20 + 4) + word(44 + $0 * 20 + 8)) }
    return ends.max { $0.1 < $1.1 } ?? (0, 0)
  }

  /// A WOFF file (version 1) whose tables are stored, which the format allows.
  ///
  /// - Parameter countedLength: What the header says is the file's length; nil for the truth.
  private static func packed(_ font: [UInt8], countedLength: Int? = nil) -> [UInt8] {
    func half(_ at: Int) -> Int { Int(font[at]) << 8 | Int(font[at + 1]) }
    func word(_ at: Int) -> Int { half(at) << 16 | half(at + 2) }
    func bytes(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).reversed().map { UInt8(value >> ($0 * 8) & 255) } }
    let count = half(4)
    var directory: [UInt8] = []
    var body: [UInt8] = []
    var unpacked = 12 + 16 * count
    for index in 0..<count {
      let record = 12 + index * 16
      let (offset, length) = (word(record + 8), word(record + 12))
      let start = 44 + 20 * count + body.count
      directory += font[record..<(record + 4)]
      directory += bytes(start, 4) + bytes(length, 4) + bytes(length, 4) + font[(record + 4)..<(record + 8)]
      body += font[offset..<(offset + length)] + [UInt8](repeating: 0, count: -length & 3)
      unpacked += (length + 3) & ~3
    }
    let total = 44 + directory.count + body.count
    let header =
      Array("wOFF".utf8) + font[0..<4] + bytes(countedLength ?? total, 4) + bytes(count, 2) + [0, 0]
      + bytes(unpacked, 4)
    return header + [UInt8](repeating: 0, count: 24) + directory + body
  }

  /// Two fonts in one file.
  private static func collection(_ fonts: [[UInt8]]) -> [UInt8] {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).reversed().map { UInt8(value >> ($0 * 8) & 255) } }
    var start = (12 + 4 * fonts.count + 3) & ~3
    var header = Array("ttcf".utf8) + [0, 1, 0, 0] + bytes(fonts.count, 4)
    var body: [UInt8] = []
    for font in fonts {
      header += bytes(start, 4)
      var moved = font
      for index in 0..<(Int(font[4]) << 8 | Int(font[5])) {
        let record = 12 + index * 16 + 8
        let offset = font[record..<record + 4].reduce(0) { $0 << 8 | Int($1) }
        moved.replaceSubrange(record..<record + 4, with: bytes(offset + start, 4))
      }
      moved += [UInt8](repeating: 0, count: -moved.count & 3)
      body += moved
      start += moved.count
    }
    return header + body
  }

  /// The font with axes for weight and slant, along which nothing changes.
  ///
  /// - Parameter instances: Style and PostScript name of named instances, with weight and slant. The font is called Test Mono
  ///   if it has any.
  private static func variable(
    _ font: [UInt8], instances: [(style: String, postScript: String, weight: Int, slant: Int)] = []
  ) -> [UInt8] {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).reversed().map { UInt8(value >> ($0 * 8) & 255) } }
    func word(_ at: Int) -> Int { font[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    func axis(_ tag: String, _ values: [Int]) -> [UInt8] {
      Array(tag.utf8) + values.flatMap { bytes($0 << 16, 4) } + [0, 0, 1, 0]
    }
    var tables: [String: [UInt8]] = [:]
    for index in 0..<(Int(font[4]) << 8 | Int(font[5])) {
      let record = 12 + index * 16
      let tag = String(decoding: font[record..<record + 4], as: UTF8.self)
      tables[tag] = Array(font[word(record + 8)..<word(record + 8) + word(record + 12)])
    }
    let glyphs = Array(tables["maxp"]![4..<6])
    let count = Int(glyphs[0]) << 8 | Int(glyphs[1])
    tables["fvar"] =
      bytes(0x10000, 4) + bytes(16, 2) + bytes(2, 2) + bytes(2, 2) + bytes(20, 2) + bytes(instances.count, 2)
      + bytes(14, 2) + axis("wght", [100, 400, 900]) + axis("slnt", [-10, 0, 0])
    if !instances.isEmpty {
      var names = [(1, "Test Mono"), (2, "Regular"), (4, "Test Mono"), (6, "TestMono-Regular")]
      for (index, instance) in instances.enumerated() {
        tables["fvar"]! +=
          bytes(256 + 2 * index, 2) + [0, 0] + bytes(instance.weight << 16, 4) + bytes(instance.slant << 16, 4)
          + bytes(257 + 2 * index, 2)
        names += [(256 + 2 * index, instance.style), (257 + 2 * index, instance.postScript)]
      }
      var records: [UInt8] = []
      var strings: [UInt8] = []
      for (id, name) in names {
        let text = name.utf16.flatMap { bytes(Int($0), 2) }
        records += bytes(3, 2) + bytes(1, 2) + bytes(0x409, 2) + bytes(id, 2) + bytes(text.count, 2)
        records += bytes(strings.count, 2)
        strings += text
      }
      tables["name"] = [0, 0] + bytes(names.count, 2) + bytes(6 + records.count, 2) + records + strings
    }
    tables["gvar"] =
      bytes(0x10000, 4) + bytes(2, 2) + bytes(0, 2) + bytes(22 + 2 * count, 4) + glyphs + bytes(0, 2)
      + bytes(22 + 2 * count, 4) + [UInt8](repeating: 0, count: 2 * (count + 1))
    var directory = Array(font[0..<4]) + bytes(tables.count, 2) + [0, 0, 0, 0, 0, 0]
    var body: [UInt8] = []
    for (tag, table) in tables.sorted(by: { $0.key < $1.key }) {
      directory +=
        Array(tag.utf8) + [0, 0, 0, 0] + bytes(12 + 16 * tables.count + body.count, 4) + bytes(table.count, 4)
      body += table + [UInt8](repeating: 0, count: -table.count & 3)
    }
    return directory + body
  }

  @Test func `Variable fonts of the system are set to what is asked for`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "typeset-fonts-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let mono = family([.named("Liberation Mono")])
    try Data(Self.variable(mono.file.contents)).write(to: folder.appending(path: "variable.ttf"))
    let book = FontBook(library: FontLibrary(directories: [folder.path], usesSystemFonts: false))
    func face(_ weight: UInt16, _ slant: FontSlant, _ settings: [FontSetting] = []) -> FontFace {
      book.primaryFace(
        for: FontDescription(
          families: [.named("Liberation Mono")], weight: weight, slant: slant, obliqueAngle: 8, variations: settings))
    }
    let upright = face(650, .normal)
    #expect(upright.variationCoordinates == [650, 0] && upright.weight == 650 && !upright.isSyntheticBold)
    let oblique = face(400, .oblique)
    #expect(oblique.variationCoordinates == [400, -8] && !oblique.isSyntheticOblique)
    #expect(face(400, .italic).variationCoordinates == [400, -10])
    #expect(
      face(400, .normal, [FontSetting(tag: UInt32(tag: "wght"), value: 200)]).variationCoordinates == [200, 0])
    #expect(book.library.local("LiberationMono") != nil)
  }

  @Test func `Local names find instances of variable fonts`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "typeset-fonts-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let mono = family([.named("Liberation Mono")])
    let font = Self.variable(
      mono.file.contents, instances: [("Hefty", "TM-Stout", 800, -5), ("Slight", "TM-Reed", 150, 0)])
    try Data(font).write(to: folder.appending(path: "variable.ttf"))
    func coordinates(_ name: String, _ variations: [FontSetting] = []) -> [Float]? {
      let rule = FontFaceDefinition(family: "Chosen", sources: [.local(name)])
      let book = FontBook(library: FontLibrary(directories: [folder.path], usesSystemFonts: false), rules: [rule])
      let face = book.primaryFace(
        for: FontDescription(families: [.named("Chosen")], variations: variations))
      return book.library.local(name) == nil ? nil : face.variationCoordinates
    }
    #expect(coordinates("Test Mono") == [400, 0])
    #expect(coordinates("Test Mono Hefty") == [800, -5])
    #expect(coordinates("TM-Stout") == [800, -5])
    #expect(coordinates("tm-reed") == [150, 0])
    #expect(coordinates("TM-Reed", [FontSetting(tag: UInt32(tag: "wght"), value: 300)]) == [300, 0])
    #expect(coordinates("TM-None") == nil)
  }

  @Test func `Fonts of the book lean by their own axis`() throws {
    let mono = family([.named("Liberation Mono")])
    let data = Self.variable(mono.file.contents)
    func face(_ slant: FontSlant, angle: Float = 14, rule declared: FontSlant = .normal) -> FontFace? {
      let rule = FontFaceDefinition(
        family: "Leaning", sources: [.data(key: "leaning.ttf") { data }], weight: 100...900, slant: declared)
      return FontBook(library: FontLibrary(), rules: [rule]).primaryFace(
        for: FontDescription(families: [.named("Leaning")], weight: 650, slant: slant, obliqueAngle: angle))
    }
    #expect(face(.normal)?.variationCoordinates == [650, 0])
    let oblique = try #require(face(.oblique, angle: 8))
    #expect(oblique.variationCoordinates == [650, -8] && !oblique.isSyntheticOblique)
    // As far as the axis goes.
    #expect(face(.oblique)?.variationCoordinates == [650, -10])
    #expect(face(.italic)?.variationCoordinates == [650, -10] && face(.italic)?.isSyntheticOblique == false)
  }

  @Test func `Rules that say no weight have those of the axis`() throws {
    let mono = family([.named("Liberation Mono")])
    func face(_ data: [UInt8], isAutomatic: Bool) -> FontFace? {
      var rule = FontFaceDefinition(family: "Heavy", sources: [.data(key: "heavy.ttf") { data }])
      rule.hasAutomaticWeight = isAutomatic
      return FontBook(library: FontLibrary(), rules: [rule]).primaryFace(
        for: FontDescription(families: [.named("Heavy")], weight: 950))
    }
    let variable = Self.variable(mono.file.contents)
    let automatic = try #require(face(variable, isAutomatic: true))
    #expect(automatic.variationCoordinates == [900, 0] && !automatic.isSyntheticBold)
    let given = try #require(face(variable, isAutomatic: false))
    #expect(given.variationCoordinates == [400, 0] && given.isSyntheticBold)
    #expect(face(mono.file.contents, isAutomatic: true)?.isSyntheticBold == true)
  }

  @Test func `Fragments name fonts of collections`() throws {
    let serif = family([.named("Liberation Serif")])
    let mono = family([.named("Liberation Mono")])
    let data = Self.collection([serif.file.contents, mono.file.contents])
    func face(_ fragment: String?) -> FontFace? {
      let rule = FontFaceDefinition(
        family: "Both", sources: [.data(key: "both.ttc", fragment: fragment) { data }])
      let book = FontBook(library: FontLibrary(), rules: [rule])
      return book.primaryFace(for: FontDescription(families: [.named("Both")]))
    }
    #expect(face(nil)?.metrics == serif.metrics)
    #expect(face("LiberationMono")?.metrics == mono.metrics)
    #expect(face("1")?.metrics == mono.metrics)
    #expect(face("NoSuchFont")?.isEmbedded == false)
  }

  @Test func `Rules adjust measures`() throws {
    let installed = family([.named("Liberation Serif")])
    let bytes = installed.file.contents
    var rule = FontFaceDefinition(family: "Adjusted", sources: [.data(key: "a.ttf") { bytes }])
    rule.adjustments.size = 0.5
    rule.adjustments.ascent = 1
    rule.adjustments.lineGap = 0
    rule.features = [FontSetting(tag: UInt32(tag: "liga"), value: 0)]
    let book = FontBook(library: FontLibrary(), rules: [rule])
    let face = book.primaryFace(for: FontDescription(families: [.named("Adjusted")]))
    #expect(face.sizeAdjust == 0.5 && face.unitsPerEm == 2048 && face.features == rule.features)
    #expect(face.metrics.scaled(face.metrics.ascent, size: 16) == 8)
    #expect(face.metrics.scaled(face.metrics.zeroAdvance, size: 16) == 4)
    #expect(face.metrics.lineGap == 0 && face.metrics.descent == installed.metrics.descent)
  }

  @Test func `Embedded faces come first and bad ones fall through`() throws {
    let installed = family([.named("DejaVu Sans")])
    let bytes = installed.file.contents
    let rules = [
      FontFaceDefinition(
        family: "Book Face", sources: [.data(key: "noise.otf") { [1, 2, 3] }, .data(key: "a.ttf") { bytes }]),
      FontFaceDefinition(
        family: "Book Face", sources: [.data(key: "a.ttf") { bytes }], unicodeRanges: [0x41...0x5A]),
      FontFaceDefinition(family: "Broken", sources: [.data(key: "gone.ttf") { nil }]),
    ]
    let book = FontBook(library: FontLibrary(), rules: rules)
    let cascade = book.cascade(for: FontDescription(families: [.named("book face")], weight: 700))
    #expect(cascade.primary.isEmbedded && cascade.primary.isSyntheticBold && cascade.primary.familyName == "Book Face")
    #expect(cascade.entries[0].unicodeRanges == [0x41...0x5A])
    let broken = book.cascade(for: FontDescription(families: [.named("Broken")]))
    #expect(broken.primary.familyName == "Linux Libertine O")
    #expect(book.diagnostics.diagnostics.map(\.resource) == ["gone.ttf"])
  }
}
