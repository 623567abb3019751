import CSS
import Primitives

/// Builds the computed style of one element after another from the declarations that won the cascade.
///
/// A group is copied only when a declaration touches it. Inherited groups start as the parent's and others as the initial
/// one, so `inherit` (or `initial`) is nothing to do for them. Properties must be applied in the order of `PropertyID.slot`.
final class StyleBuilder {
  var interner = StyleInterner.initial
  let settings: StyleSettings
  var dependencies: StyleDependencies = []
  /// The root element's font, for `rem`; nil while the root itself is styled.
  var rootFont: FontStyle?

  // The element being styled.
  private(set) var parent = ComputedStyle.initial
  private var loaded: UInt8 = 0
  var paragraph = ParagraphStyle()
  var font = FontStyle()
  var text = TextStyle()
  var list = ListStyle()
  var box = BoxStyle()
  var border = BorderGroup()
  var background = BackgroundGroup()
  var page = PageGroup()
  /// The layers of `background` taken apart by property, while one of them changes.
  var layers: BackgroundLists?

  /// The nearest containers of each axis of the element: the content box in CSS px, nil where there is none.
  var container: (width: Double?, height: Double?) = (nil, nil)
  /// Some element declared to be a container.
  var hasContainers = false
  /// The style depends on a container, and holds for no other element.
  var readsContainer = false

  // The value being applied.
  var value = PropertyValue.absent
  /// The keyword stands for the value the group did not start with: `initial` of an inherited property, `inherit` of
  /// another.
  var takesOther = false
  /// The math functions `value` may name.
  var calculations: [Calculation] = []

  private var measured: [FontDescription: FontUnitRatios] = [:]

  init(settings: StyleSettings) { self.settings = settings }

  var table: StyleTable { interner.table }

  /// Starts the style of a child of `parent`.
  func begin(parent: ComputedStyle) {
    self.parent = parent
    loaded = 0
    layers = nil
  }

  func isLoaded(_ group: PropertyID.Group) -> Bool { loaded & 1 << group.rawValue != 0 }

  /// Makes a group ready to be changed.
  func load(_ group: PropertyID.Group) {
    guard !isLoaded(group) else { return }
    loaded |= 1 << group.rawValue
    switch group {
    case .paragraph: paragraph = interner.table.paragraphs[parent.paragraph.index]
    case .font: font = interner.table.fonts[parent.font.index]
    case .text: text = interner.table.texts[parent.text.index]
    case .list: list = interner.table.lists[parent.list.index]
    case .box: box = Self.initialBox
    case .border: border = Self.initialBorder
    case .background: background = Self.initialBackground
    case .page: page = Self.initialPage
    }
  }

  /// Applies the cascaded value of a property. `wide` keywords must have been resolved to `inherit` or `initial`.
  func apply(_ id: PropertyID, _ value: PropertyValue, calculations: [Calculation]) {
    if case .wide(let keyword) = value {
      takesOther = id.isInherited ? keyword == .initial : keyword == .inherit
      self.value = .absent
      // A group that starts with the very value needs no change; one already loaded has not been asked for this property.
      if !takesOther { return }
      load(id.group)
      applyToGroup(id)
      return
    }
    takesOther = false
    self.value = value
    self.calculations = calculations
    load(id.group)
    applyToGroup(id)
  }

  /// Applies `value`, or, where it is absent, `initial` for inherited properties and `inherit` for the others.
  private func applyToGroup(_ id: PropertyID) {
    switch id {
    case .font(let property): apply(property)
    case .paragraph(let property): apply(property)
    case .text(let property): apply(property)
    case .list(let property): apply(property)
    case .box(let property): apply(property)
    case .container(let property): apply(property)
    case .grid(let property): apply(property)
    case .effect(let property): apply(property)
    case .border(let property): apply(property)
    case .background(let property): apply(property)
    case .page(let property): apply(property)
    case .rare(let property): apply(property)
    // The cascade has put the physical property in its place.
    case .logical: break
    }
  }

  /// The finished style.
  func end() -> ComputedStyle {
    if let layers {
      background.layers = layers.assembled()
      self.layers = nil
    }
    if isLoaded(.text), let alphabet = text.transform.alphabet, !hasLetters(of: alphabet, ownFont) {
      load(.font)
      if alphabet.isItalic { font.slant = .italic }
      if alphabet.isBold { font.weight = max(font.weight, 700) }
      text.transform.alphabet = nil
    }
    var style = parent
    if isLoaded(.paragraph) { style.paragraph = interner.intern(paragraph) }
    if isLoaded(.font) { style.font = interner.intern(font) }
    if isLoaded(.text) { style.text = interner.intern(text) }
    if isLoaded(.list) { style.list = interner.intern(list) }
    style.box = isLoaded(.box) ? interner.intern(box) : .init(0)
    style.border = isLoaded(.border) ? interner.intern(border) : .init(0)
    style.background = isLoaded(.background) ? interner.intern(background) : .init(0)
    style.page = isLoaded(.page) ? interner.intern(page) : .init(0)
    return style
  }

