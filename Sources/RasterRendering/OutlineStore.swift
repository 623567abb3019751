import CFreeType

/// Outlines of glyphs as they were loaded, in little memory: loading one takes three times as long as filling it, and each is
/// filled at up to four phases.
struct OutlineStore {
  private struct Entry {
    var start: Int
    var count: Int
    var contourStart: Int
    var contourCount: Int
    var flags: Int32
  }

  private var entries: [Entry] = []
  /// In 1/64 device pixels.
  private var points: [SIMD2<Int16>] = []
  private var tags: [UInt8] = []
  /// The last point of each contour, as FreeType counts them.
  private var contours: [Int16] = []

  /// Bytes taken.
  var byteCount: Int { points.count * 5 + contours.count * 2 + entries.count * MemoryLayout<Entry>.stride }

  mutating func removeAll() { self = OutlineStore() }

  /// Keeps an outline.
  ///
  /// - Returns: Its number; `nil` when it has too large an extent.
  mutating func save(_ outline: FT_Outline) -> Int? {
    let count = Int(outline.n_points)
    let contourCount = Int(outline.n_contours)
    let entry = Entry(
      start: points.count, count: count, contourStart: contours.count, contourCount: contourCount,
      flags: Int32(outline.flags))
    for index in 0..<count {
      let point = outline.points[index]
      guard let x = Int16(exactly: point.x), let y = Int16(exactly: point.y) else {
        points.removeSubrange(entry.start...)
        return nil
      }
      points.append(SIMD2(x, y))
    }
    if count > 0 { tags += UnsafeRawBufferPointer(start: outline.tags, count: count) }
    for index in 0..<contourCount { contours.append(Int16(truncatingIfNeeded: Int(outline.contours[index]))) }
    entries.append(entry)
    return entries.count - 1
  }

  /// Gives a copy of an outline that may be changed.
  mutating func withOutline<Result>(_ number: Int, _ body: (UnsafeMutablePointer<FT_Outline>) -> Result) -> Result {
    let entry = entries[number]
    return withUnsafeTemporaryAllocation(of: FT_Vector.self, capacity: Swift.max(entry.count, 1)) { vectors in
      for index in 0..<entry.count {
        let point = points[entry.start + index]
        vectors.initializeElement(at: index, to: FT_Vector(x: FT_Pos(point.x), y: FT_Pos(point.y)))
      }
      return tags.withUnsafeMutableBytes { tags in
        contours.withUnsafeMutableBytes { contours in
          var outline = FT_Outline()
          outline.n_points = .init(entry.count)
          outline.n_contours = .init(entry.contourCount)
          outline.points = vectors.baseAddress
          // Their types differ between versions of FreeType.
          outline.tags = tags.baseAddress.map { .init(OpaquePointer($0 + entry.start)) }
          outline.contours = contours.baseAddress.map { .init(OpaquePointer($0 + entry.contourStart * 2)) }
          outline.flags = .init(entry.flags)
          return body(&outline)
        }
      }
    }
  }
}
