/// An sRGB colour with straight (not premultiplied) alpha, eight bits a channel.
@frozen
public struct Color: Hashable, Sendable {
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8
  public var alpha: UInt8

  @inlinable public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }
  public static let black = Color(red: 0, green: 0, blue: 0)
  public static let white = Color(red: 255, green: 255, blue: 255)
  public static let transparent = Color(red: 0, green: 0, blue: 0, alpha: 0)
  @inlinable public var isTransparent: Bool { alpha == 0 }
  /// The four channels as one integer, red highest.
  @inlinable public var rgba: UInt32 { UInt32(red) << 24 | UInt32(green) << 16 | UInt32(blue) << 8 | UInt32(alpha) }
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
