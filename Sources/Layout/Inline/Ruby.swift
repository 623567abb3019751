import BoxGeneration
import CSS
import Primitives
import Shaping
import Styling
import Text

/// The places where a base or annotation may be set apart, its justification opportunities: ideographs and kana of a text that
/// has nothing else are apart from each other, in others the words are.
struct RubyOpportunities {
  /// The parts that they divide the text into.
  var parts = 0
  /// The clusters that room is added after: those in the range that have one of the flags.
  var range = 0..<0
  var flags: ClusterFlags = []
  var count = 0

  @inline(__always)
  func follow(_ cluster: Int, _ flags: UInt16) -> Bool {
    flags & self.flags.rawValue != 0 && range.contains(cluster)
  }
}

/// Spacing of the narrower of base and annotation over the width of the other (CSS Ruby 1, section 4.3).
struct RubySpread {
  /// Before the first cluster.
  var lead: Advance = 0
  /// At each opportunity.
  var each: Advance = 0

  init() {}

  /// - Parameter parts: How many may be set apart.
  init(_ excess: Advance, over parts: Int, align: RubyAlign) {
    guard excess > 0 else { return }
    switch align {
    case .start: break
    case .spaceBetween where parts > 1: each = excess / Advance(parts - 1)
    case .spaceAround where parts > 1:
      each = excess / Advance(parts)
      lead = each / 2
    case .center, .spaceBetween, .spaceAround: lead = excess / 2
    }
  }
}

/// Ruby bases whose annotations are set together, as far as they stand on one line (CSS Ruby 1, section 4.2).
struct RubyGroup {
  /// The end of the ruby before them, as a cluster.
  var previousEnd = 0
  private var isEmpty = true
  private var bases: Advance = 0
  private var annotations: Advance = 0
  private var taken: Advance = 0

  init(previousEnd: Int = 0) { self.previousEnd = previousEnd }

  /// A base that opens now is one of them.
  func takes(_ base: Box) -> Bool { !isEmpty && base.flags.contains(.mergesRuby) }

  mutating func add(base: Advance, annotation: Advance) {
    isEmpty = false
    bases += base
    annotations += annotation
  }

  /// The width that the annotations have over that of the bases.
  var excess: Advance { Swift.max(0, annotations - bases) }

  /// The width by which the bases so far have widened the line, for the next one to have as its own room.
  mutating func takeBack() -> Advance {
    defer { taken = 0 }
    return -taken
  }

  /// The width by which the base added last widens the line, which may be negative, when all of them widen it by `width`.
  mutating func take(_ width: Advance) -> Advance {
    defer { taken = width }
    return width - taken
  }
}

/// A ruby base on its line: its baseline, and how far from it the annotation begins.
struct PlacedBase {
  var box: BoxID
  /// Clusters of the annotation that stand on this line; nil for all.
  var part: Range<Int>?
  var baseline: LayoutUnit
  var offset: LayoutUnit
}

/// The em boxes of a text together, in em above and below its baseline: annotations stand on them, so that the generous ascents of
/// CJK faces do not push them away from their base.
struct EmBox {
  private var known: (ascent: Double, descent: Double)?
  let isCentral: Bool
  init(isCentral: Bool) { self.isCentral = isCentral }

  mutating func include(_ face: FaceMetrics) {
    let own = (ascent: face.emAscent, descent: 1 - face.emAscent)
    known = known.map { (Swift.max($0.ascent, own.ascent), Swift.max($0.descent, own.descent)) } ?? own
  }

  var ascent: Double { isCentral ? 0.5 : known?.ascent ?? FaceMetrics.ideographicAscent }
  var descent: Double { isCentral ? 0.5 : known?.descent ?? 1 - FaceMetrics.ideographicAscent }
}

/// Overhang of annotations wider than their bases over the characters beside them (CSS Ruby 1, section 5.1).
enum AnnotationOverhang {
  /// How much of an annotation may lie over a character beside its base.
  ///
  /// - Parameters:
  ///   - size: The annotation's font size.
  ///   - base: The character of the base that faces it.
  static func reach(
    _ size: Advance, over unit: UInt16, base: UInt16, isBefore: Bool, isFullWidth: Bool
  ) -> Advance {
    // As in browsers, among words it is half an em.
    if isAlphabetic(unit) { return isAlphabetic(base) ? size / 2 : 0 }
    return allows(unit, isBefore: isBefore, isFullWidth: isFullWidth) ? size : 0
  }

  /// A letter, figure, mark or space of a script that is written with spaces.
  private static func isAlphabetic(_ unit: UInt16) -> Bool { unit < 0x1100 || unit >= 0x1200 && unit < 0x2E80 }

