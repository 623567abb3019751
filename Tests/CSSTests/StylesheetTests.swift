import CSS
import Testing

private func sheet(_ text: String) -> Stylesheet { Stylesheet(parsing: Array(text.utf8)) }

/// The declarations of a range, one a line end, as `name: token token !important`.
private func describe(_ range: Range<UInt32>, _ sheet: Stylesheet) -> String {
  sheet.declarations[Int(range.lowerBound)..<Int(range.upperBound)].map { declaration in
    let value = sheet.value(of: declaration)
    var text = sheet.name(of: declaration) + ":"
    for index in value.position..<value.end {
      let token = sheet.buffer.tokens[index]
      switch token.kind {
      case .whitespace: text += " "
      case .number, .dimension, .percentage:
        text += "\(token.number)" + (token.kind == .dimension ? sheet.buffer.string(token.text) : "")
      case .delim: text += String(token.delim)
      case .comma: text += ","
      case .function: text += sheet.buffer.string(token.text) + "("
      case .closeParen: text += ")"
      default: text += sheet.buffer.string(token.text)
      }
    }
    return text + (declaration.isImportant ? "!" : "")
  }.joined(separator: ";")
}

private func rules(_ text: String) -> [String] {
  let sheet = sheet(text)
  return sheet.styleRules.map { describe($0.declarations, sheet) }
}

@Suite struct StylesheetTests {
  static let recoveries: [(String, [String])] = [
    ("p{color:red;margin:0 1EM!important}", ["color:red;margin:0.0 1.0EM!"]),
    ("p { COLOR : Red ! IMPORTANT ; --Foo:  x ; }", ["color:Red!;--Foo:x"]),
    // Rules that are not understood are dropped alone.
    ("p{color;a:b;;:c;d:e}", ["a:b;d:e"]), ("p{a:b;{c:d}e:f}", ["a:b;e:f"]),
    ("p{a:b;&:hover{c:d}e:f}", ["a:b", "c:d", "e:f"]),
    ("p{a:b;i:hover{c:d} e:f}", ["a:b", "c:d", "e:f"]), ("p{a:'x\n;b:c}", ["b:c"]), ("p{a:);b:c}", ["b:c"]),
    ("p{@x y{z:z} a:b; @w; c:d}", ["a:b;c:d"]), ("x!{a:b} p{c:d}", ["c:d"]), ("}p{a:b} q{c:d}", ["c:d"]),
    ("p{a:b", ["a:b"]), ("p{a:'b", ["a:b"]), ("p{a:f(b", ["a:f(b"]), ("@media all{p{a:b} q{c:d", ["a:b", "c:d"]),
    ("<!-- p{a:b} --> q{c:d}", ["a:b", "c:d"]), ("p{a:b}<!--q{c:d}", ["a:b", "c:d"]),
    ("@foo{p{a:b}} @bar x; q{c:d}", ["c:d"]), ("@layer x,y; @layer x{p{a:b}} q{c:d}", ["a:b", "c:d"]),
    ("p{content:'\\41\\\n\\'x'}", ["content:A'x"]), ("p{\\63olor:red}", ["color:red"]),
    ("p{a:1e3 -.5 +2.50px 1e99 .1e-2%}", ["a:1000.0 -0.5 2.5px 3.4028234663852886e+38 0.001"]),
    ("p{background:URL( x\\)y ) url('z')}", ["background:x)y url(z)"]), ("p{a：b；c:d}", ["a：b；c:d"]), ("p{}", []),
  ]

  @Test(arguments: recoveries)
  func `Errors of syntax cost what the specification says`(_ text: String, expected: [String]) {
    #expect(rules(text) == expected)
  }

