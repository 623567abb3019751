import CSS
import Testing

@Suite struct MediaQueryTests {
  private func matches(_ query: String, _ change: (inout MediaEnvironment) -> Void = { _ in }) -> Bool {
    var environment = MediaEnvironment()
    change(&environment)
    return MediaQueryList(parsing: query).matches(environment)
  }

  /// On a screen of 600 by 800 px (Media Queries 4, sections 2 and 3).
  @Test(arguments: [
    ("", true), ("all", true), ("screen", true), ("print", false), ("not print", true), ("only screen", true),
    ("print, screen", true), ("tty", false), ("not tty", true), ("screen and (min-width: 600px)", true),
    ("screen and (min-width: 601px)", false), ("(max-width: 600px)", true), ("(width: 600px)", true),
    ("(width > 599px)", true), ("(width >= 37.5em)", true), ("(400px <= width < 600px)", false),
    ("(400px <= width <= 600px)", true), ("(700px > width)", true), ("(height)", true),
    ("(orientation: portrait)", true),
    ("(orientation: landscape)", false), ("not (width)", false), ("(width) and (height)", true),
    ("(min-width: 1px) and (min-width: 9999px)", false), ("(min-width: 9999px) or (height)", true),
    ("not screen and (min-width: 9999px)", true), ("((width) or (color)) and (height)", true),
    // Invalid queries are `not all`.
    ("(width) and (height) or (color)", false), ("screen (width)", false), ("and", false), ("screen and", false),
    ("screen and print", false), ("(width", true), ("&test, screen", true), ("(min-width: red)", false),
    // An unknown feature is false, negated too.
    ("(unknown-feature)", false), ("not (unknown-feature)", false), ("(unknown-feature) or (width)", true),
    ("(min-orientation: portrait)", false),
    // Math functions (CSS Values 4, section 10) of each type, and with the wrong one.
    ("(width: calc(300px * 2))", true), ("(width >= calc(30em + 10 * 12px))", true), ("(width: calc(600))", false),
    ("(resolution: calc(2x - 96dpi))", true), ("(resolution: calc(1px))", false),
    ("(min-width: calc(100px * sign(1em - 15px)))", true), ("(max-width: max(1px, 599px))", false),
    ("(color: calc(7.6))", true), ("(color: 8.5)", false), ("(aspect-ratio: calc(6 / 2) / 4)", true),
    ("(aspect-ratio: 3 / calc(2 * 2))", true), ("(width: mod(1600px, 1000px))", true),
    ("(width: calc(1px + 1))", false),
    // Discrete features have no range, and sizes along the flow are those of containers.
    ("(grid: 0)", true), ("(grid: 1)", false), ("(grid: 2)", false), ("(min-grid: 0)", false), ("(grid >= 0)", false),
    ("(inline-size > 0px)", false), ("(nav-controls)", false), ("(environment-blending: opaque)", true),
    ("(vertical-viewport-segments: 1)", true), ("(forced-colors: none)", true), ("(inverted-colors: active)", false),
  ])
  func `Queries match, or they do not`(query: String, expected: Bool) {
    #expect(matches(query) == expected, "\(query)")
  }

  @Test func `The environment decides`() {
    #expect(matches("print") { $0.type = .print })
    #expect(!matches("screen") { $0.type = .print })
    #expect(matches("(orientation: landscape)") { $0.width = 900 })
    #expect(matches("(prefers-color-scheme: dark)") { $0.colorScheme = .dark })
    #expect(!matches("(prefers-color-scheme: dark)"))
    #expect(matches("(min-resolution: 2dppx)") { $0.resolution = 2 })
    #expect(!matches("(min-resolution: 2dppx)"))
    #expect(matches("(min-width: 30em)") { $0.rootFontSize = 20 })
    #expect(!matches("(min-width: 31em)") { $0.rootFontSize = 20 })
  }
}
