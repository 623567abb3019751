import CLibXML2
package import Primitives

/// Reads HTML, and XHTML that is not well formed, through the SAX events of libxml2's HTML parser.
///
/// libxml2 splits tags and attributes and knows which elements HTML 4 closes by implication. The structure around them
/// (`html`, `head`, `body`), the elements HTML added since and the namespaces of embedded SVG and MathML are decided here,
/// because libxml2 drops or moves what it does not expect. Names come out in lower case; those of SVG get their case back.
package enum HTMLReader {
  /// Parses UTF-8.
  ///
  /// - Parameter isBrokenXHTML: the source was meant as XHTML: no quirks, and `/>` ends an element at once.
  package static func read(_ utf8: [UInt8], limits: Limits, isBrokenXHTML: Bool = false) -> Document {
    readCounting(utf8, limits: limits, isBrokenXHTML: isBrokenXHTML).document
  }

  static func readCounting(_ utf8: [UInt8], limits: Limits, isBrokenXHTML: Bool) -> (
    document: Document, isTruncated: Bool
  ) {
    let normalized = EntityNormalizer.normalize(utf8, dialect: .html, isBrokenXHTML: isBrokenXHTML)
    let mode = isBrokenXHTML ? .noQuirks : normalized.documentType?.mode ?? .quirks
    // One element around everything: libxml2 makes up a paragraph for text that stands in none.
    let bytes = Array("<x-document>".utf8) + normalized.bytes
    guard let context = htmlNewParserCtxt() else {
      var arena = NodeArena(limits: limits)
      return (arena.finish(), false)
    }
    defer { htmlFreeParserCtxt(context) }
    let events = HTMLEvents(context: context, limits: limits)
    configure(context.pointee.sax)
    return withExtendedLifetime(events) {
      context.pointee.userData = Unmanaged.passUnretained(events).toOpaque()
      let options =
        HTML_PARSE_NONET.rawValue | HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOIMPLIED.rawValue
        | HTML_PARSE_IGNORE_ENC.rawValue | HTML_PARSE_NODEFDTD.rawValue
      bytes.withUnsafeBytes { buffer in
        let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
        let count = Int32(clamping: buffer.count)
        if let tree = htmlCtxtReadMemory(context, start, count, nil, "UTF-8", Int32(bitPattern: options)) {
          xmlFreeDoc(tree)
        }
      }
      events.ensureBody()
      events.arena.setProperties(mode: mode, isXML: false, encoding: "UTF-8")
      return (events.arena.finish(), events.arena.isFull)
    }
  }

  private static func configure(_ sax: UnsafeMutablePointer<_xmlSAXHandler>?) {
    guard let sax else { return }
    var handler = _xmlSAXHandler()
    // Set so that errors come to `serror`; the events are those of SAX 1.
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElement = { data, name, attributes in HTMLEvents.of(data)?.startElement(name, attributes: attributes) }
    handler.endElement = { data, name in HTMLEvents.of(data)?.endElement() }
    handler.characters = { data, bytes, count in HTMLEvents.of(data)?.text(bytes, count) }
    handler.ignorableWhitespace = handler.characters
    handler.cdataBlock = handler.characters
    handler.comment = { data, _ in HTMLEvents.of(data)?.arena.separateText() }
    handler.serror = { _, _ in }
    sax.pointee = handler
  }
}

private final class HTMLEvents: SAXEvents {
  private enum Place { case beforeHTML, beforeHead, head, body }

  private var place = Place.beforeHTML
  /// For each element libxml2 holds open, how deep the arena was before it; -1 for those not in the arena.
  private var records: [Int] = []

  // MARK: Events

