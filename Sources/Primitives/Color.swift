/// An sRGB colour with straight (not premultiplied) alpha, eight bits a channel.
@frozen
public struct Color: Hashable, Sendable {
  /// Red, 0 to 255.
  public var red: UInt8
  /// Green, 0 to 255.
  public var green: UInt8
  /// Blue, 0 to 255.
  public var blue: UInt8
  /// 0 is transparent, 255 opaque.
  public var alpha: UInt8

  /// A colour by its channels, 0 to 255; opaque unless told otherwise.
  @inlinable public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }
  /// Opaque black.
  public static let black = Color(red: 0, green: 0, blue: 0)
  /// Opaque white.
  public static let white = Color(red: 255, green: 255, blue: 255)
  /// Transparent black, the CSS colour `transparent`.
  public static let transparent = Color(red: 0, green: 0, blue: 0, alpha: 0)
  /// Alpha is 0: nothing is seen of the colour.
  @inlinable public var isTransparent: Bool { alpha == 0 }
  /// The four channels as one integer, red highest.
  @inlinable public var rgba: UInt32 { UInt32(red) << 24 | UInt32(green) << 16 | UInt32(blue) << 8 | UInt32(alpha) }
  /// The colour with its opacity multiplied, kept within 0 to 255.
  @inlinable public func withAlpha(multipliedBy factor: Double) -> Color {
    Color(
      red: red, green: green, blue: blue, alpha: UInt8(Swift.max(0, Swift.min(255, (Double(alpha) * factor).rounded())))
    )
  }
}

extension Color: CustomStringConvertible {
  /// `#rrggbb`, or `#rrggbbaa` when not opaque.
  public var description: String {
    func hex(_ value: UInt8) -> String { (value < 16 ? "0" : "") + String(value, radix: 16) }
    return "#" + hex(red) + hex(green) + hex(blue) + (alpha == 255 ? "" : hex(alpha))
  }
}
