import Primitives

/// A face in a family, as the font matching algorithm sees it.
protocol MatchableFace {
  var weight: ClosedRange<UInt16> { get }
  var slant: FontSlant { get }
  /// Degrees that the face can lean to the right, where it is oblique.
  var angles: ClosedRange<Float> { get }
  var stretch: ClosedRange<Float> { get }
}

extension InstalledFace: MatchableFace {}

/// The choice of a face in a family (CSS Fonts 4, section 5.2, steps 4 and 5).
enum FontMatching {
  /// The positions of `faces` from the best match to the worst. Equal matches keep their order.
  static func order<Face: MatchableFace>(_ faces: [Face], for description: FontDescription) -> [Int] {
    func key(_ face: Face) -> (Float, Float, Float) {
      (
        stretchDistance(face.stretch, description.stretch),
        Float(slantRank(face, wanted: description.slant)) * 1000 + angleDistance(face, description),
        weightDistance(face.weight, Float(description.weight))
      )
    }
    let keys = faces.map(key)
    return faces.indices.sorted { keys[$0] != keys[$1] ? keys[$0] < keys[$1] : $0 < $1 }
  }

  /// Narrower widths first when a narrow one is wanted, wider ones first otherwise.
  private static func stretchDistance(_ range: ClosedRange<Float>, _ wanted: Float) -> Float {
    if range.contains(wanted) { return 0 }
    let isBelow = range.upperBound < wanted
    let distance = isBelow ? wanted - range.upperBound : range.lowerBound - wanted
    let preferred = wanted <= 100 ? isBelow : !isBelow
    return preferred ? distance : distance + 1000
  }

  private static func slantRank(_ face: some MatchableFace, wanted: FontSlant) -> Int {
    if wanted == .normal, face.slant == .oblique, face.angles.contains(0) { return 0 }
    let order: [FontSlant] =
      switch wanted {
      case .normal: [.normal, .oblique, .italic]
      case .italic: [.italic, .oblique, .normal]
      case .oblique: [.oblique, .italic, .normal]
      }
    return order.firstIndex(of: face.slant) ?? 3
  }

  /// The distance of an oblique face from the angle wanted: steeper faces first where that is 11 degrees or more,
  /// flatter ones otherwise.
  private static func angleDistance(_ face: some MatchableFace, _ description: FontDescription) -> Float {
    guard description.slant == .oblique, face.slant == .oblique else { return 0 }
    let wanted = description.obliqueAngle
    if face.angles.contains(wanted) { return 0 }
    let isBelow = face.angles.upperBound < wanted
    let distance = isBelow ? wanted - face.angles.upperBound : face.angles.lowerBound - wanted
    return (wanted >= 11) == isBelow ? distance + 200 : distance
  }

  /// 400 to 500: up to 500, then lighter, then heavier. Below 400: lighter first. Above 500: heavier first.
  private static func weightDistance(_ range: ClosedRange<UInt16>, _ wanted: Float) -> Float {
    let low = Float(range.lowerBound)
    let high = Float(range.upperBound)
    if low <= wanted, wanted <= high { return 0 }
    let isBelow = high < wanted
    let distance = isBelow ? wanted - high : low - wanted
    if wanted >= 400, wanted <= 500 {
      if !isBelow, low <= 500 { return distance }
      return isBelow ? distance + 1000 : distance + 2000
    }
    let preferred = wanted < 400 ? isBelow : !isBelow
    return preferred ? distance : distance + 1000
  }

  /// Bold is to be made from a face that is not.
  static func needsBold(_ weight: ClosedRange<UInt16>, _ description: FontDescription) -> Bool {
    description.synthesizesWeight && description.weight >= 600 && weight.upperBound < 600
  }

  /// The slant is to be made from an upright face.
  static func needsOblique(_ slant: FontSlant, isCJK: Bool, _ description: FontDescription) -> Bool {
    description.synthesizesStyle && description.slant != .normal && slant == .normal && !isCJK
  }

  /// Degrees that an upright face is to be slanted by.
  static func syntheticSlant(_ slant: FontSlant, isCJK: Bool, _ description: FontDescription) -> Float {
    needsOblique(slant, isCJK: isCJK, description) ? angle(description) : 0
  }

  /// Degrees that text is to lean to the right.
  private static func angle(_ description: FontDescription) -> Float {
    switch description.slant {
    case .normal: 0
    case .italic: FontDescription.defaultObliqueAngle
    case .oblique: description.obliqueAngle
    }
  }

  /// The settings of the registered axes that bring a variable face to what is asked for, then the rule's own, then the
  /// text's; later ones win (CSS Fonts 4, section 7.2). Axes that a face lacks are passed over.
  static func variations(
    of face: some MatchableFace, _ description: FontDescription, settings own: [FontSetting] = []
  ) -> [FontSetting] {
    var settings: [FontSetting] = []
    let heavy = Swift.max(face.weight.lowerBound, Swift.min(face.weight.upperBound, description.weight))
    settings.append(FontSetting(tag: UInt32(tag: "wght"), value: Float(heavy)))
    let wide = Swift.max(face.stretch.lowerBound, Swift.min(face.stretch.upperBound, description.stretch))
    settings.append(FontSetting(tag: UInt32(tag: "wdth"), value: wide))
    switch face.slant {
    case .normal: break
    case .italic: settings.append(FontSetting(tag: UInt32(tag: "ital"), value: 1))
    case .oblique:
      let angle = Swift.max(face.angles.lowerBound, Swift.min(face.angles.upperBound, angle(description)))
      settings.append(FontSetting(tag: UInt32(tag: "slnt"), value: -angle))
    }
    if let size = description.opticalSize { settings.append(FontSetting(tag: UInt32(tag: "opsz"), value: size)) }
    return settings + own + description.variations
  }
}
