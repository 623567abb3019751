package import Primitives

/// Properties that name a side or an axis of the flow; each stands for the physical property there (CSS Logical Properties
/// 1, section 4).
package enum LogicalProperty: UInt8, CaseIterable, Hashable, Sendable {
  case marginBlockStart, marginBlockEnd, marginInlineStart, marginInlineEnd
  case paddingBlockStart, paddingBlockEnd, paddingInlineStart, paddingInlineEnd
  case insetBlockStart, insetBlockEnd, insetInlineStart, insetInlineEnd
  case borderBlockStartWidth, borderBlockEndWidth, borderInlineStartWidth, borderInlineEndWidth
  case borderBlockStartStyle, borderBlockEndStyle, borderInlineStartStyle, borderInlineEndStyle
  case borderBlockStartColor, borderBlockEndColor, borderInlineStartColor, borderInlineEndColor
  case borderStartStartRadius, borderStartEndRadius, borderEndEndRadius, borderEndStartRadius
  case blockSize, inlineSize, minBlockSize, minInlineSize, maxBlockSize, maxInlineSize, overflowBlock, overflowInline
  case containIntrinsicBlockSize, containIntrinsicInlineSize

  package var row: PropertyRow {
    switch self {
    case .marginBlockStart: like("margin-block-start", "4.2", ["-webkit-margin-before"])
    case .marginBlockEnd: like("margin-block-end", "4.2", ["-webkit-margin-after"])
    case .marginInlineStart:
      like("margin-inline-start", "4.2", ["-webkit-margin-start", "-moz-margin-start", "-ah-margin-start"])
    case .marginInlineEnd:
      like("margin-inline-end", "4.2", ["-webkit-margin-end", "-moz-margin-end", "-ah-margin-end"])
    case .paddingBlockStart: like("padding-block-start", "4.4", ["-webkit-padding-before"])
    case .paddingBlockEnd: like("padding-block-end", "4.4", ["-webkit-padding-after"])
    case .paddingInlineStart: like("padding-inline-start", "4.4", ["-webkit-padding-start", "-moz-padding-start"])
    case .paddingInlineEnd: like("padding-inline-end", "4.4", ["-webkit-padding-end", "-moz-padding-end"])
    case .insetBlockStart: like("inset-block-start", "4.3")
    case .insetBlockEnd: like("inset-block-end", "4.3")
    case .insetInlineStart: like("inset-inline-start", "4.3")
    case .insetInlineEnd: like("inset-inline-end", "4.3")
    case .borderBlockStartWidth: like("border-block-start-width", "4.5.1")
    case .borderBlockEndWidth: like("border-block-end-width", "4.5.1")
    case .borderInlineStartWidth: like("border-inline-start-width", "4.5.1")
    case .borderInlineEndWidth: like("border-inline-end-width", "4.5.1")
    case .borderBlockStartStyle: like("border-block-start-style", "4.5.2")
    case .borderBlockEndStyle: like("border-block-end-style", "4.5.2")
    case .borderInlineStartStyle: like("border-inline-start-style", "4.5.2")
    case .borderInlineEndStyle: like("border-inline-end-style", "4.5.2")
    // Colours without `#` are understood in physical properties alone (Quirks Mode Standard, section 3.2).
    case .borderBlockStartColor: like("border-block-start-color", "4.5.3") { $0.colorValue() }
    case .borderBlockEndColor: like("border-block-end-color", "4.5.3") { $0.colorValue() }
    case .borderInlineStartColor: like("border-inline-start-color", "4.5.3") { $0.colorValue() }
    case .borderInlineEndColor: like("border-inline-end-color", "4.5.3") { $0.colorValue() }
    case .borderStartStartRadius: like("border-start-start-radius", "4.6")
    case .borderStartEndRadius: like("border-start-end-radius", "4.6")
    case .borderEndEndRadius: like("border-end-end-radius", "4.6")
    case .borderEndStartRadius: like("border-end-start-radius", "4.6")
    case .blockSize: like("block-size", "4.1", ["-webkit-logical-height"])
    case .inlineSize: like("inline-size", "4.1", ["-webkit-logical-width"])
    case .minBlockSize: like("min-block-size", "4.1")
    case .minInlineSize: like("min-inline-size", "4.1")
    case .maxBlockSize: like("max-block-size", "4.1")
    case .maxInlineSize: like("max-inline-size", "4.1")
    case .overflowBlock: like("overflow-block", "2.2")
    case .overflowInline: like("overflow-inline", "2.2")
    case .containIntrinsicBlockSize: like("contain-intrinsic-block-size", "CSS Sizing 4, 5.2")
    case .containIntrinsicInlineSize: like("contain-intrinsic-inline-size", "CSS Sizing 4, 5.2")
    }
  }

  /// A row with the grammar of the physical property.
  private func like(
    _ name: StaticString, _ section: StaticString, _ aliases: [StaticString] = [], _ parse: LonghandParser? = nil
  ) -> PropertyRow {
    PropertyRow(name, like: physical(.horizontalTB, .ltr).row, section, aliases: aliases, parse)
  }

  /// The physical property (CSS Writing Modes 4, section 6.4).
  package func physical(_ mode: WritingMode, _ direction: TextDirection) -> PropertyID {
    let flow = FlowSides(mode, direction)
    let isHorizontal = mode.isHorizontal
    func along(_ horizontal: BoxProperty, _ vertical: BoxProperty) -> PropertyID {
      .box(isHorizontal ? horizontal : vertical)
    }
    return switch self {
    case .marginBlockStart: .box(.margin(flow.blockStart))
    case .marginBlockEnd: .box(.margin(flow.blockEnd))
    case .marginInlineStart: .box(.margin(flow.inlineStart))
    case .marginInlineEnd: .box(.margin(flow.inlineEnd))
    case .paddingBlockStart: .box(.padding(flow.blockStart))
    case .paddingBlockEnd: .box(.padding(flow.blockEnd))
    case .paddingInlineStart: .box(.padding(flow.inlineStart))
    case .paddingInlineEnd: .box(.padding(flow.inlineEnd))
    case .insetBlockStart: .box(.inset(flow.blockStart))
    case .insetBlockEnd: .box(.inset(flow.blockEnd))
    case .insetInlineStart: .box(.inset(flow.inlineStart))
    case .insetInlineEnd: .box(.inset(flow.inlineEnd))
    case .borderBlockStartWidth: .border(.width(flow.blockStart))
    case .borderBlockEndWidth: .border(.width(flow.blockEnd))
    case .borderInlineStartWidth: .border(.width(flow.inlineStart))
    case .borderInlineEndWidth: .border(.width(flow.inlineEnd))
    case .borderBlockStartStyle: .border(.style(flow.blockStart))
    case .borderBlockEndStyle: .border(.style(flow.blockEnd))
    case .borderInlineStartStyle: .border(.style(flow.inlineStart))
    case .borderInlineEndStyle: .border(.style(flow.inlineEnd))
    case .borderBlockStartColor: .border(.color(flow.blockStart))
    case .borderBlockEndColor: .border(.color(flow.blockEnd))
    case .borderInlineStartColor: .border(.color(flow.inlineStart))
    case .borderInlineEndColor: .border(.color(flow.inlineEnd))
    case .borderStartStartRadius: .border(.radius(flow.blockStart, flow.inlineStart))
    case .borderStartEndRadius: .border(.radius(flow.blockStart, flow.inlineEnd))
    case .borderEndEndRadius: .border(.radius(flow.blockEnd, flow.inlineEnd))
    case .borderEndStartRadius: .border(.radius(flow.blockEnd, flow.inlineStart))
    case .blockSize: along(.height, .width)
    case .inlineSize: along(.width, .height)
    case .minBlockSize: along(.minHeight, .minWidth)
    case .minInlineSize: along(.minWidth, .minHeight)
    case .maxBlockSize: along(.maxHeight, .maxWidth)
    case .maxInlineSize: along(.maxWidth, .maxHeight)
    case .overflowBlock: along(.overflowY, .overflowX)
    case .overflowInline: along(.overflowX, .overflowY)
    case .containIntrinsicBlockSize: .rare(isHorizontal ? .containIntrinsicHeight : .containIntrinsicWidth)
    case .containIntrinsicInlineSize: .rare(isHorizontal ? .containIntrinsicWidth : .containIntrinsicHeight)
    }
  }
}

