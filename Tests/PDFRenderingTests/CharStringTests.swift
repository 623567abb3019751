import RasterRendering
import Testing

@testable import PDFRendering

@Suite struct CharStringTests {
  private static let triangle: [GlyphShapes.Step] = [
    .move(SIMD2(0.1, 0)), .line(SIMD2(0.5, -0.7)), .line(SIMD2(0.9, 0)),
  ]

  @Test func `A line that closes a contour is left out, as contours are closed anyway`() {
    let open = CharString(Self.triangle, width: nil)
    let closed = CharString(Self.triangle + [.line(SIMD2(0.1, 0))], width: nil)
    #expect(closed.bytes == open.bytes)
    #expect(closed.bounds.map { [$0.left, $0.bottom, $0.right, $0.top] } == [100, 0, 900, 700])
  }

  @Test func `The next contour is told from where the pen is`() {
    let next: [GlyphShapes.Step] = [.move(SIMD2(0.2, -0.1)), .line(SIMD2(0.3, -0.1)), .line(SIMD2(0.3, -0.2))]
    let open = CharString(Self.triangle + next, width: nil)
    let closed = CharString(
      Self.triangle + [.line(SIMD2(0.1, 0))] + next + [.line(SIMD2(0.2, -0.1))], width: nil)
    #expect(closed.bytes == open.bytes)
  }

  @Test func `A curve that ends where its contour began stays`() {
    let curved: [GlyphShapes.Step] = [
      .move(SIMD2(0, 0)), .line(SIMD2(0.5, 0)), .cubic(SIMD2(0.5, -0.4), SIMD2(0.2, -0.5), SIMD2(0, 0)),
    ]
    #expect(CharString(curved, width: nil).bytes.count == CharString(curved + [.line(.zero)], width: nil).bytes.count)
  }
}
