import CSS
import Markup
import Primitives
import Styling
import Testing

/// The labels of the elements `selector` matches, in document order.
private func matches(_ selector: String, _ document: Document, namespaces: String = "") -> String {
  let sheet = Stylesheet(parsing: Array((namespaces + selector + "{color:red}").utf8))
  var index = RuleIndex(
    RuleSet([.init(sheet, .author)], media: MediaEnvironment(), supports: { _, _ in true }), document: document)
  if sheet.styleRules.isEmpty { return "invalid" }
  var found: [MatchedRule] = []
  var labels: [String] = []
  for id in document.nodes.indices.map({ NodeID($0) }) {
    index.collectMatches(for: id, in: document, into: &found)
    if !found.isEmpty { labels.append(label(id, document)) }
  }
  return labels.joined(separator: " ")
}

@Suite struct RuleIndexTests {
  static let page = document(
    """
    <html xml:lang="de-Latn-DE-1996"><body id=body class="page Big"><h1 id=h title="a-b c">x</h1><p id=p1 class=a>t</p>\
    <p id=p2 class="b a"><a id=link href="u.xhtml">l</a><b id=b/></p><div id=d lang=en><p id=p3><i id=i1>x</i></p>\
    <p id=p4/><p id=p5 class=b> </p><span id=s1 epub:type="noteref x"/><span id=s2 type=noteref/></div>\
    <ol id=ol><li id=l1/><li id=l2/><li id=l3/><li id=l4/><li id=l5/></ol>\
    <svg:a id=sa href="#x"/><bdi id=rtl>\u{5D0}</bdi></body></html>
    """)

  @Test(arguments: [
    ("#p1", "p1"), ("p.a", "p1 p2"), (".a.b", "p2"), ("P", ""), ("*#h", "h"), ("body > p", "p1 p2"),
    ("body p", "p1 p2 p3 p4 p5"), ("html div p i", "i1"), ("body > i", ""), ("h1 + p", "p1"), ("h1 ~ p", "p1 p2"),
    ("p ~ div p ~ p", "p4 p5"), ("html > body p + p", "p2 p4 p5"),
    ("[title]", "h"), ("[title=\"a-b c\"]", "h"), ("[title~=c]", "h"), ("[title~='a-b c']", ""), ("[title|=a]", "h"),
    ("[title^=a]", "h"), ("[title$=\" c\"]", "h"), ("[title*='b c']", "h"), ("[title^='']", ""),
    ("[title=\"A-B C\" i]", "h"), ("[title=\"A-B C\" s]", ""), ("[type=noteref]", "s2"),
    (":root", "html"), ("p:empty", "p4"), ("p:first-child", "p3"), ("b:last-child", "b"), ("i:only-child", "i1"),
    ("p:first-of-type", "p1 p3"), ("p:last-of-type", "p2 p5"), ("span:nth-of-type(2)", "s2"),
    ("li:nth-child(2n+1)", "l1 l3 l5"), ("li:nth-child(even)", "l2 l4"), ("li:nth-child(-n+2)", "l1 l2"),
    ("li:nth-last-child(2)", "l4"), ("li:nth-child(n + 4)", "l4 l5"), ("div :nth-child(1 of .b)", "p5"),
    ("div :nth-last-child(2 of p)", "p4"), (":link", "link sa"), ("a:hover, a:visited", ""),
    ("a:not(:hover)", "link sa"),
    ("p:not(.a, .b)", "p3 p4"), ("p:not(body > p)", "p3 p4 p5"), (":is(h1, ol) + :is(p, a)", "p1 sa"),
    ("p:is(:unknown, .b)", "p2 p5"), ("p:not(:unknown)", "invalid"), (":where(#p1, #p2) > a", "link"),
    ("p:has(a)", "p2"), ("body:has(> h1) > p", "p1 p2"), ("p:has(+ div)", "p2"), ("p:has(~ span)", "p3 p4 p5"),
    ("p:has(a + b)", "p2"), (":has(:has(a))", "invalid"), ("h1:has(~ div i)", "h"),
    ("p:lang(de)", "p1 p2"), ("p:lang('*-DE')", "p1 p2"), ("p:lang(de-de)", "p1 p2"), ("p:lang(fr, en)", "p3 p4 p5"),
    ("bdi:dir(rtl)", "rtl"), ("p:dir(rtl)", ""), ("svg|a", "sa"), ("h|a", "link"), ("*|a", "link sa"), ("|a", ""),
    ("[e|type~=noteref]", "s1"), ("[*|type]", "s1 s2"), ("x|a", "invalid"), (".page .a:nth-child(2)", "p1"),
    (".big", ""), ("a:::before", "invalid"), ("a::before b", "invalid"), ("p >", "invalid"), ("> p", "invalid"),
    ("p,,p", "invalid"), ("p + + p", "invalid"), ("#1a", "invalid"), (".\\62", "p2 p5"), ("p::selection", ""),
    (":is()", ""), ("p:nth-child(2 n)", "invalid"), ("a/**/b", "invalid"), ("p/**/.a", "p1 p2"),
    (":scope > body", "body"), ("*:not(*)", ""), ("p[class]:not([class~=a])", "p5"),
  ])
  func `Selectors match what the specification says`(_ selector: String, expected: String) {
    let namespaces = """
      @namespace h 'http://www.w3.org/1999/xhtml'; @namespace svg url(http://www.w3.org/2000/svg);
      @namespace e "http://www.idpf.org/2007/ops";
      """
    #expect(matches(selector, Self.page, namespaces: namespaces) == expected)
  }

