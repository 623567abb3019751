import CSS
import Primitives

extension StyleBuilder {
  func apply(_ id: ParagraphProperty) {
    let initial = Self.initialParagraph
    switch id {
    case .writingMode: assign(&paragraph.writingMode, keyword(), initial.writingMode)
    case .direction: assign(&paragraph.direction, keyword(), initial.direction)
    case .textAlign:
      if case .absent = value, !takesOther {
        // `-internal-center` of `th` gives way to any alignment the row asks for.
        if paragraph.align == .start || paragraph.align == .houseJustify { paragraph.align = .center }
      } else if case .flags = value {
        // `-internal-start` gives way likewise.
        if paragraph.align == .houseJustify { paragraph.align = .start }
      } else {
        assign(&paragraph.align, keyword(), initial.align)
        if paragraph.align == .matchParent { paragraph.align = parentAlignment() }
      }
    case .textAlignLast: assign(&paragraph.alignLast, keyword(), initial.alignLast)
    case .textJustify: assign(&paragraph.justify, keyword(), initial.justify)
    case .textIndent:
      if case .lengthPercentage(let indent) = value {
        guard paragraph.indentOrigin != .declared else { return }
        paragraph.indent = computedForChildren(indent)
        paragraph.indentOrigin = .house
        return
      }
      if settings.usesHouseStyle { paragraph.indentOrigin = .declared }
      if case .textIndent(let indent, let isHanging, let isEachLine) = value {
        paragraph.indent = computedForChildren(indent)
        paragraph.indentHanging = isHanging
        paragraph.indentEachLine = isEachLine
      } else if takesOther {
        paragraph.indent = initial.indent
        paragraph.indentHanging = false
        paragraph.indentEachLine = false
      }
    case .orphans: assign(&paragraph.orphans, integer, initial.orphans)
    case .widows: assign(&paragraph.widows, integer, initial.widows)
    case .textWrapStyle: assign(&paragraph.wrapStyle, keyword(), initial.wrapStyle)
    case .hangingPunctuation:
      assign(
        &paragraph.hangingPunctuation, flags.map { HangingPunctuation(rawValue: UInt8(truncatingIfNeeded: $0)) }, [])
    case .tabSize:
      if case .tabSize(let size, let isNumber) = value {
        paragraph.tabSize = isNumber ? size : computedForChildren(size)
        paragraph.tabSizeIsNumber = isNumber
      } else if takesOther {
        paragraph.tabSize = initial.tabSize
        paragraph.tabSizeIsNumber = true
      }
    case .textBoxEdge: assign(&paragraph.textBoxEdge, keyword(), initial.textBoxEdge)
    case .xConventions: assign(&paragraph.conventions, keyword(), initial.conventions)
    case .hyphenateLimitLines: assign(&paragraph.hyphenateLimitLines, integer, initial.hyphenateLimitLines)
    case .hyphenateLimitLast: assign(&paragraph.hyphenateLimitLast, keyword(), initial.hyphenateLimitLast)
    case .hyphenateLimitZone:
      if case .lengthPercentage(let zone) = value {
        paragraph.hyphenateLimitZone = computedForChildren(zone)
      } else if takesOther {
        paragraph.hyphenateLimitZone = initial.hyphenateLimitZone
      }
    }
  }

  /// `text-align: match-parent` (CSS Text 3, section 6.1).
  private func parentAlignment() -> TextAlign {
    let parent = interner.table.paragraphs[self.parent.paragraph.index]
    switch parent.align {
    case .start: return parent.direction == .ltr ? .left : .right
    case .end: return parent.direction == .ltr ? .right : .left
    default: return parent.align
    }
  }

