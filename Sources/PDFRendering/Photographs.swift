import Graphics
import Images
import Primitives

/// The photographs that a drawing holds: cairo writes them as pixels, and their files are smaller by far.
struct Photographs {
  private let images: ImageStore
  private let files: [(header: JPEGHeader, file: [UInt8])]

  init(of drawing: ImageID, in images: ImageStore) {
    self.images = images
    files = images.photographs(in: drawing).compactMap { file in
      JPEGHeader(file).flatMap { $0.isPlain ? ($0, file) : nil }
    }
  }

  /// The mean difference of channels, which decoders may differ by.
  private static let tolerance = 3
  /// Pixels from one that is compared to the next.
  private static let step = 61

  /// The file with the pixels of an image object.
  ///
  /// - Parameter pixels: Of eight bits a channel.
  func file(of image: PDFValue, pixels: [UInt8]) -> (file: [UInt8], isGray: Bool)? {
    guard !files.isEmpty, image["Subtype"]?.isName("Image") == true, image["SMask"] == nil, image["Mask"] == nil,
      image["BitsPerComponent"]?.number == 8, let width = image["Width"]?.number, let height = image["Height"]?.number
    else { return nil }
    let channels = image["ColorSpace"]?.isName("DeviceGray") == true ? 1 : 3
    for (header, file) in files where Double(header.width) == width && Double(header.height) == height {
      guard pixels.count == header.width * header.height * channels,
        let bitmap = images.pixels(ofFile: file, width: header.width, height: header.height)
      else { continue }
      var difference = 0
      var count = 0
      for at in stride(from: 0, to: header.width * header.height, by: Self.step) {
        let color = bitmap.pixel(x: at % header.width, y: at / header.width)
        for (channel, value) in [color.red, color.green, color.blue].prefix(channels).enumerated() {
          difference += abs(Int(value) - Int(pixels[at * channels + channel]))
          count += 1
        }
      }
      if difference <= count * Self.tolerance { return (file, header.components == 1) }
    }
    return nil
  }
}
