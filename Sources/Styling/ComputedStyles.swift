import Primitives

/// The style of each node of a document. Most nodes look like others, so a node has the number of its style only.
package struct ComputedStyles: Sendable {
  private var values: [ComputedStyle] = [.initial]
  private var numbers: [UInt32]
  /// Numbers of styles by a hash of theirs: where an equal one is likely to be found. Others are kept once more.
  private var known = [UInt32](repeating: 0, count: 256)

  /// The initial style for `count` nodes.
  package init(count: Int) { numbers = [UInt32](repeating: 0, count: count) }

  package init(_ styles: [ComputedStyle]) {
    self.init(count: styles.count)
    for (index, style) in styles.enumerated() { self[index] = style }
  }

  package var count: Int { numbers.count }

  package subscript(index: Int) -> ComputedStyle {
    get { values[Int(numbers[index])] }
    set {
      let slot = Self.slot(of: newValue)
      if values[Int(known[slot])] != newValue {
        known[slot] = UInt32(truncatingIfNeeded: values.count)
        values.append(newValue)
      }
      numbers[index] = known[slot]
    }
  }

  /// Gives a node the style of another.
  package mutating func copy(from other: Int, to index: Int) { numbers[index] = numbers[other] }

  private static func slot(of style: ComputedStyle) -> Int {
    var hash = style.font.rawValue &* 31 &+ style.text.rawValue
    hash = (hash &* 31 &+ style.paragraph.rawValue) &* 31 &+ style.box.rawValue
    hash = ((hash &* 31 &+ style.border.rawValue) &* 31 &+ style.background.rawValue) &* 31 &+ style.page.rawValue
    return Int((hash &* 0x9E37_79B1) >> 24)
  }
}
