/// The versions that a run was made with: the header that tells another library from another result (3.3).
package struct RunVersions: Hashable, Codable, Sendable {
  /// The engine's version and the hash of its binary.
  package var engine: String
  /// By name: HarfBuzz, FreeType, libxml2 and so on.
  package var libraries: [String: String]
  /// By file name: the hash of each font that may be used.
  package var fonts: [String: String]

  package init(engine: String, libraries: [String: String] = [:], fonts: [String: String] = [:]) {
    self.engine = engine
    self.libraries = libraries
    self.fonts = fonts
  }
}

extension RunVersions {
  /// The engine with the revision that it was built from, where that is known.
  func named(_ revision: String?) -> RunVersions {
    guard let revision, !revision.isEmpty else { return self }
    var versions = self
    versions.engine += ", revision " + revision
    return versions
  }
}
