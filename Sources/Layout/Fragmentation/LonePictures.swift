import BoxGeneration
import Primitives
import Styling

/// A picture that is all that its chapter shows, as a cover is: it stands in the middle of its page, which is higher
/// than it is (G12).
extension LayoutContext {
  /// Moves the content of the page into its middle if it is one picture, and nothing has said where that stands.
  func centreLonePicture() {
    guard settings.deviations.setsPicturesApart, !page.root.isNone, page.lines.count <= 1, let picture = lonePicture
    else { return }
    let area = contentAreaSize
    let size = page[picture.id].size
    let block = (area.block - size.block) / 2 - picture.offset.block
    // One that does not begin its line, or stands well below the page's top, has its place from the author.
    guard picture.offset.block * Self.leastTopPart <= area.block else { return }
    let isAtStart = picture.offset.inline <= Self.mostInset
    let inline = isAtStart ? (area.inline - size.inline) / 2 - picture.offset.inline : .zero
    guard block > .zero, inline >= .zero else { return }
    let root = page[page.root].offset
    page.setOffset(LogicalOffset(inline: root.inline + inline, block: root.block + block), of: page.root)
  }

  /// A picture no farther from the start of the lines than its paragraph's indent may be has no place of its own.
  private static let mostInset = LayoutUnit(1)
  /// Nor is one in the uppermost part of its page, a tenth.
  private static let leastTopPart = 10

  /// The picture that the page shows beside nothing else, and its place in the page's area.
  private var lonePicture: (id: FragmentID, offset: LogicalOffset)? {
    var found: (id: FragmentID, offset: LogicalOffset)?
    var open = [(page.root, page[page.root].offset)]
    while let (id, offset) = open.popLast() {
      let fragment = page[id]
      switch fragment.kind {
      case .box, .inlineBox, .line: break
      default: return nil
      }
      if fragment.flags.contains(.positioned) { return nil }
      if fragment.kind == .box {
        let box = tree.boxes[fragment.box.index]
        if box.content == .replaced {
          guard found == nil, !box.flags.isOutOfNormalFlow else { return nil }
          found = (id, offset)
          continue
        }
        // Grounds and borders stand where they are.
        if id != page.root, box.parent != BoxTree.root,
          box.style.border.index != 0 || box.style.background.index != 0
        {
          return nil
        }
      }
      var child = fragment.firstChild
      while !child.isNone {
        open.append((child, offset + page[child].offset))
        child = page[child].nextSibling
      }
    }
    return found
  }
}
