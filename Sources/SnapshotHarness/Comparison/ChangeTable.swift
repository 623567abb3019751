/// The kind of block that a line belongs to: roles of like behaviour together, so that a change of headings is one change.
enum ElementKind: UInt8, Hashable, CaseIterable {
  case text
  case heading
  case listItem
  case table
  case code
  case note
  case figure
  case page
  /// Pieces of text that are placed by a rule of their own (`AttachedText`).
  case marker, ruby, emphasis, raised, lowered

  init(_ line: LineRecord) {
    if line.level != nil {
      self = .heading
      return
    }
    switch line.role {
    case "h1", "h2", "h3", "h4", "h5", "h6", "heading", "title", "fulltitle", "subtitle", "halftitle", "bridgehead",
      "se:bridgehead", "doc-subtitle":
      self = .heading
    case "li", "dt", "dd", "listitem", "doc-glossary", "glossterm", "glossdef": self = .listItem
    case "td", "th", "caption", "cell", "gridcell", "columnheader", "rowheader": self = .table
    case "pre", "code", "samp", "kbd": self = .code
    case "note", "footnote", "endnote", "rearnote", "doc-footnote", "doc-endnote", "footnotes", "endnotes": self = .note
    case "figcaption", "figure", "img", "svg": self = .figure
    default: self = .text
    }
  }

  var name: String {
    switch self {
    case .text: "paragraph"
    case .heading: "heading"
    case .listItem: "list item"
    case .table: "table"
    case .code: "code"
    case .note: "note"
    case .figure: "figure"
    case .page: "page"
    case .marker: "list marker"
    case .ruby: "ruby"
    case .emphasis: "emphasis mark"
    case .raised: "raised text"
    case .lowered: "lowered text"
    }
  }
}

/// Identity of a change apart from its place: equal keys are the same change. Numbers of strings are those of a `ChangeTable`.
struct ChangeKey: Hashable {
  /// The trait that tells changes of one class apart.
  enum Variant: UInt8, Hashable {
    case none
    case line, firstLine, paragraph, attached, gap, lineSpacing, top
    case became, generated, marker, direction, whole, small
    case lost, added, missing, found, scaled, turned, displaced, alternative, alternativeLost
    case role, language, level, source
    case earlier, later
    case box, shape
    case start, end, widow, orphan
  }

  var kind: ChangeClass
  var variant = Variant.none
  var a: Int32 = 0
  var b: Int32 = 0
  var element = ElementKind.page
  /// A move within lines is one down or up: these are vertical, or the block was moved without the content that follows it.
  var isDown = false
}

extension ChangeKey {
  /// The move is one across the lines, as distances between blocks make it.
  var isAcrossLines: Bool { [.gap, .lineSpacing, .top].contains(variant) }

  /// A table is made smaller by another factor to fit its page, or stands sideways for that.
  var isOfTableFit: Bool { kind == .tableGeometry && (variant == .scaled || variant == .turned) }

  /// The direction of the move.
  fileprivate var direction: String { isDown ? a > 0 ? "down" : "up" : a > 0 ? "right" : "left" }

  /// Content that comes after it may be pushed down or up.
  var movesWhatFollows: Bool {
    switch kind {
    case .moved, .noteMoved: isAcrossLines
    default: kind.movesWhatFollows
    }
  }
}

/// The distinct changes of a unit. Thousands of lines share a few, so the text of each is made once, at the end.
struct ChangeTable {
  private(set) var keys: [ChangeKey] = []
  private var numbers: [ChangeKey: Int32] = [:]
  private(set) var strings: [String] = []
  private var stringNumbers: [String: Int32] = [:]
  /// By name of a face: its family.
  private var families: [Int32: Int32] = [:]

  /// The number of the name of a face.
  mutating func face(_ name: String, of family: String) -> Int32 {
    let number = string(name)
    families[number] = string(family)
    return number
  }

  /// That a face became another: one change for all styles of a family, unless the family is the same.
  mutating func fontKey(_ from: Int32, _ to: Int32) -> (key: ChangeKey, detail: String) {
    let (old, new) = (families[from] ?? from, families[to] ?? to)
    let key = ChangeKey(kind: .fontChanged, a: old == new ? from : old, b: old == new ? to : new)
    return (key, "font \(strings[Int(from)]) became \(strings[Int(to)])")
  }