  static let initialParagraph = ParagraphStyle()
  static let initialFont = FontStyle()
  static let initialText = TextStyle()
  static let initialList = ListStyle()
  static let initialBox = BoxStyle()
  static let initialBorder = BorderGroup()
  static let initialBackground = BackgroundGroup()
  static let initialPage = PageGroup()

  // MARK: Values

  /// Sets a field to the given value, or to the other one where the declaration asks for that.
  @inline(__always)
  func assign<Value>(_ field: inout Value, _ value: Value?, _ other: @autoclosure () -> Value) {
    if let value { field = value } else if takesOther { field = other() }
  }
  func keyword<Value: RawRepresentable>(_ type: Value.Type = Value.self) -> Value? where Value.RawValue == UInt8 {
    if case .keyword(let raw) = value { Value(rawValue: raw) } else { nil }
  }
  var flags: UInt32? { if case .flags(let flags) = value { flags } else { nil } }
  var integer: Int32? { if case .integer(let integer) = value { integer } else { nil } }
  var number: Float? { if case .number(let number) = value { number } else { nil } }
  var color: ColorValue? { if case .color(let color) = value { color } else { nil } }
  /// A value whose computed form is optional, with nil for `auto` and its like.
  func optional<Value>(_ given: Value?) -> Value?? {
    if let given { return .some(.some(given)) }
    if case .absent = value, !takesOther { return .some(nil) }
    return nil
  }

  // MARK: Lengths

  /// The font of the element itself, before or after it was changed.
  var ownFont: FontStyle { isLoaded(.font) ? font : interner.table.fonts[parent.font.index] }
  var parentFont: FontStyle { interner.table.fonts[parent.font.index] }

  /// A multiple of a font size.
  func multiple(_ size: FontSize, _ factor: Float) -> Calculation {
    let scaled = size.scaled(by: factor)
    if scaled.pixels == 0 { return .length(Length(scaled.rootFactor, .rem)) }
    if scaled.rootFactor == 0 { return .length(Length(scaled.pixels, .px)) }
    return .sum([.length(Length(scaled.rootFactor, .rem)), .length(Length(scaled.pixels, .px))])
  }

  /// The font-relative units of a font, from the settings' function or as fonts usually do; nil when that is unknown.
  func ratios(of font: FontStyle) -> FontUnitRatios? {
    guard let measure = settings.measureFont else { return nil }
    let description = font.description
    if let known = measured[description] { return known }
    let ratios = measure(description)
    measured[description] = ratios
    return ratios
  }

  /// The italic letters of formulas are in the first face of a font, those of other alphabets in any that it may fall
  /// back to. Where they are not, a slanted or bold face stands in.
  private func hasLetters(of alphabet: MathAlphabet, _ font: FontStyle) -> Bool {
    guard let covers = settings.coversCharacter else { return false }
    return alphabet.samples.allSatisfy { covers(font.description, $0, alphabet != .italic) }
  }

  /// A length with units of the root element replaced; the computed form of lengths that stay with their element.
  func withoutRootUnits(_ length: Length) -> Calculation {
    let root = rootFont ?? Self.initialFont
    switch length.unit {
    case .rem: return multiple(root.size, length.value)
    case .rex: return multiple(root.size, length.value * (ratios(of: root) ?? FontUnitRatios()).xHeight)
    case .rch: return multiple(root.size, length.value * (ratios(of: root) ?? FontUnitRatios()).zeroAdvance)
    case .rlh: return lineHeight(of: root).scaled(by: length.value)
    case .cqw, .cqh, .cqi, .cqb, .cqmin, .cqmax: return .length(ofContainer(length))
    case .ch where isUpright:
      let ratios = ratios(of: ownFont) ?? FontUnitRatios()
      return .length(Length(length.value * ratios.zeroHeight, .em))
    default: return .length(length)
    }
  }

  /// A length without units of the element's font either: what children can inherit.
  func absolute(_ length: Length, _ font: FontStyle) -> Calculation {
    switch length.unit {
    case .em: return multiple(font.size, length.value)
    case .ex, .ch, .cap, .ic:
      // Unless fonts can be measured, layout takes the font of the element that uses the value.
      guard let ratios = ratios(of: font) else { return .length(length) }
      let share = length.unit == .ch && isUpright ? ratios.zeroHeight : ratios[length.unit]
      return multiple(font.size, length.value * share)
    case .lh: return lineHeight(of: font).scaled(by: length.value)
    default: return withoutRootUnits(length)
    }
  }

  /// The text stands upright in vertical lines, where `ch` is how high the zero is (CSS Values 4, section 6.1.1).
  private var isUpright: Bool {
    let mode = (isLoaded(.paragraph) ? paragraph : interner.table.paragraphs[parent.paragraph.index]).writingMode
    let orientation = (isLoaded(.text) ? text : interner.table.texts[parent.text.index]).textOrientation
    return mode.isCentral && orientation == .upright
  }

