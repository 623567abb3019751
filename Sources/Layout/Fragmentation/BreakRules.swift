import BoxGeneration
import CSS
package import Primitives
import Styling

/// A forced break: where what follows must go on (CSS Fragmentation 3, section 3.1).
package enum ForcedBreak: UInt8, Hashable, Sendable {
  case none
  /// In the next column, on the same page if there is one.
  case column
  /// On the next page.
  case page
  /// On the next left-hand or right-hand page.
  case left, right
}

extension Sequence<ForcedBreak> {
  /// The break that boxes beside each other force together: that which asks for most.
  var strongest: ForcedBreak { self.max { $0.rawValue < $1.rawValue } ?? .none }
}

/// The rule for a break between two siblings, by the boxes on both sides of their boundary (CSS Fragmentation 3,
/// section 4.1).
struct BreakBetweenSiblings {
  /// The boundary is in a column.
  let inColumns: Bool
  let pageProgression: TextDirection
  /// Only forced breaks are asked for: those of all boxes that stand beside each other at the edge of a box are the
  /// box's own, cells included. Breaks are avoided by the first of them alone, on a screen, and not in cells, on pages.
  var isOfForced = false
  var forced = ForcedBreak.none
  var isAvoided = false
  /// The box before is a heading: not to be parted from what follows it, nor in itself.
  var followsHeading = false
  /// The box after is a heading, or begins with one.
  var precedesHeading = false
  var isForced: Bool { forced != .none }

  /// Takes the value of a box later in the flow: the last one that asks for a side wins.
  mutating func combine(_ value: BreakBetween) {
    switch value {
    case .auto: break
    case .column: if inColumns, forced == .none { forced = .column }
    case .avoidColumn: if inColumns { isAvoided = true }
    case .avoidPage: if !inColumns { isAvoided = true }
    case .avoid: isAvoided = true
    case .always where inColumns: if forced == .none { forced = .column }
    case .always, .all, .page: if forced == .none || forced == .column { forced = .page }
    case .left: forced = .left
    case .right: forced = .right
    case .recto: forced = pageProgression == .ltr ? .right : .left
    case .verso: forced = pageProgression == .ltr ? .left : .right
    }
  }
}

extension LayoutContext {
  /// The combined rule between two siblings; values at the edges of first and last children propagate to their parents. A forced
  /// break wins over any that avoid one, and pages of different names never meet on one (CSS Paged Media 3, section 7);
  /// in columns names have no effect.
  func breakBetween(_ previous: BoxID, _ next: BoxID, inColumns: Bool) -> BreakBetweenSiblings {
    var rule = BreakBetweenSiblings(inColumns: inColumns, pageProgression: settings.pageProgression)
    combine(previous, next, into: &rule)
    if !rule.isForced, !inputs.forcedBreaks.isEmpty {
      var forced = BreakBetweenSiblings(inColumns: inColumns, pageProgression: settings.pageProgression)
      forced.isOfForced = true
      combine(previous, next, into: &forced)
      rule.forced = forced.forced
    }
    if inputs.hasNamedPages, !inColumns, !rule.isForced, !previous.isNone, !next.isNone,
      lastPageName(of: previous) != firstPageName(of: next)
    {
      rule.forced = .page
    }
    if rule.isForced {
      rule.isAvoided = false
    } else if !inColumns, !previous.isNone, !next.isNone {
      if !rule.precedesHeading { rule.precedesHeading = beginsWithHeading(next) }
      if isTitle(previous, of: next) {
        rule.isAvoided = true
        rule.followsHeading = true
      } else if !rule.precedesHeading, isCaption(next, of: previous) {
        rule.isAvoided = true
      }
    }
    return rule
  }

  private func combine(_ previous: BoxID, _ next: BoxID, into rule: inout BreakBetweenSiblings) {
    if !previous.isNone { combineAfter(previous, depth: 0, into: &rule) }
    combineBefore(next, into: &rule)
  }

