/// The columns of a terminal, in which code and drawings of signs are written.
package enum TerminalColumns {
  /// The number that a character fills.
  package static func count(of scalar: UInt32) -> Int {
    switch scalar {
    case 0..<0x300: 1
    case 0x300..<0x370, 0x200B..<0x2010, 0xFE00..<0xFE10: 0
    case 0x1100..<0x1160, 0x2E80..<0xA4D0, 0xAC00..<0xD7A4, 0xF900..<0xFB00, 0xFE30..<0xFE70, 0xFF01..<0xFF61,
      0xFFE0..<0xFFE7, 0x20000..<0x40000:
      2
    default: 1
    }
  }
}
