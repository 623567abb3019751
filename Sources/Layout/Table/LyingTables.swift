import BoxGeneration
import Primitives
import Styling

/// Tables that lie on their side, their head at the left: those whose words would be broken on a page that is too narrow, and
/// that the height of the page has room for.
extension LayoutContext {
  /// How much longer than wide a page is on which tables lie.
  private static let leastGain = 1.2

  /// The factor that makes a lying table fit the height of the page, and the inline size it is laid out with before it is made
  /// smaller; nil for a table that stands.
  ///
  /// - Parameters:
  ///   - inline: The table's border-box inline size if it stands.
  ///   - wanted: What it needs to keep its words whole.
  func lyingScale(
    _ table: BoxID, in space: ConstraintSpace, inline: LayoutUnit, wanted: LayoutUnit
  ) -> (scale: Double, inline: LayoutUnit)? {
    guard wanted * Self.leastTableScale > inline, space.fragmentainerSize != nil, !space.isMeasuring, !liesDown,
      space.column == .none, writingMode.isHorizontal, !hasTurnedFlows, isInPlainFlow(table)
    else { return nil }
    let length = contentAreaSize.block
    guard length > contentAreaSize.inline * Self.leastGain, length > inline * Self.leastGain else { return nil }
    return lie {
      let inline = tableInlineSize(table, available: length, containing: length)
      let (scale, enlarged, wanted) = tableScale(table, inline: inline)
      return wanted * Self.leastTableScale > inline ? nil : (scale, enlarged)
    }
  }

  /// Whether all boxes around a box are blocks one below the other.
  private func isInPlainFlow(_ box: BoxID) -> Bool {
    var box = box
    while box != BoxTree.root, !box.isNone {
      let value = tree.boxes[box.index]
      guard value.kind == .block || value.kind == .table, !value.flags.isOutOfNormalFlow,
        !value.flags.contains(.atomicInline)
      else { return false }
      box = value.parent
      if !box.isNone, tree.boxes[box.index].kind == .table { return false }
    }
    return true
  }

  /// Lets the page's height be the measure. Sizes that were measured for its width are put by.
  private func lie<Result>(_ body: () -> Result) -> Result {
    liesDown = true
    swapSizes()
    defer {
      liesDown = false
      swapSizes()
    }
    return body()
  }
  private func swapSizes() {
    swap(&intrinsicCache, &lyingSizes.intrinsic)
    swap(&measureCache, &lyingSizes.measured)
    swap(&tableModels, &lyingSizes.models)
    swap(&narrowTables, &lyingSizes.narrow)
  }

  /// Lays out a table, or what is left of it, on its side: as far as the page is wide.
  func layoutLyingTable(
    _ table: BoxID, in space: ConstraintSpace, from token: BreakToken?, scale: Double, inline: LayoutUnit
  ) -> LayoutResult {
    let mark = mark()
    let width = contentAreaSize.inline - space.pageInline
    var inner = ConstraintSpace(
      availableInline: contentAreaSize.block, direction: space.direction, isNewFormattingContext: true)
    inner.fixedInline = inline
    inner.fragmentainerSize = Swift.max(width, contentAreaSize.inline / 4)
    inner.isAtPageStart = true
    let laidOut = lie {
      guard scale == 1 else { return layoutScaledTable(table, in: inner, from: token, scale: scale, inline: inline) }
      var layout = TableLayout(context: self, table: table, space: inner, token: token)
      return layout.run()
    }
    guard !laidOut.fragment.isNone else { return laidOut }
    let room = space.fragmentainerSize.map { $0 - space.fragmentainerOffset }
    if let room, !space.isAtPageStart, laidOut.size.inline > room {
      rewind(to: mark)
      return LayoutResult(fragment: .none, size: .zero, next: token ?? .before(table))
    }
    page.lieDown(since: mark.page)
    turnFragments(laidOut.fragment, from: .sidewaysLR, to: writingMode)
    // In the middle of the measure.
    let size = LogicalSize(
      inline: Swift.max(space.fixedInline ?? space.availableInline, laidOut.size.block), block: laidOut.size.inline)
    let place = LogicalOffset(inline: (size.inline - laidOut.size.block) / 2, block: .zero)
    let wrapper = page.appendBox(table, size: size, geometry: BoxGeometry(), flags: .paintsNothing)
    page.attach(laidOut.fragment, to: wrapper, at: place)
    var result = LayoutResult(fragment: wrapper, size: size, next: laidOut.next)
    result.bfcBlock = space.bfcBlock
    result.outOfFlow = laidOut.outOfFlow.map { entry in
      var entry = entry
      entry.staticOffset = place
      return entry
    }
    return result
  }
}

extension PageLayout {
  /// Marks all that was added since a mark as lying on its side.
  fileprivate mutating func lieDown(since mark: Mark) {
    for index in fragments.indices.dropFirst(mark.fragments) { fragments[index].flags.insert(.liesDown) }
    for index in lines.indices.dropFirst(mark.lines) { lines[index].writingMode = .sidewaysLR }
    for index in texts.indices.dropFirst(mark.texts) { texts[index].isSideways = true }
  }
}

/// What `LayoutContext` keeps of sizes, for boxes that lie on their side.
struct LyingSizes {
  var intrinsic: [BoxID: IntrinsicSizes] = [:]
  var measured: [MeasureKey: (block: LayoutUnit, firstBaseline: LayoutUnit?)] = [:]
  var models: [BoxID: TableModel] = [:]
  var narrow: [BoxID: Double] = [:]
}
