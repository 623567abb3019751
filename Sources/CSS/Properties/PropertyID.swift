package import Primitives

/// The longhand properties. Each is named as in CSS, in camel case.
///
/// The order is the order in which a cascade applies them: fonts, which lengths depend on, come first,
/// and the properties of one style group stand together. Logical properties come last; they are mapped to physical ones
/// before they compete in the cascade (CSS Logical Properties 1, section 4).
package enum PropertyID: UInt8, Hashable, Sendable, CaseIterable {
  // Font
  case fontFamily, fontSize, fontWeight, fontStyle, fontStretch, fontSizeAdjust, fontVariantCaps, fontVariantPosition
  case fontVariantEmoji
  case fontVariantLigatures, fontVariantNumeric, fontVariantEastAsian, fontVariantAlternates, fontKerning
  case fontFeatureSettings, fontVariationSettings, fontOpticalSizing, fontSynthesisWeight, fontSynthesisStyle
  case fontSynthesisSmallCaps, fontSynthesisPosition, fontPalette, lineHeight
  // Paragraph
  case writingMode, direction, textAlign, textAlignLast, textJustify, textIndent, orphans, widows, textWrapStyle
  case hangingPunctuation, tabSize, hyphenateLimitLines, hyphenateLimitLast, hyphenateLimitZone
  /// Internal: the conventions of the house style.
  case xConventions
  // Text
  case color, letterSpacing, wordSpacing, textTransform, whiteSpaceCollapse, textWrapMode, wordBreak, overflowWrap
  case lineBreak, hyphens, hyphenateCharacter, hyphenateLimitChars, textEmphasisStyle, textEmphasisColor
  case textEmphasisPosition, textShadow, visibility, textOrientation, textCombineUpright, textUnderlinePosition
  case textUnderlineOffset, textDecorationSkipInk, rubyPosition, rubyAlign, rubyMerge, textAutospace
  case textSpacingTrim
  /// Internal: the language of `lang` or `xml:lang`.
  case xLanguage
  // List
  case listStyleType, listStylePosition, listStyleImage, quotes, borderCollapse, borderSpacing, captionSide, emptyCells
  // Box
  case display, position, float, clear, boxSizing, width, height, minWidth, minHeight, maxWidth, maxHeight
  case marginTop, marginRight, marginBottom, marginLeft, paddingTop, paddingRight, paddingBottom, paddingLeft
  case top, right, bottom, left, overflowX, overflowY, clip, verticalAlign, unicodeBidi, zIndex, tableLayout, content
  case counterReset, counterIncrement, counterSet, objectFit, objectPosition, aspectRatio, opacity
  case transform, translate, rotate, scale, transformOrigin, columnCount, columnWidth, columnGap, rowGap, columnFill,
    columnSpan
  case flexDirection, flexWrap, flexGrow, flexShrink, flexBasis, order, justifyContent, alignItems, alignSelf
  case alignContent, justifyItems, justifySelf, gridTemplateColumns, gridTemplateRows, gridTemplateAreas
  case gridAutoColumns, gridAutoRows, gridAutoFlow, gridColumnStart, gridColumnEnd, gridRowStart, gridRowEnd
  case textDecorationLine, textDecorationStyle, textDecorationColor, textDecorationThickness
  case filter, mixBlendMode, isolation, clipPath, initialLetter
  // Border
  case borderTopWidth, borderRightWidth, borderBottomWidth, borderLeftWidth
  case borderTopStyle, borderRightStyle, borderBottomStyle, borderLeftStyle
  case borderTopColor, borderRightColor, borderBottomColor, borderLeftColor
  case borderTopLeftRadius, borderTopRightRadius, borderBottomRightRadius, borderBottomLeftRadius
  case outlineWidth, outlineStyle, outlineColor, outlineOffset, boxShadow
  case borderImageSource, borderImageSlice, borderImageWidth, borderImageOutset, borderImageRepeat
  case columnRuleWidth, columnRuleStyle, columnRuleColor
  // Background
  case backgroundColor, backgroundImage, backgroundPositionX, backgroundPositionY, backgroundSize, backgroundRepeat
  case backgroundAttachment, backgroundOrigin, backgroundClip
  // Page
  case breakBefore, breakAfter, breakInside, boxDecorationBreak, page, stringSet, footnotePolicy
  case footnoteDisplay
  // Logical
  case marginBlockStart, marginBlockEnd, marginInlineStart, marginInlineEnd
  case paddingBlockStart, paddingBlockEnd, paddingInlineStart, paddingInlineEnd
  case insetBlockStart, insetBlockEnd, insetInlineStart, insetInlineEnd
  case borderBlockStartWidth, borderBlockEndWidth, borderInlineStartWidth, borderInlineEndWidth
  case borderBlockStartStyle, borderBlockEndStyle, borderInlineStartStyle, borderInlineEndStyle
  case borderBlockStartColor, borderBlockEndColor, borderInlineStartColor, borderInlineEndColor
  case borderStartStartRadius, borderStartEndRadius, borderEndEndRadius, borderEndStartRadius
  case blockSize, inlineSize, minBlockSize, minInlineSize, maxBlockSize, maxInlineSize, overflowBlock, overflowInline

  /// The style groups of a computed style.
  package enum Group: UInt8, Sendable { case paragraph, font, text, list, box, border, background, page }

  package var group: Group {
    switch rawValue {
    case ...Self.lineHeight.rawValue: .font
    case ...Self.xConventions.rawValue: .paragraph
    case ...Self.xLanguage.rawValue: .text
    case ...Self.emptyCells.rawValue: .list
    case ...Self.initialLetter.rawValue: .box
    case ...Self.columnRuleColor.rawValue: .border
    case ...Self.backgroundClip.rawValue: .background
    default: .page
    }
  }
  /// Whether children take the value when no declaration speaks of it.
  package var isInherited: Bool { rawValue <= Self.emptyCells.rawValue }
  package var isLogical: Bool { rawValue >= Self.marginBlockStart.rawValue }
  /// The CSS name.
  package var name: String { cssName(of: self) }

  /// The number of longhands that are not logical: they have the raw values below it.
  package static let physicalCount = Int(Self.marginBlockStart.rawValue)

  /// The physical property a logical one stands for (CSS Logical Properties 1; CSS Writing Modes 4, section 6.4).
  package func physical(_ mode: WritingMode, _ direction: TextDirection) -> PropertyID {
    guard isLogical else { return self }
    let sides = Self.physicalSides(mode, direction)
    let offset = Int(rawValue - Self.marginBlockStart.rawValue)
    // The order of the first 24 is block start, block end, inline start, inline end for each family.
    func side(_ base: PropertyID) -> PropertyID { Self(rawValue: base.rawValue + sides[offset % 4])! }
    switch offset / 4 {
    case 0: return side(.marginTop)
    case 1: return side(.paddingTop)
    case 2: return side(.top)
    case 3: return side(.borderTopWidth)
    case 4: return side(.borderTopStyle)
    case 5: return side(.borderTopColor)
    case 6:
      let block = offset % 4 < 2 ? sides[0] : sides[1]
      let inline = offset % 4 == 0 || offset % 4 == 3 ? sides[2] : sides[3]
      return Self.corner(block, inline)
    default: break
    }
    let isHorizontal = mode.isHorizontal
    switch self {
    case .blockSize: return isHorizontal ? .height : .width
    case .inlineSize: return isHorizontal ? .width : .height
    case .minBlockSize: return isHorizontal ? .minHeight : .minWidth
    case .minInlineSize: return isHorizontal ? .minWidth : .minHeight
    case .maxBlockSize: return isHorizontal ? .maxHeight : .maxWidth
    case .maxInlineSize: return isHorizontal ? .maxWidth : .maxHeight
    case .overflowBlock: return isHorizontal ? .overflowY : .overflowX
    default: return isHorizontal ? .overflowX : .overflowY
    }
  }

  /// Block start, block end, inline start and inline end, each as 0 top, 1 right, 2 bottom, 3 left.
  private static func physicalSides(_ mode: WritingMode, _ direction: TextDirection) -> [UInt8] {
    let isLTR = direction == .ltr
    return switch mode {
    case .horizontalTB: isLTR ? [0, 2, 3, 1] : [0, 2, 1, 3]
    case .verticalRL, .sidewaysRL: isLTR ? [1, 3, 0, 2] : [1, 3, 2, 0]
    case .verticalLR: isLTR ? [3, 1, 0, 2] : [3, 1, 2, 0]
    case .sidewaysLR: isLTR ? [3, 1, 2, 0] : [3, 1, 0, 2]
    }
  }
  private static func corner(_ a: UInt8, _ b: UInt8) -> PropertyID {
    let isTop = a == 0 || b == 0
    let isLeft = a == 3 || b == 3
    if isTop { return isLeft ? .borderTopLeftRadius : .borderTopRightRadius }
    return isLeft ? .borderBottomLeftRadius : .borderBottomRightRadius
  }
}