  func startElement(_ name: UnsafePointer<UInt8>?, attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?) {
    guard let name else { return }
    var atom = self.atom(name)
    var namespace = Namespace.html
    switch Structural(name) {
    case .document:
      records.append(-1)
      return
    case .html:
      records.append(-1)
      if place == .beforeHTML { openHTML(attributes) }
      return
    case .head:
      records.append(-1)
      if place == .beforeHTML || place == .beforeHead { openHead(attributes) }
      return
    case .body:
      records.append(-1)
      if place != .body { openBody(attributes) }
      return
    case nil:
      break
    }
    if place != .body {
      if Self.headElements.contains(atom) { ensureHead() } else { ensureBody() }
    }
    (atom, namespace) = qualified(atom, name: name)
    if namespace == .html { closeImplied(before: atom) }
    records.append(arena.depth)
    arena.startElement(atom, in: namespace, line: line)
    add(attributes, isForeign: namespace != .html)
    if Self.laterVoidElements.contains(atom), namespace == .html {
      arena.endElement()
      records[records.count - 1] = -1
    }
    if arena.isFull { xmlStopParser(context) }
  }

  func endElement() {
    guard let depth = records.popLast(), depth >= 0 else { return }
    arena.close(to: max(depth, place == .body ? 2 : 1))
  }

  func text(_ bytes: UnsafePointer<UInt8>?, _ count: Int32) {
    guard let bytes, count > 0 else { return }
    if place != .body, arena.depth <= 2, arena.depth < 2 || arena.currentName == .head || arena.currentName == .html {
      let buffer = UnsafeBufferPointer(start: bytes, count: Int(count))
      guard let first = buffer.firstIndex(where: { $0 != 0x20 && !($0 >= 0x09 && $0 <= 0x0D) }) else { return }
      ensureBody()
      characters(bytes + first, count - Int32(first))
      return
    }
    characters(bytes, count)
  }

  // MARK: Structure

  private enum Structural {
    case document, html, head, body
    init?(_ name: UnsafePointer<UInt8>) {
      guard name[0] == UInt8(ascii: "x"), name[1] == UInt8(ascii: "-") else { return nil }
      switch String(cString: name) {
      case "x-document": self = .document
      case "x-html": self = .html
      case "x-head": self = .head
      case "x-body": self = .body
      default: return nil
      }
    }
  }

  private func openHTML(_ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>? = nil) {
    arena.startElement(.html, in: .html, line: line)
    add(attributes, isForeign: false)
    place = .beforeHead
  }

  private func openHead(_ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>? = nil) {
    if place == .beforeHTML { openHTML() }
    arena.startElement(.head, in: .html, line: line)
    add(attributes, isForeign: false)
    place = .head
  }

  private func openBody(_ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>? = nil) {
    ensureHead()
    arena.close(to: 1)
    arena.startElement(.body, in: .html, line: line)
    add(attributes, isForeign: false)
    place = .body
  }

  private func ensureHead() {
    if place == .beforeHTML || place == .beforeHead { openHead() }
  }

  func ensureBody() {
    if place != .body { openBody() }
  }

  // MARK: Names

  /// The atom and namespace of an element where it stands (HTML, sections 13.2.6.2 and 13.2.6.5).
  private func qualified(_ atom: Atom, name: UnsafePointer<UInt8>) -> (Atom, Namespace) {
    if atom == .svg { return (atom, .svg) }
    if atom == .math { return (atom, .mathML) }
    var atom = atom
    if name.bytesOfCString.contains(UInt8(ascii: ":")) {
      let parts = String(cString: name).split(separator: ":", maxSplits: 1).map(String.init)
      if parts.count == 2, let namespace = Namespace(customaryPrefix: parts[0]) {
        let local = arena.intern(namespace == .svg ? SVGNames.corrected[parts[1]] ?? parts[1] : parts[1])
        return (local, namespace)
      }
    }
    switch arena.currentNamespace {
    case .svg:
      let parent = arena.currentName
      guard parent != .foreignObject, parent != .desc, parent != .title else { return (atom, .html) }
      if let corrected = SVGNames.corrected[String(cString: name)] { atom = arena.intern(corrected) }
      return (atom, .svg)
    case .mathML:
      switch arena.currentName {
      case .mi, .mo, .mn, .ms, .mtext, .annotationXml: return (atom, .html)
      default: return (atom, .mathML)
      }
    default:
      return (atom, .html)
    }
  }

