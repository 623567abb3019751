import BoxGeneration
import CSS
import Fonts
import Primitives
import Shaping
import Styling
import Text

/// Texts of formulas, which are as high as their ink (MathML Core, section 3.2.1.1).
extension MathLayout {
  mutating func token(_ box: BoxID) -> MathItem { text(box).item }

  /// A text and its only glyph, if it has no more.
  private struct TokenLayout {
    var item: MathItem
    let inset: LogicalOffset
    let edges: LogicalSize
    /// The text fragment of the only glyph.
    var glyph = FragmentID.none
  }

  private mutating func text(_ box: BoxID) -> TokenLayout {
    let geometry = context.borderAndPadding(of: box, availableInline: available)
    let inset = geometry.contentOffset
    let edges = geometry.edges
    let fragment = context.page.appendBox(box, size: .zero, geometry: geometry)
    let margins = box == root ? .zero : context.margins(of: box, availableInline: available)
    var laid = TokenLayout(
      item: MathItem(
        box: box, fragment: fragment, size: LogicalSize(inline: edges.inline, block: edges.block),
        baseline: inset.block, margins: margins), inset: inset, edges: edges)
    guard value(box).content == .text else {
      resize(&laid, width: .zero, above: .zero, below: .zero)
      return laid
    }
    let width = context.inlineIntrinsicSizes(box, text: value(box).text).maximum + slack(of: box)
    var inner = InlineSpace(contentInline: width)
    inner.fragmentainer = space.fragmentainer.unbroken
    let result = InlineLayouter.layout(
      box, text: value(box).text, in: inner, parent: fragment, contentOffset: inset, direction: direction(box), context,
      &progress)
    laid.item.outOfFlow = result.outOfFlow
    let ink = ink(of: fragment)
    let baseline = result.baselines.first ?? inset.block
    let above = ink?.above ?? baseline - inset.block
    let below = ink?.below ?? result.blockSize - above
    if ink == nil {
      context.page.moveContent(of: fragment, by: inset.block + above - baseline)
    } else {
      setReach(of: laid, above: above, below: below)
    }
    resize(&laid, width: width, above: above, below: below)
    guard let only = onlyGlyph(of: fragment) else { return laid }
    laid.glyph = only
    let content = context.page.text(of: only)
    guard let face = context.fonts.face(content.font) else { return laid }
    let glyph = context.page.glyph(Int(content.glyphs.lowerBound)).id
    func pixels(_ units: Int32) -> LayoutUnit { LayoutUnit(face.metrics.scaled(units, size: content.size)) }
    laid.item.italic = edges.inline == .zero ? pixels(face.italicCorrection(glyph)) : .zero
    laid.item.attachment = face.accentAttachment(glyph).map { inset.inline + pixels($0) }
    if edges.inline == .zero { laid.item.glyph = (face, glyph, content.size) }
    return laid
  }

  /// Room beside the glyphs of a text, for the rounding of their widths: browsers leave the least there is, but not
  /// beside operators that stretch upwards.
  private func slack(of box: BoxID) -> LayoutUnit {
    guard !context.settings.deviations.extendsFormulas else { return .zero }
    let operation = context.tree.formulas[box]?.operation
    return operation.map { $0.isStretchy && !$0.isHorizontal } == true ? .zero : LayoutUnit(rawValue: 1)
  }

  /// Makes the line of a text as high as its ink: its baseline is `above` below its upper edge.
  private func setReach(of laid: TokenLayout, above: LayoutUnit, below: LayoutUnit) {
    let page = context.page
    let line = page[laid.item.fragment].firstChild
    guard !line.isNone, page[line].kind == .line else { return }
    page.moveContent(of: line, by: above - page.line(of: line).baseline)
    page.change(lineOf: line) { $0.baseline = above }
    page.setBlockOffset(laid.inset.block, of: line)
    page.setBlockSize(Swift.max(.zero, above + below), of: line)
  }

