extension Stylesheet {
  /// Parses a style sheet (CSS Syntax 3, section 5.3.3). Never fails: what is not understood is skipped and noted in `faults`.
  package init(parsing source: [UInt8]) {
    self.init()
  }

  /// Parses a list of declarations, such as a `style` attribute, and appends it to `declarations`.
  ///
  /// - Returns: the range of the new declarations.
  package mutating func appendDeclarationList(_ source: ArraySlice<UInt8>, line: UInt32 = 1) -> Range<UInt32> {
    UInt32(declarations.count)..<UInt32(declarations.count)
  }

  /// Which conditions hold, by id. `supports` says whether a declaration (name in lower case, tokens of the value) is
  /// understood.
  package func evaluateConditions(
    _ environment: MediaEnvironment, supports: (String, TokenCursor) -> Bool
  ) -> [Bool] {
    conditions.map { _ in true }
  }
}
