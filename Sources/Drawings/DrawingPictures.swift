import CImageCodecs
import Graphics
package import ImageCodecs
package import Primitives

/// The pictures that a drawing refers to, as librsvg reads them.
///
/// It knows PNG and JPEG in all its versions, but neither their orientation nor their colours: what it would draw in
/// another way than any picture of the book comes as pixels.
package struct DrawingPictures: Sendable {
  /// The bytes of a resource, by a reference as it is written.
  let resolve: Resolver
  let profiles: ColorProfiles
  let limits: Limits

  /// The bytes of a resource, by a reference as it is written.
  package typealias Resolver = @Sendable (_ reference: String) -> [UInt8]?

  package init(resolve: @escaping Resolver, profiles: ColorProfiles, limits: Limits) {
    (self.resolve, self.profiles, self.limits) = (resolve, profiles, limits)
  }

  package struct File {
    var bytes: [UInt8]
    /// The bytes are others than those that the reference means.
    var isConverted = false
  }

  /// The file that a reference of the drawing means; nil where there is none.
  package func file(_ reference: String) -> File? {
    guard let file = resolve(reference) else { return nil }
    if !ImageProbe.isSVG(file), let converted = converted(file) { return File(bytes: converted, isConverted: true) }
    return File(bytes: file)
  }

  /// The pixels of a file that librsvg does not draw as we do; nil for others.
  private func converted(_ file: [UInt8]) -> [UInt8]? {
    let info = ImageProbe.probe(file, limits: limits)
    guard !info.isBroken, var width = info.width.map({ Int($0) }), var height = info.height.map({ Int($0) }) else {
      return nil
    }
    let colors = profiles.profile(of: file, kind: info.kind)?.profile
    let isKnown = info.kind == .png || info.kind == .jpeg && !ImageProbe.hasInks(file)
    if isKnown, colors == nil, ImageDecoder.isUpright(info.orientation) { return nil }
    while width * height > limits.imagePixels, width > 1, height > 1 { (width, height) = (width / 2, height / 2) }
    let pixels = ImageDecoder.decode(
      file, colors: colors, orientation: info.orientation, width: width, height: height, limits: limits)
    return pixels.map { PNGWriter().encode($0) }
  }
}
