/// Not inherited: properties of grid containers and their items.
package enum GridProperty: UInt8, CaseIterable, Hashable, Sendable {
  case gridTemplateColumns, gridTemplateRows, gridTemplateAreas, gridAutoColumns, gridAutoRows, gridAutoFlow
  case gridColumnStart, gridColumnEnd, gridRowStart, gridRowEnd

  package var row: PropertyRow {
    switch self {
    case .gridTemplateColumns: Self.template("grid-template-columns")
    case .gridTemplateRows: Self.template("grid-template-rows")
    case .gridTemplateAreas:
      PropertyRow("grid-template-areas", "none | <string>+", initial: "none", sample: "'a b' 'a .'", "CSS Grid 1, 7.3")
      {
        parser in parser.gridAreas().map { .areas($0) }
      }
    case .gridAutoColumns: Self.automatic("grid-auto-columns")
    case .gridAutoRows: Self.automatic("grid-auto-rows")
    case .gridAutoFlow:
      PropertyRow(
        "grid-auto-flow", "[ row | column ] || dense", initial: "row", sample: "column dense", "CSS Grid 1, 7.7"
      ) { $0.gridFlowValue() }
    case .gridColumnStart: Self.line("grid-column-start")
    case .gridColumnEnd: Self.line("grid-column-end")
    case .gridRowStart: Self.line("grid-row-start")
    case .gridRowEnd: Self.line("grid-row-end")
    }
  }

  private static func template(_ name: StaticString) -> PropertyRow {
    PropertyRow(
      name, "none | <track-list> | subgrid <line-name-list>?", initial: "none", sample: "[a] 1fr minmax(2em, auto)",
      "CSS Grid 2, 7.2"
    ) { parser in parser.trackList().map { .tracks($0) } }
  }
  private static func automatic(_ name: StaticString) -> PropertyRow {
    PropertyRow(name, "<track-size>+", initial: "auto", sample: "2em", "CSS Grid 1, 7.6") { parser in
      parser.trackSizes().map { .tracks($0) }
    }
  }
  private static func line(_ name: StaticString) -> PropertyRow {
    PropertyRow(
      name, "auto | [ <integer> && <custom-ident>? ] | [ span && [ <integer> || <custom-ident> ] ] | <custom-ident>",
      initial: "auto", sample: "span 2", "CSS Grid 1, 8.3"
    ) { parser in parser.gridLine().map { .gridLine($0) } }
  }
}
