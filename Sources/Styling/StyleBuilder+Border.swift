import CSS
import Primitives

extension StyleBuilder {
  private var parentBorder: BorderGroup { interner.table.borders[parent.border.index] }

  func apply(_ id: BorderProperty) {
    switch id {
    case .borderTopWidth: assign(&border.width.top, length, inherited(parentBorder.width.top))
    case .borderRightWidth: assign(&border.width.right, length, inherited(parentBorder.width.right))
    case .borderBottomWidth: assign(&border.width.bottom, length, inherited(parentBorder.width.bottom))
    case .borderLeftWidth: assign(&border.width.left, length, inherited(parentBorder.width.left))
    case .borderTopStyle: assign(&border.style.top, keyword(), parentBorder.style.top)
    case .borderRightStyle: assign(&border.style.right, keyword(), parentBorder.style.right)
    case .borderBottomStyle: assign(&border.style.bottom, keyword(), parentBorder.style.bottom)
    case .borderLeftStyle: assign(&border.style.left, keyword(), parentBorder.style.left)
    case .borderTopColor: assign(&border.color.top, color, parentBorder.color.top)
    case .borderRightColor: assign(&border.color.right, color, parentBorder.color.right)
    case .borderBottomColor: assign(&border.color.bottom, color, parentBorder.color.bottom)
    case .borderLeftColor: assign(&border.color.left, color, parentBorder.color.left)
    case .borderTopLeftRadius: applyRadius(0)
    case .borderTopRightRadius: applyRadius(1)
    case .borderBottomRightRadius: applyRadius(2)
    case .borderBottomLeftRadius: applyRadius(3)
    case .outlineWidth: assign(&border.outlineWidth, length, inherited(parentBorder.outlineWidth))
    case .outlineStyle: assign(&border.outlineStyle, keyword(), parentBorder.outlineStyle)
    case .outlineColor: assign(&border.outlineColor, color, parentBorder.outlineColor)
    case .outlineOffset: assign(&border.outlineOffset, length, inherited(parentBorder.outlineOffset))
    case .boxShadow:
      if case .shadows(let shadows) = value {
        border.shadows = shadows.map { $0.mapping { self.computed($0) } }
      } else if takesOther {
        border.shadows = parentBorder.shadows.map { $0.mapping { self.inherited($0) } }
      }
    case .borderImageSource:
      applyBorderImage { image, other in
        if case .image(let source) = value { image.source = computed(source) } else { image.source = other.source }
      }
    case .borderImageSlice:
      applyBorderImage { image, other in
        if case .slices(let slice, let isFilled) = value {
          (image.slice, image.isFilled) = (computed(slice), isFilled)
        } else {
          (image.slice, image.isFilled) = (other.slice, other.isFilled)
        }
      }
    case .borderImageWidth:
      applyBorderImage { image, other in
        if case .borderImageWidths(let width) = value {
          image.width = computed(width)
        } else {
          image.width = other.width
        }
      }
    case .borderImageOutset:
      applyBorderImage { image, other in
        if case .borderImageWidths(let outset) = value {
          image.outset = computed(outset)
        } else {
          image.outset = other.outset
        }
      }
    case .borderImageRepeat:
      applyBorderImage { image, other in
        if case .keywords(let pair) = value, pair.count == 2 {
          image.repeatX = BorderImageRepeat(rawValue: pair[0]) ?? .stretch
          image.repeatY = BorderImageRepeat(rawValue: pair[1]) ?? .stretch
        } else {
          (image.repeatX, image.repeatY) = (other.repeatX, other.repeatY)
        }
      }
    case .columnRuleWidth: assign(&border.columnRuleWidth, length, inherited(parentBorder.columnRuleWidth))
    case .columnRuleStyle: assign(&border.columnRuleStyle, keyword(), parentBorder.columnRuleStyle)
    case .columnRuleColor: assign(&border.columnRuleColor, color, parentBorder.columnRuleColor)
    }
  }

  /// Changes the border image.
  ///
  /// - Parameter change: sets one of its properties to `value`, or to that of the second image, the parent's, where
  ///   `value` is absent.
  private func applyBorderImage(_ change: (inout BorderImage, BorderImage) -> Void) {
    if case .absent = value, !takesOther { return }
    var image = border.image ?? BorderImage()
    change(&image, (takesOther ? parentBorder.image?.mapping { self.inherited($0) } : nil) ?? BorderImage())
    border.image = image == BorderImage() ? nil : image
  }

  private func applyRadius(_ corner: Int) {
    if case .lengths(let radii) = value, radii.count == 2 {
      border.radiusX[corner] = computed(radii[0])
      border.radiusY[corner] = computed(radii[1])
    } else if takesOther {
      border.radiusX[corner] = inherited(parentBorder.radiusX[corner])
      border.radiusY[corner] = inherited(parentBorder.radiusY[corner])
    }
  }
}
