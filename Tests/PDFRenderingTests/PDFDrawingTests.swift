import TestSupport
import Testing

/// Shapes, lines, gradients and pictures of a page as operators of its content stream.
@Suite struct PDFDrawingTests {
  private let book: TestBook
  init() throws { book = try TestBook() }

  /// The PDF of a page with one box of 100 by 40 px in the given style.
  private func pdf(_ style: String, _ content: String = "") throws -> ReadPDF {
    let box = "<div style=\"width: 100px; height: 40px; \(style)\">\(content)</div>"
    let file = try book.pdf(try book.page(box))
    #expect(file.brokenReferences.isEmpty)
    return file
  }

  private func count(_ part: String, in text: String) -> Int {
    text.split(separator: part, omittingEmptySubsequences: false).count - 1
  }

  // MARK: Gradients

  @Test func `A linear gradient is an axial shading with a function for each pair of stops`() throws {
    let file = try pdf("background: linear-gradient(to right, red, lime 25%, blue)")
    #expect(count("/ShadingType 2", in: file.all) == 1)
    #expect(count("/FunctionType 2", in: file.all) == 2 && file.all.contains("/Bounds[.25]"))
    #expect(file.all.contains("/C0[1 0 0]/C1[0 1 0]") && file.all.contains("/C0[0 1 0]/C1[0 0 1]"))
    #expect(count(" sh ", in: file.contents) == 1 && !file.contents.contains(" Do"))
  }

  @Test func `A radial gradient is a radial shading`() throws {
    let file = try pdf("background: radial-gradient(50px 20px, black, white)")
    #expect(count("/ShadingType 3/Coords[0 0 0 0 0 1]", in: file.all) == 1)
    // The unit circle is stretched to 50 by 20 px.
    #expect(file.contents.contains("3200 0 0 1280"))
  }

  @Test(arguments: [
    "conic-gradient(red, blue)", "repeating-linear-gradient(red, blue 10px)",
    "linear-gradient(rgb(255 0 0 / 50%), blue)", "radial-gradient(closest-side, red, transparent)",
  ])
  func `A gradient that no shading makes is a picture`(_ gradient: String) throws {
    let file = try pdf("background: \(gradient)")
    #expect(!file.all.contains("/ShadingType") && count(" Do", in: file.contents) == 1)
  }

  // MARK: Lines

  @Test func `Dashes fill the side of a border and end it`() throws {
    let dashed = try pdf("border-top: 2px dashed red").contents
    // Three widths for the dash.
    let dashes = try #require(dashed.firstMatch(of: #/128 w 0 J\[384 (\d+\.?\d*)\]0 d/#))
    let gap = try #require(Double(dashes.output.1))
    let steps = (6400 - 384) / (384 + gap)
    #expect(abs(steps - steps.rounded()) < 0.01 && abs(gap - 256) < 128)
  }

  @Test func `Small dots are squares, large ones are round`() throws {
    #expect(try pdf("border-top: 1px dotted red").contents.contains(#/64 w 0 J\[64 /#))
    #expect(try pdf("border-top: 4px dotted red").contents.contains(#/256 w 1 J\[0 /#))
  }

  @Test func `Two lines are a double one, and a wave is made of curves`() throws {
    let double = try pdf("font: 20px serif; text-decoration: underline 6px double red", "mmm").contents
    #expect(count("384 re f\n", in: double) == 2)
    let wavy = try pdf("font: 20px serif; text-decoration: underline 2px wavy red", "mmm").contents
    #expect(count(" c", in: wavy) >= 4 && wavy.contains(" h W n\n"))
  }

  @Test func `Round borders with dots go once around`() throws {
    let content = try pdf("border: 4px dotted red; border-radius: 10px").contents
    #expect(content.contains(#/256 w 1 J\[0 \d/#) && count("S\n", in: content) == 1)
  }

  // MARK: Pictures

  @Test func `Tiles are put down one by one, from one picture`() throws {
    let file = try pdf("background: url('\(TestBook.picture)') 0 0 / 20px 20px")
    #expect(count("/I0 Do", in: file.contents) == 10)
    #expect(count("/Subtype/Image", in: file.all + file.objects.values.joined()) >= 1)
  }

  @Test func `The parts of a border image are cut out of it`() throws {
    let content = try pdf("border: 10px solid; border-image: url('\(TestBook.picture)') 1 / 10px stretch").contents
    #expect(count(" W n\n", in: content) >= 1 && count(" Do Q", in: content) >= 1)
  }

  @Test func `A shadow with blur is a picture, one without is a path`() throws {
    #expect(try pdf("box-shadow: 4px 4px 6px black").contents.contains(" Do"))
    #expect(try !pdf("box-shadow: 4px 4px black").contents.contains(" Do"))
  }

  @Test func `Opacity is a transparency group`() throws {
    let file = try pdf("opacity: 0.5; background: red", "text")
    #expect(file.all.contains("/ca .5") || file.all.contains("/ca.5"))
    #expect(file.objects.values.contains { $0.contains("/S/Transparency") })
  }

  @Test func `Something turned has the matrix of its turn`() throws {
    let content = try pdf("rotate: 90deg; background: red").contents
    #expect(content.contains(#/0 -?1 -?1 0 /#) && content.contains(" cm"))
  }
}
