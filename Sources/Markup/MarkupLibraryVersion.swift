import CLibXML2

/// The version of the library that markup goes through, as it is when the program runs.
package enum MarkupLibraryVersion {
  /// From its number, such as 20914, which Debian and others follow by the name of their own build.
  package static var libxml2: String {
    let number = unsafe clibxml2_version().map { unsafe String(cString: $0) } ?? ""
    guard let value = Int(number.prefix { $0.isASCII && $0.isNumber }), value > 0 else { return number }
    return "\(value / 10000).\(value / 100 % 100).\(value % 100)"
  }
}
