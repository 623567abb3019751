import Graphics
import Primitives
import TestSupport
import Testing

@testable import Drawings
@testable import ImageCodecs

/// Drawings of one picture are drawn like pictures, without librsvg.
@Suite struct SingleImageDrawingTests {
  /// Two columns and one row, red and blue.
  private static let reference =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR4nGP4zwAE/wEHAAH/4iOeWQAAAABJRU5ErkJggg=="

  private static func source(_ root: String, _ image: String, _ reference: String = reference) -> [UInt8] {
    let names = "xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'"
    return Array("<svg \(names) \(root)><image xlink:href='\(reference)' \(image)/></svg>".utf8)
  }

  private static func draw(_ source: [UInt8], width: Int, height: Int) -> Bitmap? {
    PlainSVG(source).flatMap { SingleImageDrawing(source, $0, natural: nil) }?.draw(
      width: width, height: height, area: SIMD2(Float(width), Float(height)), limits: .init())
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
    ("viewBox='0 0 1 1'", "width='1' height='0'"), ("viewBox='0 0 1 1'", "width='1' height='-1'"),
    ("viewBox='0 0 1 1'", "width='1em' height='1'"), ("viewBox='0 0 1 1'", "width='1' height='1' opacity='.5'"),
    ("viewBox='0 0 1 1'", "width='1' height='1' href='a'"),
    ("viewBox='0 0 1 1' style='color: red'", "width='1' height='1'"),
    ("viewBox='0 0 1 1'", "width='1' height='1'/><path d='M0 0h1'"),
    ("viewBox='0 0 1 1'", "width='1' height='1'/><image width='1' height='1'"),
    ("viewBox='0 0 1 1'", "width='9999' height='9999'"),
    ("viewBox='0 0 0.000000000001 1'", "width='99999999' height='1'"),
    ("viewBox='0 0 0.000000000001 0.000000000001'", "x='-99999999' y='99999999' width='1' height='1'"),
  ])
  func `Any other drawing is left to librsvg`(_ root: String, _ image: String) {
    #expect(Self.draw(Self.source(root, image), width: 4, height: 2) == nil)
  }

  /// Four colours, three wide and two high.
  private static let quarters: String = {
    var text = Array("data:image/png;base64,".utf8)
    let colors: [UInt32] = [0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF, 0xFFFF_FF00]
    Base64.append(
      PNGWriter().encode(
        unsafe Bitmap(width: 60, height: 40) { memory in
          for y in 0..<40 {
            for x in 0..<60 {
              unsafe memory.storeBytes(
                of: colors[y / 20 * 2 + x / 30], toByteOffset: (y * 60 + x) * 4, as: UInt32.self)
            }
          }
        }), to: &text)
    return String(decoding: text, as: UTF8.self)
  }()

  @Test(
    .enabled(if: LoadedLibrary.areInstalled(.cairo, .rsvg), "libcairo or librsvg is not installed"),
    arguments: [
      "", "viewBox='0 0 90 50'", "viewBox='-10 5 60 60'", "width='90' height='70'",
      "width='90' height='70' viewBox='0 0 60 40'",
      "width='100%' height='50'", "viewBox='0 0 60 40' preserveAspectRatio='none'",
      "viewBox='0 0 60 40' preserveAspectRatio='xMinYMax'", "viewBox='0 0 60 90' preserveAspectRatio='xMaxYMin slice'",
      "viewBox='0 0 60 90' preserveAspectRatio='defer xMidYMid meet'",
    ],
    [
      "", "width='60' height='40'", "width='100%' height='100%'", "x='10' y='-5' width='50' height='60'",
      "x='10%' y='20%' width='50%' height='50%'", "width='30' height='50' preserveAspectRatio='none'",
      "width='30' height='50' preserveAspectRatio='xMaxYMax'",
      "width='30' height='50' preserveAspectRatio='xMidYMin slice'",
      "width='50' height='20' preserveAspectRatio='xMaxYMid slice'", "width='45'", "height='auto' width='auto'",
      "height='25px'",
    ])
  func `It is drawn as librsvg draws it`(_ root: String, _ image: String) throws {
    let source = Self.source(root, image, Self.quarters)
    let plain = try #require(PlainSVG(source))
    let natural = plain.dimensions.isWhole && plain.viewBox == nil ? plain.dimensions : nil
    let framed = try #require(
      SingleImageDrawing(source, plain, natural: natural.flatMap { $0.width.map { SIMD2($0, 70) } }))
    let short = framed.draw(width: 120, height: 80, area: SIMD2(120, 80), limits: Limits())
    let pictures = DrawingPictures(
      resolve: { Base64.decode(Array($0.utf8).drop { $0 != 0x2C }.dropFirst(), leniency: .none) },
      profiles: ColorProfiles(),
      limits: Limits())
    let long = try #require(
      VectorImage(here: source, completion: { SVGReferences.resolve($0) { pictures.file($0) } })?.draw(
        width: 120, height: 80))
    guard let short else {
      // Nothing of it is seen.
      return #expect((0..<9600).allSatisfy { long.pixel(x: $0 % 120, y: $0 / 120).alpha == 0 })
    }
    // Edges lie on pixels or between them.
    var different = 0
    for y in 0..<80 {
      for x in 0..<120 {
        let (one, other) = (short.pixel(x: x, y: y), long.pixel(x: x, y: y))
        let distance =
          [
            Int(one.red) - Int(other.red), Int(one.green) - Int(other.green), Int(one.blue) - Int(other.blue),
            Int(one.alpha) - Int(other.alpha),
          ].map(abs).max() ?? 0
        if distance > 140 { different += 1 }
      }
    }
    #expect(different < 30, "\(different) pixels of 9600")
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
