import BoxGeneration
import CSS
import Primitives
import Shaping
import Styling
import Text

/// Text of a line: clusters are added as long as they fit.
extension GreedyLineBreaker {
  /// Text of one shaped run, with the measures and limits that its clusters are added under.
  @safe struct RunText {
    let clusters: UnsafeBufferPointer<Cluster>
    let run: ShapedRun
    let scale: FixedScale
    let spacing: ClusterSpacing
    /// The cluster and the text offset behind the last one.
    let end: Int
    let unitEnd: UInt32
    /// The first cluster of the item that holds them.
    var itemStart: Int
    /// A word may be broken between any two of its letters.
    let breaksAnywhere: Bool
    /// The width from which on a word is broken that has no opportunities.
    let emergencyWidth: Advance
  }

  /// Adds clusters up to a text offset; an event when the line ends or a float is due.
  mutating func scanText(to unitEnd: UInt32) -> LineBreakerEvent? {
    let clusters = paragraph.shaped.clusters
    let count = clusters.count - 1
    while at.cluster < count, clusters[at.cluster].text < unitEnd {
      moveToShapedRun()
      guard at.shapedRun < paragraph.shaped.runs.count else {
        at.cluster = count
        break
      }
      let run = paragraph.shaped.runs[at.shapedRun]
      let spacing = context.spacing(run.attributes)
      if let last = items.last, last.kind == .text, last.run == at.run, last.shapedRun == at.shapedRun,
        last.end == at.cluster
      {
      } else {
        addTextItem(run)
      }
      // A page cannot be scrolled: lines that would leave it are broken as too long words are.
      let isBrokenInEmergency = spacing.wraps || !spacing.collapses || context.mode.breaksWordsToFit
      let event = unsafe clusters.withUnsafeBufferPointer {
        var text = unsafe RunText(
          clusters: $0, run: run, scale: run.fixedScale, spacing: spacing,
          end: Swift.min(run.clusters.upperBound, count), unitEnd: unitEnd, itemStart: items[items.count - 1].start,
          breaksAnywhere: spacing.breaksAnywhere && spacing.wraps,
          emergencyWidth: isBrokenInEmergency ? emergencyWidth : request.unwrappedWidth)
        return scan(&text)
      }
      if let event { return event }
    }
    return nil
  }

  private mutating func addTextItem(_ run: ShapedRun) {
    var item = LineItem(kind: .text, run: at.run)
    item.level = run.level
    item.shapedRun = at.shapedRun
    item.start = at.cluster
    item.end = at.cluster
    items.append(item)
  }

  /// Adds clusters of one shaped run; the last item is theirs.
  private mutating func scan(_ text: inout RunText) -> LineBreakerEvent? {
    let masks = ClusterMasks.shared
    let spacing = text.spacing
    let takesFastPath =
      spacing.wraps && spacing.collapses && request.latest == .max && yielded.waitingFloats.isEmpty
      && (!request.isCollecting || hasPlainEnds) && !avoidsKana
    while at.cluster < text.end {
      if takesFastPath {
        fillPlainRun(text)
        guard at.cluster < text.end else { break }
      }
      let cluster = unsafe text.clusters[at.cluster]
      guard cluster.text < text.unitEnd else { break }
      let flags = cluster.flags.rawValue
      // The item holds nothing yet where this text begins on the line, and does not belong before a break.
      at.items = at.cluster > text.itemStart ? items.count : items.count - 1
      if flags & masks.breaks != 0 {
        items[items.count - 1].end = at.cluster
        if let event = consider(cluster.flags, wraps: spacing.wraps) { return event }
      }
      if opportunities.last == nil, at.hasContent, flags & masks.graphemeStart != 0, at.rubyDepth == 0,
        breaksWord(text, flags)
      {
        return .line
      }
      gap.isOpen = false

      var advance = text.scale.advance(cluster.advance)
      if flags & masks.special == 0 {
        advance += spacing.letter
      } else if flags & masks.tab != 0 {
        items[items.count - 1].end = at.cluster
        addTab(spacing)
        if !spacing.trims, let event = overflow(text) { return event }
        addTextItem(text.run)
        text.itemStart = at.cluster
        continue
      } else if flags & masks.ignorable != 0 {
        at.width += advance
        at.cluster += 1
        continue
      } else {
        if flags & masks.wordSeparator != 0 { advance += spacing.word }
        if flags & masks.cursive == 0 { advance += spacing.letter }
        if flags & masks.space != 0, addSpace(cluster, advance, &text) { continue }
      }
      at.width += advance
      at.trailing.width = 0
      at.trailing.kept = 0
      at.hasContent = true
      at.cluster += 1
      if at.width > limit {
        items[items.count - 1].end = at.cluster
        if let event = overflow(text) { return event }
      }
    }
    items[items.count - 1].end = at.cluster
    at.items = items.count
    return nil
  }

