import Graphics
import Primitives
import TestSupport
import Testing

@testable import Images

/// Drawings of one picture are drawn like pictures, without librsvg.
@Suite struct FramedPictureTests {
  /// Two columns and one row, red and blue.
  private static let reference =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR4nGP4zwAE/wEHAAH/4iOeWQAAAABJRU5ErkJggg=="

  private static func source(_ root: String, _ image: String, _ reference: String = reference) -> [UInt8] {
    let names = "xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'"
    return Array("<svg \(names) \(root)><image xlink:href='\(reference)' \(image)/></svg>".utf8)
  }

  private static func draw(_ source: [UInt8], width: Int, height: Int) -> Bitmap? {
    PlainSVG(source).flatMap { FramedPicture(source, $0) }?.draw(width: width, height: height, limits: .init())
  }

  /// The stronger of red and blue, or nothing, for each pixel of a row.
  private static func row(_ y: Int, of bitmap: Bitmap?) -> String? {
    bitmap.map { bitmap in
      String(
        (0..<bitmap.width).map { x -> Character in
          let pixel = bitmap.pixel(x: x, y: y)
          return pixel.alpha == 0 ? "." : pixel.red > pixel.blue ? "R" : "B"
        })
    }
  }

  @Test(arguments: [
    ("viewBox='0 0 2 1'", "width='2' height='1'", "RRBB", "RRBB"),
    (
      "viewBox='0 0 600 800' preserveAspectRatio='none'", "width='600' height='800' preserveAspectRatio='none'", "RRBB",
      "RRBB"
    ),
    ("viewBox='0 0 600 300' width='100%' height='100%'", "width='100%' height='100%'", "RRBB", "RRBB"),
    ("viewBox='0 0 4 2'", "x='2' width='2' height='1'", "..RB", "...."),
    ("viewBox='0 0 4 2'", "y='50%' width='2px' height='1'", "....", "RB.."),
    ("viewBox='-2 -1 4 2'", "width='2' height='1'", "....", "..RB"),
    ("viewBox='0 0 4 2'", "x='-2' width='4' height='2'", "BB..", "BB.."),
    ("viewBox='0 0 4 2'", "width='4' height='1'", ".RB.", "...."),
    ("viewBox='0 0 4 2'", "width='4' height='1' preserveAspectRatio='xMaxYMid meet'", "..RB", "...."),
    ("viewBox='0 0 1 1'", "width='1' height='1' preserveAspectRatio='none'", ".RB.", ".RB."),
    (
      "viewBox='0 0 1 1' preserveAspectRatio='xMinYMin'", "width='1' height='1' preserveAspectRatio='none'", "RB..",
      "RB.."
    ),
    (
      "viewBox='0 0 1 1' preserveAspectRatio='xMidYMax slice'", "width='1' height='1' preserveAspectRatio='none'",
      "RRBB", "RRBB"
    ),
  ])
  func `The picture stands where its ratio and that of the drawing say`(
    _ root: String, _ image: String, _ first: String, _ second: String
  ) throws {
    let source = Self.source(root, image)
    for (y, expected) in [first, second].enumerated() {
      #expect(Self.row(y, of: Self.draw(source, width: 4, height: 2)) == expected)
    }
  }

  @Test(arguments: [
    ("", "width='1' height='1'"), ("viewBox='0 0 1 1'", ""), ("viewBox='0 0 1 1'", "width='1' height='0'"),
    ("viewBox='0 0 1 1'", "width='1' height='1' preserveAspectRatio='xMidYMid slice'"),
    ("viewBox='0 0 1 1'", "width='1em' height='1'"), ("viewBox='0 0 1 1'", "width='1' height='1' opacity='.5'"),
    ("viewBox='0 0 1 1'", "width='1' height='1' href='a'"),
    ("viewBox='0 0 1 1' style='color: red'", "width='1' height='1'"),
    ("viewBox='0 0 1 1' preserveAspectRatio='middle'", "width='1' height='1'"),
    ("viewBox='0 0 1 1'", "width='1' height='1'/><path d='M0 0h1'"),
    ("viewBox='0 0 1 1'", "width='1' height='1'/><image width='1' height='1'"),
    ("viewBox='0 0 1 1'", "width='9999' height='9999'"),
    ("viewBox='0 0 0.000000000001 1'", "width='99999999' height='1'"),
    ("viewBox='0 0 0.000000000001 0.000000000001'", "x='-99999999' y='99999999' width='1' height='1'"),
  ])
  func `Any other drawing is left to librsvg`(_ root: String, _ image: String) {
    #expect(Self.draw(Self.source(root, image), width: 4, height: 2) == nil)
  }

  @Test(arguments: ["cover.jpg", "data:image/png,abc", "data:;base64,AAAA", "data:;base64,\u{e9}", "#id", "&amp;"])
  func `A picture that is not in the document, or none, is left to librsvg`(_ reference: String) {
    #expect(Self.draw(Self.source("viewBox='0 0 1 1'", "width='1' height='1'", reference), width: 4, height: 2) == nil)
  }

  @Test(.enabled(if: LoadedLibrary.areInstalled(.rsvg), "librsvg is not installed"))
  func `No process is started for a picture of the book`() {
    let helper = DrawingHelper(program: "/bin/false", arguments: [])
    let source = Self.source("viewBox='0 0 2 1'", "width='2' height='1'", "a.png")
    let image = VectorImage(
      source,
      completion: { _ in Self.source("viewBox='0 0 2 1'", "width='2' height='1'") }, helper: helper)
    #expect(Self.row(0, of: image?.draw(width: 2, height: 1)) == "RB")
    #expect(helper.failures == 0)
  }
}
