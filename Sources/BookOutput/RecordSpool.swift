import BookEngine
import Fonts
import Platform
import Primitives

/// Collects layout records in book order and fills in what their chapters could not know: page numbers and font numbers.
///
/// The book's line comes first but names all fonts, so the pages wait in an unnamed file.
@safe final class RecordSpool {
  private let stream: OutputStream
  private var spool: UnsafeMutablePointer<FILE>?
  /// The faces of the book in the order of their first use.
  private(set) var fonts: [FontID] = []
  private var numbers: [FontID: Int] = [:]

  init(_ target: OutputTarget) throws(BookError) {
    stream = try OutputStream(target)
    unsafe spool = tmpfile()
    if unsafe spool == nil {
      throw OutputFiles.failure("temporary file")
    }
  }

  deinit { if let spool = unsafe spool { unsafe fclose(spool) } }

  /// Appends a page's record.
  func append(_ record: PageRecordTemplate, number: Int) throws(BookError) {
    var line = record.filled(number: number) { self.number(of: record.fonts[$0]) }
    line.append(0x0A)
    guard let spool = unsafe spool, unsafe fwrite(line, 1, line.count, spool) == line.count else {
      throw OutputFiles.failure("temporary file")
    }
  }

  private func number(of font: FontID) -> Int {
    if let known = numbers[font] { return known }
    numbers[font] = fonts.count
    fonts.append(font)
    return fonts.count - 1
  }

  /// Writes the book's line and all pages, and gives the file its name.
  func finish(book: [UInt8]) throws(BookError) {
    try stream.append(book)
    if let spool = unsafe spool {
      unsafe rewind(spool)
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = unsafe fread(&buffer, 1, buffer.count, spool)
        if count == 0 { break }
        try stream.append(buffer[..<count])
      }
    }
    try stream.finish()
  }
}
