package import Primitives

/// Makes a small HTML document by hand.
package struct DocumentBuilder {
  private var arena: NodeArena
  private var line: UInt32 = 1

  package init(limits: Limits = Limits()) { arena = NodeArena(limits: limits) }

  package mutating func start(_ name: Atom, attributes: [(Atom, String)] = []) {
    arena.startElement(name, in: .html, line: line)
    for (name, value) in attributes { arena.addAttribute(name, value: value) }
  }
  package mutating func end() { arena.endElement() }
  package mutating func text(_ text: String) { arena.addText(text, line: line) }
  package mutating func text(_ bytes: Span<UInt8>) { arena.addText(bytes, line: line) }
  /// Sets the line of the source that what follows comes from.
  package mutating func setLine(_ line: Int) { self.line = UInt32(clamping: line) }

  /// Closes what is open and returns the document.
  package mutating func finish() -> Document {
    arena.setProperties(mode: .noQuirks, isXML: false, encoding: "UTF-8")
    return arena.finish()
  }
}
