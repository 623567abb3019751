import Markup
import Primitives

/// The content language of every element (HTML, section 3.2.6.2), for `:lang()`.
struct ElementLanguages: Sendable {
  /// Lower case; 0 is no language.
  private var tags = [""]
  private var tagOf: [UInt32]
  private var memo: [UInt64: Bool] = [:]

  /// - Parameter language: That of the publication, where the document says nothing.
  init(_ document: Document, default language: String) {
    tagOf = [UInt32](repeating: 0, count: document.nodes.count)
    var ids = ["": UInt32(0)]
    if let tag = Self.pragma(document) ?? (language.isEmpty ? nil : language) {
      // The document node has it, so it comes down to all that say nothing else.
      ids[tag] = 1
      tags.append(tag)
      tagOf[Document.documentNode.index] = 1
    }
    for (index, node) in document.nodes.enumerated() where node.kind == .element {
      if !node.parent.isNone { tagOf[index] = tagOf[node.parent.index] }
      // The attribute of XML wins over that of HTML.
      guard
        let value = document.attribute(.xmlLang, of: NodeID(index)) ?? document.attribute(.lang, of: NodeID(index))
      else { continue }
      let tag = document.string(value).lowercased()
      if let known = ids[tag] {
        tagOf[index] = known
      } else {
        ids[tag] = UInt32(tags.count)
        tagOf[index] = UInt32(tags.count)
        tags.append(tag)
      }
    }
  }

  /// The default language of a `<meta http-equiv="content-language">` (HTML, section 4.2.5.3).
  private static func pragma(_ document: Document) -> String? {
    var element = document.root
    guard !element.isNone else { return nil }
    // Such elements stand in the head: the search ends where text blocks may begin.
    while element.index < document.nodes.count, !document.isElement(element, .body) {
      if document.isElement(element, .meta),
        document.attributeValue(.httpEquiv, of: element)?.lowercased() == "content-language",
        let content = document.attributeValue(.content, of: element), !content.contains(",")
      {
        return content.split(whereSeparator: \.isWhitespace).first.map { $0.lowercased() }
      }
      element = NodeID(rawValue: element.rawValue + 1)
    }
    return nil
  }

  /// - Parameters:
  ///   - simple: names the selector, so that its answer for a language is found once.
  ///   - ranges: in lower case.
  mutating func matches(_ node: NodeID, simple: UInt32, ranges: ArraySlice<String>) -> Bool {
    let id = tagOf[node.index]
    let key = UInt64(simple) << 32 | UInt64(id)
    if let known = memo[key] { return known }
    let tag = tags[Int(id)]
    let result = ranges.contains { Self.matches(tag: tag, range: $0) }
    memo[key] = result
    return result
  }

  /// Extended filtering (RFC 4647, section 3.3.2).
  static func matches(tag: String, range: String) -> Bool {
    if range.isEmpty || tag.isEmpty { return range == tag }
    let tags = tag.split(separator: "-", omittingEmptySubsequences: false)
    let ranges = range.split(separator: "-", omittingEmptySubsequences: false)
    guard ranges[0] == "*" || ranges[0] == tags[0] else { return false }
    var index = 1
    for wanted in ranges.dropFirst() where wanted != "*" {
      while index < tags.count, tags[index] != wanted {
        // A singleton starts an extension, which is not passed over.
        if tags[index].utf8.count == 1 { return false }
        index += 1
      }
      guard index < tags.count else { return false }
      index += 1
    }
    return true
  }
}
