import Graphics
import Primitives

/// Differences of painting on two pages whose layout records are equal (level B).
struct DisplayDiff {
  struct Finding {
    enum Kind {
      /// Faces by content.
      case font(old: UInt64, new: UInt64)
      case glyph, spacing
      case color(old: Color, new: Color)
      case image, box, shape
    }
    var kind: Kind
    /// In CSS px.
    var oldBox: RecordBox?
    var newBox: RecordBox?
    /// Of glyphs, in 1/64 px.
    var baseline: Int32?
    /// Of glyphs at another distance.
    var face: UInt64?

    /// It is what moved, or a box that is drawn with that.
    func isPlace(of moved: [RecordBox]) -> Bool {
      guard let newBox else { return false }
      return switch kind {
      case .spacing, .glyph, .shape: moved.contains(newBox)
      case .box: moved.contains { $0.overlaps(newBox) }
      default: false
      }
    }
  }

  private(set) var findings: [Finding] = []

  /// - Parameter pairs: The unit's kerning as far as it is known.
  init(_ old: PageDisplay, _ new: PageDisplay, pairs: GlyphPairs) {
    compareGlyphs(old, new, pairs)
    compareShapes(old, new)
  }

  /// Runs of glyphs in the order they are painted: equal records mean equal text in equal places.
  private mutating func compareGlyphs(_ old: PageDisplay, _ new: PageDisplay, _ pairs: GlyphPairs) {
    let before = Self.runs(old)
    let after = Self.runs(new)
    guard before.count == after.count else {
      if let first = after.first ?? before.first {
        findings.append(
          Finding(kind: .glyph, oldBox: before.first?.box, newBox: after.first?.box, baseline: first.baseline))
      }
      return
    }
    var moved: Set<Int32> = []
    let drawnOtherwise = new.facesDrawnOtherwise(than: old)
    for (a, b) in zip(before, after) {
      func find(_ kind: Finding.Kind) {
        findings.append(Finding(kind: kind, oldBox: a.box, newBox: b.box, baseline: b.baseline))
      }
      if a.face != b.face { find(.font(old: a.face, new: b.face)) }
      if a.color != b.color { find(.color(old: a.color, new: b.color)) }
      let left = old.list.glyphs[a.glyphs]
      let right = new.list.glyphs[b.glyphs]
      if a.face != b.face {
        // Another face has other glyphs at other distances.
      } else if !left.elementsEqual(right, by: { $0.glyph == $1.glyph }) {
        find(.glyph)
      } else if drawnOtherwise.contains(b.face) {
        findings.append(
          Finding(kind: .glyph, oldBox: a.box, newBox: b.box, baseline: b.baseline, face: b.face))
      } else if left != right || a.size != b.size {
        moved.insert(b.baseline)
      }
    }
    if moved.isEmpty { return }
    let changed = pairs.baselines(of: new)
    for (a, b) in zip(before, after) where moved.contains(b.baseline) {
      if old.list.glyphs[a.glyphs] == new.list.glyphs[b.glyphs] { continue }
      findings.append(
        Finding(
          kind: changed[b.baseline] != nil ? .glyph : .spacing, oldBox: a.box, newBox: b.box,
          baseline: b.baseline, face: changed[b.baseline]))
    }
  }

  /// Glyphs of one item in one line.
  struct Run {
    var face: UInt64
    var size: LayoutUnit
    var color: Color
    var glyphs: Range<Int>
    var box: RecordBox
    /// In 1/64 px.
    var baseline: Int32
    /// nil for one glyph, which tells nothing of it.
    var isVertical: Bool?
    /// The place of the first glyph, in CSS px.
    var origin: RecordBox
  }

  static func runs(_ page: PageDisplay) -> [Run] {
    var runs: [Run] = []
    page.forEachLineOfGlyphs { line in
      let (size, range) = (line.size, line.glyphs)
      guard let first = page.list.glyphs[range].first else { return }
      var left = Int32.max
      var right = Int32.min
      var top = Int32.max
      var bottom = Int32.min
      for glyph in page.list.glyphs[range] {
        left = min(left, glyph.x.rawValue)
        right = max(right, glyph.x.rawValue)
        top = min(top, glyph.y.rawValue)
        bottom = max(bottom, glyph.y.rawValue)
      }
      let em = Double(size.rawValue) / 64
      let isVertical = line.rotation != .none || (range.count > 1 && bottom - top > right - left)
      let box =
        isVertical
        ? RecordBox(
          x: Double(left) / 64 - em / 2, y: Double(top) / 64, width: em, height: Double(bottom - top) / 64 + em)
        : RecordBox(
          x: Double(left) / 64, y: Double(top) / 64 - em, width: Double(right - left) / 64 + em, height: em * 1.25)
      runs.append(
        Run(
          face: line.face, size: size, color: line.color, glyphs: range, box: box,
          baseline: isVertical ? first.x.rawValue : first.y.rawValue,
          isVertical: range.count > 1 || line.rotation != .none ? isVertical : nil,
          origin: RecordBox(x: Double(first.x.rawValue) / 64, y: Double(first.y.rawValue) / 64, width: 0, height: 0)))
    }
    return runs
  }

  /// Drawn content besides text. Shapes that both pages have are set aside; of the others, those of one kind are paired in order.
  struct Shape: Hashable {
    enum Kind: Hashable { case box, image, shape, state }
    var kind: Kind
    var item: DisplayItem
    /// The image by content.
    var image: UInt64
    var rect: Rect?
    var color: Color?
  }

