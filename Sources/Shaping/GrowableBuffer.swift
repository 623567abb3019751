import Platform

/// Scratch memory for trivial values that grows by doubling and is kept. Its owner frees it.
///
/// The header lies in memory of its own, so that a class may hold the buffer as a constant: its use is then free of the
/// checks for overlapping access that variables of classes have.
struct GrowableBuffer<Element> {
  private struct Header {
    var base: UnsafeMutablePointer<Element>
    var count = 0
    var capacity: Int
  }
  private let header: UnsafeMutablePointer<Header>

  init(capacity: Int = 256) {
    header = .allocate(capacity: 1)
    header.initialize(to: Header(base: Self.memory(nil, capacity), capacity: capacity))
  }

  /// The system may move large blocks without copying them, and leaves what is not yet used without memory.
  private static func memory(_ old: UnsafeMutablePointer<Element>?, _ capacity: Int) -> UnsafeMutablePointer<Element> {
    guard let memory = realloc(old, Swift.max(capacity, 1) * MemoryLayout<Element>.stride) else {
      fatalError("out of memory")
    }
    return memory.assumingMemoryBound(to: Element.self)
  }

  func deallocate() {
    free(header.pointee.base)
    header.deallocate()
  }

  @inline(__always) var base: UnsafeMutablePointer<Element> { header.pointee.base }
  @inline(__always) var count: Int { header.pointee.count }
  /// Bytes allocated.
  var byteCount: Int { header.pointee.capacity * MemoryLayout<Element>.stride }
  @inline(__always) func removeAll() { header.pointee.count = 0 }
  @inline(__always) func removeLast(_ number: Int) { header.pointee.count -= number }

  @inline(__always) func append(_ element: Element) {
    let count = header.pointee.count
    if count == header.pointee.capacity { grow(count + 1) }
    (header.pointee.base + count).initialize(to: element)
    header.pointee.count = count + 1
  }

  /// Room for `extra` more elements at the end, which count as present; the caller fills them.
  @inline(__always) func extend(by extra: Int) -> UnsafeMutablePointer<Element> {
    let count = header.pointee.count
    if count + extra > header.pointee.capacity { grow(count + extra) }
    header.pointee.count = count + extra
    return header.pointee.base + count
  }

  /// Makes exactly `newCount` elements, whose values are undefined.
  func resize(_ newCount: Int) {
    header.pointee.count = 0
    if newCount > header.pointee.capacity { grow(newCount) }
    header.pointee.count = newCount
  }

  @inline(__always) subscript(index: Int) -> Element {
    get { header.pointee.base[index] }
    nonmutating set { header.pointee.base[index] = newValue }
  }

  var all: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: base, count: count) }

  @inline(never)
  private func grow(_ needed: Int) {
    let larger = Swift.max(needed, header.pointee.capacity * 2)
    header.pointee.base = Self.memory(header.pointee.base, larger)
    header.pointee.capacity = larger
  }
}
