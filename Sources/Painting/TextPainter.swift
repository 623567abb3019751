import BoxGeneration
import CSS
import Fonts
import Graphics
import Layout
import Primitives
import Styling
import Text

extension PagePainting {
  /// Paints a stretch of glyphs, in the coordinates of its line.
  mutating func paintText(_ fragment: Fragment, at offset: LogicalOffset, line: FragmentID, lineOffset: LogicalOffset) {
    let mode = page.lines[Int(page[line].payload)].writingMode
    guard mode.ofLines != map.writingMode else {
      paintGlyphs(fragment, at: offset, line: line, lineOffset: lineOffset)
      return
    }
    let outer = map
    map = PageMapping(writingMode: mode.ofLines, contentArea: outer.rect(lineOffset, page[line].size))
    let place = mode.ofLines.logical(outer.rect(offset, fragment.size), in: map.contentArea)
    var own = fragment
    own.size = place.size
    paintGlyphs(own, at: place.offset, line: line, lineOffset: .zero)
    map = outer
  }

  /// Paints a stretch of glyphs with its shadows, decorations and emphasis marks.
  private mutating func paintGlyphs(
    _ fragment: Fragment, at offset: LogicalOffset, line: FragmentID, lineOffset: LogicalOffset
  ) {
    guard Int(fragment.payload) < page.texts.count else { return }
    let text = page.texts[Int(fragment.payload)]
    let table = tree.texts.attributes
    let attributes = table[text.attributes]
    guard attributes.isVisible else { return }
    let color = textMaskColor ?? attributes.color
    if paintBullet(fragment, text, at: offset, line: line, lineOffset: lineOffset, color: color) { return }
    let decorations = attributes.decorations == 0 ? [] : table.decorations[Int(attributes.decorations)]
    let lines =
      decorations.isEmpty
      ? [] : decorationLines(decorations, fragment, text, at: offset, line: line, lineOffset: lineOffset)
    if attributes.shadows != 0, textMaskColor == nil {
      for shadow in table.shadows[Int(attributes.shadows)].reversed() {
        paintTextShadow(shadow, fragment, text, lines, at: offset, current: attributes.color)
      }
    }
    for line in lines where !line.isThrough { paint(line) }
    let first = list.glyphs.count
    appendGlyphs(text, at: offset, color: color, shift: .zero)
    if contents != nil, textMaskColor == nil {
      contents?.texts.append(
        PaintedText(
          text: Int(fragment.payload), box: fragment.box, glyphs: first..<first + text.glyphs.count,
          origin: map.point(LogicalOffset(inline: offset.inline, block: offset.block + text.baseline)),
          writingMode: map.writingMode))
    }
    if attributes.emphasis != 0 { paintEmphasis(table.emphases[Int(attributes.emphasis)], fragment, text, at: offset) }
    for line in lines where line.isThrough { paint(line) }
  }

  /// Appends the glyphs of a text, to the run before where nothing but the place differs.
  private mutating func appendGlyphs(_ text: TextFragment, at offset: LogicalOffset, color: Color, shift: Point) {
    guard !text.glyphs.isEmpty, !color.isTransparent || drawsTransparentText,
      Int(text.glyphs.upperBound) <= page.glyphs.count
    else { return }
    let first = list.glyphs.count
    let baseline = offset.block + text.baseline
    for index in text.glyphs {
      let glyph = page.glyphs[Int(index)]
      let point = map.point(LogicalOffset(inline: offset.inline + glyph.x, block: baseline + glyph.y))
      list.glyphs.append(PositionedGlyph(glyph: glyph.id, x: point.x + shift.x, y: point.y + shift.y))
    }
    let rotation = rotation(of: text)
    let isNarrowed = text.compression != 1
    let isStretched = text.stretch != 1 || text.stretchShift != .zero
    let start = isNarrowed || isStretched ? map.point(LogicalOffset(inline: offset.inline, block: baseline)) : .zero
    let lies = map.writingMode == .sidewaysLR
    if isNarrowed {
      // Towards the middle of a vertical line, away from the start of a horizontal one.
      let factor = text.compression
      list.items.append(
        .saveTransform(
          lies
            ? AffineTransform(d: factor, ty: start.y.float * (1 - factor))
            : AffineTransform(a: factor, tx: start.x.float * (1 - factor))))
    }
    if isStretched {
      let (factor, shift) = (text.stretch, text.stretchShift.float)
      list.items.append(
        .saveTransform(
          lies
            ? AffineTransform(a: factor, tx: start.x.float * (1 - factor) + shift)
            : AffineTransform(d: factor, ty: start.y.float * (1 - factor) + shift)))
    }
    defer {
      if isNarrowed { list.items.append(.restore) }
      if isStretched { list.items.append(.restore) }
    }
    let size = LayoutUnit(text.size)
    if case .glyphs(let lastFont, let lastSize, let lastColor, let lastRotation, text.expansion, let range)? =
      list.items.last,
      lastFont == text.font, lastSize == size, lastColor == color, lastRotation == rotation, range.upperBound == first
    {
      list.items[list.items.count - 1] = .glyphs(
        font: text.font, size: size, color: color, rotation: rotation, expansion: text.expansion,
        glyphs: range.lowerBound..<list.glyphs.count)
    } else {
      list.items.append(
        .glyphs(
          font: text.font, size: size, color: color, rotation: rotation, expansion: text.expansion,
          glyphs: first..<list.glyphs.count))
    }
  }

