import CImageCodecs
package import Primitives

extension OptionalLibrary {
  /// What draws pictures of a kind; nil for kinds that need no library of the system.
  package static func decoder(of kind: ImageKind) -> Self? {
    func codec(_ name: String, _ purpose: String, _ kind: codec_kind) -> Self {
      unsafe Self(name, purpose: purpose, missingFile: codec_missing_library(Int32(kind.rawValue)))
    }
    return switch kind {
    case .svg: unsafe Self("librsvg", purpose: "drawings (SVG)", missingFile: codec_svg_missing_library())
    case .jpeg: codec("libjpeg", "JPEG pictures", CODEC_JPEG)
    case .gif: codec("libgif", "GIF pictures", CODEC_GIF)
    case .webp: codec("libwebp", "WebP pictures", CODEC_WEBP)
    case .avif: codec("libavif", "AVIF pictures", CODEC_AVIF)
    case .jxl: codec("libjxl", "JPEG XL pictures", CODEC_JXL)
    default: nil
    }
  }

  /// What pictures are read, coloured and written with.
  package static var ofPictures: [Self] {
    let decoders = [.svg, .jpeg, .gif, .webp, .avif, .jxl].compactMap { decoder(of: $0) }
    return unsafe decoders + [
      Self(
        "Little CMS", purpose: "the colours of pictures with a profile", isEssential: false,
        missingFile: codec_colors_missing_library()),
      Self(
        "ISA-L", purpose: "pages as PNG in less time", isEssential: false, missingFile: codec_isal_missing_library()),
    ]
  }
}