  private mutating func compareShapes(_ old: PageDisplay, _ new: PageDisplay) {
    let before = Self.shapes(old)
    let after = Self.shapes(new)
    if before == after {
      if old.list.background != new.list.background {
        findings.append(Finding(kind: .color(old: old.list.background, new: new.list.background)))
      }
      return
    }
    var counts: [Shape: Int] = [:]
    for shape in before { counts[shape, default: 0] += 1 }
    var added: [Shape] = []
    for shape in after {
      if let count = counts[shape], count > 0 { counts[shape] = count - 1 } else { added.append(shape) }
    }
    var lost: [Shape] = []
    for shape in before {
      if let count = counts[shape], count > 0 {
        counts[shape] = count - 1
        lost.append(shape)
      }
    }
    if lost.isEmpty, added.isEmpty {
      findings.append(Finding(kind: .shape))
      return
    }
    var waiting: [Shape.Kind: [Shape]] = [:]
    for shape in lost.reversed() { waiting[shape.kind, default: []].append(shape) }
    func box(_ rect: Rect?) -> RecordBox? { rect.map { RecordBox($0) } }
    func kind(_ shape: Shape) -> Finding.Kind {
      switch shape.kind {
      case .box: .box
      case .image: .image
      case .shape, .state: .shape
      }
    }
    for shape in added {
      guard let other = waiting[shape.kind]?.popLast() else {
        findings.append(Finding(kind: kind(shape), newBox: box(shape.rect)))
        continue
      }
      if let a = other.color, let b = shape.color, a != b, other.rect == shape.rect {
        findings.append(Finding(kind: .color(old: a, new: b), oldBox: box(other.rect), newBox: box(shape.rect)))
      } else {
        let isMoved = shape.kind != .image && other.item.look == shape.item.look
        findings.append(
          Finding(kind: isMoved ? .box : kind(shape), oldBox: box(other.rect), newBox: box(shape.rect)))
      }
    }
    for shape in lost where waiting[shape.kind]?.popLast() != nil {
      findings.append(Finding(kind: kind(shape), oldBox: box(shape.rect)))
    }
  }

  static func shapes(_ page: PageDisplay) -> [Shape] {
    func image(_ id: ImageID) -> UInt64 { Int(id.rawValue) < page.images.count ? page.images[Int(id.rawValue)] : 0 }
    let anyImage = ImageID(0)
    return page.list.items.compactMap { item in
      switch item {
      case .glyphs: return nil
      case .fillRect(let rect, let color):
        return Shape(kind: .box, item: item, image: 0, rect: rect, color: color)
      case .fillRoundedRect(let rect, _, let color):
        return Shape(kind: .box, item: item, image: 0, rect: rect, color: color)
      case .fillRing(let outer, _, _, _, let color):
        return Shape(kind: .box, item: item, image: 0, rect: outer, color: color)
      case .strokeLine(let from, let to, let width, _, let color):
        let rect = Rect(
          x: min(from.x, to.x), y: min(from.y, to.y), width: max(from.x, to.x) - min(from.x, to.x) + width,
          height: max(from.y, to.y) - min(from.y, to.y) + width)
        return Shape(kind: .box, item: item, image: 0, rect: rect, color: color)
      case .image(let id, let rect):
        return Shape(kind: .image, item: .image(anyImage, rect), image: image(id), rect: rect, color: nil)
      case .imagePart(let id, let part, let size, let rect):
        return Shape(
          kind: .image, item: .imagePart(anyImage, part: part, of: size, rect), image: image(id), rect: rect, color: nil
        )
      case .tiledImage(let id, let tile, let spacing, let clip):
        return Shape(
          kind: .image, item: .tiledImage(anyImage, tile: tile, spacing: spacing, clip: clip), image: image(id),
          rect: clip, color: nil)
      case .fillGradient(let rect, _, _): return Shape(kind: .shape, item: item, image: 0, rect: rect, color: nil)
      case .shadow(let rect, _, _, let color, _, _):
        return Shape(kind: .shape, item: item, image: 0, rect: rect, color: color)
      case .fillPath(_, let color), .strokePath(_, _, _, let color):
        return Shape(kind: .shape, item: item, image: 0, rect: nil, color: color)
      default: return Shape(kind: .state, item: item, image: 0, rect: nil, color: nil)
      }
    }
  }
}

extension PageDisplay {
  /// Glyphs that one item has in one line.
  struct LineOfGlyphs {
    /// By content.
    var face: UInt64
    var size: LayoutUnit
    var color: Color
    var rotation: GlyphRotation
    /// Thousandths by which each is drawn wider.
    var expansion: Int16
    var glyphs: Range<Int>
  }

  /// The glyphs of each line that an item of the list has: one item may have several.
  func forEachLineOfGlyphs(_ body: (LineOfGlyphs) -> Void) {
    for item in list.items {
      guard case .glyphs(let font, let size, let color, let rotation, let expansion, let range) = item,
        range.upperBound <= list.glyphs.count, !range.isEmpty
      else { continue }
      let face = Int(font.rawValue) < faces.count ? faces[Int(font.rawValue)] : 0
      func line(_ glyphs: Range<Int>) -> LineOfGlyphs {
        LineOfGlyphs(
          face: face, size: size, color: color, rotation: rotation, expansion: expansion, glyphs: glyphs)
      }
      let step = size.rawValue / 2
      var start = range.lowerBound
      for index in range.dropFirst() {
        let (a, b) = (list.glyphs[index - 1], list.glyphs[index])
        if abs(b.x.rawValue &- a.x.rawValue) > step, abs(b.y.rawValue &- a.y.rawValue) > step {
          body(line(start..<index))
          start = index
        }
      }
      body(line(start..<range.upperBound))
    }
  }
}
