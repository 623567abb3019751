/// Media features: what media queries ask about (Media Queries 4).
package struct MediaEnvironment: Hashable, Sendable {
  package enum MediaType: UInt8, Hashable, Sendable { case screen, print, speech }
  package enum ColorScheme: UInt8, Hashable, Sendable { case light, dark }

  package var type = MediaType.screen
  /// The page box in CSS px.
  package var width = 600.0
  package var height = 800.0
  /// The px of `1em` and `1rem`: the initial font size.
  package var rootFontSize = 16.0
  /// Device pixels a CSS px.
  package var resolution = 1.0
  package var colorScheme = ColorScheme.light
  package var hasColor = true

  package init() {}
}

/// A feature and what it is compared with (Media Queries 4, section 2.4).
package struct MediaFeature: Hashable, Sendable {
  package enum Comparison: UInt8, Hashable, Sendable {
    /// The feature alone: whether it is other than zero or `none`.
    case boolean
    case equal, less, lessOrEqual, greater, greaterOrEqual
  }
  package enum Value: Hashable, Sendable {
    case none
    case number(Double)
    /// A number and its unit in lower case.
    case dimension(Double, unit: String)
    case ratio(Double, Double)
    /// A math function of lengths.
    case calculation(Calculation)
    case keyword(String)
  }
  /// Without `min-` and `max-`, in lower case.
  package var name: String
  package var comparison: Comparison
  package var value: Value
}

/// A condition of a media query (Media Queries 4, section 2.5).
package indirect enum MediaCondition: Hashable, Sendable {
  case feature(MediaFeature)
  case not(MediaCondition)
  case and([MediaCondition])
  case or([MediaCondition])
  /// `style()` of a container query.
  case style(StyleFeature)
  /// Something this version of the language leaves open (`<general-enclosed>`): neither true nor false.
  case unknown
}

/// One media query.
package struct MediaQuery: Hashable, Sendable {
  package enum MediaType: Hashable, Sendable {
    case all
    case known(MediaEnvironment.MediaType)
    /// A type no environment has, such as `amzn-kf8` or `aural`.
    case other
  }
  package var isNegated = false
  package var type = MediaType.all
  package var condition: MediaCondition?

  /// The query that one which cannot be parsed stands for: `not all`.
  package static let notAll = MediaQuery(isNegated: true, type: .all, condition: nil)

  package func matches(_ environment: MediaEnvironment) -> Bool {
    let matchesType =
      switch type {
      case .all: true
      case .known(let type): type == environment.type
      case .other: false
      }
    // An unknown condition is false for the query as a whole, whether negated or not (section 3.1).
    guard matchesType else { return isNegated }
    guard let condition else { return !isNegated }
    guard let holds = condition.evaluate({ $0.evaluate(environment) }) else { return false }
    return holds != isNegated
  }
}

/// Media queries; as a list of its own, any of them suffices.
package struct MediaQueryList: Sendable {
  package internal(set) var queries: [MediaQuery] = []

  package init() {}
  /// The list of a `media` attribute or similar.
  package init(parsing source: String) {
    _ = append(TokenCursor(TokenBuffer(tokenizing: Array(source.utf8)[...])))
  }

  /// One of the queries holds, or there is none.
  package func matches(_ environment: MediaEnvironment) -> Bool { matches(0..<UInt32(queries.count), environment) }

  func matches(_ range: Range<UInt32>, _ environment: MediaEnvironment) -> Bool {
    range.isEmpty || queries[Int(range.lowerBound)..<Int(range.upperBound)].contains { $0.matches(environment) }
  }

  /// Parses a list and appends its queries.
  mutating func append(_ tokens: TokenCursor) -> Range<UInt32> {
    let first = UInt32(queries.count)
    for part in tokens.splitAtCommas() {
      queries.append(MediaQueryParser().parseQuery(part) ?? .notAll)
    }
    return first..<UInt32(queries.count)
  }
}

extension MediaCondition {
  /// Three-valued: nil when unknown.
  ///
  /// - Parameters:
  ///   - feature: whether a feature is as it says.
  ///   - style: the same of a `style()`.
  func evaluate(_ feature: (MediaFeature) -> Bool?, style: (StyleFeature) -> Bool? = { _ in nil }) -> Bool? {
    switch self {
    case .unknown: return nil
    case .feature(let own): return feature(own)
    case .style(let own): return style(own)
    case .not(let condition): return condition.evaluate(feature, style: style).map { !$0 }
    case .and(let conditions):
      var result: Bool? = true
      for condition in conditions {
        switch condition.evaluate(feature, style: style) {
        case false?: return false
        case nil: result = nil
        default: break
        }
      }
      return result
    case .or(let conditions):
      var result: Bool? = false
      for condition in conditions {
        switch condition.evaluate(feature, style: style) {
        case true?: return true
        case nil: result = nil
        default: break
        }
      }
      return result
    }
  }
}

