import CImageCodecs
import Platform
import Synchronization

/// The way from the colours of an ICC profile to those of sRGB, which Little CMS goes. The intent is the perceptual
/// one.
@safe package final class ColorProfile: @unchecked Sendable {
  // Not changed once it is made; Little CMS lets any number of threads use it.
  private let colors: OpaquePointer

  /// `nil` for a profile that cannot be read, that is of other pixels than those it stands with, or whose colours are
  /// those of sRGB; and where the library is not installed.
  init?(_ profile: EmbeddedProfile) {
    var bytes = profile.bytes
    let made = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      var source = unsafe codec_profile(
        bytes: bytes.baseAddress, size: bytes.count, channels: Int32(profile.channels))
      return unsafe codec_colors_create(&source)
    }
    guard let made = unsafe made else { return nil }
    unsafe colors = made
  }

  deinit { unsafe codec_colors_destroy(colors) }

  /// Channels of the profile itself: one of three may stand with grey pixels.
  package var channels: Int { unsafe Int(codec_colors_channels(colors)) }

  /// Gives what decoders convert pixels by.
  func withColors<Result>(_ body: (OpaquePointer) -> Result) -> Result {
    defer { withExtendedLifetime(self) {} }
    return unsafe body(colors)
  }
}

/// The profiles of pictures that were drawn last: most pictures of a book have the same one.
package final class ColorProfiles: Sendable {
  package init() {}

  private static let most = 8
  private let recent = Lock<[(source: EmbeddedProfile, profile: ColorProfile?)]>([])

  /// The profile in a file; `nil` where its colours are shown as those of sRGB.
  package func profile(of file: [UInt8], kind: ImageKind) -> (source: EmbeddedProfile, profile: ColorProfile)? {
    guard let source = EmbeddedProfile(of: file, kind: kind), let profile = profile(source) else { return nil }
    return (source, profile)
  }

  private func profile(_ source: EmbeddedProfile) -> ColorProfile? {
    let known: ColorProfile?? = recent.withLock { recent in
      guard let index = recent.firstIndex(where: { $0.source == source }) else { return nil }
      let entry = recent.remove(at: index)
      recent.append(entry)
      return .some(entry.profile)
    }
    if let known { return known }
    // Made outside the lock: a table of a press takes a while.
    let profile = ColorProfile(source)
    recent.withLock { recent in
      if recent.count == Self.most { recent.removeFirst() }
      recent.append((source, profile))
    }
    return profile
  }
}
