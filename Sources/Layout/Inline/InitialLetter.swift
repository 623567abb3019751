import BoxGeneration
import CSS
import Fonts
import Primitives
import Styling
import Text

/// The place of an initial letter beside the lines it takes room from. Its box is a float; only its size and its place
/// across the lines are its own.
struct InitialLetter {
  /// Border box.
  var size: LogicalSize
  /// The border box's block-start edge, from the top of the first line.
  var blockStart: LayoutUnit
  /// The block offset from which lines are whole again, from the top of the first line.
  var blockEnd: LayoutUnit
  /// The distance by which the first line moves down to make room for what rises above it.
  var rise: LayoutUnit
}

/// The measures by which a letter is aligned, in CSS px: from the baseline up to its over edge, and between its two edges.
private struct LetterMeasures {
  var over: Double
  var extent: Double
  /// The height that spans the lines.
  var span: Double
  /// The reach of the ink below the baseline of letters that stand on one.
  var depth = 0.0
  /// Font size.
  var size: Double
}

extension LayoutContext {
  /// The ink of letters without accents reaches up to so many times the cap height: ascenders and round letters.
  private static let mostInk = 1.1
  /// A letter is scaled by less than that: more comes of a face whose letters have next to no height.
  private static let mostScale = 1000.0

  /// The initial letter that a float is, laid out in `result`; nil for other floats.
  ///
  /// - Parameter space: Of the lines that the letter begins.
  func initialLetter(_ box: BoxID, _ result: LayoutResult, margins: FlowEdges, in space: InlineSpace) -> InitialLetter?
  {
    let value = tree.boxes[box.index]
    guard value.content == .text, value.kind == .block, !result.fragment.isNone, result.next == nil else { return nil }
    if value.flags.contains(.initialLetter) {
      let style = styles.boxes[value.style.box.index]
      let limit = Swift.min(space.contentInline / 2, space.contentInline - margins.inlineSum)
      let lines = Double(style.initialLetterSize)
      if let letter = scaledLetter(
        box, result, margins: margins, lines: lines, sink: Int(style.initialLetterSink), widest: limit,
        lowering: space.initialLowering)
      {
        return letter
      }
      return scaledLetter(
        box, result, margins: margins, lines: 1, sink: 1, widest: .max, lowering: space.initialLowering)
    }
    guard settings.deviations.alignsInitials, space.isFirstLine, value.flags.contains(.float),
      isLeftFloat(box) == (styles.paragraphs[styleOfLines(around: box).paragraph.index].direction == .ltr)
    else { return nil }
    return floatedLetter(box, result, margins: margins)
  }

  /// The float may be an initial letter, as far as is known before it is laid out.
  func mayBeInitial(_ box: BoxID) -> Bool {
    let value = tree.boxes[box.index]
    if value.flags.contains(.initialLetter) { return true }
    guard settings.deviations.alignsInitials, value.content == .text,
      tree.texts.texts[value.text.index].units.count <= Self.mostUnits
    else { return false }
    let around = styleOfLines(around: box).font
    return Double(fontSize(value.style.font)) >= Double(fontSize(around)) * Self.leastScale
  }

  // MARK: initial-letter

