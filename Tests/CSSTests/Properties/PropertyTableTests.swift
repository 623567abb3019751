import CSS
import Primitives
import Testing

/// The longhands of a declaration list, by CSS name.
private func longhands(_ text: String, quirks: Bool = false) -> [String: PropertyValue] {
  var sheet = TypedStylesheet(Stylesheet(), context: ValueContext(quirks: quirks, base: "OPS/css/book.css"))
  _ = sheet.appendDeclarationList(Array(text.utf8)[...])
  var values: [String: PropertyValue] = [:]
  for declaration in sheet.longhands { values[declaration.property.name] = declaration.value }
  return values
}
private func length(_ value: Float, _ unit: LengthUnit = .px) -> LengthPercentage { .length(Length(value, unit)) }

@Suite struct PropertyTableTests {
  @Test func `Shorthands of the box set its sides`() {
    let margin = longhands("margin: 1em auto 0")
    #expect(margin["margin-top"] == .margin(.length(length(1, .em))))
    #expect(margin["margin-left"] == .margin(.auto))
    #expect(margin["margin-bottom"] == .margin(.length(.zero)))
    let border = longhands("border-top: solid #f00")
    #expect(border["border-top-width"] == .wide(.initial))
    #expect(border["border-top-color"] == .color(.color(Color(red: 255, green: 0, blue: 0))))
    #expect(longhands("border-radius: 1px 2px / 3px")["border-bottom-left-radius"] == .lengths([length(2), length(3)]))
    #expect(longhands("inset-inline: 1px 2px")["inset-inline-end"] == .margin(.length(length(2))))
  }

