import CSS
import Markup
import Primitives

/// The `::first-letter` rules of block containers whose letters have not come yet, while a document is walked in its order: the
/// letter inherits from the innermost element around it (CSS Pseudo-elements 4, section 2.2). Empty until the first such rule matches.
struct FirstLetterScopes {
  struct Letter {
    var node: NodeID
    /// The place of its style among those of pseudo-elements.
    var place: Int
    var rules: [MatchedRule]
    var custom: UInt32
  }

  private var letters: [Letter] = []
  var isEmpty: Bool { letters.isEmpty }

  mutating func add(_ letter: Letter) { letters.append(letter) }

  /// Takes the letters that a text node holds; those of elements that have ended without text are forgotten.
  mutating func take(_ text: Node, in document: Document, _ box: (NodeID) -> BoxStyle) -> [Letter] {
    let isBlank = document.bytes(text.range).allSatisfy { $0 == 0x20 || ($0 >= 0x09 && $0 <= 0x0D) }
    guard !isBlank else { return [] }
    var taken: [Letter] = []
    var open: [Letter] = []
    var isInFlow = true
    var element = text.parent
    while !element.isNone, document.nodes[element.index].kind == .element {
      for letter in letters where letter.node == element {
        if isInFlow { taken.append(letter) } else { open.append(letter) }
      }
      let style = box(element)
      let isOut = style.float != .none || style.position == .absolute || style.position == .fixed
      if isOut || style.display == .none { isInFlow = false }
      element = document.nodes[element.index].parent
    }
    letters = open.reversed()
    return taken
  }
}