  @Test func `At-rules are read where they are valid`() {
    let sheet = sheet(
      """
      @charset "utf-8"; @import "a.css"; @import url(b.css) layer(x) supports(color: red) print, (width > 1px);
      @layer base; @import 'c.css'; @namespace epub "http://www.idpf.org/2007/ops"; @import "late.css";
      @font-face { font-family: X; src: url(x.ttf) }
      @page { margin: 1cm }
      @page chapter:first, :left { margin: 2cm; @bottom-center { content: counter(page) } @nothing { x: y } size: A5 }
      @page :unknown { margin: 0 }
      @counter-style stars { symbols: '*' }
      @media print { @supports (display: grid) { p { a: b } } @font-face { font-family: Y } }
      """)
    #expect(sheet.imports.map(\.url) == ["a.css", "b.css"])
    #expect(sheet.namespaces.map(\.prefix) == ["epub"])
    #expect(sheet.fontFaces.map { describe($0.descriptors, sheet) } == ["font-family:X;src:x.ttf", "font-family:Y"])
    #expect(sheet.pageRules.map { describe($0.declarations, sheet) } == ["margin:1.0cm", "margin:2.0cm;size:A5"])
    #expect(sheet.pageRules.map { $0.selectors.map(\.specificity) } == [[], [65_792, 1]])
    #expect(
      sheet.pageRules[1].marginBoxes.map { $0.name + describe($0.declarations, sheet) } == [
        "bottom-centercontent:counter(page)"
      ])
    #expect(sheet.counterStyles.map { $0.name + describe($0.descriptors, sheet) } == ["starssymbols:*"])
    #expect(sheet.styleRules.map(\.line) == [8])
    #expect(sheet.faults.map(\.line) == [2, 2, 6])

