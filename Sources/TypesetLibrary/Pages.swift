public import CTypeset
import Platform
import Primitives
import Synchronization
import Typesetting

/// What `typeset_page` points to.
final class PageHandle: Sendable {
  let page: Page
  private let made = Lock<PageResources?>(nil)

  init(_ page: Page) { self.page = page }

  /// Those of its display list, made for the first call that asks.
  var resources: PageResources {
    made.withLock { made in
      let resources = made ?? page.resources
      made = resources
      return resources
    }
  }
}

@c @implementation
public func typeset_page_first(
  _ typesetter: OpaquePointer?, _ page: Place<OpaquePointer?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(typesetter, page, error, PageHandle.init) { _ in
    { (typesetter) async throws(PageError) in try await typesetter.page(containing: Locator(startOfChapter: 0)) }
  }
}

@c @implementation
public func typeset_page_at(
  _ typesetter: OpaquePointer?, _ chapter: Int, _ index: Int, _ page: Place<OpaquePointer?>?,
  _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(typesetter, page, error, PageHandle.init) { _ in
    { (typesetter) async throws(PageError) in try await typesetter.page(index, of: chapter) }
  }
}

@c @implementation
public func typeset_page_next(
  _ typesetter: OpaquePointer?, _ page: OpaquePointer?, _ next: Place<OpaquePointer?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(typesetter, next, error, PageHandle.init, missing: "the page is the book's last") { _ in
    let page = try object(page, as: PageHandle.self).page
    return { (typesetter) async throws(PageError) in try await typesetter.page(after: page) }
  }
}

@c @implementation
public func typeset_page_previous(
  _ typesetter: OpaquePointer?, _ page: OpaquePointer?, _ previous: Place<OpaquePointer?>?,
  _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(typesetter, previous, error, PageHandle.init, missing: "the page is the book's first") { _ in
    let page = try object(page, as: PageHandle.self).page
    return { (typesetter) async throws(PageError) in try await typesetter.page(before: page) }
  }
}

@c @implementation
public func typeset_page_at_place(
  _ typesetter: OpaquePointer?, _ place: UnsafePointer<CChar>?, _ page: Place<OpaquePointer?>?,
  _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(typesetter, page, error, PageHandle.init) { book in
    let locator = try locator(place, "place", in: book)
    return { (typesetter) async throws(PageError) in try await typesetter.page(containing: locator) }
  }
}

@c @implementation
public func typeset_page_free(_ page: OpaquePointer?) { take(page, as: PageHandle.self) }

@c @implementation
public func typeset_page_chapter(_ page: OpaquePointer?) -> Int { peek(page, as: PageHandle.self)?.page.chapter ?? 0 }

@c @implementation
public func typeset_page_index(_ page: OpaquePointer?) -> Int { peek(page, as: PageHandle.self)?.page.index ?? 0 }

@c @implementation
public func typeset_page_width(_ page: OpaquePointer?) -> Double {
  peek(page, as: PageHandle.self)?.page.size.width.pixels ?? 0
}

@c @implementation
public func typeset_page_height(_ page: OpaquePointer?) -> Double {
  peek(page, as: PageHandle.self)?.page.size.height.pixels ?? 0
}

@c @implementation
public func typeset_page_start(
  _ page: OpaquePointer?, _ start: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(page, as: PageHandle.self, start, error) { try copy($0.page.start.description) }
}

@c @implementation
public func typeset_page_text(
  _ page: OpaquePointer?, _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(page, as: PageHandle.self, result, error) { try json($0.page.textLayer) }
}

@c @implementation
public func typeset_page_structure(
  _ page: OpaquePointer?, _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(page, as: PageHandle.self, result, error) { try json($0.page.structure) }
}

@c @implementation
public func typeset_page_diagnostics(
  _ page: OpaquePointer?, _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(page, as: PageHandle.self, result, error) { try json($0.page.diagnostics.map(Loss.init)) }
}

/// What cannot be shown, with its place in the short form.
private struct Loss: Encodable {
  var kind: PageDiagnostic.Kind
  var place: String
  var message: String

