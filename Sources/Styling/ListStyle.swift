package import CSS
package import Primitives

/// Inherited: lists, quotes, tables and pictures.
package struct ListStyle: Hashable, Sendable {
  package var type = ListStyleType.named("disc")
  package var position = ListStylePosition.outside
  package var image = ImageValue.none
  package var quotes = Quotes.auto
  package var borderCollapse = BorderCollapse.separate
  package var borderSpacingX = Length.zero
  package var borderSpacingY = Length.zero
  package var captionSide = CaptionSide.top
  package var emptyCells = EmptyCells.show
  package var imageOrientation = ImageOrientation.fromImage
  package var imageRendering = ImageRendering.auto
  package init() {}
}

extension ListStyle {
  /// What the pixels of images come to. Edges are as crisp as the pixels are (CSS Images 3, section 6.2).
  package var imagePresentation: ImagePresentation {
    ImagePresentation(
      isAsStored: imageOrientation == .none, isPixelated: imageRendering == .pixelated || imageRendering == .crispEdges)
  }

  /// The computed value of a property, as CSS spells it.
  func css(_ property: ListProperty, _ table: StyleTable) -> String {
    switch property {
    case .listStyleType: table.css(type)
    case .listStylePosition: table.css(position)
    case .listStyleImage: table.css(image)
    case .quotes: table.css(quotes)
    case .borderCollapse: table.css(borderCollapse)
    case .borderSpacing: table.css([borderSpacingX, borderSpacingY])
    case .captionSide: table.css(captionSide)
    case .emptyCells: table.css(emptyCells)
    case .imageOrientation: table.css(imageOrientation)
    case .imageRendering: table.css(imageRendering)
    }
  }
}
