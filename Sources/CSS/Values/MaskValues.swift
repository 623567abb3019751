/// `mask-mode`: the channel of a mask image that is the mask (CSS Masking 1, section 7.2).
package enum MaskMode: UInt8, Hashable, Sendable { case matchSource, alpha, luminance }

/// The area that a mask is painted in: a box, or all (CSS Masking 1, section 7.5). The SVG boxes stand for their nearest.
package enum MaskClip: UInt8, Hashable, Sendable { case borderBox, paddingBox, contentBox, marginBox, noClip }

/// `mask-composite`: the operator by which a mask layer meets those below it (CSS Masking 1, section 7.8).
package enum MaskComposite: UInt8, Hashable, Sendable { case add, subtract, intersect, exclude }

extension MaskMode: Keyword {
  package var keyword: StaticString {
    switch self {
    case .matchSource: "match-source"
    case .alpha: "alpha"
    case .luminance: "luminance"
    }
  }
}
extension MaskClip: Keyword {
  package var keyword: StaticString {
    switch self {
    case .borderBox: "border-box"
    case .paddingBox: "padding-box"
    case .contentBox: "content-box"
    case .marginBox: "margin-box"
    case .noClip: "no-clip"
    }
  }
}
extension MaskComposite: Keyword {
  package var keyword: StaticString {
    switch self {
    case .add: "add"
    case .subtract: "subtract"
    case .intersect: "intersect"
    case .exclude: "exclude"
    }
  }
}

let maskModeWords = words(MaskMode.self)
let maskClipWords = words(
  MaskClip.self, also: ["fill-box": .contentBox, "stroke-box": .borderBox, "view-box": .borderBox])
let maskCompositeWords = words(MaskComposite.self)

/// One layer of a mask.
package struct MaskLayer: Hashable, Sendable {
  package var image = ImageValue.none
  package var mode = MaskMode.matchSource
  package var position = PositionValue(x: .length(Length(0, .percent)), y: .length(Length(0, .percent)))
  package var size = BackgroundSize.size(nil, nil)
  package var repeatX = BackgroundRepeat.repeat
  package var repeatY = BackgroundRepeat.repeat
  package var clip = MaskClip.borderBox
  package var origin = GeometryBox.borderBox
  package var composite = MaskComposite.add
  package init() {}
}

extension ValueParser {
  /// The `mask` shorthand (CSS Masking 1, section 7.9).
  mutating func mask() -> [(PropertyID, PropertyValue)]? {
    guard let layers = commaSeparated({ $0.maskLayer() }) else { return nil }
    return [
      (.rare(.maskImage), .images(layers.map(\.image))),
      (.rare(.maskMode), .keywords(layers.map(\.mode.rawValue))),
      (.rare(.maskRepeat), .keywords(layers.flatMap { [$0.repeatX.rawValue, $0.repeatY.rawValue] })),
      (.rare(.maskPosition), .lengths(layers.flatMap { [$0.position.x, $0.position.y] })),
      (.rare(.maskClip), .keywords(layers.map(\.clip.rawValue))),
      (.rare(.maskOrigin), .keywords(layers.map(\.origin.rawValue))),
      (.rare(.maskSize), .backgroundSizes(layers.map(\.size))),
      (.rare(.maskComposite), .keywords(layers.map(\.composite.rawValue))),
    ]
  }

  private mutating func maskLayer() -> MaskLayer? {
    var image: ImageValue?
    var position: PositionValue?
    var repeating: (UInt8, UInt8)?
    var boxes: [GeometryBox] = []
    var clipsNothing = false
    var composite: MaskComposite?
    var mode: MaskMode?
    var layer = MaskLayer()
    var count = 0
    while !isAtEnd, peek().kind != .comma {
      if image == nil, let next = self.image() {
        image = next
      } else if position == nil, let next = attempt({ $0.position(threeParts: false) }) {
        position = next
        if slash() {
          guard let size = backgroundSize() else { return nil }
          layer.size = size
        }
      } else if repeating == nil, let next = backgroundRepeat() {
        repeating = next
      } else if boxes.count < 2, let next = keyword(GeometryBox.self, geometryBoxWords) {
        boxes.append(next)
      } else if !clipsNothing, keyword("no-clip") {
        clipsNothing = true
      } else if composite == nil, let next = keyword(MaskComposite.self, maskCompositeWords) {
        composite = next
      } else if mode == nil, let next = keyword(MaskMode.self, maskModeWords) {
        mode = next
      } else {
        return nil
      }
      count += 1
    }
    guard count > 0, !(clipsNothing && boxes.count == 2) else { return nil }
    layer.image = image ?? .none
    layer.position = position ?? layer.position
    layer.repeatX = repeating.flatMap { BackgroundRepeat(rawValue: $0.0) } ?? layer.repeatX
    layer.repeatY = repeating.flatMap { BackgroundRepeat(rawValue: $0.1) } ?? layer.repeatY
    layer.origin = boxes.first ?? layer.origin
    layer.clip = clipsNothing ? .noClip : boxes.last.flatMap { MaskClip(rawValue: $0.rawValue) } ?? layer.clip
    layer.composite = composite ?? layer.composite
    layer.mode = mode ?? layer.mode
    return layer
  }
}
