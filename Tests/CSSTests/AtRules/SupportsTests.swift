import CSS
import Testing

@Suite struct SupportsTests {
  private func holds(_ condition: String) -> Bool {
    let sheet = Stylesheet(parsing: Array("@supports \(condition) { p { color: red } }".utf8))
    let results = sheet.evaluateConditions(MediaEnvironment()) { PropertyTable.supports($0, $1) }
    return sheet.styleRules.first.map { sheet.holds($0.condition, in: results) } ?? false
  }

  /// CSS Conditional Rules 4, section 3.
  @Test(arguments: [
    ("(color: red)", true), ("(color: nothing)", false), ("(no-such: red)", false), ("(--any: thing)", true),
    ("(width: var(--a))", true), ("not (no-such: red)", true), ("not (color: red)", false),
    ("(color: red) and (width: 1px)", true), ("(color: red) and (no-such: 1)", false),
    ("(no-such: 1) or (color: red)", true), ("((color: red) or (no-such: 1)) and (width: 1px)", true),
    ("(color: red) and (width: 1px) or (float: left)", false), ("(color: red !important)", true),
    ("selector(a > b)", true), ("selector(a:no-such)", false), ("unknown-function(x)", false),
    ("not unknown-function(x)", true), ("(something unknown)", false), ("(margin: 1px 2px)", true),
    ("(-webkit-column-count: 2)", true), ("(COLOR: RED)", true), ("(color:)", false),
  ])
  func `Conditions hold where their declarations are supported`(condition: String, expected: Bool) {
    #expect(holds(condition) == expected, "\(condition)")
  }
}