  /// That glyphs of a face are others or at other distances. Where it is one letter or pair of letters, it is one change in all faces.
  mutating func glyphKey(face: Int32, _ letters: GlyphPairs.Letters) -> (key: ChangeKey, detail: String?) {
    if letters.text.isEmpty { return (ChangeKey(kind: .glyphChanged, a: face, b: string("")), nil) }
    let key = ChangeKey(
      kind: .glyphChanged, variant: letters.isWidth ? .whole : .none, a: string(""), b: string(letters.text))
    return (key, summary(key) + " in " + strings[Int(face)])
  }

  mutating func number(of key: ChangeKey) -> Int32 {
    if let known = numbers[key] { return known }
    let number = Int32(keys.count)
    numbers[key] = number
    keys.append(key)
    return number
  }

  mutating func string(_ text: String) -> Int32 {
    if let known = stringNumbers[text] { return known }
    let number = Int32(strings.count)
    stringNumbers[text] = number
    strings.append(text)
    return number
  }

  /// A distance in 1/64 px, with what only rounding tells apart made equal: eighths of a px, but never zero.
  static func normalized(_ distance: Double) -> Int32 {
    guard abs(distance) < 1e7 else { return distance < 0 ? -640_000_000 : 640_000_000 }
    let eighths = (distance * 8).rounded()
    if eighths != 0 { return Int32(eighths) * 8 }
    return distance > 0 ? 1 : distance < 0 ? -1 : 0
  }

  private static func distance(_ units: Int32) -> String {
    let magnitude = abs(Double(units) / 64)
    return (magnitude < 0.125 ? "less than 0.125" : format(magnitude)) + " px"
  }

  static func format(_ number: Double) -> String {
    guard abs(number) < 1e9 else { return "∞" }
    let thousandths = Int((number * 1000).rounded())
    var text = String(abs(thousandths) / 1000)
    if thousandths % 1000 != 0 {
      var digits = String(abs(thousandths) % 1000)
      digits = String(repeating: "0", count: 3 - digits.count) + digits
      while digits.last == "0" { digits.removeLast() }
      text += "." + digits
    }
    return (thousandths < 0 ? "-" : "") + text
  }

  /// Fields between bars, in a fixed number for each class: those that differ in one field are near.
  func signature(_ key: ChangeKey) -> String {
    var fields = [key.kind.rawValue]
    func text(_ number: Int32) -> String { strings[Int(number)].replacing("|", with: "¦") }
    func signed(_ units: Int32) -> String {
      let value = Double(units) / 64
      return (units > 0 ? "+" : "") + Self.format(value)
    }
    switch key.kind {
    case .moved, .noteMoved:
      fields += [
        "\(key.isAcrossLines || key.isDown ? "dy" : "dx")=\(signed(key.a))", "\(key.variant)", key.element.name,
      ]
    case .textLost, .textAdded:
      fields += ["\(key.variant)", text(key.a), text(key.b), key.element.name]
    case .fontChanged: fields += [text(key.a), text(key.b)]
    case .colour: fields += [text(key.a), text(key.b), key.variant == .box ? "box" : "text"]
    case .sizeChanged where key.a == 0: fields += ["a little", key.b > 0 ? "larger" : "smaller", key.element.name]
    case .sizeChanged: fields += [Self.format(Double(key.a) / 64), Self.format(Double(key.b) / 64), key.element.name]
    case .glyphChanged: fields += [text(key.a), text(key.b)] + (key.variant == .whole ? ["width"] : [])
    case .metadata, .link: fields += ["\(key.variant)", text(key.a), text(key.b)]
    case .image:
      fields += ["\(key.variant)", key.variant == .displaced ? (key.isDown ? "dy=" : "dx=") + signed(key.a) : ""]
    case .newFailure, .fixedFailure, .bookRenamed: fields += [text(key.a), text(key.b)]
    case .forbiddenBreak: fields += ["\(key.variant)", text(key.a)]
    case .recordChanged: fields += [text(key.a)]
    case .widow: fields += ["\(key.variant)"]
    case .hyphensChanged: fields += Hyphens.Difference(key.variant, rule: text(key.a)).fields
    case .bookGone, .drawingChanged, .taggingChanged, .beyondPages, .glyphMissing, .river, .hyphenLadder, .overfullLine,
      .lineBreakChanged:
      break
    case .pixelsOnly: fields += ["\(key.variant)", text(key.a), key.element.name]
    case .textOrder, .tableGeometry, .spacing, .pageBreakMoved, .overflowNew, .emptyPage, .pageCount:
      fields += ["\(key.variant)", key.element.name]
    }
    return fields.joined(separator: "|")
  }

