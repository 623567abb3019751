import Fonts
import Markup
import Text

/// The version of the engine and of the libraries whose output it depends on.
public enum EngineVersion {
  /// Of the engine.
  public static let current = "0.1.0"

  /// The program that files tell to be made by.
  package static var producer: String { "typeset \(current)" }

  /// Of the sources that the engine was built from: equal ones have equal builds, wherever they were built.
  public static var build: String { EngineBuild.digest }

  /// A digest of the hyphenation patterns that this machine has.
  package static let hyphenationPatterns = Hyphenator.digest

  /// Names and versions in a fixed order: as they are when the program runs; ICU's is that which the program was built for.
  public static var libraries: [(name: String, version: String)] {
    [
      ("HarfBuzz", FontLibraryVersions.harfBuzz), ("FreeType", FontLibraryVersions.freeType),
      ("libxml2", MarkupLibraryVersion.libxml2), ("ICU", UnicodeLibraryVersion.icu),
    ]
  }
}
