import BoxGeneration
import Primitives

/// Invariants of layout. They are checked in builds with `CHECK_LAYOUT`, as those of the tests are; elsewhere they cost nothing.
enum LayoutChecks {
  /// Pages of more fragments are not compared with each trial: boxes nested a thousand deep make a trial each.
  private static let mostCompared = 400

  /// A digest of what a trial must leave as it was; nil where nothing is checked.
  static func digest(of page: PageLayout) -> Int? {
    #if CHECK_LAYOUT
      guard page.fragments.count <= mostCompared else { return nil }
      var hasher = Hasher()
      for fragment in page.fragments {
        hasher.combine(fragment.offset)
        hasher.combine(fragment.size)
        hasher.combine(fragment.flags)
        hasher.combine(fragment.firstChild)
        hasher.combine(fragment.lastChild)
        hasher.combine(fragment.nextSibling)
      }
      hasher.combine(page.lines.count)
      hasher.combine(page.glyphs.count)
      return hasher.finalize()
    #else
      return nil
    #endif
  }

  /// Trials leave no trace.
  static func trialLeftNoTrace(on page: PageLayout, digestBefore: Int?) {
    #if CHECK_LAYOUT
      guard let digestBefore else { return }
      precondition(digest(of: page) == digestBefore, "a trial has left something on the page")
    #endif
  }

  #if CHECK_LAYOUT
    /// Where the last page has left each text that it has lines of.
    typealias TextEnds = [TextID: UInt32]

    /// Every fragment has one parent, and each character of a text stands on one line: those of a page follow each other without
    /// a gap, and go on where the page before has ended.
    static func check(_ page: PageLayout, _ tree: BoxTree, after ends: inout TextEnds) {
      guard !page.root.isNone else { return }
      var isPlaced = [Bool](repeating: false, count: page.fragments.count)
      var ranges: [TextID: [Range<UInt32>]] = [:]
      var open = [page.root]
      while let id = open.popLast() {
        precondition(!isPlaced[id.index], "a fragment stands in two places")
        isPlaced[id.index] = true
        let fragment = page[id]
        // Header rows stand on each page of their table.
        guard !fragment.flags.contains(.repeated) else { continue }
        if fragment.kind == .line {
          let line = page.lines[Int(fragment.payload)]
          if !line.range.isEmpty { ranges[line.text, default: []].append(line.range) }
        }
        var child = fragment.firstChild
        while !child.isNone {
          open.append(child)
          child = page[child].nextSibling
        }
      }
      for (text, lines) in ranges {
        let lines = lines.sorted { $0.lowerBound < $1.lowerBound }
        for (line, next) in zip(lines, lines.dropFirst()) {
          precondition(line.upperBound == next.lowerBound, "lines of a text overlap or leave something out")
        }
        if let end = ends[text] {
          precondition(lines[0].lowerBound == end, "a text does not go on where the page before has left it")
        }
        ends[text] = lines[lines.count - 1].upperBound
      }
    }
  #endif
}
