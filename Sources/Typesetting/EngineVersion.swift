import CFreeType
import CHarfBuzz
import CLibXML2
import CUnicode

/// The version of the engine and of the libraries whose output it depends on.
public enum EngineVersion {
  /// Of the engine.
  public static let current = "0.1.0"

  /// Of the sources that the engine was built from: equal ones have equal builds, wherever they were built.
  public static var build: String { EngineBuild.digest }

  /// Names and versions in a fixed order, as they are when the program runs.
  public static var libraries: [(name: String, version: String)] {
    [("HarfBuzz", harfBuzz), ("FreeType", freeType), ("libxml2", libxml2), ("ICU", icu)]
  }

  private static var harfBuzz: String { hb_version_string().map { String(cString: $0) } ?? "" }

  private static var freeType: String {
    var library: FT_Library?
    guard FT_Init_FreeType(&library) == 0 else { return "" }
    defer { FT_Done_FreeType(library) }
    var major: FT_Int = 0
    var minor: FT_Int = 0
    var patch: FT_Int = 0
    FT_Library_Version(library, &major, &minor, &patch)
    return "\(major).\(minor).\(patch)"
  }

  /// From its number, such as 20914, which Debian and others follow by the name of their own build.
  private static var libxml2: String {
    let number = clibxml2_version().map { String(cString: $0) } ?? ""
    guard let value = Int(number.prefix { $0.isASCII && $0.isNumber }), value > 0 else { return number }
    return "\(value / 10000).\(value / 100 % 100).\(value % 100)"
  }

  private static var icu: String {
    var text = [CChar](repeating: 0, count: 20)
    cu_version(&text)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
