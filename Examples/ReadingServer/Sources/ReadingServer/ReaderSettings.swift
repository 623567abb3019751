import HTTPTypes
import Hummingbird
import HummingbirdCore
import Typesetting

/// How the reader wants books set. The page keeps it here, and asks for pages with the same names in the query.
struct ReaderSettings: Hashable, Sendable {
  /// Families of body text.
  enum Font: String, Codable, CaseIterable, Sendable {
    case book, serif, sans, kai

    var families: [String] {
      switch self {
      case .book: []
      case .serif: ["Linux Libertine O", "Noto Serif", "serif"]
      case .sans: ["Noto Sans", "sans-serif"]
      case .kai: ["LXGW WenKai", "serif"]
      }
    }
  }
  enum Choice: String, Codable, CaseIterable, Sendable {
    case auto, on, off
    var choice: ReaderChoice { ReaderChoice(rawValue: rawValue) ?? .auto }
  }
  enum Legibility: String, Codable, CaseIterable, Sendable { case standard, dyslexia }
  enum Style: String, Codable, CaseIterable, Sendable { case book, house }
  enum Notes: String, Codable, CaseIterable, Sendable { case book, foot }
  enum Theme: String, Codable, CaseIterable, Sendable { case auto, light, sepia, dark }
  enum Spread: String, Codable, CaseIterable, Sendable { case auto, off }

  /// CSS px.
  var fontSize = 18.0
  var font = Font.book
  /// As a multiple of the font size; nil leaves the book's.
  var lineHeight: Double?
  /// Between letters, between paragraphs and at the start of their first lines, in em; nil leaves the book's.
  var letterSpacing: Double?
  var paragraphSpacing: Double?
  var paragraphIndent: Double?
  /// Annotations of Chinese and Japanese text.
  var ruby = true
  var legibility = Legibility.standard
  /// White around the text, in CSS px.
  var margin = 48.0
  var justify = Choice.auto
  var hyphenate = Choice.auto
  var style = Style.book
  var notes = Notes.book
  /// The book's own style sheets count.
  var publisherStyles = true
  /// The colours of the page; `auto` is as the system has it.
  var theme = Theme.auto
  /// Two pages beside each other where there is room.
  var spread = Spread.auto

  static let fontSizes = 10.0...48
  static let lineHeights = 1.0...2.5
  static let letterSpacings = 0.0...0.5
  static let paragraphSpacings = 0.0...3
  static let paragraphIndents = 0.0...4
  static let margins = 8.0...160

  /// - Throws: A problem when something is out of range.
  func checked() throws -> Self {
    func check(_ name: String, _ value: Double?, _ range: ClosedRange<Double>) throws {
      guard let value, !range.contains(value) else { return }
      throw Problem(.unprocessableContent, "“\(name)” goes from \(range.lowerBound) to \(range.upperBound).")
    }
    try check("fontSize", fontSize, Self.fontSizes)
    try check("margin", margin, Self.margins)
    try check("lineHeight", lineHeight, Self.lineHeights)
    try check("letterSpacing", letterSpacing, Self.letterSpacings)
    try check("paragraphSpacing", paragraphSpacing, Self.paragraphSpacings)
    try check("paragraphIndent", paragraphIndent, Self.paragraphIndents)
    return self
  }
}

extension ReaderSettings: Codable {
  private enum CodingKeys: String, CodingKey {
    case fontSize, font, lineHeight, letterSpacing, paragraphSpacing, paragraphIndent, ruby, legibility, margin, justify
    case hyphenate, style, notes, publisherStyles, theme, spread
  }

