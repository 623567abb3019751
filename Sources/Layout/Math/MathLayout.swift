import BoxGeneration
import CSS
import Fonts
import Primitives
import Styling

/// A part of a formula that is laid out and not attached yet.
struct MathItem {
  let box: BoxID
  let fragment: FragmentID
  /// Of the border box.
  var size: LogicalSize
  /// The baseline, from the border box's upper edge.
  var baseline: LayoutUnit
  let margins: FlowEdges
  /// The distance by which its last glyph leans over its end.
  var italic = LayoutUnit.zero
  /// The place where an accent is attached, from the border box's left edge; nil for the middle.
  var attachment: LayoutUnit?
  /// The face, glyph and font size of an item that is one glyph.
  var glyph: (face: FontFace, id: UInt16, size: Float)?
  /// The item is a large operator.
  var isLarge = false
  var outOfFlow: [OutOfFlowBox] = []

  /// The reach of the margin box from the baseline.
  var above: LayoutUnit { margins.blockStart + baseline }
  var below: LayoutUnit { size.block - baseline + margins.blockEnd }
  /// The width of the margin box.
  var inline: LayoutUnit { size.inline + margins.inlineSum }
}

/// The length that an operator stretches to (MathML Core, section 3.2.4.3).
enum MathStretch {
  case inline(LayoutUnit)
  case block(above: LayoutUnit, below: LayoutUnit)
}

/// Formulas (MathML Core, section 3): every element is a box whose baseline is known, and whose parent places it by that. A formula is
/// never broken.
struct MathLayout {
  let context: LayoutContext
  /// The width of the containing block, which percentages refer to.
  let available: LayoutUnit
  let space: ConstraintSpace
  /// The box around all others.
  let root: BoxID
  var progress: FlowProgress

  static func layout(
    _ box: BoxID, in space: ConstraintSpace, _ context: LayoutContext, _ progress: inout FlowProgress
  ) -> LayoutResult {
    var layout = MathLayout(
      context: context, available: space.availableInline, space: space, root: box, progress: progress)
    let item = layout.lay(box)
    progress = layout.progress
    var result = LayoutResult(fragment: item.fragment, size: item.size)
    result.baselines = Baselines(first: item.baseline, last: item.baseline)
    result.bfcBlock = .zero
    result.outOfFlow = item.outOfFlow
    if context.isContainingBlockForPositioned(box) {
      let value = context.tree.boxes[box.index]
      context.layoutPositioned(
        in: &result, of: box, in: space,
        geometry: context.borderAndPadding(of: box, availableInline: space.availableInline),
        direction: context.styles.paragraphs[value.style.paragraph.index].direction, from: nil, inColumn: nil,
        progress: &progress)
    }
    return result
  }

  /// The width of a formula's content: it has but one, unless it is a space.
  static func contentSizes(of box: BoxID, _ context: LayoutContext) -> IntrinsicSizes {
    context.trials.begin()
    defer { context.trials.end() }
    let savepoint = context.page.savepoint()
    defer { context.page.rollBack(to: savepoint) }
    var layout = MathLayout(
      context: context, available: context.contentAreaSize.inline,
      space: ConstraintSpace(mode: context.mode, availableInline: context.contentAreaSize.inline), root: .none,
      progress: FlowProgress())
    layout.ignoresOwnWidth = box
    let geometry = context.borderAndPadding(of: box, availableInline: .zero)
    let width = layout.lay(box).size.inline - geometry.border.inlineSum - geometry.padding.inlineSum
    // A space gives way in a table that is too wide.
    let givesWay = context.settings.deviations.extendsFormulas && context.tree.formulas[box]?.role == .space
    return IntrinsicSizes(minimum: givesWay ? .zero : Swift.max(.zero, width), maximum: Swift.max(.zero, width))
  }
  /// Operators among nothing but operators are being measured, before they are stretched. Those in them are not: nested ones would
  /// be measured again and again.
  private(set) var isMeasuring = false
  /// The box whose content is measured.
  private(set) var ignoresOwnWidth = BoxID.none

  // MARK: Boxes

  func value(_ box: BoxID) -> Box { context.tree.boxes[box.index] }
  func measures(_ box: BoxID) -> MathMeasures { MathMeasures(value(box).style, context) }
  func direction(_ box: BoxID) -> TextDirection {
    context.styles.paragraphs[value(box).style.paragraph.index].direction
  }

  /// The children in flow.
  func children(of box: BoxID) -> [BoxID] {
    var result: [BoxID] = []
    var child = value(box).firstChild
    while !child.isNone {
      if !value(child).flags.contains(.outOfFlow) { result.append(child) }
      child = value(child).nextSibling
    }
    return result
  }

  /// The operator that a box is, or embellishes (section 3.2.4.1).
  func core(_ box: BoxID, depth: Int = 0) -> MathOperator? {
    guard depth < Self.mostLevels, let made = context.tree.formulas[box] else { return nil }
    switch made.role {
    case .operation: return made.operation
    case .scripts, .limits, .fraction: return children(of: box).first.flatMap { core($0, depth: depth + 1) }
    case .row, .padded: return coreChild(of: box).flatMap { core($0, depth: depth + 1) }
    case .token, .space, .radical: return nil
    }
  }
  private static let mostLevels = 8

  /// The only child of a row that is no space.
  func coreChild(of box: BoxID) -> BoxID? {
    var only: BoxID?
    for child in children(of: box) where context.tree.formulas[child]?.isSpaceLike != true {
      guard only == nil else { return nil }
      only = child
    }
    return only
  }

