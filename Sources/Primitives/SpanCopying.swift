extension Array {
  /// The elements of a span.
  @inlinable @inline(__always)
  package init(_ elements: Span<Element>) {
    unsafe self = elements.withUnsafeBufferPointer { unsafe Array($0) }
  }

  /// Appends the elements of a span.
  @inlinable @inline(__always)
  package mutating func append(contentsOf elements: Span<Element>) {
    unsafe elements.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}

extension Span where Element: Equatable {
  /// Both have the same elements in the same order.
  @inlinable @inline(__always)
  package func elementsEqual(_ other: Span<Element>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }
}

extension String {
  /// The text of UTF-8, with U+FFFD for what is not well-formed.
  @inlinable @inline(__always)
  package init(decoding utf8: Span<UInt8>) {
    unsafe self = utf8.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}

extension StaticString {
  /// Its letters as one number, the first one highest: a tag of OpenType.
  package var tag: UInt32 {
    let letters = bytes
    return letters.indices.reduce(0) { $0 << 8 | UInt32(letters[$1]) }
  }

  /// Its UTF-8.
  @inlinable @inline(__always)
  package var bytes: Span<UInt8> {
    @_lifetime(immortal)
    get {
      let bytes = unsafe UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
      return unsafe _overrideLifetime(bytes.span, copying: ())
    }
  }
}
