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
    let spaces = [letterSpacing, wordSpacing, paragraphSpacing, paragraphIndent]
    // Fast path: most readers leave books as they are.
    if ignoredProperties.isEmpty, columns == 1, showsRuby, spaces.allSatisfy({ $0 == nil }) { return "" }
    // The publisher's values are rolled back to those of the user agent (section 7.3.3).
    var rules = ignoredProperties.map { "*, ::before, ::after { \($0): revert !important }" }
    if columns > 1 {
      let columns = Swift.min(columns, 16)
      rules.append(
        "body { columns: \(columns) auto !important; column-gap: 2em !important; column-fill: auto !important }")
    }
    func add(_ selector: String, _ property: String, _ ems: Float?) {
      guard let ems else { return }
      rules.append("\(selector) { \(property): \(ems)em !important }")
    }
    for (property, ems) in [("letter-spacing", letterSpacing), ("word-spacing", wordSpacing)] where ems != nil {
      add("*", property, ems)
      rules.append("math, math * { \(property): normal !important }")
    }
    add("p", "margin-block", paragraphSpacing)
    add("p", "text-indent", paragraphIndent)
    if !showsRuby { rules.append("rt, rp, rtc { display: none !important }") }
    return rules.joined(separator: "\n")
  }
}
