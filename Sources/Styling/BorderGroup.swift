package import CSS

/// Not inherited: borders, outline and shadows (CSS Backgrounds 3).
package struct BorderGroup: Hashable, Sendable {
  /// Used only where the style is neither `none` nor `hidden`; `thin`, `medium`, `thick` are 1, 3 and 5 px.
  package var width = Sides<Length>(all: Length(3, .px))
  package var style = Sides<BorderStyle>(all: .none)
  package var color = Sides<ColorValue>(all: .currentColor)
  /// Horizontal and vertical radius of each corner: top left, top right, bottom right, bottom left.
  package var radiusX = [LengthPercentage](repeating: .zero, count: 4)
  package var radiusY = [LengthPercentage](repeating: .zero, count: 4)
  package var outlineWidth = Length(3, .px)
  package var outlineStyle = OutlineStyle.none
  package var outlineColor = ColorValue.currentColor
  package var outlineOffset = Length.zero
  package var shadows: [Shadow] = []
  /// nil when no property of `border-image` was set.
  package var image: BorderImage? = nil
  package var columnRuleWidth = Length(3, .px)
  package var columnRuleStyle = BorderStyle.none
  package var columnRuleColor = ColorValue.currentColor
  package init() {}

  private func isShown(_ style: BorderStyle, _ width: Length) -> Bool {
    style != .none && style != .hidden && width.value > 0
  }

  /// There is a border on all sides.
  package var isFrame: Bool {
    isShown(style.top, width.top) && isShown(style.right, width.right) && isShown(style.bottom, width.bottom)
      && isShown(style.left, width.left)
  }

  /// There is a border above or below, as that of a line is.
  var isLine: Bool { isShown(style.top, width.top) || isShown(style.bottom, width.bottom) }
}

extension BorderGroup {
  /// The computed value of a property, as CSS spells it.
  func css(_ property: BorderProperty, _ table: StyleTable) -> String {
    let image = image ?? BorderImage()
    return switch property {
    case .borderTopWidth: table.css(width.top)
    case .borderRightWidth: table.css(width.right)
    case .borderBottomWidth: table.css(width.bottom)
    case .borderLeftWidth: table.css(width.left)
    case .borderTopStyle: table.css(style.top)
    case .borderRightStyle: table.css(style.right)
    case .borderBottomStyle: table.css(style.bottom)
    case .borderLeftStyle: table.css(style.left)
    case .borderTopColor: table.css(color.top)
    case .borderRightColor: table.css(color.right)
    case .borderBottomColor: table.css(color.bottom)
    case .borderLeftColor: table.css(color.left)
    case .borderTopLeftRadius: table.css([radiusX[0], radiusY[0]])
    case .borderTopRightRadius: table.css([radiusX[1], radiusY[1]])
    case .borderBottomRightRadius: table.css([radiusX[2], radiusY[2]])
    case .borderBottomLeftRadius: table.css([radiusX[3], radiusY[3]])
    case .outlineWidth: table.css(outlineWidth)
    case .outlineStyle: table.css(outlineStyle)
    case .outlineColor: table.css(outlineColor)
    case .outlineOffset: table.css(outlineOffset)
    case .boxShadow: table.css(shadows, separator: ", ")
    case .borderImageSource: table.css(image.source)
    case .borderImageSlice: table.css(image.slice) + (image.isFilled ? " fill" : "")
    case .borderImageWidth: table.css(image.width)
    case .borderImageOutset: table.css(image.outset)
    case .borderImageRepeat: table.css(image.repeatX) + " " + table.css(image.repeatY)
    case .columnRuleWidth: table.css(columnRuleWidth)
    case .columnRuleStyle: table.css(columnRuleStyle)
    case .columnRuleColor: table.css(columnRuleColor)
    }
  }
}
