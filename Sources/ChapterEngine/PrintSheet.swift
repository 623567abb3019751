import CSS
import Graphics
import Layout
import PDFRendering
import Primitives
import Styling

/// The sheet that a chapter's pages are printed on where they have bleed or marks: larger than the page, which is cut out of it
/// (CSS Paged Media 3, sections 7.4 and 7.5). All pages of the chapter have the same room around them.
struct PrintSheet {
  private let pages: PageStyles
  /// The distance of the page from the sheet's edges.
  let inset: LayoutUnit
  private let marks: PrinterMarks

  /// Room for marks outside of the bleed: 18 pt.
  private static let markRoom = LayoutUnit(24)
  /// Between the bleed and the marks: 3 pt. A hair line is a quarter of a point.
  private static let gap = LayoutUnit(4)
  private static let hairline = LayoutUnit(rawValue: 21)

  /// Nil where the pages are all there is of the sheet.
  init?(_ styles: StyledTree) {
    pages = styles.pageStyles
    marks = pages.all.reduce(into: []) { $0.formUnion($1.marks) }
    let bleed = LayoutUnit(pages.all.map(\.bleed).max() ?? 0)
    inset = bleed + (marks.isEmpty ? .zero : Self.markRoom)
    if inset <= .zero { return nil }
  }

  /// The boxes of a sheet: page, bleed and media.
  func boxes(of page: PageLayout) -> PrintBoxes {
    let trim = Rect(x: inset, y: inset, width: page.size.width, height: page.size.height)
    return PrintBoxes(bleed: trim.grown(by: bleed(of: page)), trim: trim)
  }

  private func bleed(of page: PageLayout) -> LayoutUnit { LayoutUnit(pages[page.traits]?.bleed ?? 0) }

  /// A page on its sheet.
  func place(_ list: DisplayList, of page: PageLayout) -> DisplayList {
    var sheet = DisplayList(
      size: Size(width: page.size.width + inset * 2, height: page.size.height + inset * 2))
    sheet.glyphs = list.glyphs
    let area = Rect(width: page.size.width, height: page.size.height).grown(by: bleed(of: page))
    sheet.items.append(.saveTransform(AffineTransform(tx: inset.float, ty: inset.float)))
    sheet.items.append(.saveClip(area, CornerRadii()))
    if list.background != .white { sheet.items.append(.fillRect(area, list.background)) }
    sheet.items += list.items
    sheet.items.append(.restore)
    sheet.items.append(.restore)
    let own = pages[page.traits]?.marks ?? []
    if own.contains(.crop) { addCropMarks(boxes(of: page), to: &sheet) }
    if own.contains(.cross) { addCrosses(boxes(of: page), to: &sheet) }
    return sheet
  }

  /// Lines that go on with the page's edges, outside of the bleed.
  private func addCropMarks(_ boxes: PrintBoxes, to sheet: inout DisplayList) {
    let size = sheet.size
    for x in [boxes.trim.x, boxes.trim.maxX] {
      let end = boxes.bleed.y - Self.gap
      sheet.items.append(hairline(from: Point(x: x, y: .zero), to: Point(x: x, y: end)))
      sheet.items.append(hairline(from: Point(x: x, y: size.height - end), to: Point(x: x, y: size.height)))
    }
    for y in [boxes.trim.y, boxes.trim.maxY] {
      let end = boxes.bleed.x - Self.gap
      sheet.items.append(hairline(from: Point(x: .zero, y: y), to: Point(x: end, y: y)))
      sheet.items.append(hairline(from: Point(x: size.width - end, y: y), to: Point(x: size.width, y: y)))
    }
  }

  private func hairline(from start: Point, to end: Point) -> DisplayItem {
    .strokeLine(from: start, to: end, width: Self.hairline, .solid, .black)
  }

  /// Crosses in circles in the middle of each side.
  private func addCrosses(_ boxes: PrintBoxes, to sheet: inout DisplayList) {
    let middle = Point(x: sheet.size.width / 2, y: sheet.size.height / 2)
    let room = boxes.bleed.y
    let places = [
      Point(x: middle.x, y: room / 2), Point(x: middle.x, y: sheet.size.height - room / 2),
      Point(x: room / 2, y: middle.y), Point(x: sheet.size.width - room / 2, y: middle.y),
    ]
    let arm = (room - Self.gap) / 2
    guard arm > Self.hairline else { return }
    for place in places {
      sheet.items.append(
        hairline(from: Point(x: place.x - arm, y: place.y), to: Point(x: place.x + arm, y: place.y)))
      sheet.items.append(
        hairline(from: Point(x: place.x, y: place.y - arm), to: Point(x: place.x, y: place.y + arm)))
      func circle(_ radius: LayoutUnit) -> (Rect, CornerRadii) {
        var radii = CornerRadii()
        let size = Size(width: radius, height: radius)
        (radii.topLeft, radii.topRight, radii.bottomRight, radii.bottomLeft) = (size, size, size, size)
        return (Rect(x: place.x - radius, y: place.y - radius, width: radius * 2, height: radius * 2), radii)
      }
      let (outer, inner) = (circle(arm / 2), circle(arm / 2 - Self.hairline))
      sheet.items.append(
        .fillRing(outer: outer.0, outerRadii: outer.1, inner: inner.0, innerRadii: inner.1, .black))
    }
  }
}
