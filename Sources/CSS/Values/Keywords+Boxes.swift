// The keywords of boxes, their breaks, decoration and contents.

extension Position: Keyword {
  package var keyword: StaticString {
    switch self {
    case .static: "static"
    case .relative: "relative"
    case .absolute: "absolute"
    case .fixed: "fixed"
    case .sticky: "sticky"
    }
  }
}
extension FloatValue: Keyword {
  package var keyword: StaticString {
    switch self {
    case .none: "none"
    case .left: "left"
    case .right: "right"
    case .inlineStart: "inline-start"
    case .inlineEnd: "inline-end"
    case .footnote: "footnote"
    case .top: "top"
    case .bottom: "bottom"
    case .snapBlock: "snap-block"
    }
  }
}
extension SnapBlock.Edge: Keyword {
  package var keyword: StaticString {
    switch self {
    case .near: "near"
    case .start: "start"
    case .end: "end"
    }
  }
}
extension FloatReference: Keyword {
  package var keyword: StaticString {
    switch self {
    case .inline: "inline"
    case .column: "column"
    case .page: "page"
    }
  }
}
extension FootnotePolicy: Keyword {
  package var keyword: StaticString {
    switch self {
    case .auto: "auto"
    case .line: "line"
    case .block: "block"
    }
  }
}
extension BookmarkState: Keyword {
  package var keyword: StaticString {
    switch self {
    case .open: "open"
    case .closed: "closed"
    }
  }
}
extension FootnoteDisplay: Keyword {
  package var keyword: StaticString {
    switch self {
    case .block: "block"
    case .inline: "inline"
    case .compact: "compact"
    }
  }
}
extension Clear: Keyword {
  package var keyword: StaticString {
    switch self {
    case .none: "none"
    case .left: "left"
    case .right: "right"
    case .both: "both"
    case .inlineStart: "inline-start"
    case .inlineEnd: "inline-end"
    }
  }
}
extension BoxSizing: Keyword {
  package var keyword: StaticString {
    switch self {
    case .contentBox: "content-box"
    case .borderBox: "border-box"
    }
  }
}
extension Overflow: Keyword {
  package var keyword: StaticString {
    switch self {
    case .visible: "visible"
    case .hidden: "hidden"
    case .clip: "clip"
    case .scroll: "scroll"
    case .auto: "auto"
    }
  }
}
extension UnicodeBidi: Keyword {
  package var keyword: StaticString {
    switch self {
    case .normal: "normal"
    case .embed: "embed"
    case .isolate: "isolate"
    case .bidiOverride: "bidi-override"
    case .isolateOverride: "isolate-override"
    case .plaintext: "plaintext"
    }
  }
}
extension TableLayoutMode: Keyword {
  package var keyword: StaticString {
    switch self {
    case .auto: "auto"
    case .fixed: "fixed"
    }
  }
}
extension BorderCollapse: Keyword {
  package var keyword: StaticString {
    switch self {
    case .separate: "separate"
    case .collapse: "collapse"
    }
  }
}
extension CaptionSide: Keyword {
  package var keyword: StaticString {
    switch self {
    case .top: "top"
    case .bottom: "bottom"
    }
  }
}
extension EmptyCells: Keyword {
  package var keyword: StaticString {
    switch self {
    case .show: "show"
    case .hide: "hide"
    }
  }
}
extension BorderStyle: Keyword {
  package var keyword: StaticString {
    switch self {
    case .none: "none"
    case .hidden: "hidden"
    case .dotted: "dotted"
    case .dashed: "dashed"
    case .solid: "solid"
    case .double: "double"
    case .groove: "groove"
    case .ridge: "ridge"
    case .inset: "inset"
    case .outset: "outset"
    }
  }
}
extension OutlineStyle: Keyword {
  package var keyword: StaticString { self == .auto ? "auto" : border.keyword }
}
extension ImageOrientation: Keyword {
  package var keyword: StaticString {
    switch self {
    case .fromImage: "from-image"
    case .none: "none"
    }
  }
}
extension ImageRendering: Keyword {
  package var keyword: StaticString {
    switch self {
    case .auto: "auto"
    case .smooth: "smooth"
    case .highQuality: "high-quality"
    case .pixelated: "pixelated"
    case .crispEdges: "crisp-edges"
    }
  }
}
extension ListStylePosition: Keyword {
  package var keyword: StaticString {
    switch self {
    case .outside: "outside"
    case .inside: "inside"
    }
  }
}
extension BreakBetween: Keyword {
  package var keyword: StaticString {
    switch self {
    case .auto: "auto"
    case .avoid: "avoid"
    case .always: "always"
    case .all: "all"
    case .avoidPage: "avoid-page"
    case .page: "page"
    case .left: "left"
    case .right: "right"
    case .recto: "recto"
    case .verso: "verso"
    case .avoidColumn: "avoid-column"
    case .column: "column"
    }
  }
}
extension BreakInside: Keyword {
  package var keyword: StaticString {
    switch self {
    case .auto: "auto"
    case .avoid: "avoid"
    case .avoidPage: "avoid-page"
    case .avoidColumn: "avoid-column"
    }
  }
}
extension MarginBreak: Keyword {
  package var keyword: StaticString {
    switch self {
    case .auto: "auto"
    case .keep: "keep"
    case .discard: "discard"
    }
  }
}