    var asked: [String] = []
    let results = sheet.evaluateConditions(MediaEnvironment()) { name, value in
      asked.append(name + ":" + value.text)
      return true
    }
    #expect(asked == ["color:red"])
    #expect(sheet.holds(sheet.imports[1].condition, in: results))
    #expect(!sheet.holds(sheet.styleRules[0].condition, in: results))
  }

  static let supportsConditions: [(String, Bool)] = [
    ("(a: b)", true), ("(a:c)", false), ("not (a:c)", true), ("(a:b) and (a:c)", false), ("(a:b) or (a:c)", true),
    ("(not (a:b)) or (a:b)", true), ("((a:b))", true), ("(a:b !important)", true), ("selector(p > a)", true),
    ("selector(p:foo)", false), ("not unknown(x)", true), ("(a:b) and (a:b) or (a:b)", false), ("a", false),
    ("", false),
    ("(foo)", false), ("not (foo)", true), ("a:b", false), ("font-format(WOFF2)", true), ("font-format(foo)", false),
    ("not font-format()", true), ("font-format('woff2')", false), ("font-format(woff, woff2)", false),
    ("font-tech(features-opentype)", true), ("font-tech(foo)", false),
  ]

  /// Dropped rules do not end the place of imports, nor do layers that are named before them; between them they do (CSS
  /// Cascade 5, section 2).
  @Test func `Imports after invalid rules are read`() {
    let dropped = sheet("# {a:b} @foo x; @layer x; @page :bar {a:b} @import 'a'; @import 'b'; p {} @import 'c';")
    #expect(dropped.imports.map(\.url) == ["a", "b"])
    #expect(sheet("@import 'a'; @layer x; @import 'b';").imports.map(\.url) == ["a"])
  }

  @Test(arguments: supportsConditions)
  func `Conditions of support are evaluated`(_ condition: String, expected: Bool) {
    let sheet = sheet("@supports \(condition) { p { x: y } }")
    let results = sheet.evaluateConditions(MediaEnvironment()) {
      $0 == "a" && $1.isIdent("b") && $1.end == $1.position + 1
    }
    #expect(sheet.styleRules.count == 1)
    #expect(sheet.holds(sheet.styleRules[0].condition, in: results) == expected)
  }

  static let queries: [(String, Bool)] = [
    ("", true), ("all", true), ("screen", true), ("SCREEN", true), ("print", false), ("not print", true),
    ("only screen and (color)", true), ("amzn-kf8", false), ("not amzn-kf8", true), ("amzn-mobi, screen", true),
    ("(max-width: 600px)", true), ("(max-width: 37em)", false), ("(min-width: 37.5em)", true), ("(width: 600px)", true),
    ("(width < 600px)", false), ("(500px < width <= 600px)", true), ("(700px >= width > 500px)", true),
    ("(500px < width > 100px)", false), ("(600px=width)", true), ("(orientation:portrait)", true),
    ("(orientation: landscape)", false), ("(aspect-ratio: 3/4)", true), ("(min-aspect-ratio: 1)", false),
    ("(prefers-color-scheme: dark)", false), ("(prefers-color-scheme)", true), ("(min-resolution: 2dppx)", false),
    ("(resolution: 96dpi)", true), ("(-webkit-min-device-pixel-ratio:1)", true), ("(monochrome)", false),
    ("(color)", true),
    ("(min-color: 8)", true), ("(hover: hover)", false), ("(pointer: none)", true), ("(pointer)", false),
    ("not (color)", false), ("not (hover) and (color)", false), ("(not (hover)) and (color)", true),
    ("(hover) or (color)", true), ("(color) and (hover) or (color)", false), ("screen and (hover) or (color)", false),
    ("(foo)", false), ("not (foo)", false), ("(foo) or (color)", true), ("foo(x)", false), ("(width: 1x)", false),
    ("screen and", false), ("&, screen", true), ("(max-width:600)", false), ("(min-width:0)", true),
    ("(orientation: sideways) or (color)", true), ("and", false), ("(((color)))", true),
  ]

  @Test(arguments: queries)
  func `Media queries are evaluated`(_ query: String, expected: Bool) {
    #expect(MediaQueryList(parsing: query).matches(MediaEnvironment()) == expected)
  }

  @Test func `Style attributes end at their own errors`() {
    var sheet = Stylesheet()
    let lists = ["color:red", "color:blue;}margin:0", "", "Font: 'a\\62 ' ; } x:y", "a:b{", "c:d"].map {
      sheet.appendDeclarationList(Array($0.utf8)[...])
    }
    #expect(lists.map { describe($0, sheet) } == ["color:red", "color:blue", "", "font:ab", "", "c:d"])
  }

  static let weights: [(String, [Int])] = [
    ("a", [0, 0, 1]), ("*", [0, 0, 0]), ("a.b", [0, 1, 1]), ("#a:hover", [1, 1, 0]), (":is(a,#b)", [1, 0, 0]),
    (":where(#b) a", [0, 0, 1]), (":not(.a b)", [0, 1, 1]), ("a::before", [0, 0, 2]), (":nth-child(1)", [0, 1, 0]),
    (":nth-child(1 of a, .b)", [0, 2, 0]), ("a:has(> #b)", [1, 0, 1]), ("[a][b=c]", [0, 2, 0]),
    ("a:first-line", [0, 0, 2]),
  ]

  @Test(arguments: weights)
  func `Rules know the specificity of their selectors`(_ selector: String, expected: [Int]) throws {
    let sheet = sheet(selector + "{a:b}")
    let rule = try #require(sheet.styleRules.first)
    let weight = sheet.selectors.complex[Int(rule.selectors.lowerBound)].specificity
    #expect([weight.ids, weight.classes, weight.types] == expected)
  }

  /// Input made to nest or grow without end: linear time, no deep recursion.
  @Test(.timeLimit(.minutes(60))) func `Hostile input takes linear time and no deep recursion`() {
    func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
    #expect(rules("p{a:" + repeated("calc(1px + ", 3000) + "0" + repeated(")", 3000) + "}").count == 1)
    #expect(rules(repeated("@media all{", 20_000) + "p{a:b}").count == 1)
    #expect(rules(repeated(":is(", 20_000) + "p{a:b}").isEmpty)
    #expect(rules(repeated(":not(", 20_000) + "p" + repeated(")", 20_000) + "{a:b}").isEmpty)
    #expect(rules(repeated("a ", 20_000) + "{a:b} q{c:d}") == ["c:d"])
    #expect(rules("@media " + repeated("(", 20_000) + "{p{a:b}}").isEmpty)
    #expect(rules("@supports " + repeated("(not ", 20_000) + repeated(")", 20_000) + "{p{a:b}}") == ["a:b"])
    #expect(rules(repeated("[", 100_000) + repeated("{", 100_000)).isEmpty)
    #expect(
      rules(
        "}}}{{{ @media ( p { color: red } p { color:: blue;; } <!-- h1 { --> \0 @@@ p{margin:1em;background:url(data:;base64,***} \\"
      ).isEmpty)
    var sheet = Stylesheet()
    #expect(sheet.appendDeclarationList(Array(repeated("color:red;", 200_000).utf8)[...]).count == 200_000)
  }
}
