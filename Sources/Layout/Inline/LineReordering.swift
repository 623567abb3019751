/// Reordering for display (UAX #9, rule L2).
enum LineReordering {
  /// Turns items from logical to visual order: from the highest level to the lowest odd one, every stretch of that level or
  /// higher is reversed.
  ///
  /// - Complexity: O(items × levels that occur).
  static func reorder(_ order: inout [Int], level: (Int) -> UInt8) {
    var highest: UInt8 = 0
    var lowestOdd = UInt8.max
    for item in order {
      let own = level(item)
      highest = Swift.max(highest, own)
      if own & 1 == 1 { lowestOdd = Swift.min(lowestOdd, own) }
    }
    guard lowestOdd <= highest else { return }
    var current = highest
    while current >= lowestOdd {
      var start = 0
      while start < order.count {
        guard level(order[start]) >= current else {
          start += 1
          continue
        }
        var end = start + 1
        while end < order.count, level(order[end]) >= current { end += 1 }
        order[start..<end].reverse()
        start = end
      }
      current -= 1
    }
  }
}
