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
    guard let context = unsafe htmlNewParserCtxt() else {
      var arena = NodeArena(limits: limits)
      return (arena.finish(), false)
    }
    defer { unsafe htmlFreeParserCtxt(context) }
    let events = unsafe HTMLEvents(context: context, limits: limits, isQuirky: mode == .quirks, isXHTML: isBrokenXHTML)
    unsafe configure(context.pointee.sax)
    return withExtendedLifetime(events) {
      unsafe context.pointee.userData = Unmanaged.passUnretained(events).toOpaque()
      let options =
        HTML_PARSE_NONET.rawValue | HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOIMPLIED.rawValue
        | HTML_PARSE_IGNORE_ENC.rawValue | HTML_PARSE_NODEFDTD.rawValue
      unsafe bytes.withUnsafeBytes { buffer in
        let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
        let count = Int32(clamping: buffer.count)
        if let tree = unsafe htmlCtxtReadMemory(context, start, count, nil, "UTF-8", Int32(bitPattern: options)) {
          unsafe xmlFreeDoc(tree)
        }
      }
      events.builder.finish(line: events.line)
      unsafe events.builder.tree.write(to: &events.arena)
      unsafe events.arena.setProperties(mode: mode, isXML: false, encoding: "UTF-8")
      let isTruncated = unsafe events.builder.isFull || events.arena.isFull
      return unsafe (events.arena.finish(), isTruncated)
    }
  }

  private static func configure(_ sax: UnsafeMutablePointer<_xmlSAXHandler>?) {
    guard let sax = unsafe sax else { return }
    var handler = unsafe _xmlSAXHandler()
    // Set so that errors come to `serror`; the events are those of SAX 1.
    unsafe handler.initialized = UInt32(XML_SAX2_MAGIC)
    unsafe handler.startElement = { data, name, attributes in
      unsafe HTMLEvents.of(data)?.startElement(name, attributes: attributes)
    }
    unsafe handler.characters = { data, bytes, count in unsafe HTMLEvents.of(data)?.text(bytes, count) }
    unsafe handler.ignorableWhitespace = handler.characters
    unsafe handler.cdataBlock = handler.characters
    unsafe handler.comment = { data, _ in unsafe HTMLEvents.of(data)?.comment() }
    unsafe handler.serror = { _, _ in }
    unsafe sax.pointee = handler
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
    unsafe super.init(context: context, limits: limits)
    unsafe self.arena = arena
  }

  func startElement(_ name: UnsafePointer<UInt8>?, attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?) {
    guard let name = unsafe name else { return }
    switch unsafe tag(name) {
    case .document:
      break
    case .start(let atom, let namespace):
      unsafe builder.start(startTag(atom, namespace, attributes, isSelfClosing: false))
    case .selfClosing(let atom, let namespace):
      unsafe builder.start(startTag(atom, namespace, attributes, isSelfClosing: true))
    case .end(let atom):
      builder.end(atom, line: line)
    }
    if builder.isFull { unsafe xmlStopParser(context) }
  }

  func text(_ bytes: UnsafePointer<UInt8>?, _ count: Int32) {
    guard let bytes = unsafe bytes, count > 0 else { return }
    unsafe builder.text(UnsafeBufferPointer(start: bytes, count: Int(count)), line: line)
  }

  func comment() { builder.comment(line: line) }

  private func tag(_ name: UnsafePointer<UInt8>) -> Tag {
    let key = UInt(bitPattern: name)
    if let known = tags[key] { return known }
    let spelled = unsafe String(cString: name)
    var local = String(spelled.dropFirst(2))
    var namespace: Namespace?
    if let colon = local.firstIndex(of: ":"), let known = Namespace(customaryPrefix: String(local[..<colon])),
      known == .svg || known == .mathML || known == .html
    {
      local = String(local[local.index(after: colon)...])
      namespace = known == .html ? nil : known
    }
    let atom = unsafe arena.intern(local)
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
    guard var pair = unsafe attributes else { return tag }
    let isForeign = name == .svg || name == .math || builder.isForeign(startTag: tag)
    while let name = unsafe pair[0] {
      if let (plain, foreign, namespace) = unsafe attributeName(name) {
        unsafe tag.attributes.append(
          HTMLTree.Attribute(
            name: isForeign ? foreign : plain, namespace: namespace,
            value: pair[1].map { unsafe Array($0.bytesOfCString) } ?? []))
      }
      unsafe pair += 2
    }
    return tag
  }

  /// The atom of an attribute in HTML and in SVG, nil for declarations of namespaces.
  private func attributeName(_ name: UnsafePointer<UInt8>) -> (plain: Atom, foreign: Atom, namespace: Namespace)? {
    let key = UInt(bitPattern: name)
    if let known = attributeNames[key] { return known }
    let spelled = unsafe String(cString: name)
    var result: (plain: Atom, foreign: Atom, namespace: Namespace)?
    if spelled != "xmlns", !spelled.hasPrefix("xmlns:") {
      let plain = unsafe arena.intern(spelled)
      let namespace: Namespace =
        spelled.hasPrefix("epub:")
        ? .epub : spelled.hasPrefix("xml:") ? .xml : spelled.hasPrefix("xlink:") ? .xlink : .none
      result = (plain, builder.correctedNames[plain] ?? plain, namespace)
    }
    attributeNames[key] = .some(result)
    return result
  }
}
