import BoxGeneration
package import CSS
import Fonts
package import Primitives
import Shaping
import Text

/// Room for emphasis marks, which are half as large as their text (CSS Text Decoration 4, section 3.4): they stand outside of
/// ruby annotations of the same text, and a line takes room for them as it does for annotations.
extension LayoutInputs {
  /// From the baseline to the middle of the marks of a text.
  ///
  /// - Parameters:
  ///   - first: The text's first UTF-16 unit: marks of ideographs, kana and Hangul stand on the em box, since the ascents of their
  ///     faces are generous, and others on the content area.
  ///   - annotations: How far ruby annotations on the marks' side reach.
  ///   - isCentral: `true` if the line has a central baseline.
  package func emphasisDistance(
    font: FontID, size: Float, first: UInt16, isUnder: Bool, annotations: LayoutUnit, isCentral: Bool
  ) -> LayoutUnit {
    let mark = size / 2
    var distance = size / 2 + mark / 2
    if !isCentral, let face = fonts.face(font) {
      let metrics = face.metrics
      let content = metrics.scaled(isUnder ? metrics.descent : metrics.ascent, size: size)
      distance = Float(content) + mark / 4
      if first >= 0x2E80 {
        let em = Float(isUnder ? 1 - FaceMetrics.ideographicAscent : FaceMetrics.ideographicAscent)
        distance = Swift.min(distance, size * em + mark / 2)
      }
    }
    return Swift.max(LayoutUnit(distance), annotations > .zero ? annotations + LayoutUnit(mark / 2) : .zero)
  }

  /// Marks of this position stand on a line's under side.
  package func isUnder(_ position: EmphasisPosition, isCentral: Bool) -> Bool {
    isCentral ? position.isLeft : position.isUnder
  }
}

extension LineBuilder {
  /// Adds what marks reach beyond the line's text to what annotations do.
  mutating func includeEmphasis() {
    for leaf in line.leaves where line.items[leaf].kind == .text {
      let item = line.items[leaf]
      let table = context.tree.texts.attributes
      let emphasis = table[context.tree.texts.runs[item.run].attributes].emphasis
      let entry = line.boxes[item.parent]
      guard emphasis != 0, entry.alignment.subtree == 0 else { continue }
      let isUnder = context.inputs.isUnder(table.emphases[Int(emphasis)].position, isCentral: context.isCentral)
      let annotations = annotationReach(around: item.parent, isUnder: isUnder)
      // Half an em between lines is enough for marks alone.
      let gap = entry.metrics.above + entry.metrics.below - entry.metrics.fontSize
      if annotations == .zero, gap >= entry.metrics.fontSize / 2 { continue }
      let run = paragraph.run(of: item)
      let unit =
        context.tree.texts.texts[text.index].units.lowerBound + Int(paragraph.clusters(of: item)[item.start].text)
      let distance = context.inputs.emphasisDistance(
        font: run.font, size: run.size, first: context.tree.texts.units[unit], isUnder: isUnder,
        annotations: annotations, isCentral: context.isCentral)
      // The ink of a mark fills four fifths of its em.
      let reach = distance + LayoutUnit(run.size / 5)
      if isUnder {
        line.boxes[0].annotations.below = Swift.max(line.boxes[0].annotations.below, reach + entry.alignment.baseline)
      } else {
        line.boxes[0].annotations.above = Swift.max(line.boxes[0].annotations.above, reach - entry.alignment.baseline)
      }
    }
  }

  /// The reach of the annotations of the ruby bases around a text from its baseline.
  func annotationReach(around box: Int, isUnder: Bool) -> LayoutUnit {
    var reach = LayoutUnit.zero
    var index = box
    while index > 0 {
      let entry = line.boxes[index]
      if entry.ruby.isBase { reach = Swift.max(reach, isUnder ? entry.annotations.below : entry.annotations.above) }
      index = entry.parent
    }
    return reach
  }
}
