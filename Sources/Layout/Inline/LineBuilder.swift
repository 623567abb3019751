import BoxGeneration
import CSS
import Primitives
import Shaping
import Styling
import Text

/// Arrays of a text's lines and of the one under construction, used again for the next text.
struct LineScratch {
  /// The states between lines.
  var records: [InlineLayouter.Record] = []
  var items: [LineItem] = []
  /// The items that the line breaker finds; those of a finished line change places with `items`.
  var found: [LineItem] = []
  /// Inline boxes on the line; 0 is the root inline box.
  var boxes: [LineBox] = []
  var subtrees: [AlignedSubtree] = []
  /// Items that have a place on the line: in logical order, then in visual order.
  var leaves: [Int] = []
  var path: [Int] = []
}

/// Turns the items of a finished line into fragments: vertical measures first, then positions in visual order.
struct LineBuilder {
  /// Vertical measures of a line box.
  struct Measures {
    /// Height of the line box.
    var height = LayoutUnit.zero
    /// Distance of the baseline from the line box's over side.
    var baseline = LayoutUnit.zero
    /// Depth of the text below the baseline, annotations included.
    var depth = LayoutUnit.zero
    /// The space that annotations take from the leading of the next line.
    var lent = LayoutUnit.zero
  }

  let context: LayoutContext
  let paragraph: InlineParagraph
  let text: TextID
  let container: BoxID
  let containing: LogicalSize
  /// The face that most of the text falls back to, which is as good as the first available one (rule V2).
  private let mainFallback: FontID?
  var line: LineScratch
  var atomics: [AtomicInline] = []
  /// Measures of the line, once it is measured.
  private(set) var measures = Measures()
  var hasMixedLevels = false
  /// The leaf that ends with a hyphen; -1 for none.
  var hyphenLeaf = -1
  /// The ruby base that was closed last.
  private var lastRuby = 0
  /// Set as a ruby annotation: fragments say so, and its opportunities are widened by `spread`.
  var isAnnotation = false
  var edges = LineEdges()
  var changes = LineChanges()
  var glyphFit = GlyphFit.none
  /// The widest gap that justification in steps has opened between two letters, in em.
  var looseness: Float = 0
  var spread: Advance = 0
  var opportunities = RubyOpportunities()

  init(
    context: LayoutContext, paragraph: InlineParagraph, text: TextID, container: BoxID, containing: LogicalSize,
    line: LineScratch
  ) {
    self.context = context
    self.paragraph = paragraph
    self.text = text
    self.container = container
    self.containing = containing
    self.line = line
    let metrics = context.lineMetrics(context.tree.boxes[container.index].style.font)
    mainFallback = metrics.isNormal ? context.mainFallback(paragraph.shaped, in: metrics.font) : nil
  }

  /// The line's over side is its block-end side. It is built from over to under all the same, and turned round by `flip`.
  var isFlipped: Bool { context.writingMode == .verticalLR }
  /// The width on the over side.
  func over(_ edges: FlowEdges) -> LayoutUnit { isFlipped ? edges.blockEnd : edges.blockStart }

  // MARK: Vertical measures

