import Foundation
import Graphics
import Primitives
import TestSupport
import Testing

@testable import Drawings
@testable import ImageCodecs
@testable import Images

/// Formats that are decoded by libraries which are loaded when they are needed.
@Suite struct ImageFormatTests {
  /// 3 × 2 px, red but for a transparent column on the right.
  private static let jxl = "/woIQLASCAgQAHAASxiLFcIJqhfwrwcQAfK37XP5q9+AV/JXvwGvAA=="
  private static let avif =
    "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAAGGbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAAAAAAAOcGl0"
    + "bQAAAAAAAQAAACxpbG9jAAAAAEQAAAIAAQAAAAEAAAHCAAAAKgACAAAAAQAAAa4AAAAUAAAAQmlpbmYAAAAAAAIAAAAaaW5mZQIAAAAAAQAAYXYw"
    + "MUNvbG9yAAAAABppbmZlAgAAAAACAABhdjAxQWxwaGEAAAAAGmlyZWYAAAAAAAAADmF1eGwAAgABAAEAAADDaXBycAAAAJ1pcGNvAAAAFGlzcGUA"
    + "AAAAAAAAAwAAAAIAAAAQcGl4aQAAAAADCAgIAAAADGF2MUOBIAAAAAAAE2NvbHJuY2x4AAEADQAGgAAAAA5waXhpAAAAAAEIAAAADGF2MUOBABwA"
    + "AAAAOGF1eEMAAAAAdXJuOm1wZWc6bXBlZ0I6Y2ljcDpzeXN0ZW1zOmF1eGlsaWFyeTphbHBoYQAAAAAeaXBtYQAAAAAAAAACAAEEAQKDBAACBAEF"
    + "hgcAAABGbWRhdBIACgUYBCsKgDIJEACGpYHEr8QYEgAKCDgEKwgIaDSAMhwQAACLpS34yX0on3rPf/duR5/YXZ274xmgThWQ"

  private func store(_ bytes: [UInt8]) -> (ImageStore, ImageID) {
    let store = ImageStore()
    return (store, store.image(path: "a", load: { bytes }))
  }

  @Test(
    .enabled(if: LoadedLibrary.areInstalled(.avif, .jxl), "libavif or libjxl is not installed"),
    arguments: [(ImageKind.avif, avif), (.jxl, jxl)])
  func `An image is measured and drawn with its transparency`(_ kind: ImageKind, _ data: String) throws {
    let (store, id) = store(Array(try #require(Data(base64Encoded: data))))
    let info = store.info(id)
    #expect(info.kind == kind && info.width == 3 && info.height == 2, "\(info)")
    let bitmap = try #require(store.bitmap(id, width: 3, height: 2))
    let pixel = bitmap.pixel(x: 0, y: 0)
    #expect(pixel.red > 240 && pixel.green < 16 && pixel.blue < 16 && pixel.alpha == 255)
    #expect(bitmap.pixel(x: 2, y: 1).alpha < 8)
  }

  @Test(arguments: [avif, jxl])
  func `What is cut off or changed is drawn or broken, and never more`(_ data: String) throws {
    let whole = Array(try #require(Data(base64Encoded: data)))
    for count in 0..<whole.count {
      let (store, id) = store(Array(whole.prefix(count)))
      _ = store.bitmap(id, width: 3, height: 2)
      var changed = whole
      changed[count] ^= 0xFF
      let (other, changedID) = self.store(changed)
      _ = other.bitmap(changedID, width: 3, height: 2)
    }
  }
}

@Suite(.enabled(if: LoadedLibrary.areInstalled(.cairo, .rsvg), "libcairo or librsvg is not installed"))
struct SVGPatternTests {
  /// The pixels of a square of 40 px that is filled with a pattern.
  private func filled(_ attributes: String, _ content: String) throws -> Bitmap {
    let store = ImageStore()
    let svg = """
      <svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><defs><pattern id='p' \(attributes)>\(content)</pattern>
      </defs><rect width='40' height='40' fill='url(#p)'/></svg>
      """
    return try #require(store.bitmap(store.addInlineSVG(Array(svg.utf8)), width: 40, height: 40))
  }

  @Test func `A view box stands in the middle of a wider tile`() throws {
    let bitmap = try filled(
      "viewBox='0,0,10,10' width='40' height='20' patternUnits='userSpaceOnUse'",
      "<rect width='10' height='10' fill='#00f'/>")
    // 20 px of 40, from the tenth on.
    for (x, isBlue) in [(5, false), (15, true), (25, true), (35, false)] {
      #expect((bitmap.pixel(x: x, y: 5).alpha == 255) == isBlue, "\(x)")
      #expect((bitmap.pixel(x: x, y: 30).alpha == 255) == isBlue, "\(x)")
    }
  }

  @Test func `A view box that does not begin at the origin is shown from there`() throws {
    let bitmap = try filled(
      "viewBox='100 100 10 10' width='0.5' height='0.5'", "<rect x='100' y='100' width='5' height='10' fill='#00f'/>")
    for (x, isBlue) in [(4, true), (14, false), (24, true), (34, false)] {
      #expect((bitmap.pixel(x: x, y: 20).alpha == 255) == isBlue, "\(x)")
    }
  }

  @Test func `A view box of another shape than its tile is drawn whatever the units`() throws {
    let bitmap = try filled(
      "viewBox='0 0 1 1' width='100%' height='25%'", "<rect width='1' height='1' fill='#00f'/>")
    #expect((0..<40).contains { bitmap.pixel(x: $0, y: 20).alpha == 255 })
  }

  @Test func `Patterns that never end, in any number, take no time`() {
    let start = "<svg xmlns='http://www.w3.org/2000/svg'>"
    let data = Array((start + String(repeating: "<pattern viewBox='1 1 2 2'>", count: 20_000)).utf8)
    #expect(SVGPatterns.rewrite(data) == data)
  }
}
