import Primitives

/// The rules of the body (HTML, section 13.2.6.4.7).
extension HTMLTreeBuilder {
  mutating func startInBody(_ tag: HTMLTag) {
    let element = HTMLElementClass(tag.name)
    switch tag.name {
    case .html:
      if let root = stack.first { mergeAttributes(tag.attributes, into: root) }
      return
    case .body:
      if stack.count > 1, isHTML(stack[1], .body) { mergeAttributes(tag.attributes, into: stack[1]) }
      return
    case .frameset, .frame, .head, .caption, .col, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr:
      return
    case .h1, .h2, .h3, .h4, .h5, .h6:
      closeParagraph()
      if elementClass(current).contains(.heading) { pop() }
      insert(tag)
    case .pre, .listing:
      closeParagraph()
      insert(tag)
      ignoresLineFeed = !isXHTML
    case .p, .plaintext:
      closeParagraph()
      insert(tag)
    case .form:
      guard form < 0 || isOpen(.template) else { return }
      closeParagraph()
      form = insert(tag)
    case .li, .dd, .dt:
      startListItem(tag)
    case .button:
      if hasInScope(.button) {
        generateImpliedEnds()
        pop(until: .button)
      }
      reconstructFormatting()
      insert(tag)
    case .a:
      if let open = formatting.reversed().prefix(while: { $0 >= 0 }).first(where: { tree[$0].tag == .a }) {
        adopt(.a, line: tag.line)
        formatting.removeAll { $0 == open }
        removeFromStack(open)
      }
      reconstructFormatting()
      pushFormatting(insert(tag))
    case .nobr:
      reconstructFormatting()
      if hasInScope(.nobr) {
        adopt(.nobr, line: tag.line)
        reconstructFormatting()
      }
      pushFormatting(insert(tag))
    case _ where element.contains(.formatting):
      reconstructFormatting()
      let node = insert(tag)
      if isXHTML, tag.isSelfClosing { pop() } else { pushFormatting(node) }
      return
    case .applet, .marquee, .object:
      reconstructFormatting()
      insert(tag)
      formatting.append(-1)
    case .table:
      if pageMode != .quirks { closeParagraph() }
      insert(tag)
      mode = .inTable
    case .image:
      var tag = tag
      tag.name = .img
      return startInBody(tag)
    case .hr:
      closeParagraph()
      if hasInScope(.select) { generateImpliedEnds() }
      insert(tag)
    case .input:
      if hasInScope(.select) { pop(until: .select) }
      reconstructFormatting()
      insert(tag)
    case .param, .source, .track, .base, .basefont, .bgsound, .link, .meta, .title, .style, .script, .template, .iframe,
      .noembed:
      insert(tag)
    case .textarea:
      insert(tag)
      ignoresLineFeed = true
    case .xmp:
      closeParagraph()
      reconstructFormatting()
      insert(tag)
    case .select:
      if hasInScope(.select) || isHTML(current, .select) {
        pop(until: .select)
        return
      }
      reconstructFormatting()
      insert(tag)
    case .option:
      if isHTML(current, .option) { pop() }
      reconstructFormatting()
      insert(tag)
    case .optgroup:
      if isHTML(current, .option) { pop() }
      if isHTML(current, .optgroup), isOpen(.select) { pop() }
      reconstructFormatting()
      insert(tag)
    case .rb, .rtc:
      if hasInScope(.ruby) { generateImpliedEnds() }
      insert(tag)
    case .rp, .rt:
      if hasInScope(.ruby) { generateImpliedEnds(except: .rtc) }
      insert(tag)
    case .svg, .math:
      reconstructFormatting()
      insert(tag, in: tag.name == .svg ? .svg : .mathML)
      if tag.isSelfClosing { pop() }
      return
    case _ where element.contains(.block):
      closeParagraph()
      insert(tag)
    default:
      reconstructFormatting()
      insert(tag)
    }
    if element.contains(.void) {
      if stack.last.map({ self.tag($0) == tag.name }) ?? false { pop() }
    } else if isXHTML, tag.isSelfClosing, stack.last.map({ self.tag($0) == tag.name }) ?? false {
      if tag.name == .applet || tag.name == .marquee || tag.name == .object { clearFormattingToMarker() }
      let node = current
      if tag.name == .a || tag.name == .nobr { formatting.removeAll { $0 == node } }
      let isTable = tag.name == .table
      pop()
      if isTable { resetMode() }
    }
  }

  private mutating func startListItem(_ tag: HTMLTag) {
    let names: [Atom] = tag.name == .li ? [.li] : [.dd, .dt]
    if names.contains(where: isOpen) {
      for node in stack.reversed() {
        let name = self.tag(node)
        if tree[node].namespace == .html, names.contains(name) {
          generateImpliedEnds(except: name)
          pop(until: name)
          break
        }
        if elementClass(node).contains(.special), ![.address, .div, .p].contains(name) { break }
      }
    }
    closeParagraph()
    insert(tag)
  }

