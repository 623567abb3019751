package import Foundation

/// The programs that the build puts beside the tests.
package enum BuiltProgram {
  /// `typeset`.
  package static let url = beside("typeset")
  /// `typeset-snapshot`.
  package static let snapshots = beside("typeset-snapshot")

  private static func beside(_ name: String) -> URL {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent(name)
  }
}
