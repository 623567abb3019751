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
  /// CSS px.
  package var fontSize: Double = 16
  package var lineHeight: Double?
  package var fontFamily: [String] = []
  /// `auto`, `on` or `off`.
  package var justify = "auto"
  package var hyphenate = "auto"
  /// Indentation of first lines; `auto` is as the book says.
  package var indent = "auto"
  package var publisherStyles = true
  package var media = "screen"
  /// `book`, the initial values of CSS, or `house`, the best practice of each language; nil is `book`.
  package var style: String?
  /// The place of notes that the book marks as such: `book`, where it has them, or `foot`, of the page of their mark; nil is
  /// `book`.
  package var notes: String?
  /// `light`, which is also called `day`, `sepia`, `dark`, or `night`: grey on black whatever the book says.
  package var theme = "day"
  /// Two pages stand side by side on an area of the size `page`; nil is no.
  package var spread: Bool?
  /// A style sheet of the reader's, as text.
  package var userCSS: String?
  /// Lines of all pages stand on one grid.
  package var baselineGrid = false
  /// Facing pages end at the same depth.
  package var balancesPages = false
  /// The composition of pages from lines: `auto`, `lines` or `pages`; nil is `auto`.
  package var compose: String?
  /// Microtypography: `on`, `off` or `auto`; nil is `auto`.
  package var micro: String?
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
    phone.fontSize = 18
    var large = Profile(name: "tablet-large")
    large.page = [768, 1024]
    large.fontSize = 24
    large.lineHeight = 1.6
    large.justify = "on"
    large.hyphenate = "on"
    return [reader, phone, large]
  }()

  private static let keys: Set<String> = [
    "name", "page", "margin", "scale", "font-size", "line-height", "font", "justify", "hyphenate", "indent",
    "publisher-styles", "media", "theme", "spread", "css", "css-file", "extra", "baseline-grid", "balance-pages",
    "tolerance", "masks", "style", "notes", "compose", "micro", "pdf",
  ]

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
      profile.fontSize = try file.number(entry["font-size"]) ?? 16
      profile.lineHeight = try file.number(entry["line-height"])
      profile.fontFamily = file.strings(entry["font"])
      func choice(_ key: String, _ allowed: [String]) throws(HarnessError) -> String? {
        guard let node = entry[key] else { return nil }
        // YAML reads on and off as truth values.
        let text = node.bool.map { $0 ? "on" : "off" } ?? node.string ?? ""
        guard allowed.contains(text) else {
          throw file.fault(node, "\(key) is one of \(allowed.joined(separator: ", "))")
        }
        return text
      }
      let switches = ["auto", "on", "off"]
      profile.justify = try choice("justify", switches) ?? profile.justify
      profile.hyphenate = try choice("hyphenate", switches) ?? profile.hyphenate
      profile.indent = try choice("indent", switches) ?? profile.indent
      profile.media = try choice("media", ["screen", "print"]) ?? profile.media
      profile.theme = try choice("theme", ["day", "light", "sepia", "dark", "night"]) ?? profile.theme
      profile.style = try choice("style", ["book", "house"])
      profile.notes = try choice("notes", ["book", "foot"])
      profile.compose = try choice("compose", ["auto", "lines", "pages"])
      profile.micro = try choice("micro", switches)
      profile.publisherStyles = entry["publisher-styles"]?.bool ?? true
      profile.spread = entry["spread"]?.bool
      profile.writings = entry["pdf"]?.bool.map { $0 ? .pdf : .nothing }
      profile.baselineGrid = entry["baseline-grid"]?.bool ?? false
      profile.balancesPages = entry["balance-pages"]?.bool ?? false
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
    settings.fontSize = Float(fontSize)
    settings.lineHeight = lineHeight.map { Float($0) }
    settings.fontFamily = fontFamily
    settings.justify = ReaderChoice(rawValue: justify) ?? .auto
    settings.hyphenate = ReaderChoice(rawValue: hyphenate) ?? .auto
    settings.publisherStyles = publisherStyles
    settings.media = TypesettingSettings.Media(rawValue: media) ?? .screen
    if let style { settings.style = .init(rawValue: style) ?? settings.style }
    if let notes { settings.notes = .init(rawValue: notes) ?? settings.notes }
    settings.baselineGrid = baselineGrid
    settings.balancesPages = balancesPages
    if let compose { settings.compose = .init(rawValue: compose) ?? settings.compose }
    if let micro { settings.micro = .init(rawValue: micro) ?? settings.micro }
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
