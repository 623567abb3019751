import Graphics
import ImageCodecs
import Images
import Primitives
package import RasterRendering

/// Small pictures as letters: one for each pixel, by its colour.
package enum PixelArt {
  private static let letters: [UInt32: Character] = [
    Color.white.rgba: ".", Color.black.rgba: "K", Color(red: 255, green: 0, blue: 0).rgba: "R",
    Color(red: 0, green: 128, blue: 0).rgba: "G", Color(red: 0, green: 0, blue: 255).rgba: "B",
    Color(red: 255, green: 255, blue: 0).rgba: "Y",
  ]

  /// White is `.`, black `K`, red `R`, green (0, 128, 0) `G`, blue `B`, yellow `Y`, all others `?`.
  package static func rows(of bitmap: PageBitmap) -> [String] {
    (0..<bitmap.height).map { y in
      String(
        (0..<bitmap.width).map { x -> Character in
          let pixel = bitmap.pixel(x: x, y: y)
          return letters[Color(red: pixel.red, green: pixel.green, blue: pixel.blue).rgba] ?? "?"
        })
    }
  }

  /// The same of a PNG file; none where it cannot be read.
  package static func rows(ofFile file: [UInt8]) -> [String] {
    let images = ImageStore()
    let id = images.image(path: "a.png", load: { file })
    let info = images.info(id)
    guard let width = info.width, let height = info.height,
      let bitmap = images.bitmap(id, width: Int(width), height: Int(height))
    else { return [] }
    return (0..<bitmap.height).map { y in
      String(
        (0..<bitmap.width).map { x -> Character in
          let pixel = bitmap.pixel(x: x, y: y)
          return letters[Color(red: pixel.red, green: pixel.green, blue: pixel.blue).rgba] ?? "?"
        })
    }
  }
}
