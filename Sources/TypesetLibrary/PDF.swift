public import CTypeset
import FoundationEssentials
import Platform
import Primitives
import Synchronization
import Typesetting

/// What a caller asks of a PDF.
private struct PDFRequest: Sendable {
  var settings = PDFSettings()
  var progress: (@Sendable (PDFProgress) -> Bool)?

  init(_ pointer: UnsafePointer<typeset_pdf_options>?) throws(Failure) {
    guard let options = try options(pointer, "options", zero: typeset_pdf_options()) else { return }
    let standards: [(UInt32, PDFSettings.Standard)] = [(1, .a2u), (2, .a2a), (4, .ua1)]
    guard options.standards < 8 else {
      throw Failure(.invalidArgument, part: "standards", "there is no such standard")
    }
    if options.standards != 0 {
      settings.standards = Set(standards.filter { options.standards & $0.0 != 0 }.map(\.1))
    }
    if options.creation_time != 0 {
      settings.creationDate = Date(timeIntervalSince1970: Double(options.creation_time))
    }
    guard let told = options.progress else { return }
    let context = CallerContext(pointer: options.context)
    progress = { told(context.pointer, $0.pages, $0.chapters, $0.chapterCount) == 0 }
  }
}

/// A fault of a book, or a warning of a file that has been written.
struct Warning: Encodable {
  var code: String
  var part: String
  var line: Int
  var message: String

  init(_ diagnostic: Diagnostic) {
    code = diagnostic.code
    part = diagnostic.resource
    line = diagnostic.line
    message = diagnostic.message
  }
}

/// Sets a book as a PDF whose bytes `write` takes, and gives its warnings as JSON; nil where nobody asks for them.
private func pdf(
  _ handle: OpaquePointer?, _ options: UnsafePointer<typeset_pdf_options>?, _ warnings: Place<Place<CChar>?>?,
  _ write: @escaping @Sendable (Data) throws -> Void
) throws {
  let handle = try object(handle, as: TypesetterHandle.self)
  let request = try PDFRequest(options)
  let isStopped = Lock(false)
  @Sendable func check() throws(Failure) {
    if isStopped.withLock({ $0 }) { throw Failure.stopped }
  }
  let made = try handle.run { typesetter in
    try await typesetter.pdf(request.settings) { reached in
      if request.progress?(reached) == false { isStopped.withLock { $0 = true } }
    } write: { bytes in
      try check()
      try write(bytes)
    }
  }
  try check()
  if let warnings { warnings.pointee = try json(made.map(Warning.init)) }
}

@c @implementation
public func typeset_pdf(
  _ typesetter: OpaquePointer?, _ options: UnsafePointer<typeset_pdf_options>?, _ write: typeset_write?,
  _ context: UnsafeMutableRawPointer?, _ warnings: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) {
    warnings?.pointee = nil
    guard let write else { throw Failure(.invalidArgument, part: "write", "it is NULL") }
    let context = CallerContext(pointer: context)
    try pdf(typesetter, options, warnings) { bytes in
      let answer = bytes.withUnsafeBytes {
        write(context.pointer, $0.bindMemory(to: UInt8.self).baseAddress, $0.count)
      }
      if answer != 0 { throw Failure.stopped }
    }
  }
}

@c @implementation
public func typeset_pdf_memory(
  _ typesetter: OpaquePointer?, _ options: UnsafePointer<typeset_pdf_options>?, _ bytes: Place<Place<UInt8>?>?,
  _ count: Place<Int>?, _ warnings: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) {
    warnings?.pointee = nil
    let (bytes, count) = (try place(bytes, emptied: nil), try place(count, emptied: 0))
    let file = Lock<[UInt8]>([])
    try pdf(typesetter, options, warnings) { part in file.withLock { $0 += part } }
    let whole = file.withLock { $0 }
    do { bytes.pointee = try copy(whole) } catch {
      typeset_free(warnings?.pointee)
      warnings?.pointee = nil
      throw error
    }
    count.pointee = whole.count
  }
}
