extension Int {
  /// The number and a noun: `1 page`, `3 pages`.
  package func counting(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
