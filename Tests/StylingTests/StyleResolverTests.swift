import CSS
import Markup
import Primitives
import Styling
import Testing

/// The styled tree of an XHTML body under one author sheet.
func styled(
  _ css: String, _ body: String, settings: StyleSettings = StyleSettings(), kind: MarkupReader.Kind = .xml
) -> StyledTree {
  let source =
    "<html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:epub=\"http://www.idpf.org/2007/ops\"><head><title/></head><body>"
    + body + "</body></html>"
  let (document, _) = MarkupReader.read(Array(source.utf8), as: kind)
  let sheet = TypedStylesheet(parsing: Array(css.utf8), context: ValueContext(base: "OPS/a.css"))
  return StyleResolver.resolve(
    document: document, path: "OPS/a.xhtml", sheets: [AuthorSheet(sheet, path: "OPS/a.css")], settings: settings)
}

extension StyledTree {
  /// The values of the first element of a name that are not initial.
  func style(_ name: String) -> String {
    let place = document.nodes.indices.first {
      document.nodes[$0].kind == .element && document.names.name(of: document.nodes[$0].name) == name
    }
    guard let place else { return "no \(name)" }
    return describe(styles[place])
  }
  func box(_ name: String) -> BoxStyle {
    let place = document.nodes.indices.first {
      document.nodes[$0].kind == .element && document.names.name(of: document.nodes[$0].name) == name
    }
    return place.map { table[styles[$0].box] } ?? BoxStyle()
  }
}

@Suite struct StyleResolverTests {
  @Test func `Author sheets go before the user agent's`() {
    let tree = styled("p { text-indent: 1.5em; margin: 0 } .x { color: red }", "<p class='x'>a<em>b</em></p>")
    #expect(tree.style("p") == " { text-indent: 1.5rem; color: #ff0000; display: block }")
    #expect(tree.style("em") == " { font-style: italic; text-indent: 1.5rem; color: #ff0000 }")
  }

  @Test(arguments: [
    ("span { display: block }", "<span>I</span>Storm", "I Storm"), ("div { display: inline }", "<div>a</div>b", "ab"),
    ("b { display: none }", "a<b>b</b>c", "ac"), ("br { display: none }", "a<br/>b", "a b"),
    ("b { float: left }", "<b>T</b>he", "The"), ("b { position: absolute }", "<b>1</b>Part", "1 Part"),
    ("b { float: footnote }", "Part<b>note</b>", "Part"), ("b { display: table-cell }", "<b>a</b><b>b</b>", "a b"),
    ("rt, rp { display: inline }", "<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>", "漢"),
    ("h1 { display: none } b { text-transform: uppercase }", "a <b>b</b>", "a b"),
  ])
  func `Words of an element are parted and hidden as its styles say`(
    _ css: String, _ markup: String, _ expected: String
  ) {
    let tree = styled(css, "<h1>" + markup + "</h1>")
    let heading = tree.document.nodes.indices.first { tree.document.isElement(NodeID($0), .h1) }
    #expect(heading.map { tree.words(of: NodeID($0)) } == expected)
  }

  @Test func `Nested rules stand for their selectors in full`() {
    let nested = """
      .a, #x { color: red; & > em { color: blue; @media screen { i & { color: black } } }
        b { color: lime } + u { color: teal } &.c { color: navy } color: maroon; q&, s:not(&) { color: gray } }
      """
    let flat = """
      .a, #x { color: red } :is(.a, #x) > em { color: blue } :is(.a, #x) b { color: lime }
      :is(.a, #x) + u { color: teal } :is(.a, #x).c { color: navy } .a, #x { color: maroon }
      s:not(.a, #x) { color: gray } i :is(.a, #x) > em { color: black }
      """
    let body =
      "<p class='a'><em>1</em><b>2</b></p><u>3</u><div class='a c'>4</div><s>5</s><i><span class='a'><em>6</em></span></i>"
    func colors(_ css: String) -> [Color] {
      let tree = styled(css, body)
      return tree.document.nodes.indices.map { tree.table[tree.styles[$0].text].color }
    }
    #expect(colors(nested) == colors(flat))
    #expect(Set(colors(nested)).count == 7)
  }

  @Test func `Font sizes keep their relation to the reader's size`() {
    let tree = styled(
      "html { font-size: 62.5% } body { font-size: 1.6rem } p { font-size: 12pt } em { font-size: 150% } b { font-size: 2rem }",
      "<p><em>a</em></p><div><b>c</b></div>")
    #expect(!tree.style("body").contains("font-size:"))
    #expect(tree.style("p").contains("font-size: 16px"))
    #expect(tree.style("em").contains("font-size: 24px"))
    #expect(tree.style("b").contains("font-size: 1.25rem"))
  }

