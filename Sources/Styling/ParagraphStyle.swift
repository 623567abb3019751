package import CSS
package import Primitives

/// Origin of the indent: the house style gives way to all others, even to one declared on an ancestor.
package enum IndentOrigin: UInt8, Hashable, Sendable { case initial, house, declared }

/// Inherited: properties of blocks of text.
package struct ParagraphStyle: Hashable, Sendable {
  package var align = TextAlign.start
  package var alignLast = TextAlignLast.auto
  package var justify = TextJustify.auto
  package var indent = LengthPercentage.zero
  package var indentHanging = false
  package var indentEachLine = false
  package var indentOrigin = IndentOrigin.initial
  package var direction = TextDirection.ltr
  package var writingMode = WritingMode.horizontalTB
  package var orphans: Int32 = 2
  package var widows: Int32 = 2
  package var wrapStyle = TextWrapStyle.auto
  package var hangingPunctuation = HangingPunctuation()
  /// In spaces when `isLength` is false (CSS Text 3, section 4.2).
  package var tabSize = Length(8, .em)
  package var tabSizeIsNumber = true
  package var hyphenateLimitLines: Int32 = .max
  package var hyphenateLimitLast = HyphenateLimitLast.auto
  package var hyphenateLimitZone = LengthPercentage.zero
  package var textBoxEdge = TextBoxEdge.auto
  package var conventions = TypographicConventions.none
  package init() {}
}

extension ParagraphStyle {
  /// The computed value of a property, as CSS spells it.
  func css(_ property: ParagraphProperty, _ table: StyleTable) -> String {
    switch property {
    case .writingMode: table.css(writingMode)
    case .direction: table.css(direction)
    case .textAlign: table.css(align)
    case .textAlignLast: table.css(alignLast)
    case .textJustify: table.css(justify)
    case .textIndent:
      table.css(indent) + (indentHanging ? " hanging" : "") + (indentEachLine ? " each-line" : "")
    case .orphans: table.css(orphans)
    case .widows: table.css(widows)
    case .textWrapStyle: table.css(wrapStyle)
    case .hangingPunctuation:
      table.css(
        hangingPunctuation,
        [
          (.first, "first"), (.last, "last"), (.allowEnd, "allow-end"), (.forceEnd, "force-end"),
          (.verticalOnly, "-internal-vertical"),
        ], none: "none")
    case .tabSize: tabSizeIsNumber ? table.css(tabSize.value) : table.css(tabSize)
    case .hyphenateLimitLines: hyphenateLimitLines == .max ? "no-limit" : table.css(hyphenateLimitLines)
    case .hyphenateLimitLast: table.css(hyphenateLimitLast)
    case .hyphenateLimitZone: table.css(hyphenateLimitZone)
    case .textBoxEdge: table.css(textBoxEdge)
    case .xConventions: table.css(conventions)
    }
  }
}
