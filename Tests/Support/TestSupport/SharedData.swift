import Foundation

/// Conformance data and books beside the repository, in a folder `shared`, which is no part of it.
package enum SharedData {
  private static let folder = RuleCase.support.deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("shared")

  package static func path(_ name: String) -> String { folder.appendingPathComponent(name).standardizedFileURL.path }

  /// Tests that need a file or folder of it can be run. They are skipped where it is missing; where `TYPESET_SHARED` is
  /// `required` they run nevertheless, and fail.
  package static func isThere(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: path(name))
      || ProcessInfo.processInfo.environment["TYPESET_SHARED"] == "required"
  }
}