  func apply(_ id: FontProperty) {
    let initial = Self.initialFont
    switch id {
    case .fontFamily:
      if case .families(let families) = value {
        font.families = families
      } else {
        assign(&font.families, nil, initial.families)
      }
    case .mathDepth: assign(&font.mathDepth, mathDepth, initial.mathDepth)
    case .fontSize:
      if case .fontSize(let size) = value { font.size = fontSize(size) } else { assign(&font.size, nil, initial.size) }
    case .fontWeight:
      if case .fontWeight(let weight) = value {
        font.weight = fontWeight(weight, parentFont.weight)
      } else {
        assign(&font.weight, nil, initial.weight)
      }
    case .fontStyle:
      // The number is the angle of `oblique`; one of nothing is upright.
      assign(&font.slant, number.map { $0 == 0 ? .normal : .oblique } ?? keyword(), initial.slant)
      assign(
        &font.obliqueAngle, number ?? keyword(FontSlant.self).map { _ in initial.obliqueAngle }, initial.obliqueAngle)
    case .fontStretch: assign(&font.stretch, number, initial.stretch)
    case .fontSizeAdjust:
      if case .fontSizeAdjust(let adjust) = value {
        font.sizeAdjust = adjust
      } else {
        assign(&font.sizeAdjust, optional(nil as FontSizeAdjust?), nil)
      }
    case .fontVariantCaps: assign(&font.caps, keyword(), initial.caps)
    case .fontVariantPosition: assign(&font.position, keyword(), initial.position)
    case .fontVariantEmoji: assign(&font.emoji, keyword(), initial.emoji)
    case .fontVariantLigatures: applyVariants(.allLigatures)
    case .fontVariantNumeric: applyVariants(.allNumeric)
    case .fontVariantEastAsian: applyVariants(.allEastAsian)
    case .fontVariantAlternates:
      if case .alternates(let parts) = value { font.alternates = parts } else { assign(&font.alternates, nil, []) }
    case .fontKerning: assign(&font.kerning, keyword(), initial.kerning)
    case .fontFeatureSettings:
      if case .settings(let settings) = value { font.features = settings } else { assign(&font.features, nil, []) }
    case .fontVariationSettings:
      if case .settings(let settings) = value { font.variations = settings } else { assign(&font.variations, nil, []) }
    case .fontPalette:
      if case .palette(let palette) = value { font.palette = palette } else { assign(&font.palette, nil, .normal) }
    case .fontOpticalSizing: assign(&font.usesOpticalSize, switchedOn, true)
    case .fontSynthesisPosition: assign(&font.synthesizesPosition, switchedOn, true)
    case .fontSynthesisWeight: assign(&font.synthesizesWeight, switchedOn, true)
    case .fontSynthesisStyle: assign(&font.synthesizesStyle, switchedOn, true)
    case .fontSynthesisSmallCaps: assign(&font.synthesizesSmallCaps, switchedOn, true)
    case .lineHeight:
      if case .lineHeight(let height) = value {
        font.lineHeight = lineHeight(height)
        font.keepsLineHeight = true
      } else {
        font.keepsLineHeight = false
        assign(&font.lineHeight, nil, initial.lineHeight)
      }
    }
  }

  private var switchedOn: Bool? { if case .keyword(let raw) = value { raw != 0 } else { nil } }

  private func applyVariants(_ group: FontVariants) {
    guard flags != nil || takesOther else { return }
    font.variants = font.variants.subtracting(group).union(FontVariants(rawValue: flags ?? 0))
  }

  /// The computed font size (CSS Fonts 4, section 2.5).
  private func fontSize(_ value: FontSizeValue) -> FontSize {
    let parent = parentFont
    switch value {
    case .rootFactor(let factor): return FontSize(rootFactor: factor)
    case .larger: return parent.size.scaled(by: 1.2)
    case .smaller: return parent.size.scaled(by: 1 / 1.2)
    case .math: return parent.size.scaled(by: mathScale(from: parent.mathDepth, to: font.mathDepth, of: parent))
    case .xHeight: return parent.size.scaled(by: xHeightFactor(of: parent))
    case .length(.length(let length)): return fontSize(length, parent)
    case .length(.calculation(let id)):
      return id.index < calculations.count ? fontSize(calculations[id.index], parent) : parent.size
    }
  }

  /// The declared `math-depth` (MathML Core, section 4.5); nil where it is `inherit` or `initial`.
  private var mathDepth: Int16? {
    func depth(_ value: Int) -> Int16 { Int16(max(-Self.mostMathDepth, min(value, Self.mostMathDepth))) }
    let outer = Int(parentFont.mathDepth)
    switch value {
    case .keyword:
      return depth(interner.table.texts[parent.text.index].mathStyle == .compact ? outer + 1 : outer)
    case .number(let added): return depth(outer + Int(max(-1000, min(added, 1000))))
    case .integer(let depth): return Int16(max(-1000, min(depth, 1000)))
    default: return nil
    }
  }
  private static let mostMathDepth = 1000

