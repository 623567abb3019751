import CSS
import Markup
import Primitives
import Styling
import Testing

/// The defaults of the house style, which give way to whatever the book says.
@Suite struct HouseStyleTests {
  private func paragraph(_ body: String, _ css: String = "", language: String, house: Bool = true) -> ParagraphStyle {
    var settings = StyleSettings()
    settings.usesHouseStyle = house
    settings.language = language
    let tree = styled(css, body, settings: settings)
    let place = tree.document.nodes.indices.last { tree.document.nodes[$0].kind == .element }
    return place.map { tree.table[tree.styles[$0].paragraph] } ?? ParagraphStyle()
  }
  private func indent(_ body: String, _ css: String = "", language: String) -> LengthPercentage {
    paragraph(body, css, language: language).indent
  }
  /// The indents of all paragraphs.
  private func indents(of body: String, language: String) -> [LengthPercentage] {
    var settings = StyleSettings()
    settings.usesHouseStyle = true
    settings.language = language
    let tree = styled("", body, settings: settings)
    return tree.document.nodes.indices.filter { tree.document.isElement(NodeID($0), .p) }.map {
      tree.table[tree.styles[$0].paragraph].indent
    }
  }
  private static let none = LengthPercentage.zero
  private func rem(_ value: Float) -> LengthPercentage { .length(Length(value, .rem)) }

  @Test
  func `Z2 body paragraphs are indented, what is set apart is not`() {
    #expect(indent("<p>a</p>", language: "zh-hans") == rem(2))
    #expect(indent("<p>a</p>", language: "ja") == rem(1))
    #expect(indent("<p>a</p>", language: "ko-kr") == rem(1))
    #expect(indent("<p>a</p>", language: "en") == Self.none)
    for body in ["<ul><li><p>a</p></li></ul>", "<table><tr><td><p>a</p></td></tr></table>", "<h1>a</h1>"] {
      #expect(indent(body, language: "zh") == Self.none)
    }
    #expect(indent("<p>a</p>", "p { margin: 1em 0 }", language: "zh") == Self.none)
    #expect(indent("<p>a</p>", "p { margin: 0.2em 0 }", language: "zh") == rem(2))
    #expect(indent("<p>a</p>", "p { text-align: center }", language: "zh") == Self.none)
  }

  @Test
  func `Z2 paragraphs after headings, code and lists are not indented, in whatever boxes these stand`() {
    for block in ["<h2>a</h2>", "<pre>a</pre>", "<ul><li>a</li></ul>"] {
      for wrapped in [block, "<div>\(block)</div>", "<div> <div><div>\(block)</div></div></div>"] {
        #expect(indents(of: "<p>a</p>\(wrapped)<p>b</p><p>c</p>", language: "en") == [Self.none, Self.none, rem(1.25)])
        #expect(indents(of: "<p>a</p>\(wrapped)<p>b</p>", language: "zh") == [rem(2), rem(2)])
      }
    }
    let note = "<p>a</p><div><h6>Note</h6><p>b</p></div><p>c</p>"
    #expect(indents(of: note, language: "en") == [Self.none, Self.none, rem(1.25)])
  }

  @Test
  func `Z2 code is as small as its lines ask, within bounds`() {
    /// The font size of code whose longest line takes a share of its room.
    func size(_ share: Double, _ css: String = "", house: Bool = true, tail: String = "") -> Float? {
      var settings = StyleSettings()
      settings.usesHouseStyle = house
      settings.pageArea = (400, 600)
      // 16 px, with letters of 0.6 em.
      let css =
        "pre { font-size: 1em; margin: 0; padding: 0 20px; border: 0; white-space: pre-wrap } body { margin: 0 }" + css
      let line = String(repeating: "x", count: Int(360 / (16 * 0.6) * share))
      let tree = styled(css, "<pre>a\n\(line)\(tail)\nb</pre><p>c</p>", settings: settings)
      let code = tree.document.nodes.indices.first { tree.document.isElement(NodeID($0), .pre) }
      return code.map { tree.table[tree.styles[$0].font].size.resolved(rootFontSize: 16) }
    }
    #expect(size(1) == 16 && size(1.05) == 14.4 && size(1.2) == 12.8)
    // Lines that are broken at any size are broken less often; paragraphs that nobody broke are no code.
    #expect(size(1.6) == 12.8 && size(2.2) == 16)
    #expect(size(1.2, house: false) == 16)
    #expect(size(1.2, "pre { padding: 0 }") == 14.4)
    #expect(size(0.7, tail: "<br>\txx") == 16 && size(0.87, tail: "<b>\t</b>x") == 14.4)
    #expect(size(0.6, tail: "漢字漢字漢字漢字") == 14.4)
  }

