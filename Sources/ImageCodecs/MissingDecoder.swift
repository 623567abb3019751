package import Primitives

/// A library that is not installed and that pictures of a kind need.
package struct MissingDecoder: Hashable, Sendable {
  /// Such as `libwebp`.
  package let library: String
  /// The package that brings it.
  package let package: String

  /// - Returns: nil where pictures of the kind can be drawn.
  package init?(for kind: ImageKind) {
    guard let decoder = OptionalLibrary.decoder(of: kind), let package = decoder.missingPackage else { return nil }
    self.init(library: decoder.name, package: package)
  }

  init(library: String, package: String) {
    self.library = library
    self.package = package
  }

  /// The warning that pictures are not drawn for want of it.
  package func diagnostic(pictures: Int, resource: String = "") -> Diagnostic {
    Diagnostic(
      .warning, code: "missing-decoder", resource: resource,
      message: "\(pictures) \(pictures == 1 ? "picture" : "pictures") cannot be drawn: \(library) is not installed"
        + SystemPackages.current.advice(package))
  }
}
