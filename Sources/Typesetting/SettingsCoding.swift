public import ChapterEngine
import Graphics
import Primitives

/// A setting that is refused.
public struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The setting's name, as in JSON.
  public var name: String
  /// What it has to be, as a clause without a final stop.
  public var reason: String

  /// The name and the reason, in one line.
  public var description: String { "\(name): \(reason)" }
}

extension TypesettingSettings {
  /// Sees that each setting is in its range.
  ///
  /// - Throws: ``SettingsError`` for the first that is not.
  public func checkRanges() throws(SettingsError) {
    func check(_ name: String, _ value: Double, _ range: ClosedRange<Double>, _ unit: String = "") throws(SettingsError)
    {
      // No number is in no range.
      guard !range.contains(value) else { return }
      func short(_ number: Double) -> String { number == number.rounded() ? String(Int(number)) : String(number) }
      throw SettingsError(
        name: name, reason: "is to be from \(short(range.lowerBound)) to \(short(range.upperBound))\(unit)")
    }
    try check("pageSize", pageSize.width.pixels, 32...16384, " px")
    try check("pageSize", pageSize.height.pixels, 32...16384, " px")
    let (widest, highest) = (pageSize.width.pixels - 16, pageSize.height.pixels - 16)
    try check("marginLeft", marginLeft.pixels, 0...widest, " px")
    try check("marginRight", marginRight.pixels, 0...widest - marginLeft.pixels, " px beside the left margin")
    try check("marginTop", marginTop.pixels, 0...highest, " px")
    try check("marginBottom", marginBottom.pixels, 0...highest - marginTop.pixels, " px below the top margin")
    try check("scale", scale, 0.01...64)
    try check("fontSize", Double(fontSize), 1...1000, " px")
    if let lineHeight { try check("lineHeight", Double(lineHeight), 0.1...20) }
    try check("columns", Double(columns), 1...20)
  }
}

extension TypesettingSettings.PageDesign {
  /// The names of its parts in JSON.
  fileprivate static var parts: [(name: String, part: Self)] {
    [
      ("bookSize", .bookSize), ("bookMargins", .bookMargins), ("folios", .folios), ("runningHeads", .runningHeads),
      ("mirroredMargins", .mirroredMargins),
    ]
  }
}

