import CUnicode

/// The version of the library that knows boundaries, case and legacy encodings. A program works with that series alone, which is named
/// without loading it.
package enum UnicodeLibraryVersion {
  package static var icu: String { unsafe String(cString: cu_version()) }
}
