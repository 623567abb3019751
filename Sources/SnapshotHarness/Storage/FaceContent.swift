import Fonts
import Graphics
import Platform
import Primitives
import Synchronization

/// Faces known by what they draw and not by the bytes of their files, so that a font which was saved anew with equal outlines gives
/// equal pages.
///
/// A face's key tells it from the other faces of a unit; what it draws on a page is told by the outlines of the glyphs that the
/// page has. Both together change when, and only when, a page may look otherwise.
final class FaceContent: Sendable {
  /// By face and glyph: the hash of the outline.
  private let outlines = Lock<[FontID: [UInt64]]>([:])

  /// The glyphs that a key looks at: few, at the start of the font, where the letters are, so that signs which a new version adds
  /// at the end make no other face of it.
  private static let sample: [UInt16] = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233]

  /// The key of a face: its place in a collection and on the axes of a variable font, what is made up of it, and the outlines of a
  /// few glyphs. The palettes and pictures of a colour font are known by the bytes of its file.
  static func key(of face: FontFace) -> UInt64 {
    var hasher = StableHasher()
    hasher.combine(Int(face.unitsPerEm))
    hasher.combine(face.faceIndex)
    for coordinate in face.variationCoordinates { hasher.combine(coordinate) }
    hasher.combine(face.isSyntheticBold)
    hasher.combine(face.syntheticSlant)
    for glyph in sample where Int(glyph) < face.glyphCount { hasher.combine(hash(of: glyph, in: face)) }
    if face.isColor {
      let file = face.file
      hasher.combine(key(ofFile: file.bytes))
      if let palette = DrawnPalette(face.palette) {
        hasher.combine(palette.base)
        for number in palette.overrides.joined() { hasher.combine(Int(number)) }
      }
    }
    return hasher.value
  }

  /// The key of a file: of all its bytes, or of a large one's table directories, which hold a checksum of each table, and samples.
  private static func key(ofFile bytes: Span<UInt8>) -> UInt64 {
    var hasher = StableHasher()
    hasher.combine(bytes.count)
    let window = 1 << 14
    if bytes.count <= 1 << 20 {
      hasher.combine(bytes)
    } else {
      let step = (bytes.count - window) / 31
      for index in 0..<32 {
        hasher.combine(bytes.extracting(index * step..<index * step + window))
      }
    }
    return hasher.value
  }

  /// The outlines of glyphs of a face, in whatever order these come and however often.
  func outlines(of glyphs: some Sequence<UInt16>, in face: FontFace) -> UInt64 {
    outlines.withLock { known in
      var sum: UInt64 = 0
      var seen: Set<UInt16> = []
      for glyph in glyphs where Int(glyph) < face.glyphCount && seen.insert(glyph).inserted {
        if known[face.id] == nil { known[face.id] = [UInt64](repeating: 0, count: face.glyphCount) }
        var hash = known[face.id]?[Int(glyph)] ?? 0
        if hash == 0 {
          hash = Self.hash(of: glyph, in: face)
          known[face.id]?[Int(glyph)] = hash
        }
        var hasher = StableHasher()
        hasher.combine(Int(glyph))
        hasher.combine(hash)
        sum &+= hasher.value
      }
      return sum
    }
  }

  /// Of a glyph's outline and width; never zero.
  private static func hash(of glyph: UInt16, in face: FontFace) -> UInt64 {
    var hasher = StableHasher()
    hasher.combine(Int(face.advance(glyph)))
    func combine(_ tag: Int, _ points: SIMD2<Float>...) {
      hasher.combine(tag)
      for point in points {
        hasher.combine(point.x)
        hasher.combine(point.y)
      }
    }
    for step in face.outline(glyph) {
      switch step {
      case .move(let end): combine(0, end)
      case .line(let end): combine(1, end)
      case .quadratic(let control, let end): combine(2, control, end)
      case .cubic(let first, let second, let end): combine(3, first, second, end)
      case .close: combine(4)
      }
    }
    return hasher.value | 1
  }
}

extension DisplayList {
  /// By face: the glyphs that the list draws.
  var glyphsByFace: [FontID: [Range<Int>]] {
    var ranges: [FontID: [Range<Int>]] = [:]
    for case .glyphs(let font, _, _, _, _, let range) in items {
      ranges[font, default: []].append(range.clamped(to: 0..<glyphs.count))
    }
    return ranges
  }
}
