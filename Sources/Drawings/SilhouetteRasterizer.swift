import CFreeType
import Graphics
import Primitives

/// Draws black outlines by FreeType, as title pages, publishers' marks and signatures have them, in a small part of the
/// time in which cairo is loaded.
struct SilhouetteRasterizer {
  private let width: Int
  private let height: Int
  /// How much of each pixel the outlines cover, 255 for all of it.
  private var alpha: [UInt8]

  /// Points of an outline that all versions of FreeType can hold, the side of a picture, and the distance of a point
  /// from it, in pixels, as far as FreeType counts.
  private static let limits = (points: Int(Int16.max), side: Int(Int16.max), distance: Float(200_000))

  /// A drawing of nothing but opaque black outlines that are filled by the nonzero rule; nil for any other, and where
  /// FreeType refuses one of them.
  static func draw(_ drawing: Drawing, width: Int, height: Int, _ base: AffineTransform) -> Bitmap? {
    guard (1...limits.side).contains(width), (1...limits.side).contains(height) else { return nil }
    var outlines: [(DrawingPath, AffineTransform)] = []
    for command in drawing.commands {
      guard case .fill(let path, .color(.black), isEvenOdd: false, let map) = command else { return nil }
      outlines.append((path, map))
    }
    var library: FT_Library?
    guard unsafe FT_Init_FreeType(&library) == 0 else { return nil }
    defer { unsafe FT_Done_FreeType(library) }
    var rasterizer = SilhouetteRasterizer(width: width, height: height)
    for (path, map) in outlines {
      let map = map.concatenating(base)
      let outline = Outline(path)
      guard outline.points.count <= limits.points else { return nil }
      if outline.ends.isEmpty { continue }
      guard unsafe rasterizer.add(outline, library, at: { map.point(SIMD2<Float>($0)) }) else { return nil }
    }
    return .written(width: width, height: height) { bytes in
      for (pixel, alpha) in rasterizer.alpha.enumerated() { bytes[pixel * 4 + 3] = alpha }
    }
  }

  private init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    alpha = Array(repeating: 0, count: width * height)
  }

  /// A path as contours of FreeType.
  private struct Outline {
    var points: [DrawingPath.Place] = []
    var tags: [UInt8] = []
    /// The last point of each contour.
    var ends: [UInt16] = []
    private var start = DrawingPath.Place()
    private var contourStart = 0

    private static let (conic, onCurve, cubic): (UInt8, UInt8, UInt8) = (0, 1, 2)

    init(_ path: DrawingPath) {
      for element in path.elements {
        switch element {
        case .move(let place):
          endContour()
          start = place
        case .line(let end): append([(end, Self.onCurve)])
        case .quadratic(let control, let end): append([(control, Self.conic), (end, Self.onCurve)])
        case .cubic(let first, let second, let end):
          append([(first, Self.cubic), (second, Self.cubic), (end, Self.onCurve)])
        case .close: endContour()
        }
      }
      endContour()
    }

    private mutating func append(_ part: [(place: DrawingPath.Place, tag: UInt8)]) {
      if points.count == contourStart {
        points.append(start)
        tags.append(Self.onCurve)
      }
      for (place, tag) in part {
        points.append(place)
        tags.append(tag)
      }
    }

    private mutating func endContour() {
      guard points.count > contourStart else { return }
      ends.append(UInt16(clamping: points.count - 1))
      contourStart = points.count
    }
  }

  /// Covers pixels of a row, of which FreeType counts the lowest as the first.
  private mutating func cover(_ row: Int, _ spans: Span<FT_Span>) {
    guard (0..<height).contains(row) else { return }
    let start = (height - 1 - row) * width
    for index in spans.indices {
      let covered = UInt32(spans[index].coverage)
      let first = Swift.max(Int(spans[index].x), 0)
      let end = Swift.min(Int(spans[index].x) + Int(spans[index].len), width)
      for x in first..<Swift.max(end, first) {
        let old = UInt32(alpha[start + x])
        let product = old * covered + 0x80
        alpha[start + x] = UInt8(truncatingIfNeeded: old + covered - ((product + product >> 8) >> 8))
      }
    }
  }

  /// Draws an outline over those before it; false where FreeType refuses it.
  ///
  /// - Parameter place: The place in the bitmap of a point of the path, in pixels from the upper left.
  private mutating func add(
    _ path: Outline, _ library: FT_Library?, at place: (DrawingPath.Place) -> SIMD2<Float>
  ) -> Bool {
    var outline = unsafe FT_Outline()
    let (points, contours) = (FT_UInt(path.points.count), FT_Int(path.ends.count))
    guard unsafe FT_Outline_New(library, points, contours, &outline) == 0 else { return false }
    defer { unsafe FT_Outline_Done(library, &outline) }
    for (index, point) in path.points.enumerated() {
      let place = place(point)
      guard abs(place.x) < Self.limits.distance, abs(place.y) < Self.limits.distance else { return false }
      // FreeType counts rows upwards, in 1/64 pixel.
      unsafe outline.points[index] = FT_Vector(
        x: FT_Pos((place.x * 64).rounded()), y: FT_Pos(height * 64) - FT_Pos((place.y * 64).rounded()))
      unsafe outline.tags[index] = .init(path.tags[index])
    }
    for (index, end) in path.ends.enumerated() { unsafe outline.contours[index] = .init(end) }
    var parameters = unsafe FT_Raster_Params()
    unsafe parameters.flags = FT_RASTER_FLAG_AA | FT_RASTER_FLAG_DIRECT | FT_RASTER_FLAG_CLIP
    unsafe parameters.clip_box = FT_BBox(xMin: 0, yMin: 0, xMax: width, yMax: height)
    unsafe parameters.gray_spans = { y, count, spans, target in
      guard let target = unsafe target?.assumingMemoryBound(to: SilhouetteRasterizer.self) else { return }
      let spans = unsafe UnsafeBufferPointer(start: spans, count: Int(count))
      unsafe target.pointee.cover(Int(y), spans.span)
    }
    return unsafe withUnsafeMutablePointer(to: &self) { target in
      unsafe parameters.user = UnsafeMutableRawPointer(target)
      return unsafe FT_Outline_Render(library, &outline, &parameters) == 0
    }
  }
}
