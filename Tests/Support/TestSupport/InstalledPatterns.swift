import Text

/// Hyphenation patterns of the machine. Tests that need them are skipped where they are not installed.
package enum InstalledPatterns {
  package static func include(_ language: String) -> Bool { Hyphenator().dictionary(for: language) != nil }
}
