package import CSS

/// A Vertical_Orientation value (UAX #50).
public enum VerticalOrientation: UInt8, Hashable, Sendable {
  case rotated, transformedRotated, transformedUpright, upright

  /// The character with the property stands upright in a vertical line.
  ///
  /// - Parameter hasVerticalForm: `true` if the face has a glyph for vertical lines; it decides for `Tr` (UAX #50, section 5).
  package func isUpright(_ orientation: TextOrientation, hasVerticalForm: Bool = false) -> Bool {
    switch orientation {
    case .upright: return true
    case .sideways: return false
    case .mixed:
      switch self {
      case .upright, .transformedUpright: return true
      case .transformedRotated: return hasVerticalForm
      case .rotated: return false
      }
    }
  }
}
