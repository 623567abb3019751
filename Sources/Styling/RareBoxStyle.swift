package import CSS

/// Values that are not inherited and that few elements have (CSS Shapes 1, CSS Masking 1).
package struct RareBoxValues: Hashable, Sendable {
  /// nil is `none`.
  package var shapeOutside: ShapeOutside? = nil
  package var shapeMargin = LengthPercentage.zero
  package var shapeImageThreshold: Float = 0
  package var mask = MaskLists()
  package var transformBox = TransformBox.viewBox
  package var transformStyle = TransformStyle.flat
  /// The third part of `transform-origin`.
  package var transformOriginZ = Length.zero
  /// nil is `none`.
  package var perspective: Length? = nil
  package var perspectiveOrigin = PositionValue(x: .length(Length(50, .percent)), y: .length(Length(50, .percent)))
  package var backfaceVisibility = BackfaceVisibility.visible
  package var backdropFilter: [FilterFunction] = []
  package var willChange: WillChange = []
  package var contain: Containment = []
  package var containerType = ContainerType.normal
  /// Empty is `none`.
  package var containerNames: [String] = []
  /// nil is `none`.
  package var containIntrinsicWidth: Length? = nil
  package var containIntrinsicHeight: Length? = nil
  package var overflowClipMargin = ClipMargin()
  /// The part of a picture that is seen; nil is `none`.
  package var objectViewBox: BasicShape? = nil
  package var snapBlock = SnapBlock()
  package var textBoxTrim = TextBoxTrim.none
  package var textOverflow = TextOverflow.clip
  /// The number of lines shown; nil is `none`.
  package var lineClamp: Int32? = nil
  package var boxOrient = BoxOrient.inlineAxis
  package var marginTrim: MarginTrim = []
  package init() {}

  /// The containment that holds: that of `contain` and that of a query container.
  package var usedContainment: Containment { contain.union(containerType.containment) }
  /// The box is a formatting context of its own (CSS Containment 2, sections 3.2 and 3.4; CSS Conditional 5, section 2.1).
  package var isIndependent: Bool { containerType != .normal || containsPositioned }
  /// The box contains its positioned descendants (CSS Containment 2, sections 3.2 and 3.4).
  package var containsPositioned: Bool { !contain.isDisjoint(with: [.layout, .paint]) }
}

/// The properties of mask layers, each as its own list (CSS Masking 1, section 7).
package struct MaskLists: Hashable, Sendable {
  var images: [ImageValue] = [.none]
  var modes: [UInt8] = [MaskMode.matchSource.rawValue]
  /// Two a layer.
  var repeats: [UInt8] = [BackgroundRepeat.repeat.rawValue, BackgroundRepeat.repeat.rawValue]
  /// Two a layer.
  var positions: [LengthPercentage] = [.length(Length(0, .percent)), .length(Length(0, .percent))]
  var clips: [UInt8] = [MaskClip.borderBox.rawValue]
  var origins: [UInt8] = [GeometryBox.borderBox.rawValue]
  var sizes: [BackgroundSize] = [.size(nil, nil)]
  var composites: [UInt8] = [MaskComposite.add.rawValue]

  /// No layer has an image, without which nothing is masked.
  package var isEmpty: Bool { images.allSatisfy { $0 == .none } }

  /// As many layers as images, the top one first; shorter lists are repeated.
  package var layers: [MaskLayer] {
    images.indices.map { index in
      func keyword<Value: RawRepresentable>(_ list: [UInt8], _ initial: Value) -> Value where Value.RawValue == UInt8 {
        list.isEmpty ? initial : Value(rawValue: list[index % list.count]) ?? initial
      }
      var layer = MaskLayer()
      layer.image = images[index]
      layer.mode = keyword(modes, layer.mode)
      layer.clip = keyword(clips, layer.clip)
      layer.origin = keyword(origins, layer.origin)
      layer.composite = keyword(composites, layer.composite)
      if !sizes.isEmpty { layer.size = sizes[index % sizes.count] }
      if repeats.count > 1 {
        let pair = index % (repeats.count / 2) * 2
        layer.repeatX = BackgroundRepeat(rawValue: repeats[pair]) ?? layer.repeatX
        layer.repeatY = BackgroundRepeat(rawValue: repeats[pair + 1]) ?? layer.repeatY
      }
      if positions.count > 1 {
        let pair = index % (positions.count / 2) * 2
        layer.position = PositionValue(x: positions[pair], y: positions[pair + 1])
      }
      return layer
    }
  }
}

