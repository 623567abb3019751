/// The names of figures that are known of a unit, of the engine (`--stats`) and of the child that set it, and what each tells.
enum Figures {
  /// Figures that are equal in equal runs: those of no clock and of no memory.
  static func isCounter(_ name: String) -> Bool {
    !name.hasPrefix("time.") && !name.hasPrefix("memory.") && !name.hasPrefix("child.")
  }

  /// The figure that tells the instructions a unit took.
  static let instructions = "child.instructions"

  /// The figure that tells how many workers set a unit.
  static let workers = "child.jobs"

  /// A counter depends on how chapters fell to workers, each of which knows its own words.
  static func dependsOnWorkers(_ name: String) -> Bool {
    ["shaping.cacheHits", "shaping.cachedWords", "shaping.calls", "shaping.faces", "shaping.plainWords"].contains(name)
  }

  /// Counters of which more is better; of all others less is.
  static func isGain(_ name: String) -> Bool { name.hasSuffix("Hits") || name.hasSuffix(".hits") }
}
