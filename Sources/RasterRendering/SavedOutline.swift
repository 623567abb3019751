import CFreeType

/// Outlines of glyphs as they were loaded, in little memory: loading one takes three times as long as filling it, and each is
/// filled at up to four phases.
///
/// Behind the header lie the points, in 1/64 device pixels, the last point of each contour and the tags of the points.
struct SavedOutline {
  private var pointCount: Int32
  private var contourCount: Int32
  private var flags: Int32

  private typealias Point = SIMD2<Int16>
  private static let header = 16

  /// Keeps an outline.
  ///
  /// - Returns: Its place; zero when it has too large an extent, or the arena no room.
  static func save(_ outline: FT_Outline, in arena: GlyphArena) -> GlyphPlace {
    let count = unsafe Int(outline.n_points)
    let contourCount = unsafe Int(outline.n_contours)
    for index in 0..<count {
      let point = unsafe outline.points[index]
      guard Int16(exactly: point.x) != nil, Int16(exactly: point.y) != nil else { return 0 }
    }
    let place = arena.take(header + count * 5 + contourCount * 2)
    guard place != 0 else { return 0 }
    var memory = unsafe arena.memory(place)
    unsafe memory.storeBytes(
      of: SavedOutline(
        pointCount: Int32(count), contourCount: Int32(contourCount), flags: Int32(outline.flags)), as: SavedOutline.self
    )
    unsafe memory += header
    for index in 0..<count {
      let point = unsafe outline.points[index]
      unsafe memory.storeBytes(
        of: Point(Int16(truncatingIfNeeded: point.x), Int16(truncatingIfNeeded: point.y)), toByteOffset: index * 4,
        as: Point.self)
    }
    unsafe memory += count * 4
    for index in 0..<contourCount {
      unsafe memory.storeBytes(
        of: Int16(truncatingIfNeeded: Int(outline.contours[index])), toByteOffset: index * 2, as: Int16.self)
    }
    unsafe memory += contourCount * 2
    if count > 0 { unsafe memory.copyMemory(from: outline.tags, byteCount: count) }
    return place
  }

  /// Gives a copy of an outline whose points may be changed.
  static func withOutline<Result>(
    at place: GlyphPlace, in arena: GlyphArena, _ body: (UnsafeMutablePointer<FT_Outline>) -> Result
  ) -> Result {
    let memory = unsafe arena.memory(place)
    let saved = unsafe memory.load(as: SavedOutline.self)
    let (count, contourCount) = (Int(saved.pointCount), Int(saved.contourCount))
    let points = unsafe memory + header
    let contours = unsafe points + count * 4
    return unsafe withUnsafeTemporaryAllocation(of: FT_Vector.self, capacity: Swift.max(count, 1)) { vectors in
      for index in 0..<count {
        let point = unsafe points.load(fromByteOffset: index * 4, as: Point.self)
        unsafe vectors.initializeElement(at: index, to: FT_Vector(x: FT_Pos(point.x), y: FT_Pos(point.y)))
      }
      var outline = unsafe FT_Outline()
      unsafe outline.n_points = .init(count)
      unsafe outline.n_contours = .init(contourCount)
      unsafe outline.points = vectors.baseAddress
      // Their types differ between versions of FreeType, which reads them only.
      unsafe outline.contours = unsafe .init(OpaquePointer(contours))
      unsafe outline.tags = unsafe .init(OpaquePointer(contours + contourCount * 2))
      unsafe outline.flags = .init(saved.flags)
      return unsafe body(&outline)
    }
  }
}
