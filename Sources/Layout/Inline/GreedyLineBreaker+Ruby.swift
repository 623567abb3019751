import BoxGeneration
import CSS
import Primitives
import Shaping
import Styling
import Text

/// Ruby on the line: what an annotation that is wider than its base reaches over (CSS Ruby 1, section 5.1).
extension GreedyLineBreaker {
  mutating func openRuby(_ run: Run) {
    var item = LineItem(kind: .openRuby, run: at.run)
    if at.rubyDepth == 0 {
      if ruby.group.takes(context.tree.boxes[run.box.index]) {
        item.width = ruby.group.takeBack()
        at.width += item.width
      } else {
        ruby.group = RubyGroup(previousEnd: ruby.end)
        ruby.start = at.cluster
      }
    }
    if at.rubyDepth == 0 { at.rubyRun = at.run }
    at.rubyStarts[Swift.min(3, at.rubyDepth)] = at.width
    at.rubyDepth += 1
    add(item)
  }

  mutating func closeRuby(_ run: Run) {
    var item = LineItem(kind: .closeRuby, run: at.run)
    let base = at.width - at.rubyStarts[Swift.min(3, Swift.max(0, at.rubyDepth - 1))]
    ruby.overhang = 0
    if at.rubyDepth != 1 || context.isAnnotationBeside(run.box) {
      item.width = context.annotationExcess(run.box, over: base)
    } else {
      var annotation = context.annotationWidth(run.box)
      if ruby.continued == at.rubyRun, ruby.annotationStart > 0 {
        (item.start, item.end) = (ruby.annotationStart, .max)
        annotation = context.annotationWidth(run.box, item.start..<item.end) ?? annotation
      }
      ruby.group.add(base: base, annotation: annotation)
      item.width = ruby.group.excess
      if item.width > 0 { overhang(&item, of: run.box) }
      item.width = ruby.group.take(item.width)
    }
    ruby.end = at.cluster
    add(item)
    at.width += item.width
    if item.width > 0 {
      at.trailing.width = 0
      at.hasContent = true
      at.exists = true
    }
    at.rubyDepth = Swift.max(0, at.rubyDepth - 1)
    at.box = context.inlineParent(of: run.box, container: container)
    at.run += 1
    if gap.depth > 0 { gap.depth -= 1 } else { gap.place = at }
  }

  /// Ends the line within a base.
  mutating func divide(_ division: Division, at place: Place) {
    var item = LineItem(kind: .closeRuby, run: place.rubyRun)
    (item.start, item.end) = (division.annotation.lowerBound, division.annotation.upperBound)
    item.width = division.excess
    end.width += item.width
    items.append(item)
  }

  /// Lets an annotation reach over what stands beside its base; what it is wider still spreads the base.
  mutating func overhang(_ item: inout LineItem, of base: BoxID) {
    guard context.rubyOverhang(of: base) == .auto else { return }
    let size = context.annotationSize(base).advance
    let most = item.width / 2
    let units = context.tree.texts.texts[textIndex].units
    func unit(of cluster: Int) -> UInt16 {
      let index = units.lowerBound + Int(paragraph.shaped.clusters[cluster].text)
      return index < units.upperBound ? context.tree.texts.units[index] : 0xFFFC
    }
    /// The reach over a cluster from the one of the base that faces it.
    func reach(over cluster: Int, from inner: Int, isBefore: Bool) -> Advance {
      let shaped = paragraph.shaped
      guard cluster >= 0, cluster < shaped.clusterCount, inner < shaped.clusterCount, !shaped.runs.isEmpty else {
        return 0
      }
      // The run is near the one that the line stands at.
      var number = Swift.min(at.shapedRun, shaped.runs.count - 1)
      while number > 0, shaped.runs[number].clusters.lowerBound > cluster { number -= 1 }
      while number + 1 < shaped.runs.count, shaped.runs[number].clusters.upperBound <= cluster { number += 1 }
      let run = shaped.runs[number]
      let isWide = Float(shaped.clusters[cluster].advance) * run.scale > run.size * 0.9
      return Swift.min(
        most,
        AnnotationOverhang.reach(
          size, over: unit(of: cluster), base: unit(of: inner), isBefore: isBefore, isFullWidth: isWide))
    }
    var before: Advance = 0
    var after: Advance = 0
    if ruby.start > lineStart.cluster, ruby.start > ruby.group.previousEnd {
      before = reach(over: ruby.start - 1, from: ruby.start, isBefore: true)
    }
    var next = at.run + 1
    while next < runs.upperBound {
      let kind = context.tree.texts.runs[next].kind
      if kind == .open || kind == .close {
        next += 1
        continue
      }
      if kind == .text, at.cluster > ruby.start {
        after = reach(over: at.cluster, from: at.cluster - 1, isBefore: false)
      }
      break
    }
    item.width -= before + after
    item.overhang = SIMD2(Int32(clamping: before), Int32(clamping: after))
    ruby.overhang = after
    if after > 0 { ruby.hasOverhang = true }
  }
}
