public import CTypeset
import Typesetting

/// What `typeset_book` points to.
final class BookHandle: Sendable {
  let book: Book
  init(_ book: Book) { self.book = book }
}

/// What the caller asks of opening.
private func wanted(_ pointer: UnsafePointer<typeset_open_options>?) throws(Failure) -> typeset_open_options? {
  let least = MemoryLayout<typeset_open_options>.offset(of: \.decrypt)
  return try options(
    pointer, "options", zero: typeset_open_options(), least: least ?? MemoryLayout<typeset_open_options>.size)
}

/// The encoding that options name.
private func encoding(_ options: typeset_open_options?) throws(Failure) -> String? {
  guard let name = options?.encoding.map({ String(cString: $0) }) else { return nil }
  guard Book.Encoding.name(for: name) != nil else {
    throw Failure(.invalidArgument, part: "encoding", "no encoding is called \(name)")
  }
  return name
}

/// The patterns of chapters that options name.
private func chapterPatterns(_ options: typeset_open_options?) throws -> [Book.ChapterPattern] {
  guard let json = options?.chapter_patterns else { return [] }
  let patterns: [String] = try decoded(json, "chapter_patterns")
  do throws(Book.PatternError) {
    return try patterns.map { pattern throws(Book.PatternError) in try Book.ChapterPattern(pattern) }
  } catch {
    if case .unavailable = error { throw Failure(.unavailable, error.description) }
    throw Failure(.invalidArgument, part: "chapter_patterns", error.description)
  }
}

@c @implementation
public func typeset_open(
  _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<typeset_open_options>?, _ book: Place<OpaquePointer?>?,
  _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) {
    let place = try place(book, emptied: nil)
    let options = try wanted(options)
    let decryption = decryption(options)
    let path = try text(path, "path")
    do {
      place.pointee = give(
        BookHandle(
          try Book(
            contentsOf: path, encoding: try encoding(options), chapterPatterns: try chapterPatterns(options),
            decryption: decryption)))
    } catch var error as BookError {
      if error.part.isEmpty { error.part = path }
      throw error
    }
  }
}

@c @implementation
public func typeset_open_memory(
  _ bytes: UnsafeRawPointer?, _ count: Int, _ name: UnsafePointer<CChar>?,
  _ options: UnsafePointer<typeset_open_options>?, _ book: Place<OpaquePointer?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) {
    let place = try place(book, emptied: nil)
    let options = try wanted(options)
    let decryption = decryption(options)
    guard count >= 0, bytes != nil || count == 0 else { throw Failure(.invalidArgument, part: "bytes", "it is NULL") }
    let contents = [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    let book = try Book(
      contents, name: try text(name, "name"), encoding: try encoding(options),
      chapterPatterns: try chapterPatterns(options), decryption: decryption)
    place.pointee = give(BookHandle(book))
  }
}

@c @implementation
public func typeset_open_files(
  _ files: UnsafePointer<typeset_files>?, _ name: UnsafePointer<CChar>?,
  _ options: UnsafePointer<typeset_open_options>?, _ book: Place<OpaquePointer?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) {
    guard let files = try TypesetLibrary.options(files, "files", zero: typeset_files()) else {
      throw Failure(.invalidArgument, part: "files", "it is NULL")
    }
    let context = CallerContext(pointer: files.context, release: files.release)
    let options = try wanted(options)
    let decryption = decryption(options)
    let place = try place(book, emptied: nil)
    let container = try CallerFiles(files, context)
    place.pointee = give(BookHandle(try Book(container, name: try text(name, "name"), decryption: decryption)))
  }
}

@c @implementation
public func typeset_book_diagnostics(
  _ book: OpaquePointer?, _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(book, result, error) { try json($0.diagnostics.map(Warning.init)) }
}

@c @implementation
public func typeset_book_free(_ book: OpaquePointer?) { take(book, as: BookHandle.self) }

@c @implementation
public func typeset_book_chapter_count(_ book: OpaquePointer?) -> Int {
  peek(book, as: BookHandle.self)?.book.chapters.count ?? 0
}

/// Gives text that is made of a book.
func give(
  _ handle: OpaquePointer?, _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?,
  _ make: (Book) throws -> Place<CChar>
) -> typeset_status {
  give(handle, as: BookHandle.self, result, error) { try make($0.book) }
}

@c @implementation
public func typeset_book_metadata(
  _ book: OpaquePointer?, _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(book, result, error) { try json($0.metadata) }
}

@c @implementation
public func typeset_book_contents(
  _ book: OpaquePointer?, _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(book, result, error) { try json($0.tableOfContents) }
}

@c @implementation
public func typeset_book_chapters(
  _ book: OpaquePointer?, _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(book, result, error) { try json($0.chapters) }
}

@c @implementation
public func typeset_book_resource(
  _ book: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ bytes: Place<Place<UInt8>?>?, _ count: Place<Int>?,
  _ mediaType: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) {
    mediaType?.pointee = nil
    let (bytes, count) = (try place(bytes, emptied: nil), try place(count, emptied: 0))
    let book = try object(book, as: BookHandle.self).book
    let path = try text(path, "path")
    let resource = try CallingThread.run { () async throws(BookError) in try await book.resource(at: path) }
    try give(resource.bytes, resource.mediaType, bytes, count, mediaType)
  }
}

/// Gives a file with its media type, where that is asked for.
func give(
  _ file: some Collection<UInt8>, _ type: String, _ bytes: Place<Place<UInt8>?>, _ count: Place<Int>,
  _ mediaType: Place<Place<CChar>?>?
) throws(Failure) {
  let type = try mediaType.map { _ throws(Failure) in try copy(type) }
  do { bytes.pointee = try copy(file) } catch {
    typeset_free(type)
    throw error
  }
  count.pointee = file.count
  mediaType?.pointee = type
}
