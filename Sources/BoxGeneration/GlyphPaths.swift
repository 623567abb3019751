import Fonts
import Primitives

/// The glyphs of a text node of a drawing where they stand: one path for those that stand upright, one for each cluster that is
/// turned.
struct GlyphPaths: Sendable {
  // Both have no bytes between their fields: equal ones are told by their bytes.
  private struct Cluster: Sendable, BitwiseCopyable {
    var pen: SIMD2<Float>
    var size: Float
    var scale: Float
    var lean: Float
    var angle: Float
    var font: UInt32
    var glyphCount: UInt32
  }
  private struct Glyph: Sendable, BitwiseCopyable {
    var origin: SIMD2<Float>
    var id: UInt64
  }

  /// The outline of a glyph of a face.
  typealias Outlines = (FontID, _ glyph: UInt16) -> [OutlineStep]

  private var clusters: [Cluster] = []
  private var glyphs: [Glyph] = []

  mutating func append(
    _ cluster: ShapedDrawingText.Cluster, _ glyphs: ArraySlice<ShapedDrawingText.Glyph>, at pen: SIMD2<Float>,
    angle: Float
  ) {
    guard !glyphs.isEmpty else { return }
    let face = cluster.face
    clusters.append(
      Cluster(
        pen: pen, size: face.size, scale: face.scale, lean: face.lean, angle: angle, font: face.font.rawValue,
        glyphCount: UInt32(glyphs.count)))
    for glyph in glyphs { self.glyphs.append(Glyph(origin: glyph.origin, id: UInt64(glyph.id))) }
  }

  var isEmpty: Bool { clusters.isEmpty }

  /// Bytes that are the same for paths that are drawn the same.
  func write(to bytes: inout [UInt8]) {
    unsafe withUnsafeBytes(of: clusters.count) { unsafe bytes.append(contentsOf: $0) }
    unsafe clusters.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    unsafe glyphs.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
  }

  func markup(_ outlines: Outlines) -> [UInt8] {
    var upright = PathData()
    var turned: [UInt8] = []
    var next = 0
    for cluster in clusters {
      let own = glyphs[next..<next + Int(cluster.glyphCount)]
      next = own.endIndex
      let unit = cluster.size / 2048
      if cluster.angle == 0 {
        upright.unit = unit
        append(own, of: cluster, outlines, at: cluster.pen, to: &upright)
        continue
      }
      var path = PathData()
      path.unit = unit
      append(own, of: cluster, outlines, at: .zero, to: &path)
      guard !path.bytes.isEmpty else { continue }
      turned += "<path transform=\"translate(\(cluster.pen.x) \(cluster.pen.y)) rotate(\(cluster.angle))\" d=\"".utf8
      turned += path.bytes + "\"/>".utf8
    }
    return upright.bytes.isEmpty ? turned : "<path d=\"".utf8 + upright.bytes + "\"/>".utf8 + turned
  }

  private func append(
    _ glyphs: ArraySlice<Glyph>, of cluster: Cluster, _ outlines: Outlines, at pen: SIMD2<Float>,
    to path: inout PathData
  ) {
    for glyph in glyphs {
      path.append(outlines(FontID(rawValue: cluster.font), UInt16(truncatingIfNeeded: glyph.id))) { point in
        SIMD2(point.x + point.y * cluster.lean + glyph.origin.x, -point.y - glyph.origin.y) * cluster.scale + pen
      }
    }
  }
}

/// The `d` attribute of a path (SVG 2, section 9.3).
private struct PathData {
  var bytes: [UInt8] = []
  /// The unit that places are rounded to: they are written with as many decimals as it needs.
  var unit: Float = 0.01 {
    didSet { if unit != oldValue { decimals = Self.decimals(of: unit) } }
  }
  private var decimals = Self.decimals(of: 0.01)

