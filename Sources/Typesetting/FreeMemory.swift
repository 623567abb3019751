import Platform
import Synchronization

/// Memory that was given up but still is the process's: the allocator keeps free pages between what is in use, an arena
/// for each thread, and in the course of many books they add up to several times what caches may take.
///
/// The allocator is the program's: the library changes nothing of it unless the program asks for that
/// (`Engine.configure`, `Typesetter.releaseMemory`).
enum FreeMemory {
  private static let isBounded = Atomic<Bool>(false)

  /// Has the allocator keep little of it, for all of the process.
  static func bound() {
    Allocator.bound(block: 512 << 10, rest: 1 << 20, heaps: 2)
    isBounded.store(true, ordering: .relaxed)
  }

  /// A return of memory is scheduled already.
  private static let isAwaited = Atomic<Bool>(false)
  /// The time in which memory given up is gathered, to be given back at once.
  private static let delay = Duration.milliseconds(200)

  /// Gives free pages of the whole process back to the system within a second, without the caller's waiting.
  static func giveBack() {
    guard !isAwaited.exchange(true, ordering: .relaxed) else { return }
    Task.detached(priority: .utility) {
      try? await Task.sleep(for: delay)
      isAwaited.store(false, ordering: .relaxed)
      Allocator.giveBack()
    }
  }

  /// Gives it back where the program has asked for that once.
  static func giveBackIfBounded() {
    if isBounded.load(ordering: .relaxed) { giveBack() }
  }
}
