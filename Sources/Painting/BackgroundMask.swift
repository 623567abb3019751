import BoxGeneration
import CSS
import Graphics
import Layout
import Primitives

/// What is painted of a box as the shape its background is seen through: its text, or the strokes of its border, as if
/// they were opaque (CSS Backgrounds 4, section 2.4).
struct BackgroundMask {
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
  /// Ends the group that was opened last, of which only what lies under the text or the border stays.
  mutating func endGroup(maskedBy mask: BackgroundMask, _ clip: BackgroundBox, of boxes: BackgroundBoxes) {
    list.items.append(.saveLayer(LayerStyle(blend: .maskIn, bounds: boxes.border)))
    if clip == .borderArea {
      paintStrokes(of: mask, boxes)
    } else {
      paintText(of: mask)
    }
    list.items.append(.restore)
    list.items.append(.restore)
  }

  private mutating func paintStrokes(of mask: BackgroundMask, _ boxes: BackgroundBoxes) {
    let sides = borderSides(of: page[mask.fragment], insets: boxes.borderWidths).map {
      BorderSide(width: $0.width, style: $0.style, color: .black)
    }
    paintBorder(sides, rect: boxes.border, radii: boxes.radii)
  }

  private mutating func paintText(of mask: BackgroundMask) {
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