  /// Ends the line in a word that has no opportunities, before the grapheme cluster at hand, if the line is too wide already.
  @inline(__always)
  private mutating func breaksWord(_ text: RunText, _ flags: UInt16) -> Bool {
    let masks = ClusterMasks.shared
    let place = breakPlace
    guard isOverflowing else {
      opportunities.graphemeBoundary = place
      // Text that does not wrap, preserved lines above all, would rather break after a space than in a word.
      if !text.spacing.wraps, flags & masks.space == 0, unsafe followsWord(text.clusters, masks) {
        opportunities.suppressed = place
      }
      return false
    }
    guard text.breaksAnywhere || at.width > text.emergencyWidth,
      opportunities.suppressed != nil || opportunities.graphemeBoundary != nil || mayEndOverflow(text)
    else { return false }
    items[items.count - 1].end = at.cluster
    finish(opportunities.suppressed ?? opportunities.graphemeBoundary ?? place)
    return true
  }

  /// Adds a space that is removed or hangs where the line ends with it; false for one that is kept there.
  @inline(__always)
  private mutating func addSpace(_ cluster: Cluster, _ advance: Advance, _ text: inout RunText) -> Bool {
    let spacing = text.spacing
    let isCollapsible = spacing.collapses && cluster.flags.contains(.wordSeparator)
    if isCollapsible, !at.hasContent {
      // Removed at the start of a line (CSS Text 3, section 4.1.2).
      at.cluster += 1
      text.itemStart = at.cluster
      items[items.count - 1].start = text.itemStart
      items[items.count - 1].end = text.itemStart
      return true
    }
    guard spacing.trims else { return false }
    addTrailing(advance, spacing, isKept: !isCollapsible)
    at.cluster += 1
    return true
  }

  /// Adds white space that is removed, or hangs if it is kept, where the line ends with it.
  @inline(__always)
  private mutating func addTrailing(_ advance: Advance, _ spacing: ClusterSpacing, isKept: Bool) {
    at.width += advance
    if at.trailing.width == 0 { at.trailing.kept = 0 }
    at.trailing.width += advance
    at.trailing.wraps = spacing.wraps
    at.trailing.hangs = !spacing.collapses
    if isKept {
      at.trailing.kept = at.trailing.width
      at.hasContent = true
    }
  }

  /// Spaces precede the cluster at hand, and a word them: an indentation is no place to break after.
  private func followsWord(_ clusters: UnsafeBufferPointer<Cluster>, _ masks: ClusterMasks) -> Bool {
    var index = at.cluster
    while index > lineStart.cluster, unsafe clusters[index - 1].flags.rawValue & masks.space != 0 { index -= 1 }
    return index < at.cluster && index > lineStart.cluster
  }

  /// The fast path: adds clusters as long as they are ordinary and fit, and leaves the next one to `scan`. Of the
  /// opportunities passed only the last can matter.
  @inline(__always)
  private mutating func fillPlainRun(_ text: RunText) {
    guard isPlain else { return }
    let masks = ClusterMasks.shared
    let (clusters, spacing, scale) = unsafe (text.clusters, text.spacing, text.scale)
    let end = Swift.min(text.end, request.target)
    let limit = request.target == .max ? limit : .max
    var index = at.cluster
    var width = at.width
    var trailing = at.trailing.width
    var last: Passed = (-1, 0, 0)
    var boundary = last
    var isHyphen = false
    // Where hyphens are counted or kept in a zone, `consider` decides.
    let takesHyphens = !request.avoidsHyphen && request.hyphenZone == 0 && lineStart.hyphens < hyphenLimit
    var hyphenRoom: Advance?
    while index < end {
      let cluster = unsafe clusters[index]
      let flags = cluster.flags.rawValue
      guard flags & masks.remarkable == 0, cluster.text < text.unitEnd else { break }
      var advance = scale.advance(cluster.advance)
      if flags & masks.cursive == 0 { advance += spacing.letter }
      if flags & masks.space != 0 {
        guard flags & masks.breakBefore == 0, flags & masks.wordSeparator != 0 else { break }
        advance += spacing.word
        if flags & masks.graphemeStart != 0 { boundary = (index, width, trailing) }
        width += advance
        trailing += advance
      } else {
        if flags & masks.wordSeparator != 0 { advance += spacing.word }
        guard width + advance <= limit else { break }
        if flags & masks.hyphenBreakBefore != 0 {
          // A hyphen at the run's start is the one of the run before it.
          guard index > text.run.clusters.lowerBound else { break }
          let room = hyphenRoom ?? self.hyphenRoom(of: text.run)
          hyphenRoom = room
          if request.isCollecting {
            addCandidate(index, end: width - trailing, next: width, hyphen: room)
          } else if request.target == .max {
            guard takesHyphens, width - trailing + room <= limit else { break }
            last = (index, width, trailing)
            isHyphen = true
          }
        } else if flags & masks.breakBefore != 0 {
          if request.isCollecting {
            addCandidate(index, end: width - trailing, next: width)
          } else {
            last = (index, width, trailing)
            isHyphen = false
          }
        } else if flags & masks.graphemeStart != 0 {
          boundary = (index, width, trailing)
        }
        width += advance
        trailing = 0
      }
      index += 1
    }
    guard index > at.cluster else { return }
    at.trailing.wraps = true
    at.trailing.hangs = false
    if last.cluster >= 0 {
      opportunities.last = place(last, text)
      opportunities.isHyphen = isHyphen
      opportunities.graphemeBoundary = nil
    } else if opportunities.last == nil, boundary.cluster >= 0 {
      opportunities.graphemeBoundary = place(boundary, text)
    }
    at.cluster = index
    at.width = width
    at.trailing.width = trailing
  }