  /// Measures the line in `line.items`, which starts inside the inline boxes `open` (outermost first). `spaceAbove` is the room
  /// that annotations may use in the line before.
  mutating func measure(open: [BoxID], spaceAbove: LayoutUnit) {
    line.boxes.removeAll(keepingCapacity: true)
    line.subtrees.removeAll(keepingCapacity: true)
    line.leaves.removeAll(keepingCapacity: true)
    hasMixedLevels = paragraph.shaped.baseLevel != 0
    trimTrailingSpaces()

    pushRoot()
    var current = 0
    lastRuby = 0
    for box in open { current = push(box, in: current, opens: false) }

    for index in line.items.indices {
      let item = line.items[index]
      switch item.kind {
      case .open: current = push(context.tree.texts.runs[item.run].box, in: current, opens: true)
      case .openRuby:
        current = pushRuby(context.tree.texts.runs[item.run].box, in: current)
        line.boxes[line.boxes[current].ruby.group].ruby.excess += item.width
      case .close, .closeRuby:
        if item.kind == .closeRuby { leaveBoxes(inBaseAt: &current) }
        guard current > 0 else { continue }
        let box = line.boxes[current].box
        line.boxes[current].edges.closes = !context.tree.boxes[box.index].flags.contains(.continuesAfter)
        if line.boxes[current].pieces.leaves == 0 {
          line.items[index].parent = current
          line.items[index].level = line.leaves.last.map { line.items[$0].level } ?? paragraph.shaped.baseLevel
          line.leaves.append(index)
        }
        if item.kind == .closeRuby {
          let group = line.boxes[current].ruby.group
          line.boxes[current].ruby.close(item)
          line.boxes[group].ruby.excess += item.width
          line.boxes[group].ruby.overhang = (Advance(item.overhang.x), Advance(item.overhang.y))
          context.reserveAnnotation(&line.boxes[current], beyond: reach(ofBase: current))
          lastRuby = current
        }
        passAnnotations(from: current)
        current = line.boxes[current].parent
        line.boxes[current].pieces.leaves += 1
      case .text:
        guard item.start < item.end else { continue }
        addLeaf(index, in: current)
        // Bullets are drawn as shapes: what face has their character does not matter.
        if line.boxes[current].metrics.isNormal, !context.tree.boxes[line.boxes[current].box.index].symbol.isBullet {
          includeFallback(item, in: current)
        }
      case .tab:
        line.items[index].level = paragraph.shaped.baseLevel
        addLeaf(index, in: current)
      case .object:
        addLeaf(index, in: current)
        align(item.index, in: current)
      case .positioned: addLeaf(index, in: current)
      case .marker: break
      }
    }
    while current > 0 {
      passAnnotations(from: current)
      current = line.boxes[current].parent
    }
    finishMeasure(spaceAbove: spaceAbove)
  }

  /// A line may end within a base, and within boxes in it.
  private mutating func leaveBoxes(inBaseAt current: inout Int) {
    while current > 0, !line.boxes[current].ruby.isBase {
      passAnnotations(from: current)
      let parent = line.boxes[current].parent
      line.boxes[parent].pieces.leaves += line.boxes[current].pieces.leaves
      current = parent
    }
  }

  /// The inline boxes that are open where a line starts, outermost first.
  func openBoxes(at start: LineStart) -> [BoxID] {
    var open: [BoxID] = []
    var box = start.innermost
    while box != container, !box.isNone, open.count < 1000 {
      open.append(box)
      box = context.inlineParent(of: box, container: container)
    }
    // A base is not the parent of boxes in it.
    if let base = context.openBase(at: start, in: paragraph) {
      let value = context.tree.texts.runs[base.run].box
      if !open.contains(value) { open.insert(value, at: Swift.min(base.inside, open.count)) }
    }
    return open.reversed()
  }

  private mutating func addLeaf(_ index: Int, in box: Int) {
    if line.items[index].kind == .positioned { line.items[index].level = paragraph.shaped.baseLevel }
    if line.items[index].level != 0 { hasMixedLevels = true }
    line.items[index].parent = box
    line.boxes[box].pieces.leaves += 1
    line.leaves.append(index)
  }