extension MediaFeature {
  /// nil when the feature or the value is not known.
  func evaluate(_ environment: MediaEnvironment) -> Bool? {
    switch name {
    case "width", "device-width", "inline-size": compare(environment.width, value.pixels(environment))
    case "height", "device-height", "block-size": compare(environment.height, value.pixels(environment))
    case "aspect-ratio", "device-aspect-ratio": compareRatio(environment.width, environment.height)
    case "resolution": compare(environment.resolution, value.dotsPerPixel)
    case "-webkit-device-pixel-ratio", "-moz-device-pixel-ratio": compare(environment.resolution, value.plainNumber)
    case "color": compare(environment.hasColor ? 8 : 0, value.plainNumber)
    case "monochrome": compare(environment.hasColor ? 0 : 8, value.plainNumber)
    case "color-index", "grid", "-webkit-transform-3d": compare(0, value.plainNumber)
    case "orientation":
      keyword(environment.width > environment.height ? "landscape" : "portrait", of: ["portrait", "landscape"])
    case "prefers-color-scheme": keyword(environment.colorScheme == .dark ? "dark" : "light", of: ["light", "dark"])
    case "hover", "any-hover": keyword("none", of: ["none", "hover"])
    case "pointer", "any-pointer": keyword("none", of: ["none", "coarse", "fine"])
    case "update": keyword("none", of: ["none", "slow", "fast"])
    case "scan": keyword("progressive", of: ["interlace", "progressive"])
    case "overflow-block": keyword("paged", of: ["none", "scroll", "paged", "optional-paged"])
    case "overflow-inline": keyword("none", of: ["none", "scroll"])
    case "scripting": keyword("none", of: ["none", "initial-only", "enabled"])
    case "prefers-reduced-motion": keyword("reduce", of: ["no-preference", "reduce"])
    case "prefers-contrast": keyword("no-preference", of: ["no-preference", "more", "less", "custom"])
    case "prefers-reduced-data", "prefers-reduced-transparency":
      keyword("no-preference", of: ["no-preference", "reduce"])
    case "forced-colors", "inverted-colors": keyword("none", of: ["none", "active", "inverted"])
    case "dynamic-range", "video-dynamic-range": keyword("standard", of: ["standard", "high"])
    case "display-mode": keyword("browser", of: ["browser", "fullscreen", "standalone", "minimal-ui"])
    case "color-gamut":
      comparison == .boolean
        ? environment.hasColor
        : keyword(environment.hasColor ? "srgb" : "none", of: ["srgb", "p3", "rec2020"])
    default: nil
    }
  }

  /// Compares the ratio of two lengths.
  func compareRatio(_ width: Double, _ height: Double) -> Bool? {
    if comparison == .boolean { return true }
    guard let (a, b) = value.ratio else { return nil }
    // By cross products, so that b may be 0; 0/0 is as 1/0 (CSS Values 4, section 5.7).
    return compare(width * b, height * (a == 0 && b == 0 ? 1 : a))
  }

  func compare(_ actual: Double, _ wanted: Double?) -> Bool? {
    if comparison == .boolean { return actual != 0 }
    guard let wanted else { return nil }
    return switch comparison {
    case .boolean, .equal: actual == wanted
    case .less: actual < wanted
    case .lessOrEqual: actual <= wanted
    case .greater: actual > wanted
    case .greaterOrEqual: actual >= wanted
    }
  }

  func keyword(_ actual: String, of known: [String]) -> Bool? {
    switch (comparison, value) {
    case (.boolean, _): actual != "none" && actual != "no-preference"
    case (.equal, .keyword(let wanted)): known.contains(wanted) ? actual == wanted : nil
    default: nil
    }
  }
}

extension MediaEnvironment {
  /// CSS px of a length whose font is the initial one.
  fileprivate func pixels(_ value: Double, _ unit: LengthUnit) -> Double? {
    switch unit {
    case .px: value
    case .em, .rem, .ic: value * rootFontSize
    case .ex, .ch, .rex, .rch: value * rootFontSize / 2
    case .cap: value * rootFontSize * 0.7
    case .lh, .rlh: value * rootFontSize * 1.2
    case .vw, .vi, .vh, .vb, .vmin, .vmax: unit.pagePixels(value, width: width, height: height)
    // Nothing contains the page: the units are those of it (CSS Conditional 5, section 5.2).
    case .cqw, .cqh, .cqi, .cqb, .cqmin, .cqmax: unit.ofPage.flatMap { pixels(value, $0) }
    case .percent: nil
    }
  }
}

extension MediaFeature.Value {
  /// Relative lengths are those of the initial values (section 1.3).
  fileprivate func pixels(_ environment: MediaEnvironment) -> Double? { pixels { environment.pixels($0, $1) } }

  /// CSS px of a length, where `resolve` tells those of a number and a unit.
  func pixels(_ resolve: (Double, LengthUnit) -> Double?) -> Double? {
    switch self {
    case .number(0): return 0
    case .dimension(let number, let unit):
      guard let (unit, factor) = ValueParser.unit(unit) else { return nil }
      return resolve(number * factor, unit)
    case .calculation(let calculation): return calculation.value { resolve(Double($0.value), $0.unit) }
    default: return nil
    }
  }
  fileprivate var dotsPerPixel: Double? {
    switch self {
    case .dimension(let number, "dppx"), .dimension(let number, "x"): number
    case .dimension(let number, "dpi"): number / 96
    case .dimension(let number, "dpcm"): number * 2.54 / 96
    case .keyword("infinite"): .infinity
    default: nil
    }
  }
  fileprivate var plainNumber: Double? { if case .number(let number) = self { number } else { nil } }
  fileprivate var ratio: (Double, Double)? {
    switch self {
    case .ratio(let a, let b) where a >= 0 && b >= 0: (a, b)
    case .number(let number) where number >= 0: (number, 1)
    default: nil
    }
  }
}
