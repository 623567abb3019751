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

  /// Gives free pages back to the system, those between blocks in use too.
  package static func giveBack() { cm_return_free_memory() }
}
