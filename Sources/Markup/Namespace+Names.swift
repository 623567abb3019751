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
