import CSS
import Primitives
import Testing

@Suite struct ColorTests {
  /// The colour of a declaration as `#rrggbbaa`, nil where it is invalid.
  private func color(_ text: String) -> String? {
    var sheet = TypedStylesheet(Stylesheet(), context: ValueContext())
    _ = sheet.appendDeclarationList(Array("color: \(text)".utf8)[...])
    guard case .color(let value)? = sheet.longhands.first?.value else { return nil }
    guard case .color(let color) = value else { return "currentcolor" }
    return color.description
  }

  /// CSS Color 4.
  @Test(arguments: [
    ("red", "#ff0000"), ("RebeccaPurple", "#663399"), ("transparent", "#00000000"), ("currentColor", "currentcolor"),
    ("#abc", "#aabbcc"), ("#abcd", "#aabbccdd"), ("#12345678", "#12345678"), ("rgb(1, 2, 3)", "#010203"),
    ("rgb(1 2 3 / 50%)", "#01020380"), ("rgb(100% 0% 50%)", "#ff0080"), ("rgba(300, -3, 0, 2)", "#ff0000"),
    ("hsl(120, 100%, 50%)", "#00ff00"), ("hsl(-240deg 100% 25%)", "#008000"), ("hwb(0 20% 20%)", "#cc3333"),
    ("hwb(90 60% 60%)", "#808080"), ("lab(100% 0 0)", "#ffffff"), ("lab(0 0 0)", "#000000"),
    ("lch(0% 0 90)", "#000000"), ("oklab(1 0 0)", "#ffffff"), ("oklch(0 0 0)", "#000000"),
    ("color(srgb 1 0 0)", "#ff0000"), ("color(srgb-linear 1 1 1)", "#ffffff"), ("color(srgb 0.5 0.5 0.5)", "#808080"),
    ("color(srgb-linear 0.2159 0.2159 0.2159)", "#808080"), ("color(display-p3 0 0 0)", "#000000"),
    ("color(a98-rgb 1 1 1)", "#ffffff"), ("color(prophoto-rgb 1 1 1)", "#ffffff"), ("color(rec2020 1 1 1)", "#ffffff"),
    ("color(xyz 0.95046 1 1.08906)", "#ffffff"), ("color(xyz-d65 0 0 0)", "#000000"),
    ("color(xyz-d50 0.96422 1 0.82521)", "#ffffff"), ("color-mix(in srgb, red, blue)", "#800080"),
    ("color-mix(in srgb, white 25%, black)", "#404040"), ("color-mix(in srgb, red 30%, blue 30%)", "#80008099"),
    ("color-mix(in hsl, hsl(10 100% 50%), hsl(350 100% 50%))", "#ff0000"),
    ("color-mix(in hsl longer hue, hsl(10 100% 50%), hsl(350 100% 50%))", "#00ffff"),
  ])
  func `Colours are those of their notation`(text: String, expected: String) {
    #expect(color(text) == expected, "\(text)")
  }

  @Test(arguments: [
    "#12", "#1234567", "#ggg", "rgb(1, 2)", "rgb(1 2, 3)", "hsl(1, 2, 3)", "lab(red 0 0)", "color(srgb)",
    "color(nothing 1 1 1)", "color-mix(red, blue)", "color-mix(in nothing, red, blue)",
    "color-mix(in srgb, red 0%, blue 0%)", "reddish", "rgb(1 2 3", "rgb(1 2 3 / 1 2)",
  ])
  func `Invalid colours are dropped`(text: String) {
    // An open function ends with the sheet.
    #expect(color(text) == (text == "rgb(1 2 3" ? "#010203" : nil), "\(text)")
  }
}
