/// A style sheet in parts that can be left out: groups of rules, rules and declarations (CSS Syntax 3, section 5). Nothing in
/// it is understood, so that what the engine takes for an error stays one.
struct StyleText: Codable, Sendable {
  struct Part: Codable, Sendable {
    enum Kind: String, Codable, Sendable { case group, rule, declaration, statement }
    var kind: Kind
    /// A prelude, a declaration or a statement without what ends it.
    var text: String
    var parent: Int
    var children: [Int] = []
    var isRemoved = false
  }

  private(set) var parts: [Part] = []
  private var top: [Int] = []

  init() {}

  init(_ text: String) { add(text) }

  /// Adds a sheet behind what is there.
  mutating func add(_ text: String, media: String = "") {
    var parent = -1
    if !media.isEmpty { parent = append(.group, "@media " + media, to: -1) }
    var cursor = Cursor(text)
    parse(&cursor, into: parent, isNested: false, depth: 0)
  }

  mutating func remove(_ index: Int) { parts[index].isRemoved = true }

  func isThere(_ index: Int) -> Bool {
    var place = index
    while place >= 0 {
      if parts[place].isRemoved { return false }
      place = parts[place].parent
    }
    return true
  }

  /// Changes the text of every part, such as the addresses in it.
  mutating func rewrite(_ change: (String) -> String) {
    for index in parts.indices { parts[index].text = change(parts[index].text) }
  }

  var text: String {
    var text = ""
    for index in top { write(index, indent: "", &text) }
    return text
  }

  private func write(_ index: Int, indent: String, _ text: inout String) {
    let part = parts[index]
    if part.isRemoved { return }
    switch part.kind {
    case .statement: text += indent + part.text + ";\n"
    case .declaration: text += indent + part.text + (part.text.hasSuffix("}") ? "\n" : ";\n")
    case .rule:
      let children = part.children.filter { !parts[$0].isRemoved }.map { parts[$0].text }
      text +=
        indent + part.text + " { " + children.map { $0.hasSuffix("}") ? $0 : $0 + ";" }.joined(separator: " ") + " }\n"
    case .group:
      text += indent + part.text + " {\n"
      for child in part.children { write(child, indent: indent + "  ", &text) }
      text += indent + "}\n"
    }
  }

  private mutating func append(_ kind: Part.Kind, _ text: String, to parent: Int) -> Int {
    let index = parts.count
    parts.append(Part(kind: kind, text: text, parent: parent))
    if parent >= 0 { parts[parent].children.append(index) } else { top.append(index) }
    return index
  }

  // MARK: Parsing

  private struct Cursor {
    let units: [UInt8]
    var place = 0
    init(_ text: String) { units = Array(text.utf8) }
    var isAtEnd: Bool { place >= units.count }
  }

  private static let groups = ["@media", "@supports", "@layer", "@container", "@document", "@-moz-document", "@scope"]
  private static let maximumDepth = 32

  private mutating func parse(_ cursor: inout Cursor, into parent: Int, isNested: Bool, depth: Int) {
    while !cursor.isAtEnd {
      let (text, end) = Self.piece(&cursor, stopsAtBlock: true)
      switch end {
      case 0x7B:  // {
        if Self.groups.contains(where: { text.lowercased().hasPrefix($0) }), depth < Self.maximumDepth {
          let group = append(.group, text, to: parent)
          parse(&cursor, into: group, isNested: true, depth: depth + 1)
        } else {
          let rule = append(.rule, text, to: parent)
          var isOpen = true
          while isOpen, !cursor.isAtEnd {
            let (declaration, end) = Self.piece(&cursor, stopsAtBlock: false)
            if !declaration.isEmpty { _ = append(.declaration, declaration, to: rule) }
            isOpen = end != 0x7D
          }
        }
      case 0x3B:  // ;
        if !text.isEmpty { _ = append(.statement, text, to: parent) }
      case 0x7D:  // }
        if isNested { return }
      default: break
      }
    }
  }

  /// The text up to the next `;`, `}` or, where it is asked for, `{` outside of strings and brackets, without comments; and
  /// that sign, 0 for the end. A block that is not stopped at is part of the text and ends it.
  private static func piece(_ cursor: inout Cursor, stopsAtBlock: Bool) -> (String, UInt8) {
    var bytes: [UInt8] = []
    var open: [UInt8] = []
    func result() -> String {
      var text = Substring(String(decoding: bytes, as: UTF8.self))
      while text.first?.isWhitespace == true { text.removeFirst() }
      while text.last?.isWhitespace == true { text.removeLast() }
      return String(text)
    }
    while !cursor.isAtEnd {
      let unit = cursor.units[cursor.place]
      let next = cursor.place + 1 < cursor.units.count ? cursor.units[cursor.place + 1] : 0
      cursor.place += 1
      switch unit {
      case 0x2F where next == 0x2A:
        cursor.place += 1
        while !cursor.isAtEnd,
          cursor.units[cursor.place] != 0x2A
            || (cursor.place + 1 < cursor.units.count && cursor.units[cursor.place + 1] != 0x2F)
        {
          cursor.place += 1
        }
        cursor.place = min(cursor.units.count, cursor.place + 2)
        bytes.append(0x20)
        continue
      case 0x22, 0x27:
        bytes.append(unit)
        while !cursor.isAtEnd {
          let inner = cursor.units[cursor.place]
          cursor.place += 1
          bytes.append(inner)
          if inner == unit || inner == 0x0A { break }
          if inner == 0x5C, !cursor.isAtEnd {
            bytes.append(cursor.units[cursor.place])
            cursor.place += 1
          }
        }
        continue
      case 0x5C:
        bytes.append(unit)
        if !cursor.isAtEnd {
          bytes.append(cursor.units[cursor.place])
          cursor.place += 1
        }
        continue
      case 0x28, 0x5B: open.append(unit == 0x28 ? 0x29 : 0x5D)
      case 0x7B:
        if open.isEmpty, stopsAtBlock { return (result(), unit) }
        open.append(0x7D)
      case 0x29, 0x5D: if open.last == unit { open.removeLast() }
      case 0x7D:
        if open.isEmpty { return (result(), unit) }
        if let place = open.lastIndex(of: unit) {
          open.removeSubrange(place...)
          if open.isEmpty, !stopsAtBlock {
            bytes.append(unit)
            return (result(), 0x3B)
          }
        } else {
          return (result(), unit)
        }
      case 0x3B: if open.isEmpty { return (result(), unit) }
      default: break
      }
      bytes.append(unit)
    }
    return (result(), 0)
  }
}
