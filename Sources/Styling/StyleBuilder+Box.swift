import CSS
import Primitives

extension StyleBuilder {
  var parentBox: BoxStyle { interner.table.boxes[parent.box.index] }
  private var parentBorder: BorderGroup { interner.table.borders[parent.border.index] }
  private var parentBackground: BackgroundGroup { interner.table.backgrounds[parent.background.index] }
  private var parentPage: PageGroup { interner.table.pages[parent.page.index] }

  private var margin: MarginValue? { if case .margin(let margin) = value { computed(margin) } else { nil } }
  private var size: SizeValue? { if case .size(let size) = value { computed(size) } else { nil } }
  private var lengthPercentage: LengthPercentage? {
    if case .lengthPercentage(let length) = value { computed(length) } else { nil }
  }
  private var length: Length? { if case .length(let length) = value { computed(length) } else { nil } }
  private var spacing: SpacingValue? { if case .spacing(let spacing) = value { computed(spacing) } else { nil } }
  private var position: PositionValue? { if case .position(let position) = value { computed(position) } else { nil } }
  private var counters: [CounterOperation]? { if case .counters(let counters) = value { counters } else { nil } }

  /// The one function of `translate`, `rotate` or `scale`; `none` is nil inside.
  private var singleTransform: TransformFunction?? {
    if case .transform(let functions) = value { .some(computed(functions).first) } else { nil }
  }

  func applyBox(_ id: PropertyID) {
    switch id {
    case .display: assign(&box.display, keyword(), parentBox.display)
    case .position: assign(&box.position, keyword(), parentBox.position)
    case .float: assign(&box.float, keyword(), parentBox.float)
    case .clear: assign(&box.clear, keyword(), parentBox.clear)
    case .boxSizing: assign(&box.boxSizing, keyword(), parentBox.boxSizing)
    case .width: assign(&box.width, size, inherited(parentBox.width))
    case .height: assign(&box.height, size, inherited(parentBox.height))
    case .minWidth: assign(&box.minWidth, size, inherited(parentBox.minWidth))
    case .minHeight: assign(&box.minHeight, size, inherited(parentBox.minHeight))
    case .maxWidth: assign(&box.maxWidth, size, inherited(parentBox.maxWidth))
    case .maxHeight: assign(&box.maxHeight, size, inherited(parentBox.maxHeight))
    case .marginTop: assign(&box.margin.top, margin, inherited(parentBox.margin.top))
    case .marginRight: assign(&box.margin.right, margin, inherited(parentBox.margin.right))
    case .marginBottom: assign(&box.margin.bottom, margin, inherited(parentBox.margin.bottom))
    case .marginLeft: assign(&box.margin.left, margin, inherited(parentBox.margin.left))
    case .paddingTop: assign(&box.padding.top, lengthPercentage, inherited(parentBox.padding.top))
    case .paddingRight: assign(&box.padding.right, lengthPercentage, inherited(parentBox.padding.right))
    case .paddingBottom: assign(&box.padding.bottom, lengthPercentage, inherited(parentBox.padding.bottom))
    case .paddingLeft: assign(&box.padding.left, lengthPercentage, inherited(parentBox.padding.left))
    case .top: assign(&box.inset.top, margin, inherited(parentBox.inset.top))
    case .right: assign(&box.inset.right, margin, inherited(parentBox.inset.right))
    case .bottom: assign(&box.inset.bottom, margin, inherited(parentBox.inset.bottom))
    case .left: assign(&box.inset.left, margin, inherited(parentBox.inset.left))
    case .overflowX: assign(&box.overflowX, keyword(), parentBox.overflowX)
    case .overflowY: assign(&box.overflowY, keyword(), parentBox.overflowY)
    case .clip:
      if case .clip(let edges) = value {
        box.clip = mapped(edges) { self.computed($0) }
      } else {
        assign(&box.clip, optional(nil as Sides<Length?>?), parentBox.clip.map { mapped($0) { self.inherited($0) } })
      }
    case .verticalAlign:
      if case .verticalAlign(let align) = value {
        box.verticalAlign = computed(align)
      } else {
        assign(&box.verticalAlign, nil, inherited(parentBox.verticalAlign))
      }
    case .unicodeBidi: assign(&box.unicodeBidi, keyword(), parentBox.unicodeBidi)
    case .zIndex: assign(&box.zIndex, optional(integer), parentBox.zIndex)
    case .tableLayout: assign(&box.tableLayout, keyword(), parentBox.tableLayout)
    case .content:
      if case .content(let content) = value {
        box.content = content
      } else {
        assign(&box.content, nil, parentBox.content)
      }
    case .counterReset: assign(&box.counterReset, counters, parentBox.counterReset)
    case .counterIncrement: assign(&box.counterIncrement, counters, parentBox.counterIncrement)
    case .counterSet: assign(&box.counterSet, counters, parentBox.counterSet)
    case .objectFit: assign(&box.objectFit, keyword(), parentBox.objectFit)
    case .objectPosition: assign(&box.objectPosition, position, inherited(parentBox.objectPosition))
    case .aspectRatio: assign(&box.aspectRatio, optional(number), parentBox.aspectRatio)
    case .opacity: assign(&box.opacity, number, parentBox.opacity)
    case .transform:
      if case .transform(let functions) = value {
        box.transform = computed(functions)
      } else {
        assign(&box.transform, nil, inherited(parentBox.transform))
      }
    case .translate: assign(&box.translate, singleTransform, inherited(parentBox.translate))
    case .rotate: assign(&box.rotate, singleTransform, parentBox.rotate)
    case .scale: assign(&box.scale, singleTransform, parentBox.scale)
    case .transformOrigin: assign(&box.transformOrigin, position, inherited(parentBox.transformOrigin))
    case .columnCount: assign(&box.columnCount, optional(integer), parentBox.columnCount)
    case .columnWidth: assign(&box.columnWidth, optional(length), parentBox.columnWidth.map { inherited($0) })
    case .columnGap: assign(&box.columnGap, spacing, inherited(parentBox.columnGap))
    case .rowGap: assign(&box.rowGap, spacing, inherited(parentBox.rowGap))
    case .columnFill: assign(&box.columnFill, keyword(), parentBox.columnFill)
    case .columnSpan: assign(&box.columnSpan, keyword(), parentBox.columnSpan)
    default: applyFlexAndDecoration(id)
    }
  }

