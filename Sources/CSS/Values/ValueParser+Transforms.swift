import Primitives

extension ValueParser {
  /// `none` or a list of transform functions (CSS Transforms 1, section 12; CSS Transforms 2, section 12).
  mutating func transform() -> [TransformFunction]? {
    if keyword("none") { return [] }
    var functions: [TransformFunction] = []
    while peek().kind == .function {
      guard let function = attempt({ $0.transformFunction() }) else { return nil }
      functions.append(function)
    }
    return functions.isEmpty ? nil : functions
  }

  /// `rotate`: an angle, around an axis that may be given before or after it (CSS Transforms 2, section 5).
  mutating func individualRotation() -> [TransformFunction]? {
    if keyword("none") { return [] }
    let before = rotationAxis()
    guard let angle = angle() else { return nil }
    let axis = before ?? rotationAxis() ?? SIMD3(0, 0, 1)
    return [.rotation(around: axis.x, axis.y, axis.z, degrees: angle)]
  }

  private mutating func rotationAxis() -> SIMD3<Double>? {
    if keyword("x") { return SIMD3(1, 0, 0) }
    if keyword("y") { return SIMD3(0, 1, 0) }
    if keyword("z") { return SIMD3(0, 0, 1) }
    return attempt { parser in
      guard let x = parser.number(), let y = parser.number(), let z = parser.number() else { return nil }
      return SIMD3(x, y, z)
    }
  }

  /// `translate`: one to three lengths.
  mutating func translate() -> PropertyValue? {
    if keyword("none") { return .transform([]) }
    guard let x = lengthPercentage() else { return nil }
    let y = lengthPercentage()
    let z = y == nil ? nil : length()
    return .transform([z.map { .translate3D(x, y ?? .zero, .length($0)) } ?? .translate(x, y ?? .zero)])
  }

  /// `scale`: one to three factors.
  mutating func scale() -> PropertyValue? {
    if keyword("none") { return .transform([]) }
    guard let x = numberOrPercentage() else { return nil }
    let y = numberOrPercentage()
    let z = y == nil ? nil : numberOrPercentage()
    return .transform([.scaling(x, y ?? x, z ?? 1)])
  }

  /// A place in the reference box, and how far before it.
  mutating func transformOrigin() -> PropertyValue? {
    position(threeParts: false).map { .transformOrigin($0, z: length() ?? .zero) }
  }

  /// `perspective`: `none` or a distance.
  mutating func perspective() -> PropertyValue? {
    if keyword("none") { return .absent }
    return length([.nonNegative]).map { .length($0) }
  }

  private mutating func transformFunction() -> TransformFunction? {
    let name = cursor.lowercasedText
    return block { parser in
      switch name {
      case "matrix":
        guard let n = parser.floats(6) else { return nil }
        return .matrix(a: n[0], b: n[1], c: n[2], d: n[3], tx: n[4], ty: n[5])
      case "matrix3d": return parser.floats(16).map { .matrix3D($0) }
      case "translate", "translatex", "translatey", "translatez", "translate3d": return parser.translation(name)
      case "perspective":
        if parser.keyword("none") { return .perspective(nil) }
        return parser.length([.nonNegative]).map { .perspective(.length($0)) }
      case "rotate", "rotatez", "rotatex", "rotatey", "rotate3d": return parser.rotation(name)
      case "scale", "scalex", "scaley", "scalez", "scale3d": return parser.scaling(name)
      case "skew", "skewx", "skewy":
        guard let first = parser.angle(zero: true) else { return nil }
        if name == "skewy" { return .skew(0, Float(first)) }
        var second = 0.0
        if name == "skew", parser.comma() {
          guard let given = parser.angle(zero: true) else { return nil }
          second = given
        }
        return .skew(Float(first), Float(second))
      default: return nil
      }
    }
  }

  private mutating func floats(_ count: Int) -> [Float]? {
    guard let numbers = commaSeparated({ $0.number() }), numbers.count == count else { return nil }
    return numbers.map { Float($0) }
  }

  private mutating func translation(_ name: String) -> TransformFunction? {
    if name == "translatez" { return length().map { .translate3D(.zero, .zero, .length($0)) } }
    guard let first = lengthPercentage() else { return nil }
    if name == "translatey" { return .translate(.zero, first) }
    guard name != "translatex", comma() else { return name == "translate3d" ? nil : .translate(first, .zero) }
    guard let second = lengthPercentage() else { return nil }
    guard name == "translate3d" else { return .translate(first, second) }
    return comma() ? length().map { .translate3D(first, second, .length($0)) } : nil
  }

  private mutating func rotation(_ name: String) -> TransformFunction? {
    var axis = SIMD3<Double>(name == "rotatex" ? 1 : 0, name == "rotatey" ? 1 : 0, 0)
    if axis == .zero { axis.z = 1 }
    if name == "rotate3d" {
      guard let x = number(), comma(), let y = number(), comma(), let z = number(), comma() else { return nil }
      axis = SIMD3(x, y, z)
    }
    return angle(zero: true).map { .rotation(around: axis.x, axis.y, axis.z, degrees: $0) }
  }

  private mutating func scaling(_ name: String) -> TransformFunction? {
    guard let factors = commaSeparated({ $0.numberOrPercentage() }) else { return nil }
    switch (name, factors.count) {
    case ("scale", 1): return .scaling(factors[0], factors[0], 1)
    case ("scale", 2): return .scaling(factors[0], factors[1], 1)
    case ("scalex", 1): return .scaling(factors[0], 1, 1)
    case ("scaley", 1): return .scaling(1, factors[0], 1)
    case ("scalez", 1): return .scaling(1, 1, factors[0])
    case ("scale3d", 3): return .scaling(factors[0], factors[1], factors[2])
    default: return nil
    }
  }
}
