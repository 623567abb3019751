import CLibXML2
import Platform
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
    package var documentType: DocumentType?
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
    var normalized = MarkupNormalizer.normalize(utf8, dialect: .xml, eliding: !recovering)
    if wrapping { normalized.bytes = Array("<x-document>".utf8) + normalized.bytes + Array("</x-document>".utf8) }
    var outcome = unsafe utf8.withUnsafeBufferPointer { source in
      unsafe parse(
        normalized.bytes,
        elided: normalized.elided.isEmpty ? nil : ElidedText(source: source, ranges: normalized.elided),
        limits: limits, recovering: recovering)
    }
    outcome.document.styleSheets = normalized.styleSheets
    outcome.documentType = normalized.documentType
    outcome.unknownReferences = normalized.unknownReferences
    return outcome
  }

  private static func parse(_ bytes: [UInt8], elided: ElidedText?, limits: Limits, recovering: Bool) -> Outcome {
    guard let context = unsafe xmlNewParserCtxt() else {
      return Outcome(document: emptyDocument(limits: limits), fault: (0, "the parser could not be made"))
    }
    defer { unsafe xmlFreeParserCtxt(context) }
    let events = unsafe XMLEvents(context: context, limits: limits)
    unsafe events.recovers = recovering
    unsafe events.elided = elided
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
      unsafe events.arena.setProperties(mode: .noQuirks, isXML: true, encoding: "UTF-8")
      let fatal = unsafe events.faults.first { $0.isFatal && !XMLEvents.harmless.contains($0.code) }
      let minor = unsafe events.faults.first { !$0.isFatal || XMLEvents.harmless.contains($0.code) }
      let isTruncated = unsafe events.arena.isFull
      return unsafe Outcome(
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

/// The text that stand-ins take the place of, used up in order.
@safe private struct ElidedText {
  let source: UnsafeBufferPointer<UInt8>
  let ranges: [Range<UInt32>]
  private var next = 0

  init(source: UnsafeBufferPointer<UInt8>, ranges: [Range<UInt32>]) {
    unsafe self.source = source
    self.ranges = ranges
  }

  /// The text of the next stand-in; nil for the character itself.
  mutating func take() -> UnsafeBufferPointer<UInt8>? {
    guard next < ranges.count else { return nil }
    let range = ranges[next]
    next += 1
    return unsafe range.isEmpty
      ? nil : UnsafeBufferPointer(rebasing: source[Int(range.lowerBound)..<Int(range.upperBound)])
  }
}

private final class XMLEvents: SAXEvents {
  /// Faults of well-formedness that lose nothing: an attribute given twice, `--` in a comment.
  static let harmless: Set<Int32> = [
    Int32(bitPattern: XML_ERR_ATTRIBUTE_REDEFINED.rawValue), Int32(bitPattern: XML_ERR_HYPHEN_IN_COMMENT.rawValue),
  ]

  @exclusivity(unchecked) var recovers = false
  @exclusivity(unchecked) var elided: ElidedText?
  /// The namespace of elements without one, decided by the root.
  @exclusivity(unchecked) private var fallback = Namespace.none
  @exclusivity(unchecked) private var namespaces: [UInt: Namespace] = [:]

  func fault(_ error: UnsafeMutablePointer<_xmlError>?) {
    unsafe record(error)
    guard let error = unsafe error, unsafe !recovers, unsafe error.pointee.level.rawValue >= XML_ERR_FATAL.rawValue
    else {
      return
    }
    if unsafe !Self.harmless.contains(error.pointee.code) { unsafe xmlStopParser(context) }
  }

  /// Adds text, what was elided in the place of its stand-ins.
  override func characters(_ bytes: UnsafePointer<UInt8>?, _ count: Int32) {
    guard unsafe elided != nil, var bytes = unsafe bytes else { return unsafe super.characters(bytes, count) }
    let end = unsafe bytes + Int(count)
    while let found = unsafe memchr(bytes, Int32(MarkupNormalizer.standIn), end - bytes) {
      let mark = unsafe found.assumingMemoryBound(to: UInt8.self)
      unsafe super.characters(bytes, Int32(UnsafePointer(mark) - bytes))
      if let text = unsafe elided?.take() {
        unsafe super.characters(text.baseAddress, Int32(truncatingIfNeeded: text.count))
      } else {
        unsafe super.characters(mark, 1)
      }
      unsafe bytes = UnsafePointer(mark) + 1
    }
    unsafe super.characters(bytes, Int32(end - bytes))
  }

  func startElement(
    _ name: UnsafePointer<UInt8>?, prefix: UnsafePointer<UInt8>?, uri: UnsafePointer<UInt8>?,
    attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int
  ) {
    guard let name = unsafe name else { return }
    if unsafe arena.depth == 0 { unsafe fallback = Namespace(root: String(cString: name)) ?? .none }
    let namespace = unsafe namespace(uri: uri, prefix: prefix) ?? fallback
    unsafe arena.startElement(atom(name), in: namespace, line: line)
    guard let attributes = unsafe attributes else { return }
    for index in 0..<count {
      let parts = unsafe attributes + index * 5
      guard let name = unsafe parts[0], let start = unsafe parts[3], let end = unsafe parts[4] else { continue }
      let namespace =
        unsafe parts[1] == nil ? Namespace.none : self.namespace(uri: parts[2], prefix: parts[1]) ?? .other
      let value = unsafe UnsafeBufferPointer(start: start, count: end - start)
      switch namespace {
      case .epub: unsafe arena.addAttribute(atom(name, prefix: "epub:", kind: 1), in: .epub, value: value)
      case .xml: unsafe arena.addAttribute(atom(name, prefix: "xml:", kind: 2), in: .xml, value: value)
      case .xlink: unsafe arena.addAttribute(atom(name, prefix: "xlink:", kind: 3), in: .xlink, value: value)
      default: unsafe arena.addAttribute(atom(name), in: namespace, value: value)
      }
    }
    if unsafe arena.isFull { unsafe xmlStopParser(context) }
  }

  private func namespace(uri: UnsafePointer<UInt8>?, prefix: UnsafePointer<UInt8>?) -> Namespace? {
    if let uri = unsafe uri {
      let key = UInt(bitPattern: uri)
      if let known = unsafe namespaces[key] { return known }
      let namespace = unsafe Namespace(uri: String(cString: uri))
      unsafe namespaces[key] = namespace
      return namespace
    }
    guard let prefix = unsafe prefix else { return nil }
    return unsafe Namespace(customaryPrefix: String(cString: prefix)) ?? .other
  }
}