  /// Among ideographs a character beside a base leaves room: kana, and the blank half of a mark that faces the base (JLREQ,
  /// section 3.3.8; CLREQ has no such habit).
  private static func allows(_ unit: UInt16, isBefore: Bool, isFullWidth: Bool) -> Bool {
    switch unit {
    case 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF: true
    case 0x3001, 0x3002, 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0xFF09, 0xFF0C, 0xFF0E:
      isBefore && isFullWidth
    case 0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0xFF08: !isBefore && isFullWidth
    default: false
    }
  }
}

/// Ruby annotations (CSS Ruby 1): set on one line over or under their base, which line building widens when they are wider.
extension LayoutContext {
  /// From the baseline up to the middle of an ideograph, in em.
  private var ideographicMiddle: Double { isCentral ? 0 : FaceMetrics.ideographicAscent - 0.5 }

  /// The width that the annotation of a base has over its own, `width`; beside the base it takes room of its own.
  func annotationExcess(_ base: BoxID, over width: Advance) -> Advance {
    isAnnotationBeside(base) ? annotationRoom(base).advance : Swift.max(0, annotationWidth(base) - width)
  }

  /// The width of the annotation of a base. That of a long one, which may be all the rest of a faulty document, is kept: each
  /// line that is tried asks for it.
  func annotationWidth(_ base: BoxID) -> Advance {
    let text = tree.boxes[base.index].text
    guard !text.isNone else { return 0 }
    let isLong = tree.texts.texts[text.index].units.count > 64
    if isLong, let known = measurements.annotationWidths[base] { return known }
    let paragraph = acquireParagraph(text)
    defer { release(paragraph) }
    let width = contentSizes(paragraph, text: text, container: base).maximum
    if isLong { measurements.annotationWidths[base] = width }
    return width
  }

  /// The room that the annotation takes of the line: an em, and room for tone marks beside bopomofo, which letters and marks
  /// together are half as wide as their base (CLREQ, positioning of bopomofo).
  private func annotationRoom(_ base: BoxID) -> LayoutUnit {
    let size = annotationSize(base)
    guard styles.texts[tree.boxes[base.index].style.text.index].rubyPosition == .interCharacter else { return size }
    return size * (1 + ToneMarks.room)
  }

  /// Size of the annotation's font.
  func annotationSize(_ base: BoxID) -> LayoutUnit { annotationExtent(base).size }

  /// Size of the annotation's font, and the em box of its text.
  private func annotationExtent(_ base: BoxID) -> (size: LayoutUnit, em: EmBox) {
    let text = tree.boxes[base.index].text
    var box = EmBox(isCentral: isCentral)
    guard !text.isNone else { return (.zero, box) }
    let own = isAnnotationBeside(base) ? with(.verticalRL) : self
    let paragraph = own.acquireParagraph(text)
    defer { own.release(paragraph) }
    var size: Float = 0
    for run in paragraph.shaped.runs {
      size = Swift.max(size, run.size)
      box.include(faceMetrics(run.font))
    }
    return (LayoutUnit(size), box)
  }

  /// The reach of an annotation above and below its baseline: that of its em boxes, and of the boxes that stand in it.
  private func annotationReach(_ base: BoxID, _ size: LayoutUnit, _ em: EmBox) -> (above: LayoutUnit, below: LayoutUnit)
  {
    var reach = (above: size * em.ascent, below: size * em.descent)
    let runs = tree.texts.texts[tree.boxes[base.index].text.index].runs
    let hasBoxes = runs.contains {
      let run = tree.texts.runs[$0]
      return run.kind == .object || run.kind == .openRuby || run.kind == .open && run.hasEdge
    }
    guard hasBoxes else { return reach }
    let savepoint = page.savepoint()
    defer { page.rollBack(to: savepoint) }
    guard let (builder, _) = annotationLine(of: base) else { return reach }
    if !builder.line.items.contains(where: { $0.kind == .text && $0.end > $0.start }) { reach = (.zero, .zero) }
    for object in builder.atomics where object.subtree == 0 {
      reach.above = Swift.max(reach.above, object.above - object.baseline)
      reach.below = Swift.max(reach.below, object.below + object.baseline)
    }
    for entry in builder.line.boxes.dropFirst() where entry.alignment.subtree == 0 {
      let lower = entry.alignment.baseline
      if entry.ruby.isBase {
        reach.above = Swift.max(reach.above, entry.annotations.above - lower)
        reach.below = Swift.max(reach.below, entry.annotations.below + lower)
      } else {
        let edges = entry.edges.margins + entry.edges.geometry.border + entry.edges.geometry.padding
        let over = builder.over(edges)
        reach.above = Swift.max(reach.above, entry.metrics.fontSize * em.ascent - lower + over)
        reach.below = Swift.max(reach.below, entry.metrics.fontSize * em.descent + lower + edges.blockSum - over)
      }
    }
    inline.giveBack(builder.line)
    release(builder.paragraph)
    return reach
  }

