/// Inherited: properties of runs of text.
package enum TextProperty: UInt8, CaseIterable, Hashable, Sendable {
  case color, letterSpacing, wordSpacing, textTransform, whiteSpaceCollapse, textWrapMode, wordBreak, overflowWrap
  case lineBreak, hyphens, hyphenateCharacter, hyphenateLimitChars, textEmphasisStyle, textEmphasisColor
  case textEmphasisPosition, textShadow, visibility, textOrientation, textCombineUpright, textUnderlinePosition
  case textUnderlineOffset, textDecorationSkipInk, rubyPosition, rubyAlign, rubyMerge, rubyOverhang, textAutospace
  case textSpacingTrim, mathStyle, mathShift, textFillColor
  /// Internal: the language of `lang` or `xml:lang`.
  case xLanguage

  package var row: PropertyRow {
    switch self {
    case .color:
      PropertyRow("color", "<color>", initial: "black", sample: "#336699", "CSS Color 4, 3.1") { parser in
        parser.color(quirky: true).map { .color($0) }
      }
    case .letterSpacing:
      PropertyRow(
        "letter-spacing", "normal | <length-percentage>", initial: "normal", sample: "0.1em", "CSS Text 4, 9.2"
      ) { parser in parser.spacing([.percent, .quirky]).map { .spacing($0) } }
    case .wordSpacing:
      PropertyRow(
        "word-spacing", "normal | <length-percentage>", initial: "normal", sample: "3px", "CSS Text 4, 9.1"
      ) { parser in parser.spacing([.percent, .quirky]).map { .spacing($0) } }
    case .textTransform:
      PropertyRow(
        "text-transform",
        "none | [ [ capitalize | uppercase | lowercase ] || full-width || full-size-kana ] | math-auto",
        initial: "none", sample: "uppercase full-width", "CSS Text 3, 2.1"
      ) { $0.textTransform() }
    case .whiteSpaceCollapse:
      PropertyRow(
        "white-space-collapse", "collapse | preserve | preserve-breaks | preserve-spaces | break-spaces",
        initial: "collapse", sample: "preserve-breaks", "CSS Text 4, 3.1"
      ) { $0.keyword(collapseWords) }
    case .textWrapMode:
      PropertyRow("text-wrap-mode", "wrap | nowrap", initial: "wrap", sample: "nowrap", "CSS Text 4, 6.4.1") {
        $0.keyword(TextWrapMode.self)
      }
    case .wordBreak:
      PropertyRow(
        "word-break", "normal | break-all | keep-all | break-word | auto-phrase", initial: "normal",
        sample: "keep-all", "CSS Text 4, 6.1", aliases: ["-word-break"]
      ) { $0.keyword(WordBreak.self) }
    case .overflowWrap:
      PropertyRow(
        "overflow-wrap", "normal | break-word | anywhere", initial: "normal", sample: "anywhere", "CSS Text 3, 5.4",
        aliases: ["word-wrap", "-ms-word-wrap"]
      ) { $0.keyword(OverflowWrap.self) }
    case .lineBreak:
      PropertyRow(
        "line-break", "auto | loose | normal | strict | anywhere", initial: "auto", sample: "strict", "CSS Text 3, 5.3"
      ) { $0.keyword(lineBreakWords) }
    case .hyphens:
      PropertyRow("hyphens", "none | manual | auto", initial: "manual", sample: "auto", "CSS Text 3, 5.5") {
        $0.keyword(Hyphens.self)
      }
    case .hyphenateCharacter:
      PropertyRow(
        "hyphenate-character", "auto | <string>", initial: "auto", sample: "'='", "CSS Text 4, 5.4.1"
      ) { $0.hyphenateCharacter() }
    case .hyphenateLimitChars:
      PropertyRow(
        "hyphenate-limit-chars", "[ auto | <integer [0,255]> ]{1,3}", initial: "auto", sample: "6 3 2",
        "CSS Text 4, 5.4.3"
      ) { $0.hyphenateLimitChars() }
    case .textEmphasisStyle:
      PropertyRow(
        "text-emphasis-style",
        "none | [ [ filled | open ] || [ dot | circle | double-circle | triangle | sesame ] ] | <string>",
        initial: "none", sample: "open dot", "CSS Text Decoration 3, 3.1"
      ) { parser in parser.emphasisMark().map { .emphasisMark($0) } }
    case .textEmphasisColor:
      PropertyRow(
        "text-emphasis-color", "<color>", initial: "currentcolor", sample: "red", "CSS Text Decoration 3, 3.2"
      ) { parser in parser.color().map { .color($0) } }
    case .textFillColor:
      PropertyRow(
        "-webkit-text-fill-color", "<color>", initial: "currentcolor", sample: "red", "Compatibility, 5.3"
      ) { parser in parser.color().map { .color($0) } }
    case .textEmphasisPosition:
      PropertyRow(
        "text-emphasis-position", "[ over | under ] && [ right | left ]?", initial: "over right",
        sample: "under left", "CSS Text Decoration 3, 3.4"
      ) { $0.textEmphasisPosition() }
    case .textShadow:
      PropertyRow(
        "text-shadow", "none | [ <color>? && <length>{2,3} ]#", initial: "none", sample: "1px 2px 3px red",
        "CSS Text Decoration 3, 4"
      ) { parser in parser.shadows(forText: true).map { .shadows($0) } }
    case .visibility:
      PropertyRow(
        "visibility", "visible | hidden | collapse", initial: "visible", sample: "hidden", "CSS Display 3, 4"
      ) { $0.keyword(Visibility.self) }
    case .textOrientation:
      PropertyRow(
        "text-orientation", "mixed | upright | sideways", initial: "mixed", sample: "upright",
        "CSS Writing Modes 4, 5.1"
      ) { $0.keyword(textOrientationWords) }
    case .textCombineUpright:
      PropertyRow(
        "text-combine-upright", "none | all | [ digits <integer [2,4]>? ]", initial: "none", sample: "digits 3",
        "CSS Writing Modes 4, 9.1",
        aliases: [
          "text-combine", "-ms-text-combine-horizontal", "-epub-text-combine", "-epub-text-combine-horizontal",
          "-webkit-text-combine", "-epub-text-conbine", "-webkit-text-conbine",
        ]
      ) { $0.textCombineUpright() }
    case .textUnderlinePosition:
      PropertyRow(
        "text-underline-position", "auto | [ from-font | under ] || [ left | right ]", initial: "auto",
        sample: "under right", "CSS Text Decoration 4, 2.6"
      ) { $0.textUnderlinePosition() }
    case .textUnderlineOffset:
      PropertyRow(
        "text-underline-offset", "auto | <length-percentage>", initial: "auto", sample: "2px",
        "CSS Text Decoration 4, 2.7"
      ) { $0.textUnderlineOffset() }
    case .textDecorationSkipInk:
      PropertyRow(
        "text-decoration-skip-ink", "auto | none | all", initial: "auto", sample: "none",
        "CSS Text Decoration 4, 2.10.4"
      ) { $0.keyword(TextDecorationSkipInk.self) }
    case .rubyPosition:
      PropertyRow(
        "ruby-position", "[ alternate || [ over | under ] ] | inter-character", initial: "over", sample: "under",
        "CSS Ruby 1, 4.1"
      ) { $0.rubyPosition() }
    case .rubyAlign:
      PropertyRow(
        "ruby-align", "start | center | space-between | space-around", initial: "space-around", sample: "center",
        "CSS Ruby 1, 4.3"
      ) { $0.keyword(rubyAlignWords) }
    case .rubyMerge:
      PropertyRow("ruby-merge", "separate | merge | auto", initial: "separate", sample: "merge", "CSS Ruby 1, 4.2") {
        $0.keyword(rubyMergeWords)
      }
    case .rubyOverhang:
      PropertyRow("ruby-overhang", "auto | none", initial: "auto", sample: "none", "CSS Ruby 1, 5.1") {
        $0.keyword(RubyOverhang.self)
      }
    case .textAutospace:
      PropertyRow(
        "text-autospace",
        """
        normal | auto | no-autospace | [ ideograph-alpha || ideograph-numeric || punctuation || [ insert | replace ] ]
        """, initial: "no-autospace", sample: "ideograph-alpha punctuation", "CSS Text 4, 9.4"
      ) { $0.textAutospace() }
    case .textSpacingTrim:
      PropertyRow(
        "text-spacing-trim", "normal | space-all | space-first | trim-start | trim-both | trim-all | auto",
        initial: "normal", sample: "trim-both", "CSS Text 4, 9.5"
      ) { $0.keyword(TextSpacingTrim.self) }
    case .mathStyle:
      PropertyRow("math-style", "normal | compact", initial: "normal", sample: "compact", "MathML Core, 4.4") {
        $0.keyword(MathStyle.self)
      }
    case .mathShift:
      PropertyRow("math-shift", "normal | compact", initial: "normal", sample: "compact", "MathML Core, 4.6") {
        $0.keyword(MathShift.self)
      }
    case .xLanguage:
      PropertyRow("x-language", "", initial: "", sample: "", "internal") { _ in nil }
    }
  }
}
