import CCairo
import CFontconfig
import CImageCodecs
import CLibZip
import CYAML

/// A library that the engine loads when it is needed. A test that needs one is skipped where it is not installed.
package enum LoadedLibrary: CaseIterable {
  case cairo, fontconfig, gif, webp, avif, jxl, lcms, rsvg, yaml, zip

  package var isInstalled: Bool {
    switch self {
    case .cairo: cairo_is_available() != 0
    case .fontconfig: fontconfig_is_available() != 0
    case .gif: Self.canDecode(CODEC_GIF)
    case .webp: Self.canDecode(CODEC_WEBP)
    case .avif: Self.canDecode(CODEC_AVIF)
    case .jxl: Self.canDecode(CODEC_JXL)
    case .lcms: codec_colors_available() != 0
    case .rsvg: codec_svg_available() != 0
    case .yaml: yaml_is_available() != 0
    case .zip: libzip_is_available() != 0
    }
  }

  private static func canDecode(_ kind: codec_kind) -> Bool { codec_missing_library(Int32(kind.rawValue)) == nil }

  package static func areInstalled(_ libraries: LoadedLibrary...) -> Bool { libraries.allSatisfy(\.isInstalled) }
}
