package import Primitives

/// A colour that may be the element's own `color`, or be made of it.
package enum ColorValue: Hashable, Sendable {
  case currentColor
  case color(Color)
  case expression(ColorExpression)

  package func resolved(_ current: Color) -> Color {
    switch self {
    case .currentColor: current
    case .color(let color): color
    case .expression(let expression): expression.resolved(current)
    }
  }
}

/// A colour function with `currentcolor` in it, which is known where the colour is used (CSS Color 5, section 3).
package final class ColorExpression: Hashable, Sendable {
  /// The function as CSS.
  package let source: String

  init(_ source: String) { self.source = source }

  package static func == (a: ColorExpression, b: ColorExpression) -> Bool { a === b || a.source == b.source }
  package func hash(into hasher: inout Hasher) { hasher.combine(source) }

  func resolved(_ current: Color) -> Color {
    var parser = ValueParser(
      TokenCursor(TokenBuffer(tokenizing: Array(source.utf8)[...])), context: ValueContext())
    parser.currentColor = current
    guard case .color(let color)? = parser.color() else { return current }
    return color
  }
}

/// A stop of a CSS gradient; `position` nil is spaced evenly (CSS Images 3, section 3.5). One without a colour is a hint:
/// where the colours beside it are mixed half and half. The angles of a conic gradient are percentages of a turn.
package struct ColorStop: Hashable, Sendable {
  package var color: ColorValue?
  package var position: LengthPercentage?
  package init(color: ColorValue?, position: LengthPercentage?) {
    self.color = color
    self.position = position
  }
}
package enum RadialExtent: Hashable, Sendable {
  case closestSide, farthestSide, closestCorner, farthestCorner
  case size(LengthPercentage, LengthPercentage)
}
/// A two-dimensional position of `background-position`, `object-position` and gradients, from the left top corner.
package struct PositionValue: Hashable, Sendable {
  package var x: LengthPercentage
  package var y: LengthPercentage
  package init(x: LengthPercentage, y: LengthPercentage) {
    self.x = x
    self.y = y
  }
}
/// The geometry of a gradient (CSS Images 4, section 3). Angles are degrees, clockwise from the top.
package enum GradientShape: Hashable, Sendable {
  /// `corner` holds (dx, dy) of `to <corner>` and then goes before the angle.
  case linear(angle: Float, corner: SIMD2<Int8>?)
  case radial(isCircle: Bool, extent: RadialExtent, center: PositionValue)
  case conic(from: Float, center: PositionValue)
}
package struct GradientValue: Hashable, Sendable {
  package var shape: GradientShape
  package var stops: [ColorStop]
  package var isRepeating: Bool
  package var interpolation: ColorInterpolation
  package init(shape: GradientShape, stops: [ColorStop], isRepeating: Bool, interpolation: ColorInterpolation) {
    self.shape = shape
    self.stops = stops
    self.isRepeating = isRepeating
    self.interpolation = interpolation
  }
}
/// An `<image>` (CSS Images 3, section 2).
package enum ImageValue: Hashable, Sendable {
  case none
  /// A URL already resolved against its style sheet, as a path in the container or a `data:` URL.
  case url(String)
  indirect case gradient(GradientValue)
  /// `cross-fade()`: the sum of images, each by its share.
  indirect case crossFade([FadedImage])
}

/// An image or colour of `cross-fade()` (CSS Images 4, section 4).
package struct FadedImage: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    case image(ImageValue)
    case color(ColorValue)
  }
  package var source: Source
  /// From 0 to 1; all shares together are 1 at most.
  package var share: Float

  package init(source: Source, share: Float) {
    self.source = source
    self.share = share
  }
}

/// One item of a `content` list (CSS Generated Content 3, section 2).
package enum ContentItem: Hashable, Sendable {
  case string(String)
  case url(String)
  /// An image that is drawn and has no file: a gradient or a cross-fade.
  case image(ImageValue)
  case counter(name: String, style: ListStyleType)
  case counters(name: String, separator: String, style: ListStyleType)
  case attribute(String)
  case openQuote, closeQuote, noOpenQuote, noCloseQuote
  /// `string()`, in the margin boxes of pages (CSS Generated Content for Paged Media 3, section 1.1.2).
  case namedString(String, NamedStringPosition)
  /// `element()`, in the margin boxes of pages: a running element (CSS Generated Content for Paged Media 3, section 1.2.2).
  case element(String, NamedStringPosition)
  /// `content()` in `string-set`: text of the element itself.
  case elementText(ElementText)
  /// What parts scenes in the house style: nothing where the element has a border or a background of its own.
  case ornament
  /// `leader()`: what is repeated until the line is full.
  case leader(String)
  /// `target-counter()`.
  case targetCounter(ContentTarget, name: String, style: ListStyleType)
  /// `target-counters()`.
  case targetCounters(ContentTarget, name: String, separator: String, style: ListStyleType)
  /// `target-text()`.
  case targetText(ContentTarget, ElementText)
}

