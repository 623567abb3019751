import Platform
package import Primitives

/// The encoding of a text, and how it was found.
package struct TextEncoding: Hashable, Sendable {
  package enum Guess: Hashable, Sendable {
    /// The text or the reader says it, or it is valid UTF-8.
    case none
    case certain
    /// It may also be another, if that is known.
    case doubtful(alternative: String?)
  }
  /// As the Encoding Standard has it, or IANA.
  package var name: String
  package var guess: Guess
}

extension EncodingGuess.Outcome {
  fileprivate var kind: TextEncoding.Guess { isDoubtful ? .doubtful(alternative: alternative) : .certain }
}

/// Finds out the encoding of bytes and decodes them to UTF-8.
///
/// A byte order mark decides; then what the reader says; then a declaration inside the text, unless the bytes contradict it; then
/// valid UTF-8; then what reads like a language (`EncodingGuess`).
package enum EncodingSniffer {
  /// Text in UTF-8 and the encoding it came in.
  package struct Decoded: Sendable {
    package var bytes: [UInt8]
    package var encoding: String
    /// Sequences that were not valid and are now U+FFFD.
    package var malformed = 0
    package var guess = TextEncoding.Guess.none

    /// The encoding, and how it was found.
    package var textEncoding: TextEncoding { TextEncoding(name: encoding, guess: guess) }

    /// Tells of a text that says nothing about itself what was not valid or is not certain.
    package func report(_ resource: String, to diagnostics: inout DiagnosticSink) {
      if malformed > 0 {
        diagnostics.warn("malformed-bytes", resource: resource, "\(malformed) byte sequences are not valid \(encoding)")
      }
      switch guess {
      case .none: break
      case .certain:
        diagnostics.append(
          Diagnostic(
            .note, code: "guessed-encoding", resource: resource, message: "the text is read as \(encoding), as a guess")
        )
      case .doubtful:
        diagnostics.warn("guessed-encoding", resource: resource, "the text is read as \(encoding)" + doubt)
      }
    }

    /// What to do where a guess is not certain, as the rest of a sentence.
    fileprivate var doubt: String {
      guard case .doubtful(let alternative) = guess else { return "" }
      return ", which is a guess" + (alternative.map { " (it may be \($0))" } ?? "") + ": --encoding says what it is"
    }
  }

  /// Decodes HTML or XML (HTML, section 13.2.3; XML 1.0, appendix F).
  ///
  /// - Parameter encoding: The encoding that the reader says it has.
  package static func decodeMarkup(
    _ bytes: [UInt8], resource: String, encoding: String? = nil, diagnostics: inout DiagnosticSink
  ) -> Decoded {
    if let marked = decodeByMark(bytes) { return marked }
    if let encoding {
      let decoded = decode(bytes[...], from: encoding)
      decoded.report(resource, to: &diagnostics)
      return decoded
    }
    if let wide = wideWithoutMark(bytes) { return decode(bytes[...], from: wide) }
    let label = declaredEncoding(bytes)
    let declared = label.map { EncodingLabels.name(for: $0) ?? $0 }
    let validation = TextDecoder.validateUTF8(bytes.span)
    let declaresUTF8 = declared.map { $0 == "UTF-8" || $0.hasPrefix("UTF-16") } ?? false
    if validation.malformed == 0, declared == nil || declaresUTF8 || validation.multibyte == 0 {
      // Plain ASCII in a stateful encoding is not ASCII.
      if validation.multibyte > 0 || !(declared.map(isStateful) ?? false) {
        if validation.multibyte == 0, declared == nil, let encoding = EncodingGuess.stateful(bytes) {
          return decode(bytes[...], from: encoding, guess: .certain)
        }
        return Decoded(bytes: bytes, encoding: "UTF-8")
      }
    }
    if let declared, !declaresUTF8 {
      if let decoded = TextDecoder.decode(bytes[...], from: declared) {
        // Bytes that are UTF-8 throughout and broken in the declared encoding were converted without a new label.
        if validation.malformed == 0, validation.multibyte > 0, decoded.malformed > 0 {
          diagnostics.warn("wrong-encoding", resource: resource, "declared as \(declared), is UTF-8", isOfBook: true)
          return Decoded(bytes: bytes, encoding: "UTF-8")
        }
        if decoded.malformed > 0 {
          diagnostics.warn(
            "malformed-bytes", resource: resource, "\(decoded.malformed) byte sequences are not valid \(declared)")
        }
        return Decoded(bytes: decoded.utf8, encoding: declared, malformed: decoded.malformed)
      }
      diagnostics.warn(
        "unknown-encoding", resource: resource, "the encoding “\(declared)” is not known", isOfBook: true)
      if validation.malformed == 0 { return Decoded(bytes: bytes, encoding: "UTF-8") }
    }
    if validation.multibyte <= validation.malformed * 2, let guess = EncodingGuess.legacy(bytes), guess.isClean,
      guess.isReadable,
      // A declaration is believed against anything but a text that reads well.
      declared == nil || !guess.isDoubtful
    {
      let decoded = decode(bytes[...], from: guess.encoding, guess: guess.kind)
      diagnostics.warn(
        "wrong-encoding", resource: resource,
        (declared == nil ? "no encoding declared and not UTF-8" : "declared as UTF-8 and not")
          + ", read as \(guess.encoding)" + decoded.doubt, isOfBook: true)
      return decoded
    }
    diagnostics.warn(
      "malformed-bytes", resource: resource, "\(validation.malformed) byte sequences are not valid UTF-8")
    return Decoded(bytes: TextDecoder.repairUTF8(bytes), encoding: "UTF-8", malformed: validation.malformed)
  }

  /// Decodes a style sheet (CSS Syntax 3, section 3.2). `environment` is the encoding of the document that uses it.
  package static func decodeStyleSheet(_ bytes: [UInt8], environment: String? = nil) -> Decoded {
    if let marked = decodeByMark(bytes) { return marked }
    if let wide = wideWithoutMark(bytes) { return decode(bytes[...], from: wide) }
    let validation = TextDecoder.validateUTF8(bytes.span)
    if validation.malformed == 0 { return Decoded(bytes: bytes, encoding: "UTF-8") }
    var label: String?
    let start = Array("@charset \"".utf8)
    if bytes.starts(with: start), let end = bytes[start.count...].prefix(64).firstIndex(of: 0x22) {
      let named = String(decoding: bytes[start.count..<end], as: UTF8.self)
      label = EncodingLabels.name(for: named) ?? named
    }
    for candidate in [label, environment] {
      guard let candidate, candidate != "UTF-8", !candidate.hasPrefix("UTF-16") else { continue }
      if let decoded = TextDecoder.decode(bytes[...], from: candidate), decoded.malformed == 0 {
        return Decoded(bytes: decoded.utf8, encoding: candidate)
      }
    }
    return Decoded(bytes: TextDecoder.repairUTF8(bytes), encoding: "UTF-8", malformed: validation.malformed)
  }

  /// Decodes a text that says nothing about itself; nil for bytes that are no text.
  ///
  /// - Parameter encoding: The encoding that the reader says it has.
  package static func decodePlainText(_ bytes: [UInt8], encoding: String? = nil) -> Decoded? {
    if let marked = decodeByMark(bytes) { return marked }
    if let encoding { return decode(bytes[...], from: encoding) }
    let validation = TextDecoder.validateUTF8(bytes.span)
    if validation.malformed == 0, validation.multibyte == 0, validation.zeros == 0,
      let encoding = EncodingGuess.stateful(bytes)
    {
      return decode(bytes[...], from: encoding, guess: .certain)
    }
    if validation.malformed == 0,
      validation.zeros == 0 || validation.multibyte > 0 && validation.zeros * 5 <= bytes.count
    {
      return Decoded(bytes: bytes, encoding: "UTF-8")
    }
    if let wide = EncodingGuess.wide(bytes) { return decode(bytes[...], from: wide, guess: .certain) }
    if validation.malformed == 0 { return Decoded(bytes: bytes, encoding: "UTF-8") }
    if validation.multibyte > validation.malformed * 2 { return repairedByLine(bytes, malformed: validation.malformed) }
    // Noise has as many control characters as letters.
    let controls = bytes.reduce(into: 0) { count, byte in
      if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D, byte != 0x0C { count += 1 }
    }
    if controls * 50 > bytes.count { return nil }
    if let guess = EncodingGuess.legacy(bytes) {
      return decode(bytes[...], from: guess.encoding, guess: guess.kind)
    }
    return repairedByLine(bytes, malformed: validation.malformed)
  }

  /// UTF-8 in which some lines are in another encoding, one for all of them, in which each is decoded that is valid in it.
  private static func repairedByLine(_ bytes: [UInt8], malformed: Int) -> Decoded {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    let isBroken = lines.map { line in
      TextDecoder.validateUTF8(line.span).malformed > 0
    }
    let broken = zip(lines, isBroken).lazy.filter(\.1).map(\.0)
    let guess = EncodingGuess.legacy(Array(broken.joined(separator: [0x0A] as [UInt8])))
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + 64)
    for (index, line) in lines.enumerated() {
      if index > 0 { output.append(0x0A) }
      if !isBroken[index] {
        output += line
      } else if let guess, guess.isReadable, let decoded = TextDecoder.decode(line, from: guess.encoding),
        decoded.malformed == 0
      {
        output += decoded.utf8
      } else {
        output += Array(String(decoding: line, as: UTF8.self).utf8)
      }
    }
    return Decoded(bytes: output, encoding: "UTF-8", malformed: malformed)
  }

  private static func isStateful(_ encoding: String) -> Bool {
    encoding.hasPrefix("ISO-2022") || encoding.hasPrefix("HZ")
  }

  private static func decode(
    _ bytes: ArraySlice<UInt8>, from encoding: String, guess: TextEncoding.Guess = .none
  ) -> Decoded {
    let encoding = EncodingLabels.name(for: encoding) ?? encoding
    // What is UTF-8 needs no library to be decoded.
    if encoding == "UTF-8" {
      let malformed = TextDecoder.validateUTF8(bytes.span).malformed
      return Decoded(bytes: TextDecoder.repairUTF8(Array(bytes)), encoding: encoding, malformed: malformed)
    }
    guard let decoded = TextDecoder.decode(bytes, from: encoding) else {
      return Decoded(bytes: TextDecoder.repairUTF8(Array(bytes)), encoding: "UTF-8")
    }
    return Decoded(bytes: decoded.utf8, encoding: encoding, malformed: decoded.malformed, guess: guess)
  }

  private static func decodeByMark(_ bytes: [UInt8]) -> Decoded? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      return Decoded(bytes: TextDecoder.repairUTF8(Array(bytes.dropFirst(3))), encoding: "UTF-8")
    }
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]), bytes.count % 4 == 0 {
      return decode(bytes.dropFirst(4), from: "UTF-32LE")
    }
    if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return decode(bytes.dropFirst(4), from: "UTF-32BE") }
    if bytes.starts(with: [0xFF, 0xFE]) { return decode(bytes.dropFirst(2), from: "UTF-16LE") }
    if bytes.starts(with: [0xFE, 0xFF]) { return decode(bytes.dropFirst(2), from: "UTF-16BE") }
    return nil
  }

  /// UTF-16 told from the zero bytes of its first ASCII characters.
  private static func wideWithoutMark(_ bytes: [UInt8]) -> String? {
    guard bytes.count >= 4 else { return nil }
    if bytes[0] == 0, bytes[1] != 0, bytes[2] == 0, bytes[3] != 0 { return "UTF-16BE" }
    if bytes[0] != 0, bytes[1] == 0, bytes[2] != 0, bytes[3] == 0 { return "UTF-16LE" }
    return nil
  }

  /// The encoding an XML declaration or a `meta` element names in the first bytes.
  private static func declaredEncoding(_ bytes: [UInt8]) -> String? {
    let declaration = lowercase(bytes.prefix(256))
    if declaration.starts(with: "<?xml".utf8), let end = firstIndex(of: "?>", in: declaration, from: 0),
      let start = firstIndex(of: "encoding", in: declaration, from: 0), start < end
    {
      return quoted(declaration, from: start + 8)
    }
    let head = lowercase(bytes.prefix(4096))
    var index = 0
    while let start = firstIndex(of: "<meta", in: head, from: index) {
      let end = head[start...].firstIndex(of: 0x3E) ?? head.count
      if let position = firstIndex(of: "charset", in: head, from: start), position < end {
        return quoted(head, from: position + 7)
      }
      index = end
    }
    return nil
  }

  private static func lowercase(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
  }

  private static func quoted(_ head: [UInt8], from start: Int) -> String? {
    var index = start
    while index < head.count, [0x20, 0x09, 0x0A, 0x0D, 0x3D, 0x22, 0x27].contains(head[index]) { index += 1 }
    let first = index
    while index < head.count,
      !([0x20, 0x09, 0x0A, 0x0D, 0x22, 0x27, 0x3B, 0x3E, 0x2F, 0x3F] as [UInt8]).contains(head[index])
    {
      index += 1
    }
    return index > first ? String(decoding: head[first..<index], as: UTF8.self) : nil
  }

  private static func firstIndex(of needle: StaticString, in bytes: [UInt8], from start: Int) -> Int? {
    let needle = needle.bytes
    let bytes = bytes.span
    var position = start
    while position + needle.count <= bytes.count {
      var matched = 0
      while matched < needle.count, bytes[position + matched] == needle[matched] { matched += 1 }
      if matched == needle.count { return position }
      position += 1
    }
    return nil
  }
}