  /// The root inline box (CSS Inline 3, section 2). On a first line with a style of its own, the box of that line stands for it.
  private mutating func pushRoot() {
    let firstLine = line.items.first.flatMap { $0.kind == .open ? context.tree.texts.runs[$0.run].box : nil }
    let isStyled = firstLine.map { context.tree.boxes[$0.index].pseudo == .firstLine } ?? false
    let root = isStyled ? firstLine ?? container : container
    let metrics = context.lineMetrics(of: root)
    var subtree = AlignedSubtree(alignment: .baseline)
    // A part of a formula is as high as what stands in it (MathML Core, section 3.1.1).
    let isFormula = context.tree.boxes[container.index].flags.contains(.formula)
    if isFormula, !context.settings.deviations.extendsFormulas, context.tree.formulas[container] == nil {
      subtree.include(above: .zero, below: .zero)
      line.subtrees.append(subtree)
      line.boxes.append(LineBox(box: container, parent: 0, depth: 0, metrics: metrics))
      return
    }
    subtree.include(above: metrics.above, below: metrics.below)
    if metrics.isNormal, let face = mainFallback {
      let measures = context.faceMetrics(face).normalLine(size: metrics.fontSize.float)
      subtree.include(above: measures.above, below: measures.below)
    }
    line.subtrees.append(subtree)
    line.boxes.append(LineBox(box: container, parent: 0, depth: 0, metrics: metrics))
  }

  /// A ruby base is measured as the text around it: its box carries the style of the annotation.
  private mutating func pushRuby(_ box: BoxID, in parent: Int) -> Int {
    let outer = line.boxes[parent]
    var entry = LineBox(box: box, parent: parent, depth: outer.depth + 1, metrics: outer.metrics)
    entry.ruby.isBase = true
    entry.ruby.around = line.boxes.count
    entry.edges.opens = true
    entry.alignment = outer.alignment
    entry.pieces.count = 1
    let merges = lastRuby > 0 && context.tree.boxes[box.index].flags.contains(.mergesRuby)
    entry.ruby.group = merges ? line.boxes[lastRuby].ruby.group : line.boxes.count
    line.boxes.append(entry)
    line.boxes[entry.ruby.group].ruby.count += 1
    return line.boxes.count - 1
  }

  private mutating func push(_ box: BoxID, in parent: Int, opens: Bool) -> Int {
    guard context.tree.boxes[box.index].kind != .rubyBase else { return pushRuby(box, in: parent) }
    let value = context.tree.boxes[box.index]
    let metrics = context.lineMetrics(of: box)
    var entry = LineBox(box: box, parent: parent, depth: line.boxes[parent].depth + 1, metrics: metrics)
    let clonesEdges = context.clonesInlineEdges(box)
    entry.edges.opens = (opens || clonesEdges) && !value.flags.contains(.continuesBefore)
    entry.edges.closes = clonesEdges && !value.flags.contains(.continuesAfter)
    entry.alignment = line.boxes[parent].alignment
    entry.ruby.around = line.boxes[parent].ruby.around
    entry.pieces.count = 1
    let outer = line.boxes[parent].metrics
    if value.style.box.index != 0 || outer.dominantDepth != nil {
      let alignment = context.styles.boxes[value.style.box.index].verticalAlign
      if let shift = context.baselineShift(
        alignment, above: metrics.above, below: metrics.below,
        depth: outer.dominantDepth == nil ? .zero : context.alphabeticDepth(value.style.font), parent: outer,
        font: value.style.font)
      {
        entry.alignment.baseline += shift
      } else {
        line.subtrees.append(AlignedSubtree(alignment: alignment == .top ? .top : .bottom))
        entry.alignment.subtree = line.subtrees.count - 1
        entry.alignment.baseline = .zero
      }
      entry.edges.margins = context.margins(of: box, availableInline: containing.inline)
      entry.alignment.shift =
        entry.alignment.shift
        + context.relativeShift(
          of: box, containing: containing,
          direction: context.styles.paragraphs[context.tree.boxes[container.index].style.paragraph.index].direction)
    }
    if value.style.box.index != 0 || value.style.border.index != 0 {
      entry.edges.geometry = context.borderAndPadding(of: box, availableInline: containing.inline)
    }
    if !isRaisedMark(entry, in: line.boxes[parent]) {
      line.subtrees[entry.alignment.subtree].include(
        above: metrics.above - entry.alignment.baseline, below: metrics.below + entry.alignment.baseline)
    }
    line.boxes.append(entry)
    return line.boxes.count - 1
  }