  init(_ diagnostic: PageDiagnostic) {
    (kind, place, message) = (diagnostic.kind, diagnostic.place.description, diagnostic.message)
  }
}

@c @implementation
public func typeset_diagnostics(
  _ typesetter: OpaquePointer?, _ chapter: Int, _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(typesetter, as: TypesetterHandle.self, result, error) { handle in
    try json(
      handle.run { (typesetter) async throws(PageError) in try await typesetter.diagnostics(of: chapter) }
        .map(Loss.init))
  }
}

// MARK: Pixels

/// A scale of the interface, in which 0 is that of the settings.
func scale(_ value: Double) -> Double? { value == 0 ? nil : value }

@c @implementation
public func typeset_page_png(
  _ page: OpaquePointer?, _ wanted: Double, _ bytes: Place<Place<UInt8>?>?, _ count: Place<Int>?,
  _ error: Place<OpaquePointer?>?
) -> typeset_status {
  typeset_page_png_annotated(page, wanted, nil, bytes, count, error)
}

@c @implementation
public func typeset_page_png_annotated(
  _ page: OpaquePointer?, _ wanted: Double, _ json: UnsafePointer<CChar>?, _ bytes: Place<Place<UInt8>?>?,
  _ count: Place<Int>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) {
    let (bytes, count) = (try place(bytes, emptied: nil), try place(count, emptied: 0))
    let page = try object(page, as: PageHandle.self).page
    let annotations = try annotations(json)
    _ = try page.area(scale: scale(wanted))
    let file = Worker.run { page.png(scale: scale(wanted), annotations: annotations) }
    guard !file.isEmpty else { throw Failure(.limit, "memory is short") }
    bytes.pointee = try copy(file)
    count.pointee = file.count
  }
}

@c @implementation
public func typeset_page_pixel_size(
  _ page: OpaquePointer?, _ wanted: Double, _ width: Place<Int>?, _ height: Place<Int>?,
  _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) {
    let (width, height) = (try place(width, emptied: 0), try place(height, emptied: 0))
    let area = try object(page, as: PageHandle.self).page.area(scale: scale(wanted))
    (width.pointee, height.pointee) = (area.width, area.height)
  }
}

/// Memory of the caller's, which it may not touch before the call returns.
private struct CallerMemory: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer
}

@c @implementation
public func typeset_page_draw(
  _ page: OpaquePointer?, _ drawing: UnsafePointer<typeset_drawing>?, _ memory: UnsafeMutableRawPointer?, _ count: Int,
  _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) {
    let page = try object(page, as: PageHandle.self).page
    guard let memory, count >= 0 else { throw Failure(.invalidArgument, part: "memory", "it is NULL") }
    let zero = typeset_drawing()
    let least = MemoryLayout<typeset_drawing>.offset(of: \.annotations)
    let wanted = try options(drawing, "drawing", zero: zero, least: least ?? MemoryLayout<typeset_drawing>.size) ?? zero
    let annotations = try annotations(wanted.annotations)
    let formats: [PixelFormat] = [.bgra, .rgba, .gray]
    guard formats.indices.contains(Int(wanted.format)) else {
      throw Failure(.invalidArgument, part: "format", "there is no such format")
    }
    let isWhole = wanted.width == 0 && wanted.height == 0
    let clip = isWhole ? nil : PixelArea(x: wanted.x, y: wanted.y, width: wanted.width, height: wanted.height)
    let target = CallerMemory(bytes: UnsafeMutableRawBufferPointer(start: memory, count: count))
    let (stride, factor) = (wanted.stride == 0 ? nil : wanted.stride, scale(wanted.scale))
    let format = formats[Int(wanted.format)]
    let drawn = Worker.run { () -> Result<Void, DrawingError> in
      do throws(DrawingError) {
        try page.draw(
          into: target.bytes, stride: stride, format: format, scale: factor, clip: clip, annotations: annotations)
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try drawn.get()
  }
}
