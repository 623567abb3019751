import Graphics
import TestSupport
import Testing

@testable import Images

/// Drawings of black paths alone are those that librsvg makes, without librsvg.
@Suite struct BlackPathDrawingTests {
  private static let start = "<svg xmlns='http://www.w3.org/2000/svg'"

  private static func drawing(_ source: [UInt8]) -> BlackPathDrawing? {
    PlainSVG(source).flatMap { BlackPathDrawing(source, $0) }
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
      let drawn = try #require(Self.alpha(Self.drawing(source)?.draw(width: width, height: height)))
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
    let drawn = try #require(Self.alpha(Self.drawing(Array(source.utf8))?.draw(width: 3, height: 1)))
    #expect(drawn[0] == 255 && drawn[1] == 255)
    #expect((127...129).contains(drawn[2]))
  }

  @Test func `The picture keeps the ratio of the viewBox and stands in the middle`() throws {
    let source = Array("\(Self.start) viewBox='0 0 2 2'><path d='M0 0h2v2H0'/></svg>".utf8)
    #expect(Self.alpha(Self.drawing(source)?.draw(width: 4, height: 2)) == [0, 255, 255, 0, 0, 255, 255, 0])
    #expect(Self.alpha(Self.drawing(source)?.draw(width: 1, height: 3)) == [0, 255, 0])
  }

  @Test(arguments: [
    "<rect width='1' height='1'/>", "<path fill='red' d='M0 0'/>", "<g transform='scale(2)'><path d='M0 0'/></g>",
    "<path style='fill:red' d='M0 0'/>", "<style>path{fill:red}</style><path d='M0 0'/>",
    "<g opacity='.5'><path d='M0 0'/></g>", "<defs><path d='M0 0'/></defs>", "<title><path d='M0 0'/></title>",
    "<path d='M0 0'><path d='M1 1'/></path>", "<text>A</text>", "<path d='L0 0'/>", "<path d='M0 0 L'/>",
    "<path d='M0 0 x'/>", "<path d='M0 0z1'/>", "<path systemLanguage='fr' d='M0 0'/>", "<s:path d='M0 0'/>",
    "<svg><path d='M0 0'/></svg>", "<path xmlns='' d='M0 0'/>",
  ])
  func `Any other drawing is left to librsvg`(_ content: String) {
    #expect(Self.drawing(Array("\(Self.start) viewBox='0 0 9 9'>\(content)</svg>".utf8)) == nil)
  }

  @Test(arguments: [
    "", " viewBox='0 0 0 9'", " viewBox='0 0 9 9' preserveAspectRatio='none'", " viewBox='0 0 9 9' fill='red'",
  ])
  func `The root says how large a unit is, and nothing else`(_ attributes: String) {
    #expect(Self.drawing(Array("\(Self.start)\(attributes)><path d='M0 0'/></svg>".utf8)) == nil)
  }

  @Test(.enabled(if: LoadedLibrary.areInstalled(.rsvg), "librsvg is not installed"))
  func `No process is started for black paths`() {
    let helper = DrawingHelper(program: "/bin/false", arguments: [])
    let source = Array("\(Self.start) viewBox='0 0 1 1'><path d='M0 0h1v1H0'/></svg>".utf8)
    #expect(VectorImage(source, helper: helper)?.draw(width: 1, height: 1)?.pixel(x: 0, y: 0).alpha == 255)
    #expect(helper.failures == 0)
  }

  @Test func `A drawing that takes long is left to a process that can be stopped`() {
    let path = "<path d='M0 0h9v9H0z'/>"
    let many = "\(Self.start) viewBox='0 0 9 9'>\(String(repeating: path, count: 300))</svg>"
    let drawing = Self.drawing(Array(many.utf8))
    #expect(drawing?.draw(width: 9, height: 9) != nil)
    #expect(drawing?.draw(width: 1000, height: 1000) == nil)
    let far = "\(Self.start) viewBox='0 0 0.0000000000001 0.0000000000001'><path d='M0 0L999999999 1z'/></svg>"
    #expect(Self.drawing(Array(far.utf8))?.draw(width: 9, height: 9) == nil)
    #expect(drawing?.draw(width: 40_000, height: 1) == nil && drawing?.draw(width: 1, height: 0) == nil)
    let long = "M0 0" + String(repeating: "h1", count: 40_000)
    #expect(Self.drawing(Array("\(Self.start) viewBox='0 0 9 9'><path d='\(long)'/></svg>".utf8)) == nil)
  }
}
