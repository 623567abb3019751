import Primitives

/// The machine's fonts.
package enum InstalledFonts {
  /// A hash that changes when a font is installed or removed, or a rule of fontconfig changes: of the folders of these,
  /// and of when they changed last. 0 where fontconfig is not installed.
  package static var state: UInt64 {
    guard let configuration = FontConfiguration(directories: [], usesSystemFonts: true) else { return 0 }
    var hasher = StableHasher()
    for source in FontIndexStore.stamps(of: configuration, directories: [], usesSystemFonts: true) {
      // Where nothing is, nothing changes anything.
      guard let stamp = source.stamp else { continue }
      hasher.combine(source.path)
      stamp.hash(into: &hasher)
    }
    return hasher.value
  }
}
