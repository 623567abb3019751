package import CSS

/// Not inherited: the box and its place (CSS 2.2, sections 8 to 11; CSS Flexbox, Multi-column, Transforms).
package struct BoxStyle: Hashable, Sendable {
  package var display = Display.inline
  /// The display before blockification of floats, positioned boxes and flex items.
  package var originalDisplay = Display.inline
  package var position = Position.static
  package var float = FloatValue.none
  package var clear = Clear.none
  package var boxSizing = BoxSizing.contentBox
  package var width = SizeValue.auto
  package var height = SizeValue.auto
  package var minWidth = SizeValue.auto
  package var minHeight = SizeValue.auto
  package var maxWidth = SizeValue.none
  package var maxHeight = SizeValue.none
  package var margin = Sides<MarginValue>(all: .zero)
  package var padding = Sides<LengthPercentage>(all: .zero)
  package var inset = Sides<MarginValue>(all: .auto)
  package var overflowX = Overflow.visible
  package var overflowY = Overflow.visible
  /// `clip: rect()` edges, nil for `auto` edges; nil when there is no clip.
  package var clip: Sides<Length?>? = nil
  package var verticalAlign = VerticalAlign.baseline
  package var unicodeBidi = UnicodeBidi.normal
  /// nil is `auto`.
  package var zIndex: Int32? = nil
  /// `z-index` holds for a flex or grid item that is not positioned (CSS Flexible Box 1, section 5.4; CSS Grid 1, section 11.4).
  package var isLayeredItem = false
  package var tableLayout = TableLayoutMode.auto
  package var content = ContentValue.normal
  package var counterReset: [CounterOperation] = []
  package var counterIncrement: [CounterOperation] = []
  package var counterSet: [CounterOperation] = []
  package var objectFit = ObjectFit.fill
  package var objectPosition = PositionValue(x: .length(Length(50, .percent)), y: .length(Length(50, .percent)))
  /// Width over height; nil is `auto`.
  package var aspectRatio: Float? = nil
  /// `auto` beside a ratio: that of a replaced element's natural size comes first.
  package var prefersNaturalRatio = false
  package var opacity: Float = 1
  package var filter: [FilterFunction] = []
  package var blendMode = MixBlendMode.normal
  package var isIsolated = false
  /// nil is `none`.
  package var clipPath: ClipPath? = nil
  /// `translate`, `rotate` and `scale` followed by `transform` once the style is finished (CSS Transforms 2, section 6).
  package var transform: [TransformFunction] = []
  package var translate: TransformFunction? = nil
  package var rotate: TransformFunction? = nil
  package var scale: TransformFunction? = nil
  package var transformOrigin = PositionValue(x: .length(Length(50, .percent)), y: .length(Length(50, .percent)))
  package var columnCount: Int32? = nil
  package var columnWidth: Length? = nil
  package var columnGap = SpacingValue.normal
  package var rowGap = SpacingValue.normal
  package var columnFill = ColumnFill.balance
  package var columnSpan = ColumnSpan.none
  package var flexDirection = FlexDirection.row
  package var flexWrap = FlexWrap.nowrap
  package var flexGrow: Float = 0
  package var flexShrink: Float = 1
  package var flexBasis = SizeValue.auto
  package var order: Int32 = 0
  package var justifyContent = AlignmentValue.normal
  package var alignItems = AlignmentValue.normal
  package var alignSelf = AlignmentValue.auto
  package var alignContent = AlignmentValue.normal
  package var justifyItems = AlignmentValue.normal
  package var justifySelf = AlignmentValue.auto
  /// nil where no property of CSS Grid is set.
  package var grid: GridStyle? = nil
  /// nil where no property that few elements have is set.
  package var rare: RareBoxStyle? = nil
  /// Not inherited but propagated to inline descendants by box generation (CSS Text Decoration 3, section 2.1).
  package var decorationLine = TextDecorationLine()
  package var decorationStyle = TextDecorationStyle.solid
  package var decorationColor = ColorValue.currentColor
  package var decorationThickness = DecorationThickness.auto
  /// Lines and cap height of `initial-letter`; 0 is `normal`.
  package var initialLetterSize: Float = 0
  package var initialLetterSink: Int32 = 0
  package init() {}

  /// The element changes a counter.
  package func changesCounter(_ name: String) -> Bool {
    [counterReset, counterIncrement, counterSet].contains { $0.contains { $0.name == name } }
  }
}

