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

  /// Has the threads of `Worker` share heaps, one for each thread that works at a time. Does nothing where the allocator is not
  /// glibc's.
  ///
  /// - Parameters:
  ///   - count: Threads that work at a time.
  ///   - step: Bytes by which the first heap grows at least.
  ///   - span: Bytes of each heap that large pages of the system hold where it has them, a multiple of 2 MiB. They are addresses
  ///     until they are used.
  ///   - rest: Free bytes besides these that stay at the end of a heap at most.
  package static func useHeaps(_ count: Int, growingBy step: Int, inLargePages span: Int, rest: Int) {
    cm_use_heaps(Int32(clamping: count), step, span, rest)
  }

  /// Has the calling thread's heap begin in large pages, if `useHeaps` has asked for some.
  static func prepareThread() { cm_prepare_thread() }

  /// Gives free pages back to the system, those between blocks in use too.
  package static func giveBack() { cm_return_free_memory() }
}
