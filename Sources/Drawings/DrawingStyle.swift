import Primitives

/// The properties of an element that bear on what it draws (SVG 2, appendix E), as far as drawings are read here.
struct DrawingStyle {
  /// The value of `fill` or `stroke`.
  enum Paint: Equatable {
    case none
    case color(Color)
    case currentColor
    /// A paint server, by the id of its element, and the colour where there is none.
    case server(String, fallback: Color?)
  }

  var color = Color.black
  var fill = Paint.color(.black)
  var stroke = Paint.none
  var fillOpacity = 1.0
  var strokeOpacity = 1.0
  var isFillEvenOdd = false
  var isClipEvenOdd = false
  var line = DrawingStroke()
  var isVisible = true
  /// Those that are not inherited.
  var own = NonInherited()

  struct NonInherited {
    var opacity = 1.0
    var isDisplayed = true
    /// The id of a `<clipPath>`.
    var clip: String?
  }

  /// What a property does to a drawing.
  enum Effect {
    /// It is taken over.
    case set
    /// It does nothing, or its value is none.
    case nothing
    /// It has to be drawn by librsvg.
    case beyond
  }

  /// Takes over a property; beyond where its value is not known to do what librsvg does.
  ///
  /// - Parameter value: Without spaces at its ends.
  mutating func apply(_ name: String, _ value: String, _ values: inout DrawingValues) -> Effect {
    if Self.ignored.contains(name) || name.hasPrefix("font") || name.hasPrefix("text-") || name.hasPrefix("-") {
      return .nothing
    }
    if let only = Self.only[name] { return only.contains(value) ? .nothing : .beyond }
    if value == "inherit" { return Self.inherited.contains(name) ? .nothing : .beyond }
    return set(name, value, &values) ? .set : .beyond
  }

  private mutating func set(_ name: String, _ value: String, _ values: inout DrawingValues) -> Bool {
    func take<Value>(_ value: Value?, _ body: (Value) -> Void) -> Bool {
      guard let value else { return false }
      body(value)
      return true
    }
    switch name {
    case "fill": return take(values.paint(value)) { fill = $0 }
    case "stroke": return take(values.paint(value)) { stroke = $0 }
    case "color": return take(values.color(value)) { color = $0 }
    case "fill-opacity": return take(DrawingValues.opacity(value)) { fillOpacity = $0 }
    case "stroke-opacity": return take(DrawingValues.opacity(value)) { strokeOpacity = $0 }
    case "opacity": return take(DrawingValues.opacity(value)) { own.opacity = $0 }
    case "fill-rule": return take(Self.rules[value]) { isFillEvenOdd = $0 }
    case "clip-rule": return take(Self.rules[value]) { isClipEvenOdd = $0 }
    case "stroke-width": return take(DrawingValues.length(value)) { line.width = $0 } && line.width >= 0
    case "stroke-linecap": return take(Self.caps[value]) { line.cap = $0 }
    case "stroke-linejoin": return take(Self.joins[value]) { line.join = $0 }
    case "stroke-miterlimit": return take(DrawingValues.number(value)) { line.miterLimit = $0 } && line.miterLimit >= 1
    case "stroke-dasharray": return take(DrawingValues.dashes(value)) { line.dashes = $0 }
    case "stroke-dashoffset": return take(DrawingValues.length(value)) { line.dashOffset = $0 }
    case "visibility":
      isVisible = value == "visible"
      return isVisible || value == "hidden" || value == "collapse"
    case "display":
      own.isDisplayed = value != "none"
      return true
    case "clip-path":
      if value == "none" { return true }
      return take(DrawingValues.reference(value)) { own.clip = $0 }
    default: return false
    }
  }

  private static let rules = ["nonzero": false, "evenodd": true]
  private static let caps: [String: DrawingStroke.Cap] = ["butt": .butt, "round": .round, "square": .square]
  private static let joins: [String: DrawingStroke.Join] = ["miter": .miter, "round": .round, "bevel": .bevel]

  private static let inherited: Set<String> = [
    "fill", "stroke", "color", "fill-opacity", "stroke-opacity", "fill-rule", "clip-rule", "stroke-width",
    "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-dasharray", "stroke-dashoffset", "visibility",
  ]

  /// Properties that do not change what shapes look like, or that librsvg does not know.
  private static let ignored: Set<String> = [
    "letter-spacing", "word-spacing", "direction", "unicode-bidi", "writing-mode", "line-height", "white-space",
    "baseline-shift", "dominant-baseline", "alignment-baseline", "kerning", "cursor", "pointer-events",
    "enable-background", "color-interpolation", "color-rendering", "color-interpolation-filters", "flood-color",
    "flood-opacity", "lighting-color", "solid-color", "solid-opacity", "stop-color", "stop-opacity", "background",
    "background-color", "image-rendering", "shape-padding", "shape-margin", "glyph-orientation-vertical",
    "glyph-orientation-horizontal", "mask-type", "inline-size",
  ]

  /// Properties with the values that change nothing.
  private static let only: [String: Set<String>] = [
    "filter": ["none"], "mask": ["none"], "marker": ["none"], "marker-start": ["none"], "marker-mid": ["none"],
    "marker-end": ["none"], "mix-blend-mode": ["normal"], "isolation": ["auto"], "paint-order": ["normal"],
    "vector-effect": ["none"], "shape-rendering": ["auto", "geometricPrecision"], "clip": ["auto"],
    "overflow": ["visible", "hidden", "auto", "scroll"],
  ]
}
