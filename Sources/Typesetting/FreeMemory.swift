import CProcess
import Synchronization

/// Memory that was given up but still is the process's: the allocator keeps free pages between what is in use, a hoard for
/// each thread, and in the course of many books they add up.
enum FreeMemory {
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
