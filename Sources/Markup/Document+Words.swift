package import Primitives

/// What the text of an element is to that around it.
package enum TextPlacement: UInt8, Sendable {
  case inline
  /// Apart: something stands between it and what precedes and follows.
  case block
  /// It is not read: annotations, scripts, what styles hide.
  case hidden
}

/// The words of elements in one line, as outlines, tables of contents and links name them.
extension Document {
  /// The words of an element as HTML has it without styles, but for `display` in a `style` attribute.
  package func words(of id: NodeID, limit: Int = .max) -> String {
    words(of: id, limit: limit) { placement(of: $0) }
  }

  /// The words of an element, with one space between them.
  ///
  /// Ends of blocks and line breaks are spaces; line feeds among ideographs are none (CSS Text 3, section 4.1.3). Soft hyphens and
  /// other marks of places to break are left out, as are marks of notes and of printed pages that stand among the words. The
  /// alternative text of a picture is part of them.
  ///
  /// - Parameters:
  ///   - limit: Characters (Unicode scalars) beyond which they are cut.
  ///   - placement: Asked of all elements below `id`, whatever that is itself.
  /// - Complexity: O(nodes and text below the element).
  package func words(of id: NodeID, limit: Int = .max, placement: (NodeID) -> TextPlacement) -> String {
    var words = WordCollector()
    var blockEnds: [Int] = []
    let end = Swift.max(id.index + 1, nodes[id.index].subtreeEnd.index)
    var index = id.index
    while index < end, words.count < limit {
      while let last = blockEnds.last, last <= index {
        blockEnds.removeLast()
        words.separate()
      }
      let node = NodeID(index)
      if nodes[index].kind == .text {
        words.add(bytes(nodes[index].range), limit: limit)
      } else if nodes[index].kind == .element, node != id {
        let own = isReference(node) ? .hidden : placement(node)
        if own == .hidden {
          index = nodes[index].subtreeEnd.index
          continue
        }
        if own == .block {
          words.separate()
          blockEnds.append(nodes[index].subtreeEnd.index)
        }
        if nodes[index].name == .img, let alternative = attribute(.alt, of: node) {
          // A picture of one letter begins a word.
          let isApart = string(alternative).count > 1
          if isApart { words.separate() }
          words.add(bytes(alternative), limit: limit)
          if isApart { words.separate() }
        }
      }
      index += 1
    }
    return words.text
  }

  /// The place of an element in the text as HTML, SVG and MathML have it. Of what is in none of them the name counts: books leave
  /// namespaces out.
  package func placement(of id: NodeID) -> TextPlacement {
    let node = nodes[id.index]
    switch node.namespace {
    case .svg:
      switch node.name {
      case .text: return .block
      case .defs, .desc, .metadata, .script, .style, .symbol: return .hidden
      default: return .inline
      }
    case .mathML: return node.name == .annotation || node.name == .annotationXml ? .hidden : .inline
    default: break
    }
    switch node.name {
    case .rt, .rp, .rtc, .script, .style, .template, .head: return .hidden
    case .br: return .block
    default: break
    }
    if attribute(.hidden, of: id) != nil { return .hidden }
    if let style = attributeValue(.style, of: id), let display = Self.declaredDisplay(in: style) {
      return display == "none" ? .hidden : display.hasPrefix("inline") || display == "contents" ? .inline : .block
    }
    switch node.name {
    case .address, .article, .aside, .blockquote, .body, .caption, .center, .dd, .details, .dialog, .dir, .div, .dl,
      .dt,
      .fieldset, .figcaption, .figure, .footer, .form, .h1, .h2, .h3, .h4, .h5, .h6, .header, .hgroup, .hr, .legend,
      .li,
      .listing, .main, .menu, .nav, .ol, .optgroup, .option, .p, .plaintext, .pre, .search, .section, .summary, .table,
      .tbody, .td, .tfoot, .th, .thead, .tr, .ul, .xmp:
      return .block
    default: return .inline
    }
  }

  /// The value of `display` in a `style` attribute, in lower case.
  private static func declaredDisplay(in style: String) -> String? {
    guard style.utf8.contains(0x64) || style.utf8.contains(0x44) else { return nil }
    var found: String?
    for declaration in style.split(separator: ";") {
      let parts = declaration.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }).lowercased() == "display" else { continue }
      found = parts[1].split { $0.isWhitespace || $0 == "!" }.first?.lowercased()
    }
    return found
  }

  /// The element is no word of the text that it stands in: the mark of a note, by its semantics or because it is a raised link, or
  /// the beginning of a printed page.
  private func isReference(_ id: NodeID) -> Bool {
    for index in nodes[id.index].range {
      let attribute = attributes[Int(index)]
      guard attribute.name == .epubType || attribute.name == .role else { continue }
      for word in bytes(attribute.value).split(whereSeparator: { $0 <= 0x20 }) {
        switch String(decoding: word, as: UTF8.self) {
        case "noteref", "doc-noteref", "pagebreak", "doc-pagebreak": return true
        default: continue
        }
      }
    }
    guard nodes[id.index].name == .a, attribute(.href, of: id) != nil else { return false }
    let parent = nodes[id.index].parent
    if !parent.isNone, nodes[parent.index].name == .sup { return true }
    let content = children(of: id).filter { nodes[$0.index].kind == .element || !isBlank($0) }
    return content.count == 1 && nodes[content[0].index].name == .sup
  }

  /// A text is white space alone.
  package func isBlank(_ text: NodeID) -> Bool { bytes(nodes[text.index].range).allSatisfy { $0 <= 0x20 } }
}

/// Puts words together.
private struct WordCollector {
  /// What stands between the last word and the next.
  private enum Space: UInt8, Comparable {
    case none, space, lineFeed, boundary
    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  private var scalars = String.UnicodeScalarView()
  private(set) var count = 0
  private var space = Space.none
  private var last: Unicode.Scalar = " "

  var text: String { String(scalars) }

  /// A boundary stands between what has been added and what will be.
  mutating func separate() { space = .boundary }

  mutating func add(_ bytes: ArraySlice<UInt8>, limit: Int) {
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      guard count < limit else { return }
      switch scalar {
      case " ", "\t": space = Swift.max(space, .space)
      case "\n", "\r", "\u{C}": space = Swift.max(space, .lineFeed)
      // Soft hyphens, spaces of no width, word joiners.
      case "\u{AD}", "\u{200B}", "\u{2060}", "\u{FEFF}": continue
      case _ where scalar.value >= 0x80 && scalar.properties.isWhitespace: space = .boundary
      default: append(scalar)
      }
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    if space != .none, count > 0, space != .lineFeed || !Self.absorbs(last) || !Self.absorbs(scalar) {
      scalars.append(" ")
      count += 1
    }
    space = .none
    scalars.append(scalar)
    count += 1
    last = scalar
  }

  /// A line feed beside the character is no space when the other side is such a character, too: those of East Asian width that are
  /// no Hangul.
  private static func absorbs(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3130...0x318F, 0x3200...0x321E, 0x3260...0x327F, 0xFFA0...0xFFDC: false
    case 0x2E80...0xA4CF, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF9F, 0xFFE0...0xFFE6, 0x1_B000...0x1_B2FF,
      0x2_0000...0x3_FFFD:
      true
    default: false
    }
  }
}
