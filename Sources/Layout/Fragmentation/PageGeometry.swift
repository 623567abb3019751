import BoxGeneration
package import CSS
package import Primitives
package import Styling

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
  /// The content area of the page.
  package var contentArea: Rect { borderBox.inset(by: border).inset(by: padding) }
}

extension Rect {
  func inset(by sides: Sides<LayoutUnit>) -> Rect {
    insetBy(top: sides.top, right: sides.right, bottom: sides.bottom, left: sides.left)
  }
}

extension PageGeometry {
  /// The edges between the sides of the page and its content, in the terms of a writing mode.
  func flowMargins(in mode: WritingMode) -> FlowEdges {
    let area = contentArea
    return FlowEdges(
      top: area.y, right: size.width - area.maxX, bottom: size.height - area.maxY, left: area.x, in: mode)
  }
  /// The page margin that pages begin with.
  func spaceAbove(in mode: WritingMode) -> LayoutUnit { Swift.max(.zero, flowMargins(in: mode).blockStart) }
  /// The limit to which marks may stand out of lines: to the page's edge at most.
  func protrusionLimit(in mode: WritingMode) -> LayoutUnit {
    let margins = flowMargins(in: mode)
    return Swift.min(margins.lineLeft, margins.lineRight)
  }
}

extension LayoutWorkspace {
  /// The page box of a kind of page.
  package func geometry(of page: PageStyle) -> PageGeometry { context.geometry(of: page) }
}

extension LayoutSettings {
  /// The largest page that a book may ask for, in CSS px.
  static let largestPage: Float = 2400
  /// The text area that a book must leave, in multiples of the base font size: of the reader's page, and of one of its own size.
  static let leastArea: Float = 6
  static let leastOwnArea: Float = 1
}

extension LayoutContext {
  /// The page box that a book's rules give, where the reader leaves it to them.
  func geometry(of page: PageStyle) -> PageGeometry {
    let reader = settings.page
    var geometry = reader
    if settings.bookPages.contains(.size) { geometry.size = size(of: page, reader: reader.size) }
    let style = page.style
    let box = styles[style.box]
    if settings.bookPages.contains(.margins) {
      func used(_ value: MarginValue, _ base: LayoutUnit, _ own: LayoutUnit, isAuto: Bool) -> LayoutUnit {
        switch value {
        case .auto: isAuto ? .zero : own
        case .length(let length): Swift.max(.zero, resolve(length, font: style.font, percentage: base))
        }
      }
      let size = geometry.size
      let isAuto = page.hasAutoMargin
      geometry.margin = Sides(
        top: used(box.margin.top, size.height, reader.margin.top, isAuto: isAuto.top),
        right: used(box.margin.right, size.width, reader.margin.right, isAuto: isAuto.right),
        bottom: used(box.margin.bottom, size.height, reader.margin.bottom, isAuto: isAuto.bottom),
        left: used(box.margin.left, size.width, reader.margin.left, isAuto: isAuto.left))
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
    if settings.bookPages == [.size, .margins] { solveSize(of: &geometry, page) }
    let isOwnSize = settings.bookPages.contains(.size) && page.hasOwnSize
    let least = LayoutUnit(
      (isOwnSize ? LayoutSettings.leastOwnArea : LayoutSettings.leastArea) * settings.rootFontSize)
    let area = geometry.contentArea
    guard area.width < least || area.height < least else { return geometry }
    let own = reader.contentArea
    if area.width < own.width || area.height < own.height {
      workspace.diagnostics.warn("page-too-small", "an @page rule leaves no room for text; the reader's page is taken")
      return reader
    }
    return geometry
  }

  /// Gives the page area the width and height that the page context asks for: `auto` margins take what the page has left, and
  /// where there are none the page is as large as that makes it (CSS Paged Media 3, section 7.3).
  private func solveSize(of geometry: inout PageGeometry, _ page: PageStyle) {
    let box = styles[page.style.box]
    /// The margins' sum, or nil where no size is asked for.
    func solve(
      _ size: SizeValue, edges: LayoutUnit, page length: inout LayoutUnit, _ start: inout LayoutUnit,
      _ end: inout LayoutUnit, isAuto: (start: Bool, end: Bool)
    ) {
      guard case .length(let asked) = size else { return }
      var own = Swift.max(.zero, resolve(asked, font: page.style.font, percentage: length))
      if box.boxSizing == .contentBox { own += edges }
      let rest = length - own - start - end
      switch isAuto {
      case (true, true):
        start = rest / 2
        end = rest - start
      case (true, false): start = rest
      case (false, true): end = rest
      case (false, false): length = own + start + end
      }
    }
    let border = geometry.border
    let padding = geometry.padding
    let isAuto = page.hasAutoMargin
    solve(
      box.width, edges: border.left + border.right + padding.left + padding.right, page: &geometry.size.width,
      &geometry.margin.left, &geometry.margin.right, isAuto: (isAuto.left, isAuto.right))
    solve(
      box.height, edges: border.top + border.bottom + padding.top + padding.bottom, page: &geometry.size.height,
      &geometry.margin.top, &geometry.margin.bottom, isAuto: (isAuto.top, isAuto.bottom))
  }

  private func size(of page: PageStyle, reader: Size) -> Size {
    let isPortrait = reader.width <= reader.height
    switch page.size {
    case .auto: return reader
    case .portrait: return isPortrait ? reader : Size(width: reader.height, height: reader.width)
    case .landscape: return isPortrait ? Size(width: reader.height, height: reader.width) : reader
    case .size(let width, let height):
      let own = Size(
        width: resolve(width, font: page.style.font), height: resolve(height, font: page.style.font))
      let largest = LayoutUnit(LayoutSettings.largestPage)
      guard own.width <= largest, own.height <= largest else {
        workspace.diagnostics.warn(
          "page-too-large", "an @page rule asks for a page of \(own.width.pixels) by \(own.height.pixels) px")
        return reader
      }
      return own
    }
  }
}
