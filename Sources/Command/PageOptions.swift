package import ArgumentParser
import FoundationEssentials
import Primitives
import Typesetting

struct PageOptions: TabledOptions {
  var pageSize: PageSizeArgument?
  var margin: MarginArgument?
  var scale: Double?
  var furniture: FurnitureArgument?
  var chosen: TypesettingSettings?

  /// The names of the settings that belong here.
  static let settings: Set = ["media"]

  static let rows: [ArgumentRow<Self>] =
    [
      .option(
        "page-size", "WxH",
        """
        The page in CSS px, or one of a4, a5, a6, letter, phone, tablet, ereader (default: the book's, or else \
        600x800).
        """
      ) { $0.pageSize = $1 },
      .option(
        "margin", "lengths",
        """
        Page margins: one to four CSS lengths, in the order of the margin shorthand, such as 0, 48px or "2cm 1.5cm" \
        (default: the book's, or else 48px).
        """
      ) { $0.margin = $1 },
      .option("scale", "n", "Device pixels per CSS px: 1, 1.5, 2, 3. (default: 1)") { $0.scale = $1 },
      .option(
        "furniture", "parts",
        """
        What printed pages of the house style have around their text where the book has nothing of the kind: some of \
        folios, heads, margins with commas, or none. (default: folios,heads,margins)
        """
      ) { $0.furniture = $1 },
    ] + ownSettings.map { setting, name in .setting(setting, named: name, in: \.chosen) }

  private static let ownSettings = Setting.withOptions { settings.contains($0) }

  /// The page size where neither the reader nor the book says anything.
  private static let defaultPageSize = PageSizeArgument(width: 600, height: 800)
  private static let defaultMargin = MarginArgument(all: 48)

  mutating func validate() throws {
    let pageSize = pageSize ?? Self.defaultPageSize
    let margin = margin ?? Self.defaultMargin
    let scale = scale ?? 1
    guard scale.isFinite, scale >= 0.1, scale <= 16 else {
      throw ValidationError("--scale takes a number from 0.1 to 16")
    }
    guard pageSize.width * scale <= 16384, pageSize.height * scale <= 16384 else {
      throw ValidationError("a page has at most 16384 device pixels on each side")
    }
    guard margin.left + margin.right + 8 <= pageSize.width, margin.top + margin.bottom + 8 <= pageSize.height else {
      throw ValidationError("--margin leaves no room on a page of \(pageSize)")
    }
  }

  func apply(to settings: inout TypesettingSettings) throws {
    settings.pageDesign = furniture?.design ?? .furniture
    if pageSize == nil { settings.pageDesign.insert(.bookSize) }
    if margin == nil { settings.pageDesign.insert(.bookMargins) }
    let pageSize = pageSize ?? Self.defaultPageSize
    let margin = margin ?? Self.defaultMargin
    settings.pageSize = Size(width: LayoutUnit(pageSize.width), height: LayoutUnit(pageSize.height))
    settings.marginTop = LayoutUnit(margin.top)
    settings.marginRight = LayoutUnit(margin.right)
    settings.marginBottom = LayoutUnit(margin.bottom)
    settings.marginLeft = LayoutUnit(margin.left)
    settings.scale = scale ?? 1
    if let chosen { for (setting, _) in Self.ownSettings { setting.copy(from: chosen, to: &settings) } }
  }
}

/// An option that takes one of some words. The parser's own lists of these, and what it says of a first value, have the runtime
/// look through all types of the program, for each option, before the book is opened: the lists stand here, and an option that
/// was not given is nil.
package protocol ChoiceArgument: ExpressibleByArgument, CaseIterable, RawRepresentable where RawValue == String {}

extension ChoiceArgument {
  package static var allValueStrings: [String] { allCases.map { $0.rawValue } }
  package static var allValueDescriptions: [String: String] { [:] }
}

/// Parts of the furniture of pages, separated by commas, or `none`.
struct FurnitureArgument: ExpressibleByArgument {
  var design: TypesettingSettings.PageDesign = []

  init?(argument: String) {
    if argument == "none" { return }
    for name in argument.split(separator: ",", omittingEmptySubsequences: false) {
      switch name {
      case "folios": design.insert(.folios)
      case "heads": design.insert(.runningHeads)
      case "margins": design.insert(.mirroredMargins)
      default: return nil
      }
    }
  }

  static var allValueStrings: [String] { [] }
}

/// `600x800` or the name of a size.
struct PageSizeArgument: ExpressibleByArgument, CustomStringConvertible {
  var width: Double
  var height: Double

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// CSS px: paper at 96 to the inch, devices as they report themselves.
  static let named: [String: (Double, Double)] = [
    "a4": (793.7, 1122.5), "a5": (559.4, 793.7), "a6": (396.9, 559.4), "letter": (816, 1056), "phone": (390, 844),
    "tablet": (768, 1024), "ereader": (600, 800),
  ]

  init?(argument: String) {
    let text = argument.lowercased()
    if let size = Self.named[text] {
      self.init(width: size.0, height: size.1)
      return
    }
    let parts = text.split(whereSeparator: { $0 == "x" || $0 == "×" }).map { $0.hasSuffix("px") ? $0.dropLast(2) : $0 }
    guard parts.count == 2, let width = Double(parts[0]), let height = Double(parts[1]), width.isFinite,
      height.isFinite, width >= 16,
      height >= 16, width <= 16384, height <= 16384
    else { return nil }
    self.init(width: width, height: height)
  }

  var description: String { defaultValueDescription }
  var defaultValueDescription: String {
    func text(_ number: Double) -> String { number == number.rounded() ? String(Int(number)) : String(number) }
    return "\(text(width))x\(text(height))"
  }
  package static var allValueStrings: [String] { [] }
}

/// One to four CSS lengths.
struct MarginArgument: ExpressibleByArgument {
  var top: Double
  var right: Double
  var bottom: Double
  var left: Double

  init(all length: Double) { (top, right, bottom, left) = (length, length, length, length) }

  init?(argument: String) {
    let parts = argument.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "\t" })
    let lengths = parts.compactMap { Self.pixels($0) }
    guard lengths.count == parts.count, (1...4).contains(lengths.count) else { return nil }
    top = lengths[0]
    right = lengths.count > 1 ? lengths[1] : top
    bottom = lengths.count > 2 ? lengths[2] : top
    left = lengths.count > 3 ? lengths[3] : right
  }

  /// A length in CSS px; a bare number counts as px.
  private static func pixels(_ text: Substring) -> Double? {
    let lower = text.lowercased()
    let digits = lower.prefix { $0.isNumber || $0 == "." || $0 == "+" || $0 == "-" }
    guard let number = Double(digits), number.isFinite, number >= 0 else { return nil }
    switch lower.dropFirst(digits.count) {
    case "", "px": return number
    case "pt": return number * 96 / 72
    case "pc": return number * 16
    case "in": return number * 96
    case "cm": return number * 96 / 2.54
    case "mm": return number * 96 / 25.4
    case "q": return number * 96 / 101.6
    case "em", "rem": return number * 16
    default: return nil
    }
  }

  var defaultValueDescription: String { "48px" }
}