  /// Lays out a box.
  ///
  /// - Parameter stretch: The length that the operator in its core stretches to.
  mutating func lay(_ box: BoxID, stretch: MathStretch? = nil) -> MathItem {
    guard !context.isCancelled, let made = context.tree.formulas[box] else {
      return isText(box) ? token(box) : other(box)
    }
    switch made.role {
    case .row: return row(box, stretch)
    case .token: return value(box).content == .boxes && !value(box).firstChild.isNone ? other(box) : token(box)
    case .operation: return operation(box, made, stretch)
    case .space: return padded(box, made, nil)
    case .padded: return padded(box, made, stretch)
    case .fraction: return fraction(box, made, stretch)
    case .radical: return radical(box, made)
    case .scripts: return scripts(box, made, stretch)
    case .limits: return limits(box, made, stretch)
    }
  }

  /// Loose text in a row.
  private func isText(_ box: BoxID) -> Bool { value(box).content == .text && value(box).flags.contains(.anonymous) }

  /// A table, or a box of HTML.
  private mutating func other(_ box: BoxID) -> MathItem {
    let margins = context.margins(of: box, availableInline: available)
    var inner = ConstraintSpace(mode: context.mode, availableInline: available)
    inner.imposed.inline = context.outOfFlowInline(
      box, available: Swift.max(.zero, available - margins.inlineSum), containing: available)
    inner.fragmentainer = space.fragmentainer.unbroken
    let result = context.layout(box, in: inner, from: nil, &progress)
    let baseline = context.mathTableBaseline(of: box, result) ?? result.baselines.first ?? result.size.block
    var item = MathItem(box: box, fragment: result.fragment, size: result.size, baseline: baseline, margins: margins)
    item.outOfFlow = result.outOfFlow
    return item
  }

  // MARK: Rows

  /// Children one after the other, fences among them as high as the others (section 3.3.1).
  mutating func row(_ box: BoxID, _ stretch: MathStretch?) -> MathItem {
    var frame = frame(of: box)
    place(children(of: box), in: &frame, stretch, core: coreChild(of: box))
    return finish(frame)
  }

  /// Lays out the children of a row.
  mutating func place(_ boxes: [BoxID], in frame: inout MathFrame, _ stretch: MathStretch?, core coreBox: BoxID? = nil)
  {
    for item in items(of: boxes, stretch, core: coreBox) {
      frame.place(item, at: frame.width)
      frame.width += item.inline
      frame.italic = item.italic
      frame.attachment = boxes.count == 1 ? item.attachment.map { $0 + item.margins.lineLeft } : nil
      frame.glyph = boxes.count == 1 ? item.glyph : nil
      frame.isLarge = boxes.count == 1 && item.isLarge
    }
  }

  private mutating func items(of boxes: [BoxID], _ stretch: MathStretch?, core coreBox: BoxID?) -> [MathItem] {
    func stretches(_ box: BoxID) -> Bool {
      guard let operation = core(box) else { return false }
      return operation.isStretchy && !operation.isHorizontal
    }
    var items = [MathItem?](repeating: nil, count: boxes.count)
    var (above, below) = (LayoutUnit.min, LayoutUnit.min)
    func include(_ item: MathItem) {
      above = Swift.max(above, item.above)
      below = Swift.max(below, item.below)
    }
    for (index, box) in boxes.enumerated() where box == coreBox && stretch != nil || !stretches(box) {
      let item = lay(box, stretch: box == coreBox ? stretch : nil)
      include(item)
      items[index] = item
    }
    if above == .min {
      if isMeasuring { (above, below) = (.zero, .zero) } else { for box in boxes { include(measure(box)) } }
    }
    for index in boxes.indices where items[index] == nil {
      items[index] = lay(boxes[index], stretch: .block(above: above, below: below))
    }
    return items.compactMap { $0 }
  }

  /// Lays out a box where nothing of it stays.
  mutating func measure(_ box: BoxID) -> MathItem {
    let outer = isMeasuring
    isMeasuring = true
    defer { isMeasuring = outer }
    let savepoint = context.page.savepoint()
    defer { context.page.rollBack(to: savepoint) }
    return lay(box)
  }

  // MARK: Padded rows and spaces

  /// `mpadded` and `mspace` (section 3.3.6 and section 3.2.5).
  private mutating func padded(_ box: BoxID, _ made: MathBox, _ stretch: MathStretch?) -> MathItem {
    var frame = frame(of: box)
    if made.role == .padded { place(children(of: box), in: &frame, stretch, core: coreChild(of: box)) }
    let font = value(box).style.font
    let content = frame
    func used(_ adjustment: MathBox.Adjustment?, _ own: LayoutUnit, isSize: Bool = true) -> LayoutUnit {
      guard let adjustment else { return own }
      let base: LayoutUnit
      switch adjustment.base {
      case .none: base = .zero
      case .own:
        // Percentages are of no length (MathML Core, section 2.1.5), but for changes as MathML 3 has them.
        guard adjustment.sign != nil || made.role == .padded && context.settings.deviations.extendsFormulas else {
          return own
        }
        base = own
      case .width: base = content.width
      case .height: base = content.above
      case .depth: base = content.below
      }
      let length = context.resolve(adjustment.length, font: font, percentage: base)
      let size = adjustment.sign.map { own + LayoutUnit(length.float * $0) } ?? length
      return isSize ? Swift.max(.zero, size) : size
    }
    let shift = used(made.leading, .zero, isSize: false)
    let rise = used(made.rise, .zero, isSize: false)
    frame.move(by: shift, -rise)
    frame.width = used(made.width, content.width)
    frame.above = used(made.height, content.above)
    frame.below = used(made.depth, content.below)
    return finish(frame)
  }
}
