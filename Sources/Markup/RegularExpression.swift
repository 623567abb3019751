import CPCRE
package import Primitives

/// A regular expression in the syntax of PCRE2, whose classes and cases are Unicode's. It is immutable, and any thread
/// may match by it.
@safe package final class RegularExpression: Sendable {
  package enum Fault: Error, Hashable {
    /// - Parameter character: Where it ends to be valid, from 0.
    case invalid(reason: String, character: Int)
    /// PCRE2 is not installed, and what brings it.
    case unavailable(String)
  }

  package let pattern: String
  private nonisolated(unsafe) let compiled: UnsafeMutableRawPointer

  package init(_ pattern: String) throws(Fault) {
    guard OptionalLibrary.pcre2.isInstalled else { throw .unavailable(OptionalLibrary.pcre2.absence) }
    self.pattern = pattern
    var (pattern, offset) = (pattern, 0)
    var message = [CChar](repeating: 0, count: 256)
    let compiled = pattern.withUTF8 { bytes in
      unsafe pcre_compile(bytes.baseAddress, bytes.count, &offset, &message, message.count)
    }
    guard let compiled = unsafe compiled else {
      let before = String(decoding: pattern.utf8.prefix(offset), as: UTF8.self)
      let reason = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw .invalid(reason: String(decoding: reason, as: UTF8.self), character: before.count)
    }
    unsafe self.compiled = compiled
  }

  deinit { unsafe pcre_free(compiled) }

  /// The expression matches somewhere in UTF-8; nil where that took too many steps to find out.
  package func matches(_ text: ArraySlice<UInt8>) -> Bool? {
    let result = unsafe text.withUnsafeBufferPointer {
      unsafe pcre_matches(compiled, $0.baseAddress, $0.count, Self.mostSteps)
    }
    return result < 0 ? nil : result > 0
  }

  /// Some milliseconds: expressions that backtrack without end are given up.
  private static let mostSteps: UInt32 = 100_000
}

extension OptionalLibrary {
  package static var pcre2: Self {
    unsafe Self(
      "PCRE2", purpose: "patterns of chapters in plain texts", isEssential: false,
      missingFile: pcre_missing_library())
  }
}
