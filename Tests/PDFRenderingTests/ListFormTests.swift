import Drawings
import Graphics
import Primitives
import TestSupport
import Testing

@testable import Images
@testable import PDFRendering

/// Drawings as forms of a PDF, made of their lists.
@Suite struct ListFormTests {
  /// The objects of a form that a drawing makes, 400 units wide; nil where it makes none.
  private static func file(_ content: String) throws -> String? {
    let head = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 20'>"
    let images = ImageStore()
    let list = try #require(images.list(of: images.addInlineSVG(Array("\(head)\(content)</svg>".utf8))))
    let deflater = Deflater(level: 0)
    guard let form = ListForm(list, width: 400, height: 200, area: SIMD2(40, 20), deflater: deflater) else {
      return nil
    }
    var file = PDFFile(deflater: deflater)
    form.write(as: file.allocate(), in: &file)
    file.finish(root: PDFObjectID(number: 1), information: PDFObjectID(number: 1))
    return String(String.UnicodeScalarView(file.takeOutput().map { Unicode.Scalar($0) }))
  }

  @Test func `Outlines are operators in the unit square, whose rows count upwards`() throws {
    let form = try #require(
      try Self.file("<path d='M10 5H30V15H10z' fill='#f00'/><path fill-rule='evenodd' d='M0 0h1v1z'/>"))
    #expect(form.contains("/BBox[0 0 400 200]/Matrix[.0025 0 0 .005 0 0]"))
    #expect(form.contains("q 1 0 0 rg\n100 150 m\n300 150 l\n300 50 l\n100 50 l\nh\nf Q\n"))
    #expect(form.contains("q 0 0 0 rg\n0 200 m\n10 200 l\n10 190 l\nh\nf* Q\n"))
  }

  @Test func `Strokes keep the map that their lines are drawn by`() throws {
    let form = try #require(
      try Self.file(
        "<path d='M1 1H9' stroke='blue' stroke-width='2' stroke-dasharray='3 1' stroke-linecap='round' fill='none' "
          + "transform='scale(2 1)'/>"))
    #expect(form.contains("q 0 0 1 RG\n20 0 0 -10 0 200 cm 2 w 1 J 0 j 4 M[3 1]0 d\n1 1 m\n9 1 l\nS Q\n"), "\(form)")
  }

  @Test func `What is transparent is a group, or has an alpha`() throws {
    let form = try #require(
      try Self.file(
        "<rect width='9' height='9' fill-opacity='.2'/><g opacity='.6'><rect width='9' height='9'/><circle r='3'/></g>")
    )
    #expect(form.contains("/G0 gs 0 0 0 rg") && form.contains("/G1 gs /X0 Do Q"))
    #expect(form.contains("/Group<</S/Transparency>>"))
    #expect(form.contains("/ExtGState<</G0<</ca .2/CA .2>>/G1<</ca .6/CA .6>>>>") && form.contains("/XObject<</X0"))
  }

  @Test func `Clips end with what they clip`() throws {
    let form = try #require(
      try Self.file(
        "<clipPath id='c'><path d='M0 0h4v4z'/></clipPath><g clip-path='url(#c)'><rect width='9' height='9'/></g>"))
    #expect(form.contains("q\n0 200 m\n40 200 l\n40 160 l\nh\nW n\nq 0 0 0 rg\n"))
    #expect(form.contains("f Q\nQ\n"))
  }

  @Test func `Gradients are shadings, in the coordinates of the form`() throws {
    let stops = "<stop offset='.2' stop-color='red'/><stop offset='1' stop-color='blue'/>"
    let form = try #require(
      try Self.file(
        "<linearGradient id='l'>\(stops)</linearGradient><rect x='10' width='20' height='10' fill='url(#l)' stroke='url(#l)'/>"
      ))
    #expect(form.contains("/Pattern cs/P0 scn\n") && form.contains("/Pattern CS/P0 SCN\n"))
    #expect(form.contains("/P0<</PatternType 2/Matrix[200 0 0 -100 100 200]/Shading<<"), "\(form)")
    #expect(form.contains("/ShadingType 2/Coords[.2 0 1 0]/Domain[.2 1]"))
  }

  @Test(arguments: ["spreadMethod='reflect'", "opacity='.5'"])
  func `Gradients that no shading is make no form`(_ what: String) throws {
    let opacity = what.hasPrefix("opacity") ? "stop-\(what)" : ""
    let spread = what.hasPrefix("spread") ? what : ""
    let gradient = "<linearGradient id='l' \(spread)><stop/><stop offset='1' \(opacity)/></linearGradient>"
    #expect(try Self.file("\(gradient)<rect width='9' height='9' fill='url(#l)'/>") == nil)
  }
}
