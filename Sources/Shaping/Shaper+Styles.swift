import CSS
import Fonts
import Primitives
import Text

/// Sets of attributes, looked up once.
extension Shaper {
  /// A set of attributes with its faces and features; nil for the id of none.
  func style(_ id: ShapingAttributesID, _ store: AttributedTextStore) -> ShapingStyle? {
    guard !id.isNone else { return nil }
    if let known = styles[id] { return known }
    let attributes = store.attributes[id]
    let request = store.attributes[attributes.font]
    let language = store.attributes.language(attributes.language)
    var cascade = fonts.cascade(for: request.description, language: language.isEmpty ? nil : language)
    let size = request.size.resolved(rootFontSize: settings.rootFontSize)
    // Those behind the first available font are not looked up for it: most texts need none of them.
    if request.usesOpticalSize, cascade.leading.contains(where: { $0.face.hasOpticalSize }) {
      var description = request.description
      description.opticalSize = size
      cascade = fonts.cascade(for: description, language: language.isEmpty ? nil : language)
    }
    var tailoring = LineBreakTailoring()
    tailoring.strictness = attributes.lineBreak
    tailoring.wordBreak = attributes.wordBreak
    tailoring.language = self.store.breakLanguage(language)
    tailoring.breaksEverySpace = attributes.whiteSpaceCollapse == .breakSpaces
    tailoring.honoursSoftHyphens = attributes.hyphens != .none
    var features: [FontSetting] = []
    if request.kerning == .none { features.append(FontSetting(tag: HarfBuzzTag.kern, value: 0)) }
    if attributes.letterSpacing.value != 0 {
      features.append(FontSetting(tag: HarfBuzzTag.liga, value: 0))
      features.append(FontSetting(tag: HarfBuzzTag.clig, value: 0))
    }
    features += request.features
    let dictionary = hyphenation(attributes.hyphens, language)
    let key = ShapeKey(
      cascade: cascade.index, language: language, features: features, caps: request.caps,
      synthesizesSmallCaps: request.synthesizesSmallCaps, mathAlphabet: attributes.mathAlphabet, emoji: request.emoji,
      tailoring: tailoring,
      hyphenation: dictionary,
      limits: attributes.hyphenateLimitChars, isNowrap: attributes.wrapMode == .nowrap,
      orientation: styles.writingMode.isHorizontal
        ? nil : styles.writingMode.isCentral ? attributes.textOrientation : .sideways,
      showsMissingGlyphs: settings.showsMissingGlyphs)
    let shared = self.store.entry(for: key)
    let primary = position(of: cascade.primary)
    let made = ShapingStyle(
      id: id, key: key, number: shared.number, tables: shared.tables, attributes: attributes, request: request,
      cascade: cascade, primary: (primary, faces[primary]), size: size,
      divider: dictionary.flatMap {
        resources.hyphenator.divider(dictionary: $0, limits: attributes.hyphenateLimitChars)
      }, isCentral: styles.writingMode.isCentral, resources: resources)
    styles[id] = made
    return made
  }

  /// Hyphenation patterns exist for the language.
  package func hasHyphenation(_ language: String) -> Bool {
    !language.isEmpty && resources.hyphenator.dictionary(for: language) != nil
  }

  func hyphenation(_ hyphens: Hyphens, _ language: String) -> Int? {
    switch settings.hyphenation {
    case .off: return nil
    case .author: guard hyphens == .auto else { return nil }
    case .on: guard hyphens != .none else { return nil }
    }
    guard !language.isEmpty else { return nil }
    let dictionary = resources.hyphenator.dictionary(for: language)
    if dictionary == nil, hyphens == .auto, ShapingStyle.isHyphenated(language),
      !languagesWithoutPatterns.contains(language)
    {
      languagesWithoutPatterns.append(language)
    }
    return dictionary
  }
}
