import CUnicode
import FoundationEssentials
import Testing

/// The Unicode test files that Debian's `unicode-data` installs.
enum UnicodeData {
  /// Skips tests where the files are not installed, or are of another version than the tables of properties.
  static let isUsable: ConditionTrait = .enabled(
    if: version == tableVersion, "the package unicode-data is not installed, or its version is not that of the tables")

  private static let tableVersion = String(cString: cu_unicode_version())

  /// From the first line, such as `# LineBreakTest-15.0.0.txt`.
  private static let version: String? = contents("auxiliary/LineBreakTest.txt").flatMap { text in
    text.prefix { $0 != "\n" }.split(separator: "-").last?.split(separator: ".").prefix(2).joined(separator: ".")
  }

  private static func contents(_ path: String) -> String? {
    (try? Data(contentsOf: URL(filePath: "/usr/share/unicode/" + path))).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The lines that are neither empty nor comments.
  static func lines(_ path: String) throws -> [Substring] {
    try #require(contents(path)).split(separator: "\n").filter { !$0.hasPrefix("#") }
  }

  struct Boundaries {
    var units: [UInt16]
    /// Where there is a boundary, the end included.
    var expected: Set<Int>
    var source: Substring
  }

  /// Cases of the form `÷ 0061 × 0308 ÷ # comment`.
  static func boundaries(_ path: String) throws -> [Boundaries] {
    try lines(path).map { line in
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