extension RareBoxValues {
  /// The computed value of a property, as CSS spells it.
  func css(_ property: RareProperty, _ table: StyleTable) -> String {
    func words<Value: Keyword>(_ list: [UInt8], _ type: Value.Type) -> String {
      list.map { Value(rawValue: $0).map { table.css($0) } ?? "" }.joined(separator: ", ")
    }
    func pairs(_ words: [String]) -> String {
      stride(from: 0, to: words.count - 1, by: 2).map { words[$0] + " " + words[$0 + 1] }.joined(separator: ", ")
    }
    switch property {
    case .shapeOutside: return table.css(shapeOutside, none: "none")
    case .shapeMargin: return table.css(shapeMargin)
    case .shapeImageThreshold: return table.css(shapeImageThreshold)
    case .maskImage: return table.css(mask.images, separator: ", ")
    case .maskMode: return words(mask.modes, MaskMode.self)
    case .maskRepeat: return pairs(mask.repeats.map { BackgroundRepeat(rawValue: $0).map { table.css($0) } ?? "" })
    case .maskPosition: return pairs(mask.positions.map { table.css($0) })
    case .maskClip: return words(mask.clips, MaskClip.self)
    case .maskOrigin: return words(mask.origins, GeometryBox.self)
    case .maskSize: return table.css(mask.sizes, separator: ", ")
    case .transformBox: return table.css(transformBox)
    case .objectViewBox: return table.css(objectViewBox, none: "none")
    case .textBoxTrim: return table.css(textBoxTrim)
    case .textOverflow: return table.css(textOverflow)
    case .lineClamp: return table.css(lineClamp, none: "none")
    case .boxOrient: return table.css(boxOrient)
    case .marginTrim:
      return table.css(
        marginTrim, [([.blockStart, .blockEnd], "block"), (.blockStart, "block-start"), (.blockEnd, "block-end")],
        none: "none")
    case .transformStyle: return table.css(transformStyle)
    case .perspective: return table.css(perspective, none: "none")
    case .perspectiveOrigin: return table.css(perspectiveOrigin)
    case .backfaceVisibility: return table.css(backfaceVisibility)
    case .backdropFilter: return table.css(backdropFilter)
    case .willChange:
      return table.css(
        willChange,
        [
          ([.stackingContext, .fixedContainer, .backdropRoot], "filter"),
          ([.stackingContext, .fixedContainer], "transform"), ([.stackingContext, .backdropRoot], "opacity"),
          (.stackingContext, "z-index"),
        ], none: "auto")
    case .containerType: return table.css(containerType)
    case .containerName: return containerNames.isEmpty ? "none" : containerNames.joined(separator: " ")
    case .contain:
      return table.css(
        contain,
        [
          ([.inlineSize, .blockSize], "size"), (.inlineSize, "inline-size"), (.layout, "layout"), (.style, "style"),
          (.paint, "paint"),
        ], none: "none")
    case .containIntrinsicWidth: return table.css(containIntrinsicWidth, none: "none")
    case .containIntrinsicHeight: return table.css(containIntrinsicHeight, none: "none")
    case .maskComposite: return words(mask.composites, MaskComposite.self)
    case .overflowClipMargin:
      return "\(table.css(overflowClipMargin.box)) \(table.css(overflowClipMargin.distance))"
    }
  }
}

extension BoxStyle {
  /// The box is seen through a mask (CSS Masking 1, section 7).
  package var hasMask: Bool { rare.map { !$0.values.mask.isEmpty } ?? false }
}

/// Rare values in a box style: one word there, nil where none is set.
package final class RareBoxStyle: Hashable, Sendable {
  package let values: RareBoxValues
  init(_ values: RareBoxValues) { self.values = values }
  package static func == (a: RareBoxStyle, b: RareBoxStyle) -> Bool { a === b || a.values == b.values }
  package func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
