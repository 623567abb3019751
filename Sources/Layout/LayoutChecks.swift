import BoxGeneration
import CSS
import Fonts
import Platform
import Primitives
import Shaping
import Styling
import Synchronization
import Text

#if CHECK_LAYOUT
  extension PageLayout {
    /// Pages of more fragments are not compared with each trial: boxes nested a thousand deep make a trial each.
    private static let mostCompared = 150

    /// A digest of what a trial must leave as it was; nil where the page is too large to be compared.
    var digest: Int? {
      guard fragments.count <= Self.mostCompared else { return nil }
      var hasher = Hasher()
      for fragment in fragments {
        hasher.combine(fragment.offset)
        hasher.combine(fragment.size)
        hasher.combine(fragment.flags)
        hasher.combine(fragment.firstChild)
        hasher.combine(fragment.lastChild)
        hasher.combine(fragment.nextSibling)
      }
      hasher.combine(lines.count)
      hasher.combine(glyphs.count)
      return hasher.finalize()
    }
  }

  /// Invariants of layout, checked in the builds that the tests run.
  package enum LayoutChecks {
    /// A broken invariant ends the process. Tests that look for the smallest document that breaks one have them
    /// reported as diagnostics alone.
    package static var areFatal: Bool {
      get { stops.withLock { $0 } }
      set { stops.withLock { $0 = newValue } }
    }
    private static let stops = Lock(true)

    /// A page goes on with all that the page before has left, or leaves it to the next one.
    static func forgotten(_ token: BreakToken?, on page: PageLayout, next: BreakToken?) -> String? {
      guard let token else { return nil }
      var made: Set<BoxID> = []
      for fragment in page.fragments where fragment.kind == .box { made.insert(fragment.box) }
      var waiting: Set<BoxID> = []
      func wait(_ token: BreakToken) {
        waiting.insert(token.box)
        token.children.forEach(wait)
      }
      if let next { wait(next) }
      func missing(_ token: BreakToken) -> BoxID? {
        if token.isBreakBefore || token.isAtEnd { return nil }
        if !made.contains(token.box), !waiting.contains(token.box) { return token.box }
        return token.children.lazy.compactMap(missing).first
      }
      return missing(token).map { "the page before has left box \($0.index), and no page goes on with it" }
    }

    /// Every line and picture ends inside its page across the lines, is recorded as left beyond its end, or is where its styles,
    /// or those of a box around it, put it.
    static func outside(_ page: PageLayout, _ context: LayoutContext) -> [String] {
      guard !page.root.isNone, !context.settings.isFixedPage else { return [] }
      var violations: [String] = []
      let end = context.contentAreaSize.block
      var open = [(id: page.root, origin: LogicalOffset.zero)]
      while let (id, origin) = open.popLast() {
        let fragment = page[id]
        guard !fragment.flags.contains(.overflows), !isPlacedByStyle(fragment, page, context) else { continue }
        let place = origin + fragment.offset
        let isContent = fragment.kind == .line || context.tree.boxes[fragment.box.index].content == .replaced
        let (top, bottom) = (place.block, place.block + fragment.size.block)
        if isContent, bottom > end + tolerance {
          violations.append(
            "a \(fragment.kind) of box \(fragment.box.index) of \(context.tree.boxes.count) stands from \(top) to \(bottom) on a page of \(end)"
          )
        }
        guard fragment.kind == .box else { continue }
        var child = fragment.firstChild
        while !child.isNone {
          open.append((child, place))
          child = page[child].nextSibling
        }
      }
      return violations
    }

    /// Rounding.
    private static let tolerance = LayoutUnit(1)

    /// The styles of the box may put it, or what is in it, outside the page.
    private static func isPlacedByStyle(_ fragment: Fragment, _ page: PageLayout, _ context: LayoutContext) -> Bool {
      guard fragment.kind == .box, fragment.box != BoxTree.root else { return false }
      let style = context.tree.boxes[fragment.box.index].style
      let box = context.styles.boxes[style.box.index]
      let sizes = [box.width, box.height, box.maxWidth, box.maxHeight]
      let margins = context.margins(of: fragment.box, availableInline: context.contentAreaSize.inline)
      return box.position != .static || sizes.contains { $0 != .auto && $0 != .none } || margins.blockStart < .zero
        || margins.blockEnd < .zero || box.overflowY != .visible
        // Columns may be higher than their page for a float that none of them holds.
        || context.tree.boxes[fragment.box.index].kind == .columns
    }

    /// The end on the last page of each text that it has lines of.
    typealias TextEnds = [TextID: UInt32]

    /// Every fragment has one parent, and each character of a text stands on one line: those of a page follow each other without
    /// a gap, and go on where the page before has ended.
    ///
    /// - Returns: the invariants that do not hold.
    static func violations(of page: PageLayout, _ tree: BoxTree, after ends: inout TextEnds) -> [String] {
      guard !page.root.isNone else { return [] }
      var violations: [String] = []
      var isPlaced = [Bool](repeating: false, count: page.fragments.count)
      var ranges: [TextID: [Range<UInt32>]] = [:]
      var open = [page.root]
      while let id = open.popLast() {
        guard !isPlaced[id.index] else { return violations + ["a fragment stands in two places"] }
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
      for (text, lines) in ranges.sorted(by: { $0.key.index < $1.key.index }) {
        let lines = lines.sorted { $0.lowerBound < $1.lowerBound }
        for (line, next) in zip(lines, lines.dropFirst()) where line.upperBound != next.lowerBound {
          violations.append("lines \(line) and \(next) of text \(text.index) overlap or leave something out")
        }
        let end = ends[text] ?? 0
        if lines[0].lowerBound != end {
          violations.append("text \(text.index) goes on at \(lines[0].lowerBound), and was left at \(end)")
        }
        ends[text] = lines[lines.count - 1].upperBound
      }
      return violations
    }

    /// The pages of a chapter show all characters of its texts.
    ///
    /// - Parameter ends: Where the last page has left the texts.
    static func leftOut(_ ends: TextEnds, _ context: LayoutContext) -> [String] {
      let tree = context.tree
      return tree.boxes.indices.compactMap { index in
        let box = tree.boxes[index]
        guard box.content == .text, context.hasLines(box.text) else { return nil }
        let count = UInt32(tree.texts[box.text].units.count)
        guard ends[box.text] ?? 0 != count, !isHidden(BoxID(index), context), !isRepeated(BoxID(index), context) else {
          return nil
        }
        guard let end = ends[box.text] else {
          return isInvisible(box.text, context) || isCutOff(BoxID(index), context)
            ? nil : "text \(box.text.index) of box \(index) is on no page"
        }
        return "text \(box.text.index) of box \(index) ends at \(end) of \(count)"
      }
    }

    /// The box stands in one that lines or pages repeat, as often as there is room for it.
    private static func isRepeated(_ id: BoxID, _ context: LayoutContext) -> Bool {
      var box = id
      while !box.isNone {
        if context.tree[box].symbol == .leader || context.inputs.repeatedBoxes.contains(box) { return true }
        box = context.tree[box].parent
      }
      return false
    }

    /// The box stands in an atomic inline of a line that ends in an ellipsis where it is too long.
    private static func isCutOff(_ id: BoxID, _ context: LayoutContext) -> Bool {
      var parent = context.tree[id].parent
      while !parent.isNone {
        if context.tree[parent].content == .text, context.endsLinesInEllipsis(parent) { return true }
        parent = context.tree[parent].parent
      }
      return false
    }

    /// The text is made of control characters and default ignorables alone: it has neither glyphs nor lines.
    private static func isInvisible(_ text: TextID, _ context: LayoutContext) -> Bool {
      let paragraph = context.acquireParagraph(text)
      defer { context.release(paragraph) }
      return paragraph.shaped.clusters.dropLast().allSatisfy { $0.flags.contains(.ignorable) }
    }

    /// The box stands in a row or column that is collapsed, which shows nothing (CSS 2.2, section 17.6).
    private static func isHidden(_ id: BoxID, _ context: LayoutContext) -> Bool {
      let tree = context.tree
      var cell = BoxID.none
      var outer = id
      while !outer.isNone {
        switch tree[outer].kind {
        case .tableCell: cell = outer
        case .tableRow, .tableRowGroup, .tableHeaderGroup, .tableFooterGroup:
          if context.styles.texts[tree[outer].style.text.index].visibility == .collapse { return true }
        case .table where !cell.isNone:
          let model = context.tableModel(outer)
          if let cell = model.grid.cells.first(where: { $0.box == cell }), model.isColumnCollapsed[cell.column] {
            return true
          }
          cell = .none
        default: break
        }
        outer = tree[outer].parent
      }
      return false
    }
  }
#endif
