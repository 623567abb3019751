import CSS
import Primitives
import Testing

/// The rows of the table, one by one; `Tests/StylingTests/PropertyWalkTests.swift` follows the values into styles.
@Suite struct PropertyRowTests {
  private func parse(_ name: String, _ value: String, quirks: Bool = false) -> [(PropertyID, PropertyValue)]? {
    guard let place = PropertyTable.standard.place(of: name) else { return nil }
    let buffer = TokenBuffer(tokenizing: Array(value.utf8)[...])
    var parser = ValueParser(TokenCursor(buffer).trimmed, context: ValueContext(quirks: quirks))
    return PropertyTable.standard.parse(place, &parser)
  }

  /// The longhands that declarations can set.
  static let longhands = PropertyID.allCases.filter { !$0.row.sample.description.isEmpty }

  @Test func `Slots and names are unique`() {
    let all = PropertyID.allCases
    #expect(Set(all).count == all.count)
    #expect(Set(all.map(\.slot)).count == all.count)
    #expect(all.allSatisfy { $0.slot >= 0 && $0.slot < PropertyID.slotCount })
    let names = all.map(\.name) + PropertyTable.standard.shorthands.map(\.name.description)
    let aliases =
      all.flatMap { $0.row.aliases.map(\.description) }
      + PropertyTable.standard.shorthands.flatMap { $0.aliases.map(\.description) }
    #expect(Set(names + aliases).count == names.count + aliases.count)
    #expect((names + aliases).allSatisfy { $0 == $0.lowercased() && !$0.isEmpty })
  }

  @Test func `Fonts are applied first and line height last of them`() {
    let order = PropertyID.allCases.sorted { $0.slot < $1.slot }
    let fonts = order.prefix(FontProperty.allCases.count)
    #expect(fonts.allSatisfy { $0.group == .font })
    #expect(fonts.last == .font(.lineHeight))
  }

  @Test(arguments: PropertyID.allCases) func `Every row is complete`(id: PropertyID) {
    let row = id.row
    #expect(!row.section.description.isEmpty)
    if id == .text(.xLanguage) { return }
    #expect(!row.values.description.isEmpty && !row.sample.description.isEmpty)
    // The initial value for the last hyphens has no keyword.
    #expect(!row.initial.description.isEmpty || id == .paragraph(.hyphenateLimitLast))
  }

  @Test(arguments: longhands) func `Each longhand reads its values and drops others`(id: PropertyID) {
    let row = id.row
    for name in [id.name] + row.aliases.map(\.description) {
      #expect(parse(name, row.sample.description)?.map(\.0) == [id], "\(name)")
    }
    #expect(row.initial.description.isEmpty || parse(id.name, row.initial.description) != nil)
    #expect(parse(id.name, "inherit")?.map(\.1) == [.wide(.inherit)])
    for bad in ["", "/", "!", "no such(thing)", "\(row.sample) {}"] {
      #expect(parse(id.name, bad) == nil, "\(id.name): \(bad)")
    }
  }

  @Test(arguments: longhands) func `Each longhand is supported`(id: PropertyID) {
    func supports(_ value: String) -> Bool {
      let buffer = TokenBuffer(tokenizing: Array(value.utf8)[...])
      return PropertyTable.supports(id.name, TokenCursor(buffer).trimmed)
    }
    #expect(supports(id.row.sample.description))
    #expect(supports("var(--a)"))
    #expect(!supports("no such thing / 3"))
  }

  @Test(arguments: PropertyTable.standard.shorthands.map(\.name.description))
  func `Each shorthand sets all its longhands`(name: String) throws {
    let row = try #require(PropertyTable.standard.shorthands.first { $0.name.description == name })
    #expect(!row.section.description.isEmpty && !row.longhands.isEmpty)
    let values = try #require(parse(name, row.sample.description))
    #expect(values.map(\.0) == row.longhands)
    #expect(parse(name, "revert")?.map(\.0) == row.longhands)
    #expect(parse(name, "revert")?.allSatisfy { $0.1 == .wide(.revert) } == true)
    #expect(parse(name, "no such / thing !") == nil)
    for alias in row.aliases { #expect(parse(alias.description, row.sample.description)?.map(\.0) == row.longhands) }
  }

  @Test func `Logical properties follow each writing mode`() {
    func sides(_ mode: WritingMode, _ direction: TextDirection) -> [String] {
      [LogicalProperty.marginBlockStart, .marginBlockEnd, .marginInlineStart, .marginInlineEnd].map {
        String($0.physical(mode, direction).name.dropFirst("margin-".count))
      }
    }
    #expect(sides(.horizontalTB, .ltr) == ["top", "bottom", "left", "right"])
    #expect(sides(.horizontalTB, .rtl) == ["top", "bottom", "right", "left"])
    #expect(sides(.verticalRL, .ltr) == ["right", "left", "top", "bottom"])
    #expect(sides(.verticalLR, .rtl) == ["left", "right", "bottom", "top"])
    #expect(sides(.sidewaysRL, .ltr) == ["right", "left", "top", "bottom"])
    #expect(sides(.sidewaysLR, .ltr) == ["left", "right", "bottom", "top"])
    #expect(LogicalProperty.borderStartStartRadius.physical(.verticalRL, .ltr).name == "border-top-right-radius")
    #expect(LogicalProperty.borderEndStartRadius.physical(.horizontalTB, .ltr).name == "border-bottom-left-radius")
    #expect(LogicalProperty.inlineSize.physical(.verticalRL, .ltr) == .box(.height))
    // The four logical properties of a family are four different physical ones, in every mode.
    for mode in [WritingMode.horizontalTB, .verticalRL, .verticalLR, .sidewaysRL, .sidewaysLR] {
      for direction in [TextDirection.ltr, .rtl] {
        #expect(
          Set(LogicalProperty.allCases.map { $0.physical(mode, direction) }).count == LogicalProperty.allCases.count)
      }
    }
  }

  @Test func `Keywords have their names whatever their cases are called`() {
    func check<Value: Keyword>(_ type: Value.Type, _ names: [String]) {
      #expect(Value.all.map(\.keyword.description) == names)
    }
    check(WritingMode.self, ["horizontal-tb", "vertical-rl", "vertical-lr", "sideways-rl", "sideways-lr"])
    check(Position.self, ["static", "relative", "absolute", "fixed", "sticky"])
    check(FontVariantPosition.self, ["normal", "sub", "super"])
    check(Clear.self, ["none", "left", "right", "both", "inline-start", "inline-end"])
    check(BackgroundRepeat.self, ["repeat", "no-repeat", "space", "round"])
    check(TextWrapMode.self, ["wrap", "nowrap"])
    check(
      GenericFamily.self,
      ["serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "math", "emoji", "fangsong"])
    check(
      ColorSpace.self,
      [
        "srgb", "srgb-linear", "display-p3", "a98-rgb", "prophoto-rgb", "rec2020", "xyz-d65", "xyz-d50", "lab", "lch",
        "oklab", "oklch", "hsl", "hwb",
      ])
    #expect(Display.all.count == 30 && Set(Display.all.map(\.keyword.description)).count == 30)
  }
}