  /// Settings left out have their defaults.
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    fontSize = try values.decodeIfPresent(Double.self, forKey: .fontSize) ?? fontSize
    font = try values.decodeIfPresent(Font.self, forKey: .font) ?? font
    lineHeight = try values.decodeIfPresent(Double.self, forKey: .lineHeight)
    letterSpacing = try values.decodeIfPresent(Double.self, forKey: .letterSpacing)
    paragraphSpacing = try values.decodeIfPresent(Double.self, forKey: .paragraphSpacing)
    paragraphIndent = try values.decodeIfPresent(Double.self, forKey: .paragraphIndent)
    ruby = try values.decodeIfPresent(Bool.self, forKey: .ruby) ?? ruby
    legibility = try values.decodeIfPresent(Legibility.self, forKey: .legibility) ?? legibility
    margin = try values.decodeIfPresent(Double.self, forKey: .margin) ?? margin
    justify = try values.decodeIfPresent(Choice.self, forKey: .justify) ?? justify
    hyphenate = try values.decodeIfPresent(Choice.self, forKey: .hyphenate) ?? hyphenate
    style = try values.decodeIfPresent(Style.self, forKey: .style) ?? style
    notes = try values.decodeIfPresent(Notes.self, forKey: .notes) ?? notes
    publisherStyles = try values.decodeIfPresent(Bool.self, forKey: .publisherStyles) ?? publisherStyles
    theme = try values.decodeIfPresent(Theme.self, forKey: .theme) ?? theme
    spread = try values.decodeIfPresent(Spread.self, forKey: .spread) ?? spread
  }
}

/// The pages a request asks for: the reader's settings, the size of a page and of its pixels.
struct PageStyle: Hashable, Sendable {
  var settings: ReaderSettings
  /// CSS px.
  var width: Int
  var height: Int
  /// Device pixels per CSS px.
  var scale: Double

  static let sides = 160...4096
  static let scales = 0.5...4.0
  /// Pixels of one picture.
  static let mostPixels = 24_000_000.0

  init(_ request: Request) throws {
    let query = Query(request)
    var settings = ReaderSettings()
    settings.fontSize = try query.number("fontSize") ?? settings.fontSize
    settings.font = try query.choice("font") ?? settings.font
    settings.lineHeight = try query.number("lineHeight")
    settings.letterSpacing = try query.number("letterSpacing")
    settings.paragraphSpacing = try query.number("paragraphSpacing")
    settings.paragraphIndent = try query.number("paragraphIndent")
    settings.ruby = query.string("ruby") != "false"
    settings.legibility = try query.choice("legibility") ?? settings.legibility
    settings.margin = try query.number("margin") ?? settings.margin
    settings.justify = try query.choice("justify") ?? settings.justify
    settings.hyphenate = try query.choice("hyphenate") ?? settings.hyphenate
    settings.style = try query.choice("style") ?? settings.style
    settings.notes = try query.choice("notes") ?? settings.notes
    settings.publisherStyles = query.string("publisherStyles") != "false"
    settings.theme = try query.choice("theme") ?? settings.theme
    self.settings = try settings.checked()
    width = try query.integer("width", Self.sides) ?? 600
    height = try query.integer("height", Self.sides) ?? 800
    scale = try query.number("scale") ?? 1
    guard Self.scales.contains(scale) else {
      throw Problem(.unprocessableContent, "“scale” goes from 0.5 to 4.")
    }
    scale = Swift.min(scale, (Self.mostPixels / Double(width * height)).squareRoot())
  }

  /// The library's settings of pages. The scale is none of it: it is asked for with each picture.
  var typesetting: TypesettingSettings {
    var result = TypesettingSettings()
    result.pageSize = Size(width: LayoutUnit(width), height: LayoutUnit(height))
    // Small windows have small margins.
    let side = LayoutUnit(Swift.min(settings.margin, Double(width) / 5))
    let end = LayoutUnit(Swift.min(settings.margin, Double(height) / 5))
    (result.marginLeft, result.marginRight, result.marginTop, result.marginBottom) = (side, side, end, end)
    result.pageDesign = []
    result.fontSize = Float(settings.fontSize)
    result.fontFamily = settings.font.families
    result.lineHeight = settings.lineHeight.map { Float($0) }
    result.letterSpacing = settings.letterSpacing.map { Float($0) }
    result.paragraphSpacing = settings.paragraphSpacing.map { Float($0) }
    result.paragraphIndent = settings.paragraphIndent.map { Float($0) }
    result.showsRuby = settings.ruby
    result.legibility = settings.legibility == .dyslexia ? .dyslexia : .standard
    result.justify = settings.justify.choice
    result.hyphenate = settings.hyphenate.choice
    result.style = settings.style == .house ? .house : .book
    result.notes = settings.notes == .foot ? .foot : .book
    result.publisherStyles = settings.publisherStyles
    result.theme =
      switch settings.theme {
      case .auto, .light: .light
      case .sepia: .sepia
      case .dark: .dark
      }
    return result
  }
}

