import CSS
import Markup
import Primitives

/// Selectors of attributes, links and the state of form controls (Selectors 4, sections 6, 8 and 12).
extension SelectorMatcher {
  func matchesAttribute(_ simple: RuleSet.Simple, _ node: NodeID, _ document: Document) -> Bool {
    let element = document.nodes[node.index]
    let isHTMLElement = isHTML && element.namespace == .html
    let name = isHTMLElement ? simple.foldedName : simple.name
    let atom = atoms[Int(name)]
    for index in element.range {
      let attribute = document.attributes[Int(index)]
      switch simple.namespace {
      case .any:
        guard attribute.name == atom || Self.localName(attribute, document) == rules.names.name(name) else { continue }
      case .exactly(let namespace):
        guard attribute.name == atom else { continue }
        // Prefixed atoms say the namespace themselves.
        switch namespace {
        case .epub, .xml, .xlink: break
        default: guard attribute.namespace == namespace else { continue }
        }
      }
      let ignoresCase = simple.ignoresCase || (simple.ignoresCaseInHTML && isHTMLElement)
      if matchesValue(simple, document.bytes(attribute.value), ignoresCase: ignoresCase) { return true }
    }
    return false
  }

  private static func localName(_ attribute: Attribute, _ document: Document) -> String? {
    guard attribute.namespace != .none else { return nil }
    let name = document.names.name(of: attribute.name)
    return name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) }
  }

  /// Section 6.1 and 6.2.
  private func matchesValue(_ simple: RuleSet.Simple, _ actual: ArraySlice<UInt8>, ignoresCase: Bool) -> Bool {
    let wanted = rules.values[Int(simple.value.lowerBound)..<Int(simple.value.upperBound)]
    func equal(_ part: ArraySlice<UInt8>) -> Bool {
      part.count == wanted.count
        && zip(part, wanted).allSatisfy {
          $0 == $1 || (ignoresCase && asciiLowercased($0) == asciiLowercased($1))
        }
    }
    switch simple.match {
    case .exists: return true
    case .equals: return equal(actual)
    case .includes:
      guard !wanted.isEmpty, !wanted.contains(where: isWhitespace) else { return false }
      return actual.split(whereSeparator: isWhitespace).contains(where: equal)
    case .dashMatch:
      if actual.count == wanted.count { return equal(actual) }
      return actual.count > wanted.count && actual[actual.startIndex + wanted.count] == 0x2D
        && equal(actual.prefix(wanted.count))
    case .prefix: return !wanted.isEmpty && equal(actual.prefix(wanted.count))
    case .suffix: return !wanted.isEmpty && equal(actual.suffix(wanted.count))
    case .substring:
      guard !wanted.isEmpty, actual.count >= wanted.count else { return false }
      return (actual.startIndex...actual.endIndex - wanted.count).contains { equal(actual[$0..<$0 + wanted.count]) }
    }
  }

  /// The text of what the link of an element leads to, empty for its own document; nil without a link.
  func linkTarget(_ node: NodeID, _ document: Document) -> Range<UInt32>? {
    let element = document.nodes[node.index]
    return switch (element.namespace, element.name) {
    case (.html, .a), (.html, .area): document.attribute(.href, of: node)
    case (.svg, .a): document.attribute(.href, of: node) ?? document.attribute(.xlinkHref, of: node)
    default: nil
    }
  }

  enum FormState { case none, enabled, disabled }

  func formState(_ node: NodeID, _ document: Document) -> FormState {
    let element = document.nodes[node.index]
    guard element.namespace == .html else { return .none }
    switch element.name {
    case .button, .input, .select, .textarea, .optgroup, .option, .fieldset:
      return has(formAtoms.disabled, node, document) ? .disabled : .enabled
    default: return .none
    }
  }
  func isChecked(_ node: NodeID, _ document: Document) -> Bool {
    let element = document.nodes[node.index]
    guard element.namespace == .html else { return false }
    switch element.name {
    case .input: return has(formAtoms.checked, node, document)
    case .option: return has(formAtoms.selected, node, document)
    default: return false
    }
  }
  func has(_ attribute: Atom?, _ node: NodeID, _ document: Document) -> Bool {
    attribute.map { document.attribute($0, of: node) != nil } ?? false
  }
}

func isWhitespace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
}
