public import Primitives

/// How the pixels of a group meet those below (Compositing 1, sections 5 and 9). `maskIn` keeps what lies below only where
/// the group covers it.
public enum BlendMode: UInt8, Hashable, Sendable {
  case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, hardLight, softLight, difference
  case exclusion, hue, saturation, color, luminosity, plusLighter
  case maskIn
}

/// A step that changes the pixels of a group (Filter Effects 1, section 9).
public enum PixelFilter: Hashable, Sendable {
  /// Four rows of five: red, green, blue, alpha and constant, for channels from 0 to 1 with straight alpha.
  case colorMatrix([Float])
  /// A Gaussian blur of the given standard deviation in CSS px.
  case blur(LayoutUnit)
  /// A shadow of the group's shape under it; `blur` is the standard deviation.
  case dropShadow(x: LayoutUnit, y: LayoutUnit, blur: LayoutUnit, Color)
}

/// How a group is put down on what lies below it.
public struct LayerStyle: Hashable, Sendable {
  /// From 0 to 1.
  public var opacity: Float
  /// How the layer mixes with what is under it.
  public var blend: BlendMode
  /// Run one after the other before the group is put down.
  public var filters: [PixelFilter]
  /// Where all of the group's ink lies, before filters; nil when that is not known.
  public var bounds: Rect?
  /// How a layer is put on what is under it.
  public init(
    opacity: Float = 1, blend: BlendMode = .normal, filters: [PixelFilter] = [], bounds: Rect? = nil
  ) {
    self.opacity = opacity
    self.blend = blend
    self.filters = filters
    self.bounds = bounds
  }
}