/// The element that a cross reference is to (CSS Generated Content 3, "Cross references").
package enum ContentTarget: Hashable, Sendable {
  /// The one that an attribute names by its URL, relative to the document.
  case attribute(String)
  /// A URL: a fragment of the document itself, or a path in the container that begins with a slash.
  case url(String)
}

/// The assignment of a named string, or the running element, that a page takes (CSS Generated Content for Paged Media 3, section
/// 1.1.2).
package enum NamedStringPosition: UInt8, Hashable, Sendable { case first, start, last, firstExcept }

/// The part of an element that `content()` takes (CSS Generated Content for Paged Media 3, section 1.1.1).
package enum ElementText: UInt8, Hashable, Sendable { case text, before, after, firstLetter, marker }

/// One assignment of `string-set`.
package struct NamedString: Hashable, Sendable {
  package var name: String
  package var items: [ContentItem]
  package init(name: String, items: [ContentItem]) {
    self.name = name
    self.items = items
  }
}

/// The computed value of `content`.
package enum ContentValue: Hashable, Sendable {
  case normal, none
  case items([ContentItem])
}

/// `list-style-type`, also the style of a counter.
package enum ListStyleType: Hashable, Sendable {
  case none
  /// A predefined or author-defined counter style, lower-case for predefined ones: `disc`, `decimal`, `cjk-ideographic` …
  case named(String)
  case string(String)
}

/// One counter and its number in `counter-reset`, `-increment` or `-set`.
package struct CounterOperation: Hashable, Sendable {
  package var name: String
  package var value: Int32
  package init(name: String, value: Int32) {
    self.name = name
    self.value = value
  }
}

/// `quotes` (CSS Generated Content 3, section 3.1).
package enum Quotes: Hashable, Sendable {
  case auto, none
  /// Pairs of opening and closing marks, by nesting level.
  case pairs([[String]])
}

package struct Shadow: Hashable, Sendable {
  package var x: Length
  package var y: Length
  package var blur: Length
  package var spread: Length
  package var color: ColorValue
  package var isInset: Bool
  package init(x: Length, y: Length, blur: Length, spread: Length, color: ColorValue, isInset: Bool) {
    self.x = x
    self.y = y
    self.blur = blur
    self.spread = spread
    self.color = color
    self.isInset = isInset
  }
}

/// `background-size` (CSS Backgrounds 3, section 3.9).
package enum BackgroundSize: Hashable, Sendable {
  case cover, contain
  /// nil is `auto`.
  case size(LengthPercentage?, LengthPercentage?)
}

/// One side of `border-image-width` or `-outset`: a multiple of the border's width, or a length; `auto` is the slice's own.
package enum BorderImageWidth: Hashable, Sendable {
  case auto
  case number(Float)
  case length(LengthPercentage)
}
/// `border-image-repeat` along one axis.
package enum BorderImageRepeat: UInt8, Hashable, Sendable { case stretch, `repeat`, round, space }
/// `border-image` (CSS Backgrounds 3, section 6).
package struct BorderImage: Hashable, Sendable {
  package var source = ImageValue.none
  package var slice = Sides<LengthPercentage>(all: .length(Length(100, .percent)))
  package var isFilled = false
  package var width = Sides<BorderImageWidth>(all: .number(1))
  package var outset = Sides<BorderImageWidth>(all: .number(0))
  package var repeatX = BorderImageRepeat.stretch
  package var repeatY = BorderImageRepeat.stretch
  package init() {}
}

package struct BackgroundLayer: Hashable, Sendable {
  package var image = ImageValue.none
  package var position = PositionValue(x: .length(Length(0, .percent)), y: .length(Length(0, .percent)))
  package var size = BackgroundSize.size(nil, nil)
  package var repeatX = BackgroundRepeat.repeat
  package var repeatY = BackgroundRepeat.repeat
  package var attachment = BackgroundAttachment.scroll
  package var origin = BackgroundBox.paddingBox
  package var clip = BackgroundBox.borderBox
  package var blendMode = MixBlendMode.normal
  package init() {}
}