  /// A box is that of small text raised or lowered a little, as marks of notes are: with `line-height: normal` the strut makes
  /// room enough for it, and lines keep their distance (rule V2).
  private func isRaisedMark(_ entry: LineBox, in parent: LineBox) -> Bool {
    guard context.settings.deviations.keepsLineDistance, entry.metrics.isNormal, parent.metrics.isNormal,
      entry.metrics.fontSize < parent.metrics.fontSize,
      entry.alignment.subtree == parent.alignment.subtree
    else { return false }
    let shift = entry.alignment.baseline - parent.alignment.baseline
    return shift != .zero && abs(shift.rawValue) * 2 <= parent.metrics.fontSize.rawValue
  }

  /// With `line-height: normal` the strut of the first available face rules, so that lines keep their distance where one has a letter
  /// of another face (rule V2). Faces of far higher lines, whose marks would run into the line above, make room for themselves.
  private mutating func includeFallback(_ item: LineItem, in box: Int) {
    let run = paragraph.run(of: item)
    let entry = line.boxes[box]
    guard run.font != entry.metrics.font else { return }
    let measures = context.faceMetrics(run.font).normalLine(size: run.size)
    guard
      !context.settings.deviations.keepsLineDistance || run.font == mainFallback
        || (measures.above + measures.below) * 2 > (entry.metrics.above + entry.metrics.below) * 3
    else { return }
    line.subtrees[entry.alignment.subtree].include(
      above: measures.above - entry.alignment.baseline, below: measures.below + entry.alignment.baseline)
  }

  /// Places an atomic inline on its baseline: that of its last line or table row, or its margin box's lower edge.
  private mutating func align(_ index: Int, in parent: Int) {
    let box = context.tree.boxes[atomics[index].box.index]
    let result = atomics[index].result
    let margins = atomics[index].margins
    let total = result.size.block + margins.blockSum
    let isSideways = line.boxes[parent].metrics.dominantDepth != nil
    let first = isSideways ? result.baselines.alignedFirst ?? result.baselines.first : result.baselines.first
    let last = isSideways ? result.baselines.alignedLast ?? result.baselines.last : result.baselines.last
    let inner: LayoutUnit? =
      box.content == .replaced
      ? nil
      : box.kind == .table
        ? context.mathTableBaseline(of: atomics[index].box, result) ?? first
        : box.kind.holdsItems ? first : last
    let above =
      inner.map { isFlipped ? total - margins.blockStart - $0 : margins.blockStart + $0 }
      ?? (context.isCentral && !isSideways ? total / 2 : total)
    atomics[index].above = above
    atomics[index].below = total - above
    let entry = line.boxes[parent]
    let isPart = atomics[index].isPart
    if !isPart,
      let shift = context.baselineShift(
        context.styles.boxes[box.style.box.index].verticalAlign, above: above, below: total - above,
        parent: entry.metrics, font: box.style.font)
    {
      atomics[index].subtree = entry.alignment.subtree
      atomics[index].baseline = entry.alignment.baseline + shift
    } else {
      let isTop = isPart || context.styles.boxes[box.style.box.index].verticalAlign == .top
      line.subtrees.append(AlignedSubtree(alignment: isTop ? .top : .bottom))
      atomics[index].subtree = line.subtrees.count - 1
      atomics[index].baseline = .zero
    }
    line.subtrees[atomics[index].subtree].include(
      above: above - atomics[index].baseline, below: total - above + atomics[index].baseline)
  }

  /// Tells the box around one how far the annotations in it reach.
  private mutating func passAnnotations(from index: Int) {
    let entry = line.boxes[index]
    let parent = line.boxes[entry.parent]
    guard entry.alignment.subtree == parent.alignment.subtree else { return }
    let lower = entry.alignment.baseline - parent.alignment.baseline
    if entry.annotations.above > .zero {
      line.boxes[entry.parent].annotations.above = Swift.max(parent.annotations.above, entry.annotations.above - lower)
    }
    if entry.annotations.below > .zero {
      line.boxes[entry.parent].annotations.below = Swift.max(parent.annotations.below, entry.annotations.below + lower)
    }
  }

