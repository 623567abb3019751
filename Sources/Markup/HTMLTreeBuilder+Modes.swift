import Primitives

extension HTMLTreeBuilder {
  // MARK: Tokens

  mutating func documentType(_ type: DocumentType) {
    if documentMode == nil, mode == .beforeHTML { documentMode = type.mode }
  }

  mutating func start(_ tag: HTMLTag) {
    finishTableText(line: tag.line)
    ignoresLineFeed = false
    if isForeign(startTag: tag) { startForeign(tag) } else { start(tag, in: mode) }
  }

  mutating func end(_ name: Atom, line: UInt32) {
    finishTableText(line: line)
    ignoresLineFeed = false
    let node = current
    if node > 0, elementClass(node).contains(.textOnly), isHTML(node, name) {
      pop()
    } else if node > 0, tree[node].namespace != .html {
      endForeign(name, line: line)
    } else {
      end(name, in: mode, line: line)
    }
  }

  mutating func comment(line: UInt32) {
    finishTableText(line: line)
    guard current > 0, !isFull else { return }
    let node = tree.make(HTMLTree.Node(kind: .comment, line: line))
    tree.insert(node, in: current)
  }

  mutating func text(_ bytes: Span<UInt8>, line: UInt32) {
    var bytes = bytes
    if ignoresLineFeed {
      ignoresLineFeed = false
      if !bytes.isEmpty, bytes[0] == 0x0A { bytes = bytes.extracting(droppingFirst: 1) }
    }
    guard !bytes.isEmpty, !isFull else { return }
    let node = current
    if node > 0, elementClass(node).contains(.textOnly) || isForeignText() {
      insertText(bytes, line: line)
    } else {
      text(bytes, in: mode, line: line)
    }
  }

  /// U+0000 in text: nothing, but a sign that there was something in SVG and MathML.
  mutating func null(line: UInt32) {
    if isForeignText() { text("\u{FFFD}".utf8.span, line: line) }
  }

  /// The state that the start tag just handled puts the tokenizer into; nil if it changes nothing.
  var textContent: HTMLTokenizer.Content? {
    let node = current
    guard node > 0, tree[node].namespace == .html else { return nil }
    switch tag(node) {
    case .title, .textarea: return .characterData
    case .script: return .scriptData
    case .plaintext: return isXHTML ? nil : .plaintext
    default: return elementClass(node).contains(.textOnly) ? .rawText : nil
    }
  }

  /// The innermost open element is one of SVG or MathML.
  var isInForeignContent: Bool { tree[current].namespace != .html }

  /// The end of the source: it leaves at least an empty page.
  mutating func finish(line: UInt32) {
    finishTableText(line: line)
    if mode == .inHead || mode == .inHeadNoscript {
      while tag(current) != .head, stack.count > 1 { pop() }
      mode = .inHead
    }
    while [.beforeHTML, .beforeHead, .inHead, .afterHead].contains(mode) { advance(line: line) }
  }

  // MARK: Before the body

  /// Makes the element whose tag was left out and goes to the next mode.
  private mutating func advance(line: UInt32) {
    switch mode {
    case .beforeHTML:
      insert(.html, line: line)
      mode = .beforeHead
    case .beforeHead:
      head = insert(.head, line: line)
      mode = .inHead
    case .inHead:
      pop()
      mode = .afterHead
    case .inHeadNoscript:
      pop()
      mode = .inHead
    case .afterHead:
      insert(.body, line: line)
      mode = .inBody
    default:
      mode = .inBody
    }
  }

