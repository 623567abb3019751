/// Scratch memory for trivial values that grows by doubling and is kept. Its owner frees it.
struct GrowableBuffer<Element> {
  private(set) var base: UnsafeMutablePointer<Element>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 256) {
    base = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  func deallocate() { base.deallocate() }

  @inline(__always) mutating func removeAll() { count = 0 }
  @inline(__always) mutating func truncate(to newCount: Int) { count = Swift.min(count, newCount) }

  @inline(__always) mutating func append(_ element: Element) {
    if count == capacity { grow(count + 1) }
    (base + count).initialize(to: element)
    count += 1
  }

  /// Room for `extra` more elements at the end, which count as present; the caller fills them.
  @inline(__always) mutating func extend(by extra: Int) -> UnsafeMutablePointer<Element> {
    if count + extra > capacity { grow(count + extra) }
    let start = base + count
    count += extra
    return start
  }

  /// Makes exactly `newCount` elements, whose values are undefined.
  mutating func resize(_ newCount: Int) {
    count = 0
    if newCount > capacity { grow(newCount) }
    count = newCount
  }

  @inline(__always) subscript(index: Int) -> Element {
    get { base[index] }
    nonmutating set { base[index] = newValue }
  }

  var all: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: base, count: count) }

  private mutating func grow(_ needed: Int) {
    let larger = Swift.max(needed, capacity * 2)
    let moved = UnsafeMutablePointer<Element>.allocate(capacity: larger)
    moved.moveInitialize(from: base, count: count)
    base.deallocate()
    base = moved
    capacity = larger
  }
}
