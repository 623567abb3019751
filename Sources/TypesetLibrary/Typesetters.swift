public import CTypeset
import FoundationEssentials
import Platform
import Synchronization
import Typesetting

/// What `typeset_typesetter` points to.
final class TypesetterHandle: Sendable {
  let typesetter: Typesetter
  private let calls = RunningCalls()

  init(_ typesetter: Typesetter) { self.typesetter = typesetter }

  /// Runs asynchronous code, which `cancel` ends, and what the calling thread is bound to.
  func run<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable (Typesetter) async throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let typesetter = typesetter
    let ends = [calls, CancellationHandle.bound?.calls].compactMap { $0 }
    var numbers: [Int] = []
    defer { for (end, number) in zip(ends, numbers) { end.remove(number) } }
    return try CallingThread.run { () async throws(Failure) in
      try await body(typesetter)
    } started: { cancel in
      numbers = ends.map { $0.add(cancel) }
    }
  }

  /// Ends the calls at work.
  func cancel() { calls.cancel() }
}

/// The settings of a JSON object; those by default for NULL.
private func settings(_ json: UnsafePointer<CChar>?) throws -> TypesettingSettings {
  guard let json else { return TypesettingSettings() }
  let settings = try JSONDecoder().decode(TypesettingSettings.self, from: Data(String(cString: json).utf8))
  try settings.checkRanges()
  return settings
}

@c @implementation
public func typeset_typesetter_new(
  _ book: OpaquePointer?, _ json: UnsafePointer<CChar>?, _ typesetter: Place<OpaquePointer?>?,
  _ error: Place<OpaquePointer?>?
) -> typeset_status {
  typeset_typesetter_new_with(book, json, nil, typesetter, error)
}

@c @implementation
public func typeset_typesetter_new_with(
  _ book: OpaquePointer?, _ json: UnsafePointer<CChar>?, _ options: UnsafePointer<typeset_typesetter_options>?,
  _ typesetter: Place<OpaquePointer?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) {
    let place = try place(typesetter, emptied: nil)
    let book = try object(book, as: BookHandle.self).book
    let options = try TypesetLibrary.options(options, "options", zero: typeset_typesetter_options())
    let directory: PageDirectory? = try options?.directory.map { try decoded($0, "directory") }
    let limit = options?.cache_limit ?? 0
    let made = Typesetter(
      book: book, settings: try settings(json), directory: directory, cacheLimit: limit == 0 ? 64 << 20 : limit,
      pool: peek(options?.pool, as: BookPool.self))
    place.pointee = give(TypesetterHandle(made))
  }
}

@c @implementation
public func typeset_typesetter_directory(
  _ typesetter: OpaquePointer?, _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(typesetter, as: TypesetterHandle.self, result, error) { try json($0.typesetter.directory) }
}

@c @implementation
public func typeset_typesetter_cancel(
  _ typesetter: OpaquePointer?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) { try object(typesetter, as: TypesetterHandle.self).cancel() }
}

@c @implementation
public func typeset_typesetter_free(_ typesetter: OpaquePointer?) { take(typesetter, as: TypesetterHandle.self) }

@c @implementation
public func typeset_typesetter_settings(
  _ typesetter: OpaquePointer?, _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(typesetter, as: TypesetterHandle.self, result, error) { try json($0.typesetter.settings) }
}

@c @implementation
public func typeset_typesetter_apply(
  _ typesetter: OpaquePointer?, _ json: UnsafePointer<CChar>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) {
    let typesetter = try object(typesetter, as: TypesetterHandle.self).typesetter
    let settings = try settings(json)
    typesetter.apply(settings)
  }
}

// MARK: Page counts

/// Lays out a chapter.
func layout(of chapter: Int, _ handle: TypesetterHandle) throws(PageError) -> ChapterLayout {
  try handle.run { (typesetter) async throws(PageError) in try await typesetter.layout(of: chapter) }
}

@c @implementation
public func typeset_page_count(
  _ typesetter: OpaquePointer?, _ chapter: Int, _ count: Place<Int>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) {
    let place = try place(count, emptied: 0)
    place.pointee = try layout(of: chapter, object(typesetter, as: TypesetterHandle.self)).pageCount
  }
}

@c @implementation
public func typeset_page_count_all(
  _ typesetter: OpaquePointer?, _ count: Place<Int>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) {
    let place = try place(count, emptied: 0)
    let handle = try object(typesetter, as: TypesetterHandle.self)
    for chapter in handle.typesetter.book.chapters.indices { _ = try layout(of: chapter, handle) }
    guard let total = handle.typesetter.pageCounts.total else { throw PageError.superseded }
    place.pointee = total
  }
}

/// What is known of the number of pages.
private struct PageEstimate: Encodable {
  var total: Int?
  var likely: Int
  var least: Int
  var most: Int
  var isReliable: Bool
  var chapters: [PageCounts.Chapter]

  init(_ counts: PageCounts) {
    total = counts.total
    likely = counts.likelyTotal
    least = counts.estimate.lowerBound
    most = counts.estimate.upperBound
    isReliable = counts.isReliable
    chapters = counts.chapters
  }
}

@c @implementation
public func typeset_page_estimate(
  _ typesetter: OpaquePointer?, _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(typesetter, as: TypesetterHandle.self, result, error) { try json(PageEstimate($0.typesetter.pageCounts)) }
}

// MARK: Search

@c @implementation
public func typeset_search(
  _ typesetter: OpaquePointer?, _ phrase: UnsafePointer<CChar>?, _ options: UInt32, _ chapter: Int,
  _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(typesetter, as: TypesetterHandle.self, result, error) { handle in
    let phrase = try text(phrase, "phrase")
    let options = SearchOptions(rawValue: options)
    return try json(
      handle.run { (typesetter) async throws(PageError) in
        try await typesetter.results(of: phrase, options: options, in: chapter)
      })
  }
}