  /// Gives a text its size: the content's, unless its style says otherwise.
  private func resize(_ laid: inout TokenLayout, width: LayoutUnit, above: LayoutUnit, below: LayoutUnit) {
    let box = laid.item.box
    laid.item.baseline = laid.inset.block + above
    laid.item.size = LogicalSize(inline: width + laid.edges.inline, block: above + below + laid.edges.block)
    if value(box).style.box.index != 0, box != ignoresOwnWidth {
      let style = value(box).style
      let geometry = context.page.geometry(of: laid.item.fragment)
      if let inline = context.borderBoxInline(
        context.inlineSizes(style.box).size, of: box, style: style, geometry: geometry, availableInline: available)
      {
        laid.item.size.inline = inline
      }
      var own = space
      own.imposed = ImposedSize()
      own.percentageBlock = nil
      laid.item.size.block = context.usedBlock(auto: laid.item.size.block, of: box, geometry: geometry, space: own)
    }
    context.page.setSize(laid.item.size, of: laid.item.fragment)
  }

  /// The reach of the glyphs of a text of one line from its baseline; nil where there is more in it than text, or its baseline is a
  /// central one.
  private func ink(of fragment: FragmentID) -> (above: LayoutUnit, below: LayoutUnit)? {
    let line = context.page[fragment].firstChild
    guard !context.isCentral, !line.isNone, context.page[line].nextSibling.isNone, context.page[line].kind == .line
    else {
      return nil
    }
    var ink: (above: LayoutUnit, below: LayoutUnit)?
    var child = context.page[line].firstChild
    let baseline = context.page.line(of: line).baseline
    while !child.isNone {
      let fragment = context.page[child]
      switch fragment.kind {
      case .text:
        let content = context.page.text(of: child)
        guard let face = context.fonts.face(content.font) else { return nil }
        let lower = fragment.offset.block + content.baseline - baseline
        for index in content.glyphs {
          let glyph = context.page.glyph(Int(index))
          guard let extents = face.extents(glyph.id), extents.height != 0 else { continue }
          let top = LayoutUnit(face.metrics.scaled(extents.y, size: content.size)) - glyph.y - lower
          let foot = LayoutUnit(face.metrics.scaled(extents.y &+ extents.height, size: content.size)) - glyph.y - lower
          ink = (Swift.max(ink?.above ?? top, top), Swift.max(ink?.below ?? -foot, -foot))
        }
      case .box: return nil
      case .inlineBox, .line: break
      }
      child = fragment.nextSibling
    }
    return ink.map { wholePixels($0.above, $0.below) } ?? (.zero, .zero)
  }

  /// The reach of ink, which browsers measure in whole px.
  private func wholePixels(_ above: LayoutUnit, _ below: LayoutUnit) -> (above: LayoutUnit, below: LayoutUnit) {
    context.settings.deviations.extendsFormulas ? (above, below) : (above.ceiling, below.ceiling)
  }

  /// The text fragment of a text that is one glyph.
  private func onlyGlyph(of fragment: FragmentID) -> FragmentID? {
    let line = context.page[fragment].firstChild
    guard !context.isCentral, !line.isNone, context.page[line].nextSibling.isNone, context.page[line].kind == .line
    else {
      return nil
    }
    var only: FragmentID?
    var child = context.page[line].firstChild
    while !child.isNone {
      switch context.page[child].kind {
      case .text:
        guard only == nil, context.page.text(of: child).glyphs.count == 1 else { return nil }
        only = child
      case .box: return nil
      case .inlineBox, .line: break
      }
      child = context.page[child].nextSibling
    }
    return only
  }

  // MARK: Mirrored signs

  /// The face has a form of a root's sign for text from right to left.
  mutating func isMirrored(_ sign: BoxID) -> Bool {
    guard let glyph = measure(sign).glyph else { return true }
    return glyph.id != glyph.face.glyph(0x221A)
  }

  /// Turns the glyphs of a sign without edges round its middle.
  func mirror(_ item: MathItem) {
    let line = context.page[item.fragment].firstChild
    guard !line.isNone else { return }
    var child = context.page[line].firstChild
    while !child.isNone {
      if context.page[child].kind == .text {
        let content = context.page.text(of: child)
        let width = LayoutUnit(item.size.inline.float / content.compression)
        context.page.change(textOf: child) { $0.compression = -content.compression }
        for index in content.glyphs { context.page.change(glyph: Int(index)) { $0.x -= width } }
      }
      child = context.page[child].nextSibling
    }
  }