  mutating func start(_ tag: HTMLTag, in mode: Mode) {
    switch mode {
    case .beforeHTML:
      if tag.name == .html {
        insert(tag)
        self.mode = .beforeHead
        return
      }
    case .beforeHead:
      if tag.name == .html { return mergeAttributes(tag.attributes, into: stack[0]) }
      if tag.name == .head {
        head = insert(tag)
        self.mode = .inHead
        return
      }
    case .inHead:
      if startInHead(tag) { return }
    case .inHeadNoscript:
      if tag.name == .html { return mergeAttributes(tag.attributes, into: stack[0]) }
      if tag.name == .head || tag.name == .noscript { return }
      if [.basefont, .bgsound, .link, .meta, .style].contains(tag.name) {
        _ = startInHead(tag)
        return
      }
    case .afterHead:
      if tag.name == .html { return mergeAttributes(tag.attributes, into: stack[0]) }
      if tag.name == .head || tag.name == .frameset || tag.name == .frame { return }
      if tag.name == .body {
        insert(tag)
        self.mode = .inBody
        return
      }
      if HTMLElementClass(tag.name).contains(.metadata), head > 0, tag.name != .template {
        // Back into the head.
        push(head)
        _ = startInHead(tag)
        removeFromStack(head)
        return
      }
    case .afterBody:
      self.mode = .inBody
      return start(tag, in: .inBody)
    case .inBody: return startInBody(tag)
    case .inTable: return startInTable(tag)
    case .inCaption:
      if HTMLElementClass(tag.name).isDisjoint(with: [.tablePart, .cell]) { return startInBody(tag) }
      if closeCaption() { start(tag, in: self.mode) }
      return
    case .inColumnGroup:
      if tag.name == .html { return startInBody(tag) }
      if tag.name == .col {
        insert(tag)
        pop()
        return
      }
      guard isHTML(current, .colgroup) else { return }
      pop()
      self.mode = .inTable
      return start(tag, in: .inTable)
    case .inTableBody: return startInTableBody(tag)
    case .inRow: return startInRow(tag)
    case .inCell:
      if HTMLElementClass(tag.name).isDisjoint(with: [.tablePart, .cell]) { return startInBody(tag) }
      guard hasClassInScope(.cell, table: true) else { return }
      closeCell()
      return start(tag, in: self.mode)
    }
    advance(line: tag.line)
    start(tag, in: self.mode)
  }

  mutating func end(_ name: Atom, in mode: Mode, line: UInt32) {
    switch mode {
    case .beforeHTML, .beforeHead:
      guard [.head, .body, .html, .br].contains(name) else { return }
    case .inHead:
      if name == .head {
        pop()
        self.mode = .afterHead
        return
      }
      if name == .template {
        if isOpen(.template) { pop(until: .template) }
        return
      }
      guard [.body, .html, .br].contains(name) else { return }
    case .inHeadNoscript:
      if name == .noscript {
        pop()
        self.mode = .inHead
        return
      }
      guard name == .br else { return }
    case .afterHead:
      guard [.body, .html, .br].contains(name) else { return }
    case .afterBody:
      if name == .html || name == .body { return }
      self.mode = .inBody
      return endInBody(name, line: line)
    case .inBody: return endInBody(name, line: line)
    case .inTable: return endInTable(name, line: line)
    case .inCaption:
      switch name {
      case .caption: _ = closeCaption()
      case .table: if closeCaption() { end(name, in: self.mode, line: line) }
      case .body, .col, .colgroup, .html, .tbody, .td, .tfoot, .th, .thead, .tr: break
      default: endInBody(name, line: line)
      }
      return
    case .inColumnGroup:
      guard name != .col, isHTML(current, .colgroup) else { return }
      pop()
      self.mode = .inTable
      if name != .colgroup { end(name, in: .inTable, line: line) }
      return
    case .inTableBody: return endInTableBody(name, line: line)
    case .inRow: return endInRow(name, line: line)
    case .inCell: return endInCell(name, line: line)
    }
    advance(line: line)
    end(name, in: self.mode, line: line)
  }

