/// How a style shows the pixels of an image.
package struct ImagePresentation: Hashable, Codable, Sendable {
  /// As they are stored, though the EXIF orientation would turn them (CSS Images 3, section 6.3).
  package var isAsStored: Bool
  /// As squares where they are enlarged (CSS Images 3, section 6.2).
  package var isPixelated: Bool

  package init(isAsStored: Bool = false, isPixelated: Bool = false) {
    self.isAsStored = isAsStored
    self.isPixelated = isPixelated
  }
}