  /// A length in units of query containers in px, or in those of the page where there is no container of its axis (CSS
  /// Conditional 5, section 5.2).
  func ofContainer(_ length: Length) -> Length {
    guard let page = length.unit.ofPage else { return length }
    readsContainer = true
    let isVertical = !(isLoaded(.paragraph) ? paragraph : interner.table.paragraphs[parent.paragraph.index]).writingMode
      .isHorizontal
    func along(_ size: Double?) -> Length {
      size.map { Length(Float($0) * length.value / 100, .px) } ?? Length(length.value, page)
    }
    func both(_ choose: (Double, Double) -> Double) -> Length {
      if container.width == nil, container.height == nil { return Length(length.value, page) }
      let media = settings.media
      dependencies.insert(.pageSize)
      return along(choose(container.width ?? media.width, container.height ?? media.height))
    }
    switch length.unit {
    case .cqw: return along(container.width)
    case .cqh: return along(container.height)
    case .cqi: return along(isVertical ? container.height : container.width)
    case .cqb: return along(isVertical ? container.width : container.height)
    case .cqmin: return both(min)
    default: return both(max)
    }
  }

  /// CSS px of a length of an element with the given font; nil for percentages and units of the page.
  func pixels(_ length: Length, font: FontStyle) -> Double? {
    var length = length
    if rootFont == nil {
      // On the root element itself.
      switch length.unit {
      case .rem: length.unit = .em
      case .rex: length.unit = .ex
      case .rch: length.unit = .ch
      case .rlh: length.unit = .lh
      default: break
      }
    }
    dependencies.insert(.rootFontSize)
    let root = settings.rootFontSize
    let basis = LengthBasis(fontSize: font.size.resolved(rootFontSize: root), rootFontSize: root)
    return absolute(length, font).value { basis.pixels($0).map(Double.init) }
  }

  private func lineHeight(of font: FontStyle) -> Calculation {
    switch font.lineHeight {
    case .normal: multiple(font.size, (ratios(of: font) ?? FontUnitRatios()).lineHeight)
    case .number(let number): multiple(font.size, number)
    case .length(.length(let length)): .length(length)
    case .length(.calculation(let id)): interner.table.calculations[id.index]
    }
  }

  /// The computed form of a specified length of a property that is not inherited.
  func computed(_ value: LengthPercentage) -> LengthPercentage {
    mapped(value, calculations) { self.withoutRootUnits($0) }
  }
  /// The computed form of a specified length of an inherited property.
  func computedForChildren(_ value: LengthPercentage) -> LengthPercentage {
    let font = ownFont
    return mapped(value, calculations) { self.absolute($0, font) }
  }
  /// The parent's computed value in a form that means the same here, for an explicit `inherit`.
  func inherited(_ value: LengthPercentage) -> LengthPercentage {
    let font = parentFont
    return mapped(value, interner.table.calculations) { self.absolute($0, font) }
  }
  func computed<Value: LengthMapping>(_ value: Value) -> Value { value.mapping { self.computed($0) } }
  func inherited<Value: LengthMapping>(_ value: Value) -> Value { value.mapping { self.inherited($0) } }

  private func mapped(
    _ value: LengthPercentage, _ calculations: [Calculation], _ transform: (Length) -> Calculation
  ) -> LengthPercentage {
    switch value {
    case .length(let length): return interner.intern(transform(length))
    case .calculation(let id):
      guard id.index < calculations.count else { return .zero }
      return interner.intern(calculations[id.index].mapping(transform))
    }
  }

  func computed(_ length: Length) -> Length {
    length.unit == .function ? value(ofFunction: length) : single(withoutRootUnits(length))
  }
  func computedForChildren(_ length: Length) -> Length {
    length.unit == .function ? value(ofFunction: length) : single(absolute(length, ownFont))
  }
  func inherited(_ length: Length) -> Length { single(absolute(length, parentFont)) }

  /// A math function of several units as one length, which needs what all of them are relative to.
  private func value(ofFunction length: Length) -> Length {
    guard Int(length.value) < calculations.count else { return .zero }
    let media = settings.media
    let value = calculations[Int(length.value)].value { term -> Double? in
      let term = ofContainer(term)
      if let pixels = term.unit.pagePixels(Double(term.value), width: media.width, height: media.height) {
        dependencies.insert(.pageSize)
        return pixels
      }
      return pixels(term, font: ownFont)
    }
    return Length(Float(value ?? 0), .px)
  }

  /// A sum of `rem` and px as one length, which needs the base font size.
  private func single(_ calculation: Calculation) -> Length {
    switch calculation {
    case .length(let length): return length
    case .sum(let terms):
      return Length(terms.reduce(Float(0)) { $0 + pixels($1) }, .px)
    default: return .zero
    }
  }
  private func pixels(_ term: Calculation) -> Float {
    guard case .length(let length) = term else { return 0 }
    switch length.unit {
    case .px: return length.value
    case .rem:
      dependencies.insert(.rootFontSize)
      return length.value * settings.rootFontSize
    default: return 0
    }
  }
}

extension FontUnitRatios {
  subscript(unit: LengthUnit) -> Float {
    switch unit {
    case .ex: xHeight
    case .ch: zeroAdvance
    case .cap: capHeight
    case .ic: ideographAdvance
    default: 1
    }
  }
}
