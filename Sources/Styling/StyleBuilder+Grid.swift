import CSS

extension StyleBuilder {
  /// The properties of CSS Grid 1.
  func apply(_ id: GridProperty) {
    let parent = parentBox.grid?.values ?? GridValues()
    var values = box.grid?.values ?? GridValues()
    let line: GridLine? = if case .gridLine(let line) = value { line } else { nil }
    var tracks: TrackList?
    if case .tracks(let list) = value { tracks = computed(list) }
    switch id {
    case .gridTemplateColumns: assign(&values.columns, tracks, inherited(parent.columns))
    case .gridTemplateRows: assign(&values.rows, tracks, inherited(parent.rows))
    case .gridTemplateAreas:
      if case .areas(let areas) = value { values.areas = areas } else { assign(&values.areas, nil, parent.areas) }
    case .gridAutoColumns: assign(&values.autoColumns, tracks?.tracks, inherited(parent.autoColumns))
    case .gridAutoRows: assign(&values.autoRows, tracks?.tracks, inherited(parent.autoRows))
    case .gridAutoFlow:
      assign(&values.autoFlow, flags.map { GridAutoFlow(rawValue: UInt8(truncatingIfNeeded: $0)) }, parent.autoFlow)
    case .gridColumnStart: assign(&values.columnStart, line, parent.columnStart)
    case .gridColumnEnd: assign(&values.columnEnd, line, parent.columnEnd)
    case .gridRowStart: assign(&values.rowStart, line, parent.rowStart)
    case .gridRowEnd: assign(&values.rowEnd, line, parent.rowEnd)
    }
    box.grid = values == GridValues() ? nil : GridStyle(values)
  }
}

extension TrackSize: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self {
    func mapped(_ breadth: TrackBreadth) -> TrackBreadth {
      if case .length(let length) = breadth { .length(transform(length)) } else { breadth }
    }
    return TrackSize(mapped(minimum), mapped(maximum), limit: limit.map(transform))
  }
}
extension TrackList: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self {
    var list = self
    list.tracks = tracks.mapping(transform)
    list.repetition?.tracks = (repetition?.tracks ?? []).mapping(transform)
    return list
  }
}