extension TypesettingSettings: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case pageSize, marginTop, marginRight, marginBottom, marginLeft, pageDesign, scale
    case fontSize, lineHeight, fontFamily, serif, sans, mono, publisherStyles, userStyleSheet, style, notes, hyphenate
    case hyphenationExceptions, hyphenatesCapitals, justify, reducesStops, baselineGrid, characterGrid, columns
    case balancesPages, compose, micro, media, theme, fontDirectories, usesSystemFonts
  }

  private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads settings; what is not named is as `init()` has it. Lengths are CSS px, the page's size is width and
  /// height, the page's design a list of names, the theme `light`, `sepia`, `dark` or a `Theme`. `Limits` are the
  /// program's and are not read.
  ///
  /// - Throws: `DecodingError` for a value of another type, and for a name that no setting has.
  public init(from decoder: any Decoder) throws {
    self.init()
    let known = Set(CodingKeys.allCases.map(\.rawValue))
    for key in try decoder.container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [key], debugDescription: "there is no setting of this name"))
    }
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try readPage(values)
    try readFonts(values)
    try readComposition(values)
  }

  private mutating func readPage(_ values: KeyedDecodingContainer<CodingKeys>) throws {
    if let sides = try values.decodeIfPresent([Double].self, forKey: .pageSize) {
      guard sides.count == 2 else {
        throw DecodingError.dataCorruptedError(
          forKey: .pageSize, in: values, debugDescription: "it is a width and a height")
      }
      pageSize = Size(width: LayoutUnit(sides[0]), height: LayoutUnit(sides[1]))
    }
    try values.read(.marginTop, &marginTop)
    try values.read(.marginRight, &marginRight)
    try values.read(.marginBottom, &marginBottom)
    try values.read(.marginLeft, &marginLeft)
    if let names = try values.decodeIfPresent([String].self, forKey: .pageDesign) {
      pageDesign = try names.reduce(into: []) { design, name in
        guard let known = PageDesign.parts.first(where: { $0.name == name }) else {
          throw DecodingError.dataCorruptedError(
            forKey: .pageDesign, in: values, debugDescription: "no part of it is called \(name)")
        }
        design.insert(known.part)
      }
    }
    try values.read(.scale, &scale)
    try values.read(.media, &media)
    if let name = try? values.decodeIfPresent(String.self, forKey: .theme) {
      guard let known = Self.themes.first(where: { $0.name == name }) else {
        throw DecodingError.dataCorruptedError(
          forKey: .theme, in: values, debugDescription: "no theme is called \(name)")
      }
      theme = known.theme
    } else {
      try values.read(.theme, &theme)
    }
  }

  private mutating func readFonts(_ values: KeyedDecodingContainer<CodingKeys>) throws {
    try values.read(.fontSize, &fontSize)
    lineHeight = try values.decodeIfPresent(Float.self, forKey: .lineHeight)
    try values.read(.fontFamily, &fontFamily)
    serif = try values.decodeIfPresent(String.self, forKey: .serif)
    sans = try values.decodeIfPresent(String.self, forKey: .sans)
    mono = try values.decodeIfPresent(String.self, forKey: .mono)
    try values.read(.fontDirectories, &fontDirectories)
    try values.read(.usesSystemFonts, &usesSystemFonts)
  }

  private mutating func readComposition(_ values: KeyedDecodingContainer<CodingKeys>) throws {
    try values.read(.publisherStyles, &publisherStyles)
    userStyleSheet = try values.decodeIfPresent(String.self, forKey: .userStyleSheet)
    try values.read(.style, &style)
    try values.read(.notes, &notes)
    try values.read(.hyphenate, &hyphenate)
    try values.read(.hyphenationExceptions, &hyphenationExceptions)
    try values.read(.hyphenatesCapitals, &hyphenatesCapitals)
    try values.read(.justify, &justify)
    try values.read(.reducesStops, &reducesStops)
    try values.read(.baselineGrid, &baselineGrid)
    try values.read(.characterGrid, &characterGrid)
    try values.read(.columns, &columns)
    try values.read(.balancesPages, &balancesPages)
    try values.read(.compose, &compose)
    try values.read(.micro, &micro)
  }

  private static let themes: [(name: String, theme: Theme)] = [("light", .light), ("sepia", .sepia), ("dark", .dark)]

  /// Writes all settings but `Limits`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode([pageSize.width.pixels, pageSize.height.pixels], forKey: .pageSize)
    try values.encode(marginTop.pixels, forKey: .marginTop)
    try values.encode(marginRight.pixels, forKey: .marginRight)
    try values.encode(marginBottom.pixels, forKey: .marginBottom)
    try values.encode(marginLeft.pixels, forKey: .marginLeft)
    try values.encode(PageDesign.parts.filter { pageDesign.contains($0.part) }.map(\.name), forKey: .pageDesign)
    try values.encode(scale, forKey: .scale)
    try values.encode(fontSize, forKey: .fontSize)
    try values.encodeIfPresent(lineHeight, forKey: .lineHeight)
    try values.encode(fontFamily, forKey: .fontFamily)
    try values.encodeIfPresent(serif, forKey: .serif)
    try values.encodeIfPresent(sans, forKey: .sans)
    try values.encodeIfPresent(mono, forKey: .mono)
    try values.encode(publisherStyles, forKey: .publisherStyles)
    try values.encodeIfPresent(userStyleSheet, forKey: .userStyleSheet)
    try values.encode(style.rawValue, forKey: .style)
    try values.encode(notes.rawValue, forKey: .notes)
    try values.encode(hyphenate.rawValue, forKey: .hyphenate)
    try values.encode(hyphenationExceptions, forKey: .hyphenationExceptions)
    try values.encode(hyphenatesCapitals, forKey: .hyphenatesCapitals)
    try values.encode(justify.rawValue, forKey: .justify)
    try values.encode(reducesStops, forKey: .reducesStops)
    try values.encode(baselineGrid, forKey: .baselineGrid)
    try values.encode(characterGrid, forKey: .characterGrid)
    try values.encode(columns, forKey: .columns)
    try values.encode(balancesPages, forKey: .balancesPages)
    try values.encode(compose.rawValue, forKey: .compose)
    try values.encode(micro.rawValue, forKey: .micro)
    try values.encode(media.rawValue, forKey: .media)
    try values.encode(theme, forKey: .theme)
    try values.encode(fontDirectories, forKey: .fontDirectories)
    try values.encode(usesSystemFonts, forKey: .usesSystemFonts)
  }
}

extension KeyedDecodingContainer {
  /// Reads a value where it is named.
  fileprivate func read<Value: Decodable>(_ key: Key, _ place: inout Value) throws {
    if let value = try decodeIfPresent(Value.self, forKey: key) { place = value }
  }

  /// Reads a length in CSS px where it is named.
  fileprivate func read(_ key: Key, _ place: inout LayoutUnit) throws {
    if let value = try decodeIfPresent(Double.self, forKey: key) { place = LayoutUnit(value) }
  }

  /// Reads one of some values by its name.
  fileprivate func read<Value: RawRepresentable<String>>(_ key: Key, _ place: inout Value) throws {
    guard let name = try decodeIfPresent(String.self, forKey: key) else { return }
    guard let value = Value(rawValue: name) else {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "it has no value \(name)")
    }
    place = value
  }
}
