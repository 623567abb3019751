/// The face that shows characters which no font has, each as a box with its code point. The program draws it itself
/// (`LastResortFile`), so that no text is lost for want of fonts.
///
/// A box is a frame one em wide, and over it the digits of the code point in two rows: four, or six beyond the first plane.
package enum LastResort {
  package static let familyName = "Last Resort"
  static let fileName = "last-resort.ttf"

  /// The frame, whose advance is an em.
  package static let box: UInt16 = 3
  private static let wideDigits: UInt16 = 4
  private static let narrowDigits: UInt16 = 20

  /// Tells the digits of a character's box: their glyphs, and how far each lies right of the frame's origin and above it,
  /// in font units.
  @inline(__always)
  package static func forEachDigit(of scalar: UInt32, _ body: (_ glyph: UInt16, _ x: Int32, _ y: Int32) -> Void) {
    let columns: Int32 = scalar < 0x10000 ? 2 : 3
    let (glyphs, step, start): (UInt16, Int32, Int32) =
      columns == 2 ? (wideDigits, 380, 160) : (narrowDigits, 260, 140)
    for index in 0..<columns * 2 {
      let digit = scalar >> UInt32((columns * 2 - 1 - index) * 4) & 15
      body(glyphs + UInt16(digit), start + index % columns * step, index < columns ? 440 : 20)
    }
  }
}
