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
    var outcome = parse(
      normalized.bytes,
      elided: normalized.elided.isEmpty ? nil : ElidedText(source: utf8, ranges: normalized.elided),
      limits: limits, recovering: recovering)
    outcome.document.styleSheets = normalized.styleSheets
    outcome.xhtml = normalized.xhtml
    outcome.unknownReferences = normalized.unknownReferences
    return outcome
  }

  private static func parse(_ bytes: [UInt8], elided: ElidedText?, limits: Limits, recovering: Bool) -> Outcome {
    guard let parser = XMLParser() else {
      return Outcome(document: emptyDocument(limits: limits), fault: (0, "the parser could not be made"))
    }
    let events = XMLEvents(parser: parser, elided: elided, recovers: recovering, limits: limits)
    events.arena.reserve(textBytes: elided?.source.count ?? bytes.count)
    parser.parse(bytes, into: events)
    events.arena.setProperties(mode: .noQuirks, isXML: true, encoding: "UTF-8")
    let fatal = events.faults.first { $0.isFatal && !XMLEvents.harmless.contains($0.code) }
    let minor = events.faults.first { !$0.isFatal || XMLEvents.harmless.contains($0.code) }
    let isTruncated = events.arena.isFull
    return Outcome(
      document: events.arena.finish(), fault: isTruncated ? nil : fatal.map { ($0.line, $0.message) },
      isTruncated: isTruncated, minorFault: minor.map { ($0.line, $0.message) })
  }

  private static func emptyDocument(limits: Limits) -> Document {
    var arena = NodeArena(limits: limits)
    return arena.finish()
  }
}
