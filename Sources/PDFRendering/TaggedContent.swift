import Graphics
import Primitives

/// Text or a picture of a page that is no artifact.
package struct TaggedContent: Sendable {
  package var element: StructureElementID
  package var place: SourceOrder
  package var kind: Kind

  package enum Kind: Sendable {
    /// In `TaggedPage.runs`, and in `TaggedPage.pictures`.
    case runs(Range<Int>), picture(Int)
    /// Nothing but the place of an element.
    case mark
  }

  package init(element: StructureElementID, place: SourceOrder, kind: Kind) {
    self.element = element
    self.place = place
    self.kind = kind
  }
}

extension TaggedPage {
  /// All text and pictures of the page, in painting order. Runs of one element that follow each other are one content,
  /// as in the file, unless they are read in another order than they are painted in.
  ///
  /// - Parameter places: Places of the document on both sides of which contents end.
  package func contents(partedAt places: [SourceOrder] = []) -> [TaggedContent] {
    var contents: [TaggedContent] = []
    var open: TaggedRun?
    for (index, run) in runs.enumerated() {
      defer { open = run.isRightToLeft ? nil : run }
      if run.element.isNone { continue }
      if !run.isRightToLeft, let last = open, last.element == run.element,
        !places.contains(where: { last.place < $0 && $0 <= run.place }),
        case .runs(let range)? = contents.last?.kind
      {
        contents[contents.count - 1].kind = .runs(range.lowerBound..<index + 1)
      } else {
        contents.append(TaggedContent(element: run.element, place: run.place, kind: .runs(index..<index + 1)))
      }
    }
    for (index, picture) in pictures.enumerated() {
      contents.append(TaggedContent(element: picture.element, place: picture.place, kind: .picture(index)))
    }
    return contents
  }

  /// The text that content stands for, or shows.
  package func text(of content: TaggedContent) -> String {
    var units: [UInt16] = []
    switch content.kind {
    case .runs(let range): for run in range { append(runs[run], to: &units) }
    case .picture(let index): for text in pictures[index].texts { append(text.run, to: &units) }
    case .mark: return ""
    }
    return String(utf16: units)
  }

  private func append(_ run: TaggedRun, to text: inout [UInt16]) {
    if run.isRightToLeft {
      for index in run.clusters.reversed() { text += units[clusters[index].units] }
      return
    }
    // Clusters follow each other in the text but for what stands for no glyph.
    var known = 0..<0
    for cluster in clusters[run.clusters] {
      let next = cluster.units
      if next.lowerBound == known.upperBound {
        known = known.lowerBound..<next.upperBound
      } else {
        text += units[known]
        known = next
      }
    }
    text += units[known]
  }
}
