import BoxGeneration
import CSS
import Primitives
import Shaping
import Styling
import Text

/// Ruby annotations (CSS Ruby 1): set on one line over or under their base, which line building widens when they are wider.
extension LayoutContext {
  /// The em box above and below the alphabetic baseline, in em: annotations stand on em boxes, so that the generous ascents of
  /// CJK faces do not push them away from their base.
  private var emAscent: Double { isCentral ? 0.5 : 0.88 }
  private var emDescent: Double { 1 - emAscent }

  /// How wide the annotation of a base is.
  func annotationWidth(_ base: BoxID) -> Advance {
    let text = tree.boxes[base.index].text
    guard !text.isNone else { return 0 }
    let paragraph = acquireParagraph(text)
    defer { release(paragraph) }
    return contentSizes(paragraph, text: text, container: base).maximum
  }

  /// Size of the annotation's font: what it takes of the line.
  private func annotationSize(_ base: BoxID) -> LayoutUnit {
    let text = tree.boxes[base.index].text
    guard !text.isNone else { return .zero }
    let paragraph = acquireParagraph(text)
    defer { release(paragraph) }
    var size: Float = 0
    for run in paragraph.shaped.runs { size = Swift.max(size, run.size) }
    return LayoutUnit(size)
  }

  private func isAnnotationUnder(_ base: BoxID) -> Bool {
    styles.texts[tree.boxes[base.index].style.text.index].rubyPosition == .under
  }

  /// Finds room for the annotation of the ruby base `entry`: beyond its em box and the annotations inside it.
  func reserveAnnotation(_ entry: inout LineBox) {
    let size = annotationSize(entry.box)
    guard size > .zero else { return }
    if isAnnotationUnder(entry.box) {
      entry.annotationOffset = Swift.max(entry.metrics.fontSize * emDescent, entry.annotationBelow)
      entry.annotationBelow = entry.annotationOffset + size
    } else {
      entry.annotationOffset = Swift.max(entry.metrics.fontSize * emAscent, entry.annotationAbove)
      entry.annotationAbove = entry.annotationOffset + size
    }
  }

  /// Sets the annotation of a base that reaches from `left` over `width`, `offset` away from its baseline.
  func emitAnnotation(
    of base: BoxID, into target: FragmentID, left: Advance, width: Advance, baseline: LayoutUnit, offset: LayoutUnit
  ) {
    let text = tree.boxes[base.index].text
    guard !text.isNone else { return }
    let paragraph = acquireParagraph(text)
    defer { release(paragraph) }
    var scratch = inline.takeLine()
    var breaker = GreedyLineBreaker(
      context: self, paragraph: paragraph, text: text, container: base, containerInline: .zero, emergencyWidth: .max,
      hyphenLimit: 0, tabInterval: 0, items: scratch.items)
    scratch.items = []
    let runs = tree.texts.texts[text.index].runs
    breaker.begin(
      LineStart(run: runs.lowerBound, cluster: 0, shapedRun: 0), innermost: base, available: .max, origin: .zero)
    var atomics: [AtomicInline] = []
    loop: while true {
      switch breaker.next() {
      case .line: break loop
      case .float: breaker.resolveFloat()
      case .object(let box):
        atomics.append(layoutAtomic(box, availableInline: .zero, percentageBlock: nil))
        let last = atomics.count - 1
        breaker.supplyObject(
          index: last, width: atomics[last].result.size.inline + atomics[last].margins.inlineSum)
      }
    }
    let end = breaker.end
    scratch.items = breaker.takeItems()
    var builder = LineBuilder(
      context: self, paragraph: paragraph, text: text, container: base, containing: .zero, line: scratch)
    builder.atomics = atomics
    builder.isAnnotation = true
    builder.edges = end.edges
    builder.measure(open: [], spaceAbove: .zero)
    let size = annotationSize(base)
    let line =
      isAnnotationUnder(base)
      ? baseline + offset + size * emAscent : baseline - offset - size * emDescent
    var start = left
    let excess = width - end.width
    if excess > 0 {
      // `ruby-align: space-around` (CSS Ruby 1, section 4.3): between ideographs and kana; other scripts are centred.
      let count = builder.spreadableClusters
      if count > 1 {
        builder.spread = excess / Advance(count)
        start += builder.spread / 2
      } else {
        start += excess / 2
      }
    }
    _ = builder.emit(
      into: target, origin: start, top: line - builder.baseline, expansion: .none, hyphenated: false,
      positioned: { _, _ in })
    inline.giveBack(builder.line)
  }
}

extension LineBuilder {
  /// How many clusters the line has when all are ideographs or kana, else 0.
  var spreadableClusters: Int {
    var count = 0
    for leaf in line.leaves {
      let item = line.items[leaf]
      guard item.kind == .text else { return 0 }
      for cluster in item.start..<item.end {
        guard paragraph.glyphs(of: item).clusters[cluster].flags.contains(.ideographic) else { return 0 }
        count += 1
      }
    }
    return count
  }
}