  /// The break before the root: the side of the chapter's first page.
  func breakBeforeRoot() -> ForcedBreak {
    var rule = BreakBetweenSiblings(inColumns: false, pageProgression: settings.pageProgression)
    combineBefore(BoxTree.root, into: &rule)
    return rule.forced
  }

  func breakInside(of box: BoxID) -> BreakInside { styles.pages[tree.boxes[box.index].style.page.index].breakInside }

  private func pageGroup(of box: BoxID) -> PageGroup? {
    let style = tree.boxes[box.index].style
    return style.page.index == 0 ? nil : styles.pages[style.page.index]
  }

  /// `break-before` of a box and its first descendants, outermost first.
  private func combineBefore(_ box: BoxID, into rule: inout BreakBetweenSiblings) {
    var box = box
    while !box.isNone {
      if let group = pageGroup(of: box) {
        rule.combine(group.breakBefore)
        if isHeading(group, inColumns: rule.inColumns) { rule.precedesHeading = true }
      }
      if joinsRows(rule), standsBesideSiblings(in: box) {
        return forEachInFlowChild(of: box) { combineBefore($0, into: &rule) }
      }
      if joinsRows(rule), tree.boxes[box.index].kind == .grid {
        return combineRow(ofGrid: box, isLast: false, into: &rule) { combineBefore($0, into: &$1) }
      }
      guard handsOnBreaks(box, in: rule) else { return }
      box = firstInFlowChild(of: box)
    }
  }

  /// Breaks before the first and after the last child of a box, or row of items, are those of the box, unless that is
  /// never broken (CSS Flexible Box 1, section 10; CSS Grid 1, section 10).
  private func handsOnBreaks(_ box: BoxID, in rule: BreakBetweenSiblings) -> Bool {
    guard containedBlock(of: box) == nil else { return false }
    let kind = tree.boxes[box.index].kind
    return passesBreaks(box) || kind.holdsItems || (rule.inColumns || rule.isOfForced) && kind == .tableCell
  }

  /// The rules of the items in a grid's first or last row, which are those of the grid. Which they are is only asked
  /// where it matters.
  private func combineRow(
    ofGrid grid: BoxID, isLast: Bool, into rule: inout BreakBetweenSiblings,
    _ combine: (BoxID, inout BreakBetweenSiblings) -> Void
  ) {
    let edge = isLast ? lastInFlowChild(of: grid) : firstInFlowChild(of: grid)
    var rules: [BoxID: BreakBetweenSiblings] = [:]
    forEachInFlowChild(of: grid) { item in
      var own = BreakBetweenSiblings(inColumns: rule.inColumns, pageProgression: rule.pageProgression)
      combine(item, &own)
      if own.isForced || own.isAvoided { rules[item] = own }
    }
    guard rules.contains(where: { $0.key != edge }) else {
      if !edge.isNone { combine(edge, &rule) }
      return
    }
    for item in items(inRowOf: grid, isLast: isLast) where rules[item] != nil { combine(item, &rule) }
  }

  /// What stands beside each other is broken together: in columns and on paper.
  private func joinsRows(_ rule: BreakBetweenSiblings) -> Bool {
    rule.inColumns || settings.isPrinted || rule.isOfForced
  }

  /// The children of the box stand beside each other, so that the breaks of each of them are those of the box (CSS
  /// Fragmentation 3, section 4.1): cells of a row, and items of a flex container in one line.
  private func standsBesideSiblings(in box: BoxID) -> Bool {
    let value = tree.boxes[box.index]
    if value.kind == .tableRow { return true }
    guard value.kind == .flex else { return false }
    let style = styles.boxes[value.style.box.index]
    return style.flexWrap == .nowrap && (style.flexDirection == .row || style.flexDirection == .rowReverse)
  }

  private func forEachInFlowChild(of box: BoxID, _ body: (BoxID) -> Void) {
    var child = tree.boxes[box.index].firstChild
    while !child.isNone {
      if !tree.boxes[child.index].flags.isOutOfNormalFlow { body(child) }
      child = tree.boxes[child.index].nextSibling
    }
  }

