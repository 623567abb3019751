package import Foundation

/// The program `typeset` that the build puts beside the tests.
package enum BuiltProgram {
  package static let url: URL = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("typeset")
  }()
}
