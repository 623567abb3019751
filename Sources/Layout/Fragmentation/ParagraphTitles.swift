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
  /// UTF-16 units of the longest question that is the title of its answer.
  private static let mostQuestionUnits = 240
  /// UTF-16 units of the longest caption.
  private static let mostCaptionUnits = 240
  /// The least weight of a bold face (CSS Fonts 4, section 2.2).
  private static let leastBoldWeight: UInt16 = 600

  /// The box is a title by its looks of the one behind it, and is not to be parted from that.
  func isTitle(_ box: BoxID, of next: BoxID) -> Bool {
    settings.deviations.keepsTitles && isBoldParagraph(soleContent(of: box)) && !isBoldParagraph(firstContent(of: next))
  }

  /// The box is a caption by its looks of the picture before it, and is not to be parted from that.
  func isCaption(_ box: BoxID, of previous: BoxID) -> Bool {
    settings.deviations.keepsTitles && isPicture(previous) && looksLikeCaption(box) && !isBoldParagraph(box)
  }

  /// The box holds a picture and nothing else.
  private func isPicture(_ id: BoxID) -> Bool {
    let box = tree.boxes[soleContent(of: id).index]
    if box.flags.isOutOfNormalFlow { return false }
    if box.content == .replaced { return true }
    guard box.kind == .block, box.content == .text, !box.text.isNone else { return false }
    return pictureCount(in: box.text) == 1
  }

  /// The box that is all that a box holds, and in which there are several boxes, or other content.
  private func soleContent(of id: BoxID) -> BoxID {
    var inner = id
    while tree.boxes[inner.index].content == .boxes, tree.boxes[inner.index].kind == .block,
      !tree.boxes[inner.index].flags.isOutOfNormalFlow
    {
      let child = firstInFlowChild(of: inner)
      guard !child.isNone, tree.boxes[child.index].nextSibling.isNone else { return inner }
      inner = child
    }
    return inner
  }

  /// The first box in a box, or in its first box, that has other content than boxes.
  private func firstContent(of id: BoxID) -> BoxID {
    var inner = id
    while tree.boxes[inner.index].content == .boxes, tree.boxes[inner.index].kind == .block {
      let child = firstInFlowChild(of: inner)
      guard !child.isNone else { return inner }
      inner = child
    }
    return inner
  }

  /// The number of pictures in a text that shows nothing else; zero where it does.
  func pictureCount(in text: TextID) -> Int {
    var count = 0
    for run in visibleRuns(of: tree.texts[text]) {
      guard run.kind == .object, tree.boxes[run.box.index].content == .replaced else { return 0 }
      count += 1
    }
    return count
  }

  /// All words in a box are bold; nil where there are none.
  func isBold(_ id: BoxID) -> Bool? {
    var isBold: Bool?
    var open = [id]
    while let box = open.popLast() {
      if tree.boxes[box.index].content == .text, !tree.boxes[box.index].text.isNone {
        for font in fonts(of: tree.texts[tree.boxes[box.index].text]) {
          guard tree.texts.attributes[font].description.weight >= Self.leastBoldWeight else { return false }
          isBold = true
        }
      }
      var child = tree.boxes[box.index].firstChild
      while !child.isNone {
        open.append(child)
        child = tree.boxes[child.index].nextSibling
      }
    }
    return isBold
  }

  private func looksLikeCaption(_ id: BoxID) -> Bool {
    let box = tree.boxes[id.index]
    guard let text = shortText(of: id, atMost: Self.mostCaptionUnits) else { return false }
    if styles.paragraphs[box.style.paragraph.index].align == .center { return true }
    let around = box.parent.isNone ? box.style.font : tree.boxes[box.parent.index].style.font
    guard let first = fonts(of: text).first else { return false }
    return tree.texts.attributes[first].description.weight >= Self.leastBoldWeight
      || tree.texts.attributes[first].description.slant != .normal || fontSize(box.style.font) < fontSize(around)
  }

  /// The text of a block, if it has no more than so many units, and some.
  private func shortText(of id: BoxID, atMost most: Int) -> AttributedText? {
    let box = tree.boxes[id.index]
    guard box.kind == .block, box.content == .text, !box.text.isNone else { return nil }
    let text = tree.texts[box.text]
    return text.units.isEmpty || text.units.count > most ? nil : text
  }

  private func isBoldParagraph(_ id: BoxID) -> Bool {
    guard let text = shortText(of: id, atMost: Self.mostQuestionUnits),
      text.units.count <= Self.mostTitleUnits || isQuestion(text)
    else { return false }
    let fonts = fonts(of: text)
    return !fonts.isEmpty
      && fonts.allSatisfy { tree.texts.attributes[$0].description.weight >= Self.leastBoldWeight }
  }

  private func isQuestion(_ text: AttributedText) -> Bool {
    let last = text.units.last { !isSpace($0..<$0 + 1) }
    return last.map { [0x3F, 0x61F, 0xFF1F].contains(tree.texts.units[$0]) } ?? false
  }

  /// The fonts of a text's words, in order.
  private func fonts(of text: AttributedText) -> some Collection<FontRequestID> {
    visibleRuns(of: text).lazy.filter { $0.kind == .text }
      .map { self.tree.texts.attributes[self.tree.texts.attributes[$0.attributes].shaping].font }
  }

  /// The runs of a text that show something: words and objects.
  private func visibleRuns(of text: AttributedText) -> some Collection<Run> {
    let runs = tree.texts.runs
    return text.runs.lazy.filter { index in
      let start = index == text.runs.lowerBound ? 0 : Int(runs[index - 1].end)
      return switch runs[index].kind {
      case .text: !self.isSpace(text.units.lowerBound + start..<text.units.lowerBound + Int(runs[index].end))
      case .object: true
      default: false
      }
    }.map { runs[$0] }
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
