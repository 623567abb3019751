import Graphics
import Primitives

/// The looks of what is drawn besides text on the changed pages of a chapter, wherever it stands there.
///
/// On a page whose lines moved, boxes move too, and cannot be compared one by one. But a border of another colour or
/// thickness shows as a look that all old pages together have and no new one, or the other way round (level B on pages that
/// differ in C).
struct ShapeStyles {
  struct Style: Hashable {
    var kind: DisplayDiff.Shape.Kind
    var color: Color?
    /// Of lines, in 1/64 px; zero for areas.
    var thickness: Int32
  }

  /// A look that came or went, or one that another took the place of.
  struct Finding {
    var kind: DisplayDiff.Finding.Kind
    var slot: Int
    var oldBox: RecordBox?
    var newBox: RecordBox?
  }

  private struct Occurrence {
    var slot: Int
    var rect: Rect?
    var count = 1
  }

  private var old: [Style: Occurrence] = [:]
  private var new: [Style: Occurrence] = [:]
  /// In the order they are met.
  private var oldOrder: [Style] = []
  private var newOrder: [Style] = []

  /// Lines are no thicker than this, in 1/64 px.
  private static let maximumThickness: Int32 = 4 * 64
  private static let leastThickness: Int32 = 64

  mutating func addOld(_ page: PageDisplay, slot: Int) { Self.add(page, slot, &old, &oldOrder) }
  mutating func addNew(_ page: PageDisplay, slot: Int) { Self.add(page, slot, &new, &newOrder) }

  private static func add(
    _ page: PageDisplay, _ slot: Int, _ occurrences: inout [Style: Occurrence], _ order: inout [Style]
  ) {
    for shape in DisplayDiff.shapes(page) where shape.kind == .box || shape.kind == .shape {
      var style = Style(kind: shape.kind, color: shape.color, thickness: 0)
      if let rect = shape.rect {
        let thickness = min(rect.width.rawValue, rect.height.rawValue)
        let length = max(rect.width.rawValue, rect.height.rawValue)
        // A line that is interrupted by letters may leave a scrap, which tells nothing of how thick it is.
        if thickness < leastThickness, length <= maximumThickness { continue }
        if thickness <= maximumThickness { style.thickness = thickness }
      }
      if occurrences[style] != nil {
        occurrences[style]?.count += 1
      } else {
        occurrences[style] = Occurrence(slot: slot, rect: shape.rect)
        order.append(style)
      }
    }
  }

  /// - Parameter explainsThickness: `true` if the text has another face or size, which lines under it follow.
  func findings(explainsThickness: Bool) -> [Finding] {
    var lost = oldOrder.filter { new[$0] == nil }
    let gained = newOrder.filter { old[$0] == nil }
    var findings: [Finding] = []
    func find(_ kind: DisplayDiff.Finding.Kind, _ before: Style?, _ after: Style?) {
      let (a, b) = (before.flatMap { old[$0] }, after.flatMap { new[$0] })
      findings.append(
        Finding(
          kind: kind, slot: (b ?? a)?.slot ?? 0,
          oldBox: b == nil || a?.slot == b?.slot ? a?.rect.map { RecordBox($0) } : nil,
          newBox: b?.rect.map { RecordBox($0) }))
    }
    func plain(_ style: Style) -> DisplayDiff.Finding.Kind { style.kind == .box ? .box : .shape }
    for style in gained {
      // Of those that went, the one that occurred as often is the likeliest.
      let candidates = lost.indices.filter { index in
        lost[index].kind == style.kind && lost[index].thickness == style.thickness && lost[index].color != nil
      }
      let count = new[style]?.count ?? 0
      let best = candidates.min { abs((old[lost[$0]]?.count ?? 0) - count) < abs((old[lost[$1]]?.count ?? 0) - count) }
      if let best, let a = lost[best].color, let b = style.color {
        find(.color(old: a, new: b), lost[best], style)
        lost.remove(at: best)
        continue
      }
      let other = lost.firstIndex { $0.kind == style.kind && $0.color == style.color }
      if !explainsThickness || style.thickness == 0 { find(plain(style), other.map { lost[$0] }, style) }
      if let other { lost.remove(at: other) }
    }
    for style in lost where !explainsThickness || style.thickness == 0 { find(plain(style), style, nil) }
    return findings
  }
}

extension RecordBox {
  init(_ rect: Rect) {
    self.init(
      x: Double(rect.x.rawValue) / 64, y: Double(rect.y.rawValue) / 64, width: Double(rect.width.rawValue) / 64,
      height: Double(rect.height.rawValue) / 64)
  }
}
