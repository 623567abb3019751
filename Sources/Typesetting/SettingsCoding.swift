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
    for setting in Self.table {
      if let reason = setting.rangeFault(in: self) { throw SettingsError(name: setting.name, reason: reason) }
    }
    func check(_ name: String, _ margin: LayoutUnit, most: Double, _ unit: String = " px") throws(SettingsError) {
      guard let reason = Setting.fault(margin.pixels, 0...most, unit) else { return }
      throw SettingsError(name: name, reason: reason)
    }
    let (widest, highest) = (pageSize.width.pixels - 16, pageSize.height.pixels - 16)
    try check("marginLeft", marginLeft, most: widest)
    try check("marginRight", marginRight, most: widest - marginLeft.pixels, " px beside the left margin")
    try check("marginTop", marginTop, most: highest)
    try check("marginBottom", marginBottom, most: highest - marginTop.pixels, " px below the top margin")
  }
}

extension TypesettingSettings: Codable {
  /// Reads settings; what is not named is as `init()` has it. Lengths are CSS px, the page's size is width and
  /// height, the page's design a list of names, the theme `light`, `sepia`, `dark` or a `Theme`. `Limits` are the
  /// program's and are not read.
  ///
  /// - Throws: `DecodingError` for a value of another type, and for a name that no setting has.
  public init(from decoder: any Decoder) throws {
    self.init()
    let values = try decoder.container(keyedBy: SettingKey.self)
    let known = Set(Self.table.map { SettingKey($0.name) } + [.theme])
    for key in values.allKeys where !known.contains(key) {
      throw DecodingError.dataCorrupted(.init(codingPath: [key], debugDescription: "there is no setting of this name"))
    }
    for setting in Self.table {
      let key = SettingKey(setting.name)
      guard let value = try values.decodeIfPresent(SettingValue.self, forKey: key) else { continue }
      guard setting.set(&self, value) else {
        throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: setting.expectation)
      }
    }
    if let name = try? values.decodeIfPresent(String.self, forKey: .theme) {
      guard let known = Self.themes.first(where: { $0.name == name }) else {
        throw DecodingError.dataCorruptedError(
          forKey: .theme, in: values, debugDescription: "no theme is called \(name)")
      }
      theme = known.theme
    } else if let own = try values.decodeIfPresent(Theme.self, forKey: .theme) {
      theme = own
    }
  }

  private static let themes: [(name: String, theme: Theme)] = [("light", .light), ("sepia", .sepia), ("dark", .dark)]

  /// Writes all settings but `Limits`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: SettingKey.self)
    for setting in Self.table where setting.value(self) != .none {
      try values.encode(setting.value(self), forKey: SettingKey(setting.name))
    }
    try values.encode(theme, forKey: .theme)
  }
}

extension SettingKey {
  fileprivate static let theme = Self("theme")
}
