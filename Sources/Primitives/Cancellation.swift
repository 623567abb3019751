import Synchronization

/// A wish that work be given up, told from any thread. Work that learns of it returns early, with a value that is valid but not
/// whole: who asked for it looks here again and throws the value away.
package final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  package init() {}

  package var isRequested: Bool { flag.load(ordering: .relaxed) }
  package func request() { flag.store(true, ordering: .relaxed) }
}