  /// The factor from the font size at one `math-depth` to that at another, with the scales of the parent's face for scripts and for
  /// scripts of scripts (MathML Core, section 4.5).
  private func mathScale(from outer: Int16, to inner: Int16, of font: FontStyle) -> Float {
    guard outer != inner else { return 1 }
    guard outer < inner else { return 1 / mathScale(from: inner, to: outer, of: font) }
    let ratios = ratios(of: font) ?? FontUnitRatios()
    var levels = Int(inner - outer)
    var scale: Float = 1
    if outer <= 0, inner >= 2 {
      scale = ratios.scriptScriptScale
      levels -= 2
    } else if outer == 1 {
      scale = ratios.scriptScriptScale / ratios.scriptScale
      levels -= 1
    } else if inner == 1 {
      scale = ratios.scriptScale
      levels -= 1
    }
    // Smaller letters are none to be told apart.
    for _ in 0..<min(levels, Self.mostScaledLevels) { scale *= FontUnitRatios.scriptScale }
    return scale
  }
  private static let mostScaledLevels = 16

  /// The factor that makes small letters of the family at hand as high as the parent's, within bounds: faces without
  /// small letters measure anything.
  private func xHeightFactor(of parent: FontStyle) -> Float {
    guard let outer = ratios(of: parent), let own = ratios(of: font), own.xHeight > 0 else {
      return Self.usualXHeightFactor
    }
    return min(max(outer.xHeight / own.xHeight, Self.leastXHeightFactor), 1)
  }
  private static let leastXHeightFactor: Float = 0.7
  /// Of monospace letters beside those of a serif face.
  private static let usualXHeightFactor: Float = 0.82

  /// Font-relative units refer to the parent's font, percentages to its size; viewport units to the page as it is now.
  private func fontSize(_ length: Length, _ parent: FontStyle) -> FontSize {
    func pixels(_ value: Double) -> FontSize { FontSize(rootFactor: 0, pixels: Float(value)) }
    let value = Double(length.value)
    let media = settings.media
    switch length.unit {
    case .px: return settings.scalesAbsoluteSizes ? FontSize(rootFactor: Float(value / 16)) : pixels(value)
    case .em: return parent.size.scaled(by: length.value)
    case .percent: return parent.size.scaled(by: length.value / 100)
    case .function: return parent.size
    case .ex, .ch, .cap, .ic:
      return parent.size.scaled(by: length.value * (ratios(of: parent) ?? FontUnitRatios())[length.unit])
    case .vw, .vi, .vh, .vb, .vmin, .vmax:
      dependencies.insert(.pageSize)
      return pixels(length.unit.pagePixels(value, width: media.width, height: media.height) ?? 0)
    case .cqw, .cqh, .cqi, .cqb, .cqmin, .cqmax:
      return fontSize(ofContainer(length), parent)
    case .rem, .rex, .rch, .lh, .rlh:
      return fontSize(length.unit == .lh ? absolute(length, parent) : withoutRootUnits(length))
    }
  }

  /// A sum of base font sizes and px, which is what absolute lengths are.
  private func fontSize(_ calculation: Calculation) -> FontSize {
    switch calculation {
    case .length(let length):
      return length.unit == .rem ? FontSize(rootFactor: length.value) : FontSize(rootFactor: 0, pixels: length.value)
    case .sum(let terms):
      return terms.reduce(FontSize(rootFactor: 0)) { sum, term in
        let size = fontSize(term)
        return FontSize(rootFactor: sum.rootFactor + size.rootFactor, pixels: sum.pixels + size.pixels)
      }
    default: return FontSize(rootFactor: 0)
    }
  }

