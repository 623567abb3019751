import BookOutput
import FoundationEssentials
import Graphics
import Platform
import Primitives
package import Typesetting

/// Reader settings with a name (snapshot harness, 3.2): a book is snapped once under each profile.
package struct Profile: Hashable, Codable, Sendable {
  package var name: String
  /// Width and height in CSS px; nil takes the book's, or else 600 × 800.
  package var page: [Double]?
  /// One to four lengths in CSS px as in the margin shorthand; nil takes the book's.
  package var margin: [Double]?
  package var scale: Double = 1
  /// Settings of the engine that are not as it has them by itself, by their names (`TypesettingSettings.table`).
  package private(set) var choices: [String: SettingValue] = [:]
  /// Indentation of first lines; `auto` is as the book says.
  package var indent = "auto"
  /// `light`, which is also called `day`, `sepia`, `dark`, or `night`: grey on black whatever the book says.
  package var theme = "day"
  /// Two pages stand side by side on an area of the size `page`; nil is no.
  package var spread: Bool?
  /// A style sheet of the reader's, as text.
  package var userCSS: String?
  /// What is compared beside pages; nil is all of it for the first profile that all books are set under, and nothing for
  /// the others: they tell the same.
  package var writings: Writings?
  /// Only books that name it are set under it.
  package var isExtra = false
  /// The difference of pixels that is tolerated in books that say nothing else of it.
  package var tolerance: PixelTolerance?
  /// The parts that comparisons leave out in every book.
  package var masks: [Mask]?

  package init(name: String) { self.name = name }

  /// The profiles that are used if no `profiles.yaml` says anything else.
  package static let defaults: [Profile] = {
    var reader = Profile(name: "ereader")
    reader.page = [600, 800]
    var phone = Profile(name: "phone")
    phone.page = [390, 844]
    phone.margin = [24, 20]
    phone.choose("fontSize", .number(18))
    var large = Profile(name: "tablet-large")
    large.page = [768, 1024]
    large.choose("fontSize", .number(24))
    large.choose("lineHeight", .number(1.6))
    large.choose("justify", .text("on"))
    large.choose("hyphenate", .text("on"))
    return [reader, phone, large]
  }()

  /// The settings that a file may name, by their keys there.
  private static let named: [String: Setting] = {
    let own = ["fontSize": "font-size", "fontFamily": "font"]
    let keyed = TypesettingSettings.table.compactMap { setting in
      (own[setting.name] ?? setting.option).map { ($0, setting) }
    }
    return Dictionary(uniqueKeysWithValues: keyed)
  }()

  private static let keys: Set<String> = Set([
    "name", "page", "margin", "scale", "indent", "theme", "spread", "css", "css-file", "extra", "tolerance", "masks",
    "pdf",
  ]).union(named.keys)

  /// Takes a setting; what the engine has by itself is no choice.
  ///
  /// - Returns: False where there is no such setting, or no such value of it.
  @discardableResult package mutating func choose(_ name: String, _ value: SettingValue) -> Bool {
    guard let setting = TypesettingSettings.table.first(where: { $0.name == name }) else { return false }
    var chosen = TypesettingSettings()
    let own = setting.value(chosen)
    guard setting.set(&chosen, value) else { return false }
    choices[name] = setting.value(chosen) == own ? nil : value
    return true
  }

  /// The profiles of a file; nil when there is no such file.
  package static func read(_ path: String) throws(HarnessError) -> [Profile]? {
    guard let file = try YAMLFile(path: path) else { return nil }
    guard let list = try file.mapping(file.root, allowed: ["profiles"])["profiles"]?.sequence else {
      throw file.fault(file.root, "a list of profiles is expected")
    }
    var profiles: [Profile] = []
    for node in list {
      let entry = try file.mapping(node, allowed: keys)
      guard let name = entry["name"]?.string, isName(name) else {
        throw file.fault(node, "a profile needs a name of letters, digits, - _ and .")
      }
      if profiles.contains(where: { $0.name == name }) { throw file.fault(node, "there are two profiles \(name)") }
      var profile = Profile(name: name)
      if let page = entry["page"] {
        let sides = page.sequence?.compactMap(\.number) ?? sides(page.string ?? "")
        guard sides.count == 2, sides.allSatisfy({ $0 >= 16 && $0 <= 16384 }) else {
          throw file.fault(page, "a page is written as 600x800")
        }
        profile.page = sides
      }
      if let margin = entry["margin"] {
        let single = margin.sequence == nil ? try file.number(margin) : nil
        let lengths =
          margin.sequence?.compactMap(\.number) ?? single.map { [$0] } ?? []
        guard (1...4).contains(lengths.count) else { throw file.fault(margin, "one to four lengths are expected") }
        profile.margin = lengths
      }
      profile.scale = try file.number(entry["scale"]) ?? 1
      for (key, setting) in named {
        guard let node = entry[key] else { continue }
        let value = try Self.value(of: node, setting, file)
        guard profile.choose(setting.name, value) else {
          throw file.fault(node, "\(key): \(setting.expectation)")
        }
      }
      func choice(_ key: String, _ allowed: [String]) throws(HarnessError) -> String? {
        guard let node = entry[key] else { return nil }
        let text = word(node)
        if allowed.contains(text) { return text }
        throw file.fault(node, "\(key) is one of \(allowed.joined(separator: ", "))")
      }
      profile.indent = try choice("indent", ["auto", "on", "off"]) ?? profile.indent
      profile.theme = try choice("theme", ["day", "light", "sepia", "dark", "night"]) ?? profile.theme
      profile.spread = entry["spread"]?.bool
      profile.writings = entry["pdf"]?.bool.map { $0 ? .pdf : .nothing }
      profile.tolerance = try file.tolerance(entry["tolerance"])
      if let masks = entry["masks"] { profile.masks = try file.masks(masks) }
      profile.isExtra = entry["extra"]?.bool ?? false
      profile.userCSS = entry["css"]?.string
      if let name = entry["css-file"]?.string {
        let place = name.hasPrefix("/") ? name : Files.join(OutputFiles.folder(of: path), name)
        guard let text = Files.text(place) else {
          throw HarnessError.missing("\(place): the style sheet of profile \(profile.name) cannot be read")
        }
        profile.userCSS = (profile.userCSS.map { $0 + "\n" } ?? "") + text
      }
      profiles.append(profile)
    }
    guard !profiles.isEmpty else { throw file.fault(file.root, "there is no profile") }
    return profiles
  }

  /// A word; YAML reads on and off as truth values.
  private static func word(_ node: YAMLNode) -> String { node.bool.map { $0 ? "on" : "off" } ?? node.string ?? "" }

  /// The value of a setting.
  private static func value(of node: YAMLNode, _ setting: Setting, _ file: YAMLFile) throws(HarnessError)
    -> SettingValue
  {
    switch setting.form {
    case .flag: node.bool.map { .flag($0) } ?? .none
    case .words: .text(word(node))
    case .number: try file.number(node).map { .number($0) } ?? .none
    case .text: .text(node.string ?? "")
    case .texts, .parts, .properties: .texts(file.strings(node))
    case .size: .numbers(node.sequence?.compactMap(\.number) ?? [])
    }
  }

  private static func sides(_ text: String) -> [Double] {
    text.split(whereSeparator: { $0 == "x" || $0 == "×" }).compactMap { Double($0) }
  }

  static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.first != "."
      && name.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || $0.properties.numericType != nil || "-_.".unicodeScalars.contains($0)
      }
  }

  /// The engine's settings.
  package var settings: TypesettingSettings {
    var settings = TypesettingSettings()
    if let page, page.count == 2 {
      settings.pageSize = Size(width: LayoutUnit(page[0] / (spread == true ? 2 : 1)), height: LayoutUnit(page[1]))
    }
    if page != nil { settings.pageDesign.remove(.bookSize) }
    if let margin, let top = margin.first {
      let right = margin.count > 1 ? margin[1] : top
      settings.marginTop = LayoutUnit(top)
      settings.marginRight = LayoutUnit(right)
      settings.marginBottom = LayoutUnit(margin.count > 2 ? margin[2] : top)
      settings.marginLeft = LayoutUnit(margin.count > 3 ? margin[3] : right)
    }
    if margin != nil { settings.pageDesign.remove(.bookMargins) }
    settings.scale = scale
    for setting in TypesettingSettings.table {
      if let value = choices[setting.name] { _ = setting.set(&settings, value) }
    }
    switch theme {
    case "sepia": settings.theme = .sepia
    case "dark": settings.theme = .dark
    default: break
    }
    var sheet: [String] = []
    switch indent {
    case "on": sheet.append("p + p { text-indent: 1.5em !important; margin-block: 0 !important }")
    case "off": sheet.append("p { text-indent: 0 !important }")
    default: break
    }
    if theme == "night" {
      sheet.append("html { background: #111 !important } body, body * { color: #ddd !important }")
    }
    if let userCSS { sheet.append(userCSS) }
    if !sheet.isEmpty { settings.userStyleSheet = sheet.joined(separator: "\n") }
    return settings
  }
}