  /// A cluster that was passed, with the width before it.
  private typealias Passed = (cluster: Int, width: Advance, trailing: Advance)

  /// Nothing about the line asks to look at each of its clusters.
  @inline(__always)
  private var isPlain: Bool {
    at.hasContent && !gap.isOpen && !isOverflowing && at.rubyDepth == 0 && at.trailing.kept == 0
      && (at.trailing.width == 0 || at.trailing.wraps && !at.trailing.hangs)
  }

  /// The place before a cluster that was passed. Where this text begins on the line, the item holds nothing yet and does not belong
  /// before a break.
  @inline(__always)
  private func place(_ passed: Passed, _ text: RunText) -> Place {
    var place = at
    place.cluster = passed.cluster
    place.width = passed.width
    place.trailing.width = passed.trailing
    place.items = passed.cluster > text.itemStart ? items.count : items.count - 1
    return place
  }

  /// The line has become too wide by what was added last.
  private mutating func overflow(_ text: RunText) -> LineBreakerEvent? {
    guard at.width > limit, !isOverflowing, !fits(at, at.width) else { return nil }
    if let place = opportunities.last {
      finish(at: place)
    } else if text.breaksAnywhere, let boundary = opportunities.graphemeBoundary {
      return endInWord(boundary, text)
    } else if let place = opportunities.late {
      finish(place, isHyphenated: true)
    } else if context.settings.deviations.shrinksWideTables, at.width > text.emergencyWidth,
      let place = opportunities.suppressed
    {
      finish(place)
    } else if context.settings.deviations.shrinksWideTables, at.width > text.emergencyWidth,
      let boundary = opportunities.graphemeBoundary
    {
      // On pages of books; a browser's window lets one letter stand out.
      return endInWord(boundary, text)
    } else {
      isOverflowing = true
      return nil
    }
    return .line
  }

  /// Ends the line in a word, or lets what follows stick out.
  private mutating func endInWord(_ boundary: Place, _ text: RunText) -> LineBreakerEvent? {
    opportunities.graphemeBoundary = emergencyPlace(boundary, text)
    guard let place = opportunities.graphemeBoundary else {
      isOverflowing = true
      return nil
    }
    let breaksRule = parts(before: place.cluster, text)
    finish(place)
    end.breaksRule = breaksRule
    return .line
  }

  /// Tabs are rare: the loops that scan text are better off without it.
  @inline(never) private mutating func addTab(_ spacing: ClusterSpacing) {
    items.removeLast(items[items.count - 1].start == at.cluster ? 1 : 0)
    var item = LineItem(kind: .tab, run: at.run)
    item.shapedRun = at.shapedRun
    item.level = paragraph.shaped.runs[at.shapedRun].level
    item.start = at.cluster
    at.cluster += 1
    item.end = at.cluster
    item.width = context.tabStops(container, textOf: at.box).advance(from: pen)
    add(item)
    if spacing.trims {
      addTrailing(item.width, spacing, isKept: true)
    } else {
      at.width += item.width
      at.trailing.width = 0
      at.hasContent = true
    }
  }

  var textIndex: Int { paragraph.text.index }
}