extension BoxDecorationBreak: Keyword {
  package var keyword: StaticString {
    switch self {
    case .slice: "slice"
    case .clone: "clone"
    }
  }
}
extension ObjectFit: Keyword {
  package var keyword: StaticString {
    switch self {
    case .fill: "fill"
    case .contain: "contain"
    case .cover: "cover"
    case .none: "none"
    case .scaleDown: "scale-down"
    }
  }
}
extension BackgroundRepeat: Keyword {
  package var keyword: StaticString {
    switch self {
    case .repeat: "repeat"
    case .noRepeat: "no-repeat"
    case .space: "space"
    case .round: "round"
    }
  }
}
extension BackgroundBox: Keyword {
  package var keyword: StaticString {
    switch self {
    case .borderBox: "border-box"
    case .paddingBox: "padding-box"
    case .contentBox: "content-box"
    case .text: "text"
    case .borderArea: "border-area"
    }
  }
}
extension BackgroundAttachment: Keyword {
  package var keyword: StaticString {
    switch self {
    case .scroll: "scroll"
    case .fixed: "fixed"
    case .local: "local"
    }
  }
}
extension FlexDirection: Keyword {
  package var keyword: StaticString {
    switch self {
    case .row: "row"
    case .rowReverse: "row-reverse"
    case .column: "column"
    case .columnReverse: "column-reverse"
    }
  }
}
extension FlexWrap: Keyword {
  package var keyword: StaticString {
    switch self {
    case .nowrap: "nowrap"
    case .wrap: "wrap"
    case .wrapReverse: "wrap-reverse"
    }
  }
}
extension AlignmentValue: Keyword {
  package var keyword: StaticString {
    switch self {
    case .auto: "auto"
    case .normal: "normal"
    case .stretch: "stretch"
    case .start: "start"
    case .end: "end"
    case .flexStart: "flex-start"
    case .flexEnd: "flex-end"
    case .center: "center"
    case .baseline: "baseline"
    case .lastBaseline: "last baseline"
    case .left: "left"
    case .right: "right"
    case .spaceBetween: "space-between"
    case .spaceAround: "space-around"
    case .spaceEvenly: "space-evenly"
    case .selfStart: "self-start"
    case .selfEnd: "self-end"
    case .safeStart: "safe start"
    case .safeEnd: "safe end"
    case .safeFlexStart: "safe flex-start"
    case .safeFlexEnd: "safe flex-end"
    case .safeCenter: "safe center"
    case .safeLeft: "safe left"
    case .safeRight: "safe right"
    case .safeSelfStart: "safe self-start"
    case .safeSelfEnd: "safe self-end"
    }
  }
}
extension ColumnFill: Keyword {
  package var keyword: StaticString {
    switch self {
    case .balance: "balance"
    case .auto: "auto"
    case .balanceAll: "balance-all"
    }
  }
}
extension ColumnSpan: Keyword {
  package var keyword: StaticString {
    switch self {
    case .none: "none"
    case .all: "all"
    }
  }
}
extension MixBlendMode: Keyword {
  package var keyword: StaticString {
    switch self {
    case .normal: "normal"
    case .multiply: "multiply"
    case .screen: "screen"
    case .overlay: "overlay"
    case .darken: "darken"
    case .lighten: "lighten"
    case .colorDodge: "color-dodge"
    case .colorBurn: "color-burn"
    case .hardLight: "hard-light"
    case .softLight: "soft-light"
    case .difference: "difference"
    case .exclusion: "exclusion"
    case .hue: "hue"
    case .saturation: "saturation"
    case .color: "color"
    case .luminosity: "luminosity"
    case .plusLighter: "plus-lighter"
    }
  }
}
extension GeometryBox: Keyword {
  package var keyword: StaticString {
    switch self {
    case .borderBox: "border-box"
    case .paddingBox: "padding-box"
    case .contentBox: "content-box"
    case .marginBox: "margin-box"
    }
  }
}
extension NamedStringPosition: Keyword {
  package var keyword: StaticString {
    switch self {
    case .first: "first"
    case .start: "start"
    case .last: "last"
    case .firstExcept: "first-except"
    }
  }
}
extension ElementText: Keyword {
  package var keyword: StaticString {
    switch self {
    case .text: "text"
    case .before: "before"
    case .after: "after"
    case .firstLetter: "first-letter"
    case .marker: "marker"
    }
  }
}
extension BorderImageRepeat: Keyword {
  package var keyword: StaticString {
    switch self {
    case .stretch: "stretch"
    case .repeat: "repeat"
    case .round: "round"
    case .space: "space"
    }
  }
}
extension ColorSpace: Keyword {
  package var keyword: StaticString {
    switch self {
    case .srgb: "srgb"
    case .srgbLinear: "srgb-linear"
    case .displayP3: "display-p3"
    case .a98: "a98-rgb"
    case .prophoto: "prophoto-rgb"
    case .rec2020: "rec2020"
    case .xyzD65: "xyz-d65"
    case .xyzD50: "xyz-d50"
    case .lab: "lab"
    case .lch: "lch"
    case .oklab: "oklab"
    case .oklch: "oklch"
    case .hsl: "hsl"
    case .hwb: "hwb"
    }
  }
}
extension HueInterpolation: Keyword {
  package var keyword: StaticString {
    switch self {
    case .shorter: "shorter"
    case .longer: "longer"
    case .increasing: "increasing"
    case .decreasing: "decreasing"
    }
  }
}
