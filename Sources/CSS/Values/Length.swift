package import Primitives

/// A unit that stays relative until layout. Absolute units are folded into px when a value is parsed (CSS Values 4, section 6.2).
///
/// In a computed style `rem` is the reader's base font size, the `rootFactor` of `FontSize`: styling has taken the root
/// element's own `font-size` into account, and has turned `em` into `rem` and px wherever a value is inherited.
package enum LengthUnit: UInt8, Hashable, Sendable {
  case px, em, rem, ex, rex, ch, rch, ic, cap, lh, rlh, vw, vh, vmin, vmax, vi, vb, percent
  /// Of query containers; a computed style has px in place of them.
  case cqw, cqh, cqi, cqb, cqmin, cqmax
  /// No unit but a math function of several, which the number is the place of (`CalcID`): only in specified values.
  case function
}

extension LengthUnit {
  /// CSS px of a length in the unit on a page of the given size in CSS px, on which lines are horizontal; nil for units that are not
  /// of the page (CSS Values 4, section 6.1.2).
  package func pagePixels(_ value: Double, width: Double, height: Double) -> Double? {
    switch self {
    case .vw, .vi: value * width / 100
    case .vh, .vb: value * height / 100
    case .vmin: value * min(width, height) / 100
    case .vmax: value * max(width, height) / 100
    default: nil
    }
  }

  /// The unit of the page that one of a container stands for where there is no container (CSS Conditional 5, section 5.2); nil for
  /// other units.
  package var ofPage: LengthUnit? {
    switch self {
    case .cqw: .vw
    case .cqh: .vh
    case .cqi: .vi
    case .cqb: .vb
    case .cqmin: .vmin
    case .cqmax: .vmax
    default: nil
    }
  }
}

/// A number with a unit; the percentage counts as a unit.
package struct Length: Hashable, Sendable {
  package var value: Float
  package var unit: LengthUnit

  package init(_ value: Float, _ unit: LengthUnit = .px) {
    self.value = value
    self.unit = unit
  }
  package static let zero = Length(0, .px)
  package var isPercentage: Bool { unit == .percent }

  /// The whole value in one word: styles hash many lengths.
  var word: UInt64 { UInt64((value == 0 ? 0 : value).bitPattern) | UInt64(unit.rawValue) << 32 }
  package func hash(into hasher: inout Hasher) { hasher.combine(word) }
}

package enum CalcTag {}
/// A `calc()` sum or `min()`, `max()`, `clamp()` in `StyleTable.calculations`.
package typealias CalcID = Identifier<CalcTag>

/// A computed `<length-percentage>`.
package enum LengthPercentage: Hashable, Sendable {
  case length(Length)
  case calculation(CalcID)

  package static let zero = LengthPercentage.length(.zero)
  package var isZero: Bool { if case .length(let length) = self { length.value == 0 } else { false } }

  var word: UInt64 {
    switch self {
    case .length(let length): length.word
    case .calculation(let id): UInt64(id.rawValue) | 0xFF << 32
    }
  }
  package func hash(into hasher: inout Hasher) { hasher.combine(word) }
}

/// A computed math function over lengths and percentages (CSS Values 4, section 10).
package indirect enum Calculation: Hashable, Sendable {
  case length(Length)
  case sum([Calculation])
  case product(Calculation, Float)
  case minimum([Calculation])
  case maximum([Calculation])
  /// Lower bound, value, upper bound.
  case clamp(Calculation, Calculation, Calculation)

  package var hasPercentage: Bool {
    switch self {
    case .length(let length): length.isPercentage
    case .sum(let terms), .minimum(let terms), .maximum(let terms): terms.contains { $0.hasPercentage }
    case .product(let term, _): term.hasPercentage
    case .clamp(let low, let middle, let high): low.hasPercentage || middle.hasPercentage || high.hasPercentage
    }
  }
}

/// The basis of `calc-size()` (CSS Values 5, section 10.1).
package enum SizeBasis: UInt8, Hashable, Sendable {
  case auto, minContent, maxContent, fitContent

  package var size: SizeValue {
    switch self {
    case .auto: .auto
    case .minContent: .minContent
    case .maxContent: .maxContent
    case .fitContent: .fitContent
    }
  }
}

/// The computed value of `width`, `height`, and their minima and maxima.
package enum SizeValue: Hashable, Sendable {
  case auto
  /// `none` of a maximum.
  case none
  case minContent, maxContent, fitContent
  /// The room there is (CSS Sizing 4, section 3.2).
  case stretch
  case length(LengthPercentage)
  /// `calc-size()`: a sum in which 100 % are the size that the basis gives.
  case calculated(SizeBasis, LengthPercentage)

  /// Content decides over the size, or over what it is made of.
  package var isAutomatic: Bool {
    if case .calculated(.auto, _) = self { true } else { self == .auto }
  }
  /// A size that the content gives (CSS Sizing 3, section 3.2).
  package var isContentSize: Bool { self == .minContent || self == .maxContent || self == .fitContent }
  package var isLength: Bool { if case .length = self { true } else { false } }
  /// The content has no say in the size, where what it refers to is known.
  package var isGiven: Bool { isLength || self == .stretch }

  package func hash(into hasher: inout Hasher) {
    let word: UInt64 =
      switch self {
      case .auto: 0
      case .none: 1
      case .minContent: 2
      case .maxContent: 3
      case .fitContent: 4
      case .stretch: 5
      case .length(let length): length.word | 1 << 40
      case .calculated(let basis, let length): length.word | UInt64(basis.rawValue + 2) << 40
      }
    hasher.combine(word)
  }
}

/// The computed value of a margin or inset: a length or `auto`.
package enum MarginValue: Hashable, Sendable {
  case auto
  case length(LengthPercentage)
  package static let zero = MarginValue.length(.zero)

  package func hash(into hasher: inout Hasher) {
    if case .length(let length) = self { hasher.combine(length.word | 1 << 40) } else { hasher.combine(0 as UInt64) }
  }
}

/// `normal` or a length: letter and word spacing, gaps.
package enum SpacingValue: Hashable, Sendable {
  case normal
  case length(LengthPercentage)

  package func hash(into hasher: inout Hasher) {
    if case .length(let length) = self { hasher.combine(length.word | 1 << 40) } else { hasher.combine(0 as UInt64) }
  }
}

/// Four values, one a physical side; computed style keeps author's physical sides, layout maps them to logical ones.
package struct Sides<Value: Hashable & Sendable>: Hashable, Sendable {
  package var top: Value
  package var right: Value
  package var bottom: Value
  package var left: Value
  package init(top: Value, right: Value, bottom: Value, left: Value) {
    self.top = top
    self.right = right
    self.bottom = bottom
    self.left = left
  }
  package init(all value: Value) { self.init(top: value, right: value, bottom: value, left: value) }
}
