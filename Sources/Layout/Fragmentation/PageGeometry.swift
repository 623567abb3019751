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

extension PageGeometry {
  /// What is between the sides of the page and its content, in the terms of a writing mode.
  func flowMargins(in mode: WritingMode) -> FlowEdges {
    let area = contentArea
    return FlowEdges(
      top: area.y, right: size.width - area.maxX, bottom: size.height - area.maxY, left: area.x, in: mode)
  }
  /// The page margin that pages begin with.
  func spaceAbove(in mode: WritingMode) -> LayoutUnit { Swift.max(.zero, flowMargins(in: mode).blockStart) }
  /// How far marks may stand out of lines: to the page's edge at most.
  func protrusionLimit(in mode: WritingMode) -> LayoutUnit {
    let margins = flowMargins(in: mode)
    return Swift.min(margins.lineLeft, margins.lineRight)
  }
}

extension LayoutSettings {
  /// The largest page that a book may ask for, in CSS px.
  static let largestPage: Float = 2400
  /// The text area that a book must leave, in multiples of the base font size.
  static let leastArea: Float = 6
}

extension LayoutContext {
  /// The page box that a book's rules give, where the reader leaves it to them.
  func geometry(of page: PageStyle) -> PageGeometry {
    let reader = settings.page
    var geometry = reader
    if settings.bookPages.contains(.size) { geometry.size = size(page.size, reader: reader.size) }
    let style = page.style
    let box = styles[style.box]
    if settings.bookPages.contains(.margins) {
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
      workspace.diagnostics.warn("page-too-small", "an @page rule leaves no room for text; the reader's page is taken")
      return reader
    }
    return geometry
  }

  private func size(_ size: PageSize, reader: Size) -> Size {
    let isPortrait = reader.width <= reader.height
    switch size {
    case .auto: return reader
    case .portrait: return isPortrait ? reader : Size(width: reader.height, height: reader.width)
    case .landscape: return isPortrait ? Size(width: reader.height, height: reader.width) : reader
    case .size(let width, let height):
      guard width <= LayoutSettings.largestPage, height <= LayoutSettings.largestPage else {
        workspace.diagnostics.warn("page-too-large", "an @page rule asks for a page of \(width) by \(height) px")
        return reader
      }
      return Size(width: LayoutUnit(width), height: LayoutUnit(height))
    }
  }
}
