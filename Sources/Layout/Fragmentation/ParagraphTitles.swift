import BoxGeneration
import CSS
import Primitives
import Styling
import Text

/// Paragraphs that are titles or captions by their looks alone. Titles are short, bold from end to end, and before content that is
/// not: books have them over sections and over figures and tables. Captions are short, smaller than the text around them, italic,
/// centred or begun in bold, and behind a picture.
extension LayoutContext {
  /// UTF-16 units of the longest title.
  private static let mostTitleUnits = 100
  /// UTF-16 units of the longest caption.
  private static let mostCaptionUnits = 240
  /// The least weight of a bold face (CSS Fonts 4, section 2.2).
  private static let leastBoldWeight: UInt16 = 600

  /// The box is a title by its looks of the one behind it, and is not to be parted from that.
  func isTitle(_ box: BoxID, of next: BoxID) -> Bool {
    settings.departures.keepsTitles && isBoldParagraph(box) && !isBoldParagraph(next)
  }

  /// The box is a caption by its looks of the picture before it, and is not to be parted from that.
  func isCaption(_ box: BoxID, of previous: BoxID) -> Bool {
    settings.departures.keepsTitles && isPicture(previous) && looksLikeCaption(box) && !isBoldParagraph(box)
  }

  /// The box holds a picture and nothing else.
  private func isPicture(_ id: BoxID) -> Bool {
    var inner = id
    while tree.boxes[inner.index].content == .boxes, !tree.boxes[inner.index].flags.isOutOfNormalFlow {
      let child = firstInFlowChild(of: inner)
      guard !child.isNone, tree.boxes[child.index].nextSibling.isNone else { return false }
      inner = child
    }
    let box = tree.boxes[inner.index]
    if box.flags.isOutOfNormalFlow { return false }
    if box.content == .replaced { return true }
    guard box.kind == .block, box.content == .text, !box.text.isNone else { return false }
    let text = tree.texts[box.text]
    var pictures = 0
    var start = text.units.lowerBound
    for run in tree.texts.runs[text.runs] {
      let end = text.units.lowerBound + Int(run.end)
      defer { start = end }
      if run.kind == .object, tree.boxes[run.box.index].content == .replaced {
        pictures += 1
      } else if run.kind == .text || run.kind == .object {
        guard isSpace(start..<end) else { return false }
      }
    }
    return pictures == 1
  }

  private func looksLikeCaption(_ id: BoxID) -> Bool {
    let box = tree.boxes[id.index]
    guard let text = shortText(of: id, atMost: Self.mostCaptionUnits) else { return false }
    if styles.paragraphs[box.style.paragraph.index].align == .center { return true }
    let around = box.parent.isNone ? box.style.font : tree.boxes[box.parent.index].style.font
    var start = 0
    for run in tree.texts.runs[text.runs] {
      defer { start = Int(run.end) }
      guard run.kind == .text, !isSpace(text.units.lowerBound + start..<text.units.lowerBound + Int(run.end)) else {
        continue
      }
      let attributes = tree.texts.attributes
      let font = attributes[attributes[attributes[run.attributes].shaping].font]
      return font.description.weight >= Self.leastBoldWeight || font.description.slant != .normal
        || fontSize(box.style.font) < fontSize(around)
    }
    return false
  }

  /// The text of a block, if it has no more than so many units, and some.
  private func shortText(of id: BoxID, atMost most: Int) -> AttributedText? {
    let box = tree.boxes[id.index]
    guard box.kind == .block, box.content == .text, !box.text.isNone else { return nil }
    let text = tree.texts[box.text]
    return text.units.isEmpty || text.units.count > most ? nil : text
  }

  private func isBoldParagraph(_ id: BoxID) -> Bool {
    guard let text = shortText(of: id, atMost: Self.mostTitleUnits) else { return false }
    var start = 0
    var hasText = false
    for run in tree.texts.runs[text.runs] {
      defer { start = Int(run.end) }
      guard run.kind == .text, !isSpace(text.units.lowerBound + start..<text.units.lowerBound + Int(run.end)) else {
        continue
      }
      let attributes = tree.texts.attributes
      guard attributes[attributes[attributes[run.attributes].shaping].font].description.weight >= Self.leastBoldWeight
      else { return false }
      hasText = true
    }
    return hasText
  }

  private func isSpace(_ units: Range<Int>) -> Bool {
    units.allSatisfy { unit in
      switch tree.texts.units[unit] {
      case 0x09, 0x0A, 0x20, 0xA0: true
      default: false
      }
    }
  }
}
