import CKindle
import Primitives

/// Reads MOBI and AZW3 books without protection by libmobi, which makes the files of an EPUB of them.
enum KindleReader {
  /// The library libmobi is installed.
  static var isAvailable: Bool { kindle_available() != 0 }

  /// Seconds and bytes that libmobi may take.
  private static let seconds: UInt32 = 60
  private static let memory = 1 << 30

  /// The files of the EPUB that a book is; throws where libmobi cannot read it.
  static func files(of bytes: [UInt8], limits: Limits) throws(PublicationError) -> [(path: String, bytes: [UInt8])] {
    var parts: UnsafeMutablePointer<UInt8>?
    var size = 0
    let outcome = unsafe kindle_read(
      bytes, bytes.count, limits.bytesPerEntry * 2, seconds, memory, &parts, &size)
    defer { unsafe kindle_free(parts) }
    switch kindle_outcome(UInt32(outcome)) {
    case KINDLE_DONE: break
    case KINDLE_PROTECTED:
      throw PublicationError(
        .protected(.amazon), "the book is protected by Amazon's digital rights management and cannot be read")
    case KINDLE_TOO_LARGE: throw PublicationError(.limit, "the Kindle book unpacks to more than the limit")
    case KINDLE_NOT_INSTALLED:
      throw PublicationError(
        .unavailable, "Kindle books are read by libmobi, which is not installed\(OptionalLibrary.libmobi.advice)")
    default: throw PublicationError(.notABook, "the Kindle book is damaged, or of a kind that libmobi cannot read")
    }
    guard let parts = unsafe parts else { throw PublicationError(.notABook, "the Kindle book is empty") }
    return unsafe files(in: UnsafeRawBufferPointer(start: parts, count: size))
  }

  private static func files(in buffer: UnsafeRawBufferPointer) -> [(path: String, bytes: [UInt8])] {
    var files: [(path: String, bytes: [UInt8])] = [
      (
        "META-INF/container.xml",
        Array(
          """
          <container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="content.opf"
          media-type="application/oebps-package+xml"/></rootfiles></container>
          """.utf8)
      )
    ]
    var at = 0
    let headSize = MemoryLayout<kindle_part>.size
    while at + headSize <= buffer.count {
      let head = unsafe buffer.loadUnaligned(fromByteOffset: at, as: kindle_part.self)
      at += headSize
      guard let size = Int(exactly: head.size), size <= buffer.count - at else { break }
      let bytes = unsafe Array(buffer[at..<(at + size)])
      at += size
      let ending = unsafe withUnsafeBytes(of: head.extension) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      files.append(
        (path(kind: head.kind, number: head.number, ending: ending), ending == "html" ? markup(bytes) : bytes))
    }
    return files
  }

  /// As libmobi names the files in what they say of each other.
  private static func path(kind: UInt32, number: UInt32, ending: String) -> String {
    if ending == "opf" { return "content.opf" }
    let digits = String(repeating: "0", count: max(0, 5 - "\(number)".count)) + "\(number)"
    let name = kind == KINDLE_MARKUP.rawValue ? "part" : kind == KINDLE_FLOW.rawValue ? "flow" : "resource"
    return "\(name)\(digits).\(ending)"
  }

  /// Markup of the old format with its page breaks as HTML has them.
  private static func markup(_ bytes: [UInt8]) -> [UInt8] {
    let name = Array("<mbp:pagebreak".utf8)
    let pageBreak = Array("<div style=\"page-break-after: always\"></div>".utf8)
    var result: [UInt8] = []
    var copied = 0
    var at = 0
    while let start = bytes[at...].firstIndex(of: 0x3C) {
      at = start + 1
      guard bytes[start...].starts(with: name), let end = bytes[start...].firstIndex(of: 0x3E) else { continue }
      result += bytes[copied..<start] + pageBreak
      copied = end + 1
      at = copied
      // Its end tag, where it has one.
      let close = Array("</mbp:pagebreak>".utf8)
      if bytes[copied...].starts(with: close) {
        copied += close.count
        at = copied
      }
    }
    return copied == 0 ? bytes : result + bytes[copied...]
  }
}