  /// Makes the letter so large that it spans from the over edge of the first of `lines` lines to the baseline of the last one,
  /// which is line `sink` of the text (CSS Inline 3, section 4). Nil when it would be wider than `widest`.
  private func scaledLetter(
    _ box: BoxID, _ result: LayoutResult, margins: FlowEdges, lines: Double, sink: Int, widest: LayoutUnit,
    lowering: LayoutUnit
  ) -> InitialLetter? {
    let line = page[result.fragment].firstChild
    guard !line.isNone, page[line].kind == .line, page[line].nextSibling.isNone,
      let measures = letterMeasures(of: line)
    else { return nil }
    let metrics = lineMetrics(styleOfLines(around: box).font)
    // The same letter as text of the first line.
    let own = metrics.fontSize.pixels / measures.size
    let factor = ((lines - 1) * metrics.lineHeight.pixels + measures.span * own) / measures.span
    let span = measures.extent * factor
    guard factor.isFinite, factor > 0, factor < Self.mostScale else { return nil }

    let geometry = page.geometry(of: result.fragment)
    let edges = geometry.border + geometry.padding
    let size = LogicalSize(
      inline: page[line].size.inline * factor + edges.inlineSum, block: LayoutUnit(span) + edges.blockSum)
    guard size.inline <= widest else { return nil }
    page.scale(line, by: factor)
    // The line is as high as what is aligned, not as the leading of so large a font.
    let lowered = LayoutUnit(measures.over * factor) - page.line(of: line).baseline
    page.change(lineOf: line) { $0.baseline += lowered }
    page.setOffset(LogicalOffset(inline: edges.lineLeft, block: edges.blockStart), of: line)
    page.setBlockSize(LayoutUnit(span), of: line)
    page.moveContent(of: line, by: lowered)
    page.setSize(size, of: result.fragment)

    // A central baseline is in the middle of the lines, and of the letter.
    let content =
      (isCentral
        ? (metrics.lineHeight * lines - LayoutUnit(span)) / 2 : metrics.above - LayoutUnit(measures.over * own))
      + metrics.lineHeight * (Double(sink) - lines) + lowering
    // The room above a lowered line serves the letter, too.
    let lifted = Swift.max(.zero, metrics.lineHeight * (lines - Double(sink)) - lowering)
    let rise = isCentral ? lifted : Swift.max(lifted, -(content - edges.blockStart + margins.blockStart))
    let start = content + rise - edges.blockStart + margins.blockStart
    // A tail that reaches among the letters of the next line keeps it away, too.
    let slack = Swift.max(
      .zero, metrics.above - LayoutUnit(Double(lengthBasis(styleOfLines(around: box).font).capHeight) * Self.mostInk))
    let tail = start + edges.blockStart + LayoutUnit(span + measures.depth * factor) - slack
    return InitialLetter(
      size: size, blockStart: start, blockEnd: Swift.max(start + size.block + margins.blockEnd, tail), rise: rise)
  }

  /// By what a letter is aligned (CSS Inline 3, section 4.3): the cap height in scripts with two cases, the em box where
  /// characters fill it, and in others the height of the letter itself.
  private func letterMeasures(of line: FragmentID) -> LetterMeasures? {
    guard let piece = largestPiece(of: line), let face = fonts.face(piece.font) else { return nil }
    let size = Double(piece.size)
    let script = letterScript(of: piece)
    if isCentral, !hasCapitals(script) {
      return LetterMeasures(over: size / 2, extent: size, span: size, size: size)
    }
    if script.isIdeographic || script == .hangul {
      return LetterMeasures(over: size * FaceMetrics.ideographicAscent, extent: size, span: size, size: size)
    }
    var height = Double(face.metrics.scaled(face.metrics.capHeight, size: piece.size))
    let ink = ink(of: piece, face)
    if !hasCapitals(script), let ink { height = ink.top }
    guard height > 0 else { return nil }
    if isCentral { return LetterMeasures(over: size / 2, extent: size, span: height, size: size) }
    return LetterMeasures(over: height, extent: height, span: height, depth: ink?.depth ?? 0, size: size)
  }

  // MARK: Floats with a large letter

  /// The most characters of such a float: a letter with the quotation marks around it.
  private static let mostUnits = 4
  /// The least scale of the letter against the text around it.
  private static let leastScale = 1.8
  /// A round letter reaches over the cap height by less than such a part of it; what reaches further is no letter alone.
  private static let mostOvershoot = 1.05
  /// So many px of that are taken for the letter's own line: less is not seen.
  private static let seenOvershoot = 0.75
  /// The part of the letter's size from which on its author's margins mean another place.
  private static let mostShift = 0.75

