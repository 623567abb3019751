package import CSS
import Markup
import Primitives
package import Styling

/// The way a box of a formula places its children (MathML Core, sections 3.2 to 3.4), and what its element says of
/// that.
package struct MathBox: Sendable {
  package enum Role: Sendable {
    /// Children one after the other.
    case row
    /// A text.
    case token
    /// A text that may stretch.
    case operation
    /// Room of its own, without content.
    case space
    /// A numerator and a denominator.
    case fraction
    /// With `hasIndex` an index, a sign, and what stands under its bar.
    case radical
    /// A base and its scripts.
    case scripts
    /// A base with a script under it, over it, or both.
    case limits
    /// A row whose measures are changed.
    case padded
  }
  /// Scripts of a base.
  package enum Scripts: Sendable { case sub, sup, both, several }
  /// The place of a part of a fraction.
  package enum Alignment: Sendable { case start, center, end }

  /// A length of `mpadded`: one of its own, or a change of a measure of the content (MathML 3, section 3.3.6.2).
  package struct Adjustment: Sendable {
    package enum Base: Sendable { case none, own, width, height, depth }
    /// 1 or -1 for what is added to the measure.
    package var sign: Float?
    package var length: Length
    /// The measure that `length`, then a factor in percent, refers to.
    package var base = Base.none

    /// - Parameter attribute: The attribute's value.
    init?(attribute: String) {
      var text = attribute.split(whereSeparator: \.isWhitespace).joined().lowercased()
      switch text.first {
      case "+": sign = 1
      case "-": sign = -1
      default: sign = nil
      }
      if sign != nil { text.removeFirst() }
      for (name, named) in [("width", Base.width), ("height", .height), ("depth", .depth)] where text.hasSuffix(name) {
        text.removeLast(name.count)
        base = named
      }
      guard let value = MathLength(attribute: text.isEmpty ? "1" : text) else { return nil }
      if base != .none {
        guard let factor = value.length.map({ $0.isPercentage ? $0.value : 0 }) ?? value.value * 100 as Float? else {
          return nil
        }
        length = Length(factor, .percent)
      } else {
        guard let own = value.length else { return nil }
        length = own
        if own.isPercentage { base = .own }
      }
    }
  }

  package var role: Role
  package var operation: MathOperator?
  /// Of an operator: percentages, and numbers without a unit, are of its own size.
  package var minSize: MathLength?
  package var maxSize: MathLength?
  package var scripts = Scripts.both
  /// The place of the first prescript among the children.
  package var firstPrescript = Int.max
  package var hasUnder = false
  package var hasOver = false
  package var underIsAccent = false
  package var overIsAccent = false
  package var hasIndex = false
  /// Of a fraction's bar: percentages, and numbers without a unit, are of the usual one.
  package var thickness: MathLength?
  package var numeratorAlignment = Alignment.center
  package var denominatorAlignment = Alignment.center
  package var width: Adjustment?
  package var height: Adjustment?
  package var depth: Adjustment?
  package var leading: Adjustment?
  package var rise: Adjustment?
  /// The child is a space: an operator beside it alone is embellished.
  package var isSpaceLike = false

  package init(_ role: Role) { self.role = role }
}

/// The place of a table in a formula on the line (MathML 3, section 3.5.1, `align`).
package struct MathTableAlignment: Sendable {
  package enum Edge: Sendable { case top, bottom, center, baseline, axis }
  package var edge = Edge.axis
  /// The row that is aligned, from 1, or from -1 for the last; 0 for the whole table.
  package var row = 0

  init(attribute: String?) {
    let words = attribute?.lowercased().split(whereSeparator: \.isWhitespace).map(String.init) ?? []
    for word in words {
      switch word {
      case "top": edge = .top
      case "bottom": edge = .bottom
      case "center": edge = .center
      case "baseline": edge = .baseline
      case "axis": edge = .axis
      default: row = Int(word) ?? row
      }
    }
  }
}