  func rotation(of text: TextFragment) -> GlyphRotation {
    guard text.isSideways else { return .none }
    return map.writingMode == .sidewaysLR ? .counterclockwise90 : .clockwise90
  }

  /// A text shadow (CSS Text Decoration 3, section 4).
  private mutating func paintTextShadow(
    _ shadow: Shadow, _ fragment: Fragment, _ text: TextFragment, _ lines: [DecorationLine], at offset: LogicalOffset,
    current: Color
  ) {
    let font = fragment.box.isNone ? ComputedStyle.initial.font : tree[fragment.box].style.font
    let color = shadow.color.resolved(current)
    let blur = Swift.max(.zero, context.resolve(shadow.blur, font: font))
    let shift = Point(x: context.resolve(shadow.x, font: font), y: context.resolve(shadow.y, font: font))
    if shift == .zero, blur == .zero || color.isTransparent { return }
    if blur > .zero {
      // Ink may stick out of the box, by an em at the most in any usual face.
      let ink = map.rect(offset, fragment.size).grown(by: LayoutUnit(text.size)).offsetBy(x: shift.x, y: shift.y)
      list.items.append(.saveLayer(LayerStyle(filters: [.blur(blur / 2)], bounds: ink)))
    }
    for line in lines {
      var line = line
      line.color = color
      line.from = line.from + shift
      line.to = line.to + shift
      let along = line.isHorizontal ? shift.x : shift.y
      line.gaps = line.gaps.map { $0.lowerBound + along...$0.upperBound + along }
      paint(line)
    }
    appendGlyphs(text, at: offset, color: color, shift: shift)
    if blur > .zero { list.items.append(.restore) }
  }

