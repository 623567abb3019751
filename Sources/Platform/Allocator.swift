import CMemory

/// The allocator of the C library, which all of the process shares. Nothing here happens unless the program asks for it.
package enum Allocator {
  /// Has it keep little free memory, from now on. Does nothing where the allocator is not glibc's.
  ///
  /// - Parameters:
  ///   - block: Bytes of a block that goes back to the system as soon as it is free, as larger ones do.
  ///   - rest: Free bytes that stay at the end of a heap at most.
  ///   - heaps: How many heaps threads have at most; nil for as many as the allocator makes.
  package static func bound(block: Int, rest: Int, heaps: Int? = nil) {
    cm_bound_free_memory(block, rest, Int32(clamping: heaps ?? 0))
  }

  /// Has all threads share one heap, for a program of which one thread works at a time. Does nothing where the allocator is not
  /// glibc's.
  ///
  /// - Parameters:
  ///   - step: Bytes by which the heap grows at least.
  ///   - span: Bytes of the heap that large pages of the system hold where it has them, a multiple of 2 MiB. They are addresses
  ///     until they are used.
  ///   - rest: Free bytes besides these that stay at the end of the heap at most.
  package static func useOneHeap(growingBy step: Int, inLargePages span: Int, rest: Int) {
    cm_use_one_heap(step, span, rest)
  }

  /// Gives free pages back to the system, those between blocks in use too.
  package static func giveBack() { cm_return_free_memory() }
}
