import CSS
import Primitives

extension StyleBuilder {
  private var parentBackground: BackgroundGroup { interner.table.backgrounds[parent.background.index] }

  func apply(_ id: BackgroundProperty) {
    switch id {
    case .backgroundColor: assign(&background.color, color, parentBackground.color)
    case .backgroundImage:
      applyLayers(\.images) { if case .images(let images) = value { images.map { computed($0) } } else { nil } }
    case .backgroundPositionX:
      applyLayers(\.xs) { if case .lengths(let xs) = value { computed(xs) } else { nil } }
    case .backgroundPositionY:
      applyLayers(\.ys) { if case .lengths(let ys) = value { computed(ys) } else { nil } }
    case .backgroundSize:
      applyLayers(\.sizes) { if case .backgroundSizes(let sizes) = value { computed(sizes) } else { nil } }
    case .backgroundRepeat: applyLayers(\.repeats) { keywords }
    case .backgroundAttachment: applyLayers(\.attachments) { keywords }
    case .backgroundOrigin: applyLayers(\.origins) { keywords }
    case .backgroundClip: applyLayers(\.clips) { keywords }
    case .backgroundBlendMode: applyLayers(\.blendModes) { keywords }
    }
  }

  var keywords: [UInt8]? { if case .keywords(let keywords) = value { keywords } else { nil } }

  /// Sets one property of the layers, to the value given or to the parent's.
  private func applyLayers<Value>(_ field: WritableKeyPath<BackgroundLists, Value>, _ given: () -> Value?) {
    var lists = layers ?? BackgroundLists()
    if let given = given() {
      lists[keyPath: field] = given
    } else if takesOther {
      let other = BackgroundLists(parentBackground.layers.map { mapped($0) { self.inherited($0) } })
      lists[keyPath: field] = other[keyPath: field]
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
  var blendModes: [UInt8]

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
    blendModes = layers.map(\.blendMode.rawValue)
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
      layer.blendMode = MixBlendMode(rawValue: blendModes[index % blendModes.count]) ?? .normal
      result.append(layer)
    }
    return result == [BackgroundLayer()] ? [] : result
  }
}
