import CFreeType
import CHarfBuzz

/// The versions of the libraries that fonts go through, as they are when the program runs.
package enum FontLibraryVersions {
  package static var harfBuzz: String { unsafe hb_version_string().map { unsafe String(cString: $0) } ?? "" }

  package static var freeType: String {
    var library: FT_Library?
    guard unsafe FT_Init_FreeType(&library) == 0 else { return "" }
    defer { unsafe FT_Done_FreeType(library) }
    var major: FT_Int = 0
    var minor: FT_Int = 0
    var patch: FT_Int = 0
    unsafe FT_Library_Version(library, &major, &minor, &patch)
    return "\(major).\(minor).\(patch)"
  }

  /// fontconfig is installed, and part of the process from now on. It is loaded by itself only where no fresh index of its answers is
  /// kept (`FontIndexStore`).
  package static var hasFontconfig: Bool { FontConfiguration.isInstalled }
}
