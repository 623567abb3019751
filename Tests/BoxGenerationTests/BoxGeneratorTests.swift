import BoxGeneration
import CSS
import Primitives
import Styling
import TestSupport
import Testing
import Text

@Suite struct BoxGeneratorTests {
  @Test func `Paragraph is one box and one text`() {
    #expect(boxes("<p>Hello,\n   <b> world</b> ! </p>") == "block p \"Hello, <b>world</b> !\"\n")
  }

  @Test func `Text beside blocks gets anonymous blocks`() {
    #expect(
      boxes("<div>one <p>two</p> <p>three</p> four</div>") == """
        block div
          (block) "one"
          block p "two"
          block p "three"
          (block) "four"

        """)
  }

  @Test func `Block splits inline`() {
    #expect(
      boxes("<div><b>one <i>two<p>three</p>four</i></b></div>") == """
        block div
          (block) "<b>one <i>two</…i></…b>"
          block p "three"
          (block) "<…b><…i>four</i></b>"

        """)
    #expect(boxes("<div><a><p>x</p></a></div>") == "block div\n  block p \"x\"\n")
  }

  @Test func `Floats and positioned boxes are lifted out of the flow`() {
    let rules = [
      Rule(".f") {
        $0.box.float = .left; $0.box.display = .block
      },
      Rule(".a") {
        $0.box.position = .absolute; $0.box.display = .block
      },
    ]
    #expect(
      boxes("<p>a<span class='f'>b</span> c</p>", rules) == """
        block p "a[0] c"
          block span float "b"

        """)
    #expect(
      boxes("<div><span class='f'>b</span> <p>c</p><span class='a'>d</span> e</div>", rules) == """
        block div
          block span float "b"
          block p "c"
          block span positioned "d"
          (block) "e"

        """)
    #expect(boxes("<p><span class='f'>b</span> c</p>", rules) == "block p \"[0]c\"\n  block span float \"b\"\n")
  }

  @Test func `White space collapses as the property says`() {
    #expect(boxes("<p>a <b/> <i> b</i> <br/> c </p>") == "block p \"a <b></b><i>b</i>⏎c\"\n")
    #expect(boxes("<p>中\n文 a\n b</p>") == "block p \"中文 a b\"\n")
    let pre = Rule("pre") { $0.text.whiteSpaceCollapse = .preserve }
    #expect(boxes("<pre>a  b\n\n c</pre>", [pre]) == "block pre \"a  b⏎⏎ c\"\n")
    let preLine = Rule("p") { $0.text.whiteSpaceCollapse = .preserveBreaks }
    #expect(boxes("<p>a  b \n c</p>", [preLine]) == "block p \"a b⏎c\"\n")
  }

  @Test func `Source offsets survive collapsing`() {
    let tree = styledTree("<p>  ab\n  straße  d</p>", [Rule("p") { $0.text.transform.letterCase = .uppercase }])
    let result = BoxGenerator.generate(tree, resources: BoxResources())
    let text = result.texts[TextID(0)]
    #expect(String(decoding: result.texts.units[text.units], as: UTF16.self) == "AB STRASSE D")
    let offsets = [0, 1, 2, 3, 9, 10, 11].map { result.texts.sourcePosition(of: $0, in: TextID(0))?.offset }
    #expect(offsets == [2, 3, 4, 7, 7, 13, 15])
  }

  @Test func `Tables get the boxes that are missing`() {
    #expect(
      boxes("<table><caption>c</caption><tr><td>a</td>b<p>c</p></tr>d</table>") == """
        table table
          tableCaption caption "c"
          (tableRowGroup)
            tableRow tr
              tableCell td "a"
              (tableCell)
                (block) "b"
                block p "c"
            (tableRow)
              (tableCell) "d"

        """)
    #expect(
      boxes("<div>x<span><td>a</td></span><tr><td colspan='3' rowspan='0'>b</td></tr><td>c</td></div>") == """
        block div
          (block) "x<span>[0]</span>"
            (table)
              (tableRowGroup)
                (tableRow)
                  tableCell td "a"
          (table)
            (tableRowGroup)
              tableRow tr
                tableCell td columns=3 rows=0 "b"
              (tableRow)
                tableCell td "c"

        """)
  }

  @Test func `Spans too large for numbers are the largest allowed`() {
    let dump = boxes("<table><tr><td colspan='4294967296'>a</td><td rowspan='99999999999'>b</td></tr></table>")
    #expect(dump.contains("columns=1000") && dump.contains("rows=1000"))
  }

  @Test func `Lists count, and so do counters`() {
    let rules = [Rule("ol") { $0.list.type = .named("lower-roman") }, Rule(".in") { $0.list.position = .inside }]
    #expect(
      boxes("<ol start='3'><li>a</li><li value='9'><p>b</p></li><li class='in'>c</li></ol>", rules) == """
        block ol
          block li "a"
            marker li::marker "iii.\u{A0}"
          block li
            marker li::marker "ix.\u{A0}"
            block p "b"
          block li "<li::marker>x.\u{A0}</li::marker>c"

        """)
    #expect(boxes("<ol><li/></ol>") == "block ol\n  block li \"[0]\"\n    marker li::marker \"•\u{A0}\u{A0}\u{A0}\"\n")
    let nested = [
      Rule("p") { $0.box.counterIncrement = [CounterOperation(name: "n", value: 1)] },
      Rule("div") { $0.box.counterReset = [CounterOperation(name: "n", value: 0)] },
      Rule("p::before") {
        $0.box.content = .items([.counters(name: "n", separator: ".", style: .named("decimal")), .string(" ")])
      },
    ]
    #expect(
      boxes("<div><p>a</p><div><p>b</p><p>c</p></div><p>d</p></div>", nested) == """
        block div
          block p "<p::before>1 </p::before>a"
          block div
            block p "<p::before>1.1 </p::before>b"
            block p "<p::before>1.2 </p::before>c"
          block p "<p::before>2 </p::before>d"

        """)
  }

  @Test func `Quotes nest and follow language`() {
    let rules = [
      Rule("q::before") { $0.box.content = .items([.openQuote]) },
      Rule("q::after") { $0.box.content = .items([.closeQuote]) },
      Rule(".ja") { $0.text.language = "ja" },
    ]
    #expect(
      boxes("<p>x <q>a <q>b</q></q></p>", rules)
        == "block p \"x <q><q::before>“</q::before>a <q><q::before>‘</q::before>b<q::after>’</q::after></q><q::after>”</q::after></q>\"\n"
    )
    #expect(
      boxes("<p class='ja'><q>a</q></p>", rules)
        == "block p \"<q><q::before>「</q::before>a<q::after>」</q::after></q>\"\n")
  }

  @Test func `The first letter is a box of its own, with the marks beside it`() {
    let inline = Rule("p::first-letter") { $0.font.size = FontSize(rootFactor: 3) }
    #expect(
      boxes("<p> “Once <b>upon</b></p>", [inline]) == "block p \"<p::firstLetter>“O</p::firstLetter>nce <b>upon</b>\"\n"
    )
    let float = Rule(".d::first-letter") {
      $0.box.float = .left; $0.box.display = .block
    }
    #expect(
      boxes("<div class='d'><p/><p><b>Ab</b>c</p></div>", [float]) == """
        block div
          block p
          block p "<b>[0]b</b>c"
            block div::firstLetter float "A"

        """)
  }

  @Test func `Ruby pairs bases and annotations`() {
    #expect(
      boxes("<p><ruby>漢<rp>(</rp><rt>かん</rt>字<rt>じ</rt></ruby>だ</p>") == "block p \"<ruby>{漢|かん}{字|じ}</ruby>だ\"\n")
    #expect(
      boxes("<p><ruby><rb>漢</rb><rb>字</rb><rt>かん</rt><rt>じ</rt><rtc>x</rtc></ruby></p>")
        == "block p \"<ruby>{{<rb>漢</rb>|かん}{<rb>字</rb>|じ}|x}</ruby>\"\n")
    let depth = 100
    let nested = String(repeating: "<ruby>a<rt>", count: depth) + "z" + String(repeating: "</rt></ruby>", count: depth)
    #expect(boxes("<p>\(nested)</p>").filter { $0 == "a" }.count == depth)
  }

  @Test func `Bidirectional boxes become control characters`() {
    let rules = [
      Rule("i") {
        $0.box.unicodeBidi = .isolate; $0.paragraph.direction = .rtl
      },
      Rule("div") { $0.box.unicodeBidi = .bidiOverride },
    ]
    #expect(boxes("<p>a <i>b</i></p>", rules) == "block p \"a <i>\\2067b\\2069</i>\"\n")
    #expect(boxes("<div>a</div>", rules) == "block div \"\\202da\\202c\"\n")
  }

  @Test func `Replaced elements are objects, or their alternative`() {
    let resources = BoxResources(
      image: { $0 == "a.png" ? ImageID(0) : nil }, inlineSVG: { _ in ImageID(1) })
    #expect(
      boxes(
        "<p><img src='a.png'/><img src='b.png' alt='lost'/></p><object data='a.png'>no</object>", [],
        resources: resources) == """
          block p "[0][1]"
            block img image
            block img missing "lost"
          (block) "[0]"
            block object image

          """)
    #expect(
      boxes(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><image xmlns:xlink='http://www.w3.org/1999/xlink' xlink:href='a.png'/></svg>",
        [], resources: resources
      ).contains("svg image"))
  }

  @Test func `Decorations reach inlines but not atomic ones`() {
    let tree = styledTree(
      "<p>a<b>b<i>c</i></b></p>",
      [Rule("p") { $0.box.decorationLine = .underline }, Rule("i") { $0.box.display = .inlineBlock }])
    let result = BoxGenerator.generate(tree, resources: BoxResources())
    let decorations = result.texts.runs.filter { $0.kind == .text }.map {
      result.texts.attributes.decorations[Int(result.texts.attributes[$0.attributes].decorations)].count
    }
    #expect(decorations.sorted() == [0, 1, 1])
  }

  @Test func `Paragraphs cost about one lookup`() {
    let tree = styledTree(
      String(repeating: "<p>some <i>words</i></p>", count: 2000), [Rule("i") { $0.font.slant = .italic }])
    let result = BoxGenerator.generate(tree, resources: BoxResources())
    #expect(result.statistics.counters["paragraphs"] == 2000)
    #expect(result.statistics.counters["attributes.unique"] == 2)
    #expect(result.statistics.counters["attributes.lookups", default: 0] <= 4100)
  }

  @Test func `Counter styles write numbers as their names say`() {
    func show(_ value: Int32, _ style: String) -> String {
      let tree = boxes(
        "<ol start='\(value)'><li>x</li></ol>", [Rule("ol") { $0.list.type = .named(style) }])
      return tree.split(separator: "\n").first { $0.contains("marker") }.map { String($0.split(separator: "\"")[1]) }
        ?? ""
    }
    #expect(show(1999, "upper-roman") == "MCMXCIX.\u{A0}")
    #expect(show(28, "lower-alpha") == "ab.\u{A0}")
    #expect(show(-3, "lower-alpha") == "-3.\u{A0}")
    #expect(show(5783, "hebrew") == "ה׳תשפג.\u{A0}")
    #expect(show(1982, "georgian") == "ჩშპბ.\u{A0}")
    #expect(show(1234, "armenian") == "ՌՄԼԴ.\u{A0}")
    #expect(show(1010, "simp-chinese-informal") == "一千零一十、")
    #expect(show(12, "cjk-ideographic") == "十二、")
    #expect(show(1111, "japanese-informal") == "千百十一、")
    #expect(show(6001, "korean-hangul-formal") == "육천일,\u{A0}")
    #expect(show(3, "cjk-earthly-branch") == "寅、")
    #expect(show(7, "decimal-leading-zero") == "07.\u{A0}")
    #expect(show(4, "unknown") == "4.\u{A0}")
  }
}
