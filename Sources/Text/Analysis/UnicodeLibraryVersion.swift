import CUnicode
package import Primitives

/// The version of the library that knows boundaries, case and legacy encodings. A program works with that series alone, which is named
/// without loading it.
package enum UnicodeLibraryVersion {
  package static var icu: String { unsafe String(cString: cu_version()) }
}

extension OptionalLibrary {
  /// What knows boundaries, case and legacy encodings.
  package static var icu: Self {
    unsafe Self(
      "ICU", purpose: "words of Thai, Lao, Khmer and Burmese, other cases of letters, and old encodings",
      missingFile: cu_missing_library())
  }
}
