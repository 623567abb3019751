import Text

/// The units of a text that its store lends to a shaper, which reads them while it shapes the text.
@safe struct LentText {
  private let memory: UnsafeBufferPointer<UInt16>

  /// No text.
  init() { unsafe memory = UnsafeBufferPointer(start: nil, count: 0) }

  /// - Parameter memory: Valid as long as the value is used.
  @unsafe init(_ memory: UnsafeBufferPointer<UInt16>) { unsafe self.memory = unsafe memory }

  @inline(__always) var count: Int { unsafe memory.count }
  @inline(__always) var isEmpty: Bool { count == 0 }

  @inline(__always)
  subscript(index: Int) -> UInt16 {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "the text has no such unit")
    return unsafe memory[index]
  }

  /// The first unit, for loops whose places are known to lie in the text.
  @unsafe @inline(__always) var base: UnsafePointer<UInt16> { unsafe memory.baseAddress.unsafelyUnwrapped }

  @inline(__always)
  var span: Span<UInt16> {
    @_lifetime(borrow self)
    get { unsafe _overrideLifetime(memory.span, borrowing: self) }
  }

  /// The character that starts at a place, and its length in units.
  @inline(__always)
  func scalar(at index: Int) -> (value: UInt32, length: Int) { UTF16Text.scalar(span, at: index) }
}
