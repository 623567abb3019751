import BoxGeneration
import Primitives
import Styling

/// The texts of a page that may be set in one line more or less.
struct LooseTexts {
  private struct Candidate {
    var box: BoxID
    /// The place where it goes on from the page before.
    var start: InlineBreak?
    var space: InlineSpace
    /// Share of the measure by which its lines get wider with one more or narrower with one less; an estimate.
    var strain: (longer: Double, shorter: Double)
    var longer: Bool?
    var shorter: Bool?
  }

  private var candidates: [Candidate] = []

  /// Lines that are to become wider or narrower by more are not looked at.
  private static let mostStrain = 0.06
  /// The same of a text that ends on a later page.
  private static let unknownStrain = 0.02
  /// A last line has some ems at least.
  private static let leastLastLine = 2

  /// - Parameter token: Where the page begins.
  init(on page: PageBuilder, from token: BreakToken?, _ context: LayoutContext) {
    collect(page.root, lineLeft: page[page.root].offset.inline, page, token, context)
  }

  private mutating func collect(
    _ parent: FragmentID, lineLeft: LayoutUnit, _ page: PageBuilder, _ token: BreakToken?, _ context: LayoutContext
  ) {
    let fragment = page[parent]
    let box = context.tree.boxes[fragment.box.index]
    guard fragment.kind == .box, box.kind == .block, !box.flags.isOutOfNormalFlow else { return }
    if box.content == .text {
      return add(fragment, lineLeft: lineLeft, geometry: page.geometry(of: parent), page, token, context)
    }
    var child = fragment.firstChild
    while !child.isNone {
      collect(child, lineLeft: lineLeft + page[child].offset.inline, page, token, context)
      child = page[child].nextSibling
    }
  }

  private mutating func add(
    _ fragment: Fragment, lineLeft: LayoutUnit, geometry: BoxGeometry, _ page: PageBuilder, _ token: BreakToken?,
    _ context: LayoutContext
  ) {
    let isRest = fragment.flags.contains(.continuesBefore)
    let goesOn = fragment.flags.contains(.continuesAfter)
    let start = isRest ? token?.line(of: fragment.box) : nil
    // Texts whose looseness is chosen already, and those that fill a page, stay as they are.
    if isRest, goesOn || start == nil || start?.looseness != 0 { return }
    let edges = geometry.border.inlineSum + geometry.padding.inlineSum
    let measure = fragment.size.inline - edges
    guard measure > .zero else { return }
    var count = 0
    var last = FragmentID.none
    var child = fragment.firstChild
    while !child.isNone {
      if page[child].kind == .line { (count, last) = (count + 1, child) }
      child = page[child].nextSibling
    }
    guard !last.isNone else { return }
    var space = InlineSpace(
      contentInline: measure, bfcOffset: LogicalOffset(inline: geometry.border.lineLeft + geometry.padding.lineLeft))
    space.fragmentainer.inlineOffset = lineLeft
    var strain = (longer: Self.unknownStrain, shorter: Self.unknownStrain)
    if !goesOn {
      let used = page.line(of: last).contentWidth.pixels / measure.pixels
      let least = Double(context.fontSize(context.tree.boxes[fragment.box.index].style.font)) / measure.pixels
      strain.longer = (1 - used + least * Double(Self.leastLastLine)) / Double(count)
      strain.shorter = count > 1 ? used / Double(count - 1) : .infinity
    }
    candidates.append(
      Candidate(
        box: fragment.box, start: start, space: space, strain: strain))
  }

  /// The texts that are best made longer, or shorter where `shift` is negative, by one line each; nil where there are not as many.
  mutating func looseness(by shift: Int, _ context: LayoutContext) -> [BoxID: Int8]? {
    let change: Int8 = shift > 0 ? 1 : -1
    func strain(_ number: Int) -> Double {
      change > 0 ? candidates[number].strain.longer : candidates[number].strain.shorter
    }
    let order = candidates.indices.filter { strain($0) <= Self.mostStrain }.sorted {
      (strain($0), $0) < (strain($1), $1)
    }
    guard order.count >= abs(shift) else { return nil }
    var found: [BoxID: Int8] = [:]
    for number in order {
      guard canChange(number, by: change, context) else { continue }
      found[candidates[number].box] = change
      if found.count == abs(shift) { return found }
    }
    return nil
  }

  private mutating func canChange(_ number: Int, by change: Int8, _ context: LayoutContext) -> Bool {
    let candidate = candidates[number]
    if let known = change > 0 ? candidate.longer : candidate.shorter { return known }
    let can = InlineLayouter.canChange(
      candidate.box, by: change, in: candidate.space, from: candidate.start, context)
    if change > 0 { candidates[number].longer = can } else { candidates[number].shorter = can }
    return can
  }
}

extension BreakToken {
  /// The break in the text of a box in which the page ended.
  fileprivate func line(of box: BoxID) -> InlineBreak? {
    var token = self
    while let child = token.children.first { token = child }
    guard token.box == box, case .lines(let place, let parts) = token.place, parts.isEmpty else { return nil }
    return place
  }
}