extension Profile {
  /// Reads a profile. What the engine has by itself may be named, too, as it was in earlier baselines.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: SettingKey.self)
    func value<Value: Decodable>(_ name: String) throws -> Value? {
      try values.decodeIfPresent(Value.self, forKey: SettingKey(name))
    }
    self.init(name: try value("name") ?? "")
    page = try value("page")
    margin = try value("margin")
    scale = try value("scale") ?? scale
    indent = try value("indent") ?? indent
    theme = try value("theme") ?? theme
    spread = try value("spread")
    userCSS = try value("userCSS")
    writings = try value("writings")
    isExtra = try value("isExtra") ?? isExtra
    tolerance = try value("tolerance")
    masks = try value("masks")
    for setting in Self.named.values {
      guard let chosen: SettingValue = try value(setting.name) else { continue }
      guard choose(setting.name, chosen) else {
        throw DecodingError.dataCorruptedError(
          forKey: SettingKey(setting.name), in: values, debugDescription: setting.expectation)
      }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: SettingKey.self)
    try values.encode(name, forKey: SettingKey("name"))
    try values.encodeIfPresent(page, forKey: SettingKey("page"))
    try values.encodeIfPresent(margin, forKey: SettingKey("margin"))
    try values.encode(scale, forKey: SettingKey("scale"))
    try values.encode(indent, forKey: SettingKey("indent"))
    try values.encode(theme, forKey: SettingKey("theme"))
    try values.encodeIfPresent(spread, forKey: SettingKey("spread"))
    try values.encodeIfPresent(userCSS, forKey: SettingKey("userCSS"))
    try values.encodeIfPresent(writings, forKey: SettingKey("writings"))
    try values.encode(isExtra, forKey: SettingKey("isExtra"))
    try values.encodeIfPresent(tolerance, forKey: SettingKey("tolerance"))
    try values.encodeIfPresent(masks, forKey: SettingKey("masks"))
    // What the engine has by itself is told, too: a run is to be read without knowing that engine.
    let own = TypesettingSettings()
    for setting in Self.named.values {
      let value = choices[setting.name] ?? setting.value(own)
      if value != .none { try values.encode(value, forKey: SettingKey(setting.name)) }
    }
  }
}

/// What a book tells beside its pages.
package enum Writings: String, Codable, Sendable {
  case nothing
  /// Its contents and metadata.
  case book
  /// These, its text, and what its pages are in a PDF.
  case pdf
}

extension [Profile] {
  /// The profiles with what each is to tell beside its pages: the first always tells of the book.
  var withWritings: [Profile] {
    let first = firstIndex { !$0.isExtra }
    var profiles = self
    for index in indices {
      let named = profiles[index].writings
      let all: Writings = named == .nothing ? .book : .pdf
      profiles[index].writings = index == first ? all : named ?? .nothing
    }
    return profiles
  }
}
