import BoxGeneration
import Graphics
import Layout
import Primitives

/// The text of a box as the shape its background is seen through: `background-clip: text` (CSS Backgrounds 4, section 2.4).
struct TextMask {
  struct Line {
    var fragment: FragmentID
    var offset: LogicalOffset
  }
  var fragment: FragmentID
  var offset: LogicalOffset
  /// The line of an inline box.
  var line: Line?
}

extension PagePainting {
  /// Ends the group that was opened last, of which only what lies under the text stays.
  mutating func endGroup(maskedBy mask: TextMask, bounds: Rect) {
    list.items.append(.saveLayer(LayerStyle(blend: .maskIn, bounds: bounds)))
    let outer = textMaskColor
    textMaskColor = .black
    if let line = mask.line {
      let box = page[mask.fragment].box
      for child in children(of: line.fragment) where page[child].kind == .text && isInside(page[child].box, box) {
        paintText(page[child], at: line.offset + page[child].offset, line: line.fragment, lineOffset: line.offset)
      }
    } else {
      paintTexts(in: mask.fragment, at: mask.offset)
    }
    textMaskColor = outer
    list.items.append(.restore)
    list.items.append(.restore)
  }

  private func isInside(_ box: BoxID, _ ancestor: BoxID) -> Bool {
    var box = box
    while !box.isNone, box.index < tree.boxes.count {
      if box == ancestor { return true }
      let parent = tree[box].parent
      guard !parent.isNone, parent.index < box.index else { return false }
      box = parent
    }
    return false
  }

  private mutating func paintTexts(in id: FragmentID, at offset: LogicalOffset) {
    for child in children(of: id) {
      let childOffset = offset + page[child].offset
      switch page[child].kind {
      case .text: paintText(page[child], at: childOffset, line: id, lineOffset: offset)
      case .line, .box: paintTexts(in: child, at: childOffset)
      case .inlineBox: continue
      }
    }
  }
}
