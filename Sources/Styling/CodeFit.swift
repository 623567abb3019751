import CSS
import Markup
import Primitives

/// Code in the house style: its letters are set smaller where lines ask for it to stay whole. Lines that are still too
/// long are broken.
enum CodeFit {
  /// The scales of letters. Few of them, so that blocks of code look alike.
  private static let scales: [(trait: ElementTraits, scale: Float)] = [(.smallCode, 0.9), (.smallestCode, 0.8)]

  /// The trait of a block of code that has been given its style, by the room that there is for its lines.
  ///
  /// Complexity: linear in its text.
  static func trait(
    of id: NodeID, in document: Document, _ styles: ComputedStyles, _ builder: StyleBuilder,
    _ containers: inout QueryContainers
  ) -> ElementTraits {
    let font = builder.table.fonts[styles[id.index].font.index]
    let size = font.size.resolved(rootFontSize: builder.settings.rootFontSize)
    let advance = Double(size * (builder.ratios(of: font)?.zeroAdvance ?? usualAdvance))
    // The rest of its lines may follow.
    let isLast = document.nodes[id.index].subtreeEnd.index == document.nodes.count
    let room = containers.size(of: id, in: document, styles, builder, countsLaterElements: isLast)
    guard let width = room.width, advance > 0 else { return [] }
    let columns = width / advance
    let widest = Double(widestLine(of: id, in: document, most: Int(columns * longestLine)))
    guard widest > columns else { return [] }
    return scales.first { widest * Double($0.scale) <= columns }?.trait ?? .smallestCode
  }

  /// Of letters of one width, in em.
  private static let usualAdvance: Float = 0.6
  /// In the room at full size: longer ones are paragraphs that somebody did not break, and ask for nothing.
  private static let longestLine = 2.0

  /// Of the letters of a block of code; nil for the full size.
  static func scale(_ traits: ElementTraits) -> Float? { scales.first { traits.contains($0.trait) }?.scale }

  /// The columns of the widest line of text in an element that has no more than `most`.
  private static func widestLine(of id: NodeID, in document: Document, most: Int) -> Int {
    var (widest, column) = (0, 0)
    func endLine() {
      if column <= most { widest = max(widest, column) }
      column = 0
    }
    for place in id.index..<document.nodes[id.index].subtreeEnd.index {
      let node = document.nodes[place]
      if node.name == .br { endLine() }
      guard node.kind == .text else { continue }
      for scalar in Substring(decoding: document.bytes(node.range), as: UTF8.self).unicodeScalars {
        switch scalar {
        case "\n": endLine()
        case "\t": column += Self.tabSize - column % Self.tabSize
        default: column += TerminalColumns.count(of: scalar.value)
        }
      }
    }
    endLine()
    return widest
  }

  private static let tabSize = 8
}
