import CImageCodecs

/// The ICC profile that the file of an image holds.
package struct EmbeddedProfile: Equatable {
  package let bytes: [UInt8]
  /// Channels of the file's pixels: 1, 3, or 4 for inks.
  let channels: Int

  init(bytes: [UInt8], channels: Int) {
    self.bytes = bytes
    self.channels = channels
  }

  /// `nil` where the file has no profile, or one that cannot be read.
  init?(of file: [UInt8], kind: ImageKind) {
    let codec: codec_kind
    switch kind {
    case .png: codec = CODEC_PNG
    case .jpeg: codec = CODEC_JPEG
    case .webp: codec = CODEC_WEBP
    default: return nil
    }
    var profile = unsafe codec_profile()
    let found = unsafe file.withUnsafeBufferPointer {
      unsafe codec_read_profile(Int32(codec.rawValue), $0.baseAddress, $0.count, &profile) != 0
    }
    guard found else { return nil }
    defer { unsafe codec_free(profile.bytes) }
    unsafe self.init(
      bytes: Array(UnsafeBufferPointer(start: profile.bytes, count: profile.size)), channels: Int(profile.channels))
  }
}
