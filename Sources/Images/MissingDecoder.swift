import CImageCodecs
package import Primitives

/// A library that is not installed and that pictures of a kind need.
package struct MissingDecoder: Hashable, Sendable {
  /// Such as `libwebp`.
  package let library: String
  /// The Debian package that brings it.
  package let package: String

  /// - Returns: nil where pictures of the kind can be drawn.
  package init?(for kind: ImageKind) {
    if kind == .svg {
      guard codec_svg_available() == 0 else { return nil }
      self.init(fileName: "librsvg-2.so.2")
      return
    }
    let codec =
      switch kind {
      case .jpeg: CODEC_JPEG
      case .gif: CODEC_GIF
      case .webp: CODEC_WEBP
      case .avif: CODEC_AVIF
      case .jxl: CODEC_JXL
      default: CODEC_PNG
      }
    guard let fileName = unsafe codec_missing_library(Int32(codec.rawValue)) else { return nil }
    unsafe self.init(fileName: String(cString: fileName))
  }

  /// - Parameter fileName: The library's file name with its version, such as `libwebp.so.7`.
  init(fileName: String) {
    let version = fileName.firstRange(of: ".so.")
    let stem = version.map { String(fileName[..<$0.lowerBound]) } ?? fileName
    switch stem {
    case "libjpeg": (library, package) = (stem, "libjpeg62-turbo")
    case "librsvg-2": (library, package) = ("librsvg", "librsvg2-2")
    default: (library, package) = (stem, stem + (version.map { String(fileName[$0.upperBound...]) } ?? ""))
    }
  }

  /// The warning that pictures are not drawn for want of it.
  package func diagnostic(pictures: Int, resource: String = "") -> Diagnostic {
    Diagnostic(
      .warning, code: "missing-decoder", resource: resource,
      message: "\(pictures) \(pictures == 1 ? "picture" : "pictures") cannot be drawn: \(library) is not installed; "
        + "install \(package)")
  }
}