  private func applyFlexAndDecoration(_ id: PropertyID) {
    switch id {
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
    case .textDecorationLine:
      assign(
        &box.decorationLine, flags.map { TextDecorationLine(rawValue: UInt8(truncatingIfNeeded: $0)) },
        parentBox.decorationLine)
    case .textDecorationStyle: assign(&box.decorationStyle, keyword(), parentBox.decorationStyle)
    case .textDecorationColor: assign(&box.decorationColor, color, parentBox.decorationColor)
    case .textDecorationThickness:
      if case .decorationThickness(let thickness) = value {
        box.decorationThickness = computed(thickness)
      } else {
        assign(&box.decorationThickness, nil, inherited(parentBox.decorationThickness))
      }
    case .filter:
      if case .filters(let filters) = value {
        box.filter = filters.map { $0.mapping { self.computed($0) } }
      } else if takesOther {
        box.filter = parentBox.filter.map { $0.mapping { self.inherited($0) } }
      }
    case .mixBlendMode: assign(&box.blendMode, keyword(), parentBox.blendMode)
    case .isolation: assign(&box.isIsolated, integer.map { $0 != 0 }, parentBox.isIsolated)
    case .clipPath:
      if case .clipPath(let path) = value {
        box.clipPath = computed(path)
      } else {
        assign(&box.clipPath, optional(nil as ClipPath?), inherited(parentBox.clipPath))
      }
    case .initialLetter:
      if case .initialLetter(let size, let sink) = value {
        box.initialLetterSize = size
        box.initialLetterSink = sink
      } else if takesOther {
        box.initialLetterSize = parentBox.initialLetterSize
        box.initialLetterSink = parentBox.initialLetterSink
      }
    default: applyGrid(id)
    }
  }

  private func mapped(_ edges: Sides<Length?>, _ transform: (Length) -> Length) -> Sides<Length?> {
    Sides(
      top: edges.top.map(transform), right: edges.right.map(transform), bottom: edges.bottom.map(transform),
      left: edges.left.map(transform))
  }

