import Foundation
import Primitives
import Testing

@testable import Fonts

/// An index answers all that fontconfig would, and counts only as long as fontconfig would say the same.
@Suite struct FontIndexTests {
  /// A listing without fontconfig.
  private static func listing(stamps: [StampedPath] = []) -> FontListing {
    func face(_ path: String, _ family: String, weight: UInt16 = 400, isChosen: Bool = false, pages: [UInt32])
      -> ListedFace
    {
      let bits: [UInt32] = [0, 0, 0x07FF_FFFE, 0x07FF_FFFE, 0, 0, 0, 1 << 31]
      return ListedFace(
        path: path, faceIndex: 0, familyName: family, families: [FontCatalogue.fold(family), "second name"],
        fullNames: [FontCatalogue.fold(family) + " full"], postScriptName: "ps-" + path, styleName: "Regular",
        weight: weight...weight, slant: .normal, stretch: 75...100, isVariable: false, isColor: false,
        isChosen: isChosen, coverage: ListedFace.Coverage(pages: pages.map { .init(number: $0, bits: bits) }))
    }
    var listing = FontListing()
    listing.faces = [
      face("/b", "Aldus", weight: 700, pages: [0, 0x4E]), face("/a", "Aldus", pages: [0, 0x4E]),
      face("/c", "Noto Sans", pages: [3]), face("/d", "Bodoni", isChosen: true, pages: []),
      face("/e", "Bodoni", pages: [0x1F6]),
    ]
    listing.instances = [
      ListedInstance(instance: NamedInstance(path: "/c", faceIndex: 0, number: 2), names: ["noto thin"])
    ]
    listing.aliases = ["": ["any"], "times new roman": ["tinos"], "timesnewroman": ["tinos"]]
    listing.preferred = ["serif": "aldus", "emoji": nil]
    listing.stamps = stamps
    return listing
  }

  @Test func `What was listed is found by position, family, name and character`() throws {
    let index = FontIndex(FontIndexWriter.bytes(of: Self.listing()))
    #expect(index.faces.map(\.path) == ["/a", "/b", "/c", "/d", "/e"])
    #expect(index.faces.map(\.weight) == [400...400, 700...700, 400...400, 400...400, 400...400])
    #expect(index.faces.allSatisfy { $0.stretch == 75...100 && $0.slant == .normal && $0.styleName == "Regular" })
    #expect(index.members(ofFamily: "aldus") == [0, 1])
    #expect(index.members(ofFamily: "Aldus").isEmpty && !index.hasFamily("bodon"))
    // Faces of a folder named by the reader win over others of their name.
    #expect(index.members(ofFamily: "bodoni") == [3])
    #expect(index.members(ofFamily: "second name") == [3])
    #expect(index.familyOrder == ["noto sans", "aldus", "bodoni"])
    #expect(index.position(named: "aldus full") == 0 && index.position(named: "ps-/b") == 1)
    #expect(index.position(named: "") == nil && index.position(named: "aldus") == nil)
    let instance = try #require(index.instance(named: "noto thin"))
    #expect(instance.path == "/c" && instance.number == 2 && index.instances.count == 1)
    let first = index.face(0)
    #expect(first.covers(0x41) && first.covers(0x7A) && first.covers(0xFF) && first.covers(0x4E41))
    #expect(!first.covers(0x40) && !first.covers(0x141) && !first.covers(0x4E00) && !first.covers(0x10_FFFF))
    #expect(index.face(4).covers(0x1F641) && !index.face(3).covers(0x41))
  }

  @Test func `Names that no rule mentions have one answer, blanks do not count`() {
    var listing = Self.listing()
    let index = FontIndex(FontIndexWriter.bytes(of: listing))
    #expect(index.aliases(of: "times new roman") == ["tinos"] && index.aliases(of: "times newroman") == ["tinos"])
    #expect(index.aliases(of: "minion") == ["any"])
    #expect(index.preferredFamily(for: "serif") == .some("aldus") && index.preferredFamily(for: "emoji") == .some(nil))
    #expect(index.preferredFamily(for: "cursive") == nil)
    listing.matchesPartsOfNames = true
    #expect(FontIndex(FontIndexWriter.bytes(of: listing)).aliases(of: "minion") == nil)
  }

  @Test func `The machine's index says what fontconfig says`() throws {
    let configuration = try #require(FontConfiguration(directories: [], usesSystemFonts: true))
    let catalogue = FontCatalogue(directories: [], usesSystemFonts: true)
    let listed = configuration.list().faces
    var byPlace: [String: ListedFace] = [:]
    for face in listed where byPlace["\(face.path)#\(face.faceIndex)"]?.isVariable != true {
      byPlace["\(face.path)#\(face.faceIndex)"] = face
    }
    #expect(byPlace.count == catalogue.index.faceCount && !byPlace.isEmpty)
    for face in catalogue.index.faces {
      let expected = try #require(byPlace["\(face.path)#\(face.faceIndex)"])
      #expect(face.familyName == expected.familyName && face.family == expected.families[0])
      #expect(face.weight == expected.weight && face.slant == expected.slant && face.stretch == expected.stretch)
      #expect(face.isVariable == expected.isVariable && face.isColor == expected.isColor)
      for page in expected.coverage.pages {
        let characters = page.number << 8...page.number << 8 + 255
        #expect(characters.allSatisfy { face.covers($0) == (page.bits[Int($0 >> 5 & 7)] >> ($0 & 31) & 1 != 0) })
      }
    }
    for name in ["Times New Roman", "TimesNewRoman", "Arial", "Helvetica", "Minion Pro", "宋体", "serif", "No Such"] {
      #expect(catalogue.configuredAliases(of: name) == configuration.aliases(of: name), "\(name)")
    }
  }

