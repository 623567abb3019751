import CLibXML2
import Primitives

/// The target of libxml2's callbacks: the arena and the names of one parse.
///
/// libxml2 interns the names of a document, so a name's address identifies it and each is turned into an atom once.
@safe class SAXEvents {
  @exclusivity(unchecked) var arena: NodeArena
  @exclusivity(unchecked) var faults: [MarkupFault] = []
  let context: UnsafeMutablePointer<_xmlParserCtxt>
  @exclusivity(unchecked) private var atoms: [UInt: Atom] = [:]

  init(context: UnsafeMutablePointer<_xmlParserCtxt>, limits: Limits) {
    unsafe self.context = context
    unsafe arena = NodeArena(limits: limits)
  }

  /// The line the parser has reached.
  var line: UInt32 {
    guard let input = unsafe context.pointee.input else { return 0 }
    return unsafe UInt32(truncatingIfNeeded: max(input.pointee.line, 0))
  }

  /// The atom of a name of libxml2, with `prefix` before it. `kind` tells names with different prefixes apart.
  func atom(_ name: UnsafePointer<UInt8>, prefix: StaticString = "", kind: UInt = 0) -> Atom {
    let key = UInt(bitPattern: name) ^ kind << 56
    if let known = unsafe atoms[key] { return known }
    let atom = unsafe arena.intern("\(prefix)" + String(cString: name))
    unsafe atoms[key] = atom
    return atom
  }

  func characters(_ bytes: UnsafePointer<UInt8>?, _ count: Int32) {
    guard let bytes = unsafe bytes, count > 0 else { return }
    unsafe arena.addText(UnsafeBufferPointer(start: bytes, count: Int(count)), line: line)
    if unsafe arena.isFull { unsafe xmlStopParser(context) }
  }

  func record(_ error: UnsafeMutablePointer<_xmlError>?) {
    guard let error = unsafe error else { return }
    let message = unsafe error.pointee.message.map { unsafe String(cString: $0) } ?? ""
    if unsafe faults.count < 200 {
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

extension UnsafePointer<UInt8> {
  /// The bytes before the terminating zero.
  var bytesOfCString: UnsafeBufferPointer<UInt8> {
    var count = 0
    while unsafe self[count] != 0 { count += 1 }
    return unsafe UnsafeBufferPointer(start: self, count: count)
  }
}

extension Namespace {
  /// The namespace of a URI; nil URIs and unknown ones are the caller's.
  package init(uri: String) {
    switch uri {
    case "http://www.w3.org/1999/xhtml": self = .html
    case "http://www.w3.org/2000/svg": self = .svg
    case "http://www.w3.org/1998/Math/MathML": self = .mathML
    case "http://www.idpf.org/2007/ops": self = .epub
    case "http://www.w3.org/XML/1998/namespace": self = .xml
    case "http://www.w3.org/1999/xlink": self = .xlink
    case "http://www.idpf.org/2007/opf", "http://openebook.org/namespaces/oeb-package/1.0/": self = .opf
    case "http://www.daisy.org/z3986/2005/ncx/": self = .ncx
    case "urn:oasis:names:tc:opendocument:xmlns:container": self = .container
    case "http://www.w3.org/2001/04/xmlenc#": self = .encryption
    case "http://www.w3.org/ns/SMIL": self = .smil
    default:
      if uri.hasPrefix("http://purl.org/dc/elements/") {
        self = .dublinCore
      } else if uri.hasPrefix("http://www.w3.org/1999/xhtml") || uri.hasPrefix("https://www.w3.org/1999/xhtml")
        || uri.hasPrefix("http://www.w3.org/TR/xhtml") || uri.hasPrefix("http://openebook.org/namespaces/oeb-document/")
      {
        // Misspelt, or of the books before EPUB.
        self = .html
      } else {
        self = .other
      }
    }
  }

  /// The namespace a prefix means by custom, for documents that never declare it.
  init?(customaryPrefix prefix: String) {
    switch prefix {
    case "epub": self = .epub
    case "xml": self = .xml
    case "xlink": self = .xlink
    case "svg": self = .svg
    case "m", "mml", "math", "mathml": self = .mathML
    case "opf": self = .opf
    case "ncx": self = .ncx
    case "dc": self = .dublinCore
    case "html", "xhtml", "h": self = .html
    default: return nil
    }
  }

  /// The namespace of elements that declare none below a root of this name.
  init?(root: String) {
    switch root {
    case "html": self = .html
    case "svg": self = .svg
    case "math": self = .mathML
    case "package": self = .opf
    case "ncx": self = .ncx
    case "container": self = .container
    case "encryption": self = .encryption
    default: return nil
    }
  }
}