  @Test func `The font shorthand sets its longhands`() {
    let font = longhands("font: italic small-caps 700 1.2em/1.5 Georgia, 'Times New Roman', serif")
    #expect(font["font-style"] == .keyword(FontSlant.italic.rawValue))
    #expect(font["font-weight"] == .fontWeight(.number(700)))
    #expect(font["line-height"] == .lineHeight(.number(1.5)))
    #expect(
      font["font-family"] == .families([.named("Georgia"), .named("Times New Roman"), .generic(.serif)]))
    #expect(font["font-kerning"] == .wide(.initial))
    #expect(longhands("font: 12px").isEmpty)
    #expect(longhands("font: bold bold 12px serif").isEmpty)
  }

  @Test func `Font style has angles`() {
    #expect(longhands("font-style: oblique")["font-style"] == .keyword(FontSlant.oblique.rawValue))
    #expect(longhands("font-style: oblique 20deg")["font-style"] == .number(20))
    #expect(longhands("font: oblique -0.25turn 1em serif")["font-style"] == .number(-90))
    #expect(longhands("font-style: oblique 91deg").isEmpty)
    #expect(longhands("font-synthesis: position")["font-synthesis-weight"] == .keyword(0))
    #expect(longhands("font: 1em serif")["font-optical-sizing"] == .wide(.initial))
  }

  @Test func `Backgrounds are lists of layers`() {
    let values = longhands("background: url(../i/a%20b.png) no-repeat 10px 50% / cover, #eee")
    #expect(values["background-image"] == .images([.url("OPS/i/a%20b.png"), .none]))
    #expect(values["background-size"] == .backgroundSizes([.cover, .size(nil, nil)]))
    #expect(values["background-position-x"] == .lengths([length(10), length(0, .percent)]))
    #expect(values["background-color"] == .color(.color(Color(red: 238, green: 238, blue: 238))))
    #expect(longhands("background: red, blue").isEmpty)
    #expect(longhands("background-position: left top 3px")["background-position-y"] == .lengths([length(3)]))
    #expect(longhands("background-position: 10px left").isEmpty)
  }

  /// CSS 2.1, section 4.2: an illegal value drops its declaration.
  @Test(arguments: [
    "width: -1px", "padding: 1px -1px", "margin: 3", "width: 10", "color: ff0000", "line-height: -1", "float: middle",
    "border-width: 10%", "font-size: -2px", "text-indent: 1em 2em", "z-index: 1.5", "orphans: 0", "opacity: red",
    "background-repeat: repeat-x repeat-y", "list-style: none none none", "font-weight: 0", "width: 1 px",
    "width: calc(1px+2px)", "width: calc(1px * 2px)", "content: foo", "margin: inherit 1px", "display: block inline",
    "text-decoration: underline underline", "color: rgb(1, 2%, 3)", "color: #12345", "border-spacing: -1px",
  ])
  func `Invalid values are dropped`(declaration: String) { #expect(longhands(declaration).isEmpty) }

  @Test func `Quirks mode takes lengths without units`() {
    #expect(longhands("width: 10; color: ff0000", quirks: true).count == 2)
    #expect(longhands("border: 10 solid", quirks: true).isEmpty)
    #expect(longhands("color: 123", quirks: true).count == 1)
  }

  @Test func `Mathematical functions are computed as far as they can be`() {
    #expect(longhands("width: calc(1px + 2px * 3)")["width"] == .size(.length(length(7))))
    #expect(longhands("width: calc(-5px)")["width"] == .size(.length(length(0))))
    #expect(longhands("opacity: calc(1 / 4)")["opacity"] == .number(0.25))
    guard case .size(.length(.calculation))? = longhands("width: min(50%, 20em)")["width"] else {
      Issue.record("min() with a percentage stays a function")
      return
    }
    let deep = String(repeating: "calc(", count: 5000) + "1px" + String(repeating: ")", count: 5000)
    #expect(longhands("width: \(deep)").isEmpty)
  }

  @Test(arguments: [
    ("red", "#ff0000"), ("#abc", "#aabbcc"), ("#11223380", "#11223380"), ("rgb(10% 20% 30% / 50%)", "#1a334d80"),
    ("rgba(255, 0, 0, .5)", "#ff000080"), ("hsl(120deg 100% 25%)", "#008000"), ("hwb(0 0% 0%)", "#ff0000"),
    ("oklch(62.8% 0.2577 29.23)", "#ff0000"), ("lab(100% 0 0)", "#ffffff"), ("color(display-p3 0 0 0)", "#000000"),
    ("color-mix(in hsl, red, lime)", "#ffff00"), ("color-mix(in srgb, red 30%, blue 30%)", "#80008099"),
    ("rgb(from teal r g 255)", "#0080ff"), ("hsl(from red h s calc(l / 2))", "#800000"), ("ThreeDFace", "#efefef"),
    ("color-mix(in srgb, white, black)", "#808080"), ("transparent", "#00000000"), ("rebeccapurple", "#663399"),
  ])
  func `Colours of every notation are read`(text: String, expected: String) {
    guard case .color(.color(let color))? = longhands("color: \(text)")["color"] else {
      Issue.record("\(text) is a colour")
      return
    }
    #expect(color.description == expected)
  }

  @Test func `Prefixed and older spellings are read`() {
    #expect(longhands("-epub-hyphens: none")["hyphens"] == .keyword(Hyphens.none.rawValue))
    #expect(longhands("-webkit-writing-mode: vertical-rl")["writing-mode"] == .keyword(WritingMode.verticalRL.rawValue))
    #expect(longhands("writing-mode: lr-tb")["writing-mode"] == .keyword(WritingMode.horizontalTB.rawValue))
    #expect(longhands("word-wrap: break-word")["overflow-wrap"] == .keyword(OverflowWrap.breakWord.rawValue))
    #expect(longhands("page-break-before: always")["break-before"] == .keyword(BreakBetween.page.rawValue))
    #expect(
      longhands("-epub-text-combine: horizontal")["text-combine-upright"]
        == .keyword(TextCombineUpright.all.rawValue))
    #expect(
      longhands("-webkit-text-emphasis: filled sesame red")["text-emphasis-style"]
        == .emphasisMark(.shape(.sesame, isOpen: false)))
    #expect(longhands("-moz-border-radius: 2px").count == 4)
  }

  @Test func `Generated content is a list of items`() {
    #expect(
      longhands("content: '[' counter(note, lower-roman) attr(title) ']'")["content"]
        == .content(
          .items([
            .string("["), .counter(name: "note", style: .named("lower-roman")), .attribute("title"), .string("]"),
          ])))
    #expect(
      longhands("counter-increment: a b 2")["counter-increment"]
        == .counters([CounterOperation(name: "a", value: 1), CounterOperation(name: "b", value: 2)]))
  }

  @Test func `Values of every kind are not lost in printing`() {
    #expect(
      longhands("transform: translate(1px, 2em) rotate(90deg)")["transform"]
        == .transform([.translate(length(1), length(2, .em)), .rotate(90)]))
    #expect(longhands("text-decoration: underline wavy red 2px").count == 4)
    #expect(longhands("scroll-snap-type: x; cursor: pointer").isEmpty)
    #expect(longhands("all: unset").count > 100)
    #expect(longhands("margin: var(--m, 1px) 0")["margin-left"] != nil)
  }

  @Test func `Rules of font faces are read`() {
    let sheet = TypedStylesheet(
      parsing: Array(
        """
        @font-face { font-family: "A B"; src: local("X"), url(a.eot?#x) format("embedded-opentype"), url(../f/a.otc#N) format(collection) tech(variations),
          url(a.svg) tech(color-svg), url(b.woff); size-adjust: 90%; ascent-override: 80%; descent-override: normal;
          font-weight: 100 900; font-style: oblique 20deg -5deg; unicode-range: U+26, U+0-7F, U+4?? }
        @font-face { font-family: C }
        """.utf8), context: ValueContext(base: "OPS/css/book.css"))
    let face = sheet.sheet.fontFaces.first.flatMap { FontFaceDescription($0, in: sheet) }
    #expect(face?.family == "A B")
    #expect(face?.sources == [.local("X"), .url("OPS/f/a.otc#N"), .url("OPS/css/b.woff")])
    var adjustments = FontAdjustments()
    adjustments.size = 0.9
    adjustments.ascent = 0.8
    #expect(face?.adjustments == adjustments)
    #expect(face?.weight == 100...900)
    #expect(face?.slant == .oblique && face?.angles == -5...20)
    #expect(face?.unicodeRange == [0x26...0x26, 0...0x7F, 0x400...0x4FF])
    #expect(sheet.sheet.fontFaces.last.flatMap { FontFaceDescription($0, in: sheet) } == nil)
  }

  @Test func `Palette values of fonts are read`() {
    let sheet = TypedStylesheet(
      parsing: Array(
        """
        @font-palette-values --warm { font-family: "A B", C; base-palette: 2; override-colors: 0 red, 3 #0000ff80 }
        @font-palette-values --night { font-family: A; base-palette: dark; override-colors: 1 currentcolor }
        @font-palette-values --none { base-palette: 1 }
        @font-palette-values plain { font-family: A }
        """.utf8), context: ValueContext())
    let values = sheet.sheet.fontPaletteValues.map { FontPaletteValues($0, in: sheet) }
    var warm = FontPaletteValues(name: "--warm", families: ["A B", "C"])
    warm.selection = PaletteSelection(
      base: .index(2),
      overrides: [
        PaletteSelection.Override(entry: 0, color: Color(red: 255, green: 0, blue: 0)),
        PaletteSelection.Override(entry: 3, color: Color(red: 0, green: 0, blue: 255, alpha: 128)),
      ])
    // Colours that depend on the text's are none of a palette, and a rule without a family says nothing.
    var night = FontPaletteValues(name: "--night", families: ["A"])
    night.selection.base = .dark
    #expect(values == [warm, night, nil])
    #expect(longhands("font-palette: --warm").count == 1 && longhands("font-palette: warm").isEmpty)
  }

  @Test func `Feature values of fonts are read`() {
    let sheet = TypedStylesheet(
      parsing: Array(
        """
        @font-feature-values "A B", C { @styleset { nice: 2 12; x: 3 } @swash { curly: 4 } @character-variant { k: 5 2 }
          font-display: swap; @stylistic { odd: 1 2 } }
        """.utf8), context: ValueContext())
    var values = FontFeatureValues()
    for rule in sheet.sheet.fontFeatureValues { values.add(rule, in: sheet) }
    func features(_ alternates: [FontAlternate], _ family: String) -> [String] {
      values.features(of: alternates, families: [.named("Z"), .named(family)]).map { setting in
        let tag = (0..<4).reversed().map { UInt8(truncatingIfNeeded: setting.tag >> ($0 * 8)) }
        return String(decoding: tag, as: UTF8.self) + " \(Int(setting.value))"
      }
    }
    #expect(features([FontAlternate(kind: .styleset, names: ["nice", "x"])], "a b") == ["ss02 1", "ss12 1", "ss03 1"])
    #expect(features([FontAlternate(kind: .swash, names: ["curly"])], "C") == ["swsh 4", "cswh 4"])
    #expect(features([FontAlternate(kind: .characterVariant, names: ["k"])], "C") == ["cv05 2"])
    #expect(features([FontAlternate(kind: .swash, names: ["nice"])], "C") == [])
    #expect(longhands("font-variant-alternates: historical-forms styleset(a, b)").count == 1)
    #expect(longhands("font-variant-alternates: swash(a, b)").isEmpty)
    #expect(longhands("font-variant: small-caps swash(a)").count > 1)
  }

  @Test func `Page rules and their margin boxes are read`() {
    let sheet = TypedStylesheet(
      parsing: Array(
        "@page :first { size: a5 landscape; bleed: 3mm; marks: crop cross; margin: 1cm 2cm; @top-center { content: 'x' } }"
          .utf8),
      context: ValueContext())
    var descriptors = PageDescriptors()
    if let rule = sheet.sheet.pageRules.first { sheet.add(rule.declarations, to: &descriptors) }
    guard let rule = sheet.sheet.pageRules.first, case .size(let width, let height)? = descriptors.size else {
      Issue.record("the size is known")
      return
    }
    #expect(rule.selectors.first?.isFirst == true)
    #expect(width.unit == .px && height.unit == .px && width.value > height.value)
    #expect(descriptors.marks == [.crop, .cross])
    #expect((descriptors.bleed ?? 0) > 11 && (descriptors.bleed ?? 0) < 12)
    #expect(rule.marginBoxes.first?.name == "top-center")
  }
}
