import Graphics
import TestSupport
import Testing

@testable import Drawings
@testable import ImageCodecs

/// Black outlines are drawn by FreeType as librsvg and cairo draw them.
@Suite struct SilhouetteRasterizerTests {
  private static let start = "<svg xmlns='http://www.w3.org/2000/svg'"

  /// A drawing that FreeType draws; nil for any other.
  private static func draw(_ source: [UInt8], width: Int, height: Int) -> Bitmap? {
    PlainSVG(source).flatMap { DrawingReader.read($0, natural: nil) }.flatMap { drawing in
      SilhouetteRasterizer.draw(
        drawing, width: width, height: height, drawing.map(to: SIMD2(Float(width), Float(height))))
    }
  }

  private static func alpha(_ bitmap: Bitmap?) -> [Int]? {
    bitmap.map { bitmap in
      (0..<bitmap.height).flatMap { y in (0..<bitmap.width).map { Int(bitmap.pixel(x: $0, y: y).alpha) } }
    }
  }

  @Test(
    .enabled(if: LoadedLibrary.areInstalled(.cairo, .rsvg), "libcairo or librsvg is not installed"),
    arguments: [
      // All commands, absolute and relative, a hole, subpaths without an end and without a length.
      "M10 10H50V40h-10v10L20,45zM20 20v10h10V20z",
      "m5 5 20 0 0 20zm40-2l9 30-9-3m3 3",
      "M5 30C5 0 30 0 30 30S55 60 55 30L40 5zM60 50c0-9 9-9 9 0s-9 9-9 0",
      "M5 30Q20 0 35 30T65 30L65 55H5zm40-25q5 5 10 0t9 3",
      "M20 30A15 10 30 1 0 50 30 9 9 0 0150 50z M30 5a4,4 0 1,1 8,0a4 4 0 11-8 0z",
      // Inside and out of the picture, and contours that overlap.
      "M-50-50H20V20H-50zM10 10H400V15H10zM60 40h500v500h-500z",
      "M10 10h30v30h-30zM20 20h30v30h-30z",
      "M1e1 10l.5.5.5-1e0z",
    ])
  func `A drawing of black paths is what librsvg draws`(_ data: String) throws {
    let source = Array("\(Self.start) viewBox='-2 -1 74 62'><title>T</title><g><path d='\(data)'/></g></svg>".utf8)
    let librsvg = try #require(VectorImage(here: source))
    for (width, height) in [(74, 62), (140, 31), (300, 300)] {
      let drawn = try #require(Self.alpha(Self.draw(source, width: width, height: height)))
      let expected = try #require(Self.alpha(librsvg.draw(width: width, height: height)))
      #expect(expected.contains { $0 > 0 })
      let differences = zip(drawn, expected).map { abs($0 - $1) }
      // cairo counts 15 rows and 17 columns of samples in a pixel, FreeType measures areas, and twice where contours of a path
      // cross.
      #expect(differences.count { $0 > 24 } <= 4 + drawn.count / 1000, "\(width) by \(height)")
      #expect(Double(differences.reduce(0, +)) / Double(drawn.count) < 0.5, "\(width) by \(height)")
    }
  }

  @Test func `Paths are drawn one over the other`() throws {
    let source = "\(Self.start) viewBox='0 0 3 1'><path d='M0 0h1.5v1H0'/><path d='M.5 0h2v1h-2'/></svg>"
    let drawn = try #require(Self.alpha(Self.draw(Array(source.utf8), width: 3, height: 1)))
    #expect(drawn[0] == 255 && drawn[1] == 255)
    #expect((127...129).contains(drawn[2]))
  }

  @Test func `The picture keeps the ratio of the viewBox and stands in the middle`() throws {
    let source = Array("\(Self.start) viewBox='0 0 2 2'><path d='M0 0h2v2H0'/></svg>".utf8)
    #expect(Self.alpha(Self.draw(source, width: 4, height: 2)) == [0, 255, 255, 0, 0, 255, 255, 0])
    #expect(Self.alpha(Self.draw(source, width: 1, height: 3)) == [0, 255, 0])
  }

  @Test(arguments: [
    "<path fill='red' d='M0 0h1v1'/>", "<g opacity='.5'><path d='M0 0h1v1'/></g>",
    "<path fill-rule='evenodd' d='M0 0h1v1'/>", "<path stroke='black' d='M0 0h1v1'/>",
    "<clipPath id='c'><rect width='1' height='1'/></clipPath><path clip-path='url(#c)' d='M0 0h1v1'/>",
  ])
  func `What is not black outlines alone is left to cairo`(_ content: String) {
    #expect(Self.draw(Array("\(Self.start) viewBox='0 0 9 9'>\(content)</svg>".utf8), width: 9, height: 9) == nil)
  }

  @Test(.enabled(if: LoadedLibrary.areInstalled(.rsvg), "librsvg is not installed"))
  func `No process is started for black paths`() {
    let helper = DrawingHelper(program: "/bin/false", arguments: [])
    let source = Array("\(Self.start) viewBox='0 0 1 1'><path d='M0 0h1v1H0'/></svg>".utf8)
    #expect(VectorImage(source, helper: helper)?.draw(width: 1, height: 1)?.pixel(x: 0, y: 0).alpha == 255)
    #expect(helper.failures == 0)
  }

  @Test func `Outlines beyond what FreeType counts are left to cairo`() {
    let far = "\(Self.start) viewBox='0 0 0.0000000000001 0.0000000000001'><path d='M0 0L999999999 1z'/></svg>"
    #expect(Self.draw(Array(far.utf8), width: 9, height: 9) == nil)
    let square = Array("\(Self.start) viewBox='0 0 9 9'><path d='M0 0h9v9H0z'/></svg>".utf8)
    #expect(Self.draw(square, width: 40_000, height: 1) == nil && Self.draw(square, width: 1, height: 0) == nil)
    let long = "M0 0" + String(repeating: "h1", count: 40_000)
    let source = "\(Self.start) viewBox='0 0 9 9'><path d='\(long)'/></svg>"
    #expect(Self.draw(Array(source.utf8), width: 9, height: 9) == nil)
  }
}