  @Test func `Damaged bytes give other answers, never a crash`() {
    let bytes = FontIndexWriter.bytes(of: Self.listing(stamps: [StampedPath("/")]))
    func ask(_ index: FontIndex) {
      for face in index.faces.prefix(10) { _ = (face.path, face.familyName, face.styleName, face.covers(0x4E41)) }
      _ = (index.members(ofFamily: "aldus"), index.familyOrder.count, index.instances.count, index.isFresh)
      _ = (index.aliases(of: "minion"), index.preferredFamily(for: "serif"), index.position(named: "aldus full"))
      _ = index.configurationFiles
    }
    for position in bytes.indices {
      var damaged = bytes
      for value: UInt8 in [0, 0x7F, 0xFF, bytes[position] ^ 1] {
        damaged[position] = value
        ask(FontIndex(damaged))
      }
    }
    for length in 0..<bytes.count { #expect(FontIndex(Array(bytes[..<length])).faceCount == 0) }
  }

  // MARK: Files

  /// A folder that is taken away when the test is done.
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("index-\(UUID().uuidString)")
    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }
    var path: String { url.path }
    /// As if it had changed last in the year 2001.
    func age(_ name: String) throws {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceReferenceDate: 0)], ofItemAtPath: path + name)
    }
  }

  @Test func `A kept index counts until something that it was made from changes`() throws {
    let (cache, fonts) = (try Folder(), try Folder())
    try fonts.age("")
    let store = FontIndexStore(directories: [fonts.path], usesSystemFonts: false, folder: cache.path + "/typeset")
    let stamps = [StampedPath(fonts.path), StampedPath(fonts.path + "/none")]
    #expect(store.load() == nil)
    store.save(FontIndexWriter.bytes(of: Self.listing(stamps: stamps)), madeFrom: stamps)
    #expect(store.load()?.faceCount == 5)
    // Another configuration has a file of its own.
    #expect(FontIndexStore(directories: ["/x"], usesSystemFonts: false, folder: cache.path + "/typeset").load() == nil)
    try Data("rule".utf8).write(to: fonts.url.appendingPathComponent("none"))
    try fonts.age("")
    #expect(store.load() == nil)
    try FileManager.default.removeItem(atPath: fonts.path + "/none")
    try fonts.age("")
    #expect(store.load()?.faceCount == 5)
    try FileManager.default.createDirectory(atPath: fonts.path + "/more", withIntermediateDirectories: true)
    #expect(store.load() == nil)
  }

  @Test func `What has just changed is not kept, nor where the folder cannot be written`() throws {
    let (cache, fonts) = (try Folder(), try Folder())
    let stamps = [StampedPath(fonts.path)]
    let bytes = FontIndexWriter.bytes(of: Self.listing(stamps: stamps))
    let store = FontIndexStore(directories: [], usesSystemFonts: false, folder: cache.path)
    store.save(bytes, madeFrom: stamps)
    #expect(store.load() == nil)
    // A file stands where the folder would be.
    try Data().write(to: cache.url.appendingPathComponent("file"))
    let nowhere = FontIndexStore(directories: [], usesSystemFonts: false, folder: cache.path + "/file")
    nowhere.save(bytes, madeFrom: [])
    #expect(nowhere.load() == nil)
    FontIndexStore(directories: [], usesSystemFonts: false, folder: nil).save(bytes, madeFrom: [])
  }

  @Test func `Many writers leave a whole index and no drafts`() async throws {
    let cache = try Folder()
    let store = FontIndexStore(directories: [], usesSystemFonts: false, folder: cache.path)
    let bytes = FontIndexWriter.bytes(of: Self.listing())
    await withTaskGroup { group in
      for _ in 0..<16 {
        group.addTask {
          store.save(bytes, madeFrom: [])
          #expect(store.load().map { $0.faceCount == 5 } ?? true)
        }
      }
    }
    #expect(store.load()?.faceCount == 5)
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache.path).count == 1)
  }

  @Test func `Rules are read for the names that they mention`() throws {
    let folder = try Folder()
    let file = folder.path + "/rules.conf"
    try """
    <fontconfig><alias><family>Times &amp; Co</family><prefer><family>Tinos</family></prefer></alias>
    <match><test name="family" compare="contains"><string>Mono</string></test></match></fontconfig>
    """.write(toFile: file, atomically: true, encoding: .utf8)
    let rules = FontRules(files: [file, folder.path + "/none"])
    #expect(rules.names == ["times & co", "times&co", "tinos", "mono"])
    #expect(rules.matchesPartsOfNames)
    #expect(FontRules(files: []).names.isEmpty && !FontRules(files: []).matchesPartsOfNames)
  }
}
