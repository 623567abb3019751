import FoundationEssentials
import Platform
import Primitives
import Testing

@testable import SnapshotHarness

/// A folder for one test, removed with it.
final class TestFolder {
  let path: String
  init() {
    path = "/tmp/typeset-tests-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }
  subscript(_ name: String) -> String { path + "/" + name }
}

@Suite struct StorageTests {
  /// Written and read some elements at a time, a comparison is the same JSON as written at once.
  @Test func `Comparisons are written and read in pieces`() throws {
    let folder = TestFolder()
    var comparison = RunComparison(old: RunVersions(engine: "0"), new: RunVersions(engine: "\"1\\"), unitCount: 3)
    #expect(ComparisonFile.read(folder["none.json"]) == nil)
    for unit in 0..<3 {
      var one = UnitComparison(
        key: UnitKey(book: "雨 \(unit) [\"pages\":[]]", profile: "p"), title: "a {\\", language: "zh", oldPages: 1,
        newPages: 1)
      // None, one piece that is full, and pieces with a rest.
      for page in 0..<[0, 256, 700][unit] {
        let change = Change(kind: .moved, severity: .low, signature: "moved|\(page % 2)", summary: "],[\n")
        one.pages.append(
          PageChange(oldPage: page, newPage: page + 1, chapter: 1, href: "c\"d", changes: [change], fingerprint: 7))
      }
      comparison.units.append(one)
    }
    comparison.clusters = Clustering.clusters(of: comparison.units)
    comparison.warnings = ["\"units\":[]"]
    try ComparisonFile.write(comparison, to: folder["comparison.json"])
    let bytes = try #require(Files.read(folder["comparison.json"]))
    #expect(bytes == Files.json(comparison))
    #expect(ComparisonFile.read(folder["comparison.json"]) == comparison)
    // As others write it, and what is none.
    try Files.write(json: comparison, to: folder["pretty.json"], isPretty: true)
    #expect(ComparisonFile.read(folder["pretty.json"]) == comparison)
    for end in [0, 1, bytes.count / 3, bytes.count - 3] {
      try Files.write(bytes[..<end], to: folder["cut.json"])
      #expect(ComparisonFile.read(folder["cut.json"]) == nil)
    }
  }

  @Test func `Digests are those of the standard`() {
    #expect(SHA256.hex([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(SHA256.hex(Array("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    let long = Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)
    #expect(SHA256.hex(long) == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    var parts = SHA256()
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
    for start in stride(from: 0, to: 1000, by: 37) {
      parts.update(bytes.span.extracting(start..<min(1000, start + 37)))
    }
    #expect(parts.hex() == SHA256.hex(bytes))
  }

  @Test func `Frames of a pack come back`() throws {
    let folder = TestFolder()
    var writer = FramePack.Writer()
    let pages = (0..<5).map { Array("page \($0) ".utf8) + Array(repeating: UInt8($0), count: 1000) }
    let keys = pages.map { page in
      var hasher = StableHasher()
      hasher.combine(page)
      return hasher.value
    }
    for (key, page) in zip(keys, pages) { writer.append(frame: Zstd.compress(page), key: key) }
    let size = writer.file().count
    writer.append(frame: Zstd.compress(pages[0]), key: keys[0])
    #expect(writer.file().count == size)
    try Files.write(writer.file(), to: folder["a/pages.zst"])
    let pack = try #require(FramePack(path: folder["a/pages.zst"]))
    for (key, page) in zip(keys, pages) { #expect(pack.content(.display, key) == page) }
    // A frame that is not what its key says is none.
    writer.append(frame: Zstd.compress(pages[0]), key: 8)
    try Files.write(writer.file(), to: folder["a/other.zst"])
    #expect(FramePack(path: folder["a/other.zst"])?.content(.display, 8) == nil)
    #expect(pack.content(.display, 9) == nil)
    // Cut off, it is no pack.
    try Files.write(writer.file().dropLast(7), to: folder["cut.zst"])
    #expect(FramePack(path: folder["cut.zst"]) == nil)
  }

  @Test func `Frames are short by what their kind has in common, and older ones are read`() throws {
    let folder = TestFolder()
    for (kind, text) in [
      (
        FrameKind.record,
        #"{"type":"page","number":0,"chapter":1,"href":"a.xhtml","size":[600,800],"lines":[],"faces":[]}"#
      ),
      (.pdf, "Document/Sect/Table/TBody/TR/TD: a word"), (.beyond, "metadata title: T\nmetadata language: en"),
    ] {
      let content = Array(text.utf8)
      let older = Zstd.compress(content)
      let frame = kind.frame(of: content)
      #expect(frame.count * 3 < older.count * 2, "\(kind): \(frame.count) of \(older.count)")
      for (index, frame) in [frame, older].enumerated() {
        var writer = FramePack.Writer()
        writer.append(frame: frame, key: kind.key(of: content))
        let path = folder["\(index).\(kind.name)"]
        try Files.write(writer.file(), to: path)
        #expect(FramePack(path: path)?.content(kind, kind.key(of: content)) == content)
        // Without its index, as a process leaves it that was killed.
        try Files.write(frame, to: path)
        #expect(FramePack.repair(path, kind) == [kind.key(of: content)])
      }
    }
  }

  @Test func `Blobs are kept once`() throws {
    let folder = TestFolder()
    let store = BlobStore(folder["blobs"])
    let hash = try store.store([1, 2, 3])
    #expect(try store.store([1, 2, 3]) == hash)
    #expect(store.hashes() == [hash])
    #expect(store.read(hash) == [1, 2, 3])
  }

  @Test func `Palettes are kept`() {
    var selection = PaletteSelection(base: .index(2))
    selection.overrides = [.init(entry: 300, color: Color(red: 1, green: 2, blue: 3, alpha: 4))]
    #expect(DrawnPalette(PaletteSelection()) == nil)
    for selection in [selection, PaletteSelection(base: .light), PaletteSelection(base: .dark)] {
      #expect(DrawnPalette(selection)?.selection == selection)
    }
  }
}
