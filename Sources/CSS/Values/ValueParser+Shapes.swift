import Primitives

/// `path()` and `shape()` (CSS Shapes 2, section 3).
extension ValueParser {
  mutating func pathShape() -> BasicShape? {
    let isEvenOdd = keyword("evenodd")
    if isEvenOdd || keyword("nonzero"), !comma() { return nil }
    guard let data = string(), let segments = Self.segments(ofPath: data), !segments.isEmpty else { return nil }
    return .path(segments, isEvenOdd: isEvenOdd)
  }

  mutating func segmentedShape() -> BasicShape? {
    let isEvenOdd = keyword("evenodd")
    if !isEvenOdd { _ = keyword("nonzero") }
    guard keyword("from"), let start = position(threeParts: false), comma(),
      let segments = commaSeparated({ $0.segment() })
    else { return nil }
    return .path([.move(ShapePoint(x: start.x, y: start.y, origin: .box))] + segments, isEvenOdd: isEvenOdd)
  }

  private mutating func segment() -> ShapeSegment? {
    guard let command = ident()?.lowercased() else { return nil }
    if command == "close" { return .close }
    let isRelative = keyword("by")
    guard isRelative || keyword("to") else { return nil }
    switch command {
    case "move": return point(isRelative).map { .move($0) }
    case "line": return point(isRelative).map { .line($0) }
    case "hline":
      return coordinate(isRelative, ["left": 0, "x-start": 0, "center": 50, "right": 100, "x-end": 100])
        .map { .line(ShapePoint(x: $0, y: nil, origin: isRelative ? .start : .box)) }
    case "vline":
      return coordinate(isRelative, ["top": 0, "y-start": 0, "center": 50, "bottom": 100, "y-end": 100])
        .map { .line(ShapePoint(x: nil, y: $0, origin: isRelative ? .start : .box)) }
    case "curve":
      guard let end = point(isRelative), keyword("with"), let first = controlPoint(isRelative) else { return nil }
      guard slash() else { return .curve(end, first: first, second: nil) }
      return controlPoint(isRelative).map { .curve(end, first: first, second: $0) }
    case "smooth":
      guard let end = point(isRelative) else { return nil }
      guard keyword("with") else { return .smooth(end, second: nil) }
      return controlPoint(isRelative).map { .smooth(end, second: $0) }
    case "arc": return point(isRelative).flatMap { arc(to: $0) }
    default: return nil
    }
  }

  private mutating func coordinate(
    _ isRelative: Bool, _ names: KeyValuePairs<StaticString, Float>
  ) -> LengthPercentage? {
    if !isRelative {
      for (name, share) in names where keyword(name) { return .length(Length(share, .percent)) }
    }
    return lengthPercentage()
  }

  private mutating func point(_ isRelative: Bool) -> ShapePoint? {
    if !isRelative { return position(threeParts: false).map { ShapePoint(x: $0.x, y: $0.y, origin: .box) } }
    guard let x = lengthPercentage(), let y = lengthPercentage() else { return nil }
    return ShapePoint(x: x, y: y, origin: .start)
  }

  private mutating func controlPoint(_ isRelative: Bool) -> ShapePoint? {
    guard let position = position(threeParts: false) else { return nil }
    var point = ShapePoint(x: position.x, y: position.y, origin: isRelative ? .start : .box)
    guard keyword("from") else { return point }
    if keyword("start") {
      point.origin = .start
    } else if keyword("end") {
      point.origin = .end
    } else if keyword("origin") {
      point.origin = .box
    } else {
      return nil
    }
    return point
  }

  /// The rest of an arc, in any order.
  private mutating func arc(to end: ShapePoint) -> ShapeSegment? {
    guard keyword("of"), let x = lengthPercentage() else { return nil }
    let y = lengthPercentage() ?? x
    var (isLarge, isClockwise, turn) = (Bool?.none, Bool?.none, Double?.none)
    while true {
      if isClockwise == nil, keyword("cw") {
        isClockwise = true
      } else if isClockwise == nil, keyword("ccw") {
        isClockwise = false
      } else if isLarge == nil, keyword("large") {
        isLarge = true
      } else if isLarge == nil, keyword("small") {
        isLarge = false
      } else if turn == nil, keyword("rotate") {
        guard let angle = angle(zero: true) else { return nil }
        turn = angle
      } else {
        break
      }
    }
    return .arc(
      end, x: x, y: y, turn: Float(turn ?? 0), isLarge: isLarge ?? false, isClockwise: isClockwise ?? false)
  }

  /// The steps of path data, in px; nil where there is a fault.
  package static func segments(ofPath data: String) -> [ShapeSegment]? {
    var reader = PathReader(data.utf8)
    var segments: [ShapeSegment] = []
    func length(_ value: Float) -> LengthPercentage { .length(Length(value, .px)) }
    func read(_ isRelative: Bool) -> ShapePoint? {
      reader.point().map { ShapePoint(x: length($0.x), y: length($0.y), origin: isRelative ? .start : .box) }
    }
    while segments.count < mostSegments, let command = reader.command() {
      let origin = command.isRelative ? ShapePoint.Origin.start : .box
      let next: ShapeSegment?
      switch command.letter {
      case UInt8(ascii: "m"): next = read(command.isRelative).map { .move($0) }
      case UInt8(ascii: "l"): next = read(command.isRelative).map { .line($0) }
      case UInt8(ascii: "h"):
        next = reader.number().map { .line(ShapePoint(x: length($0), y: nil, origin: origin)) }
      case UInt8(ascii: "v"):
        next = reader.number().map { .line(ShapePoint(x: nil, y: length($0), origin: origin)) }
      case UInt8(ascii: "c"):
        guard let first = read(command.isRelative), let second = read(command.isRelative) else { return nil }
        next = read(command.isRelative).map { .curve($0, first: first, second: second) }
      case UInt8(ascii: "s"):
        guard let second = read(command.isRelative) else { return nil }
        next = read(command.isRelative).map { .smooth($0, second: second) }
      case UInt8(ascii: "q"):
        guard let first = read(command.isRelative) else { return nil }
        next = read(command.isRelative).map { .curve($0, first: first, second: nil) }
      case UInt8(ascii: "t"): next = read(command.isRelative).map { .smooth($0, second: nil) }
      case UInt8(ascii: "a"):
        guard let radii = reader.point(), let turn = reader.number(), let isLarge = reader.flag(),
          let sweeps = reader.flag()
        else { return nil }
        next = read(command.isRelative).map {
          .arc(
            $0, x: length(radii.x), y: length(radii.y), turn: turn, isLarge: isLarge, isClockwise: sweeps)
        }
      default: next = .close
      }
      guard let next else { return nil }
      segments.append(next)
    }
    return segments
  }

  private static var mostSegments: Int { 20_000 }
}
