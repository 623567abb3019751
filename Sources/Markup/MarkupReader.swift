package import Primitives

/// Reads a markup resource whatever state it is in: encoding, XML or HTML, faults.
package enum MarkupReader {
  package enum Kind: Sendable {
    /// XHTML, SVG and other XML; read as HTML only if it is not well formed.
    case xml
    /// HTML as servers send it.
    case html
  }

  /// Parses the bytes of a chapter. Never fails: what is wrong is recovered from and told in the sink.
  ///
  /// - Parameter encoding: The encoding that the reader says it has.
  package static func read(
    _ bytes: [UInt8], as kind: Kind, resource: String = "", encoding: String? = nil, limits: Limits = Limits()
  ) -> (document: Document, diagnostics: DiagnosticSink) {
    var sink = DiagnosticSink()
    let decoded = EncodingSniffer.decodeMarkup(bytes, resource: resource, encoding: encoding, diagnostics: &sink)
    var document: Document
    var isTruncated = false
    switch kind {
    case .html:
      (document, isTruncated) = HTMLReader.read(decoded.bytes, limits: limits)
    case .xml:
      let outcome = XMLReader.read(decoded.bytes, limits: limits)
      let root = outcome.document.root
      let rootName = root.isNone ? "" : outcome.document.names.name(of: outcome.document[root].name)
      for reference in outcome.unknownReferences {
        sink.warn(
          "unknown-entity", resource: resource, line: reference.line,
          "“&\(reference.name);” names no character and is kept as text")
      }
      if outcome.fault == nil, rootName != "HTML" {
        if let minor = outcome.minorFault {
          sink.warn("markup-fault", resource: resource, line: minor.line, minor.message.trimmedForMessage())
        }
        document = outcome.document
        isTruncated = outcome.isTruncated
      } else {
        let fault = outcome.fault ?? (1, "the root element is HTML in capitals")
        sink.warn(
          "markup-not-well-formed", resource: resource, line: fault.line,
          "not well-formed XML, read as HTML: \(fault.message.trimmedForMessage())")
        (document, isTruncated) = HTMLReader.read(decoded.bytes, limits: limits, xhtml: outcome.xhtml)
      }
    }
    if isTruncated {
      sink.append(
        Diagnostic(
          .error, code: "too-many-nodes", resource: resource,
          message: "more than \(limits.nodes) elements and texts; the rest is left out"))
    }
    if document.isTooDeep {
      sink.warn(
        "too-deep", resource: resource,
        "elements are nested too deeply: those below level \(min(limits.depth, Limits.greatestDepth)) stand on it, side by side"
      )
    }
    document.encoding = decoded.textEncoding
    return (document, sink)
  }
}

extension String {
  /// The text as one clause: no line ends, no final stop, at most 200 characters.
  func trimmedForMessage() -> String {
    var text = String(prefix(200).map { $0.isNewline ? " " : $0 })
    while let last = text.last, last == " " || last == "." { text.removeLast() }
    return text
  }
}