  func rubyAlign(ofAnnotation base: BoxID) -> RubyAlign {
    let style = styles.texts[tree.boxes[base.index].style.text.index]
    // The letters of a syllable stay together.
    return style.rubyPosition == .interCharacter ? .center : style.rubyAlign
  }

  func rubyOverhang(of base: BoxID) -> RubyOverhang {
    styles.texts[tree.boxes[base.index].style.text.index].rubyOverhang
  }

  func rubyMerge(of base: BoxID) -> RubyMerge {
    styles.texts[tree.boxes[base.index].style.text.index].rubyMerge
  }

  func isAnnotationUnder(_ base: BoxID) -> Bool {
    styles.texts[tree.boxes[base.index].style.text.index].rubyPosition == .under
  }

  /// The annotation stands right of its base in a vertical line of its own: bopomofo in horizontal lines (CSS Ruby 1, section
  /// 4.1). Vertical lines have all annotations there.
  func isAnnotationBeside(_ base: BoxID) -> Bool {
    writingMode.isHorizontal
      && styles.texts[tree.boxes[base.index].style.text.index].rubyPosition == .interCharacter
  }

  /// The annotation beside a base as a box that is not attached yet, with its size.
  private func layoutAnnotationBeside(_ base: BoxID) -> (fragment: FragmentID, size: LogicalSize) {
    let text = tree.boxes[base.index].text
    let vertical = with(.verticalRL)
    let column = annotationSize(base)
    let fragment = page.appendBox(base, size: .zero, geometry: BoxGeometry())
    let length = vertical.inlineIntrinsicSizes(base, text: text).maximum
    var nothing = FlowProgress()
    let set = InlineLayouter.layout(
      base, text: text, in: InlineSpace(contentInline: length), parent: fragment, contentOffset: .zero, direction: .ltr,
      vertical, &nothing)
    // The line is as wide as its font says; what counts is its em.
    let room = vertical.annotationRoom(base)
    let excess = (set.blockSize - column) / 2 - (room - column)
    page.moveContent(of: fragment, by: -excess)
    page.setSize(LogicalSize(inline: length, block: room), of: fragment)
    page.turn(fragment, from: .verticalRL, to: writingMode)
    return (fragment, page[fragment].size)
  }

  /// Sets the annotation beside a base that ends at `right`, in the middle of its em box.
  func emitAnnotationBeside(
    of base: BoxID, into target: FragmentID, right: Advance, baseline: LayoutUnit, fontSize: LayoutUnit
  ) {
    guard !tree.boxes[base.index].text.isNone else { return }
    let (fragment, size) = layoutAnnotationBeside(base)
    let middle = baseline - fontSize * ideographicMiddle
    page.attach(
      fragment, to: target, at: LogicalOffset(inline: LayoutUnit(right), block: middle - size.block / 2))
  }

  /// Finds room for the annotation of the ruby base `entry`: beyond its em boxes, and the boxes and annotations in it.
  ///
  /// - Parameter base: The reach of the base from its baseline; nil for one without a height.
  func reserveAnnotation(_ entry: inout LineBox, beyond base: (above: LayoutUnit, below: LayoutUnit)?) {
    guard !tree.boxes[entry.box.index].text.isNone else { return }
    let (size, own) = annotationExtent(entry.box)
    let reach = annotationReach(entry.box, size, own)
    guard reach.above + reach.below > .zero else { return }
    if isAnnotationBeside(entry.box) {
      let length = with(.verticalRL).inlineIntrinsicSizes(entry.box, text: tree.boxes[entry.box.index].text).maximum
      let middle = entry.metrics.fontSize * ideographicMiddle
      entry.annotations.above = Swift.max(entry.annotations.above, middle + length / 2)
      entry.annotations.below = Swift.max(entry.annotations.below, length / 2 - middle)
      return
    }
    let isUnder = isAnnotationUnder(entry.box)
    let room = isUnder ? reach.above + reach.below : Swift.max(reach.above + reach.below, annotationRoom(entry.box))
    guard base != nil || entry.annotations.above > .zero || entry.annotations.below > .zero else {
      entry.annotations.roomBeyondLine = room
      return
    }
    if isUnder {
      entry.annotations.offset = Swift.max(base?.below ?? .zero, entry.annotations.below)
      entry.annotations.below = entry.annotations.offset + room
    } else {
      entry.annotations.offset = Swift.max(base?.above ?? .zero, entry.annotations.above)
      entry.annotations.above = entry.annotations.offset + room
    }
  }

