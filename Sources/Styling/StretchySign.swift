/// Signs of formulas that grow with what they belong to (MathML Core, operator dictionary, `stretchy`).
package enum StretchySign {
  /// As high as the row between two of them, and the sign of a root.
  case fence
  /// As long as what they stand over or under.
  case arrow, brace

  package init?(_ scalar: UInt32) {
    switch scalar {
    case 0x221A, 0x28, 0x29, 0x5B, 0x5D, 0x7B...0x7D, 0x2016, 0x2223, 0x2225, 0x2308...0x230B, 0x27E6...0x27EF:
      self = .fence
    case 0x2190...0x2194, 0x21BC...0x21D4: self = .arrow
    case 0x23B4...0x23B5, 0x23DC...0x23E1: self = .brace
    default: return nil
    }
  }
}
