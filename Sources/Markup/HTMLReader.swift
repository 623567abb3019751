import CLibXML2
package import Primitives

/// Reads HTML, and XHTML that is not well formed.
///
/// `MarkupNormalizer` makes every tag an element of its own, libxml2's HTML parser splits these into names and attributes,
/// and `HTMLTreeBuilder` builds the tree as browsers do. libxml2's own idea of the tree is that of HTML 4: it drops, moves
/// and closes what it does not expect. Names come out in lower case; those of SVG get their capitals back.
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
    let normalized = MarkupNormalizer.normalize(utf8, dialect: .html, isBrokenXHTML: isBrokenXHTML)
    let mode = isBrokenXHTML ? .noQuirks : normalized.documentType?.mode ?? .quirks
    // One element around everything: libxml2 makes up a paragraph for text that stands in none.
    let bytes = Array("<x-document>".utf8) + normalized.bytes
    guard let context = htmlNewParserCtxt() else {
      var arena = NodeArena(limits: limits)
      return (arena.finish(), false)
    }
    defer { htmlFreeParserCtxt(context) }
    let events = HTMLEvents(context: context, limits: limits, isQuirky: mode == .quirks, isXHTML: isBrokenXHTML)
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
      events.builder.finish(line: events.line)
      events.builder.tree.write(to: &events.arena)
      events.arena.setProperties(mode: mode, isXML: false, encoding: "UTF-8")
      let isTruncated = events.builder.isFull || events.arena.isFull
      return (events.arena.finish(), isTruncated)
    }
  }

  private static func configure(_ sax: UnsafeMutablePointer<_xmlSAXHandler>?) {
    guard let sax else { return }
    var handler = _xmlSAXHandler()
    // Set so that errors come to `serror`; the events are those of SAX 1.
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElement = { data, name, attributes in HTMLEvents.of(data)?.startElement(name, attributes: attributes) }
    handler.characters = { data, bytes, count in HTMLEvents.of(data)?.text(bytes, count) }
    handler.ignorableWhitespace = handler.characters
    handler.cdataBlock = handler.characters
    handler.comment = { data, _ in HTMLEvents.of(data)?.comment() }
    handler.serror = { _, _ in }
    sax.pointee = handler
  }
}

/// Turns libxml2's events, each a tag or text, into tokens for the tree builder.
private final class HTMLEvents: SAXEvents {
  private enum Tag {
    case document
    case start(Atom, namespace: Namespace?)
    case selfClosing(Atom, namespace: Namespace?)
    case end(Atom)
  }

  var builder: HTMLTreeBuilder
  private var tags: [UInt: Tag] = [:]
  private var attributeNames: [UInt: (plain: Atom, foreign: Atom, namespace: Namespace)?] = [:]

  init(context: UnsafeMutablePointer<_xmlParserCtxt>, limits: Limits, isQuirky: Bool, isXHTML: Bool) {
    var arena = NodeArena(limits: limits)
    builder = HTMLTreeBuilder(isQuirky: isQuirky, isXHTML: isXHTML, mostNodes: limits.nodes, arena: &arena)
    super.init(context: context, limits: limits)
    self.arena = arena
  }

  func startElement(_ name: UnsafePointer<UInt8>?, attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?) {
    guard let name else { return }
    switch tag(name) {
    case .document:
      break
    case .start(let atom, let namespace):
      builder.start(startTag(atom, namespace, attributes, isSelfClosing: false))
    case .selfClosing(let atom, let namespace):
      builder.start(startTag(atom, namespace, attributes, isSelfClosing: true))
    case .end(let atom):
      builder.end(atom, line: line)
    }
    if builder.isFull { xmlStopParser(context) }
  }

  func text(_ bytes: UnsafePointer<UInt8>?, _ count: Int32) {
    guard let bytes, count > 0 else { return }
    builder.text(UnsafeBufferPointer(start: bytes, count: Int(count)), line: line)
  }

  func comment() { builder.comment(line: line) }

  private func tag(_ name: UnsafePointer<UInt8>) -> Tag {
    let key = UInt(bitPattern: name)
    if let known = tags[key] { return known }
    let spelled = String(cString: name)
    var local = String(spelled.dropFirst(2))
    var namespace: Namespace?
    if let colon = local.firstIndex(of: ":"), let known = Namespace(customaryPrefix: String(local[..<colon])),
      known == .svg || known == .mathML || known == .html
    {
      local = String(local[local.index(after: colon)...])
      namespace = known == .html ? nil : known
    }
    let atom = arena.intern(local)
    let tag: Tag =
      switch spelled.first {
      case "s": .start(atom, namespace: namespace)
      case "v": .selfClosing(atom, namespace: namespace)
      case "e": .end(atom)
      default: .document
      }
    tags[key] = tag
    return tag
  }

  private func startTag(
    _ name: Atom, _ namespace: Namespace?, _ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    isSelfClosing: Bool
  ) -> HTMLTreeBuilder.StartTag {
    var tag = HTMLTreeBuilder.StartTag(
      name: name, attributes: [], isSelfClosing: isSelfClosing, namespace: namespace, line: line)
    guard var pair = attributes else { return tag }
    let isForeign = name == .svg || name == .math || builder.isForeign(startTag: tag)
    while let name = pair[0] {
      if let (plain, foreign, namespace) = attributeName(name) {
        tag.attributes.append(
          HTMLTree.Attribute(
            name: isForeign ? foreign : plain, namespace: namespace,
            value: pair[1].map { Array($0.bytesOfCString) } ?? []))
      }
      pair += 2
    }
    return tag
  }

  /// The atom of an attribute in HTML and in SVG, nil for declarations of namespaces.
  private func attributeName(_ name: UnsafePointer<UInt8>) -> (plain: Atom, foreign: Atom, namespace: Namespace)? {
    let key = UInt(bitPattern: name)
    if let known = attributeNames[key] { return known }
    let spelled = String(cString: name)
    var result: (plain: Atom, foreign: Atom, namespace: Namespace)?
    if spelled != "xmlns", !spelled.hasPrefix("xmlns:") {
      let plain = arena.intern(spelled)
      let namespace: Namespace =
        spelled.hasPrefix("epub:")
        ? .epub : spelled.hasPrefix("xml:") ? .xml : spelled.hasPrefix("xlink:") ? .xlink : .none
      result = (plain, builder.correctedNames[plain] ?? plain, namespace)
    }
    attributeNames[key] = .some(result)
    return result
  }
}
