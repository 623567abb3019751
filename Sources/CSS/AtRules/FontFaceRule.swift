/// An `@font-face` rule (CSS Fonts 4, section 4): its descriptors as declarations.
package struct FontFaceRule: Sendable {
  package var descriptors: Range<UInt32>
  package var condition: ConditionID
  package var line: UInt32
}

/// An `@counter-style` rule (CSS Counter Styles 3, section 2): its descriptors as declarations.
package struct CounterStyleRule: Sendable {
  package var name: String
  package var descriptors: Range<UInt32>
  package var condition: ConditionID
  package var line: UInt32
}