  private func fontSize(_ calculation: Calculation, _ parent: FontStyle) -> FontSize {
    func larger(_ a: FontSize, _ b: FontSize) -> FontSize {
      dependencies.insert(.rootFontSize)
      return a.resolved(rootFontSize: settings.rootFontSize) >= b.resolved(rootFontSize: settings.rootFontSize) ? a : b
    }
    func smaller(_ a: FontSize, _ b: FontSize) -> FontSize {
      dependencies.insert(.rootFontSize)
      return a.resolved(rootFontSize: settings.rootFontSize) <= b.resolved(rootFontSize: settings.rootFontSize) ? a : b
    }
    switch calculation {
    case .length(let length): return fontSize(length, parent)
    case .sum(let terms):
      return terms.reduce(FontSize(rootFactor: 0)) { sum, term in
        let size = fontSize(term, parent)
        return FontSize(rootFactor: sum.rootFactor + size.rootFactor, pixels: sum.pixels + size.pixels)
      }
    case .product(let term, let factor): return fontSize(term, parent).scaled(by: factor)
    case .minimum(let terms):
      return terms.dropFirst().reduce(fontSize(terms[0], parent)) { smaller($0, fontSize($1, parent)) }
    case .maximum(let terms):
      return terms.dropFirst().reduce(fontSize(terms[0], parent)) { larger($0, fontSize($1, parent)) }
    case .clamp(let low, let middle, let high):
      return larger(fontSize(low, parent), smaller(fontSize(middle, parent), fontSize(high, parent)))
    }
  }

  /// CSS Fonts 4, section 2.2.1.
  private func fontWeight(_ value: FontWeightValue, _ parent: UInt16) -> UInt16 {
    switch value {
    case .number(let number): number
    case .bolder: parent < 350 ? 400 : parent < 550 ? 700 : max(parent, 900)
    case .lighter: parent < 100 ? parent : parent < 550 ? 100 : parent < 750 ? 400 : 700
    }
  }

  /// Lengths and percentages become absolute: children inherit them so (CSS 2.2, section 10.8.1).
  private func lineHeight(_ value: LineHeight) -> LineHeight {
    guard case .length(let length) = value else { return value }
    let font = self.font
    func transform(_ length: Length) -> Calculation {
      if length.isPercentage { return multiple(font.size, length.value / 100) }
      if length.unit == .px, settings.scalesAbsoluteSizes { return .length(Length(length.value / 16, .rem)) }
      // `lh` in line-height itself refers to the parent's.
      return absolute(length, length.unit == .lh ? parentFont : font)
    }
    switch length {
    case .length(let length): return .length(interner.intern(transform(length)))
    case .calculation(let id):
      guard id.index < calculations.count else { return .normal }
      return .length(interner.intern(calculations[id.index].mapping(transform)))
    }
  }

