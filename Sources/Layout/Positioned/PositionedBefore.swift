import BoxGeneration
import CSS
import Primitives
import Styling

/// Positioned boxes above the start of the page that they are met on: they stand in their containing block as if the
/// pages were one long strip (CSS Positioned Layout 3, section 2.1), and so on the page before. That page looks ahead to
/// the next one, and is made again where it has such boxes.
extension PageComposer {
  /// The next page, nil after the last one.
  package mutating func nextPage() -> PageLayout? {
    guard context.inputs.mayRaisePositioned else { return makePage() }
    let before = self
    guard let page = makePage() else { return nil }
    guard !page.traits.isBlank, !isFinished, !context.isCancelled else { return page }
    let size = context.contentAreaSize.block
    let raised = raisedByNextPage
    guard !raised.isEmpty else { return page }
    self = before
    state.pushedPositioned.raise(raised, by: size)
    return makePage()
  }

  /// The boxes that the next page with content leaves to the page before.
  private var raisedByNextPage: [PushedPositioned] {
    var ahead = self
    // From a place handed in: what the page leaves to the one before is on neither yet.
    ahead.checkpoint = state
    while let next = ahead.makePage() {
      if !next.traits.isBlank { return ahead.progress.raisedPositioned }
    }
    return []
  }
}

extension LayoutInputs {
  /// An absolutely positioned box has an inset or a margin that may lift it above the start of its containing block.
  static func mayRaisePositioned(_ styles: StyleTable, in mode: WritingMode) -> Bool {
    func isSet(_ value: MarginValue, where holds: (Float) -> Bool) -> Bool {
      switch value {
      case .auto: false
      case .length(.length(let length)): holds(length.value)
      case .length(.calculation): true
      }
    }
    return styles.boxes.contains { style in
      guard style.position == .absolute else { return false }
      let inset = mode.flow(style.inset)
      let margin = mode.flow(style.margin)
      return isSet(inset.blockStart) { $0 < 0 } || isSet(margin.blockStart) { $0 < 0 }
        || inset.blockEnd != .auto && (isSet(inset.blockEnd) { $0 > 0 } || isSet(margin.blockEnd) { $0 > 0 })
    }
  }
}
