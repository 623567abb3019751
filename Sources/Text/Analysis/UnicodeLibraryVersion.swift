import CUnicode

/// The version of the library that knows the properties of characters, as it is when the program runs.
package enum UnicodeLibraryVersion {
  package static var icu: String {
    var text = [CChar](repeating: 0, count: 20)
    unsafe cu_version(&text)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