  /// The summary of all changes of a class that has but one.
  static func onlySummary(of kind: ChangeClass) -> String {
    switch kind {
    case .emptyPage: "empty page"
    case .glyphMissing: "more characters have a glyph in no font"
    case .hyphenLadder: "three hyphens or more below each other"
    case .overfullLine: "lines go beyond their measure"
    case .river: "more rivers: spaces below each other over several lines"
    case .lineBreakChanged: Hyphens.summaryOfBreaks
    case .pageCount: "another number of pages"
    case .drawingChanged: "drawing changed, display list equal"
    case .taggingChanged: "structure or text in a PDF changed, display list equal"
    default: kind.rawValue
    }
  }

  private static func linkSummary(_ variant: ChangeKey.Variant) -> String {
    switch variant {
    case .lost: "links gone"
    case .added: "links added"
    case .source: "text found at another place of the document"
    case .became: "links lead elsewhere"
    default: "area of a link changed"
    }
  }

  /// For people, in one short sentence without a full stop.
  func summary(_ key: ChangeKey) -> String {
    func text(_ number: Int32) -> String { strings[Int(number)] }
    let element = key.element.name
    switch key.kind {
    case .newFailure: return "newly fails: \(text(key.a)) \(text(key.b))".trimmed
    case .fixedFailure: return "no longer fails (was \(text(key.a)))"
    case .bookGone: return "no longer in the corpus"
    case .bookRenamed: return "renamed: \(text(key.a)) is now \(text(key.b))"
    case .textLost, .textAdded:
      let place = key.element == .page ? "" : " in \(element) text"
      switch key.variant {
      case .became: return "\(text(key.a)) became \(text(key.b))\(place)"
      case .small: return "small texts within lines \(key.kind == .textLost ? "lost" : "added")"
      case .marker: return "list markers \(key.kind == .textLost ? "lost" : "added")"
      case .whole: return "\(element) text \(key.kind == .textLost ? "lost" : "added")"
      default:
        return key.kind == .textLost ? "\(text(key.a)) lost\(place)" : "\(text(key.b)) added\(place)"
      }
    case .textOrder:
      return key.variant == .direction
        ? "\(element) text runs in another direction" : "\(element) text in another order"
    case .overflowNew: return "\(element) sticks out of the page"
    case .forbiddenBreak: return "lines may \(key.variant == .start ? "begin" : "end") with \(text(key.a))"
    case .widow:
      return key.variant == .widow
        ? "the last line of a paragraph stands alone at the top of a page"
        : "the first line of a paragraph stands alone at the foot of a page"
    case .image:
      switch key.variant {
      case .lost: return "image gone"
      case .added: return "image added"
      case .missing, .found: return "image \(key.variant == .missing ? "no longer shown" : "shown again")"
      case .scaled: return "image scaled"
      case .alternative: return "image's alternative text changed"
      case .alternativeLost: return "image's alternative text gone"
      default: return "image moved \(Self.distance(key.a)) \(key.direction)"
      }
    case .tableGeometry:
      switch key.variant {
      case .gap: return "row heights of a table changed"
      case .turned: return "tables stand otherwise on their page"
      case .scaled: return "tables are scaled otherwise to fit their page"
      default: return "columns of a table changed"
      }
    case .link: return Self.linkSummary(key.variant)
    case .fontChanged: return "font \(text(key.a)) became \(text(key.b))"
    case .sizeChanged where key.a == 0:
      return "\(element) text became \(key.b > 0 ? "larger" : "smaller") by less than 0.125 px"
    case .sizeChanged:
      return "\(element) text of \(Self.format(Double(key.a) / 64)) px became \(Self.format(Double(key.b) / 64)) px"
    case .glyphChanged where text(key.b).isEmpty: return "glyphs or their widths changed in \(text(key.a))"
    case .glyphChanged where key.variant == .whole: return "“\(text(key.b))” has another width"
    case .glyphChanged: return "glyphs of “\(text(key.b))” at another distance"
    case .colour:
      return "\(key.variant == .box ? "box" : "text") colour \(text(key.a)) became \(text(key.b))"
    case .hyphensChanged: return Hyphens.Difference(key.variant, rule: text(key.a)).summary
    case .moved, .noteMoved:
      let amount = Self.distance(key.a)
      switch key.variant {
      case .gap: return "\(element) spacing \(amount) \(key.a > 0 ? "more" : "less")"
      case .lineSpacing: return "\(element) lines \(amount) \(key.a > 0 ? "further apart" : "closer")"
      case .top: return "\(element) \(amount) \(key.a > 0 ? "lower" : "higher") on the page"
      case .firstLine: return "first line of a \(element) moved \(amount) \(key.direction)"
      case .line: return "a \(element) line moved \(amount) \(key.direction)"
      default: return "\(element) moved \(amount) \(key.direction)"
      }
    case .spacing: return "spacing within \(element) lines changed"
    case .pageBreakMoved: return "page ends \(key.variant == .earlier ? "earlier" : "later") before a \(element)"
    case .emptyPage, .glyphMissing, .hyphenLadder, .overfullLine, .river, .lineBreakChanged, .pageCount,
      .drawingChanged,
      .taggingChanged, .beyondPages:
      return Self.onlySummary(of: key.kind)
    case .recordChanged:
      return "what layout records tell of \(text(key.a).isEmpty ? "pages" : text(key.a)) changed, display list equal"
    case .metadata:
      return text(key.a).isEmpty
        ? "\(key.variant): \(text(key.b))"
        : text(key.b).isEmpty
          ? "no longer \(key.variant): \(text(key.a))" : "\(key.variant) “\(text(key.a))” became “\(text(key.b))”"
    case .pixelsOnly:
      switch key.variant {
      case .box: return "box drawn elsewhere or in another size"
      case .shape: return "shapes drawn otherwise"
      default: return "same layout, other pixels"
      }
    }
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = Substring(self)
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

extension ChangeClass {
  /// The weight of a change of the class (4.4).
  package var severity: Severity {
    switch self {
    case .fixedFailure: .improvement
    case .newFailure, .bookGone, .textLost, .overflowNew, .emptyPage, .glyphMissing: .high
    case .textAdded, .textOrder, .image, .tableGeometry, .noteMoved, .link, .fontChanged, .sizeChanged, .glyphChanged,
      .colour, .drawingChanged, .taggingChanged, .beyondPages, .recordChanged, .hyphensChanged, .forbiddenBreak,
      .overfullLine,
      .hyphenLadder, .widow,
      .river:
      .medium
    case .lineBreakChanged, .moved, .spacing, .pageBreakMoved, .pageCount, .metadata, .pixelsOnly, .bookRenamed: .low
    }
  }

  /// The change is a matter of the ends of lines and pages.
  var isOfLineBreaks: Bool {
    switch self {
    case .lineBreakChanged, .hyphensChanged, .forbiddenBreak, .overfullLine, .hyphenLadder, .widow, .pageBreakMoved,
      .pageCount:
      true
    default: false
    }
  }

  /// Content that comes after it may be pushed down or up.
  var movesWhatFollows: Bool {
    switch self {
    case .colour, .metadata, .pixelsOnly, .drawingChanged, .taggingChanged, .beyondPages, .recordChanged, .link,
      .spacing,
      .overflowNew,
      .glyphMissing, .widow, .river:
      false
    default: true
    }
  }
}

/// The writing system of a text, as far as changes are told apart by it.
enum Script: UInt8, Hashable {
  case latin, greek, cyrillic, armenian, hebrew, arabic, indic, thai, hangul, kana, han, other

  /// That of the first letter.
  init(_ text: some StringProtocol) {
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x1E00...0x1EFF, 0xFB00...0xFB06: self = .latin
      case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
      case 0x400...0x52F: self = .cyrillic
      case 0x531...0x58F: self = .armenian
      case 0x5D0...0x5F4: self = .hebrew
      case 0x620...0x6FF, 0x750...0x77F, 0xFB50...0xFDFF, 0xFE70...0xFEFC: self = .arabic
      case 0x900...0xDFF: self = .indic
      case 0xE00...0xEFF: self = .thai
      case 0x1100...0x11FF, 0xAC00...0xD7A3: self = .hangul
      case 0x3041...0x30FF, 0x31F0...0x31FF: self = .kana
      case 0x3400...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: self = .han
      default: continue
      }
      return
    }
    self = .other
  }
}
