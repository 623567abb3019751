import CFreeType
import CHarfBuzz
import CLibXML2
import CUnicode

/// The version of the engine and of the libraries whose output it depends on.
public enum EngineVersion {
  /// Of the engine.
  public static let current = "0.1.0"

  /// Names and versions in a fixed order.
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

  private static var libxml2: String { LIBXML_DOTTED_VERSION }

  private static var icu: String { cu_version().map { String(cString: $0) } ?? "" }
}
