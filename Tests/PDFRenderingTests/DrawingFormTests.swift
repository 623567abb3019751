import Foundation
import Graphics
import Primitives
import TestSupport
import Testing

@testable import Images
@testable import PDFRendering

/// Drawings as forms of a PDF.
@Suite(.enabled(if: LoadedLibrary.areInstalled(.cairo, .rsvg), "libcairo or librsvg is not installed"))
struct DrawingFormTests {
  /// Sixteen by eight grey pixels.
  private static let photograph = """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5a\
    YVpQYEpRUk//wAALCAAIABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAABgf/xAAWEAADAAAAAAAAAAAAAAAAAAAABkL/2gAIAQEAAD8AJr8l\
    OX5P/9k=
    """

  private static func store(_ content: String) -> (images: ImageStore, id: ImageID) {
    let head = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' viewBox='0 0 40 20'>"
    let images = ImageStore()
    return (images, images.addInlineSVG(Array("\(head)\(content)</svg>".utf8)))
  }

  /// The file of a form that a drawing makes, 400 points wide; nil where it makes none.
  private static func file(_ content: String) -> String? {
    let (images, id) = store(content)
    guard let page = images.pdf(id, width: 400, height: 200),
      let form = DrawingForm(
        page, width: 400, height: 200, photographs: Photographs(of: id, in: images), deflater: Deflater(level: 0))
    else { return nil }
    var file = PDFFile(deflater: Deflater(level: 0))
    form.write(as: file.allocate(), in: &file)
    file.finish(root: PDFObjectID(number: 1), information: PDFObjectID(number: 1))
    return String(String.UnicodeScalarView(file.takeOutput().map { Unicode.Scalar($0) }))
  }

  @Test func `Shapes stay operators, in the unit square`() throws {
    let form = try #require(Self.file("<rect x='10' y='5' width='20' height='10' fill='#f00'/>"))
    #expect(form.contains("/Subtype/Form/BBox[0 0 400 200]/Matrix[.0025 0 0 .005 0 0]"))
    #expect(form.contains("1 0 0 rg"))
    #expect(form.contains("100 50 200 100 re"))
    #expect(!form.contains("/Image"))
  }

  @Test func `Text becomes outlines, and fonts are left behind`() throws {
    let form = try #require(Self.file("<text x='2' y='12' font-size='8'>Ad\u{E9} g</text><rect width='1' height='1'/>"))
    #expect(!form.contains("/Font") && !form.contains("Tj") && !form.contains("BT\n"))
    // The glyphs with ink, each a path that is filled.
    #expect(form.components(separatedBy: " f Q\n").count == 5)
  }

  @Test func `Photographs stay the files that they are`() throws {
    let picture = "<image width='40' height='20' xlink:href='data:;base64,\(Self.photograph)'/>"
    let form = try #require(Self.file(picture))
    #expect(form.contains("/DCTDecode") && form.contains("/DeviceGray"))
    #expect(!form.contains("/Interpolate"))
  }

  @Test func `Equal drawings make equal forms`() throws {
    let content = "<text y='9'>W</text><g opacity='.5'><circle r='9'/><circle r='7'/></g>"
    let form = try #require(Self.file(content))
    #expect(form == Self.file(content))
    #expect(form.contains("/Transparency") && !form.contains("cairo"))
  }

  @Test func `A file that is damaged makes a form or none, and nothing worse`() throws {
    let (images, id) = Self.store("<text y='9'>Wg</text><g opacity='.5'><circle r='9'/></g>")
    let page = try #require(images.pdf(id, width: 400, height: 200))
    let photographs = Photographs(of: id, in: images)
    func form(_ bytes: [UInt8]) -> DrawingForm? {
      DrawingForm(bytes, width: 4, height: 2, photographs: photographs, deflater: Deflater())
    }
    #expect(form([]) == nil)
    #expect(form(Array(page.prefix(page.count / 2))) == nil)
    var state: UInt64 = 1
    for _ in 0..<200 {
      var damaged = page
      for _ in 0..<8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        damaged[Int(state >> 33) % damaged.count] = UInt8(truncatingIfNeeded: state >> 20)
      }
      _ = form(damaged)
    }
  }
}
