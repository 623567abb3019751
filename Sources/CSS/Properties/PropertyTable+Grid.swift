import Primitives

private func line(_ id: PropertyID) -> PropertyGrammar {
  longhand(id) { parser in parser.gridLine().map { .gridLine($0) } }
}
private func shorthand(
  _ name: String, _ ids: [PropertyID],
  _ parse: @escaping @Sendable (inout ValueParser) -> [(PropertyID, PropertyValue)]?
) -> PropertyGrammar {
  PropertyGrammar(name: name, form: .shorthand(ids, parse))
}

/// A line left out of a shorthand is the name before it, or `auto`.
private func following(_ line: GridLine) -> GridLine {
  if case .line(_, let name?, isPlain: true) = line { return .line(1, name: name, isPlain: true) }
  return .auto
}

/// `grid-row`, `grid-column`: start and end.
private func linePair(_ name: String, _ start: PropertyID, _ end: PropertyID) -> PropertyGrammar {
  shorthand(name, [start, end]) { parser in
    guard let first = parser.gridLine() else { return nil }
    guard parser.slash() else { return [(start, .gridLine(first)), (end, .gridLine(following(first)))] }
    return parser.gridLine().map { [(start, .gridLine(first)), (end, .gridLine($0))] }
  }
}

private let templateLonghands: [PropertyID] = [.gridTemplateRows, .gridTemplateColumns, .gridTemplateAreas]

private func templateValues(_ parser: inout ValueParser) -> [(PropertyID, PropertyValue)]? {
  parser.gridTemplate().map { template in
    [
      (.gridTemplateRows, .tracks(template.rows)), (.gridTemplateColumns, .tracks(template.columns)),
      (.gridTemplateAreas, .areas(template.areas)),
    ]
  }
}

/// CSS Grid 1.
let gridGrammars: [PropertyGrammar] = [
  longhand(.gridTemplateColumns) { parser in parser.trackList().map { .tracks($0) } },
  longhand(.gridTemplateRows) { parser in parser.trackList().map { .tracks($0) } },
  longhand(.gridTemplateAreas) { parser in parser.gridAreas().map { .areas($0) } },
  longhand(.gridAutoColumns) { parser in parser.trackSizes().map { .tracks($0) } },
  longhand(.gridAutoRows) { parser in parser.trackSizes().map { .tracks($0) } },
  longhand(.gridAutoFlow) { parser in parser.gridAutoFlow().map { .flags(UInt32($0.rawValue)) } },
  line(.gridColumnStart), line(.gridColumnEnd), line(.gridRowStart), line(.gridRowEnd),
  linePair("grid-column", .gridColumnStart, .gridColumnEnd), linePair("grid-row", .gridRowStart, .gridRowEnd),
  shorthand("grid-area", [.gridRowStart, .gridColumnStart, .gridRowEnd, .gridColumnEnd]) { parser in
    var lines: [GridLine] = []
    repeat {
      guard lines.count < 4, let next = parser.gridLine() else { return nil }
      lines.append(next)
    } while parser.slash()
    let rowStart = lines[0]
    let columnStart = lines.count > 1 ? lines[1] : following(rowStart)
    let rowEnd = lines.count > 2 ? lines[2] : following(rowStart)
    let columnEnd = lines.count > 3 ? lines[3] : following(columnStart)
    return [
      (.gridRowStart, .gridLine(rowStart)), (.gridColumnStart, .gridLine(columnStart)),
      (.gridRowEnd, .gridLine(rowEnd)), (.gridColumnEnd, .gridLine(columnEnd)),
    ]
  },
  shorthand("grid-template", templateLonghands) { parser in templateValues(&parser) },
  shorthand("grid", templateLonghands + [.gridAutoRows, .gridAutoColumns, .gridAutoFlow]) { parser in
    if let template = parser.attempt({ parser -> [(PropertyID, PropertyValue)]? in
      let values = templateValues(&parser)
      return parser.isAtEnd ? values : nil
    }) {
      return template
    }
    /// `auto-flow dense?` and the sizes after it.
    func automatic(_ parser: inout ValueParser, _ flow: inout GridAutoFlow) -> TrackList?? {
      guard parser.keyword("auto-flow") || parser.keyword("dense") && parser.keyword("auto-flow") else { return nil }
      if parser.keyword("dense") { flow.insert(.dense) }
      return .some(parser.trackSizes())
    }
    var flow = GridAutoFlow()
    if let rows = automatic(&parser, &flow) {
      guard parser.slash(), let columns = parser.trackList() else { return nil }
      var values: [(PropertyID, PropertyValue)] = [
        (.gridTemplateColumns, .tracks(columns)), (.gridAutoFlow, .flags(UInt32(flow.rawValue))),
      ]
      if let rows { values.append((.gridAutoRows, .tracks(rows))) }
      return values
    }
    guard let rows = parser.trackList(), parser.slash() else { return nil }
    flow.insert(.column)
    guard let columns = automatic(&parser, &flow) else { return nil }
    var values: [(PropertyID, PropertyValue)] = [
      (.gridTemplateRows, .tracks(rows)), (.gridAutoFlow, .flags(UInt32(flow.rawValue))),
    ]
    if let columns { values.append((.gridAutoColumns, .tracks(columns))) }
    return values
  },
]
