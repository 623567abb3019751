/// Bytes below a line that has a name and their SHA-256, so that what is damaged, cut, or of another name is told from
/// what is whole.
enum SealedBytes {
  static func seal(_ body: [UInt8], as name: String) -> [UInt8] {
    Array("\(name) \(SHA256.hex(body))\n".utf8) + body
  }

  /// The number of sealed bytes: the digest has 64, beside a space and a line feed.
  static func count(_ body: Int, as name: String) -> Int { name.utf8.count + 66 + body }

  /// - Returns: nil for bytes that were not sealed under the name, or are not whole.
  static func open(_ bytes: [UInt8], as name: String) -> [UInt8]? {
    guard let end = bytes.prefix(count(0, as: name)).firstIndex(of: 0x0A) else { return nil }
    let body = Array(bytes[(end + 1)...])
    return bytes[..<end].elementsEqual("\(name) \(SHA256.hex(body))".utf8) ? body : nil
  }
}
