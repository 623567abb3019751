import BoxGeneration
package import CSS
package import Primitives
import Styling

/// The page box of one page, physical (CSS Paged Media 3, section 3).
package struct PageGeometry: Hashable, Sendable {
  package var size: Size
  package var margin: Sides<LayoutUnit>
  package var border = Sides<LayoutUnit>(all: .zero)
  package var padding = Sides<LayoutUnit>(all: .zero)

  package init(size: Size, margin: Sides<LayoutUnit>) {
    self.size = size
    self.margin = margin
  }

  /// The page box without its margins.
  package var borderBox: Rect { Rect(width: size.width, height: size.height).inset(by: margin) }
  /// Where the content goes.
  package var contentArea: Rect { borderBox.inset(by: border).inset(by: padding) }
}

extension Rect {
  func inset(by sides: Sides<LayoutUnit>) -> Rect {
    insetBy(top: sides.top, right: sides.right, bottom: sides.bottom, left: sides.left)
  }
}

extension LayoutSettings {
  /// The page as the reader wants it.
  package var pageGeometry: PageGeometry {
    PageGeometry(
      size: pageSize, margin: Sides(top: margins[0], right: margins[1], bottom: margins[2], left: margins[3]))
  }

  /// The largest page that a book may ask for, in CSS px.
  static let largestPage: Float = 2400
  /// The text area that a book must leave, in multiples of the base font size.
  static let leastArea: Float = 6
}

extension LayoutContext {
  /// The page box that a book's rules give, where the reader leaves it to them.
  func geometry(of page: PageStyle) -> PageGeometry {
    let reader = readerSettings.pageGeometry
    var geometry = reader
    if settings.takesBookPageSize { geometry.size = size(page.size, reader: reader.size) }
    let style = page.style
    let box = styles[style.box]
    if settings.takesBookMargins {
      func used(_ value: MarginValue, _ base: LayoutUnit, _ own: LayoutUnit) -> LayoutUnit {
        switch value {
        case .auto: own
        case .length(let length): Swift.max(.zero, resolve(length, font: style.font, percentage: base))
        }
      }
      let size = geometry.size
      geometry.margin = Sides(
        top: used(box.margin.top, size.height, reader.margin.top),
        right: used(box.margin.right, size.width, reader.margin.right),
        bottom: used(box.margin.bottom, size.height, reader.margin.bottom),
        left: used(box.margin.left, size.width, reader.margin.left))
      let border = styles[style.border]
      func width(_ length: Length, _ side: BorderStyle) -> LayoutUnit {
        side == .none || side == .hidden ? .zero : Swift.max(.zero, resolve(length, font: style.font))
      }
      geometry.border = Sides(
        top: width(border.width.top, border.style.top), right: width(border.width.right, border.style.right),
        bottom: width(border.width.bottom, border.style.bottom), left: width(border.width.left, border.style.left))
      func padding(_ value: LengthPercentage, _ base: LayoutUnit) -> LayoutUnit {
        Swift.max(.zero, resolve(value, font: style.font, percentage: base))
      }
      geometry.padding = Sides(
        top: padding(box.padding.top, size.height), right: padding(box.padding.right, size.width),
        bottom: padding(box.padding.bottom, size.height), left: padding(box.padding.left, size.width))
    }
    let least = LayoutUnit(LayoutSettings.leastArea * settings.rootFontSize)
    let area = geometry.contentArea
    guard area.width < least || area.height < least else { return geometry }
    let own = reader.contentArea
    if area.width < own.width || area.height < own.height {
      diagnostics.warn("page-too-small", "an @page rule leaves no room for text; the reader's page is taken")
      return reader
    }
    return geometry
  }

