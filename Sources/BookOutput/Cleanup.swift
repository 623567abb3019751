import Platform
import Primitives
import Synchronization

/// Temporary files and folders that must not outlive the run, also when it is interrupted.
package final class Cleanup: Sendable {
  package static let shared = Cleanup()

  private let paths = Lock<[String]>([])

  func add(_ path: String) { paths.withLock { $0.append(path) } }
  func remove(_ path: String) { paths.withLock { $0.removeAll { $0 == path } } }

  /// Removes all that is left. Called at the end of an interrupted run, never in a signal handler.
  package func removeAll() {
    let left = paths.withLock { paths in
      defer { paths = [] }
      return paths
    }
    for path in left {
      if OutputFiles.isFolder(path) { OutputFiles.removeTemporaryFolder(path) } else { unsafe unlink(path) }
    }
  }
}