  /// `break-after` of the last descendants of a box and of itself, innermost first.
  private func combineAfter(_ box: BoxID, depth: Int, into rule: inout BreakBetweenSiblings) {
    if depth < settings.limits.depth {
      if joinsRows(rule), standsBesideSiblings(in: box) {
        forEachInFlowChild(of: box) { combineAfter($0, depth: depth + 1, into: &rule) }
      } else if joinsRows(rule), tree.boxes[box.index].kind == .grid {
        combineRow(ofGrid: box, isLast: true, into: &rule) { combineAfter($0, depth: depth + 1, into: &$1) }
      } else if handsOnBreaks(box, in: rule) {
        let last = lastInFlowChild(of: box)
        if !last.isNone { combineAfter(last, depth: depth + 1, into: &rule) }
      }
    }
    guard let group = pageGroup(of: box) else { return }
    rule.combine(group.breakAfter)
    if group.breakInside != .auto, rule.isAvoided { rule.followsHeading = true }
  }

  /// The box is a heading: to be parted neither from what follows it nor in itself.
  private func isHeading(_ group: PageGroup, inColumns: Bool) -> Bool {
    var after = BreakBetweenSiblings(inColumns: inColumns, pageProgression: settings.pageProgression)
    after.combine(group.breakAfter)
    return after.isAvoided && group.breakInside != .auto
  }

  /// The box is a heading, or begins with one behind nothing but anchors and the like, which show nothing.
  private func beginsWithHeading(_ box: BoxID) -> Bool {
    guard settings.deviations.keepsTitles else { return false }
    var box = box
    while !box.isNone {
      let value = tree.boxes[box.index]
      if value.flags.isOutOfNormalFlow || value.content == .text && !value.text.isNone && !hasLines(value.text) {
        box = value.nextSibling
        continue
      }
      if let group = pageGroup(of: box), isHeading(group, inColumns: false) { return true }
      guard passesBreaks(box) else { return false }
      box = value.firstChild
    }
    return false
  }

  /// Breaks at the edges of a box's first and last children are the box's own.
  private func passesBreaks(_ box: BoxID) -> Bool {
    let value = tree.boxes[box.index]
    guard value.content == .boxes else { return false }
    return switch value.kind {
    case .block, .table, .tableRowGroup, .tableHeaderGroup, .tableFooterGroup: true
    default: false
    }
  }

  /// Nothing stands between the start of the box and that of a box out of the normal flow around it, which no break
  /// comes before: those that the content of the box asks for have no effect (CSS Fragmentation 3, section 3.1).
  func beginsParallelFlow(_ box: BoxID) -> Bool {
    var box = box
    while !tree.boxes[box.index].flags.isOutOfNormalFlow {
      let parent = tree.boxes[box.index].parent
      guard !parent.isNone, firstInFlowChild(of: parent) == box else { return false }
      box = parent
    }
    return true
  }

  func firstInFlowChild(of box: BoxID) -> BoxID {
    if tree.boxes[box.index].kind == .table { return edgeChild(ofTable: box, isLast: false) }
    var child = tree.boxes[box.index].firstChild
    while !child.isNone, tree.boxes[child.index].flags.isOutOfNormalFlow { child = tree.boxes[child.index].nextSibling }
    return child
  }

  /// - Complexity: O(children); asked once for each pair of siblings.
  private func lastInFlowChild(of box: BoxID) -> BoxID {
    if tree.boxes[box.index].kind == .table { return edgeChild(ofTable: box, isLast: true) }
    var last = BoxID.none
    var child = tree.boxes[box.index].firstChild
    while !child.isNone {
      let value = tree.boxes[child.index]
      if !value.flags.isOutOfNormalFlow { last = child }
      child = value.nextSibling
    }
    return last
  }

  /// The first or the last of a table's children as they stand: captions above, row groups, captions below, wherever
  /// the captions are in the document (CSS Tables 3, section 3.4).
  private func edgeChild(ofTable table: BoxID, isLast: Bool) -> BoxID {
    func place(_ child: BoxID) -> Int {
      tree.boxes[child.index].kind != .tableCaption ? 1 : isCaptionBelow(child) ? 2 : 0
    }
    var edge = BoxID.none
    forEachInFlowChild(of: table) { child in
      if edge.isNone || (isLast ? place(child) >= place(edge) : place(child) < place(edge)) { edge = child }
    }
    return edge
  }

