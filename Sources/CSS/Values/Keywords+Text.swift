package import Primitives

// The keywords of fonts, text and paragraphs.

extension Visibility: Keyword {
  package var keyword: StaticString {
    switch self {
    case .visible: "visible"
    case .hidden: "hidden"
    case .collapse: "collapse"
    }
  }
}
extension TextAlign: Keyword {
  package var keyword: StaticString {
    switch self {
    case .start: "start"
    case .end: "end"
    case .left: "left"
    case .right: "right"
    case .center: "center"
    case .justify: "justify"
    case .matchParent: "match-parent"
    case .justifyAll: "justify-all"
    case .webkitLeft: "-webkit-left"
    case .webkitRight: "-webkit-right"
    case .webkitCenter: "-webkit-center"
    case .houseJustify: "-internal-justify"
    }
  }
}
extension TextAlignLast: Keyword {
  package var keyword: StaticString {
    switch self {
    case .auto: "auto"
    case .start: "start"
    case .end: "end"
    case .left: "left"
    case .right: "right"
    case .center: "center"
    case .justify: "justify"
    case .matchParent: "match-parent"
    }
  }
}
extension TypographicConventions: Keyword {
  package var keyword: StaticString {
    switch self {
    case .none: "none"
    case .western: "western"
    case .chinese: "chinese"
    case .japanese: "japanese"
    case .korean: "korean"
    }
  }
}
extension TextJustify: Keyword {
  package var keyword: StaticString {
    switch self {
    case .auto: "auto"
    case .none: "none"
    case .interWord: "inter-word"
    case .interCharacter: "inter-character"
    }
  }
}
extension WhiteSpaceCollapse: Keyword {
  package var keyword: StaticString {
    switch self {
    case .collapse: "collapse"
    case .preserve: "preserve"
    case .preserveBreaks: "preserve-breaks"
    case .breakSpaces: "break-spaces"
    }
  }
}
extension TextWrapMode: Keyword {
  package var keyword: StaticString {
    switch self {
    case .wrap: "wrap"
    case .nowrap: "nowrap"
    }
  }
}
extension TextWrapStyle: Keyword {
  package var keyword: StaticString {
    switch self {
    case .auto: "auto"
    case .balance: "balance"
    case .pretty: "pretty"
    case .stable: "stable"
    }
  }
}
extension HyphenateLimitLast: Keyword {
  package var keyword: StaticString {
    switch self {
    case .auto: "auto"
    case .none: "none"
    case .always: "always"
    case .column: "column"
    case .page: "page"
    case .spread: "spread"
    }
  }
}
extension WordBreak: Keyword {
  package var keyword: StaticString {
    switch self {
    case .normal: "normal"
    case .breakAll: "break-all"
    case .keepAll: "keep-all"
    case .breakWord: "break-word"
    case .autoPhrase: "auto-phrase"
    }
  }
}
extension OverflowWrap: Keyword {
  package var keyword: StaticString {
    switch self {
    case .normal: "normal"
    case .breakWord: "break-word"
    case .anywhere: "anywhere"
    }
  }
}
extension LineBreakStrictness: Keyword {
  package var keyword: StaticString {
    switch self {
    case .auto: "auto"
    case .loose: "loose"
    case .normal: "normal"
    case .strict: "strict"
    case .anywhere: "anywhere"
    case .house: "-internal-house"
    case .houseNormal: "-internal-house-normal"
    }
  }
}
extension Hyphens: Keyword {
  package var keyword: StaticString {
    switch self {
    case .none: "none"
    case .manual: "manual"
    case .auto: "auto"
    }
  }
}
extension TextTransformCase: Keyword {
  package var keyword: StaticString {
    switch self {
    case .none: "none"
    case .capitalize: "capitalize"
    case .uppercase: "uppercase"
    case .lowercase: "lowercase"
    }
  }
}
extension TextSpacingTrim: Keyword {
  package var keyword: StaticString {
    switch self {
    case .normal: "normal"
    case .spaceAll: "space-all"
    case .spaceFirst: "space-first"
    case .trimStart: "trim-start"
    case .trimBoth: "trim-both"
    case .trimAll: "trim-all"
    case .auto: "auto"
    }
  }
}
extension MathStyle: Keyword {
  package var keyword: StaticString {
    switch self {
    case .normal: "normal"
    case .compact: "compact"
    }
  }
}
extension MathShift: Keyword {
  package var keyword: StaticString {
    switch self {
    case .normal: "normal"
    case .compact: "compact"
    }
  }
}
extension TextOrientation: Keyword {
  package var keyword: StaticString {
    switch self {
    case .mixed: "mixed"
    case .upright: "upright"
    case .sideways: "sideways"
    }
  }
}
extension TextCombineUpright: Keyword {
  package var keyword: StaticString {
    switch self {
    case .none: "none"
    case .all: "all"
    case .digits2: "digits 2"
    case .digits3: "digits 3"
    case .digits4: "digits 4"
    }
  }
}
extension RubyPosition: Keyword {
  package var keyword: StaticString {
    switch self {
    case .over: "over"
    case .under: "under"
    case .interCharacter: "inter-character"
    case .alternate: "alternate"
    }
  }
}
extension RubyMerge: Keyword {
  package var keyword: StaticString {
    switch self {
    case .separate: "separate"
    case .merge: "merge"
    case .auto: "auto"
    }
  }
}
extension RubyOverhang: Keyword {
  package var keyword: StaticString {
    switch self {
    case .auto: "auto"
    case .none: "none"
    }
  }
}
extension RubyAlign: Keyword {
  package var keyword: StaticString {
    switch self {
    case .start: "start"
    case .center: "center"
    case .spaceBetween: "space-between"
    case .spaceAround: "space-around"
    }
  }
}
extension TextDecorationStyle: Keyword {
  package var keyword: StaticString {
    switch self {
    case .solid: "solid"
    case .double: "double"
    case .dotted: "dotted"
    case .dashed: "dashed"
    case .wavy: "wavy"
    }
  }
}
extension TextDecorationSkipInk: Keyword {
  package var keyword: StaticString {
    switch self {
    case .auto: "auto"
    case .none: "none"
    case .all: "all"
    }
  }
}
extension EmphasisShape: Keyword {
  package var keyword: StaticString {
    switch self {
    case .dot: "dot"
    case .circle: "circle"
    case .doubleCircle: "double-circle"
    case .triangle: "triangle"
    case .sesame: "sesame"
    }
  }
}
extension FontVariantCaps: Keyword {
  package var keyword: StaticString {
    switch self {
    case .normal: "normal"
    case .smallCaps: "small-caps"
    case .allSmallCaps: "all-small-caps"
    case .petiteCaps: "petite-caps"
    case .allPetiteCaps: "all-petite-caps"
    case .unicase: "unicase"
    case .titlingCaps: "titling-caps"
    }
  }
}
extension FontVariantPosition: Keyword {
  package var keyword: StaticString {
    switch self {
    case .normal: "normal"
    case .sub: "sub"
    case .super: "super"
    }
  }
}
extension FontVariantEmoji: Keyword {
  package var keyword: StaticString {
    switch self {
    case .normal: "normal"
    case .text: "text"
    case .emoji: "emoji"
    case .unicode: "unicode"
    }
  }
}
extension FontKerning: Keyword {
  package var keyword: StaticString {
    switch self {
    case .auto: "auto"
    case .normal: "normal"
    case .none: "none"
    }
  }
}
extension FontSlant: Keyword {
  package var keyword: StaticString {
    switch self {
    case .normal: "normal"
    case .italic: "italic"
    case .oblique: "oblique"
    }
  }
}
extension GenericFamily: Keyword {
  package var keyword: StaticString {
    switch self {
    case .serif: "serif"
    case .sansSerif: "sans-serif"
    case .monospace: "monospace"
    case .cursive: "cursive"
    case .fantasy: "fantasy"
    case .systemUI: "system-ui"
    case .math: "math"
    case .emoji: "emoji"
    case .fangsong: "fangsong"
    }
  }
}
extension WritingMode: Keyword {
  package var keyword: StaticString {
    switch self {
    case .horizontalTB: "horizontal-tb"
    case .verticalRL: "vertical-rl"
    case .verticalLR: "vertical-lr"
    case .sidewaysRL: "sideways-rl"
    case .sidewaysLR: "sideways-lr"
    }
  }
}
extension TextDirection: Keyword {
  package var keyword: StaticString {
    switch self {
    case .ltr: "ltr"
    case .rtl: "rtl"
    }
  }
}
