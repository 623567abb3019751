import Graphics
import Primitives

/// Text objects of a content stream (ISO 32000-1, section 9.4). Glyphs are placed to 1/32 CSS px; numbers are written only where a
/// glyph does not stand where the one before has left the pen, and are those of the page's other gaps where they do as well: what
/// repeats takes little room in a compressed stream.
struct TextWriter {
  /// The style that glyphs are drawn with.
  struct Style: Hashable {
    /// A name of the page's font resources.
    var font: Int
    /// In 1/64 px.
    var size: Int
    var rotation: GlyphRotation
    /// The font's writing mode is vertical.
    var isVertical: Bool
    /// Thousandths by which glyphs are wider.
    var expansion: Int
  }

  private var style: Style?
  /// The horizontal scaling that is set (section 9.3.4), as thousandths that it is more than the usual one; nil where a restored
  /// graphics state may have any.
  private var expansion: Int? = 0
  private var hasExpansion = false
  private var isOpen = false
  /// The line matrix: where the line starts, with the rotation of its text.
  private var line: (x: Int, y: Int, rotation: GlyphRotation)?
  /// The position of the pen along the text, from the line's start, and across it.
  private var pen = 0.0
  private var shown = PDFBytes()
  private var isInString = false
  /// The gathered text has numbers between its strings.
  private var hasNumbers = false

  /// No text object is open, and no text waits to be written.
  var isEmpty: Bool { !isOpen && shown.isEmpty }

  /// The position of the line that is being written.
  var lineX: Int? { line?.x }

  /// Numbers between the strings of the page, in thousandths of the size.
  private var numbers: Set<Int> = []

  /// The distance that a glyph may be from its place, in 1/64 px: what rounding the ends of an advance to that grid makes.
  private static let tolerance = 2.0
  /// Of small texts: how far away other numbers are looked for.
  private static let mostThousandths = 8.0

  /// Draws a glyph.
  ///
  /// - Parameters:
  ///   - x: Of its pen position, in 1/64 px; `y` upwards.
  ///   - advance: In thousandths of the size, as the font has it.
  mutating func show(_ code: UInt16, x: Int, y: Int, advance: Double, _ new: Style, into bytes: inout PDFBytes) {
    if style?.font != new.font || style?.size != new.size || style?.isVertical != new.isVertical {
      flush(into: &bytes)
      begin(&bytes)
      bytes.raw("/F")
      bytes.raw(String(new.font).utf8)
      bytes.integer(new.size)
      bytes.raw(" Tf\n")
    }
    if expansion != new.expansion {
      flush(into: &bytes)
      begin(&bytes)
      bytes.real(100 + Double(new.expansion) / 10)
      bytes.raw(" Tz\n")
      expansion = new.expansion
      hasExpansion = true
    }
    style = new
    // The scaling holds for advances and for the numbers between strings.
    let size = Double(new.size) / 1000 * (1 + Double(new.expansion) / 1000)
    let place = line.map { Self.place(x - $0.x, y - $0.y, new) }
    var gap = place.map { Double($0.along) - pen } ?? 0
    if place?.across != 0 || line?.rotation != new.rotation || abs(gap) > size * 5000 {
      flush(into: &bytes)
      begin(&bytes)
      move(x: x, y: y, new, into: &bytes)
      pen = 0
      gap = 0
    }
    if abs(gap) > Self.tolerance {
      // Towards the line's end in horizontal text, downwards in vertical.
      let thousandths = number(nearest: gap / size, within: Self.tolerance / size)
      if thousandths != 0 {
        closeString()
        hasNumbers = true
        shown.integer(new.isVertical ? thousandths : -thousandths)
        pen += Double(thousandths) * size
      }
    }
    if !isInString {
      shown.raw("(")
      isInString = true
    }
    shown.escaped(UInt8(truncatingIfNeeded: code >> 8))
    shown.escaped(UInt8(truncatingIfNeeded: code))
    pen += advance * size
  }

  /// The number for a gap: the nearest that the page has already, or a new one.
  private mutating func number(nearest exact: Double, within tolerance: Double) -> Int {
    let nearest = Int(exact.rounded())
    if numbers.contains(nearest) { return nearest }
    let side = exact < Double(nearest) ? -1 : 1
    for distance in 1..<Int(min(tolerance, Self.mostThousandths) + 2) {
      for number in [nearest + side * distance, nearest - side * distance]
      where abs(Double(number) - exact) <= tolerance && numbers.contains(number) {
        return number
      }
    }
    numbers.insert(nearest)
    return nearest
  }

  /// A distance along the text and across it.
  private static func place(_ dx: Int, _ dy: Int, _ style: Style) -> (along: Int, across: Int) {
    if style.isVertical { return (-dy, dx) }
    switch style.rotation {
    case .none: return (dx, dy)
    case .clockwise90: return (-dy, dx)
    case .counterclockwise90: return (dy, -dx)
    }
  }

  private mutating func move(x: Int, y: Int, _ style: Style, into bytes: inout PDFBytes) {
    if let line, line.rotation == .none, style.rotation == .none {
      bytes.integer(x - line.x)
      bytes.integer(y - line.y)
      bytes.raw(" Td")
    } else if line == nil, style.rotation == .none {
      bytes.integer(x)
      bytes.integer(y)
      bytes.raw(" Td")
    } else {
      switch style.rotation {
      case .none: bytes.raw("1 0 0 1")
      case .clockwise90: bytes.raw("0 -1 1 0")
      case .counterclockwise90: bytes.raw("0 1 -1 0")
      }
      bytes.integer(x)
      bytes.integer(y)
      bytes.raw(" Tm")
    }
    line = (x, y, style.rotation)
  }

  private mutating func begin(_ bytes: inout PDFBytes) {
    guard !isOpen else { return }
    bytes.raw("BT\n")
    isOpen = true
    line = nil
  }

  private mutating func closeString() {
    if isInString { shown.raw(")") }
    isInString = false
  }

  /// Writes what has been gathered.
  mutating func flush(into bytes: inout PDFBytes) {
    guard !shown.isEmpty else { return }
    let isPlain = isInString && shown.bytes.first == 0x28 && !hasNumbers
    closeString()
    if isPlain {
      bytes.raw(shown)
      bytes.raw("Tj\n")
    } else {
      bytes.raw("[")
      bytes.raw(shown)
      bytes.raw("]TJ\n")
    }
    shown = PDFBytes()
    hasNumbers = false
  }

  /// Ends the text object.
  mutating func end(into bytes: inout PDFBytes) {
    flush(into: &bytes)
    if isOpen { bytes.raw("ET\n") }
    isOpen = false
    line = nil
  }

  /// The font has to be set again: a restored graphics state has another.
  mutating func forgetStyle() {
    style = nil
    if hasExpansion { expansion = nil }
  }
}
