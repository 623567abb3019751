/// The script of each character for shaping (UAX #24, section 5): common and inherited characters take the script before
/// them, or after them at the start, and a closing bracket takes its opening bracket's.
public struct ScriptResolver {
  @usableFromInline struct Bracket {
    @usableFromInline var closing: UInt32
    @usableFromInline var script: Script
  }

  /// Deeper brackets are forgotten, outermost first.
  private static let depth = 32

  /// The script of the last character; `.common` when no letter has been met.
  public var current = Script.common
  /// More than one script has been met.
  public var isMixed = false
  @usableFromInline var brackets: [Bracket] = []

  public init() {}

  /// Starts anew with the script of what precedes.
  public mutating func reset(to script: Script = .common) {
    current = script
    isMixed = false
    if !brackets.isEmpty { brackets.removeAll(keepingCapacity: true) }
  }

  /// The script of the next character.
  ///
  /// The first real script behind `.common` is the one to take where that is returned.
  @inlinable @inline(__always)
  public mutating func resolve(_ scalar: UInt32, _ properties: CharacterProperties) -> Script {
    let script = properties.script
    if script.isReal {
      advance(to: script)
      return script
    }
    if properties.bracketType == 0, scalar < 0x3000 || scalar > 0x30FF { return current }
    return resolveMark(scalar, properties)
  }

  /// The state that `resolve` would leave behind after characters that end in this script.
  @inlinable @inline(__always)
  public mutating func advance(to script: Script) {
    if script != current, script != .common {
      if current != .common { isMixed = true }
      current = script
    }
  }

  @usableFromInline mutating func resolveMark(_ scalar: UInt32, _ properties: CharacterProperties) -> Script {
    // The marks of Chinese and Japanese have no script but those (Script_Extensions).
    if scalar >= 0x3001, !current.isIdeographic, current != .hangul, current != .common { advance(to: .han) }
    if properties.bracketType == 1 {
      if brackets.count == Self.depth { brackets.removeFirst() }
      brackets.append(Bracket(closing: CharacterMapping.pairedBracket(scalar), script: current))
    } else if properties.bracketType == 2 {
      while let last = brackets.popLast() {
        guard last.closing == scalar else { continue }
        advance(to: last.script)
        break
      }
    }
    return current
  }
}
