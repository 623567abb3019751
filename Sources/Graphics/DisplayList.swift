public import Primitives

/// A glyph to draw: its id in the face and the place of its origin on the page.
@frozen
public struct PositionedGlyph: Hashable, Sendable {
  /// The glyph's number in its font.
  public var glyph: UInt16
  /// Origin on the baseline, in CSS px (1/64) from the page's top left corner.
  public var x: LayoutUnit
  /// Of its origin, downwards from the page's top.
  public var y: LayoutUnit
  /// A glyph at a place on the page.
  public init(glyph: UInt16, x: LayoutUnit, y: LayoutUnit) {
    self.glyph = glyph
    self.x = x
    self.y = y
  }
}

/// Rotation of the glyphs of a run: upright, or turned for vertical writing.
public enum GlyphRotation: UInt8, Hashable, Sendable {
  /// Upright.
  case none
  /// A quarter turn to the right, as lines of Latin in vertical text.
  case clockwise90
  /// A quarter turn to the left.
  case counterclockwise90
}

/// The style of a stroked line or border side (CSS Backgrounds 3, section 4.2).
public enum StrokeStyle: UInt8, Hashable, Sendable {
  /// One unbroken line.
  case solid
  /// Round dots as wide as the line.
  case dotted
  /// Short strokes.
  case dashed
  /// Two lines with a gap between them.
  case double
  /// A wave, as under words that are spelt wrong.
  case wavy
}

/// The radii of a rounded rectangle's corners, from top left clockwise: width then height of each.
public struct CornerRadii: Hashable, Sendable {
  /// Of the corner's ellipse, across and down.
  public var topLeft = Size.zero
  /// Of the corner's ellipse, across and down.
  public var topRight = Size.zero
  /// Of the corner's ellipse, across and down.
  public var bottomRight = Size.zero
  /// Of the corner's ellipse, across and down.
  public var bottomLeft = Size.zero
  /// Square corners.
  public init() {}
  /// All corners are square.
  public var isZero: Bool { self == CornerRadii() }
}

/// A colour at a place along a gradient line, 0 to 1.
public struct GradientStop: Hashable, Sendable {
  /// From 0 at the start to 1 at the end.
  public var offset: Float
  /// The colour there.
  public var color: Color
  /// A colour at a place of a gradient.
  public init(offset: Float, color: Color) {
    self.offset = offset
    self.color = color
  }
}

/// A gradient in page coordinates.
public enum Gradient: Hashable, Sendable {
  /// Along the line from one point to another.
  case linear(from: Point, to: Point, stops: [GradientStop], repeating: Bool)
  /// An ellipse around `center`.
  case radial(center: Point, radius: Size, stops: [GradientStop], repeating: Bool)
  /// Around `center`, from `angle` degrees clockwise of the top; offsets are shares of a turn.
  case conic(center: Point, angle: Float, stops: [GradientStop], repeating: Bool)
}

/// A path segment in page coordinates.
public enum PathElement: Hashable, Sendable {
  /// Starts a new part at a point.
  case move(Point)
  /// A straight line to a point.
  case line(Point)
  /// A cubic Bézier curve: two control points, and where it ends.
  case curve(Point, Point, Point)
  /// A straight line back to where the part started.
  case close
}

