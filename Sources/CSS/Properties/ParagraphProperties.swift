import Primitives

/// Inherited: properties of blocks of text.
package enum ParagraphProperty: UInt8, CaseIterable, Hashable, Sendable {
  case writingMode, direction, textAlign, textAlignLast, textJustify, textIndent, orphans, widows, textWrapStyle
  case hangingPunctuation, tabSize, hyphenateLimitLines, hyphenateLimitLast, hyphenateLimitZone, textBoxEdge
  /// Internal: the conventions of the house style.
  case xConventions

  package var row: PropertyRow {
    switch self {
    case .writingMode:
      PropertyRow(
        "writing-mode", "horizontal-tb | vertical-rl | vertical-lr | sideways-rl | sideways-lr",
        initial: "horizontal-tb", sample: "vertical-rl", "CSS Writing Modes 4, 3.2", aliases: ["adobe-text-layout"]
      ) { $0.keyword(writingModeWords) }
    case .direction:
      PropertyRow("direction", "ltr | rtl", initial: "ltr", sample: "rtl", "CSS Writing Modes 4, 2.1") {
        $0.keyword(TextDirection.self)
      }
    case .textAlign:
      PropertyRow(
        "text-align", "start | end | left | right | center | justify | match-parent | justify-all", initial: "start",
        sample: "center", "CSS Text 3, 6.1", aliases: ["text-align-all"]
      ) { $0.textAlign() }
    case .textAlignLast:
      PropertyRow(
        "text-align-last", "auto | start | end | left | right | center | justify | match-parent", initial: "auto",
        sample: "justify", "CSS Text 3, 6.3"
      ) { $0.keyword(TextAlignLast.self) }
    case .textJustify:
      PropertyRow(
        "text-justify", "auto | none | inter-word | inter-character", initial: "auto", sample: "inter-character",
        "CSS Text 3, 6.4"
      ) { $0.keyword(textJustifyWords) }
    case .textIndent:
      PropertyRow(
        "text-indent", "<length-percentage> && hanging? && each-line?", initial: "0", sample: "2em hanging",
        "CSS Text 3, 7.1"
      ) { $0.textIndent() }
    case .orphans:
      PropertyRow("orphans", "<integer [1,∞]>", initial: "2", sample: "3", "CSS Fragmentation 3, 3.3") { parser in
        parser.integer(atLeast: 1).map { .integer($0) }
      }
    case .widows:
      PropertyRow("widows", "<integer [1,∞]>", initial: "2", sample: "3", "CSS Fragmentation 3, 3.3") { parser in
        parser.integer(atLeast: 1).map { .integer($0) }
      }
    case .textWrapStyle:
      PropertyRow(
        "text-wrap-style", "auto | balance | pretty | stable", initial: "auto", sample: "balance", "CSS Text 4, 6.4.2"
      ) { $0.keyword(TextWrapStyle.self) }
    case .hangingPunctuation:
      PropertyRow(
        "hanging-punctuation", "none | [ first || [ force-end | allow-end ] || last ]", initial: "none",
        sample: "first allow-end", "CSS Text 3, 8.2"
      ) { $0.hangingPunctuation() }
    case .tabSize:
      PropertyRow(
        "tab-size", "<number [0,∞]> | <length [0,∞]>", initial: "8", sample: "4", "CSS Text 3, 4.2"
      ) { $0.tabSize() }
    case .hyphenateLimitLines:
      PropertyRow(
        "hyphenate-limit-lines", "no-limit | <integer [0,∞]>", initial: "no-limit", sample: "2", "CSS Text 4, 5.4.4"
      ) { $0.hyphenateLimitLines() }
    case .hyphenateLimitLast:
      PropertyRow(
        "hyphenate-limit-last", "none | always | column | page | spread", initial: "", sample: "always",
        "CSS Text 4, 5.4.5"
      ) { $0.keyword(hyphenateLimitLastWords) }
    case .hyphenateLimitZone:
      PropertyRow(
        "hyphenate-limit-zone", "<length-percentage [0,∞]>", initial: "0", sample: "8%", "CSS Text 4, 5.4.2"
      ) { parser in parser.lengthPercentage([.percent, .nonNegative]).map { .lengthPercentage($0) } }
    case .textBoxEdge:
      PropertyRow(
        "text-box-edge", "auto | text | [ text | cap | ex ] [ text | alphabetic ]", initial: "auto",
        sample: "cap alphabetic", "CSS Inline 3, 6.2"
      ) { $0.textBoxEdge() }
    case .xConventions:
      PropertyRow(
        "x-conventions", "none | western | chinese | japanese | korean", initial: "none", sample: "western", "internal"
      ) { $0.keyword(TypographicConventions.self) }
    }
  }
}
