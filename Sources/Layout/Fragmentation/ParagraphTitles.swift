import BoxGeneration
import Primitives
import Text

/// Paragraphs that are titles by their looks alone: short, bold from end to end, and before content that is not. Books have them
/// over sections and over figures and tables.
extension LayoutContext {
  /// UTF-16 units of the longest title.
  private static let mostTitleUnits = 100
  /// The least weight of a bold face (CSS Fonts 4, section 2.2).
  private static let leastBoldWeight: UInt16 = 600

  /// The box is a title by its looks of the one behind it, and is not to be parted from that.
  func isTitle(_ box: BoxID, of next: BoxID) -> Bool {
    settings.departures.keepsTitles && isBoldParagraph(box) && !isBoldParagraph(next)
  }

  private func isBoldParagraph(_ id: BoxID) -> Bool {
    let box = tree.boxes[id.index]
    guard box.kind == .block, box.content == .text, !box.text.isNone else { return false }
    let text = tree.texts[box.text]
    guard !text.units.isEmpty, text.units.count <= Self.mostTitleUnits else { return false }
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