  private static let powersOfTen: [Float] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]

  private static func decimals(of unit: Float) -> Int {
    powersOfTen.firstIndex { unit * $0 >= 1 } ?? powersOfTen.count - 1
  }

  @inline(__always)
  mutating func append(_ steps: [OutlineStep], place: (SIMD2<Float>) -> SIMD2<Float>) {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: steps.count * NumberWriter.longestStep) { scratch in
      guard let start = scratch.baseAddress else { return }
      var writer = unsafe NumberWriter(to: start, decimals: decimals, scale: Self.powersOfTen[decimals])
      for step in steps {
        switch step {
        case .move(let point):
          unsafe writer.command(0x4D)
          unsafe writer.append(place(point))
        case .line(let point):
          unsafe writer.command(0x4C)
          unsafe writer.append(place(point))
        case .quadratic(let a, let b):
          unsafe writer.command(0x51)
          unsafe writer.append(place(a))
          unsafe writer.append(place(b))
        case .cubic(let a, let b, let c):
          unsafe writer.command(0x43)
          unsafe writer.append(place(a))
          unsafe writer.append(place(b))
          unsafe writer.append(place(c))
        case .close: unsafe writer.command(0x5A)
        }
      }
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: writer.end - start))
    }
  }
}

/// Writes commands and numbers one behind the other into memory with room for them: a drawing's text has hundreds of thousands.
@unsafe private struct NumberWriter {
  private(set) var end: UnsafeMutablePointer<UInt8>
  private let decimals: Int
  private let divisor: UInt64
  private let scale: Double
  private let digitPairs = unsafe UnsafeRawPointer(Self.digitPairs.utf8Start)

  init(to start: UnsafeMutablePointer<UInt8>, decimals: Int, scale: Float) {
    unsafe end = unsafe start
    unsafe self.decimals = decimals
    unsafe divisor = UInt64(scale)
    unsafe self.scale = Double(scale)
  }

  /// A sign, sixteen digits and a point.
  private static let longestNumber = 18
  /// Bytes of a command and six numbers.
  static let longestStep = 1 + 6 * longestNumber

  @inline(__always)
  mutating func command(_ letter: UInt8) {
    unsafe end.initialize(to: letter)
    unsafe end += 1
  }

  @inline(__always)
  mutating func append(_ point: SIMD2<Float>) {
    unsafe append(point.x)
    unsafe append(point.y)
  }

  /// Pairs of digits, 00 to 99.
  private static let digitPairs: StaticString = """
    0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
    5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
    """

  /// A sign or a space, then the number without zeros at its end. One too large to mean anything is 0.
  @inline(__always)
  private mutating func append(_ value: Float) {
    let scaled = unsafe abs(Double(value) * scale)
    // The product has no more bits than a number of double precision holds, nor has the sum: halves are rounded away from zero.
    let rounded = scaled < 1e15 ? UInt64(scaled + 0.5) : 0
    unsafe command(value < 0 && rounded > 0 ? 0x2D : 0x20)
    let whole = unsafe rounded / divisor
    var fraction = unsafe rounded &- whole &* divisor
    unsafe append(whole, digits: Self.digitCount(whole))
    guard fraction > 0 else { return }
    var digits = unsafe decimals
    while fraction % 10 == 0 {
      fraction /= 10
      digits &-= 1
    }
    unsafe command(0x2E)
    unsafe append(fraction, digits: digits)
  }

  @inline(__always)
  private static func digitCount(_ number: UInt64) -> Int {
    if number < 10 { return 1 }
    if number < 100 { return 2 }
    if number < 1000 { return 3 }
    var count = 4
    var bound: UInt64 = 10_000
    while number >= bound {
      count &+= 1
      bound &*= 10
    }
    return count
  }

  @inline(__always)
  private mutating func append(_ number: UInt64, digits: Int) {
    var rest = number
    var left = digits
    while left >= 2 {
      left &-= 2
      let place = Int(truncatingIfNeeded: rest % 100) &* 2
      let pair = unsafe digitPairs.loadUnaligned(fromByteOffset: place, as: UInt16.self)
      unsafe UnsafeMutableRawPointer(end + left).storeBytes(of: pair, as: UInt16.self)
      rest /= 100
    }
    if left == 1 { unsafe end.initialize(to: 0x30 &+ UInt8(truncatingIfNeeded: rest)) }
    unsafe end += digits
  }
}
