public import FoundationEssentials

extension CFI {
  /// The fault of a text that is no CFI.
  public struct SyntaxError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// Unicode scalars before the fault.
    public var offset: Int
    /// A clause without a final stop.
    public var reason: String
    /// The position of the fault and its reason.
    public var description: String { "character \(offset + 1): \(reason)" }
    /// `description`, as `localizedDescription` has it.
    public var errorDescription: String? { description }
  }

  /// Reads a CFI, with or without `epubcfi(…)` around it. Percent escapes must have been resolved.
  public init(_ text: String) throws(SyntaxError) {
    var parser = CFIParser(text)
    self = try parser.parse()
  }
}

/// Reads the grammar of EPUB CFI 1.1, section 2.2. Where the specification asks readers to bear with later extensions,
/// unknown parameters are kept.
private struct CFIParser {
  private let scalars: [Unicode.Scalar]
  private var index = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }
  private func fault(_ reason: String) -> CFI.SyntaxError { CFI.SyntaxError(offset: index, reason: reason) }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    index += 1
    return true
  }

  mutating func parse() throws(CFI.SyntaxError) -> CFI {
    let prefix = Array("epubcfi(".unicodeScalars)
    let isWrapped = scalars.starts(with: prefix)
    if isWrapped { index = prefix.count }
    let path = try path(mayBeEmpty: false)
    var cfi = CFI(path: path)
    if take(",") {
      guard path.offset == nil else { throw fault("what ends of a range have in common has no offset") }
      let start = try self.path(mayBeEmpty: true)
      guard take(",") else { throw fault("a range has two ends") }
      cfi.range = CFI.Range(start: start, end: try self.path(mayBeEmpty: true))
    }
    if isWrapped, !take(")") { throw fault("“)” is expected") }
    guard index == scalars.count else { throw fault("nothing more is expected") }
    return cfi
  }

  private mutating func path(mayBeEmpty: Bool) throws(CFI.SyntaxError) -> CFI.Path {
    var path = CFI.Path()
    while true {
      let isIndirect = take("!")
      guard take("/") else {
        path.offset = try offset()
        path.offset?.isIndirect = isIndirect
        if isIndirect, path.offset == nil { throw fault("a step or an offset is expected after “!”") }
        break
      }
      var step = CFI.Step(try integer(), isIndirect: isIndirect)
      step.assertion = try assertion()
      path.steps.append(step)
      guard path.steps.count <= 1000 else { throw fault("there are too many steps") }
    }
    if path.steps.isEmpty, !mayBeEmpty { throw fault("a step is expected") }
    return path
  }

  private mutating func offset() throws(CFI.SyntaxError) -> CFI.Offset? {
    var offset = CFI.Offset()
    if take(":") {
      offset.character = try integer()
    } else {
      if take("~") { offset.time = try number() }
      if take("@") {
        let x = try number()
        guard take(":") else { throw fault("“:” is expected between the parts of a point") }
        offset.point = CFI.Offset.Point(x: x, y: try number())
      }
      if offset.time == nil, offset.point == nil { return nil }
    }
    offset.assertion = try assertion()
    return offset
  }

  private mutating func assertion() throws(CFI.SyntaxError) -> CFI.Assertion? {
    guard take("[") else { return nil }
    var assertion = CFI.Assertion()
    if next != ";" {
      let first = try value()
      if !first.isEmpty { assertion.first = first }
      if take(",") { assertion.second = try value() }
    }
    while take(";") {
      let name = try value()
      guard !name.isEmpty, take("=") else { throw fault("a parameter has a name, “=” and a value") }
      var values = [try value()]
      while take(",") { values.append(try value()) }
      assertion.parameters.append(.init(name: name, values: values))
    }
    guard take("]") else { throw fault("“]” is expected") }
    return assertion
  }

  /// Text up to the next character that means something; a circumflex takes the meaning from the one behind it.
  private mutating func value() throws(CFI.SyntaxError) -> String {
    var text = ""
    while let scalar = next {
      switch scalar {
      case "^":
        index += 1
        guard let escaped = next else { throw fault("“^” escapes nothing") }
        text.unicodeScalars.append(escaped)
      case "[", "]", "(", ")", ",", ";", "=": return text
      default: text.unicodeScalars.append(scalar)
      }
      index += 1
    }
    return text
  }

  /// Digits without leading zeros.
  private mutating func integer() throws(CFI.SyntaxError) -> Int {
    let start = index
    var value = 0
    while let scalar = next, scalar >= "0", scalar <= "9" {
      let digit = Int(scalar.value - 0x30)
      let (product, overflows) = value.multipliedReportingOverflow(by: 10)
      guard !overflows, product < Int(Int32.max) else { throw fault("the number is too large") }
      value = product + digit
      index += 1
    }
    guard index > start else { throw fault("a number is expected") }
    guard index == start + 1 || scalars[start] != "0" else {
      index = start
      throw fault("a number does not begin with 0")
    }
    return value
  }

  private mutating func number() throws(CFI.SyntaxError) -> Double {
    let start = index
    let whole = try integer()
    guard take(".") else { return Double(whole) }
    let fraction = index
    while let scalar = next, scalar >= "0", scalar <= "9" { index += 1 }
    guard index > fraction else { throw fault("digits are expected after the point") }
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars[start..<index])
    guard let value = Double(text) else { throw fault("a number is expected") }
    return value
  }
}
