/// The script of each character for shaping (UAX #24, section 5): common and inherited characters take the script before
/// them, or after them at the start, and a closing bracket takes its opening bracket's.
package struct ScriptResolver {
  private struct Bracket {
    var closing: UInt32
    var script: Script
  }

  /// Deeper brackets are forgotten, outermost first.
  private static let depth = 32

  package private(set) var current: Script
  private var brackets: [Bracket] = []

  /// - Parameter initial: The script of common characters before the first letter; `.common` when not known.
  package init(initial: Script = .common) { current = initial }

  /// The script of the next character.
  ///
  /// A real script found where `current` was not yet known has to be given to the characters before it by the caller.
  @inline(__always)
  package mutating func resolve(_ scalar: UInt32, _ properties: CharacterProperties) -> Script {
    let script = properties.script
    if script.isReal {
      current = Self.merged(script)
      return current
    }
    if properties.bracketType != 0 { return resolveBracket(scalar, properties) }
    return current
  }

  private mutating func resolveBracket(_ scalar: UInt32, _ properties: CharacterProperties) -> Script {
    if properties.bracketType == 1 {
      if brackets.count == Self.depth { brackets.removeFirst() }
      brackets.append(Bracket(closing: CharacterMapping.pairedBracket(scalar), script: current))
      return current
    }
    while let last = brackets.popLast() {
      if last.closing == scalar {
        if last.script.isReal { current = last.script }
        return current
      }
    }
    return current
  }

  /// Japanese text changes script all the time, yet faces shape Han and kana alike: kana counts as Han.
  @inline(__always)
  private static func merged(_ script: Script) -> Script {
    script == .hiragana || script == .katakana ? .han : script
  }
}
