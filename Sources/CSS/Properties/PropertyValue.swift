package import Primitives

/// The specified value of a longhand, typed but not yet computed: lengths keep their units, and `CalcID`s are places in the
/// list of the sheet it stands in.
package enum PropertyValue: Hashable, Sendable {
  case wide(WideKeyword)
  /// A value with `var()`, to be substituted for each element.
  case variable(VariableValue)
  /// The raw value of the property's enumeration.
  case keyword(UInt8)
  /// `auto`, `none` or `normal` where the computed value is nil.
  case absent
  case integer(Int32)
  case number(Float)
  case length(Length)
  case lengthPercentage(LengthPercentage)
  case size(SizeValue)
  case margin(MarginValue)
  case spacing(SpacingValue)
  case color(ColorValue)
  case string(String)
  /// The raw value of an option set, or three small numbers of `hyphenate-limit-chars`.
  case flags(UInt32)
  case families([FontFamily])
  case fontSize(FontSizeValue)
  case fontWeight(FontWeightValue)
  case fontSizeAdjust(FontSizeAdjust)
  case settings([FontSetting])
  case alternates([FontAlternate])
  case palette(FontPalette)
  case lineHeight(LineHeight)
  case verticalAlign(VerticalAlign)
  case textIndent(LengthPercentage, isHanging: Bool, isEachLine: Bool)
  case tabSize(Length, isNumber: Bool)
  case emphasisMark(EmphasisMark)
  case shadows([Shadow])
  case listStyleType(ListStyleType)
  case image(ImageValue)
  case images([ImageValue])
  case quotes(Quotes)
  case clip(Sides<Length?>)
  case content(ContentValue)
  case counters([CounterOperation])
  case namedStrings([NamedString])
  case names([String])
  case position(PositionValue)
  case transform([TransformFunction])
  case transformOrigin(PositionValue, z: Length)
  /// Two or more lengths: horizontal and vertical radius or spacing, or the positions of background layers.
  case lengths([LengthPercentage])
  case backgroundSizes([BackgroundSize])
  /// Raw values of one keyword, or two for `background-repeat`, a layer.
  case keywords([UInt8])
  case initialLetter(Float, sink: Int32)
  case tracks(TrackList)
  case areas([[String]])
  case gridLine(GridLine)
  case decorationThickness(DecorationThickness)
  case filters([FilterFunction])
  case clipPath(ClipPath)
  case clipMargin(ClipMargin)
  /// Width by height, and whether a natural ratio comes first.
  case aspectRatio(Float, isAuto: Bool)
  case shapeOutside(ShapeOutside)
  case snapBlock(SnapBlock)
  /// `border-image-slice`: distances in px of the image or percentages, and whether the middle is drawn.
  case slices(Sides<LengthPercentage>, isFilled: Bool)
  case borderImageWidths(Sides<BorderImageWidth>)
}

/// The tokens of a value that uses `var()`, as they stand in the sheet.
package struct VariableValue: Hashable, Sendable {
  /// The property they were given to, a longhand or shorthand, by its place in `PropertyTable`.
  package var property: UInt16
  package var tokens: Range<UInt32>
}

/// `font-size` (CSS Fonts 4, section 2.5).
package enum FontSizeValue: Hashable, Sendable {
  /// A multiple of the reader's font size: the absolute keywords.
  case rootFactor(Float)
  case larger, smaller
  case length(LengthPercentage)
  /// `math`: the parent's, smaller for what the `math-depth` is greater.
  case math
  /// Small letters as high as the parent's, for the engine's own sheets.
  case xHeight
}

package enum FontWeightValue: Hashable, Sendable {
  case number(UInt16)
  case bolder, lighter
}

/// A longhand with its value.
package struct TypedDeclaration: Hashable, Sendable {
  package var property: PropertyID
  package var isImportant: Bool
  package var value: PropertyValue

  package init(_ property: PropertyID, _ value: PropertyValue, isImportant: Bool = false) {
    self.property = property
    self.isImportant = isImportant
    self.value = value
  }
}