  mutating func endInBody(_ name: Atom, line: UInt32) {
    let element = HTMLElementClass(name)
    switch name {
    case .body, .html:
      if isOpen(.body), mode == .inBody { mode = .afterBody }
    case .p:
      if !hasInScope(.p, .button) { insert(.p, line: line) }
      closeParagraph()
    case .li:
      guard hasInScope(.li, .listItem) else { return }
      generateImpliedEnds(except: .li)
      pop(until: .li)
    case .dd, .dt:
      guard hasInScope(name) else { return }
      generateImpliedEnds(except: name)
      pop(until: name)
    case .h1, .h2, .h3, .h4, .h5, .h6:
      guard hasClassInScope(.heading) else { return }
      generateImpliedEnds()
      while let node = stack.last {
        pop()
        if elementClass(node).contains(.heading) { break }
      }
    case .form:
      let node = form
      form = -1
      guard node > 0, hasInScope(.form) else { return }
      generateImpliedEnds()
      removeFromStack(node)
    case .br:
      startInBody(HTMLTag(name: .br, line: line))
    case .applet, .marquee, .object:
      guard hasInScope(name) else { return }
      generateImpliedEnds()
      pop(until: name)
      clearFormattingToMarker()
    case .template:
      guard isOpen(.template) else { return }
      generateImpliedEnds()
      pop(until: .template)
    case .select:
      guard isOpen(.select) else { return }
      endAnyOpen(.select)
    case .button, .listing, .pre:
      guard hasInScope(name) else { return }
      generateImpliedEnds()
      pop(until: name)
    case _ where element.contains(.block):
      guard hasInScope(name) else { return }
      generateImpliedEnds()
      pop(until: name)
    case _ where element.contains(.formatting):
      adopt(name, line: line)
    default:
      endAnyOther(name)
    }
  }

  private mutating func endAnyOpen(_ name: Atom) {
    for node in stack.reversed() {
      if isHTML(node, name) { return pop(until: name) }
      if elementClass(node).contains(.scope) { return }
    }
  }

  // MARK: SVG and MathML

  func isHTMLIntegrationPoint(_ node: Int) -> Bool {
    switch tree[node].namespace {
    case .svg: [.foreignObject, .desc, .title].contains(tree[node].name)
    case .mathML:
      tree[node].tag == .annotationXml
        && tree[node].attributes.contains { attribute in
          attribute.name == encodingName
            && ["text/html", "application/xhtml+xml"].contains(
              String(decoding: attribute.value, as: UTF8.self).lowercased())
        }
    default: false
    }
  }

  private func isTextIntegrationPoint(_ node: Int) -> Bool {
    tree[node].namespace == .mathML && [.mi, .mo, .mn, .ms, .mtext].contains(tree[node].tag)
  }

  func isForeign(startTag tag: HTMLTag) -> Bool {
    if tag.namespace != nil { return true }
    let node = current
    guard node > 0, tree[node].namespace != .html else { return false }
    if isTextIntegrationPoint(node), tag.name != mglyph, tag.name != malignmark { return false }
    if tree[node].tag == .annotationXml, tree[node].namespace == .mathML, tag.name == .svg { return false }
    return !isHTMLIntegrationPoint(node)
  }

  func isForeignText() -> Bool {
    let node = current
    guard tree[node].namespace != .html else { return false }
    return !isTextIntegrationPoint(node) && !isHTMLIntegrationPoint(node)
  }

  mutating func startForeign(_ tag: HTMLTag) {
    if let namespace = tag.namespace {
      insert(tag, in: namespace)
      if tag.isSelfClosing { pop() }
      return
    }
    let isFont = tag.name == .font && tag.attributes.contains { [.color, .face, .size].contains($0.name) }
    if HTMLElementClass(tag.name).contains(.breakout) || isFont {
      leaveForeign()
      return start(tag, in: mode)
    }
    insert(tag, in: tree[current].namespace)
    if tag.isSelfClosing { pop() }
  }

  private mutating func leaveForeign() {
    while let node = stack.last, tree[node].namespace != .html, !isTextIntegrationPoint(node),
      !isHTMLIntegrationPoint(node)
    {
      pop()
    }
  }

  mutating func endForeign(_ name: Atom, line: UInt32) {
    if name == .p || name == .br {
      leaveForeign()
      return end(name, in: mode, line: line)
    }
    for index in stack.indices.reversed() {
      let node = stack[index]
      if tree[node].namespace == .html { return end(name, in: mode, line: line) }
      if tree[node].tag == name {
        while stack.count > index { pop() }
        return
      }
    }
  }
}
