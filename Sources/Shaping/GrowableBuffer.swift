import Platform

/// Scratch memory for trivial values that grows by doubling and is kept until the buffer ends.
///
/// The header lies in memory of its own, so that a class may hold the buffer as a constant: its use is then free of the
/// checks for overlapping access that variables of classes have.
@safe struct GrowableBuffer<Element>: ~Copyable {
  @safe private struct Header {
    var base: UnsafeMutablePointer<Element>
    var count = 0
    var capacity: Int
    /// Elements are lent: they stay where they are.
    var isLent = false
  }
  private let header: UnsafeMutablePointer<Header>

  init(capacity: Int = 256) {
    unsafe header = .allocate(capacity: 1)
    unsafe header.initialize(to: Header(base: Self.memory(nil, capacity), capacity: capacity))
  }

  /// The system may move large blocks without copying them, and leaves what is not yet used without memory.
  private static func memory(_ old: UnsafeMutablePointer<Element>?, _ capacity: Int) -> UnsafeMutablePointer<Element> {
    guard let memory = unsafe realloc(old, Swift.max(capacity, 1) * MemoryLayout<Element>.stride) else {
      fatalError("out of memory")
    }
    return unsafe memory.assumingMemoryBound(to: Element.self)
  }

  deinit {
    unsafe free(header.pointee.base)
    unsafe header.deallocate()
  }

  @inline(__always) var base: UnsafeMutablePointer<Element> { unsafe header.pointee.base }
  @inline(__always) var count: Int { unsafe header.pointee.count }
  /// Bytes allocated.
  var byteCount: Int { unsafe header.pointee.capacity * MemoryLayout<Element>.stride }
  @inline(__always) func removeAll() { unsafe header.pointee.count = 0 }
  @inline(__always) func removeLast(_ number: Int) { unsafe header.pointee.count -= number }

  @inline(__always) func append(_ element: Element) {
    let count = unsafe header.pointee.count
    if unsafe count == header.pointee.capacity { grow(count + 1) }
    unsafe (header.pointee.base + count).initialize(to: element)
    unsafe header.pointee.count = count + 1
  }

  /// Room for `extra` more elements at the end, which count as present; the caller fills them.
  @inline(__always) func extend(by extra: Int) -> UnsafeMutablePointer<Element> {
    let count = unsafe header.pointee.count
    if unsafe count + extra > header.pointee.capacity { grow(count + extra) }
    unsafe header.pointee.count = count + extra
    return unsafe header.pointee.base + count
  }

  /// Makes exactly `newCount` elements, whose values are undefined.
  func resize(_ newCount: Int) {
    unsafe header.pointee.count = 0
    if unsafe newCount > header.pointee.capacity { grow(newCount) }
    unsafe header.pointee.count = newCount
  }

  /// Makes all elements the same value, as many as are wanted.
  func fill(_ newCount: Int, with element: Element) {
    resize(newCount)
    unsafe base.initialize(repeating: element, count: newCount)
  }

  @inline(__always) subscript(index: Int) -> Element {
    _read {
      assert(index >= 0 && index < count, "the buffer has no such element")
      yield unsafe header.pointee.base[index]
    }
    nonmutating _modify {
      assert(index >= 0 && index < count, "the buffer has no such element")
      yield unsafe &header.pointee.base[index]
    }
  }

  /// Lends elements to a closure, in which the buffer must not grow.
  func withMutableSpan<Result>(_ range: Range<Int>, _ body: (inout MutableSpan<Element>) -> Result) -> Result {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "the range is out of bounds")
    precondition(unsafe !header.pointee.isLent, "elements are lent twice")
    unsafe header.pointee.isLent = true
    defer { unsafe header.pointee.isLent = false }
    var span = unsafe UnsafeMutableBufferPointer(start: base + range.lowerBound, count: range.count).mutableSpan
    return body(&span)
  }

  var all: UnsafeBufferPointer<Element> { unsafe UnsafeBufferPointer(start: base, count: count) }

  @inline(never)
  private func grow(_ needed: Int) {
    precondition(unsafe !header.pointee.isLent, "a buffer grows while its elements are lent")
    let larger = unsafe Swift.max(needed, header.pointee.capacity * 2)
    unsafe header.pointee.base = unsafe Self.memory(header.pointee.base, larger)
    unsafe header.pointee.capacity = larger
  }
}