  private mutating func text(_ bytes: Span<UInt8>, in mode: Mode, line: UInt32) {
    switch mode {
    case .beforeHTML, .beforeHead:
      let spaces = ASCII.endOfSpace(from: 0, in: bytes)
      guard spaces < bytes.count else { return }
      advance(line: line)
      text(bytes.extracting(droppingFirst: spaces), in: self.mode, line: line)
    case .inHead, .inHeadNoscript, .afterHead, .inColumnGroup:
      let spaces = ASCII.endOfSpace(from: 0, in: bytes)
      insertText(bytes.extracting(first: spaces), line: line)
      guard spaces < bytes.count else { return }
      if mode == .inColumnGroup {
        guard isHTML(current, .colgroup) else { return }
        pop()
        self.mode = .inTable
      } else {
        advance(line: line)
      }
      text(bytes.extracting(droppingFirst: spaces), in: self.mode, line: line)
    case .inTable, .inTableBody, .inRow:
      if elementClass(current).contains(.fosters) {
        tableText.append(contentsOf: bytes)
      } else {
        reconstructFormatting()
        insertText(bytes, line: line)
      }
    case .afterBody, .inBody, .inCaption, .inCell:
      if mode == .afterBody, ASCII.endOfSpace(from: 0, in: bytes) < bytes.count { self.mode = .inBody }
      reconstructFormatting()
      insertText(bytes, line: line)
    }
  }

  /// Puts the text that a table was given into it, or before it (HTML, section 13.2.6.4.10).
  private mutating func finishTableText(line: UInt32) {
    guard !tableText.isEmpty else { return }
    let text = tableText
    tableText.removeAll(keepingCapacity: true)
    if ASCII.endOfSpace(from: 0, in: text.span) < text.count {
      isFostering = true
      reconstructFormatting()
      insertText(text.span, line: line)
      isFostering = false
    } else {
      insertText(text.span, line: line)
    }
  }

  /// Handles a start tag by the rules of the head; false when the head is over.
  mutating func startInHead(_ tag: HTMLTag) -> Bool {
    switch tag.name {
    case .html:
      mergeAttributes(tag.attributes, into: stack[0])
    case .head:
      break
    case .noscript:
      guard mode == .inHead else { return false }
      insert(tag)
      mode = .inHeadNoscript
    case _ where HTMLElementClass(tag.name).contains(.metadata):
      insert(tag)
      if HTMLElementClass(tag.name).contains(.void) || isXHTML && tag.isSelfClosing { pop() }
    default:
      return false
    }
    return true
  }

  // MARK: Tables

  mutating func resetMode() {
    for node in stack.reversed() where tree[node].namespace == .html {
      switch tag(node) {
      case .td, .th: mode = .inCell
      case .tr: mode = .inRow
      case .tbody, .thead, .tfoot: mode = .inTableBody
      case .caption: mode = .inCaption
      case .colgroup: mode = .inColumnGroup
      case .table: mode = .inTable
      case .body: mode = .inBody
      case .head: mode = .inHead
      default: continue
      }
      return
    }
    mode = .inBody
  }

  /// Handles what a table does not take by the rules of the body, before the table.
  private mutating func fosterStart(_ tag: HTMLTag) {
    isFostering = true
    startInBody(tag)
    isFostering = false
  }

  private mutating func startInTable(_ tag: HTMLTag) {
    switch tag.name {
    case .caption:
      clearStack(to: .tableScope)
      formatting.append(-1)
      insert(tag)
      mode = .inCaption
    case .colgroup:
      clearStack(to: .tableScope)
      insert(tag)
      mode = .inColumnGroup
    case .col:
      clearStack(to: .tableScope)
      insert(.colgroup, line: tag.line)
      mode = .inColumnGroup
      start(tag, in: mode)
    case .tbody, .thead, .tfoot:
      clearStack(to: .tableScope)
      insert(tag)
      mode = .inTableBody
    case .td, .th, .tr:
      clearStack(to: .tableScope)
      insert(.tbody, line: tag.line)
      mode = .inTableBody
      start(tag, in: mode)
    case .table:
      guard hasInScope(.table, .table) else { return }
      pop(until: .table)
      resetMode()
      start(tag, in: mode)
    case .style, .script, .template:
      _ = startInHead(tag)
    case .input
    where tag.attributes.contains {
      $0.name == .type && String(decoding: $0.value, as: UTF8.self).lowercased() == "hidden"
    }:
      insert(tag)
      pop()
    case .form:
      guard form < 0 else { return }
      form = insert(tag)
      pop()
    default:
      fosterStart(tag)
    }
  }

