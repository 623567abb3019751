public import CTypeset
import Platform
import Primitives
import Typesetting

/// A place in its short form.
private func place(_ pointer: UnsafePointer<CChar>?, _ name: String) throws(Failure) -> Locator {
  let written = try text(pointer, name)
  guard let place = Locator(written) else { throw Failure(.unreadable, part: name, "it is no place: \(written)") }
  return place
}

/// A CFI.
private func identifier(_ written: String, _ name: String) throws(Failure) -> CFI {
  do { return try CFI(written) } catch { throw Failure(.unreadable, part: name, "it is no place: \(error)") }
}

/// A place in its short form or as a CFI.
func locator(_ pointer: UnsafePointer<CChar>?, _ name: String, in book: Book) throws -> Locator {
  let written = try text(pointer, name)
  if let known = Locator(written) { return known }
  let cfi = try identifier(written, name)
  return try CallingThread.run { () async throws(BookError) in try await book.locator(for: cfi) }
}

// MARK: On a page

@c @implementation
public func typeset_page_hit(
  _ page: OpaquePointer?, _ x: Double, _ y: Double, _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(page, as: PageHandle.self, result, error) {
    try json($0.page.hit(at: Point(x: LayoutUnit(x), y: LayoutUnit(y))))
  }
}

@c @implementation
public func typeset_page_stretch(
  _ page: OpaquePointer?, _ start: UnsafePointer<CChar>?, _ end: UnsafePointer<CChar>?,
  _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(page, as: PageHandle.self, result, error) {
    try json($0.page.stretch(Range(between: place(start, "start"), and: place(end, "end"))))
  }
}

// MARK: In a chapter

@c @implementation
public func typeset_sentences(
  _ typesetter: OpaquePointer?, _ chapter: Int, _ start: UnsafePointer<CChar>?, _ result: Place<Place<CChar>?>?,
  _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(typesetter, as: TypesetterHandle.self, result, error) {
    let start = try start.map { try place($0, "start") }
    return try json(try layout(of: chapter, $0).sentences(from: start))
  }
}

@c @implementation
public func typeset_media_overlay(
  _ typesetter: OpaquePointer?, _ chapter: Int, _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(typesetter, as: TypesetterHandle.self, result, error) { handle in
    let layout = try layout(of: chapter, handle)
    let book = handle.typesetter.book
    return try json(layout.utterances(CallingThread.run { await book.mediaOverlay(of: chapter) }))
  }
}

/// A note without its picture.
private struct NoteText: Encodable {
  var source: String
  var text: String
  var width: Double
  var height: Double
}

@c @implementation
public func typeset_note(
  _ typesetter: OpaquePointer?, _ mark: UnsafePointer<CChar>?, _ width: Double, _ scale: Double,
  _ result: Place<Place<CChar>?>?, _ bytes: Place<Place<UInt8>?>?, _ count: Place<Int>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) {
    let (bytes, count) = (try place(bytes, emptied: nil), try place(count, emptied: 0))
    let result = try place(result, emptied: nil)
    let typesetter = try object(typesetter, as: TypesetterHandle.self).typesetter
    let mark = try place(mark, "mark")
    guard (32...16384).contains(width) else {
      throw Failure(.invalidArgument, part: "width", "is to be from 32 to 16384 px")
    }
    let found = CallingThread.run { await typesetter.note(at: mark, width: LayoutUnit(width)) }
    guard let note = found else { throw Failure(.missing, part: "mark", "no note is marked there") }
    let size = (width: note.size.width.pixels, height: note.size.height.pixels)
    let scale = scale == 0 ? typesetter.settings.scale : scale
    guard scale > 0, max(size.width, size.height) * scale <= Double(Page.largestSide) else {
      throw DrawingError.scale
    }
    let picture = Worker.run { note.png(scale: scale) }
    let text = try json(
      NoteText(source: note.source.description, text: note.text, width: size.width, height: size.height))
    do { bytes.pointee = try copy(picture) } catch {
      typeset_free(text)
      throw error
    }
    (result.pointee, count.pointee) = (text, picture.count)
  }
}

// MARK: In a book

@c @implementation
public func typeset_book_link(
  _ book: OpaquePointer?, _ href: UnsafePointer<CChar>?, _ source: UnsafePointer<CChar>?,
  _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(book, result, error) { book in
    let href = try text(href, "href")
    let chapter = try source.map { try place($0, "source").chapter }
    guard let target = CallingThread.run({ await book.locator(forLink: href, in: chapter) }) else {
      throw Failure(.missing, part: href, "it leads out of the book")
    }
    return try copy(target.description)
  }
}

@c @implementation
public func typeset_book_cfi(
  _ book: OpaquePointer?, _ start: UnsafePointer<CChar>?, _ end: UnsafePointer<CChar>?,
  _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(book, result, error) { book in
    let start = try place(start, "start")
    let range = try end.map { Range(between: start, and: try place($0, "end")) }
    let made = CallingThread.run {
      if let range { await book.cfi(for: range) } else { await book.cfi(for: start) }
    }
    guard let made else { throw Failure(.missing, part: "start", "the book has no such place") }
    return try copy(made.description)
  }
}

/// The ends of a range.
private struct Ends: Encodable {
  var start: String
  var end: String
}

@c @implementation
public func typeset_book_range(
  _ book: OpaquePointer?, _ cfi: UnsafePointer<CChar>?, _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(book, result, error) { book in
    let cfi = try identifier(try text(cfi, "cfi"), "cfi")
    let range = try CallingThread.run { () async throws(BookError) in try await book.range(for: cfi) }
    return try json(Ends(start: range.lowerBound.description, end: range.upperBound.description))
  }
}

@c @implementation
public func typeset_book_positions(
  _ book: OpaquePointer?, _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(book, result, error) { try json($0.positions) }
}

@c @implementation
public func typeset_book_position(
  _ book: OpaquePointer?, _ place: UnsafePointer<CChar>?, _ result: Place<Place<CChar>?>?,
  _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(book, result, error) { book in
    let place = try locator(place, "place", in: book)
    guard let position = CallingThread.run({ await book.position(of: place) }) else {
      throw Failure(.missing, part: "place", "the book has no such place")
    }
    return try json(position)
  }
}

@c @implementation
public func typeset_book_position_place(
  _ book: OpaquePointer?, _ number: Int, _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(book, result, error) { book in
    guard let position = book.positions.first(where: { $0.number == number }) else {
      throw Failure(.missing, part: "number", "the book has no such position")
    }
    return try copy(CallingThread.run { await book.locator(for: position) }.description)
  }
}
