import CHarfBuzz
import Platform

/// The bytes of one font file as an uncompressed sfnt: mapped from disk, or owned.
///
/// Immutable after `init`, and `hb_blob_t` counts its references atomically, so files are shared between threads.
@safe package final class FontFile: @unchecked Sendable {
  /// The file's name without its folder, or the resource's path in a book.
  package let name: String
  /// The path of an installed font; nil for those of books.
  package let path: String?
  /// HarfBuzz's view of `bytes`.
  package let blob: OpaquePointer
  /// The sfnt. Valid as long as the file object lives.
  package let bytes: UnsafeRawBufferPointer
  private let owned: UnsafeMutableRawBufferPointer?

  /// Maps an installed font. Compressed ones are unpacked.
  package init(path: String) throws(FontError) {
    name = path.split(separator: "/").last.map(String.init) ?? path
    self.path = path
    guard let blob = unsafe hb_blob_create_from_file_or_fail(path) else { throw .unreadable(path) }
    var length: UInt32 = 0
    guard let data = unsafe hb_blob_get_data(blob, &length), length >= 12 else {
      unsafe hb_blob_destroy(blob)
      throw .unreadable(path)
    }
    let raw = unsafe UnsafeRawBufferPointer(start: data, count: Int(length))
    if unsafe WOFF.isCompressed(raw) {
      let unpacked: UnsafeMutableRawBufferPointer
      do { unsafe unpacked = try unsafe WOFF.unpack(raw) } catch {
        unsafe hb_blob_destroy(blob)
        throw error
      }
      unsafe hb_blob_destroy(blob)
      unsafe owned = unsafe unpacked
      unsafe bytes = UnsafeRawBufferPointer(unpacked)
      unsafe self.blob = unsafe Self.wrap(bytes)
    } else {
      unsafe owned = nil
      unsafe bytes = unsafe raw
      unsafe self.blob = unsafe blob
    }
    unsafe hb_blob_make_immutable(self.blob)
  }

  /// Takes a book's font. Every table must lie within the file, as browsers demand.
  package init(data: [UInt8], name: String) throws(FontError) {
    self.name = name
    path = nil
    let buffer: UnsafeMutableRawBufferPointer
    // Typed throws do not pass through closures of the standard library, hence the result value.
    let copied: Result<UnsafeMutableRawBufferPointer, FontError> = unsafe data.withUnsafeBytes { raw in
      if unsafe WOFF.isCompressed(raw) {
        do throws(FontError) { return unsafe .success(try WOFF.unpack(raw)) } catch { return unsafe .failure(error) }
      }
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: Swift.max(raw.count, 1), alignment: 16)
      unsafe copy.copyMemory(from: raw)
      return unsafe .success(UnsafeMutableRawBufferPointer(rebasing: copy[0..<raw.count]))
    }
    unsafe buffer = try unsafe copied.get()
    do throws(FontError) { try unsafe SfntDirectory.validate(UnsafeRawBufferPointer(buffer)) } catch {
      unsafe buffer.deallocate()
      throw error
    }
    unsafe owned = unsafe buffer
    unsafe bytes = UnsafeRawBufferPointer(buffer)
    unsafe blob = unsafe Self.wrap(bytes)
    unsafe hb_blob_make_immutable(blob)
  }

  /// Bytes of memory that only this font takes: none for installed fonts, which are mapped from their files.
  var ownedByteCount: Int { unsafe owned?.count ?? 0 }

  deinit {
    unsafe hb_blob_destroy(blob)
    unsafe owned?.deallocate()
  }

  /// The number of the font that a URL's fragment names: by PostScript name, or by number from 0. The first font where
  /// there is no fragment, or the file is no collection; nil where there is no such font.
  func number(fragment: String?) -> Int? {
    let count = unsafe hb_face_count(blob)
    guard let fragment, !fragment.isEmpty, count > 1 else { return 0 }
    for number in 0..<Swift.min(count, 256) {
      guard let face = unsafe hb_face_create(blob, number) else { continue }
      defer { unsafe hb_face_destroy(face) }
      if unsafe FontFace.name(of: face, id: 6) == fragment { return Int(number) }
    }
    return Int(fragment).flatMap { $0 >= 0 && $0 < Int(count) ? $0 : nil }
  }

  private static func wrap(_ bytes: UnsafeRawBufferPointer) -> OpaquePointer {
    unsafe hb_blob_create(
      bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(bytes.count), HB_MEMORY_MODE_READONLY, nil, nil)
  }
}

/// The table directory of an sfnt (OpenType 1.9, "Organization of an OpenType Font").
enum SfntDirectory {
  /// Refuses what is no sfnt, lacks a table that drawing needs, or has one of those outside the file.
  static func validate(_ bytes: UnsafeRawBufferPointer) throws(FontError) {
    guard bytes.count >= 12 else { throw .invalid("the file is too short for a font") }
    var start = 0
    var version = unsafe word(bytes, 0)
    if version == tag("ttcf") {
      start = unsafe Int(word(bytes, 12))
      guard bytes.count >= 16, start <= bytes.count - 12 else { throw .invalid("the font collection is cut off") }
      version = unsafe word(bytes, start)
    }
    guard version == 0x0001_0000 || version == tag("OTTO") || version == tag("true") else {
      throw .invalid("the file is no OpenType font")
    }
    let count = unsafe Int(half(bytes, start + 4))
    guard count > 0, start + 12 + count * 16 <= bytes.count else {
      throw .invalid("the font's table directory is cut off")
    }
    var found = Set<UInt32>()
    for index in 0..<count {
      let record = start + 12 + index * 16
      let name = unsafe word(bytes, record)
      let offset = unsafe Int(word(bytes, record + 8))
      let length = unsafe Int(word(bytes, record + 12))
      guard offset <= bytes.count, length <= bytes.count - offset else {
        if essential.contains(name) { throw .invalid("a table of the font lies outside the file") }
        continue
      }
      found.insert(name)
      if name == tag("head") {
        guard length >= 54 else { throw .invalid("the font's head table is cut off") }
        let unitsPerEm = unsafe half(bytes, offset + 18)
        guard unitsPerEm >= 16, unitsPerEm <= 16384 else { throw .invalid("the font has no sensible em size") }
      }
      if name == tag("maxp") {
        guard length >= 6, unsafe half(bytes, offset + 4) > 0 else { throw .invalid("the font has no glyphs") }
      }
    }
    for name in ["head", "maxp", "cmap", "hhea", "hmtx"] where !found.contains(tag(name)) {
      throw .invalid("the font has no \(name) table")
    }
    let outlines = found.contains(tag("glyf")) && found.contains(tag("loca"))
    let compact = found.contains(tag("CFF ")) || found.contains(tag("CFF2"))
    let pictures = found.contains(tag("CBDT")) || found.contains(tag("sbix"))
    guard outlines || compact || pictures else { throw .invalid("the font has no outlines") }
  }

  private static let essential = Set(["head", "maxp", "cmap", "hhea", "hmtx", "glyf", "loca", "CFF ", "CFF2"].map(tag))

  static func tag(_ name: String) -> UInt32 { name.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

  static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
    guard offset >= 0, offset + 4 <= bytes.count else { return 0 }
    return unsafe UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  static func half(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt16 {
    guard offset >= 0, offset + 2 <= bytes.count else { return 0 }
    return unsafe UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }
}