  /// A float that holds nothing but a large letter, as books have made initials before `initial-letter`: the top of its ink
  /// stands at the cap line of the first line, and lines are narrowed as far down as the ink reaches.
  private func floatedLetter(_ box: BoxID, _ result: LayoutResult, margins: FlowEdges) -> InitialLetter? {
    let value = tree.boxes[box.index]
    guard tree.texts.texts[value.text.index].units.count <= Self.mostUnits,
      value.style.border.index == 0, value.style.background.index == 0
    else { return nil }
    guard blockSizes(value.style.box).size == .auto, !isCentral else { return nil }
    let line = page[result.fragment].firstChild
    guard !line.isNone, page[line].kind == .line, page[line].nextSibling.isNone,
      let piece = largestPiece(of: line), let face = fonts.face(piece.font), let ink = ink(of: piece, face)
    else { return nil }
    let around = styleOfLines(around: box).font
    let metrics = lineMetrics(around)
    let size = Double(piece.size)
    // Characters of scripts without capitals stand as high as they do in the line itself.
    let cap =
      hasCapitals(letterScript(of: piece))
      ? Double(lengthBasis(around).capHeight) : ink.top * metrics.fontSize.pixels / size
    guard size >= metrics.fontSize.pixels * Self.leastScale, ink.top > 0, cap > 0 else { return nil }
    // A round letter reaches a little over the line that flat ones stand at.
    let flat = Double(face.metrics.scaled(face.metrics.capHeight, size: piece.size))
    let isRound = ink.top > flat && ink.top < flat * Self.mostOvershoot
    let over = isRound ? Swift.max(flat, ink.top - Self.seenOvershoot) : ink.top
    let baseline = page[line].offset.block + page.line(of: line).baseline
    let top = metrics.above - LayoutUnit(cap)
    let start = top + LayoutUnit(over) - baseline
    // An author who moves a letter further means something else.
    guard abs((start - margins.blockStart).pixels) < size * Self.mostShift else { return nil }
    // The next whole line may begin beside the foot of the letter, with the white above its own letters.
    let slack = Swift.max(.zero, metrics.above - LayoutUnit(cap * Self.mostInk))
    let end = top + LayoutUnit(over + ink.depth) - slack
    return InitialLetter(
      size: result.size, blockStart: start, blockEnd: Swift.max(end, metrics.lineHeight / 2), rise: .zero)
  }

  // MARK: Measures

  /// The width of a space in a box's own font.
  func wordSpace(of box: BoxID) -> LayoutUnit {
    let font = tree.boxes[box.index].style.font
    let metrics = primaryFace(font).metrics
    return LayoutUnit(metrics.scaled(metrics.spaceAdvance, size: fontSize(font)))
  }

  /// The style of the block container whose lines a float stands beside.
  private func styleOfLines(around box: BoxID) -> ComputedStyle {
    var parent = tree.boxes[box.index].parent
    while !parent.isNone {
      let value = tree.boxes[parent.index]
      guard value.kind == .inline || value.kind == .rubyBase else { return value.style }
      parent = value.parent
    }
    return tree.boxes[box.index].style
  }

  private func largestPiece(of line: FragmentID) -> TextFragment? {
    var largest: TextFragment?
    var child = page[line].firstChild
    while !child.isNone {
      let fragment = page[child]
      if fragment.kind == .text {
        let piece = page.text(of: child)
        if !piece.isAnnotation, piece.size > largest?.size ?? 0 { largest = piece }
      }
      child = fragment.nextSibling
    }
    return largest
  }

  /// The ink of a piece of text above the baseline and below it, in CSS px.
  private func ink(of piece: TextFragment, _ face: FontFace) -> (top: Double, depth: Double)? {
    var top: Double?
    var depth = 0.0
    for index in piece.glyphs {
      let glyph = page.glyph(Int(index))
      guard let extents = face.extents(glyph.id), extents.height != 0 else { continue }
      let upper = Double(face.metrics.scaled(extents.y, size: piece.size)) - glyph.y.pixels
      let lower = Double(face.metrics.scaled(-(extents.y + extents.height), size: piece.size)) + glyph.y.pixels
      top = Swift.max(top ?? upper, upper)
      depth = Swift.max(depth, lower)
    }
    return top.map { ($0, depth) }
  }

  private func hasCapitals(_ script: Script) -> Bool {
    switch script {
    case .latin, .greek, .cyrillic, .armenian, .georgian, .common, .inherited: true
    default: false
    }
  }

  private func letterScript(of piece: TextFragment) -> Script {
    let units = tree.texts.units
    let base = tree.texts.texts[piece.text.index].units.lowerBound
    var index = base + Int(piece.range.lowerBound)
    let end = Swift.min(units.count, base + Int(piece.range.upperBound))
    while index < end {
      var scalar = UInt32(units[index])
      index += 1
      if scalar & 0xFC00 == 0xD800, index < end {
        scalar = 0x10000 + (scalar & 0x3FF) << 10 + UInt32(units[index]) & 0x3FF
        index += 1
      }
      let script = CharacterProperties(scalar).script
      if script.isReal { return script }
    }
    return .common
  }
}