  @Test func `The reader's font size reaches absolute sizes`() {
    var settings = StyleSettings()
    settings.scalesAbsoluteSizes = true
    let tree = styled(
      "body { font-size: 12pt; line-height: 20px } p { text-indent: 8px }", "<p>a</p>", settings: settings)
    #expect(!tree.style("p").contains("font-size:"))
    #expect(tree.style("p").contains("line-height: 1.25rem"))
    #expect(tree.style("p").contains("text-indent: 8px"))
    #expect(tree.dependencies.isEmpty)
    let dependent = styled("p { font-size: max(12pt, 1rem) } h1 { font-size: 5vw }", "<p>a</p><h1>b</h1>")
    #expect(dependent.dependencies == [.rootFontSize, .pageSize])
  }

  @Test func `Inherited lengths are those of the declaring element`() {
    let tree = styled(
      "div { font-size: 2em; text-indent: 1em; line-height: 1.5em; letter-spacing: .1em } p { font-size: .5em; margin: 0 }",
      "<div><p>a</p></div>")
    let paragraph = tree.style("p")
    #expect(paragraph.contains("text-indent: 2rem"))
    #expect(paragraph.contains("line-height: 3rem"))
    #expect(paragraph.contains("letter-spacing: 0.2rem"))
    #expect(!paragraph.contains("font-size:"))
  }

  @Test func `Explicit inherit takes the computed value`() {
    let tree = styled(
      "div { font-size: 2em; margin: 1em; border: 1em solid } p { margin: inherit; border: inherit; display: inherit }",
      "<div><p>a</p></div>")
    #expect(tree.style("p").contains("margin: 2rem"))
    #expect(tree.style("p").contains("border-width: 2rem"))
  }

  @Test func `Importance, specificity and order decide`() {
    let tree = styled(
      "p { color: red !important; font-style: italic } #i { color: blue; font-style: normal } p.c { font-weight: bold } p { font-weight: 300 }",
      "<p id='i' class='c' style='color: green; letter-spacing: 1px'>a</p>")
    let style = tree.style("p")
    #expect(style.contains("color: #ff0000"))
    #expect(!style.contains("font-style"))
    #expect(style.contains("font-weight: 700"))
    #expect(style.contains("letter-spacing: 1px"))
  }

  @Test func `Keywords for every property follow inheritance`() {
    let tree = styled(
      "body { color: red } p { color: initial; margin: revert; display: unset } em { font-style: revert } h1 { all: initial }",
      "<p>a<em>b</em></p><h1>c</h1>")
    #expect(tree.style("p").contains("margin-top: 1em"))
    #expect(!tree.style("p").contains("color"))
    #expect(tree.box("p").display == .inline)
    #expect(tree.style("em").contains("italic"))
    #expect(tree.style("h1") == "")
  }

  @Test func `Custom properties are substituted`() {
    let tree = styled(
      """
      :root { --a: 10px; --loop: var(--pool); --pool: var(--loop) }
      p { --a: 20px; width: var(--a); height: calc(var(--a) * 2); margin: var(--missing, 3px) var(--a); color: var(--loop) }
      em { color: red; color: var(--missing) }
      """, "<p>a<em>b</em></p><div style='width: var(--a)'/>")
    let box = tree.box("p")
    #expect(box.width == .length(.length(Length(20))))
    #expect(box.height == .length(.length(Length(40))))
    #expect(box.margin.top == .length(.length(Length(3))))
    #expect(!tree.style("em").contains("color"))
    #expect(tree.box("div").width == .length(.length(Length(10))))
  }

  @Test func `Drawing properties are kept as written`() {
    let tree = styled(
      ".a { fill: #0f0; stroke-width: 2px } text.a { fill: url(#g) none !important } .b { text-anchor: middle }",
      "<svg xmlns='http://www.w3.org/2000/svg' class='b' font-size='12'><text class='a'><tspan style='fill: rgb(1, 2, 3)'"
        + ">x</tspan></text></svg>")
    func declared(_ name: String) -> [String]? {
      let place = tree.document.nodes.indices.first {
        tree.document.names.name(of: tree.document.nodes[$0].name) == name
      }
      return place.flatMap { tree.drawingProperties[NodeID($0)]?.map { $0.name + ":" + $0.value } }
    }
    #expect(declared("svg") == ["text-anchor:middle"])
    #expect(declared("text") == ["fill:url(\"#g\") none", "stroke-width:2.0px"])
    #expect(declared("tspan") == ["fill:rgb(1, 2, 3)"])
    #expect(tree.style("tspan").contains("font-size: 12px"), "\(tree.style("tspan"))")
  }

