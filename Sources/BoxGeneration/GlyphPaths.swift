import Fonts
import Primitives

/// The glyphs of a text node of a drawing where they stand: one path for those that stand upright, one for each cluster
/// that is turned.
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
    bytes.append(littleEndian: clusters.count)
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
    withScratch(repeating: UInt8(0), count: steps.count * NumberWriter.longestStep) { scratch in
      var writer = NumberWriter(decimals: decimals, scale: Self.powersOfTen[decimals])
      for step in steps {
        switch step {
        case .move(let point):
          writer.command(0x4D, to: &scratch)
          writer.append(place(point), to: &scratch)
        case .line(let point):
          writer.command(0x4C, to: &scratch)
          writer.append(place(point), to: &scratch)
        case .quadratic(let a, let b):
          writer.command(0x51, to: &scratch)
          writer.append(place(a), to: &scratch)
          writer.append(place(b), to: &scratch)
        case .cubic(let a, let b, let c):
          writer.command(0x43, to: &scratch)
          writer.append(place(a), to: &scratch)
          writer.append(place(b), to: &scratch)
          writer.append(place(c), to: &scratch)
        case .close: writer.command(0x5A, to: &scratch)
        }
      }
      bytes.append(contentsOf: scratch.span.extracting(first: writer.end))
    }
  }
}

/// Writes commands and numbers one behind the other into memory with room for them: a drawing's text has hundreds of
/// thousands.
private struct NumberWriter {
  private(set) var end = 0
  private let decimals: Int
  private let divisor: UInt64
  private let scale: Double

  init(decimals: Int, scale: Float) {
    self.decimals = decimals
    divisor = UInt64(scale)
    self.scale = Double(scale)
  }

  /// A sign, sixteen digits and a point.
  private static let longestNumber = 18
  /// Bytes of a command and six numbers.
  static let longestStep = 1 + 6 * longestNumber

  @inline(__always)
  mutating func command(_ letter: UInt8, to output: inout MutableSpan<UInt8>) {
    output[end] = letter
    end += 1
  }

  @inline(__always)
  mutating func append(_ point: SIMD2<Float>, to output: inout MutableSpan<UInt8>) {
    append(point.x, to: &output)
    append(point.y, to: &output)
  }

  /// A sign or a space, then the number without zeros at its end. One too large to mean anything is 0.
  @inline(__always)
  private mutating func append(_ value: Float, to output: inout MutableSpan<UInt8>) {
    let scaled = abs(Double(value) * scale)
    // The product has no more bits than a number of double precision holds, nor has the sum: halves are rounded away
    // from zero.
    let rounded = scaled < 1e15 ? UInt64(scaled + 0.5) : 0
    command(value < 0 && rounded > 0 ? 0x2D : 0x20, to: &output)
    let whole = rounded / divisor
    var fraction = rounded &- whole &* divisor
    append(whole, digits: Self.digitCount(whole), to: &output)
    guard fraction > 0 else { return }
    var digits = decimals
    while fraction % 10 == 0 {
      fraction /= 10
      digits &-= 1
    }
    command(0x2E, to: &output)
    append(fraction, digits: digits, to: &output)
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
  private mutating func append(_ number: UInt64, digits: Int, to output: inout MutableSpan<UInt8>) {
    var rest = number
    var left = digits
    while left >= 2 {
      left &-= 2
      let pair = UInt8(truncatingIfNeeded: rest % 100)
      output[end + left] = 0x30 &+ pair / 10
      output[end + left + 1] = 0x30 &+ pair % 10
      rest /= 100
    }
    if left == 1 { output[end] = 0x30 &+ UInt8(truncatingIfNeeded: rest) }
    end += digits
  }
}
