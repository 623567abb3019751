/// The path data of an outline as SVG writes it (SVG 2, section 9.3).
package struct PathData {
  package private(set) var text = ""

  package init() {}

  /// Adds a command with its points; the decimals are the shortest that read as the same numbers.
  package mutating func add(_ command: Character, _ points: SIMD2<Double>...) {
    text.append(command)
    text += points.map { "\($0.x) \($0.y)" }.joined(separator: " ")
  }
}
