import Graphics
import RasterRendering

/// The outline of a glyph as a Type 2 charstring (Adobe Technical Note 5177), in thousandths of an em, without hints.
struct CharString {
  private(set) var bytes: [UInt8] = []
  /// The ink, empty without any.
  private(set) var bounds: (left: Int, bottom: Int, right: Int, top: Int)?

  /// - Parameter width: The advance as the charstring has it; nil where it is the font's default.
  init(_ steps: [GlyphShapes.Step], width: Int?) {
    var width = width
    var pen = (x: 0, y: 0)
    var start = SIMD2<Double>.zero
    var segments: [Segment] = []

    func step(to point: SIMD2<Double>) -> Delta {
      let x = Self.unit(point.x)
      let y = -Self.unit(point.y)
      defer { pen = (x, y) }
      note(x, y)
      return Delta(x: x - pen.x, y: y - pen.y)
    }
    func note(_ x: Int, _ y: Int) {
      let known = bounds ?? (x, y, x, y)
      bounds = (
        Swift.min(known.left, x), Swift.min(known.bottom, y), Swift.max(known.right, x), Swift.max(known.top, y)
      )
    }
    var isOpen = false
    for element in steps {
      switch element {
      case .move(let to):
        close()
        start = to
        isOpen = false
      case .line(let to):
        if !isOpen { open() }
        let delta = step(to: to)
        if delta != Delta() { segments.append(.line(delta)) }
      case .quadratic(let control, let to):
        if !isOpen { open() }
        let from = SIMD2(Double(pen.x), -Double(pen.y)) / 1000
        let (first, second) = from.cubicControls(quadratic: control, to: to)
        curve(first, second, to)
      case .cubic(let first, let second, let to):
        if !isOpen { open() }
        curve(first, second, to)
      }
    }
    close()
    if let width { append(width) }
    bytes.append(14)

    // Contours are closed by a line of their own (section 3.1).
    func close() {
      if segments.count > 1, case .line(let delta)? = segments.last,
        pen == (Self.unit(start.x), -Self.unit(start.y))
      {
        segments.removeLast()
        pen = (pen.x - delta.x, pen.y - delta.y)
      }
      flush(&segments)
    }

    func open() {
      isOpen = true
      let delta = step(to: start)
      if let known = width {
        append(known)
        width = nil
      }
      if delta.y == 0 {
        append(delta.x)
        bytes.append(22)
      } else if delta.x == 0 {
        append(delta.y)
        bytes.append(4)
      } else {
        append(delta.x)
        append(delta.y)
        bytes.append(21)
      }
    }
    func curve(_ first: SIMD2<Double>, _ second: SIMD2<Double>, _ end: SIMD2<Double>) {
      let a = step(to: first)
      let b = step(to: second)
      let c = step(to: end)
      segments.append(.curve(a, b, c))
    }
  }

  private struct Delta: Equatable {
    var x = 0
    var y = 0
  }

  private enum Segment {
    case line(Delta)
    case curve(Delta, Delta, Delta)
  }

  private static func unit(_ value: Double) -> Int { Int((Swift.max(-32, Swift.min(32, value)) * 1000).rounded()) }

  /// The most operands an operator takes.
  private static let most = 48

  /// Writes the segments of a contour with the operators that need the fewest operands.
  private mutating func flush(_ segments: inout [Segment]) {
    var index = 0
    while index < segments.count {
      switch segments[index] {
      case .line: index = lines(segments, from: index)
      case .curve: index = curves(segments, from: index)
      }
    }
    segments.removeAll(keepingCapacity: true)
  }

  private mutating func lines(_ segments: [Segment], from start: Int) -> Int {
    func line(_ index: Int) -> Delta? {
      guard index < segments.count, case .line(let delta) = segments[index] else { return nil }
      return delta
    }
    guard let first = line(start) else { return start + 1 }
    var index = start
    if first.x == 0 || first.y == 0 {
      var isHorizontal = first.y == 0
      let code: UInt8 = isHorizontal ? 6 : 7
      while index - start < Self.most, let delta = line(index), isHorizontal ? delta.y == 0 : delta.x == 0 {
        append(isHorizontal ? delta.x : delta.y)
        isHorizontal.toggle()
        index += 1
      }
      bytes.append(code)
      return index
    }
    while index - start < Self.most / 2, let delta = line(index), delta.x != 0, delta.y != 0 {
      append(delta.x)
      append(delta.y)
      index += 1
    }
    bytes.append(5)
    return index
  }

  private mutating func curves(_ segments: [Segment], from start: Int) -> Int {
    func curve(_ index: Int) -> (a: Delta, b: Delta, c: Delta)? {
      guard index < segments.count, case .curve(let a, let b, let c) = segments[index] else { return nil }
      return (a, b, c)
    }
    guard let first = curve(start) else { return start + 1 }
    var index = start
    var count = 0
    if first.a.y == 0 && first.c.x == 0 || first.a.x == 0 && first.c.y == 0 {
      // Curves that start along one axis and end along the other, by turns.
      var isHorizontal = first.a.y == 0 && first.c.x == 0
      let code: UInt8 = isHorizontal ? 31 : 30
      while count + 4 <= Self.most, let (a, b, c) = curve(index),
        isHorizontal ? a.y == 0 && c.x == 0 : a.x == 0 && c.y == 0
      {
        append(isHorizontal ? a.x : a.y)
        append(b.x)
        append(b.y)
        append(isHorizontal ? c.y : c.x)
        isHorizontal.toggle()
        count += 4
        index += 1
      }
      bytes.append(code)
      return index
    }
    if first.a.y == 0, first.c.y == 0 { return straight(segments, from: start, isHorizontal: true) }
    if first.a.x == 0, first.c.x == 0 { return straight(segments, from: start, isHorizontal: false) }
    while count + 6 <= Self.most, let (a, b, c) = curve(index) {
      if index > start, a.x == 0 || a.y == 0, c.x == 0 || c.y == 0 { break }
      for delta in [a, b, c] {
        append(delta.x)
        append(delta.y)
      }
      count += 6
      index += 1
    }
    bytes.append(8)
    return index
  }

  /// Curves that start and end along the same axis.
  private mutating func straight(_ segments: [Segment], from start: Int, isHorizontal: Bool) -> Int {
    var index = start
    while index - start < Self.most / 4, index < segments.count, case .curve(let a, let b, let c) = segments[index],
      isHorizontal ? a.y == 0 && c.y == 0 : a.x == 0 && c.x == 0
    {
      append(isHorizontal ? a.x : a.y)
      append(b.x)
      append(b.y)
      append(isHorizontal ? c.x : c.y)
      index += 1
    }
    bytes.append(isHorizontal ? 27 : 26)
    return index
  }

  private mutating func append(_ value: Int) { CFFNumber.append(value, to: &bytes) }
}

/// Integers of charstrings and dictionaries, whose encodings differ only where neither is used here.
enum CFFNumber {
  static func append(_ value: Int, to bytes: inout [UInt8]) {
    switch value {
    case -107...107: bytes.append(UInt8(value + 139))
    case 108...1131:
      bytes.append(UInt8((value - 108) >> 8 + 247))
      bytes.append(UInt8(truncatingIfNeeded: value - 108))
    case -1131 ... -108:
      bytes.append(UInt8((-value - 108) >> 8 + 251))
      bytes.append(UInt8(truncatingIfNeeded: -value - 108))
    default:
      bytes.append(28)
      bytes.append(UInt8(truncatingIfNeeded: value >> 8))
      bytes.append(UInt8(truncatingIfNeeded: value))
    }
  }
}