  // MARK: Operators

  /// An operator, stretched where it has to be (section 3.2.4.3).
  mutating func operation(_ box: BoxID, _ made: MathBox, _ stretch: MathStretch?) -> MathItem {
    var laid = text(box)
    guard let operation = made.operation, !laid.glyph.isNone, let glyph = laid.item.glyph ?? self.glyph(of: laid) else {
      return laid.item
    }
    let measures = measures(box)
    if operation.isLarge, measures.isDisplayed {
      laid.item.isLarge = true
      if stretch == nil || !operation.isStretchy {
        enlarge(&laid, glyph, measures)
        return laid.item
      }
    }
    guard operation.isStretchy else { return laid.item }
    if operation.isHorizontal {
      if case .inline(let width)? = stretch { widen(&laid, glyph, to: width) }
      return laid.item
    }
    let own = (above: laid.item.baseline - laid.inset.block, below: LayoutUnit.zero)
    let height = laid.item.size.block - laid.edges.block
    var (above, below) = (own.above, height - own.above)
    if case .block(let wantedAbove, let wantedBelow)? = stretch {
      (above, below) = (wantedAbove, wantedBelow)
    } else if made.minSize == nil {
      return laid.item
    }
    limit(&above, &below, box, made, operation, own: height, measures)
    heighten(&laid, glyph, above: above, below: below)
    return laid.item
  }

  private func glyph(of laid: TokenLayout) -> (face: FontFace, id: UInt16, size: Float)? {
    let content = context.page.text(of: laid.glyph)
    return context.fonts.face(content.font).map {
      ($0, context.page.glyph(Int(content.glyphs.lowerBound)).id, content.size)
    }
  }

  /// Makes a stretch symmetric about the math axis where the operator is, and keeps it within `minsize` and `maxsize`.
  private func limit(
    _ above: inout LayoutUnit, _ below: inout LayoutUnit, _ box: BoxID, _ made: MathBox, _ operation: MathOperator,
    own: LayoutUnit, _ measures: MathMeasures
  ) {
    let axis = operation.isSymmetric ? measures.axis : .zero
    if operation.isSymmetric {
      let half = Swift.max(above - axis, below + axis)
      (above, below) = (half + axis, half - axis)
    }
    func used(_ length: MathLength?) -> LayoutUnit? {
      guard let length else { return nil }
      guard let css = length.length else { return LayoutUnit(own.float * length.value) }
      return context.resolve(css, font: value(box).style.font, percentage: own)
    }
    let least = Swift.max(.zero, used(made.minSize) ?? own)
    let most = used(made.maxSize).map { Swift.max($0, least) } ?? .max
    let size = above + below
    let wanted = Swift.max(least, Swift.min(size, most))
    guard wanted != size else { return }
    if operation.isSymmetric {
      above = wanted / 2 + axis
    } else {
      above = size > .zero ? LayoutUnit(above.float * wanted.float / size.float) : wanted
    }
    below = wanted - above
  }

  /// The larger form of an operator where formulas are displayed.
  private func enlarge(
    _ laid: inout TokenLayout, _ glyph: (face: FontFace, id: UInt16, size: Float), _ measures: MathMeasures
  ) {
    let above = laid.item.baseline - laid.inset.block
    let below = laid.item.size.block - laid.edges.block - above
    if let height = measures.displayOperatorHeight {
      let units = height.float / Swift.max(0.01, glyph.size) * Float(glyph.face.unitsPerEm)
      guard height > above + below, let sign = glyph.face.stretched(glyph.id, to: units, isVertical: true) else {
        return
      }
      set(sign, in: &laid, glyph, center: nil)
    } else if context.settings.deviations.extendsFormulas {
      let half = (above + below) * Self.largeScale / 2
      heighten(&laid, glyph, above: half + measures.axis, below: half - measures.axis, scalesWidth: true)
    }
  }
  /// The scale of large operators of faces without larger forms.
  private static let largeScale = 1.4