  @Test func `Expansion of custom properties is bounded`() {
    var css = ":root { --x0: aaaaaaaaaa;"
    for level in 1...40 { css += "--x\(level): " + String(repeating: "var(--x\(level - 1)) ", count: 10) + ";" }
    let tree = styled(css + "} p { font-family: var(--x40) }", "<p>a</p>")
    #expect(!tree.style("p").contains("font-family"))
  }

  @Test func `Logical properties follow the writing mode`() {
    let tree = styled(
      "p { writing-mode: vertical-rl; margin-inline-start: 1px; margin-left: 5px; margin-block-start: 2px; inline-size: 9px }",
      "<p>a</p>")
    let box = tree.box("p")
    #expect(box.margin.top == .length(.length(Length(1))))
    #expect(box.margin.right == .length(.length(Length(2))))
    #expect(box.margin.left == .length(.length(Length(5))))
    #expect(box.height == .length(.length(Length(9))))
  }

  @Test func `Floats and positioned elements are blocks`() {
    let tree = styled(
      "em { float: left } i { position: absolute; float: left } b { display: inline-table; position: fixed } div { display: flex }",
      "<div><u>a</u></div><em>b</em><i>c</i><b>d</b>")
    #expect(tree.box("em").display == .block)
    #expect(tree.box("em").originalDisplay == .inline)
    #expect(tree.box("i").float == .none)
    #expect(tree.box("b").display == .table)
    #expect(tree.box("u").display == .block)
  }

  @Test func `Pseudo-elements have styles of their own`() {
    let tree = styled(
      "p::before { content: '§'; color: red } p::after { color: red } p:first-letter { float: left; font-size: 3em }",
      "<p>a <q>b</q></p>")
    #expect(tree.pseudoElements.map(\.pseudo) == [.before, .firstLetter, .before, .after])
    #expect(tree.pseudoElements.first.map { tree.table[$0.style.text].color } == Color(red: 255, green: 0, blue: 0))
    #expect(tree.pseudoElements.dropFirst().first.map { tree.table[$0.style.box].display } == .block)
  }

  @Test func `Presentational attributes are hints`() {
    let tree = styled(
      "th { padding: 3px }",
      """
      <table border="2" cellpadding="5" width="50%" bgcolor="#ff0000"><tr align="center"><td nowrap="">a</td><th>b</th></tr></table>
      <font size="+2" color="red" face="Arial, serif">c</font><ol type="I"><li>d</li></ol>
      """)
    #expect(tree.box("table").width == .length(.length(Length(50, .percent))))
    #expect(tree.box("td").padding.top == .length(Length(5)))
    #expect(tree.box("th").padding.top == .length(Length(3)))
    #expect(tree.style("td").contains("text-align: -webkit-center"))
    #expect(tree.style("td").contains("text-wrap-mode: nowrap"))
    #expect(tree.style("th").contains("text-align: -webkit-center"))
    #expect(tree.style("font").contains("font-size: 1.5rem"))
    #expect(tree.style("ol").contains("upper-roman"))
  }

  @Test func `Language and direction are inherited`() {
    let tree = styled(
      "", "<p xml:lang='EN-gb'><em lang='ar' dir='auto'>أب</em><bdi>x</bdi></p><div dir='rtl'>a</div>")
    #expect(tree.style("p").contains("x-language: \"en-gb\""))
    #expect(tree.style("em").contains("x-language: \"ar\""))
    #expect(tree.style("em").contains("direction: rtl"))
    #expect(tree.box("em").unicodeBidi == .isolate)
    #expect(!tree.style("bdi").contains("rtl"))
    #expect(tree.style("div").contains("direction: rtl"))
  }

  @Test func `Equal elements share one style`() {
    let paragraphs = String(repeating: "<p class='a' style='margin: 1px'>x<em>y</em></p>", count: 500)
    let tree = styled(".a { text-indent: 1em }", paragraphs)
    #expect(tree.statistics.counters["styles.unique"]! < 10)
    #expect(tree.statistics.counters["styles.elements"] == 1004)
  }

