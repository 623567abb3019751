package import CSS

/// A length of an attribute of MathML: a number with a unit of CSS, or one without (MathML Core, section 2.1.5; MathML 3, section
/// 2.1.5.2).
package struct MathLength: Sendable, Equatable {
  package var value: Float
  /// Empty for nothing behind the number.
  var suffix: String

  /// The length has a unit of CSS.
  var unit: String? { suffix.isEmpty ? nil : suffix }

  /// - Parameter text: In lower case, without white space at its ends.
  package init?(_ text: String) {
    let end = text.utf8.firstIndex { !(0x30...0x39).contains($0) && $0 != 0x2B && $0 != 0x2D && $0 != 0x2E }
    let digits = text[..<(end ?? text.endIndex)]
    guard let size = Float(digits), size.isFinite else { return nil }
    value = size
    suffix = end.map { String(text[$0...]) } ?? ""
    guard suffix.isEmpty || Self.unit(suffix) != nil else { return nil }
  }

  /// The attribute's value, whatever its case.
  package init?(attribute: String) { self.init(attribute.trimmedLowercase) }

  /// The length in CSS; nil for a number alone but zero.
  package var length: Length? {
    guard !suffix.isEmpty else { return value == 0 ? .zero : nil }
    return Self.unit(suffix).map { Length(value * Float($0.factor), $0.unit) }
  }

  private static func unit(_ name: String) -> (unit: LengthUnit, factor: Double)? {
    name == "%" ? (.percent, 1) : ValueParser.unit(name)
  }
}