extension BoxStyle {
  /// The computed value of a property, as CSS spells it.
  func css(_ property: BoxProperty, _ table: StyleTable) -> String {
    switch property {
    case .display: table.css(display)
    case .position: table.css(position)
    case .float:
      if let snap = rare?.values.snapBlock, float == .snapBlock, snap != SnapBlock() {
        "snap-block(\(table.css(snap.distance)), \(table.css(snap.edge)))"
      } else {
        table.css(float)
      }
    case .clear: table.css(clear)
    case .boxSizing: table.css(boxSizing)
    case .width: table.css(width)
    case .height: table.css(height)
    case .minWidth: table.css(minWidth)
    case .minHeight: table.css(minHeight)
    case .maxWidth: table.css(maxWidth)
    case .maxHeight: table.css(maxHeight)
    case .marginTop: table.css(margin.top)
    case .marginRight: table.css(margin.right)
    case .marginBottom: table.css(margin.bottom)
    case .marginLeft: table.css(margin.left)
    case .paddingTop: table.css(padding.top)
    case .paddingRight: table.css(padding.right)
    case .paddingBottom: table.css(padding.bottom)
    case .paddingLeft: table.css(padding.left)
    case .top: table.css(inset.top)
    case .right: table.css(inset.right)
    case .bottom: table.css(inset.bottom)
    case .left: table.css(inset.left)
    case .overflowX: table.css(overflowX)
    case .overflowY: table.css(overflowY)
    case .clip:
      clip.map { edges in
        let sides = [edges.top, edges.right, edges.bottom, edges.left]
        return "rect(\(sides.map { table.css($0, none: "auto") }.joined(separator: ", ")))"
      } ?? "auto"
    case .verticalAlign: table.css(verticalAlign)
    case .unicodeBidi: table.css(unicodeBidi)
    case .zIndex: table.css(zIndex, none: "auto")
    case .tableLayout: table.css(tableLayout)
    case .content: table.css(content)
    case .counterReset: table.css(counterReset)
    case .counterIncrement: table.css(counterIncrement)
    case .counterSet: table.css(counterSet)
    case .objectFit: table.css(objectFit)
    case .objectPosition: table.css(objectPosition)
    case .aspectRatio: (prefersNaturalRatio ? "auto " : "") + table.css(aspectRatio, none: "auto")
    case .initialLetter:
      initialLetterSize == 0 ? "normal" : "\(table.css(initialLetterSize)) \(table.css(initialLetterSink))"
    case .textDecorationLine:
      table.css(
        decorationLine, [(.underline, "underline"), (.overline, "overline"), (.lineThrough, "line-through")],
        none: "none")
    case .textDecorationStyle: table.css(decorationStyle)
    case .textDecorationColor: table.css(decorationColor)
    case .textDecorationThickness: table.css(decorationThickness)
    }
  }

  /// The computed value of a property, as CSS spells it.
  func css(_ property: ContainerProperty, _ table: StyleTable) -> String {
    switch property {
    case .columnCount: table.css(columnCount, none: "auto")
    case .columnWidth: table.css(columnWidth, none: "auto")
    case .columnGap: table.css(columnGap)
    case .rowGap: table.css(rowGap)
    case .columnFill: table.css(columnFill)
    case .columnSpan: table.css(columnSpan)
    case .flexDirection: table.css(flexDirection)
    case .flexWrap: table.css(flexWrap)
    case .flexGrow: table.css(flexGrow)
    case .flexShrink: table.css(flexShrink)
    case .flexBasis: table.css(flexBasis)
    case .order: table.css(order)
    case .justifyContent: table.css(justifyContent)
    case .alignItems: table.css(alignItems)
    case .alignSelf: table.css(alignSelf)
    case .alignContent: table.css(alignContent)
    case .justifyItems: table.css(justifyItems)
    case .justifySelf: table.css(justifySelf)
    }
  }

  /// The computed value of a property, as CSS spells it.
  func css(_ property: EffectProperty, _ table: StyleTable) -> String {
    switch property {
    case .opacity: table.css(opacity)
    case .transform: table.css(transform)
    case .translate: table.css(translate, none: "none")
    case .rotate: table.css(rotate, none: "none")
    case .scale: table.css(scale, none: "none")
    case .transformOrigin:
      table.css(transformOrigin)
        + (rare.map { $0.values.transformOriginZ == .zero ? "" : " " + table.css($0.values.transformOriginZ) } ?? "")
    case .filter: table.css(filter)
    case .mixBlendMode: table.css(blendMode)
    case .isolation: table.css(isIsolated, "isolate", "auto")
    case .clipPath: table.css(clipPath, none: "none")
    }
  }
}
