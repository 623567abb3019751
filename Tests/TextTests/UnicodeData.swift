import FoundationEssentials

/// The Unicode test files that Debian's `unicode-data` installs; tests are skipped where they are absent.
enum UnicodeData {
  static func lines(_ path: String) -> [Substring]? {
    guard let data = try? Data(contentsOf: URL(filePath: "/usr/share/unicode/" + path)) else { return nil }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").filter {
      !$0.hasPrefix("#") && !$0.hasPrefix("@")
    }
  }

  struct Boundaries {
    var units: [UInt16]
    /// For each unit but the first, and the end: whether there is a boundary before it.
    var expected: Set<Int>
    var source: Substring
  }

  /// Cases of the form `÷ 0061 × 0308 ÷ # comment`.
  static func boundaries(_ path: String) -> [Boundaries]? {
    lines(path)?.map { line in
      var units: [UInt16] = []
      var expected = Set<Int>()
      for field in line.prefix(while: { $0 != "#" }).split(whereSeparator: { $0 == " " || $0 == "\t" }) {
        switch field {
        case "÷": expected.insert(units.count)
        case "×": break
        default:
          if let scalar = UInt32(field, radix: 16).flatMap(Unicode.Scalar.init) {
            units.append(contentsOf: scalar.utf16)
          }
        }
      }
      return Boundaries(units: units, expected: expected, source: line)
    }
  }
}