/// One drawing operation. Later ones paint over earlier ones.
public enum DisplayItem: Hashable, Sendable {
  /// A filled rectangle, snapped to device pixels by the renderer.
  case fillRect(Rect, Color)
  /// A filled rectangle with rounded corners.
  case fillRoundedRect(Rect, CornerRadii, Color)
  /// The ring between two rounded rectangles.
  case fillRing(outer: Rect, outerRadii: CornerRadii, inner: Rect, innerRadii: CornerRadii, Color)
  /// A filled polygon or shape with the non-zero rule.
  case fillPath([PathElement], Color)
  /// A straight line of the given width along its centre: text decorations, dotted and dashed border sides.
  case strokeLine(from: Point, to: Point, width: LayoutUnit, StrokeStyle, Color)
  /// The outline of a border drawn along its middle: dashes and dots go all the way round a closed path.
  case strokePath([PathElement], width: LayoutUnit, StrokeStyle, Color)
  /// A rectangle with rounded corners, filled with a gradient.
  case fillGradient(Rect, CornerRadii, Gradient)
  /// A run of glyphs of one face, size and colour; `glyphs` indexes `DisplayList.glyphs`. Each glyph is drawn wider along its line,
  /// from its origin on, by `expansion` thousandths, or narrower.
  case glyphs(
    font: FontID, size: LayoutUnit, color: Color, rotation: GlyphRotation, expansion: Int16 = 0, glyphs: Range<Int>)
  /// An image stretched over `rect`.
  case image(ImageID, Rect)
  /// A part of an image, given in a raster in which the whole image has the size `of`, stretched over a rectangle.
  case imagePart(ImageID, part: Rect, of: Size, Rect)
  /// An image tiled over `clip`, the first tile at `tile`.
  case tiledImage(ImageID, tile: Rect, spacing: Size, clip: Rect)
  /// A blurred or hard box shadow.
  case shadow(Rect, CornerRadii, blur: LayoutUnit, Color, inset: Bool, clipOut: Rect)
  /// The backdrop, that is, the content of the group so far inside the shape, filtered, is drawn over itself with an
  /// opacity.
  case filterBackdrop(Rect, CornerRadii, [PixelFilter], opacity: Float)
  /// Everything up to the matching `restore` is clipped to the shape.
  case saveClip(Rect, CornerRadii)
  /// Everything up to the matching `restore` is clipped to a path, by the non-zero rule or the even-odd one.
  case saveClipPath([PathElement], isEvenOdd: Bool)
  /// Everything up to the matching `restore` is drawn as a group.
  case saveLayer(LayerStyle)
  /// Everything up to the matching `restore` is transformed.
  case saveTransform(AffineTransform)
  /// Everything up to the matching `restore`, which lies in the rectangle, is drawn as a group and projected.
  case saveProjection(Projection, source: Rect)
  /// Ends what the last open `saveClip`, `saveLayer`, `saveTransform` or `saveProjection` began.
  case restore
}

/// A two-dimensional affine map of CSS px: `x' = a x + c y + tx`, `y' = b x + d y + ty`.
public struct AffineTransform: Hashable, Sendable {
  /// The part of `x` in the new `x`.
  public var a: Float
  /// The part of `x` in the new `y`.
  public var b: Float
  /// The part of `y` in the new `x`.
  public var c: Float
  /// The part of `y` in the new `y`.
  public var d: Float
  /// The translation of `x`.
  public var tx: Float
  /// The translation of `y`.
  public var ty: Float
  /// A transform by its six numbers; the identity when none is given.
  public init(a: Float = 1, b: Float = 0, c: Float = 0, d: Float = 1, tx: Float = 0, ty: Float = 0) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.tx = tx
    self.ty = ty
  }
  /// The identity, which leaves all points where they are.
  public static let identity = AffineTransform()
  /// The map that does `self` first and `next` afterwards.
  public func concatenating(_ next: AffineTransform) -> AffineTransform {
    AffineTransform(
      a: a * next.a + b * next.c, b: a * next.b + b * next.d, c: c * next.a + d * next.c, d: c * next.b + d * next.d,
      tx: tx * next.a + ty * next.c + next.tx, ty: tx * next.b + ty * next.d + next.ty)
  }
}

/// The drawing of one page, in order, in CSS px from its top left corner.
public struct DisplayList: Hashable, Sendable {
  /// Of the page, in CSS px.
  public var size: Size
  /// The colour of the page under everything.
  public var background: Color
  /// The items, the lowest first.
  public var items: [DisplayItem] = []
  /// The glyphs of all `glyphs` items.
  public var glyphs: [PositionedGlyph] = []

  /// An empty page.
  public init(size: Size, background: Color = .white) {
    self.size = size
    self.background = background
  }

  /// Adds the items of another list before those there are (`under`), or behind them.
  public mutating func add(_ other: DisplayList, under: Bool = false) {
    let offset = glyphs.count
    glyphs += other.glyphs
    let moved = other.items.map { item in
      guard case .glyphs(let font, let size, let color, let rotation, let expansion, let range) = item else {
        return item
      }
      return DisplayItem.glyphs(
        font: font, size: size, color: color, rotation: rotation, expansion: expansion,
        glyphs: range.lowerBound + offset..<range.upperBound + offset)
    }
    items.insert(contentsOf: moved, at: under ? 0 : items.count)
  }
}
