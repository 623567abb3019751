import CLibXML2
import Platform
import Primitives

/// The text that stand-ins take the place of, used up in order.
@safe struct ElidedText {
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

/// The target of libxml2's callbacks: the arena and the names of one parse.
///
/// libxml2 interns the names of a document, so a name's address identifies it and each is turned into an atom once.
@safe final class XMLEvents {
  /// Faults of well-formedness that lose nothing: an attribute given twice, `--` in a comment.
  static let harmless: Set<Int32> = [
    Int32(bitPattern: XML_ERR_ATTRIBUTE_REDEFINED.rawValue), Int32(bitPattern: XML_ERR_HYPHEN_IN_COMMENT.rawValue),
  ]

  let context: UnsafeMutablePointer<_xmlParserCtxt>
  var arena: NodeArena
  var faults: [MarkupFault] = []
  var recovers = false
  var elided: ElidedText?
  /// The namespace of elements without one, decided by the root.
  private var fallback = Namespace.none
  private var namespaces: [UInt: Namespace] = [:]
  private var atoms: [UInt: Atom] = [:]

  init(context: UnsafeMutablePointer<_xmlParserCtxt>, limits: Limits) {
    unsafe self.context = context
    arena = NodeArena(limits: limits)
  }

  func fault(_ error: UnsafeMutablePointer<_xmlError>?) {
    unsafe record(error)
    guard let error = unsafe error, !recovers, unsafe error.pointee.level.rawValue >= XML_ERR_FATAL.rawValue
    else {
      return
    }
    if unsafe !Self.harmless.contains(error.pointee.code) { unsafe xmlStopParser(context) }
  }

  /// Adds text, what was elided in the place of its stand-ins.
  func characters(_ bytes: UnsafePointer<UInt8>?, _ count: Int32) {
    guard elided != nil, var bytes = unsafe bytes else { return unsafe add(bytes, count) }
    let end = unsafe bytes + Int(count)
    while let found = unsafe memchr(bytes, Int32(MarkupNormalizer.standIn), end - bytes) {
      let mark = unsafe found.assumingMemoryBound(to: UInt8.self)
      unsafe add(bytes, Int32(UnsafePointer(mark) - bytes))
      if let text = unsafe elided?.take() {
        unsafe add(text.baseAddress, Int32(truncatingIfNeeded: text.count))
      } else {
        unsafe add(mark, 1)
      }
      unsafe bytes = UnsafePointer(mark) + 1
    }
    unsafe add(bytes, Int32(end - bytes))
  }

  private func add(_ bytes: UnsafePointer<UInt8>?, _ count: Int32) {
    guard let bytes = unsafe bytes, count > 0 else { return }
    unsafe arena.addText(UnsafeBufferPointer(start: bytes, count: Int(count)), line: line)
    if arena.isFull { unsafe xmlStopParser(context) }
  }

  func startElement(
    _ name: UnsafePointer<UInt8>?, prefix: UnsafePointer<UInt8>?, uri: UnsafePointer<UInt8>?,
    attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int
  ) {
    guard let name = unsafe name else { return }
    if arena.depth == 0 { unsafe fallback = Namespace(root: String(cString: name)) ?? .none }
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
    if arena.isFull { unsafe xmlStopParser(context) }
  }

  private func namespace(uri: UnsafePointer<UInt8>?, prefix: UnsafePointer<UInt8>?) -> Namespace? {
    if let uri = unsafe uri {
      let key = UInt(bitPattern: uri)
      if let known = namespaces[key] { return known }
      let namespace = unsafe Namespace(uri: String(cString: uri))
      namespaces[key] = namespace
      return namespace
    }
    guard let prefix = unsafe prefix else { return nil }
    return unsafe Namespace(customaryPrefix: String(cString: prefix)) ?? .other
  }

  /// The line the parser has reached.
  private var line: UInt32 {
    guard let input = unsafe context.pointee.input else { return 0 }
    return unsafe UInt32(truncatingIfNeeded: max(input.pointee.line, 0))
  }

  /// The atom of a name of libxml2, with `prefix` before it. `kind` tells names with different prefixes apart.
  private func atom(_ name: UnsafePointer<UInt8>, prefix: StaticString = "", kind: UInt = 0) -> Atom {
    let key = UInt(bitPattern: name) ^ kind << 56
    if let known = atoms[key] { return known }
    let atom = unsafe arena.intern("\(prefix)" + String(cString: name))
    atoms[key] = atom
    return atom
  }

  private func record(_ error: UnsafeMutablePointer<_xmlError>?) {
    guard let error = unsafe error else { return }
    let message = unsafe error.pointee.message.map { unsafe String(cString: $0) } ?? ""
    if faults.count < 200 {
      unsafe faults.append(
        MarkupFault(
          code: error.pointee.code, isFatal: error.pointee.level.rawValue >= XML_ERR_FATAL.rawValue,
          line: Int(error.pointee.line), message: String(message.split(separator: "\n").first ?? "")))
    }
  }

  /// The events object behind a callback's first argument.
  static func of(_ userData: UnsafeMutableRawPointer?) -> Self? {
    guard let userData = unsafe userData else { return nil }
    return unsafe Unmanaged<Self>.fromOpaque(userData).takeUnretainedValue()
  }
}

/// An error of libxml2.
struct MarkupFault {
  var code: Int32
  var isFatal: Bool
  var line: Int
  var message: String
}
