/// The parts of a rule among the tokens, whatever the rule means (CSS Syntax 3, sections 5.4.2 and 5.4.3).
package struct RuleTokens: Sendable {
  package var isAtRule: Bool
  /// The at-keyword, or the first token of the prelude.
  package var start: Int
  package var prelude: Range<Int>
  /// The inside of the block. nil for an at-rule that ends with a semicolon, and for tokens that end the sheet without one,
  /// which are no rule.
  package var block: Range<Int>?
}

extension Array where Element == Token {
  /// Finds the next rule before `end` and moves behind it; nil when there is only white space left. In no time of its own:
  /// blocks are jumped over.
  package func nextRule(at position: inout Int, end: Int, isTopLevel: Bool) -> RuleTokens? {
    while position < end {
      switch self[position].kind {
      case .whitespace:
        position += 1
        continue
      case .cdo, .cdc:
        // The comment marks of HTML are white space, but only at top level.
        if isTopLevel {
          position += 1
          continue
        }
      default: break
      }
      let start = position
      let isAtRule = self[start].kind == .atKeyword
      if isAtRule { position += 1 }
      let first = position
      while position < end, self[position].kind != .openCurly, !(isAtRule && self[position].kind == .semicolon) {
        position = afterComponentValue(at: position, end: end)
      }
      let prelude = first..<position
      guard position < end, self[position].kind == .openCurly else {
        position = Swift.min(end, position + 1)
        return RuleTokens(isAtRule: isAtRule, start: start, prelude: prelude, block: nil)
      }
      let close = Swift.min(end, self[position].blockEnd)
      let block = position + 1..<Swift.max(position + 1, close)
      position = close + 1
      return RuleTokens(isAtRule: isAtRule, start: start, prelude: prelude, block: block)
    }
    return nil
  }

  /// The index behind the component value at `position`: a token, or a whole function or block.
  func afterComponentValue(at position: Int, end: Int) -> Int {
    let token = self[position]
    return token.opensBlock ? Swift.min(end, token.blockEnd + 1) : position + 1
  }
}