/// The part of an address behind the question mark.
struct Query {
  private let items: FlatDictionary<Substring, Substring>
  init(_ request: Request) { items = request.uri.queryParameters }

  func string(_ name: String) -> String? { items[name[...]].map(String.init) }

  func number(_ name: String) throws -> Double? {
    guard let text = string(name), !text.isEmpty else { return nil }
    guard let value = Double(text), value.isFinite else { throw Problem(.badRequest, "“\(name)” is no number.") }
    return value
  }

  func integer(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
    guard let text = string(name) else { return nil }
    guard let value = Int(text) else { throw Problem(.badRequest, "“\(name)” is no whole number.") }
    guard range.contains(value) else {
      throw Problem(.unprocessableContent, "“\(name)” goes from \(range.lowerBound) to \(range.upperBound).")
    }
    return value
  }

  func choice<Value: RawRepresentable<String> & CaseIterable>(_ name: String) throws -> Value? {
    guard let text = string(name) else { return nil }
    guard let value = Value(rawValue: text) else {
      let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw Problem(.badRequest, "“\(name)” is one of \(known).")
    }
    return value
  }

  /// Chapter and index of a page, as `3.14`.
  func pageIndex(_ name: String) throws -> (chapter: Int, index: Int)? {
    guard let text = string(name) else { return nil }
    let parts = text.split(separator: ".").compactMap { UInt32($0) }
    guard parts.count == 2 else { throw Problem(.badRequest, "“\(name)” is no page.") }
    return (Int(parts[0]), Int(parts[1]))
  }

  /// The stretch of text between two places; nil where there is none.
  func range(_ start: String, _ end: String) throws -> Range<Locator>? {
    guard let start = try locator(start), let end = try locator(end), start < end else { return nil }
    return start..<end
  }

  func locator(_ name: String) throws -> Locator? {
    guard let text = string(name) else { return nil }
    guard let value = Locator(text) else { throw Problem(.badRequest, "“\(name)” is no place.") }
    return value
  }
}

extension PageStyle {
  /// Where nobody has asked for anything.
  static let standard = PageStyle(settings: ReaderSettings(), width: 600, height: 800, scale: 1)

  private init(settings: ReaderSettings, width: Int, height: Int, scale: Double) {
    self.settings = settings
    self.width = width
    self.height = height
    self.scale = scale
  }

  /// The query that asks for pages in this style.
  var query: String {
    var items = [
      "width=\(width)", "height=\(height)", "scale=\(scale)", "fontSize=\(settings.fontSize)",
      "font=\(settings.font.rawValue)", "margin=\(settings.margin)", "justify=\(settings.justify.rawValue)",
      "hyphenate=\(settings.hyphenate.rawValue)", "style=\(settings.style.rawValue)",
      "notes=\(settings.notes.rawValue)", "publisherStyles=\(settings.publisherStyles)",
      "theme=\(settings.theme.rawValue)", "ruby=\(settings.ruby)", "legibility=\(settings.legibility.rawValue)",
    ]
    for (name, value) in [
      ("lineHeight", settings.lineHeight), ("letterSpacing", settings.letterSpacing),
      ("paragraphSpacing", settings.paragraphSpacing), ("paragraphIndent", settings.paragraphIndent),
    ] {
      if let value { items.append("\(name)=\(value)") }
    }
    return items.joined(separator: "&")
  }
}
