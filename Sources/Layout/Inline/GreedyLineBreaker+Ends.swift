import BoxGeneration
import CSS
import Primitives
import Shaping
import Styling
import Text

/// Lines that end or begin inside words: hyphens, and glyphs shaped anew.
extension GreedyLineBreaker {
  // MARK: Ends inside words

  /// The glyphs on both sides of a break depend on each other. Between words they do not: a space belongs to neither.
  mutating func isUnsafe(_ cluster: Int) -> Bool {
    guard cluster > 0, cluster < paragraph.clusterCount,
      paragraph.shaped.clusters[cluster].flags.contains(.unsafeToBreakBefore)
    else { return false }
    return paragraph.shaped.clusters[cluster - 1].flags.isDisjoint(with: .space | .object)
  }

  private func isSafe(_ cluster: Int) -> Bool {
    !paragraph.shaped.clusters[cluster].flags.contains(.unsafeToBreakBefore)
  }

  /// Shapes what stands before the line's end anew, from the last place where that changes nothing on.
  mutating func reshapeEnd(at cluster: Int) {
    guard let index = items.lastIndex(where: { $0.kind == .text && $0.start < $0.end }) else { return }
    let item = items[index]
    guard !item.isReshaped, item.end == cluster else { return }
    var first = cluster - 1
    while first > item.start, !isSafe(first) { first -= 1 }
    guard let made = reshape(first..<cluster, of: item) else { return }
    if first == item.start {
      items[index] = made
    } else {
      items[index].end = first
      items.insert(made, at: index + 1)
    }
  }

  /// The same after the line's start.
  mutating func reshapeStart() {
    guard let index = items.firstIndex(where: { $0.kind == .text && $0.start < $0.end }) else { return }
    let item = items[index]
    guard !item.isReshaped, item.start == lineStart.cluster else { return }
    var last = item.start + 1
    while last < item.end, !isSafe(last) { last += 1 }
    guard let made = reshape(item.start..<last, of: item) else { return }
    if last == item.end {
      items[index] = made
    } else {
      items[index].start = last
      items.insert(made, at: index)
    }
  }

  /// A piece of an item with glyphs of its own; the line's width follows.
  private mutating func reshape(_ clusters: Range<Int>, of item: LineItem) -> LineItem? {
    let shaped = paragraph.shaped
    let text = Int(shaped.clusters[clusters.lowerBound].text)..<Int(shaped.clusters[clusters.upperBound].text)
    let runCount = paragraph.reshaped.runs.count
    let range = context.shaper.reshape(
      text, of: paragraph.text, in: context.tree.texts, from: shaped, into: &paragraph.reshaped)
    guard paragraph.reshaped.runs.count == runCount + 1, !range.isEmpty else { return nil }
    let scale = shaped.runs[item.shapedRun].fixedScale
    let spacing = context.spacing(shaped.runs[item.shapedRun].attributes)
    func width(_ clusters: ArraySlice<Cluster>) -> Advance {
      clusters.reduce(0) {
        $0 + scale.advance($1.advance)
          + ($1.flags.isDisjoint(with: .cursive | .ignorable) ? spacing.letter : 0)
      }
    }
    end.width += width(paragraph.reshaped.clusters[range]) - width(shaped.clusters[clusters])
    var made = item
    made.isReshaped = true
    made.shapedRun = runCount
    made.start = range.lowerBound
    made.end = range.upperBound
    return made
  }

  /// The room that a line that ends at a place has to keep: the part of an annotation that would lie over the next
  /// cluster.
  @inline(__always)
  func overhang(at place: Place) -> Advance {
    ruby.overhang > 0 && place.cluster == ruby.end ? ruby.overhang : 0
  }

  /// The annotation at a line's end does not reach over it.
  mutating func keepAnnotationInside() {
    let last = items.lastIndex { $0.kind != .close && $0.kind != .positioned && $0.kind != .marker }
    guard let last, items[last].kind == .closeRuby else { return }
    let room = Advance(items[last].overhang.y)
    items[last].overhang.y = 0
    items[last].width += room
    end.width += room
  }

  /// The room of a hyphen at the line's end, before a cluster.
  mutating func hyphenRoom(before cluster: Int, shapedRun: Int) -> Advance {
    hyphenRun(before: cluster, shapedRun: shapedRun).map { hyphenRoom(of: $0) } ?? 0
  }

  /// The room of a hyphen that a run shows: with optical margins it stands out.
  mutating func hyphenRoom(of run: ShapedRun) -> Advance {
    let advance = context.hyphenAdvance(of: run)
    guard style.hasOpticalMargins else { return advance }
    return advance - context.protrusion(Advance(Double(advance) * Double(OpticalMargins.hyphen)))
  }

  /// The run that shows the hyphen of a break before a cluster: that of the character before it.
  private func hyphenRun(before cluster: Int, shapedRun: Int) -> ShapedRun? {
    let runs = paragraph.shaped.runs
    var index = Swift.min(shapedRun, runs.count - 1)
    guard index >= 0 else { return nil }
    while index > 0, cluster <= runs[index].clusters.lowerBound { index -= 1 }
    return runs[index]
  }
}
