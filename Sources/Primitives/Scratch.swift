/// Calls a closure with so many equal elements on the stack, which it may change.
///
/// - Complexity: O(*n*), without an allocation where the elements take less than a kilobyte.
@inlinable @inline(__always)
package func withScratch<Element: BitwiseCopyable, Result>(
  repeating element: Element, count: Int, _ body: (inout MutableSpan<Element>) -> Result
) -> Result {
  unsafe withUnsafeTemporaryAllocation(of: Element.self, capacity: count) { memory in
    unsafe memory.initialize(repeating: element)
    var span = unsafe memory.mutableSpan
    return body(&span)
  }
}