  func isCaptionBelow(_ caption: BoxID) -> Bool {
    styles.lists[tree.boxes[caption.index].style.list.index].captionSide == .bottom
  }

  /// The rule that the boxes which a page breaks fail by themselves: that of one that no page can hold is broken, too.
  func rank(ofBreakAt token: BreakToken, inColumns: Bool = false) -> BreakRank {
    var token = token
    while !token.isBreakBefore, !token.isForced {
      switch breakInside(of: token.box) {
      case .avoid: return .violatesAvoid
      case .avoidPage: if !inColumns { return .violatesAvoid }
      case .avoidColumn: if inColumns { return .violatesAvoid }
      case .auto: break
      }
      guard let child = token.children.first else { break }
      token = child
    }
    return .perfect
  }

  // MARK: Named pages (CSS Paged Media 3, section 7)

  /// The used value of `page`: the box's, or that of the nearest box around it that names one.
  private func pageName(of box: BoxID) -> String {
    var box = box
    while !box.isNone {
      if let name = pageGroup(of: box)?.page, !name.isEmpty { return name }
      box = tree.boxes[box.index].parent
    }
    return ""
  }
  /// The name of the page that a box starts on.
  func firstPageName(of box: BoxID) -> String {
    var box = box
    while passesBreaks(box) {
      let child = firstInFlowChild(of: box)
      if child.isNone { break }
      box = child
    }
    return pageName(of: box)
  }
  /// The name of the page that a box ends on.
  private func lastPageName(of box: BoxID) -> String {
    var box = box
    while passesBreaks(box) {
      let child = lastInFlowChild(of: box)
      if child.isNone { break }
      box = child
    }
    return pageName(of: box)
  }
  /// The name of a page that goes on at `token`.
  func pageName(at token: BreakToken?) -> String {
    guard inputs.hasNamedPages else { return "" }
    guard var token else { return firstPageName(of: BoxTree.root) }
    while !token.isBreakBefore, tree.boxes[token.box.index].kind != .columns, let child = token.children.first {
      token = child
    }
    if token.isBreakBefore { return firstPageName(of: token.box) }
    return token.nextChild.isNone ? pageName(of: token.box) : firstPageName(of: token.nextChild)
  }
}

extension LayoutInputs {
  /// The box has its borders and paddings at breaks as well (CSS Fragmentation 3, section 5.4).
  package func clonesEdges(_ box: BoxID) -> Bool {
    let style = tree.boxes[box.index].style
    if style.page.index != 0, styles.pages[style.page.index].decorationBreak == .clone { return true }
    guard settings.composition.closesFrames, style.border.index != 0, styles.borders[style.border.index].isFrame else {
      return false
    }
    return !hasBorderOfGround(box)
  }

  /// The border of the whole text has the colour of the page's ground: it is no frame, but a margin.
  private func hasBorderOfGround(_ box: BoxID) -> Bool {
    guard holdsWholeText(box) else { return false }
    let style = tree.boxes[box.index].style
    return styles.borders[style.border.index].color == Sides(all: styles.backgrounds[style.background.index].color)
  }

  /// The box is the root or, as the body is, a child of it.
  func holdsWholeText(_ box: BoxID) -> Bool {
    box == BoxTree.root || tree.boxes[box.index].parent == BoxTree.root
  }
}

extension BoxFlags {
  /// Floats and absolutely positioned boxes.
  var isOutOfNormalFlow: Bool { contains(.float) || contains(.outOfFlow) }
}

extension Box {
  /// Margins stop at the box and floats outside do not reach into it.
  var establishesFormattingContext: Bool {
    flags.contains(.formattingContext) || kind == .table || kind.holdsItems || kind == .columns || kind == .tableCell
      || kind == .tableCaption
  }
}
