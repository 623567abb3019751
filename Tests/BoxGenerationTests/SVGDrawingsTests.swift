import BoxGeneration
import CSS
import Drawings
import Images
import Markup
import Primitives
import Styling
import Testing

/// Drawings as documents that librsvg draws, with the looks that the engine's own cascade gives them.
@Suite struct SVGDrawingsTests {
  private func drawing(
    _ content: String, _ css: String = "", attributes: String = "", _ resources: BoxResources = BoxResources()
  ) throws -> PreparedDrawing {
    let source = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 90 60' \(attributes)>\(content)</svg>"
    let (document, _) = MarkupReader.read(Array(source.utf8), as: .xml)
    let sheet = TypedStylesheet(parsing: Array(css.utf8), context: ValueContext())
    let tree = StyleResolver.resolve(document: document, sheets: [AuthorSheet(sheet, path: "a.svg")])
    return try #require(BoxGenerator.drawing(tree, resources: resources))
  }

  /// What is in the root.
  private func markup(
    _ content: String, _ css: String = "", attributes: String = "", _ resources: BoxResources = BoxResources()
  ) throws -> String {
    let source = String(decoding: try drawing(content, css, attributes: attributes, resources).source, as: UTF8.self)
    return String(source.drop { $0 != ">" }.dropFirst().dropLast(6))
  }

  @Test(arguments: [
    (":root { --c: #c22 } rect { fill: var(--c) }", "<rect style=\"fill:#c22\"></rect>"),
    ("rect { fill: var(--d, blue) }", "<rect style=\"fill:blue\"></rect>"),
    (":is(rect) { fill: color-mix(in srgb, red, blue) }", "<rect style=\"fill:rgb(128,0,128)\"></rect>"),
    ("@media screen { rect { fill: hwb(120 0% 0% / .5) } }", "<rect style=\"fill:rgba(0,255,0,0.5019608)\"></rect>"),
    ("@media print { rect { fill: red } }", "<rect></rect>"),
    ("rect { stroke-width: calc(2px * 3); rx: .5rem }", "<rect style=\"rx:8.0px;stroke-width:6.0px\"></rect>"),
    ("rect { d: path('M0 0h1') }", "<rect d=\"M0 0h1\"></rect>"),
    ("rect { filter: url(#f) blur(2px) }", "<rect style=\"filter:url(#f) blur(2px)\"></rect>"),
    ("rect { clip-path: url(#c); mask: url(#m) }", "<rect style=\"clip-path:url(#c);mask:url(#m)\"></rect>"),
    ("rect { opacity: .5; mix-blend-mode: multiply }", "<rect style=\"opacity:0.5;mix-blend-mode:multiply\"></rect>"),
    ("rect { display: none }", "<rect style=\"display:none\"></rect>"),
    (
      "svg { color: red } rect { fill: color-mix(in srgb, currentcolor, white) }",
      "<rect style=\"fill:rgb(255,128,128)\"></rect>"
    ),
    ("rect { fill: url(#p) oklch(0 0 0) }", "<rect style=\"fill:url(&quot;#p&quot;) rgb(0,0,0)\"></rect>"),
  ])
  func `Rules reach elements in words of SVG`(_ css: String, _ expected: String) throws {
    #expect(try markup("<rect/>", css) == expected)
  }

  @Test func `Attributes are values of CSS`() throws {
    #expect(
      try markup("<rect fill='var(--c)' stroke='lab(0 0 0)' x='calc(1px + 2px)'/>", ":root { --c: red }")
        == "<rect fill=\"var(--c)\" stroke=\"rgb(0,0,0)\" x=\"3.0px\" style=\"fill:red\"></rect>")
    #expect(try markup("<rect width='calc(10px + 20px)'/>") == "<rect width=\"30.0px\"></rect>")
    #expect(try markup("<rect transform='rotate(3)'/>") == "<rect transform=\"rotate(3)\"></rect>")
  }

  @Test func `A rule for an element wins over the attribute of one around it`() throws {
    #expect(
      try markup("<g fill='blue'><path class='r'/><path/></g>", ".r { fill: red }", attributes: "class='r'")
        == "<g fill=\"blue\"><path class=\"r\" style=\"fill:red\"></path><path></path></g>")
  }

  @Test func `HTML in a drawing is set in its place`() throws {
    var resources = BoxResources()
    var asked: [Size] = []
    resources.foreignObject = { _, _, size in
      asked.append(size)
      return ForeignContent(markup: "<path/>", isWhole: true)
    }
    let html = "<p xmlns='http://www.w3.org/1999/xhtml'>LABEL</p>"
    #expect(
      try markup(
        "<foreignObject x='1' y='10%' width='50%' height='20' requiredFeatures='x' opacity='.5'>\(html)</foreignObject>",
        "", resources)
        == "<g opacity=\".5\"><g transform=\"translate(1.0 6.0)\"><clipPath id=\"foreign-2\"><rect width=\"45.0\" "
        + "height=\"20.0\"/></clipPath><g clip-path=\"url(#foreign-2)\"><path/></g></g></g>")
    #expect(asked == [Size(width: LayoutUnit(45), height: LayoutUnit(20))])
    #expect(
      try markup("<foreignObject width='9' height='9' style='overflow:visible'>\(html)</foreignObject>", "", resources)
        .contains("<g transform=\"translate(0.0 0.0)\"><path/></g>"))
  }

  @Test func `HTML in a drawing is set so many times and no more`() throws {
    var resources = BoxResources()
    var count = 0
    resources.foreignObject = { _, _, _ in
      count += 1
      return ForeignContent(markup: "", isWhole: true)
    }
    let one = "<foreignObject width='9' height='9'><p xmlns='http://www.w3.org/1999/xhtml'>a</p></foreignObject>"
    let drawing = try drawing(String(repeating: one, count: 600), "", resources)
    #expect(count == 500 && drawing.faults.count == 1 && drawing.texts.count == 600)
  }

  @Test func `What cannot be drawn is told, and its text is kept`() throws {
    let drawing = try drawing(
      "<text>one</text><foreignObject width='9' height='9'><p xmlns='http://www.w3.org/1999/xhtml'>two</p></foreignObject>"
        + "<mesh/><mesh/><use href='a.svg#b'/><use href='#b'/>")
    #expect(drawing.faults.count == 3 && drawing.faults.contains { $0.contains("foreignObject") }, "\(drawing.faults)")
    #expect(drawing.texts == ["one", "two"])
  }
}
