import Foundation

/// What lies beside the repository, in a folder `shared`, and is no part of it: conformance data and books.
package enum SharedData {
  private static let folder = RuleCase.support.deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("shared")

  package static func path(_ name: String) -> String { folder.appendingPathComponent(name).standardizedFileURL.path }

  /// Whether tests can be run that need a file or folder of it. They are skipped where it is missing; where `TYPESET_SHARED` is
  /// `required` they run nevertheless, and fail.
  package static func isThere(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: path(name))
      || ProcessInfo.processInfo.environment["TYPESET_SHARED"] == "required"
  }
}
