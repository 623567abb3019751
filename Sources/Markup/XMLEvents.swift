import CLibXML2
import Primitives

/// The text that stand-ins take the place of, used up in order.
struct ElidedText {
  let source: [UInt8]
  let ranges: [Range<UInt32>]
  private var next = 0

  init(source: [UInt8], ranges: [Range<UInt32>]) {
    self.source = source
    self.ranges = ranges
  }

  /// Where the text of the next stand-in is; nil for the character itself.
  mutating func take() -> Range<Int>? {
    guard next < ranges.count else { return nil }
    let range = ranges[next]
    next += 1
    return range.isEmpty ? nil : Int(range.lowerBound)..<Int(range.upperBound)
  }
}

/// What libxml2 reads goes into: the arena and the names of one parse.
final class XMLEvents {
  /// Faults of well-formedness that lose nothing: an attribute given twice, `--` in a comment.
  static let harmless: Set<Int32> = [
    Int32(bitPattern: XML_ERR_ATTRIBUTE_REDEFINED.rawValue), Int32(bitPattern: XML_ERR_HYPHEN_IN_COMMENT.rawValue),
  ]

  private let parser: XMLParser
  var arena: NodeArena
  private(set) var faults: [MarkupFault] = []
  private let recovers: Bool
  private var elided: ElidedText?
  /// The namespace of elements without one, decided by the root.
  private var fallback = Namespace.none
  private var namespaces: [UInt: Namespace] = [:]
  private var atoms: [UInt: Atom] = [:]

  init(parser: XMLParser, elided: ElidedText?, recovers: Bool, limits: Limits) {
    self.parser = parser
    self.elided = elided
    self.recovers = recovers
    arena = NodeArena(limits: limits)
  }

  func fault(_ fault: MarkupFault) {
    if faults.count < 200 { faults.append(fault) }
    if fault.isFatal, !recovers, !Self.harmless.contains(fault.code) { parser.stop() }
  }

  /// Adds text, what was elided in the place of its stand-ins.
  func characters(_ bytes: Span<UInt8>) {
    guard elided != nil else { return add(bytes) }
    var start = 0
    while let mark = ByteSearch.firstIndex(of: MarkupNormalizer.standIn, in: bytes, from: start) {
      add(bytes.extracting(start..<mark))
      if let range = elided?.take(), let source = elided?.source {
        add(source.span.extracting(range))
      } else {
        add(bytes.extracting(mark...mark))
      }
      start = mark + 1
    }
    add(bytes.extracting(start...))
  }

  private func add(_ bytes: Span<UInt8>) {
    guard !bytes.isEmpty else { return }
    arena.addText(bytes, line: parser.line)
    if arena.isFull { parser.stop() }
  }

  func startElement(_ name: XMLName, prefix: XMLName?, uri: XMLName?, attributes: XMLAttributes) {
    if arena.depth == 0 { fallback = Namespace(root: name.text) ?? .none }
    let namespace = namespace(uri: uri, prefix: prefix) ?? fallback
    arena.startElement(atom(name), in: namespace, line: parser.line)
    attributes.forEach { name, prefix, uri, value in
      let namespace = prefix == nil ? Namespace.none : self.namespace(uri: uri, prefix: prefix) ?? .other
      switch namespace {
      case .epub: arena.addAttribute(atom(name, prefix: "epub:", kind: 1), in: .epub, value: value)
      case .xml: arena.addAttribute(atom(name, prefix: "xml:", kind: 2), in: .xml, value: value)
      case .xlink: arena.addAttribute(atom(name, prefix: "xlink:", kind: 3), in: .xlink, value: value)
      default: arena.addAttribute(atom(name), in: namespace, value: value)
      }
    }
    if arena.isFull { parser.stop() }
  }

  private func namespace(uri: XMLName?, prefix: XMLName?) -> Namespace? {
    if let uri {
      if let known = namespaces[uri.key] { return known }
      let namespace = Namespace(uri: uri.text)
      namespaces[uri.key] = namespace
      return namespace
    }
    return prefix.map { Namespace(customaryPrefix: $0.text) ?? .other }
  }

  /// The atom of a name of libxml2, with `prefix` before it. `kind` tells names with different prefixes apart.
  private func atom(_ name: XMLName, prefix: StaticString = "", kind: UInt = 0) -> Atom {
    let key = name.key ^ kind << 56
    if let known = atoms[key] { return known }
    let atom = arena.intern("\(prefix)" + name.text)
    atoms[key] = atom
    return atom
  }
}

/// An error of libxml2.
struct MarkupFault {
  var code: Int32
  var isFatal: Bool
  var line: Int
  var message: String
}
