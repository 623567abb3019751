import CSS

extension StyleBuilder {
  /// The properties that few elements have.
  func apply(_ id: RareProperty) {
    let parent = parentBox.rare?.values ?? RareBoxValues()
    var values = box.rare?.values ?? RareBoxValues()
    switch id {
    case .shapeOutside:
      if case .shapeOutside(let shape) = value {
        values.shapeOutside = computed(shape)
      } else {
        assign(&values.shapeOutside, optional(nil as ShapeOutside?), inherited(parent.shapeOutside))
      }
    case .shapeMargin: assign(&values.shapeMargin, lengthPercentage, inherited(parent.shapeMargin))
    case .shapeImageThreshold: assign(&values.shapeImageThreshold, number, parent.shapeImageThreshold)
    case .maskImage:
      if case .images(let images) = value {
        values.mask.images = computed(images)
      } else {
        assign(&values.mask.images, nil, inherited(parent.mask.images))
      }
    case .maskPosition:
      if case .lengths(let lengths) = value {
        values.mask.positions = computed(lengths)
      } else {
        assign(&values.mask.positions, nil, inherited(parent.mask.positions))
      }
    case .maskSize:
      if case .backgroundSizes(let sizes) = value {
        values.mask.sizes = computed(sizes)
      } else {
        assign(&values.mask.sizes, nil, inherited(parent.mask.sizes))
      }
    case .transformBox: assign(&values.transformBox, keyword(), parent.transformBox)
    case .objectViewBox:
      if case .clipPath(let path) = value {
        values.objectViewBox = computed(path.shape)
      } else {
        assign(&values.objectViewBox, optional(nil as BasicShape?), inherited(parent.objectViewBox))
      }
    case .textBoxTrim: assign(&values.textBoxTrim, keyword(), parent.textBoxTrim)
    case .textOverflow: assign(&values.textOverflow, keyword(), parent.textOverflow)
    case .lineClamp: assign(&values.lineClamp, optional(integer), parent.lineClamp)
    case .boxOrient: assign(&values.boxOrient, keyword(), parent.boxOrient)
    case .marginTrim:
      assign(
        &values.marginTrim, flags.map { MarginTrim(rawValue: UInt8(truncatingIfNeeded: $0)) }, parent.marginTrim)
    case .transformStyle: assign(&values.transformStyle, keyword(), parent.transformStyle)
    case .perspective: assign(&values.perspective, optional(length), parent.perspective.map { inherited($0) })
    case .perspectiveOrigin: assign(&values.perspectiveOrigin, position, inherited(parent.perspectiveOrigin))
    case .backdropFilter:
      assign(&values.backdropFilter, filters, inherited(parent.backdropFilter))
    case .willChange:
      assign(
        &values.willChange, flags.map { WillChange(rawValue: UInt8(truncatingIfNeeded: $0)) }, parent.willChange)
    case .backfaceVisibility: assign(&values.backfaceVisibility, keyword(), parent.backfaceVisibility)
    case .containerType:
      hasContainers = true
      assign(&values.containerType, keyword(), parent.containerType)
    case .containerName:
      hasContainers = true
      var names: [String]?
      if case .names(let given) = value { names = given }
      assign(&values.containerNames, names, parent.containerNames)
    case .contain:
      assign(
        &values.contain, flags.map { Containment(rawValue: UInt8(truncatingIfNeeded: $0)) }, parent.contain)
    case .containIntrinsicWidth:
      assign(&values.containIntrinsicWidth, optional(length), parent.containIntrinsicWidth.map { inherited($0) })
    case .containIntrinsicHeight:
      assign(&values.containIntrinsicHeight, optional(length), parent.containIntrinsicHeight.map { inherited($0) })
    case .overflowClipMargin:
      if case .clipMargin(var margin) = value {
        margin.distance = computed(margin.distance)
        values.overflowClipMargin = margin
      } else if takesOther {
        values.overflowClipMargin = parent.overflowClipMargin
        values.overflowClipMargin.distance = inherited(parent.overflowClipMargin.distance)
      }
    case .maskMode: assign(&values.mask.modes, keywords, parent.mask.modes)
    case .maskRepeat: assign(&values.mask.repeats, keywords, parent.mask.repeats)
    case .maskClip: assign(&values.mask.clips, keywords, parent.mask.clips)
    case .maskOrigin: assign(&values.mask.origins, keywords, parent.mask.origins)
    case .maskComposite: assign(&values.mask.composites, keywords, parent.mask.composites)
    }
    box.rare = values == RareBoxValues() ? nil : RareBoxStyle(values)
  }

  private static let initialRare = RareBoxValues()

  /// Sets a value that declarations of properties of other groups bring along, and that few elements have.
  func setRare<Value: Equatable>(_ path: WritableKeyPath<RareBoxValues, Value>, _ value: Value) {
    var values = box.rare?.values ?? Self.initialRare
    guard value != values[keyPath: path] else { return }
    values[keyPath: path] = value
    box.rare = values == Self.initialRare ? nil : RareBoxStyle(values)
  }
}

extension ShapeOutside: LengthMapping {
  func mapping(_ transform: (LengthPercentage) -> LengthPercentage) -> Self {
    switch self {
    case .shape(let shape): .shape(shape.mapping(transform))
    case .image(let image): .image(image.mapping(transform))
    }
  }
}