  @Test func `Letters of formulas are italic by their faces`() {
    let formula = "<math xmlns='http://www.w3.org/1998/Math/MathML'><mi>x</mi><mn>1</mn></math>"
    var settings = StyleSettings()
    settings.coversCharacter = { description, scalar, _ in
      description.families == [.named("Full")] && (0x1D400...0x1D7FF).contains(scalar)
    }
    let full = styled("math { font-family: Full }", formula, settings: settings)
    #expect(full.style("mi").contains("text-transform: math-auto"))
    #expect(!full.style("mi").contains("italic"))
    #expect(!full.style("mn").contains("math-auto"))
    let plain = styled("math { font-family: Plain }", formula, settings: settings)
    #expect(plain.style("mi").contains("font-style: italic"))
    #expect(!plain.style("mi").contains("math-auto"))
  }

  @Test func `Letters of alphabets are those of any face or of a font's style`() {
    let formula = """
      <math xmlns='http://www.w3.org/1998/Math/MathML'><mn mathvariant='bold-script'>1</mn>\
      <mstyle mathvariant='fraktur'><mi>x</mi></mstyle></math>
      """
    var settings = StyleSettings()
    settings.extendsFormulas = true
    settings.coversCharacter = { _, scalar, fallsBack in fallsBack && scalar != 0x1D4D0 }
    let tree = styled("", formula, settings: settings)
    #expect(tree.style("mi").contains("text-transform: -internal-fraktur"))
    #expect(!tree.style("mn").contains("text-transform"))
    #expect(tree.style("mn").contains("font-style: italic") && tree.style("mn").contains("font-weight: 700"))
  }

  @Test func `Without publisher styles meaning stays`() {
    var settings = StyleSettings()
    settings.usesPublisherStyles = false
    let tree = styled(
      """
      .e { font-style: italic; color: red; font-family: Comic } .h { display: none }
      .i { text-indent: 2em; line-height: 3 } p, img { height: 1em }
      """,
      "<p class='i'><span class='e'>a</span><b class='h'>b</b><img src='a.png'></p>", settings: settings)
    #expect(tree.style("span") == " { font-style: italic; text-indent: 2rem }")
    #expect(tree.box("b").display == .none)
    #expect(tree.box("p").height == .auto)
    #expect(tree.box("img").height != .auto)
  }

  @Test func `The reader's wishes go before the book`() {
    var settings = StyleSettings()
    settings.fontFamilyOverride = [.named("Mine")]
    settings.justifies = .on
    settings.hyphenates = .on
    var tree = styled(
      "p { line-height: 2; font-family: Theirs; text-align: left } div { text-align: center }",
      "<h1>t</h1><p>a<code>b</code></p><div>c</div>", settings: settings)
    tree.table.setReaderLineHeight(1.4)
    #expect(tree.style("p").contains("line-height: 1.4"))
    #expect(tree.style("p").contains("font-family: \"Mine\""))
    #expect(tree.style("p").contains("text-align: justify"))
    #expect(tree.style("p").contains("hyphens: auto"))
    #expect(tree.style("code").contains("monospace"))
    #expect(tree.style("div").contains("text-align: center"))
    #expect(!tree.style("h1").contains("justify"))
    #expect(!tree.style("h1").contains("auto"))
  }

  @Test func `Sheets of a document are found`() {
    let files: [String: String] = [
      "OPS/main.css": "@import 'more/b.css'; @import url(print.css) print; p { color: red }",
      "OPS/more/b.css": "@import '../main.css'; p { background-image: url(x.png) }",
      "OPS/print.css": "p { color: blue }",
    ]
    let source = """
      <html xmlns="http://www.w3.org/1999/xhtml"><head><link rel="stylesheet" href="main.css"/>
      <link rel="alternate stylesheet" href="main.css"/><link rel="stylesheet" href="gone.css"/>
      <style media="print">p { color: green }</style><style>em { color: green }</style></head><body><p><em/></p></body></html>
      """
    let (document, _) = MarkupReader.read(Array(source.utf8), as: .xml)
    let collection = StylesheetCollection(
      of: document, path: "OPS/a.xhtml", media: MediaEnvironment(), cache: StylesheetCache()
    ) { path in files[path].map { Array($0.utf8) } }
    #expect(collection.sheets.map(\.path) == ["OPS/more/b.css", "OPS/main.css", "OPS/a.xhtml"])
    #expect(collection.diagnostics.diagnostics.map(\.code) == ["missing-style-sheet"])
    let tree = StyleResolver.resolve(document: document, path: "OPS/a.xhtml", sheets: collection.sheets)
    #expect(tree.style("p").contains("OPS/more/x.png"))
    #expect(tree.style("p").contains("color: #ff0000"))
  }
}