extension PropertyID {
  /// The physical properties that a logical one stands for in one flow or another; any other is its own.
  package var physicalCandidates: Set<PropertyID> {
    guard isLogical else { return [self] }
    // These flows begin and end at every side.
    return [WritingMode.horizontalTB, .verticalRL, .verticalLR].reduce(into: []) { candidates, mode in
      candidates.formUnion([TextDirection.ltr, .rtl].map { physical(mode, $0) })
    }
  }
}

/// The physical sides where the flow of a writing mode begins and ends.
private struct FlowSides {
  let blockStart: PhysicalSide
  let inlineStart: PhysicalSide
  var blockEnd: PhysicalSide { blockStart.opposite }
  var inlineEnd: PhysicalSide { inlineStart.opposite }

  init(_ mode: WritingMode, _ direction: TextDirection) {
    blockStart = mode.blockStart
    inlineStart = mode.inlineStart(direction)
  }
}

extension BoxProperty {
  fileprivate static func margin(_ side: PhysicalSide) -> Self {
    switch side {
    case .top: .marginTop
    case .right: .marginRight
    case .bottom: .marginBottom
    case .left: .marginLeft
    }
  }
  fileprivate static func padding(_ side: PhysicalSide) -> Self {
    switch side {
    case .top: .paddingTop
    case .right: .paddingRight
    case .bottom: .paddingBottom
    case .left: .paddingLeft
    }
  }
  fileprivate static func inset(_ side: PhysicalSide) -> Self {
    switch side {
    case .top: .top
    case .right: .right
    case .bottom: .bottom
    case .left: .left
    }
  }
}

extension BorderProperty {
  fileprivate static func width(_ side: PhysicalSide) -> Self {
    switch side {
    case .top: .borderTopWidth
    case .right: .borderRightWidth
    case .bottom: .borderBottomWidth
    case .left: .borderLeftWidth
    }
  }
  fileprivate static func style(_ side: PhysicalSide) -> Self {
    switch side {
    case .top: .borderTopStyle
    case .right: .borderRightStyle
    case .bottom: .borderBottomStyle
    case .left: .borderLeftStyle
    }
  }
  fileprivate static func color(_ side: PhysicalSide) -> Self {
    switch side {
    case .top: .borderTopColor
    case .right: .borderRightColor
    case .bottom: .borderBottomColor
    case .left: .borderLeftColor
    }
  }
  /// The radius of the corner between two sides, one of them horizontal.
  fileprivate static func radius(_ a: PhysicalSide, _ b: PhysicalSide) -> Self {
    let isLeft = a == .left || b == .left
    if a == .top || b == .top { return isLeft ? .borderTopLeftRadius : .borderTopRightRadius }
    return isLeft ? .borderBottomLeftRadius : .borderBottomRightRadius
  }
}
