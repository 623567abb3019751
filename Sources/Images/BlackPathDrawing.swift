import CFreeType
import CSS
import Graphics

/// An SVG document of nothing but paths in black, as title pages, publishers' marks and signatures are, drawn by FreeType in a
/// small part of the time in which librsvg is loaded.
///
/// Paths are filled as SVG 2, section 13.3, says of those without properties: each in opaque black over those before it, by the
/// nonzero rule.
struct BlackPathDrawing {
  private let outlines: [Outline]
  private let viewport: DrawingViewport

  /// A path, in user units.
  private struct Outline {
    var points: [SIMD2<Double>] = []
    var tags: [UInt8] = []
    /// The last point of each contour.
    var ends: [UInt16] = []
  }

  /// Points of a path that outlines can have in all versions of FreeType.
  private static let mostPoints = Int(Int16.max)
  /// Points of all paths, and the pixels of the picture times the paths, far above what ornaments have: larger drawings are
  /// left to a process that can be stopped. The side of a picture and the distance of a point from it, in pixels, as far as
  /// FreeType counts.
  private static let limits = (points: 400_000, pixels: 100_000_000, side: Int(Int16.max), distance: Float(200_000))

  /// A document of black paths for certain, with path data without fault.
  init?(_ document: [UInt8], _ plain: PlainSVG) {
    guard plain.content.isOfBlackPaths, let viewBox = plain.viewBox else { return nil }
    viewport = DrawingViewport(box: viewBox, preserveAspectRatio: nil)
    var outlines: [Outline] = []
    var count = 0
    for range in plain.content.paths {
      guard let outline = Self.outline(document[range]), outline.points.count <= Self.mostPoints else { return nil }
      count += outline.points.count
      guard count <= Self.limits.points else { return nil }
      outlines.append(outline)
    }
    self.outlines = outlines
  }

  /// The picture, filling a bitmap of the size as the initial `preserveAspectRatio` says; nil where FreeType refuses a path.
  func draw(width: Int, height: Int) -> Bitmap? {
    guard (1...Self.limits.side).contains(width), (1...Self.limits.side).contains(height),
      width * height * Swift.max(outlines.count, 1) <= Self.limits.pixels
    else { return nil }
    let map = viewport.map(to: SIMD2(Float(width), Float(height)), natural: nil)
    var library: FT_Library?
    guard unsafe FT_Init_FreeType(&library) == 0 else { return nil }
    defer { unsafe FT_Done_FreeType(library) }
    var coverage = Coverage(width: width, height: height)
    for outline in outlines where !outline.ends.isEmpty {
      guard unsafe coverage.add(outline, library, at: { map.point(SIMD2<Float>($0)) }) else { return nil }
    }
    return unsafe Bitmap(width: width, height: height) { memory in
      for (pixel, alpha) in coverage.alpha.enumerated() { unsafe memory[pixel * 4 + 3] = alpha }
    }
  }

  /// Path data as contours of FreeType; nil where there is a fault in it.
  private static func outline(_ data: ArraySlice<UInt8>) -> Outline? {
    var reader = PathReader(data)
    var builder = Builder()
    var isFirst = true
    while let command = reader.command() {
      guard !isFirst || command.letter == UInt8(ascii: "m") else { return nil }
      isFirst = false
      let isRead =
        switch command.letter {
        case UInt8(ascii: "z"): builder.close()
        case UInt8(ascii: "a"): builder.arc(&reader, isRelative: command.isRelative)
        default: builder.draw(command.letter, &reader, isRelative: command.isRelative)
        }
      guard isRead, builder.outline.points.count <= mostPoints else { return nil }
    }
    guard reader.isAtEnd else { return nil }
    builder.endContour()
    return builder.outline
  }

  /// Makes contours of the commands of a path (SVG 2, section 9.3).
  private struct Builder {
    var outline = Outline()
    private var pen = SIMD2<Double>()
    private var start = SIMD2<Double>()
    /// The last control point, for smooth curves.
    private var control: (point: SIMD2<Double>, isCubic: Bool)?
    private var contourStart = 0

    private static let (conic, onCurve, cubic): (UInt8, UInt8, UInt8) = (0, 1, 2)

    mutating func draw(_ letter: UInt8, _ reader: inout PathReader, isRelative: Bool) -> Bool {
      let origin = isRelative ? pen : SIMD2()
      var next: (point: SIMD2<Double>, isCubic: Bool)?
      defer { control = next }
      func point() -> SIMD2<Double>? { reader.point().map { origin + SIMD2<Double>($0) } }
      switch letter {
      case UInt8(ascii: "m"):
        guard let place = point() else { return false }
        endContour()
        (pen, start) = (place, place)
      case UInt8(ascii: "l"):
        guard let end = point() else { return false }
        append(end, Self.onCurve)
      case UInt8(ascii: "h"):
        guard let x = reader.number() else { return false }
        append(SIMD2(origin.x + Double(x), pen.y), Self.onCurve)
      case UInt8(ascii: "v"):
        guard let y = reader.number() else { return false }
        append(SIMD2(pen.x, origin.y + Double(y)), Self.onCurve)
      case UInt8(ascii: "c"), UInt8(ascii: "s"):
        guard let first = letter == UInt8(ascii: "s") ? smoothControl(isCubic: true) : point(), let second = point(),
          let end = point()
        else { return false }
        append(first, Self.cubic)
        append(second, Self.cubic)
        append(end, Self.onCurve)
        next = (second, true)
      case UInt8(ascii: "q"), UInt8(ascii: "t"):
        guard let middle = letter == UInt8(ascii: "t") ? smoothControl(isCubic: false) : point(), let end = point()
        else { return false }
        append(middle, Self.conic)
        append(end, Self.onCurve)
        next = (middle, false)
      default: return false
      }
      return true
    }

