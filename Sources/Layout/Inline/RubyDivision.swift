import BoxGeneration
import CSS
import Primitives
import Shaping
import Styling
import Text

/// Ruby bases that lines break in, their annotations with them (CSS Ruby 1, section 3.3): both have an opportunity
/// there, that of the annotation at no larger a share of its text than that of the base. It follows from the place in
/// the base alone, so that lines may be made again from there.
extension GreedyLineBreaker {
  /// The part of an annotation that goes with the part of a base before the end of a line.
  struct Division {
    /// Clusters of the annotation.
    var annotation: Range<Int>
    /// The width that the part has over that of the base.
    var excess: Advance
  }

  /// The division of the only base that is open at a place where the line may end; nil where it is kept whole.
  func division(at place: Place) -> Division? {
    guard place.rubyDepth == 1, !context.settings.deviations.keepsBases, !request.isCollecting,
      request.target == .max
    else { return nil }
    let base = context.tree.texts.runs[place.rubyRun].box
    let start = ruby.continued == place.rubyRun ? ruby.annotationStart : 0
    let end = annotationEnd(at: place.cluster, shapedRun: place.shapedRun, rubyRun: place.rubyRun)
    guard start < end, let width = context.annotationWidth(base, start..<end) else { return nil }
    return Division(annotation: start..<end, excess: Swift.max(0, width - (place.width - place.rubyStarts[0])))
  }

  /// Goes on with a base that the line before ended in.
  mutating func continueRuby(from start: LineStart) {
    ruby.continued = -1
    guard let run = context.openBase(at: start, in: paragraph)?.run else { return }
    at.rubyDepth = 1
    at.rubyRun = run
    at.rubyStarts[0] = at.width
    ruby.continued = run
    ruby.start = start.cluster
    ruby.annotationStart = annotationEnd(at: start.cluster, shapedRun: start.shapedRun, rubyRun: run)
  }

  /// The cluster of an annotation before which it is divided where its base is at a cluster; 0 where it is not.
  private func annotationEnd(at cluster: Int, shapedRun: Int, rubyRun: Int) -> Int {
    let texts = context.tree.texts
    let base = texts.runs[rubyRun].box
    var closing = rubyRun + 1
    while closing < runs.upperBound, texts.runs[closing].kind != .closeRuby || texts.runs[closing].box != base {
      closing += 1
    }
    guard closing < runs.upperBound, context.mayDivide(base) else { return 0 }
    let units = texts.runs[rubyRun].end..<texts.runs[closing].end
    guard units.count <= Self.longestDivided else { return 0 }
    let shaped = paragraph.shaped
    var index = Swift.min(shapedRun, shaped.runs.count - 1)
    while index > 0, shaped.clusters[shaped.runs[index].clusters.lowerBound].text > units.lowerBound { index -= 1 }
    var before: Advance = 0
    var whole: Advance = 0
    while index < shaped.runs.count, shaped.clusters[shaped.runs[index].clusters.lowerBound].text < units.upperBound {
      let scale = shaped.runs[index].fixedScale
      for place in shaped.runs[index].clusters where units.contains(shaped.clusters[place].text) {
        let width = scale.advance(shaped.clusters[place].advance)
        whole += width
        if place < cluster { before += width }
      }
      index += 1
    }
    guard before > 0, before < whole else { return 0 }
    return context.annotationCluster(base, share: Double(before) / Double(whole))
  }
  /// Longer bases and annotations are kept whole, in units: each opportunity in them is looked at on its own.
  fileprivate static let longestDivided = 256
}

extension LayoutContext {
  /// The base that a line begins in, and the number of inline boxes that are open within it there; nil for none.
  ///
  /// - Returns: The run that opens the base.
  func openBase(at start: LineStart, in paragraph: InlineParagraph) -> (run: Int, inside: Int)? {
    guard !settings.deviations.keepsBases, start.cluster > 0, start.cluster < paragraph.shaped.clusters.count
    else {
      return nil
    }
    let unit = paragraph.shaped.clusters[start.cluster].text
    let first = tree.texts.texts[paragraph.text.index].runs.lowerBound
    var (run, inside, closed, ended) = (start.run - 1, 0, 0, 0)
    while run >= first, tree.texts.runs[run].end + UInt32(GreedyLineBreaker.longestDivided) >= unit {
      switch tree.texts.runs[run].kind {
      case .closeRuby: ended += 1
      case .openRuby:
        if ended == 0 { return (run, inside) }
        ended -= 1
      case .close: closed += 1
      case .open: if closed > 0 { closed -= 1 } else { inside += 1 }
      default: break
      }
      run -= 1
    }
    return nil
  }

  /// The annotation of a base is one of its own, and may be divided with it.
  fileprivate func mayDivide(_ base: BoxID) -> Bool {
    let text = tree.boxes[base.index].text
    guard !text.isNone, rubyMerge(of: base) == .separate, !isAnnotationBeside(base) else { return false }
    return tree.texts.texts[text.index].units.count <= GreedyLineBreaker.longestDivided
  }

  /// The last opportunity in an annotation within a share of its width, as a cluster; 0 for none.
  fileprivate func annotationCluster(_ base: BoxID, share: Double) -> Int {
    let width = LayoutUnit(Advance(Double(annotationWidth(base)) * share))
    guard let part = annotationPart(of: base, available: width), !part.end.isLast,
      part.end.width <= width.advance + LineTolerance.fit
    else { return 0 }
    return part.end.cluster
  }

  /// The width of a part of an annotation.
  func annotationWidth(_ base: BoxID, _ part: Range<Int>) -> Advance? {
    let start = part.lowerBound > 0 ? annotationPart(of: base, target: part.lowerBound)?.next : nil
    guard start != nil || part.lowerBound == 0 else { return nil }
    return annotationPart(of: base, from: start, target: part.upperBound)?.end.width
  }

  /// The line that a part of an annotation makes, and the start of what follows it; nil for one with boxes in it.
  ///
  /// - Parameter target: The cluster that the part ends before; the width decides where it is `.max`.
  func annotationPart(
    of base: BoxID, from start: LineStart? = nil, target: Int = .max, available: LayoutUnit = .max
  ) -> (end: LineEnd, next: LineStart)? {
    let text = tree.boxes[base.index].text
    let paragraph = acquireParagraph(text)
    defer { release(paragraph) }
    var scratch = inline.takeLine()
    var breaker = annotationBreaker(of: base, text, paragraph, items: scratch.items)
    scratch.items = []
    breaker.request.target = target
    let first = LineStart(
      run: tree.texts.texts[text.index].runs.lowerBound, cluster: 0, shapedRun: 0, innermost: base)
    breaker.begin(start ?? first, available: available, origin: .zero)
    let event = breaker.next()
    let end = breaker.end
    let next = LineStart(run: end.run, cluster: end.cluster, shapedRun: end.shapedRun, innermost: breaker.innermost)
    scratch.items = breaker.takeItems()
    inline.giveBack(scratch)
    guard case .line = event else { return nil }
    return (end, next)
  }

  /// What breaks the text of an annotation.
  func annotationBreaker(
    of base: BoxID, _ text: TextID, _ paragraph: InlineParagraph, items: [LineItem]
  ) -> GreedyLineBreaker {
    GreedyLineBreaker(
      context: self, paragraph: paragraph, text: text, container: base,
      style: lineStyle(of: tree.boxes[base.index].style.paragraph, paragraph), containerInline: .zero,
      emergencyWidth: .max, hyphenLimit: 0, items: items)
  }
}
