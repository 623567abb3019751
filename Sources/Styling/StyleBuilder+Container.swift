import CSS

extension StyleBuilder {
  func apply(_ id: ContainerProperty) {
    switch id {
    case .columnCount: assign(&box.columnCount, optional(integer), parentBox.columnCount)
    case .columnWidth: assign(&box.columnWidth, optional(length), parentBox.columnWidth.map { inherited($0) })
    case .columnGap: assign(&box.columnGap, spacing, inherited(parentBox.columnGap))
    case .rowGap: assign(&box.rowGap, spacing, inherited(parentBox.rowGap))
    case .columnFill: assign(&box.columnFill, keyword(), parentBox.columnFill)
    case .columnSpan: assign(&box.columnSpan, keyword(), parentBox.columnSpan)
    case .flexDirection: assign(&box.flexDirection, keyword(), parentBox.flexDirection)
    case .flexWrap: assign(&box.flexWrap, keyword(), parentBox.flexWrap)
    case .flexGrow: assign(&box.flexGrow, number, parentBox.flexGrow)
    case .flexShrink: assign(&box.flexShrink, number, parentBox.flexShrink)
    case .flexBasis: assign(&box.flexBasis, size, inherited(parentBox.flexBasis))
    case .order: assign(&box.order, integer, parentBox.order)
    case .justifyContent: assign(&box.justifyContent, keyword(), parentBox.justifyContent)
    case .alignItems: assign(&box.alignItems, keyword(), parentBox.alignItems)
    case .alignSelf: assign(&box.alignSelf, keyword(), parentBox.alignSelf)
    case .alignContent: assign(&box.alignContent, keyword(), parentBox.alignContent)
    case .justifyItems: assign(&box.justifyItems, keyword(), parentBox.justifyItems)
    case .justifySelf: assign(&box.justifySelf, keyword(), parentBox.justifySelf)
    }
  }
}
