import CProcess
import Synchronization

/// Memory that was given up but still is the process's: the allocator keeps free pages between what is in use, a hoard for
/// each thread, and in the course of many books they add up to several times what caches may take.
///
/// What a ``Typesetter`` has taken is given back when it goes, and while it gives up much of what it keeps.
public enum FreeMemory {
  /// Has the allocator keep little of it, for all of the process: two hoards, in each no more than a mebibyte at its end, and no
  /// large pieces. For programs that read book after book, such as servers; to be called once, before the first one is opened.
  /// Does nothing where the allocator is not glibc's.
  public static func bound() { cp_bound_free_memory(512 << 10, 1 << 20, 2) }

  /// Whether it will be given back soon.
  private static let isAwaited = Atomic<Bool>(false)
  /// What is given up together is given back at once.
  private static let delay = Duration.milliseconds(200)

  /// Gives it back to the system soon, without the caller's waiting.
  static func giveBack() {
    guard !isAwaited.exchange(true, ordering: .relaxed) else { return }
    Task.detached(priority: .utility) {
      try? await Task.sleep(for: delay)
      isAwaited.store(false, ordering: .relaxed)
      cp_return_free_memory()
    }
  }
}
