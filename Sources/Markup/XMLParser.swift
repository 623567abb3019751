import CLibXML2
import Platform
import Primitives

/// A name or an address that libxml2 keeps for the parse that it stands in: its address identifies it.
@safe struct XMLName {
  private let start: UnsafePointer<UInt8>

  init?(_ start: UnsafePointer<UInt8>?) {
    guard let start = unsafe start else { return nil }
    unsafe self.start = unsafe start
  }

  var key: UInt { unsafe UInt(bitPattern: start) }
  var text: String { unsafe String(cString: start) }
}

/// The attributes of a start tag.
@safe struct XMLAttributes {
  /// Five of each: name, prefix, address of the namespace, start and end of the value.
  private let parts: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  private let count: Int

  fileprivate init(_ parts: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int) {
    unsafe self.parts = unsafe parts
    self.count = count
  }

  func forEach(_ body: (_ name: XMLName, _ prefix: XMLName?, _ uri: XMLName?, _ value: Span<UInt8>) -> Void) {
    guard let parts = unsafe parts else { return }
    for index in 0..<count {
      let own = unsafe parts + index * 5
      guard let name = unsafe XMLName(own[0]), let start = unsafe own[3], let end = unsafe own[4] else { continue }
      let value = unsafe UnsafeBufferPointer(start: start, count: end - start)
      unsafe body(name, XMLName(own[1]), XMLName(own[2]), value.span)
    }
  }
}

/// A parser of libxml2.
@safe final class XMLParser {
  private let context: UnsafeMutablePointer<_xmlParserCtxt>

  init?() {
    guard let context = unsafe xmlNewParserCtxt() else { return nil }
    unsafe self.context = context
    unsafe configure(context.pointee.sax)
  }

  deinit { unsafe xmlFreeParserCtxt(context) }

  /// The line that has been reached.
  var line: UInt32 {
    guard let input = unsafe context.pointee.input else { return 0 }
    return unsafe UInt32(truncatingIfNeeded: max(input.pointee.line, 0))
  }

  /// Ends the parse.
  func stop() { unsafe xmlStopParser(context) }

  /// Parses UTF-8, piece by piece, since libxml2 would copy the whole: chapters may be large.
  func parse(_ bytes: [UInt8], into events: XMLEvents) {
    let options =
      XML_PARSE_NONET.rawValue | XML_PARSE_NOENT.rawValue | XML_PARSE_HUGE.rawValue | XML_PARSE_RECOVER.rawValue
      | XML_PARSE_IGNORE_ENC.rawValue | XML_PARSE_NOCDATA.rawValue
    unsafe context.pointee.userData = Unmanaged.passUnretained(events).toOpaque()
    defer { unsafe context.pointee.userData = nil }
    withExtendedLifetime(events) {
      var rest = bytes[...]
      unsafe withUnsafeMutablePointer(to: &rest) { rest in
        let tree = unsafe xmlCtxtReadIO(
          context,
          { rest, target, count in
            guard let rest = unsafe rest?.assumingMemoryBound(to: ArraySlice<UInt8>.self) else { return -1 }
            let piece = unsafe rest.pointee.prefix(Int(count))
            unsafe UnsafeMutableRawBufferPointer(start: target, count: piece.count).copyBytes(from: piece)
            unsafe rest.pointee.removeFirst(piece.count)
            return Int32(piece.count)
          }, nil, unsafe rest, nil, nil, Int32(bitPattern: options))
        if let tree = unsafe tree { unsafe xmlFreeDoc(tree) }
      }
    }
  }

  /// The events object behind a callback's first argument.
  private static func events(_ userData: UnsafeMutableRawPointer?) -> XMLEvents? {
    guard let userData = unsafe userData else { return nil }
    return unsafe Unmanaged<XMLEvents>.fromOpaque(userData).takeUnretainedValue()
  }

  private func configure(_ sax: UnsafeMutablePointer<_xmlSAXHandler>?) {
    guard let sax = unsafe sax else { return }
    var handler = unsafe _xmlSAXHandler()
    unsafe handler.initialized = UInt32(XML_SAX2_MAGIC)
    unsafe handler.startElementNs = { data, name, prefix, uri, _, _, count, _, attributes in
      guard let name = unsafe XMLName(name) else { return }
      unsafe XMLParser.events(data)?.startElement(
        name, prefix: XMLName(prefix), uri: XMLName(uri), attributes: XMLAttributes(attributes, count: Int(count)))
    }
    unsafe handler.endElementNs = { data, _, _, _ in unsafe XMLParser.events(data)?.arena.endElement() }
    unsafe handler.characters = { data, bytes, count in
      let text = unsafe UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(count))
      unsafe XMLParser.events(data)?.characters(text.span)
    }
    unsafe handler.ignorableWhitespace = handler.characters
    unsafe handler.cdataBlock = handler.characters
    unsafe handler.comment = { data, _ in unsafe XMLParser.events(data)?.arena.separateText() }
    // Its argument is declared without a const before libxml2 2.12.
    unsafe handler.serror = { data, error in
      guard let error = unsafe error?.pointee else { return }
      unsafe XMLParser.events(data)?.fault(MarkupFault(error))
    }
    unsafe sax.pointee = handler
  }
}

extension MarkupFault {
  fileprivate init(_ error: _xmlError) {
    let message = unsafe error.message.map { unsafe String(cString: $0) } ?? ""
    unsafe self.init(
      code: error.code, isFatal: error.level.rawValue >= XML_ERR_FATAL.rawValue, line: Int(error.line),
      message: String(message.split(separator: "\n").first ?? ""))
  }
}
