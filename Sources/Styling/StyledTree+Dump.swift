import CSS
import Markup
import Primitives

extension StyledTree {
  /// The styles of all elements as text: a line an element, indented by depth, with the values that are not initial, in the
  /// order of `ComputedStyle`'s groups. Meant for tests and for reading.
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
        lines.append(indent + "  ::" + cssName(ofCase: "\(entry.pseudo)") + describe(entry.style))
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

  /// The values of a style that are not initial, each as `name: value`.
  package func values(of style: ComputedStyle) -> [String] {
    var parts = values(of: table[style.font], initial: FontStyle())
    parts += values(of: table[style.text], initial: TextStyle())
    parts += values(of: table[style.paragraph], initial: ParagraphStyle())
    parts += values(of: table[style.list], initial: ListStyle())
    parts += values(of: table[style.box], initial: BoxStyle())
    parts += values(of: table[style.border], initial: BorderGroup())
    parts += values(of: table[style.background], initial: BackgroundGroup())
    parts += values(of: table[style.page], initial: PageGroup())
    return parts
  }

  func values<Group>(of group: Group, initial: Group) -> [String] {
    zip(Mirror(reflecting: group).children, Mirror(reflecting: initial).children).compactMap { field, other in
      let text = describe(field.value)
      return text == describe(other.value) ? nil : "\(cssName(ofCase: field.label ?? "")): \(text)"
    }
  }

  private func describe(_ value: Any) -> String {
    switch value {
    case let length as LengthPercentage:
      switch length {
      case .length(let length): return describe(length)
      case .calculation(let id): return "calc(\(describe(table[id])))"
      }
    case let length as Length: return "\(trimmed(length.value))\(length.unit == .percent ? "%" : "\(length.unit)")"
    case let calculation as Calculation:
      switch calculation {
      case .length(let length): return describe(length)
      case .sum(let terms): return terms.map { describe($0) }.joined(separator: " + ")
      case .product(let term, let factor): return "(\(describe(term))) * \(trimmed(factor))"
      case .minimum(let terms): return "min(\(terms.map { describe($0) }.joined(separator: ", ")))"
      case .maximum(let terms): return "max(\(terms.map { describe($0) }.joined(separator: ", ")))"
      case .clamp(let low, let middle, let high):
        return "clamp(\(describe(low)), \(describe(middle)), \(describe(high)))"
      }
    case let size as FontSize:
      let parts = [(size.rootFactor, "rem"), (size.pixels, "px")].filter { $0.0 != 0 }
      return parts.isEmpty ? "0px" : parts.map { trimmed($0.0) + $0.1 }.joined(separator: " + ")
    case let color as Color: return color.description
    case let number as Float: return trimmed(number)
    case let text as String: return "\"\(text)\""
    default: return describeByStructure(value)
    }
  }

  private func describeByStructure(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .enum:
      // A case with a payload is its name and the payload; the wrappers of lengths and colours are left out.
      guard let child = mirror.children.first, let label = child.label else { return cssName(ofCase: "\(value)") }
      let payload = Mirror(reflecting: child.value)
      let inner =
        payload.displayStyle == .tuple
        ? payload.children.map { describe($0.value) }.joined(separator: " ") : describe(child.value)
      return ["length", "color", "named", "generic", "items", "pairs", "string"].contains(label)
        ? inner : "\(cssName(ofCase: label))(\(inner))"
    case .optional: return mirror.children.first.map { describe($0.value) } ?? "auto"
    case .collection: return "[" + mirror.children.map { describe($0.value) }.joined(separator: ", ") + "]"
    case .struct:
      // Four equal sides are one.
      let fields = mirror.children.map { describe($0.value) }
      if fields.count == 4, Set(fields).count == 1 { return fields[0] }
      return fields.isEmpty ? "\(value)" : fields.joined(separator: " ")
    default: return "\(value)"
    }
  }

  /// At most four decimals, without trailing zeros.
  private func trimmed(_ value: Float) -> String {
    let scaled = (Double(value) * 10_000).rounded()
    guard scaled.magnitude < 1e15 else { return "\(value)" }
    let magnitude = Int(scaled.magnitude)
    let sign = scaled < 0 ? "-" : ""
    var fraction = String(magnitude % 10_000 + 10_000).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return sign + String(magnitude / 10_000) + (fraction.isEmpty ? "" : "." + fraction)
  }
}
