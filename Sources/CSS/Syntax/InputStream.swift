/// The bytes of a style sheet as UTF-8 (CSS Syntax 3, section 3.2): byte order mark, then the encoding the transport named,
/// then `@charset`, then the encoding of the document that links it, then UTF-8.
package func decodeStylesheet(
  _ bytes: [UInt8], protocolEncoding: String? = nil, environmentEncoding: String? = nil
) -> [UInt8] {
  bytes
}