  private mutating func finishMeasure(spaceAbove: LayoutUnit) {
    placeAnnotationsOfFlatBases()
    if context.inputs.hasEmphasis { includeEmphasis() }
    let annotationAbove = line.boxes[0].annotations.above
    let annotationBelow = line.boxes[0].annotations.below
    var above = line.subtrees[0].above
    var below = line.subtrees[0].below
    if annotationAbove > .zero { above = Swift.max(above, annotationAbove - spaceAbove) }
    if annotationBelow > .zero {
      // The next line begins with half its leading, which is as much as this line's.
      let metrics = line.boxes[0].metrics
      let lent = Swift.max(.zero, Swift.min(metrics.above - metrics.ascent, annotationBelow - below))
      below = Swift.max(below, annotationBelow - lent)
      measures.lent = lent
    } else {
      measures.lent = .zero
    }
    for subtree in line.subtrees.dropFirst() where !subtree.isEmpty {
      let extent = subtree.above + subtree.below
      guard extent > above + below else { continue }
      if subtree.alignment == .top { below = extent - above } else { above = extent - below }
    }
    measures.baseline = above
    measures.height = Swift.max(.zero, above + below)
    for index in line.subtrees.indices {
      switch line.subtrees[index].alignment {
      case .baseline: line.subtrees[index].baseline = above
      case .top: line.subtrees[index].baseline = line.subtrees[index].above
      case .bottom: line.subtrees[index].baseline = measures.height - line.subtrees[index].below
      }
    }
    measures.depth = Swift.max(reach(below: line.boxes[0].metrics), annotationBelow)
    for box in line.boxes.dropFirst() where box.alignment.subtree == 0 {
      measures.depth = Swift.max(measures.depth, reach(below: box.metrics) + box.alignment.baseline)
    }
    for item in line.items where item.kind == .object && atomics[item.index].subtree == 0 {
      measures.depth = Swift.max(measures.depth, atomics[item.index].below + atomics[item.index].baseline)
    }
  }

  /// The reach of text below its baseline: in vertical lines, to the edge of the em box.
  private func reach(below metrics: LineMetrics) -> LayoutUnit {
    context.isCentral ? Swift.min(metrics.descent, metrics.fontSize / 2) : metrics.descent
  }

  /// Takes collapsible spaces at the end off the last pieces of text, and sets others apart: preserved ones and other space
  /// separators hang (CSS Text 3, section 4.1.3).
  private mutating func trimTrailingSpaces() {
    var index = line.items.count - 1
    var hasHanging = false
    scan: while index >= 0 {
      switch line.items[index].kind {
      case .text:
        var item = line.items[index]
        if item.start < item.end {
          let clusters = paragraph.clusters(of: item)
          let spacing = context.spacing(paragraph.run(of: item).attributes)
          guard spacing.trims else { break scan }
          var end = item.end
          while end > item.start, !clusters[end - 1].flags.isDisjoint(with: .space | .ignorable) { end -= 1 }
          if spacing.collapses, !hasHanging {
            while item.end > end, !clusters[item.end - 1].flags.isDisjoint(with: .wordSeparator | .ignorable) {
              item.end -= 1
            }
          }
          if end < item.end {
            hasHanging = true
            item.start = end
            item.isHanging = true
            // UAX #9, rule L1.
            item.level = paragraph.shaped.baseLevel
            if line.items[index].start == end {
              line.items[index] = item
              index -= 1
              continue scan
            }
            line.items.insert(item, at: index + 1)
          }
          line.items[index].end = end
          if end > item.start || line.items[index].start < end { break scan }
        }
      case .tab:
        guard context.spacing(paragraph.run(of: line.items[index]).attributes).trims else { break scan }
        hasHanging = true
        line.items[index].isHanging = true
        line.items[index].level = paragraph.shaped.baseLevel
      case .open, .close, .positioned, .marker, .openRuby: break
      case .object, .closeRuby: break scan
      }
      index -= 1
    }
  }
}