  private func add(_ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, isForeign: Bool) {
    guard var pair = attributes else { return }
    while let name = pair[0] {
      defer { pair += 2 }
      let value = pair[1]?.bytesOfCString ?? UnsafeBufferPointer(start: nil, count: 0)
      let spelled = name.bytesOfCString
      if spelled.starts(with: "xmlns".utf8) { continue }
      if spelled.starts(with: "epub:".utf8) {
        arena.addAttribute(atom(name), in: .epub, value: value)
      } else if spelled.starts(with: "xml:".utf8) {
        arena.addAttribute(atom(name), in: .xml, value: value)
      } else if spelled.starts(with: "xlink:".utf8) {
        arena.addAttribute(atom(name), in: .xlink, value: value)
      } else if isForeign, let corrected = SVGNames.corrected[String(cString: name)] {
        arena.addAttribute(arena.intern(corrected), in: .none, value: value)
      } else {
        arena.addAttribute(atom(name), in: .none, value: value)
      }
    }
  }

  // MARK: Implied ends

  /// Ends what the start of `name` ends by implication and libxml2 does not know of.
  private func closeImplied(before name: Atom) {
    switch name {
    case .rt, .rp:
      while [.rt, .rp, .rb].contains(arena.currentName) { arena.endElement() }
    case .rb, .rtc:
      while [.rt, .rp, .rb, .rtc].contains(arena.currentName) { arena.endElement() }
    case .option:
      if arena.currentName == .option { arena.endElement() }
    case .optgroup:
      while [.option, .optgroup].contains(arena.currentName) { arena.endElement() }
    case _ where Self.laterBlocks.contains(name):
      closeParagraph()
    default:
      break
    }
  }

  /// Ends the paragraph around, unless a block or table stands between.
  private func closeParagraph() {
    var level = arena.ancestors.endIndex - 1
    while level > 2 {
      let node = arena.document.nodes[arena.ancestors[level].index]
      guard node.namespace == .html else { return }
      if node.name == .p {
        arena.close(to: level - 1)
        return
      }
      guard Self.inlineElements.contains(node.name) else { return }
      level -= 1
    }
  }

  private static let headElements: Set<Atom> = [
    .title, .meta, .link, .style, .script, .base, .basefont, .bgsound, .template,
  ]
  private static let laterVoidElements: Set<Atom> = [.wbr, .source, .track, .keygen, .bgsound]
  private static let laterBlocks: Set<Atom> = [
    .article, .section, .nav, .aside, .header, .footer, .main, .figure, .figcaption, .hgroup, .details, .summary,
    .dialog, .search,
  ]
  private static let inlineElements: Set<Atom> = [
    .a, .em, .strong, .small, .s, .cite, .q, .dfn, .abbr, .code, .`var`, .samp, .kbd, .sub, .sup, .i, .b, .u, .mark,
    .bdi, .bdo, .span, .ins, .del, .font, .big, .tt, .strike, .acronym, .label,
  ]
}

/// Names of SVG and MathML that have capitals, by their lower case (HTML, section 13.2.6.5).
private enum SVGNames {
  static let corrected: [String: String] = {
    let names = """
      altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix \
      feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow \
      feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset \
      fePointLight feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient \
      radialGradient textPath definitionURL attributeName attributeType baseFrequency baseProfile calcMode \
      clipPathUnits diffuseConstant edgeMode filterUnits gradientTransform gradientUnits kernelMatrix \
      kernelUnitLength keyPoints keySplines keyTimes lengthAdjust limitingConeAngle markerHeight markerUnits \
      markerWidth maskContentUnits maskUnits numOctaves pathLength patternContentUnits patternTransform \
      patternUnits pointsAtX pointsAtY pointsAtZ preserveAlpha preserveAspectRatio primitiveUnits refX refY \
      repeatCount repeatDur requiredExtensions requiredFeatures specularConstant specularExponent spreadMethod \
      startOffset stdDeviation stitchTiles surfaceScale systemLanguage tableValues targetX targetY textLength \
      viewBox viewTarget xChannelSelector yChannelSelector zoomAndPan
      """
    var table: [String: String] = [:]
    for name in names.split(separator: " ") { table[name.lowercased()] = String(name) }
    return table
  }()
}
