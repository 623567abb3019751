/// A URL reference resolved against the path of the file it stands in (RFC 3986, section 5.2), as a path in the container.
///
/// References with a scheme and `//host` references are returned as they are; percent-encoding stays as written.
package func resolveURL(_ reference: String, base: String) -> String {
  let bytes = Array(reference.utf8)
  var first = 0
  var last = bytes.count
  while first < last, bytes[first] <= 0x20 { first += 1 }
  while last > first, bytes[last - 1] <= 0x20 { last -= 1 }
  let trimmed = bytes[first..<last].filter { $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
  let text = String(decoding: trimmed, as: UTF8.self)
  if trimmed.isEmpty { return base }
  if hasScheme(trimmed) || (trimmed.count > 1 && trimmed[0] == 0x2F && trimmed[1] == 0x2F) { return text }
  if trimmed[0] == 0x23 { return base + text }

  // Only the path part is merged; query and fragment follow it unchanged.
  let pathEnd = trimmed.firstIndex { $0 == 0x3F || $0 == 0x23 } ?? trimmed.count
  let path = String(decoding: trimmed[..<pathEnd], as: UTF8.self)
  let tail = String(decoding: trimmed[pathEnd...], as: UTF8.self)
  var segments: [Substring] = []
  if trimmed[0] != 0x2F {
    segments = base.split(separator: "/", omittingEmptySubsequences: false)
    if !segments.isEmpty { segments.removeLast() }
  }
  for segment in path.split(separator: "/", omittingEmptySubsequences: false) {
    switch segment {
    case ".", "": continue
    case "..": if !segments.isEmpty, segments.last != "" { segments.removeLast() }
    default: segments.append(segment)
    }
  }
  return segments.joined(separator: "/") + tail
}

/// The reference starts with a scheme, such as `data:`.
private func hasScheme(_ bytes: [UInt8]) -> Bool {
  guard let first = bytes.first, first | 0x20 >= 0x61, first | 0x20 <= 0x7A else { return false }
  for (index, byte) in bytes.enumerated() {
    switch byte {
    case 0x3A: return index > 1
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: continue
    default: return false
    }
  }
  return false
}
