public import CTypeset
import Platform
import Primitives
import Typesetting

/// What `typeset_spread` points to.
final class SpreadHandle: Sendable {
  let spread: Spread
  init(_ spread: Spread) { self.spread = spread }
}

@c @implementation
public func typeset_spread_at(
  _ typesetter: OpaquePointer?, _ chapter: Int, _ index: Int, _ spread: Place<OpaquePointer?>?,
  _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(typesetter, spread, error, SpreadHandle.init) { _ in
    { (typesetter) async throws(PageError) in try await typesetter.spread(showing: index, of: chapter) }
  }
}

@c @implementation
public func typeset_spread_at_place(
  _ typesetter: OpaquePointer?, _ place: UnsafePointer<CChar>?, _ spread: Place<OpaquePointer?>?,
  _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(typesetter, spread, error, SpreadHandle.init) { book in
    let locator = try locator(place, "place", in: book)
    return { (typesetter) async throws(PageError) in try await typesetter.spread(containing: locator) }
  }
}

@c @implementation
public func typeset_spread_next(
  _ typesetter: OpaquePointer?, _ spread: OpaquePointer?, _ next: Place<OpaquePointer?>?,
  _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(typesetter, next, error, SpreadHandle.init, missing: "the spread is the book's last") { _ in
    let spread = try object(spread, as: SpreadHandle.self).spread
    return { (typesetter) async throws(PageError) in try await typesetter.spread(after: spread) }
  }
}

@c @implementation
public func typeset_spread_previous(
  _ typesetter: OpaquePointer?, _ spread: OpaquePointer?, _ previous: Place<OpaquePointer?>?,
  _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(typesetter, previous, error, SpreadHandle.init, missing: "the spread is the book's first") { _ in
    let spread = try object(spread, as: SpreadHandle.self).spread
    return { (typesetter) async throws(PageError) in try await typesetter.spread(before: spread) }
  }
}

@c @implementation
public func typeset_spread_free(_ spread: OpaquePointer?) { take(spread, as: SpreadHandle.self) }

@c @implementation
public func typeset_spread_page(
  _ spread: OpaquePointer?, _ side: Int32, _ page: Place<OpaquePointer?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) {
    let place = try place(page, emptied: nil)
    let spread = try object(spread, as: SpreadHandle.self).spread
    guard side == 0 || side == 1 else { throw Failure(.invalidArgument, part: "side", "there is no such side") }
    guard let page = side == 0 ? spread.left : spread.right else {
      throw Failure(.noSuchPage, "the side is empty")
    }
    place.pointee = give(PageHandle(page))
  }
}

/// Where the pages of a spread stand.
private struct SpreadOutline: Encodable {
  struct Side: Encodable {
    var chapter: Int
    var index: Int
    var x: Double
    var y: Double
  }
  var width: Double
  var height: Double
  var left: Side?
  var right: Side?
  var isCentered: Bool
  var isRightToLeft: Bool

  init(_ spread: Spread) {
    func side(_ side: Spread.Side) -> Side? {
      let origin = spread.origin(of: side)
      return (side == .left ? spread.left : spread.right).map {
        Side(chapter: $0.chapter, index: $0.index, x: origin.x.pixels, y: origin.y.pixels)
      }
    }
    (width, height) = (spread.size.width.pixels, spread.size.height.pixels)
    (left, right) = (side(.left), side(.right))
    (isCentered, isRightToLeft) = (spread.isCentered, spread.isRightToLeft)
  }
}

@c @implementation
public func typeset_spread_outline(
  _ spread: OpaquePointer?, _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(spread, as: SpreadHandle.self, result, error) { try json(SpreadOutline($0.spread)) }
}

@c @implementation
public func typeset_spread_png(
  _ spread: OpaquePointer?, _ wanted: Double, _ json: UnsafePointer<CChar>?, _ bytes: Place<Place<UInt8>?>?,
  _ count: Place<Int>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) {
    let (bytes, count) = (try place(bytes, emptied: nil), try place(count, emptied: 0))
    let spread = try object(spread, as: SpreadHandle.self).spread
    let annotations = try annotations(json)
    guard let scale = scale(wanted) ?? spread.pages.first?.scale, scale.isFinite, scale > 0,
      max(spread.size.width.pixels, spread.size.height.pixels) * scale <= Double(Page.largestSide)
    else { throw DrawingError.scale }
    let file = Worker.run { spread.png(scale: scale, annotations: annotations) }
    guard !file.isEmpty else { throw Failure(.limit, "memory is short") }
    bytes.pointee = try copy(file)
    count.pointee = file.count
  }
}
