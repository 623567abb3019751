import CDeflate

/// The ICC profile that the file of an image holds: a chunk of PNG (W3C PNG 3, section 11.3.2.3) or WebP, segments of JPEG
/// (ICC.1:2022, annex B).
enum EmbeddedProfile {
  /// The largest profile that is read, in bytes: displays have a few kilobytes.
  private static let most = 1 << 22

  /// The bytes of the profile; nil where the file has none, or one that cannot be read.
  static func bytes(of file: [UInt8], kind: ImageKind) -> [UInt8]? {
    switch kind {
    case .png: png(file)
    case .jpeg: jpeg(file)
    case .webp: webp(file)
    default: nil
    }
  }

  private static func png(_ file: [UInt8]) -> [UInt8]? {
    var at = 8
    while at + 12 <= file.count {
      let length = word(file, at)
      let data = at + 8
      guard length <= file.count - data else { return nil }
      if stands("IDAT", in: file, at: at + 4) { return nil }
      if stands("iCCP", in: file, at: at + 4) {
        // A name of at most 79 bytes, the byte that ends it, and the method of compression, of which there is one.
        let chunk = file[data..<data + length]
        guard let end = chunk.prefix(80).firstIndex(of: 0), end + 2 < chunk.endIndex else { return nil }
        return inflate(chunk[(end + 2)...])
      }
      at = data + length + 4
    }
    return nil
  }

  private static func jpeg(_ file: [UInt8]) -> [UInt8]? {
    let name = Array("ICC_PROFILE".utf8) + [0]
    var profile: [UInt8] = []
    var at = 2
    // Segments up to the start of the scan, in the order of their numbers as all writers have them.
    while at + 4 <= file.count, file[at] == 0xFF, file[at + 1] != 0xDA {
      let length = Int(file[at + 2]) << 8 | Int(file[at + 3])
      let end = at + 2 + length
      guard length >= 2, end <= file.count else { break }
      if file[at + 1] == 0xE2, length > name.count + 4, file[(at + 4)...].starts(with: name) {
        profile += file[(at + 4 + name.count + 2)..<end]
        if profile.count > most { return nil }
      }
      at = end
    }
    return profile.isEmpty ? nil : profile
  }

  private static func webp(_ file: [UInt8]) -> [UInt8]? {
    var at = 12
    while at + 8 <= file.count {
      let length = (0..<4).reduce(0) { $0 | Int(file[at + 4 + $1]) << ($1 * 8) }
      guard length <= file.count - at - 8 else { return nil }
      if stands("ICCP", in: file, at: at) { return Array(file[(at + 8)..<(at + 8 + length)]) }
      at += 8 + length + length % 2
    }
    return nil
  }

  private static func word(_ bytes: [UInt8], _ at: Int) -> Int {
    Int(bytes[at]) << 24 | Int(bytes[at + 1]) << 16 | Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
  }

  private static func stands(_ name: String, in bytes: [UInt8], at start: Int) -> Bool {
    bytes[start...].starts(with: name.utf8)
  }

  private static func inflate(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard let decompressor = unsafe libdeflate_alloc_decompressor() else { return nil }
    defer { unsafe libdeflate_free_decompressor(decompressor) }
    let compressed = Array(bytes)
    var capacity = 1 << 14
    while capacity <= most {
      var result = LIBDEFLATE_SUCCESS
      let inflated = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        result = unsafe compressed.withUnsafeBufferPointer {
          unsafe libdeflate_zlib_decompress(
            decompressor, $0.baseAddress, $0.count, buffer.baseAddress, capacity, &count)
        }
        if result != LIBDEFLATE_SUCCESS { count = 0 }
      }
      if result == LIBDEFLATE_SUCCESS { return inflated }
      guard result == LIBDEFLATE_INSUFFICIENT_SPACE else { return nil }
      capacity *= 4
    }
    return nil
  }
}
