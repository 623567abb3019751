import Foundation
import Graphics
import TestSupport
import Testing

@testable import Drawings
@testable import ImageCodecs

/// Drawings by processes of their own.
@Suite(.enabled(if: LoadedLibrary.areInstalled(.cairo, .rsvg), "libcairo or librsvg is not installed"))
struct DrawingHelperTests {
  private static let head = "<svg xmlns='http://www.w3.org/2000/svg'"
  private static let drawing = Array(
    "\(head) width='30' height='20' viewBox='0 0 3 2'><rect width='2' height='2' fill='#369'/></svg>".utf8)
  private let helper = DrawingHelper(program: BuiltProgram.url.path, arguments: ["drawing-helper"])

  private static func pixels(_ bitmap: Bitmap?) -> [UInt8] {
    bitmap.map { Array($0.pixels.prefix($0.byteCount)) } ?? []
  }

  @Test func `a helper finds the same dimensions and pixels`() throws {
    let here = try #require(VectorImage(here: Self.drawing))
    let there = try #require(VectorImage(Self.drawing, helper: helper))
    #expect(there.dimensions.width == here.dimensions.width && there.dimensions.height == here.dimensions.height)
    #expect(there.dimensions.aspectRatio == 1.5 && there.dimensions.hasViewBox)
    for (width, height) in [(30, 20), (7, 11), (1, 1)] {
      let expected = Self.pixels(here.draw(width: width, height: height))
      #expect(expected.count == width * height * 4)
      #expect(Self.pixels(there.draw(width: width, height: height)) == expected)
    }
    #expect(helper.failures == 0)
  }

  @Test func `a helper writes the page of a PDF file`() throws {
    let here = try #require(VectorImage(here: Self.drawing)?.pdf(width: 30, height: 20))
    let there = try #require(VectorImage(Self.drawing, helper: helper)?.pdf(width: 30, height: 20))
    // The files tell the second in which they were made.
    #expect(there.count == here.count && there.starts(with: Array("%PDF-1.4".utf8)))
    #expect(helper.failures == 0)
  }

  @Test func `what is no drawing is refused, and the helper goes on`() throws {
    #expect(VectorImage(Array("<svg".utf8), helper: helper) == nil)
    #expect(VectorImage(Self.drawing, helper: helper)?.draw(width: 3, height: 2) != nil)
    #expect(helper.failures == 0)
  }

  @Test func `a crash of librsvg is a broken picture, and the next drawing is drawn`() throws {
    // Older releases of librsvg end the process over text of this size; newer ones draw it.
    let fatal = Array("\(Self.head) width='9' height='9'><text font-size='1e9'>日</text></svg>".utf8)
    let picture = VectorImage(fatal, helper: helper)?.draw(width: 9, height: 9)
    #expect(helper.failures == (picture == nil ? 1 : 0))
    #expect(VectorImage(Self.drawing, helper: helper)?.draw(width: 3, height: 2) != nil)
  }

  @Test func `a program that ends at once draws nothing`() {
    let helper = DrawingHelper(program: "/bin/false", arguments: [])
    #expect(VectorImage(Self.drawing, helper: helper, isLazy: false) == nil)
    #expect(helper.failures == 1)
  }

  @Test func `a program that never answers is given up`() {
    let helper = DrawingHelper(program: "/bin/sleep", arguments: ["60"], seconds: 1)
    #expect(VectorImage(Self.drawing, helper: helper, isLazy: false) == nil)
    #expect(helper.failures == 1)
  }

  @Test func `without a program documents are drawn here`() {
    let helper = DrawingHelper(program: "/nowhere", arguments: [])
    #expect(VectorImage(Self.drawing, helper: helper)?.draw(width: 3, height: 2) != nil)
  }

  @Test func `threads that draw at once have a helper each`() async {
    let helper = helper
    let drawn = await withTaskGroup(of: Bool.self) { group in
      for size in 1...16 {
        group.addTask { VectorImage(Self.drawing, helper: helper)?.draw(width: size, height: size) != nil }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(drawn == 16 && helper.failures == 0)
  }
}
