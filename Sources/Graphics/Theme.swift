public import Primitives

/// The colours a reader wants pages in: what white paper and black ink become. All other colours keep their hue and take their
/// place between the two by their lightness; pictures stay as they are.
public struct Theme: Hashable, Sendable, Codable {
  /// The colour that white becomes.
  public var paper: Color
  /// The colour that black becomes.
  public var ink: Color
  /// The least contrast of text with what is behind it (WCAG 2.2, section 1.4.3: 4.5 for body text); 1 for none. Where a book's
  /// colours have less, the text goes towards the ink.
  public var minimumContrast: Double

  /// Colours for paper and ink, and the least contrast of text.
  public init(paper: Color, ink: Color, minimumContrast: Double = 4.5) {
    self.paper = paper
    self.ink = ink
    self.minimumContrast = minimumContrast
  }

  /// The book's own colours, untouched.
  public static let light = Theme(paper: .white, ink: .black, minimumContrast: 1)
  /// Brown on cream.
  public static let sepia = Theme(
    paper: Color(red: 0xF6, green: 0xEC, blue: 0xD9), ink: Color(red: 0x43, green: 0x34, blue: 0x22))
  /// Light grey on near black.
  public static let dark = Theme(
    paper: Color(red: 0x16, green: 0x18, blue: 0x1C), ink: Color(red: 0xD6, green: 0xD4, blue: 0xCF))

  /// The paper is darker than the ink.
  public var isDark: Bool { paper.luminance < ink.luminance }
  /// The theme changes no colour.
  public var isIdentity: Bool { self == .light }
}

extension Color: Codable {
  /// Reads `#rrggbb` or `#rrggbbaa`.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let color = Color(hex: text) else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no colour: \(text)"))
    }
    self = color
  }

  /// The colour of `#rrggbb` or `#rrggbbaa`; nil for other text.
  public init?(hex text: String) {
    let digits = text.dropFirst()
    guard text.first == "#", digits.count == 6 || digits.count == 8, let value = UInt32(digits, radix: 16) else {
      return nil
    }
    let rgba = digits.count == 6 ? value << 8 | 0xFF : value
    self.init(
      red: UInt8(truncatingIfNeeded: rgba >> 24), green: UInt8(truncatingIfNeeded: rgba >> 16),
      blue: UInt8(truncatingIfNeeded: rgba >> 8), alpha: UInt8(truncatingIfNeeded: rgba))
  }

  /// Writes `#rrggbb`, or `#rrggbbaa` when not opaque.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