  @Test
  func `Z2 what parts scenes is an ornament, unless the book draws a line`() {
    func hasOrnament(_ css: String) -> Bool {
      var settings = StyleSettings()
      settings.usesHouseStyle = true
      return styled(css, "<p>a</p><hr/><p>b</p>", settings: settings).pseudoElements.contains { $0.pseudo == .before }
    }
    for css in ["", "hr { border: 0; width: 40% }", "hr { border-top: 0 solid red }", "hr { border-left: solid }"] {
      #expect(hasOrnament(css), "\(css)")
    }
    for css in ["hr { border-top: thin solid }", "hr { border: 1px dotted gray }", "hr { background: red }"] {
      #expect(!hasOrnament(css), "\(css)")
    }
  }

  @Test
  func `G15 printed pages have furniture, each part of which can be left out; blank pages and covers have none`() {
    func boxes(
      _ parts: PageFurnitureParts, _ traits: PageTraits, _ body: String = "<h1>a</h1><p>b</p>", css: String = ""
    ) -> [PageMarginBox] {
      var settings = StyleSettings()
      settings.usesHouseStyle = true
      settings.houseSheets.append(UserAgentSheet.furniture(parts, title: "A \"title\""))
      let tree = styled(css, body, settings: settings)
      return tree.pageStyles.index(of: traits).map { tree.pageStyles.all[$0].marginBoxes.map(\.box) } ?? []
    }
    let left = PageTraits(isLeft: true)
    #expect(boxes(.all, left) == [.topCenter, .bottomCenter])
    #expect(boxes(.all, PageTraits()) == [.topCenter, .bottomCenter])
    #expect(boxes(.all, PageTraits(isFirst: true)) == [.bottomCenter])
    #expect(boxes(.all, PageTraits(isLeft: true, isBlank: true)).isEmpty)
    #expect(boxes(.heads, left) == [.topCenter] && boxes(.folios, left) == [.bottomCenter])
    #expect(boxes(.margins, left).isEmpty)
    #expect(boxes(.all, PageTraits(name: "-internal-cover", isLeft: true), "<div><img/></div>").isEmpty)
    #expect(boxes(.all, left, css: "@page { @bottom-center { content: none } }") == [.topCenter])
  }

  @Test
  func `Z2 the row of the language`() {
    #expect(paragraph("<p>a</p>", language: "zh-tw").hangingPunctuation.contains(.verticalOnly))
    #expect(paragraph("<p>a</p>", language: "zh-cn").hangingPunctuation.isEmpty)
    let rows: [(String, TypographicConventions)] = [
      ("zh-hant", .chinese), ("ja", .japanese), ("ko", .korean), ("de", .western), ("", .western),
    ]
    for (language, conventions) in rows {
      #expect(paragraph("<p>a</p>", language: language).conventions == conventions)
      #expect(paragraph("<p>a</p>", language: language).align == .houseJustify)
      // Chinese titles stand in the middle.
      #expect(paragraph("<h2>a</h2>", language: language).align == (conventions == .chinese ? .center : .start))
    }
    let off = paragraph("<p>a</p>", language: "zh", house: false)
    #expect(off.conventions == .none && off.align == .start && off.indent == .zero)
  }

  @Test(arguments: ["h1", "hr", "figure", "pre"])
  func `Western paragraphs are indented but for the first, Chinese ones are all`(after element: String) {
    let body = "<p>a</p><\(element)></\(element)><p>b</p><p>c</p>"
    #expect(indents(of: body, language: "en") == [.zero, .zero, rem(1.25)])
    #expect(indents(of: body, language: "zh") == [rem(2), rem(2), rem(2)])
  }

  @Test
  func `Z1 the nearest language counts, the publication's last`() {
    #expect(paragraph("<div lang='ja'><p>a</p></div>", language: "en").conventions == .japanese)
    #expect(indent("<div xml:lang='zh'><p>a</p></div>", language: "ja") == rem(2))
    #expect(paragraph("<div lang='ja'><p lang='en'>a</p></div>", language: "zh").conventions == .western)
  }

  @Test
  func `Z3 an author's value, inherited or not, goes before the house's`() {
    #expect(indent("<div><p>a</p></div>", "div { text-indent: 0 }", language: "zh") == Self.none)
    #expect(indent("<p>a</p>", "body { text-indent: 3em }", language: "zh") == rem(3))
    #expect(paragraph("<p>a</p>", "body { text-align: left }", language: "zh").align == .left)
    #expect(paragraph("<h1>a</h1>", "body { text-align: justify }", language: "zh").align == .justify)
    #expect(paragraph("<p>a</p>", "p { text-wrap: stable }", language: "en").wrapStyle == .stable)
  }
}
