package import Primitives

/// Reads HTML, and XHTML that is not well formed, as browsers do: `HTMLTokenizer` takes the source apart,
/// `HTMLTreeBuilder` makes the tree. Names come out in lower case; those of SVG have their capitals.
package enum HTMLReader {
  /// Parses UTF-8.
  ///
  /// - Parameter xhtml: given if the source was meant as XHTML: no quirks, and `/>` ends an element at once.
  /// - Returns: `isTruncated` if the source has more nodes than `limits` allow.
  package static func read(
    _ utf8: [UInt8], limits: Limits, xhtml: HTMLTokenizer.XHTML? = nil
  ) -> (document: Document, isTruncated: Bool) {
    let bytes = utf8.span
    var tokenizer = HTMLTokenizer(xhtml: xhtml)
    var builder = HTMLTreeBuilder(isXHTML: xhtml != nil, mostNodes: limits.nodes, names: &tokenizer.names.atoms)
    while !builder.isFull, let token = tokenizer.next(bytes, isForeign: builder.isInForeignContent) {
      let line = tokenizer.line(bytes)
      switch token {
      case .text(let range):
        builder.text(bytes.extracting(range), line: line)
      case .characters(let characters):
        builder.text(characters.utf8.span, line: line)
      case .null:
        builder.null(line: line)
      case .startTag(let tag):
        if tag.name == .svg { builder.expectSVG(names: &tokenizer.names.atoms) }
        builder.start(tag)
        if let content = builder.textContent, !tokenizer.enter(content, of: tag.name, in: bytes) {
          builder.end(tag.name, line: line)
        }
      case .endTag(let name):
        builder.end(name, line: line)
      case .comment:
        builder.comment(line: line)
      case .documentType(let type):
        builder.documentType(type)
      }
    }
    builder.finish(line: tokenizer.line(bytes))
    var arena = NodeArena(limits: limits, names: tokenizer.names.atoms)
    builder.tree.write(to: &arena)
    arena.setProperties(mode: builder.pageMode, isXML: false, encoding: "UTF-8")
    let isTruncated = builder.isFull || arena.isFull
    return (arena.finish(), isTruncated)
  }
}
