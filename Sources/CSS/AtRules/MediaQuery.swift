/// What media queries ask about (Media Queries 4).
package struct MediaEnvironment: Hashable, Sendable {
  package enum MediaType: UInt8, Sendable { case screen, print, speech }
  package enum ColorScheme: UInt8, Sendable { case light, dark }

  package var type = MediaType.screen
  /// The page box in CSS px.
  package var width = 600.0
  package var height = 800.0
  /// What `1em` and `1rem` are in px: the initial font size.
  package var rootFontSize = 16.0
  /// Device pixels a CSS px.
  package var resolution = 1.0
  package var colorScheme = ColorScheme.light
  package var hasColor = true

  package init() {}
}

/// A comma-separated list of media queries.
package struct MediaQueryList: Sendable {
  package init() {}
  /// The list of a `media` attribute or similar.
  package init(parsing source: String) {}
  package func matches(_ environment: MediaEnvironment) -> Bool { true }
}
