import Primitives

/// The machine's fonts.
package enum InstalledFonts {
  /// A hash that changes when a font is installed or removed, or a rule of fontconfig changes: of the folders that these
  /// lie in, and of when they changed last. 0 where fontconfig is not installed.
  package static var state: UInt64 {
    guard let configuration = FontConfiguration(directories: [], usesSystemFonts: true) else { return 0 }
    var hasher = StableHasher()
    for source in FontIndexStore.stamps(of: configuration, directories: [], usesSystemFonts: true) {
      hasher.combine(source.path)
      source.stamp?.hash(into: &hasher)
    }
    return hasher.value
  }
}