  func applyBorder(_ id: PropertyID) {
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
    case .borderImageSource, .borderImageSlice, .borderImageWidth, .borderImageOutset, .borderImageRepeat:
      applyBorderImage(id)
    case .columnRuleWidth: assign(&border.columnRuleWidth, length, inherited(parentBorder.columnRuleWidth))
    case .columnRuleStyle: assign(&border.columnRuleStyle, keyword(), parentBorder.columnRuleStyle)
    case .columnRuleColor: assign(&border.columnRuleColor, color, parentBorder.columnRuleColor)
    default: break
    }
  }

  private func applyBorderImage(_ id: PropertyID) {
    var image = border.image ?? BorderImage()
    let other = (takesOther ? parentBorder.image?.mapping { self.inherited($0) } : nil) ?? BorderImage()
    switch (id, value) {
    case (.borderImageSource, .image(let source)): image.source = computed(source)
    case (.borderImageSlice, .slices(let slice, let isFilled)):
      image.slice = computed(slice)
      image.isFilled = isFilled
    case (.borderImageWidth, .borderImageWidths(let width)): image.width = computed(width)
    case (.borderImageOutset, .borderImageWidths(let outset)): image.outset = computed(outset)
    case (.borderImageRepeat, .keywords(let pair)):
      image.repeatX = BorderImageRepeat(rawValue: pair[0]) ?? .stretch
      image.repeatY = BorderImageRepeat(rawValue: pair[1]) ?? .stretch
    default:
      guard takesOther else { return }
      switch id {
      case .borderImageSource: image.source = other.source
      case .borderImageSlice: (image.slice, image.isFilled) = (other.slice, other.isFilled)
      case .borderImageWidth: image.width = other.width
      case .borderImageOutset: image.outset = other.outset
      default: (image.repeatX, image.repeatY) = (other.repeatX, other.repeatY)
      }
    }
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

  func applyBackground(_ id: PropertyID) {
    if id == .backgroundColor {
      assign(&background.color, color, parentBackground.color)
      return
    }
    var lists = layers ?? BackgroundLists()
    let other = takesOther ? BackgroundLists(parentBackground.layers.map { mapped($0) { self.inherited($0) } }) : lists
    switch (id, value) {
    case (.backgroundImage, .images(let images)): lists.images = images.map { computed($0) }
    case (.backgroundPositionX, .lengths(let xs)): lists.xs = computed(xs)
    case (.backgroundPositionY, .lengths(let ys)): lists.ys = computed(ys)
    case (.backgroundSize, .backgroundSizes(let sizes)): lists.sizes = computed(sizes)
    case (.backgroundRepeat, .keywords(let pairs)): lists.repeats = pairs
    case (.backgroundAttachment, .keywords(let values)): lists.attachments = values
    case (.backgroundOrigin, .keywords(let values)): lists.origins = values
    case (.backgroundClip, .keywords(let values)): lists.clips = values
    default:
      guard takesOther else { return }
      switch id {
      case .backgroundImage: lists.images = other.images
      case .backgroundPositionX: lists.xs = other.xs
      case .backgroundPositionY: lists.ys = other.ys
      case .backgroundSize: lists.sizes = other.sizes
      case .backgroundRepeat: lists.repeats = other.repeats
      case .backgroundAttachment: lists.attachments = other.attachments
      case .backgroundOrigin: lists.origins = other.origins
      case .backgroundClip: lists.clips = other.clips
      default: break
      }
    }
    layers = lists
  }

  private func mapped(
    _ layer: BackgroundLayer, _ transform: (LengthPercentage) -> LengthPercentage
  ) -> BackgroundLayer {
    var layer = layer
    layer.image = layer.image.mapping(transform)
    layer.position = layer.position.mapping(transform)
    layer.size = layer.size.mapping(transform)
    return layer
  }

  func applyPage(_ id: PropertyID) {
    switch id {
    case .breakBefore: assign(&page.breakBefore, keyword(), parentPage.breakBefore)
    case .breakAfter: assign(&page.breakAfter, keyword(), parentPage.breakAfter)
    case .breakInside: assign(&page.breakInside, keyword(), parentPage.breakInside)
    case .boxDecorationBreak: assign(&page.decorationBreak, keyword(), parentPage.decorationBreak)
    case .page: assign(&page.page, string, parentPage.page)
    case .footnotePolicy: assign(&page.footnotePolicy, keyword(), parentPage.footnotePolicy)
    case .footnoteDisplay: assign(&page.footnoteDisplay, keyword(), parentPage.footnoteDisplay)
    case .stringSet: assign(&page.stringSet, namedStrings, parentPage.stringSet)
    default: break
    }
  }
}

/// The background properties of layers, each as its own list (CSS Backgrounds 3, section 3).
struct BackgroundLists {
  var images: [ImageValue] = [.none]
  var xs: [LengthPercentage]
  var ys: [LengthPercentage]
  var sizes: [BackgroundSize]
  /// Two a layer.
  var repeats: [UInt8]
  var attachments: [UInt8]
  var origins: [UInt8]
  var clips: [UInt8]

  init(_ layers: [BackgroundLayer] = []) {
    let layers = layers.isEmpty ? [BackgroundLayer()] : layers
    images = layers.map(\.image)
    xs = layers.map(\.position.x)
    ys = layers.map(\.position.y)
    sizes = layers.map(\.size)
    repeats = layers.flatMap { [$0.repeatX.rawValue, $0.repeatY.rawValue] }
    attachments = layers.map(\.attachment.rawValue)
    origins = layers.map(\.origin.rawValue)
    clips = layers.map(\.clip.rawValue)
  }

  /// As many layers as images; shorter lists are repeated. Empty when there is neither image nor any other setting, which
  /// a child could inherit.
  func assembled() -> [BackgroundLayer] {
    var result: [BackgroundLayer] = []
    let pairs = repeats.count / 2
    for index in images.indices {
      var layer = BackgroundLayer()
      layer.image = images[index]
      layer.position = PositionValue(x: xs[index % xs.count], y: ys[index % ys.count])
      layer.size = sizes[index % sizes.count]
      layer.repeatX = BackgroundRepeat(rawValue: repeats[index % pairs * 2]) ?? .repeat
      layer.repeatY = BackgroundRepeat(rawValue: repeats[index % pairs * 2 + 1]) ?? .repeat
      layer.attachment = BackgroundAttachment(rawValue: attachments[index % attachments.count]) ?? .scroll
      layer.origin = BackgroundBox(rawValue: origins[index % origins.count]) ?? .paddingBox
      layer.clip = BackgroundBox(rawValue: clips[index % clips.count]) ?? .borderBox
      result.append(layer)
    }
    return result == [BackgroundLayer()] ? [] : result
  }
}
