import Primitives

/// The bytes of one font file as an uncompressed sfnt: mapped from disk, or owned. Immutable, hence shared between
/// threads.
package final class FontFile: Sendable {
  /// The file's name without its folder, or the resource's path in a book.
  package let name: String
  /// The path of an installed font; nil for those of books.
  package let path: String?
  /// The sfnt.
  let blob: HarfBuzzBlob
  /// Bytes of memory that only this font takes: none for installed fonts, which are mapped from their files.
  let ownedByteCount: Int

  /// The sfnt.
  package var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let blob = blob
      return unsafe _overrideLifetime(blob.bytes, borrowing: self)
    }
  }

  /// A copy of the sfnt.
  package var contents: [UInt8] {
    let blob = blob
    return Array(blob.bytes)
  }

  /// Maps an installed font. Compressed ones are unpacked.
  package init(path: String) throws(FontError) {
    name = path.split(separator: "/").last.map(String.init) ?? path
    self.path = path
    guard let mapped = HarfBuzzBlob(path: path), mapped.count >= 12 else { throw .unreadable(path) }
    if WOFF.isCompressed(mapped.bytes) {
      blob = HarfBuzzBlob(try WOFF.unpack(mapped.bytes))
      ownedByteCount = blob.count
    } else {
      blob = mapped
      ownedByteCount = 0
    }
  }

  /// Takes a book's font. Every table must lie within the file, as browsers demand.
  package init(data: [UInt8], name: String) throws(FontError) {
    self.name = name
    path = nil
    let sfnt = HarfBuzzBlob(WOFF.isCompressed(data.span) ? try WOFF.unpack(data.span) : data)
    try SfntDirectory.validate(sfnt.bytes)
    blob = sfnt
    ownedByteCount = sfnt.count
  }

  /// The number of the font that a URL's fragment names: by PostScript name, or by number from 0. The first font where
  /// there is no fragment, or the file is no collection; nil where there is no such font.
  func number(fragment: String?) -> Int? {
    let count = HarfBuzzFace.count(in: blob)
    guard let fragment, !fragment.isEmpty, count > 1 else { return 0 }
    for number in 0..<Swift.min(count, 256) where HarfBuzzFace(blob, index: number)?.name(6) == fragment {
      return number
    }
    return Int(fragment).flatMap { $0 >= 0 && $0 < count ? $0 : nil }
  }
}

/// The table directory of an sfnt (OpenType 1.9, "Organization of an OpenType Font").
enum SfntDirectory {
  /// Refuses what is no sfnt, lacks a table that drawing needs, or has one of those outside the file.
  static func validate(_ bytes: Span<UInt8>) throws(FontError) {
    guard bytes.count >= 12 else { throw .invalid("the file is too short for a font") }
    var start = 0
    var version = word(bytes, 0)
    if version == UInt32(tag: "ttcf") {
      start = Int(word(bytes, 12))
      guard bytes.count >= 16, start <= bytes.count - 12 else { throw .invalid("the font collection is cut off") }
      version = word(bytes, start)
    }
    guard version == 0x0001_0000 || version == UInt32(tag: "OTTO") || version == UInt32(tag: "true") else {
      throw .invalid("the file is no OpenType font")
    }
    let count = Int(half(bytes, start + 4))
    guard count > 0, start + 12 + count * 16 <= bytes.count else {
      throw .invalid("the font's table directory is cut off")
    }
    var found = Set<UInt32>()
    for index in 0..<count {
      let record = start + 12 + index * 16
      let name = word(bytes, record)
      let offset = Int(word(bytes, record + 8))
      let length = Int(word(bytes, record + 12))
      guard offset <= bytes.count, length <= bytes.count - offset else {
        if essential.contains(name) { throw .invalid("a table of the font lies outside the file") }
        continue
      }
      found.insert(name)
      if name == UInt32(tag: "head") {
        guard length >= 54 else { throw .invalid("the font's head table is cut off") }
        let unitsPerEm = half(bytes, offset + 18)
        guard unitsPerEm >= 16, unitsPerEm <= 16384 else { throw .invalid("the font has no sensible em size") }
      }
      if name == UInt32(tag: "maxp") {
        guard length >= 6, half(bytes, offset + 4) > 0 else { throw .invalid("the font has no glyphs") }
      }
    }
    for name in ["head", "maxp", "cmap", "hhea", "hmtx"] where !found.contains(UInt32(tag: name)) {
      throw .invalid("the font has no \(name) table")
    }
    let outlines = found.contains(UInt32(tag: "glyf")) && found.contains(UInt32(tag: "loca"))
    let compact = found.contains(UInt32(tag: "CFF ")) || found.contains(UInt32(tag: "CFF2"))
    let pictures = found.contains(UInt32(tag: "CBDT")) || found.contains(UInt32(tag: "sbix"))
    guard outlines || compact || pictures else { throw .invalid("the font has no outlines") }
  }

  private static let essential = Set(
    ["head", "maxp", "cmap", "hhea", "hmtx", "glyf", "loca", "CFF ", "CFF2"].map(UInt32.init(tag:)))

  /// Four bytes, the highest first; 0 behind the end.
  static func word(_ bytes: Span<UInt8>, _ offset: Int) -> UInt32 {
    guard offset >= 0, offset + 4 <= bytes.count else { return 0 }
    return bytes.bigEndian(at: offset)
  }

  /// Two bytes, the highest first; 0 behind the end.
  static func half(_ bytes: Span<UInt8>, _ offset: Int) -> UInt16 {
    guard offset >= 0, offset + 2 <= bytes.count else { return 0 }
    return bytes.bigEndian(at: offset)
  }
}