  @Test func `The default namespace restricts type selectors`() {
    let rule = "@namespace 'http://www.w3.org/1999/xhtml';"
    #expect(matches("a", Self.page, namespaces: rule) == "link")
    #expect(matches("#sa, *|*#rtl", Self.page, namespaces: rule) == "rtl")
  }

  @Test func `The case of names counts where it must`() {
    let html = document("<p id=P class=Aa type=X><svg:linearGradient id=g/></p>", isXML: false)
    #expect(matches("P", html) == "P")
    #expect(matches("lineargradient", html) == "")
    #expect(matches("linearGradient", html) == "g")
    #expect(matches("[TYPE=x]", html) == "P")
    #expect(matches(".aa, #p", html) == "")
    let quirks = document("<p id=P class=Aa/>", isXML: false, mode: .quirks)
    #expect(matches(".aA", quirks) == "P")
    #expect(matches("#p", quirks) == "P")
  }

  @Test func `Matches come in the order of the cascade`() {
    func sheet(_ text: String) -> Stylesheet { Stylesheet(parsing: Array(text.utf8)) }
    var index = RuleIndex(
      RuleSet(
        [
          .init(sheet("p{--n:1} p::before{--n:2}"), .userAgent),
          .init(
            sheet(
              ".a{--n:3} p{--n:4} p.a{--n:5} p:where(.a#p1){--n:6} @media print{p{--n:7}} @supports (x:y){p{--n:8}}"),
            .author),
          .init(sheet("#p1{--n:9}"), .user),
        ], media: MediaEnvironment(), supports: { name, _ in name == "x" }), document: Self.page)
    let p1 = NodeID(Self.page.nodes.indices.first { label(NodeID($0), Self.page) == "p1" } ?? 0)
    var found: [MatchedRule] = []
    index.collectMatches(for: p1, in: Self.page, into: &found)
    #expect(found.map(\.pseudo) == [.none, .none, .none, .none, .none, .none, .none, .before])
    #expect(found.map(\.origin) == [.userAgent, .user] + Array(repeating: .author, count: 5) + [.userAgent])
    #expect(found.map(\.specificity.rawValue) == [1, 1 << 20, 1, 1, 1, 1 << 10, 1 << 10 + 1, 2])
    #expect(found.dropFirst(2).prefix(5).map(\.order) == [3, 5, 6, 2, 4])
  }

  @Test func `Calls may come in any order`() {
    let sheet = Stylesheet(parsing: Array("body > div p ~ span, div i, ol li{color:red}".utf8))
    var forwards = RuleIndex(
      RuleSet([.init(sheet, .author)], media: MediaEnvironment(), supports: { _, _ in true }), document: Self.page)
    var backwards = forwards
    var found: [MatchedRule] = []
    func count(_ index: inout RuleIndex, _ node: Int) -> Int {
      index.collectMatches(for: NodeID(node), in: Self.page, into: &found)
      return found.count
    }
    let nodes = Self.page.nodes.indices
    let first = nodes.map { count(&forwards, $0) }
    let second = nodes.reversed().map { count(&backwards, $0) }.reversed()
    #expect(first == Array(second))
    #expect(first.reduce(0, +) == 8)
  }

  /// Siblings that are alike share what was found, unless a rule looks at their place, their contents or their attributes.
  @Test func `Like siblings share their matches`() {
    let page = document(
      """
      <body><p id=a class=x/><p id=b class=x/><p id=c class="x y"/><p id=d class=x>t</p><p id=e class=x dir=rtl/>\
      <p id=f class=x><i/></p><p id=g class=x/></body>
      """)
    let all = "a b c d e f g"
    #expect(matches(".x", page) == all)
    #expect(matches("body > p:not(.y)", page) == "a b d e f g")
    #expect(matches("p.x:empty", page) == "a b c e g")
    #expect(matches("p + .x", page) == "b c d e f g")
    #expect(matches(".x:has(i)", page) == "f")
    #expect(matches(".x:is(:last-child, .y)", page) == "c g")
    #expect(matches("[dir], .z", page) == "e")
    #expect(matches("[id=b], [id=c]", page) == "b c")
    #expect(matches("#b, #g", page) == "b g")
  }

  @Test func `The language of a pragma is the document's`() {
    let page = document(
      """
      <html><head><meta http-equiv=Content-Language content=" pt-BR "/></head><body><p id=a/><p id=b lang=fr/></body></html>
      """)
    #expect(matches("p:lang(pt)", page) == "a")
  }

  /// Selectors that would cost the square of the siblings, or a power of the depth, were nothing remembered.
  @Test(.timeLimit(.minutes(60))) func `Slow selectors take linear time`() {
    let siblings = document("<body>" + String(repeating: "<p>x</p>", count: 20_000) + "</body>")
    #expect(matches("p:nth-child(3n+1):not(:nth-last-child(2n)):has(a) ~ p", siblings) == "")
    #expect(matches(".x ~ p ~ p, p:has(~ .x), p:nth-last-child(3n of .x)", siblings) == "")
    let nested = document(
      String(repeating: "<div>", count: 400) + "<span id=s class=z1/>" + String(repeating: "</div>", count: 400))
    #expect(matches(String(repeating: "div ", count: 40) + "span.z1", nested) == "s")
    #expect(matches(String(repeating: "div ", count: 399) + "b > div span.z1", nested) == "")
    var selector = ".none *"
    for _ in 0..<10 { selector = ":is(\(selector)) *" }
    #expect(matches(selector, nested) == "")
  }
}
