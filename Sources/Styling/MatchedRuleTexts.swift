package import CSS
package import Markup
package import Primitives

/// A rule that applies to an element, as text: for reports.
package struct MatchedRuleText: Hashable, Sendable {
  package var origin: CascadeOrigin
  /// Of the sheet in the container, that of the document for `<style>`; empty for sheets that are not the book's.
  package var path: String
  /// Line of the sheet, from 1.
  package var line: Int
  /// `selector { declarations }`, in one line, shortened where it is long.
  package var text: String
}

extension StyleResolver {
  /// The rules for elements of a document, by element, the weakest first. The arguments are those of `resolve`.
  package static func rules(
    for elements: [NodeID], of document: Document, path: String, sheets: [AuthorSheet],
    userSheets: [TypedStylesheet], settings: StyleSettings, ruleSets: RuleSetCache
  ) -> [[MatchedRuleText]] {
    var resolver = StyleResolver(document, path, sheets, userSheets, settings, ruleSets)
    let all = resolver.cascade.sheets
    let firstAuthor = all.count - sheets.count
    var matches: [MatchedRule] = []
    return elements.map { element in
      resolver.index.collectMatches(for: element, in: document, into: &matches)
      var orders: Set<UInt32> = []
      return matches.compactMap { match in
        guard match.pseudo == .none, orders.insert(match.order).inserted else { return nil }
        let sheet = all[Int(match.sheet)].sheet
        guard let rule = sheet.styleRules.first(where: { $0.declarations == match.declarations }),
          let text = sheet.text(of: rule)
        else { return nil }
        let author = Int(match.sheet) - firstAuthor
        return MatchedRuleText(
          origin: match.origin, path: author >= 0 ? sheets[author].path : "", line: Int(rule.line), text: text)
      }
    }
  }
}

extension Stylesheet {
  private static let maximumText = 400

  /// The source of a rule in one line; nil for a rule without declarations.
  fileprivate func text(of rule: StyleRule) -> String? {
    guard !rule.declarations.isEmpty else { return nil }
    let first = declarations[Int(rule.declarations.lowerBound)]
    guard first.value.lowerBound < first.value.upperBound || first.value.lowerBound < UInt32(buffer.tokens.count) else {
      return nil
    }
    let place = Int(buffer.tokens[Int(first.value.lowerBound)].start)
    guard place < buffer.text.count, let open = buffer.text[..<place].lastIndex(of: 0x7B) else { return nil }
    // The prelude before the block, up to the end of what is before that.
    let start = buffer.text[..<open].lastIndex { $0 == 0x7B || $0 == 0x7D || $0 == 0x3B }.map { $0 + 1 } ?? 0
    let selector = Self.line(buffer.text[start..<open])
    let body = rule.declarations.map { index -> String in
      let declaration = declarations[Int(index)]
      let tokens = buffer.tokens
      var value = ""
      if declaration.value.lowerBound < declaration.value.upperBound {
        let from = Int(tokens[Int(declaration.value.lowerBound)].start)
        let end = Int(declaration.value.upperBound)
        let to = end < tokens.count ? Int(tokens[end].start) : buffer.text.count
        if from <= to, to <= buffer.text.count { value = Self.line(buffer.text[from..<to]) }
      }
      return "\(name(of: declaration)): \(value)\(declaration.isImportant ? " !important" : "")"
    }
    let text = "\(selector) { \(body.joined(separator: "; ")) }"
    return text.utf8.count > Self.maximumText ? String(text.prefix(Self.maximumText)) + "…" : text
  }

  /// Bytes as one line without comments.
  private static func line(_ bytes: ArraySlice<UInt8>) -> String {
    var text = Substring(String(decoding: bytes, as: UTF8.self))
    var result = ""
    while let open = text.firstRange(of: "/*") {
      result += text[..<open.lowerBound]
      guard let close = text[open.upperBound...].firstRange(of: "*/") else {
        text = ""
        break
      }
      text = text[close.upperBound...]
    }
    result += text
    return result.split { $0.isWhitespace }.joined(separator: " ")
  }
}
