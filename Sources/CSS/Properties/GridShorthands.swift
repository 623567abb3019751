/// A line left out of a shorthand is the name before it, or `auto`.
private func following(_ line: GridLine) -> GridLine {
  if case .line(_, let name?, isPlain: true) = line { return .line(1, name: name, isPlain: true) }
  return .auto
}

/// `grid-row`, `grid-column`: start and end.
private func linePair(_ name: StaticString, _ start: PropertyID, _ end: PropertyID) -> ShorthandRow {
  ShorthandRow(name, "<grid-line> [ / <grid-line> ]?", sample: "2 / span 3", "CSS Grid 1, 8.4", [start, end]) {
    parser in
    guard let first = parser.gridLine() else { return nil }
    guard parser.slash() else { return [(start, .gridLine(first)), (end, .gridLine(following(first)))] }
    return parser.gridLine().map { [(start, .gridLine(first)), (end, .gridLine($0))] }
  }
}

private let templateLonghands: [PropertyID] = [
  .grid(.gridTemplateRows), .grid(.gridTemplateColumns), .grid(.gridTemplateAreas),
]

private func templateValues(_ parser: inout ValueParser) -> [(PropertyID, PropertyValue)]? {
  parser.gridTemplate().map { template in
    [
      (.grid(.gridTemplateRows), .tracks(template.rows)), (.grid(.gridTemplateColumns), .tracks(template.columns)),
      (.grid(.gridTemplateAreas), .areas(template.areas)),
    ]
  }
}

let gridShorthands: [ShorthandRow] = [
  linePair("grid-column", .grid(.gridColumnStart), .grid(.gridColumnEnd)),
  linePair("grid-row", .grid(.gridRowStart), .grid(.gridRowEnd)),
  ShorthandRow(
    "grid-area", "<grid-line> [ / <grid-line> ]{0,3}", sample: "1 / 2 / 3 / 4", "CSS Grid 1, 8.4",
    [.grid(.gridRowStart), .grid(.gridColumnStart), .grid(.gridRowEnd), .grid(.gridColumnEnd)]
  ) { parser in
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
      (.grid(.gridRowStart), .gridLine(rowStart)), (.grid(.gridColumnStart), .gridLine(columnStart)),
      (.grid(.gridRowEnd), .gridLine(rowEnd)), (.grid(.gridColumnEnd), .gridLine(columnEnd)),
    ]
  },
  ShorthandRow(
    "grid-template",
    "none | <'grid-template-rows'> / <'grid-template-columns'> | [ <line-names>? <string> <track-size>? <line-names>? ]+ [ / <track-list> ]?",
    sample: "'a b' 2em / 1fr 2fr", "CSS Grid 1, 7.4",
    templateLonghands
  ) { parser in templateValues(&parser) },
  ShorthandRow(
    "grid",
    "<'grid-template'> | <'grid-template-rows'> / [ auto-flow && dense? ] <'grid-auto-columns'>? | [ auto-flow && dense? ] <'grid-auto-rows'>? / <'grid-template-columns'>",
    sample: "auto-flow dense 2em / 1fr 2fr", "CSS Grid 1, 7.8",
    templateLonghands + [.grid(.gridAutoRows), .grid(.gridAutoColumns), .grid(.gridAutoFlow)]
  ) { parser in
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
        (.grid(.gridTemplateColumns), .tracks(columns)), (.grid(.gridAutoFlow), .flags(UInt32(flow.rawValue))),
      ]
      if let rows { values.append((.grid(.gridAutoRows), .tracks(rows))) }
      return values
    }
    guard let rows = parser.trackList(), parser.slash() else { return nil }
    flow.insert(.column)
    guard let columns = automatic(&parser, &flow) else { return nil }
    var values: [(PropertyID, PropertyValue)] = [
      (.grid(.gridTemplateRows), .tracks(rows)), (.grid(.gridAutoFlow), .flags(UInt32(flow.rawValue))),
    ]
    if let columns { values.append((.grid(.gridAutoColumns), .tracks(columns))) }
    return values
  },
]
