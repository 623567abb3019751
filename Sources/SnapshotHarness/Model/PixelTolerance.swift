/// The difference of pixels up to which a page does not count as changed (4.5).
package struct PixelTolerance: Hashable, Codable, Sendable {
  /// Pixels whose channels differ by no more than this are equal.
  package var maxChannel: Int
  /// So many pixels may differ.
  package var maxPixels: Int
  /// And no more than `maxInWindow` of them in any square of so many pixels; 0 for no such rule.
  package var window: Int
  package var maxInWindow: Int
  /// Pages within it are equal whatever their lines are, as long as their text is the same; else it is only for pages whose lines
  /// are equal. Nil is no.
  package var decides: Bool?

  package init(
    maxChannel: Int = 0, maxPixels: Int = 0, window: Int = 0, maxInWindow: Int = 0, decides: Bool? = nil
  ) {
    self.decides = decides
    self.maxChannel = maxChannel
    self.maxPixels = maxPixels
    self.window = window
    self.maxInWindow = maxInWindow
  }

  package static let exact = PixelTolerance()
  /// A page differs when more than ten pixels do, and nothing else counts.
  package static let legacy10px = PixelTolerance(maxPixels: 10, decides: true)

  /// By the name that profiles use.
  package init?(preset: String) {
    switch preset {
    case "exact": self = .exact
    case "legacy-10px": self = .legacy10px
    default: return nil
    }
  }
}
