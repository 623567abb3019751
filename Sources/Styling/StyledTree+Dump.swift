package import CSS
import Markup
import Primitives

extension StyledTree {
  /// The styles of all elements as text: a line an element, indented by depth, with the values that are not initial, in the
  /// order of the table of properties. Meant for tests and for reading.
  package func dump() -> String {
    var lines: [String] = []
    var pseudo = 0
    for place in document.nodes.indices where document.nodes[place].kind == .element {
      let id = NodeID(place)
      var depth = 0
      var parent = document.nodes[place].parent
      while !parent.isNone, document.nodes[parent.index].kind == .element {
        depth += 1
        parent = document.nodes[parent.index].parent
      }
      let indent = String(repeating: "  ", count: depth)
      lines.append(indent + document.names.name(of: document.nodes[place].name) + describe(styles[place]))
      while pseudo < pseudoElements.count, pseudoElements[pseudo].node == id {
        let entry = pseudoElements[pseudo]
        lines.append(indent + "  ::" + entry.pseudo.name + describe(entry.style))
        pseudo += 1
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The values of a style that are not initial, as ` { name: value; ... }`; empty for none.
  package func describe(_ style: ComputedStyle) -> String {
    let parts = values(of: style)
    return parts.isEmpty ? "" : " { \(parts.joined(separator: "; ")) }"
  }

  /// The values of a style that are not initial, each as `name: value`. Four equal sides stand under their shorthand.
  package func values(of style: ComputedStyle) -> [String] {
    PropertyID.Group.allCases.flatMap { table.values(of: $0, style) }.map { "\($0.name): \($0.value)" }
  }
}

extension StyleTable {
  /// A value of a style with the name of its property, or of something the engine keeps beside the properties.
  package typealias NamedValue = (name: String, value: String)

  /// The computed value of a physical property as CSS spells it; empty for a logical one.
  package func value(of property: PropertyID, _ style: ComputedStyle) -> String {
    switch property {
    case .font(let property): self[style.font].css(property, self)
    case .paragraph(let property): self[style.paragraph].css(property, self)
    case .text(let property): self[style.text].css(property, self)
    case .list(let property): self[style.list].css(property, self)
    case .box(let property): self[style.box].css(property, self)
    case .container(let property): self[style.box].css(property, self)
    case .grid(let property): (self[style.box].grid?.values ?? GridValues()).css(property, self)
    case .effect(let property): self[style.box].css(property, self)
    case .border(let property): self[style.border].css(property, self)
    case .background(let property): self[style.background].css(property, self)
    case .page(let property): self[style.page].css(property, self)
    case .rare(let property): (self[style.box].rare?.values ?? RareBoxValues()).css(property, self)
    case .logical: ""
    }
  }

  /// Of the initial values alone, whatever the reader has changed in others.
  private static let initial = StyleTable()

  /// The values of a style group that are not initial. Groups that differ have different lists.
  func values(of group: PropertyID.Group, _ style: ComputedStyle) -> [NamedValue] {
    var values: [NamedValue] = []
    for id in PropertyID.allCases where id.group == group && !id.isLogical {
      let value = value(of: id, style)
      if value != Self.initial.value(of: id, .initial) { values.append((id.name, value)) }
    }
    return folded(values) + internals(of: group, style)
  }

  /// The members of a group beside the computed values of properties.
  private func internals(of group: PropertyID.Group, _ style: ComputedStyle) -> [NamedValue] {
    switch group {
    case .font: self[style.font].keepsLineHeight ? [("x-keeps-line-height", "true")] : []
    case .paragraph:
      switch self[style.paragraph].indentOrigin {
      case .initial: []
      case .house: [("x-indent-origin", "house")]
      case .declared: [("x-indent-origin", "declared")]
      }
    case .box:
      self[style.box].originalDisplay == self[style.box].display
        ? [] : [("x-original-display", css(self[style.box].originalDisplay))]
    case .text, .list, .border, .background, .page: []
    }
  }

  /// Four equal sides as one value under the name of the shorthand.
  private func folded(_ values: [NamedValue]) -> [NamedValue] {
    var values = values
    for (shorthand, longhands) in PropertyTable.standard.sideShorthands {
      guard let first = values.firstIndex(where: { $0.name == longhands[0] }), first + 4 <= values.count,
        values[first..<first + 4].map(\.name) == longhands,
        values[first..<first + 4].allSatisfy({ $0.value == values[first].value })
      else { continue }
      values.replaceSubrange(first..<first + 4, with: [(shorthand, values[first].value)])
    }
    return values
  }
}
