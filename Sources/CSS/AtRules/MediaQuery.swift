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
    /// A number, a dimension or a math function.
    case math(MediaMath, isFunction: Bool)
    case ratio(MediaMath, MediaMath)
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
    case "width", "device-width": compare(environment.width, value.pixels(environment.pixels))
    case "height", "device-height": compare(environment.height, value.pixels(environment.pixels))
    case "aspect-ratio", "device-aspect-ratio": compareRatio(environment.width, environment.height, environment.pixels)
    case "resolution": compare(environment.resolution, value.dotsPerPixel(environment))
    case "-webkit-device-pixel-ratio", "-moz-device-pixel-ratio":
      compare(environment.resolution, value.number(environment))
    case "color": compare(environment.hasColor ? 8 : 0, value.integer(environment))
    case "monochrome": compare(environment.hasColor ? 0 : 8, value.integer(environment))
    case "color-index": compare(0, value.integer(environment))
    case "horizontal-viewport-segments", "vertical-viewport-segments": compare(1, value.integer(environment))
    case "grid": flag(false, environment)
    case "-webkit-transform-3d": flag(true, environment)
    case "orientation":
      keyword(environment.width > environment.height ? "landscape" : "portrait", of: ["portrait", "landscape"])
    case "prefers-color-scheme": keyword(environment.colorScheme == .dark ? "dark" : "light", of: ["light", "dark"])
    case "color-gamut", "video-color-gamut":
      keyword(environment.hasColor ? "srgb" : "none", of: ["srgb", "p3", "rec2020"])
    default: Self.fixed[name].flatMap { keyword($0[0], of: $0) }
    }
  }

  /// What pages are as against screens: the value of each feature first, then the others it might have.
  private static let fixed: [String: [String]] = [
    "hover": ["none", "hover"], "any-hover": ["none", "hover"],
    "pointer": ["none", "coarse", "fine"], "any-pointer": ["none", "coarse", "fine"],
    "update": ["none", "slow", "fast"],
    "scan": ["progressive", "interlace"],
    "overflow-block": ["paged", "none", "scroll"],
    "overflow-inline": ["none", "scroll"],
    "scripting": ["none", "initial-only", "enabled"],
    "prefers-reduced-motion": ["reduce", "no-preference"],
    "prefers-reduced-transparency": ["no-preference", "reduce"],
    "prefers-reduced-data": ["no-preference", "reduce"],
    "prefers-contrast": ["no-preference", "more", "less", "custom"],
    "forced-colors": ["none", "active"],
    "inverted-colors": ["none", "inverted"],
    "dynamic-range": ["standard", "high"], "video-dynamic-range": ["standard", "high"],
    "display-mode": [
      "browser", "fullscreen", "standalone", "minimal-ui", "picture-in-picture", "window-controls-overlay",
    ],
    "nav-controls": ["none", "back"],
    "environment-blending": ["opaque", "additive", "subtractive"],
    "device-posture": ["continuous", "folded"],
  ]

  /// Compares the ratio of two lengths.
  func compareRatio(_ width: Double, _ height: Double, _ pixels: (Double, LengthUnit) -> Double?) -> Bool? {
    if comparison == .boolean { return true }
    guard let (a, b) = value.ratio(pixels) else { return nil }
    // By cross products, so that b may be 0; 0/0 is as 1/0 (CSS Values 4, section 5.7).
    return compare(width * b, height * (a == 0 && b == 0 ? 1 : a))
  }

  /// A discrete feature that is 1 or 0.
  private func flag(_ actual: Bool, _ environment: MediaEnvironment) -> Bool? {
    switch comparison {
    case .boolean: actual
    case .equal: value.integer(environment).flatMap { $0 == 0 ? !actual : $0 == 1 ? actual : nil }
    default: nil
    }
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
  func pixels(_ value: Double, _ unit: LengthUnit) -> Double? {
    switch unit {
    case .px: value
    case .em, .rem, .ic: value * rootFontSize
    case .ex, .ch, .rex, .rch: value * rootFontSize / 2
    case .cap: value * rootFontSize * 0.7
    case .lh, .rlh: value * rootFontSize * 1.2
    case .vw, .vi, .vh, .vb, .vmin, .vmax: unit.pagePixels(value, width: width, height: height)
    // Nothing contains the page: the units are those of it (CSS Conditional 5, section 5.2).
    case .cqw, .cqh, .cqi, .cqb, .cqmin, .cqmax: unit.ofPage.flatMap { pixels(value, $0) }
    case .percent, .function: nil
    }
  }
}

extension MediaFeature.Value {
  /// CSS px of a length, where `resolve` tells those of a number and a unit. Relative lengths of media queries are those of the
  /// initial values (section 1.3).
  func pixels(_ resolve: (Double, LengthUnit) -> Double?) -> Double? {
    guard case .math(let math, let isFunction) = self else { return nil }
    if case .number(0) = math, !isFunction { return 0 }
    return value(.length, resolve)
  }
  fileprivate func dotsPerPixel(_ environment: MediaEnvironment) -> Double? {
    if case .keyword("infinite") = self { return .infinity }
    return value(.resolution, environment.pixels)
  }
  fileprivate func number(_ environment: MediaEnvironment) -> Double? { value(.number, environment.pixels) }

  /// A whole number; that of a math function is rounded (CSS Values 4, section 10.12).
  fileprivate func integer(_ environment: MediaEnvironment) -> Double? {
    guard case .math(_, let isFunction) = self, let number = number(environment) else { return nil }
    let rounded = (number + 0.5).rounded(.down)
    return isFunction || rounded == number ? rounded : nil
  }

  fileprivate func ratio(_ resolve: (Double, LengthUnit) -> Double?) -> (Double, Double)? {
    /// What is out of range is no ratio, but as the result of a function it is the nearest that is.
    func part(_ math: MediaMath) -> Double? {
      guard let result = math.evaluate(resolve), result.kind == .number else { return nil }
      if case .number = math { return result.value >= 0 ? result.value : nil }
      return Swift.max(0, result.value)
    }
    switch self {
    case .ratio(let a, let b): return part(a).flatMap { a in part(b).map { (a, $0) } }
    case .math(let number, _): return part(number).map { ($0, 1) }
    default: return nil
    }
  }

  private func value(_ kind: MediaMath.Kind, _ resolve: (Double, LengthUnit) -> Double?) -> Double? {
    guard case .math(let math, _) = self, let result = math.evaluate(resolve), result.kind == kind else { return nil }
    // A result that is no number is 0 (CSS Values 4, section 10.9.1).
    return result.value.isNaN ? 0 : result.value
  }
}
