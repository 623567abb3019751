/// The italic letters of formulas (MathML Core, appendix C.13).
package enum MathItalic {
  /// Letters of each alphabet that has them: a face that has these is taken to have all.
  static let samples: [UInt32] = [0x1D465, 0x1D6FC, 0x1D715]

  /// The italic form of a letter; the letter itself where it has none.
  package static func form(of letter: Unicode.Scalar) -> Unicode.Scalar {
    let value: UInt32 =
      switch letter {
      case "h": 0x210E
      case "A"..."Z": 0x1D434 + letter.value - 0x41
      case "a"..."z": 0x1D44E + letter.value - 0x61
      case "\u{131}": 0x1D6A4
      case "\u{237}": 0x1D6A5
      case "\u{391}"..."\u{3A1}", "\u{3A3}"..."\u{3A9}": 0x1D6E2 + letter.value - 0x391
      case "\u{3F4}": 0x1D6F3
      case "\u{2207}": 0x1D6FB
      case "\u{3B1}"..."\u{3C9}": 0x1D6FC + letter.value - 0x3B1
      case "\u{2202}": 0x1D715
      case "\u{3F5}": 0x1D716
      case "\u{3D1}": 0x1D717
      case "\u{3F0}": 0x1D718
      case "\u{3D5}": 0x1D719
      case "\u{3F1}": 0x1D71A
      case "\u{3D6}": 0x1D71B
      default: letter.value
      }
    return Unicode.Scalar(value) ?? letter
  }
}
