import BoxGeneration
import CSS
import Primitives
import Shaping
import Styling
import Text

/// Break opportunities: where the line at hand may end (CSS Text 4, section 5).
extension GreedyLineBreaker {
  static var breakFlags: ClusterFlags { .breakBefore | .hyphenBreakBefore | .mandatoryBreakBefore }

  /// The place of a break before the cluster at hand: before the boxes that open there, unless all that the line has is
  /// among them, as an annotation without a base.
  var breakPlace: Place { gap.isOpen && (gap.place.hasContent || !at.hasContent) ? gap.place : at }

  /// A line may break before the cluster at hand, whose flags are given; `wraps` says what the text around it wants.
  mutating func consider(_ flags: ClusterFlags, wraps: Bool) -> LineBreakerEvent? {
    let place = breakPlace
    guard place.hasContent || (flags.contains(.mandatoryBreakBefore) && place.exists) else { return nil }
    var excess: Advance = 0
    if place.rubyDepth > 0 {
      guard !flags.contains(.mandatoryBreakBefore), let division = division(at: place) else { return nil }
      excess = division.excess
    }
    if flags.contains(.mandatoryBreakBefore) { return endForced(at: place) }
    guard mayWrap(at: place, wraps: wraps) else {
      if !isOverflowing { opportunities.suppressed = place }
      return nil
    }
    let isHyphen = flags.contains(.hyphenBreakBefore)
    if request.isCollecting, place.cluster < request.target {
      collect(place, isHyphen: isHyphen)
      return nil
    }
    if request.target != .max {
      guard place.cluster >= request.target else { return nil }
      finish(place, isHyphenated: isHyphen)
      return .line
    }
    if place.cluster > request.latest, let opportunity = opportunities.last {
      finish(at: opportunity)
      return .line
    }
    var width = place.width - place.trailing.width + overhang(at: place) + excess
    if isHyphen {
      if let opportunity = opportunities.last, !opportunities.isHyphen, avoidsHyphen(after: opportunity) { return nil }
      width += hyphenRoom(before: place.cluster, shapedRun: place.shapedRun)
    }
    if adjustmentRoom != nil, width > limit, !isOverflowing, let full = opportunities.last,
      full.width - full.trailing.width + endRoom(full).best >= limit - LineTolerance.full
    {
      // Compression lets one more character in where the line would be loose; a full line takes no more.
      finish(at: full)
      return .line
    }
    let fits = fits(place, width)
    guard isOverflowing || fits else {
      if opportunities.late == nil { opportunities.late = place }
      return nil
    }
    if let float = yielded.waitingFloats.first, float < place.run { return .float(context.tree.texts.runs[float].box) }
    // A float may just have narrowed the line.
    if isOverflowing || !fits {
      finish(place, isHyphenated: isHyphen)
      return .line
    }
    opportunities.last = place
    if avoidsKana, !isHyphen, !isKana(place.cluster) { opportunities.firm = place }
    opportunities.isHyphen = isHyphen
    opportunities.graphemeBoundary = nil
    return nil
  }

  /// Ends the line at a forced break, unless a float or too wide a line comes first.
  private mutating func endForced(at place: Place) -> LineBreakerEvent? {
    if let float = yielded.waitingFloats.first { return .float(context.tree.texts.runs[float].box) }
    if let event = checkOverflow() { return event }
    finish(place)
    end.isForced = true
    return .line
  }

  /// The line may wrap at the place; `wraps` says what the text after it wants. A space decides for itself; elsewhere
  /// it is the nearest common ancestor (CSS Text 3, section 5.1).
  @inline(__always)
  private func mayWrap(at place: Place, wraps: Bool) -> Bool {
    if place.trailing.width > 0 { return place.trailing.wraps }
    guard gap.isOpen else { return wraps }
    let style = context.tree.boxes[gap.place.box.index].style
    return context.styles.texts[style.text.index].wrapMode == .wrap
  }

  /// The line would rather end at an earlier opportunity than at a hyphen. Too many hyphens in a row are better than a
  /// line that ends at its first syllable.
  private func avoidsHyphen(after opportunity: Place) -> Bool {
    request.avoidsHyphen || lineStart.hyphens >= hyphenLimit
      || request.hyphenZone > 0
        && limit - (opportunity.width - opportunity.trailing.width) <= request.hyphenZone
  }

  /// Both clusters at the place show, and neither has a blank to give up or a reason to stand out.
  private func isBetweenPlainClusters(_ cluster: Int) -> Bool {
    guard cluster > 0, cluster < paragraph.clusterCount, style.hangingPunctuation.isEmpty, !style.hasOpticalMargins
    else { return false }
    let masks = ClusterMasks.shared
    let flags =
      paragraph.shaped.clusters[cluster - 1].flags.rawValue | paragraph.shaped.clusters[cluster].flags.rawValue
    return flags & (masks.space | masks.ignorable) == 0
      && (!hasEdges || paragraph.spacing(of: cluster - 1) == nil && paragraph.spacing(of: cluster) == nil)
  }

  /// Notes a place that has nothing about it.
  ///
  /// - Parameter hyphen: The room of the hyphen that a line shows which ends there; nil for none.
  @inline(__always)
  mutating func addCandidate(_ cluster: Int, end: Advance, next: Advance, hyphen: Advance? = nil) {
    var candidate = BreakCandidate(cluster: cluster, end: end, next: next)
    if let hyphen {
      candidate.isHyphen = true
      candidate.hyphen = hyphen
    }
    candidate.lastVisible = cluster - 1
    candidate.nextVisible = cluster
    candidates.append(candidate)
  }

  private mutating func collect(_ place: Place, isHyphen: Bool) {
    let end = place.width - place.trailing.width + overhang(at: place)
    let isAvoided = avoidsKana && isKana(place.cluster)
    // Most are, among ideographs: nothing changes at the ends of lines.
    let next = context.inputs.hasClonedEdges ? place.width - clonedEdges(around: place.box) : place.width
    if !isHyphen, !isAvoided, isBetweenPlainClusters(place.cluster) {
      return addCandidate(place.cluster, end: end, next: next)
    }
    var candidate = BreakCandidate(cluster: place.cluster, end: end, next: next)
    candidate.isHyphen = isHyphen
    if isAvoided { candidate.demerits = LineRating.kanaDemerits }
    if isHyphen { candidate.hyphen = hyphenRoom(before: place.cluster, shapedRun: place.shapedRun) }
    if hasEdges {
      if !isHyphen {
        let room = endRoom(place)
        candidate.end += room.best
        candidate.endSlack = room.best - room.least
      }
      candidate.next -=
        context.lineStart(at: place.cluster, in: paragraph, style, isFirst: false, afterBreak: false).start
    }
    if adjustmentRoom != nil {
      candidate.lastVisible = visible(before: place.cluster)
      candidate.nextVisible = visible(from: place.cluster)
    }
    candidates.append(candidate)
  }
}
