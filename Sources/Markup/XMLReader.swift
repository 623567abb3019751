import CLibXML2
package import Primitives

/// Reads XML with namespaces through libxml2's SAX2 events (Namespaces in XML 1.0).
///
/// No DTD is read, no entity expanded and no file or address opened: `MarkupNormalizer` has removed the occasions, and
/// the parser's options forbid them again.
package enum XMLReader {
  /// The outcome of a parse.
  package struct Outcome: Sendable {
    package var document: Document
    /// The first fault that made the source not well formed; nil for a well-formed one.
    package var fault: (line: Int, message: String)?
    /// Findings of this parse that reading the source as HTML needs.
    package var xhtml = HTMLTokenizer.XHTML()
    var unknownReferences: [(line: Int, name: String)] = []
    var isTruncated = false
    /// A prefix that was never declared, or an attribute given twice: read all the same.
    var minorFault: (line: Int, message: String)?
  }

  /// Parses UTF-8. With `recovering`, all that libxml2 can make of a source that is not well formed is kept; without,
  /// reading stops at the first such fault. `wrapping` puts an element around everything, for sources with more than one
  /// root: what follows the first would not be read.
  package static func read(
    _ utf8: [UInt8], limits: Limits, recovering: Bool = false, wrapping: Bool = false
  ) -> Outcome {
    // Recovery by libxml2 may drop text, and with it the order of the stand-ins.
    var normalized = MarkupNormalizer.normalize(utf8, eliding: !recovering)
    if wrapping { normalized.bytes = Array("<x-document>".utf8) + normalized.bytes + Array("</x-document>".utf8) }
    var outcome = unsafe utf8.withUnsafeBufferPointer { source in
      unsafe parse(
        normalized.bytes,
        elided: normalized.elided.isEmpty ? nil : ElidedText(source: source, ranges: normalized.elided),
        limits: limits, recovering: recovering)
    }
    outcome.document.styleSheets = normalized.styleSheets
    outcome.xhtml = normalized.xhtml
    outcome.unknownReferences = normalized.unknownReferences
    return outcome
  }

  private static func parse(_ bytes: [UInt8], elided: ElidedText?, limits: Limits, recovering: Bool) -> Outcome {
    guard let context = unsafe xmlNewParserCtxt() else {
      return Outcome(document: emptyDocument(limits: limits), fault: (0, "the parser could not be made"))
    }
    defer { unsafe xmlFreeParserCtxt(context) }
    let events = unsafe XMLEvents(context: context, limits: limits)
    events.recovers = recovering
    events.elided = elided
    unsafe events.arena.reserve(textBytes: elided?.source.count ?? bytes.count)
    unsafe configure(context.pointee.sax)
    return withExtendedLifetime(events) {
      unsafe context.pointee.userData = Unmanaged.passUnretained(events).toOpaque()
      let options =
        XML_PARSE_NONET.rawValue | XML_PARSE_NOENT.rawValue | XML_PARSE_HUGE.rawValue | XML_PARSE_RECOVER.rawValue
        | XML_PARSE_IGNORE_ENC.rawValue | XML_PARSE_NOCDATA.rawValue
      // Piece by piece, since libxml2 would copy the whole: chapters may be large.
      unsafe bytes.withUnsafeBytes { buffer in
        var rest = unsafe buffer[...]
        unsafe withUnsafeMutablePointer(to: &rest) { rest in
          let tree = unsafe xmlCtxtReadIO(
            context,
            { rest, target, count in
              guard let rest = unsafe rest?.assumingMemoryBound(to: Slice<UnsafeRawBufferPointer>.self) else {
                return -1
              }
              let piece = unsafe rest.pointee.prefix(Int(count))
              unsafe UnsafeMutableRawBufferPointer(start: target, count: piece.count).copyBytes(from: piece)
              unsafe rest.pointee.removeFirst(piece.count)
              return unsafe Int32(piece.count)
            }, nil, unsafe rest, nil, nil, Int32(bitPattern: options))
          if let tree = unsafe tree { unsafe xmlFreeDoc(tree) }
        }
      }
      events.arena.setProperties(mode: .noQuirks, isXML: true, encoding: "UTF-8")
      let fatal = events.faults.first { $0.isFatal && !XMLEvents.harmless.contains($0.code) }
      let minor = events.faults.first { !$0.isFatal || XMLEvents.harmless.contains($0.code) }
      let isTruncated = events.arena.isFull
      return Outcome(
        document: events.arena.finish(), fault: isTruncated ? nil : fatal.map { ($0.line, $0.message) },
        isTruncated: isTruncated, minorFault: minor.map { ($0.line, $0.message) })
    }
  }

  private static func emptyDocument(limits: Limits) -> Document {
    var arena = NodeArena(limits: limits)
    return arena.finish()
  }

  private static func configure(_ sax: UnsafeMutablePointer<_xmlSAXHandler>?) {
    guard let sax = unsafe sax else { return }
    var handler = unsafe _xmlSAXHandler()
    unsafe handler.initialized = UInt32(XML_SAX2_MAGIC)
    unsafe handler.startElementNs = { data, name, prefix, uri, _, _, count, _, attributes in
      unsafe XMLEvents.of(data)?.startElement(name, prefix: prefix, uri: uri, attributes: attributes, count: Int(count))
    }
    unsafe handler.endElementNs = { data, _, _, _ in unsafe XMLEvents.of(data)?.arena.endElement() }
    unsafe handler.characters = { data, bytes, count in unsafe XMLEvents.of(data)?.characters(bytes, count) }
    unsafe handler.ignorableWhitespace = handler.characters
    unsafe handler.cdataBlock = handler.characters
    unsafe handler.comment = { data, _ in unsafe XMLEvents.of(data)?.arena.separateText() }
    unsafe handler.serror = { data, error in
      // Declared without a const before libxml2 2.12.
      unsafe XMLEvents.of(data)?.fault(error)
    }
    unsafe sax.pointee = handler
  }
}
