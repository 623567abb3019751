import Primitives

/// A place in a publication: a path in its container and a fragment.
package struct ResourcePath: Hashable, Sendable, CustomStringConvertible {
  /// Relative to the container's root, percent escapes resolved.
  package var path: String
  /// The fragment after `#`, percent escapes resolved; nil when there is none.
  package var fragment: String?

  package init(path: String, fragment: String? = nil) {
    self.path = path
    self.fragment = fragment
  }

  package var description: String { fragment.map { "\(path)#\($0)" } ?? path }

  /// Resolves a relative URL against the path of the file it stands in (RFC 3986, section 5; EPUB 3.3, section 4.2.5).
  ///
  /// `..` never climbs above the root. Nil for URLs with a scheme or host: they name nothing in the book.
  package static func resolve(_ href: String, relativeTo base: String) -> ResourcePath? {
    if let plain = resolvePlain(href, relativeTo: base) { return plain }
    var rest = Substring(href)
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    var fragment: String?
    if let hash = rest.firstIndex(of: "#") {
      fragment = Self.fragment(rest[rest.index(after: hash)...])
      rest = rest[..<hash]
    }
    if hasScheme(rest) { return nil }
    if let query = rest.firstIndex(of: "?") { rest = rest[..<query] }
    if rest.isEmpty { return ResourcePath(path: base, fragment: fragment) }
    let path = PercentEncoding.decoded(String(rest)).map { $0 == "\\" ? "/" : $0 }
    guard !(path.count >= 2 && path[0] == "/" && path[1] == "/") else { return nil }
    var parts: [Substring] = []
    if path.first != "/" {
      parts = base.split(separator: "/", omittingEmptySubsequences: true).dropLast()
    }
    for part in String(path).split(separator: "/") {
      if part == "." { continue }
      if part == ".." {
        _ = parts.popLast()
      } else {
        parts.append(part)
      }
    }
    return ResourcePath(path: parts.joined(separator: "/"), fragment: fragment)
  }

  /// A fragment without its directives (URL Fragment Text Directives, section 3.3), which tell a browser what to mark.
  private static func fragment(_ text: Substring) -> String {
    PercentEncoding.decoded(String(text.firstRange(of: ":~:").map { text[..<$0.lowerBound] } ?? text))
  }

  /// The most frequent kind of URL: names of plain letters below the base's folder. Nil for any other.
  private static func resolvePlain(_ href: String, relativeTo base: String) -> ResourcePath? {
    var previous = UInt8(ascii: "/")
    var hash: String.Index?
    for index in href.utf8.indices {
      let byte = href.utf8[index]
      switch byte {
      case UInt8(ascii: "/"), UInt8(ascii: "."): if hash == nil, previous == 0x2F { return nil }
      case UInt8(ascii: "#") where hash == nil && previous != 0x2F: hash = index
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): break
      default: return nil
      }
      previous = byte
    }
    guard hash != nil || previous != 0x2F else { return nil }
    var folder = base.startIndex
    previous = 0x2F
    for index in base.utf8.indices {
      let byte = base.utf8[index]
      if byte == 0x2F {
        if previous == 0x2F { return nil }
        folder = base.utf8.index(after: index)
      }
      previous = byte
    }
    // Strings are joined faster than a string and a part of one.
    let name = String(href[..<(hash ?? href.endIndex)])
    return ResourcePath(
      path: String(base[..<folder]) + name, fragment: hash.map { String(href[href.utf8.index(after: $0)...]) })
  }

  /// The URL begins with a scheme such as `http:`.
  package static func hasScheme(_ href: some StringProtocol) -> Bool {
    guard let first = href.utf8.first, (first | 0x20) >= 0x61, (first | 0x20) <= 0x7A else { return false }
    for byte in href.utf8 {
      if byte == 0x3A { return true }
      let isSchemeByte =
        (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A || byte >= 0x30 && byte <= 0x39 || byte == 0x2B || byte == 0x2D
        || byte == 0x2E
      if !isSchemeByte { return false }
    }
    return false
  }
}
