import CUnicode

/// An iterator of ICU over the boundaries of one kind.
@safe final class BreakIterator {
  enum Kind {
    case lines, words, sentences

    fileprivate var value: Int32 {
      switch self {
      case .lines: Int32(CU_BREAK_LINES)
      case .words: Int32(CU_BREAK_WORDS)
      case .sentences: Int32(CU_BREAK_SENTENCES)
      }
    }
  }

  private let handle: OpaquePointer

  /// - Parameter language: A language whose rules are tailored; empty for the root's.
  init?(_ kind: Kind, language: String = "") {
    guard let handle = unsafe cu_breaker_open(kind.value, language) else { return nil }
    unsafe self.handle = handle
  }

  deinit { unsafe cu_breaker_close(handle) }

  /// Calls the closure with each boundary behind the start of a text, in order, and ICU's status of what ends there.
  ///
  /// - Returns: ICU has taken the text.
  @discardableResult
  func forEachBoundary(in units: Span<UInt16>, _ body: (_ boundary: Int, _ status: Int32) -> Void) -> Bool {
    guard !units.isEmpty, units.count <= Int(Int32.max) else { return false }
    return unsafe units.withUnsafeBufferPointer { units in
      guard unsafe cu_breaker_set_text(handle, units.baseAddress, Int32(units.count)) != 0 else { return false }
      var last = 0
      while true {
        let boundary = unsafe Int(cu_breaker_next(handle))
        guard boundary > last else { return true }
        unsafe body(boundary, cu_breaker_status(handle))
        last = boundary
      }
    }
  }
}
