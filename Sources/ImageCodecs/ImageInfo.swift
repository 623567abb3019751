/// Format of an image by its bytes; names and media types do not count.
package enum ImageKind: UInt8, Hashable, Sendable { case unknown, png, jpeg, gif, webp, avif, jxl, bmp, ico, svg }

/// Header data of an image that layout needs (CSS Images 3, section 5).
package struct ImageInfo: Hashable, Sendable {
  package var kind: ImageKind = .unknown
  /// The natural width in CSS px, upright; `nil` for an SVG that names none.
  package var width: Float?
  package var height: Float?
  /// Width over height, from the size or the `viewBox`; `nil` when there is none.
  package var aspectRatio: Float?
  /// EXIF orientation, 1 to 8; already applied to `width` and `height`.
  package var orientation: UInt8 = 1
  /// The image cannot be drawn: it is missing, unknown, or too large to be true.
  package var isBroken = true
  /// The reason that it is broken, as a clause; empty otherwise.
  package var problem = ""
  /// The library that is not installed and that would draw it.
  package var missingDecoder: MissingDecoder?
  /// The resource's path in the book; empty for an inline `<svg>`.
  package var path = ""

  package init() {}
}
