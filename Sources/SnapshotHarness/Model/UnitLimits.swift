/// Limits on the resources that one child may use (snapshot harness, 7.1).
package struct UnitLimits: Hashable, Codable, Sendable {
  /// Seconds on the wall; after them the child hangs.
  package var seconds = 300.0
  /// Resident bytes.
  package var memory = 2 << 30
  /// Bytes of one file it writes.
  package var fileSize = 4 << 30
  package var openFiles = 256

  package init() {}
}