  /// Emphasis marks over or under each character that takes one (CSS Text Decoration 3, section 3).
  private mutating func paintEmphasis(
    _ emphasis: Emphasis, _ fragment: Fragment, _ text: TextFragment, at offset: LogicalOffset
  ) {
    let isCentral = map.writingMode.isCentral
    guard let mark = Self.character(of: emphasis.mark, isVertical: isCentral) else { return }
    let table = tree.texts.attributes
    let shaping = table[table[text.attributes].shaping]
    let request = table[shaping.font]
    let language = table.language(shaping.language)
    let cascade = context.fonts.cascade(for: request.description, language: language.isEmpty ? nil : language)
    let face =
      cascade.face(covering: mark) ?? context.fonts.fallback(for: [mark], in: cascade, script: "Zyyy")
      ?? cascade.primary
    let glyph = face.glyph(mark)
    guard glyph != 0, let textFace = context.fonts.face(text.font), Int(text.glyphs.upperBound) <= page.glyphs.count
    else { return }
    let size = text.size / 2
    let scale = size / Float(Swift.max(1, face.unitsPerEm))
    let ink = face.extents(glyph) ?? (x: 0, y: 0, width: face.advance(glyph), height: 0)
    let textScale = text.size / Float(Swift.max(1, textFace.unitsPerEm))
    let baseline = offset.block + text.baseline
    let middle = (Float(ink.y) + Float(ink.height) / 2) * scale
    let isUnder = context.inputs.isUnder(emphasis.position, isCentral: isCentral)
    let unit = tree.texts[text.text].units.lowerBound + Int(text.range.lowerBound)
    let distance = context.inputs.emphasisDistance(
      font: text.font, size: text.size, first: unit < tree.texts.units.count ? tree.texts.units[unit] : 0,
      isUnder: isUnder, annotations: text.annotationReach, isCentral: isCentral)
    let markMiddle = isUnder ? baseline + distance : baseline - distance
    let takers = emphasisTakers(of: text)
    let first = list.glyphs.count
    for (position, index) in text.glyphs.enumerated() {
      if !takers.isEmpty, !takers[position] { continue }
      let source = page.glyphs[Int(index)]
      var advance = Float(textFace.advance(source.id)) * textScale * text.expansionFactor
      var start = offset.inline + source.x
      if isCentral, !text.isSideways {
        let metrics = textFace.verticalMetrics(source.id)
        advance = Float(metrics.advance) * textScale
        start = start - LayoutUnit(Float(metrics.originY) * textScale)
      }
      guard advance > 0 else { continue }
      let center = map.point(LogicalOffset(inline: start + LayoutUnit(advance / 2), block: markMiddle))
      let left = LayoutUnit((Float(ink.x) + Float(ink.width) / 2) * scale)
      list.glyphs.append(PositionedGlyph(glyph: glyph, x: center.x - left, y: center.y + LayoutUnit(middle)))
    }
    guard list.glyphs.count > first else { return }
    list.items.append(
      .glyphs(
        font: face.id, size: LayoutUnit(size), color: emphasis.color, rotation: .none, glyphs: first..<list.glyphs.count
      ))
  }

  /// The character of a mark: without a shape, sesame dots in vertical lines and circles in others.
  private static func character(of mark: EmphasisMark, isVertical: Bool) -> UInt32? {
    switch mark {
    case .none: nil
    case .filled: isVertical ? 0xFE45 : 0x25CF
    case .open: isVertical ? 0xFE46 : 0x25CB
    case .shape(let shape, let isOpen):
      switch shape {
      case .dot: isOpen ? 0x25E6 : 0x2022
      case .circle: isOpen ? 0x25CB : 0x25CF
      case .doubleCircle: isOpen ? 0x25CE : 0x25C9
      case .triangle: isOpen ? 0x25B3 : 0x25B2
      case .sesame: isOpen ? 0xFE46 : 0xFE45
      }
    case .string(let text): text.unicodeScalars.first?.value
    }
  }

  /// For each glyph whether its character takes a mark; empty where glyphs and characters do not go by pairs.
  private func emphasisTakers(of text: TextFragment) -> [Bool] {
    let start = tree.texts[text.text].units.lowerBound
    let range = start + Int(text.range.lowerBound)..<start + Int(text.range.upperBound)
    guard range.upperBound <= tree.texts.units.count else { return [] }
    let takers = tree.texts.units[range].compactMap { unit in
      Self.hasGlyph(unit) ? Self.takesEmphasis(unit) : nil
    }
    return takers.count == text.glyphs.count ? takers : []
  }

  /// Spaces, controls and the second halves of surrogate pairs have no glyph of their own on the page.
  private static func hasGlyph(_ unit: UInt16) -> Bool {
    switch unit {
    case 0...0x20, 0xAD, 0x2000...0x2006, 0x2008...0x200F, 0x2028...0x202E, 0x205F...0x206F, 0x3000: false
    case 0xDC00...0xDFFF, 0xFE00...0xFE0F, 0xFEFF: false
    default: true
    }
  }

  /// No mark stands over spaces and punctuation.
  private static func takesEmphasis(_ unit: UInt16) -> Bool {
    switch unit {
    case 0...0x22, 0x27...0x29, 0x2C...0x2F, 0x3A, 0x3B, 0x3F, 0x5B...0x5D, 0x7B, 0x7D, 0xA0, 0xAB, 0xAD, 0xB7, 0xBB:
      false
    case 0x2000...0x206F, 0x3000...0x3003, 0x3008...0x3011, 0x3014...0x301F, 0x30FB: false
    case 0xFF01, 0xFF08, 0xFF09, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0xFF3B, 0xFF3D, 0xFF5B...0xFF65, 0xFFFC: false
    default: true
    }
  }
}
