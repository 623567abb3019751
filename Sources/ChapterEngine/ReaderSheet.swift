import CSS

extension TypesettingSettings {
  /// The settings with those of their profile where the reader has chosen nothing.
  var resolved: Self {
    guard legibility == .dyslexia else { return self }
    var settings = self
    if fontFamily.isEmpty { settings.fontFamily = ["OpenDyslexic", "Atkinson Hyperlegible", "sans-serif"] }
    settings.letterSpacing = letterSpacing ?? 0.12
    // Three and a half times the space between letters, lest words run into each other.
    settings.wordSpacing = wordSpacing ?? 0.42
    settings.lineHeight = lineHeight ?? 1.5
    settings.paragraphSpacing = paragraphSpacing ?? 1
    settings.paragraphIndent = paragraphIndent ?? 0
    if justify == .auto { settings.justify = .off }
    if hyphenate == .auto { settings.hyphenate = .off }
    return settings
  }

  /// What the settings say of text whatever the book says, as a sheet of the reader's: its declarations are important,
  /// and outweigh the book's (CSS Cascading 4, section 6.1). Pages of fixed design are set without it.
  var readerSheet: String {
    // The publisher's values are rolled back to those of the user agent (section 7.3.3).
    var rules = ignoredProperties.map { "*, ::before, ::after { \($0): revert !important }" }
    if columns > 1 {
      let columns = Swift.min(columns, 16)
      rules.append(
        "body { columns: \(columns) auto !important; column-gap: 2em !important; column-fill: auto !important }")
    }
    if let letterSpacing { rules += Self.spacing("letter-spacing", letterSpacing) }
    if let wordSpacing { rules += Self.spacing("word-spacing", wordSpacing) }
    if let paragraphSpacing { rules.append("p { margin-block: \(paragraphSpacing)em !important }") }
    if let paragraphIndent { rules.append("p { text-indent: \(paragraphIndent)em !important }") }
    if !showsRuby { rules.append("rt, rp, rtc { display: none !important }") }
    return rules.joined(separator: "\n")
  }

  /// Space between letters or words of all text but formulas.
  private static func spacing(_ property: String, _ ems: Float) -> [String] {
    ["* { \(property): \(ems)em !important }", "math, math * { \(property): normal !important }"]
  }
}
