import BoxGeneration
import CSS
import Fonts
import Primitives
import Shaping
import Styling
import Text

/// The mark at the end of a line that is cut off (CSS Overflow 3, section 3.2) or clamped (CSS Overflow 4, section 5.2).
struct Ellipsis {
  /// One character, or three full stops.
  var glyphs: [FragmentGlyph] = []
  var advance: Advance = 0
  var font = FontID.none
  var size: Float = 0
  /// The distance of its baseline below that of the line, which is central.
  var lowering = LayoutUnit.zero
}

extension LayoutContext {
  /// Lines that are too long for the block container end in an ellipsis.
  func endsLinesInEllipsis(_ box: BoxID) -> Bool {
    guard inputs.hasEllipses else { return false }
    var box = box
    while tree.boxes[box.index].flags.contains(.anonymous), !tree.boxes[box.index].parent.isNone {
      box = tree.boxes[box.index].parent
    }
    let style = styles.boxes[tree.boxes[box.index].style.box.index]
    let overflow = writingMode.isHorizontal ? style.overflowX : style.overflowY
    return style.rare?.values.textOverflow == .ellipsis && overflow != .visible
  }

  /// The ellipsis in the font of a block container.
  func ellipsis(of box: BoxID) -> Ellipsis {
    let font = tree.boxes[box.index].style.font
    let primary = primaryFace(font)
    let face = primary.covers(0x2026) || primary.covers(0x2E) ? primary : fonts.library.lastResort
    var ellipsis = Ellipsis(font: face.id, size: inputs.faceSize(font))
    if isCentral {
      ellipsis.lowering = LayoutUnit(
        face.metrics.scaled(face.metrics.ascent - face.metrics.descent, size: ellipsis.size) / 2)
    }
    let characters: [UInt32] = face.covers(0x2026) ? [0x2026] : [0x2E, 0x2E, 0x2E]
    for character in characters {
      let glyph = face.glyph(character)
      ellipsis.glyphs.append(FragmentGlyph(id: glyph, x: LayoutUnit(ellipsis.advance), y: ellipsis.lowering))
      ellipsis.advance += LayoutUnit(face.metrics.scaled(face.advance(glyph), size: ellipsis.size)).advance
    }
    return ellipsis
  }
}

extension InlineLayouter {
  /// Cuts a line off where it is too long or the last one shown, so that it has room for an ellipsis; nil for other lines.
  mutating func cutForEllipsis(_ end: inout LineEnd, available: LayoutUnit) -> Ellipsis? {
    let isClamped = self.isClamped(end)
    guard isClamped || endsInEllipsis && LayoutUnit(end.width) > available + .epsilon else { return nil }
    let ellipsis = context.ellipsis(of: box)
    if let width = builder.cut(to: available.advance - ellipsis.advance) {
      end.width = width
      end.isHyphenated = false
      end.hanging = 0
      end.edges.endCluster = -1
    }
    end.width += ellipsis.advance
    return ellipsis
  }

  /// Draws the ellipsis behind, or before, what is left of the line.
  mutating func draw(_ ellipsis: Ellipsis, at inline: LayoutUnit, in line: FragmentID) {
    guard let attributes = attributesOfEllipsis else { return }
    let page = context.page
    let metrics = context.lineMetrics(context.tree.boxes[box.index].style.font)
    let first = UInt32(page.glyphCount)
    unsafe ellipsis.glyphs.withUnsafeBufferPointer { unsafe page.append($0) }
    let unit = page.line(of: line).range.upperBound
    let content = TextFragment(
      text: ownText, range: unit..<unit, attributes: attributes, font: ellipsis.font, size: ellipsis.size,
      baseline: metrics.ascent, level: baseDirection == .rtl ? 1 : 0, isSideways: context.isCentral,
      glyphs: first..<UInt32(page.glyphCount), isAnnotation: false)
    let size = LogicalSize(inline: LayoutUnit(ellipsis.advance), block: metrics.ascent + metrics.descent)
    let fragment = page.appendText(content, of: box, size: size)
    let top = builder.line.subtrees[0].baseline - metrics.ascent
    page.attach(fragment, to: line, at: LogicalOffset(inline: inline, block: top))
  }

  /// Those of the text that stands in the block itself, or of any other.
  private var attributesOfEllipsis: AttributeID? {
    var depth = 0
    var first: AttributeID?
    for run in runs {
      let value = context.tree.texts.runs[run]
      switch value.kind {
      case .open, .openRuby: depth += 1
      case .close, .closeRuby: depth -= 1
      case .text:
        if depth == 0 { return value.attributes }
        if first == nil { first = value.attributes }
      default: break
      }
    }
    return first
  }
}

extension LineBuilder {
  /// Takes off what lies beyond `room`; the first character or atomic inline stays. Returns the width of the rest, nil where all of
  /// the line has room.
  mutating func cut(to room: Advance) -> Advance? {
    var width: Advance = 0
    var hasContent = false
    for index in line.items.indices {
      let item = line.items[index]
      guard item.kind == .text else {
        let isContent = item.kind == .object || item.kind == .tab
        if isContent, hasContent, width + item.width > room {
          drop(from: index)
          return width
        }
        width += item.width
        hasContent = hasContent || isContent
        continue
      }
      guard item.start < item.end, !item.isHanging else { continue }
      let clusters = paragraph.clusters(of: item)
      let run = paragraph.run(of: item)
      let (scale, spacing) = (run.fixedScale, context.spacing(run.attributes))
      // The start of the last character.
      var (start, before) = (item.start, width)
      for cluster in item.start..<item.end {
        let flags = clusters[cluster].flags
        if flags.contains(.graphemeStart) { (start, before) = (cluster, width) }
        width += scale.advance(clusters[cluster].advance)
        if !flags.contains(.ignorable) { width += spacing.letter }
        if flags.contains(.wordSeparator) { width += spacing.word }
        guard width > room, hasContent || start > item.start else { continue }
        line.items[index].end = start
        drop(from: start > item.start ? index + 1 : index)
        return before
      }
      hasContent = true
    }
    return nil
  }

  /// Positioned boxes are no content of the line, and stay.
  private mutating func drop(from item: Int) {
    line.leaves.removeAll { $0 >= item && line.items[$0].kind != .positioned }
  }
}