  /// Makes an operator as high as asked for, about the middle of that height.
  private func heighten(
    _ laid: inout TokenLayout, _ glyph: (face: FontFace, id: UInt16, size: Float), above: LayoutUnit, below: LayoutUnit,
    scalesWidth: Bool = false
  ) {
    let own = laid.item.size.block - laid.edges.block
    let wanted = above + below
    let center = (above - below) / 2
    let tolerance = context.settings.deviations.extendsFormulas ? Self.tolerance : 1
    if wanted.float > own.float * tolerance {
      let units = wanted.float / Swift.max(0.01, glyph.size) * Float(glyph.face.unitsPerEm)
      if let sign = glyph.face.stretched(glyph.id, to: units, isVertical: true) {
        return set(sign, in: &laid, glyph, center: center)
      }
      if context.settings.deviations.extendsFormulas, own > .zero {
        return scale(&laid, by: Swift.min(Self.mostStretch, wanted.float / own.float), center, scalesWidth: scalesWidth)
      }
    }
    move(&laid, above: own / 2 + center, below: own / 2 - center)
  }
  /// What an operator may be too small by.
  private static let tolerance: Float = 1.1
  private static let mostStretch: Float = 200

  /// Moves the text of an operator within its box, which reaches so far from the baseline.
  private func move(_ laid: inout TokenLayout, above: LayoutUnit, below: LayoutUnit) {
    let old = laid.item.baseline - laid.inset.block
    context.page.change(textOf: laid.glyph) { $0.stretchShift += old - above }
    setReach(of: laid, above: above, below: below)
    resize(&laid, width: laid.item.size.inline - laid.edges.inline, above: above, below: below)
  }

  private func scale(_ laid: inout TokenLayout, by factor: Float, _ center: LayoutUnit, scalesWidth: Bool) {
    let old = laid.item.baseline - laid.inset.block
    let height = LayoutUnit((laid.item.size.block - laid.edges.block).float * factor)
    let (above, below) = (height / 2 + center, height / 2 - center)
    let width = (laid.item.size.inline - laid.edges.inline).float
    context.page.change(textOf: laid.glyph) {
      $0.stretch = factor
      if scalesWidth { $0.compression = factor }
      $0.stretchShift = LayoutUnit(old.float * factor) - above
    }
    setReach(of: laid, above: above, below: below)
    resize(&laid, width: LayoutUnit(scalesWidth ? width * factor : width), above: above, below: below)
  }

  /// Puts a larger form in the place of an operator's glyph, about `center` above the baseline, or as the face has it.
  private func set(
    _ sign: StretchedSign, in laid: inout TokenLayout, _ glyph: (face: FontFace, id: UInt16, size: Float),
    center: LayoutUnit?
  ) {
    let (face, size) = (glyph.face, glyph.size)
    func pixels(_ units: Int32) -> LayoutUnit { LayoutUnit(face.metrics.scaled(units, size: size)) }
    let advance = sign.parts.reduce(Int32(0)) { Swift.max($0, face.advance($1.glyph)) }
    var top = pixels(sign.length)
    var foot = LayoutUnit.zero
    if sign.parts.count == 1, let ink = face.extents(sign.parts[0].glyph), ink.height != 0 {
      top = pixels(ink.y)
      foot = pixels(ink.y &+ ink.height)
    }
    let height = top - foot
    let above = center.map { height / 2 + $0 } ?? top
    replace(laid, by: sign) { part in
      guard sign.parts.count > 1 else { return (.zero, top - above) }
      // Each stands with its ink on the end of the one before.
      let own = face.extents(part.glyph).map { $0.y &+ $0.height } ?? 0
      return (.zero, pixels(own &- part.offset) + top - above)
    }
    setReach(of: laid, above: above, below: height - above)
    context.page.setInlineSize(pixels(advance), of: laid.glyph)
    resize(&laid, width: pixels(advance), above: above, below: height - above)
    if sign.parts.count == 1 {
      let only = sign.parts[0].glyph
      laid.item.italic = laid.edges.inline == .zero ? pixels(face.italicCorrection(only)) : .zero
      laid.item.attachment = face.accentAttachment(only).map { laid.inset.inline + pixels($0) }
      if laid.item.glyph != nil { laid.item.glyph = (face, only, size) }
    } else {
      laid.item.italic = .zero
      laid.item.attachment = nil
      laid.item.glyph = nil
    }
  }