  /// Sets the annotations of bases that reach from `left` over `width` one after another, as one annotation.
  func emitAnnotations(_ bases: [PlacedBase], into target: FragmentID, left: Advance, width: Advance) {
    var lines: [(base: PlacedBase, builder: LineBuilder, width: Advance)] = []
    defer {
      for line in lines {
        inline.giveBack(line.builder.line)
        release(line.builder.paragraph)
      }
    }
    for base in bases {
      if let (builder, width) = annotationLine(of: base.box, part: base.part) { lines.append((base, builder, width)) }
    }
    guard let first = lines.first else { return }
    for index in lines.indices {
      lines[index].builder.opportunities = lines[index].builder.rubyOpportunities { _ in true }
    }
    // Of more annotations that are set together, the ends are opportunities among ideographs only.
    let isApart = lines.count == 1 || lines.allSatisfy { $0.builder.opportunities.flags == .ideographic }
    let parts = isApart ? lines.reduce(0) { $0 + $1.builder.opportunities.parts } : 0
    let free = width - lines.reduce(0) { $0 + $1.width }
    let spread = RubySpread(free, over: parts, align: rubyAlign(ofAnnotation: first.base.box))
    var pen = left + spread.lead
    for index in lines.indices {
      let base = lines[index].base
      let (size, em) = annotationExtent(base.box)
      let reach = annotationReach(base.box, size, em)
      let baseline =
        isAnnotationUnder(base.box)
        ? base.baseline + base.offset + reach.above : base.baseline - base.offset - reach.below
      lines[index].builder.spread = spread.each
      pen = lines[index].builder.emit(
        into: target, origin: pen, top: baseline - lines[index].builder.measures.baseline, expansion: .none,
        hyphenated: false, positioned: { _, _ in })
      if isApart { pen += spread.each }
    }
  }

  /// The annotation of a base, or a part of it, as one line, measured, with its width; its paragraph is to be released.
  private func annotationLine(of base: BoxID, part: Range<Int>? = nil) -> (LineBuilder, width: Advance)? {
    let text = tree.boxes[base.index].text
    guard !text.isNone else { return nil }
    let paragraph = acquireParagraph(text)
    var scratch = inline.takeLine()
    var breaker = annotationBreaker(of: base, text, paragraph, items: scratch.items)
    scratch.items = []
    let runs = tree.texts.texts[text.index].runs
    var start = LineStart(run: runs.lowerBound, cluster: 0, shapedRun: 0, innermost: base)
    if let part, part.lowerBound > 0, let before = annotationPart(of: base, target: part.lowerBound) {
      start = before.next
    }
    if let part { breaker.request.target = part.upperBound }
    breaker.begin(start, available: .max, origin: .zero)
    var atomics: [AtomicInline] = []
    var nothing = FlowProgress()
    loop: while true {
      switch breaker.next() {
      case .line: break loop
      case .float: breaker.resolveFloat()
      case .object(let box):
        let space = InlineSpace(contentInline: LayoutUnit(annotationWidth(base)))
        atomics.append(layoutAtomic(box, in: space, progress: &nothing))
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
    builder.measure(open: builder.openBoxes(at: start), spaceAbove: .zero)
    return (builder, end.width)
  }
}

extension LineBuilder {
  /// The opportunities in the items of a base or annotation.
  func rubyOpportunities(_ belongs: (LineItem) -> Bool) -> RubyOpportunities {
    var result = RubyOpportunities()
    var (first, last) = (Int.max, -1)
    var isIdeographic = true
    for leaf in line.leaves where belongs(line.items[leaf]) {
      let item = line.items[leaf]
      let isText = item.kind == .text
      if !isText { isIdeographic = false }
      for cluster in item.start..<item.end {
        let flags = paragraph.clusters(of: item)[cluster].flags
        if !flags.contains(.ideographic) { isIdeographic = false }
        guard !isText || flags.isDisjoint(with: .wordSeparator | .ignorable) else { continue }
        first = Swift.min(first, cluster)
        last = Swift.max(last, cluster)
      }
    }
    guard first <= last else { return result }
    if isIdeographic {
      result.flags = .ideographic
      result.range = first..<last
      result.count = last - first
      result.parts = last + 1 - first
      return result
    }
    // White space at the ends parts nothing.
    result.flags = .wordSeparator
    result.range = first..<last
    for leaf in line.leaves where belongs(line.items[leaf]) && line.items[leaf].kind == .text {
      let item = line.items[leaf]
      for cluster in Swift.max(first, item.start)..<Swift.max(first, Swift.min(last, item.end))
      where paragraph.clusters(of: item)[cluster].flags.contains(.wordSeparator) {
        result.count += 1
      }
    }
    result.parts = result.count + 1
    return result
  }
}
