extension RecordBox {
  func overlaps(_ other: RecordBox) -> Bool {
    x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
  }
}

/// Places by a line, in its own direction.
extension LineRecord {
  func start(of box: RecordBox) -> Double { isVertical ? box.y : box.x }
  func end(of box: RecordBox) -> Double { isVertical ? box.y + box.height : box.x + box.width }
  var start: Double { start(of: box) }
  var end: Double { end(of: box) }
  /// Across its direction.
  var extent: Double { isVertical ? box.width : box.height }

  /// Of its runs, in CSS px.
  var largestSize: Double { runs.map(\.size).max() ?? 0 }

  /// A box stands before or after the line, at its height.
  func isBeside(_ other: RecordBox) -> Bool {
    let middle = isVertical ? other.x + other.width / 2 : other.y + other.height / 2
    let edge = isVertical ? box.x : box.y
    return middle >= edge - extent && middle <= edge + extent * 2
      && (dir == "rtl" ? start(of: other) >= end - 1 : start(of: other) < start - 1)
  }

  /// From a box beside the line to it.
  func gap(to other: RecordBox) -> Double { max(0, dir == "rtl" ? start(of: other) - end : start - end(of: other)) }
}
