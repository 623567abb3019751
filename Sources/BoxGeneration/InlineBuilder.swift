import Primitives
import Text

/// The inline formatting context being collected: UTF-16 units, runs and source spans, copied to the chapter's store
/// when the context ends.
///
/// Several are open at a time, because floats and inline-blocks hold contexts of their own; their buffers are used
/// again.
struct InlineBuilder {
  /// The units, and behind them room for more.
  var units = [UInt16](repeating: 0, count: 512)
  private(set) var count = 0
  private(set) var runs: [Run] = []
  private(set) var spans: [SourceSpan] = []
  /// The box whose text this is.
  var container = BoxID.none
  var direction: TextDirection? = .ltr
  /// A bidi control that closes the override of the block container; 0 for none.
  var closingControls: [UInt16] = []
  /// Footnotes whose marks are in the text.
  var footnotes: [Int] = []

  /// A collapsible space here would collapse: at the start of a line or after another one.
  var suppressesSpace = true
  /// The last unit is a collapsible space.
  var endsInSpace = false
  /// A line may break at that space.
  var spaceWraps = true
  /// That space stands for white space with a segment break in it.
  var spaceIsSegmentBreak = false

  mutating func begin(container: BoxID, direction: TextDirection?) {
    self.container = container
    self.direction = direction
    count = 0
    runs.removeAll(keepingCapacity: true)
    spans.removeAll(keepingCapacity: true)
    closingControls.removeAll(keepingCapacity: true)
    footnotes.removeAll(keepingCapacity: true)
    suppressesSpace = true
    endsInSpace = false
    spaceIsSegmentBreak = false
  }

  mutating func reserve(_ more: Int) {
    guard count + more > units.count else { return }
    var larger = units.count * 2
    while larger < count + more { larger *= 2 }
    units.append(contentsOf: repeatElement(0, count: larger - units.count))
  }

  /// Appends units that nothing is said of yet.
  mutating func append(_ added: some Collection<UInt16>) {
    reserve(added.count)
    units.replaceSubrange(count..<count + added.count, with: added)
    count += added.count
  }

  /// The start of the line after the last forced break.
  var lastBreakEnd: Int { runs.last { $0.kind == .lineBreak }.map { Int($0.end) } ?? 0 }

  var runsEnd: Int { runs.last.map { Int($0.end) } ?? 0 }

  /// Makes the units behind the last run text of these attributes.
  mutating func extendText(_ attributes: AttributeID) {
    guard count > runsEnd else { return }
    if let last = runs.last, last.kind == .text, last.attributes == attributes {
      runs[runs.count - 1].end = UInt32(count)
    } else {
      runs.append(Run(end: UInt32(count), attributes: attributes, kind: .text))
    }
  }
  /// A run without units.
  mutating func mark(
    _ kind: RunKind, _ attributes: AttributeID, _ box: BoxID, hasEdge: Bool = false, isRaised: Bool = false
  ) {
    runs.append(Run(end: UInt32(count), attributes: attributes, kind: kind, box: box))
    runs[runs.count - 1].hasEdge = hasEdge
    runs[runs.count - 1].isRaised = isRaised
  }
  /// A run of one unit that is no text: an atomic inline, a forced break, a bidi control.
  mutating func append(_ kind: RunKind, unit: UInt16, _ attributes: AttributeID, node: NodeID, box: BoxID = .none) {
    if kind == .lineBreak { removeTrailingSpace() }
    reserve(1)
    spans.append(SourceSpan(start: UInt32(count), node: node, sourceOffset: 0, isAtomic: true))
    units[count] = unit
    count += 1
    runs.append(Run(end: UInt32(count), attributes: attributes, kind: kind, box: box))
    if kind == .object {
      suppressesSpace = false
      endsInSpace = false
    } else if kind == .lineBreak {
      suppressesSpace = true
      endsInSpace = false
    }
  }

  /// Takes back a collapsible space at the end (CSS Text 3, section 4.1.2), behind which runs without units may stand.
  mutating func removeTrailingSpace() {
    guard endsInSpace, count > 0 else { return }
    endsInSpace = false
    // A bidi control after the space keeps it: line layout removes it then.
    guard units[count - 1] == 0x20 else { return }
    count -= 1
    var index = runs.count - 1
    while index >= 0, Int(runs[index].end) > count {
      runs[index].end = UInt32(count)
      index -= 1
    }
    let holder = index + 1
    if holder < runs.count, runs[holder].kind == .text, (index < 0 ? 0 : Int(runs[index].end)) == count {
      runs.remove(at: holder)
    }
    while let last = spans.last, Int(last.start) >= count { spans.removeLast() }
  }

  /// Sets the source of the unit written next, unless the spans say so already.
  @inline(__always)
  mutating func align(_ start: Int, node: NodeID, source: Int) {
    if let last = spans.last, last.node == node, !last.isAtomic,
      Int(last.sourceOffset) + start - Int(last.start) == source
    {
      return
    }
    spans.append(SourceSpan(start: UInt32(start), node: node, sourceOffset: UInt32(truncatingIfNeeded: source)))
  }
  mutating func alignAtomic(_ start: Int, node: NodeID, source: Int) {
    spans.append(
      SourceSpan(start: UInt32(start), node: node, sourceOffset: UInt32(truncatingIfNeeded: source), isAtomic: true))
  }
  mutating func replaceLastSpan(_ span: SourceSpan) { spans[spans.count - 1] = span }
  mutating func setCount(_ count: Int) { self.count = count }
  mutating func replaceSpans(from first: Int, with replacement: [SourceSpan]) {
    spans.replaceSubrange(first..., with: replacement)
  }
  mutating func shiftRunEnd(_ index: Int, to end: Int) { runs[index].end = UInt32(end) }

  /// Copies the context to the store.
  mutating func finish(into store: inout AttributedTextStore) -> TextID {
    removeTrailingSpace()
    let (hasRightToLeft, isSimple) = TextComplexity.classify(units.span.extracting(first: count))
    let unitStart = store.units.count
    let runStart = store.runs.count
    let spanStart = store.source.count
    store.units.append(contentsOf: units[..<count])
    store.runs.append(contentsOf: runs)
    store.source.append(contentsOf: spans)
    store.texts.append(
      AttributedText(
        units: unitStart..<store.units.count, runs: runStart..<store.runs.count, source: spanStart..<store.source.count,
        direction: direction, needsBidi: hasRightToLeft || direction == .rtl, isSimple: isSimple))
    return TextID(store.texts.count - 1)
  }
}
