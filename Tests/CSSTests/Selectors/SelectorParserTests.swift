import CSS
import Testing

@Suite struct SelectorParserTests {
  /// Specificities of the selectors of a rule as (ids, classes, types); nil where the rule is dropped.
  private func specificities(_ selector: String) -> [[Int]]? {
    let sheet = Stylesheet(parsing: Array("@namespace epub url(e); \(selector) { color: red }".utf8))
    guard let rule = sheet.styleRules.first else { return nil }
    return sheet.selectors.complex[Int(rule.selectors.lowerBound)..<Int(rule.selectors.upperBound)].map {
      [$0.specificity.ids, $0.specificity.classes, $0.specificity.types]
    }
  }

  /// Selectors 4, section 17.
  @Test(arguments: [
    ("*", [[0, 0, 0]]), ("li", [[0, 0, 1]]), ("ul li", [[0, 0, 2]]), ("ul > ol + li ~ a", [[0, 0, 4]]),
    ("h1 + *[rel=up]", [[0, 1, 1]]), ("ul ol li.red", [[0, 1, 3]]), ("li.red.level", [[0, 2, 1]]),
    ("#x34y", [[1, 0, 0]]), ("#s12:not(foo)", [[1, 0, 1]]), ("p::first-line", [[0, 0, 2]]),
    ("p:first-line", [[0, 0, 2]]), (":is(em, #foo)", [[1, 0, 0]]), (":where(em#foo#bar.c)", [[0, 0, 0]]),
    (":not(em, strong#foo)", [[1, 0, 1]]), ("a:hover", [[0, 1, 1]]), ("p:nth-child(2n+1 of .a, #b)", [[1, 1, 1]]),
    ("a, b.c", [[0, 0, 1], [0, 1, 1]]), ("epub|p, *|p, |p", [[0, 0, 1], [0, 0, 1], [0, 0, 1]]),
    ("[epub|type~='note' i]", [[0, 1, 0]]), ("p:lang(de, 'en-*')", [[0, 1, 1]]), ("td:has(> p)", [[0, 0, 2]]),
  ])
  func `Specificity counts as the specification says`(selector: String, expected: [[Int]]) {
    #expect(specificities(selector) == expected)
  }

  @Test(arguments: [
    "", "p >", "> p", "p,", ",p", "p..a", "#1a", ".1a", "p:unknown", "p::unknown", "p:nth-child(x)",
    "p:nth-child(2n + of a)",
    "unbound|p", "[a=]", "[=a]", "[a!=b]", "p::before.a", "a:not(", "p { }", ":not()", "p + ~ q",
  ])
  func `Invalid selectors drop the rule`(selector: String) { #expect(specificities(selector) == nil, "\(selector)") }

  @Test func `One invalid selector drops its rule but not one that forgives`() {
    #expect(specificities("p, q:unknown") == nil)
    #expect(specificities(":is(p, :unknown)") == [[0, 0, 1]])
  }
}