  private mutating func endInTable(_ name: Atom, line: UInt32) {
    switch name {
    case .table:
      guard hasInScope(.table, .table) else { return }
      pop(until: .table)
      resetMode()
    case .body, .caption, .col, .colgroup, .html, .tbody, .td, .tfoot, .th, .thead, .tr:
      break
    default:
      isFostering = true
      endInBody(name, line: line)
      isFostering = false
    }
  }

  private mutating func closeCaption() -> Bool {
    guard hasInScope(.caption, .table) else { return false }
    generateImpliedEnds()
    pop(until: .caption)
    clearFormattingToMarker()
    mode = .inTable
    return true
  }

  private mutating func startInTableBody(_ tag: HTMLTag) {
    switch tag.name {
    case .tr:
      clearStack(to: .rowGroup)
      insert(tag)
      mode = .inRow
    case .td, .th:
      clearStack(to: .rowGroup)
      insert(.tr, line: tag.line)
      mode = .inRow
      start(tag, in: mode)
    case .caption, .col, .colgroup, .tbody, .tfoot, .thead:
      guard closeRowGroup() else { return }
      start(tag, in: mode)
    default:
      startInTable(tag)
    }
  }

  private mutating func endInTableBody(_ name: Atom, line: UInt32) {
    switch name {
    case .tbody, .tfoot, .thead:
      guard hasInScope(name, .table) else { return }
      _ = closeRowGroup()
    case .table:
      guard closeRowGroup() else { return }
      end(name, in: mode, line: line)
    case .body, .caption, .col, .colgroup, .html, .td, .th, .tr:
      break
    default:
      endInTable(name, line: line)
    }
  }

  private mutating func closeRowGroup() -> Bool {
    guard hasClassInScope(.rowGroup, table: true) else { return false }
    clearStack(to: .rowGroup)
    pop()
    mode = .inTable
    return true
  }

  private mutating func startInRow(_ tag: HTMLTag) {
    switch tag.name {
    case .td, .th:
      clearStack(to: [], or: .tr)
      insert(tag)
      mode = .inCell
      formatting.append(-1)
    case .caption, .col, .colgroup, .tbody, .tfoot, .thead, .tr:
      guard closeRow() else { return }
      start(tag, in: mode)
    default:
      startInTable(tag)
    }
  }

  private mutating func endInRow(_ name: Atom, line: UInt32) {
    switch name {
    case .tr:
      _ = closeRow()
    case .table:
      guard closeRow() else { return }
      end(name, in: mode, line: line)
    case .tbody, .tfoot, .thead:
      guard hasInScope(name, .table), closeRow() else { return }
      end(name, in: mode, line: line)
    case .body, .caption, .col, .colgroup, .html, .td, .th:
      break
    default:
      endInTable(name, line: line)
    }
  }

  private mutating func closeRow() -> Bool {
    guard hasInScope(.tr, .table) else { return false }
    clearStack(to: [], or: .tr)
    pop()
    mode = .inTableBody
    return true
  }

  private mutating func endInCell(_ name: Atom, line: UInt32) {
    switch name {
    case .td, .th:
      guard hasInScope(name, .table) else { return }
      generateImpliedEnds()
      pop(until: name)
      clearFormattingToMarker()
      mode = .inRow
    case .body, .caption, .col, .colgroup, .html:
      break
    case .table, .tbody, .tfoot, .thead, .tr:
      guard hasInScope(name, .table) else { return }
      closeCell()
      end(name, in: mode, line: line)
    default:
      endInBody(name, line: line)
    }
  }

  private mutating func closeCell() {
    generateImpliedEnds()
    while let node = stack.last {
      pop()
      if elementClass(node).contains(.cell) { break }
    }
    clearFormattingToMarker()
    mode = .inRow
  }
}