  func apply(_ id: TextProperty) {
    let initial = Self.initialText
    switch id {
    case .color:
      // `currentColor` is the inherited colour.
      if case .color(let color) = value {
        text.color = color.resolved(text.color)
      } else if takesOther {
        text.color = initial.color
      }
    case .letterSpacing: assign(&text.letterSpacing, spacingForChildren, initial.letterSpacing)
    case .wordSpacing: assign(&text.wordSpacing, spacingForChildren, initial.wordSpacing)
    case .textTransform:
      if let flags {
        text.transform = TextTransform(flags: flags)
      } else if takesOther {
        text.transform = initial.transform
      }
    case .whiteSpaceCollapse: assign(&text.whiteSpaceCollapse, keyword(), initial.whiteSpaceCollapse)
    case .textWrapMode: assign(&text.wrapMode, keyword(), initial.wrapMode)
    case .wordBreak: assign(&text.wordBreak, keyword(), initial.wordBreak)
    case .overflowWrap: assign(&text.overflowWrap, keyword(), initial.overflowWrap)
    case .lineBreak:
      assign(&text.lineBreak, keyword(), initial.lineBreak)
      // What an author leaves to the user agent is the house's to say.
      if settings.usesHouseStyle { text.lineBreak = text.lineBreak.inHouseStyle }
    case .hyphens: assign(&text.hyphens, keyword(), initial.hyphens)
    case .hyphenateCharacter: assign(&text.hyphenateCharacter, optional(string), nil)
    case .hyphenateLimitChars:
      let numbers = flags.map { flags in
        SIMD3(UInt8(flags & 255), UInt8(flags >> 8 & 255), UInt8(flags >> 16 & 255))
      }
      assign(&text.hyphenateLimitChars, numbers, initial.hyphenateLimitChars)
    case .textEmphasisStyle:
      if case .emphasisMark(let mark) = value {
        text.emphasisMark = mark
      } else if takesOther {
        text.emphasisMark = .none
      }
    case .textEmphasisColor: assign(&text.emphasisColor, color, initial.emphasisColor)
    case .textFillColor: assign(&text.fillColor, color, initial.fillColor)
    case .textEmphasisPosition:
      if let flags {
        text.emphasisPosition.isUnder = flags & 1 != 0
        text.emphasisPosition.isLeft = flags & 2 != 0
      } else if takesOther {
        text.emphasisPosition = initial.emphasisPosition
      }
    case .textShadow:
      if case .shadows(let shadows) = value {
        text.shadows = shadows.map { $0.mapping { self.computedForChildren($0) } }
      } else if takesOther {
        text.shadows = []
      }
    case .visibility: assign(&text.visibility, keyword(), initial.visibility)
    case .textOrientation: assign(&text.textOrientation, keyword(), initial.textOrientation)
    case .textCombineUpright: assign(&text.textCombineUpright, keyword(), initial.textCombineUpright)
    case .textUnderlinePosition:
      assign(
        &text.underlinePosition, flags.map { UnderlinePosition(rawValue: UInt8(truncatingIfNeeded: $0)) }, [])
    case .textUnderlineOffset:
      if case .lengthPercentage(let offset) = value {
        text.underlineOffset = computedForChildren(offset)
      } else {
        assign(&text.underlineOffset, optional(nil as LengthPercentage?), nil)
      }
    case .textDecorationSkipInk: assign(&text.decorationSkipInk, keyword(), initial.decorationSkipInk)
    case .rubyPosition: assign(&text.rubyPosition, keyword(), initial.rubyPosition)
    case .rubyMerge: assign(&text.rubyMerge, keyword(), initial.rubyMerge)
    case .rubyOverhang: assign(&text.rubyOverhang, keyword(), initial.rubyOverhang)
    case .rubyAlign: assign(&text.rubyAlign, keyword(), initial.rubyAlign)
    case .textAutospace:
      assign(&text.autospace, flags.map { TextAutospace(rawValue: UInt8(truncatingIfNeeded: $0)) }, initial.autospace)
    case .textSpacingTrim: assign(&text.spacingTrim, keyword(), initial.spacingTrim)
    case .mathStyle: assign(&text.mathStyle, keyword(), initial.mathStyle)
    case .mathShift: assign(&text.mathShift, keyword(), initial.mathShift)
    case .xLanguage: assign(&text.language, string, "")
    }
  }

  var namedStrings: [NamedString]? { if case .namedStrings(let strings) = value { strings } else { nil } }
  var string: String? { if case .string(let string) = value { string } else { nil } }

  /// Percentages of letter and word spacing refer to the font size as `em` does (CSS Text 4, section 9).
  private var spacingForChildren: SpacingValue? {
    guard case .spacing(let spacing) = value else { return nil }
    if case .length(.length(let length)) = spacing, length.isPercentage {
      return .length(computedForChildren(.length(Length(length.value / 100, .em))))
    }
    return spacing.mapping { self.computedForChildren($0) }
  }

  func apply(_ id: ListProperty) {
    let initial = Self.initialList
    switch id {
    case .listStyleType:
      if case .listStyleType(let type) = value { list.type = type } else if takesOther { list.type = initial.type }
    case .listStylePosition: assign(&list.position, keyword(), initial.position)
    case .listStyleImage:
      if case .image(let image) = value {
        list.image = image.mapping { self.computedForChildren($0) }
      } else if takesOther {
        list.image = .none
      }
    case .quotes:
      if case .quotes(let quotes) = value { list.quotes = quotes } else if takesOther { list.quotes = .auto }
    case .borderCollapse: assign(&list.borderCollapse, keyword(), initial.borderCollapse)
    case .borderSpacing:
      if case .lengths(let pair) = value, pair.count == 2, case .length(let x) = pair[0], case .length(let y) = pair[1]
      {
        list.borderSpacingX = computedForChildren(x)
        list.borderSpacingY = computedForChildren(y)
      } else if takesOther {
        list.borderSpacingX = .zero
        list.borderSpacingY = .zero
      }
    case .captionSide: assign(&list.captionSide, keyword(), initial.captionSide)
    case .emptyCells: assign(&list.emptyCells, keyword(), initial.emptyCells)
    case .imageOrientation: assign(&list.imageOrientation, keyword(), initial.imageOrientation)
    case .imageRendering: assign(&list.imageRendering, keyword(), initial.imageRendering)
    }
  }
}
