public import CTypeset
import FoundationEssentials
import Platform
import Primitives
import Typesetting

/// Annotations as a JSON array; none for NULL.
func annotations(_ json: UnsafePointer<CChar>?) throws -> [Annotation] {
  json == nil ? [] : try decoded(json, "annotations")
}

@c @implementation
public func typeset_page_annotations_at(
  _ page: OpaquePointer?, _ json: UnsafePointer<CChar>?, _ x: Double, _ y: Double, _ result: Place<Place<CChar>?>?,
  _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(page, as: PageHandle.self, result, error) {
    let all = try annotations(json)
    var rest = Array(all.enumerated())
    let hits = $0.page.annotations(all, at: Point(x: LayoutUnit(x), y: LayoutUnit(y)))
    // Of two that are the same each is told once.
    let indices = hits.compactMap { hit in
      rest.firstIndex { $0.element == hit }.map { rest.remove(at: $0).offset }
    }
    return try TypesetLibrary.json(indices)
  }
}

@c @implementation
public func typeset_annotations_write(
  _ book: OpaquePointer?, _ set: UnsafePointer<CChar>?, _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(book, result, error) { book in
    let set: AnnotationSet = try decoded(set, "set")
    return try copy(String(decoding: CallingThread.run { await set.jsonLD(for: book) }, as: UTF8.self))
  }
}

@c @implementation
public func typeset_annotations_read(
  _ book: OpaquePointer?, _ written: UnsafePointer<CChar>?, _ result: Place<Place<CChar>?>?,
  _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(book, result, error) { book in
    let written = Data(try text(written, "written").utf8)
    return try json(
      try CallingThread.run { () async throws(BookError) in try await book.annotationSet(from: written) })
  }
}