  /// Makes an operator as long as asked for.
  private func widen(
    _ laid: inout TokenLayout, _ glyph: (face: FontFace, id: UInt16, size: Float), to width: LayoutUnit
  ) {
    let (face, size) = (glyph.face, glyph.size)
    func pixels(_ units: Int32) -> LayoutUnit { LayoutUnit(face.metrics.scaled(units, size: size)) }
    let own = laid.item.size.inline - laid.edges.inline
    guard width > own, own > .zero else { return }
    let above = laid.item.baseline - laid.inset.block
    let below = laid.item.size.block - laid.edges.block - above
    let units = width.float / Swift.max(0.01, size) * Float(face.unitsPerEm)
    guard let sign = face.stretched(glyph.id, to: units, isVertical: false) else {
      guard context.settings.deviations.extendsFormulas else { return }
      context.page.change(textOf: laid.glyph) {
        $0.compression = Swift.min(Self.mostStretch, width.float / own.float)
      }
      context.page.setInlineSize(width, of: laid.glyph)
      resize(&laid, width: width, above: above, below: below)
      return
    }
    let start = lead(of: sign, in: width, face, pixels)
    replace(laid, by: sign) { (pixels($0.offset) + start, .zero) }
    var ink: (top: LayoutUnit, foot: LayoutUnit)?
    for part in sign.parts {
      guard let extents = face.extents(part.glyph), extents.height != 0 else { continue }
      let (top, foot) = (pixels(extents.y), pixels(extents.y &+ extents.height))
      ink = (Swift.max(ink?.top ?? top, top), Swift.min(ink?.foot ?? foot, foot))
    }
    let reach = wholePixels(ink?.top ?? above, ink.map { -$0.foot } ?? below)
    setReach(of: laid, above: reach.above, below: reach.below)
    let advance = sign.parts.count == 1 ? face.advance(sign.parts[0].glyph) : sign.length
    context.page.setInlineSize(pixels(advance), of: laid.glyph)
    resize(&laid, width: pixels(advance), above: reach.above, below: reach.below)
    laid.item.attachment = nil
    laid.item.glyph = nil
  }

  /// The start of a sign put together from parts in its room. Browsers measure its ink in whole px about each glyph,
  /// and centre that.
  private func lead(
    of sign: StretchedSign, in width: LayoutUnit, _ face: FontFace, _ pixels: (Int32) -> LayoutUnit
  ) -> LayoutUnit {
    guard !context.settings.deviations.extendsFormulas, sign.parts.count > 1, let last = sign.parts.last,
      let head = face.extents(sign.parts[0].glyph), let tail = face.extents(last.glyph)
    else { return .zero }
    let ink = pixels(last.offset) + pixels(tail.x &+ tail.width).ceiling - pixels(head.x).floor
    return (width - ink) / 2
  }

  /// Draws the parts of a larger form in the place of an operator's glyph.
  private func replace(
    _ laid: TokenLayout, by sign: StretchedSign,
    at place: ((glyph: UInt16, offset: Int32)) -> (x: LayoutUnit, y: LayoutUnit)
  ) {
    let page = context.page
    let old = page.glyph(Int(page.text(of: laid.glyph).glyphs.lowerBound))
    let first = UInt32(page.glyphCount)
    let glyphs = sign.parts.map { part in
      let shift = place(part)
      return FragmentGlyph(id: part.glyph, x: old.x + shift.x, y: old.y + shift.y)
    }
    unsafe glyphs.withUnsafeBufferPointer { unsafe page.append($0) }
    page.change(textOf: laid.glyph) { $0.glyphs = first..<first + UInt32(glyphs.count) }
  }
}
