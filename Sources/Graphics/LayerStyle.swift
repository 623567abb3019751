public import Primitives

/// The blend mode by which the pixels of a group meet those below (Compositing 1, sections 5 and 9).
public enum BlendMode: UInt8, Hashable, Sendable {
  /// Covers what is below.
  case normal
  /// Multiplies the colours: always darker.
  case multiply
  /// Multiplies the complements: always lighter.
  case screen
  /// `multiply` where it is dark below, `screen` where it is light.
  case overlay
  /// The darker of the two, by channel.
  case darken
  /// The lighter of the two, by channel.
  case lighten
  /// Lightens what is below to show the group.
  case colorDodge
  /// Darkens what is below to show the group.
  case colorBurn
  /// `multiply` where the group is dark, `screen` where it is light.
  case hardLight
  /// As `hardLight`, and softer.
  case softLight
  /// The distance of the two, by channel.
  case difference
  /// As `difference`, with less contrast.
  case exclusion
  /// The group's hue, with saturation and luminosity from below.
  case hue
  /// The group's saturation, with hue and luminosity from below.
  case saturation
  /// The group's hue and saturation, with luminosity from below.
  case color
  /// The group's luminosity, with hue and saturation from below.
  case luminosity
  /// The sum of the two, no lighter than white.
  case plusLighter
  /// Keeps what lies below only where the group covers it.
  case maskIn
  /// Shows the group only where nothing lies below it, and nothing else.
  case maskOut
  /// Shows the group where nothing lies below it, and what lies below where the group covers nothing.
  case maskXor
}

/// A step that changes the pixels of a group (Filter Effects 1, section 9).
public enum PixelFilter: Hashable, Sendable {
  /// Four rows of five: red, green, blue, alpha and constant, for channels from 0 to 1 with straight alpha.
  case colorMatrix([Float])
  /// The same for channels in linear light.
  case linearColorMatrix([Float])
  /// A Gaussian blur of the given standard deviation in CSS px.
  case blur(LayoutUnit)
  /// A shadow of the group's shape under it; `blur` is the standard deviation.
  case dropShadow(x: LayoutUnit, y: LayoutUnit, blur: LayoutUnit, Color)
  /// The primitives of a `<filter>` element.
  case graph(FilterGraph)
}

/// The style by which a group is put down on what lies below it.
public struct LayerStyle: Hashable, Sendable {
  /// From 0 to 1.
  public var opacity: Float
  /// The blend mode of the layer with the layers below.
  public var blend: BlendMode
  /// Run one after the other before the group is put down.
  public var filters: [PixelFilter]
  /// Ink bounds of the group, before filters; nil when that is not known.
  public var bounds: Rect?
  /// Opaque and unfiltered over what is below, unless told otherwise.
  public init(
    opacity: Float = 1, blend: BlendMode = .normal, filters: [PixelFilter] = [], bounds: Rect? = nil
  ) {
    self.opacity = opacity
    self.blend = blend
    self.filters = filters
    self.bounds = bounds
  }
}
