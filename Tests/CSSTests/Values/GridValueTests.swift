import CSS
import Primitives
import Testing

@Suite struct GridValueTests {
  private func values(_ text: String) -> [String: PropertyValue] {
    var sheet = TypedStylesheet(Stylesheet(), context: ValueContext())
    _ = sheet.appendDeclarationList(Array(text.utf8)[...])
    return Dictionary(uniqueKeysWithValues: sheet.longhands.map { ($0.property.name, $0.value) })
  }
  private func tracks(_ text: String) -> TrackList? {
    if case .tracks(let list)? = values("grid-template-columns: \(text)")["grid-template-columns"] { list } else { nil }
  }
  private func length(_ value: Float, _ unit: LengthUnit = .px) -> TrackBreadth {
    .length(.length(Length(value, unit)))
  }

  /// CSS Grid 1, section 7.2.
  @Test func `Track lists are read`() {
    #expect(tracks("none") == TrackList())
    #expect(tracks("1fr")?.tracks == [TrackSize(.auto, .fraction(1))])
    #expect(
      tracks("10px min-content")?.tracks == [TrackSize(length(10), length(10)), TrackSize(.minContent, .minContent)])
    #expect(tracks("minmax(5%, 2fr)")?.tracks == [TrackSize(length(5, .percent), .fraction(2))])
    #expect(tracks("fit-content(3em)")?.tracks.first?.limit == .length(Length(3, .em)))
    #expect(tracks("[a] 1px [b c] 2px [d]")?.names == [["a"], ["b", "c"], ["d"]])
    #expect(tracks("repeat(3, 1px [x])")?.tracks.count == 3)
    #expect(tracks("repeat(2, [y] 1px [x])")?.names == [["y"], ["x", "y"], ["x"]])
    #expect(tracks("repeat(auto-fit, 9px) 1px")?.repetition?.isFit == true)
    #expect(tracks("1px repeat(auto-fill, 9px)")?.repetition?.index == 1)
  }

  /// CSS Grid 2, section 9.
  @Test func `Subgrids name their lines`() {
    #expect(tracks("subgrid")?.isSubgrid == true)
    #expect(tracks("subgrid")?.names == [])
    #expect(tracks("subgrid [a b] []")?.names == [["a", "b"], []])
    #expect(tracks("subgrid repeat(2, [a] [b])")?.names == [["a"], ["b"], ["a"], ["b"]])
    #expect(tracks("subgrid [a] repeat(auto-fill, [b] [c]) [d]")?.names == [["a"], ["d"]])
    #expect(tracks("subgrid [a] repeat(auto-fill, [b] [c]) [d]")?.repetition?.index == 1)
    #expect(tracks("subgrid [a] repeat(auto-fill, [b] [c]) [d]")?.repetition?.names == [["b"], ["c"]])
    #expect((tracks("subgrid repeat(9999999, [a])")?.names.count ?? .max) <= ValueParser.mostTracks + 1)
    #expect(values("grid: subgrid / auto-flow")["grid-template-rows"] == .tracks(tracks("subgrid") ?? TrackList()))
  }

  @Test(arguments: [
    "minmax(1fr, 2px)", "fit-content(auto)", "-1px", "repeat(0, 1px)", "[a", "1px [a b 2px",
    "repeat(2)", "repeat(auto-fit, 1px) repeat(auto-fit, 1px)", "none 1px", "subgrid 1px",
    "subgrid repeat(auto-fit, [a])", "subgrid repeat(2, 1px)", "subgrid repeat(2)", "[a] subgrid",
    "subgrid repeat(auto-fill, [a]) repeat(auto-fill, [b])",
  ])
  func `Invalid track lists are dropped`(text: String) { #expect(tracks(text) == nil, "\(text)") }

  @Test func `Area rows are of one length`() {
    #expect(values("grid-template-areas: 'a a' 'b .'")["grid-template-areas"] == .areas([["a", "a"], ["b", ""]]))
    #expect(values("grid-template-areas: 'a b' 'a'").isEmpty)
  }

  /// CSS Grid 1, section 8.
  @Test func `Grid lines are numbers, names and spans`() {
    func line(_ text: String) -> GridLine? {
      if case .gridLine(let line)? = values("grid-row-start: \(text)")["grid-row-start"] { line } else { nil }
    }
    #expect(line("auto") == .auto)
    #expect(line("2") == .line(2, name: nil, isPlain: false))
    #expect(line("-1 a") == .line(-1, name: "a", isPlain: false))
    #expect(line("a") == .line(1, name: "a", isPlain: true))
    #expect(line("span 3") == .span(3, name: nil))
    #expect(line("span a") == .span(1, name: "a"))
    for bad in ["0", "span 0", "span -1", "1.5", "span", "a b", "auto 1"] { #expect(line(bad) == nil, "\(bad)") }
    let area = values("grid-area: a / 2")
    #expect(area["grid-row-end"] == .gridLine(.line(1, name: "a", isPlain: true)))
    #expect(area["grid-column-end"] == .gridLine(.auto))
  }

  @Test func `The grid shorthand resets what it leaves out`() {
    let flow = values("grid: auto-flow dense 2em / 1fr 2fr")
    #expect(flow["grid-auto-flow"] == .flags(UInt32(GridAutoFlow.dense.rawValue)))
    #expect(flow["grid-template-rows"] == .wide(.initial))
    #expect(values("grid: 1fr / auto-flow")["grid-auto-flow"] == .flags(UInt32(GridAutoFlow.column.rawValue)))
    #expect(values("grid: 'a' 1px / 2px")["grid-template-areas"] == .areas([["a"]]))
    #expect(values("grid: 1px").isEmpty)
  }
}
