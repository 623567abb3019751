import BoxGeneration
import CSS
import Fonts
import Primitives
import Shaping
import Styling
import Text

/// The house style of a paragraph once its text is known.
extension LayoutContext {
  func lineStyle(of id: Identifier<ParagraphStyleTag>, _ paragraph: InlineParagraph) -> ParagraphStyle {
    var style = styles.paragraphs[id.index]
    // A picture alone stands within the measure.
    if !style.indent.isZero, settings.deviations.setsPicturesApart, pictureCount(in: paragraph.text) > 0 {
      style.indent = .zero
    }
    guard style.conventions != .none else { return style }
    if style.align == .houseJustify {
      style.align = style.conventions != .western || hasHyphenation(paragraph) && !isCode(paragraph) ? .justify : .start
    }
    if style.hangingPunctuation.contains(.verticalOnly), writingMode.isHorizontal { style.hangingPunctuation = [] }
    // Ideographic spaces typed at the start are an indent already.
    if !style.indent.isZero {
      let units = tree.texts.texts[paragraph.text.index].units
      if !units.isEmpty, tree.texts.units[units.lowerBound] == 0x3000 { style.indent = .zero }
    }
    return style
  }

  /// All of a text is set in faces whose glyphs are of one width.
  private func isCode(_ paragraph: InlineParagraph) -> Bool {
    !paragraph.shaped.runs.isEmpty && paragraph.shaped.runs.allSatisfy { fonts.face($0.font)?.isMonospace ?? false }
  }

  /// Words can be divided in the language that a text begins with.
  private func hasHyphenation(_ paragraph: InlineParagraph) -> Bool {
    guard let run = paragraph.shaped.runs.first else { return false }
    let attributes = tree.texts.attributes[run.attributes]
    return workspace.shaper.hasHyphenation(tree.texts.attributes.language(attributes.language))
  }
}