  /// The page box with the reader's margins at sides where text of the page just made comes nearer to the edge of the paper than
  /// one em; nil where none does. A picture may fill the page.
  func keepingTextFromEdge(_ geometry: PageGeometry) -> PageGeometry? {
    let least = LayoutUnit(settings.rootFontSize)
    let area = geometry.contentArea
    let size = geometry.size
    let reader = readerSettings.pageGeometry.margin
    let isThin = Sides(
      top: area.y < least && reader.top > geometry.margin.top,
      right: size.width - area.maxX < least && reader.right > geometry.margin.right,
      bottom: size.height - area.maxY < least && reader.bottom > geometry.margin.bottom,
      left: area.x < least && reader.left > geometry.margin.left)
    guard isThin != Sides(all: false), !page.root.isNone, let text = textBounds() else { return nil }
    var wider = geometry
    if isThin.top, text.y < least { wider.margin.top = reader.top }
    if isThin.right, size.width - text.maxX < least { wider.margin.right = reader.right }
    // A full page ends up to a line before its area does.
    if isThin.bottom, size.height - text.maxY < least * 3 { wider.margin.bottom = reader.bottom }
    wholeBoxes.removeAll(keepingCapacity: true)
    if isThin.left, text.x < least { wider.margin.left = reader.left }
    let room = wider.contentArea
    return wider == geometry || room.width < least || room.height < least ? nil : wider
  }

  /// The smallest rectangle around all text of the page; nil when there is none. Lines that are not centred or set to their
  /// end count as far as their boxes go: an indent, or words that are few, do not change the margin of a chapter's page.
  private func textBounds() -> Rect? {
    var bounds: Rect?
    let area = page.contentArea
    func add(_ offset: LogicalOffset, _ size: LogicalSize) {
      let rect = page.writingMode.physical(LogicalRect(offset: offset, size: size), in: area)
      bounds = bounds.map { $0.union(rect) } ?? rect
    }
    func visit(_ id: FragmentID, _ origin: LogicalOffset, in line: (fragment: Fragment, offset: LogicalOffset)?) {
      let fragment = page[id]
      let offset = origin + fragment.offset
      if fragment.kind == .text {
        add(offset, fragment.size)
        if let line, begins(line.fragment) { add(line.offset, line.fragment.size) }
      }
      var child = fragment.firstChild
      while !child.isNone {
        visit(child, offset, in: fragment.kind == .line ? (fragment, offset) : nil)
        child = page[child].nextSibling
      }
    }
    visit(page.root, .zero, in: nil)
    return bounds
  }

  /// Whether the content of a line stands at its start.
  private func begins(_ line: Fragment) -> Bool {
    switch styles.paragraphs[tree.boxes[line.box.index].style.paragraph.index].align {
    case .start, .justify, .justifyAll, .matchParent, .houseJustify: true
    case .left, .webkitLeft: page.lines[Int(line.payload)].direction == .ltr
    case .right, .webkitRight: page.lines[Int(line.payload)].direction == .rtl
    case .end, .center, .webkitCenter: false
    }
  }

  /// Lays the next page out in a page box; sizes measured for another area are forgotten.
  func use(_ geometry: PageGeometry) {
    let area = geometry.contentArea
    let old = settings.contentArea
    guard geometry.size != settings.pageSize || area != old else { return }
    settings.pageSize = geometry.size
    settings.margins = [
      area.y, geometry.size.width - area.maxX, geometry.size.height - area.maxY, area.x,
    ]
    guard area.width != old.width || area.height != old.height || geometry.size != readerSettings.pageSize else {
      return
    }
    intrinsicCache.removeAll(keepingCapacity: true)
    annotationWidths.removeAll(keepingCapacity: true)
    tableModels.removeAll(keepingCapacity: true)
    narrowTables.removeAll(keepingCapacity: true)
    collapsedBorders.removeAll(keepingCapacity: true)
    measureCache.removeAll(keepingCapacity: true)
    turnedSizes.removeAll(keepingCapacity: true)
    lyingSizes = LyingSizes()
  }

  private func size(_ size: PageSize, reader: Size) -> Size {
    let isPortrait = reader.width <= reader.height
    switch size {
    case .auto: return reader
    case .portrait: return isPortrait ? reader : Size(width: reader.height, height: reader.width)
    case .landscape: return isPortrait ? Size(width: reader.height, height: reader.width) : reader
    case .size(let width, let height):
      guard width <= LayoutSettings.largestPage, height <= LayoutSettings.largestPage else {
        diagnostics.warn("page-too-large", "an @page rule asks for a page of \(width) by \(height) px")
        return reader
      }
      return Size(width: LayoutUnit(width), height: LayoutUnit(height))
    }
  }
}