    private func smoothControl(isCubic: Bool) -> SIMD2<Double> {
      control.map { $0.isCubic == isCubic ? pen * 2 - $0.point : pen } ?? pen
    }

    mutating func arc(_ reader: inout PathReader, isRelative: Bool) -> Bool {
      guard let radii = reader.point(), let rotation = reader.number(), let isLarge = reader.flag(),
        let sweeps = reader.flag(), let place = reader.point()
      else { return false }
      let end = (isRelative ? pen : SIMD2()) + SIMD2<Double>(place)
      let arc = EllipticalArc(
        from: pen, to: end, radii: SIMD2<Double>(radii), rotation: Double(rotation), isLarge: isLarge, sweeps: sweeps)
      for (first, second, end) in arc?.curves(to: end) ?? [] {
        append(first, Self.cubic)
        append(second, Self.cubic)
        append(end, Self.onCurve)
      }
      if arc == nil { append(end, Self.onCurve) }
      control = nil
      return true
    }

    mutating func close() -> Bool {
      endContour()
      pen = start
      control = nil
      return true
    }

    private mutating func append(_ point: SIMD2<Double>, _ tag: UInt8) {
      if outline.points.count == contourStart {
        outline.points.append(pen)
        outline.tags.append(Self.onCurve)
      }
      outline.points.append(point)
      outline.tags.append(tag)
      if tag == Self.onCurve { pen = point }
    }

    mutating func endContour() {
      guard outline.points.count > contourStart else { return }
      outline.ends.append(UInt16(clamping: outline.points.count - 1))
      contourStart = outline.points.count
    }
  }

  /// How much of each pixel the paths cover, 255 for all of it.
  private struct Coverage {
    let width: Int
    let height: Int
    private(set) var alpha: [UInt8]

    init(width: Int, height: Int) {
      (self.width, self.height) = (width, height)
      alpha = Array(repeating: 0, count: width * height)
    }

    /// The memory that rows of a path are drawn into.
    @unsafe private struct Target {
      var alpha: UnsafeMutablePointer<UInt8>
      var width: Int
      var height: Int
    }

    /// Draws a path over those before it; false where FreeType refuses it.
    ///
    /// - Parameter place: The place in the bitmap of a point of the path, in pixels from the upper left.
    mutating func add(_ path: Outline, _ library: FT_Library?, at place: (SIMD2<Double>) -> SIMD2<Float>) -> Bool {
      var outline = unsafe FT_Outline()
      let (points, contours) = (FT_UInt(path.points.count), FT_Int(path.ends.count))
      guard unsafe FT_Outline_New(library, points, contours, &outline) == 0 else { return false }
      defer { unsafe FT_Outline_Done(library, &outline) }
      for (index, point) in path.points.enumerated() {
        let place = place(point)
        guard abs(place.x) < BlackPathDrawing.limits.distance, abs(place.y) < BlackPathDrawing.limits.distance else {
          return false
        }
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
        guard let target = unsafe target?.assumingMemoryBound(to: Target.self).pointee, let spans = unsafe spans,
          unsafe (0..<target.height).contains(Int(y))
        else { return }
        let row = unsafe target.alpha + (target.height - 1 - Int(y)) * target.width
        for index in 0..<Int(count) {
          let span = unsafe spans[index]
          let covered = UInt32(span.coverage)
          let end = unsafe Swift.min(Int(span.x) + Int(span.len), target.width)
          for x in Swift.max(Int(span.x), 0)..<Swift.max(end, Int(span.x), 0) {
            let product = unsafe UInt32(row[x]) * covered + 0x80
            unsafe row[x] = UInt8(truncatingIfNeeded: UInt32(row[x]) + covered - ((product + product >> 8) >> 8))
          }
        }
      }
      let (width, height) = (width, height)
      return unsafe alpha.withUnsafeMutableBufferPointer { alpha in
        guard let start = alpha.baseAddress else { return false }
        var target = unsafe Target(alpha: start, width: width, height: height)
        return unsafe withUnsafeMutablePointer(to: &target) { target in
          unsafe parameters.user = UnsafeMutableRawPointer(target)
          return unsafe FT_Outline_Render(library, &outline, &parameters) == 0
        }
      }
    }
  }
}
